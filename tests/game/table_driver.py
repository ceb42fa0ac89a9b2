# SPDX-License-Identifier: Apache-2.0
"""Drives a table by what it can be told, the way the service does, but on a clock of its own."""

import itertools
import tomllib
from datetime import UTC, datetime, timedelta
from pathlib import Path

from msgspec.structs import replace
from studio.game.cards import Card
from studio.game.events import Event, Recorded
from studio.game.evolve import evolve
from studio.game.house import Burn, BurnRule, House, house_of
from studio.game.inputs import (
    CardDrawn,
    Command,
    Input,
    LineUp,
    LoadShoe,
    OpenBets,
    OpenTable,
    Origin,
    Refusal,
    Report,
    Reported,
    ServiceStarted,
    Stamp,
    TableFacts,
    Target,
    TimerExpired,
)
from studio.game.state import Phase, TableState, timer_of
from studio.game.table import decide

HOUSES = Path(__file__).parents[2] / "config" / "houses"
BY = "s-001"
FACTS = TableFacts("BAC-1", "test", None, 0, "0.1.0", "0" * 64)


def house(name: str = "studio", **changes: object) -> House:
    """A shipped house, with some values changed."""
    read = house_of(tomllib.loads((HOUSES / f"{name}.toml").read_text()))
    return replace(read, **changes)


class Driven:
    """A table, everything recorded so far, and a clock that moves a second with each input."""

    def __init__(self, rules: House | None = None) -> None:
        self.state = TableState()
        self.log: list[Recorded] = []
        self.now = datetime(2026, 11, 29, 12, 0, 0, tzinfo=UTC)
        self.day = "20261129"
        self._numbers = itertools.count(1)
        self.last: tuple[Recorded, ...] | Refusal = ()
        self.house = rules or house(close_guard_ms=0, burn=Burn(BurnRule.NONE))
        self.give(ServiceStarted(FACTS, self.house))

    def give(self, given: Input) -> list[Event]:
        """Give one input; return the events that followed. A refusal is in ``last``."""
        self.now += timedelta(seconds=1)
        before = self.state
        self.last = decide(self.state, given, Stamp(self.now, self.day))
        assert self.state is before
        if isinstance(self.last, Refusal):
            return []
        for recorded in self.last:
            self.state = evolve(self.state, recorded)
        self.log.extend(self.last)
        return [recorded.event for recorded in self.last]

    def report(self, report: Report, seq: str | None = "0") -> list[Event]:
        """The shoe reports."""
        number = next(self._numbers)
        return self.give(
            Reported(Origin("shoe", "s1", number, number, "00", self.now, seq), report)
        )

    def card(
        self, code: str, target: Target = Target.NONE, index: int | None = None
    ) -> list[Event]:
        """The shoe reports this card."""
        return self.report(CardDrawn(Card(code), target, index))

    def cards(self, codes: str) -> list[Event]:
        """The shoe reports these cards, one after the other."""
        return [event for code in codes.split() for event in self.card(code)]

    def refused(self, command: Command) -> str:
        """Give a command that must be refused; return the refusal's code."""
        before = self.state
        self.give(command)
        assert isinstance(self.last, Refusal), self.last
        assert self.state is before
        return self.last.code

    def expire(self) -> list[Event]:
        """The armed timer runs out."""
        armed = timer_of(self.state)
        assert armed is not None
        self.now = max(self.now, armed.due)
        return self.give(TimerExpired(armed.name, armed.due))

    def ready(self) -> "Driven":
        """Line up, table open, shoe loaded."""
        self.report(LineUp("pty", 1))
        self.give(OpenTable(by=BY, dealer="Anna"))
        self.give(LoadShoe(by=BY))
        return self

    def dealing(self) -> "Driven":
        """A round with bets closed, ready for its first card."""
        if self.state.phase is Phase.NO_SHOE:
            self.ready()
        self.give(OpenBets(by=BY))
        self.expire()
        return self

    def names(self) -> list[str]:
        """The types of all events so far."""
        return [type(recorded.event).__name__ for recorded in self.log]

    def replayed(self) -> TableState:
        """The record, folded from nothing."""
        state = TableState()
        for recorded in self.log:
            state = evolve(state, recorded)
        return state
