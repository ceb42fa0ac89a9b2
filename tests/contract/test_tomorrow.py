# SPDX-License-Identifier: Apache-2.0
"""A front-end written for today's messages reads tomorrow's, and refuses what it cannot know."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
import pytest
from hypothesis import given

from studio.feed import asks, wire
from studio.feed.asks import AskHistory, AskRound, AskSnapshot
from studio.feed.signing import Signer, new_secret
from studio.feed.subscriber import Subscriber
from studio.feed.updates import Accepted, Alarm, Status
from studio.game import events as ev
from tests.contract.fits import faults, validator
from tests.contract.test_schemas import every_right_one
from tests.contract.tomorrow import NEW, anything, as_sent_tomorrow, grown, without_new
from tests.feed.examples import EPOCH, PUBLIC_EVENTS, ROUND, TABLE
from tests.feed.fake_studio import FakeStudio, Happening, Record
from tests.feed.following import Following, bets_open, live
from tests.waiting import until

Change = Callable[[bytes], bytes]


def plain(value: Any) -> Any:
    return json.loads(msgspec.json.encode(value))


def changed(payload: bytes, **members: Any) -> bytes:
    return json.dumps(json.loads(payload) | members).encode()


def data_changed(payload: bytes, **members: Any) -> bytes:
    read = json.loads(payload)
    return json.dumps(read | {"data": read["data"] | members}).encode()


def of_new_types(payload: bytes) -> bytes:
    """Manual mode is told by a type that nobody knows, with nothing that is known in it."""
    read = json.loads(payload)
    if read.get("type") == "manual_mode":
        read |= {"type": NEW, "data": {"tables": [], NEW: {"revision": "x"}}}
    return json.dumps(read).encode()


# --- more members, more types -------------------------------------------------------------------


@given(anything)
def test_the_schemas_of_today_let_tomorrows_members_in_at_every_place(new: Any) -> None:
    for right in every_right_one():
        assert faults(grown(right, new)) == []


def test_the_schema_of_any_message_lets_in_a_type_that_nobody_knows() -> None:
    (right,) = (one for one in every_right_one() if one.get("type") == "manual_mode")
    new = json.loads(of_new_types(json.dumps(right).encode()))
    assert faults(new, "message") == []
    assert faults(new | {"v": 2}, "message")


def followed(change: Change) -> Following:
    """A table followed through every event twice, by message, history and rounds."""
    happening = Happening(Record())
    happening.as_sent = change
    happening.add(PUBLIC_EVENTS[0])
    following = Following(happening)
    following.settle()
    following.say(*PUBLIC_EVENTS)
    for event in PUBLIC_EVENTS:
        happening.add(event)
    following.settle()
    return following


@given(anything)
def test_a_subscriber_of_today_keeps_the_same_picture_of_tomorrows_table(new: Any) -> None:
    today = followed(of_new_types)
    tomorrow = followed(lambda payload: of_new_types(as_sent_tomorrow(payload, new)))
    assert tomorrow.alarms == today.alarms == []
    assert tomorrow.follower.seq == today.follower.seq == 1 + 2 * len(PUBLIC_EVENTS)
    assert [one.seq for one in tomorrow.accepted] == [one.seq for one in today.accepted]
    pictures = [plain(one.follower.view) for one in (today, tomorrow)]
    assert without_new(pictures[1]) == pictures[0]
    assert tomorrow.follower.rounds == today.follower.rounds
    assert {type(one.data) for one in tomorrow.accepted} >= {type(None)}


@given(anything)
def test_a_subscriber_of_today_reads_tomorrows_answers_of_every_kind(new: Any) -> None:
    happening = Happening(Record())
    for event in PUBLIC_EVENTS:
        happening.add(event)
    questions = [
        asks.AskTables(id="a"),
        AskSnapshot(id="b", table=TABLE),
        AskHistory(id="c", table=TABLE, epoch=EPOCH, after=0),
        AskHistory(id="d", table=TABLE, epoch="another", after=0),
        AskRound(id="e", table=TABLE, round=ROUND),
        AskRound(id="f", table=TABLE, round="another"),
    ]
    for question in questions:
        request = asks.encode(question)
        assert faults(json.loads(request)) == []
        today = happening.answer(request)
        happening.as_sent = partial(as_sent_tomorrow, new=new)
        tomorrow = happening.answer(request)
        happening.as_sent = bytes
        assert without_new(plain(tomorrow)) == plain(today)


@given(anything)
def test_a_table_of_today_answers_the_requests_of_a_front_end_of_tomorrow(new: Any) -> None:
    happening = Happening(Record())
    for question in ("tables", "snapshot"):
        today = {"v": 1, "id": "a", "ask": question, "table": TABLE}
        tomorrow = json.dumps(today | {NEW: new}).encode()
        assert happening.answer(tomorrow) == happening.answer(json.dumps(today).encode())
    unheard_of = json.dumps({"v": 1, "id": "a", "ask": NEW, "table": TABLE}).encode()
    told = happening.answer(unheard_of)
    assert isinstance(told, asks.Error)
    assert (told.id, told.code) == ("a", "bad_request")


def test_a_signed_heartbeat_of_tomorrow_is_believed_by_a_real_subscriber() -> None:
    signer = Signer(new_secret())
    happening = Happening(Record())
    happening.sign = signer.sign
    happening.as_sent = lambda payload: of_new_types(as_sent_tomorrow(payload, {"key": 1}))
    for event in bets_open():
        happening.add(event)
    with FakeStudio(happening) as studio:
        public = signer.public.hex()
        with Subscriber(
            studio.pub,
            studio.requests,
            None,
            "test",
            signing=[public],
            wall=lambda: happening.at,
        ) as subscriber:
            heard: list[Any] = []

            def is_live() -> bool:
                studio.beat()
                heard.extend(subscriber.poll(0.05))
                return subscriber.bets_are_open(TABLE)

            until(is_live, 20)
            studio.say(ev.ManualModeChanged(on=True, by="s"), ev.BetsClosed(guard_until=None))
            until(lambda: not is_live() and subscriber.proven(TABLE) == happening.seq, 20)
    assert [one for one in heard if isinstance(one, Alarm)] == []
    types = [one.message.type for one in heard if isinstance(one, Accepted)]
    assert types[-2:] == [NEW, "bets_closed"]


# --- codes --------------------------------------------------------------------------------------


def test_codes_that_nobody_knows_are_taken_as_codes() -> None:
    following = live(*bets_open())
    following.happening.as_sent = lambda payload: changed(payload, source=NEW)
    following.say(ev.TableSuspended(reason=NEW), ev.RoundHeld(reason=NEW))
    following.say(ev.RoundReleased(set_aside=(), text=NEW, by="s"), ev.CutCardSeen(last_coup=NEW))
    following.beat(NEW)
    assert following.status() is Status.LIVE
    assert following.alarms == []
    assert following.follower.suspended == NEW
    assert not following.follower.bets_are_open(following.now)


def test_in_a_phase_that_nobody_knows_no_bets_are_open() -> None:
    happening = Happening(Record())
    for event in bets_open():
        happening.add(event)
    happening.state = msgspec.structs.replace(happening.state, phase=NEW)
    following = Following(happening)
    following.settle()
    assert following.status() is Status.LIVE
    assert not following.follower.bets_are_open(following.now)


def test_a_no_for_a_reason_that_nobody_knows_is_told_and_asked_again() -> None:
    following = Following(Happening(Record()))
    asked = following.asked.pop(0)
    following.give(asks.error_answer(asked.id, NEW, "for a reason of tomorrow"))
    assert following.alarms == ["ask_refused"]
    following.wait(3)
    following.settle()
    assert following.status() is Status.LIVE


def test_a_signature_by_a_way_that_nobody_knows_is_not_believed() -> None:
    happening = Happening(Record())
    signer = Signer(new_secret())
    happening.sign = lambda text: msgspec.structs.replace(signer.sign(text), algorithm=NEW)
    with FakeStudio(happening) as studio:
        keys = [signer.public.hex()]
        with Subscriber(studio.pub, studio.requests, [TABLE], "test", signing=keys) as subscriber:
            heard: list[Any] = []

            def is_told() -> bool:
                studio.beat()
                heard.extend(subscriber.poll(0.05))
                return any(isinstance(one, Alarm) and one.code == "impostor" for one in heard)

            until(is_told, 20)
            assert not subscriber.bets_are_open(TABLE)


# --- what must be refused -----------------------------------------------------------------------

_RESULT = next(event for event in PUBLIC_EVENTS if isinstance(event, ev.ResultConfirmed))
UNREADABLE: dict[str, Change] = {
    "another version": lambda payload: changed(payload, v=2),
    "an outcome that is none": lambda payload: data_changed(payload, outcome=NEW),
    "a card that is none": lambda payload: data_changed(payload, player=["1H", "KS"]),
    "a time without a zone": lambda payload: data_changed(
        payload, amendable_until="2026-11-30T00:00:00"
    ),
    "no revision": lambda payload: data_changed(payload, revision=None),
}


@pytest.mark.parametrize("change", UNREADABLE.values(), ids=UNREADABLE)
def test_what_cannot_be_understood_is_no_message_and_stays_a_gap(change: Change) -> None:
    following = live(*bets_open())
    following.happening.as_sent = bytes
    payload = change(following.happening.add(_RESULT).payload)
    following.happening.record.rows[-1] = (EPOCH, following.happening.seq, payload)
    with pytest.raises(wire.WireError):
        wire.decode(payload)
    assert faults(json.loads(payload), "messages/result")
    following.beat()
    following.answer_all()
    following.wait(1)
    following.answer_all()
    assert following.alarms == ["unreadable"]
    assert following.follower.seq == following.happening.seq - 1
    assert following.status() is Status.CATCHING_UP
    assert not following.follower.bets_are_open(following.now)


@pytest.mark.parametrize("question", ["tables", "snapshot"])
def test_an_answer_of_another_version_is_refused(question: str) -> None:
    happening = Happening(Record())
    request = json.dumps({"v": 1, "id": "a", "ask": question, "table": TABLE}).encode()
    happening.as_sent = lambda payload: changed(payload, v=2)
    with pytest.raises(ValueError, match="answer of version 2, expected 1"):
        happening.answer(request)
    happening.as_sent = bytes
    told = json.loads(asks.encode(happening.answer(request)))
    assert list(validator(f"answers/{question}").iter_errors(told | {"v": 2}))
