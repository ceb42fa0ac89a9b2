# SPDX-License-Identifier: Apache-2.0
"""Fixtures and checks that hold for every test."""

import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

from tests.leaks import Watch, warnings_of

pytest_plugins = ["tests.evidence"]

# no explain phase: it traces every line, and on long stories takes longer than a test may
hypothesis.settings.register_profile(
    "dev",
    deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
    phases=[one for one in hypothesis.Phase if one is not hypothesis.Phase.explain],
)
hypothesis.settings.register_profile(
    "ci", hypothesis.settings.get_profile("dev"), derandomize=True, print_blob=True
)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "dev")


_LONGEST_FIRST = ("system", "ui", "staff")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The folders with the longest files first, or one runs on when all the others are done."""
    here = Path(__file__).parent

    def place(item: pytest.Item) -> int:
        folder = item.path.relative_to(here).parts[0]
        return _LONGEST_FIRST.index(folder) if folder in _LONGEST_FIRST else len(_LONGEST_FIRST)

    items.sort(key=place)


def pytest_addoption(parser: pytest.Parser) -> None:
    """How long the long record is that is tampered with."""
    parser.addoption("--tamper-rounds", type=int, default=300, metavar="ROUNDS", help="300")


@pytest.fixture(autouse=True)
def _leaves_nothing_behind(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Fail a test that leaves threads or descriptors open, or logs an unexpected warning."""
    watch = Watch()
    yield
    faults = watch.left_behind()
    logged = warnings_of(caplog.get_records("setup") + caplog.get_records("call"))
    faults += [f"unexpected log: {line}" for line in logged]
    if faults:
        pytest.fail("\n".join(faults), pytrace=False)


def pytest_unconfigure() -> None:
    """End the run even if a test that failed left a thread which would keep the process alive."""
    stuck = [one.name for one in threading.enumerate() if not one.daemon]
    if len(stuck) > 1:
        sys.stderr.write(f"threads that never ended: {', '.join(stuck)}\n")
        sys.stderr.flush()
        sys.stdout.flush()
        os._exit(1)
