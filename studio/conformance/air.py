# SPDX-License-Identifier: Apache-2.0
"""The sockets of the kit's studio: the real publisher and the real request server.

What is sent, held back or answered late is for the case to say. One thread makes and uses it.
"""

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime

from msgspec.structs import replace

from studio.conformance.lent_keys import LentKeys
from studio.conformance.table import Table
from studio.feed import answers, wire
from studio.feed.acknowledgements import Correction
from studio.feed.guard import Guard
from studio.feed.publisher import Publisher
from studio.feed.requests import RequestServer

BEAT_SECONDS = 1.0
ANY_PORT = "tcp://127.0.0.1:*"
# Small, so that a front-end that does not read misses something.
_QUEUED_MESSAGES = 1000

Beat = Callable[[], bytes]


class Air:
    """On the air from ``open`` to ``close``, any number of times, always at the same addresses."""

    def __init__(self, table: Table, keys: LentKeys | None) -> None:
        self.table = table
        self.events, self.requests = ANY_PORT, ANY_PORT
        self.beat: Beat | None = table.heartbeat
        self.asked = 0
        self.acknowledged: set[tuple[str, int]] = set()
        self._keys = keys
        self._guard: Guard | None = None
        self._publisher: Publisher | None = None
        self._server: RequestServer | None = None
        self._answering = threading.Event()
        self._answering.set()
        self._beat_at = 0.0

    def open(self) -> None:
        """Bind the sockets."""
        if self._keys is not None:
            self._guard = self._keys.guard(self.table.name)
            self._guard.start()
        self._publisher = Publisher(
            self.events, guard=self._guard, queued_messages=_QUEUED_MESSAGES
        )
        self.events = self._publisher.endpoint
        self._server = RequestServer(self.requests, self._answer, guard=self._guard)
        self.requests = self._server.endpoint

    def close(self) -> None:
        """Be gone, as a service that was killed; may be called twice."""
        self._answering.set()
        if self._publisher is not None:
            self._publisher.close(0)
        if self._server is not None:
            self._server.stop()
        if self._guard is not None:
            self._guard.close()
        self._publisher = self._server = self._guard = None

    def send(self, payload: bytes, type_: str, table: str | None = None) -> None:
        """Send any bytes under the topic of a type."""
        if self._publisher is not None:
            self._publisher.send(wire.topic_of(table or self.table.name, type_), payload)

    def tick(self) -> None:
        """Send the heartbeat when it is due, and hear who subscribed."""
        if self._publisher is None:
            return
        self._publisher.hear()
        now = time.monotonic()
        if self.beat is not None and now >= self._beat_at:
            self._beat_at = now + BEAT_SECONDS
            self.send(self.beat(), wire.HEARTBEAT)

    def beat_now(self) -> None:
        """The next heartbeat is due."""
        self._beat_at = 0.0

    def hold_answers(self) -> None:
        """From now on an answer is worked out at once, and given when they are released."""
        self.asked = 0
        self._answering.clear()

    def release_answers(self) -> None:
        """Give the answers that were held."""
        self._answering.set()

    def _answer(self, request: bytes, _who: str | None) -> bytes:
        table = self.table
        answer = answers.answer(request, self._view, table.record, self._confirm, sign=table.sign)
        self.asked += 1
        self._answering.wait()
        return answer

    def _confirm(self, correction: Correction) -> datetime | str:
        if self._keys is None:
            return answers.NO_OPERATORS
        self.acknowledged.add((correction.round, correction.revision))
        return datetime.now(UTC)

    def _view(self) -> answers.PublicView:
        return replace(self.table.view, pub=self.events)
