# SPDX-License-Identifier: Apache-2.0
"""Reading a record while a journal, here or in another process, writes it. Cannot write.

A ``History`` belongs to the thread that opened it. Every answer is one statement, so it shows one
moment; long readings go in chunks, so that they never hold up the journal's checkpoints.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import Any, NamedTuple, Self

from sqlalchemy import (
    Boolean,
    CompoundSelect,
    Engine,
    Integer,
    Select,
    Table,
    and_,
    func,
    select,
    text,
    type_coerce,
)
from sqlalchemy.exc import DBAPIError

from studio.game.events import DealerChanged, TableOpened, VoidedCardCorrected
from studio.store.chain import GENESIS, Row, Undecodable, decode_event
from studio.store.database import failure, parse_url, reading_engine
from studio.store.models import (
    TELLS_BEFORE,
    cards,
    epochs,
    journal,
    revisions,
    rounds,
    shoes,
)
from studio.store.reports import FATES, UnderWay
from studio.store.schema import require_schema
from studio.store.search import FoundRound, Sought, dealers, search

_CHUNK = 5_000
_ROW = [journal.c[name] for name in Row._fields]
# Of a void revision no outcome is told, though the round's own column says that it is void.
_OF_ROUND = set(rounds.columns.keys()) - {"outcome"}


class RoundLine(NamedTuple):
    """One round as ``studio history`` lists it; the result is the standing revision's, or None."""

    round: str
    day: str
    shoe: str | None
    status: str
    opened_at: str
    closed_at: str | None
    revision: int
    outcome: str | None
    player: str | None
    banker: str | None
    player_total: int | None
    banker_total: int | None
    reason: str | None


class CorrectionLine(NamedTuple):
    """An amendment or a void on record."""

    epoch: str
    round: str
    revision: int
    type: str
    at: str


