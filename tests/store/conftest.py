# SPDX-License-Identifier: Apache-2.0
"""The databases of the store's tests: a real SQLite file, a real PostgreSQL server."""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.engine import URL

from studio.store.models import SCHEMA, epochs, metadata
from studio.store.schema import create
from tests.store.samples import TABLE
from tests.waiting import until

_INSTALL = "PostgreSQL's server is not installed; run: apt-get install postgresql"
_USER = "postgres" if os.geteuid() == 0 else None


def _programs() -> Path:
    """Where initdb and postgres are: Debian keeps them off the path."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    on_path = shutil.which("initdb")
    if not found and on_path is None:
        pytest.fail(_INSTALL, pytrace=False)
    return found[-1].parent if found else Path(str(on_path)).resolve().parent


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True, user=_USER, cwd="/", timeout=50)


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """Conninfo of a PostgreSQL server on a Unix socket of its own, synced as by default."""
    programs = _programs()
    folder = Path(tempfile.mkdtemp(prefix="pg"))
    try:
        if _USER is not None:
            shutil.chown(folder, _USER)
        data = str(folder / "data")
        _run(str(programs / "initdb"), "-D", data, "-U", "studio", "-A", "trust", "--no-sync")
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen(
                [str(programs / "postgres"), "-D", data, "-k", str(folder), "-h", ""],
                stdout=log,
                stderr=log,
                user=_USER,
                cwd="/",
            )
        try:
            where = f"host={folder} user=studio dbname=postgres"
            until(lambda: _answers(where, process), seconds=30)
            yield where
        finally:
            # At once: nothing of it is needed any more.
            process.send_signal(signal.SIGQUIT)
            process.wait(30)
    finally:
        shutil.rmtree(folder)


def _answers(where: str, process: subprocess.Popen[bytes]) -> bool:
    assert process.poll() is None, "PostgreSQL ended at its start"
    try:
        psycopg.connect(where).close()
    except psycopg.OperationalError:
        return False
    return True


def _place(server: str) -> str:
    """URL of an empty place in the server's database: a schema of its own on the search path."""
    name = f"t{uuid4().hex}"
    folder = server.split(maxsplit=1)[0].removeprefix("host=")
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}".encode())
    path = f"-csearch_path={name}"
    url = URL.create("postgresql+psycopg", "studio", database="postgres")
    url = url.set(query={"host": folder, "options": path})
    return url.render_as_string(hide_password=False)


@pytest.fixture
def server_url(server: str) -> str:
    """URL of an empty PostgreSQL database."""
    return _place(server)


@pytest.fixture(scope="session")
def used_record(server: str) -> str:
    """URL of a record on a PostgreSQL server that one test after the other uses."""
    url = _place(server)
    create(url, TABLE)
    return url


@pytest.fixture
def server_record(used_record: str) -> str:
    """URL of an empty record of the sample table on a PostgreSQL server."""
    engine = create_engine(used_record)
    with engine.begin() as connection:
        # Around the triggers: this is a new record, made faster.
        connection.execute(text("SET LOCAL session_replication_role = replica"))
        for table in metadata.sorted_tables:
            connection.execute(table.delete())
        connection.execute(text("UPDATE alembic_version SET version_num = :s"), {"s": SCHEMA})
        first = {"table_id": TABLE, "ordinal": 1, "epoch": str(uuid4()), "created": "now"}
        connection.execute(epochs.insert(), first)
    engine.dispose()
    return used_record


@pytest.fixture
def file_url(tmp_path: Path) -> str:
    """URL of an SQLite file that does not exist yet."""
    return f"sqlite:///{tmp_path / 'BAC-1.db'}"


@pytest.fixture
def file_record(file_url: str) -> str:
    """URL of an empty record of the sample table in an SQLite file."""
    create(file_url, TABLE)
    return file_url


@pytest.fixture(params=["file_record", "server_record"], ids=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest) -> str:
    """URL of an empty record of the sample table, in each kind of database in turn."""
    return str(request.getfixturevalue(request.param))


@pytest.fixture(params=["file_url", "server_url"], ids=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest) -> str:
    """URL of a database without a record, of each kind in turn."""
    return str(request.getfixturevalue(request.param))
