# SPDX-License-Identifier: GPL-3.0-or-later
"""The sockets to one table and what is known of them; it works in the thread of its link.

A question for the table's snapshot stands with the service, which answers when something happened;
the heartbeats say that it lives. A service that lets no question stand is followed event by event.
The line sends what is asked, and judges how far the picture can be relied on. What it has to tell
goes to an ``Ear``. It never waits: whoever holds it waits for its ``sockets``.
"""

import time
from datetime import datetime
from typing import NamedTuple, Protocol

import msgspec
import zmq
from zmq.utils.monitor import recv_monitor_message

from studio.feed.acknowledgements import Acknowledgements
from studio.feed.asks import encode
from studio.feed.keys import ClientKeys
from studio.feed.staff import (
    Acceptance,
    After,
    Approval,
    AskStaffSnapshot,
    OnDuty,
    Opened,
    Performed,
    RefusalAnswer,
    Roster,
    StaffError,
    StaffSnapshot,
)
from studio.feed.wire import HEARTBEAT
from studio.game.snapshot import StaffState
from ui.reading import Reader
from ui.view.seen import LinkState

# As for subscribers of the feed: a heartbeat comes every second.
STALE_SECONDS = 3.0
_ANSWER_SECONDS = 5.0
_SNAPSHOT_SECONDS = 2.0
# A question stands for two seconds; what is answered so much sooner with nothing new did not.
_STANDING_SECONDS = 2.0 + _SNAPSHOT_SECONDS
_AT_ONCE_SECONDS = 1.0
_FIRST_RETRY_MS, _LONGEST_RETRY_MS = 50, 500
_REOPEN_SECONDS = 5.0
# As a plain number, which is compared in one step.
_READABLE = int(zmq.POLLIN)
_LARGEST_BYTES = 64 * 1024 * 1024
# Who is on duty changes without an event.
_LOOK_AGAIN_SECONDS = 2.0


class Picture(msgspec.Struct, frozen=True):
    """How the table stands, and what an approval repeats of it."""

    epoch: str
    seq: int
    state: StaffState
    shown: str
    log_in: str
    supervisors: tuple[str, ...]
    idle_seconds: int | None
    acknowledgements: Acknowledgements | None = None
    on_duty: tuple[OnDuty, ...] = ()
    names: dict[str, str] = {}
    shoe_heard_at: datetime | None = None


class NoReply(NamedTuple):
    """Nothing came back. If it ``was_sent``, it may have been carried out: the table shows it."""

    was_sent: bool


class Asked(NamedTuple):
    """A question on its way, with the ticket that its answer will have."""

    frame: bytes
    ticket: int


class Ear(Protocol):
    """Whoever is told: in the thread that works the line."""

    def heard(self, at: datetime, received: float) -> None: ...
    def draw(self, picture: Picture) -> None: ...
    def answer(self, ticket: int, answer: object) -> None: ...
    def judge(self, state: LinkState) -> None: ...


class _Heard(msgspec.Struct):
    """What counts of a staff message here: that something happened, and when."""

    epoch: str
    seq: int
    at: datetime


class _Undrawn(StaffSnapshot, frozen=True, kw_only=True, tag="snapshot"):
    """A snapshot whose state is read once, straight into its type."""

    state: msgspec.Raw


_read_heard = msgspec.json.Decoder(_Heard).decode
_read_answer = msgspec.json.Decoder(
    Acceptance | Performed | RefusalAnswer | Opened | Approval | _Undrawn | Roster | StaffError
).decode


