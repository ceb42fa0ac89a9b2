# SPDX-License-Identifier: Apache-2.0
"""Surplus cards: burned, carried to the next coup, next to be burned, or dealt without bets."""

import msgspec
import pytest

from studio.game import events as ev
from studio.game import inputs as inp
from studio.game.cards import Card
from studio.game.coup import Outcome
from studio.game.house import House, ResultEntry
from studio.game.prompts import prompt_for
from studio.game.snapshot import public_phase, public_state
from studio.game.state import Phase
from tests.game.misdeal_stories import audited, dealt, go_home, rules
from tests.game.table_driver import BY, SECOND, Driven, hand, names_of, next_fresh

NATURAL = "9H KS TC 7D"
FREE = {"excess_card": "free_coup"}


def settled(rule: House, surplus: str, *, unseen: bool = False) -> Driven:
    """A round with a result and these cards too many, not closed yet."""
    table = dealt(rule, NATURAL)
    for code in surplus.split():
        table.card(code)
        if unseen:
            table.ask("note_card", number=len(table.state.coup_cards), unseen=True)
    table.rule("reconstruct")
    table.ask("confirm_result")
    return table


def public_since(table: Driven, since: int) -> list[str]:
    return [type(one.event).__name__ for one in table.log[since:] if one.event.PUBLIC is not None]


def test_an_unseen_card_is_carried_and_comes_first_right_after_bets_are_closed() -> None:
    table = settled(rules("atlantic-city"), "2C", unseen=True)
    (released,) = [one.event for one in table.log if isinstance(one.event, ev.RoundReleased)]
    assert (released.set_aside, released.aside_numbers) == ((), (5,))
    assert names_of(table.ask("close_round")) == ["SurplusCarried", "RoundClosed"]
    table.betting()
    assert b'"2C"' not in _encoded(table)
    events = table.expire()
    assert names_of(events) == ["BetsClosed", "CardDealt"]
    assert isinstance(events[1], ev.CardDealt)
    assert (events[1].position.value, events[1].card, events[1].is_carried) == ("P1", "2C", True)
    assert table.state.cards_out == 5
    assert table.state.copies["2C"] == 1
    table.cards("KS TC 7D 5C")
    assert table.state.player == hand("2C TC 5C")
    go_home(table)


def _encoded(table: Driven) -> bytes:
    return msgspec.json.encode(public_state(table.state))


@pytest.mark.req("RND-4")
def test_a_carried_card_waits_for_no_guard_and_those_drawn_within_it_do() -> None:
    table = settled(rules("atlantic-city"), "2C", unseen=True)
    table.restart(rules("atlantic-city", close_guard_ms=1500))
    table.report(inp.LineUp("pty", 2))
    table.dealing()
    assert table.state.guard_until is not None
    assert table.state.shown_player == hand("2C")
    table.card("KS")
    assert table.state.shown_banker == ()
    table.expire()
    assert table.state.shown_banker == hand("KS")


def test_one_seen_card_sends_all_of_them_to_a_coup_without_bets() -> None:
    table = dealt(rules("atlantic-city"), NATURAL)
    table.cards("2C 3C")
    table.ask("note_card", number=5, unseen=True)
    table.rule("reconstruct")
    table.ask("confirm_result")
    assert names_of(table.ask("close_round")) == ["FreeCoupDue", "RoundClosed"]
    assert table.state.free_coup_cards == hand("2C 3C")
    assert table.refused(inp.OpenBets(by=BY)) == "free_coup_due"
    go_home(table)


@pytest.mark.req("RND-4")
def test_a_coup_without_bets_shows_no_card_and_gives_no_result() -> None:
    table = settled(rules("studio", **FREE), "2C")
    table.ask("close_round")
    before, since = public_state(table.state), len(table.log)
    assert prompt_for(table.state).code == "open-free-coup"
    assert names_of(table.ask("open_free_coup")) == ["FreeCoupOpened", "CardKept"]
    assert prompt_for(table.state).code == "deal-free-card"
    assert prompt_for(table.state).position == "B1"
    assert public_phase(table.state) == "idle"
    table.cards("KS TC 7D")
    table.unread()
    table.card("9S")
    assert table.state.phase is Phase.HELD
    assert public_phase(table.state) == "idle"
    table.ask("enter_card", number=5, card=Card("5C"))
    assert names_of(table.ask("rule_hold")) == ["IrregularityResolved", "ResultDeclared"]
    assert prompt_for(table.state).code == "end-free-coup"
    events = table.give(inp.ConfirmResult(by=BY))
    assert names_of(events) == ["FreeCoupDue", "FreeCoupEnded"]
    ended = events[-1]
    assert isinstance(ended, ev.FreeCoupEnded)
    assert ended.player == hand("2C TC 5C")
    assert public_since(table, since) == []
    assert public_state(table.state) == before
    assert table.state.free_coup_cards == hand("9S")
    go_home(table)


