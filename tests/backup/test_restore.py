# SPDX-License-Identifier: Apache-2.0
"""What a restore takes, and what it refuses; where it puts things, and what it leaves alone."""

import re
import shutil
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from studio.backup import manifest as kept
from studio.backup.manifest import BackupRefused
from studio.backup.restoring import opened, restore_in_place, restore_into
from studio.game.events import EpochBegun
from studio.store.database import InUse, StoreFailed
from studio.store.history import History
from studio.store.journal import Journal
from studio.verify import verify
from tests.backup.sites import TABLE, Site, newly_listed, tamper, told

RECORD = f"records/{TABLE}.db"


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path / "site")


@pytest.fixture
def backup(site: Site, tmp_path: Path) -> Path:
    site.back_up(tmp_path / "backup")
    return tmp_path / "backup"


def put_back(site: Site, backup: Path, *, records_only: bool = False, **said: object) -> None:
    """Restore in place by the settings of the backup."""
    manifest = opened(backup)
    restore_in_place(backup, manifest, site.folder, [site.settings], [TABLE], told(**said),
                     records_only=records_only)  # fmt: skip


def begun(url: str) -> EpochBegun:
    with Journal.open(url, TABLE) as journal:
        (*_, last) = journal.read()
    assert isinstance(last.event, EpochBegun)
    return last.event


@pytest.mark.req("DUR-15", "AUD-5")
def test_a_changed_event_is_refused_and_named(backup: Path) -> None:
    changed = "CAST(replace(CAST(event AS TEXT), '9H', '8H') AS BLOB)"
    tamper(backup / RECORD, f"UPDATE journal SET event = {changed} WHERE type = 'card_dealt'")
    with pytest.raises(BackupRefused) as refused:
        opened(backup)
    text = str(refused.value)
    assert f"{RECORD} is not what was backed up: its SHA-256 is another" in text
    assert re.search(r"event \d+: the row is not what was written", text)


@pytest.mark.req("DUR-15", "AUD-5")
@pytest.mark.parametrize(
    "statement, found",
    [
        ("UPDATE journal SET at = '2026-11-29T12:00:00.000000Z' WHERE seq = 9",
         "event 9: the row is not what was written"),
        ("DELETE FROM journal WHERE seq = (SELECT max(seq) FROM journal)",
         "does not end where the manifest says"),
        ("DELETE FROM bet_results WHERE bet = 'tie'", "the reports do not say what the journal"),
    ],
)  # fmt: skip
def test_one_whose_manifest_was_written_anew_is_refused_by_its_chains(
    statement: str, found: str, backup: Path, tmp_path: Path
) -> None:
    tamper(backup / RECORD, statement)
    newly_listed(backup)
    with pytest.raises(BackupRefused, match=found):
        restore_into(backup, opened(backup), tmp_path / "drill", [TABLE], told())
    assert sorted(one.name for one in tmp_path.iterdir()) == ["backup", "site"]


def test_whatever_was_added_changed_or_taken_away_is_named(backup: Path) -> None:
    (backup / "settings" / "studio.toml").write_text("")
    (backup / "keys" / "server.key").unlink()
    (backup / "settings" / "more.toml").write_text("")
    with pytest.raises(BackupRefused) as refused:
        opened(backup)
    text = str(refused.value)
    assert "keys/server.key is missing" in text
    assert "settings/more.toml is not in the manifest" in text
    assert "settings/studio.toml is not what was backed up" in text


def test_a_file_outside_the_backup_is_never_taken(backup: Path) -> None:
    (backup / "keys" / "server.key").unlink()
    (backup / "keys" / "server.key").symlink_to("/etc/passwd")
    with pytest.raises(BackupRefused, match="no plain file"):
        opened(backup)
    manifest = kept.read(backup)
    outside = replace(manifest, files=(replace(manifest.files[0], path="../x"),))
    (backup / kept.MANIFEST).write_bytes(msgspec.json.encode(outside))
    with pytest.raises(BackupRefused, match="outside the backup"):
        kept.read(backup)


@pytest.mark.parametrize("text", ["", "{", "[]"])
def test_a_damaged_manifest_is_refused(text: str, backup: Path) -> None:
    (backup / kept.MANIFEST).write_text(text)
    with pytest.raises(BackupRefused, match="damaged"):
        kept.read(backup)


def test_a_backup_of_a_newer_program_is_refused(backup: Path) -> None:
    newer = replace(kept.read(backup), format=kept.FORMAT + 1)
    (backup / kept.MANIFEST).write_bytes(msgspec.json.encode(newer))
    with pytest.raises(BackupRefused, match="newer program"):
        kept.read(backup)


def _files(site: Site) -> set[str]:
    """The files of a site, without what SQLite and locks leave beside them."""
    files = (str(one.relative_to(site.folder)) for one in site.folder.rglob("*") if one.is_file())
    return {name for name in files if not name.endswith(("-wal", "-shm", ".lock"))}


@pytest.mark.req("DUR-15")
def test_everything_lost_comes_back_where_it_was(site: Site, backup: Path) -> None:
    names = _files(site)
    settings = site.settings
    shutil.rmtree(site.folder)
    restore_in_place(backup, opened(backup), site.folder, [settings], [TABLE], told())
    assert _files(site) == names
    assert site.settings == settings
    assert verify(site.database, TABLE).is_sound
    key = site.folder / "data" / "keys" / "server.key"
    assert key.stat().st_mode & 0o077 == key.parent.stat().st_mode & 0o077 == 0