class History:
    """The record of one table, open for reading."""

    def __init__(self, engine: Engine, table: str) -> None:
        """Use ``open``; this takes an engine whose schema has been checked."""
        self._table = table
        self._url = engine.url
        self._connection = engine.connect()

    @property
    def table(self) -> str:
        """The table whose record it is."""
        return self._table

    @classmethod
    def open(cls, url: str, table: str) -> Self:
        """Open the record for reading. Raises ``StoreFailed`` if it is missing or not readable."""
        parsed = parse_url(url)
        require_schema(parsed)
        return cls(reading_engine(parsed), table)

    def close(self) -> None:
        """End it; further use is an error."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def epochs(self) -> list[str]:
        """The table's epochs, oldest first; the last one is in force. Empty: no such table here."""
        found = select(epochs.c.epoch).where(epochs.c.table_id == self._table)
        return [epoch for (epoch,) in self.ask(found.order_by(epochs.c.ordinal))]

    def last_at(self) -> datetime:
        """When the last event was recorded; where there is none, when the last epoch was begun."""
        found = select(epochs.c.epoch, epochs.c.created).where(epochs.c.table_id == self._table)
        epoch, created = self.ask(found.order_by(epochs.c.ordinal.desc()).limit(1))[0]
        rows = self.last_rows(epoch, 1)
        return datetime.fromisoformat(rows[0].at if rows else created)

    def payloads(self, epoch: str, after: int, limit: int) -> list[tuple[int, bytes]]:
        """Public seq and payload of up to ``limit`` public messages above ``after``, in order."""
        found = (
            select(journal.c.public_seq, journal.c.payload)
            .where(self._in(epoch), journal.c.public_seq > after)
            .order_by(journal.c.public_seq)
            .limit(limit)
        )
        return [(seq, payload) for seq, payload in self.ask(found)]

    def head_at(self, epoch: str, public_seq: int) -> bytes | None:
        """The public head after that message (0: before any), None if there is no such message."""
        if public_seq == 0:
            return GENESIS
        found = select(journal.c.head).where(self._in(epoch), journal.c.public_seq == public_seq)
        rows = self.ask(found)
        return rows[0][0] if rows else None

    def round_payloads(self, round_id: str) -> list[bytes]:
        """Result, amendments and voids of a round as sent, of any epoch, in order.

        Empty for a round without result; see ``has_round`` for one that never was.
        """
        found = (
            select(journal.c.payload)
            .join(
                revisions,
                and_(
                    revisions.c.table_id == journal.c.table_id,
                    revisions.c.epoch == journal.c.epoch,
                    revisions.c.seq == journal.c.seq,
                ),
            )
            .where(
                revisions.c.round == round_id,
                revisions.c.table_id == self._table,
                journal.c.payload.is_not(None),
            )
            .order_by(revisions.c.revision)
        )
        return [payload for (payload,) in self.ask(found)]

    def corrections(self) -> list[CorrectionLine]:
        """Every amendment and void of the table, of any epoch."""
        columns = [revisions.c[name] for name in CorrectionLine._fields]
        found = select(*columns).where(
            revisions.c.table_id == self._table,
            revisions.c.type.in_(("result_amended", "round_voided")),
        )
        return [CorrectionLine(*row) for row in self.ask(found)]

    def has_round(self, round_id: str) -> bool:
        """Whether the table ever began that round."""
        found = select(rounds.c.round).where(
            rounds.c.round == round_id, rounds.c.table_id == self._table
        )
        return bool(self.ask(found))

    def rounds(
        self, limit: int = 50, day: str | None = None, status: str | None = None
    ) -> list[RoundLine]:
        """Up to ``limit`` rounds, newest first, of one gaming day or of all."""
        found = self._lines().limit(limit)
        found = found.order_by(rounds.c.day.desc(), rounds.c.opened_at.desc(), rounds.c.seq.desc())
        if day is not None:
            found = found.where(rounds.c.day == day)
        if status is not None:
            found = found.where(rounds.c.status == status)
        return [RoundLine(*row) for row in self.ask(found)]

    def round_line(self, round_id: str) -> RoundLine | None:
        """One round; None if the table never began it."""
        rows = self.ask(self._lines().where(rounds.c.round == round_id))
        return RoundLine(*rows[0]) if rows else None

    def place_of(self, round_id: str) -> tuple[str, int] | None:
        """Epoch and number of the event with which a round began."""
        found = select(rounds.c.epoch, rounds.c.seq).where(
            rounds.c.round == round_id, rounds.c.table_id == self._table
        )
        rows = self.ask(found)
        return (rows[0][0], rows[0][1]) if rows else None

    def revised_at(self, round_id: str) -> list[tuple[str, int]]:
        """Epoch and number of the events that gave a round its result, amendments and voids."""
        found = select(revisions.c.epoch, revisions.c.seq).where(
            revisions.c.round == round_id, revisions.c.table_id == self._table
        )
        return [(epoch, seq) for epoch, seq in self.ask(found.order_by(revisions.c.revision))]

    def corrected_at(self, round_id: str) -> list[tuple[str, int]]:
        """Epoch and number of the events that say what a card of a round is that was misread.

        Also after the round's end: as long as its shoe is in the table.
        """
        found: list[tuple[str, int]] = []
        first, after = self.place_of(round_id) or ("", 0)
        known = self.epochs()
        for epoch in known[known.index(first) :] if first else ():
            loaded = select(func.min(shoes.c.seq)).where(
                shoes.c.table_id == self._table, shoes.c.epoch == epoch, shoes.c.seq > after
            )
            end = self.ask(loaded)[0][0]
            said = select(cards.c.seq).where(
                *(cards.c.table_id == self._table, cards.c.epoch == epoch, cards.c.seq > after),
                *(cards.c.round == round_id, cards.c.fate == FATES[VoidedCardCorrected]),
            )
            said = said if end is None else said.where(cards.c.seq < end)
            found += [(epoch, seq) for (seq,) in self.ask(said.order_by(cards.c.seq))]
            if end is not None:
                break
            after = 0
        return found

    def search(self, sought: Sought) -> list[FoundRound]:
        """The rounds that fit, newest first, of any table in this database."""
        with self.still():
            return search(self.ask, sought)

    def dealers(self) -> list[str]:
        """Who is on record as a dealer of any table in this database, names and ids."""
        return dealers(self.ask)

    def _lines(self) -> Select[Any]:
        """The columns of a ``RoundLine`` for each round of the table."""
        standing = and_(
            revisions.c.round == rounds.c.round, revisions.c.revision == rounds.c.revision
        )
        columns = [
            (rounds if name in _OF_ROUND else revisions).c[name] for name in RoundLine._fields
        ]
        found = select(*columns).outerjoin_from(rounds, revisions, standing)
        return found.where(rounds.c.table_id == self._table)

    def rows(self, epoch: str, after: int = 0, chunk: int = _CHUNK) -> Iterator[Row]:
        """Every row of an epoch above ``after``, in order, as stored, with its hashes.

        They are read ``chunk`` at a time.
        """
        while True:
            found = (
                select(*_ROW)
                .where(self._in(epoch), journal.c.seq > after)
                .order_by(journal.c.seq)
                .limit(chunk)
            )
            read = self.ask(found)
            yield from map(Row._make, read)
            if len(read) < chunk:
                return
            after = read[-1][0]

    def last_rows(self, epoch: str, count: int) -> list[Row]:
        """The last ``count`` rows of an epoch, in order."""
        found = select(*_ROW).where(self._in(epoch)).order_by(journal.c.seq.desc()).limit(count)
        return [Row._make(row) for row in reversed(self.ask(found))]

    def last_public(self, epoch: str) -> tuple[int, bytes]:
        """Public seq and head of the last public message of an epoch; 0 and zeros before any."""
        found = (
            select(journal.c.public_seq, journal.c.head)
            .where(self._in(epoch), journal.c.public_seq.is_not(None))
            .order_by(journal.c.public_seq.desc())
            .limit(1)
        )
        rows = self.ask(found)
        return (rows[0][0], rows[0][1]) if rows else (0, GENESIS)

    def public_before(self, epoch: str, seq: int) -> tuple[int, bytes]:
        """As ``last_public``, of the events below ``seq``."""
        found = (
            select(journal.c.public_seq, journal.c.head)
            .where(self._in(epoch), journal.c.seq < seq, journal.c.public_seq.is_not(None))
            .order_by(journal.c.seq.desc())
            .limit(1)
        )
        rows = self.ask(found)
        return (rows[0][0], rows[0][1]) if rows else (0, GENESIS)

    def last_of(self, types: Sequence[str], epoch: str, seq: int | None = None) -> Row | None:
        """The last event of these types below ``seq`` of an epoch, or else in an earlier one.

        The types are of those that ``TELLS_BEFORE`` names.
        """
        epochs = self.epochs()
        for one in reversed(epochs[: epochs.index(epoch) + 1]):
            found = (self._last_seq(kind, one, seq if one == epoch else None) for kind in types)
            last = max((each for each in found if each is not None), default=None)
            if last is not None:
                return next(self.rows(one, last - 1, chunk=1))
        return None

    def _last_seq(self, kind: str, epoch: str, below: int | None) -> int | None:
        found = select(journal.c.seq).where(
            self._in(epoch), text(TELLS_BEFORE), journal.c.type == kind
        )
        if below is not None:
            found = found.where(journal.c.seq < below)
        # of one type only: by its name as well, so that SQLite takes the index and not the key
        ordered = found.order_by(journal.c.type.desc(), journal.c.seq.desc())
        rows = self.ask(ordered.limit(1))
        return rows[0][0] if rows else None

    def under_way(self) -> UnderWay:
        """The round that began and was not closed yet, if there is one, and who deals."""
        dealer = self._last_dealer()
        found = select(rounds.c.round, rounds.c.opened_at).where(
            rounds.c.table_id == self._table, rounds.c.closed_at.is_(None)
        )
        rows = self.ask(found)
        return UnderWay(rows[0][0], rows[0][1], dealer) if rows else UnderWay(dealer=dealer)

    def _last_dealer(self) -> str:
        """The screen name that was told last; empty if none was, or it cannot be read."""
        known = self.epochs()
        row = self.last_of(("table_opened", "dealer_changed"), known[-1]) if known else None
        # one that cannot be read is told by whoever folds the record
        with suppress(Undecodable):
            event = None if row is None else decode_event(row.version, row.event, row.seq)
            return event.dealer if isinstance(event, TableOpened | DealerChanged) else ""
        return ""

    def report(self, table: Table) -> Iterator[Sequence[Any]]:
        """Every row of a report table that is this table's, each value as it is stored."""
        # read as a Boolean, whatever a tampering hand put there would be True
        plain = (
            type_coerce(one, Integer) if isinstance(one.type, Boolean) else one
            for one in table.columns
        )
        found = select(*plain)
        if "table_id" in table.c:
            found = found.where(table.c.table_id == self._table)
        else:
            found = found.join(rounds, rounds.c.round == table.c.round).where(
                rounds.c.table_id == self._table
            )
        with self._reading():
            yield from self._connection.execute(found)

    def strays(self) -> list[str]:
        """Epochs of the journal that are not listed as the table's."""
        listed = select(epochs.c.epoch).where(epochs.c.table_id == self._table)
        found = select(journal.c.epoch).where(
            journal.c.table_id == self._table, journal.c.epoch.not_in(listed)
        )
        return [epoch for (epoch,) in self.ask(found.distinct())]

    def below(self, epoch: str) -> list[Any]:
        """Numbers of an epoch's rows that come before the first that a journal gives."""
        found = select(journal.c.seq).where(self._in(epoch), journal.c.seq < 1)
        return [seq for (seq,) in self.ask(found)]

    @contextmanager
    def still(self) -> Iterator[None]:
        """Within it every answer shows the same moment, whatever is written meanwhile."""
        is_file = self._url.get_backend_name() == "sqlite"
        with self._reading():
            begin = "BEGIN" if is_file else "BEGIN ISOLATION LEVEL REPEATABLE READ"
            self._connection.exec_driver_sql(begin)
            try:
                yield
            finally:
                self._connection.exec_driver_sql("ROLLBACK")

    def _in(self, epoch: str) -> Any:
        return and_(journal.c.table_id == self._table, journal.c.epoch == epoch)

    def ask(self, statement: Select[Any] | CompoundSelect[Any]) -> Sequence[Any]:
        """All rows of one reading statement. Raises ``StoreFailed``."""
        with self._reading():
            return self._connection.execute(statement).all()

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except DBAPIError as fault:
            raise failure(self._url, "reading", fault) from fault
