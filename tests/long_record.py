# SPDX-License-Identifier: Apache-2.0
"""Writes a record of any length, as a table that goes on and on would."""

import random
from collections.abc import Callable

from studio.feed.wire import public_payload
from studio.game.cards import Card
from studio.game.inputs import CloseRound, ConfirmResult, EndShoe, LoadShoe, OpenBets
from studio.game.state import Phase
from studio.store.journal import Entry, Journal
from tests.game.table_driver import BY, Driven

TABLE = "BAC-1"


def fill(
    url: str,
    rounds: int,
    *,
    after_round: Callable[[Journal], None] = lambda _journal: None,
    other_cards_from: int | None = None,
) -> None:
    """Write so many rounds of a table that goes on and on; always the same, if not told otherwise.

    ``after_round`` is called with each. From that round on, counted from 0, other cards come.
    """
    table = Driven().ready()
    rng = random.Random(1)
    shoe: list[str] = []
    with Journal.open(url, TABLE) as journal:
        for number in range(rounds):
            if number == other_cards_from:
                rng.seed(2)
                rng.shuffle(shoe)
            if len(shoe) < 24:
                if table.state.rounds:
                    table.give(CloseRound(by=BY))
                    table.give(EndShoe(by=BY))
                    table.give(LoadShoe(by=BY))
                shoe = [card.value for card in Card] * 8
                rng.shuffle(shoe)
            table.give(OpenBets(by=BY))
            table.expire()
            while table.state.phase is Phase.DEALING:
                table.card(shoe.pop())
            table.give(ConfirmResult(by=BY))
            journal.append(
                [
                    Entry(
                        one,
                        None
                        if one.public_seq is None
                        else public_payload(TABLE, journal.epoch, one),
                    )
                    for one in table.log
                ]
            )
            table.log.clear()
            after_round(journal)
