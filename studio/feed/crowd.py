# SPDX-License-Identifier: Apache-2.0
"""How many connections strangers may hold, so that a flood of them takes nothing from the table.

libzmq accepts whoever comes and waits five seconds for a hand-shake; each takes a descriptor of a
process that must also open files and its line. So the process looks at its own descriptors: those
of its ports that are not let in yet, by address. Beyond a bound the newest go, so that whoever is
in the middle of a hand-shake comes to its end; and who comes from elsewhere is not touched.

Whether one is let in is told by the bytes that its peer has acknowledged: up to the end of a
hand-shake (RFC 26) the studio sends its greeting (64), WELCOME (170) and, to a refused key, ERROR
(12); the READY that lets in is longer than that. Linux keeps the count (tcp_info).
"""

import os
import socket
import stat
import struct
from collections import Counter
from contextlib import suppress
from typing import NamedTuple

from studio.feed.connections import end_now, socket_of

# Of one address; many front-ends of an operator may be behind one.
MOST_HALF_OPEN = 256
MOST_OF_AN_ADDRESS = 4096
# Of all together.
MOST_STRANGERS = 1024

_UNTIL_LET_IN_BYTES = 64 + 170 + 12
_TCP_INFO_BYTES, _ACKED_AT = 136, 120
_OWN = "/proc/self/fd"


class Limits(NamedTuple):
    """How many: not let in yet, of one address and of all; and altogether of one address."""

    half_open: int = MOST_HALF_OPEN
    strangers: int = MOST_STRANGERS
    of_an_address: int = MOST_OF_AN_ADDRESS


class Turned(NamedTuple):
    """A connection that was ended because there were too many."""

    address: str
    why: str


class _One(NamedTuple):
    fd: int
    address: str
    is_let_in: bool


class Crowd:
    """The connections to some ports of this process, ``ports``. For one thread."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.ports: set[int] = set()
        self._limits = limits or Limits()
        self._looked_for: set[int] = set()
        # by the number of each socket (inode), in the order in which they were seen first
        self._known: dict[int, _One] = {}
        self._others: set[int] = set()

    def look(self) -> list[Turned]:
        """Look at all connections, and end those that are too many; gives those."""
        try:
            here = _sockets()
        except OSError:
            # not a descriptor is left to look with: the time for hand-shakes ends some
            return []
        for number in self._known.keys() - here.keys():
            del self._known[number]
        self._others &= here.keys()
        if self._looked_for != self.ports:
            self._looked_for = set(self.ports)
            self._others.clear()
        for number, fd in here.items():
            known = self._known.get(number)
            if number not in self._others and (known is None or not known.is_let_in):
                self._meet(number, fd)
        return [turned for number, why in self._too_many() if (turned := self._end(number, why))]

    def _meet(self, number: int, fd: int) -> None:
        found = _looked_at(fd, self._looked_for)
        if found is None:
            self._others.add(number)
        else:
            self._known[number] = found

    def _too_many(self) -> list[tuple[int, str]]:
        """The numbers of those to be ended, and why."""
        limits = self._limits
        found = []
        of_address: Counter[str] = Counter()
        half_open: Counter[str] = Counter()
        for number, one in self._known.items():
            if of_address[one.address] >= limits.of_an_address:
                found.append((number, f"more than {limits.of_an_address} connections"))
                continue
            is_too_many = half_open[one.address] >= limits.half_open
            if not one.is_let_in and (is_too_many or half_open.total() >= limits.strangers):
                found.append((number, f"more than {limits.half_open} hand-shakes at once"))
                continue
            of_address[one.address] += 1
            half_open[one.address] += not one.is_let_in
        return found

    def _end(self, number: int, why: str) -> Turned | None:
        one = self._known.pop(number)
        if end_now(one.fd, lambda connection: os.fstat(connection.fileno()).st_ino == number):
            return Turned(one.address, why)
        return None


def _sockets() -> dict[int, int]:
    """The sockets of this process: descriptors, by the numbers of what they stand for."""
    found = {}
    # this is done again and again, of thousands: it must cost little
    for fd in map(int, os.listdir(_OWN)):  # noqa: PTH208
        with suppress(OSError):
            told = os.fstat(fd)
            if stat.S_ISSOCK(told.st_mode):
                found[told.st_ino] = fd
    return found


def _looked_at(fd: int, ports: set[int]) -> _One | None:
    """One of our connections; None for any other socket."""
    with suppress(OSError), socket_of(fd) as one:
        if one.family in (socket.AF_INET, socket.AF_INET6) and one.getsockname()[1] in ports:
            told = one.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _TCP_INFO_BYTES)
            (acked,) = struct.unpack_from("Q", told, _ACKED_AT)
            return _One(fd, one.getpeername()[0], acked > _UNTIL_LET_IN_BYTES)
    return None
