# SPDX-License-Identifier: Apache-2.0
"""What a front-end says of the table, line by line, against what is so. Pure.

A line names the last message that it counts in; it is judged by what was true after that one, so
that a slow front-end is no wrong one. What it may not know beyond that is for the cases to say.
"""

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

import msgspec

from studio.conformance.table import Place, Said
from studio.game.snapshot import PublicState


class Booked(msgspec.Struct, frozen=True):
    """What a front-end has settled of a round: ``paid`` is all it paid for one unit on each bet."""

    revision: int
    outcome: str | None
    paid: dict[str, str] = {}


class View(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a front-end: its view of the table after message ``seq`` of ``epoch``."""

    table: str
    epoch: str | None
    seq: int
    open: bool
    round: str | None
    results: dict[str, Booked]
    unknown: tuple[str, ...] = ()
    status: str = ""

    @property
    def place(self) -> Place | None:
        """Where it is, None before it has joined."""
        return None if self.epoch is None else (self.epoch, self.seq)


class Fault(NamedTuple):
    """What was expected, and what the front-end said."""

    expected: str
    said: str


REFUSED = "refused"
_read = msgspec.json.Decoder(View).decode


def view_of(line: bytes) -> View | Fault:
    """Read a line."""
    try:
        return _read(line)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        said = line.decode(errors="replace").strip()
        return Fault("one JSON object a line, see --help", f"{said[:200]!r}: {error}")


class Judge:
    """Hears the lines of one front-end; ``states`` and ``sayings`` are those of the table."""

    def __init__(
        self,
        table: str,
        states: Mapping[Place, PublicState],
        sayings: Mapping[tuple[str, int], Said],
    ) -> None:
        self._table, self._states, self._sayings = table, states, sayings
        self._highest: dict[str, int] = {}
        self._last: Place | None = None
        self._left: set[str] = set()

    def fault_of(self, view: View) -> Fault | None:
        """What is wrong with a line whenever it is said; None if nothing is."""
        if view.table != self._table:
            return Fault(f"table {self._table}", f"table {view.table}")
        if view.place is None:
            if view.open:
                return Fault("no bets before it has joined", "open")
            return None
        state = self._states.get(view.place)
        if state is None:
            return Fault("messages that were sent", f"message {view.seq} of epoch {view.epoch}")
        if view.epoch in self._left:
            return Fault("the epoch in force", f"epoch {view.epoch}, which is over")
        if self._last is not None and self._last[0] != view.epoch:
            self._left.add(self._last[0])
        elif self._last is not None and self._last[1] > view.seq:
            return Fault(f"message {self._last[1]} or beyond", f"message {view.seq}")
        self._last = view.place
        return self._state_fault(view, state) or self._results_fault(view, state)

    def _state_fault(self, view: View, state: PublicState) -> Fault | None:
        if view.round != state.round:
            at = f"after message {view.seq}"
            return Fault(f"round {state.round} {at}", f"round {view.round}")
        if not view.open:
            return None
        if state.suspended is not None:
            return Fault(f"no bets after message {view.seq}: suspended", "open")
        if state.phase != "bets_open":
            return Fault(f"no bets after message {view.seq}: {state.phase}", "open")
        return None

    def _results_fault(self, view: View, state: PublicState) -> Fault | None:
        for one in state.results:
            booked = view.results.get(one.round)
            if booked is None:
                return Fault(f"a result of round {one.round}", "none")
            if booked.revision < one.revision:
                return _stands(one.round, one.revision, booked.revision)
        for round_, booked in view.results.items():
            fault = self._booked_fault(round_, booked)
            if fault is not None:
                return fault
        return None

    def _booked_fault(self, round_: str, booked: Booked) -> Fault | None:
        said = self._sayings.get((round_, booked.revision))
        if said is None:
            return Fault(f"results of {round_} that were sent", f"revision {booked.revision}")
        highest = self._highest.get(round_, 0)
        if booked.revision < highest:
            return _stands(round_, highest, booked.revision)
        self._highest[round_] = booked.revision
        what = f"round {round_}, revision {booked.revision}"
        if booked.outcome != said.outcome:
            return Fault(f"{what}: {said.outcome or 'void'}", f"{booked.outcome or 'void'}")
        return _paid_fault(what, said, booked)


def _stands(round_: str, expected: int, said: int) -> Fault:
    return Fault(f"round {round_}: revision {expected} stands", f"revision {said}")


def _paid_fault(what: str, said: Said, booked: Booked) -> Fault | None:
    """Whether it paid each bet once, and gave back what a void round must."""
    if not booked.paid and said.outcome is not None:
        return Fault(f"{what}: what was paid on each bet", "nothing")
    for bet, paid in booked.paid.items():
        right = "0" if said.outcome is None else said.bets.get(bet)
        if right is None or _amount(paid) != Decimal(right):
            return Fault(f"{what}: {bet} {right}", f"{bet} {paid}")
    return None


def _amount(text: str) -> Decimal | None:
    try:
        return Decimal(text)
    except InvalidOperation:
        return None
