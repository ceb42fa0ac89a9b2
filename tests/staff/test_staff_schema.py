# SPDX-License-Identifier: Apache-2.0
"""Making the staff's database, and what is refused when it is opened."""

import stat
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, text

from studio.staff.desk import Desk
from studio.store.database import StoreFailed
from studio.store.schema import create, schema_of
from studio.store.staff_book import StaffBook
from studio.store.staff_models import STAFF_SCHEMA, VERSION_TABLE, staff_metadata
from studio.store.staff_schema import create_staff, has_staff, upgrade_staff
from tests.staff.people import HERE, PIN, Staff


def execute(url: str, statement: str) -> None:
    """One statement, by someone who goes around the program."""
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text(statement))
    engine.dispose()


def test_the_models_are_what_the_migrations_build(empty_url: str):
    create_staff(empty_url)
    engine = create_engine(empty_url)
    with engine.connect() as connection:
        options = {"compare_type": True, "version_table": VERSION_TABLE}
        context = MigrationContext.configure(connection, opts=options)
        assert compare_metadata(context, staff_metadata) == []
    engine.dispose()


def test_the_last_migration_is_the_schema_of_the_models():
    config = Config()
    config.set_main_option("script_location", "studio.store:staff_migrations")
    assert ScriptDirectory.from_config(config).get_heads() == [STAFF_SCHEMA]


def test_it_is_made_once_and_upgraded_when_needed(empty_url: str):
    assert not has_staff(empty_url)
    create_staff(empty_url)
    assert has_staff(empty_url)
    with pytest.raises(StoreFailed, match=r"exists|already"):
        create_staff(empty_url)
    assert upgrade_staff(empty_url) == (STAFF_SCHEMA, STAFF_SCHEMA)
    StaffBook.open(empty_url)


def test_a_server_may_hold_it_beside_a_record(staff_server):
    url = staff_server.new_place()
    create(url, "BAC-1")
    assert not has_staff(url)
    create_staff(url)
    Staff(url).begin()
    assert schema_of(url) is not None


@pytest.mark.req("ACC-4")
def test_its_files_are_for_their_owner_alone(staff: Staff, tmp_path: Path):
    file = tmp_path / "new" / "staff.db"
    create_staff(f"sqlite:///{file}")
    with StaffBook.open(f"sqlite:///{file}").writing() as page:
        page.end_sessions_of("s-0001", staff.clock.at)
        modes = {stat.S_IMODE(one.stat().st_mode) for one in file.parent.iterdir()}
    assert modes == {0o600}


@pytest.mark.req("DAT-9")
def test_a_missing_file_is_refused_and_not_made_again(tmp_path: Path):
    url = f"sqlite:///{tmp_path / 'gone.db'}"
    for use in (StaffBook.open, upgrade_staff):
        with pytest.raises(StoreFailed, match="restore it from the backup"):
            use(url)
    assert list(tmp_path.iterdir()) == []


def test_a_database_without_staff_is_refused(staff_server, tmp_path: Path):
    with pytest.raises(StoreFailed, match="studio staff init"):
        StaffBook.open(staff_server.new_place())
    record = f"sqlite:///{tmp_path / 'BAC-1.db'}"
    create(record, "BAC-1")
    with pytest.raises(StoreFailed, match="studio staff init"):
        StaffBook.open(record)


def test_other_schemas_are_refused_saying_what_to_do(empty_url: str):
    create_staff(empty_url)
    execute(empty_url, f"UPDATE {VERSION_TABLE} SET version_num = '0000'")
    with pytest.raises(StoreFailed, match="studio staff upgrade"):
        StaffBook.open(empty_url)
    execute(empty_url, f"UPDATE {VERSION_TABLE} SET version_num = '9999'")
    for use in (StaffBook.open, upgrade_staff):
        with pytest.raises(StoreFailed, match="newer program"):
            use(empty_url)


def test_a_damaged_file_lets_nobody_in(staff: Staff, tmp_path: Path):
    desk: Desk = staff.desk()
    file = tmp_path / "staff.db"
    file.write_bytes(b"\xa5" * file.stat().st_size)
    with pytest.raises(StoreFailed, match=r"not a database|damaged"):
        desk.log_in("100", PIN, HERE)
    with pytest.raises(StoreFailed, match=r"not a database|damaged"):
        desk.who("any", HERE)


def test_an_upgrade_keeps_the_people_of_before_and_they_have_no_language(empty_url: str):
    create_staff(empty_url)
    staff = Staff(empty_url).begin()
    before = staff.account(Staff.dealer)
    execute(empty_url, "ALTER TABLE staff_accounts DROP COLUMN language")
    execute(empty_url, "DROP TABLE staff_cases")
    execute(empty_url, f"UPDATE {VERSION_TABLE} SET version_num = '0001'")
    with pytest.raises(StoreFailed, match="studio staff upgrade"):
        StaffBook.open(empty_url)
    assert upgrade_staff(empty_url) == ("0001", STAFF_SCHEMA)
    assert Staff(empty_url).account(Staff.dealer) == before
    assert before.language == ""
