# SPDX-License-Identifier: Apache-2.0
"""The operators' side of a table: whose word is taken, and what happens where it cannot be kept."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from studio.feed.acknowledgements import Correction
from studio.feed.allowed import Kind
from studio.feed.guard import Guard
from studio.feed.publisher import Publisher
from studio.game.inputs import ServiceStarted
from studio.operator_desk import OperatorDesk
from studio.service import TableService
from studio.serving import facts_of
from studio.settings import TableSettings, load_table
from studio.store.database import StoreFailed
from studio.store.journal import Journal
from studio.store.operator_book import Acknowledgement, acknowledged_at
from studio.store.schema import create
from tests.feed.examples import AT, EPOCH, ROUND, TABLE
from tests.feed.keyed import Studio
from tests.system.rig import write_site
from tests.waiting import until

VOID = Correction(EPOCH, ROUND, 2, "round_voided", AT)


class Clock:
    """A steady clock that only a test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def keyed(tmp_path: Path) -> Studio:
    """The key folder of the site, with the keys of an operator and a console."""
    (tmp_path / "data").mkdir()
    made = Studio(tmp_path / "data")
    made.client("acme")
    made.client("desk-1", Kind.CONSOLE)
    return made


@pytest.fixture
def settings(tmp_path: Path, keyed: Studio) -> TableSettings:
    write_site(tmp_path, "tcp:127.0.0.1:1", keys=True)
    made = load_table(TABLE, tmp_path)
    create(made.database_url, TABLE)
    return made


@pytest.fixture
def operators(tmp_path: Path) -> Path:
    """Where the operators' words are kept, unless the settings say otherwise."""
    return tmp_path / "data" / "operators.db"


@pytest.fixture
def guard(keyed: Studio) -> Iterator[Guard]:
    made = keyed.guard()
    made.start()
    yield made
    made.close()


@pytest.fixture
def service(settings: TableSettings) -> Iterator[TableService]:
    with (
        Journal.open(settings.database_url, TABLE) as journal,
        Publisher("tcp://127.0.0.1:*") as public,
        Publisher("tcp://127.0.0.1:*") as staff,
    ):
        made = TableService(TABLE, settings.house, journal, public, staff)
        made.handle(ServiceStarted(facts_of(settings), settings.house))
        yield made


@pytest.fixture
def desk(
    settings: TableSettings, service: TableService, guard: Guard, clock: Clock
) -> Iterator[OperatorDesk]:
    made = OperatorDesk(settings, service, guard, monotonic=clock)
    yield made
    made.close()


def test_an_operators_first_word_is_kept_and_nobody_elses_is(
    desk: OperatorDesk, operators: Path
) -> None:
    desk.start()
    first = desk.confirm_as("acme")(VOID)
    assert isinstance(first, datetime)
    assert desk.confirm_as("acme")(VOID) == first
    told = [desk.confirm_as(who)(VOID) for who in ("desk-1", "stranger", None)]
    assert [isinstance(one, str) for one in told] == [True, True, True]
    assert "desk-1 is a console" in str(told[0])
    kept = acknowledged_at(f"sqlite:///{operators}", TABLE)
    assert kept == [Acknowledgement("acme", EPOCH, ROUND, 2)]
    until(lambda: desk.acknowledgements() is not None)


@pytest.mark.req("DUR-2")
def test_a_word_that_cannot_be_kept_is_not_taken_and_it_goes_on_once_it_can(
    desk: OperatorDesk, operators: Path, clock: Clock
) -> None:
    operators.write_text("no database " * 100)
    with capture_logs() as logged:
        desk.start()
        until(lambda: logged)
        with pytest.raises(StoreFailed, match="not a database"):
            desk.confirm_as("acme")(VOID)
        assert desk.acknowledgements() is None
        operators.unlink()
        # it is not asked again at once: whoever asks next would wait for it
        with pytest.raises(StoreFailed, match="not a database"):
            desk.confirm_as("acme")(VOID)
        clock.now += 5
        assert isinstance(desk.confirm_as("acme")(VOID), datetime)
        until(lambda: desk.acknowledgements() is not None)
    words = [line["event"] for line in logged]
    assert words == ["acknowledgements are not known", "acknowledged"]
