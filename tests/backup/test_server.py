# SPDX-License-Identifier: Apache-2.0
"""A record on a PostgreSQL server is backed up as a file, and put back into an empty database."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from studio.backup.manifest import BackupRefused
from studio.backup.restoring import opened, restore_in_place, restore_into
from studio.game.events import EpochBegun
from studio.settings import load_table
from studio.store.journal import Journal
from studio.verify import verify
from tests.backup.sites import TABLE, Site, told
from tests.postgres import Server


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server() as running:
        yield running


@pytest.mark.req("DUR-15")
def test_it_comes_back_from_its_file_to_a_server_or_to_a_laptop(
    server: Server, tmp_path: Path
) -> None:
    first, second = server.new_place(), server.new_place()
    site, backup = Site(tmp_path / "site", first), tmp_path / "backup"
    with Journal.open(first, TABLE):
        site.back_up(backup)
    before = verify(first, TABLE)
    manifest = opened(backup)
    with pytest.raises(BackupRefused, match="holds a record of table BAC-1 already"):
        restore_in_place(
            backup, manifest, site.folder, [site.settings], [TABLE], told(is_over=True)
        )
    assert verify(first, TABLE) == before

    table = site.folder / "tables" / f"{TABLE}.toml"
    table.write_text(table.read_text().replace(first, second))
    restore_in_place(
        backup, manifest, site.folder, [load_table(table)], [TABLE], told(), records_only=True
    )
    _is_back(second)
    (laptop,) = restore_into(backup, manifest, tmp_path / "laptop", [TABLE], told())
    _is_back(f"sqlite:///{laptop.where}")


def _is_back(url: str) -> None:
    report = verify(url, TABLE)
    assert (report.findings, report.epochs, report.rounds) == ((), 2, 3)
    with Journal.open(url, TABLE) as journal:
        (*_, last) = journal.read()
        assert isinstance(last.event, EpochBegun)
        assert journal.last_seq == 1
