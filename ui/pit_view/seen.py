# SPDX-License-Identifier: GPL-3.0-or-later
"""What the pit has seen and holds by itself: its tables, who is logged in, the panel of its own."""

from datetime import datetime
from enum import Enum

import msgspec

from studio.feed.staff import Person as PersonOnRoster
from ui.view.seen import LinkState, LogInRule, Person, Refused, Seen


class SheetKind(str, Enum):
    """What can lie beside the wall and belongs to no single table."""

    LOG_IN = "log_in"
    SUSPEND_ALL = "suspend_all"
    OWED = "owed"
    STAFF = "staff"
    ABOUT = "about"


class Sheet(msgspec.Struct, frozen=True):
    """A panel of the pit, and what was typed in it so far; ``badge`` once that field is done.

    ``chosen`` is the index of the marked line, ``picked`` the id of the person it was about.
    ``is_done``: what it asks for was asked of the tables, and it tells what came of it.
    """

    kind: SheetKind
    text: str = ""
    badge: str | None = None
    is_done: bool = False
    chosen: int = 0
    picked: str = ""

    def __repr__(self) -> str:
        """Without what was typed, which may be a secret."""
        return f"Sheet({self.kind.value})"


class Pit(msgspec.Struct, frozen=True, kw_only=True):
    """All that ``pit_of`` looks at.

    ``tables`` in their places on the wall, which never change; ``selected`` is the index of the
    one beside it. ``refused``: a "no" to what was asked of no single table. ``people``:
    everybody with an account, once that was looked up.
    """

    tables: tuple[Seen, ...]
    now: datetime
    selected: int = 0
    person: Person | None = None
    is_locked: bool = False
    sheet: Sheet | None = None
    refused: Refused | None = None
    is_sending: bool = False
    is_light: bool = False
    has_sound: bool = True
    zone_minutes: int = 0
    people: tuple[PersonOnRoster, ...] | None = None

    @property
    def table(self) -> Seen:
        """The table beside the wall."""
        return self.tables[self.selected]


def logs_in(pit: Pit) -> bool:
    """Whether people log in at any of these tables, as far as is known."""
    known = [one.log_in for one in pit.tables if one.state is not None]
    return LogInRule.REQUIRED in known or not known


def waits_for_log_in(pit: Pit) -> bool:
    """Whether commands wait for a log-in."""
    return logs_in(pit) and (pit.person is None or pit.is_locked)


def live_tables(pit: Pit) -> tuple[Seen, ...]:
    """The tables that can be told something now."""
    return tuple(one for one in pit.tables if one.link is LinkState.LIVE and one.state is not None)
