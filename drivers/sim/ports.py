# SPDX-License-Identifier: Apache-2.0
"""The two plugs of a simulated shoe: a pseudo-terminal under a stable name, and a TCP server.

A port passes bytes and knows nothing else. Like a real line it never waits for a listener: what
nobody takes within a second is lost, and counted.
"""

import array
import fcntl
import os
import pty
import select
import socket
import struct
import termios
import time
import tty
from pathlib import Path
from typing import Protocol

READ_SIZE = 4096
GRACE_SECONDS = 1.0
MOST_PENDING = 65536
MOST_CONNECTIONS = 4
UNREAD_POLL_SECONDS = 0.005
UNREAD_WAIT_SECONDS = 0.5
READ_FOR_SECONDS = 0.05


class Outbox:
    """Bytes that the system does not take at once; dropped when it takes none for a second.

    After that nobody is thought to listen, and bytes are dropped at once until some are taken.
    """

    def __init__(self) -> None:
        self._pending = bytearray()
        self._progress_at = 0.0
        self._has_listener = True
        self.lost = 0

    def __len__(self) -> int:
        return len(self._pending)

    def add(self, data: bytes, now: float) -> None:
        """Queue bytes to be taken by ``flush``."""
        if not self._pending:
            self._progress_at = now
        self._pending += data

    def flush(self, fd: int, now: float) -> None:
        """Write what the system takes without waiting. Raises ``OSError`` when the line is gone."""
        while self._pending:
            try:
                taken = os.write(fd, self._pending)
            except BlockingIOError:
                break
            del self._pending[:taken]
            self._progress_at = now
            self._has_listener = True
        if self._pending and now - self._progress_at > GRACE_SECONDS:
            self._has_listener = False
        if self._pending and (not self._has_listener or len(self._pending) > MOST_PENDING):
            self.drop()

    def drop(self) -> None:
        """Lose what is pending."""
        self.lost += len(self._pending)
        self._pending.clear()


class Port(Protocol):
    """One way to reach the shoe."""

    def descriptors(self) -> list[int]:
        """What to watch for reading."""
        ...

    def blocked(self) -> list[int]:
        """What to watch for writing: those that would take no more."""
        ...

    def receive(self, now: float) -> bytes:
        """What the host has sent, without waiting; also gets on with what could not be written."""
        ...

    def send(self, data: bytes, now: float) -> None:
        """Send bytes, or lose them."""
        ...

    def unplug(self, *, reset: bool) -> None:
        """Take the cable out."""
        ...

    def plug(self) -> None:
        """Put it in again. Raises ``OSError`` when the system has no place for it."""
        ...

    def close(self) -> None:
        """Leave nothing behind."""
        ...

    @property
    def endpoint(self) -> str:
        """What to put into the settings of a table."""
        ...

    @property
    def lost(self) -> int:
        """Bytes that nobody took."""
        ...

    @property
    def connections(self) -> int:
        """How many hosts are connected, as far as the system tells."""
        ...

    @property
    def unread(self) -> int:
        """Bytes that the system holds for a host that has not read them, if it tells."""
        ...


class PtyPort:
    """A pseudo-terminal in raw mode, named by a symbolic link that outlives unplugging.

    The simulator keeps the far side open itself, so that a host may come and go.
    """

    connections = 0

    def __init__(self, link: Path) -> None:
        self._link = link
        self._master: int | None = None
        self._far_side = -1
        self._name = ""
        self._outbox = Outbox()
        self._lost_unplugged = 0
        self.plug()

    @property
    def endpoint(self) -> str:
        return str(self._link)

    @property
    def lost(self) -> int:
        return self._outbox.lost + self._lost_unplugged

    @property
    def unread(self) -> int:
        if self._master is None:
            return 0
        count = array.array("i", [0])
        fcntl.ioctl(self._far_side, termios.FIONREAD, count)
        return count[0]

    def descriptors(self) -> list[int]:
        return [] if self._master is None else [self._master]

    def blocked(self) -> list[int]:
        return [self._master] if self._master is not None and len(self._outbox) > 0 else []

    def receive(self, now: float) -> bytes:
        if self._master is None:
            return b""
        # A host that claimed the line and died would keep it claimed, because this side is open.
        fcntl.ioctl(self._far_side, termios.TIOCNXCL)
        self._outbox.flush(self._master, now)
        try:
            return os.read(self._master, READ_SIZE)
        except BlockingIOError:
            return b""

    def send(self, data: bytes, now: float) -> None:
        if self._master is None:
            self._lost_unplugged += len(data)
            return
        self._outbox.add(data, now)
        self._outbox.flush(self._master, now)

    def unplug(self, *, reset: bool) -> None:
        """Give the host a moment to take what has left, then hang up and remove the name."""
        del reset
        if self._master is None:
            return
        now = time.monotonic()
        deadline, read_since = now + UNREAD_WAIT_SECONDS, now
        # The system shows written bytes as unread only after a moment of its own.
        while now < deadline and now - read_since < READ_FOR_SECONDS:
            time.sleep(UNREAD_POLL_SECONDS)
            now = time.monotonic()
            if self.unread > 0:
                read_since = now
        self.close()

    def plug(self) -> None:
        if self._master is not None:
            return
        refuse_to_replace(self._link)
        master, self._far_side = pty.openpty()
        tty.setraw(self._far_side)
        os.set_blocking(master, False)
        self._name = os.ttyname(self._far_side)
        self._master = master
        fresh = self._link.with_name(f"{self._link.name}.{os.getpid()}")
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(self._name)
        fresh.replace(self._link)

    def close(self) -> None:
        if self._master is None:
            return
        if self._link.is_symlink() and str(self._link.readlink()) == self._name:
            self._link.unlink()
        os.close(self._master)
        os.close(self._far_side)
        self._master = None
        self._outbox.drop()


