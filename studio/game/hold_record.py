# SPDX-License-Identifier: Apache-2.0
"""How a hold begins, and who attends to it: the state after the events that say so."""

from msgspec.structs import replace

from studio.game import events as ev
from studio.game.events import Recorded
from studio.game.holds import hold_of
from studio.game.judgement import Found
from studio.game.state import Hold, Raised, ShoeStep, TableState

_IN, _UNSURE = ShoeStep.IN, ShoeStep.UNSURE


def held(
    s: TableState, before: TableState, recorded: Recorded, event: ev.IrregularityRaised
) -> TableState:
    """The table waits; what is raised within a hold belongs to it."""
    raised = Raised(event.code, event.detail, event.card, recorded.seq, event.number, event.by)
    if before.hold is None:
        hold = Hold(before.phase, recorded.at, (raised,), seq=recorded.seq)
    else:
        hold = replace(before.hold, raised=(*before.hold.raised, raised))
    if event.number is None:
        return replace(s, hold=hold)
    found = (*s.found, Found(event.code, event.number))
    step = _UNSURE if s.shoe_step is _IN else s.shoe_step
    return replace(s, hold=hold, found=found, shoe_step=step)


def hold_attended(
    s: TableState, recorded: Recorded, event: ev.HoldClaimed | ev.HoldReleased | ev.ManagerRung
) -> TableState:
    """A claim answers the manager's ring; a claim given back lets the time run anew."""
    hold, at = hold_of(s), recorded.at
    match event:
        case ev.HoldClaimed():
            return replace(s, hold=replace(hold, claimed_by=event.by, claimed_at=at, rung_at=None))
        case ev.HoldReleased():
            released = replace(hold, claimed_by=None, claimed_at=None, released_at=at)
            return replace(s, hold=released)
        case ev.ManagerRung():
            return replace(s, hold=replace(hold, rung_at=at))
