# SPDX-License-Identifier: Apache-2.0
"""``decide``: the only place where decisions are made.

``decide(state, input, stamp)`` returns the events that follow, numbered and in order, or a
``Refusal`` that says why not and what to do instead. It reads no clock and changes nothing: the
caller stores the events, folds them into the state and broadcasts them. An input that means
nothing now (a stale timer) gives no events.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from studio.game import events as ev
from studio.game import inputs as inp
from studio.game.commands import decide_command
from studio.game.draft import Draft
from studio.game.events import Recorded, Source, Trust
from studio.game.inputs import Input, Refusal, Stamp
from studio.game.irregularities import IRREGULARITIES, RECORD_RESTORED
from studio.game.judging import (
    announce_kept,
    close_bets,
    close_round,
    miss_cut_card,
    raise_irregularity,
)
from studio.game.shoe_reports import decide_report
from studio.game.state import UNPAID, Phase, TableState, timer_of
from studio.game.upkeep import set_up, software_compared, stop_between_rounds

_MANUAL = Source.MANUAL


def decide(state: TableState, given: Input, stamp: Stamp) -> tuple[Recorded, ...] | Refusal:
    """What follows from an input: recorded events in order, none, or a refusal."""
    considered = consider(state, given, stamp)
    return considered if isinstance(considered, Refusal) else tuple(considered.recorded)


def consider(state: TableState, given: Input, stamp: Stamp) -> Draft | Refusal:
    """The decision, with the state that its events lead to once they are stored."""
    row = _BESIDE_COMMANDS.get(type(given))
    if row is None:
        d = Draft(state, stamp, _MANUAL)
        refusal = decide_command(d, given)  # type: ignore[arg-type]  # a row is missing for no other
        if refusal is not None:
            return refusal
    else:
        source, decide_input = row
        d = Draft(state, stamp, source)
        decide_input(d, given)
    if d.state.software.count:
        stop_between_rounds(d)
    return d


def _timer(d: Draft, expired: inp.TimerExpired) -> None:
    armed = timer_of(d.state)
    if armed is None or (armed.name, armed.due) != (expired.name, expired.due):
        return
    match armed.name:
        case "bets":
            close_bets(d, by=None)
        case "guard":
            d.add(ev.GuardEnded())
            if d.state.phase in (Phase.DEALING, Phase.RESULT):
                announce_kept(d)
        case "ring":
            d.add(ev.ManagerRung())
        case _:
            close_round(d)
            miss_cut_card(d)


def _started(d: Draft, started: inp.ServiceStarted) -> None:
    """After a stop nothing is known of the shoe's line, and nobody may still be betting."""
    is_restored = d.state.is_restored
    d.add(ev.ServiceRestarted(facts=started.facts))
    set_up(d, started.manifest)
    if started.house != (d.state.next_house or d.state.house):
        d.add(ev.RulesLoaded(house=started.house))
    if d.state.trust is not Trust.LOST:
        d.add(ev.StreamChanged(trust=Trust.LOST, reason="the service was stopped"))
    if is_restored:
        _stand_still(d)
    if d.state.phase is Phase.BETS_OPEN and d.state.suspended is None:
        d.add(ev.TableSuspended(reason="system"))


def _stand_still(d: Draft) -> None:
    """After a restore the cards on the table are others by now: people void, and count the shoe."""
    if d.state.phase is Phase.BETS_OPEN:
        close_bets(d, by=None)
    is_told_by_hold = d.state.phase in UNPAID and d.state.round is not None
    if d.state.is_open and d.state.suspended is None and not is_told_by_hold:
        d.add(ev.TableSuspended(reason="system"))
    if d.state.shoe is not None:
        raise_irregularity(d, RECORD_RESTORED, IRREGULARITIES[RECORD_RESTORED].what)


def _staff_tried(d: Draft, tried: inp.StaffTried) -> None:
    d.add(ev.StaffNoted(**msgspec.structs.asdict(tried)))


# What is given to a table beside commands: where it comes from, and what decides on it.
_BESIDE_COMMANDS: dict[type[Input], tuple[Source, Callable[[Draft, Any], None]]] = {
    inp.Reported: (Source.SHOE, decide_report),
    inp.TimerExpired: (Source.TIMER, _timer),
    inp.StaffTried: (Source.MANUAL, _staff_tried),
    inp.ServiceStarted: (Source.SYSTEM, _started),
    inp.SoftwareCompared: (Source.SYSTEM, software_compared),
}