def test_a_free_coup_is_not_closed_over_and_no_round_can_be_voided_in_it() -> None:
    table = Driven(rules("studio")).ready()
    table.ask("open_free_coup")
    assert table.refused(inp.CloseTable(by=BY)) == "not_now"
    assert table.refused(inp.EndShoe(by=BY)) == "not_now"
    assert table.refused(inp.OpenFreeCoup(by=BY)) == "not_now"
    void = inp.VoidRound(by=BY, round="", reason="x", second=SECOND)
    assert table.refused(void) == "no_round"
    table.cards(NATURAL)
    go_home(table)
    assert table.state.results == ()
    assert table.state.rounds == 0


def test_a_free_coup_beyond_mending_is_given_up() -> None:
    table = Driven(rules("studio")).ready()
    table.ask("open_free_coup")
    table.card("9H")
    table.ask("report_irregularity", code="foreign-card")
    assert prompt_for(table.state).commands == ("rule_hold", "withdraw_report")
    (ended, stopped) = table.rule("void")
    assert isinstance(ended, ev.FreeCoupEnded)
    assert isinstance(stopped, ev.ShoeStopped)
    assert ended.outcome is None
    assert table.state.phase is Phase.IDLE
    audited(table)


def test_a_free_coup_without_a_line_is_dealt_by_hand() -> None:
    table = Driven(rules("studio")).ready()
    table.ask("open_free_coup")
    table.report(inp.LineLost("pty", "closed", "end of file"))
    assert prompt_for(table.state).commands == ("set_manual_mode", "cancel_free_coup")
    table.ask("set_manual_mode")
    go_home(table)


def test_more_surplus_than_a_coup_takes_waits_for_another_one() -> None:
    table = settled(rules("studio", **FREE), "9C KC TC 7C 2C 3C")
    table.ask("close_round")
    events = table.ask("open_free_coup")
    assert names_of(events) == ["FreeCoupOpened"] + ["CardKept"] * 4 + ["ResultDeclared"]
    table.ask("confirm_result")
    assert table.state.free_coup_cards == hand("2C 3C")
    go_home(table)
    assert "FreeCoupOpened" in table.names()


def test_more_carried_cards_than_a_coup_takes_wait_for_the_next_one() -> None:
    table = settled(rules("atlantic-city"), "9C KC TC 7C 2C", unseen=True)
    table.dealing()
    assert table.state.phase is Phase.RESULT
    assert table.state.carried == hand("2C")
    table.ask("confirm_result")
    table.dealing()
    assert table.state.shown_player == hand("2C")
    go_home(table)


def test_a_free_coup_in_between_takes_the_carried_cards_with_it() -> None:
    table = settled(rules("atlantic-city"), "2C", unseen=True)
    table.ask("close_round")
    table.ask("open_free_coup")
    assert table.state.player == hand("2C")
    assert table.state.carried == ()
    go_home(table)


def test_a_void_before_the_first_card_leaves_the_carried_ones_for_the_next_coup() -> None:
    table = settled(rules("atlantic-city"), "2C", unseen=True)
    table.betting()
    assert names_of(table.void()) == ["BetsClosed", "RoundVoided"]
    assert table.state.carried == hand("2C")
    table.dealing()
    assert table.state.shown_player == hand("2C")
    go_home(table)


def test_a_copy_too_many_of_a_carried_card_is_that_which_came_later() -> None:
    rule = rules("atlantic-city", decks=1, cut_card_from_end=14)
    table = settled(rule, "2C", unseen=True)
    table.ask("close_round")
    table.card("2C")
    assert table.state.hold is not None
    table.rule("burn")
    assert table.state.carried == hand("2C")
    assert table.state.shoe_stopped == "duplicate-card"
    go_home(table)


