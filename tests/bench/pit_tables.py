# SPDX-License-Identifier: Apache-2.0
"""Tables that deal without pause, for whoever watches them: real services, in a process apart.

``python -m tests.bench.pit_tables FOLDER TABLES MESSAGES [FIRST]``: so many tables, BAC-FIRST and
those after it, each telling its staff so many messages a second; one that is suspended waits.
Prints the addresses of their staff sockets as one line of JSON, then deals until it is ended.
"""

import itertools
import json
import random
import signal
import sys
import threading
import time
from concurrent.futures import Future
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

from msgspec.structs import replace

from studio.cli.logs import log_to_standard_error
from studio.feed.publisher import Publisher
from studio.feed.requests import RequestServer
from studio.game import inputs as inp
from studio.game.cards import Card
from studio.game.inputs import CardDrawn, Input, LineUp, Origin, Refusal, Reported, ServiceStarted
from studio.game.state import Phase
from studio.inbox import Stopping
from studio.service import Decision, TableService
from studio.settings import LogLevel
from studio.staff_desk import StaffDesk
from studio.store.journal import Journal
from studio.store.schema import create
from tests.game.table_driver import BY, FACTS, plain_house

# No timer acts: what happens is what is told.
_HOUSE = plain_house(betting_seconds=3600, settle_seconds=3600)
# A coup more would reach the cut card, which this shoe does not tell of.
_LAST_CARDS = 24


class Dealing:
    """One table, its service in a thread of its own, and a shoe."""

    def __init__(self, name: str, folder: Path, closing: ExitStack) -> None:
        url = f"sqlite:///{folder}/{name}.db"
        create(url, name)
        journal = closing.enter_context(Journal.open(url, name))
        public = closing.enter_context(Publisher("tcp://127.0.0.1:*"))
        staff = closing.enter_context(Publisher("tcp://127.0.0.1:*"))
        self.service = TableService(name, _HOUSE, journal, public, staff)
        self.service.handle(ServiceStarted(replace(FACTS, table=name), _HOUSE))
        asked = RequestServer("tcp://127.0.0.1:*", StaffDesk(name, self.service).answer)
        closing.callback(asked.stop)
        self.service.changed = asked.ring
        stopping = Stopping()
        running = threading.Thread(target=self.service.run, args=(stopping,), name=name)
        running.start()
        closing.callback(running.join)
        closing.callback(self.service.wake)
        closing.callback(stopping.set)
        self.name, self.endpoints = name, (staff.endpoint, asked.endpoint)
        self.told = 0
        self._numbers = itertools.count(1)
        self._chance = random.Random(name)
        self._shoe: list[Card] = []
        self._give(self._reported(LineUp("pty", 1)))
        self._give(inp.OpenTable(by=BY, dealer="Anna"))

    def step(self) -> None:
        """Whatever comes next at this table."""
        state = self.service.shown_state()
        if state.suspended is not None and state.phase not in (Phase.DEALING, Phase.RESULT):
            return
        match state.phase:
            case Phase.NO_SHOE:
                self._shoe = list(Card) * 8
                self._chance.shuffle(self._shoe)
                self._give(inp.LoadShoe(by=BY))
            case Phase.BETS_OPEN:
                self._give(inp.CloseBets(by=BY))
            case Phase.DEALING:
                self._give(self._reported(CardDrawn(self._shoe.pop())))
            case Phase.RESULT:
                self._give(inp.ConfirmResult(by=BY))
            case Phase.IDLE | Phase.SETTLING if len(self._shoe) < _LAST_CARDS:
                self._give(inp.EndShoe(by=BY))
            case _:
                self._give(inp.OpenBets(by=BY))

    def _reported(self, report: LineUp | CardDrawn) -> Reported:
        number = next(self._numbers)
        return Reported(Origin("shoe", "s1", number, number, "00", datetime.now(UTC), "0"), report)

    def _give(self, given: Input) -> None:
        answer: Future[Decision] = Future()
        self.service.submit(given, answer)
        decided = answer.result(10)
        if isinstance(decided, Refusal):
            assert self.service.shown_state().suspended is not None, (given, decided)
        else:
            self.told += len(decided)


def deal(tables: list[Dealing], messages: float, stopping: threading.Event) -> None:
    """Every table at its pace, each a little later than the one before."""
    began = time.monotonic()
    for number, table in enumerate(tables):
        table.told = -round(number * 10 / len(tables))
    while not stopping.is_set():
        due = (time.monotonic() - began) * messages
        for table in tables:
            if table.told < due:
                table.step()
        stopping.wait(0.005)


def main(folder: str, count: str, messages: str, first: str = "1") -> None:
    """Deal until SIGTERM."""
    log_to_standard_error(LogLevel.WARNING)
    stopping = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stopping.set())
    with ExitStack() as closing:
        names = [f"BAC-{number}" for number in range(int(first), int(first) + int(count))]
        tables = [Dealing(name, Path(folder), closing) for name in names]
        print(json.dumps({one.name: one.endpoints for one in tables}), flush=True)
        deal(tables, float(messages), stopping)


if __name__ == "__main__":
    main(*sys.argv[1:])
