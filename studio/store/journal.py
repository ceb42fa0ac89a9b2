# SPDX-License-Identifier: Apache-2.0
"""The journal: the one writer of a table's record. Knows events as rows, not what they mean.

``append`` is the hop from a decision to the disk: everything it adds is one transaction with the
report rows, numbered without holes, chained by hash. It runs the driver on one connection with
statements compiled at the start. After any failure the journal takes nothing more (DUR-5): what
the disk holds is then known only by opening it again.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime
from hashlib import sha256
from typing import Any, NamedTuple, Self
from uuid import uuid4

from sqlalchemy import Delete, Engine, Insert, Update, bindparam, delete, insert
from sqlalchemy.exc import DBAPIError

from studio.game.events import EpochBegun, Recorded, Source
from studio.store.chain import (
    GENESIS,
    Row,
    Undecodable,
    recorded_of,
    row_hash,
    row_of,
    time_text,
)
from studio.store.database import (
    Prepared,
    StoreFailed,
    failure,
    file_of,
    files_of,
    name_of,
    parse_url,
    prepare,
    reading_engine,
    refuse_gone,
    refuse_unsafe,
    stretch_log,
    writing_engine,
)
from studio.store.history import History
from studio.store.lock import FileLock, lock_on_server
from studio.store.models import checkpoints, epochs, journal
from studio.store.reports import STATEMENTS as REPORTS
from studio.store.reports import UnderWay, changes, under_way_after
from studio.store.rights import refuse_missing
from studio.store.schema import require_schema

# So far apart are the saved states that are kept for ever: a look back folds no more than that.
EVENTS_BETWEEN_SAVED = 20_000
# Rows after which idle() moves the write-ahead log into the database: some ten rounds.
_ROWS_PER_CHECKPOINT = 200
# A file up to this size is read whole at a start; beyond it `studio verify` does that.
_QUICK_CHECK_BYTES = 256 * 1024 * 1024


_STATEMENTS: dict[str, tuple[Insert | Update | Delete, tuple[str, ...]]] = {
    **REPORTS,
    "epoch": (insert(epochs), tuple(epochs.columns.keys())),
    "journal": (insert(journal), tuple(journal.columns.keys())),
    "checkpoint": (insert(checkpoints), tuple(checkpoints.columns.keys())),
    "old_checkpoint": (
        delete(checkpoints).where(
            checkpoints.c.table_id == bindparam("of_table"),
            checkpoints.c.epoch == bindparam("of_epoch"),
            checkpoints.c.seq == bindparam("this"),
        ),
        ("of_table", "of_epoch"),
    ),
}
_COMPILED: dict[str, dict[str, Prepared]] = {}


def _compiled(engine: Engine) -> dict[str, Prepared]:
    """Every statement that a journal runs, compiled once for each kind of database."""
    kind = engine.dialect.name
    if kind not in _COMPILED:
        _COMPILED[kind] = {
            name: prepare(engine, statement, given)
            for name, (statement, given) in _STATEMENTS.items()
        }
    return _COMPILED[kind]


class Entry(NamedTuple):
    """An event to append, and the bytes that the public feed will send for it, if any."""

    recorded: Recorded
    payload: bytes | None


class Checkpoint(NamedTuple):
    """A state that was saved after the event ``seq``; the journal does not know what is in it."""

    seq: int
    blob: bytes


class Journal:
    """The record of one table, open for writing. Belongs to the thread that opened it.

    ``epoch``, ``last_seq``, ``last_public_seq``, ``hash`` and ``head`` say where the record
    stands; they change only after a commit.
    """

    def __init__(self, engine: Engine, connection: Any, history: History, table: str) -> None:
        """Use ``open``; this takes a locked and checked connection of the driver."""
        self.table = table
        self.epoch = ""
        self.last_seq = self.last_public_seq = 0
        self.hash = self.head = GENESIS
        self._under_way = UnderWay()
        self._url = engine.url
        self._execute = connection.cursor().execute
        self._history = history
        self._closing = ExitStack()
        self._failed: StoreFailed | None = None
        self._since_checkpoint = 0
        self._is_file = engine.dialect.name == "sqlite"
        self._begin = "BEGIN IMMEDIATE" if self._is_file else "BEGIN"
        self._files = files_of(engine.url)
        self._statements = _compiled(engine)
        self._stand(history.epochs())

    @classmethod
    def open(cls, url: str, table: str) -> Self:
        """Open an existing record and keep others from writing it.

        Raises ``StoreFailed`` if it is missing, damaged, of another schema, not safe against a
        loss of power, or in use.
        """
        parsed = parse_url(url)
        require_schema(parsed)
        file = file_of(parsed)
        with ExitStack() as closing:
            if file is not None:
                closing.callback(FileLock(file, table).release)
            engine = writing_engine(parsed, f"studio {table}")
            try:
                pooled = engine.raw_connection()
                closing.callback(pooled.close)
                connection: Any = pooled.driver_connection
                _prepare_connection(engine, connection, table)
                history = closing.enter_context(History(reading_engine(parsed), table))
                opened = cls(engine, connection, history, table)
            except (DBAPIError, engine.dialect.loaded_dbapi.Error) as fault:
                raise failure(parsed, "opening", fault) from fault
            opened._closing = closing.pop_all()
        return opened

    def close(self) -> None:
        """Give the record up for the next service."""
        self._closing.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def append(self, entries: Sequence[Entry]) -> tuple[bytes, ...]:
        """Add these events in one transaction; when it returns they survive a loss of power.

        Gives the public head after each. Raises ``StoreFailed`` with nothing added; from then on
        every call does.
        """
        if not entries:
            return ()
        rows: list[Row] = []
        hashed, head = self.hash, self.head
        heads: list[bytes] = []
        for recorded, payload in entries:
            row = row_of(recorded, payload, self.table, self.epoch, hashed, head)
            hashed, head = row.hash, row.head or head
            rows.append(row)
            heads.append(head)
        with self._transaction():
            self._refuse_gap(rows)
            after = self._write(entries, rows)
        self.last_seq += len(rows)
        self.last_public_seq += sum(row.payload is not None for row in rows)
        self.hash, self.head = hashed, head
        self._since_checkpoint += len(rows)
        self._under_way = after
        return tuple(heads)

    def begin_epoch(self, begun: EpochBegun, at: datetime) -> None:
        """Number anew from 1, with ``begun`` as the first event; old numbers are never used again.

        One transaction. See ``studio.store.epochs``, which knows what ``begun`` must say.
        """
        epoch, ordinal = str(uuid4()), len(self._history.epochs()) + 1
        recorded = Recorded(1, None, at, Source.SYSTEM, None, None, begun)
        row = row_of(recorded, None, self.table, epoch, GENESIS, GENESIS)
        with self._transaction():
            values = (self.table, ordinal, epoch, time_text(at))
            self._execute(self._statements["epoch"].sql, values)
            self._execute(self._statements["journal"].sql, (self.table, epoch, *row))
        self.epoch, self.last_seq, self.last_public_seq = epoch, 1, 0
        self.hash, self.head = row.hash, GENESIS

    def _refuse_gap(self, rows: Sequence[Row]) -> None:
        public_seq = self.last_public_seq
        for seq, row in enumerate(rows, self.last_seq + 1):
            if row.payload is not None:
                public_seq += 1
            due = None if row.payload is None else public_seq
            if (row.seq, row.public_seq) != (seq, due):
                raise StoreFailed(
                    f"{name_of(self._url)}: event {row.seq} with public number {row.public_seq} "
                    f"does not follow on: {seq} and {due} are due"
                )

    def _write(self, entries: Sequence[Entry], rows: Sequence[Row]) -> UnderWay:
        """Run the statements of these events; gives what is so after them."""
        before, insert_row = self._under_way, self._statements["journal"].sql
        for (recorded, _payload), row in zip(entries, rows, strict=True):
            self._execute(insert_row, (self.table, self.epoch, *row))
            for name, values in changes(recorded, self.table, self.epoch, row.at, before):
                statement = self._statements[name]
                done = self._execute(statement.sql, statement.bind(values))
                if done.rowcount != 1:
                    raise StoreFailed(
                        f"{name_of(self._url)}: event {row.seq} ({row.type}) is about a round or "
                        f"shoe that is not on record: {values['this']}"
                    )
            before = under_way_after(recorded, row.at, before)
        return before

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        if self._failed is not None:
            raise self._failed
        try:
            self._execute(self._begin)
            yield
            refuse_gone(self._files)
            self._execute("COMMIT")
        except BaseException as fault:
            with suppress(Exception):
                self._execute("ROLLBACK")
            self._failed = self._failure("writing", fault)
            raise self._failed from fault

    def read(self, after_seq: int = 0) -> Iterator[Recorded]:
        """The events of this epoch above ``after_seq``, in order.

        Without ``after_seq`` the whole record, from the first epoch on. Raises ``StoreFailed`` at
        a row that this program cannot read.
        """
        epochs = self._history.epochs() if after_seq == 0 else [self.epoch]
        for epoch in epochs:
            for row in self._history.rows(epoch, after_seq):
                try:
                    recorded = recorded_of(row)
                except Undecodable as fault:
                    raise StoreFailed(f"{name_of(self._url)}: {fault}") from fault
                yield recorded

    def checkpoint(self, seq: int, blob: bytes) -> None:
        """Keep ``blob``, the state after event ``seq``, for the next start. ``seq`` is the last.

        The one before is kept too, and of older ones one every so often, for whoever looks back:
        they only save time.
        """
        if seq != self.last_seq or seq == 0:
            raise ValueError(f"a checkpoint is made at the last event, {self.last_seq}, not {seq}")
        last, before, older, *_ = [*self._history.last_saved(self.epoch, 3), 0, 0, 0]
        if last == seq:
            return
        digest = sha256(self.hash + blob).digest()
        add, drop = self._statements["checkpoint"], self._statements["old_checkpoint"]
        with self._transaction():
            self._execute(add.sql, (self.table, self.epoch, seq, self.hash, blob, digest))
            if before and before - older < EVENTS_BETWEEN_SAVED:
                place = {"of_table": self.table, "of_epoch": self.epoch, "this": before}
                self._execute(drop.sql, drop.bind(place))

    def last_checkpoint(self) -> Checkpoint | None:
        """The newest state saved in this epoch, or None.

        One that is damaged or does not belong to the journal's own chain is passed over.
        """
        found = next(self._history.sound_checkpoints(self.epoch), None)
        return None if found is None else Checkpoint(*found)

    def idle(self) -> None:
        """To be called between rounds: tidies up now what would else be done at some card's commit.

        SQLite moves its write-ahead log into the database when there is enough of it. Raises
        ``StoreFailed`` if the disk fails meanwhile.
        """
        if not self._is_file or self._since_checkpoint < _ROWS_PER_CHECKPOINT:
            return
        if self._failed is not None:
            raise self._failed
        try:
            self._execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        except Exception as fault:
            self._failed = self._failure("tidying", fault)
            raise self._failed from fault
        self._since_checkpoint = 0

    def _stand(self, epochs: Sequence[str]) -> None:
        """Take up where the record ends; its last row must be whole."""
        if not epochs:
            raise StoreFailed(f"{name_of(self._url)} has no record of table {self.table}")
        self.epoch = epochs[-1]
        self._under_way = self._history.under_way()
        last = self._history.last_rows(self.epoch, 2)
        if not last:
            return
        self.last_seq, self.hash = last[-1].seq, last[-1].hash
        self.last_public_seq, self.head = self._history.last_public(self.epoch)
        before = GENESIS if self.last_seq == 1 else last[0].hash
        if row_hash(before, self.table, self.epoch, last[-1]) != self.hash:
            raise StoreFailed(
                f"{name_of(self._url)}: event {self.last_seq}, the last, is not what was written: "
                "keep the file as it is, run `studio verify`, restore from the backup"
            )

    def _failure(self, doing: str, fault: BaseException) -> StoreFailed:
        if isinstance(fault, StoreFailed):
            return fault
        return failure(self._url, doing, fault)


def _prepare_connection(engine: Engine, connection: Any, table: str) -> None:
    file = file_of(engine.url)
    if file is None:
        connection.autocommit = True
        refuse_missing(connection, engine.url)
        lock_on_server(connection, table)
    elif file.stat().st_size <= _QUICK_CHECK_BYTES:
        found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if found != "ok":
            raise StoreFailed(
                f"{file} is damaged ({found}): keep the file as it is and restore from the backup"
            )
    if file is not None:
        stretch_log(connection)
    refuse_unsafe(engine, connection)
