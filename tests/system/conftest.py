# SPDX-License-Identifier: Apache-2.0
"""Tests that start processes: a limit that only what hangs reaches, also beside other programs."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.system.loaded import loaded

SECONDS = 600
HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give each test of this folder its limit."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.timeout(SECONDS))


@pytest.fixture(scope="session", autouse=True)
def _program_is_loaded() -> Iterator[None]:
    """For all services of these tests, once."""
    with loaded():
        yield
