# SPDX-License-Identifier: Apache-2.0
"""How a record's database is reached: URLs, connections, durability settings, texts of failure.

A setting that durability rests on is read back, never assumed (DUR-3): SQLite must say WAL and
FULL, PostgreSQL must say that it commits synchronously and syncs its files. Anything else is
refused before a row is written. Knows nothing of events.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Delete, Engine, Insert, Update, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.pool import NullPool

BUSY_SECONDS = 2.0
# Checkpoints are made by Journal.idle() between rounds; this one is for a table that never idles.
_BACKSTOP_PAGES = 20_000
_LOG_BYTES = 4 * 1024 * 1024
# A connection is opened for one purpose and closed with it: nothing to share, nothing to reset.
_UNPOOLED: dict[str, Any] = {"poolclass": NullPool, "pool_reset_on_return": None}
# A server that went away without a word is given up after this long.
_SERVER_PATIENCE = {
    "connect_timeout": 5,
    "tcp_user_timeout": 5_000,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 2,
}

_PROBLEMS = {
    "SQLITE_FULL": "the disk is full: free space there, then start again",
    "SQLITE_BUSY": "another program holds it locked: end that program, then start again",
    "SQLITE_CORRUPT": "it is damaged: keep the file as it is and restore from the backup",
    "SQLITE_NOTADB": "it is not a database: keep the file as it is and restore from the backup",
    "SQLITE_READONLY": "it may not be written: check the owner and mode of file and folder",
    "SQLITE_CANTOPEN": "it cannot be opened: check the path, owner and mode of file and folder",
    "SQLITE_IOERR": "the disk reports an error: check the disk before starting again",
    "SQLITE_CONSTRAINT": "a row with this number or id is there already, or one it needs is not",
}


class StoreFailed(Exception):
    """The record cannot be read or written. The text is for a person: what, where, what to do."""


class InUse(StoreFailed):
    """Another writer has the record."""


def parse_url(url: str) -> URL:
    """The parts of a database URL. Raises ``StoreFailed`` for one that is not supported."""
    try:
        parsed = make_url(url)
    except ArgumentError as fault:
        raise StoreFailed(
            "the database URL is not readable: it must look like sqlite:////var/lib/x.db or "
            "postgresql+psycopg://user@host/name"
        ) from fault
    if parsed.get_backend_name() == "sqlite" and parsed.database not in (None, "", ":memory:"):
        return parsed.set(drivername="sqlite+pysqlite")
    if parsed.get_backend_name() == "postgresql":
        return parsed.set(drivername="postgresql+psycopg")
    raise StoreFailed(
        f"{name_of(parsed)} is no file and no PostgreSQL database: a record needs one"
    )


def name_of(url: URL) -> str:
    """What to call the database in a text for people: its file, or its URL without password."""
    if url.get_backend_name() == "sqlite" and url.database:
        return url.database
    return url.render_as_string(hide_password=True)


def file_of(url: URL) -> Path | None:
    """The file of an SQLite database, by its one name without links, or None for a server.

    The name is what its lock and its log are called after.
    """
    if url.get_backend_name() != "sqlite" or url.database is None:
        return None
    return Path(url.database).resolve()


def files_of(url: URL) -> dict[str, int]:
    """The files that an open SQLite database writes, each with its inode; none for a server."""
    file = file_of(url)
    if file is None:
        return {}
    return {name: Path(name).stat().st_ino for name in (str(file), f"{file}-wal")}


def refuse_gone(files: Mapping[str, int]) -> None:
    """Raise ``StoreFailed`` if one of these files is no longer in its place.

    A deleted file takes writes and syncs without complaint, and they end with the process.
    """
    for name, inode in files.items():
        try:
            found = os.stat(name).st_ino  # noqa: PTH116  on the way of every card
        except FileNotFoundError:
            found = -1
        if found != inode:
            raise StoreFailed(
                f"{name} is gone or was replaced while the table was open: put the record back "
                "from the backup, then start again"
            )


def writing_engine(url: URL, application: str = "studio") -> Engine:
    """An engine whose connections may write. ``application`` is shown to others on a server."""
    if url.get_backend_name() != "sqlite":
        return _server_engine(url, application, read_only=False)
    engine = create_engine(url, connect_args={"timeout": BUSY_SECONDS}, **_UNPOOLED)

    @event.listens_for(engine, "connect")
    def _connect(connection: Any, _record: object) -> None:
        connection.isolation_level = None
        for pragma in (
            "journal_mode = wal",
            "synchronous = full",
            "foreign_keys = on",
            f"wal_autocheckpoint = {_BACKSTOP_PAGES}",
        ):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Any) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def reading_engine(url: URL) -> Engine:
    """An engine whose connections cannot write."""
    if url.get_backend_name() != "sqlite":
        return _server_engine(url, "studio reader", read_only=True)
    path = str(file_of(url))
    quoted = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    read_only = url.set(database=f"file:{quoted}", query={"mode": "ro", "uri": "true"})
    engine = create_engine(read_only, connect_args={"timeout": BUSY_SECONDS}, **_UNPOOLED)

    @event.listens_for(engine, "connect")
    def _connect(connection: Any, _record: object) -> None:
        connection.isolation_level = None

    return engine


def _server_engine(url: URL, application: str, *, read_only: bool) -> Engine:
    engine = create_engine(
        url,
        **_UNPOOLED,
        paramstyle="format",
        connect_args={"application_name": application[:63], **_SERVER_PATIENCE},
        isolation_level="AUTOCOMMIT" if read_only else None,
    )

    @event.listens_for(engine, "connect")
    def _connect(connection: Any, _record: object) -> None:
        connection.execute(f"SET lock_timeout = '{BUSY_SECONDS:g}s'")
        connection.execute(f"SET default_transaction_read_only = {'on' if read_only else 'off'}")
        connection.commit()

    return engine


def refuse_unsafe(engine: Engine, connection: Any) -> None:
    """Raise ``StoreFailed`` if a commit on this driver connection may be lost with the power."""
    name = name_of(engine.url)
    wanted: dict[str, tuple[str, ...]]
    if engine.dialect.name == "sqlite":
        ask, wanted = "PRAGMA", {"journal_mode": ("wal",), "synchronous": ("2", "3")}
        wanted["foreign_keys"] = ("1",)
    else:
        ask, wanted = "SHOW", {"synchronous_commit": ("on", "remote_apply"), "fsync": ("on",)}
        wanted["full_page_writes"] = ("on",)
    for setting, good in wanted.items():
        found = str(connection.execute(f"{ask} {setting}").fetchone()[0])
        if found not in good:
            raise StoreFailed(
                f"{name}: {setting} is {found}, must be {' or '.join(good)}: a commit could be "
                "lost with the power"
            )


def stretch_log(connection: Any) -> None:
    """Make SQLite's write-ahead log as long as it will be between two checkpoints.

    Writing over a file's blocks is synced in half the time that lengthening it takes. The frames
    belong to a transaction that is taken back: nobody ever reads them.
    """
    (pages,) = connection.execute("PRAGMA cache_size").fetchone()
    connection.execute("PRAGMA foreign_keys = off")
    connection.execute("PRAGMA cache_size = 10")
    connection.execute("BEGIN IMMEDIATE")
    connection.execute(
        "INSERT INTO checkpoints VALUES ('', '', 0, x'', zeroblob(?), x'')", (_LOG_BYTES,)
    )
    connection.execute("ROLLBACK")
    connection.execute(f"PRAGMA cache_size = {pages}")
    connection.execute("PRAGMA foreign_keys = on")


class Prepared(NamedTuple):
    """A statement as the driver's own text, the order of its parameters, those that are fixed."""

    sql: str
    order: tuple[str, ...]
    fixed: Mapping[str, Any]

    def bind(self, parameters: Mapping[str, Any]) -> tuple[Any, ...]:
        """The parameters as the driver takes them."""
        known = {**self.fixed, **parameters} if self.fixed else parameters
        return tuple([known[name] for name in self.order])


def prepare(engine: Engine, statement: Insert | Update | Delete, given: Sequence[str]) -> Prepared:
    """Compile a statement of the models once: from a card to the air only the driver runs.

    ``given`` names the parameters that come with each use.
    """
    compiled = statement.compile(engine, column_keys=list(given))
    fixed = {k: v for k, v in compiled.params.items() if k not in given and k != "this"}
    return Prepared(str(compiled), tuple(compiled.positiontup or ()), fixed)


def failure(url: URL, doing: str, fault: BaseException) -> StoreFailed:
    """What to tell a person about a driver's error while ``doing`` something to the record."""
    original: BaseException = fault
    if isinstance(fault, DBAPIError) and fault.orig is not None:
        original = fault.orig
    code = str(getattr(original, "sqlite_errorname", ""))
    problem = next((text for start, text in _PROBLEMS.items() if code.startswith(start)), None)
    detail = " ".join(str(original).split()) or type(original).__name__
    if problem is None:
        return StoreFailed(f"{doing} {name_of(url)} failed: {detail}")
    return StoreFailed(f"{doing} {name_of(url)} failed: {problem} ({detail})")
