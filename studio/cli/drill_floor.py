# SPDX-License-Identifier: Apache-2.0
"""Where drills are run: a table service and a simulated shoe as processes, and a hand for each.

Owns the temporary site, its processes and the three lines to them. It knows no drill.
"""

import os
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from time import monotonic
from typing import Self, TypeVar

import msgspec

from drivers.sim import commands
from drivers.sim.client import ShoeControl
from drivers.sim.faults import FaultKind
from studio.cli.children import Child
from studio.cli.exits import CommandFailed
from studio.cli.staff import Console
from studio.demo import TABLE, shoe_link
from studio.feed.staff import Acceptance, RefusalAnswer
from studio.feed.subscriber import Subscriber
from studio.feed.updates import Accepted, Alarm, Joined
from studio.game.events import Recorded
from studio.game.house import House
from studio.game.inputs import Command
from studio.game.snapshot import StaffState
from studio.inbox import Stopping
from studio.settings import SITE_VARIABLE, FeedEndpoints, load_table, names_of, shipped
from studio.settings_text import NewTable, studio_text, table_text
from studio.store.chain import recorded_of
from studio.store.history import History
from studio.store.schema import create

T = TypeVar("T")

WAIT_SECONDS = 10.0
_LOOK_SECONDS = 0.002
_ANY_PORT = "tcp://127.0.0.1:*"
# Nothing happens by itself while people are trained: only they end the bets and the round.
UNHURRIED = {"betting_seconds": "3600", "close_guard_ms": "0", "settle_seconds": "3600"}


class TooLong(Exception):
    """What was waited for did not come."""


class Floor:
    """A table of this house with a simulated shoe, and what was heard of it on air."""

    def __init__(
        self,
        folder: Path,
        house: str,
        stopping: Stopping,
        *,
        seed: int = 0,
        site: Path | None = None,
        shoe: Sequence[str] = (),
        waits: Mapping[str, str] = UNHURRIED,
    ) -> None:
        """Start it. ``site`` may have the house's file; ``shoe``: options of `studio sim`.

        ``waits``: the house's times, in the words of its file.
        """
        file = write_site(folder / "site", house, site, waits)
        self.file = file
        settings = load_table(file)
        self.table = settings.table
        self.house: House = settings.house
        self.database = settings.database_url
        create(self.database, settings.table)
        self.heard: list[bytes] = []
        self.alarms: list[str] = []
        self._stopping = stopping
        self._children: list[Child] = []
        self._ending = ExitStack()
        try:
            self._start(folder, file, seed, shoe)
        except BaseException:
            self.close()
            raise

    def _start(self, folder: Path, file: Path, seed: int, shoe: Sequence[str]) -> None:
        own = ["-c", str(file)]
        how = ["--control", "127.0.0.1:0", "--seed", str(seed), "--speed", "0", *shoe]
        said = self._child(folder, "shoe", ["sim", *own, *how])
        table = self._child(folder, "service", ["serve", *own])
        self.endpoints = {name: str(value) for name, value in table.items()}
        self.control = str(said["control"])
        self.shoe = self._ending.enter_context(ShoeControl(self.control))
        self.desk = self._ending.enter_context(Console(table["staff_requests"], self.table))
        self._record = self._ending.enter_context(History.open(self.database, self.table))
        self._epoch = self._record.epochs()[-1]
        self._subscriber = Subscriber(
            table["public_events"], table["public_requests"], [self.table], "test"
        )
        self._ending.callback(self._subscriber.close)
        self.joined = -1
        self.until(self._has_joined, "the subscriber's first picture")

    def _has_joined(self) -> bool:
        self.hear()
        return self.joined >= 0

    def _child(self, folder: Path, name: str, arguments: list[str]) -> dict[str, str]:
        environ = os.environ | {SITE_VARIABLE: str(folder / "site")}
        child = Child(name, arguments, folder, environ)
        self._ending.callback(child.stop)
        self._children.append(child)
        return child.endpoints(self._stopping)

    # --- the table ---------------------------------------------------------------------------

    def state(self) -> StaffState:
        """What a console would draw."""
        return self.desk.snapshot()[1]

    def tell(self, command: Command) -> Acceptance | RefusalAnswer:
        """Send a command of a person."""
        return self.desk.tell(command)

    def recorded(self, after: int = 0) -> list[Recorded]:
        """Every event on record above that seq, in order."""
        return [recorded_of(row) for row in self._record.rows(self._epoch, after)]

    def _last_seq(self) -> int:
        return max((row.seq for row in self._record.last_rows(self._epoch, 1)), default=0)

    def stored(self, after: int, limit: int = 5000) -> list[bytes]:
        """The public messages on record above that public seq, in order."""
        return [payload for _, payload in self._record.payloads(self._epoch, after, limit)]

    def hear(self) -> None:
        """Take what has come on air."""
        for update in self._subscriber.poll(0):
            match update:
                case Accepted(message=message):
                    self.heard.append(message.payload)
                case Joined(seq=seq) if self.joined < 0:
                    self.joined = seq
                case Alarm(code=code, text=text):
                    self.alarms.append(f"{code}: {text}")
                case _:
                    pass

    def picture(self) -> object:
        """What a front-end that heard it all has of the table, as JSON would say it."""
        view = self._subscriber.followers[self.table].view
        return msgspec.json.decode(msgspec.json.encode(view))

    def public_seq(self) -> int:
        """The number of the last public message on record."""
        return self._record.last_public(self._epoch)[0]

    def hear_all(self, public_seq: int) -> None:
        """Wait until every message up to that number has come on air."""

        def is_here() -> bool:
            self.hear()
            return self.joined + len(self.heard) >= public_seq

        self.until(is_here, f"message {public_seq} on air")

    # --- the shoe ----------------------------------------------------------------------------

    def pull(self, cards: int = 1) -> None:
        """Pull cards, and wait until the table has heard all that the shoe said of them."""
        self.ask(commands.Pull(cards))

    def ask(self, command: commands.ControlCommand) -> None:
        """Do something to the shoe, and wait until the table has heard what the shoe says of it.

        What the line swallows is not waited for.
        """
        before, sent = self._last_seq(), self.shoe.state().bytes_sent
        self.shoe.ask(command)
        state = self.shoe.state(reports=True)
        new = [one.hex for one in state.reports if one.offset >= sent and one.copies > 0]
        if not new or not state.plugged:
            return
        last, due = new[-1], new.count(new[-1])

        def noted_at() -> int:
            """The staff seq of the last row that is due; 0 while it is not on record."""
            rows = [(one.seq, getattr(one.event, "origin", None)) for one in self.recorded(before)]
            found = [seq for seq, origin in rows if origin is not None and origin.raw == last]
            return found[due - 1] if len(found) >= due else 0

        seq = self.until(noted_at, "the shoe's last report on record")
        # what is on record is applied, and shown to consoles, a moment later
        self.until(lambda: self.desk.picture().seq >= seq, "the shoe's last report at the console")

    def fill(
        self, cards: Sequence[str], foreign: tuple[int, ...] = (), *, has_cut_card: bool = True
    ) -> None:
        """Put another shoe in, these cards first, with nothing wrong at its line any more.

        ``foreign``: which of them, counted from 1, have another back.
        """
        self.shoe.fault(FaultKind.NONE)
        self.shoe.plug()
        filling = commands.ChangeShoe(script=tuple(cards), foreign=foreign, cut_card=has_cut_card)
        self.ask(filling)

    # --- waiting -----------------------------------------------------------------------------

    def until(self, condition: Callable[[], T], what: str) -> T:
        """The first true value of ``condition``. Raises TooLong, or CommandFailed on an end."""
        deadline = monotonic() + WAIT_SECONDS
        while True:
            value = condition()
            if value:
                return value
            self.see_all_is_well()
            if self._stopping.is_set():
                raise CommandFailed("stopped")
            if monotonic() > deadline:
                raise TooLong(f"{what}: not within {WAIT_SECONDS:g} s")
            self._stopping.wait(_LOOK_SECONDS)

    def see_all_is_well(self) -> None:
        """Raises CommandFailed if the shoe or the service has ended."""
        for child in self._children:
            if child.status() is not None:
                raise child.failure()

    def close(self) -> None:
        """End everything, in order."""
        self._ending.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()


