# SPDX-License-Identifier: Apache-2.0
"""What whoever runs the machine reads of a table: one log line for each event that matters there.

Owns which events these are and which of their members are told: never a card, never a person's
words. Rounds that go well are not told; the record has them. A log that cannot be written stops
no table.
"""

from contextlib import suppress
from typing import NamedTuple

import structlog

from studio.game.event_words import Trust
from studio.game.events import Event, Recorded
from studio.game.public_events import (
    ManualModeChanged,
    ResultAmended,
    RoundVoided,
    ShoeEnded,
    ShoeLoaded,
    TableClosed,
    TableOpened,
    TableResumed,
    TableSuspended,
)
from studio.game.staff_events import (
    IrregularityRaised,
    IrregularityResolved,
    ManagerRung,
    ServiceRestarted,
    StreamChanged,
)


class _Line(NamedTuple):
    members: tuple[str, ...] = ()
    warns: bool = False


_LINES: dict[type[Event], _Line] = {
    ServiceRestarted: _Line(),
    TableOpened: _Line(),
    TableClosed: _Line(("reason",)),
    TableSuspended: _Line(("reason",), warns=True),
    TableResumed: _Line(("reason",)),
    ShoeLoaded: _Line(("decks",)),
    ShoeEnded: _Line(("rounds", "burned", "left")),
    StreamChanged: _Line(("trust",), warns=True),
    IrregularityRaised: _Line(("code",), warns=True),
    IrregularityResolved: _Line(("remedy",)),
    ManagerRung: _Line(warns=True),
    RoundVoided: _Line(("revision", "reason"), warns=True),
    ResultAmended: _Line(("revision", "reason"), warns=True),
    ManualModeChanged: _Line(("on",)),
}


def log_events(table: str, decided: tuple[Recorded, ...]) -> None:
    """Log those of the events, just recorded, that an operator should know of."""
    for recorded in decided:
        event = recorded.event
        line = _LINES.get(type(event))
        if line is None:
            continue
        told = {name: _plain(getattr(event, name)) for name in line.members}
        warns = line.warns and getattr(event, "trust", None) is not Trust.TRUSTED
        log_line(
            str(event.__struct_config__.tag),
            warns=warns,
            table=table,
            seq=recorded.seq,
            round=recorded.round,
            **told,
        )


def log_line(words: str, *, warns: bool = False, **members: object) -> None:
    """One line, if it can be written."""
    log = structlog.get_logger()
    with suppress(OSError, ValueError):
        (log.warning if warns else log.info)(words, **members)


def _plain(value: object) -> object:
    return value.value if isinstance(value, Trust) else value
