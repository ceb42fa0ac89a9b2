# SPDX-License-Identifier: Apache-2.0
"""The subscriber's core beside the kit's table, with no wire between: any order, any loss."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from studio.conformance.judge import Booked, Judge, View
from studio.conformance.table import BETTING_SECONDS, Table
from studio.conformance.transcript import evening
from studio.feed import answers, asks, wire
from studio.feed.follow import STALE_SECONDS, Follower
from studio.feed.updates import Accepted, Asking, Effect, Joined, Status
from studio.game.snapshot import PublicState

BEGAN = datetime(2030, 2, 1, 12, tzinfo=UTC)
_FEW = st.integers(0, 4)
_MANY = [st.tuples(st.sampled_from(["happen", "deliver", "answer"]), _FEW)] * 3
_ODD = [
    "repeat",
    "drop",
    "beat",
    "work out",
    "late answer",
    "lose ask",
    "wait",
    "silence",
    "short bets",
]
_LATE_SNAPSHOT = ["work out", "happen", "drop", "beat", "deliver", "late answer"]
_steps = st.lists(
    st.one_of(*_MANY, st.tuples(st.sampled_from(_ODD), _FEW)), min_size=20, max_size=120
)


class Network:
    """A table, a follower, and everything that is on its way between them."""

    def __init__(self, before: int) -> None:
        self.now = 1000.0
        self.table = Table(evening(), lambda: BEGAN + timedelta(seconds=self.now))
        self.judge = Judge(self.table.name, self.table.states, self.table.sayings)
        self.ways: list[bytes] = []
        self.asked: list[asks.Ask] = []
        self.late: list[asks.Answer] = []
        self.accepted: list[bytes] = []
        # what it cannot but know of: the furthest message that it heard of, and when it did
        self.heard_of, self.heard = (0, 0), self.now
        self.epochs = [self.table.epoch]
        self.places = [self.table.place]
        self.joined: dict[str, int] = {}
        self.next = 0
        for _ in range(before):
            self.happen()
        self.follower = Follower(self.table.name, "test")
        self.note(self.follower.start(self.now))

    def note(self, effects: list[Effect]) -> None:
        self.asked += [one.request for one in effects if isinstance(one, Asking)]
        self.accepted += [one.message.payload for one in effects if isinstance(one, Accepted)]
        for one in effects:
            if isinstance(one, Joined):
                self.joined[one.epoch] = one.seq
        self.is_right()

    def happen(self) -> bytes:
        payload = self.table.play(self.next).payload
        self.next += 1
        if self.table.epoch == self.epochs[0]:
            self.places.append(self.table.place)
        return payload

    def restore(self, lost: int) -> None:
        """Back from a backup; what was asked of the service that is gone, nobody answers."""
        if len(self.epochs) > 1:
            return
        self.table.restore(self.places[max(len(self.places) - 1 - lost * 5, 0)])
        self.epochs.append(self.table.epoch)
        self.asked.clear()
        self.late.clear()

    def hear(self, payload: bytes) -> None:
        message = wire.decode(payload)
        self.heard_of = max(self.heard_of, (self.epochs.index(message.epoch), message.seq))
        self.heard = self.now
        self.note(self.follower.receive(message, self.now))

    def answer(self, ask: asks.Ask) -> asks.Answer:
        frame = answers.answer(asks.encode(ask), lambda: self.table.view, self.table.record)
        return asks.read_answer(frame)

    def give(self, answer: asks.Answer) -> None:
        self.note(self.follower.answer(answer, self.now))

    def wait(self, seconds: float) -> None:
        until = self.now + seconds
        while self.now < until:
            self.now += 0.25
            self.note(self.follower.tick(self.now))

    def do(self, what: str, number: int) -> None:
        at = min(number, len(self.ways) - 1)
        match what:
            case "happen" if self.next < len(evening().messages):
                self.ways.append(self.happen())
            case "beat":
                self.ways.append(self.table.heartbeat())
            case "deliver" if at >= 0:
                self.hear(self.ways.pop(at))
            case "repeat" if at >= 0:
                self.hear(self.ways[at])
            case "drop" if at >= 0:
                del self.ways[at]
            case "answer" if self.asked:
                self.give(self.answer(self.asked.pop(0)))
            case "work out":
                self.late += [self.answer(ask) for ask in self.asked]
                self.asked.clear()
            case "late answer" if self.late:
                self.give(self.late.pop(min(number, len(self.late) - 1)))
            case "lose ask" if self.asked:
                del self.asked[0]
            case "wait":
                self.wait(number / 2)
            case "silence":
                self.wait(STALE_SECONDS)
            case "restore":
                self.restore(number)
            case "short bets":
                self.table.betting_seconds = float(number) or BETTING_SECONDS

    def settle(self) -> None:
        """The wire is well again, for as long as it takes."""
        for _ in range(20):
            self.hear(self.table.heartbeat())
            while self.asked:
                self.give(self.answer(self.asked.pop(0)))
            self.wait(0.5)
            if self.follower.status is Status.LIVE and not self.asked:
                self.hear(self.table.heartbeat())
                return
        raise AssertionError(f"still {self.follower.status}, {self.asked}")

    # --- what must be so, always --------------------------------------------------------------

    def is_right(self) -> None:
        """What it says now is so, and it says nothing that it cannot know."""
        follower = self.follower
        is_open = follower.bets_are_open(self.now)
        assert self.judge.fault_of(view_of(follower, is_open=is_open)) is None
        if not is_open:
            return
        assert follower.epoch is not None
        state: PublicState = self.table.states[follower.epoch, follower.seq]
        place = self.epochs.index(follower.epoch), follower.seq
        assert place >= self.heard_of, "a message is missing"
        assert self.now - self.heard < STALE_SECONDS, "nobody was heard"
        time = follower.studio_time(self.now)
        assert state.closes_at is not None
        assert time is not None
        assert time < state.closes_at, "it is too late"


def view_of(follower: Follower, *, is_open: bool) -> View:
    view = follower.view
    results = {} if view is None else {one.round: booked(one) for one in view.results}
    return View(
        table=follower.table,
        epoch=follower.epoch,
        seq=follower.seq,
        open=is_open,
        round=None if view is None else view.round,
        results=results,
    )


def booked(one: Any) -> Booked:
    outcome = None if one.outcome is None else one.outcome.value
    return Booked(one.revision, outcome, one.bets)


@pytest.mark.req("FEED-9", "FEED-10", "FEED-11", "FEED-14")
@example(3, [(one, 0) for one in _LATE_SNAPSHOT])
@given(st.integers(0, 70), _steps)
def test_in_any_order_it_never_says_what_it_cannot_know_and_ends_where_the_table_is(
    before: int, steps: list[tuple[str, int]]
) -> None:
    network = Network(before)
    for what, number in steps:
        network.do(what, number)
    network.settle()
    table, follower = network.table, network.follower
    assert (follower.epoch, follower.seq) == table.place
    assert follower.view == table.state
    assert follower.head == table.head
    told = [payload for payload in network.accepted if wire.decode(payload).epoch == table.epoch]
    assert told == table.record.payloads_of.get(table.epoch, [])[network.joined[table.epoch] :]
    assert follower.bets_are_open(network.now) == table.is_open()
