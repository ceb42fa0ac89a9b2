# SPDX-License-Identifier: Apache-2.0
"""The reference against coups ruled by hand, and the generator against what it must bring forth."""

import json
from collections import Counter
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.adjudication.bad import all_lines
from tests.adjudication.generator import bad_lines, random_record, records, volume
from tests.adjudication.reading import HOUSES
from tests.adjudication.reference import next_position, rule, rule_line
from tests.adjudication.vectors import Vector, vectors

VECTORS = vectors()
BAD = all_lines()

CODES = {
    "misscan-none",
    "duplicate-card",
    "card-before-close",
    "face-up-in-shoe",
    "double-pull",
    "initial-order",
    "p3-skipped-b-drawn",
    "p3-when-stand-b-draws",
    "third-to-wrong-hand",
    "excess-after-natural",
    "p3-when-stand-b-stands",
    "b3-when-stand",
    "excess-after-complete",
    "initial-short",
    "p3-missed",
    "b3-missed",
    "wrong-result-announced",
    "insufficient-cards",
}

# Banker's row by total, one letter for each value of Player's third card, 0 to 9.
BANKER_DRAWS = {
    0: "DDDDDDDDDD",
    1: "DDDDDDDDDD",
    2: "DDDDDDDDDD",
    3: "DDDDDDDDSD",
    4: "SSDDDDDDSS",
    5: "SSSSDDDDSS",
    6: "SSSSSSDDSS",
    7: "SSSSSSSSSS",
}
BY_POINTS = ("KS", "AS", "2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S")


def without(record: dict[str, Any], *members: str) -> dict[str, Any]:
    """The record, its cards without these members."""
    events = [{k: v for k, v in one.items() if k not in members} for one in record["events"]]
    return record | {"events": events}


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: str(vector.coup.get("id")))
def test_a_coup_is_ruled_as_by_hand(vector: Vector):
    assert rule(vector.coup) == vector.ruling


def test_the_coups_ruled_by_hand_show_every_code_verdict_remedy_and_position():
    rulings = [vector.ruling for vector in VECTORS]
    shown = {one["code"] for ruling in rulings for one in ruling["irregularities"]}
    assert shown == CODES
    assert {ruling["verdict"] for ruling in rulings} == {
        "valid",
        "reconstructed",
        "incomplete",
        "held",
        "void",
    }
    assert {ruling["next"] for ruling in rulings} == {None, "P1", "B1", "P2", "B2", "P3", "B3"}
    remedies = {one["remedy"] for ruling in rulings for one in ruling["surplus"]}
    assert remedies == {"burn", "carry", "free_coup"}
    assert {vector.coup.get("house", "studio") for vector in VECTORS} == set(HOUSES)


@pytest.mark.parametrize("name", BAD)
def test_a_line_that_cannot_be_understood_is_answered_with_an_error(name: str):
    expected_id, line = BAD[name]
    answer = rule_line(line)
    assert answer is not None
    assert answer.keys() == {"id", "error"}
    assert answer["id"] == expected_id
    assert answer["error"]


@pytest.mark.parametrize("line", [b"", b"\n", b"  \t\r\n"])
def test_a_blank_line_is_no_record(line: bytes):
    assert rule_line(line) is None


def test_the_arithmetic_of_the_third_card_is_the_printed_tableau():
    for banker, third in product(range(8), range(10)):
        player_hand, banker_hand = ["KH", "KD", BY_POINTS[third]], ["KC", BY_POINTS[banker]]
        draws = next_position(player_hand, banker_hand) == "B3"
        assert draws == (BANKER_DRAWS[banker][third] == "D"), (banker, third)


def test_the_first_four_cards_decide_who_draws_first():
    for player, banker in product(range(10), repeat=2):
        asked = next_position(["KH", BY_POINTS[player]], ["KC", BY_POINTS[banker]])
        if max(player, banker) >= 8:
            assert asked is None
        elif player <= 5:
            assert asked == "P3"
        else:
            assert asked == ("B3" if banker <= 5 else None)


@given(records())
def test_where_cards_were_laid_never_changes_the_hands(record):
    laid, not_known = rule(record), rule(without(record, "at"))
    for member in ("player", "banker", "outcome", "surplus", "next", "last_coup"):
        assert laid[member] == not_known[member]


@given(records(), st.randoms(use_true_random=False))
def test_it_does_not_matter_where_an_entry_stands(record, chance):
    entries = [event for event in record["events"] if "enter" in event]
    moved = [event for event in record["events"] if "enter" not in event]
    for entry in entries:
        moved.insert(chance.randrange(len(moved) + 1), entry)
    assert rule(record | {"events": moved}) == rule(record)


@given(records(), st.randoms(use_true_random=False))
def test_a_held_coup_is_the_coup_up_to_the_hold_and_its_cut_card(record, chance):
    events = [event for event in record["events"] if "enter" not in event]
    place = chance.randrange(len(events) + 1)
    events[place:place] = [{"bets": "closed"}, {"card": None}]
    ruling = rule(record | {"events": events})
    assert ruling["verdict"] in ("held", "void")
    hold = ruling["irregularities"][-1]
    assert hold["code"] == "misscan-none"
    assert len(ruling["player"] + ruling["banker"] + ruling["surplus"]) == hold["card"] - 1
    end = [n for n, event in enumerate(events) if "card" in event][hold["card"] - 1] + 1
    short = [*events[:end], *(event for event in events[end:] if event.get("cut_card"))]
    assert rule(record | {"events": short}) == ruling


@given(records())
def test_every_card_is_in_a_hand_or_in_the_surplus_unless_the_coup_is_held(record):
    ruling = rule(record)
    assume("misscan-none" not in {one["code"] for one in ruling["irregularities"]})
    placed = ruling["player"] + ruling["banker"] + [one["card"] for one in ruling["surplus"]]
    entered = {event["for"]: event["enter"] for event in record["events"] if "enter" in event}
    drawn = [event["card"] for event in record["events"] if "card" in event]
    known = [card or entered.get(number) for number, card in enumerate(drawn, 1)]
    assert Counter(placed) == Counter(known)


@given(bad_lines())
def test_a_bad_line_never_gets_a_ruling(line):
    answer = rule_line(line)
    assert answer is not None
    assert answer.keys() == {"id", "error"}


def test_the_generator_brings_forth_everything_the_contract_names():
    chance = Random(1)
    codes: Counter[str] = Counter()
    others: Counter[tuple[str, str | None]] = Counter()
    for _ in range(4000):
        ruling = rule(random_record(chance))
        codes.update(one["code"] for one in ruling["irregularities"])
        others.update((name, ruling[name]) for name in ("verdict", "next", "outcome", "last_coup"))
        others.update(("remedy", one["remedy"]) for one in ruling["surplus"])
    assert {code for code in CODES if codes[code] >= 20} == CODES
    verdicts = ("valid", "reconstructed", "incomplete", "held", "void")
    for name, values in (
        ("verdict", verdicts),
        ("next", ("P1", "B1", "P2", "B2", "P3", "B3")),
        ("outcome", ("player", "banker", "tie")),
        ("last_coup", ("this", "next")),
        ("remedy", ("burn", "carry", "free_coup")),
    ):
        assert [value for value in values if others[name, value] < 20] == [], name


def test_a_seed_gives_the_same_lines_again():
    assert list(volume(7, 50)) == list(volume(7, 50))
    assert all(isinstance(rule_line(line), dict) for line in volume(7, 50))


def test_a_ruling_is_plain_json():
    for line in volume(8, 200):
        answer = rule_line(line)
        assert json.loads(json.dumps(answer)) == answer
