# SPDX-License-Identifier: Apache-2.0
"""Roads: worked examples, and what holds for every shoe."""

import json
from types import SimpleNamespace

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.game.coup import Outcome
from studio.game.events import Pairs
from studio.game.roads import ROWS, Counts, counts_of, layout, parse_marks, roads_of

shoes = st.text("PBT", max_size=90)
long_runs = st.lists(st.integers(1, 14), max_size=14).map(
    lambda runs: "".join("PB"[number % 2] * length for number, length in enumerate(runs))
)


def drawn(places, marks) -> list[str]:
    """A road as text, a blank where nothing lies."""
    cells = {(place.col, place.row): mark for place, mark in zip(places, marks, strict=True)}
    assert len(cells) == len(marks), "two marks in one cell"
    columns = max(col for col, _ in cells) + 1
    rows = ["".join(cells.get((col, row), " ") for col in range(columns)) for row in range(ROWS)]
    return [row.rstrip() for row in rows]


def big_road(text: str) -> list[str]:
    road = roads_of(text).big_road
    return drawn(road, [entry.mark for entry in road])


def asked(text: str) -> dict[str, str]:
    """What the derived roads would say, Banker's then Player's mark of each."""
    ask = roads_of(text).ask
    return {
        road: f"{getattr(ask.banker, road)}{getattr(ask.player, road)}"
        for road in ("big_eye", "small", "cockroach")
    }


TIES = "TBBTPBBBTTPPBP"
TAIL = "BBBBBBBBBPBBBBBBP"


def test_ties_are_counted_and_neither_start_nor_break_a_run():
    roads = roads_of(TIES)
    assert drawn(roads.bead, TIES) == ["TBB", "BBP", "BT", "TT", "PP", "BP"]
    assert big_road(TIES) == ["BPBPBP", "B BP", "  B", "", "", ""]
    assert [entry.ties for entry in roads.big_road] == [1, 1, 0, 0, 0, 2, 0, 0, 0, 0]
    assert (roads.big_eye, roads.small, roads.cockroach) == ("bbrbrbb", "rbbbbb", "rrr")
    assert drawn(layout(roads.big_eye), roads.big_eye) == ["brbrb", "b   b", "", "", "", ""]
    assert drawn(layout(roads.small), roads.small) == ["rb", " b", " b", " b", " b", ""]
    assert drawn(layout(roads.cockroach), roads.cockroach) == ["r", "r", "r", "", "", ""]
    assert asked(TIES) == {"big_eye": "rb", "small": "br", "cockroach": "br"}


def test_a_tail_goes_right_and_a_later_one_turns_above_it():
    roads = roads_of(TAIL)
    assert big_road(TAIL) == ["BPBP", "B B", "B B", "B B", "B BB", "BBBB"]
    assert (roads.big_eye, roads.small, roads.cockroach) == ("bbrrrrb", "rrrrrb", "")
    assert drawn(layout(roads.big_eye), roads.big_eye) == ["brb", "br", " r", " r", "", ""]
    assert drawn(layout(roads.small), roads.small) == ["rb", "r", "r", "r", "r", ""]
    assert asked(TAIL) == {"big_eye": "br", "small": "rb", "cockroach": "br"}


def test_a_run_starts_right_of_a_tail_that_turned_in_the_top_row():
    # each run stops one row above the tail before it, until one turns in the top row
    text = "B" * 12 + "P" * 11 + "B" * 10 + "P" * 9 + "B" * 8 + "P" * 7 + "B"
    road = roads_of(text).big_road
    assert [(entry.col, entry.row) for entry in road[-8:]] == [
        *((col, 0) for col in range(5, 12)),
        (12, 0),
    ]


@pytest.mark.parametrize(
    "text, derived",
    [
        ("PBB", ("b", "", "")),
        ("BPBB", ("rb", "b", "")),
        ("PBTPB", ("rr", "r", "")),
        ("BPBBBBBBBP", ("rbrrrrrb", "brrrrrb", "")),
    ],
)
def test_derived_roads_of_short_shoes(text, derived):
    roads = roads_of(text)
    assert (roads.big_eye, roads.small, roads.cockroach) == derived