def test_over_keeps_the_old_files_and_leaves_alone_what_is_the_same(
    site: Site, backup: Path
) -> None:
    key = site.folder / "data" / "keys" / "server.key"
    secret, before = key.read_bytes(), key.stat().st_ino
    house = site.folder / "studio.toml"
    house.write_text(house.read_text() + "# a later thought\n")
    site.deal(2)
    lost = verify(site.database, TABLE)
    put_back(site, backup, is_over=True)
    mark = "before-20261129T131000Z"
    assert "later thought" in (site.folder / f"studio.toml.{mark}").read_text()
    assert "later thought" not in house.read_text()
    assert (key.read_bytes(), key.stat().st_ino) == (secret, before)
    aside = site.folder / "data" / f"BAC-1.db.{mark}"
    assert verify(f"sqlite:///{aside}", TABLE) == lost
    assert (site.folder / "data" / f"staff.db.{mark}").exists()


def test_records_only_leaves_settings_keys_and_staff_alone(site: Site, backup: Path) -> None:
    staff = site.folder / "data" / "staff.db"
    before = staff.stat().st_ino
    (site.folder / "data" / "BAC-1.db").unlink()
    put_back(site, backup, records_only=True)
    assert staff.stat().st_ino == before
    assert verify(site.database, TABLE).epochs == 2


def test_nothing_is_put_back_while_a_service_has_the_record(site: Site, backup: Path) -> None:
    with Journal.open(site.database, TABLE), pytest.raises(InUse, match="end that one first"):
        put_back(site, backup, is_over=True)
    assert verify(site.database, TABLE).epochs == 1


def test_where_something_is_in_the_way_nothing_at_all_is_changed(site: Site, backup: Path) -> None:
    files = {name: (site.folder / name).read_bytes() for name in _files(site)}
    with pytest.raises(BackupRefused, match="there already"):
        put_back(site, backup)
    assert {name: (site.folder / name).read_bytes() for name in _files(site)} == files


@pytest.mark.req("DUR-15")
def test_the_record_that_is_replaced_and_people_say_which_rounds_were_given(
    site: Site, backup: Path
) -> None:
    site.deal(2)
    put_back(site, backup, is_over=True, records_only=True)
    assert begun(site.database).rounds_given == 5
    (site.folder / "data" / "BAC-1.db").unlink()
    put_back(site, backup, records_only=True, last=700, later=601)
    assert (begun(site.database).rounds_given, begun(site.database).lost > 600) == (700, True)


def test_a_restore_by_a_clock_behind_the_backup_is_refused(
    site: Site, backup: Path, tmp_path: Path
) -> None:
    with pytest.raises(StoreFailed, match="set the clock"):
        restore_into(backup, opened(backup), tmp_path / "drill", [TABLE], told(later=-86400))
    assert not (tmp_path / "drill").exists()


def test_a_round_of_a_later_gaming_day_than_the_clock_says_is_refused(
    site: Site, backup: Path, tmp_path: Path
) -> None:
    known = told()._replace(rounds={(TABLE, "20261130"): 4})
    with pytest.raises(BackupRefused, match="set the clock, or correct the id"):
        restore_into(backup, opened(backup), tmp_path / "drill", [TABLE], known)


def test_no_backup_is_made_of_a_record_that_is_not_sound(site: Site, tmp_path: Path) -> None:
    tamper(site.folder / "data" / "BAC-1.db", "UPDATE journal SET seq = 99 WHERE seq = 9")
    with pytest.raises(StoreFailed, match="is not sound, and no backup of it is made: event"):
        site.back_up(tmp_path / "backup")
    assert [one.name for one in tmp_path.iterdir()] == ["site"]


def test_a_backup_is_never_made_over_another(site: Site, backup: Path) -> None:
    before = kept.read(backup)
    with pytest.raises(BackupRefused, match="never made over another"):
        site.back_up(backup)
    assert kept.read(backup) == before


@pytest.mark.req("AUD-5", "DUR-15")
def test_rows_cut_off_at_the_end_of_an_older_epoch_are_missed(site: Site, backup: Path) -> None:
    put_back(site, backup, is_over=True, records_only=True)
    assert verify(site.database, TABLE).walked[1].begun == begun(site.database)
    with History.open(site.database, TABLE) as history:
        first, second = history.epochs()
    tamper(
        site.folder / "data" / "BAC-1.db",
        f"DELETE FROM journal WHERE epoch = '{first}' AND seq = {begun(site.database).from_seq}",
    )
    texts = [one.text for one in verify(site.database, TABLE).findings if one.epoch == second]
    last = begun(site.database).from_seq - 1
    assert texts == [f"the epoch before did not end at event {last} as it is"]
    tamper(site.folder / "data" / "BAC-1.db", f"DELETE FROM journal WHERE epoch = '{second}'")
    texts = [one.text for one in verify(site.database, TABLE).findings]
    assert "the epoch does not begin with where the one before it ended" in texts


@pytest.mark.req("DUR-15")
def test_a_backup_taken_after_a_restore_has_both_epochs(site: Site, backup: Path) -> None:
    put_back(site, backup, is_over=True)
    again = backup.with_name("again")
    (one,) = site.back_up(again).tables
    assert (one.epochs, one.seq, one.public_seq) == (2, 1, 0)
    restored = restore_into(again, opened(again), again.with_name("drill"), [TABLE], told())
    assert restored[0].report.epochs == 3
    assert restored[0].report.is_sound
