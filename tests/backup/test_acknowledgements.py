# SPDX-License-Identifier: Apache-2.0
"""What operators acknowledged is in the backup, and still acknowledged after a restore."""

import json
import shutil
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from studio.backup import manifest as kept
from studio.backup.manifest import BackupRefused
from studio.backup.restoring import opened, restore_in_place, restore_into
from studio.cli import run
from studio.feed.allowed import Allowed, Kind, changing
from studio.keyed import operator_database_url
from studio.settings import TableSettings, load_table
from studio.store.database import parse_url
from studio.store.history import History
from studio.store.journal import Journal
from studio.store.operator_book import Acknowledgement, OperatorBook, acknowledged_at
from tests.backup.sites import TABLE, TAKEN, Site, newly_listed, told
from tests.postgres import Server
from tests.store.samples import Story, amended

OPERATORS = "operators.db"
Found = dict[str, list[tuple[str, int]]]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server() as running:
        yield running


class Keyed(Site):
    """A studio of two operators, whose table amended two rounds."""

    def __init__(self, folder: Path, operators: str = f"sqlite:///{OPERATORS}") -> None:
        super().__init__(folder)
        studio, table = folder / "studio.toml", folder / "tables" / f"{TABLE}.toml"
        studio.write_text(f'{studio.read_text()}[operators]\ndatabase = "{operators}"\n')
        table.write_text(table.read_text().replace("# keys = true", "keys = true"))
        with changing(folder / "data" / "keys") as rows:
            for number, name in enumerate(("acme", "best")):
                added = self.driven.now - timedelta(days=1)
                rows.append(Allowed(name=name, kind=Kind.OPERATOR, public=f"{number:064x}",
                                    added=added))  # fmt: skip
        for _ in range(2):
            self.driven.played()
            self.driven.ask("amend_round")
            self.driven.ask("close_round")
        self.deal(1)
        with History.open(self.database, TABLE) as history:
            self.amended = sorted((one.round, one.revision) for one in history.corrections())
            (self.epoch,) = history.epochs()

    @property
    def operators(self) -> str:
        return operator_database_url(self.settings.studio)

    def confirm(self, operator: str, round_id: str, revision: int) -> Acknowledgement:
        given = Acknowledgement(operator, self.epoch, round_id, revision)
        OperatorBook.open(self.operators, TABLE).add(given, TAKEN)
        return given


def outstanding(settings: TableSettings, capsys: pytest.CaptureFixture[str]) -> Found:
    """What ``studio operators`` says: the corrections that wait, by operator."""
    run(["operators", "--config", str(settings.file), "--json"])
    lines = map(json.loads, capsys.readouterr().out.splitlines())
    return {
        one["operator"]: [(each["round"], each["revision"]) for each in one["waiting"]]
        for one in lines
    }


def put_back(
    site: Keyed, backup: Path, *, later: int = 600, records_only: bool = False,
    is_over: bool = True,
) -> None:  # fmt: skip
    restore_in_place(backup, opened(backup), site.folder, [site.settings], [TABLE],
                     told(later=later, is_over=is_over), records_only=records_only)  # fmt: skip


@pytest.mark.req("DUR-15")
def test_after_a_loss_what_was_acknowledged_is_not_outstanding_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site, backup = Keyed(tmp_path / "site"), tmp_path / "backup"
    first, second = site.amended
    given = site.confirm("acme", *first)
    manifest = site.back_up(backup)
    assert OPERATORS in {one.path for one in manifest.files}
    due = {"acme": [second], "best": [first, second]}
    assert outstanding(site.settings, capsys) == due
    settings = site.settings
    shutil.rmtree(site.folder)
    restore_in_place(backup, manifest, site.folder, [settings], [TABLE], told())
    with History.open(site.database, TABLE) as history:
        old, new = history.epochs()
    assert (old, acknowledged_at(site.operators, TABLE)) == (site.epoch, [given])
    assert outstanding(site.settings, capsys) == due
    site.confirm("acme", *second)
    assert outstanding(site.settings, capsys) == {"acme": [], "best": [first, second]}

    # a correction of the new epoch waits for all, although a revision before it was acknowledged
    again = (first[0], 700)
    with Journal.open(site.database, TABLE) as journal:
        journal.append(Story.of(journal).tell(amended(*again, 9), round_id=first[0]))
    assert outstanding(site.settings, capsys) == {"acme": [again], "best": [again, second]}
    OperatorBook.open(site.operators, TABLE).add(Acknowledgement("best", new, *again), TAKEN)
    assert outstanding(site.settings, capsys) == {"acme": [again], "best": [second]}


