# SPDX-License-Identifier: Apache-2.0
"""A few rounds of one table as its service would record them, one of them held and one amended."""

from studio.feed.wire import public_payload
from studio.game.events import Recorded
from studio.game.inputs import AmendRound, CloseRound, ConfirmResult, OpenBets, ReportIrregularity
from studio.game.state import Phase
from studio.store.journal import Entry, Journal
from tests.game.table_driver import BY, Driven, amendment, command_for

TABLE = "BAC-1"
PLAYER_WINS, BANKER_WINS, TIES = "9H 3S KD 4C", "2H 9S 3D KC 4S", "6H 6S KD KC"


class Evening:
    """A table that plays; ``keep`` writes what was recorded since into its journal."""

    def __init__(self) -> None:
        self.table = Driven().ready()
        self.rounds: list[str] = []

    def play(self, cards: str, *, held: bool = False) -> str:
        """One round with these cards, held once for a card that players saw if ``held``."""
        table = self.table
        table.give(OpenBets(by=BY))
        self.rounds.append(table.state.round or "")
        table.expire()
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

    def keep(self, journal: Journal) -> list[Recorded]:
        """Append it; gives what was recorded."""
        kept = list(self.table.log)
        journal.append([_entry(one, journal.epoch) for one in kept])
        self.table.log.clear()
        return kept


def _entry(one: Recorded, epoch: str) -> Entry:
    payload = None if one.public_seq is None else public_payload(TABLE, epoch, one)
    return Entry(one, payload)
