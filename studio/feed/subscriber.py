# SPDX-License-Identifier: Apache-2.0
"""What a front-end in Python imports: it follows the tables of an endpoint.

    with Subscriber("tcp://127.0.0.1:5550", "tcp://127.0.0.1:5551") as subscriber:
        for update in subscriber:
            match update:
                case Accepted(message=message): ...
                case StatusChanged(status=status): ...

Beyond the studio's own machine it needs ``keys``: ``ClientKeys.load(FOLDER)``. With them, or with
``signing`` alone behind a relay, it believes no heartbeat that the studio did not sign.

It joins, keeps the order, fills gaps, tells when a table is stale, verifies the chain, survives
a restart of the studio and a new epoch, and raises EnvironmentRefused for a table of another
environment than the one named. It runs on Linux, Windows and macOS, in the thread that uses it.
"""

import math
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime

import zmq
from msgspec.structs import replace

from studio.feed import asks, proof, wire
from studio.feed.asks import AskAcknowledge, AskTables
from studio.feed.corrections import Corrections
from studio.feed.follow import Follower
from studio.feed.keys import ClientKeys
from studio.feed.messages import Heartbeat
from studio.feed.question import ASK_AGAIN_SECONDS
from studio.feed.signing import Genuine, heartbeat_text
from studio.feed.updates import Alarm, Asking, Bookmark, Effect, Update, WaitingCorrection

QUEUED_MESSAGES = 10_000
QUEUED_REQUESTS = 10
LARGEST_MESSAGE_BYTES = 64 * 1024 * 1024
_MOST_AT_ONCE = 1000
_ASK_TABLES = AskTables(id="tables")
_TICK_SECONDS = 0.25
_FIRST_RETRY_MS = 50
_LONGEST_RETRY_MS = 1000
# libzmq does not try again by itself where a key was refused. Longer each time: where a thousand
# come at once a hand-shake takes its time, and to begin anew makes it longer still.
_REOPEN_SECONDS = 5.0
_LONGEST_REOPEN_SECONDS = 60.0


class EnvironmentRefused(Exception):
    """The table is of another environment than the one that was named."""


