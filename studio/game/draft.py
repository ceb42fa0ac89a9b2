# SPDX-License-Identifier: Apache-2.0
"""A decision while it is being written: the events so far, and the state that they lead to."""

import msgspec

from studio.game.events import Event, Recorded, Source
from studio.game.evolve import evolve
from studio.game.house import House
from studio.game.inputs import Stamp
from studio.game.state import TableState, record


class Draft(msgspec.Struct, gc=False):
    """Collects the events of one decision. ``state`` is always the state after the last of them."""

    state: TableState
    stamp: Stamp
    source: Source
    recorded: list[Recorded] = []

    @property
    def house(self) -> House:
        """The rules in force. A table without rules has heard no start, and decides nothing."""
        if self.state.house is None:
            raise LookupError("the table was not told its house: ServiceStarted comes first")
        return self.state.house

    def add(self, event: Event, source: Source | None = None) -> None:
        """Record this event; ``source`` where it is not that of the input."""
        state = self.state
        recorded = record(state, event, self.stamp, source or self.source)
        self.state = evolve(state, recorded)
        self.recorded.append(recorded)
