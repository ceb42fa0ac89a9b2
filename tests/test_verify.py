# SPDX-License-Identifier: Apache-2.0
"""What verifying a record says of its events: nothing of an honest one, and where another lies."""

import pytest
from msgspec.structs import replace

from studio.game import events as ev
from studio.game.cards import Card
from studio.game.coup import Outcome
from studio.game.evolve import evolve
from studio.game.state import TableState
from studio.verify import faults_of
from tests.game.golden_shoe import scripted
from tests.game.misdeal_stories import STORIES, go_home, rules
from tests.game.table_driver import Driven


def steps(table: Driven) -> list[tuple[TableState, ev.Event]]:
    """Every event of a record, with the state before it."""
    state = TableState()
    told = []
    for recorded in table.log:
        told.append((state, recorded.event))
        state = evolve(state, recorded)
    return told


@pytest.mark.req("AUD-5")
def test_an_honest_record_of_everything_that_can_happen_has_no_fault() -> None:
    assert [fault for state, event in steps(scripted()) for fault in faults_of(state, event)] == []


@pytest.mark.parametrize("code", STORIES)
def test_no_misdeal_that_was_ruled_on_is_a_fault(code: str) -> None:
    table = STORIES[code][0](rules("atlantic-city"))
    table.ask("rule_hold")
    if not table.state.is_shoe_over:
        go_home(table)
    assert [fault for state, event in steps(table) for fault in faults_of(state, event)] == []


def lies(kind: type[ev.Event], **changes: object) -> list[str]:
    """What is found when the first event of this kind says something else."""
    for state, event in steps(scripted()):
        waits = bool(state.kept) or not isinstance(event, ev.CardDealt)
        if isinstance(event, kind) and waits:
            return faults_of(state, replace(event, **changes))
    raise AssertionError(f"no {kind.__name__} in the record")


@pytest.mark.req("AUD-5")
def test_a_record_that_lies_is_found_out() -> None:
    (told,) = lies(ev.CardDealt, card=Card("2C"))
    assert told == "P1 2C is announced, P1 9H was kept"
    (told,) = lies(ev.RoundReconstructed, player=(Card("2C"),))
    assert "hands" in told
    (told,) = lies(ev.FreeCoupEnded, outcome=Outcome.TIE)
    assert "result" in told
    (told,) = lies(ev.FreeCoupEnded, banker=(Card("3C"),))
    assert "not complete" in told
    (told,) = lies(ev.ResultAmended, outcome=Outcome.TIE)
    assert "result" in told
