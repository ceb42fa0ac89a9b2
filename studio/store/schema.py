# SPDX-License-Identifier: Apache-2.0
"""Making a record and bringing an older one up to date: the migrations, run from the package.

A database is made by ``create`` alone and brought up by ``upgrade`` alone; opening a journal never
does either (DAT-9): a missing file must not come back empty.
"""

import os
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

from sqlalchemy import Connection, Engine, func, insert, inspect, select, text
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
    writing_engine,
)
from studio.store.migrating import UnknownRevision, migrate
from studio.store.models import SCHEMA, epochs


def create(url: str, table: str) -> None:
    """Make an empty record for ``table``.

    SQLite: a new file, in place only when it is complete. PostgreSQL: the tables if the database
    has none, and the table's first epoch. Raises ``StoreFailed`` if there is a record already.
    """
    parsed = parse_url(url)
    file = file_of(parsed)
    try:
        if file is None:
            _create_in(parsed, table)
        else:
            _create_file(parsed, file, table)
    except DBAPIError as fault:
        raise failure(parsed, "making", fault) from fault
    except OSError as fault:
        raise StoreFailed(f"making {file} failed: {fault.strerror}") from fault


def create_tables(url: URL) -> None:
    """Make the tables of a record in a database that has none, without any record in them."""
    with writing_engine(url).begin() as connection:
        migrate(connection, "migrations", SCHEMA)


def _create_file(url: URL, file: Path, table: str) -> None:
    if file.exists():
        raise StoreFailed(f"{file} exists: a record is never made over another file")
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f"{file.name}.{os.getpid()}.part")
    try:
        _create_in(url.set(database=str(part)), table)
        _sync(part)
        os.link(part, file)
        _sync(file.parent)
    except FileExistsError as fault:
        raise StoreFailed(f"{file} exists: a record is never made over another file") from fault
    finally:
        part.unlink(missing_ok=True)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _create_in(url: URL, table: str) -> None:
    engine = writing_engine(url)
    with engine.begin() as connection:
        if _revision_in(connection) != SCHEMA:
            migrate(connection, "migrations", SCHEMA)
        if _epochs_of(connection, table):
            raise StoreFailed(f"{name_of(url)} has a record of table {table} already")
        _insert_epoch(connection, table, 1)


def _epochs_of(connection: Connection, table: str) -> int:
    found = select(func.count()).select_from(epochs).where(epochs.c.table_id == table)
    return int(connection.execute(found).scalar_one())


def _insert_epoch(connection: Connection, table: str, ordinal: int) -> str:
    epoch = str(uuid4())
    created = time_text(datetime.now(UTC))
    row = {"table_id": table, "ordinal": ordinal, "epoch": epoch, "created": created}
    connection.execute(insert(epochs), row)
    return epoch


def upgrade(url: str) -> tuple[str, str]:
    """Bring an existing record to this program's schema. Gives the revision before and after.

    One transaction: it is done whole or not at all. Raises ``StoreFailed`` for a missing database,
    one that is no record, and one of a newer program.
    """
    parsed = parse_url(url)
    before = _known_schema(parsed)
    if before == SCHEMA:
        return before, before
    try:
        with writing_engine(parsed).begin() as connection:
            migrate(connection, "migrations", SCHEMA)
    except DBAPIError as fault:
        raise failure(parsed, "upgrading", fault) from fault
    except UnknownRevision as fault:
        raise StoreFailed(f"{name_of(parsed)} has a schema unknown here: {fault}") from fault
    return before, SCHEMA


def schema_of(url: str) -> str | None:
    """The revision of the database's schema, None if it is no record.

    Raises ``StoreFailed`` when the database is missing or cannot be read.
    """
    return _read_schema(parse_url(url))


def require_schema(url: URL) -> None:
    """Raise ``StoreFailed``, saying what to do, unless the schema is this program's."""
    found = _known_schema(url)
    if found != SCHEMA:
        raise StoreFailed(
            f"{name_of(url)} has schema {found}, this program needs {SCHEMA}: stop the table, make "
            "a backup, then run `studio db upgrade`"
        )


def _known_schema(url: URL) -> str:
    found = _read_schema(url)
    if found is None:
        raise StoreFailed(f"{name_of(url)} is no record of a table: `studio init` makes one")
    if found > SCHEMA:
        raise StoreFailed(
            f"{name_of(url)} has schema {found}, written by a newer program; this one knows "
            f"{SCHEMA}: use the newer program"
        )
    return found


def _read_schema(url: URL) -> str | None:
    file = file_of(url)
    if file is not None and not file.is_file():
        raise StoreFailed(
            f"{file} is missing: restore it from the backup; only for a new table, `studio init` "
            "makes an empty one"
        )
    engine: Engine = reading_engine(url)
    try:
        with engine.connect() as connection:
            return _revision_in(connection)
    except DBAPIError as fault:
        raise failure(url, "reading", fault) from fault


def _revision_in(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return None if found is None else str(found)
