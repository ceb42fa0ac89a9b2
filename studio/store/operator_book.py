# SPDX-License-Identifier: Apache-2.0
"""The operators' database: who acknowledged which correction of a round, and when first.

It makes itself, unlike a record: where it is lost or begins empty nobody acknowledged anything,
and every correction waits for its operators again. A service brings an older one to this program's
schema when it opens it; a newer one is refused.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple, Self

from sqlalchemy import Connection, Engine, and_, insert, inspect, select, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

from studio.store.chain import time_text
from studio.store.database import (
    StoreFailed,
    failure,
    file_of,
    name_of,
    parse_url,
    reading_engine,
    refuse_unsafe,
    writing_engine,
)
from studio.store.migrating import migrate
from studio.store.operator_models import OPERATOR_SCHEMA, VERSION_TABLE, acknowledgements


class Acknowledgement(NamedTuple):
    """An operator's word for one revision of a round."""

    operator: str
    epoch: str
    round: str
    revision: int


_OF = [acknowledgements.c[name] for name in Acknowledgement._fields]


class OperatorBook:
    """The acknowledgements of one table, to be read and added to. Any thread may use it."""

    def __init__(self, engine: Engine, table: str) -> None:
        """Use ``open``; this takes an engine whose schema has been checked."""
        self._engine = engine
        self._table = table

    @classmethod
    def open(cls, url: str, table: str) -> Self:
        """Open it for writing, made or brought up to date if need be. Raises ``StoreFailed``."""
        parsed = parse_url(url)
        file = file_of(parsed)
        engine = writing_engine(parsed, "studio operators")
        try:
            if file is not None:
                file.parent.mkdir(parents=True, exist_ok=True)
            with engine.begin() as connection:
                refuse_unsafe(engine, connection.connection.driver_connection)
                if _schema_in(connection, parsed) != OPERATOR_SCHEMA:
                    migrate(connection, "operator_migrations", OPERATOR_SCHEMA)
        except DBAPIError as fault:
            raise failure(parsed, "opening", fault) from fault
        except OSError as fault:
            raise StoreFailed(f"making {file} failed: {fault.strerror}") from fault
        return cls(engine, table)

    def all(self) -> Sequence[Acknowledgement]:
        """Every acknowledgement of the table."""
        try:
            with self._engine.connect() as connection:
                return _all(connection, self._table)
        except DBAPIError as fault:
            raise failure(self._engine.url, "reading", fault) from fault

    def add(self, given: Acknowledgement, at: datetime) -> datetime:
        """Keep an operator's word; gives when it was given first. On disk when it returns."""
        this = and_(
            acknowledgements.c.table_id == self._table,
            *(column == value for column, value in zip(_OF, given, strict=True)),
        )
        try:
            with self._engine.begin() as connection:
                first = connection.execute(select(acknowledgements.c.at).where(this)).scalar()
                if first is not None:
                    return datetime.fromisoformat(first)
                row = {**given._asdict(), "table_id": self._table, "at": time_text(at)}
                connection.execute(insert(acknowledgements), row)
                return at
        except DBAPIError as fault:
            raise failure(self._engine.url, "writing", fault) from fault


def acknowledged_at(url: str, table: str) -> Sequence[Acknowledgement]:
    """Every acknowledgement of a table, looked up from outside; none where nothing is kept yet.

    Raises ``StoreFailed``.
    """
    parsed = parse_url(url)
    file = file_of(parsed)
    if file is not None and not file.is_file():
        return []
    try:
        with reading_engine(parsed).connect() as connection:
            return _all(connection, table) if _schema_in(connection, parsed) else []
    except DBAPIError as fault:
        raise failure(parsed, "reading", fault) from fault


def create_operator_tables(url: URL) -> None:
    """Make the operators' table in a database that has none."""
    with writing_engine(url).begin() as connection:
        migrate(connection, "operator_migrations", OPERATOR_SCHEMA)


def require_operator_schema(url: URL) -> None:
    """Raise ``StoreFailed``, saying what to do, unless the schema is this program's."""
    try:
        with reading_engine(url).connect() as connection:
            found = _schema_in(connection, url)
    except DBAPIError as fault:
        raise failure(url, "reading", fault) from fault
    if found != OPERATOR_SCHEMA:
        raise StoreFailed(
            f"{name_of(url)} has operators' schema {found}, this program needs {OPERATOR_SCHEMA}: "
            "start a table of the studio by this program, which brings it up to date"
        )


def _all(connection: Connection, table: str) -> Sequence[Acknowledgement]:
    found = select(*_OF).where(acknowledgements.c.table_id == table)
    return [Acknowledgement(*row) for row in connection.execute(found)]


def _schema_in(connection: Connection, url: URL) -> str | None:
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    found = connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar()  # noqa: S608
    if found is not None and str(found) > OPERATOR_SCHEMA:
        raise StoreFailed(
            f"{name_of(url)} has operators' schema {found}, written by a newer program; this one "
            f"knows {OPERATOR_SCHEMA}: use the newer program"
        )
    return None if found is None else str(found)
