# SPDX-License-Identifier: Apache-2.0
"""The databases of the store's tests: a real SQLite file, a real PostgreSQL server."""

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import create_engine, text

from studio.store.models import SCHEMA, epochs, metadata
from studio.store.schema import create
from tests.postgres import Server
from tests.store.samples import TABLE


@pytest.fixture(scope="session")
def running_server() -> Iterator[Server]:
    """A PostgreSQL server for all tests of the store."""
    with Server() as running:
        yield running


@pytest.fixture(scope="session")
def server(running_server: Server) -> str:
    """Its conninfo."""
    return running_server.where


@pytest.fixture
def server_url(running_server: Server) -> str:
    """URL of an empty PostgreSQL database."""
    return running_server.new_place()


@pytest.fixture(scope="session")
def used_record(running_server: Server) -> str:
    """URL of a record on a PostgreSQL server that one test after the other uses."""
    url = running_server.new_place()
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
