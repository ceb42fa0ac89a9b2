# SPDX-License-Identifier: Apache-2.0
"""A card that may not come holds the table, and only a person's ruling lets it go on."""

import pytest
from msgspec.structs import replace

from studio.game import events as ev
from studio.game import inputs as inp
from studio.game.cards import Card
from studio.game.coup import Outcome
from studio.game.events import Source
from studio.game.house import ResultEntry
from studio.game.inputs import CardDrawn, DeviceMode, OpenBets, ResumeTable, Target
from studio.game.prompts import prompt_for
from studio.game.snapshot import public_phase
from studio.game.state import Phase, timer_of
from tests.game.table_audit import public_cards
from tests.game.table_driver import BY, Driven, names_of, plain_house, ruling_for


def codes_of(table: Driven) -> list[str]:
    assert table.state.hold is not None
    return [raised.code for raised in table.state.hold.raised]


def ruling(table: Driven, remedy: str) -> inp.RuleHold:
    return inp.RuleHold(by=BY, **ruling_for(table.state, remedy))


def remedies(table: Driven) -> tuple[str, ...]:
    return prompt_for(table.state).remedies


@pytest.mark.req("RND-4")
def test_a_card_read_while_bets_are_open_closes_them_and_shows_nothing() -> None:
    table = Driven().betting()
    events = table.card("9H")
    assert names_of(events) == ["BetsClosed", "CardHeld", "IrregularityRaised", "RoundHeld"]
    assert codes_of(table) == ["card-before-close"]
    assert all(public_cards(event) == [] for event in events)
    assert table.state.shown_player == ()
    assert remedies(table) == ("reconstruct", "void")
    (void,) = table.void()
    assert isinstance(void, ev.RoundVoided)
    assert void.set_aside == ()


@pytest.mark.req("RND-4")
def test_a_card_read_after_a_suspension_that_closed_bets_holds_the_round() -> None:
    table = Driven().betting()
    table.ask("suspend_table")
    table.card("9H")
    assert codes_of(table) == ["card-before-close"]
    table.rule("void")
    assert table.state.suspended == "staff"


@pytest.mark.parametrize(
    "codes, code",
    [("9H KS TC 7D", "excess-after-natural"), ("6H 7S KC QD", "excess-after-complete")],
)
def test_a_surplus_card_is_burned_when_the_round_closes_and_the_result_stands(
    codes: str, code: str
) -> None:
    table = Driven().dealing()
    table.cards(codes)
    due = table.state.outcome
    assert names_of(table.card("2C")) == ["CardHeld", "IrregularityRaised", "RoundHeld"]
    assert codes_of(table) == [code]
    assert public_phase(table.state) == "held"
    assert remedies(table) == ("reconstruct", "void")
    released, resolved = table.rule("reconstruct")
    assert isinstance(released, ev.RoundReleased)
    assert (released.set_aside, released.text) == ((Card("2C"),), "surplus-set-aside")
    assert isinstance(resolved, ev.IrregularityResolved)
    assert (table.state.phase, table.state.outcome) == (Phase.RESULT, due)
    assert table.state.burned == 0
    (_, result) = table.ask("confirm_result")
    assert isinstance(result, ev.ResultConfirmed)
    assert len(result.player + result.banker) == 4
    burned, closed = table.ask("close_round")
    assert isinstance(burned, ev.HeldCardBurned)
    assert (burned.cards, burned.unread) == ((Card("2C"),), 0)
    assert isinstance(closed, ev.RoundClosed)
    assert table.state.burned == 1


def test_every_surplus_card_is_burned_one_that_was_not_read_when_it_was_entered() -> None:
    table = Driven().dealing()
    table.cards("9H KS TC 7D 2C 3C")
    table.unread()
    assert remedies(table) == ("void",)
    table.ask("enter_card", number=7, card=Card("4C"))
    table.rule("reconstruct")
    table.ask("confirm_result")
    burned = table.ask("close_round")[0]
    assert isinstance(burned, ev.HeldCardBurned)
    assert burned.cards == (Card("2C"), Card("3C"), Card("4C"))
    assert burned.unread == 0
    assert table.state.burned == 3


def test_a_void_takes_back_what_was_shown_and_shows_nothing_that_was_hidden() -> None:
    table = Driven().dealing()
    table.cards("9H KS TC 7D 2C")
    (void,) = table.rule("void")
    assert isinstance(void, ev.RoundVoided)
    assert void.reason == "misdeal"
    assert void.set_aside == (Card("9H"), Card("TC"), Card("KS"), Card("7D"))
    assert table.state.phase is Phase.SETTLING
    assert table.state.hold is None


