# SPDX-License-Identifier: Apache-2.0
"""A ghost read: one card slid back and out again is read twice, and one of the reads is struck."""

import pytest
from msgspec.structs import replace

from studio.game import events as ev
from studio.game import inputs as inp
from studio.game.cards import Card
from studio.game.inputs import CardDrawn, Target
from studio.game.prompts import prompt_for
from studio.game.state import Phase, ShoeStep, TableState
from tests.game.houses import NAMES
from tests.game.misdeal_stories import audited, codes_of, dealt, go_home, rules
from tests.game.table_driver import BY, SECOND, WHY, Driven, names_of


def strike(number: int) -> inp.StrikeCard:
    return inp.StrikeCard(by=BY, number=number, reason=WHY, second=SECOND)


def ghost(codes: str, name: str = "studio", /, **changes: object) -> Driven:
    """These cards are out, and somebody saw that one of them was read twice."""
    table = dealt(rules(name, **changes), codes)
    table.ask("report_irregularity", code="ghost-read")
    return table


def known(state: TableState) -> TableState:
    """A state without what a hold and its events count."""
    copies = {code: n for code, n in state.copies.items() if n}
    return replace(state, seq=0, public_seq=0, hold=None, copies=copies, ordinal=0, player=(),
                   banker=(), shoe_step=ShoeStep.IN, phase=Phase.HELD, last_card=None)  # fmt: skip


@pytest.mark.req("MAN-5")
def test_two_people_strike_a_read_of_a_held_coup_and_what_was_read_is_kept() -> None:
    table = ghost("2H KS TC TC")
    assert table.refused(replace(strike(4), second=BY)) == "same_person"
    assert table.refused(replace(strike(4), second="")) == "second_missing"
    assert table.refused(replace(strike(4), reason=" ")) == "reason_missing"
    assert table.refused(strike(5)) == "no_such_card"
    assert table.refused(strike(0)) == "no_such_card"
    (struck,) = table.give(strike(4))
    assert struck == ev.CardStruck(number=4, card=Card("TC"), reason=WHY, by=BY, second=SECOND)
    assert (table.state.cards_out, table.state.copies["TC"]) == (3, 1)
    audited(table)


def test_a_read_is_struck_only_while_the_table_is_held() -> None:
    assert dealt(rules("studio")).refused(strike(1)) == "not_held"


@pytest.mark.parametrize("code", ["ghost-read", "card-returned", "card-on-floor", "card-damaged"])
def test_striking_a_read_is_offered_where_somebody_says_that_one_may_be_no_card(code: str) -> None:
    table = dealt(rules("studio"), "2H KS TC TC")
    table.ask("report_irregularity", code=code)
    is_offered = "strike_card" in prompt_for(table.state).commands
    assert is_offered == (code in ("ghost-read", "card-returned"))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("number", [1, 2, 3, 4, 5])
def test_striking_is_the_inverse_of_entering_a_missing_card(number: int, name: str) -> None:
    table = ghost("2H KS TC 2D", name)
    before = table.state
    table.ask("enter_card", number=number, card=Card("9C"), missing=True)
    assert known(table.state) != known(before)
    table.give(strike(number))
    assert known(table.state) == known(before)
    table.rule("release")
    go_home(table)


@pytest.mark.parametrize("name", NAMES)
def test_players_get_the_hands_anew_if_they_saw_the_read_that_is_struck(name: str) -> None:
    table = ghost("9H KS KS 7D", name)
    table.give(strike(3))
    events = table.rule("reconstruct")
    (told,) = [one for one in events if isinstance(one, ev.RoundReconstructed)]
    assert (told.player, told.banker) == ((Card("9H"), Card("7D")), (Card("KS"),))
    assert told.set_aside == ()
    assert prompt_for(table.state).position == "B2"
    go_home(table)


def test_a_complete_coup_that_loses_a_read_goes_on() -> None:
    table = ghost("9H KS TC TC")
    assert table.state.held_from is Phase.RESULT
    table.give(strike(4))
    table.rule("reconstruct")
    assert (table.state.phase, table.state.outcome) == (Phase.DEALING, None)
    table.card("7D")
    assert table.state.phase is Phase.RESULT
    go_home(table)


def test_a_surplus_read_that_was_a_ghost_leaves_a_good_coup() -> None:
    table = dealt(rules("studio"), "9H KS TC 7D 7D")
    table.ask("report_irregularity", code="ghost-read")
    table.give(strike(5))
    assert prompt_for(table.state).remedies == ("release", "void")
    table.rule("release")
    table.ask("confirm_result")
    table.ask("close_round")
    assert table.state.burned == 0
    audited(table)


def test_an_unread_ghost_is_struck_too() -> None:
    table = dealt(rules("studio"), "2H KS")
    table.unread()
    assert prompt_for(table.state).code == "enter-card"
    table.give(strike(3))
    assert table.state.cards_out == 2
    table.rule("release")
    go_home(table)


