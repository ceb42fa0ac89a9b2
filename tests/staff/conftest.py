# SPDX-License-Identifier: Apache-2.0
"""The staff's database: a real SQLite file, a real PostgreSQL server."""

import shutil
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from studio.game.state import Phase
from studio.store.staff_schema import create_staff
from tests.game.table_driver import Driven
from tests.postgres import Server
from tests.staff.live_table import LiveTable, live_table, record_of
from tests.staff.people import Staff


@pytest.fixture(scope="session")
def staff_server() -> Iterator[Server]:
    """A PostgreSQL server for all tests of the staff."""
    with Server() as running:
        yield running


@pytest.fixture(scope="session")
def filled_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite file with a small studio's people, to be copied."""
    file = tmp_path_factory.mktemp("staff") / "staff.db"
    create_staff(f"sqlite:///{file}")
    Staff(f"sqlite:///{file}").begin()
    return file


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """URL of a staff database that is not made yet, of each kind in turn."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'empty.db'}"
    server: Server = request.getfixturevalue("staff_server")
    return server.new_place()


@pytest.fixture
def staff(request: pytest.FixtureRequest, tmp_path: Path) -> Staff:
    """A small studio's people, in an SQLite file unless a test asks for each kind."""
    if getattr(request, "param", "sqlite") == "sqlite":
        file = shutil.copy(request.getfixturevalue("filled_file"), tmp_path / "staff.db")
        return Staff(f"sqlite:///{file}")
    server: Server = request.getfixturevalue("staff_server")
    url = server.new_place()
    create_staff(url)
    return Staff(url).begin()


@pytest.fixture(scope="session")
def held_table() -> Driven:
    """A table held by a card that was not read."""
    table = Driven().dealing()
    table.cards("9H KS")
    table.unread()
    assert table.state.phase is Phase.HELD
    return table


@pytest.fixture(scope="session")
def held_record(held_table: Driven, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return record_of(tmp_path_factory.mktemp("held") / "held.db", held_table)


@pytest.fixture
def file(held_record: Path, tmp_path: Path) -> Path:
    """A record of the held table, to be moved on."""
    return Path(shutil.copy(held_record, tmp_path / "record.db"))


@pytest.fixture
def now(held_table: Driven) -> datetime:
    return held_table.now


@pytest.fixture
def live(file: Path, staff: Staff, now: datetime) -> Iterator[LiveTable]:
    """The held table, running."""
    with live_table(file, staff, now) as table:
        yield table
