# SPDX-License-Identifier: Apache-2.0
"""The subscriber on real sockets, beside a studio that stops, restarts, floods and lies."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from studio.feed import asks, wire
from studio.feed.subscriber import EnvironmentRefused, Subscriber
from studio.feed.updates import Accepted, Alarm, Joined, Status, StatusChanged, Update
from studio.game import events as ev
from tests.feed.examples import EPOCH, PUBLIC_EVENTS, TABLE
from tests.feed.fake_studio import FakeStudio, Happening, Record
from tests.waiting import until

CLOSED = ev.RoundClosed()


class Clock:
    """A steady clock that only a test moves, so that no test waits for staleness."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Watching:
    """A subscriber and all its updates."""

    def __init__(self, studio: FakeStudio, **settings: Any) -> None:
        given = {"environment": "test", **settings}
        self.studio = studio
        self.clock = Clock()
        self.updates: list[Update] = []
        self.subscriber = Subscriber(studio.pub, studio.requests, clock=self.clock, **given)

    def poll(self) -> list[Update]:
        """Whatever has arrived. The studio beats meanwhile; the clock moves a little."""
        self.clock.now += 0.26
        self.updates += self.subscriber.poll(0)
        return self.updates

    def until(self, condition: Callable[[], object], *, beating: bool = True) -> None:
        def is_so() -> bool:
            if beating:
                self.studio.beat()
            self.poll()
            return bool(condition())

        until(is_so)

    def live(self) -> "Watching":
        self.until(lambda: self.status is Status.LIVE and self.has_clock)
        return self

    def caught_up(self) -> None:
        self.until(lambda: self.accepted[-1:] == [self.studio.happening.seq])
        self.live()

    @property
    def status(self) -> Status | None:
        follower = self.subscriber.followers.get(TABLE)
        return None if follower is None else follower.status

    @property
    def has_clock(self) -> bool:
        return self.subscriber.studio_time(TABLE) is not None

    @property
    def accepted(self) -> list[int]:
        return [u.message.seq for u in self.updates if isinstance(u, Accepted)]

    @property
    def joins(self) -> int:
        return sum(isinstance(update, Joined) for update in self.updates)

    @property
    def alarms(self) -> list[str]:
        return [update.code for update in self.updates if isinstance(update, Alarm)]


@pytest.fixture
def studio() -> Iterator[FakeStudio]:
    with FakeStudio() as studio:
        studio.say(*PUBLIC_EVENTS)
        yield studio


@pytest.fixture
def watching(studio: FakeStudio) -> Iterator[Watching]:
    watching = Watching(studio)
    with watching.subscriber:
        yield watching


@pytest.mark.req("FEED-15")
@pytest.mark.req("FEED-7")
def test_a_late_subscriber_finds_the_tables_and_has_the_whole_picture(
    watching: Watching,
) -> None:
    watching.live()
    follower = watching.subscriber.followers[TABLE]
    assert follower.view == watching.studio.happening.state
    assert follower.head == watching.studio.happening.head
    assert (watching.joins, watching.alarms) == (1, [])
    assert StatusChanged(TABLE, Status.LIVE) in watching.updates


def test_messages_are_given_in_order_as_they_are_sent(watching: Watching) -> None:
    watching.live()
    first = watching.studio.happening.seq + 1
    watching.studio.say(*PUBLIC_EVENTS)
    watching.caught_up()
    assert watching.accepted == list(range(first, first + len(PUBLIC_EVENTS)))
    sent = [row[2] for row in watching.studio.happening.record.rows[first - 1 :]]
    heard = [u.message.payload for u in watching.updates if isinstance(u, Accepted)]
    assert heard == sent


def test_the_updates_can_be_iterated(studio: FakeStudio) -> None:
    with Subscriber(studio.pub, studio.requests, [TABLE], "test") as subscriber:
        for update in subscriber:
            if isinstance(update, Joined):
                assert update.state == studio.happening.state
                break
        assert subscriber.bookmarks()[TABLE].seq == studio.happening.seq
        assert not subscriber.bets_are_open(TABLE)
        assert not subscriber.bets_are_open("BAC-10")
        subscriber.close()


@pytest.mark.req("FEED-6")
@pytest.mark.req("FEED-8", "FEED-11")
def test_messages_that_overflow_a_queue_come_from_history(studio: FakeStudio) -> None:
    small = FakeStudio(studio.happening, queued_messages=5)
    watching = Watching(small, queued_messages=5)
    with small, watching.subscriber:
        watching.live()
        first = small.happening.seq + 1
        for _ in range(3000):
            small.say(CLOSED)
        watching.caught_up()
        assert watching.accepted == list(range(first, first + 3000))
        assert StatusChanged(TABLE, Status.CATCHING_UP) in watching.updates
        assert (watching.joins, watching.alarms) == (1, [])


