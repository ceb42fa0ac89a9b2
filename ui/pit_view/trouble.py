# SPDX-License-Identifier: GPL-3.0-or-later
"""What is wrong at a table, the worst first: one list, in the order in which it counts.

A round that is held comes before a table that cannot be reached, that before a file of the software
that is not as approved, and that before a device; what began first comes first among equals.
"""

from datetime import datetime, timedelta

import msgspec

from studio.game.events import Trust
from studio.game.snapshot import StaffState
from ui.view.model import BandRole
from ui.view.picture import is_silent, is_unattended
from ui.view.seen import LinkState, Seen

# How loud each is on the wall; the order is that in which they count.
ROLES: dict[str, BandRole] = {
    "held": BandRole.STOP,
    "gone": BandRole.OFF,
    "stale": BandRole.OFF,
    "software": BandRole.STOP,
    "line": BandRole.MOVE,
    "fault": BandRole.MOVE,
    "unattended": BandRole.MOVE,
    "called": BandRole.MOVE,
    "paid": BandRole.MOVE,
    "doubt": BandRole.MOVE,
    "silent": BandRole.MOVE,
    "owed": BandRole.MOVE,
    "suspended": BandRole.WAIT,
}
_RANK = {code: n for n, code in enumerate(ROLES)}
_DEVICES = frozenset({"line", "fault", "doubt", "silent"})


class Trouble(msgspec.Struct, frozen=True):
    """One thing that is wrong: what, since when (None: nobody knows), and a word about it."""

    code: str
    since: datetime | None = None
    about: str = ""

    @property
    def role(self) -> BandRole:
        """How it is drawn."""
        return ROLES[self.code]

    @property
    def is_device(self) -> bool:
        """Whether it is the shoe's."""
        return self.code in _DEVICES


# What was found last at each table: one picture asks for the same many times.
_last: dict[str, tuple[Seen, tuple[Trouble, ...]]] = {}


def troubles_of(seen: Seen) -> tuple[Trouble, ...]:
    """All that is wrong at a table now, the worst first."""
    kept = _last.get(seen.table)
    if kept is None or kept[0] is not seen:
        kept = _last[seen.table] = (seen, _found(seen))
    return kept[1]


def _found(seen: Seen) -> tuple[Trouble, ...]:
    found: list[Trouble] = []
    state = seen.state
    if seen.link is LinkState.GONE:
        found.append(Trouble("gone", seen.heard_at))
    elif seen.link is LinkState.STALE:
        found.append(Trouble("stale", seen.heard_at))
    if state is not None and seen.link is LinkState.LIVE:
        found += _of_state(seen, state)
    return tuple(sorted(found, key=_order))


def _order(one: Trouble) -> int:
    return _RANK[one.code]


def _of_state(seen: Seen, state: StaffState) -> list[Trouble]:
    found: list[Trouble] = []
    if state.hold is not None:
        about = state.hold.raised[-1].code if state.hold.raised else ""
        found.append(Trouble("held", state.hold.since, about))
    if state.software.count:
        found.append(Trouble("software", None, _short(state.software.findings[0].path)))
    if state.trust is Trust.LOST:
        found.append(Trouble("line"))
    elif state.shoe_fault is not None:
        found.append(Trouble("fault"))
    elif state.trust is Trust.SUSPECT:
        found.append(Trouble("doubt"))
    elif is_silent(seen):
        found.append(Trouble("silent", seen.asked_since))
    if is_unattended(seen):
        found.append(Trouble("unattended"))
    if state.call is not None:
        code = "called" if state.call.code is None else "paid"
        found.append(Trouble(code, state.call.since, state.call.about or ""))
    late = late_since(seen)
    if late is not None:
        found.append(Trouble("owed", late))
    if state.public.suspended is not None:
        found.append(Trouble("suspended", None, state.public.suspended))
    return found


def _short(path: str) -> str:
    """A file by its folder and name; the whole path is in the record and the table's own prompt."""
    return "/".join(path.split("/")[-2:])


def late_since(seen: Seen) -> datetime | None:
    """Since when the oldest correction waits that an operator is late to acknowledge."""
    owed = seen.acknowledgements
    if owed is None:
        return None
    waiting = [one.since for operator in owed.operators for one in operator.waiting]
    late = timedelta(seconds=owed.acknowledge_seconds)
    first = min(waiting, default=None)
    return first if first is not None and seen.now - first > late else None
