# SPDX-License-Identifier: Apache-2.0
"""A pseudo-terminal as the line of a simulated shoe."""

import array
import fcntl
import os
import pty
import termios
import time
import tty
from pathlib import Path

from drivers.sim.ports import READ_SIZE, Outbox

UNREAD_POLL_SECONDS = 0.005
UNREAD_WAIT_SECONDS = 0.5
READ_FOR_SECONDS = 0.05


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
