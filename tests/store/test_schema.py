# SPDX-License-Identifier: Apache-2.0
"""Making a record, its schema, and what is refused at a start."""

from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, text

from studio.store import schema
from studio.store.database import StoreFailed, parse_url, refuse_unsafe, writing_engine
from studio.store.history import History
from studio.store.journal import Journal
from studio.store.models import SCHEMA, metadata
from studio.store.schema import create, schema_of, upgrade
from tests.store.samples import TABLE, Story, new_epoch


def execute(url: str, statement: str) -> None:
    """One statement, by someone who goes around the program."""
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text(statement))
    engine.dispose()


def test_the_models_are_what_the_migrations_build(url: str) -> None:
    engine = create_engine(url)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
    engine.dispose()


def test_the_last_migration_is_the_schema_of_the_models() -> None:
    config = Config()
    config.set_main_option("script_location", "studio.store:migrations")
    assert ScriptDirectory.from_config(config).get_heads() == [SCHEMA]


def test_a_new_record_has_this_schema_and_needs_no_upgrade(url: str) -> None:
    assert schema_of(url) == SCHEMA
    assert upgrade(url) == (SCHEMA, SCHEMA)


def test_a_record_is_never_made_over_another(url: str) -> None:
    with Journal.open(url, TABLE) as journal:
        journal.append(Story().shoe())
    with pytest.raises(StoreFailed, match=r"exists|already"):
        create(url, TABLE)
    with Journal.open(url, TABLE) as journal:
        assert journal.last_seq == 2


def test_a_server_may_hold_several_tables_apart(server_url: str) -> None:
    create(server_url, "BAC-1")
    create(server_url, "BAC-2")
    with Journal.open(server_url, "BAC-1") as one, Journal.open(server_url, "BAC-2") as two:
        one.append(Story().shoe("BAC-1-shoe-1"))
        two.append(Story().shoe("BAC-2-shoe-1"))
        assert one.epoch != two.epoch
    with History.open(server_url, "BAC-2") as history:
        assert len(list(history.rows(history.epochs()[0]))) == 2


@pytest.mark.req("DAT-9")
def test_a_missing_file_is_refused_and_not_made_again(file_url: str, tmp_path: Path) -> None:
    for use in (
        lambda: Journal.open(file_url, TABLE),
        lambda: History.open(file_url, TABLE),
        lambda: upgrade(file_url),
        lambda: new_epoch(file_url),
    ):
        with pytest.raises(StoreFailed, match="missing: restore it from the backup"):
            use()
    assert list(tmp_path.iterdir()) == []


def test_a_database_without_a_record_is_refused(server_url: str) -> None:
    assert schema_of(server_url) is None
    with pytest.raises(StoreFailed, match="studio init"):
        Journal.open(server_url, TABLE)


def test_a_record_of_another_table_is_refused(url: str) -> None:
    with pytest.raises(StoreFailed, match="no record of table BAC-9"):
        Journal.open(url, "BAC-9")
    with pytest.raises(StoreFailed, match="no record of table BAC-9"):
        new_epoch(url, "BAC-9")


def test_an_older_schema_is_refused_naming_the_command(url: str) -> None:
    execute(url, "UPDATE alembic_version SET version_num = '0000'")
    for use in (Journal.open, History.open):
        with pytest.raises(StoreFailed, match="studio db upgrade"):
            use(url, TABLE)


def test_a_schema_that_never_was_cannot_be_upgraded(url: str) -> None:
    execute(url, "UPDATE alembic_version SET version_num = '0000'")
    with pytest.raises(StoreFailed, match="schema unknown here"):
        upgrade(url)


def test_a_record_whose_making_fails_is_not_there(
    empty_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_arguments: object) -> str:
        raise OSError(5, "interrupted")

    with monkeypatch.context() as patch:
        patch.setattr(schema, "_insert_epoch", interrupted)
        with pytest.raises(StoreFailed, match="interrupted"):
            create(empty_url, TABLE)
    assert list(tmp_path.iterdir()) == []
    create(empty_url, TABLE)
    Journal.open(empty_url, TABLE).close()


def test_a_newer_schema_is_refused_and_left_alone(url: str) -> None:
    execute(url, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreFailed, match="newer program"):
        Journal.open(url, TABLE)
    with pytest.raises(StoreFailed, match="newer program"):
        upgrade(url)
    assert schema_of(url) == "9999"


@pytest.mark.req("COM-5")
@pytest.mark.req("DAT-9")
@pytest.mark.parametrize("page", [0, 1, 5])
def test_a_damaged_file_is_refused_and_preserved(
    file_record: str, tmp_path: Path, page: int
) -> None:
    with Journal.open(file_record, TABLE) as journal:
        journal.append(Story().whole_round("BAC-1-20261129-0001"))
    file = tmp_path / "BAC-1.db"
    content = bytearray(file.read_bytes())
    content[page * 4096 : page * 4096 + 4096] = b"\xa5" * 4096
    file.write_bytes(content)
    with pytest.raises(StoreFailed, match=r"damaged|not a database"):
        Journal.open(file_record, TABLE)
    assert file.read_bytes() == content


@pytest.mark.req("AUD-4")
def test_a_last_row_that_was_altered_is_found_at_the_start(url: str) -> None:
    with Journal.open(url, TABLE) as journal:
        journal.append(Story().shoe())
    if url.startswith("sqlite"):
        execute(url, "DROP TRIGGER journal_no_update")
    else:
        url += "+-csession_replication_role%3Dreplica"
    execute(url, "UPDATE journal SET source = 'manual' WHERE seq = 2")
    with pytest.raises(StoreFailed, match="not what was written"):
        Journal.open(url, TABLE)


@pytest.mark.parametrize(
    "url",
    ["sqlite://", "sqlite:///:memory:", "mysql://localhost/x", "BAC-1.db"],
)
def test_only_files_and_postgresql_are_taken(url: str) -> None:
    with pytest.raises(StoreFailed):
        parse_url(url)


def test_a_password_is_in_no_text() -> None:
    url = "postgresql://studio:hush@127.0.0.1:1/x"
    with pytest.raises(StoreFailed) as failed:
        Journal.open(url, TABLE)
    assert "hush" not in str(failed.value)
    assert "127.0.0.1" in str(failed.value)


@pytest.mark.req("DUR-3")
def test_a_server_that_does_not_commit_synchronously_is_refused(server_url: str) -> None:
    create(server_url, TABLE)
    with pytest.raises(StoreFailed, match="synchronous_commit is off"):
        Journal.open(server_url.replace("options=", "options=-csynchronous_commit%3Doff+"), TABLE)


@pytest.mark.req("DUR-3")
@pytest.mark.parametrize("setting", ["synchronous = normal", "journal_mode = delete"])
def test_a_file_that_could_lose_a_commit_is_refused(file_record: str, setting: str) -> None:
    engine = writing_engine(parse_url(file_record))
    pooled = engine.raw_connection()
    connection = pooled.driver_connection
    assert connection is not None
    connection.execute(f"PRAGMA {setting}")
    with pytest.raises(StoreFailed, match=f"{setting.split(maxsplit=1)[0]} is .*, must be"):
        refuse_unsafe(engine, connection)
    pooled.close()
