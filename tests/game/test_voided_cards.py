# SPDX-License-Identifier: Apache-2.0
"""A card of a void round that was misread, or not read: what it really is, is put right late.

The round stays void. The inventory by rank and suit is then what lies in the discard.
"""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from studio.game import events as ev
from studio.game import inputs as inp
from studio.game.cards import Card
from studio.game.events import Source
from studio.game.prompts import prompt_for
from studio.game.snapshot import public_state, staff_state
from studio.game.state import Phase
from tests.game.misdeal_stories import (
    CARD_TO_COME,
    audited,
    beside_a_card_to_come,
    codes_of,
    go_home,
    out,
    rules,
)
from tests.game.table_driver import BY, SECOND, Driven, amendment, hand, names_of

ONE_DECK = {"decks": 1, "cut_card_from_end": 12}


def voided(codes: str = "6D KS", house: str = "studio", **changes: Any) -> tuple[Driven, str]:
    """A round that is void after these cards, ``-`` for one that was not read; not closed yet."""
    table = Driven(rules(house, **changes)).dealing()
    round_ = table.state.round or ""
    for code in codes.split():
        table.unread() if code == "-" else table.card(code)
    table.void()
    assert table.state.phase is Phase.SETTLING
    return table, round_


def said(round_: str, number: int, code: str) -> inp.CorrectCard:
    return inp.CorrectCard(by=BY, number=number, card=Card(code), second=SECOND, round=round_)


@pytest.mark.req("MAN-5", "REC-8")
@pytest.mark.parametrize("phase", [Phase.SETTLING, Phase.IDLE])
def test_a_misread_card_of_a_void_round_is_corrected_by_two_people_and_the_read_is_kept(
    phase: Phase,
) -> None:
    table, round_ = voided()
    if phase is Phase.IDLE:
        table.ask("close_round")
    assert table.refused(replace(said(round_, 1, "6H"), second=BY)) == "same_person"
    assert table.refused(replace(said(round_, 1, "6H"), second=" ")) == "second_missing"
    assert table.refused(said(round_, 1, "6D")) == "unchanged"
    assert table.refused(said(round_, 3, "6H")) == "no_such_card"
    assert table.refused(said(round_, 0, "6H")) == "no_such_card"
    (told,) = table.give(said(round_, 1, "6H"))
    assert told == ev.VoidedCardCorrected(
        round=round_, number=1, card=Card("6H"), read=Card("6D"), by=BY, second=SECOND
    )
    assert out(table) == "6H KS"
    assert (table.state.cards_out, table.state.phase) == (2, phase)
    assert table.state.void_cards == {round_: hand("6H KS")}
    assert table.replayed() == table.state
    audited(table)
    go_home(table)


def test_it_is_corrected_again_and_keeps_its_place() -> None:
    table, round_ = voided("6D KS 6D")
    table.give(said(round_, 1, "6H"))
    (told,) = table.give(said(round_, 1, "6S"))
    assert isinstance(told, ev.VoidedCardCorrected)
    assert told.read is Card("6H")
    table.give(said(round_, 3, "7C"))
    assert table.state.void_cards[round_] == hand("6S KS 7C")
    assert out(table) == "6S 7C KS"
    audited(table)


@pytest.mark.req("REC-2", "RND-4")
def test_nothing_of_it_is_public_and_the_round_stays_void() -> None:
    table, round_ = voided()
    before = public_state(table.state)
    table.give(said(round_, 1, "6H"))
    (recorded,) = table.log[-1:]
    assert recorded.public_seq is None
    assert (recorded.round, recorded.shoe, recorded.source) == (
        round_, table.state.shoe, Source.MANUAL
    )  # fmt: skip
    assert public_state(table.state) == before
    assert [(one.outcome, one.revision) for one in table.state.results] == [(None, 1)]
    assert b"6H" not in msgspec.json.encode(public_state(table.state))


def test_one_that_was_not_read_is_given_its_value() -> None:
    table, round_ = voided("6D - KS")
    (told,) = table.give(said(round_, 2, "QD"))
    assert isinstance(told, ev.VoidedCardCorrected)
    assert told.read is None
    assert out(table) == "6D KS QD"
    assert table.state.cards_out == 3
    audited(table)


@pytest.mark.req("REC-8")
def test_a_held_false_copy_too_many_goes_with_the_correction() -> None:
    table, round_ = voided(**ONE_DECK)
    table.dealing().card("6D")
    assert codes_of(table) == ["duplicate-card"]
    assert prompt_for(table.state).remedies == ("void",)
    table.give(said(round_, 1, "6H"))
    assert table.state.found == ()
    table.rule("release")
    assert table.state.player == hand("6D")
    table.card("6H")
    assert codes_of(table) == ["duplicate-card"], "the card that it really was"
    audited(table)


@pytest.mark.req("REC-8")
def test_after_the_last_card_the_inventory_by_rank_and_suit_makes_the_deck() -> None:
    """The first card was misread, in a round that is void; the last one, which it was not, too."""
    table, first = voided(decks=1, cut_card_from_end=1)
    table.give(said(first, 2, "KD"))
    table.ask("close_round")
    for code in (card.value for card in Card if card.value not in ("6H", "6D", "KD")):
        if table.state.phase is not Phase.DEALING:
            table.dealing()
        table.card(code)
        if table.state.phase is Phase.RESULT:
            table.ask("confirm_result")
    if table.state.phase is not Phase.DEALING:
        table.dealing()
    table.unread()
    last = table.state.round or ""
    table.rule("void")
    table.ask("close_round")
    assert (prompt_for(table.state).code, table.state.cards_out) == ("end-shoe", 52)
    table.give(said(first, 1, "6H"))
    table.give(said(last, table.state.void_cards[last].index(None) + 1, "6D"))
    assert {code for code, n in table.state.copies.items() if n == 1} == {*Card}
    audited(table)
    table.ask("end_shoe")


