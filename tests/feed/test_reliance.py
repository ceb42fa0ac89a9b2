# SPDX-License-Identifier: Apache-2.0
"""When a table's picture can be relied on: time, silence, the chain, and what cannot be read."""

from typing import Any

import msgspec
import pytest

from studio.feed import asks
from studio.feed.updates import Status, StatusChanged
from studio.game import events as ev
from tests.feed.examples import AT, PUBLIC_EVENTS, TABLE
from tests.feed.fake_studio import Happening, Record
from tests.feed.following import Following, bets_open, live

CLOSED = ev.RoundClosed()


@pytest.mark.req("FEED-14")
def test_three_seconds_of_silence_make_a_table_stale_until_it_is_caught_up_again() -> None:
    following = live(*bets_open())
    following.beat()
    assert following.follower.bets_are_open(following.now)
    following.wait(2.75)
    assert following.status() is Status.LIVE
    effects = following.wait(0.25)
    assert StatusChanged(TABLE, Status.STALE) in effects
    assert not following.follower.bets_are_open(following.now)
    following.happening.add(PUBLIC_EVENTS[10])
    following.beat()
    assert following.status() is Status.STALE
    following.answer_all()
    assert following.status() is Status.LIVE


def test_an_old_message_repeated_does_not_end_staleness() -> None:
    following = live(CLOSED)
    old = following.happening.heartbeat()
    following.say(CLOSED)
    repeated = following.happening.record.rows[0][2]
    following.wait(4)
    following.hear(repeated)
    following.hear(old)
    assert following.status() is Status.STALE
    following.beat()
    assert following.status() is Status.LIVE


def test_silence_before_the_first_message_is_stale_too() -> None:
    following = Following(Happening(Record()))
    following.answer_all()
    assert following.status() is Status.LIVE
    following.wait(3)
    assert following.status() is Status.STALE


@pytest.mark.req("RND-4")
def test_bets_are_open_only_while_live_on_the_studios_clock_and_not_suspended() -> None:
    following = live(*bets_open())
    follower = following.follower
    assert follower.bets_are_open(following.now)
    following.beat("system")
    assert follower.suspended == "system"
    assert not follower.bets_are_open(following.now)
    following.beat()
    assert follower.bets_are_open(following.now)
    following.happening.at = AT.replace(year=2027)
    following.beat()
    assert not follower.bets_are_open(following.now)


def test_bets_are_not_open_before_a_heartbeat_gave_the_studios_clock() -> None:
    happening = Happening(Record())
    for event in bets_open():
        happening.add(event)
    following = Following(happening)
    following.answer_all()
    assert following.status() is Status.LIVE
    assert following.follower.studio_time(following.now) is None
    assert not following.follower.bets_are_open(following.now)


def test_the_studios_clock_runs_on_from_the_heartbeat() -> None:
    following = live()
    following.beat()
    at = following.happening.at
    time = following.follower.studio_time(following.now + 1.5)
    assert time is not None
    assert (time - at).total_seconds() == 1.5


def test_a_message_that_resumes_ends_the_suspension_told_by_an_older_heartbeat() -> None:
    following = live(*bets_open())
    following.say(ev.TableSuspended(reason="device"))
    following.beat("device")
    following.say(ev.TableResumed(reason="device", by="s-1"))
    assert following.follower.suspended is None


@pytest.mark.req("AUD-5")
@pytest.mark.parametrize("heard_before", [False, True])
def test_a_head_that_differs_from_the_chain_kept_is_an_alarm(heard_before: bool) -> None:
    following = live(*bets_open())
    sent = following.happening.add(ev.ManualModeChanged(on=True, by="s-1")).payload
    beat = following.happening.heartbeat()
    forged = sent.replace(b"true", b"false")
    for payload in [forged, beat] if heard_before else [beat, forged]:
        following.hear(payload)
    assert following.alarms == ["chain_broken"]
    following.beat()
    assert following.alarms == ["chain_broken"]
    assert not following.follower.bets_are_open(following.now)


