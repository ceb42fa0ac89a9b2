# SPDX-License-Identifier: Apache-2.0
"""A faulty relay between a table and a subscriber, message by message, on real sockets.

It loses, delays, repeats, disorders and cuts off messages and heartbeats, loses requests and
answers, and now and then passes on nothing for a while. All it does follows from its seed and from
what comes. ``heal`` makes it faithful; what was on its way by then still comes.
"""

import random
import time
from typing import NamedTuple

import zmq

from tests.system.rig import Studio

LOST, REPEATED, DELAYED, CUT, SILENCED = 0.15, 0.1, 0.3, 0.05, 0.04
LONGEST_DELAY_SECONDS = 1.5
LONGEST_SILENCE_SECONDS = 4.5

_Socket = zmq.Socket[bytes]


class _Due(NamedTuple):
    at: float
    to: _Socket
    frames: list[bytes]


class FaultyRelay:
    """Between ``studio`` and the one who connects to ``events`` and ``requests``.

    Works when it is told to: ``pump`` takes what has come, and passes on what is due.
    """

    def __init__(self, studio: Studio, seed: int) -> None:
        self._random = random.Random(seed)
        self._context = zmq.Context()
        self._heard, self._told = self._socket(zmq.SUB), self._socket(zmq.PUB)
        self._asking, self._asked = self._socket(zmq.DEALER), self._socket(zmq.ROUTER)
        self._heard.subscribe(b"")
        for socket, name in ((self._heard, "public_events"), (self._asking, "public_requests")):
            socket.reconnect_ivl = 50
            socket.connect(studio.endpoints[name])
        self.events = f"tcp://127.0.0.1:{self._told.bind_to_random_port('tcp://127.0.0.1')}"
        self.requests = f"tcp://127.0.0.1:{self._asked.bind_to_random_port('tcp://127.0.0.1')}"
        self._due: list[_Due] = []
        self._client = b""
        self._silent_until = 0.0
        self._is_faulty = True
        self.faults = 0

    def _socket(self, kind: int) -> _Socket:
        socket = self._context.socket(kind)
        socket.linger = 0
        return socket

    def pump(self) -> None:
        """Take what has come, do to it what is to be done, and pass on what is due."""
        for frames in _waiting(self._heard):
            self._take(self._told, frames)
        for client, *frames in _waiting(self._asked):
            self._client = client
            self._take(self._asking, frames)
        for frames in _waiting(self._asking):
            self._take(self._asked, [self._client, *frames])
        now = time.monotonic()
        for due in [one for one in self._due if one.at <= now]:
            self._due.remove(due)
            due.to.send_multipart(due.frames)

    def heal(self) -> None:
        """Pass on all that comes from now on, at once."""
        self._is_faulty = False

    def close(self) -> None:
        self._context.destroy(0)

    def _take(self, to: _Socket, frames: list[bytes]) -> None:
        now, chance = time.monotonic(), self._random.random
        if not self._is_faulty:
            self._due.append(_Due(now, to, frames))
            return
        if chance() < SILENCED:
            self._silent_until = now + self._random.uniform(1, LONGEST_SILENCE_SECONDS)
        is_lost, is_repeated, is_late, is_cut = (
            chance() < part for part in (LOST, REPEATED, DELAYED, CUT)
        )
        self.faults += is_lost or is_repeated or is_late or is_cut
        if is_lost or now < self._silent_until:
            return
        if is_cut:
            frames = [*frames[:-1], frames[-1][: self._random.randrange(len(frames[-1]))]]
        for _ in range(1 + is_repeated):
            delay = self._random.uniform(0, LONGEST_DELAY_SECONDS) if is_late else 0.0
            self._due.append(_Due(now + delay, to, frames))


def _waiting(socket: _Socket) -> list[list[bytes]]:
    found = []
    while socket.poll(0):
        found.append(socket.recv_multipart())
    return found
