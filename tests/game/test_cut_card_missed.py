# SPDX-License-Identifier: Apache-2.0
"""The cut card that does not come where it was due, and the one that a person tells of."""

import pytest

from studio.game import events as ev
from studio.game import inputs as inp
from studio.game.cards import Card
from studio.game.house import Burn, BurnRule, House, LastCoup, ShoeMode
from studio.game.inputs import CutCardDrawn
from studio.game.prompts import prompt_for
from studio.game.state import Phase, timer_of
from tests.game.houses import NAMES
from tests.game.misdeal_stories import audited, codes_of, dealt, rules
from tests.game.table_driver import BY, Driven, names_of, next_fresh

WITH_CUT_CARD = [name for name in NAMES if rules(name).shoe_mode is ShoeMode.SHOE]
MISSED = ["cut-card-missed"]
ONE_MORE, ALWAYS, CURRENT = LastCoup.ONE_MORE, LastCoup.ALWAYS_ONE_MORE, LastCoup.CURRENT


def before_cut_card(rule: House, left: int = 0) -> Driven:
    """A shoe that was burned down until so many cards lie before the cut card."""
    assert rule.cut_card_from_end is not None
    table = Driven(rule).ready()
    table.ask("burn_cards", count=rule.cards - rule.cut_card_from_end - left)
    while table.state.phase is Phase.BURNING:
        table.card(next_fresh(table.state).value)
    assert table.state.hold is None
    return table


def one_coup(table: Driven) -> Driven:
    """A coup with a result, not closed yet, of cards that the shoe still has."""
    table.dealing()
    while table.state.phase is Phase.DEALING:
        table.card(next_fresh(table.state).value)
    table.ask("confirm_result")
    return table


def missed(rule: House) -> Driven:
    """The mark lay in the coup that was just closed, and the cut card did not come."""
    table = one_coup(before_cut_card(rule, 2))
    table.ask("close_round")
    return table


def is_last(table: Driven, more: int) -> None:
    """So many coups more are dealt, and then the shoe is over."""
    for _ in range(more):
        one_coup(table).ask("close_round")
        assert table.state.hold is None
    assert prompt_for(table.state).code == "end-shoe"
    table.give(inp.OpenBets(by=BY))
    assert isinstance(table.last, inp.Refusal)
    audited(table)


@pytest.mark.parametrize("name", WITH_CUT_CARD)
def test_the_round_that_went_past_it_stands_and_then_the_table_is_held(name: str) -> None:
    rule = rules(name)
    table = missed(rule)
    assert codes_of(table) == MISSED
    assert (table.state.held_from, table.state.suspended) == (Phase.IDLE, "misdeal")
    assert prompt_for(table.state).remedies == ("release",)
    (standing,) = table.state.results
    assert standing.outcome is not None
    told = names_of(table.rule("release"))
    if rule.last_coup is CURRENT:
        assert told == ["IrregularityResolved", "TableResumed", "ShoeStopped"]
        assert table.state.shoe_stopped == "cut-card-missed"
    else:
        assert told == ["IrregularityResolved", "TableResumed", "CutCardSeen"]
        assert table.state.last_coup == "this"
    is_last(table, 0 if rule.last_coup is CURRENT else 1)


@pytest.mark.parametrize("rule, more", [(CURRENT, 0), (ONE_MORE, 1), (ALWAYS, 1)])
def test_it_counts_as_if_it_had_come_in_the_coup_before(rule: LastCoup, more: int) -> None:
    table = missed(rules("macau", last_coup=rule))
    table.rule("release")
    is_last(table, more)


@pytest.mark.parametrize("name", WITH_CUT_CARD)
def test_it_is_due_before_the_first_card_from_behind_it_and_not_sooner(name: str) -> None:
    table = before_cut_card(rules(name))
    table.ask("burn_cards", count=1)
    table.card(next_fresh(table.state).value)
    assert codes_of(table) == MISSED


@pytest.mark.parametrize("name", WITH_CUT_CARD)
def test_a_cut_card_that_came_is_never_missed(name: str) -> None:
    rule = rules(name)
    table = before_cut_card(rule, 2).dealing()
    table.cards(" ".join(next_fresh(table.state).value for _ in range(1)))
    table.report(CutCardDrawn())
    while table.state.phase is Phase.DEALING:
        table.card(next_fresh(table.state).value)
    table.ask("confirm_result")
    table.ask("close_round")
    assert table.state.hold is None
    is_last(table, 0 if rule.last_coup is CURRENT else 1)


