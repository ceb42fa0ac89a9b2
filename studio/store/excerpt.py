# SPDX-License-Identifier: Apache-2.0
"""What an auditor is given of a record: a copy in one SQLite file, of all of it or of some rounds.

It works on a copy that nobody else uses; nothing here touches the record itself. What is left out
is not in it, also not in pages that SQLite no longer uses.
"""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from studio.store.chain import GENESIS
from studio.store.copying import in_one_file
from studio.store.database import StoreFailed

_APPENDED = ("epochs", "journal", "revisions", "bet_results", "round_dealers", "irregularities")
_TELL_DEALER = ("table_opened", "dealer_changed")


class Place(NamedTuple):
    """A place between two events: the one before it, and the ends of both chains there."""

    epoch: str
    seq: int
    public_seq: int
    hash: bytes
    head: bytes


class Excerpt(NamedTuple):
    """What a copy holds: where it begins, None for the very beginning, and where each epoch ends.

    ``rules`` and ``dealer`` are the events that say by which rules, and who dealt there.
    """

    begins: Place | None
    rules: bytes | None
    dealer: bytes | None
    ends: tuple[Place, ...]


def excerpt(file: Path, table: str, first: str | None, last: str | None) -> Excerpt:
    """Leave in the copy ``file`` the rounds from ``first`` to ``last``, all if neither is said.

    With them stays all that happened between them, and after the last one up to the next round or
    the end. States saved for a start are left out. Raises ``StoreFailed`` for a round that is not
    on record.
    """
    with closing(sqlite3.connect(file)) as database:
        database.execute("PRAGMA foreign_keys = off")
        database.execute("DELETE FROM checkpoints")
        begins, rules, dealer = None, None, None
        if first is not None or last is not None:
            begins, rules, dealer = _cut(_Copy(database, table), first, last)
        database.commit()
        database.execute("VACUUM")
        ends = _Copy(database, table).ends()
    in_one_file(file)
    return Excerpt(begins, rules, dealer, ends)


class _Copy:
    """A copy of a table's record, open for cutting."""

    def __init__(self, database: sqlite3.Connection, table: str) -> None:
        self.database = database
        self.table = table
        found = "SELECT epoch FROM epochs WHERE table_id = ? ORDER BY ordinal"
        self.epochs = [str(epoch) for (epoch,) in database.execute(found, (table,))]

    def opened(self, round_id: str) -> tuple[int, int]:
        """Where a round was opened: the number of its epoch from 0, and its event."""
        found = "SELECT epoch, seq FROM rounds WHERE round = ? AND table_id = ?"
        row = self.database.execute(found, (round_id, self.table)).fetchone()
        if row is None:
            raise StoreFailed(
                f"round {round_id} is not on record at table {self.table}: `studio history` lists "
                "the rounds"
            )
        return self.epochs.index(row[0]), row[1]

    def next_opened(self, after: tuple[int, int]) -> tuple[int, int] | None:
        """Where the next round was opened."""
        found = "SELECT epoch, seq FROM rounds WHERE table_id = ?"
        rows = self.database.execute(found, (self.table,))
        places = ((self.epochs.index(epoch), seq) for epoch, seq in rows)
        return min((place for place in places if place > after), default=None)

    def at(self, epoch: str, seq: int) -> Place:
        """The place after this event, or after the last one before it that is here."""
        upto = "FROM journal WHERE table_id = ? AND epoch = ? AND seq <= ?"
        key = (self.table, epoch, seq)
        newest = "ORDER BY seq DESC LIMIT 1"
        row = self.database.execute(f"SELECT seq, hash {upto} {newest}", key).fetchone()
        sent = self.database.execute(
            f"SELECT public_seq, head {upto} AND public_seq IS NOT NULL {newest}", key
        ).fetchone()
        return Place(epoch, row[0] if row else 0, sent[0] if sent else 0,
                     row[1] if row else GENESIS, sent[1] if sent else GENESIS)  # fmt: skip

    def ends(self) -> tuple[Place, ...]:
        """Where each epoch ends."""
        return tuple(self.at(epoch, 2**62) for epoch in self.epochs)

    def last_of(self, begins: Place, *kinds: str) -> bytes | None:
        """The last event of these kinds up to there."""
        found = (
            "SELECT seq, event FROM journal WHERE table_id = ? AND epoch = ? AND type = ? "
            "AND seq <= ? ORDER BY seq DESC LIMIT 1"
        )
        for epoch in reversed(self.epochs[: self.epochs.index(begins.epoch) + 1]):
            upto = begins.seq if epoch == begins.epoch else 2**62
            rows = [
                row
                for kind in kinds
                for row in self.database.execute(found, (self.table, epoch, kind, upto))
            ]
            if rows:
                return bytes(max(rows)[1])
        return None


def _cut(
    copy: _Copy, first: str | None, last: str | None
) -> tuple[Place, bytes | None, bytes | None]:
    opens = copy.opened(first) if first is not None else (0, 1)
    closes = copy.next_opened(copy.opened(last)) if last is not None else None
    if closes is not None and closes <= opens:
        raise StoreFailed(f"round {last} was dealt before round {first}: give them in order")
    first_epoch = copy.epochs[opens[0]]
    begins = copy.at(first_epoch, opens[1] - 1)
    rules = copy.last_of(begins, "rules_loaded")
    dealer = copy.last_of(begins, *_TELL_DEALER)
    ends = closes if closes is not None else (len(copy.epochs) - 1, 2**62)
    for table in _APPENDED:
        for change in ("update", "delete"):
            copy.database.execute(f"DROP TRIGGER IF EXISTS {table}_no_{change}")
    for number, epoch in enumerate(copy.epochs):
        low = opens[1] if number == opens[0] else 0 if number > opens[0] else 2**62
        high = ends[1] if number == ends[0] else 2**62 if number < ends[0] else 0
        for table in ("journal", "cards", "revisions", "round_dealers", "irregularities"):
            copy.database.execute(
                f"DELETE FROM {table} WHERE epoch = ? AND NOT (seq >= ? AND seq < ?)",  # noqa: S608
                (epoch, low, high),
            )
        if not opens[0] <= number <= ends[0]:
            copy.database.execute("DELETE FROM epochs WHERE epoch = ?", (epoch,))
    # what is told here of a round before them
    opened = "SELECT rounds.round FROM rounds JOIN journal USING (table_id, epoch, seq)"
    copy.database.execute(f"DELETE FROM irregularities WHERE round NOT IN ({opened})")  # noqa: S608
    standing = "SELECT round, revision FROM revisions"
    copy.database.execute(f"DELETE FROM bet_results WHERE (round, revision) NOT IN ({standing})")  # noqa: S608
    copy.database.execute("DELETE FROM rounds")
    copy.database.execute("DELETE FROM shoes")
    return begins, rules, dealer
