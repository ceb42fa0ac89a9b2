# SPDX-License-Identifier: Apache-2.0
"""A line to a table's sockets, real ones: what it asks, and how little of it."""

import time
from collections.abc import Iterator
from datetime import datetime

import msgspec
import pytest
import zmq

from studio.feed import staff as wire
from studio.feed.asks import encode
from studio.feed.publisher import Publisher
from studio.feed.requests import Later, RequestServer
from studio.feed.wire import heartbeat_payload, topic_of
from studio.game.inputs import OpenBets
from studio.game.snapshot import staff_state
from tests.game.table_driver import BY, Driven
from tests.waiting import until
from ui.line import Line, Picture
from ui.view.seen import LinkState

TABLE = "BAC-1"
_NEVER_SECONDS = 0.3


class Ear:
    """Keeps what a line tells."""

    def __init__(self) -> None:
        self.pictures: list[Picture] = []
        self.state = LinkState.JOINING
        self.answers: list[object] = []
        self.heartbeats = 0

    def heard(self, at: datetime, received: float) -> None:
        self.heartbeats += 1

    def draw(self, picture: Picture) -> None:
        self.pictures.append(picture)

    def answer(self, ticket: int, answer: object) -> None:
        self.answers.append(answer)

    def judge(self, state: LinkState) -> None:
        self.state = state


class Table:
    """A table's two sockets, driven by the test. An old one lets no question stand."""

    def __init__(self, *, is_old: bool = False, at: str = "tcp://127.0.0.1:*") -> None:
        self.driven = Driven().ready()
        self.is_old = is_old
        self.leaves_out = False
        self.asked: list[wire.AskStaffSnapshot] = []
        self.staff = Publisher("tcp://127.0.0.1:*")
        self.server = RequestServer(at, self._answer)

    def close(self) -> None:
        self.server.stop()
        self.staff.close(0)

    def _answer(self, request: bytes, who: str | None) -> bytes | Later:
        ask = msgspec.json.decode(request, type=wire.AskStaffSnapshot)
        self.asked.append(ask)
        if ask.after is None or self.is_old:
            return self._snapshot(ask)
        after = ask.after
        return Later(lambda: self.driven.state.seq > after.seq, lambda: self._snapshot(ask))

    def _snapshot(self, ask: wire.AskStaffSnapshot) -> bytes:
        state = self.driven.state
        drawn = msgspec.to_builtins(staff_state(state))
        if self.leaves_out and ask.after is not None:
            for name in wire.LARGE:
                del drawn["public"][name]
        return encode(
            wire.StaffSnapshot(id=ask.id, table=TABLE, epoch="e", seq=state.seq, state=drawn)
        )

    def happen(self) -> None:
        """Something happens, and is told."""
        self.driven.give(OpenBets(by=BY))
        self.server.ring()
        self.staff.send(topic_of(TABLE, "bets_opened"), self._payload())

    def beat(self) -> None:
        self.staff.send(topic_of(TABLE, "heartbeat"), self._payload())

    def _payload(self) -> bytes:
        state = self.driven.state
        return heartbeat_payload(
            TABLE, "e", state.seq, bytes(32), self.driven.now, None, state.shoe, state.round
        )


class Watch:
    """Works a line to a table as its thread does."""

    def __init__(self, table: Table, context: "zmq.Context[zmq.Socket[bytes]]") -> None:
        self.ear = Ear()
        self.table = table
        self.line = Line(
            TABLE, self.ear, context, (table.staff.endpoint, table.server.endpoint), None
        )

    def work(self) -> None:
        self.line.work()
        self.line.listen()
        self.line.tidy(time.monotonic())

    def until(self, condition) -> None:
        def is_so() -> bool:
            self.work()
            return bool(condition())

        until(is_so)

    def for_a_while(self) -> None:
        over = time.monotonic() + _NEVER_SECONDS
        self.until(lambda: time.monotonic() > over)

    def go_live(self) -> None:
        def is_live() -> bool:
            self.table.beat()
            return self.ear.state is LinkState.LIVE

        self.until(is_live)

    @property
    def seq(self) -> int:
        return self.ear.pictures[-1].seq


@pytest.fixture
def table() -> Iterator[Table]:
    made = Table()
    yield made
    made.close()


@pytest.fixture
def watch(table) -> Iterator[Watch]:
    with zmq.Context() as context:
        made = Watch(table, context)
        yield made
        made.line.close()


def test_what_happens_is_pictured_without_a_message_and_one_question_stands(table, watch):
    watch.go_live()
    watch.until(lambda: len(table.asked) == 2)
    watch.for_a_while()
    assert [one.after for one in table.asked] == [None, wire.After("e", watch.seq)]
    pictures, heartbeats = len(watch.ear.pictures), watch.ear.heartbeats
    table.happen()
    watch.until(lambda: len(watch.ear.pictures) > pictures)
    assert watch.seq == table.driven.state.seq
    watch.until(lambda: len(table.asked) == 3)
    assert table.asked[-1].after == wire.After("e", watch.seq)
    assert watch.ear.heartbeats == heartbeats


def test_what_the_service_leaves_out_is_as_it_was(table, watch):
    watch.go_live()
    before = watch.ear.pictures[-1].state
    table.leaves_out = True
    table.happen()
    watch.until(lambda: watch.ear.pictures[-1].state != before)
    pictured = msgspec.to_builtins(watch.ear.pictures[-1].state)
    assert pictured == msgspec.to_builtins(staff_state(table.driven.state))


def test_a_service_that_lets_no_question_stand_is_not_asked_without_end_but_followed(
    table, watch, monkeypatch
):
    monkeypatch.setattr("ui.line._LOOK_AGAIN_SECONDS", 3600.0)
    table.is_old = True
    watch.go_live()
    watch.for_a_while()
    assert len(table.asked) <= 3
    table.happen()
    watch.until(lambda: watch.seq == table.driven.state.seq)
    assert table.asked[-1].after is None


def test_the_service_that_comes_after_an_old_one_is_asked_anew(table, watch):
    table.is_old = True
    watch.go_live()
    endpoint = table.server.endpoint
    table.server.stop()
    watch.until(lambda: watch.ear.state is LinkState.GONE)
    table.is_old = False
    table.asked.clear()
    table.server = RequestServer(endpoint, table._answer)
    watch.until(lambda: len(table.asked) == 2)
    assert [one.after is None for one in table.asked] == [True, False]


def test_an_answer_that_is_lost_is_noticed_by_the_heartbeats_and_asked_for_again(
    table, watch, monkeypatch
):
    monkeypatch.setattr("ui.line._SNAPSHOT_SECONDS", 0.2)
    monkeypatch.setattr("ui.line._STANDING_SECONDS", 3600.0)
    watch.go_live()
    watch.until(lambda: len(table.asked) == 2)
    table.server._standing.clear()
    table.happen()
    watch.for_a_while()
    assert len(table.asked) == 2
    table.beat()
    watch.until(lambda: watch.seq == table.driven.state.seq)
