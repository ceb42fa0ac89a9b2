# SPDX-License-Identifier: Apache-2.0
"""The ROUTER socket of a feed: one request frame in, one answer frame out, in its own thread.

A DEALER sends one frame. A REQ socket puts an empty delimiter before it; that is accepted too,
and the answer then has the delimiter as well. Anything else is answered with ``bad_request``. A
frame beyond ``LARGEST_FRAME_BYTES`` is not even read: libzmq ends that connection.

Work per peer is bounded: peers are served in turn, few of a peer's requests wait, and a peer that
does not take its answers loses them instead of filling the memory or holding up the others. A
server may rest after each answer, so that whoever asks without end takes a part of a core at most
from the table, whose thread runs in the same interpreter.

A question may stand until there is something to say (``Later``): ``ring`` when there may be.
"""

import logging
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple, TypeVar

import zmq

from studio.feed import asks
from studio.feed.endpoint import FeedRefused, address_of, loopback
from studio.feed.guard import Guard
from studio.feed.publisher import WAITING_TO_CONNECT, bound_endpoint

LARGEST_REQUEST_BYTES = 64 * 1024
LARGEST_FRAME_BYTES = 1024 * 1024
REQUESTS_WAITING = 100
ANSWERS_WAITING = 16
_POLL_MS = 100
_TRIES_TO_SEND = 50
_SECONDS_BETWEEN_TRIES = 0.001
_LONGEST_REST_SECONDS = 0.1
LONGEST_WAIT_SECONDS = 2.0
MOST_STANDING = 64

T = TypeVar("T")

_log = logging.getLogger(__name__)


class Later(NamedTuple):
    """An answer that is made once it ``is_due``, after ``LONGEST_WAIT_SECONDS`` at the latest.

    It is made earlier when the same peer has another one, or more than ``MOST_STANDING`` have.
    """

    is_due: Callable[[], bool]
    make: Callable[[], bytes]


class _Standing(NamedTuple):
    """A question that waits for its answer, the frame that it came in, and when that is due."""

    envelope: list[bytes]
    frame: zmq.Frame
    later: Later
    due: float


# Answers a request of whoever has this name; None where everybody at this machine may ask.
Answer = Callable[[bytes, str | None], bytes | Later]


