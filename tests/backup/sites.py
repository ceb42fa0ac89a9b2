# SPDX-License-Identifier: Apache-2.0
"""A studio on disk for tests: settings, keys, staff, and a record of rounds that were dealt."""

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from msgspec.structs import replace

from studio.backup import manifest as kept
from studio.backup.manifest import Manifest
from studio.backup.restoring import Told
from studio.backup.taking import take
from studio.cli.keys import make_studio
from studio.feed.wire import public_payload
from studio.game.events import Recorded
from studio.settings import TableSettings, load_table
from studio.settings_text import NewTable, studio_text, table_text
from studio.store.journal import Entry, Journal
from studio.store.schema import create
from studio.store.staff_schema import create_staff
from tests.game.table_driver import FACTS, Driven

TABLE = FACTS.table
DAY = "20261129"
TAKEN = datetime(2026, 11, 29, 13, 0, tzinfo=UTC)


def told(*, later: float = 600, is_over: bool = False, last: int = 0) -> Told:
    """Somebody restores so many seconds after the backup."""
    rounds = {(TABLE, DAY): last} if last else {}
    return Told("root", TAKEN + timedelta(seconds=later), rounds, is_over)


class Site:
    """A studio with one table and some rounds on record."""

    def __init__(self, folder: Path, database: str = "sqlite:///BAC-1.db") -> None:
        self.folder = folder
        (folder / "tables").mkdir(parents=True)
        (folder / "studio.toml").write_text(studio_text(str(folder / "data")))
        new = NewTable(table=TABLE, house="studio", driver="angel_eye_iiex",
                       endpoint="serial:/dev/null", simulated=True, database=database)  # fmt: skip
        (folder / "tables" / f"{TABLE}.toml").write_text(table_text(new))
        make_studio(folder / "data" / "keys")
        create_staff(self.settings.studio.staff_database_url)
        create(self.settings.database_url, TABLE)
        self.driven = Driven()
        self._stored = 0
        self.deal(3)

    @property
    def settings(self) -> TableSettings:
        return load_table(self.folder / "tables" / f"{TABLE}.toml")

    @property
    def database(self) -> str:
        return self.settings.database_url

    def deal(self, rounds: int) -> None:
        """Deal so many rounds, and store them."""
        for _ in range(rounds):
            self.driven.played()
            self.driven.ask("close_round")
        log = self.driven.log[self._stored :]
        with Journal.open(self.database, TABLE) as journal:
            journal.append(list(_entries(log, journal.epoch)))
        self._stored += len(log)

    def back_up(self, target: Path) -> Manifest:
        return take(self.folder, [self.settings], target, TAKEN)[0]


def _entries(log: Iterable[Recorded], epoch: str) -> Iterable[Entry]:
    for one in log:
        payload = None if one.public_seq is None else public_payload(TABLE, epoch, one)
        yield Entry(one, payload)


def newly_listed(backup: Path) -> None:
    """The manifest is written anew for the files as they are now, by who can do that."""
    manifest = replace(kept.read(backup), files=kept.listed(backup))
    (backup / kept.MANIFEST).unlink()
    kept.write(backup, manifest)


def tamper(file: Path, statement: str) -> None:
    """Change a record as somebody would who has the file."""
    with closing(sqlite3.connect(file)) as database:
        triggers = database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        for (name,) in triggers.fetchall():
            database.execute(f"DROP TRIGGER {name}")
        database.execute(statement)
        database.commit()
