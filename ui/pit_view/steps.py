# SPDX-License-Identifier: GPL-3.0-or-later
"""What a press in the pit comes to. The window carries it out and decides nothing."""

import msgspec

from ui.pit_view.seen import Pit
from ui.view import steps


class Show(msgspec.Struct, frozen=True):
    """Only what the pit itself holds changes."""

    pit: Pit


class At(msgspec.Struct, frozen=True):
    """A step at one table, as its console would take it; ``pit``: what is held from then on."""

    index: int
    step: steps.Step
    pit: Pit | None = None


class Enter(msgspec.Struct, frozen=True):
    """Log this person in, for all tables."""

    badge: str
    pin: str
    pit: Pit

    def __repr__(self) -> str:
        """Without the secret, which must be in no log."""
        return "Enter()"


class Leave(msgspec.Struct, frozen=True):
    """End the log-in everywhere; the wall goes on showing."""

    pit: Pit


class SuspendAll(msgspec.Struct, frozen=True):
    """Suspend every table that is open and can be reached."""

    pit: Pit


class LookUpStaff(msgspec.Struct, frozen=True):
    """Ask who works in the studio, and who is on duty."""

    pit: Pit


class StandDown(msgspec.Struct, frozen=True):
    """Take somebody off duty: all their log-ins end."""

    staff: str
    pit: Pit


class Local(msgspec.Struct, frozen=True):
    """Something of the window alone: ``language``, ``theme``, ``sound``."""

    act: str


class Nothing(msgspec.Struct, frozen=True):
    """The key does nothing now."""


PitStep = Show | At | Enter | Leave | SuspendAll | LookUpStaff | StandDown | Local | Nothing