@pytest.mark.req("REC-7")
@pytest.mark.parametrize("before", ["", "9H", "9H KS", "2H KS TC", "2H KS TC 2D", "2H 2S KC QD 9C"])
def test_a_card_that_was_not_read_holds_the_coup_at_every_position(before: str) -> None:
    table = Driven().dealing()
    table.cards(before)
    table.unread()
    assert codes_of(table) == ["misscan-none"]
    assert remedies(table) == ("void",)
    assert prompt_for(table.state).words == {"number": str(len(before.split()) + 1)}
    assert table.refused(ruling(table, "release")) == "remedy_not_allowed"
    table.rule("void")
    assert table.state.cards_out == len(before.split()) + 1


@pytest.mark.req("REC-8")
def test_a_copy_more_than_the_decks_have_holds_the_round() -> None:
    table = Driven(plain_house(decks=1, cut_card_from_end=12)).dealing()
    table.cards("9H 9H")
    assert codes_of(table) == ["duplicate-card"]
    assert remedies(table) == ("void",)
    assert table.state.banker == ()


@pytest.mark.req("REC-8")
def test_a_copy_too_many_is_reported_beside_whatever_else_went_wrong() -> None:
    table = Driven(plain_house(decks=1, cut_card_from_end=12)).dealing()
    table.cards("9H KS TC 7D 9H")
    assert codes_of(table) == ["duplicate-card", "excess-after-natural"]
    assert remedies(table) == ("void",)


def test_a_card_outside_a_game_of_the_shoe_holds_the_round() -> None:
    table = Driven().dealing()
    table.report(CardDrawn(Card("9H"), in_game=False, mode=DeviceMode.ERROR))
    assert codes_of(table) == ["card-out-of-game"]
    assert table.state.hold is not None
    assert "error mode" in table.state.hold.raised[0].detail
    again = Driven().dealing()
    again.report(CardDrawn(Card("9H"), in_game=False))
    assert again.state.hold is not None
    assert "unknown mode" in again.state.hold.raised[0].detail


def test_a_wrong_winner_is_noted_and_the_cards_decide() -> None:
    table = Driven().dealing()
    table.cards("9H KS TC 7D")
    events = table.give(inp.ConfirmResult(by=BY, outcome=Outcome.TIE))
    assert names_of(events) == ["CallNoted", "IrregularityRaised", "RoundHeld"]
    assert codes_of(table) == ["wrong-result-announced"]
    assert remedies(table) == ("release", "void")
    assert names_of(table.rule("release")) == ["RoundReleased", "IrregularityResolved"]
    (_, result) = table.give(inp.ConfirmResult(by=BY, outcome=Outcome.PLAYER))
    assert isinstance(result, ev.ResultConfirmed)


def test_a_released_result_of_an_automatic_house_is_confirmed() -> None:
    table = Driven(plain_house(result_entry=ResultEntry.AUTO)).dealing()
    table.report(inp.SequenceGap("1", "3"))
    table.void()
    table.dealing()
    table.report(CardDrawn(Card("2H"), Target.NONE))
    table.cards("KS TC 7D")
    assert table.state.phase is Phase.DEALING
    table.report(inp.FaultReported(inp.FaultKind.OVERDRAW, 3, latched=False))
    table.ask("trust_stream")
    table.rule("release")
    assert isinstance(table.card("5C")[-1], ev.ResultConfirmed)


@pytest.mark.parametrize("is_settling", [True, False])
def test_a_card_between_two_rounds_stops_bets_until_it_is_burned(is_settling: bool) -> None:
    table = Driven().played()
    if not is_settling:
        table.ask("close_round")
    before = table.state.phase
    armed = timer_of(table.state)
    assert names_of(table.card("2C")) == ["IrregularityRaised", "TableSuspended", "CardHeld"]
    assert codes_of(table) == ["next-card-early"]
    assert public_phase(table.state) == ("result" if is_settling else "idle")
    ring = timer_of(table.state)
    assert ring is not None
    assert ring.name == "ring"
    assert table.refused(OpenBets(by=BY)) == "suspended"
    assert table.refused(ResumeTable(by=BY)) == "not_now"
    assert remedies(table) == ("burn",)
    assert names_of(table.rule("burn")) == [
        "HeldCardBurned",
        "IrregularityResolved",
        "TableResumed",
    ]
    assert table.state.phase is before
    assert timer_of(table.state) == armed
    assert table.state.suspended is None


def test_a_suspension_by_a_person_outlasts_the_hold() -> None:
    table = Driven().played()
    table.ask("suspend_table", reason="review")
    assert names_of(table.card("2C")) == ["IrregularityRaised", "CardHeld"]
    table.rule("burn")
    assert table.state.suspended == "review"


def test_a_paid_round_may_be_voided_from_a_hold_behind_it() -> None:
    table = Driven().played()
    table.card("2C")
    assert names_of(table.void()) == ["HeldCardBurned", "RoundVoided", "TableResumed"]
    assert table.state.phase is Phase.SETTLING
    assert table.state.suspended is None


