# SPDX-License-Identifier: Apache-2.0
"""Manual mode: a coup dealt by hand with the shoe unplugged, and how it goes back to the shoe."""

import pytest
from msgspec.structs import replace

from studio.game import events as ev
from studio.game import inputs as inp
from studio.game.cards import Card
from studio.game.coup import Outcome, Position
from studio.game.events import Source
from studio.game.prompts import prompt_for
from studio.game.snapshot import public_state
from studio.game.state import Phase
from tests.game.houses import NAMES
from tests.game.misdeal_stories import COMPLETE, codes_of, dealt, go_home, rules
from tests.game.table_driver import BY, SECOND, Driven, hand, names_of

LOST = inp.LineLost("pty", "closed", "end of file")


def by_hand(name: str = "studio", /, **changes: object) -> Driven:
    """A table without a line, in manual mode, between two rounds."""
    table = Driven(rules(name, **changes)).ready()
    table.report(LOST)
    table.ask("set_manual_mode")
    return table


def lay(table: Driven, codes: str) -> None:
    """Enter these cards where the prompt says."""
    for code in codes.split():
        table.ask("deal_card", card=Card(code))


@pytest.mark.req("MAN-1")
@pytest.mark.req("MAN-5")
@pytest.mark.parametrize("codes", COMPLETE)
@pytest.mark.parametrize("name", NAMES)
def test_a_whole_coup_is_dealt_by_hand_with_the_line_lost(name: str, codes: str) -> None:
    table = by_hand(name)
    assert public_state(table.state).manual_mode
    table.dealing()
    lay(table, codes)
    dealt_ = [one for one in table.log if isinstance(one.event, ev.CardDealt)]
    assert len(dealt_) == len(codes.split())
    assert {one.source for one in dealt_} == {Source.MANUAL}
    assert table.state.phase is Phase.RESULT
    events = table.ask("confirm_result")
    assert names_of(events) == ["CallNoted", "ResultConfirmed"]
    go_home(table)


@pytest.mark.req("MAN-2")
def test_manual_mode_is_turned_on_and_off_by_two_people() -> None:
    table = Driven(rules("studio")).ready()
    said = inp.SetManualMode(by=BY, on=True, second=SECOND)
    assert table.refused(replace(said, second=BY)) == "same_person"
    assert table.refused(replace(said, on=False)) == "already"
    (changed,) = table.give(said)
    assert isinstance(changed, ev.ManualModeChanged)
    assert (changed.on, changed.by, changed.second) == (True, BY, SECOND)
    assert table.refused(said) == "already"
    table.give(replace(said, on=False))
    assert not table.state.manual_mode


def test_each_card_is_bound_to_its_position_and_to_two_people() -> None:
    table = by_hand().dealing()
    said = inp.DealCard(by=BY, card=Card("9H"), position=Position.P1, second=SECOND)
    assert table.refused(replace(said, second=BY)) == "same_person"
    assert table.refused(replace(said, position=Position.B1)) == "other_position"
    table.give(said)
    assert table.refused(said) == "other_position"
    lay(table, "KS TC 7D")
    assert table.refused(said) == "not_now"
    plain = dealt(rules("studio"))
    assert plain.refused(said) == "not_manual"


def test_a_copy_that_cannot_be_is_not_entered() -> None:
    table = by_hand("venezia", decks=1, cut_card_from_end=12).dealing()
    lay(table, "9H")
    said = inp.DealCard(by=BY, card=Card("9H"), position=Position.B1, second=SECOND)
    assert table.refused(said) == "copy_too_many"


@pytest.mark.req("REC-4")
def test_a_card_entered_wrongly_is_corrected() -> None:
    table = by_hand().dealing()
    lay(table, "9H KS TC 7D")
    table.ask("correct_card", number=1, card=Card("2H"))
    assert codes_of(table) == ["misread"]
    table.rule("reconstruct")
    lay(table, "5C")
    go_home(table)


def test_within_the_guard_a_card_entered_is_kept_like_any_other() -> None:
    table = by_hand(close_guard_ms=1500).dealing()
    lay(table, "9H")
    assert table.state.shown_player == ()
    table.expire()
    assert table.state.shown_player == hand("9H")
    assert table.log[-1].source is Source.MANUAL


def test_what_the_shoe_says_of_cards_laid_by_hand_is_evidence() -> None:
    table = Driven(rules("studio")).ready()
    table.ask("set_manual_mode")
    table.dealing()
    assert names_of(table.card("9H")) == ["ShoeNoted"]
    assert names_of(table.unread()) == ["ShoeNoted"]
    lay(table, "9H KS TC 7D")
    assert names_of(table.card("7D")) == ["ShoeNoted"]
    table.ask("confirm_result")
    assert names_of(table.card("7D")) == ["ShoeNoted"]
    assert table.state.cards_out == 4
    go_home(table)


@pytest.mark.req("RND-4")
def test_in_manual_mode_too_a_card_of_the_shoe_closes_open_bets() -> None:
    table = Driven(rules("studio")).ready()
    table.ask("set_manual_mode")
    table.betting().card("9H")
    assert codes_of(table) == ["card-before-close"]
    go_home(table)


def test_a_coup_begun_by_the_shoe_is_finished_by_hand_and_the_shoe_is_not_compared() -> None:
    table = dealt(rules("studio"), "2H KS")
    table.report(LOST)
    assert prompt_for(table.state).commands == ("void_round", "set_manual_mode")
    table.ask("set_manual_mode")
    assert prompt_for(table.state).code == "deal-card-by-hand"
    lay(table, "TC")
    table.ask("set_manual_mode")
    table.report(inp.LineUp("pty", 2))
    table.report(inp.CardDrawn(Card("7D"), inp.Target.PLAYER, 2))
    assert table.state.hold is None
    table.card("5C")
    table.report(inp.ResultReported(Outcome.TIE))
    assert table.state.hold is None
    go_home(table)
