# SPDX-License-Identifier: Apache-2.0
"""Events for the store's tests, and a story that gives them their place in a record."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from studio.game.cards import Card
from studio.game.coup import Outcome, Position
from studio.game.events import (
    BetsClosed,
    BetsOpened,
    CardBurned,
    CardDealt,
    Event,
    Pairs,
    Recorded,
    ResultAmended,
    ResultConfirmed,
    ResultDeclared,
    RoundClosed,
    RoundVoided,
    ShoeLoaded,
    Source,
)
from studio.game.inputs import Origin
from studio.store.epochs import begin_epoch
from studio.store.journal import Entry, Journal

TABLE = "BAC-1"
SHOE = "BAC-1-shoe-1"
NOON = datetime(2026, 11, 29, 12, 0, 0, 120, tzinfo=UTC)
ORIGIN = Origin("sim-1", "5f0c", 7, 96, "0230314839030d", NOON, "A")
HANDS = {"player": (Card("9H"), Card("KD")), "banker": (Card("3S"), Card("4C"))}


class Story:
    """Numbers events one after the other, as the service does, and makes up their payloads."""

    def __init__(self, seq: int = 0, public_seq: int = 0) -> None:
        self.seq = seq
        self.public_seq = public_seq

    @classmethod
    def of(cls, journal: Journal) -> "Story":
        """A story that goes on where a journal stands."""
        return cls(journal.last_seq, journal.last_public_seq)

    def tell(
        self,
        *events: Event,
        round_id: str | None = None,
        shoe: str | None = SHOE,
        source: Source = Source.SHOE,
    ) -> list[Entry]:
        """Entries for these events; each public one has a payload that names it."""
        entries = []
        for event in events:
            self.seq += 1
            payload = public_seq = None
            if event.PUBLIC is not None:
                self.public_seq = public_seq = self.public_seq + 1
                kind = event.__struct_config__.tag
                payload = json.dumps({"seq": public_seq, "type": kind, "round": round_id}).encode()
            at = NOON + timedelta(seconds=self.seq)
            place = Recorded(self.seq, public_seq, at, source, shoe, round_id, event)
            entries.append(Entry(place, payload))
        return entries

    def shoe(self, shoe: str = SHOE) -> list[Entry]:
        """A shoe is loaded and one card is burned."""
        loaded = ShoeLoaded(decks=8, shoe=shoe, burn=1, by="dealer-7")
        burned = CardBurned(card=Card("2C"), burn=1, origin=ORIGIN)
        return self.tell(loaded, burned, shoe=shoe)

    def opened(self, round_id: str, day: str = "20261129") -> list[Entry]:
        """Bets are opened and closed."""
        until = NOON + timedelta(seconds=self.seq + 15)
        return self.tell(
            BetsOpened(seconds=15, closes_at=until, round=round_id, day=day, by="dealer-7"),
            BetsClosed(guard_until=until),
            round_id=round_id,
        )

    def dealt(self, round_id: str) -> list[Entry]:
        """The four cards of a coup that the player wins by a natural."""
        places = zip(Position, ("9H", "3S", "KD", "4C"), strict=False)
        totals = ((9, None), (9, 3), (9, 3), (9, 7))
        cards = [
            CardDealt(
                position=position,
                card=Card(code),
                player_total=player,
                banker_total=banker,
                origin=ORIGIN,
            )
            for (position, code), (player, banker) in zip(places, totals, strict=True)
        ]
        declared = ResultDeclared(outcome=Outcome.PLAYER, player_total=9, banker_total=7)
        return self.tell(*cards, declared, round_id=round_id)

    def result(self, round_id: str) -> list[Entry]:
        """The result is confirmed."""
        return self.tell(confirmed(), round_id=round_id, source=Source.MANUAL)

    def closed(self, round_id: str) -> list[Entry]:
        """The round is closed."""
        return self.tell(RoundClosed(by="dealer-7"), round_id=round_id, source=Source.MANUAL)

    def whole_round(self, round_id: str, day: str = "20261129") -> list[Entry]:
        """A round from bets opened to closed."""
        return [
            *self.opened(round_id, day),
            *self.dealt(round_id),
            *self.result(round_id),
            *self.closed(round_id),
        ]


def confirmed() -> ResultConfirmed:
    """The result of the sample coup."""
    return ResultConfirmed(
        revision=1,
        outcome=Outcome.PLAYER,
        **HANDS,
        player_total=9,
        banker_total=7,
        natural=True,
        pairs=Pairs(player=False, banker=False),
        bets={"player": "1", "banker": "-1", "tie": "-1"},
        amendable_until=NOON + timedelta(hours=1),
        by="dealer-7",
    )


def amended(round_id: str, revision: int, supersedes: int) -> ResultAmended:
    """The sample coup, found to be a tie."""
    return ResultAmended(
        revision=revision,
        outcome=Outcome.TIE,
        player=(Card("9H"), Card("KD")),
        banker=(Card("5S"), Card("4C")),
        player_total=9,
        banker_total=9,
        natural=True,
        pairs=Pairs(player=False, banker=False),
        bets={"player": "0", "banker": "0", "tie": "8"},
        amendable_until=NOON + timedelta(hours=1),
        supersedes=supersedes,
        reason="misread",
        round=round_id,
        by="pit-1",
        second="pit-2",
    )


def voided(round_id: str, revision: int = 1, supersedes: int | None = None) -> RoundVoided:
    """The sample round, cancelled."""
    return RoundVoided(
        revision=revision,
        reason="misdeal",
        set_aside=HANDS["player"],
        text="misdeal",
        supersedes=supersedes,
        round=round_id,
        detail="a card fell",
        by="pit-1",
    )


def new_epoch(url: str, table: str = TABLE, *, seconds: float = 3600, **made: Any) -> str:
    """A new epoch begins so long after the samples."""
    at = NOON + timedelta(seconds=seconds)
    return begin_epoch(url, table, at=at, day="20261129", reason="a test", by="root", **made)


def commit(journal: Journal, entries: Sequence[Entry]) -> None:
    """Append one by one, as a live table does."""
    for entry in entries:
        journal.append([entry])
