# SPDX-License-Identifier: Apache-2.0
"""A refusal of what is not possible now says what is so, and the way on, in each phase."""

import pytest

from studio.game import inputs as inp
from tests.game.table_driver import BY, WHY, Driven, plain_house

OPEN, CLOSE = inp.OpenBets(by=BY), inp.CloseBets(by=BY)
BURN, END = inp.BurnCards(by=BY, count=1, reason=WHY), inp.EndShoe(by=BY)


def suspended() -> Driven:
    table = Driven().betting()
    table.ask("suspend_table")
    return table


def complete() -> Driven:
    table = Driven().dealing()
    table.cards("9H KS TC 7D")
    return table


def held() -> Driven:
    table = complete()
    table.card("2C")
    return table


def free() -> Driven:
    table = Driven(plain_house()).ready()
    table.ask("open_free_coup")
    return table


@pytest.mark.parametrize(
    "table, commands, said",
    [
        (Driven(), [CLOSE, BURN], "Load one"),
        (Driven().ready(), [CLOSE], "no round is under way"),
        (Driven().betting(), [BURN, END], "Close them and deal the coup, or void the round"),
        (suspended(), [CLOSE], "Resume and open them again, or void the round"),
        (Driven().dealing(), [OPEN, CLOSE, BURN, END], "closed and stay so"),
        (complete(), [OPEN, CLOSE, BURN, END], "Confirm it, or void the round"),
        (Driven().played(), [CLOSE], "the round has its result"),
        (held(), [OPEN, CLOSE, BURN, END], "Rule on the hold first"),
        (free(), [OPEN, CLOSE, BURN, END], "a coup without bets is under way"),
    ],
)
def test_it_names_the_truth_and_the_way_out(
    table: Driven, commands: list[inp.Command], said: str
) -> None:
    if not table.state.is_open:
        table.ask("open_table")
    for command in commands:
        table.refused(command)
        assert isinstance(table.last, inp.Refusal)
        assert said in table.last.text


def test_bets_that_were_closed_too_soon_are_not_opened_again_and_the_round_can_be_voided() -> None:
    table = Driven().betting()
    table.ask("close_bets")
    assert table.refused(OPEN) == "bets_closed"
    table.void()
    table.ask("open_bets")
