# SPDX-License-Identifier: Apache-2.0
"""A real table service in this process, with a real record, real sockets and a real staff database.

It stands where a driven table left it, and its clock stands still: only people and the shoe move
it.
"""

import itertools
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from studio.feed import staff as wire
from studio.feed.publisher import Publisher
from studio.feed.wire import public_payload
from studio.game import events as ev
from studio.game import inputs as inp
from studio.game.cards import Card
from studio.game.events import Recorded
from studio.game.inputs import CardDrawn, Command, Input, Origin, Reported
from studio.game.state import TableState
from studio.service import Decision, TableService
from studio.staff.desk import Desk
from studio.staff_desk import StaffDesk
from studio.store.journal import Entry, Journal
from studio.store.schema import create
from tests.game.table_driver import Driven
from tests.staff.people import BADGES, HERE, PIN, Staff

TABLE = "BAC-1"


def record_of(file: Path, table: Driven) -> Path:
    """A record of all that happened at a driven table."""
    url = f"sqlite:///{file}"
    create(url, TABLE)
    with Journal.open(url, TABLE) as journal:
        for recorded in table.log:
            is_public = recorded.public_seq is not None
            payload = public_payload(TABLE, journal.epoch, recorded) if is_public else None
            journal.append([Entry(recorded, payload)])
    return file


class LiveTable:
    """One table, running, and the people who ask things of it."""

    def __init__(
        self, service: TableService, journal: Journal, desk: StaffDesk, now: datetime
    ) -> None:
        self._now = now
        self.service = service
        self.journal = journal
        self.desk = desk
        self._stopping = threading.Event()
        self._running: threading.Thread | None = None
        self._numbers = itertools.count(1000)

    def run(self) -> None:
        """Let the table's thread run."""
        self._running = threading.Thread(target=self.service.run, args=(self._stopping,))
        self._running.start()

    def stop(self) -> None:
        """End it; may be called twice."""
        self._stopping.set()
        self.service.wake()
        if self._running is not None:
            self._running.join()
        self._running = None

    @property
    def state(self) -> TableState:
        """The state as it is shown to other threads."""
        return self.service.shown_state()

    def ask(self, ask: wire.StaffAsk) -> wire.StaffAnswer:
        """Ask as a console does, in bytes."""
        answer = self.desk.answer(msgspec.json.encode(ask))
        assert isinstance(answer, bytes), answer
        return wire.read_answer(answer)

    def log_in(self, who: str, pin: str = PIN, from_: str = HERE) -> wire.StaffAnswer:
        """One of the people tries to log in."""
        return self.ask(
            wire.AskLogIn(id="l", table=TABLE, from_=from_, badge=BADGES.get(who, who), pin=pin)
        )

    def token_of(self, who: str) -> str:
        """Somebody's token, of a new log-in."""
        opened = self.log_in(who)
        assert isinstance(opened, wire.Opened), opened
        return opened.token

    def tell(
        self, command: Command, token: str | None, approval: str | None = None
    ) -> wire.StaffAnswer:
        """Give a command."""
        return self.ask(
            wire.AskCommand(
                id="c", table=TABLE, from_=HERE, command=command, token=token, approval=approval
            )
        )

    def shown(self) -> str:
        """What the second person looks at."""
        snapshot = self.ask(wire.AskStaffSnapshot(id="s", table=TABLE))
        assert isinstance(snapshot, wire.StaffSnapshot), snapshot
        return snapshot.shown

    def approve(
        self, command: Command, who: str, pin: str = PIN, **members: Any
    ) -> wire.StaffAnswer:
        """The word of a second person."""
        given = {"badge": BADGES.get(who, who), "pin": pin, "shown": self.shown(), **members}
        return self.ask(wire.AskApprove(id="a", table=TABLE, from_=HERE, command=command, **given))

    def approval_of(self, command: Command, who: str) -> str:
        """The token of somebody's word."""
        approved = self.approve(command, who)
        assert isinstance(approved, wire.Approval), approved
        return approved.approval

    def give(self, given: Input) -> Decision:
        """Something that does not come from the staff's socket; what the table makes of it."""
        answer: Future[Decision] = Future()
        self.service.submit(given, answer)
        return answer.result(10)

    def reported(self, code: str) -> Reported:
        """The shoe's report of a card."""
        number = next(self._numbers)
        origin = Origin("shoe", "s1", number, number, "00", self._now, "0")
        return Reported(origin, CardDrawn(Card(code)))

    def cards(self, codes: str) -> None:
        """The shoe gives cards."""
        for code in codes.split():
            self.give(self.reported(code))

    def record(self, after: int = 0) -> list[Recorded]:
        """The record after that seq; to be read while nothing is asked."""
        return list(self.journal.read(after))

    def tries(self) -> list[ev.StaffNoted]:
        """The tries with badge, PIN and approval that are in the record."""
        return [one.event for one in self.record() if isinstance(one.event, ev.StaffNoted)]


@contextmanager
def live_table(
    file: Path,
    staff: Staff,
    now: datetime,
    *,
    house_asks: Sequence[str] = (),
    needs_supervisor: bool = False,
    pauses_alone: bool = False,
    open_desk: Callable[[], Desk] | None = None,
    is_open: bool = False,
    monotonic: Callable[[], float] = lambda: 0.0,
    runs: bool = True,
) -> Iterator[LiveTable]:
    """A service that goes on with this record at that time."""

    def of_staff() -> Desk:
        return Desk(
            staff.door_again(),
            TABLE,
            house_asks,
            needs_supervisor=needs_supervisor,
            pauses_alone=pauses_alone,
        )

    with (
        Journal.open(f"sqlite:///{file}", TABLE) as journal,
        Publisher("tcp://127.0.0.1:*") as public,
        Publisher("tcp://127.0.0.1:*") as private,
    ):
        rules = Driven().house
        service = TableService(
            TABLE, rules, journal, public, private, now=lambda: now, monotonic=lambda: 0.0
        )
        opening = None if is_open else open_desk or of_staff
        desk = StaffDesk(TABLE, service, opening, monotonic=monotonic)
        table = LiveTable(service, journal, desk, now)
        if runs:
            table.run()
        try:
            yield table
        finally:
            table.stop()


def code_of(answer: wire.StaffAnswer) -> str:
    """The code of an answer that must be a refusal."""
    assert isinstance(answer, wire.RefusalAnswer), answer
    return answer.code


def accepted(answer: wire.StaffAnswer) -> tuple[str, ...]:
    """The events of an answer that must be none."""
    assert isinstance(answer, wire.Acceptance), answer
    return answer.events


def entering(**members: object) -> inp.EnterCard:
    """Two people say what the card was that was not read; who they are is said wrongly."""
    entry = inp.EnterCard(by=Staff.dealer, number=3, card="4C", second="s-0002")
    return replace(entry, **members)