@pytest.mark.req("FEED-10", "FEED-14")
def test_a_studio_that_is_gone_is_stale_and_found_again_at_the_same_endpoints() -> None:
    happening = Happening(Record())
    studio = FakeStudio(happening)
    watching = Watching(studio)
    with watching.subscriber:
        watching.live()
        studio.close()
        watching.until(lambda: watching.status is Status.STALE, beating=False)
        happening.add(CLOSED)
        with FakeStudio(happening, studio.pub, studio.requests) as successor:
            watching.studio = successor
            successor.say(CLOSED)
            watching.caught_up()
            assert watching.accepted == [1, 2]
            assert (watching.joins, watching.alarms) == (1, [])


@pytest.mark.req("FEED-12")
def test_a_restored_studio_with_another_epoch_is_joined_anew() -> None:
    old = FakeStudio(Happening(Record()))
    watching = Watching(old)
    with watching.subscriber:
        watching.live()
        old.close()
        new = Happening(Record(), epoch="new-epoch")
        new.add(CLOSED)
        with FakeStudio(new, old.pub, old.requests) as restored:
            watching.studio = restored
            watching.until(lambda: watching.joins == 2)
            watching.live()
            assert watching.subscriber.followers[TABLE].epoch == "new-epoch"
            assert EPOCH not in watching.subscriber.bookmarks()[TABLE].epoch


def test_a_bookmark_brings_a_front_end_back_without_a_snapshot(studio: FakeStudio) -> None:
    first = Watching(studio)
    with first.subscriber:
        first.live()
        bookmarks = first.subscriber.bookmarks()
    seq = studio.happening.seq
    studio.say(CLOSED, CLOSED)
    back = Watching(studio, bookmarks=bookmarks)
    with back.subscriber:
        back.caught_up()
        assert back.accepted == [seq + 1, seq + 2]
        assert back.joins == 0
        assert back.subscriber.followers[TABLE].view == studio.happening.state


def test_a_table_of_another_environment_than_expected_is_refused(studio: FakeStudio) -> None:
    watching = Watching(studio, environment="live")
    with (
        watching.subscriber,
        pytest.raises(EnvironmentRefused, match="BAC-1: this is 'test', expected 'live'"),
    ):
        watching.live()


@pytest.mark.req("REC-6")
def test_bytes_that_are_no_message_are_an_alarm_and_a_hole_in_the_numbers(
    watching: Watching,
) -> None:
    watching.live()
    studio = watching.studio
    message = studio.happening.add(CLOSED)
    studio.publisher.send(wire.topic_of(TABLE, message.type), b"garbage")
    studio.publisher.send(b"BAC-1/", b"")
    studio.publisher.send(b"BAC-1/no/table", b"garbage")
    watching.caught_up()
    assert watching.alarms == ["unreadable", "unreadable"]
    assert watching.accepted == [message.seq]


@pytest.mark.req("FEED-13")
def test_messages_of_tables_that_are_not_followed_are_not_heard(watching: Watching) -> None:
    watching.live()
    payload = watching.studio.happening.heartbeat().replace(b'"BAC-1"', b'"BAC-10"', 1)
    watching.studio.publisher.send(b"BAC-10/heartbeat", payload)
    watching.studio.publisher.send(b"BAC-1/heartbeat", payload)
    watching.studio.say(CLOSED)
    watching.caught_up()
    assert watching.alarms == []


def test_answers_that_cannot_be_read_are_an_alarm_and_it_is_asked_again() -> None:
    happening = Happening(Record())
    refused = asks.encode(asks.error_answer("tables", "version", "not spoken here"))
    answers = [b"garbage", b'{"answer":"weather","v":1,"id":"x"}', refused]
    studio = FakeStudio(happening)
    honest, studio.server._answer = (  # the studio lies at first
        studio.server._answer,
        lambda frame, who: answers.pop() if answers else honest(frame, who),
    )
    watching = Watching(studio)
    with studio, watching.subscriber:
        watching.live()
        assert watching.alarms == ["ask_refused", "unreadable", "unreadable"]


def test_without_a_studio_nothing_happens_and_closing_does_not_hang() -> None:
    studio = FakeStudio()
    studio.close()
    with Subscriber(studio.pub, studio.requests, environment="test") as subscriber:
        assert subscriber.poll(0.05) == []
        assert subscriber.followers == {}
