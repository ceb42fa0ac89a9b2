# SPDX-License-Identifier: Apache-2.0
"""The burn of a new shoe, by each rule a house can have."""

import pytest

from studio.game import events as ev
from studio.game.cards import Card
from studio.game.house import Burn, BurnRule
from studio.game.inputs import EndShoe, LoadShoe, OpenBets
from studio.game.prompts import Prompt, prompt_for
from studio.game.state import Phase
from tests.game.misdeal_stories import audited
from tests.game.table_audit import public_cards
from tests.game.table_driver import BY, Driven, house, names_of, plain_house


def loaded(burn: Burn, **changes: int) -> Driven:
    return Driven(plain_house(burn=burn, **changes)).ready()


def burned_until_idle(table: Driven) -> int:
    """Burn until the burn is done; how many cards it took in all."""
    for _ in range(20):
        if table.state.phase is not Phase.BURNING:
            break
        table.unread()
    assert table.state.phase is Phase.IDLE
    return table.state.burned


def test_a_house_without_a_burn_is_ready_at_once() -> None:
    table = loaded(Burn(BurnRule.NONE))
    assert table.names()[-2:] == ["ShoeLoaded", "BurnCompleted"]
    assert table.state.phase is Phase.IDLE


@pytest.mark.parametrize("cards", [1, 3, 8])
def test_a_fixed_burn_takes_that_many_cards(cards: int) -> None:
    table = loaded(Burn(BurnRule.FIXED, cards))
    assert prompt_for(table.state).words == {"left": str(cards)}
    assert burned_until_idle(table) == cards


@pytest.mark.parametrize("decks", [6, 8])
def test_a_burn_by_decks_takes_one_card_for_each(decks: int) -> None:
    assert burned_until_idle(loaded(Burn(BurnRule.DECKS), decks=decks)) == decks


@pytest.mark.parametrize(
    "code, ace, more",
    [("2H", 1, 2), ("9H", 1, 9), ("TC", 1, 10), ("JD", 11, 10), ("KS", 1, 10), ("AS", 1, 1),
     ("AS", 11, 11)],
)  # fmt: skip
def test_the_first_card_is_burned_with_as_many_as_it_counts(code: str, ace: int, more: int) -> None:
    table = loaded(Burn(BurnRule.FIRST_CARD, ace=ace))
    assert prompt_for(table.state) == Prompt("burn-first-card", ("end_shoe",), pull=True)
    (burned,) = table.card(code)
    assert isinstance(burned, ev.CardBurned)
    assert burned.burn == 1 + more
    assert prompt_for(table.state).words == {"left": str(more)}
    assert burned_until_idle(table) == 1 + more


def test_a_first_card_that_was_not_read_makes_the_burn_wait_for_its_value() -> None:
    table = loaded(Burn(BurnRule.FIRST_CARD))
    (unread,) = table.unread()
    assert isinstance(unread, ev.CardBurned)
    assert (unread.card, unread.burn) == (None, None)
    asked = Prompt("enter-burn-card", ("correct_burn", "end_shoe"), words={"number": "1"})
    assert prompt_for(table.state) == asked
    table.card("9D")
    assert table.state.burn_due is None, "the second card says nothing"
    assert prompt_for(table.state) == asked
    (corrected,) = table.ask("correct_burn", number=1, card=Card("2H"))
    assert isinstance(corrected, ev.BurnCorrected)
    assert (corrected.read, corrected.burn) == (None, 3)
    assert prompt_for(table.state).words == {"left": "1"}
    assert burned_until_idle(table) == 3
    assert table.state.copies == {"9D": 1, "2H": 1}


def test_an_unread_first_card_that_counts_less_than_was_burned_ends_the_burn() -> None:
    table = loaded(Burn(BurnRule.FIRST_CARD))
    for _ in range(4):
        table.unread()
    events = table.ask("correct_burn", number=1, card=Card("2H"))
    assert names_of(events) == ["BurnCorrected", "BurnCompleted"]
    assert (table.state.phase, table.state.burned) == (Phase.IDLE, 4)
    audited(table)


def test_a_waiting_burn_ends_also_by_order() -> None:
    table = loaded(Burn(BurnRule.FIRST_CARD))
    table.unread()
    assert names_of(table.ask("burn_cards", count=0)) == ["BurnOrdered", "BurnCompleted"]
    assert table.state.phase is Phase.IDLE


def test_a_card_of_the_burn_that_was_not_read_counts() -> None:
    table = loaded(Burn(BurnRule.FIXED, 2))
    table.card("2H")
    events = table.unread()
    assert names_of(events) == ["CardBurned", "BurnCompleted"]
    assert table.state.cards_out == 2


@pytest.mark.req("REC-2")
def test_no_burned_card_is_public() -> None:
    table = Driven(house()).ready()
    table.cards("2H KS 9C")
    assert all(public_cards(one.event) == [] for one in table.log)
    assert all(one.public_seq is None for one in table.log if isinstance(one.event, ev.CardBurned))


def test_bets_stay_closed_during_the_burn() -> None:
    table = loaded(Burn(BurnRule.FIXED, 2))
    assert table.refused(OpenBets(by=BY)) == "not_now"
    assert table.refused(LoadShoe(by=BY)) == "not_now"


def test_a_shoe_may_be_taken_out_in_mid_burn() -> None:
    table = loaded(Burn(BurnRule.FIXED, 2))
    table.card("2H")
    (ended,) = table.give(EndShoe(by=BY))
    assert isinstance(ended, ev.ShoeEnded)
    assert (ended.rounds, ended.seen, ended.burned, ended.left) == (0, 0, 1, 415)
    assert table.state.phase is Phase.NO_SHOE


@pytest.mark.req("REC-8")
def test_a_copy_too_many_in_the_burn_stops_the_table_until_a_person_rules() -> None:
    table = loaded(Burn(BurnRule.FIXED, 3), decks=1)
    table.card("2H")
    assert names_of(table.card("2H")) == ["CardBurned", "IrregularityRaised", "TableSuspended"]
    assert table.state.hold is not None
    assert table.state.hold.raised[0].card is Card("2H")
    table.rule("release")
    assert (table.state.phase, table.state.suspended) == (Phase.BURNING, None)
    assert table.state.shoe_stopped == "duplicate-card"


def test_cards_drawn_while_the_burn_is_held_complete_it() -> None:
    table = loaded(Burn(BurnRule.FIXED, 3), decks=1)
    table.cards("2H 2H 5C")
    assert names_of(table.rule("burn")) == [
        "HeldCardBurned",
        "IrregularityResolved",
        "TableResumed",
        "ShoeStopped",
        "BurnCompleted",
    ]
    assert table.state.phase is Phase.IDLE
    assert table.state.burned == 3


def test_a_copy_too_many_as_the_last_card_of_the_burn_holds_the_idle_table() -> None:
    table = loaded(Burn(BurnRule.FIXED, 2), decks=1)
    table.cards("2H 2H")
    assert table.state.held_from is Phase.IDLE
    assert table.refused(OpenBets(by=BY)) == "suspended"
    table.rule("release")
    assert table.state.phase is Phase.IDLE


def test_the_first_card_counts_also_when_the_house_changed_its_burn_since() -> None:
    table = loaded(Burn(BurnRule.FIRST_CARD))
    table.restart(plain_house(burn=Burn(BurnRule.FIXED, 5)))
    (burned,) = table.card("2H")
    assert isinstance(burned, ev.CardBurned)
    assert burned.burn == 3
    assert burned_until_idle(table) == 3
