# SPDX-License-Identifier: Apache-2.0
"""A small client that asks one thing and waits for the answer: commands, checks, tools."""

import msgspec
import zmq

from studio.feed.asks import encode
from studio.feed.keys import ClientKeys


class NoAnswer(TimeoutError):
    """Nothing came back in time; the text names the endpoint and what to look at."""


class Client:
    """Asks a public or staff request endpoint. One thread at a time; close it, or use ``with``."""

    def __init__(self, endpoint: str, keys: ClientKeys | None = None) -> None:
        self.endpoint = endpoint
        self._keys = keys
        self._context = zmq.Context()

    def ask(self, request: bytes | msgspec.Struct, seconds: float = 5.0) -> bytes:
        """The answer's bytes. Raises NoAnswer; the request may have been carried out even then.

        Each question has a socket of its own, so that a late answer is never taken for another.
        """
        frame = request if isinstance(request, bytes) else encode(request)
        turns = 1 if self._keys is None else len(self._keys.studio.server)
        for turn in range(turns):
            answer = self._ask(frame, seconds / turns, turn)
            if answer is not None:
                return answer
        hint = "does it want keys?" if self._keys is None else "is this key allowed there?"
        raise NoAnswer(
            f"no answer from {self.endpoint} within {seconds:g} s: is the table service running, "
            f"is this its request endpoint, and {hint}"
        )

    def _ask(self, frame: bytes, seconds: float, turn: int) -> bytes | None:
        with self._context.socket(zmq.DEALER) as socket:
            socket.linger = 0
            socket.ipv6 = "[" in self.endpoint
            if self._keys is not None:
                self._keys.secure(socket, turn)
            socket.connect(self.endpoint)
            socket.send(frame, zmq.NOBLOCK)
            return socket.recv() if socket.poll(int(seconds * 1000)) else None

    def close(self) -> None:
        """Close; may be called twice."""
        self._context.term()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()