@pytest.mark.req("DUR-8")
def test_a_number_that_comes_twice_with_different_bytes_is_an_alarm() -> None:
    following = live(CLOSED)
    following.say(ev.ManualModeChanged(on=True, by="s-1"))
    sent = following.happening.record.rows[-1][2]
    following.hear(sent)
    assert following.alarms == []
    following.hear(sent.replace(b"true", b"false"))
    assert following.alarms == ["chain_broken"]


def test_another_environment_is_refused_in_a_snapshot_a_bookmark_and_a_message() -> None:
    following = Following(Happening(Record()), environment="live")
    following.answer_all()
    assert following.status() is Status.REFUSED
    assert (following.alarms, following.joins) == (["environment"], [])

    bookmark = live().follower.bookmark()
    following = Following(Happening(Record()), environment="live", bookmark=bookmark)
    assert following.status() is Status.REFUSED
    assert (following.alarms, following.asked) == (["environment"], [])

    following = live()
    opened = msgspec.structs.replace(PUBLIC_EVENTS[0], environment="live")
    following.say(opened, CLOSED)
    assert following.status() is Status.REFUSED
    assert following.accepted == []
    assert not following.follower.bets_are_open(following.now)


@pytest.mark.parametrize(
    "change", [{"state": {"environment": "test"}}, {"head": "xyz"}, {"state": None}]
)
def test_a_snapshot_that_cannot_be_read_is_an_alarm_and_is_asked_for_again(
    change: dict[str, Any],
) -> None:
    following = Following(Happening(Record()))
    answer = following.happening.answer(asks.encode(following.asked.pop()))
    assert isinstance(answer, asks.Snapshot)
    following.give(msgspec.structs.replace(answer, **change))
    assert following.alarms == ["unreadable"]
    assert following.asked == []
    following.wait(2.25)
    following.answer_all()
    assert following.status() is Status.LIVE


def test_history_that_cannot_be_read_is_an_alarm_and_no_bets_are_taken() -> None:
    following = live(*bets_open())
    following.happening.add(CLOSED)
    epoch, seq, payload = following.happening.record.rows[-1]
    following.happening.record.rows[-1] = (epoch, seq, payload.replace(b'"v":1', b'"v":2', 1))
    following.beat()
    following.answer_all()
    following.wait(2)
    assert following.alarms == ["unreadable"]
    assert following.status() is Status.CATCHING_UP
    assert not following.follower.bets_are_open(following.now)


def test_an_error_that_nothing_can_be_done_about_is_an_alarm_once() -> None:
    following = Following(Happening(Record()))
    for _ in range(3):
        ask = following.asked.pop()
        following.give(asks.error_answer(ask.id, "unknown_table", "not here"))
        assert following.asked == []
        following.wait(2.25)
    assert following.alarms == ["ask_refused"]


def test_an_old_heartbeat_that_arrives_late_does_not_set_the_clock_back() -> None:
    following = live()
    old = following.happening.heartbeat("device")
    following.beat()
    before = following.follower.studio_time(following.now)
    following.hear(old)
    assert following.follower.studio_time(following.now) == before
    assert following.follower.suspended is None


@pytest.mark.req("FEED-14")
def test_bets_are_not_open_after_silence_even_before_anyone_told_the_time() -> None:
    following = live(*bets_open())
    following.beat()
    assert following.follower.bets_are_open(following.now + 2.9)
    assert not following.follower.bets_are_open(following.now + 3)


def test_a_resumption_that_history_brings_does_not_end_a_later_suspension() -> None:
    following = live(*bets_open())
    following.say(ev.TableSuspended(reason="device"))
    following.happening.add(ev.TableResumed(reason="device", by="s-1"))
    following.beat("system")
    following.answer_all()
    assert following.follower.suspended == "system"


def test_it_says_why_no_bets_are_taken() -> None:
    following = Following(Happening(Record()))
    assert following.follower.bookmark() is None
    following.answer_all()
    assert following.follower.suspended is None
    following.say(PUBLIC_EVENTS[0], ev.TableSuspended(reason="device"))
    assert following.follower.suspended == "device"
