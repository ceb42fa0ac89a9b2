# SPDX-License-Identifier: GPL-3.0-or-later
"""What is to be heard in the pit: something new is held, a table is lost, the manager is rung."""

import msgspec

from studio.staff.accounts import Role
from ui.pit_view.queue import is_rung
from ui.pit_view.seen import Pit, logs_in
from ui.pit_view.trouble import troubles_of


class Heard(msgspec.Struct, frozen=True):
    """The tables that are held, those that are lost, and whether it rings at this window.

    It rings where a manager is logged in, and at tables where nobody logs in.
    """

    held: frozenset[str]
    lost: frozenset[str]
    rings_here: bool


def heard_in(pit: Pit) -> Heard:
    """What there is to hear now."""
    codes = {one.table: {trouble.code for trouble in troubles_of(one)} for one in pit.tables}
    is_manager = pit.person is not None and Role.MANAGER in pit.person.roles
    is_there = not pit.is_locked and is_manager
    return Heard(
        held=frozenset(table for table, one in codes.items() if "held" in one),
        lost=frozenset(table for table, one in codes.items() if one & {"gone", "stale", "line"}),
        rings_here=(is_there or not logs_in(pit)) and any(map(is_rung, pit.tables)),
    )


def cue_of(before: Heard, now: Heard) -> str:
    """The cue for what is new; "" for nothing."""
    if now.held - before.held:
        return "held"
    return "lost" if now.lost - before.lost else ""
