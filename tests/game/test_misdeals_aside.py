# SPDX-License-Identifier: Apache-2.0
"""Cards that lie aside outside a coup and were misread, or not read: two people say what they are.

The shoe's inventory is right again, and what lies aside meets the fate of what it is.
"""

import pytest

from studio.game import events as ev
from studio.game import inputs as inp
from studio.game.cards import Card
from studio.game.house import Burn, BurnRule
from studio.game.prompts import prompt_for
from studio.game.state import Phase
from tests.game.houses import NAMES
from tests.game.misdeal_stories import audited, codes_of, dealt, go_home, rules
from tests.game.table_driver import BY, SECOND, Driven, plain_house

FATE_OF = {"burn": "burn", "next_burn": "next_burn", "free_coup": "free_coup", "carry": "free_coup"}


def correct(number: int, card: str, second: str = SECOND) -> inp.CorrectCard:
    return inp.CorrectCard(by=BY, number=number, card=Card(card), second=second)


def enter(number: int, card: str, second: str = SECOND) -> inp.EnterCard:
    return inp.EnterCard(by=BY, number=number, card=Card(card), second=second)


def strays(
    codes: str, name: str = "studio", phase: Phase = Phase.IDLE, **changes: object
) -> Driven:
    """These cards were drawn between two rounds, or after the result; ``-`` was not read."""
    table = dealt(rules(name, **changes), "9H KS TC 7D")
    table.ask("confirm_result")
    if phase is Phase.IDLE:
        table.ask("close_round")
    assert table.state.phase is phase
    for code in codes.split():
        if code == "-":
            table.unread()
        else:
            table.card(code)
    return table


def aside_of(table: Driven) -> tuple[Card | None, ...]:
    assert table.state.hold is not None
    return table.state.hold.aside


@pytest.mark.req("MAN-5")
@pytest.mark.parametrize("phase", [Phase.IDLE, Phase.SETTLING])
@pytest.mark.parametrize("name", NAMES)
def test_a_misread_stray_is_corrected_by_its_place_among_those_aside(
    name: str, phase: Phase
) -> None:
    table = strays("2C 3C", name, phase)
    out = table.state.cards_out
    (told,) = table.give(correct(2, "4C"))
    assert told == ev.CardCorrected(number=2, card=Card("4C"), read=Card("3C"), by=BY,
                                    second=SECOND, is_aside=True)  # fmt: skip
    assert aside_of(table) == (Card("2C"), Card("4C"))
    assert [table.state.copies[code] for code in ("2C", "3C", "4C")] == [1, 0, 1]
    assert table.state.cards_out == out
    assert codes_of(table) == ["next-card-early"]
    table.rule(prompt_for(table.state).remedies[0])
    go_home(table)


@pytest.mark.parametrize("name", NAMES)
def test_an_unread_stray_that_is_entered_meets_the_fate_of_the_house(name: str) -> None:
    table = strays("2C -", name)
    out = table.state.cards_out
    prompt = prompt_for(table.state)
    assert (prompt.remedies, "enter_card" in prompt.commands) == (("burn",), True)
    (told,) = table.give(enter(2, "3C"))
    assert told == ev.CardEntered(number=2, card=Card("3C"), missing=False, by=BY, second=SECOND,
                                  is_aside=True)  # fmt: skip
    assert (aside_of(table), table.state.cards_out) == ((Card("2C"), Card("3C")), out)
    assert table.state.copies["3C"] == 1
    prompt = prompt_for(table.state)
    assert prompt.remedies[0] == FATE_OF[rules(name).excess_card]
    assert "enter_card" not in prompt.commands
    table.rule(prompt.remedies[0])
    go_home(table)


def test_a_stray_held_from_the_burn_is_corrected_and_burned() -> None:
    table = Driven(plain_house(burn=Burn(BurnRule.FIXED, 3))).ready()
    table.card("2H")
    table.ask("report_irregularity")
    table.card("2C")
    table.unread()
    table.give(correct(1, "3C"))
    table.give(enter(2, "4C"))
    assert aside_of(table) == (Card("3C"), Card("4C"))
    assert prompt_for(table.state).remedies == ("burn",)
    table.rule("burn")
    assert (table.state.burned, table.state.phase) == (3, Phase.IDLE)
    go_home(table)


def test_what_does_not_fit_a_card_aside_is_refused() -> None:
    table = strays("2C -")
    assert table.refused(correct(1, "3C", BY)) == "same_person"
    assert table.refused(enter(2, "3C", "")) == "second_missing"
    for number in (0, 3):
        assert table.refused(correct(number, "3C")) == "no_such_card"
        assert table.refused(enter(number, "3C")) == "no_such_card"
    assert table.refused(correct(2, "3C")) == "not_read"
    assert table.refused(correct(1, "2C")) == "unchanged"
    assert table.refused(enter(1, "3C")) == "was_read"
    missing = inp.EnterCard(by=BY, number=2, card=Card("3C"), second=SECOND, missing=True)
    assert table.refused(missing) == "not_in_coup"
    table.rule("burn")
    assert table.refused(correct(1, "3C")) == "no_coup"


@pytest.mark.req("REC-8")
@pytest.mark.parametrize("given", [correct(1, "9H"), enter(2, "9H")])
def test_a_copy_too_many_by_the_new_value_stops_the_shoe(given: inp.Command) -> None:
    table = strays("2C -", phase=Phase.SETTLING, decks=1)
    table.give(given)
    assert codes_of(table) == ["next-card-early", "duplicate-card"]
    assert prompt_for(table.state).remedies == ("burn",)
    table.rule("burn")
    assert table.state.shoe_stopped == "duplicate-card"
    audited(table)


@pytest.mark.req("REC-8")
@pytest.mark.parametrize("name", NAMES)
def test_a_copy_too_many_that_was_a_misread_stops_nothing_and_meets_its_fate(name: str) -> None:
    table = strays("9H", name, Phase.SETTLING, decks=1)
    assert codes_of(table) == ["next-card-early", "duplicate-card"]
    assert prompt_for(table.state).remedies == ("burn",)
    table.give(correct(1, "2C"))
    remedy = prompt_for(table.state).remedies[0]
    assert remedy == FATE_OF[rules(name).excess_card]
    table.rule(remedy)
    assert table.state.shoe_stopped is None
    go_home(table)


def test_the_real_card_comes_later_and_stops_nothing() -> None:
    table = strays("2C", decks=1, excess_card="burn")
    table.give(correct(1, "3C"))
    table.rule("burn")
    table.dealing().card("2C")
    assert table.state.phase is Phase.DEALING
    assert table.state.player == (Card("2C"),)
    go_home(table)