def houses(site: Path | None = None) -> list[str]:
    """The houses to be had."""
    return names_of("houses", site)


def write_site(
    folder: Path, house: str, own: Path | None = None, waits: Mapping[str, str] = UNHURRIED
) -> Path:
    """Write the settings of one table with a simulated shoe; gives the table's file.

    The house is the one of that name, with these times. Raises CommandFailed if there is none.
    """
    if house not in houses(own):
        known = ", ".join(houses(own))
        raise CommandFailed(f"there is no house {house!r}; these are to be had: {known}")
    name = f"houses/{house}.toml"
    found = own / name if own is not None and (own / name).exists() else shipped(name)
    (folder / "tables").mkdir(parents=True)
    (folder / "houses").mkdir()
    (folder / "data").mkdir()
    (folder / name).write_text(_with(waits, found.read_text(encoding="utf-8")), encoding="utf-8")
    (folder / "studio.toml").write_text(studio_text(str(folder / "data")), encoding="utf-8")
    sockets = dict.fromkeys(FeedEndpoints.__struct_fields__, _ANY_PORT)
    new = NewTable(
        table=TABLE,
        house=house,
        driver="angel_eye_iiex",
        endpoint=f"serial:{shoe_link(folder.parent)}",
        simulated=True,
        database=f"sqlite:///{TABLE}.db",
        feed=FeedEndpoints(**sockets),
    )
    file = folder / "tables" / f"{TABLE}.toml"
    file.write_text(table_text(new), encoding="utf-8")
    return file


def _with(waits: Mapping[str, str], text: str) -> str:
    for key, value in waits.items():
        line = f"{key} = {value}"
        text, count = re.subn(rf"(?m)^{key} = .*$", line, text, count=1)
        text = text if count else f"{line}\n{text}"
    return text
