# SPDX-License-Identifier: Apache-2.0
"""Records of tables where everything happens, kept as a service keeps them, and their heads."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime

from studio.evidence.form import Evidence
from studio.evidence.gathering import gathered
from studio.feed.wire import public_payload
from studio.game import events as ev
from studio.game.events import Recorded
from studio.heads import Head
from studio.lookback.round_record import round_record
from studio.store.history import History
from studio.store.journal import Entry, Journal

TABLE = "BAC-1"
Change = Callable[[Recorded], Recorded]


def keep(url: str, log: Iterable[Recorded], change: Change = lambda one: one) -> list[Head]:
    """Append these events; gives the heads that the service keeps outside, one after each round."""
    heads: list[Head] = []
    with Journal.open(url, TABLE) as journal:
        waiting: list[Entry] = []
        for one in map(change, log):
            payload = public_payload(TABLE, journal.epoch, one) if one.public_seq else None
            waiting.append(Entry(one, payload))
            if isinstance(one.event, ev.RoundClosed):
                journal.append(waiting)
                waiting = []
                heads.append(head_of(journal))
        journal.append(waiting)
    return heads


def head_of(journal: Journal) -> Head:
    """Where a record stands."""
    place = (TABLE, journal.epoch, journal.last_seq, journal.last_public_seq)
    at = datetime(2026, 11, 30, tzinfo=UTC)
    return Head(*place, journal.hash.hex(), journal.head.hex(), at)


def rounds_in(url: str) -> list[str]:
    """Every round of a record, oldest first."""
    with History.open(url, TABLE) as history:
        return [one.round for one in reversed(history.rounds(10_000))]


def evidence_of(url: str, round_id: str, heads: Iterable[Head] = ()) -> Evidence:
    """A round's evidence, for the studio."""
    with History.open(url, TABLE) as history:
        record = round_record(history, round_id)
        assert record is not None
        return gathered(history, record, heads)
