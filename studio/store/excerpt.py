# SPDX-License-Identifier: Apache-2.0
"""What an auditor is given of a record: a copy in one SQLite file, of all of it or of some rounds.

It works on a copy that nobody else uses; nothing here touches the record itself. A copy of some
rounds holds nothing of the others, also not in pages that SQLite no longer uses.
"""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from studio.store.chain import GENESIS
from studio.store.copying import in_one_file
from studio.store.database import StoreFailed

_APPENDED = (
    "epochs", "journal", "revisions", "bet_results", "round_dealers", "irregularities",
)  # fmt: skip
# What they say hangs on events that a copy of some rounds does not have.
_NOT_OF_SOME = ("round_dealers", "irregularities", "rounds", "shoes")


class Place(NamedTuple):
    """A place between two events: the one before it, and the ends of both chains there."""

    epoch: str
    seq: int
    public_seq: int
    hash: bytes
    head: bytes


class Excerpt(NamedTuple):
    """What a copy holds: where it begins, None for the very beginning, and where each epoch ends.

    ``rules`` is the event with the house's rules in force at the beginning.
    """

    begins: Place | None
    rules: bytes | None
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
        begins, rules = None, None
        if first is not None or last is not None:
            begins, rules = _cut(_Copy(database, table), first, last)
        database.commit()
        if begins is not None:
            database.execute("VACUUM")
        ends = _Copy(database, table).ends()
    in_one_file(file)
    return Excerpt(begins, rules, ends)


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

    def rules_at(self, begins: Place) -> bytes | None:
        """The event with the rules that were loaded last."""
        found = (
            "SELECT event FROM journal JOIN epochs USING (table_id, epoch) "
            "WHERE table_id = ? AND type = 'rules_loaded' AND (ordinal, seq) <= "
            "(SELECT ordinal, ? FROM epochs WHERE table_id = ? AND epoch = ?) "
            "ORDER BY ordinal DESC, seq DESC LIMIT 1"
        )
        key = (self.table, begins.seq, self.table, begins.epoch)
        row = self.database.execute(found, key).fetchone()
        return None if row is None else bytes(row[0])


def _cut(copy: _Copy, first: str | None, last: str | None) -> tuple[Place | None, bytes | None]:
    opens = copy.opened(first) if first is not None else (0, 1)
    closes = copy.next_opened(copy.opened(last)) if last is not None else None
    if closes is not None and closes <= opens:
        raise StoreFailed(f"round {last} was dealt before round {first}: give them in order")
    first_epoch = copy.epochs[opens[0]]
    begins = copy.at(first_epoch, opens[1] - 1)
    rules = copy.rules_at(begins)
    ends = closes if closes is not None else (len(copy.epochs) - 1, 2**62)
    for table in _APPENDED:
        for change in ("update", "delete"):
            copy.database.execute(f"DROP TRIGGER IF EXISTS {table}_no_{change}")
    for number, epoch in enumerate(copy.epochs):
        low = opens[1] if number == opens[0] else 0 if number > opens[0] else 2**62
        high = ends[1] if number == ends[0] else 2**62 if number < ends[0] else 0
        for table in ("journal", "cards", "revisions"):
            copy.database.execute(
                f"DELETE FROM {table} WHERE epoch = ? AND NOT (seq >= ? AND seq < ?)",  # noqa: S608
                (epoch, low, high),
            )
        if not opens[0] <= number <= ends[0]:
            copy.database.execute("DELETE FROM epochs WHERE epoch = ?", (epoch,))
    standing = "SELECT round, revision FROM revisions"
    copy.database.execute(f"DELETE FROM bet_results WHERE (round, revision) NOT IN ({standing})")  # noqa: S608
    for table in _NOT_OF_SOME:
        copy.database.execute(f"DELETE FROM {table}")  # noqa: S608
    return begins, rules
