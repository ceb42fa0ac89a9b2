# SPDX-License-Identifier: Apache-2.0
"""A copy is one file of one moment, whatever database it comes from and whatever is written."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import Connection, create_engine, insert, select
from sqlalchemy.pool import NullPool

from studio.store.chain import Row
from studio.store.copying import Kept, copy_in, copy_out, holds, is_kept
from studio.store.database import StoreFailed
from studio.store.history import History
from studio.store.journal import Journal
from studio.store.operator_book import Acknowledgement, OperatorBook, acknowledged_at
from studio.store.operator_models import VERSION_TABLE
from studio.store.staff_models import accounts, log
from studio.store.staff_schema import create_staff, has_staff
from tests.postgres import Server
from tests.store.samples import NOON, TABLE, Story

ROUND = "BAC-1-20261129-000{}"


def _rows(url: str) -> list[Row]:
    with History.open(url, TABLE) as history:
        return [row for epoch in history.epochs() for row in history.rows(epoch)]


def _reports(url: str) -> list[tuple[object, ...]]:
    from studio.store.models import bet_results, cards, revisions, rounds, shoes

    with History.open(url, TABLE) as history:
        tables = (bet_results, cards, revisions, rounds, shoes)
        return sorted((tuple(row) for one in tables for row in history.report(one)), key=repr)


@pytest.mark.req("DUR-15")
def test_a_copy_of_a_record_under_way_opens_and_goes_on(url: str, tmp_path: Path) -> None:
    copied = f"sqlite:///{tmp_path}/copy.db"
    with Journal.open(url, TABLE) as journal:
        story = Story()
        journal.append(story.shoe() + story.whole_round(ROUND.format(1)))
        journal.append(story.opened(ROUND.format(2)))
        copy_out(url, Kept.RECORD, TABLE, tmp_path / "copy.db")
        due, reports = _rows(url), _reports(url)
        journal.append(story.dealt(ROUND.format(2)))
    assert (_rows(copied), _reports(copied)) == (due, reports)
    assert (tmp_path / "copy.db").stat().st_mode & 0o077 == 0
    assert [one.name for one in tmp_path.glob("copy.db*")] == ["copy.db"]
    with Journal.open(copied, TABLE) as journal:
        assert journal.last_seq == len(due)
        journal.append(Story.of(journal).dealt(ROUND.format(2)))


@pytest.mark.req("DUR-15")
def test_a_copy_goes_back_into_a_server_and_into_an_empty_one_only(
    server_record: str, server_url: str, tmp_path: Path
) -> None:
    with Journal.open(server_record, TABLE) as journal:
        journal.append(Story().shoe() + Story(2, 1).whole_round(ROUND.format(1)))
    copy_out(server_record, Kept.RECORD, TABLE, tmp_path / "copy.db")
    assert not holds(server_url, Kept.RECORD, TABLE)
    copy_in(tmp_path / "copy.db", Kept.RECORD, TABLE, server_url)
    assert holds(server_url, Kept.RECORD, TABLE)
    assert (_rows(server_url), _reports(server_url)) == (
        _rows(server_record),
        _reports(server_record),
    )
    with pytest.raises(StoreFailed, match="holds a record of table BAC-1 already"):
        copy_in(tmp_path / "copy.db", Kept.RECORD, TABLE, server_url)
    with Journal.open(server_url, TABLE) as journal:
        journal.append(Story.of(journal).whole_round(ROUND.format(2)))


def test_what_is_written_while_a_server_is_copied_is_of_another_moment(
    server_record: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal.open(server_record, TABLE) as journal:
        journal.append(Story().shoe() + Story(2, 1).whole_round(ROUND.format(1)))
        due, reports = _rows(server_record), _reports(server_record)
        original, seen = copying_rows(), []

        def rows_of(read: object, one: object, table: object) -> object:
            if not seen:
                seen.append(one)
                list(original(read, one, table))
                journal.append(Story.of(journal).whole_round(ROUND.format(2)))
            return original(read, one, table)

        monkeypatch.setattr("studio.store.copying._rows_of", rows_of)
        copy_out(server_record, Kept.RECORD, TABLE, tmp_path / "copy.db")
        assert len(_rows(server_record)) > len(due)
    copied = f"sqlite:///{tmp_path}/copy.db"
    assert (_rows(copied), _reports(copied)) == (due, reports)


def copying_rows() -> object:
    from studio.store.copying import _rows_of

    return _rows_of


@contextmanager
def using(url: str) -> Iterator[Connection]:
    engine = create_engine(url, poolclass=NullPool)
    with engine.begin() as connection:
        yield connection


def test_the_staff_are_copied_from_a_server_and_back(server_url: str, tmp_path: Path) -> None:
    create_staff(server_url)
    person = {
        "staff": "s-0001", "name": "Anna", "screen_name": "Anna", "title": "", "roles": "dealer",
        "badge": "100", "secret": "$argon2id$", "secret_changed": "2026-11-29T12:00:00.000000Z",
        "is_provisional": True, "created": "2026-11-29T12:00:00.000000Z", "created_by": "s-0001",
        "wrong_tries": 0, "language": "it",
    }  # fmt: skip
    with using(server_url) as connection:
        connection.execute(insert(accounts), person)
        line = {"at": "x", "act": "add", "from_where": "here", "result": "done", "detail": ""}
        connection.execute(insert(log), [line | {"number": n} for n in (1, 2)])
    copy_out(server_url, Kept.STAFF, "", tmp_path / "staff.db")
    assert has_staff(f"sqlite:///{tmp_path}/staff.db")
    with using(f"sqlite:///{tmp_path}/staff.db") as connection:
        (row,) = connection.execute(select(accounts)).mappings()
        assert {**row}.items() >= person.items()
        assert len(connection.execute(select(log)).all()) == 2
    with pytest.raises(StoreFailed, match="holds the staff's accounts already"):
        copy_in(tmp_path / "staff.db", Kept.STAFF, "", server_url)


def test_what_operators_acknowledged_is_copied_whole_and_back_into_an_empty_server_only(
    empty_url: str, running_server: Server, tmp_path: Path
) -> None:
    tables = (TABLE, "BAC-2")
    given = Acknowledgement("acme", "epoch-1", ROUND.format(1), 2)
    assert not is_kept(empty_url, Kept.OPERATORS)
    for table in tables:
        OperatorBook.open(empty_url, table).add(given, NOON)
    copy_out(empty_url, Kept.OPERATORS, "", tmp_path / "operators.db")
    place = running_server.new_place()
    copy_in(tmp_path / "operators.db", Kept.OPERATORS, "", place)
    for url in (f"sqlite:///{tmp_path}/operators.db", place):
        assert [acknowledged_at(url, table) for table in tables] == [[given], [given]]
        assert OperatorBook.open(url, TABLE).add(given, NOON + timedelta(1)) == NOON
        assert holds(url, Kept.OPERATORS, "")
    with pytest.raises(StoreFailed, match="holds what operators acknowledged already"):
        copy_in(tmp_path / "operators.db", Kept.OPERATORS, "", place)


@pytest.mark.parametrize(
    "found, problem", [("0000", "start a table of the studio"), ("9999", "newer program")]
)
def test_an_operators_database_of_another_program_is_not_copied(
    empty_url: str, tmp_path: Path, found: str, problem: str
) -> None:
    OperatorBook.open(empty_url, TABLE)
    with using(empty_url) as connection:
        connection.exec_driver_sql(f"UPDATE {VERSION_TABLE} SET version_num = '{found}'")
    with pytest.raises(StoreFailed, match=problem):
        copy_out(empty_url, Kept.OPERATORS, "", tmp_path / "operators.db")
    assert not (tmp_path / "operators.db").exists()


def test_a_copy_is_never_made_over_a_file(file_record: str, tmp_path: Path) -> None:
    (tmp_path / "copy.db").write_text("mine")
    with pytest.raises(StoreFailed, match="File exists"):
        copy_out(file_record, Kept.RECORD, TABLE, tmp_path / "copy.db")
    assert (tmp_path / "copy.db").read_text() == "mine"


def test_a_copy_of_a_damaged_file_is_refused(file_record: str, tmp_path: Path) -> None:
    (tmp_path / "BAC-1.db").write_bytes(b"no database" * 1000)
    with pytest.raises(StoreFailed):
        copy_out(file_record, Kept.RECORD, TABLE, tmp_path / "copy.db")
    with pytest.raises(sqlite3.DatabaseError), closing(sqlite3.connect(tmp_path / "BAC-1.db")) as x:
        x.execute("SELECT count(*) FROM journal")
