# SPDX-License-Identifier: Apache-2.0
"""The close guard: cards drawn right after bets were closed become public when it is over."""

from datetime import timedelta

import pytest

from studio.game import events as ev
from studio.game import inputs as inp
from studio.game.cards import Card
from studio.game.events import Source
from studio.game.house import Burn, BurnRule, ResultEntry
from studio.game.inputs import ConfirmResult
from studio.game.prompts import prompt_for
from studio.game.snapshot import public_state, staff_state
from studio.game.state import Phase, timer_of
from tests.game.table_audit import public_cards
from tests.game.table_driver import BY, Driven, command_for, house, names_of

NATURAL = "9H KS TC 7D"


def guarded(**changes: ResultEntry) -> Driven:
    """A table whose bets were just closed and whose guard is running."""
    return Driven(house(burn=Burn(BurnRule.NONE), **changes)).dealing()


def test_the_guard_runs_from_the_moment_bets_are_closed() -> None:
    table = guarded()
    closed = table.log[-1]
    assert isinstance(closed.event, ev.BetsClosed)
    assert closed.event.guard_until == closed.at + timedelta(milliseconds=1500)
    armed = timer_of(table.state)
    assert armed is not None
    assert (armed.name, armed.due) == ("guard", closed.event.guard_until)
    assert prompt_for(table.state).code == "wait-for-guard"
    assert names_of(table.expire()) == ["GuardEnded"]
    assert prompt_for(table.state).pull


@pytest.mark.req("RND-4")
def test_a_card_drawn_in_the_guard_is_kept_and_told_in_no_message_and_no_snapshot() -> None:
    table = guarded()
    events = table.cards("9H KS")
    assert names_of(events) == ["CardKept", "CardKept"]
    assert all(event.PUBLIC is None for event in events)
    shown = public_state(table.state)
    assert (shown.player, shown.banker, shown.cards_out) == ((), (), 0)
    assert staff_state(table.state).cards_out == 2


def test_kept_cards_are_announced_in_their_order_when_the_guard_is_over() -> None:
    table = guarded()
    table.cards("9H KS TC")
    events = table.expire()
    assert names_of(events) == ["GuardEnded", "CardDealt", "CardDealt", "CardDealt"]
    totals = [
        (one.position.value, one.card.value, one.player_total, one.banker_total)
        for one in events
        if isinstance(one, ev.CardDealt)
    ]
    assert totals == [("P1", "9H", 9, None), ("B1", "KS", 9, 0), ("P2", "TC", 9, 0)]
    assert {one.source for one in table.log[-3:]} == {Source.SHOE}
    assert names_of(table.card("7D")) == ["CardDealt", "ResultDeclared"]
    assert table.state.cards_out == 4


def test_a_coup_that_is_complete_within_the_guard_is_confirmed_only_after_it() -> None:
    table = guarded()
    assert names_of(table.cards(NATURAL)) == ["CardKept"] * 4 + ["ResultDeclared"]
    assert table.refused(ConfirmResult(by=BY)) == "guard"
    assert prompt_for(table.state).commands == ()
    assert names_of(table.expire()) == ["GuardEnded"] + ["CardDealt"] * 4
    table.ask("confirm_result")


def test_an_automatic_house_confirms_when_the_cards_are_public() -> None:
    table = guarded(result_entry=ResultEntry.AUTO)
    table.cards(NATURAL)
    assert table.state.phase is Phase.RESULT
    assert names_of(table.expire())[-2:] == ["CardDealt", "ResultConfirmed"]


def test_an_automatic_house_does_not_confirm_before_the_coup_is_complete() -> None:
    table = guarded(result_entry=ResultEntry.AUTO)
    table.cards("9H KS")
    table.expire()
    assert table.state.phase is Phase.DEALING


@pytest.mark.req("RND-4")
def test_a_guard_that_ends_in_a_hold_shows_no_card() -> None:
    table = guarded()
    table.cards("9H KS")
    table.unread()
    assert names_of(table.expire()) == ["GuardEnded"]
    assert table.state.phase is Phase.HELD
    (void,) = table.rule("void")
    assert isinstance(void, ev.RoundVoided)
    assert void.set_aside == ()
    assert public_cards(void) == []


def test_a_release_shows_what_was_kept_once_the_guard_is_over() -> None:
    table = guarded()
    table.cards("9H KS")
    table.report(inp.FaultReported(inp.FaultKind.REVERSE_MID, 7, latched=False))
    table.expire()
    events = table.rule("release")
    assert names_of(events) == ["RoundReleased", "IrregularityResolved", "CardDealt", "CardDealt"]
    assert {one.source for one in table.log[-2:]} == {Source.SHOE}
    assert table.state.shown_player == (Card("9H"),)


def test_no_ruling_shows_cards_within_the_guard_but_a_void_may_be_given() -> None:
    table = guarded()
    table.cards("9H KS")
    table.report(inp.FaultReported(inp.FaultKind.REVERSE_MID, 7, latched=False))
    assert prompt_for(table.state).commands == ("void_round", "enter_card")
    assert table.refused(command_for("rule_hold", table.state)) == "guard"
    assert names_of(table.expire()) == ["GuardEnded"]
    assert prompt_for(table.state).commands == ("rule_hold", "void_round", "enter_card")
    table.rule("release")
    assert table.state.shown_player == (Card("9H"),)


@pytest.mark.req("RND-4")
def test_a_surplus_card_within_the_guard_is_told_with_the_rest_after_it() -> None:
    table = guarded()
    assert all(public_cards(event) == [] for event in table.cards(NATURAL + " 2C"))
    assert names_of(table.expire()) == ["GuardEnded"]
    events = table.rule("reconstruct")
    assert names_of(events) == ["RoundReleased", "IrregularityResolved"] + ["CardDealt"] * 4
    assert public_cards(events[0]) == [Card("2C")]
    assert table.state.phase is Phase.RESULT


def test_a_void_within_the_guard_ends_it() -> None:
    table = guarded()
    table.cards("9H")
    table.void()
    assert table.state.guard_until is None
    assert table.state.kept == ()
    armed = timer_of(table.state)
    assert armed is not None
    assert armed.name == "settle"


def test_a_house_without_a_guard_shows_cards_at_once() -> None:
    table = Driven().dealing()
    assert timer_of(table.state) is None
    assert names_of(table.card("9H")) == ["CardDealt"]


@pytest.mark.req("COM-2")
def test_kept_cards_outlast_a_restart() -> None:
    table = guarded()
    table.cards("9H KS")
    table.restart()
    armed = timer_of(table.state)
    assert armed is not None
    assert armed.name == "guard"
    assert names_of(table.expire()) == ["GuardEnded", "CardDealt", "CardDealt"]