class Subscriber:
    """Follows the tables named, or all that the endpoint serves when ``tables`` is None.

    ``environment`` is the one to expect, ``live`` or ``test``. ``bookmarks`` of an earlier run,
    by table, let it come back without missing an amendment. ``signing`` are the studio's public
    keys of signatures, in hex; those of ``keys`` if absent. Not for use from several threads.
    """

    def __init__(
        self,
        pub_endpoint: str,
        request_endpoint: str,
        tables: Iterable[str] | None = None,
        environment: str = "live",
        *,
        keys: ClientKeys | None = None,
        signing: Sequence[str] | None = None,
        bookmarks: Mapping[str, Bookmark] | None = None,
        queued_messages: int = QUEUED_MESSAGES,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.environment = environment
        self.followers: dict[str, Follower] = {}
        self._bookmarks = bookmarks or {}
        self._corrections: dict[str, Corrections] = {}
        self._clock = clock
        self._next_tick = 0.0
        self._ask_tables_at: float | None = clock()
        self._waiting: list[Update] = []
        self._wall = wall
        self._keys = keys
        signed_by = signing if signing is not None or keys is None else keys.studio.signing
        self._signed_by = [bytes.fromhex(key) for key in signed_by or ()]
        self._genuine: dict[str, Genuine] = {}
        self._impostors: dict[str, str] = {}
        self._endpoints = (pub_endpoint, request_endpoint, queued_messages)
        self._attempt = 0
        self._reopen_at = clock() + _REOPEN_SECONDS
        self._patience = _REOPEN_SECONDS
        self._to_send: dict[str, asks.Ask] = {}
        self._context = zmq.Context()
        self._open()
        if tables is not None:
            self._ask_tables_at = None
            for table in tables:
                self._follow(table)

    def _open(self) -> None:
        pub, requests, queued = self._endpoints
        self._sub = self._socket(zmq.SUB, pub, queued)
        self._requests = self._socket(zmq.DEALER, requests, QUEUED_REQUESTS)
        for table in self.followers:
            self._sub.subscribe(wire.topic_of(table, ""))
        self._poller = zmq.Poller()
        self._poller.register(self._sub, zmq.POLLIN)

    def _reopen(self) -> None:
        self._sub.close(0)
        self._requests.close(0)
        self._attempt += 1
        self._open()

    def _socket(self, kind: int, endpoint: str, queued: int) -> zmq.Socket[bytes]:
        socket = self._context.socket(kind)
        socket.linger = 0
        socket.ipv6 = "[" in endpoint
        socket.rcvhwm = queued
        socket.sndhwm = QUEUED_REQUESTS
        # a request waits here, but what was heard stays though the line goes
        socket.immediate = kind == zmq.DEALER
        socket.maxmsgsize = LARGEST_MESSAGE_BYTES
        socket.reconnect_ivl = _FIRST_RETRY_MS
        socket.reconnect_ivl_max = _LONGEST_RETRY_MS
        if self._keys is not None:
            self._keys.secure(socket, self._attempt)
        socket.connect(endpoint)
        return socket

    def _follow(self, table: str) -> None:
        if table not in self.followers:
            self._sub.subscribe(wire.topic_of(table, ""))
            mark, nonce = self._bookmarks.get(table), f"{secrets.token_hex(8)}-"
            follower = Follower(table, self.environment, mark, nonce)
            self.followers[table] = follower
            self._corrections[table] = Corrections(table, () if mark is None else mark.corrections)
            if self._signed_by:
                self._genuine[table] = Genuine(self._signed_by)
            self._act(follower.start(self._clock()))

    # --- what a front-end asks ----------------------------------------------------------------

    def poll(self, seconds: float = 1.0) -> list[Update]:
        """What happened, as soon as something did, or an empty list after ``seconds``.

        Raises EnvironmentRefused; the table is not followed any further then.
        """
        until = self._clock() + seconds
        while True:
            self._tick()
            self._hear(min(max(until - self._clock(), 0.0), _TICK_SECONDS))
            if self._waiting or self._clock() >= until:
                updates, self._waiting = self._waiting, []
                self._refuse(updates)
                return updates

    def __iter__(self) -> Iterator[Update]:
        """Updates without end; leave the loop to stop."""
        while True:
            yield from self.poll()

    def bets_are_open(self, table: str) -> bool:
        """Whether a bet on this table may be taken now.

        Behind a relay only once all that was heard is proven, a second after it at most.
        """
        follower, now = self.followers.get(table), self._clock()
        genuine = self._genuine.get(table)
        is_relayed = genuine is not None and self._keys is None
        return (
            follower is not None
            and (genuine is None or genuine.is_fresh(now))
            and (not is_relayed or self.proven(table) == follower.seq)
            and follower.bets_are_open(now)
        )

    def proven(self, table: str) -> int:
        """Up to which message the studio's own signature stands for what was heard.

        Behind a relay that is not trusted, a result is paid when it is proven: within a second.
        """
        follower, genuine = self.followers.get(table), self._genuine.get(table)
        if follower is None or genuine is None or not follower.is_chain_whole:
            return 0
        return follower.agreed if genuine.epoch == follower.epoch else 0

    def studio_time(self, table: str) -> datetime | None:
        """The studio's time now, for countdowns; None before the first heartbeat."""
        follower = self.followers.get(table)
        return None if follower is None else follower.studio_time(self._clock())

    def bookmarks(self) -> dict[str, Bookmark]:
        """Where each joined table stands; hand it to the next Subscriber to come back."""
        marks = ((table, follower.bookmark()) for table, follower in self.followers.items())
        return {
            table: replace(mark, corrections=self.corrections(table))
            for table, mark in marks
            if mark is not None
        }

    def corrections(self, table: str) -> tuple[WaitingCorrection, ...]:
        """The amendments and voids that wait to be acknowledged, in the order heard of."""
        known = self._corrections.get(table)
        return () if known is None else known.waiting

    def acknowledge(self, table: str, round_id: str, revision: int) -> None:
        """Tell the studio that this revision of a round is applied here: paid, or paid back.

        It is said again until the studio has it on record, which is an ``Acknowledged``.
        Nothing is acknowledged without this call.
        """
        self._act(self._corrections[table].acknowledge(round_id, revision, self._clock()))

    def close(self) -> None:
        """Close the sockets; may be called twice."""
        self._sub.close(0)
        self._requests.close(0)
        self._context.term()

    def __enter__(self) -> "Subscriber":
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    # --- the wire -----------------------------------------------------------------------------

    def _tick(self) -> None:
        now = self._clock()
        if now < self._next_tick:
            return
        self._next_tick = now + _TICK_SECONDS
        if self._ask_tables_at is not None and now >= self._ask_tables_at:
            self._ask_tables_at = now + ASK_AGAIN_SECONDS
            self._send(_ASK_TABLES)
        for follower in self.followers.values():
            self._act(follower.tick(now))
        for corrections in self._corrections.values():
            self._act(corrections.tick(now))

    def _hear(self, seconds: float) -> None:
        wanted = zmq.POLLIN | (zmq.POLLOUT if self._to_send else 0)
        self._poller.register(self._requests, wanted)
        ready = dict(self._poller.poll(math.ceil(seconds * 1000)))
        if ready:
            self._patience = _REOPEN_SECONDS
            self._reopen_at = self._clock() + self._patience
        elif self._keys is not None and self._clock() >= self._reopen_at:
            self._patience = min(self._patience * 2, _LONGEST_REOPEN_SECONDS)
            self._reopen_at = self._clock() + self._patience
            self._reopen()
            return
        if self._requests in ready:
            self._send_waiting()
            for frames in _received(self._requests):
                self._take_answer(frames[-1])
        if self._sub in ready:
            for frames in _received(self._sub):
                self._take_message(frames)

    def _take_message(self, frames: list[bytes]) -> None:
        table = frames[0].rpartition(b"/")[0].decode(errors="replace")
        follower = self.followers.get(table)
        if follower is None:
            return
        try:
            message = wire.decode(frames[-1])
        except wire.WireError as error:
            # it leaves a hole in the numbers, so that no bets are taken beyond it
            self._waiting.append(Alarm(table, "unreadable", str(error)))
            return
        if self._is_believed(message):
            self._act(follower.receive(message, self._clock()))

    def _is_believed(self, message: wire.Message) -> bool:
        """Whether to go by a message; what nobody signs for lately comes again by history."""
        genuine = self._genuine.get(message.table)
        if genuine is None:
            return True
        if not isinstance(message.data, Heartbeat):
            return genuine.believes(message.at, self._clock())
        fault = genuine.fault_of(
            message.data.signature,
            heartbeat_text(message.payload),
            (message.epoch, message.seq, message.at),
            self._wall(),
            self._clock(),
        )
        if fault:
            self._tell_impostor(message.table, fault)
        return fault is None

    def _tell_impostor(self, table: str, fault: str) -> None:
        if self._impostors.get(table) != fault:
            self._impostors[table] = fault
            self._waiting.append(Alarm(table, "impostor", fault))

    def _take_answer(self, frame: bytes) -> None:
        try:
            answer = asks.read_answer(frame)
        except ValueError as error:
            self._waiting.append(Alarm("", "unreadable", str(error)))
            return
        if isinstance(answer, asks.Tables):
            self._ask_tables_at = None
            for served in answer.tables:
                self._follow(served.table)
            return
        if isinstance(answer, asks.Error) and answer.id == _ASK_TABLES.id:
            self._waiting.append(Alarm("", "ask_refused", f"{answer.code}: {answer.text}"))
            return
        if self._signed_by and isinstance(answer, asks.Snapshot | asks.Round):
            fault = proof.fault_of(answer, frame, self._signed_by)
            if fault is not None:
                # as if it had not come: it is asked again
                self._tell_impostor(answer.table, fault)
                return
        for follower in self.followers.values():
            self._act(follower.answer(answer, self._clock()))
        for corrections in self._corrections.values():
            self._act(corrections.answer(answer))

    def _act(self, effects: list[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Asking):
                self._send(effect.request)
            else:
                self._corrections[effect.table].hear(effect)
                self._waiting.append(effect)

    def _send(self, request: asks.Ask) -> None:
        """Send it, or as soon as somebody is there: but once, however often it was asked again."""
        # of what one follower asks only the last counts
        if isinstance(request, AskTables | AskAcknowledge):
            self._to_send[request.id] = request
        else:
            self._to_send[f"{request.table}/"] = request
        self._send_waiting()

    def _send_waiting(self) -> None:
        for about, request in list(self._to_send.items()):
            try:
                self._requests.send(asks.encode(request), zmq.NOBLOCK)
            except zmq.Again:
                return
            del self._to_send[about]

    def _refuse(self, updates: list[Update]) -> None:
        for update in updates:
            if isinstance(update, Alarm) and update.code == "environment":
                raise EnvironmentRefused(f"table {update.table}: {update.text}")


def _received(socket: zmq.Socket[bytes]) -> Iterator[list[bytes]]:
    """What has arrived, up to a bound, so that neither socket starves the other."""
    for _ in range(_MOST_AT_ONCE):
        try:
            yield socket.recv_multipart(zmq.NOBLOCK)
        except zmq.Again:
            return
