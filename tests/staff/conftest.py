# SPDX-License-Identifier: Apache-2.0
"""The staff's database: a real SQLite file, a real PostgreSQL server."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from studio.store.staff_schema import create_staff
from tests.postgres import Server
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
