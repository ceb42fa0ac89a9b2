# SPDX-License-Identifier: Apache-2.0
"""For every irregularity: a story that raises it, one that almost does, and every way out."""

from collections.abc import Callable

import pytest

from studio.game import inputs as inp
from studio.game.cards import Card
from studio.game.coup import Outcome
from studio.game.inputs import CardDrawn, DeviceMode, Target
from studio.game.irregularities import IRREGULARITIES
from studio.game.prompts import prompt_for
from studio.game.state import Phase
from tests.game.table_driver import Driven, plain_house


def in_coup(codes: str = "2H KS") -> Driven:
    table = Driven().dealing()
    table.cards(codes)
    return table


def unread(is_dealing: bool) -> Driven:
    table = in_coup() if is_dealing else Driven().ready()
    if is_dealing:
        table.unread()
    else:
        table.report(inp.CardRepeated(None))
    return table


def second_copy(decks: int) -> Driven:
    table = Driven(plain_house(decks=decks, cut_card_from_end=12)).dealing()
    table.cards("9H 9H")
    return table


def early_card(is_open: bool) -> Driven:
    table = Driven().betting()
    if not is_open:
        table.expire()
    table.card("9H")
    return table


def fifth_card(codes: str) -> Driven:
    return in_coup(codes + " 2C")


def after_the_result(is_closed: bool) -> Driven:
    table = Driven().played()
    if is_closed:
        table.dealing()
    table.card("2C")
    return table


def call(outcome: Outcome) -> Driven:
    table = in_coup("9H KS TC 7D")
    table.give(inp.ConfirmResult(by="s-001", outcome=outcome))
    return table


def wrong_side(target: Target) -> Driven:
    table = in_coup()
    table.report(inp.LineUp("pty", 2))
    table.report(CardDrawn(Card("TC"), target, 2))
    return table


def repeated(code: str) -> Driven:
    table = in_coup()
    table.report(inp.CardRepeated(Card(code)))
    return table


def out_of_game(in_game: bool) -> Driven:
    table = in_coup()
    table.report(CardDrawn(Card("TC"), in_game=in_game, mode=DeviceMode.LOCK))
    return table


def fault(is_dealing: bool) -> Driven:
    table = in_coup() if is_dealing else Driven().betting()
    table.report(inp.FaultReported(inp.FaultKind.OVERDRAW, 3, latched=True))
    return table


def dealt_out(cut: int) -> Driven:
    """A shoe of one deck in order, cut there and dealt to its last card."""
    table = Driven(plain_house(decks=1, cut_card_from_end=12)).ready()
    deck = [card.value for card in Card]
    for code in deck[cut:] + deck[:cut]:
        if table.state.phase is not Phase.DEALING:
            table.dealing()
        table.card(code)
        if table.state.phase is Phase.RESULT:
            table.ask("confirm_result")
    return table


Story = Callable[[], Driven]
STORIES: dict[str, tuple[Story, Story]] = {
    "misscan-none": (lambda: unread(is_dealing=True), lambda: unread(is_dealing=False)),
    "duplicate-card": (lambda: second_copy(1), lambda: second_copy(2)),
    "card-before-close": (lambda: early_card(is_open=True), lambda: early_card(is_open=False)),
    "excess-after-natural": (
        lambda: fifth_card("9H KS TC 7D"),
        lambda: fifth_card("2H KS 5C 7D"),
    ),
    "excess-after-complete": (
        lambda: fifth_card("6H 7S KC QD"),
        lambda: fifth_card("6H 5S KC QD"),
    ),
    "next-card-early": (
        lambda: after_the_result(is_closed=False),
        lambda: after_the_result(is_closed=True),
    ),
    "wrong-result-announced": (lambda: call(Outcome.TIE), lambda: call(Outcome.PLAYER)),
    "insufficient-cards": (lambda: dealt_out(0), lambda: dealt_out(2)),
    "frame-lost": (lambda: wrong_side(Target.BANKER), lambda: wrong_side(Target.PLAYER)),
    "repeat-mismatch": (lambda: repeated("KD"), lambda: repeated("KS")),
    "card-out-of-game": (
        lambda: out_of_game(in_game=False),
        lambda: out_of_game(in_game=True),
    ),
    "shoe-failure": (lambda: fault(is_dealing=True), lambda: fault(is_dealing=False)),
}


def held_by(story: Story) -> list[str]:
    hold = story().state.hold
    return [] if hold is None else [raised.code for raised in hold.raised]


@pytest.mark.req("VOID-1")
def test_every_irregularity_has_its_stories() -> None:
    assert set(STORIES) == set(IRREGULARITIES)


@pytest.mark.req("VOID-1", "REC-7")
@pytest.mark.parametrize("code", STORIES)
def test_it_is_raised_when_it_happens_and_not_when_it_almost_does(code: str) -> None:
    happens, almost = STORIES[code]
    assert held_by(happens) == [code]
    assert code not in held_by(almost)


@pytest.mark.parametrize("code", STORIES)
def test_every_remedy_that_is_offered_ends_the_hold_in_a_legal_phase(code: str) -> None:
    happens, _ = STORIES[code]
    offered = prompt_for(happens().state).remedies
    assert offered
    for remedy in offered:
        table = happens()
        assert table.state.hold is not None
        back = table.state.hold.back
        table.rule(remedy)
        assert table.state.hold is None
        assert table.state.phase is (Phase.SETTLING if remedy == "void" else back)
        assert table.replayed() == table.state


@pytest.mark.parametrize("code", STORIES)
def test_players_learn_of_a_hold_once_and_in_one_word(code: str) -> None:
    table = STORIES[code][0]()
    told = [name for name in table.names() if name in {"RoundHeld", "TableSuspended"}]
    assert len(told) == 1
