# SPDX-License-Identifier: Apache-2.0
"""The loop of a table: take an input, decide, store, apply, broadcast, answer.

One thread runs it and is the only one to touch the state, the journal and the two PUB sockets.
Everything else talks to it through the inbox. ``handle`` is the function to read first: what is
not stored is never applied and never sent (RND-5). If storing fails, the last word on air is a
heartbeat with ``suspended``, and the failure goes to the top.
"""

import queue
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

import msgspec

from studio.feed.answers import PublicView
from studio.feed.messages import Signature
from studio.feed.publisher import Publisher
from studio.feed.wire import (
    heartbeat_payload,
    note_payload,
    public_payload,
    staff_payload,
    topic_of,
    type_of,
)
from studio.game.events import (
    FreeCoupEnded,
    Recorded,
    ResultAmended,
    RoundClosed,
    RoundVoided,
    ShoeEnded,
    TableClosed,
)
from studio.game.evolve import evolve
from studio.game.house import GamingDay, House
from studio.game.inputs import (
    Input,
    LineLost,
    LineUp,
    Refusal,
    Reported,
    Stamp,
    TimerExpired,
)
from studio.game.snapshot import StaffState, public_state, staff_state
from studio.game.state import Phase, TableState, Timer, timer_of
from studio.game.table import consider
from studio.heads import Head
from studio.inbox import Inbox, Stopping
from studio.operator_log import log_events
from studio.saved import saved_state, to_save
from studio.store.journal import Entry, Journal

HEARTBEAT_SECONDS = 1.0
MOST_WAITING = 10_000
# After so many events a state is saved between two shoes, so that a start folds no longer record.
EVENTS_A_SHOE = 500
_SECONDS_BETWEEN_TRIES = 0.01
# What a head is kept after: it ends a round, or it changes one that is over, or none follows soon.
_KEPT_AFTER = (RoundClosed, RoundVoided, ResultAmended, FreeCoupEnded, ShoeEnded, TableClosed)

Decision = tuple[Recorded, ...] | Refusal
Unless = Callable[[TableState], Refusal | None]

STOPPED = Refusal("stopped", "The service has stopped, and nothing was changed.")


class Given(NamedTuple):
    """An input in the inbox: when it was put there (monotonic), and who waits for the answer.

    ``unless`` looks at the state that it would be decided on, and may refuse it.
    """

    put_at: float
    given: Input
    answer: "Future[Decision] | None" = None
    unless: "Unless | None" = None


class Moment(NamedTuple):
    """State and record at one moment, swapped as a whole for the threads that answer requests."""

    state: TableState
    epoch: str
    public_seq: int
    head: bytes


def gaming_day(at: datetime, rule: GamingDay) -> str:
    """The gaming day, ``20261129``, that a moment falls in: it turns at the house's hour."""
    local = at.astimezone(ZoneInfo(rule.time_zone)) - timedelta(hours=rule.turns_at_hour)
    return local.strftime("%Y%m%d")


