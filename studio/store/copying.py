# SPDX-License-Identifier: Apache-2.0
"""Copies of a record or of the staff's database, each as one SQLite file and of one moment.

Whatever is written meanwhile: SQLite's own online backup reads the pages of one moment, through
the write-ahead log; a server gives one moment to a transaction that is REPEATABLE READ. Copying
the file itself would take pages of different moments, and leave out the log. A copy on its way back
to a server goes in one transaction.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from enum import Enum
from pathlib import Path
from typing import Any

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
from studio.store.schema import create_tables, require_schema
from studio.store.staff_models import accounts, staff_metadata
from studio.store.staff_schema import create_staff_tables, require_staff_schema

_SECRET = 0o600
_ROWS_AT_ONCE = 2_000


class Kept(Enum):
    """What a database keeps."""

    RECORD = "record"
    STAFF = "staff"


def copy_out(url: str, kept: Kept, table: str, target: Path) -> None:
    """Copy a table's record, or the staff's database, to the new file ``target``, mode 0600.

    Raises ``StoreFailed``; ``target`` may then be left half written.
    """
    source = parse_url(url)
    require_schema(source) if kept is Kept.RECORD else require_staff_schema(source)
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
    create_tables(made) if kept is Kept.RECORD else create_staff_tables(made)
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
        with writing_engine(target).connect() as connection:
            is_new = not inspect(connection).has_table(_first_of(kept).name)
        if is_new:
            create_tables(target) if kept is Kept.RECORD else create_staff_tables(target)
        with (
            reading_engine(copied).connect() as read,
            writing_engine(target).begin() as written,
        ):
            if written.execute(_count(kept, table)).scalar_one():
                raise StoreFailed(occupied(target, kept, table))
            _copy_rows(read, written, kept, table)
    except DBAPIError as fault:
        raise failure(target, "copying into", fault) from fault


def holds(url: str, kept: Kept, table: str) -> bool:
    """Whether a record of the table, or staff, is there already; False for no such database."""
    parsed = parse_url(url)
    file = file_of(parsed)
    if file is not None:
        return file.exists()
    try:
        with reading_engine(parsed).connect() as connection:
            if not inspect(connection).has_table(_first_of(kept).name):
                return False
            return bool(connection.execute(_count(kept, table)).scalar_one())
    except DBAPIError as fault:
        raise failure(parsed, "reading", fault) from fault


def occupied(url: URL, kept: Kept, table: str) -> str:
    """What to say of a database that holds already what should be put there."""
    what = f"a record of table {table}" if kept is Kept.RECORD else "the staff's accounts"
    return (
        f"{name_of(url)} holds {what} already, and nothing is written over it: give that database "
        "another name, make an empty one of this name, then restore again"
    )


def _first_of(kept: Kept) -> Table:
    return epochs if kept is Kept.RECORD else accounts


def _count(kept: Kept, table: str) -> Select[Any]:
    first = _first_of(kept)
    found = select(func.count()).select_from(first)
    return found.where(first.c.table_id == table) if kept is Kept.RECORD else found


def _copy_rows(read: Connection, written: Connection, kept: Kept, table: str) -> None:
    described: MetaData = metadata if kept is Kept.RECORD else staff_metadata
    for one in described.sorted_tables:
        for rows in _rows_of(read, one, table if kept is Kept.RECORD else None):
            written.execute(insert(one), rows)


def _rows_of(read: Connection, one: Table, table: str | None) -> Iterator[list[dict[str, Any]]]:
    """The rows of one table of the schema that belong to the table at which cards are dealt."""
    found = select(one)
    if table is not None and "table_id" in one.c:
        found = found.where(one.c.table_id == table)
    elif table is not None:
        found = found.join(rounds, rounds.c.round == one.c.round)
        found = found.where(rounds.c.table_id == table)
    told = read.execute(found, execution_options={"yield_per": _ROWS_AT_ONCE})
    for chunk in told.mappings().partitions():
        yield [dict(row) for row in chunk]
