# SPDX-License-Identifier: Apache-2.0
"""The cable of the shoe out and in again, at every bad moment, over each kind of line.

A lost line never starts, ends or voids a round, and players hear nothing of it. What it may have
swallowed, the shoe's sequence tells.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from drivers.sim.commands import ForcedEnd
from tests.system.rig import Hands, Studio, studio
from tests.system.witness import (
    account,
    cards_on_record,
    comes_in_order,
    coups_dealt,
    coups_shown,
    is_sound,
    log_of,
    stored,
)
from tests.waiting import until

SIMULATOR = ("--seed", "5", "--repeats", "2", "--repeat-spacing", "0.001")
SITE = {"rule": '"none"', "betting_seconds": "600"}
CARD_BYTES = 8
TCP = ("--tcp", "127.0.0.1:0")


class Table:
    """A table in play, and the hand that takes its cable out and puts it in again."""

    def __init__(self, running: Studio, *, reset: bool) -> None:
        self.running = running
        self.hands = Hands(running, closes_bets=True)
        self._reset = reset
        self._is_tcp = running.simulator.said["tcp"] is not None

    def unplug(self, after_bytes: int | None = None) -> None:
        self.running.shoe.unplug(after_bytes, reset=self._reset)

    def plug(self) -> dict[str, Any]:
        """Put it in, and wait until the table hears the shoe and doubts it; the staff state."""
        self.running.shoe.plug()
        if self._is_tcp:
            until(lambda: self.running.shoe.state().connections, 20)
        return self.hands.wait_for(trust="suspect")

    def finish(self) -> dict[str, Any]:
        """Deal the round under way to its result."""
        return self.hands.play_to("settling")

    def clear(self) -> None:
        """Void the round, and end the coup on the shoe by its button."""
        self.hands.play_to("settling")
        self.running.shoe.ask(ForcedEnd())

    def is_right(self) -> bool:
        """Whether every result shown is a coup that the shoe dealt, and the record is sound."""
        dealt = coups_dealt(self.running.shoe.state().drawn)
        log_of(self.running)
        return comes_in_order(coups_shown(self.hands), dealt) and is_sound(self.running)

    def lost_nothing(self) -> bool:
        """Whether the newest result is the newest coup of the shoe."""
        dealt = coups_dealt(self.running.shoe.state().drawn)
        return coups_shown(self.hands)[-1] == dealt[-1] and self.is_right()


@pytest.fixture(scope="module", params=["pty", "tcp-closed", "tcp-reset"])
def table(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Table]:
    """One table for all tests of a line: each begins with a round of its own."""
    line = () if request.param == "pty" else TCP
    folder = tmp_path_factory.mktemp(request.param)
    with studio(folder, *SIMULATOR, *line, house=SITE) as running:
        running.start()
        yield Table(running, reset=request.param == "tcp-reset")


@pytest.mark.req("COM-6")
def test_out_and_in_while_bets_are_open_leaves_the_round_as_it_is(table: Table) -> None:
    before = table.hands.play_to("bets_open")
    told = stored(table.running)
    table.unplug()
    without = table.hands.wait_for(trust="lost")
    assert without["prompt"]["code"] == "shoe-line-down"
    assert without["public"] == before["public"]
    assert table.plug()["public"] == before["public"]
    assert stored(table.running) == told
    dealing = table.hands.play_to("dealing", cards=1)
    assert (dealing["trust"], dealing["trust_reason"]) == ("trusted", "first card of a coup")
    assert table.finish()["public"]["round"] == before["public"]["round"]
    assert table.lost_nothing()


@pytest.mark.req("COM-6")
def test_out_and_in_between_two_cards_keeps_the_coup_and_its_right_result(table: Table) -> None:
    before = table.hands.play_to("dealing", cards=2)
    told = stored(table.running)
    table.unplug()
    assert table.hands.wait_for(trust="lost")["public"] == before["public"]
    assert table.plug()["public"] == before["public"]
    assert stored(table.running) == told
    assert table.finish()["trust"] == "suspect"
    assert table.lost_nothing()
    assert table.hands.play_to("dealing", cards=1)["trust"] == "trusted"
    table.finish()
    assert table.lost_nothing()


@pytest.mark.req("COM-6")
def test_out_in_the_middle_of_a_repeated_frame_loses_and_doubles_nothing(table: Table) -> None:
    table.hands.play_to("dealing", cards=1)
    read, drawn = len(cards_on_record(table.running)), len(account(table.running))
    table.unplug(after_bytes=CARD_BYTES + CARD_BYTES // 2)
    table.hands.pull()
    table.hands.wait_for(trust="lost")
    table.plug()
    table.finish()
    assert table.lost_nothing()
    assert cards_on_record(table.running)[read:] == account(table.running)[drawn:]


@pytest.mark.req("REC-7", "COM-6")
@pytest.mark.parametrize("left", [None, CARD_BYTES // 2], ids=["out", "mid-frame"])
def test_a_card_drawn_while_it_is_out_holds_the_round_and_reaches_no_result(
    table: Table, left: int | None
) -> None:
    before = table.hands.play_to("dealing", cards=2)
    table.unplug(after_bytes=left)
    if left is None:
        table.hands.wait_for(trust="lost")
    table.running.shoe.pull()
    table.hands.wait_for(trust="lost")
    without = table.plug()
    assert without["public"] == before["public"]
    table.hands.pull()
    held = table.hands.wait_for(phase="held")
    assert held["hold"]["raised"][0]["code"] == "frame-lost"
    assert held["public"]["phase"] == "held"
    assert held["public"]["player"] == before["public"]["player"]
    assert held["public"]["results"] == before["public"]["results"]
    table.clear()
    ended = table.hands.snapshot().state["public"]["results"][-1]
    assert (ended["round"], ended["outcome"]) == (before["public"]["round"], None)
    table.hands.play_to("dealing", cards=1)
    table.finish()
    assert table.lost_nothing()


@pytest.mark.req("REC-7", "COM-6")
def test_a_card_drawn_between_two_rounds_while_it_is_out_holds_the_next(table: Table) -> None:
    table.hands.play_to("settling")
    table.unplug()
    table.hands.wait_for(trust="lost")
    table.running.shoe.pull()
    table.plug()
    table.hands.play_to("dealing")
    table.hands.pull()
    held = table.hands.wait_for(phase="held")
    assert held["hold"]["raised"][0]["code"] == "frame-lost"
    assert held["public"]["player"] == held["public"]["banker"] == []
    table.clear()
    table.hands.play_to("dealing", cards=1)
    table.finish()
    assert table.lost_nothing()