def test_a_shoe_that_is_reshuffled_misses_none() -> None:
    table = Driven(rules("continuous", decks=1))
    for _ in range(12):
        table.played()
    table.ask("close_round")
    table.ask("report_irregularity", code="cut-card-missed")
    assert names_of(table.rule("release")) == ["IrregularityResolved", "TableResumed"]


def test_the_timer_that_closes_the_round_finds_it_too() -> None:
    table = one_coup(before_cut_card(rules("studio"), 2))
    assert timer_of(table.state) is not None
    table.expire()
    assert codes_of(table) == MISSED


@pytest.mark.parametrize("tag", ["open_bets", "close_table", "burn_cards", "open_free_coup"])
def test_what_would_go_on_after_the_round_closes_it_and_finds_the_table_held(tag: str) -> None:
    table = one_coup(before_cut_card(rules("studio"), 2))
    assert names_of(table.ask(tag)) == ["RoundClosed", "IrregularityRaised", "TableSuspended"]
    assert codes_of(table) == MISSED


@pytest.mark.parametrize("tag", ["end_shoe", "change_shoe"])
def test_a_shoe_that_is_taken_out_with_the_round_needs_no_ruling(tag: str) -> None:
    table = one_coup(before_cut_card(rules("studio"), 2))
    assert "ShoeEnded" in names_of(table.ask(tag))
    assert table.state.hold is None


def test_an_empty_shoe_is_over_without_a_ruling() -> None:
    table = before_cut_card(rules("studio", decks=1, cut_card_from_end=4)).dealing()
    while table.state.hold is None:
        table.card(next_fresh(table.state).value)
    assert codes_of(table) == ["insufficient-cards"]
    table.rule("void")
    table.ask("close_round")
    assert (table.state.cards_out, table.state.hold) == (52, None)
    assert prompt_for(table.state).code == "end-shoe"


def test_a_burn_past_it_holds_the_table_in_mid_burn() -> None:
    table = before_cut_card(rules("venezia"))
    table.ask("burn_cards", count=3)
    table.card(next_fresh(table.state).value)
    assert (table.state.held_from, codes_of(table)) == (Phase.BURNING, MISSED)
    table.rule("release")
    assert prompt_for(table.state).code == "end-shoe"


def test_a_stray_card_from_behind_it_is_told_with_it_in_one_hold() -> None:
    table = before_cut_card(rules("studio"))
    table.card(next_fresh(table.state).value)
    assert codes_of(table) == ["next-card-early", *MISSED]
    table.rule("burn")
    assert table.state.hold is None
    is_last(table, 1)


def test_a_stray_card_before_the_round_is_closed_waits_for_its_end() -> None:
    table = one_coup(before_cut_card(rules("studio"), 4))
    table.card(next_fresh(table.state).value)
    assert codes_of(table) == ["next-card-early"]
    table.rule("burn")
    table.ask("close_round")
    assert codes_of(table) == MISSED


@pytest.mark.parametrize("name", WITH_CUT_CARD)
def test_a_coup_without_bets_past_it_ends_in_the_hold(name: str) -> None:
    rule = rules(name)
    table = before_cut_card(rule, 2)
    table.ask("open_free_coup")
    while table.state.phase is Phase.DEALING:
        table.card(next_fresh(table.state).value)
    table.ask("confirm_result")
    assert (table.state.held_from, codes_of(table)) == (Phase.IDLE, MISSED)
    table.rule("release")
    is_last(table, 0 if rule.last_coup is CURRENT else 1)


def test_a_coup_without_bets_that_is_given_up_past_it_is_ruled_on_once() -> None:
    table = before_cut_card(rules("venezia"))
    table.ask("open_free_coup")
    table.card(next_fresh(table.state).value)
    table.ask("report_irregularity", code="card-on-floor")
    table.rule("void")
    assert (table.state.hold, table.state.shoe_stopped) == (None, "cut-card-missed")


