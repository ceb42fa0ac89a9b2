# SPDX-License-Identifier: Apache-2.0
"""A service whose role cannot change what was recorded, on a real server; and an SQLite file."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from sqlalchemy import create_engine, make_url, text
from sqlalchemy.exc import ProgrammingError

from studio.store.copying import Kept, copy_out
from studio.store.database import StoreFailed
from studio.store.epochs import begin_epoch
from studio.store.journal import Journal
from studio.store.models import metadata
from studio.store.operator_book import Acknowledgement, OperatorBook
from studio.store.operator_models import operator_metadata
from studio.store.rights import ANY, GUARDED, RIGHTS, excess, roles_sql, run_sql
from studio.store.schema import create, upgrade
from studio.store.staff_models import staff_metadata
from studio.store.staff_schema import create_staff
from studio.verify import verify
from tests.long_record import TABLE, fill
from tests.postgres import Server

DESCRIBED = (metadata, staff_metadata, operator_metadata)
APPENDED = sorted(name for name, right in RIGHTS.items() if right == RIGHTS["journal"])


class Roles:
    """A record, a staff and operators in one database, its owner, and who serves a table."""

    def __init__(self, server: Server) -> None:
        self.made = server.new_place()
        self.owner, self.application = f"owner_{uuid4().hex}", f"served_{uuid4().hex}"
        create(self.made, TABLE)
        create_staff(self.made)
        OperatorBook.open(self.made, TABLE)
        self.set_up()

    def set_up(self) -> None:
        run_sql(self.made, roles_sql(self.made, self.owner, self.application))

    def url(self, role: str) -> str:
        return make_url(self.made).set(username=role).render_as_string(hide_password=False)

    def refused(self, statement: str) -> str:
        """What the server says to a statement of the service's role."""
        engine = create_engine(make_url(self.url(self.application)))
        with engine.connect() as connection, pytest.raises(ProgrammingError) as refusal:
            connection.execute(text(statement))
        engine.dispose()
        assert isinstance(refusal.value.orig, psycopg.errors.InsufficientPrivilege)
        return str(refusal.value.orig)


@pytest.fixture(scope="module")
def roles(running_server: Server) -> Roles:
    return Roles(running_server)


def test_every_table_of_ours_has_its_row() -> None:
    described = {table.name: table for one in DESCRIBED for table in one.tables.values()}
    versions = {"alembic_version", "staff_version", "operator_version"}
    assert set(RIGHTS) == set(described) | versions
    for name, right in RIGHTS.items():
        if right.update != ANY:
            assert set(right.update) <= set(described[name].columns.keys() if right.update else ())


@pytest.mark.req("AUD-1")
def test_a_table_is_served_by_a_role_that_only_adds(roles: Roles, tmp_path: Path) -> None:
    url = roles.url(roles.application)
    assert excess(url) == []
    fill(url, 3)
    with Journal.open(url, TABLE) as journal:
        for seq in (1, 2, 3):
            # the oldest of three goes
            journal.checkpoint(journal.last_seq, b"state %d" % seq)
    at = datetime(2027, 1, 1, tzinfo=UTC)
    begin_epoch(url, TABLE, at=at, day="20270101", reason="a test", by="root")
    assert verify(url, TABLE).is_sound
    copy_out(url, Kept.RECORD, TABLE, tmp_path / "copy.db")
    book = OperatorBook.open(url, TABLE)
    given = Acknowledgement("acme", "one", "BAC-1-20261129-0001", 2)
    assert book.add(given, at) == book.add(given, datetime.now(UTC)) == at


def test_a_table_that_an_upgrade_made_is_missed_before_a_round_begins(roles: Roles) -> None:
    run_sql(roles.made, [f'REVOKE INSERT ON irregularities FROM "{roles.application}"'])
    told = "may not add to irregularities: run `studio db roles`"
    with pytest.raises(StoreFailed, match=told):
        Journal.open(roles.url(roles.application), TABLE)
    roles.set_up()
    Journal.open(roles.url(roles.application), TABLE).close()


