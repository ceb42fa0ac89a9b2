# SPDX-License-Identifier: Apache-2.0
"""What waits for a front-end's word, and how its word gets to the studio."""

from datetime import timedelta

import pytest

from studio.feed import asks, wire
from studio.feed.asks import AskAcknowledge
from studio.feed.corrections import ASK_AGAIN_SECONDS, Corrections
from studio.feed.updates import (
    Accepted,
    Acknowledged,
    Alarm,
    Asking,
    Effect,
    Joined,
    RoundChecked,
    WaitingCorrection,
)
from tests.feed.examples import AT, EPOCH, PUBLIC_EVENTS, ROUND, TABLE
from tests.feed.fake_studio import Happening, Record

AMENDED, VOIDED = WaitingCorrection(ROUND, 2, EPOCH), WaitingCorrection(ROUND, 3, EPOCH)


@pytest.fixture
def happening() -> Happening:
    return Happening(Record())


@pytest.fixture
def corrections() -> Corrections:
    return Corrections(TABLE)


def heard(happening: Happening, corrections: Corrections, upto: str) -> wire.Message:
    """All examples up to that type, as a follower tells them; the last one."""
    for event in PUBLIC_EVENTS:
        message = happening.add(event)
        corrections.hear(Accepted(TABLE, message))
        if message.type == upto:
            return message
    raise AssertionError(upto)


def asked(effects: list[Effect]) -> AskAcknowledge:
    (effect,) = effects
    assert isinstance(effect, Asking)
    assert isinstance(effect.request, AskAcknowledge)
    return effect.request


def on_record(ask: AskAcknowledge) -> asks.Acknowledged:
    return asks.Acknowledged(
        id=ask.id, table=ask.table, round=ask.round, revision=ask.revision, at=AT
    )


def test_the_newest_revision_waits_and_nothing_is_said_by_itself(
    happening: Happening, corrections: Corrections
) -> None:
    heard(happening, corrections, "result")
    assert corrections.waiting == ()
    heard(happening, corrections, "result_amended")
    assert corrections.waiting == (AMENDED,)
    heard(happening, corrections, "round_voided")
    assert corrections.waiting == (VOIDED,)
    assert corrections.tick(1000.0) == []


def test_an_older_revision_that_comes_late_does_not_wait(
    happening: Happening, corrections: Corrections
) -> None:
    messages = [happening.add(event) for event in PUBLIC_EVENTS]
    voided, amended = (
        next(one for one in messages if one.type == kind)
        for kind in ("round_voided", "result_amended")
    )
    for message in (voided, amended):
        corrections.hear(RoundChecked(TABLE, ROUND, message))
    corrections.hear(RoundChecked(TABLE, "unknown", None))
    assert corrections.waiting == (VOIDED,)


def test_a_word_is_said_again_until_it_is_on_record(
    happening: Happening, corrections: Corrections
) -> None:
    heard(happening, corrections, "round_voided")
    ask = asked(corrections.acknowledge(ROUND, 3, 10.0))
    assert (ask.table, ask.round, ask.revision, ask.epoch) == (TABLE, ROUND, 3, EPOCH)
    assert corrections.tick(10.0 + ASK_AGAIN_SECONDS - 0.1) == []
    assert asked(corrections.tick(10.0 + ASK_AGAIN_SECONDS)) == ask
    assert corrections.tick(10.0 + ASK_AGAIN_SECONDS + 0.1) == []
    assert corrections.waiting == (VOIDED,)
    assert corrections.answer(on_record(ask)) == [Acknowledged(TABLE, ROUND, 3, AT)]
    assert corrections.waiting == ()
    assert corrections.tick(1000.0) == []
    assert corrections.answer(on_record(ask)) == []


def test_a_word_for_an_older_revision_leaves_the_newest_waiting(
    happening: Happening, corrections: Corrections
) -> None:
    heard(happening, corrections, "result_amended")
    ask = asked(corrections.acknowledge(ROUND, 2, 0.0))
    heard(happening, corrections, "round_voided")
    assert corrections.answer(on_record(ask)) == [Acknowledged(TABLE, ROUND, 2, AT)]
    assert corrections.waiting == (VOIDED,)


def test_a_refusal_is_an_alarm_and_is_not_asked_again(
    happening: Happening, corrections: Corrections
) -> None:
    heard(happening, corrections, "round_voided")
    ask = asked(corrections.acknowledge(ROUND, 4, 0.0))
    assert ask.epoch is None
    refused = asks.error_answer(ask.id, "bad_request", "there is no revision 4")
    (alarm,) = corrections.answer(refused)
    assert isinstance(alarm, Alarm)
    assert (alarm.code, "no revision 4" in alarm.text) == ("ask_refused", True)
    assert corrections.tick(1000.0) == []
    assert corrections.waiting == (VOIDED,)


def test_answers_to_other_questions_are_not_its_own(corrections: Corrections) -> None:
    ask = asked(corrections.acknowledge(ROUND, 2, 0.0))
    assert corrections.answer(asks.error_answer(None, "bad_request", "")) == []
    assert corrections.answer(asks.Tables(id="tables", tables=())) == []
    assert corrections.answer(asks.Tables(id=ask.id, tables=())) == []
    assert asked(corrections.tick(ASK_AGAIN_SECONDS)) == ask


def test_what_a_snapshot_says_is_corrected_waits_as_well(
    happening: Happening, corrections: Corrections
) -> None:
    for event in PUBLIC_EVENTS:
        happening.add(event)
    joined = Joined(TABLE, EPOCH, happening.seq, happening.state)
    corrections.hear(joined)
    assert corrections.waiting == (WaitingCorrection(ROUND, 3),)
    assert asked(corrections.acknowledge(ROUND, 3, 0.0)).epoch is None


def test_a_snapshot_takes_nothing_from_what_is_known(
    happening: Happening, corrections: Corrections
) -> None:
    heard(happening, corrections, "round_voided")
    corrections.hear(Joined(TABLE, EPOCH, happening.seq, happening.state))
    assert corrections.waiting == (VOIDED,)


def test_the_same_revision_in_a_new_epoch_is_another_message(
    happening: Happening, corrections: Corrections
) -> None:
    heard(happening, corrections, "round_voided")
    restored = Happening(Record(), epoch="restored")
    restored.at += timedelta(hours=1)
    message = heard(restored, Corrections(TABLE), "round_voided")
    corrections.hear(RoundChecked(TABLE, ROUND, message))
    assert corrections.waiting == (WaitingCorrection(ROUND, 3, "restored"),)


def test_what_waited_in_an_earlier_run_waits_still() -> None:
    assert Corrections(TABLE, (AMENDED,)).waiting == (AMENDED,)
