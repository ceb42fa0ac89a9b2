# SPDX-License-Identifier: Apache-2.0
"""Cards burned from aside, after a ruling or at the end of a coup, can be corrected like the burn.

They count on with it. The inventory by rank and suit is then what lies in the discard.
"""

import pytest
from msgspec.structs import replace

from studio.game import events as ev
from studio.game import inputs as inp
from studio.game.cards import Card
from studio.game.house import Burn, BurnRule
from studio.game.snapshot import staff_state
from studio.game.state import Phase
from tests.game.misdeal_stories import audited, codes_of, dealt, go_home, out, rules
from tests.game.table_driver import BY, SECOND, Driven, amendment, hand

FIRST = Burn(BurnRule.FIRST_CARD)
ONE_DECK = {"decks": 1, "cut_card_from_end": 12}


def said(number: int, code: str) -> inp.CorrectBurn:
    return inp.CorrectBurn(by=BY, number=number, card=Card(code), second=SECOND)


def strays(codes: str, phase: Phase = Phase.IDLE, **changes: object) -> Driven:
    """One round, then these cards drawn outside any coup and burned; ``-`` was not read."""
    table = Driven(rules("studio", burn=FIRST, **changes)).ready()
    table.cards("AS KD")
    table.dealing().cards("9H KS TC 7D")
    table.ask("confirm_result")
    if phase is Phase.IDLE:
        table.ask("close_round")
    for code in codes.split():
        if code == "-":
            table.unread()
        else:
            table.card(code)
    table.rule("burn")
    assert table.state.phase is phase
    return table


def with_surplus(excess: str = "burn", surplus: str = "5C") -> Driven:
    """A coup with a card too many, settled and closed; two cards were burned before it."""
    table = Driven(rules("studio", burn=FIRST, excess_card=excess)).ready()
    table.cards("AS KD")
    table.dealing().cards("9H KS TC 7D " + surplus)
    table.rule("reconstruct")
    table.ask("confirm_result")
    table.ask("close_round")
    return table


@pytest.mark.req("MAN-5", "REC-8")
@pytest.mark.parametrize("phase", [Phase.IDLE, Phase.SETTLING])
def test_a_misread_card_burned_from_aside_is_corrected_and_counts_on_with_the_burn(
    phase: Phase,
) -> None:
    table = strays("2C 3C", phase)
    assert staff_state(table.state).burn_reads == 4
    assert table.refused(replace(said(4, "4C"), second=BY)) == "same_person"
    assert table.refused(said(4, "3C")) == "unchanged"
    assert table.refused(said(5, "4C")) == "no_such_card"
    (told,) = table.give(said(4, "4C"))
    assert told == ev.BurnCorrected(
        number=4, card=Card("4C"), read=Card("3C"), burn=2, by=BY, second=SECOND
    )
    assert out(table) == "2C 4C 7D 9H AS KD KS TC"
    assert (table.state.cards_out, table.state.burned, table.state.phase) == (8, 4, phase)
    audited(table)
    go_home(table)


def test_one_that_was_not_read_keeps_its_place_and_is_given_its_value() -> None:
    table = strays("2C - 3C")
    assert table.state.burn_cards == (*hand("AS KD 2C"), None, Card("3C"))
    (told,) = table.give(said(4, "QD"))
    assert isinstance(told, ev.BurnCorrected)
    assert told.read is None
    assert out(table) == "2C 3C 7D 9H AS KD KS QD TC"
    assert table.state.cards_out == 9
    audited(table)


@pytest.mark.req("REC-8")
def test_no_false_copy_too_many_is_left_by_a_misread_that_was_burned() -> None:
    table = strays("2C", **ONE_DECK)
    table.give(said(3, "3C"))
    table.dealing().card("2C")
    assert codes_of(table) == [], "it was never out"
    table.card("3C")
    assert codes_of(table) == ["duplicate-card"]


def test_a_held_false_copy_too_many_goes_with_the_correction() -> None:
    table = strays("2C", **ONE_DECK)
    table.dealing().card("2C")
    assert codes_of(table) == ["duplicate-card"]
    table.give(said(3, "3C"))
    assert table.state.found == ()
    table.rule("release")
    go_home(table)


def test_a_card_drawn_after_the_result_is_corrected_without_touching_the_coup_before_it() -> None:
    """The coup that still lies there was dealt before it."""
    table = strays("2C", Phase.SETTLING, **ONE_DECK)
    before = table.state.copies_before
    table.give(said(3, "3C"))
    assert table.state.copies_before == before
    table.give(said(2, "QD"))
    assert table.state.copies_before == {**before, "KD": 0, "QD": 1}
    assert out(table) == "3C 7D 9H AS KS QD TC"
    audited(table)


@pytest.mark.parametrize("excess", ["burn", "next_burn"])
def test_the_surplus_of_a_coup_is_corrected_once_it_is_burned_or_kept_for_it(excess: str) -> None:
    table = with_surplus(excess)
    (told,) = table.give(said(3, "6C"))
    assert isinstance(told, ev.BurnCorrected)
    assert told.read is Card("5C")
    assert out(table) == "6C 7D 9H AS KD KS TC"
    audited(table)
    go_home(table)


def test_a_corrected_surplus_card_that_the_hands_turn_out_to_take_is_counted_once() -> None:
    table = with_surplus()
    table.give(said(3, "6C"))
    round_ = table.state.results[-1].round
    assert sorted(table.state.round_cards[round_]) == sorted(hand("9H KS TC 7D 6C"))
    (told,) = table.give(inp.AmendRound(by=BY, **amendment(round_, "2H TC 6C", "KS 7D")))
    assert isinstance(told, ev.ResultAmended)
    assert (told.drawn, told.not_drawn, told.more_out) == (hand("2H"), hand("9H"), 0)
    assert out(table) == "2H 6C 7D AS KD KS TC"
    audited(table)


def test_a_card_burned_in_a_coup_without_bets_is_corrected() -> None:
    table = Driven(rules("studio")).ready()
    table.ask("open_free_coup")
    table.cards("9H KS TC 7D 5C")
    table.rule("reconstruct")
    table.ask("confirm_result")
    table.give(said(1, "6C"))
    assert out(table) == "6C 7D 9H KS TC"
    audited(table)


def test_what_a_record_of_before_says_of_burned_cards_is_as_it_was() -> None:
    table = strays("2C")
    table.log = [
        replace(one, event=replace(one.event, in_order=()))
        if isinstance(one.event, ev.HeldCardBurned)
        else one
        for one in table.log
    ]
    state = table.replayed()
    assert (state.burn_cards, state.burned) == (hand("AS KD"), 3)


def test_cards_that_are_shuffled_in_again_are_not_corrected() -> None:
    table = dealt(rules("continuous"), "9H KS TC 7D 5C")
    table.rule("reconstruct")
    table.ask("confirm_result")
    table.ask("close_round")
    assert table.refused(said(1, "6C")) == "no_such_card"
