# SPDX-License-Identifier: Apache-2.0
"""A misread put right late: the shoe's inventory follows, and no false duplicate comes of it."""

import pytest

from studio.game import events as ev
from studio.game import inputs as inp
from studio.game.prompts import prompt_for
from tests.game.misdeal_stories import audited, codes_of, go_home, out, rules
from tests.game.table_driver import BY, Driven, amendment, hand

ONE_DECK = {"decks": 1, "cut_card_from_end": 12}


def amend(round_: str, player: str, banker: str) -> inp.AmendRound:
    return inp.AmendRound(by=BY, **amendment(round_, player, banker))


def played(name: str = "studio", codes: str = "9H KS TC 7D", /, **changes: object) -> Driven:
    """One round, settled and closed."""
    table = Driven(rules(name, **changes)).played(codes)
    table.ask("close_round")
    return table


def amended(table: Driven, player: str, banker: str, back: int = 1) -> ev.ResultAmended:
    """The ``back``-th last round, amended to these hands."""
    (event,) = table.give(amend(table.state.results[-back].round, player, banker))
    assert isinstance(event, ev.ResultAmended)
    audited(table)
    return event


@pytest.mark.req("REC-8")
@pytest.mark.parametrize("when", ["settling", "closed", "betting", "dealing", "held"])
def test_a_misread_put_right_late_is_put_right_in_the_inventory_too(when: str) -> None:
    table = Driven(rules("studio", **ONE_DECK)).played()
    if when != "settling":
        table.ask("close_round")
    if when in ("betting", "dealing", "held"):
        table.betting()
    if when in ("dealing", "held"):
        table.expire()
    event = amended(table, "8H TC", "KS 7D")
    assert (event.drawn, event.not_drawn, event.more_out) == (hand("8H"), hand("9H"), 0)
    assert out(table) == "7D 8H KS TC"
    assert table.state.cards_out == 4
    if when == "settling":
        table.ask("close_round")
    if when in ("settling", "closed"):
        table.betting()
    if when not in ("dealing", "held"):
        table.expire()
    table.card("9H")
    assert codes_of(table) == [], "it was never out"
    table.card("8H")
    assert codes_of(table) == ["duplicate-card"], "it is out"
    table.rule("void")
    go_home(table)


def test_a_held_false_duplicate_goes_with_the_misread_that_is_amended() -> None:
    table = played(**ONE_DECK)
    table.dealing().card("9H")
    assert prompt_for(table.state).remedies == ("void",)
    amended(table, "8H TC", "KS 7D")
    assert prompt_for(table.state).remedies == ("release", "void")
    assert table.state.found == ()
    table.rule("release")
    go_home(table)


def test_a_card_of_the_other_hand_is_no_new_card() -> None:
    event = amended(played("studio", "6H 7S KC QD"), "7S KC", "6H QD")
    assert (event.drawn, event.not_drawn, event.more_out) == ((), (), 0)


def test_a_card_that_the_shoe_never_told_of_is_one_more_that_is_out() -> None:
    table = played("studio", "6H 4S KC QD 7C")
    event = amended(table, "5H KC 2C", "4S QD 7C")
    assert (event.drawn, event.not_drawn, event.more_out) == (hand("5H 2C"), hand("6H"), 1)
    assert table.state.cards_out == 6
    assert out(table) == "2C 4S 5H 7C KC QD"


def test_a_card_that_was_set_aside_in_that_coup_is_out_already() -> None:
    table = Driven(rules("studio")).dealing()
    table.cards("9H KS TC 7D 5C")
    table.rule("reconstruct")
    table.ask("confirm_result")
    table.ask("close_round")
    event = amended(table, "2H TC 5C", "KS 7D")
    assert (event.drawn, event.not_drawn) == (hand("2H"), hand("9H"))
    assert table.state.cards_out == 5
    assert out(table) == "2H 5C 7D KS TC"


def test_where_more_cards_go_than_come_all_stay_out() -> None:
    """A misread that made the dealer draw: one was read wrongly, the third card is surplus."""
    table = played("studio", "2H KS TC 7D 5C")
    event = amended(table, "9H TC", "KS 7D")
    assert (event.drawn, event.not_drawn, event.more_out) == (hand("9H"), (), 0)
    assert out(table) == "2H 5C 7D 9H KS TC"
    assert table.state.cards_out == 5
    again = amended(table, "8H TC", "KS 7D")
    assert (again.drawn, again.not_drawn) == (hand("8H"), hand("9H"))
    back = amended(table, "2H TC 5C", "KS 7D")
    assert (back.drawn, back.not_drawn) == ((), ()), "they were never taken back"


def test_more_copies_than_the_shoe_has_are_refused() -> None:
    table = played(**ONE_DECK)
    table.dealing().cards("9S KD TD 7S")
    table.ask("confirm_result")
    first = table.state.results[0].round
    assert table.refused(amend(first, "9S TC", "KS 7D")) == "copy_too_many"
    assert table.refused(amend(first, "9H 9H TC", "KS 7D")) == "no_such_coup"
    assert table.refused(amend(first, "9H KS", "KS 7D")) == "copy_too_many"
    amended(table, "8S TD", "KD 7S")
    amended(table, "9S TC", "KS 7D", back=2)


def test_a_round_of_an_earlier_shoe_changes_no_inventory() -> None:
    table = played()
    table.ask("end_shoe")
    table.ask("load_shoe")
    round_ = table.state.earlier[0].standing.round
    (event,) = table.give(amend(round_, "8H TC", "KS 7D"))
    assert isinstance(event, ev.ResultAmended)
    assert (event.drawn, event.more_out, out(table)) == ((), 0, "")
    audited(table)


def test_a_round_whose_cards_were_shuffled_in_again_changes_no_inventory() -> None:
    table = Driven(rules("continuous")).played()
    assert amended(table, "8H TC", "KS 7D").drawn == hand("8H")
    table.ask("close_round")
    assert amended(table, "7H TC", "KS 7D").drawn == ()
    assert out(table) == ""


def test_what_players_hear_of_an_amendment_says_nothing_of_the_inventory() -> None:
    assert {"drawn", "not_drawn", "more_out"}.isdisjoint(ev.ResultAmended.PUBLIC)