def test_a_card_of_which_no_copy_can_be_left_is_refused() -> None:
    table, round_ = voided(**ONE_DECK)
    assert table.refused(said(round_, 1, "KS")) == "copy_too_many"


@pytest.mark.parametrize("when", CARD_TO_COME)
def test_it_is_not_corrected_beside_a_card_that_may_come(when: str) -> None:
    table, round_ = voided()
    beside_a_card_to_come(table, when)
    assert table.refused(said(round_, 1, "6H")) == "not_now"


def test_a_round_that_is_not_void_has_ways_of_its_own() -> None:
    table = Driven(rules("studio")).played()
    assert table.refused(said(table.state.round or "", 1, "6H")) == "not_void"
    table.dealing().card("6D")
    assert table.refused(said(table.state.round or "", 1, "6H")) == "not_void"
    assert table.refused(said("BAC-1-20261129-9999", 1, "6H")) == "unknown_round"


def test_a_void_before_the_first_card_has_none_to_correct() -> None:
    table, round_ = voided("")
    assert table.state.void_cards == {}
    assert table.refused(said(round_, 1, "6H")) == "unknown_round"


@pytest.mark.parametrize("is_closed", [False, True])
def test_a_round_whose_result_was_voided_late_is_corrected_by_its_hands(is_closed: bool) -> None:
    table = Driven(rules("studio", excess_card="burn")).dealing()
    table.cards("9H KS TC 7D 5C")
    table.rule("reconstruct")
    table.ask("confirm_result")
    round_ = table.state.round or ""
    if is_closed:
        table.ask("close_round")
    table.ask("void_round", round=round_)
    # surplus that met its fate is corrected as what it became
    lay = "9H TC KS 7D" if is_closed else "9H KS TC 7D 5C"
    assert table.state.void_cards == {round_: hand(lay)}
    table.give(said(round_, 4, "7H"))
    assert out(table) == "5C 7H 9H KS TC"
    audited(table)


def test_where_the_house_voids_what_is_found_late_the_misread_is_corrected_after_it() -> None:
    table = Driven(rules("studio", found_late="void")).played("9H KS TC 7D")
    round_ = table.state.round or ""
    table.ask("close_round")
    table.ask("amend_round", **amendment(round_, "9D TC", "KS 7D"))
    assert out(table) == "7D 9H KS TC"
    table.give(said(round_, 1, "9D"))
    assert out(table) == "7D 9D KS TC"
    audited(table)


def test_a_result_put_right_before_its_void_is_corrected_from_there() -> None:
    table = Driven(rules("studio")).played("9H KS TC 7D")
    round_ = table.state.round or ""
    table.ask("amend_round", **amendment(round_, "9D TC", "KS 7D"))
    table.void()
    number = table.state.void_cards[round_].index(Card("9D")) + 1
    table.give(said(round_, number, "9C"))
    assert out(table) == "7D 9C KS TC"
    audited(table)


def test_a_surplus_card_that_is_burned_and_in_the_hands_is_corrected_once() -> None:
    table = Driven(rules("studio", excess_card="burn")).dealing()
    table.cards("9H KS TC 7D 5C")
    table.rule("reconstruct")
    table.ask("confirm_result")
    table.ask("close_round")
    round_ = table.state.results[-1].round
    table.ask("amend_round", **amendment(round_, "2H TC 5C", "KS 7D"))
    table.ask("void_round", round=round_)
    assert Card("5C") not in table.state.void_cards[round_]
    audited(table)


def test_a_card_that_was_carried_into_a_void_round_is_corrected_there() -> None:
    table = Driven(rules("studio", excess_card="carry")).dealing()
    table.cards("9H KS TC 7D 6C")
    table.ask("note_card", number=5, unseen=True)
    table.rule("carry" if "carry" in prompt_for(table.state).remedies else "reconstruct")
    table.ask("confirm_result")
    table.dealing().card("2S")
    round_ = table.state.round or ""
    table.void()
    assert table.state.void_cards[round_] == hand("6C 2S")
    table.give(said(round_, 1, "6S"))
    assert out(table) == "2S 6S 7D 9H KS TC"
    assert table.state.cards_out == 6
    audited(table)


def test_it_is_corrected_after_a_restart_and_not_once_the_shoe_is_out() -> None:
    table, round_ = voided()
    table.restart()
    assert names_of(table.give(said(round_, 1, "6H"))) == ["VoidedCardCorrected"]
    table.ask("close_round")
    table.ask("end_shoe", left=414)
    assert table.state.void_cards == {}
    assert table.refused(said(round_, 1, "6S")) == "unknown_round"
    table.ask("load_shoe")
    assert table.refused(said(round_, 1, "6S")) == "unknown_round"


def test_cards_that_are_shuffled_in_again_are_corrected_only_while_they_lie_there() -> None:
    table, round_ = voided(house="continuous")
    table.give(said(round_, 1, "6H"))
    table.ask("close_round")
    assert table.refused(said(round_, 1, "6S")) == "unknown_round"
    audited(table)


def test_a_round_that_is_voided_late_has_no_card_there_once_it_was_shuffled_in() -> None:
    table = Driven(rules("continuous")).played("9H KS TC 7D")
    round_ = table.state.round or ""
    table.ask("close_round")
    table.ask("void_round", round=round_)
    assert table.state.void_cards == {}
    audited(table)


def test_a_console_is_told_what_was_read_in_each_void_round() -> None:
    table, round_ = voided("6D - KS")
    assert staff_state(table.state).void_cards == {round_: (Card("6D"), None, Card("KS"))}