@pytest.mark.req("DUR-15")
def test_a_site_apart_has_them_inside_and_leaves_the_server_alone(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = server.new_place()
    site, backup, drill = Keyed(tmp_path / "site", place), tmp_path / "backup", tmp_path / "drill"
    first, second = site.amended
    given = site.confirm("acme", *first)
    manifest = site.back_up(backup)
    restore_into(backup, manifest, drill, [TABLE], told())
    settings = load_table(drill / "tables" / f"{TABLE}.toml")
    inside = operator_database_url(settings.studio)
    assert inside == f"sqlite:///{drill}/data/{OPERATORS}"
    assert outstanding(settings, capsys) == {"acme": [second], "best": [first, second]}
    OperatorBook.open(inside, TABLE).add(given._replace(operator="best"), TAKEN)
    assert acknowledged_at(place, TABLE) == [given]


@pytest.mark.req("DUR-15")
def test_they_go_back_into_an_empty_server_and_never_over_others(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place, empty = server.new_place(), server.new_place()
    site, backup = Keyed(tmp_path / "site", place), tmp_path / "backup"
    first, second = site.amended
    given = site.confirm("acme", *first)
    site.back_up(backup)
    with pytest.raises(BackupRefused, match="holds what operators acknowledged already"):
        put_back(site, backup)
    put_back(site, backup, records_only=True)
    due = {"acme": [second], "best": [first, second]}
    assert outstanding(site.settings, capsys) == due

    studio = backup / "settings" / "studio.toml"
    studio.write_text(studio.read_text().replace(place, empty))
    newly_listed(backup)
    (site.folder / "studio.toml").write_bytes(studio.read_bytes())
    put_back(site, backup, later=660)
    assert (site.operators, acknowledged_at(empty, TABLE)) == (empty, [given])
    assert outstanding(site.settings, capsys) == due
    assert parse_url(site.operators).get_backend_name() == "postgresql"
    site.confirm("acme", *second)
    assert len(acknowledged_at(empty, TABLE)) == 2


def test_those_that_are_there_are_kept_beside_or_left_as_they_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site, backup = Keyed(tmp_path / "site"), tmp_path / "backup"
    first, second = site.amended
    site.confirm("acme", *first)
    site.back_up(backup)
    site.confirm("acme", *second)
    for name in ("staff.db", f"{TABLE}.db"):
        (site.folder / "data" / name).unlink()
    with pytest.raises(BackupRefused, match=rf"^{site.folder}/data/{OPERATORS}: there already"):
        put_back(site, backup, is_over=False)
    put_back(site, backup, records_only=True)
    assert outstanding(site.settings, capsys)["acme"] == []
    put_back(site, backup, later=660)
    assert outstanding(site.settings, capsys)["acme"] == [second]
    aside = f"{site.folder}/data/{OPERATORS}.before-20261129T131100Z"
    assert len(acknowledged_at(f"sqlite:///{aside}", TABLE)) == 2


def test_a_backup_that_has_none_leaves_those_that_are_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site, backup, drill = Keyed(tmp_path / "site"), tmp_path / "backup", tmp_path / "drill"
    first, second = site.amended
    manifest = site.back_up(backup)
    assert OPERATORS not in {one.path for one in manifest.files}
    assert not (site.folder / "data" / OPERATORS).exists()
    site.confirm("acme", *first)
    put_back(site, backup)
    assert outstanding(site.settings, capsys)["acme"] == [second]
    restore_into(backup, manifest, drill, [TABLE], told())
    settings = load_table(drill / "tables" / f"{TABLE}.toml")
    assert outstanding(settings, capsys)["acme"] == [first, second]
    assert not (drill / "data" / OPERATORS).exists()
    assert kept.faults_of(backup, manifest) == []
