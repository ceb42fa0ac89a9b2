# SPDX-License-Identifier: Apache-2.0
"""Two services for one table: the second is refused, and could not interleave if it were not."""

import os
from pathlib import Path

import pytest

from studio.store import journal as journal_module
from studio.store.database import StoreFailed
from studio.store.history import History
from studio.store.journal import Journal
from tests.store.processes import running
from tests.store.samples import TABLE, Story

ROUND = "BAC-1-20261129-0001"


@pytest.mark.req("DUR-9")
def test_a_second_service_is_refused_naming_the_first(url: str) -> None:
    with running("hold", url) as first:
        assert next(first.lines) == {"open": True}
        with pytest.raises(StoreFailed, match=rf"in use by .*{_name_of_holder(url, first.pid)}"):
            Journal.open(url, TABLE)


def _name_of_holder(url: str, pid: int) -> str:
    return f"process {pid}, table BAC-1" if url.startswith("sqlite") else "studio BAC-1"


def test_the_lock_ends_with_the_journal_and_stays_with_a_refused_opening(url: str) -> None:
    with Journal.open(url, TABLE):
        for _ in range(2):
            with pytest.raises(StoreFailed, match="a table has one service"):
                Journal.open(url, TABLE)
    with Journal.open(url, TABLE) as journal:
        journal.append(Story().shoe())


@pytest.mark.req("DUR-9", "DUR-13")
def test_without_the_lock_two_writers_collide_and_never_interleave(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class NoLock:
        def __init__(self, *_arguments: object) -> None:
            pass

        def release(self) -> None:
            pass

    monkeypatch.setattr(journal_module, "FileLock", NoLock)
    monkeypatch.setattr(journal_module, "lock_on_server", lambda *_arguments: None)
    with Journal.open(url, TABLE) as one, Journal.open(url, TABLE) as two:
        story = Story()
        one.append(story.shoe())
        with pytest.raises(StoreFailed):
            two.append(Story().opened(ROUND))
        one.append(story.opened(ROUND))
        with pytest.raises(StoreFailed):
            two.append(Story(4, 3).opened("BAC-1-20261129-0002"))
        stood = one.last_seq
    with History.open(url, TABLE) as history:
        rows = list(history.rows(history.epochs()[0]))
        assert [row.seq for row in rows] == list(range(1, stood + 1))
        assert [line.round for line in history.rounds()] == [ROUND]


def test_the_lock_file_names_its_holder(file_record: str, tmp_path: Path) -> None:
    with Journal.open(file_record, TABLE):
        text = (tmp_path / "BAC-1.db.lock").read_text()
    assert text.startswith(f"process {os.getpid()}, table BAC-1, since 2")
