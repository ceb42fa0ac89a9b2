# SPDX-License-Identifier: Apache-2.0
"""Tests that start processes: a limit that only what hangs reaches, also beside other programs."""

from pathlib import Path

import pytest

SECONDS = 600
HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give each test of this folder its limit."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.timeout(SECONDS))
