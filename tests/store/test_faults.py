# SPDX-License-Identifier: Apache-2.0
"""Processes that die, disks that are full, databases that are locked or gone."""

import os
import shutil
import sqlite3
from pathlib import Path

import psycopg
import pytest

from studio.store import database
from studio.store.chain import GENESIS, row_hash
from studio.store.database import StoreFailed
from studio.store.history import History
from studio.store.journal import Journal
from studio.store.schema import create
from tests.store.processes import said
from tests.store.samples import TABLE, Story

ROUND = "BAC-1-20261129-0001"


@pytest.mark.req("RND-5", "DUR-4")
def test_killed_after_any_statement_the_record_is_the_one_before_or_after(url: str) -> None:
    crashes = said("crash", url)
    assert len(crashes) > 15
    assert crashes[-1]["status"] == 0
    for crash in crashes[:-1]:
        assert crash["status"] == -9
        stored = [line["stored"] for line in crash["told"] if "stored" in line]
        before = stored[-1] if stored else crash["before"]
        assert crash["found"] in (before, crash["told"][-1].get("writing", before))
    with History.open(url, TABLE) as history:
        epoch, hashed = history.epochs()[0], GENESIS
        for seq, row in enumerate(history.rows(epoch), 1):
            assert row.seq == seq
            hashed = row_hash(hashed, TABLE, epoch, row)
            assert row.hash == hashed
        assert seq == crashes[-1]["found"]


@pytest.mark.req("DAT-3")
def test_a_full_disk_stops_the_journal_and_loses_nothing(tmp_path: Path) -> None:
    own_mounts = ("unshare", "-m") if os.geteuid() == 0 else ()
    failed, again = said("fill", str(tmp_path), *own_mounts)
    assert f"writing {tmp_path}/BAC-1.db failed" in failed["text"]
    if failed["small"]:
        assert "the disk is full: free space there, then start again" in failed["text"]
    assert failed["stored"] > 10
    assert again == {"found": failed["stored"], "head": failed["head"], "read": failed["stored"]}


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for a lock for a moment only."""
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.1)


@pytest.mark.usefixtures("impatient")
def test_a_locked_file_is_told_after_the_busy_time_and_nothing_is_stored(
    file_record: str, tmp_path: Path
) -> None:
    other = sqlite3.connect(tmp_path / "BAC-1.db", isolation_level=None)
    with Journal.open(file_record, TABLE) as journal:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreFailed, match="another program holds it locked"):
            journal.append(Story().shoe())
        other.execute("ROLLBACK")
        assert journal.last_seq == 0
    other.close()
    with Journal.open(file_record, TABLE) as journal:
        journal.append(Story().shoe())


@pytest.mark.usefixtures("impatient")
def test_a_locked_table_of_a_server_is_told_after_the_busy_time(
    server_record: str, server: str
) -> None:
    with Journal.open(server_record, TABLE) as journal, psycopg.connect(server) as other:
        schema = server_record.partition("search_path%3D")[2]
        other.execute(f"LOCK TABLE {schema}.journal IN EXCLUSIVE MODE".encode())
        with pytest.raises(StoreFailed, match="lock timeout"):
            journal.append(Story().shoe())
        other.rollback()
    with Journal.open(server_record, TABLE) as journal:
        assert journal.last_seq == 0


def test_a_server_that_ends_the_connection_stops_the_journal(
    server_record: str, server: str
) -> None:
    with Journal.open(server_record, TABLE) as journal:
        journal.append(Story().shoe())
        with psycopg.connect(server, autocommit=True) as other:
            other.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE application_name LIKE 'studio%'"
            )
        with pytest.raises(StoreFailed, match="writing postgresql"):
            journal.append(Story.of(journal).opened(ROUND))
        assert journal.last_seq == 2
    with Journal.open(server_record, TABLE) as journal:
        assert journal.last_seq == 2


@pytest.mark.req("DAT-9")
@pytest.mark.parametrize("name", ["BAC-1.db", "BAC-1.db-wal"])
def test_a_file_deleted_or_replaced_under_an_open_journal_is_noticed(
    file_record: str, tmp_path: Path, name: str
) -> None:
    with Journal.open(file_record, TABLE) as journal:
        journal.append(Story().shoe())
        (tmp_path / name).rename(tmp_path / "moved")
        shutil.copy(tmp_path / "moved", tmp_path / name)
        with pytest.raises(StoreFailed, match=f"{name} is gone or was replaced"):
            journal.append(Story.of(journal).opened(ROUND))
        (tmp_path / name).unlink()
        assert journal.last_seq == 2


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(StoreFailed, match="making"):
        create(f"sqlite:///{tmp_path}/file/BAC-1.db", TABLE)
