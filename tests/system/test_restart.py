# SPDX-License-Identifier: Apache-2.0
"""Stopped in order or killed, and started again, in every phase of a table."""

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from drivers.sim.commands import ForcedEnd
from studio.feed.staff import Acceptance, RefusalAnswer
from studio.game import events as ev
from studio.game.inputs import LoadShoe, OpenBets, OpenTable, ResumeTable, SuspendTable, VoidRound
from tests.system.rig import BY, Hands, Studio, studio
from tests.system.witness import (
    Watching,
    account,
    all_heard,
    cards_on_record,
    comes_in_order,
    coups_dealt,
    coups_shown,
    is_sound,
    log_of,
    recorded,
    stored,
)
from tests.waiting import until

SIMULATOR = ("--seed", "3", "--burn", "first_card")
LONG = {"betting_seconds": "600"}
# What a restart may change: nothing is known of the line until it was heard again.
OF_THE_LINE = ("trust", "trust_reason", "may_record_card")
KILLS = pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL], ids=["term", "kill"])


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Studio]:
    with studio(tmp_path, *SIMULATOR, house=LONG) as running:
        running.start()
        yield running


def _restarted(running: Studio, how: int) -> dict[str, Any]:
    """End the service and start it again; the staff state once the shoe's line is up."""
    assert running.service is not None
    log_of(running)
    assert running.service.end(how) == (0 if how == signal.SIGTERM else -how)
    running.start()
    hands = Hands(running)
    until(lambda: hands.snapshot().state["trust"] != "lost", 20)
    state: dict[str, Any] = hands.snapshot().state
    return state


def _but_the_line(state: dict[str, Any]) -> dict[str, Any]:
    """A stream in doubt is asked about beside the prompt, which is the same for all that."""
    prompt = state["prompt"]
    commands = [tag for tag in prompt["commands"] if tag != "trust_stream"]
    kept = {name: value for name, value in state.items() if name not in OF_THE_LINE}
    return kept | {"prompt": prompt | {"commands": commands, "note": None}}


def _stations(running: Studio, hands: Hands) -> Iterator[str]:
    """Every phase of a table in turn, the table standing in it."""
    yield "closed"
    hands.tell(OpenTable(by=BY, dealer="Anna"))
    yield "no shoe"
    hands.tell(LoadShoe(by=BY))
    hands.pull()
    yield "in the burn"
    hands.play_to("idle")
    yield "idle"
    hands.tell(SuspendTable(by=BY, reason="staff"))
    yield "suspended"
    hands.tell(ResumeTable(by=BY))
    hands.play_to("dealing")
    yield "first card due"
    hands.pull()
    hands.pull()
    yield "third card due"
    hands.play_to("result")
    yield "result"
    hands.play_to("settling")
    yield "settling"
    hands.play_to("dealing", cards=2)
    running.shoe.ask(ForcedEnd())
    running.shoe.restart()
    running.shoe.pull(2)
    hands.wait_for(phase="held")
    all_heard(running, hands)
    yield "held"
    hands.play_to("settling")
    yield "void"


@pytest.mark.req("DUR-16")
@pytest.mark.req("COM-3", "COM-4", "DUR-16", "DAT-2")
def test_the_state_after_a_stop_or_a_kill_in_any_phase_is_the_one_before(table: Studio) -> None:
    hands = Hands(table, closes_bets=True)
    seen = set()
    for number, station in enumerate(_stations(table, hands)):
        how = (signal.SIGTERM, signal.SIGKILL)[number % 2]
        before, told = hands.snapshot().state, stored(table)
        after = _restarted(table, how)
        assert _but_the_line(after) == _but_the_line(before), station
        assert stored(table) == told, station
        seen.add(before["phase"])
    assert seen == {"no_shoe", "burning", "idle", "dealing", "result", "settling", "held"}
    assert comes_in_order(coups_shown(hands), coups_dealt(table.shoe.state().drawn))
    assert is_sound(table)


