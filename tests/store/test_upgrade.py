# SPDX-License-Identifier: Apache-2.0
"""A record of an earlier program is brought up to date with all that it knows."""

from typing import Any

from sqlalchemy import create_engine, select, text

from studio.game.events import DealerChanged, IrregularityRaised, TableOpened
from studio.store.database import parse_url
from studio.store.history import History
from studio.store.journal import Journal
from studio.store.models import SCHEMA, irregularities, round_dealers, rounds
from studio.store.schema import create, schema_of, upgrade
from studio.verify import verify
from tests.lookback.evening import Evening
from tests.store.samples import TABLE, new_epoch

_INDICES = (
    "ix_rounds_opened",
    "ix_rounds_table_opened",
    "ix_rounds_outcome_opened",
    "ix_journal_before",
)


def without_look_back(url: str) -> None:
    """Make of a record what the program before it would have left."""
    engine = create_engine(parse_url(url))
    with engine.begin() as connection:
        for statement in (
            *(f"DROP INDEX {one}" for one in _INDICES),
            "DROP TABLE round_dealers",
            "DROP TABLE irregularities",
            "ALTER TABLE rounds DROP COLUMN outcome",
            "UPDATE alembic_version SET version_num = '0001'",
        ):
            connection.execute(text(statement))
    engine.dispose()


def reports(url: str) -> list[list[tuple[Any, ...]]]:
    """What the later program added."""
    engine = create_engine(parse_url(url))
    asked = (
        select(rounds.c.round, rounds.c.outcome).order_by(rounds.c.round),
        select(round_dealers).order_by(*round_dealers.primary_key.columns),
        select(irregularities).order_by(*irregularities.primary_key.columns),
    )
    with engine.connect() as connection:
        told = [[tuple(row) for row in connection.execute(one)] for one in asked]
    engine.dispose()
    return told


def test_an_upgraded_record_tells_of_every_round_who_dealt_it_and_what_went_wrong(
    empty_url: str,
) -> None:
    create(empty_url, TABLE)
    evening = Evening()
    evening.many(20)
    evening.table.ask("open_bets")
    evening.table.ask("report_irregularity", code="wrong-paid")
    with Journal.open(empty_url, TABLE) as journal:
        kinds = {type(one.event) for one in evening.keep(journal)}
    assert kinds >= {TableOpened, DealerChanged, IrregularityRaised}
    new_epoch(empty_url, seconds=1_000_000)
    told = reports(empty_url)
    assert all(told)
    (wrong,) = (row for row in told[2] if row[0] == "wrong-paid")
    assert wrong[2] == evening.rounds[-1], "the one that was paid last, not the one under way"
    without_look_back(empty_url)
    assert schema_of(empty_url) == "0001"
    assert upgrade(empty_url) == ("0001", SCHEMA)
    assert reports(empty_url) == told
    with History.open(empty_url, TABLE) as history:
        assert history.under_way().round == evening.table.state.round
        assert history.under_way().dealer == evening.table.state.dealer
    assert verify(empty_url, TABLE).findings == ()
