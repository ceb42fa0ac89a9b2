# SPDX-License-Identifier: Apache-2.0
"""What the two plugs of a simulated shoe have in common: their promise, and how they lose bytes.

A port passes bytes and knows nothing else. Like a real line it never waits for a listener: what
nobody takes within a second is lost, and counted.
"""

import os
import socket
from typing import Protocol

READ_SIZE = 4096
GRACE_SECONDS = 1.0
MOST_PENDING = 65536


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
