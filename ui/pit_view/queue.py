# SPDX-License-Identifier: GPL-3.0-or-later
"""What waits for somebody of the pit, in one list beside the wall: trouble first, oldest on top.

The wall keeps its places; here, and nowhere else, tables are in the order of their trouble.
"""

from datetime import UTC, datetime
from typing import NamedTuple

from ui.pit_view.model import Queue, QueueRow
from ui.pit_view.seen import Pit
from ui.pit_view.tile import claim_text, trouble_text
from ui.pit_view.trouble import ROLES, Trouble, troubles_of
from ui.view.seen import Seen
from ui.view.speech import Speech, span

SELECT = "select:"
_NEVER = datetime.max.replace(tzinfo=UTC)
_ORDER = tuple(ROLES)


class Waiting(NamedTuple):
    """A table in trouble: its place on the wall, and the worst that is wrong there."""

    place: int
    trouble: Trouble


def waiting_in(pit: Pit) -> tuple[Waiting, ...]:
    """Every table in trouble: by what counts most, then by how long it waits."""
    found = [
        Waiting(n, known[0]) for n, one in enumerate(pit.tables) if (known := troubles_of(one))
    ]
    return tuple(sorted(found, key=_rank))


def _rank(one: Waiting) -> tuple[int, datetime, int]:
    return _ORDER.index(one.trouble.code), one.trouble.since or _NEVER, one.place


def queue_of(pit: Pit, speech: Speech) -> Queue:
    """The queue as it is drawn."""
    facts = speech.words.pit.facts
    rows = tuple(_row(one, pit, speech) for one in waiting_in(pit))
    return Queue(facts["queue"], rows, facts["queue-empty"])


def _row(waiting: Waiting, pit: Pit, speech: Speech) -> QueueRow:
    seen, trouble = pit.tables[waiting.place], waiting.trouble
    return QueueRow(
        act=f"{SELECT}{seen.table}",
        table=seen.table,
        role=trouble.role,
        text=trouble_text(trouble, speech),
        since="" if trouble.since is None else span(seen.now - trouble.since),
        claim=claim_text(seen, speech),
        is_rung=is_rung(seen),
        is_selected=waiting.place == pit.selected,
    )


def is_rung(seen: Seen) -> bool:
    """Whether the manager is rung for what is held there."""
    state = seen.state
    hold = None if state is None else state.hold
    return hold is not None and hold.rung_at is not None and hold.claimed_by is None


def next_in_queue(pit: Pit, step: int) -> int:
    """The place of the next table in trouble, or of this one if there is none."""
    order = [one.place for one in waiting_in(pit)]
    if not order:
        return pit.selected
    if pit.selected not in order:
        return order[0] if step > 0 else order[-1]
    return order[(order.index(pit.selected) + step) % len(order)]
