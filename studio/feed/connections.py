# SPDX-License-Identifier: Apache-2.0
"""Which connection is whose, and how one is ended while the others go on.

ZMQ asks who somebody is at the hand-shake only, and can end no single connection. But each message
says which key it came with (User-Id) and on which TCP connection (its descriptor). A subscription
is such a message, so that whoever gets anything is known here. To end a connection its TCP socket
is shut down; libzmq then lets go of it as of one that was cut by the network.

A descriptor is used again once its connection is gone. So a connection is known by descriptor and
the peer's address and port together, and is looked at again before anything is done to it.
"""

import os
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

Peer = tuple[str, int]

_INTERNET = (socket.AF_INET, socket.AF_INET6)

# Reset at once: what the kernel still holds for the peer is not sent any more.
_NO_LINGER = struct.pack("ii", 1, 0)


class Connection(NamedTuple):
    """One TCP connection, and whose key it came with."""

    public: str
    fd: int
    peer: Peer


class Connections:
    """The live connections of one set of sockets. For any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._frames: dict[Connection, int] = {}

    def seen(self, public: str, fd: int) -> tuple[Connection, int] | None:
        """Note that a message came; gives how many came on it. None if it is gone already."""
        peer = _peer_of(fd)
        if peer is None:
            return None
        connection = Connection(public, fd, peer)
        with self._lock:
            count = self._frames.get(connection, 0) + 1
            self._frames[connection] = count
        return connection, count

    def keys(self) -> frozenset[str]:
        """Whose connections are known."""
        with self._lock:
            return frozenset(one.public for one in self._frames)

    def cut(self, is_to_go: Callable[[Connection], bool]) -> list[Connection]:
        """End the connections that are to go; gives those that were ended."""
        with self._lock:
            gone = [one for one in self._frames if is_to_go(one)]
            for one in gone:
                del self._frames[one]
        return [one for one in gone if _end(one)]

    def ended(self) -> list[Connection]:
        """Those that ended by themselves since this was asked last."""
        with self._lock:
            known = list(self._frames)
        # the table waits for the lock: it is not held while the system is asked
        gone = [one for one in known if _peer_of(one.fd) != one.peer]
        with self._lock:
            return [one for one in gone if self._frames.pop(one, None) is not None]


@contextmanager
def socket_of(fd: int) -> Iterator[socket.socket]:
    """The same TCP connection by a descriptor of our own, which nobody closes meanwhile."""
    own = os.dup(fd)
    try:
        connection = socket.socket(fileno=own)
    except OSError:
        # the number is a file's by now
        os.close(own)
        raise
    with connection:
        yield connection


def _peer_of(fd: int) -> Peer | None:
    with suppress(OSError), socket_of(fd) as connection:
        peer = connection.getpeername()
        # the number may be another kind of socket's by now, whose peer is a path or nothing
        return (peer[0], peer[1]) if connection.family in _INTERNET else None
    return None


def _end(gone: Connection) -> bool:
    return end_now(gone.fd, lambda one: one.getpeername()[:2] == gone.peer)


def end_now(fd: int, is_still: Callable[[socket.socket], bool]) -> bool:
    """End the connection of a descriptor, if it is still the one that was meant."""
    with suppress(OSError), socket_of(fd) as connection:
        if is_still(connection):
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGER)
            connection.shutdown(socket.SHUT_RDWR)
            return True
    return False
