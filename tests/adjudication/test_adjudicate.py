# SPDX-License-Identifier: Apache-2.0
"""The table's own rulings against the independent reference, and a coup explained to a person."""

import json
from functools import cache

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from studio.game.adjudicate import AtBets, at_bets_of, judged, ruling_of
from studio.game.compact import BadCoup, record_from
from studio.game.explain import explained
from studio.game.record_events import Record, known_record, record_of
from studio.game.record_line import check_once, object_of
from tests.adjudication.bad import TWICE, all_lines
from tests.adjudication.compare import differences
from tests.adjudication.generator import bad_lines, records, volume
from tests.adjudication.reading import HOUSES
from tests.adjudication.vectors import Vector, vectors
from tests.game.houses import NAMES
from tests.game.houses import house as shipped


@cache
def house(name: str) -> AtBets | None:
    return at_bets_of(shipped(name)) if name in NAMES else None


def adjudicate(lines: bytes) -> bytes:
    rulings = [ruling_of(line, house) for line in lines.splitlines() if line.strip()]
    return b"".join(msgspec.json.encode(ruling) + b"\n" for ruling in rulings)


@pytest.mark.req("VOID-11")
@pytest.mark.parametrize("case", vectors(), ids=lambda case: str(case.coup.get("id")))
def test_a_golden_coup_is_ruled_as_written(case: Vector) -> None:
    (line,) = adjudicate(json.dumps(case.coup).encode()).splitlines()
    assert json.loads(line) == case.ruling


@given(records())
def test_any_record_is_ruled_as_the_reference_rules_it(record: dict[str, object]) -> None:
    assert differences(adjudicate, [json.dumps(record).encode()]) == []


@given(bad_lines())
def test_any_bad_line_gets_the_error_form(line: bytes) -> None:
    assert differences(adjudicate, [line]) == []


def test_thousands_of_random_records_agree_with_the_reference() -> None:
    assert differences(adjudicate, list(volume(20261130, 4000))) == []


def test_where_an_early_card_voids_the_round_the_reference_says_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, remedies in HOUSES.items():
        monkeypatch.setitem(HOUSES, name, remedies._replace(early="void"))

    @cache
    def strict(name: str) -> AtBets | None:
        if name not in NAMES:
            return None
        return at_bets_of(replace(shipped(name), early_card="void"))

    def ours(lines: bytes) -> bytes:
        told = (ruling_of(line, strict) for line in lines.splitlines() if line.strip())
        return b"".join(msgspec.json.encode(one) + b"\n" for one in told)

    assert differences(ours, list(volume(20261201, 2000))) == []


def _with_care(line: bytes) -> Record:
    read = object_of(line)
    check_once(line, read)
    return record_of(read)


@given(records(), st.sampled_from([(", ", ": "), (",", ":"), (" ,", "\t:  ")]))
def test_a_record_that_is_understood_at_once_is_what_care_makes_of_it(
    record: dict[str, object], separators: tuple[str, str]
) -> None:
    line = json.dumps(record, separators=separators).encode()
    assert known_record(line) in (None, _with_care(line))


def test_most_records_are_understood_at_once_and_no_bad_one_is() -> None:
    lines = [json.dumps(one.coup).encode() for one in vectors()]
    assert sum(known_record(line) is not None for line in lines) > len(lines) / 2
    understood = [name for name, (_, line) in all_lines().items() if known_record(line)]
    # these are records, of a house that does not exist
    assert all("house" in name for name in understood)


@pytest.mark.parametrize(
    "line, text",
    [
        (TWICE["house-twice"], "house: given twice"),
        (TWICE["seen-card-twice"], "seen.7H: given twice"),
        (TWICE["box-twice"], "events[0].at: given twice"),
        (TWICE["card-twice"], "events[1].card: given twice"),
        (TWICE["name-escaped"], "events: given twice"),
    ],
)
def test_a_member_given_twice_is_an_error_that_says_where(line: bytes, text: str) -> None:
    assert ruling_of(line, house)["error"] == text


def test_a_text_that_looks_like_a_member_is_none() -> None:
    line = rb'{"id": ":a\":\"b\": ", "events": [{"card": "9C"}]}'
    assert ruling_of(line, house)["verdict"] == "incomplete"


def test_nothing_is_moved_for_a_void_coup() -> None:
    record = record_of(record_from("6D>B 2C>P KC EMPTY", "venezia"))
    rules = shipped("venezia")
    told = explained(record, judged(record, at_bets_of(rules)), rules)
    assert told.moves == ("Nothing: no card of a void coup counts.",)


