# SPDX-License-Identifier: Apache-2.0
"""Many tables on one screen: what is in trouble is first, and nothing is ever overflowed."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from rich.console import Console

from studio.game.cards import Card
from studio.game.roads import roads_of
from studio.game.snapshot import PublicState, public_state
from studio.terminal import Scene
from studio.terminal_board import board_view
from tests.game.table_driver import Driven

NOW = datetime(2026, 11, 29, 23, 59, 59, tzinfo=UTC)
PLAYED = public_state(Driven().played("9H KS TC 7D").state)
BETTING = public_state(Driven().betting().state)


def drawn(scenes: list[Scene], width: int = 80, height: int = 24) -> list[str]:
    out = Console(width=width, height=height, color_system=None, force_terminal=True)
    with out.capture() as taken:
        out.print(board_view(scenes, NOW, width, height))
    return taken.get().rstrip("\n").split("\n")


def live(number: int, state: PublicState = PLAYED, **more) -> Scene:
    return Scene(**{"table": f"BAC-{number}", "state": state, "feed": "live", **more})


def names(lines: list[str]) -> list[str]:
    """The tables drawn, from top to bottom."""
    return [word for line in lines[1:-1] for word in line.split() if word.startswith("BAC-")]


def test_one_table_has_the_whole_screen():
    text = "\n".join(drawn([live(1)]))
    assert "╭─────╮" in text
    assert "416 cards dealt" in text


def test_two_tables_have_a_panel_each_with_all_their_roads():
    lines = drawn([live(1), live(2)])
    assert len(lines) <= 24
    for word in ("bead plate", "big road", "big eye", "small", "cockroach", "next"):
        assert sum(word in line for line in lines) == 2
    assert sum("9H♥TC♣ 9" in line for line in lines) == 2
    assert sum("PLAYER WINS  9 - 7  natural" in line for line in lines) == 2


def test_eight_tables_have_two_lines_each_with_the_runs_of_the_big_road():
    state = replace(PLAYED, roads=roads_of("PPBTBBP"))
    lines = drawn([live(number, state) for number in range(1, 9)])
    assert len(lines) == 18
    assert sum("big road P2 B3 P1" in line for line in lines) == 8


@pytest.mark.parametrize("count", [12, 20, 22])
def test_a_studio_full_of_tables_fits_an_old_terminal_a_line_each(count):
    lines = drawn([live(number) for number in range(1, count + 1)])
    assert names(lines) == [f"BAC-{number}" for number in range(1, count + 1)]
    for line in lines[1:-1]:
        for word in ("live", "result", "0001", "9H♥TC♣ 9", "KS♠7D♦ 7", "P", "4/416"):
            assert word in line


def test_a_wide_screen_has_tables_beside_one_another():
    lines = drawn([live(number) for number in range(1, 5)], 170, 24)
    assert sum("bead plate" in line for line in lines) == 2
    assert names(lines) == ["BAC-1", "BAC-2", "BAC-3", "BAC-4"]


def test_those_in_trouble_come_first_and_say_what_it_is():
    scenes = [
        live(1),
        live(10),
        live(2, suspended="misdeal"),
        live(3, feed="catching_up"),
        live(4, feed="stale"),
        Scene(table="BAC-5", feed="no_answer"),
        live(6, alarm="impostor: a heartbeat of another hand"),
        live(7, replace(PLAYED, phase="held")),
        *(live(number) for number in range(11, 20)),
    ]
    lines = drawn(scenes)
    assert names(lines)[:8] == [
        "BAC-4", "BAC-5", "BAC-6", "BAC-2", "BAC-7", "BAC-3", "BAC-1", "BAC-10",
    ]  # fmt: skip
    for line, word in zip(
        lines[1:6], ("STALE", "NO ANSWER", "ALARM", "susp misdeal", "HELD"), strict=True
    ):
        assert line.startswith("! ")
        assert word in line
    assert "3 not to be relied on" in lines[0]
    assert "--diagnose" in lines[-1]


def test_what_has_no_place_is_counted_and_is_never_what_is_in_trouble():
    scenes = [live(number) for number in range(1, 40)] + [live(40, feed="stale")]
    lines = drawn(scenes)
    assert len(lines) == 24
    assert names(lines)[0] == "BAC-40"
    assert "and 18 more" in lines[-1]


def test_the_clock_of_the_bets_is_in_the_line():
    now = BETTING.closes_at - timedelta(seconds=7)
    lines = drawn([live(number, BETTING, now=now) for number in range(1, 13)])
    assert all("bets 7" in line for line in lines[1:13])


def test_a_house_without_roads_is_drawn_without_them():
    state = replace(PLAYED, roads=None, counts=None)
    for count in (2, 8, 20):
        assert len(drawn([live(number, state) for number in range(1, count + 1)])) <= 24


@given(
    st.integers(20, 250),
    st.integers(3, 70),
    st.integers(1, 60),
    st.text("PBT", max_size=90),
    st.sampled_from(["joining", "live", "catching_up", "new_epoch", "stale", "refused"]),
    st.sampled_from(["closed", "shuffling", "idle", "bets_open", "dealing", "held", "result"]),
    st.lists(st.sampled_from(list(Card)), max_size=3),
)
def test_no_screen_is_ever_overflowed(width, height, count, marks, feed, phase, cards):
    state = replace(
        PLAYED,
        roads=roads_of(marks),
        phase=phase,
        player=tuple(cards),
        banker=tuple(reversed(cards)),
        dealer="A dealer with a very long screen name indeed, to be sure",
        cards_out=416,
    )
    kinds = (
        {"state": state, "feed": feed},
        {"state": state, "feed": feed, "suspended": "misdeal", "alarm": "x" * 300},
        {"state": None, "feed": "no_answer", "alarm": "no answer " * 30},
    )
    scenes = [Scene(table=f"A-LONG-NAME-{number}", **kinds[number % 3]) for number in range(count)]
    lines = drawn(scenes, width, height)
    assert len(lines) <= height
    assert max(len(line) for line in lines) <= width