def test_ties_alone_are_on_the_bead_plate_only():
    roads = roads_of("TT")
    assert len(roads.bead) == 2
    assert roads.big_road == ()


def test_roads_as_json_have_the_promised_shape():
    assert json.loads(msgspec.json.encode(roads_of("TPB"))) == {
        "bead": [
            {"col": 0, "row": 0, "mark": "T"},
            {"col": 0, "row": 1, "mark": "P"},
            {"col": 0, "row": 2, "mark": "B"},
        ],
        "big_road": [
            {"col": 0, "row": 0, "mark": "P", "ties": 1},
            {"col": 1, "row": 0, "mark": "B", "ties": 0},
        ],
        "big_eye": "",
        "small": "",
        "cockroach": "",
        "ask": {
            "B": {"big_eye": "b", "small": None, "cockroach": None},
            "P": {"big_eye": "r", "small": None, "cockroach": None},
        },
    }


def test_marks_are_read_with_blanks_and_in_either_case():
    assert parse_marks(" pB\nT") == (Outcome.PLAYER, Outcome.BANKER, Outcome.TIE)
    assert roads_of(parse_marks("PBT")) == roads_of("pbt")


def test_a_letter_that_is_no_mark_is_refused_with_its_place():
    with pytest.raises(ValueError, match='mark 3 is "X": use P, B and T only'):
        roads_of("PBX")


@given(shoes | long_runs)
def test_asking_is_the_same_as_waiting_for_the_result(text):
    now = roads_of(text)
    for mark, ask in (("B", now.ask.banker), ("P", now.ask.player)):
        then = roads_of(text + mark)
        assert then.big_eye == now.big_eye + (ask.big_eye or "")
        assert then.small == now.small + (ask.small or "")
        assert then.cockroach == now.cockroach + (ask.cockroach or "")


@given(shoes | long_runs)
def test_banker_and_player_ask_for_opposite_marks(text):
    for pair in asked(text).values():
        assert "None" in pair or pair in {"rb", "br"}


@given(shoes)
def test_a_tie_changes_no_derived_road(text):
    with_ties, without = roads_of(text), roads_of(text.replace("T", ""))
    assert with_ties.big_eye == without.big_eye
    assert with_ties.small == without.small
    assert with_ties.cockroach == without.cockroach
    assert with_ties.ask == without.ask
    assert len(with_ties.bead) == len(text)
    if without.big_road:
        assert sum(entry.ties for entry in with_ties.big_road) == text.count("T")


@given(shoes | long_runs | st.text("rb", max_size=80))
def test_no_two_marks_share_a_cell_and_none_falls_off(marks):
    places = layout(marks)
    assert len(set(places)) == len(places) == len(marks)
    assert all(place.col >= 0 and 0 <= place.row < ROWS for place in places)


@given(shoes | long_runs)
def test_a_longer_shoe_moves_nothing_that_is_drawn(text):
    places = layout(text)
    assert layout(text + "B")[: len(places)] == places


def test_statistics_count_rounds_with_a_result():
    def result(outcome, player_pair=False, banker_pair=False, natural=False):
        pairs = Pairs(player_pair, banker_pair)
        return SimpleNamespace(outcome=outcome, pairs=pairs, natural=natural)

    results = [
        result(Outcome.PLAYER, player_pair=True),
        result(Outcome.PLAYER, natural=True),
        result(Outcome.BANKER, player_pair=True, banker_pair=True),
        result(Outcome.TIE, natural=True),
        result(None, player_pair=True, banker_pair=True, natural=True),
    ]
    assert counts_of(results) == Counts(
        rounds=4, player=2, banker=1, tie=1, player_pair=2, banker_pair=1, naturals=2
    )
    assert counts_of([]) == Counts(0, 0, 0, 0, 0, 0, 0)
