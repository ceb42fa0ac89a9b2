# SPDX-License-Identifier: Apache-2.0
"""Who is to acknowledge which correction, and what an operator's word is good for."""

from datetime import datetime, timedelta
from typing import Any

import msgspec
import pytest

from studio.feed import answers, asks, wire
from studio.feed.acknowledgements import (
    MOST_TOLD,
    Acknowledgements,
    Book,
    Confirmed,
    Correction,
    KeyState,
    Operator,
    correction_of,
    overdue,
    told,
)
from studio.feed.allowed import Allowed, Kind
from tests.feed.examples import AT, EPOCH, PUBLIC_EVENTS, ROUND, TABLE
from tests.feed.fake_studio import Happening, Record

MINUTE = timedelta(minutes=1)
OTHER = "BAC-1-20261129-0215"


def key(
    name: str, *, added: datetime = AT, revoked: datetime | None = None, number: int = 0
) -> Allowed:
    public = f"{number:064x}"
    return Allowed(name=name, kind=Kind.OPERATOR, public=public, added=added, revoked=revoked)


def amended(revision: int, minutes: int, round_id: str = ROUND, epoch: str = EPOCH) -> Correction:
    return Correction(epoch, round_id, revision, "result_amended", AT + minutes * MINUTE)


def waiting(operator: Operator) -> list[tuple[str, int, float]]:
    """Round, revision, and the minute since when."""
    return [
        (one.round, one.revision, (one.since - AT).total_seconds() / 60) for one in operator.waiting
    ]


@pytest.fixture
def book() -> Book:
    return Book()


def test_a_correction_waits_for_everybody_who_held_a_key_when_it_was_made(book: Book) -> None:
    book.correct(amended(2, 10))
    keys = [
        key("acme"),
        key("late", added=AT + 11 * MINUTE),
        key("gone", revoked=AT + 9 * MINUTE),
        key("moved", revoked=AT + 9 * MINUTE),
        key("moved", added=AT + 8 * MINUTE, number=1),
        key("barred", revoked=AT + 12 * MINUTE),
    ]
    found = {one.name: one for one in book.operators(keys, {"acme"})}
    assert {name: waiting(one) for name, one in found.items()} == {
        "acme": [(ROUND, 2, 10)],
        "barred": [(ROUND, 2, 10)],
        "late": [],
        "moved": [(ROUND, 2, 10)],
    }
    assert (found["acme"].key, found["acme"].connected) == (KeyState.IN_FORCE, True)
    assert (found["barred"].key, found["barred"].revoked) == (KeyState.REVOKED, AT + 12 * MINUTE)
    assert (found["moved"].key, found["moved"].revoked) == (KeyState.IN_FORCE, None)


def test_the_newest_revision_waits_since_the_first_that_was_not_confirmed(book: Book) -> None:
    for correction in (amended(4, 30), amended(2, 10), amended(3, 20)):
        book.correct(correction)
    keys = [key("acme"), key("best"), key("calm")]
    book.confirm(Confirmed("best", EPOCH, ROUND, 2))
    book.confirm(Confirmed("calm", EPOCH, ROUND, 4))
    acme, best, calm = book.operators(keys)
    assert waiting(acme) == [(ROUND, 4, 10)]
    assert waiting(best) == [(ROUND, 4, 20)]
    assert waiting(calm) == []


def test_what_waits_longest_comes_first(book: Book) -> None:
    book.correct(amended(2, 20))
    book.correct(amended(2, 10, OTHER))
    (acme,) = book.operators([key("acme")])
    assert waiting(acme) == [(OTHER, 2, 10), (ROUND, 2, 20)]
    assert acme.outstanding == 2


def test_a_word_for_a_message_of_another_epoch_is_none_for_this_one(book: Book) -> None:
    book.confirm(Confirmed("acme", "an epoch that was restored over", ROUND, 2))
    book.correct(amended(2, 10))
    (acme,) = book.operators([key("acme")])
    assert waiting(acme) == [(ROUND, 2, 10)]


def test_a_round_that_all_have_confirmed_waits_again_when_it_is_corrected_again(
    book: Book,
) -> None:
    book.correct(amended(2, 10))
    book.confirm(Confirmed("acme", EPOCH, ROUND, 2))
    assert book.operators([key("acme")])[0].outstanding == 0
    book.correct(amended(3, 20))
    assert waiting(book.operators([key("acme")])[0]) == [(ROUND, 3, 20)]


def test_only_an_operator_who_can_confirm_is_late(book: Book) -> None:
    book.correct(amended(2, 10))
    acme, barred = book.operators([key("acme"), key("barred", revoked=AT + 11 * MINUTE)])
    at = AT + 11 * MINUTE
    assert not overdue(acme, 60, at)
    assert overdue(acme, 60, at + timedelta(seconds=1))
    assert not overdue(barred, 60, at + 99 * MINUTE)


