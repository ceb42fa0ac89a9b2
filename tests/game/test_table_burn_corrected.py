# SPDX-License-Identifier: Apache-2.0
"""A burned card that is another than was read: the shoe's inventory, and how many are burned."""

import msgspec
import pytest
from msgspec.structs import replace

from studio.game import events as ev
from studio.game import inputs as inp
from studio.game.cards import Card
from studio.game.house import Burn, BurnRule, House
from studio.game.prompts import prompt_for
from studio.game.snapshot import staff_state
from studio.game.state import Phase
from tests.game.misdeal_stories import (
    CARD_TO_COME,
    audited,
    beside_a_card_to_come,
    codes_of,
    go_home,
    rules,
)
from tests.game.table_driver import BY, SECOND, Driven, names_of

FIRST = Burn(BurnRule.FIRST_CARD)


def burned(codes: str, rule: House | None = None) -> Driven:
    """A shoe with these cards burned."""
    table = Driven(rule or rules("studio", burn=FIRST)).ready()
    table.cards(codes)
    return table


def said(number: int, code: str) -> inp.CorrectBurn:
    return inp.CorrectBurn(by=BY, number=number, card=Card(code), second=SECOND)


@pytest.mark.req("MAN-5")
def test_a_burned_card_is_corrected_by_two_people_and_the_read_is_kept() -> None:
    table = burned("3H KS")
    assert table.refused(replace(said(2, "QS"), second=BY)) == "same_person"
    assert table.refused(replace(said(2, "QS"), second=" ")) == "second_missing"
    assert table.refused(said(3, "QS")) == "no_such_card"
    assert table.refused(said(0, "QS")) == "no_such_card"
    assert table.refused(said(2, "KS")) == "unchanged"
    (corrected,) = table.give(said(2, "QS"))
    assert corrected == ev.BurnCorrected(
        number=2, card=Card("QS"), read=Card("KS"), burn=4, by=BY, second=SECOND
    )
    assert table.state.burn_cards == (Card("3H"), Card("QS"))
    assert {code: n for code, n in table.state.copies.items() if n} == {"3H": 1, "QS": 1}
    assert (table.state.cards_out, table.state.burned, table.state.burn_due) == (2, 2, 4)
    audited(table)


def test_a_first_card_misread_too_high_ends_the_burn_and_the_surplus_stays_out() -> None:
    table = burned("9H KS QS JS")
    events = table.give(said(1, "2H"))
    assert names_of(events) == ["BurnCorrected", "BurnCompleted"]
    assert (table.state.phase, table.state.burned, table.state.burn_due) == (Phase.IDLE, 4, 3)
    audited(table)


def test_before_the_first_coup_the_cards_that_are_missing_are_burned() -> None:
    table = burned("AH KS")
    assert table.state.phase is Phase.IDLE
    events = table.give(said(1, "3H"))
    assert names_of(events) == ["BurnCorrected", "BurnOrdered"]
    assert prompt_for(table.state).words == {"left": "2"}
    table.cards("QS JS")
    assert (table.state.phase, table.state.burned) == (Phase.IDLE, 4)
    table.give(said(1, "5H"))
    assert prompt_for(table.state).words == {"left": "2"}, "and once more"
    audited(table)


def test_an_ordered_burn_beside_a_right_first_card_is_left_alone() -> None:
    table = burned("AH KS")
    table.ask("burn_cards", count=1)
    assert names_of(table.give(said(2, "QS"))) == ["BurnCorrected"]
    assert table.state.burn_due == 3


def test_after_the_first_coup_only_the_inventory_is_corrected() -> None:
    table = burned("AH KS").played()
    assert names_of(table.give(said(1, "9H"))) == ["BurnCorrected"]
    assert (table.state.phase, table.state.burn_due) == (Phase.SETTLING, 2)
    table.ask("close_round")
    assert names_of(table.give(said(1, "8H"))) == ["BurnCorrected"]
    assert (table.state.phase, table.state.burned) == (Phase.IDLE, 2)
    assert table.state.copies["8H"] == 1
    assert table.state.copies["AH"] == 0
    table.ask("burn_cards", count=1)
    table.give(said(1, "7H"))
    assert table.state.burn_due == 3
    audited(table)


@pytest.mark.req("REC-8")
def test_a_false_copy_too_many_goes_with_the_burned_card_that_was_misread() -> None:
    table = burned("2H", rules("studio", decks=1, burn=Burn(BurnRule.FIXED, 1)))
    table.dealing().card("2H")
    assert codes_of(table) == ["duplicate-card"]
    assert prompt_for(table.state).remedies == ("void",)
    table.give(said(1, "3H"))
    assert prompt_for(table.state).remedies == ("release", "void")
    table.rule("release")
    table.card("3H")
    assert codes_of(table) == ["duplicate-card"], "the card that it really was"
    table.rule("void")
    go_home(table)


def test_a_missed_copy_too_many_shows_once_the_burned_card_is_right() -> None:
    table = burned("2H", rules("studio", decks=1, burn=Burn(BurnRule.FIXED, 1)))
    table.give(said(1, "3H"))
    table.dealing().card("2H")
    assert codes_of(table) == []
    assert names_of(table.card("3H"))[:2] == ["CardHeld", "IrregularityRaised"]


def test_a_burned_card_is_no_copy_that_cannot_be_left() -> None:
    table = burned("2H 3H", rules("studio", decks=1, burn=Burn(BurnRule.FIXED, 2)))
    assert table.refused(said(1, "3H")) == "copy_too_many"


@pytest.mark.parametrize("when", [*CARD_TO_COME, "no shoe"])
def test_no_burned_card_is_corrected_beside_a_card_that_may_come(when: str) -> None:
    table = burned("AH KS")
    if when == "no shoe":
        table.ask("end_shoe")
    else:
        beside_a_card_to_come(table, when)
    assert table.refused(said(1, "3H")) == "not_now"


def test_the_burn_is_mended_while_it_is_held() -> None:
    table = burned("9H KS")
    table.ask("report_irregularity", code="card-damaged")
    table.card("QS")
    assert names_of(table.give(said(1, "2H"))) == ["BurnCorrected"]
    assert names_of(table.rule("burn"))[-1] == "BurnCompleted"
    assert (table.state.phase, table.state.burned) == (Phase.IDLE, 3)
    audited(table)


def test_a_card_burned_from_a_hold_does_not_count_as_one_that_the_first_card_asks_for() -> None:
    table = burned("")
    table.ask("report_irregularity", code="card-damaged")
    table.card("QS")
    table.rule("burn")
    table.unread()
    assert prompt_for(table.state).words == {"number": "2"}, "they count on from one another"
    table.give(said(2, "2H"))
    assert table.state.burn_due == 4
    assert prompt_for(table.state).words == {"left": "2"}


def test_cards_that_are_shuffled_in_again_are_not_corrected() -> None:
    table = burned("AH KS", rules("continuous", burn=FIRST)).played()
    table.ask("close_round")
    assert table.refused(said(1, "3H")) == "no_such_card"


def test_a_new_shoe_has_a_burn_of_its_own() -> None:
    table = burned("AH KS")
    table.ask("end_shoe")
    assert staff_state(table.state).burn_reads == 0
    table.ask("load_shoe")
    table.unread()
    table.give(said(1, "AH"))
    assert table.state.burn_due == 2


@pytest.mark.req("REC-2")
def test_the_console_is_told_how_many_cards_were_burned_and_not_which() -> None:
    table = burned("AH KS")
    shown = staff_state(table.state)
    assert shown.burn_reads == 2
    assert b'"AH"' not in msgspec.json.encode(shown)
