# SPDX-License-Identifier: Apache-2.0
"""Keeps whoever is refused without end from filling a table's record. Pure.

The staff's own database has every try; the record of a table has the first refusals of each minute
one by one, and the number of the others.
"""

import msgspec

from studio.game.inputs import StaffTried
from studio.staff.attempts import DONE

MOST_A_MINUTE = 20
_MINUTE = 60.0


class _Window(msgspec.Struct):
    """One person's refusals since ``since``; ``left_out`` of them are not in the record yet."""

    since: float
    refused: int = 0
    left_out: int = 0


class Repeats:
    """Counts refusals by person; all that are nobody's count together. One thread."""

    def __init__(self) -> None:
        self._windows: dict[str | None, _Window] = {}

    def for_the_record(self, tried: StaffTried, now: float) -> StaffTried | None:
        """The try as the record takes it, or None. ``now`` is monotonic, in seconds.

        What succeeded is always taken. The first refusal of a new minute tells in its detail how
        many before it were left out.
        """
        if tried.result == DONE:
            return tried
        window = self._windows.get(tried.by)
        left_out = 0
        if window is None or now - window.since >= _MINUTE:
            left_out = 0 if window is None else window.left_out
            window = self._windows[tried.by] = _Window(now)
        window.refused += 1
        if window.refused > MOST_A_MINUTE:
            window.left_out += 1
            return None
        if left_out:
            told = f"{tried.detail} after {left_out} more refusals".strip()
            return msgspec.structs.replace(tried, detail=told)
        return tried