@pytest.mark.req("AUD-1")
@pytest.mark.parametrize("table", APPENDED)
@pytest.mark.parametrize(
    "statement", ["UPDATE {0} SET {1} = {1}", "DELETE FROM {0}", "TRUNCATE {0}"]
)
def test_a_change_of_what_was_recorded_fails_and_is_in_the_servers_log(
    statement: str, table: str, roles: Roles, running_server: Server
) -> None:
    (described,) = [one.tables[table] for one in DESCRIBED if table in one.tables]
    wanted = statement.format(table, f'"{described.columns.keys()[0]}"')
    before = len(running_server.logged())
    assert f"permission denied for table {table}" in roles.refused(wanted)
    told = running_server.logged()[before:]
    assert f"ERROR:  permission denied for table {table}" in told
    assert f"STATEMENT:  {wanted}" in told


@pytest.mark.req("AUD-1")
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE rounds SET day = day",
        "UPDATE shoes SET decks = 1",
        "DELETE FROM rounds",
        "DELETE FROM staff_accounts",
        "UPDATE alembic_version SET version_num = version_num",
        "ALTER TABLE journal DISABLE TRIGGER ALL",
        "DROP TRIGGER journal_append_only ON journal",
        "DROP TABLE journal",
        "CREATE OR REPLACE FUNCTION append_only() RETURNS trigger LANGUAGE sql AS 'SELECT 1'",
        "CREATE TABLE other (x int)",
        "SET session_replication_role = replica",
    ],
)
def test_there_is_no_way_round_it(statement: str, roles: Roles) -> None:
    assert roles.refused(statement)


def test_the_owner_migrates_and_a_table_more_is_given_out_anew(roles: Roles) -> None:
    owner = roles.url(roles.owner)
    assert upgrade(owner)[0] == upgrade(owner)[1]
    with pytest.raises(StoreFailed):
        create(roles.url(roles.application), TABLE)
    create(roles.url(roles.application), "BAC-2")
    roles.set_up()
    assert excess(roles.url(roles.application)) == []
    assert any("owns journal" in one for one in excess(owner))


@pytest.mark.parametrize(
    "statement, text",
    [
        ("GRANT UPDATE ON journal TO {}", "UPDATE on journal"),
        ("GRANT UPDATE (at) ON journal TO {}", "UPDATE on journal"),
        ("GRANT UPDATE (day) ON rounds TO {}", "UPDATE on rounds"),
        ("GRANT DELETE ON cards TO {}", "DELETE on cards"),
        ("GRANT TRUNCATE ON checkpoints TO {}", "TRUNCATE on checkpoints"),
        ("GRANT DELETE ON staff_log TO PUBLIC", "DELETE on staff_log"),
        ("ALTER TABLE journal DISABLE TRIGGER journal_append_only", "journal is gone"),
        ("ALTER ROLE {} SUPERUSER", "is a superuser"),
        ("GRANT {owner} TO {}", "owns journal"),
    ],
)
def test_a_role_that_could_is_told_and_what_it_could(
    statement: str, text: str, running_server: Server
) -> None:
    roles = Roles(running_server)
    url = roles.url(roles.application)
    assert excess(url) == []
    run_sql(roles.made, [statement.format(roles.application, owner=roles.owner)])
    assert any(text in one for one in excess(url)), excess(url)


def test_a_superuser_is_told_of_as_such_and_a_database_without_tables_has_no_roles(
    running_server: Server,
) -> None:
    url = running_server.new_place()
    assert excess(url) == ["role studio is a superuser"]
    with pytest.raises(StoreFailed, match="no tables"):
        roles_sql(url, "a", "b")


@pytest.mark.req("AUD-1")
@pytest.mark.parametrize("table", ["journal", "epochs", "revisions", "bet_results"])
def test_in_a_file_triggers_refuse_a_change_and_it_is_told_when_they_are_gone(
    table: str, file_record: str
) -> None:
    fill(file_record, 2)
    assert excess(file_record) == []
    file = file_record.removeprefix("sqlite:///")
    with closing(sqlite3.connect(file)) as database:
        (column, *_more) = [one[1] for one in database.execute(f"PRAGMA table_info({table})")]
        for statement in (f"UPDATE {table} SET {column} = {column}", f"DELETE FROM {table}"):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                database.execute(statement)
        with database:
            database.execute(f"DROP TRIGGER {table}_no_delete")
    assert excess(file_record) == [f"the triggers that refuse a change of {table} are gone"]
    with pytest.raises(StoreFailed, match="only a server"):
        roles_sql(file_record, "a", "b")


def test_a_file_that_is_not_there_yet_could_not_be_changed(file_url: str) -> None:
    assert excess(file_url) == []
    assert set(GUARDED) <= set(APPENDED)