def test_the_next_burn_takes_the_surplus_first() -> None:
    table = settled(rules("studio", excess_card="next_burn"), "2C")
    assert names_of(table.ask("close_round")) == ["SurplusKeptForBurn", "RoundClosed"]
    assert (table.state.burned, table.state.burn_next) == (1, 1)
    assert names_of(table.ask("burn_cards", count=1)) == ["BurnOrdered", "BurnCompleted"]
    table.ask("burn_cards", count=2)
    assert prompt_for(table.state).words == {"left": "2"}
    table.cards("3C 4C")
    assert (table.state.phase, table.state.burned) == (Phase.IDLE, 3)
    go_home(table)


def test_a_burn_is_corrected_before_the_first_card() -> None:
    table = Driven(rules("studio")).ready()
    assert table.refused(inp.BurnCards(by=BY, count=0, reason="x")) == "count_impossible"
    assert table.refused(inp.BurnCards(by=BY, count=1, reason=" ")) == "reason_missing"
    table.ask("burn_cards", count=3)
    table.card("2C")
    table.ask("burn_cards", count=1)
    assert prompt_for(table.state).words == {"left": "1"}
    assert names_of(table.ask("burn_cards", count=0)) == ["BurnOrdered", "BurnCompleted"]
    assert table.state.phase is Phase.IDLE
    table.dealing()
    assert table.refused(inp.BurnCards(by=BY, count=1, reason="x")) == "not_now"


def test_players_do_not_see_a_burn_in_the_middle_of_a_shoe() -> None:
    table = Driven(rules("studio")).played()
    table.ask("burn_cards")
    assert public_phase(table.state) == "idle"


def test_nothing_waits_for_a_shoe_that_is_out() -> None:
    for rule, unseen in ((rules("atlantic-city"), True), (rules("studio", **FREE), False)):
        table = settled(rule, "2C", unseen=unseen)
        table.ask("end_shoe")
        assert (table.state.carried, table.state.free_coup_cards) == ((), None)
        audited(table)


def test_a_shoe_that_is_reshuffled_takes_its_surplus_back() -> None:
    table = settled(rules("continuous", **FREE), "2C")
    table.ask("close_round")
    assert table.state.free_coup_cards is None
    assert (table.state.cards_out, table.state.copies) == (0, {})
    go_home(table.dealing())


def test_a_void_round_has_no_surplus() -> None:
    table = settled(rules("atlantic-city"), "2C", unseen=True)
    table.void()
    assert names_of(table.ask("close_round")) == ["RoundClosed"]
    assert table.state.carried == ()
    audited(table)


def test_an_automatic_house_confirms_no_coup_without_bets() -> None:
    table = Driven(rules("studio", result_entry=ResultEntry.AUTO)).ready()
    table.ask("open_free_coup")
    table.cards(NATURAL)
    assert table.state.phase is Phase.RESULT
    assert table.state.outcome is Outcome.PLAYER
    go_home(table)


def test_new_rules_wait_for_the_end_of_a_coup_without_bets() -> None:
    table = Driven(rules("venezia")).ready()
    table.ask("open_free_coup")
    table.card("9H")
    table.restart(rules("macau"))
    before = (table.state.house, table.state.next_house)
    assert [one and one.name for one in before] == ["venezia", "macau"]
    table.report(inp.LineUp("pty", 2))
    table.ask("trust_stream")
    while table.state.phase is Phase.DEALING:
        table.card(next_fresh(table.state).value)
    table.ask("confirm_result")
    assert table.state.house is not None
    assert (table.state.house.name, table.state.next_house) == ("macau", None)
    audited(table)


def test_a_carried_card_that_was_misread_counts_as_what_it_is_and_not_as_what_was_read() -> None:
    table = dealt(rules("atlantic-city"), "2C 2C 6H 7D")
    table.card("2C")
    table.ask("note_card", number=5, unseen=True)
    table.rule("reconstruct")
    table.ask("confirm_result")
    table.betting().expire()
    table.ask("correct_card", number=1, card=Card("KS"), second=SECOND)
    table.rule("reconstruct")
    table.cards("2C 2C 2C")
    assert table.state.copies["2C"] == 5
    table.card("2C")
    assert table.state.hold is None, "the sixth of six"
    assert (table.state.copies["2C"], table.state.copies["KS"]) == (6, 1)
    audited(table)
