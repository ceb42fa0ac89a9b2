# SPDX-License-Identifier: Apache-2.0
"""A restore from backup: the numbering cannot go on, and every open round is asked for."""

from datetime import timedelta

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.feed import asks
from studio.feed.rounds import OpenRound, after_message, in_snapshot, standing
from studio.feed.updates import RoundChecked, Status
from studio.game import events as ev
from tests.feed.examples import AT, PUBLIC_EVENTS, ROUND, TABLE
from tests.feed.fake_studio import Happening, Record
from tests.feed.following import Following

CLOSED = ev.RoundClosed()
NEXT_ROUND = "BAC-1-20261129-0215"
RESULT, AMENDED, VOIDED = (event for event in PUBLIC_EVENTS if "revision" in event.PUBLIC)


def _opened(round_id: str) -> ev.BetsOpened:
    return ev.BetsOpened(seconds=15, closes_at=AT, round=round_id, day="20261129", by="s-1")


def _following() -> Following:
    """Live; one round settled and amendable, the next one under way."""
    happening = Happening(Record())
    following = Following(happening)
    following.settle()
    for event, round_id in (
        (PUBLIC_EVENTS[0], None),
        (_opened(ROUND), ROUND),
        (RESULT, ROUND),
        (CLOSED, ROUND),
        (_opened(NEXT_ROUND), NEXT_ROUND),
    ):
        following.hear(happening.add(event, round_id).payload)
    return following


def _restored(following: Following, kept: int) -> Happening:
    """The studio comes back from a backup that held the first ``kept`` messages."""
    record = Record()
    record.rows = following.happening.record.rows[:kept]
    new = Happening(record, epoch="new-epoch")
    new.state = following.happening.state
    new.at = following.happening.at
    following.happening = new
    return new


def _checked(following: Following) -> list[tuple[str, str | None]]:
    return [
        (effect.round, None if effect.message is None else effect.message.type)
        for effect in following.effects
        if isinstance(effect, RoundChecked)
    ]


@pytest.mark.req("FEED-12")
def test_in_a_new_epoch_each_open_round_is_asked_for_and_then_the_table_is_joined() -> None:
    following = _following()
    new = _restored(following, 5)
    following.hear(new.add(CLOSED, None).payload)
    assert following.status() is Status.NEW_EPOCH
    asked = following.answer_all()
    assert [type(ask) for ask in asked[:3]] == [asks.AskRound, asks.AskRound, asks.AskSnapshot]
    assert [ask.round for ask in asked[:2] if isinstance(ask, asks.AskRound)] == [ROUND, NEXT_ROUND]
    assert _checked(following)[0] == (ROUND, "result")
    assert following.follower.epoch == "new-epoch"
    assert following.status() is Status.LIVE
    assert (following.joins[-1].epoch, following.joins[-1].seq) == ("new-epoch", 1)


def test_a_heartbeat_of_a_new_epoch_is_enough_to_find_it() -> None:
    following = _following()
    _restored(following, 5)
    following.beat()
    assert following.status() is Status.NEW_EPOCH


def test_an_error_epoch_changed_is_enough_to_find_it() -> None:
    following = _following()
    following.happening.add(CLOSED, None)
    following.beat()
    _restored(following, 5)
    following.answer_all()
    assert following.follower.epoch == "new-epoch"


def test_a_round_that_the_restored_studio_does_not_know_is_told() -> None:
    following = _following()
    new = _restored(following, 2)
    new.state = Happening(Record()).state
    following.beat()
    following.answer_all()
    assert _checked(following) == [(ROUND, None), (NEXT_ROUND, None)]
    assert following.follower.rounds == {}
    assert following.status() is Status.LIVE


def test_a_revision_that_the_restored_studio_does_not_know_suspends_the_round() -> None:
    following = _following()
    following.say(AMENDED)
    assert following.follower.rounds[ROUND].revision == 2
    _restored(following, 5)
    following.beat()
    following.answer_all()
    assert {told for told in _checked(following) if told[0] == ROUND} == {(ROUND, None)}
    assert "revision_lost" in following.alarms
    # what was heard of it stands here until a higher one comes
    assert following.follower.rounds[ROUND].revision == 2


def test_an_epoch_that_was_left_is_no_sign_of_life() -> None:
    following = _following()
    old = following.happening
    new = _restored(following, 5)
    following.beat()
    following.answer_all()
    following.hear(new.add(_opened("BAC-1-20261129-0300"), "BAC-1-20261129-0300").payload)
    following.beat()
    assert following.status() is Status.LIVE
    for _ in range(8):
        following.wait(0.5)
        following.hear(old.heartbeat())
    assert following.status() is Status.STALE


def test_an_amendment_between_the_question_and_the_snapshot_is_not_missed() -> None:
    following = _following()
    new = _restored(following, 5)
    following.beat()
    while isinstance(following.asked[0], asks.AskRound):
        following.answer_next()
    new.add(AMENDED, ROUND)
    following.answer_all()
    assert (ROUND, "result_amended") in _checked(following)
    assert following.follower.rounds[ROUND].revision == 2