def test_the_cards_after_a_struck_read_move_up_with_what_was_told_of_them() -> None:
    table = dealt(rules("studio", excess_card="carry"), "9H KS TC 7D 5C")
    table.ask("note_card", number=5, unseen=True)
    table.rule("reconstruct")
    assert table.state.told_aside == (5,)
    table.ask("report_irregularity", code="ghost-read")
    table.give(strike(2))
    assert table.state.told_aside == (4,)
    assert table.state.coup_cards[3].unseen
    audited(table)


@pytest.mark.req("REC-8")
def test_a_copy_too_many_that_was_a_ghost_is_no_duplicate() -> None:
    table = dealt(rules("studio", decks=1), "9H 9H")
    assert codes_of(table) == ["duplicate-card"]
    assert prompt_for(table.state).remedies == ("void",)
    assert "strike_card" in prompt_for(table.state).commands
    table.give(strike(2))
    assert prompt_for(table.state).remedies == ("release", "void")
    table.rule("release")
    assert names_of(table.card("9H"))[:2] == ["CardHeld", "IrregularityRaised"], "told once more"
    table.rule("void")
    go_home(table)


def test_what_shows_only_without_the_struck_read_is_raised_anew() -> None:
    table = ghost("9H KS 5C TC 7D 3C")
    assert codes_of(table) == ["ghost-read"]
    table.give(strike(3))
    assert codes_of(table) == ["ghost-read", "excess-after-natural"]
    go_home(table)


def test_what_was_raised_of_a_later_card_is_not_raised_again() -> None:
    table = ghost("2H KS KS TC 7D 5C 4C")
    assert codes_of(table) == ["excess-after-complete", "ghost-read"]
    table.give(strike(2))
    assert codes_of(table) == ["excess-after-complete", "ghost-read"]
    go_home(table)


def test_the_shoe_is_not_compared_until_the_next_coup() -> None:
    table = Driven(rules("studio")).dealing()
    for code, side, index in (("2H", "player", 1), ("KS", "banker", 1), ("KS", "player", 2)):
        table.report(CardDrawn(Card(code), Target(side), index))
    table.ask("report_irregularity", code="ghost-read")
    table.give(strike(3))
    table.rule("reconstruct")
    table.report(CardDrawn(Card("TC"), Target.BANKER, 2))
    assert table.state.phase is Phase.DEALING
    table.report(CardDrawn(Card("7D"), Target.PLAYER, 3))
    assert table.state.phase is Phase.DEALING
    table.report(CardDrawn(Card("5C"), Target.PLAYER, 1))
    assert table.state.phase is Phase.RESULT
    assert prompt_for(table.state).note is None
    table.ask("confirm_result")
    assert prompt_for(table.state).note == "shoe-off-step"
    table.dealing().report(CardDrawn(Card("5C"), Target.PLAYER, 1))
    assert table.state.shoe_step is ShoeStep.IN
    table.report(CardDrawn(Card("6C"), Target.PLAYER, 2))
    assert codes_of(table) == ["shoe-mismatch"]


def test_a_repeat_of_the_struck_read_is_still_what_the_shoe_told_last() -> None:
    table = ghost("2H KS KS")
    table.give(strike(3))
    table.report(inp.CardRepeated(Card("KS")))
    assert codes_of(table) == ["ghost-read"]


@pytest.mark.parametrize("name", NAMES)
def test_a_stray_read_between_two_rounds_is_struck_by_its_number_among_those(name: str) -> None:
    table = Driven(rules(name)).played()
    table.cards("2C 3C")
    assert prompt_for(table.state).commands == ("rule_hold", "strike_card")
    (struck,) = table.give(strike(1))
    assert isinstance(struck, ev.CardStruck)
    assert (struck.is_aside, struck.card) == (True, Card("2C"))
    assert table.state.hold is not None
    assert table.state.hold.aside == (Card("3C"),)
    table.give(strike(1))
    assert table.refused(strike(1)) == "no_such_card"
    assert prompt_for(table.state).remedies == ("release",)
    assert prompt_for(table.state).commands == ("rule_hold",)
    table.rule("release")
    assert (table.state.burned, table.state.cards_out) == (0, 4)
    audited(table)


def test_a_card_that_came_over_from_the_coup_before_is_no_ghost() -> None:
    table = dealt(rules("studio", excess_card="carry"), "9H KS TC 7D 5C")
    table.ask("note_card", number=5, unseen=True)
    table.rule("reconstruct")
    table.ask("confirm_result")
    table.dealing().card("KC")
    table.ask("report_irregularity", code="ghost-read")
    assert table.refused(strike(1)) == "no_such_card"
    table.give(strike(2))
    audited(table)


def test_the_only_read_of_an_early_card_is_struck_and_the_round_goes_on() -> None:
    table = Driven(rules("studio")).betting()
    table.card("9H")
    table.ask("report_irregularity", code="card-returned")
    table.give(strike(1))
    assert prompt_for(table.state).commands == ("rule_hold", "void_round", "withdraw_report")
    table.rule("release")
    assert prompt_for(table.state).position == "P1"
    go_home(table)
