# SPDX-License-Identifier: Apache-2.0
"""Cases: what an operator disputes of a round that can no longer be amended, until it is answered.

A case is its entries, of which each is kept for ever (DSP-1): opened, noted, closed with the
finding. Every entry says again whose case it is and when the answer is due, so that it can be read
alone; the last one counts. Pure.
"""

from collections.abc import Iterable
from datetime import date, datetime, tzinfo
from enum import Enum

import msgspec

# DSP-3: an operator is answered within three calendar days.
DUE_DAYS = 3


class CaseAct(str, Enum):
    """What an entry does."""

    OPENED = "opened"
    NOTED = "noted"
    CLOSED = "closed"


class CaseEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One entry. ``text``: what the operator says, a note, or the finding. ``due`` is a day."""

    case: str
    number: int
    at: datetime
    act: CaseAct
    by: str
    table: str
    round: str
    operator: str
    reference: str
    due: date
    text: str


class Case(msgspec.Struct, frozen=True):
    """A case as it stands."""

    entries: tuple[CaseEntry, ...]

    @property
    def first(self) -> CaseEntry:
        """With which it was opened."""
        return self.entries[0]

    @property
    def last(self) -> CaseEntry:
        """What was entered last."""
        return self.entries[-1]

    @property
    def is_open(self) -> bool:
        """Whether it waits for its finding."""
        return self.last.act is not CaseAct.CLOSED

    def is_overdue(self, at: datetime, zone: tzinfo) -> bool:
        """Whether its day was over, when it was closed or, while it is open, at this moment."""
        end = at if self.is_open else self.last.at
        return end.astimezone(zone).date() > self.last.due


class NewCase(msgspec.Struct, frozen=True, kw_only=True):
    """What is said of a new case; without ``due``, three days are given."""

    table: str
    round: str
    operator: str
    reference: str
    claim: str = ""
    due: date | None = None


def cases_in(entries: Iterable[CaseEntry]) -> list[Case]:
    """The cases that these entries make, in the order in which they were opened."""
    found: dict[str, list[CaseEntry]] = {}
    for one in entries:
        found.setdefault(one.case, []).append(one)
    return [Case(tuple(each)) for each in found.values()]
