# SPDX-License-Identifier: Apache-2.0
"""The staff's database: a real SQLite file, a real PostgreSQL server."""

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


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """URL of a staff database that is not made yet, of each kind in turn."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'staff.db'}"
    server: Server = request.getfixturevalue("staff_server")
    return server.new_place()


@pytest.fixture
def url(empty_url: str) -> str:
    """URL of an empty staff database."""
    create_staff(empty_url)
    return empty_url


@pytest.fixture
def staff(url: str) -> Staff:
    """A small studio's people."""
    return Staff(url)


@pytest.fixture
def file_staff(tmp_path: Path) -> Staff:
    """A small studio's people in an SQLite file."""
    url = f"sqlite:///{tmp_path / 'file-staff.db'}"
    create_staff(url)
    return Staff(url)
