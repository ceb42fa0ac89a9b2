# SPDX-License-Identifier: Apache-2.0
"""Copies of a record or of what all tables share, each as one SQLite file and of one moment.

Whatever is written meanwhile: SQLite's own online backup reads the pages of one moment, through
the write-ahead log; a server gives one moment to a transaction that is REPEATABLE READ. Copying
the file itself would take pages of different moments, and leave out the log. A copy on its way back
to a server goes in one transaction.
"""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Connection, MetaData, Select, Table, func, insert, inspect, select
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

from studio.store.database import (
    StoreFailed,
    failure,
    file_of,
    name_of,
    parse_url,
    reading_engine,
    writing_engine,
)
from studio.store.models import epochs, metadata, rounds
from studio.store.operator_book import create_operator_tables, require_operator_schema
from studio.store.operator_models import acknowledgements, operator_metadata
from studio.store.schema import create_tables, require_schema
from studio.store.staff_models import accounts, staff_metadata
from studio.store.staff_schema import create_staff_tables, require_staff_schema

_SECRET = 0o600
_ROWS_AT_ONCE = 2_000


class Kept(Enum):
    """What a database keeps: the record of a table, or what all tables of a studio share."""

    RECORD = "record"
    STAFF = "staff"
    OPERATORS = "operators"


class _Schema(NamedTuple):
    """Its tables, the one that has a row if anything is kept, and what makes and checks them."""

    described: MetaData
    first: Table
    create: Callable[[URL], None]
    require: Callable[[URL], None]
    called: str


_SCHEMAS = {
    Kept.RECORD: _Schema(metadata, epochs, create_tables, require_schema, "a record"),
    Kept.STAFF: _Schema(
        staff_metadata, accounts, create_staff_tables, require_staff_schema, "the staff's accounts"
    ),
    Kept.OPERATORS: _Schema(
        operator_metadata, acknowledgements, create_operator_tables, require_operator_schema,
        "what operators acknowledged",
    ),
}  # fmt: skip


def copy_out(url: str, kept: Kept, table: str, target: Path) -> None:
    """Copy a table's record, or what all tables share, to the new file ``target``, mode 0600.

    ``table`` is empty, here and below, for what all tables share. Raises ``StoreFailed``;
    ``target`` may then be left half written.
    """
    source = parse_url(url)
    _SCHEMAS[kept].require(source)
    file = file_of(source)
    made = parse_url(f"sqlite:///{target}")
    try:
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _SECRET))
        if file is not None:
            _copy_pages(file, target)
        else:
            _copy_from_server(source, kept, table, made)
    except (DBAPIError, sqlite3.Error) as fault:
        raise failure(source, f"copying to {target} from", fault) from fault
    except OSError as fault:
        raise StoreFailed(f"copying to {target} failed: {fault.strerror}") from fault


def _copy_pages(source: Path, target: Path) -> None:
    with (
        closing(sqlite3.connect(f"{source.as_uri()}?mode=ro", uri=True)) as read,
        closing(sqlite3.connect(target)) as written,
    ):
        # all in one step: a copy in steps begins anew with whatever another process writes
        read.backup(written, pages=-1)
    in_one_file(target)


def _copy_from_server(source: URL, kept: Kept, table: str, made: URL) -> None:
    _SCHEMAS[kept].create(made)
    with (
        reading_engine(source).connect() as read,
        writing_engine(made).begin() as written,
    ):
        read.exec_driver_sql("BEGIN ISOLATION LEVEL REPEATABLE READ")
        try:
            _copy_rows(read, written, kept, table)
        finally:
            read.exec_driver_sql("ROLLBACK")
    in_one_file(Path(str(made.database)))


def in_one_file(database: Path) -> None:
    """All that is in an SQLite database that nobody uses is in its one file, and on the disk."""
    with closing(sqlite3.connect(database)) as opened:
        opened.execute("PRAGMA journal_mode = delete").fetchone()
    sync(database)


def sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def copy_in(source: Path, kept: Kept, table: str, url: str) -> None:
    """Put the copy in the file ``source`` into a server's database that has no such record.

    One transaction. Raises ``StoreFailed``, also where there is one already.
    """
    target = parse_url(url)
    copied = parse_url(f"sqlite:///{source}")
    try:
        if not is_kept(url, kept):
            _SCHEMAS[kept].create(target)
        with (
            reading_engine(copied).connect() as read,
            writing_engine(target).begin() as written,
        ):
            if written.execute(_count(kept, table)).scalar_one():
                raise StoreFailed(occupied(target, kept, table))
            _copy_rows(read, written, kept, table)
    except DBAPIError as fault:
        raise failure(target, "copying into", fault) from fault


def is_kept(url: str, kept: Kept) -> bool:
    """Whether a database is there and has the tables for it."""
    parsed = parse_url(url)
    file = file_of(parsed)
    if file is not None and not file.is_file():
        return False
    try:
        with reading_engine(parsed).connect() as connection:
            return inspect(connection).has_table(_SCHEMAS[kept].first.name)
    except DBAPIError as fault:
        raise failure(parsed, "reading", fault) from fault


def holds(url: str, kept: Kept, table: str) -> bool:
    """Whether that is there already, of a server a row of it; False for no such database."""
    parsed = parse_url(url)
    file = file_of(parsed)
    if file is not None:
        return file.exists()
    if not is_kept(url, kept):
        return False
    try:
        with reading_engine(parsed).connect() as connection:
            return bool(connection.execute(_count(kept, table)).scalar_one())
    except DBAPIError as fault:
        raise failure(parsed, "reading", fault) from fault


def occupied(url: URL, kept: Kept, table: str) -> str:
    """What to say of a database that holds already what should be put there."""
    what = _SCHEMAS[kept].called + (f" of table {table}" if table else "")
    return (
        f"{name_of(url)} holds {what} already, and nothing is written over it: give that database "
        "another name, make an empty one of this name, then restore again"
    )


def _count(kept: Kept, table: str) -> Select[Any]:
    first = _SCHEMAS[kept].first
    found = select(func.count()).select_from(first)
    return found.where(first.c.table_id == table) if table else found


def _copy_rows(read: Connection, written: Connection, kept: Kept, table: str) -> None:
    for one in _SCHEMAS[kept].described.sorted_tables:
        for rows in _rows_of(read, one, table):
            written.execute(insert(one), rows)


def _rows_of(read: Connection, one: Table, table: str) -> Iterator[list[dict[str, Any]]]:
    """The rows of one table of the schema that belong to the table at which cards are dealt."""
    found = select(one)
    if table and "table_id" in one.c:
        found = found.where(one.c.table_id == table)
    elif table:
        found = found.join(rounds, rounds.c.round == one.c.round)
        found = found.where(rounds.c.table_id == table)
    told = read.execute(found, execution_options={"yield_per": _ROWS_AT_ONCE})
    for chunk in told.mappings().partitions():
        yield [dict(row) for row in chunk]
