# SPDX-License-Identifier: Apache-2.0
"""The operators' database: made by itself, kept for good, refused when it is newer."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, text
from sqlalchemy.exc import DBAPIError

from studio.store.database import StoreFailed
from studio.store.operator_book import Acknowledgement, OperatorBook, acknowledged_at
from studio.store.operator_models import OPERATOR_SCHEMA, VERSION_TABLE, operator_metadata
from studio.store.schema import create, schema_of
from tests.store.samples import TABLE

AT = datetime(2026, 11, 29, 12, 0, 0, 5, tzinfo=UTC)
LATER = AT + timedelta(hours=1)
ACME = Acknowledgement("acme", "epoch-1", "BAC-1-20261129-0001", 2)


def execute(url: str, statement: str) -> None:
    """One statement, by someone who goes around the program."""
    engine = create_engine(url)
    try:
        with engine.begin() as connection:
            connection.execute(text(statement))
    finally:
        engine.dispose()


def test_the_model_is_what_the_migrations_build(empty_url: str) -> None:
    OperatorBook.open(empty_url, TABLE)
    engine = create_engine(empty_url)
    with engine.connect() as connection:
        options = {"compare_type": True, "version_table": VERSION_TABLE}
        context = MigrationContext.configure(connection, opts=options)
        assert compare_metadata(context, operator_metadata) == []
    engine.dispose()


def test_the_last_migration_is_the_schema_of_the_model() -> None:
    config = Config()
    config.set_main_option("script_location", "studio.store:operator_migrations")
    assert ScriptDirectory.from_config(config).get_heads() == [OPERATOR_SCHEMA]


@pytest.mark.req("DUR-2")
def test_the_first_word_counts_and_is_there_for_the_next_service(empty_url: str) -> None:
    assert acknowledged_at(empty_url, TABLE) == []
    book = OperatorBook.open(empty_url, TABLE)
    assert book.all() == []
    assert book.add(ACME, AT) == AT
    assert book.add(ACME, LATER) == AT
    assert book.add(ACME._replace(revision=3), LATER) == LATER
    assert OperatorBook.open(empty_url, "BAC-2").add(ACME, LATER) == LATER
    both = {ACME, ACME._replace(revision=3)}
    assert set(OperatorBook.open(empty_url, TABLE).all()) == both
    assert set(acknowledged_at(empty_url, TABLE)) == both


@pytest.mark.parametrize("change", ["UPDATE {} SET operator = 'best'", "DELETE FROM {}"])
def test_a_word_that_was_given_is_not_changed_or_taken_back(empty_url: str, change: str) -> None:
    OperatorBook.open(empty_url, TABLE).add(ACME, AT)
    with pytest.raises(DBAPIError, match="append-only"):
        execute(empty_url, change.format("operator_acknowledgements"))
    assert acknowledged_at(empty_url, TABLE) == [ACME]


def test_a_server_may_hold_it_beside_a_record(server_url: str) -> None:
    create(server_url, TABLE)
    OperatorBook.open(server_url, TABLE).add(ACME, AT)
    assert schema_of(server_url) is not None
    assert acknowledged_at(server_url, TABLE) == [ACME]


def test_looking_from_outside_makes_nothing(file_url: str, tmp_path: Path) -> None:
    assert acknowledged_at(file_url, TABLE) == []
    assert list(tmp_path.iterdir()) == []


def test_one_of_a_newer_program_is_refused_and_left_alone(empty_url: str) -> None:
    OperatorBook.open(empty_url, TABLE).add(ACME, AT)
    execute(empty_url, f"UPDATE {VERSION_TABLE} SET version_num = '9999'")
    for use in (OperatorBook.open, acknowledged_at):
        with pytest.raises(StoreFailed, match="newer program"):
            use(empty_url, TABLE)


def test_one_that_is_no_database_or_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("no database " * 100)
    (tmp_path / "file").write_text("")
    for name, problem in (("text.db", "not a database"), ("file/new.db", "making .* failed")):
        with pytest.raises(StoreFailed, match=problem):
            OperatorBook.open(f"sqlite:///{tmp_path / name}", TABLE)


def test_a_file_that_goes_away_is_told_and_not_written_anew(file_url: str, tmp_path: Path) -> None:
    book = OperatorBook.open(file_url, TABLE)
    for file in tmp_path.iterdir():
        file.unlink()
    with pytest.raises(StoreFailed):
        book.add(ACME, AT)
    with pytest.raises(StoreFailed):
        book.all()