@pytest.mark.req("COM-1", "COM-3", "RND-4")
@KILLS
def test_a_restart_while_bets_were_open_waits_for_a_person(how: int, table: Studio) -> None:
    hands = Hands(table, closes_bets=True)
    before = hands.play_to("bets_open")
    watching = Watching(table.endpoints)
    try:
        until(watching.state, 20)
        round_id, told = before["public"]["round"], len(stored(table))
        after = _restarted(table, how)
        assert (after["phase"], after["public"]["round"]) == ("bets_open", round_id)
        assert after["public"]["suspended"] == "system"
        assert after["public"]["closes_at"] is None
        assert after["prompt"]["code"] == "suspended"
        refused = hands.tell(OpenBets(by=BY))
        assert isinstance(refused, RefusalAnswer)
        assert refused.code == "suspended"

        assert isinstance(hands.tell(ResumeTable(by=BY)), Acceptance)
        again = hands.snapshot().state
        assert (again["prompt"]["code"], again["public"]["closes_at"]) == ("open-bets-again", None)
        assert isinstance(hands.tell(OpenBets(by=BY)), Acceptance)
        hands.play_to("settling")
        record = stored(table)
        until(lambda: watching.payloads[-1:] == record[-1:], 20)
        assert watching.payloads == record[-len(watching.payloads) :]
        types = [_type_and_round(one) for one in record[told:]]
        assert types[:5] == [
            ("table_suspended", round_id), ("table_resumed", round_id), ("bets_opened", round_id),
            ("bets_closed", round_id), ("card_dealt", round_id),
        ]  # fmt: skip
        assert coups_shown(hands) == coups_dealt(table.shoe.state().drawn)
        assert cards_on_record(table) == account(table)
        assert is_sound(table)
    finally:
        watching.close()


def _type_and_round(payload: bytes) -> tuple[str, str | None]:
    read = msgspec.json.decode(payload)
    return read["type"], read["round"]


@pytest.mark.req("VOID-5")
@pytest.mark.req("COM-1", "COM-2")
def test_a_round_that_a_restart_found_with_bets_open_may_be_void(table: Studio) -> None:
    hands = Hands(table, closes_bets=True)
    round_id = hands.play_to("bets_open")["public"]["round"]
    _restarted(table, signal.SIGKILL)
    assert isinstance(hands.tell(VoidRound(by=BY, round=round_id, reason="restart")), Acceptance)
    state = hands.snapshot().state
    assert (state["phase"], state["public"]["suspended"]) == ("settling", "system")
    assert state["public"]["results"][-1]["outcome"] is None
    hands.tell(ResumeTable(by=BY))
    hands.play_to("dealing")
    hands.play_to("settling")
    assert coups_shown(hands) == coups_dealt(table.shoe.state().drawn)
    assert is_sound(table)


@pytest.mark.req("REC-7", "COM-3")
@pytest.mark.parametrize("phase", ["bets_open", "dealing"])
def test_a_card_drawn_while_the_service_was_down_reaches_no_result_unseen(
    phase: str, table: Studio
) -> None:
    hands = Hands(table, closes_bets=True)
    hands.play_to(phase)
    assert table.service is not None
    table.service.end(signal.SIGKILL)
    table.shoe.pull()
    table.start()
    until(lambda: hands.snapshot().state["trust"] != "lost", 20)
    hands.play_to("dealing")
    hands.pull()
    held = hands.wait_for(phase="held")
    assert held["public"]["player"] == held["public"]["banker"] == []
    hands.play_to("settling")
    table.shoe.ask(ForcedEnd())
    hands.play_to("dealing", cards=1)
    hands.play_to("settling")
    assert coups_shown(hands) == coups_dealt(table.shoe.state().drawn)[-1:]
    assert is_sound(table)


@pytest.mark.req("RND-4", "COM-3")
def test_cards_kept_for_the_close_guard_are_shown_after_a_kill_in_it(tmp_path: Path) -> None:
    house = LONG | {"rule": '"none"', "close_guard_ms": "1500"}
    with studio(tmp_path, "--seed", "3", house=house) as running:
        running.start()
        hands = Hands(running, closes_bets=True)
        hands.play_to("bets_open")
        hands.step()
        running.shoe.pull(2)
        until(lambda: hands.snapshot().state["cards_out"] == 2, 20)
        assert hands.snapshot().state["public"]["player"] == []
        _restarted(running, signal.SIGKILL)
        hands.play_to("settling")
        assert coups_shown(hands) == coups_dealt(running.shoe.state().drawn)
        kinds = [type(one.event) for one in recorded(running)]
        assert kinds.count(ev.CardKept) == 2
        assert kinds.index(ev.ServiceRestarted, kinds.index(ev.CardKept)) < kinds.index(
            ev.CardDealt
        )
        assert cards_on_record(running) == account(running)
        assert is_sound(running)
