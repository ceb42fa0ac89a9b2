# SPDX-License-Identifier: Apache-2.0
"""The prompt beside a table, from a closed table to the end of its shoe."""

import pytest

from studio.game import inputs as inp
from studio.game.house import Burn, BurnRule, LastCoup, ResultEntry
from studio.game.inputs import LineLost, LineUp, Refusal, Stamp
from studio.game.prompts import Prompt, prompt_for
from studio.game.state import TableState
from studio.game.table import decide
from tests.game.table_driver import (
    Driven,
    command_for,
    house,
    plain_house,
)

LOST = LineLost("pty", "closed", "end of file")


def prompt(table: Driven) -> Prompt:
    """The table's prompt, once every command that it names has been seen to be accepted."""
    shown = prompt_for(table.state)
    for tag in shown.commands:
        answer = decide(table.state, command_for(tag, table.state), Stamp(table.now, table.day))
        assert not isinstance(answer, Refusal), (shown, answer)
    return shown


def test_a_whole_shoe_is_prompted_step_by_step() -> None:
    table = Driven(house(burn=Burn(BurnRule.FIXED, 2), last_coup=LastCoup.CURRENT))
    steps = [prompt(table)]

    def then() -> None:
        steps.append(prompt(table))

    table.ask("open_table")
    then()
    table.report(LineUp("pty", 1))
    table.ask("load_shoe")
    then()
    table.cards("2H 3H")
    then()
    table.ask("open_bets")
    then()
    table.ask("close_bets")
    then()
    table.expire()
    for code in ["2H", "KS", "KD", "7D", "9C"]:
        then()
        table.card(code)
    then()
    table.ask("confirm_result")
    then()
    table.report(inp.CutCardDrawn())
    table.ask("close_round")
    then()
    table.ask("end_shoe")
    then()
    assert [step.code for step in steps] == [
        "open-table",
        "load-shoe",
        "burn-cards",
        "open-bets",
        "bets-open",
        "wait-for-guard",
        *["deal-card"] * 5,
        "confirm-result",
        "settle",
        "end-shoe",
        "load-shoe",
    ]
    assert [step.position for step in steps if step.pull][1:] == ["P1", "B1", "P2", "B2", "P3"]
    assert [step.words for step in steps if step.code == "deal-card"][-1] == {
        "player": "2",
        "banker": "7",
    }
    assert steps[-4].words == {"outcome": "banker", "player": "1", "banker": "7"}


def test_the_position_is_known_before_the_card_is_pulled() -> None:
    table = Driven().dealing()
    for code in ["6H", "2S", "KC", "QD"]:
        table.card(code)
    assert (prompt(table).position, prompt(table).pull) == ("B3", True)


def test_within_the_guard_the_position_is_shown_and_no_card_asked_for() -> None:
    table = Driven(house(burn=Burn(BurnRule.NONE))).dealing()
    assert (prompt(table).position, prompt(table).pull) == ("P1", False)
    table.cards("9H KS TC 7D")
    assert prompt(table) == Prompt(
        "wait-for-guard", words={"outcome": "player", "player": "9", "banker": "7"}
    )


def test_a_house_that_asks_for_the_winner_is_asked_for_it() -> None:
    table = Driven(plain_house(result_entry=ResultEntry.WINNER)).dealing()
    table.cards("9H KS TC 7D")
    assert prompt(table).code == "call-winner"


def test_the_last_coup_is_announced() -> None:
    table = Driven(plain_house(last_coup=LastCoup.CURRENT)).ready()
    table.report(inp.CutCardDrawn())
    assert prompt(table).code == "open-bets-last-coup"


def test_a_held_table_names_the_irregularity_and_its_remedies() -> None:
    table = Driven().dealing()
    table.cards("9H KS TC 7D 2C")
    assert prompt(table) == Prompt(
        "held",
        ("rule_hold", "void_round"),
        remedies=("reconstruct", "void"),
        words={"code": "excess-after-natural"},
    )
    between = Driven().ready()
    between.card("2C")
    assert prompt(between).commands == ("rule_hold", "strike_card")


def test_a_void_round_is_settled_as_void() -> None:
    table = Driven().dealing()
    table.void()
    assert prompt(table).words["outcome"] == "void"


@pytest.mark.req("COM-6")
def test_without_a_line_no_card_is_asked_for_and_every_phase_has_a_way_out() -> None:
    burning = Driven(plain_house(burn=Burn(BurnRule.FIRST_CARD))).ready()
    idle, open_, dealing = Driven().ready(), Driven().betting(), Driven().dealing()
    again = Driven().betting()
    again.ask("suspend_table")
    again.ask("resume_table")
    tables = (burning, idle, open_, again, dealing)
    assert prompt(burning).code == "burn-first-card"
    for table in tables:
        table.report(LOST)
    assert {prompt(table).code for table in tables} == {"shoe-line-down"}
    assert not any(prompt(table).pull for table in tables)
    assert [prompt(table).commands for table in tables] == [
        ("end_shoe", "set_manual_mode"),
        ("end_shoe", "set_manual_mode"),
        ("close_bets", "void_round"),
        ("void_round", "set_manual_mode"),
        ("void_round", "set_manual_mode"),
    ]


def test_a_complete_coup_needs_no_line() -> None:
    table = Driven().dealing()
    table.cards("9H KS TC 7D")
    table.report(LOST)
    assert prompt(table).code == "confirm-result"
    table.ask("confirm_result")
    assert prompt(table).commands == ("close_round",)


def test_a_suspension_is_prompted_before_bets_and_not_in_mid_round() -> None:
    table = Driven().ready()
    table.ask("suspend_table")
    assert prompt(table) == Prompt("suspended", ("resume_table",), words={"reason": "staff"})
    dealing = Driven().dealing()
    dealing.ask("suspend_table")
    assert prompt(dealing).code == "deal-card"


def test_a_closed_table_is_opened_first_whatever_its_shoe() -> None:
    table = Driven().ready()
    table.ask("close_table")
    assert prompt(table).code == "open-table"


def test_a_table_that_heard_nothing_yet_has_a_prompt_too() -> None:
    assert prompt_for(TableState()).code == "open-table"