def refuse_to_replace(link: Path) -> None:
    """Raise ``FileExistsError`` unless the name is free or a link left by a dead simulator."""
    is_left_over = link.is_symlink() and str(link.readlink()).startswith("/dev/pts/")
    if not is_left_over and (link.exists() or link.is_symlink()):
        raise FileExistsError(f"{link} exists and is no link to a pseudo-terminal; give another")


class _Connection:
    def __init__(self, connection: socket.socket) -> None:
        self.socket = connection
        self.outbox = Outbox()


class TcpPort:
    """A serial device server: every host that connects hears the shoe, four at most.

    Unplugged, it hangs up on everybody who is or gets connected.
    """

    unread = 0

    def __init__(self, host: str, port: int) -> None:
        self._listener = socket.create_server((host, port))
        self._listener.settimeout(0.0)
        self._hosts: list[_Connection] = []
        self._is_plugged = True
        self.lost = 0

    @property
    def endpoint(self) -> str:
        return address_of(self._listener)

    @property
    def connections(self) -> int:
        return len(self._hosts)

    def descriptors(self) -> list[int]:
        return [self._listener.fileno(), *(host.socket.fileno() for host in self._hosts)]

    def blocked(self) -> list[int]:
        return [host.socket.fileno() for host in self._hosts if len(host.outbox) > 0]

    def receive(self, now: float) -> bytes:
        self._accept()
        received = bytearray()
        for host in list(self._hosts):
            try:
                host.outbox.flush(host.socket.fileno(), now)
                data = host.socket.recv(READ_SIZE)
            except BlockingIOError:
                continue
            except OSError:
                data = b""
            if not data:
                self._drop(host, reset=False)
            received += data
        return bytes(received)

    def send(self, data: bytes, now: float) -> None:
        if not self._hosts:
            self.lost += len(data)
        for host in list(self._hosts):
            host.outbox.add(data, now)
            try:
                host.outbox.flush(host.socket.fileno(), now)
            except OSError:
                self._drop(host, reset=False)

    def unplug(self, *, reset: bool) -> None:
        self._is_plugged = False
        for host in list(self._hosts):
            self._drop(host, reset=reset)

    def plug(self) -> None:
        self._is_plugged = True

    def close(self) -> None:
        self.unplug(reset=False)
        self._listener.close()

    def _accept(self) -> None:
        while select.select([self._listener], [], [], 0)[0]:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            if not self._is_plugged or len(self._hosts) >= MOST_CONNECTIONS:
                connection.close()
                continue
            connection.settimeout(0.0)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._hosts.append(_Connection(connection))

    def _drop(self, host: _Connection, *, reset: bool) -> None:
        if reset:
            host.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.lost += host.outbox.lost + len(host.outbox)
        host.socket.close()
        self._hosts.remove(host)


def address_of(listener: socket.socket) -> str:
    """``host:port`` of a bound socket."""
    host, port = listener.getsockname()[:2]
    return f"{host}:{port}"


def split_address(address: str) -> tuple[str, int]:
    """The parts of ``host:port``; raises ``ValueError`` with what would be right."""
    host, colon, port = address.rpartition(":")
    if not host or not colon or not port.isdigit() or int(port) > 65535:
        raise ValueError(f"{address!r}: host:port is needed, like 127.0.0.1:4001 (0: a free port)")
    return host, int(port)