@pytest.mark.parametrize(
    "line, void_by",
    [
        ("6D EMPTY", ["Void for insufficient-cards: general knowledge"]),
        ("6D " * 7, ["Void for duplicate-card: general knowledge"]),
        ("6D 7D+", ["House spain, stuck_cards = void: Melilla"]),
    ],
)
def test_a_void_coup_is_explained_by_what_voids_it_and_not_by_the_tableau(
    line: str, void_by: list[str]
) -> None:
    rules = shipped("spain")
    record = record_of(record_from(line, "spain"))
    told = explained(record, judged(record, at_bets_of(rules)), rules).ruling
    assert told[0] == "The coup is void; stakes are returned."
    assert [one for one in told[1:] if one.startswith(tuple(void_by))]
    assert not [one for one in told if one.startswith("By the tableau")]


@pytest.mark.parametrize("mark, is_said", [("", True), ("~", False)])
def test_why_a_card_that_players_saw_is_not_carried_is_said(mark: str, is_said: bool) -> None:
    rules = shipped("atlantic-city")
    record = record_of(record_from(f"9C KD JS 3H 7C{mark}", rules.name))
    told = explained(record, judged(record, at_bets_of(rules)), rules).ruling
    why = "A card that players saw never enters a coup with bets: all go to a free coup."
    assert (why in told) is is_said


@pytest.mark.parametrize("line", ["", "   "])
def test_an_empty_coup_is_told_what_a_coup_is(line: str) -> None:
    with pytest.raises(BadCoup, match="the coup is empty: give its cards, as in"):
        record_from(line, "studio")


def test_a_coup_is_explained_with_boxes_moves_rows_and_source() -> None:
    record = record_of(record_from("6D>P 2C>B KC>P 2S>B 5H>P", "venezia"))
    rules = shipped("venezia")
    told = explained(record, judged(record, at_bets_of(rules)), rules)
    assert told.as_laid.player == ("6D", "KC", "5H")
    assert told.as_must_be.banker == ("2C", "2S", "5H")
    assert told.moves == ("5H (card 5) from Punto's box to Banco's box, as B3",)
    assert told.tableau == ("Punto 6: Punto stands.", "Banco 4, Punto stood: Banco draws.")
    assert told.ruling[1] == "Punto 6, Banco 9: Banco wins."


def test_what_shows_before_any_card_is_not_said_of_a_card() -> None:
    record = record_of(record_from("P! 6D T!", "venezia"))
    rules = shipped("venezia")
    told = explained(record, judged(record, at_bets_of(rules)), rules)
    assert [one.split(":")[0] for one in told.findings] == ["Before the first card", "Card 1"]


@pytest.mark.parametrize("house_name", NAMES)
def test_a_house_that_rules_is_named_with_its_source(house_name: str) -> None:
    rules = shipped(house_name)
    record = record_of(record_from("( QC ) 5S^ 6D+ 2D 9C 8C 7C~ 6C~ P!", house_name))
    told = explained(record, judged(record, at_bets_of(rules)), rules)
    for key in ("early_card", "face_up_card"):
        value = f"{key} = {getattr(rules, key)}: {rules.sources[key]}"
        assert any(value in line for line in told.ruling)


@pytest.mark.parametrize(
    "line, words",
    [
        ("?? 3=5D", "'enter': '5D', 'for': 3"),
        ("( 9H ) 2C>b+ t! cut empty", "'stuck': True"),
        ("4S>P^~", "'face_up': True, 'unseen': True"),
    ],
)
def test_the_short_form_says_what_the_record_says(line: str, words: str) -> None:
    assert words in str(record_from(line, "studio"))


@pytest.mark.parametrize("word", ["1H", "9X", "9H>X", "P", "0=5D", "=", "9H>"])
def test_a_word_that_is_none_is_told(word: str) -> None:
    with pytest.raises(BadCoup, match="is not understood"):
        record_from(f"9H {word}", "studio")


def test_a_coup_is_ruled_alike_whatever_began_with_the_same_two_cards_before_it() -> None:
    lines = [json.dumps(vector.coup).encode() for vector in vectors()] + list(volume(7, 500))
    remembering = {name: at_bets_of(shipped(name)) for name in NAMES}
    for line in (*lines, *reversed(lines)):
        fresh = {name: replace(one, begun={}) for name, one in remembering.items()}
        assert ruling_of(line, remembering.get) == ruling_of(line, fresh.get)
    assert all(one.begun for one in remembering.values())