# --- named by a person ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", WITH_CUT_CARD)
@pytest.mark.parametrize("remedy", ["release", "void"])
def test_named_in_mid_coup_it_counts_as_if_it_had_come_in_that_coup(name: str, remedy: str) -> None:
    rule = rules(name)
    table = dealt(rule)
    table.ask("report_irregularity", code="cut-card-missed")
    (seen,) = [one for one in table.rule(remedy) if isinstance(one, ev.CutCardSeen)]
    assert (seen.last_coup, seen.by) == ("this" if rule.last_coup is CURRENT else "next", BY)
    while table.state.phase is Phase.DEALING:
        table.card(next_fresh(table.state).value)
    if remedy == "release":
        table.ask("confirm_result")
    table.ask("close_round")
    is_last(table, 0 if rule.last_coup is CURRENT else 1)


@pytest.mark.parametrize("name", WITH_CUT_CARD)
def test_named_before_the_first_card_this_coup_is_the_last(name: str) -> None:
    table = Driven(rules(name)).dealing()
    table.ask("report_irregularity", code="cut-card-missed")
    table.rule("release")
    assert table.state.last_coup == "this"


def test_named_after_it_came_it_is_refused_and_changes_nothing() -> None:
    table = dealt(rules("studio"))
    table.report(CutCardDrawn())
    said = inp.ReportIrregularity(by=BY, code="cut-card-missed", detail="")
    assert table.refused(said) == "cut_card_out"
    assert (table.state.hold, table.state.last_coup) == (None, "next")


@pytest.mark.parametrize("name", WITH_CUT_CARD)
def test_one_that_comes_after_all_is_only_noted(name: str) -> None:
    table = missed(rules(name))
    assert names_of(table.report(CutCardDrawn())) == ["ShoeNoted"]
    table.rule("release")
    before = table.state.coups_left
    assert names_of(table.report(CutCardDrawn())) == ["ShoeNoted"]
    assert table.state.coups_left == before


# --- a cut card that people tell of --------------------------------------------------------------


@pytest.mark.parametrize("name", WITH_CUT_CARD)
@pytest.mark.parametrize("codes", ["", "2H KS"])
def test_a_person_tells_of_it_and_it_counts_like_that_of_the_shoe(name: str, codes: str) -> None:
    by_shoe, by_hand = dealt(rules(name), codes), dealt(rules(name), codes)
    (reported,) = by_shoe.report(CutCardDrawn())
    (seen,) = by_hand.ask("note_cut_card")
    assert isinstance(reported, ev.CutCardSeen)
    assert isinstance(seen, ev.CutCardSeen)
    assert (seen.last_coup, seen.by) == (reported.last_coup, BY)
    assert by_hand.refused(inp.NoteCutCard(by=BY)) == "cut_card_out"
    audited(by_hand)


def test_without_a_shoe_or_a_cut_card_there_is_none_to_tell_of() -> None:
    assert Driven(rules("studio")).refused(inp.NoteCutCard(by=BY)) == "not_now"
    reshuffled = Driven(rules("continuous")).ready()
    assert reshuffled.refused(inp.NoteCutCard(by=BY)) == "no_cut_card"


def test_one_that_is_missed_is_ruled_on_and_not_told_of() -> None:
    table = missed(rules("venezia"))
    assert table.refused(inp.NoteCutCard(by=BY)) == "not_now"
    table.rule("release")
    assert table.refused(inp.NoteCutCard(by=BY)) == "cut_card_out"


def test_a_coup_by_hand_past_it_is_not_held_once_it_was_told_of() -> None:
    table = before_cut_card(rules("studio"), 2)
    table.report(inp.LineLost("pty", "closed", "end of file"))
    table.ask("set_manual_mode")
    table.dealing()
    table.ask("deal_card")
    table.ask("note_cut_card")
    while table.state.phase is Phase.DEALING:
        table.ask("deal_card")
    table.ask("confirm_result")
    table.ask("close_round")
    assert (table.state.hold, table.state.last_coup) == (None, "this")


def test_the_burn_of_a_shipped_house_never_reaches_it() -> None:
    for name in WITH_CUT_CARD:
        rule = rules(name, burn=Burn(BurnRule.FIRST_CARD, ace=11))
        table = Driven(rule).ready()
        table.card(Card("TS").value)
        while table.state.phase is Phase.BURNING:
            table.card(next_fresh(table.state).value)
        assert table.state.hold is None