def test_a_fault_of_the_shoe_in_mid_round_is_released_when_the_cards_are_right() -> None:
    table = Driven().dealing()
    table.cards("2H KS")
    table.report(inp.FaultReported(inp.FaultKind.REVERSE_MID, 7, latched=True))
    assert codes_of(table) == ["shoe-failure"]
    assert remedies(table) == ("release", "void")
    table.rule("release")
    assert table.state.phase is Phase.DEALING
    table.cards("TC 7D 5C")
    assert table.state.phase is Phase.RESULT


def test_a_card_drawn_in_a_hold_of_a_coup_takes_its_place_with_the_ruling() -> None:
    table = Driven().dealing()
    table.cards("2H KS")
    table.report(inp.FaultReported(inp.FaultKind.REVERSE_MID, 7, latched=True))
    assert names_of(table.card("9C")) == ["CardHeld"]
    assert remedies(table) == ("release", "void")
    events = table.rule("release")
    assert names_of(events) == ["RoundReleased", "IrregularityResolved", "CardDealt"]
    assert isinstance(events[-1], ev.CardDealt)
    assert (events[-1].position.value, events[-1].card) == ("P2", Card("9C"))
    assert prompt_for(table.state).position == "B2"


def test_a_card_drawn_in_a_hold_of_a_complete_coup_is_surplus() -> None:
    table = Driven().dealing()
    table.cards("9H KS TC 7D")
    table.give(inp.ConfirmResult(by=BY, outcome=Outcome.TIE))
    table.card("2C")
    assert codes_of(table) == ["wrong-result-announced", "excess-after-natural"]
    assert remedies(table) == ("reconstruct", "void")
    table.rule("reconstruct")
    assert table.state.phase is Phase.RESULT


@pytest.mark.req("REC-7")
def test_a_card_that_the_shoe_never_told_of_is_entered_where_it_was_drawn() -> None:
    table = Driven().dealing()
    table.cards("2H KS")
    table.report(inp.SequenceGap("1", "3"))
    table.card("7D")
    assert codes_of(table) == ["frame-lost"]
    table.ask("enter_card", number=3, card=Card("TC"), missing=True)
    assert codes_of(table) == ["frame-lost", "misscan-none"]
    events = table.rule("release")
    dealt = [(e.position.value, e.card.value) for e in events if isinstance(e, ev.CardDealt)]
    assert dealt == [("P2", "TC"), ("B2", "7D")]
    assert {one.source for one in table.log[-2:]} == {Source.MANUAL, Source.SHOE}


def test_an_empty_shoe_in_mid_coup_holds_the_round() -> None:
    table = Driven(plain_house(decks=1, cut_card_from_end=1)).ready()
    deck = [card.value for card in Card]
    table.dealing()
    while table.state.hold is None:
        table.card(deck.pop())
        if table.state.phase is Phase.RESULT:
            table.ask("confirm_result")
            table.dealing()
    assert deck == []
    assert codes_of(table) == ["insufficient-cards"]
    assert remedies(table) == ("void",)
    table.rule("void")
    assert prompt_for(table.state).commands == ("close_round",)
    table.ask("close_round")
    assert table.refused(OpenBets(by=BY)) == "shoe_stopped"
    assert prompt_for(table.state).code == "end-shoe"
    (ended,) = table.ask("end_shoe")
    assert isinstance(ended, ev.ShoeEnded)
    assert (ended.seen, ended.burned, ended.left) == (52, 0, 0)


@pytest.mark.req("VOID-1")
def test_a_ruling_needs_a_hold_a_reason_and_a_remedy_that_mends() -> None:
    table = Driven().dealing()
    assert table.refused(ruling(table, "void")) == "not_held"
    table.unread()
    assert table.refused(replace(ruling(table, "void"), reason=" ")) == "reason_missing"
    assert table.refused(ruling(table, "carry")) == "remedy_not_allowed"
    assert isinstance(table.last, inp.Refusal)
    assert "void" in table.last.text


def test_nothing_goes_on_while_the_table_is_held() -> None:
    table = Driven().dealing()
    table.unread()
    assert table.refused(OpenBets(by=BY)) == "not_now"
    assert table.refused(inp.CloseBets(by=BY)) == "not_now"
    assert table.refused(inp.ConfirmResult(by=BY)) == "not_now"
    assert table.refused(inp.CloseRound(by=BY)) == "not_now"
    assert table.refused(inp.EndShoe(by=BY)) == "not_now"
    assert table.refused(inp.CloseTable(by=BY)) == "not_now"
    assert table.refused(inp.LoadShoe(by=BY)) == "not_now"
