# SPDX-License-Identifier: Apache-2.0
"""Making the staff's database and bringing an older one up to date.

As with a record: it is made by ``create_staff`` alone, which never makes it over another, and a
missing one never comes back empty by itself (DAT-9). Its file is for its owner's eyes only.
"""

import os
from pathlib import Path

from sqlalchemy import Connection, inspect, text
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
from studio.store.migrating import migrate
from studio.store.staff_models import STAFF_SCHEMA, VERSION_TABLE

_MODE = 0o600


def create_staff(url: str) -> None:
    """Make an empty staff database. Raises ``StoreFailed`` if there is one."""
    parsed = parse_url(url)
    file = file_of(parsed)
    try:
        if file is not None:
            _reserve(file)
        with writing_engine(parsed).begin() as connection:
            if _revision_in(connection) is not None:
                raise StoreFailed(f"{name_of(parsed)} has the staff's tables already")
            migrate(connection, "staff_migrations", STAFF_SCHEMA)
    except DBAPIError as fault:
        raise failure(parsed, "making", fault) from fault


def create_staff_tables(url: URL) -> None:
    """Make the staff's tables in a database that has none."""
    with writing_engine(url).begin() as connection:
        migrate(connection, "staff_migrations", STAFF_SCHEMA)


def _reserve(file: Path) -> None:
    """An empty file that only its owner may read: SQLite gives its companions the same mode."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o750)
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _MODE))
    except FileExistsError as fault:
        raise StoreFailed(f"{file} exists: it is never made over another file") from fault
    except OSError as fault:
        raise StoreFailed(f"making {file} failed: {fault.strerror}") from fault


def upgrade_staff(url: str) -> tuple[str, str]:
    """Bring it to this program's schema, whole or not at all. Gives revisions before and after."""
    parsed = parse_url(url)
    before = _known_schema(parsed)
    if before != STAFF_SCHEMA:
        try:
            with writing_engine(parsed).begin() as connection:
                migrate(connection, "staff_migrations", STAFF_SCHEMA)
        except DBAPIError as fault:
            raise failure(parsed, "upgrading", fault) from fault
    return before, STAFF_SCHEMA


def has_staff(url: str) -> bool:
    """Whether a staff database is there. Raises ``StoreFailed`` when that cannot be told."""
    parsed = parse_url(url)
    file = file_of(parsed)
    if file is not None and not file.is_file():
        return False
    return _read_schema(parsed) is not None


def require_staff_schema(url: URL) -> None:
    """Raise ``StoreFailed``, saying what to do, unless the schema is this program's."""
    found = _known_schema(url)
    if found != STAFF_SCHEMA:
        raise StoreFailed(
            f"{name_of(url)} has staff schema {found}, this program needs {STAFF_SCHEMA}: stop "
            "the tables, make a backup, then run `studio staff upgrade`"
        )


def _known_schema(url: URL) -> str:
    file = file_of(url)
    if file is not None and not file.is_file():
        raise StoreFailed(
            f"{file} is missing: restore it from the backup; only for a new studio, `studio staff "
            "init` makes one"
        )
    found = _read_schema(url)
    if found is None:
        raise StoreFailed(f"{name_of(url)} keeps no staff: `studio staff init` makes the tables")
    if found > STAFF_SCHEMA:
        raise StoreFailed(
            f"{name_of(url)} has staff schema {found}, written by a newer program; this one knows "
            f"{STAFF_SCHEMA}: use the newer program"
        )
    return found


def _read_schema(url: URL) -> str | None:
    try:
        with reading_engine(url).connect() as connection:
            return _revision_in(connection)
    except DBAPIError as fault:
        raise failure(url, "reading", fault) from fault


def _revision_in(connection: Connection) -> str | None:
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    found = connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar()  # noqa: S608
    return None if found is None else str(found)
