# SPDX-License-Identifier: Apache-2.0
"""Records written by earlier programs are read for ever."""

from pathlib import Path
from typing import get_args

import pytest
from sqlalchemy import create_engine, insert, text

from studio.game.events import Event
from studio.store.chain import GENESIS, next_head, recorded_of, row_hash
from studio.store.journal import Journal
from studio.store.models import epochs, journal
from studio.store.schema import create
from tests.store.every_event import entries
from tests.store.golden import FOLDER, kept
from tests.store.samples import TABLE

FILES = sorted(FOLDER.glob("*.jsonl"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@pytest.mark.req("DAT-10", "DUR-14")
def test_every_event_is_read_and_both_chains_hold(path: Path) -> None:
    table, epoch, rows = kept(path)
    hashed, head = GENESIS, GENESIS
    for seq, row in enumerate(rows, 1):
        recorded = recorded_of(row)
        assert recorded.seq == seq
        assert recorded.event.__struct_config__.tag == row.type
        assert row_hash(hashed, table, epoch, row) == row.hash
        hashed = row.hash
        if row.payload is not None:
            assert next_head(head, row.payload) == row.head
            head = row.head


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_journal_with_these_rows_opens_and_goes_on(path: Path, file_url: str) -> None:
    table, epoch, rows = kept(path)
    create(file_url, "none")
    engine = create_engine(file_url)
    with engine.begin() as connection:
        place = {"table_id": table, "epoch": epoch}
        connection.execute(insert(epochs), place | {"ordinal": 1, "created": rows[0].at})
        connection.execute(insert(journal), [place | row._asdict() for row in rows])
        assert connection.execute(text("SELECT count(*) FROM journal")).scalar() == len(rows)
    engine.dispose()
    with Journal.open(file_url, table) as opened:
        assert (opened.epoch, opened.last_seq, opened.hash) == (epoch, len(rows), rows[-1].hash)
        assert list(opened.read()) == [recorded_of(row) for row in rows]


def test_every_event_there_is_has_an_example_in_a_golden_journal() -> None:
    found = {row.type for path in FILES for row in kept(path)[2]}
    assert {event.__struct_config__.tag for event in get_args(Event)} - found == set()


def test_every_event_is_stored_and_read_back_equal(url: str) -> None:
    told = entries()
    with Journal.open(url, TABLE) as opened:
        opened.append(told)
        assert list(opened.read()) == [entry.recorded for entry in told]