def test_of_an_operator_who_confirms_nothing_only_the_oldest_go_on_the_wire(book: Book) -> None:
    for number in range(MOST_TOLD + 5):
        book.correct(amended(2, number, f"r{number}"))
    (acme,) = told(book.operators([key("acme")]))
    assert [one[0] for one in waiting(acme)] == [f"r{number}" for number in range(MOST_TOLD)]
    assert acme.outstanding == MOST_TOLD + 5


def test_amendments_and_voids_are_corrections_and_nothing_else_is() -> None:
    happening = Happening(Record())
    messages = [happening.add(event) for event in PUBLIC_EVENTS]
    found = [one for one in map(correction_of, messages) if one is not None]
    assert [(one.round, one.revision, one.type) for one in found] == [
        (ROUND, 2, "result_amended"),
        (ROUND, 3, "round_voided"),
    ]


def test_what_staff_are_told_beside_the_record_is_an_envelope_as_any(book: Book) -> None:
    book.correct(amended(2, 10))
    data = Acknowledgements(operators=book.operators([key("acme")]), acknowledge_seconds=60)
    payload = wire.note_payload(TABLE, EPOCH, 7, AT, "acknowledgements", data, None, ROUND)
    read = msgspec.json.decode(payload)
    assert (read["type"], read["seq"], read["table"]) == ("acknowledgements", 7, TABLE)
    (acme,) = read["data"]["operators"]
    assert (acme["name"], acme["key"], acme["outstanding"]) == ("acme", "in_force", 1)
    assert acme["waiting"][0]["type"] == "result_amended"
    assert msgspec.json.decode(msgspec.json.encode(read["data"]), type=Acknowledgements) == data


# --- the request --------------------------------------------------------------------------------


class Words:
    """Takes every word, as a studio does that keeps the first."""

    def __init__(self) -> None:
        self.first: dict[tuple[str, str, int], datetime] = {}

    def __call__(self, one: Correction) -> datetime:
        now = AT + len(self.first) * MINUTE
        return self.first.setdefault((one.epoch, one.round, one.revision), now)


@pytest.fixture
def happening() -> Happening:
    made = Happening(Record())
    for event in PUBLIC_EVENTS:
        made.add(event)
    return made


def acknowledged(happening: Happening, words: Any, **members: Any) -> asks.Answer:
    request = {"v": 1, "id": "e", "ask": "acknowledge", "table": TABLE, "round": ROUND} | members
    frame = msgspec.json.encode(request)
    return asks.read_answer(answers.answer(frame, happening.view, happening.record, words))


def test_a_word_is_taken_once_and_told_again_with_its_first_time(happening: Happening) -> None:
    words = Words()
    third = acknowledged(happening, words, revision=3)
    second = acknowledged(happening, words, revision=2, epoch=EPOCH)
    assert third == asks.Acknowledged(id="e", table=TABLE, round=ROUND, revision=3, at=AT)
    assert isinstance(second, asks.Acknowledged)
    assert second.at == AT + MINUTE
    assert acknowledged(happening, words, revision=3) == third
    assert len(words.first) == 2


@pytest.mark.parametrize(
    "members, code, text",
    [
        ({"revision": 4}, "bad_request", "no revision 4 of this round; the last one is 3"),
        ({"revision": 1}, "bad_request", "revision 1 is the first result"),
        ({"revision": 0}, "bad_request", "revision"),
        ({}, "bad_request", "revision"),
        ({"revision": 2, "round": "r"}, "unknown_round", "no round 'r'"),
        ({"revision": 2, "table": "BAC-10"}, "unknown_table", "BAC-10"),
        ({"revision": 2, "epoch": "old"}, "epoch_changed", "another epoch"),
    ],
)
def test_what_cannot_be_acknowledged_is_refused_with_the_reason_and_nothing_is_kept(
    happening: Happening, members: dict[str, Any], code: str, text: str
) -> None:
    words = Words()
    answer = acknowledged(happening, words, **members)
    assert isinstance(answer, asks.Error)
    assert (answer.code, answer.id) == (code, "e")
    assert text in answer.text
    assert words.first == {}
    if code == "epoch_changed":
        assert answer.epoch == EPOCH


def test_a_round_under_way_and_one_with_a_result_alone_have_nothing_to_acknowledge() -> None:
    happening = Happening(Record())
    opened = next(one for one in PUBLIC_EVENTS if type(one).__name__ == "BetsOpened")
    result = next(one for one in PUBLIC_EVENTS if type(one).__name__ == "ResultConfirmed")
    for event, text in ((opened, "the last one is 0"), (result, "the first result")):
        happening.add(event)
        answer = acknowledged(happening, Words(), revision=1)
        assert isinstance(answer, asks.Error)
        assert (answer.code, text in answer.text) == ("bad_request", True)


def test_without_keys_there_is_no_operator_and_the_answer_says_so(happening: Happening) -> None:
    answer = acknowledged(happening, answers.no_operators, revision=2)
    assert isinstance(answer, asks.Error)
    assert (answer.code, "asks for no keys" in answer.text) == ("bad_request", True)
