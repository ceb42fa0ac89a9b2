# SPDX-License-Identifier: Apache-2.0
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.cli import run
from studio.cli.exits import Exit
from studio.game.roads import roads_of
from studio.terminal_roads import bead_plate, big_road, derived_road

# Published counts of a full shoe of eight decks (Wizard of Odds).
EIGHT_DECKS = {
    "total": 4998398275503360,
    "banker": 2292252566437888,
    "player": 2230518282592256,
    "tie": 475627426473216,
    "cards": {"4": 1893735611458560, "5": 1516734808780800, "6": 1587927855264000},
    "edge": {"banker_5pct": 0.0105791, "player": 0.0123508, "tie_8to1": 0.1435963},
}


def test_the_odds_of_eight_decks_are_the_published_ones(capsys):
    assert run(["odds", "--decks", "8", "--json"]) == Exit.DONE
    assert json.loads(capsys.readouterr().out) == EIGHT_DECKS


def test_the_odds_are_drawn_as_a_table(capsys):
    assert run(["odds"]) == Exit.DONE
    text = capsys.readouterr().out
    assert "2,292,252,566,437,888" in text
    assert "14.3596%" in text


def test_the_edges_of_a_house_name_every_bet_that_it_offers(capsys):
    assert run(["odds", "--house", "studio", "--json"]) == Exit.DONE
    told = json.loads(capsys.readouterr().out)
    assert told["decks"] == 8
    assert {"banker", "tie_9", "player_dragon"} <= told["edge"].keys()
    assert run(["odds", "--house", "studio"]) == Exit.DONE
    assert "player_pair" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments", [["--house", "nowhere"], ["--house", "studio", "--decks", "6"], ["--decks", "0"]]
)
def test_odds_that_cannot_be_reckoned_are_bad_usage(arguments, capsys):
    assert run(["odds", *arguments]) == Exit.BAD_SETTINGS
    assert capsys.readouterr().err


def test_roads_as_json_are_those_of_the_worked_example(capsys):
    assert run(["roads", "--json", "TBBTPBBBTTPPBP"]) == Exit.DONE
    told = json.loads(capsys.readouterr().out)
    assert list(told) == ["bead", "big_road", "big_eye", "small", "cockroach", "ask"]
    assert told["big_road"][0] == {"col": 0, "row": 0, "mark": "B", "ties": 1}
    assert (told["big_eye"], told["small"], told["cockroach"]) == ("bbrbrbb", "rbbbbb", "rrr")
    assert told["ask"]["B"] == {"big_eye": "r", "small": "b", "cockroach": "b"}


def test_roads_without_enough_results_ask_null(capsys):
    assert run(["roads", "--json", "PBBTP"]) == Exit.DONE
    assert json.loads(capsys.readouterr().out)["ask"]["P"]["cockroach"] is None


def test_marks_may_come_in_pieces_and_in_lower_case(capsys):
    assert run(["roads", "--json", "pb", "bt", "P"]) == Exit.DONE
    in_pieces = capsys.readouterr().out
    assert run(["roads", "--json", "PBBTP"]) == Exit.DONE
    assert capsys.readouterr().out == in_pieces


def test_a_mark_that_is_none_is_named(capsys):
    assert run(["roads", "PBX"]) == Exit.BAD_SETTINGS
    assert 'mark 3 is "X"' in capsys.readouterr().err


def test_drawn_roads_show_the_worked_example(capsys):
    assert run(["roads", "TBBTPBBBTTPPBP"]) == Exit.DONE
    lines = [line.rstrip(" ·") for line in capsys.readouterr().out.splitlines()]
    assert lines[1].startswith("T B B")
    assert "B1P B P B P" in lines[1]
    assert lines[-1] == "next  P: b r r  B: r b b"


@given(st.text("PBT", max_size=120), st.integers(4, 60))
def test_a_road_is_six_lines_of_the_width_asked_for(marks, columns):
    made = roads_of(marks)
    for block in (
        bead_plate(made, columns),
        big_road(made, columns),
        derived_road(made.big_eye, columns),
    ):
        assert [line.cell_len for line in block] == [2 * columns] * 6


@given(st.text("PBT", min_size=1, max_size=80))
def test_a_window_shows_the_last_result_of_the_bead_plate(marks):
    made = roads_of(marks)
    last = bead_plate(made, 4)[(len(marks) - 1) % 6].plain
    column = min((len(marks) - 1) // 6, 3)
    assert last[2 * column] == marks[-1]


def test_ties_before_the_first_win_are_counted_alone():
    assert big_road(roads_of("TTT"), 4)[0].plain.startswith("T3")
