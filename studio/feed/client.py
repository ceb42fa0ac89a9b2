# SPDX-License-Identifier: Apache-2.0
"""A small client that asks one thing and waits for the answer: commands, checks, tools."""

from types import TracebackType

import msgspec
import zmq

from studio.feed.asks import encode


class NoAnswer(TimeoutError):
    """Nothing came back in time; the text names the endpoint and what to look at."""


class Client:
    """Asks a public or staff request endpoint. One thread at a time; close it, or use ``with``."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint
        self._context = zmq.Context()

    def ask(self, request: bytes | msgspec.Struct, seconds: float = 5.0) -> bytes:
        """The answer's bytes. Raises NoAnswer; the request may have been carried out even then.

        Each question has a socket of its own, so that a late answer is never taken for another.
        """
        frame = request if isinstance(request, bytes) else encode(request)
        with self._context.socket(zmq.DEALER) as socket:
            socket.linger = 0
            socket.ipv6 = "[" in self.endpoint
            socket.connect(self.endpoint)
            socket.send(frame, zmq.NOBLOCK)
            if not socket.poll(int(seconds * 1000)):
                raise NoAnswer(
                    f"no answer from {self.endpoint} within {seconds:g} s: "
                    "is the table service running, and is this its request endpoint?"
                )
            return socket.recv()

    def close(self) -> None:
        """Close; may be called twice."""
        self._context.term()

    def __enter__(self) -> "Client":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
