# SPDX-License-Identifier: GPL-3.0-or-later
"""What a press or a text comes to. The window carries it out and decides nothing.

``pressed(seen, act)`` for a key or a touch, ``typed(seen, text)`` for what was typed into the
current field (a scanner's line ends with Enter, which is the act ``accept``).
"""

import msgspec

from studio.game.inputs import Command
from ui.view.seen import Own


class Send(msgspec.Struct, frozen=True):
    """Give this command; ``own`` is the console's own state from now on.

    ``badge`` and ``pin`` are those of a second person who approves it, to be asked for first, and
    to be forgotten at once; empty when nobody else is needed.
    """

    command: Command
    own: Own
    badge: str = ""
    pin: str = ""

    def __repr__(self) -> str:
        """Without the secret, which must be in no log."""
        return f"Send({self.command!r})"


class LogIn(msgspec.Struct, frozen=True):
    """Log this person in; then, with ``takes_over``, tell the table who deals."""

    badge: str
    pin: str
    own: Own
    takes_over: bool = False

    def __repr__(self) -> str:
        """Without the secret, which must be in no log."""
        return f"LogIn(takes_over={self.takes_over})"


class LogOut(msgspec.Struct, frozen=True):
    """End the log-in; the console is locked and goes on showing."""

    own: Own


class Turn(msgspec.Struct, frozen=True):
    """Only the console's own state changes."""

    own: Own


class Local(msgspec.Struct, frozen=True):
    """Something of the window alone: ``language``, ``theme``, ``sound``, ``pull``."""

    act: str
    own: Own


class Nothing(msgspec.Struct, frozen=True):
    """The key does nothing now."""


Step = Send | LogIn | LogOut | Turn | Local | Nothing
