# SPDX-License-Identifier: Apache-2.0
"""What a sandbox is set up with, in a folder: settings, records, keys, operators and staff.

All of it as ``studio init``, ``studio keys`` and ``studio staff`` make it, for simulated shoes.
"""

from pathlib import Path
from secrets import token_urlsafe
from typing import NamedTuple

import msgspec

from studio.cli.asking import here
from studio.cli.exits import CommandFailed, Exit
from studio.cli.keys import let_in, make_studio
from studio.cli.staff_entry import kept, store_told
from studio.demo import house_text
from studio.feed import keys as store
from studio.feed.allowed import Kind, name_fault
from studio.keyed import key_folder
from studio.settings import FeedEndpoints, StudioSettings, TableSettings, load_table
from studio.settings_text import NewTable, studio_text, table_text
from studio.staff.accounts import Role
from studio.staff.door import Door
from studio.staff.office import NewAccount, Office
from studio.store.schema import create
from studio.store.staff_book import StaffBook
from studio.store.staff_schema import create_staff

HOUSE = "sandbox"
PORTS_A_TABLE = 10
_ROLES = tuple(FeedEndpoints.__struct_fields__)
_MANAGER, _SUPERVISOR, _FIRST_DEALER = "900", "500", 100


class People(NamedTuple):
    """Badges of a table's staff, and the password that all of them have in this sandbox."""

    dealer: str
    supervisor: str
    manager: str
    password: str


class Site:
    """The folder of a sandbox and what is in it."""

    def __init__(self, folder: Path, tables: int, speed: float, first_port: int | None) -> None:
        """Write it into an empty folder. Raises CommandFailed, KeysRefused."""
        self.folder = folder
        self.settings_folder = folder / "site"
        self.logs = folder / "logs"
        self.backups = folder / "backups"
        for place in (self.logs, self.backups):
            place.mkdir()
        self.names = tuple(f"BAC-{number}" for number in range(1, tables + 1))
        self._new: dict[str, NewTable] = {}
        self._password = token_urlsafe(16)
        for name in ("tables", "houses", "data"):
            (self.settings_folder / name).mkdir(parents=True)
        data = self.settings_folder / "data"
        self._write("studio.toml", studio_text(str(data)))
        title = "Sandbox, eight decks"
        self._write(f"houses/{HOUSE}.toml", house_text(HOUSE, title, speed))
        for number, name in enumerate(self.names):
            port = None if first_port is None else first_port + PORTS_A_TABLE * number
            self._new[name] = _new_table(folder, name, port)
            self._write(f"tables/{name}.toml", table_text(self._new[name]))
        self.keys = key_folder(self.settings(self.names[0]).studio)
        self.studio = make_studio(self.keys)
        for name in self.names:
            create(self.settings(name).database_url, name)

    def settings(self, table: str) -> TableSettings:
        """A table's settings as they are now."""
        return load_table(self.file(table))

    def file(self, table: str) -> Path:
        """The file of a table's settings."""
        return self.settings_folder / "tables" / f"{table}.toml"

    def keep_ports(self, table: str, endpoints: dict[str, str]) -> None:
        """From now on a table is served where it was found, so that all come back to it."""
        feed = FeedEndpoints(**{role: endpoints[role] for role in _ROLES})
        self._new[table] = msgspec.structs.replace(self._new[table], feed=feed)
        self._write(f"tables/{table}.toml", table_text(self._new[table]))

    def operator(self, name: str) -> Path:
        """Let an operator in, with a key folder as on their own machine. Raises CommandFailed."""
        fault = name_fault(name)
        if fault:
            raise CommandFailed(f"--operator: {fault}", Exit.BAD_SETTINGS)
        folder = self.folder / "operators" / name
        let_in(self.keys, name, Kind.OPERATOR, store.make_own_key(folder, name))
        store.trust(folder, self.studio)
        return folder

    def people(self, table: str) -> People:
        """Who works at a table."""
        dealer = str(_FIRST_DEALER + self.names.index(table))
        return People(dealer, _SUPERVISOR, _MANAGER, self._password)

    def hire(self) -> None:
        """Give the tables their staff. Raises CommandFailed."""
        with store_told():
            self._hire(self.settings(self.names[0]).studio)

    def _hire(self, studio: StudioSettings) -> None:
        url, rules = studio.staff_database_url, studio.staff
        create_staff(url)
        door = Door(StaffBook.open(url), rules)
        office = Office(door)
        manager = NewAccount(
            name="Manager", screen_name="Manager", roles=frozenset(), badge=_MANAGER
        )
        by = kept(office.begin(manager, self._password, here())).account.id
        staff = [("Supervisor", Role.SUPERVISOR, _SUPERVISOR)]
        staff += [(f"Dealer of {name}", Role.DEALER, self.people(name).dealer)
                  for name in self.names]  # fmt: skip
        for name, role, badge in staff:
            new = NewAccount(name=name, screen_name=name, roles=frozenset({role}), badge=badge)
            first = token_urlsafe(16)
            kept(office.add(by, new, first, here()))
            kept(door.change_secret(badge, first, self._password, here()))

    def _write(self, name: str, text: str) -> None:
        (self.settings_folder / name).write_text(text, encoding="utf-8")


def _new_table(folder: Path, name: str, first_port: int | None) -> NewTable:
    ports = ["*"] * len(_ROLES) if first_port is None else range(first_port, first_port + 4)
    feed = {role: f"tcp://127.0.0.1:{port}" for role, port in zip(_ROLES, ports, strict=True)}
    return NewTable(
        table=name,
        house=HOUSE,
        driver="angel_eye_iiex",
        endpoint=f"serial:{folder / name}.shoe",
        simulated=True,
        database=f"sqlite:///{name}.db",
        feed=FeedEndpoints(**feed),
        keys=True,
        log_in=True,
    )
