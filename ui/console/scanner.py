# SPDX-License-Identifier: GPL-3.0-or-later
"""Tells a scanner from a person: nobody types characters within 30 ms of one another.

A key that could begin a scan waits that long before it counts; when another one follows sooner,
both belong to a scan, and so does all that follows, its closing Enter included. The same action
key again so soon is the bounce of a worn switch and counts for nothing.
"""

from typing import NamedTuple

BURST_MS = 30
# A scan whose Enter never comes is over after this.
QUIET_MS = 120
_ENDS = ("Enter", "Keypad+Enter", "Tab")


class Told(NamedTuple):
    """What came of a key: keys that a person pressed, and a line that a scanner read."""

    keys: tuple[str, ...] = ()
    scanned: str = ""


class KeyStream:
    """Sorts keys by their times in milliseconds. ``char`` is what the key types, or ""."""

    def __init__(self) -> None:
        self._waiting: tuple[str, str] | None = None
        self._scan: str | None = None
        self._last = -1_000_000.0

    @property
    def is_waiting(self) -> bool:
        """Whether a key or a scan waits for time to pass: ask ``passed`` then."""
        return self._waiting is not None or self._scan is not None

    def pressed(self, name: str, char: str, at: float) -> Told:
        """A key went down."""
        before = self.passed(at)
        is_fast = at - self._last <= BURST_MS
        self._last = at
        if self._scan is not None:
            return before._replace(scanned=self._on_scan(name, char))
        if is_fast and self._waiting is not None:
            first, first_char = self._waiting
            if name == first and not char:
                return before
            self._waiting = None
            self._scan = first_char
            return before._replace(scanned=self._on_scan(name, char))
        if is_fast and not before.keys:
            # the line feed after a scan's Enter
            return before
        self._waiting = (name, char)
        return before

    def passed(self, at: float) -> Told:
        """Time went by: a waiting key counts now, or a scan without an end is over."""
        if self._waiting is not None and at - self._last > BURST_MS:
            name, self._waiting = self._waiting[0], None
            return Told((name,))
        if self._scan is not None and at - self._last > QUIET_MS:
            scanned, self._scan = self._scan, None
            return Told((), scanned)
        return Told()

    def _on_scan(self, name: str, char: str) -> str:
        scanned = self._scan or ""
        self._scan = None if name in _ENDS else scanned + char
        return scanned if name in _ENDS else ""