def test_what_arrives_while_the_epoch_changes_is_kept_and_applied() -> None:
    following = _following()
    new = _restored(following, 5)
    following.beat()
    before = len(following.accepted)
    following.say(CLOSED)
    while isinstance(following.asked[0], asks.AskRound):
        following.answer_next()
    snapshot = new.answer(asks.encode(following.asked.pop()))
    following.say(CLOSED, CLOSED)
    following.give(snapshot)
    following.settle()
    assert [(m.epoch, m.seq) for m in following.accepted[before:]] == [
        ("new-epoch", 2),
        ("new-epoch", 3),
    ]


def test_a_new_epoch_has_its_own_clock_and_chain() -> None:
    following = _following()
    sent = following.happening.add(ev.ManualModeChanged(on=True, by="s-1")).payload
    following.hear(sent.replace(b"true", b"false"))
    following.beat()
    assert following.alarms == ["chain_broken"]
    new = _restored(following, 5)
    opened = msgspec.structs.replace(_opened(NEXT_ROUND), closes_at=AT.replace(year=2027))
    following.hear(new.add(opened).payload)
    following.answer_all()
    assert following.status() is Status.LIVE
    assert not following.follower.bets_are_open(following.now)
    following.beat()
    assert following.follower.bets_are_open(following.now)


def test_a_stray_message_of_an_epoch_long_over_does_not_end_the_numbering() -> None:
    following = _following()
    stray = Happening(Record(), epoch="older-epoch")
    before = following.follower.seq
    following.hear(stray.add(CLOSED).payload)
    following.answer_all()
    assert following.status() is Status.LIVE
    assert (following.follower.seq, len(following.joins)) == (before, 1)
    following.hear(stray.heartbeat())
    following.hear(stray.add(CLOSED).payload)
    assert following.asked == []
    assert following.status() is Status.LIVE


def test_messages_of_the_epoch_before_are_ignored_after_the_change() -> None:
    following = _following()
    old = following.happening
    _restored(following, 5)
    following.beat()
    following.answer_all()
    following.hear(old.add(CLOSED).payload)
    assert following.status() is Status.LIVE
    assert following.asked == []


def test_history_that_is_no_longer_kept_is_an_alarm_and_the_table_is_joined_again() -> None:
    following = _following()
    for _ in range(5):
        following.happening.add(CLOSED, None)
    following.happening.record.first_kept = 9
    following.beat()
    following.settle()
    assert following.alarms == ["too_old"]
    assert len(following.joins) == 2
    assert following.follower.seq == following.happening.seq
    assert _checked(following)[0][0] == ROUND
    following.say(CLOSED)
    assert following.accepted[-1].seq == following.happening.seq


def test_a_round_answer_that_cannot_be_read_is_an_alarm() -> None:
    following = _following()
    _restored(following, 5)
    following.beat()
    ask = following.asked.pop(0)
    assert isinstance(ask, asks.AskRound)
    following.give(asks.Round(id=ask.id, table=TABLE, round=ask.round, payloads=("{}",)))
    assert following.alarms == ["unreadable"]


@pytest.mark.req("VOID-6")
@given(st.permutations([RESULT, AMENDED, VOIDED]))
def test_an_open_round_keeps_its_highest_revision(order: list[ev.Event]) -> None:
    happening = Happening(Record())
    rounds = after_message({}, happening.add(_opened(ROUND)))
    assert rounds == {ROUND: OpenRound()}
    for event in order:
        rounds = after_message(rounds, happening.add(event))
    assert rounds[ROUND].revision == 3
    assert rounds[ROUND].amendable_until is not None


def test_a_round_is_done_with_when_it_can_no_longer_be_amended() -> None:
    happening = Happening(Record())
    rounds = after_message({}, happening.add(_opened(ROUND)))
    rounds = after_message(rounds, happening.add(RESULT))
    assert set(after_message(rounds, happening.add(_opened(NEXT_ROUND), NEXT_ROUND))) == {
        ROUND,
        NEXT_ROUND,
    }
    happening.at += timedelta(hours=2)
    third = "BAC-1-20261129-0216"
    assert set(after_message(rounds, happening.add(_opened(third), third))) == {third}


def test_the_rounds_of_a_snapshot_are_open_while_they_can_be_amended() -> None:
    happening = _following().happening
    assert set(in_snapshot(happening.state, AT)) == {ROUND, NEXT_ROUND}
    assert set(in_snapshot(happening.state, None)) == {ROUND, NEXT_ROUND}
    assert set(in_snapshot(happening.state, AT + timedelta(hours=2))) == {NEXT_ROUND}


def test_only_results_amendments_and_voids_stand_for_a_round() -> None:
    happening = Happening(Record())
    said = [happening.add(event) for event in (_opened(ROUND), VOIDED, RESULT, CLOSED)]
    best = standing(said)
    assert best is not None
    assert best.type == "round_voided"
    assert standing([]) is None
