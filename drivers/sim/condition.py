# SPDX-License-Identifier: Apache-2.0
"""What a simulated shoe is doing: dealing, locked, being set up, or stopped by an error.

Pure. It owns the key and the errors, and reports each change; it knows no card.
"""

from drivers.sim import protocol
from drivers.sim.protocol import Mode
from drivers.sim.sender import Sender


class Condition:
    """State: the mode, and the errors that latched and are not cancelled yet, oldest first."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender
        self.mode = Mode.GAME
        self.errors: tuple[int, ...] = ()

    @property
    def error_of_mode(self) -> int:
        """The error code to tell with a card drawn now: that of error mode, else 0."""
        return self.errors[-1] if self.mode is Mode.ERROR else 0

    def power_up(self, now: float) -> None:
        """As after switching on: no error, ``S``, ``P``."""
        self.mode, self.errors = Mode.GAME, ()
        self._sender.report(protocol.STARTED, now)
        self._sender.report(protocol.STANDBY, now)

    def turn_key(self, mode: Mode, now: float) -> None:
        """Change the mode by hand. Raises ``ValueError`` for error mode, which has no key."""
        if mode is Mode.ERROR:
            raise ValueError('mode: error comes from a fault; send {"do":"fault","kind":"error"}')
        was_locked, self.mode = self.mode is Mode.LOCK, mode
        if was_locked != (mode is Mode.LOCK):
            self._sender.report(protocol.key_lock(locked=mode is Mode.LOCK), now)

    def fail(self, code: int, *, latched: bool, now: float) -> None:
        """Report an error; a latched one stops the game until it is cancelled."""
        self._sender.report(protocol.fault(code, latched=latched), now)
        if latched:
            self.errors += (code,)
            self.mode = Mode.ERROR

    def clear(self, code: int, now: float) -> None:
        """Report that an error is over, whether or not there was one."""
        self.errors = tuple(error for error in self.errors if error != code)
        if self.mode is Mode.ERROR and not self.errors:
            self.mode = Mode.GAME
        self._sender.report(protocol.fault_cleared(code), now)