class TableService:
    """One table, running. Made and run by one thread; ``submit`` and the views are for all.

    ``heard_at``: when the shoe last said anything since the start; from any thread.
    ``keep_head`` hears where the record stands after every round and whatever changes one that is
    over, ``heard`` all that was recorded, ``changed`` that the views are other ones; none of them
    may wait for anything.
    """

    def __init__(
        self,
        table: str,
        house: House,
        journal: Journal,
        public: Publisher,
        staff: Publisher,
        *,
        sign: Callable[[bytes], Signature] | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._table = table
        self._journal = journal
        self._public = public
        self._staff = staff
        self._sign = sign
        self.keep_head: Callable[[Head], None] = lambda _head: None
        self.heard: Callable[[tuple[Recorded, ...]], None] = lambda _decided: None
        self.changed: Callable[[], None] = lambda: None
        self._now = now
        self._monotonic = monotonic
        self._day_rule = house.gaming_day
        self._saved = 0
        self._minute: datetime | None = None
        self._gaming_day = ""
        self._inbox: Inbox[Given | None] = Inbox()
        self._notes: deque[tuple[str, msgspec.Struct]] = deque()
        self._armed: Timer | None = None
        self._expires_at = 0.0
        self._next_heartbeat = 0.0
        self._has_stopped = False
        self.heard_at: datetime | None = None
        self.state = restored(journal)
        self._shown = self._moment()
        self._last_view: tuple[Moment, PublicView] | None = None

    def submit(
        self,
        given: Input,
        answer: "Future[Decision] | None" = None,
        unless: Unless | None = None,
    ) -> None:
        """Put an input into the inbox; from any thread. Waits while far too much is in it."""
        while len(self._inbox) > MOST_WAITING and not self._has_stopped:
            time.sleep(_SECONDS_BETWEEN_TRIES)
        self._inbox.put(Given(self._monotonic(), given, answer, unless))
        if self._has_stopped:
            self._refuse_waiting()

    def wake(self) -> None:
        """Make a waiting loop look at its stop flag; from any thread or signal handler."""
        self._inbox.put(None)

    def tell_staff(self, type_: str, data: msgspec.Struct) -> None:
        """Have staff told something beside the record, between two inputs; from any thread."""
        self._notes.append((type_, data))
        self.wake()

    def handle(self, given: Input) -> Decision:
        """Decide on one input and make what follows from it true: stored, applied, on air."""
        at = self._now()
        if isinstance(given, Reported) and not isinstance(given.report, LineLost | LineUp):
            self.heard_at = given.origin.heard_at
        considered = consider(self.state, given, Stamp(at, self._day(at)))
        if isinstance(considered, Refusal):
            return considered
        decided = tuple(considered.recorded)
        if not decided:
            return decided
        entries = [self._entry(recorded) for recorded in decided]
        self._journal.append(entries)
        self.state = considered.state
        self._shown = self._moment()
        for recorded, payload in entries:
            if payload is not None:
                self._public.send(topic_of(self._table, type_of(recorded.event)), payload)
        for recorded in decided:
            payload = staff_payload(self._table, self._journal.epoch, recorded)
            self._staff.send(topic_of(self._table, type_of(recorded.event)), payload)
        self._arm(at)
        log_events(self._table, decided)
        if any(isinstance(recorded.event, _KEPT_AFTER) for recorded in decided):
            self.keep_head(self._head(at))
        self.heard(decided)
        self.changed()
        return decided

    def run(self, stopping: Stopping) -> None:
        """Serve until told to stop. Any failure leaves a suspended heartbeat as the last word."""
        try:
            while not stopping.is_set():
                self._step()
        finally:
            self._has_stopped = True
            self._last_word()

    def _day(self, at: datetime) -> str:
        """The gaming day; reckoned once a minute, for it turns on a full one."""
        minute = at.replace(second=0, microsecond=0)
        house = self.state.house
        if house is not None and house.gaming_day != self._day_rule:
            self._day_rule, self._minute = house.gaming_day, None
        if minute != self._minute:
            self._minute, self._gaming_day = minute, gaming_day(at, self._day_rule)
        return self._gaming_day

    def _step(self) -> None:
        self._public.hear()
        self._staff.hear()
        while self._notes:
            self._note(*self._notes.popleft())
        now = self._monotonic()
        if now >= self._next_heartbeat:
            self._heartbeat(self.state.suspended)
            self._next_heartbeat = now + HEARTBEAT_SECONDS
        due = self._next_heartbeat
        if self._armed is not None:
            due = min(due, self._expires_at)
        try:
            taken = self._inbox.get(due - now)
        except queue.Empty:
            self._expire(self._monotonic())
            self._tidy()
            return
        if taken is not None:
            # what was put there after a timer ran out must find the timer's work done
            self._expire(taken.put_at)
            self._take(taken)

    def _take(self, taken: Given) -> None:
        try:
            refusal = None if taken.unless is None else taken.unless(self.state)
            decided = self.handle(taken.given) if refusal is None else refusal
        except BaseException as failure:
            if taken.answer is not None:
                taken.answer.set_exception(failure)
            raise
        if taken.answer is not None:
            taken.answer.set_result(decided)

    def _entry(self, recorded: Recorded) -> Entry:
        payload = None
        if recorded.public_seq is not None:
            payload = public_payload(self._table, self._journal.epoch, recorded)
        return Entry(recorded, payload)

    def _moment(self) -> "Moment":
        journal = self._journal
        return Moment(self.state, journal.epoch, journal.last_public_seq, journal.head)

    def _head(self, at: datetime) -> Head:
        journal = self._journal
        place = (self._table, journal.epoch, journal.last_seq, journal.last_public_seq)
        return Head(*place, journal.hash.hex(), journal.head.hex(), at)

    def public_view(self) -> PublicView:
        """The public picture at one moment; from any thread. Raises LookupError before a start."""
        shown, last = self._shown, self._last_view
        if last is not None and last[0] is shown:
            return last[1]
        view = PublicView(
            table=self._table,
            environment="" if shown.state.facts is None else shown.state.facts.environment,
            epoch=shown.epoch,
            seq=shown.public_seq,
            head=shown.head.hex(),
            state=public_state(shown.state),
            round=shown.state.round,
            pub=self._public.endpoint,
        )
        self._last_view = (shown, view)
        return view

    def shown_state(self) -> TableState:
        """The state at this moment; from any thread."""
        return self._shown.state

    def is_beyond(self, epoch: str, seq: int) -> bool:
        """Whether something was recorded after that; from any thread."""
        shown = self._shown
        return shown.state.seq > seq or shown.epoch != epoch

    def staff_view(self) -> tuple[str, StaffState, TableState]:
        """Epoch, what a console draws at one moment, and the state of it; from any thread."""
        shown = self._shown
        return shown.epoch, staff_state(shown.state), shown.state

    def _arm(self, at: datetime) -> None:
        """Arm the timer that the state asks for, on the monotonic clock.

        Across a restart the wall clock may have jumped: a timer never runs longer than the
        house's own duration for it.
        """
        armed = timer_of(self.state)
        if armed == self._armed:
            return
        self._armed = armed
        house = self.state.house
        if armed is None or house is None:
            return
        longest = {
            "bets": house.betting_seconds,
            "guard": house.close_guard_ms / 1000,
            "settle": house.settle_seconds,
            "ring": house.ring_seconds,
        }[armed.name]
        seconds = min(max((armed.due - at).total_seconds(), 0.0), longest)
        self._expires_at = self._monotonic() + seconds

    def _expire(self, now: float) -> None:
        while self._armed is not None and now >= self._expires_at:
            armed, self._armed = self._armed, None
            self.handle(TimerExpired(armed.name, armed.due))

    def _tidy(self) -> None:
        if self.state.phase in (Phase.IDLE, Phase.NO_SHOE, Phase.SETTLING):
            self._journal.idle()
        if self.state.phase is Phase.NO_SHOE and self.state.seq >= self._saved + EVENTS_A_SHOE:
            self._journal.checkpoint(self.state.seq, to_save(self.state))
            self._saved = self.state.seq

    def _heartbeat(self, suspended: str | None) -> None:
        epoch, at = self._journal.epoch, self._now()
        ids = (self.state.shoe, self.state.round)
        topic = topic_of(self._table, "heartbeat")
        public = (self._journal.last_public_seq, self._journal.head, at, suspended)
        self._public.send(topic, heartbeat_payload(self._table, epoch, *public, *ids, self._sign))
        staff = (self._journal.last_seq, self._journal.hash, at, suspended)
        self._staff.send(topic, heartbeat_payload(self._table, epoch, *staff, *ids))

    def _note(self, type_: str, data: msgspec.Struct) -> None:
        place = (self._table, self._journal.epoch, self._journal.last_seq, self._now())
        payload = note_payload(*place, type_, data, self.state.shoe, self.state.round)
        self._staff.send(topic_of(self._table, type_), payload)

    def _last_word(self) -> None:
        """Players hear that no bets are taken; whoever waits for an answer gets one."""
        self._heartbeat(self.state.suspended or "system")
        self._refuse_waiting()

    def _refuse_waiting(self) -> None:
        while True:
            try:
                left = self._inbox.get()
            except queue.Empty:
                return
            if left is not None and left.answer is not None:
                left.answer.set_result(STOPPED)


def restored(journal: Journal) -> TableState:
    """The state that the record leads to.

    It is folded from the start, or from a checkpoint that this very program saved.
    """
    state, after = TableState(), 0
    checkpoint = journal.last_checkpoint()
    saved = None if checkpoint is None else saved_state(checkpoint.blob)
    if checkpoint is not None and saved is not None:
        state, after = saved, checkpoint.seq
    for recorded in journal.read(after):
        state = evolve(state, recorded)
    return state
