# SPDX-License-Identifier: Apache-2.0
"""Far ends of lines for tests: a pseudo-terminal and a device server that push bytes."""

import os
import socket
import struct
import termios
from pathlib import Path

from drivers.endpoint import SerialEndpoint
from drivers.transport import SerialLine

_TCP_REPAIR = 19  # linux/tcp.h


class Plug:
    """A pseudo-terminal behind a path of its own, which can be pulled out and put in again."""

    def __init__(self, folder: Path, name: str = "shoe") -> None:
        self.path = folder / name
        self._master: int | None = None
        self.plug_in()

    def plug_in(self) -> None:
        self._master, slave = os.openpty()
        new = self.path.with_suffix(".new")
        new.symlink_to(os.ttyname(slave))
        new.replace(self.path)
        os.close(slave)

    def push(self, data: bytes) -> None:
        assert self._master is not None
        while data:
            data = data[os.write(self._master, data) :]

    def speed(self) -> int:
        """The speed that the host has set, as a constant of ``termios``."""
        assert self._master is not None
        return int(termios.tcgetattr(self._master)[4])

    def sent(self, length: int) -> bytes:
        """What the host sent, at least ``length`` bytes of it."""
        assert self._master is not None
        data = b""
        while len(data) < length:
            data += os.read(self._master, 1024)
        return data

    def pull_out(self) -> None:
        if self._master is not None:
            os.close(self._master)
            self._master = None
            self.path.unlink()

    def __enter__(self) -> "Plug":
        return self

    def __exit__(self, *_: object) -> None:
        self.pull_out()


class SpokenTo(SerialLine):
    """A line whose far end pushes as soon as it is open; what comes before that is lost."""

    def __init__(self, plug: Plug, data: bytes) -> None:
        super().__init__(SerialEndpoint(str(plug.path)))
        self._plug = plug
        self._data = data

    def open(self) -> None:
        super().open()
        self._plug.push(self._data)


class DeviceServer:
    """A listening socket that serves one host at a time, as a serial device server does."""

    def __init__(self) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._listening.settimeout(10)
        self.port = self._listening.getsockname()[1]
        self._session: socket.socket | None = None

    def accept(self) -> None:
        self.end()
        self._session, _ = self._listening.accept()
        self._session.settimeout(10)

    def push(self, data: bytes) -> None:
        assert self._session is not None
        self._session.sendall(data)

    def sent(self, length: int) -> bytes:
        assert self._session is not None
        data = b""
        while len(data) < length:
            data += self._session.recv(1024)
        return data

    def end(self) -> None:
        if self._session is not None:
            self._session.close()
            self._session = None

    def reset(self) -> None:
        """End the session by RST, as a server that was restarted does."""
        assert self._session is not None
        self._session.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.end()

    def vanish(self) -> None:
        """End the session without a word to the other side, as a power cut does."""
        assert self._session is not None
        self._session.setsockopt(socket.IPPROTO_TCP, _TCP_REPAIR, 1)
        self.end()

    def stop(self) -> None:
        self.end()
        self._listening.close()

    def __enter__(self) -> "DeviceServer":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