class Line:
    """One table's sockets; ``sockets`` change when the line begins anew."""

    def __init__(
        self,
        table: str,
        ear: Ear,
        context: zmq.Context[zmq.Socket[bytes]],
        endpoints: tuple[str, str],
        keys: ClientKeys | None,
    ) -> None:
        self._table = table
        self._ear = ear
        self._context = context
        self._endpoints = endpoints
        self._keys = keys
        self._reader = Reader()
        self._attempt = 0
        self._open()
        self._snapshot_id = 0
        self._snapshot_after: After | None = None
        self._snapshot_asked = 0.0
        self._snapshot_due: float | None = None
        self._look_again_at = 0.0
        self._wants_snapshot = True
        self._waiting: dict[str, tuple[int, float]] = {}
        self._is_connected = False
        self._began = time.monotonic()
        self._heard: float | None = None
        self._pictured: After | None = None
        self._known: After | None = None
        self._behind_since: float | None = None
        self._state = LinkState.JOINING

    def _open(self) -> None:
        events, requests = self._endpoints
        self._events = _socket(self._context, zmq.SUB, events)
        self._events.subscribe(f"{self._table}/{HEARTBEAT}")
        self._may_stand = True
        self._requests = _socket(self._context, zmq.DEALER, requests)
        # before it connects: a connection that came about unwatched would never be known of
        self._monitor = self._requests.get_monitor_socket(
            zmq.EVENT_HANDSHAKE_SUCCEEDED | zmq.EVENT_DISCONNECTED
        )
        if self._keys is not None:
            self._keys.secure(self._events, self._attempt)
            self._keys.secure(self._requests, self._attempt)
        self._events.connect(events)
        self._requests.connect(requests)
        self._opened = time.monotonic()
        self.sockets = (self._events, self._requests, self._monitor)

    def _reopen(self) -> None:
        """Begin again: libzmq does not, where a key was refused; it may be let in by now."""
        self.close()
        self._is_connected, self._pictured, self._snapshot_due = False, None, None
        self._drop_waiting()
        self._attempt += 1
        self._open()

    def close(self) -> None:
        """Give the sockets back."""
        self._requests.disable_monitor()
        self._monitor.close(0)
        self._events.close(0)
        self._requests.close(0)

    @property
    def is_asking(self) -> bool:
        """Whether an answer is on its way."""
        is_due_soon = self._snapshot_due is not None and self._snapshot_after is None
        return bool(self._waiting) or is_due_soon

    def work(self) -> bool:
        """Take in the answers that have come; whether any has."""
        has_come = False
        while _has_come(self._requests):
            self._answer(self._requests.recv(zmq.NOBLOCK))
            has_come = True
        return has_come or (not self._may_stand and self.listen())

    def listen(self) -> bool:
        """Take in the messages, and whether the connection came or went."""
        self._watch()
        has_come = False
        while _has_come(self._events):
            self._hear(self._events.recv_multipart(zmq.NOBLOCK))
            has_come = True
        return has_come

    def _watch(self) -> None:
        while _has_come(self._monitor):
            event = recv_monitor_message(self._monitor)["event"]
            self._is_connected = event == zmq.EVENT_HANDSHAKE_SUCCEEDED
            self._opened = time.monotonic()
            self._snapshot_due = None
            if self._is_connected:
                self._wants_snapshot = True
                if not self._may_stand:
                    # another service, perhaps
                    self._events.unsubscribe(f"{self._table}/")
                    self._may_stand = True
            else:
                self._pictured = None
                self._drop_waiting()

    def _hear(self, frames: list[bytes]) -> None:
        try:
            heard = _read_heard(frames[-1])
        except msgspec.MsgspecError:
            return
        self._heard = time.monotonic()
        self._ear.heard(heard.at, self._heard)
        self._known = After(heard.epoch, heard.seq)
        if self._is_behind():
            self._wants_snapshot = True
            if self._snapshot_due is not None:
                # its answer is on its way, or lost
                self._snapshot_due = min(self._snapshot_due, self._heard + _SNAPSHOT_SECONDS)

    def _is_behind(self) -> bool:
        """Whether something happened since the picture; another epoch is always another one."""
        if self._known is None or self._pictured is None:
            return True
        same_epoch = self._known.epoch == self._pictured.epoch
        return not same_epoch or self._known.seq > self._pictured.seq

    def _answer(self, frame: bytes) -> None:
        try:
            answer = _read_answer(frame)
        except (msgspec.MsgspecError, RecursionError):
            return
        if answer.id == f"s{self._snapshot_id}":
            self._snapshot_due = None
            if isinstance(answer, _Undrawn):
                self._picture(answer)
            return
        ticket = self._waiting.pop(answer.id or "", None)
        if ticket is not None:
            self._ear.answer(ticket[0], answer)

    def _picture(self, answer: _Undrawn) -> None:
        try:
            state = self._reader.read(answer.state)
        except msgspec.MsgspecError:
            # a service of another version: its picture is none of ours
            return
        now = time.monotonic()
        self._pictured = After(answer.epoch, answer.seq)
        self._look_again_at = now + _LOOK_AGAIN_SECONDS
        is_old = self._snapshot_after == self._pictured
        if is_old and now - self._snapshot_asked < _AT_ONCE_SECONDS:
            self._may_stand = False
            self._events.subscribe(f"{self._table}/")
        picture = Picture(
            answer.epoch, answer.seq, state, answer.shown, answer.log_in,
            answer.supervisors, answer.idle_seconds, answer.acknowledgements, answer.on_duty,
            answer.names, answer.heard_at,
        )  # fmt: skip
        self._ear.draw(picture)
        is_behind = self._known is not None and self._is_behind()
        self._wants_snapshot = self._may_stand or is_behind

    def send(self, given: Asked) -> None:
        """Send it now or never."""
        self._watch()
        if not self._is_connected or not self._sent(given.frame):
            self._ear.answer(given.ticket, NoReply(was_sent=False))
            return
        self._waiting[f"{given.ticket}"] = (given.ticket, time.monotonic() + _ANSWER_SECONDS)

    def _sent(self, frame: bytes) -> bool:
        try:
            self._requests.send(frame, zmq.NOBLOCK)
        except zmq.Again:
            return False
        return True

    def _drop_waiting(self) -> None:
        waiting, self._waiting = self._waiting, {}
        for ticket, _ in waiting.values():
            self._ear.answer(ticket, NoReply(was_sent=True))

    def tidy(self, now: float) -> None:
        """What time alone brings: questions again, questions given up, another state."""
        if self._keys is not None and now - self._opened >= _REOPEN_SECONDS:
            is_deaf = self._heard is None or now - self._heard >= _REOPEN_SECONDS
            if is_deaf or not self._is_connected:
                self._reopen()
        for id_, (ticket, due) in list(self._waiting.items()):
            if now >= due:
                del self._waiting[id_]
                self._ear.answer(ticket, NoReply(was_sent=True))
        if now >= self._look_again_at and self._snapshot_due is None:
            self._wants_snapshot = True
        is_free = self._snapshot_due is None or now >= self._snapshot_due
        if self._wants_snapshot and self._is_connected and is_free:
            self._ask_snapshot(now)
        elif self._snapshot_due is not None and now >= self._snapshot_due:
            self._wants_snapshot = True
        state = self._judged(now)
        if state is not self._state:
            self._state = state
            self._ear.judge(state)

    def _ask_snapshot(self, now: float) -> None:
        self._snapshot_id += 1
        after = self._pictured if self._may_stand else None
        ask = AskStaffSnapshot(id=f"s{self._snapshot_id}", table=self._table, after=after)
        if self._sent(encode(ask)):
            self._snapshot_after, self._snapshot_asked = after, now
            self._snapshot_due = now + (_SNAPSHOT_SECONDS if after is None else _STANDING_SECONDS)
            self._wants_snapshot = False

    def _judged(self, now: float) -> LinkState:
        if not self._is_connected:
            is_new = self._heard is None and self._state is LinkState.JOINING
            if is_new and now - self._began < STALE_SECONDS:
                return LinkState.JOINING
            return LinkState.GONE
        if self._pictured is None:
            return self._state if self._state is not LinkState.LIVE else LinkState.GONE
        if self._heard is None:
            return LinkState.JOINING if now - self._began < STALE_SECONDS else LinkState.STALE
        self._behind_since = (self._behind_since or now) if self._is_behind() else None
        is_behind_long = self._behind_since is not None and now - self._behind_since > 1.0
        if now - self._heard >= STALE_SECONDS or is_behind_long:
            return LinkState.STALE
        return LinkState.LIVE


def _has_come(one: zmq.Socket[bytes]) -> bool:
    """Whether something waits there; asked for each time, as an exception costs much more."""
    return bool(int(one.getsockopt(zmq.EVENTS)) & _READABLE)


def _socket(context: zmq.Context[zmq.Socket[bytes]], kind: int, endpoint: str) -> zmq.Socket[bytes]:
    """A socket that is not connected yet, made for this endpoint."""
    made = context.socket(kind)
    made.linger = 0
    made.ipv6 = "[" in endpoint
    made.maxmsgsize = _LARGEST_BYTES
    made.reconnect_ivl = _FIRST_RETRY_MS
    made.reconnect_ivl_max = _LONGEST_RETRY_MS
    # nothing is queued for a service that is not there
    made.immediate = True
    made.heartbeat_ivl = 2000
    made.heartbeat_timeout = 3000
    return made
