# SPDX-License-Identifier: Apache-2.0
import pytest

from studio.dealer import Finish, FreshShoe, Pull, Step, Tell, Wait, next_step
from studio.game import inputs as inp
from studio.game.cards import Card
from studio.game.coup import Outcome
from studio.game.house import ResultEntry
from studio.game.inputs import LineLost, LineUp, Refusal
from studio.game.snapshot import staff_state
from studio.game.state import Phase
from tests.game.table_driver import Driven, house, plain_house


def step_of(table: Driven, *, is_last: bool = False) -> Step:
    return next_step(staff_state(table.state), by="s-001", name="Anna", is_last=is_last)


def command_of(table: Driven, **more) -> inp.Command:
    step = step_of(table, **more)
    assert isinstance(step, Tell), step
    return step.command


def test_a_closed_table_is_opened():
    table = Driven()
    table.report(LineUp("pty", 1))
    assert command_of(table) == inp.OpenTable(by="s-001", dealer="Anna")


def test_an_open_table_gets_a_fresh_shoe():
    table = Driven()
    table.report(LineUp("pty", 1))
    table.ask("open_table")
    assert isinstance(step_of(table), FreshShoe)


def test_cards_are_burned_until_the_burn_is_done():
    table = Driven(house(close_guard_ms=0)).ready()
    assert isinstance(step_of(table), Pull)
    table.card("2H")
    assert isinstance(step_of(table), Pull)
    table.cards("9S 9D")
    assert isinstance(command_of(table), inp.OpenBets)


def test_no_card_is_pulled_while_bets_are_open():
    assert isinstance(step_of(Driven().betting()), Wait)


def test_no_card_is_pulled_within_the_close_guard():
    table = Driven(plain_house(close_guard_ms=1500)).betting()
    table.expire()
    assert isinstance(step_of(table), Wait)
    table.expire()
    assert isinstance(step_of(table), Pull)


def test_no_card_is_pulled_while_the_line_is_down():
    table = Driven().dealing()
    table.report(LineLost("pty", "unplugged", "gone"))
    assert isinstance(step_of(table), Wait)


def test_a_complete_coup_is_confirmed():
    table = Driven().dealing()
    table.cards("9H KS TC 7D")
    assert command_of(table) == inp.ConfirmResult(by="s-001")


def test_the_winner_is_called_where_the_house_asks_for_it():
    table = Driven(plain_house(result_entry=ResultEntry.WINNER)).dealing()
    table.cards("9H KS TC 7D")
    assert command_of(table) == inp.ConfirmResult(by="s-001", outcome=Outcome.PLAYER)


def test_the_next_round_follows_a_settled_one():
    assert isinstance(command_of(Driven().played()), inp.OpenBets)


def test_a_hold_is_ruled_on_with_the_first_remedy():
    table = Driven().dealing()
    table.cards("9H KS TC 7D 2C")
    command = command_of(table)
    assert isinstance(command, inp.RuleHold)
    assert command.remedy == "reconstruct"
    table.give(command)
    assert table.state.hold is None


def test_a_suspended_table_is_resumed():
    table = Driven().betting()
    table.ask("suspend_table")
    assert isinstance(command_of(table), inp.ResumeTable)


def test_after_the_last_round_the_table_is_closed_and_the_dealer_is_done():
    table = Driven().played()
    table.give(command_of(table, is_last=True))
    assert not table.state.is_open
    assert isinstance(step_of(table, is_last=True), Finish)


@pytest.mark.parametrize("name", ["studio", "macau", "venezia", "spain", "atlantic-city", "france"])
def test_the_steps_play_a_whole_shoe_in_every_house_and_no_command_is_refused(name):
    rules = house(name)
    table = Driven(rules)
    table.report(LineUp("pty", 1))
    cards = iter([str(code.value) for code in _shoe(rules.decks)])
    for _ in range(3000):
        if table.state.phase is Phase.NO_SHOE and table.state.shoe_number:
            break
        step = step_of(table)
        match step:
            case Pull():
                if table.state.cards_out == rules.cards - (rules.cut_card_from_end or 0):
                    table.report(inp.CutCardDrawn())
                table.card(next(cards))
            case FreshShoe():
                table.ask("load_shoe")
            case Tell(command=command):
                table.give(command)
                assert not isinstance(table.last, Refusal), table.last
            case Wait():
                table.expire()
            case Finish():
                raise AssertionError("it was not to finish")
    assert "ShoeEnded" in table.names()
    assert "IrregularityRaised" not in table.names()


def _shoe(decks: int) -> list:
    cards = list(Card) * decks
    # a shuffle that is the same everywhere: a step that has no factor in common with the number
    return [cards[(place * 37 + 11) % len(cards)] for place in range(len(cards))]