class RequestServer:
    """Binds a ROUTER socket and answers every request with ``answer(frame, who)``.

    ``answer``, and what it gives for later, is called in the server's thread and must answer bad
    requests itself. If it raises, the fault is logged, that one request stays without an answer,
    and serving goes on.
    ``rest``: how many times as long as an answer took it pauses before the next.
    ``endpoint`` is the address bound. Raises FeedRefused or zmq.ZMQError when it cannot be.
    """

    def __init__(
        self,
        endpoint: str,
        answer: Answer,
        *,
        guard: Guard | None = None,
        rest: float = 0.0,
    ) -> None:
        address = loopback(endpoint) if guard is None else address_of(endpoint)
        self._answer = answer
        self._guard = guard
        self._rest = rest
        self._stopping = threading.Event()
        self._stuck: set[bytes] = set()
        self._standing: dict[bytes, _Standing] = {}
        self._bell, self._ear = socket.socketpair()
        self._bell.settimeout(0)
        self._context = zmq.Context() if guard is None else guard.context
        self._socket = self._context.socket(zmq.ROUTER)
        try:
            if guard is not None:
                guard.secure(self._socket)
            self._socket.linger = 0
            self._socket.ipv6 = "[" in address
            self._socket.backlog = WAITING_TO_CONNECT
            self._socket.rcvhwm = REQUESTS_WAITING
            self._socket.sndhwm = ANSWERS_WAITING
            self._socket.router_mandatory = 1
            self._socket.maxmsgsize = LARGEST_FRAME_BYTES
            self._socket.bind(address)
        except FeedRefused:
            self._close()
            raise
        except zmq.ZMQError as error:
            self._close()
            error.strerror = f"cannot bind {endpoint}: {error.strerror}"
            raise
        self.endpoint = bound_endpoint(self._socket)
        if guard is not None:
            guard.bound(self.endpoint)
        # the socket is handed over: from here on only the thread touches it
        self._thread = threading.Thread(target=self._serve, name=f"requests {self.endpoint}")
        self._thread.start()

    def stop(self) -> None:
        """Stop answering and close; returns when the thread has ended. May be called twice."""
        self._stopping.set()
        self._wake()
        self._thread.join()

    def ring(self) -> None:
        """What questions stand for may have come; from any thread."""
        # it is asked after a question stands whether it is due: none is missed here
        if self._standing:
            self._wake()

    def _wake(self) -> None:
        # it rings already, or has stopped
        with suppress(OSError):
            self._bell.send(b"!")

    def _serve(self) -> None:
        poller = zmq.Poller()
        poller.register(self._socket, zmq.POLLIN)
        poller.register(self._ear, zmq.POLLIN)
        try:
            while not self._stopping.is_set():
                ready = dict(poller.poll(_POLL_MS))
                if self._ear.fileno() in ready:
                    self._ear.recv(4096)
                if self._socket in ready:
                    began = time.monotonic()
                    self._serve_one()
                    took = time.monotonic() - began
                    if self._rest > 0:
                        self._stopping.wait(min(took * self._rest, _LONGEST_REST_SECONDS))
                if self._standing:
                    self._answer_standing()
        finally:
            self._close()

    def _close(self) -> None:
        self._bell.close()
        self._ear.close()
        self._socket.close(0)
        if self._guard is None:
            self._context.term()

    def _serve_one(self) -> None:
        received = self._socket.recv_multipart(copy=False)
        who = None
        if self._guard is not None:
            who = self._guard.asked(received[-1])
            if who is None:
                # a key that was revoked after the hand-shake
                return
        peer, *frames = (frame.bytes for frame in received)
        envelope = [peer]
        if len(frames) > 1 and not frames[0]:
            envelope.append(frames.pop(0))
        reply = self._made(lambda: self._reply(frames, who))
        if isinstance(reply, Later):
            due = time.monotonic() + LONGEST_WAIT_SECONDS
            self._stand(_Standing(envelope, received[-1], reply, due))
        elif reply is not None:
            self._send([*envelope, reply])

    def _stand(self, asked: _Standing) -> None:
        peer = asked.envelope[0]
        if peer in self._standing:
            self._answer_later(self._standing.pop(peer))
        if len(self._standing) < MOST_STANDING:
            self._standing[peer] = asked
        else:
            self._answer_later(asked)

    def _answer_standing(self) -> None:
        now = time.monotonic()
        for peer, asked in list(self._standing.items()):
            if now >= asked.due or self._made(asked.later.is_due) is not False:
                del self._standing[peer]
                self._answer_later(asked)

    def _answer_later(self, asked: _Standing) -> None:
        if self._guard is not None and not self._guard.lets_in(asked.frame):
            return
        reply = self._made(asked.later.make)
        if reply is not None:
            self._send([*asked.envelope, reply])

    def _made(self, make: Callable[[], T]) -> T | None:
        """What it makes; None, and the log has why, if that failed: serving goes on."""
        try:
            return make()
        except Exception:  # noqa: BLE001 - one bad answer must not end the serving
            _log.exception("a request could not be answered")
            return None

    def _reply(self, frames: list[bytes], who: str | None) -> bytes | Later:
        if len(frames) != 1:
            return _bad_request(f"{len(frames)} frames; send one, with one JSON object")
        if len(frames[0]) > LARGEST_REQUEST_BYTES:
            return _bad_request(
                f"{len(frames[0])} bytes; a request has at most {LARGEST_REQUEST_BYTES}"
            )
        return self._answer(frames[0], who)

    def _send(self, message: list[bytes]) -> None:
        """Send an answer; wait for the peer a little, unless it was already found stuck."""
        peer = message[0]
        for _ in range(1 if peer in self._stuck else _TRIES_TO_SEND):
            try:
                self._socket.send_multipart(message, zmq.NOBLOCK)
            except zmq.Again:
                self._stopping.wait(_SECONDS_BETWEEN_TRIES)
            except zmq.ZMQError as error:
                if error.errno != zmq.EHOSTUNREACH:
                    raise
                self._stuck.discard(peer)
                return
            else:
                self._stuck.discard(peer)
                return
        self._stuck.add(peer)


def _bad_request(text: str) -> bytes:
    return asks.encode(asks.error_answer(None, "bad_request", text))
