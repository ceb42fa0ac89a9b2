# SPDX-License-Identifier: Apache-2.0
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from rich.console import Console

from studio.feed.messages import TYPES
from studio.feed.wire import decode
from studio.game.cards import Card
from studio.game.roads import roads_of
from studio.game.snapshot import PublicState, public_state
from studio.terminal import Scene, table_view
from studio.terminal_cards import figure, hand, short, suit_style
from studio.terminal_lines import line_of
from tests.game.table_driver import Driven

GOLDEN = Path(__file__).parents[1] / "golden" / "messages"


def drawn(scene: Scene, width: int = 80, height: int = 24) -> list[str]:
    out = Console(width=width, height=height, color_system=None, force_terminal=True)
    with out.capture() as taken:
        out.print(table_view(scene, width, height))
    return taken.get().rstrip("\n").split("\n")


def seen(state: PublicState, **more) -> str:
    return "\n".join(drawn(Scene(table="BAC-1", state=state, feed="live", **more)))


def test_cards_totals_and_phase_are_on_the_screen():
    table = Driven().dealing()
    table.cards("9H KS TC")
    text = seen(public_state(table.state))
    assert "NO MORE BETS" in text
    for mark in ("9", "♥", "H", "10", "♣", "K", "♠"):
        assert mark in text
    assert "PLAYER" in text
    assert "BANKER" in text


def test_an_open_table_shows_how_long_bets_are_open():
    table = Driven().betting()
    state = public_state(table.state)
    now = state.closes_at - timedelta(seconds=7.5)
    text = seen(state, now=now, betting_seconds=15.0)
    assert "PLACE YOUR BETS" in text
    assert "7.5 s" in text
    assert text.splitlines()[1].count("█") == 10


def test_the_clock_never_runs_below_nothing():
    table = Driven().betting()
    state = public_state(table.state)
    text = seen(state, now=state.closes_at + timedelta(seconds=9), betting_seconds=15.0)
    assert " 0.0 s" in text


def test_a_result_is_called_with_its_totals():
    text = seen(public_state(Driven().played("9H KS TC 7D").state))
    assert "PLAYER WINS  9 - 7" in text
    assert "natural" in text


def test_a_void_round_says_that_stakes_are_returned():
    table = Driven().dealing()
    table.void()
    assert "STAKES ARE RETURNED" in seen(public_state(table.state))


def test_a_suspension_is_said_in_words():
    table = Driven().betting()
    table.ask("suspend_table")
    assert "SUSPENDED (staff): NO BETS" in seen(public_state(table.state))


def test_the_last_heartbeat_can_suspend_what_the_messages_do_not():
    state = public_state(Driven().betting().state)
    assert "SUSPENDED (system): NO BETS" in seen(state, suspended="system")


def test_a_stale_feed_takes_the_place_of_the_phase():
    state = public_state(Driven().betting().state)
    scene = Scene(table="BAC-1", state=state, feed="stale", now=state.closes_at)
    text = "\n".join(drawn(scene))
    assert "STALE" in text
    assert " 0.0 s" not in text, "no clock: nobody knows whether it is right"
    assert "PLACE YOUR BETS" not in text


def test_a_test_table_says_so():
    assert "TEST: NO REAL BETS" in seen(public_state(Driven().ready().state))


def test_the_shoe_shows_how_deep_it_is_dealt():
    table = Driven().played()
    assert "of 416 cards dealt" in seen(public_state(table.state))


def test_before_it_has_joined_it_says_so():
    assert "BAC-1: joining" in drawn(Scene(table="BAC-1"))[0]


def test_an_alarm_is_on_the_screen():
    state = public_state(Driven().ready().state)
    assert "ALARM: chain_broken" in seen(state, alarm="chain_broken: message 4")


def test_a_house_without_roads_is_drawn_without_them():
    state = replace(public_state(Driven().played().state), roads=None, counts=None)
    assert "no roads" in seen(state)


def test_a_high_screen_shows_the_last_messages():
    state = public_state(Driven().played().state)
    lines = [line_of(decode(file.read_bytes())) for file in sorted(GOLDEN.glob("*.json"))]
    high = drawn(Scene(table="BAC-1", state=state, feed="live", lines=lines), 120, 50)
    assert len(high) <= 50
    assert any("table BAC-1 open" in line for line in high)


@given(
    st.integers(80, 200),
    st.integers(10, 60),
    st.text("PBT", max_size=90),
    st.sampled_from(["joining", "live", "catching_up", "new_epoch", "stale", "refused"]),
    st.sampled_from(["closed", "shuffling", "idle", "bets_open", "dealing", "held", "result"]),
    st.lists(st.sampled_from(list(Card)), max_size=3),
)
def test_no_screen_is_ever_overflowed(width, height, marks, feed, phase, cards):
    state = replace(
        public_state(Driven().played().state),
        roads=roads_of(marks),
        phase=phase,
        player=tuple(cards),
        banker=tuple(reversed(cards)),
        dealer="A dealer with a very long screen name indeed, to be sure",
        suspended="staff",
    )
    scene = Scene(table="BAC-1", state=state, feed=feed, head="ab" * 32, alarm="x" * 300)
    lines = drawn(scene, width, height)
    assert len(lines) <= height
    assert max(len(line) for line in lines) <= width


@pytest.mark.parametrize("card", list(Card))
def test_a_card_never_tells_its_suit_by_colour_alone(card):
    box = "\n".join(line.plain for line in hand((card,)))
    assert card.suit.value in box
    assert card.value in short(card).plain
    assert suit_style(card) is not None


@pytest.mark.parametrize("total", [None, *range(10)])
def test_every_total_has_its_big_figure(total):
    rows = [line.plain for line in figure(total, suit_style(Card("9H")))]
    assert {len(row) for row in rows} == {6}
    others = [figure(other, suit_style(Card("9H"))) for other in range(10) if other != total]
    assert rows not in [[line.plain for line in other] for other in others]


@pytest.mark.parametrize("name", [*TYPES, "a_type_of_tomorrow"])
def test_every_public_message_has_a_line(name):
    file = GOLDEN / f"{name}.json"
    payload = (file if file.exists() else GOLDEN / "round_closed.json").read_bytes().strip()
    if not file.exists():
        payload = payload.replace(b"round_closed", name.encode())
    message = decode(payload)
    text = line_of(message).plain
    assert text.startswith(f"{message.at:%H:%M:%S}")
    assert len(text.split()) > 1
    assert "\n" not in text
