# SPDX-License-Identifier: Apache-2.0
"""A few rounds of one table as its service would record them, one of them held and one amended."""

import random
from datetime import timedelta

from studio.feed.wire import public_payload
from studio.game.events import Recorded
from studio.game.inputs import (
    AmendRound,
    ChangeDealer,
    CloseRound,
    ConfirmResult,
    OpenBets,
    ReportIrregularity,
    VoidRound,
)
from studio.game.state import Phase
from studio.store.journal import Entry, Journal
from tests.game.table_driver import BY, SECOND, WHY, Driven, amendment, command_for

TABLE = "BAC-1"
DEALERS = ("Anna", "Bea", "Cleo")
# of no card are there more than eight
_ROUNDS_A_SHOE = 5
IDS = ("s-001", "s-007", "Anna")
PLAYER_WINS, BANKER_WINS, TIES = "9H 3S KD 4C", "2H 3S 3D 4C KS", "6H 6S KD KC"


class Evening:
    """A table that plays; ``keep`` writes what was recorded since into its journal."""

    def __init__(self) -> None:
        self.table = Driven().ready()
        self.rounds: list[str] = []

    def play(
        self, cards: str, *, by: str = BY, held: bool = False, relieved_by: str | None = None
    ) -> str:
        """One round with these cards, held once for a card that players saw if ``held``.

        ``relieved_by`` takes over as the dealer in the middle of it.
        """
        table = self.table
        table.give(OpenBets(by=by))
        self.rounds.append(table.state.round or "")
        table.expire()
        if relieved_by is not None:
            table.give(ChangeDealer(by=BY, dealer=relieved_by))
        for code in cards.split():
            table.card(code)
        if held:
            table.give(ReportIrregularity(code="exposed-in-deal", detail="it fell", by=BY))
            assert table.state.phase is Phase.HELD
            table.give(command_for("rule_hold", table.state))
        table.give(ConfirmResult(by=BY, outcome=table.state.outcome))
        table.give(CloseRound(by=BY))
        assert table.state.phase is Phase.IDLE, table.last
        return self.rounds[-1]

    def amend(self, round_id: str) -> None:
        """Banker is found to have won that round."""
        before = len(self.table.log)
        self.table.give(AmendRound(by=BY, **amendment(round_id, "2H 6S", "KS 9D")))
        assert len(self.table.log) > before, self.table.last

    def void_past(self, round_id: str) -> None:
        """That round is void, after its result."""
        events = self.table.give(VoidRound(by=BY, round=round_id, reason=WHY, second=SECOND))
        assert events, self.table.last

    def many(self, count: int, seed: int = 1) -> None:
        """So many rounds, with all that a search asks for, by chance."""
        chance = random.Random(seed)
        for _ in range(count):
            if chance.random() < 0.3:
                self.table.give(ChangeDealer(by=BY, dealer=chance.choice(DEALERS)))
            if self.table.state.rounds >= _ROUNDS_A_SHOE:
                self.table.ask("end_shoe")
                self.table.ask("load_shoe")
            self.table.now += timedelta(seconds=chance.choice((0, 30, 3600)))
            cards = chance.choice((PLAYER_WINS, BANKER_WINS, TIES))
            played = self.play(
                cards,
                by=chance.choice(IDS),
                held=chance.random() < 0.3,
                relieved_by=chance.choice(DEALERS) if chance.random() < 0.2 else None,
            )
            if chance.random() < 0.15:
                self.amend(played)
            elif chance.random() < 0.15:
                self.void_past(played)

    def keep(self, journal: Journal) -> list[Recorded]:
        """Append it; gives what was recorded."""
        kept = list(self.table.log)
        journal.append([_entry(one, journal.epoch) for one in kept])
        self.table.log.clear()
        return kept


def _entry(one: Recorded, epoch: str) -> Entry:
    payload = None if one.public_seq is None else public_payload(TABLE, epoch, one)
    return Entry(one, payload)
