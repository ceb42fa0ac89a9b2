# SPDX-License-Identifier: Apache-2.0
"""Beginning an epoch on a record whose table is stopped: after a restore numbering cannot go on.

The first event of the new epoch names the end of the one before, so that nobody can cut rows off
there unseen, and says up to which numbers all may have been given and lost. What the table does
about it is decided when its service starts (``studio.game.table``).
"""

from datetime import datetime
from typing import NamedTuple

from studio.game.events import EpochBegun
from studio.store.database import StoreFailed, name_of, parse_url
from studio.store.history import History
from studio.store.journal import Journal


class Given(NamedTuple):
    """The highest numbers of the gaming day that a person knows to have been given."""

    rounds: int = 0
    shoes: int = 0


NOT_KNOWN = Given()


def begin_epoch(
    url: str, table: str, *, at: datetime, day: str, reason: str, by: str, given: Given = NOT_KNOWN
) -> str:
    """Begin a new epoch of a table's record now, ``at``, on gaming day ``day``; gives its id.

    One transaction, under the lock of the record. Raises ``StoreFailed``: the table's service
    runs, there is no sound record, or the clock is behind what is recorded.
    """
    with Journal.open(url, table) as journal:
        with History.open(url, table) as history:
            last_at = history.last_at()
        if at < last_at:
            raise StoreFailed(
                f"{name_of(parse_url(url))}: the last event is of {last_at:%Y-%m-%d %H:%M:%S} UTC, "
                f"this machine's clock says {at:%Y-%m-%d %H:%M:%S}: set the clock, then try again"
            )
        begun = EpochBegun(
            reason=reason,
            by=by,
            from_epoch=journal.epoch,
            from_seq=journal.last_seq,
            from_hash=journal.hash.hex(),
            from_public_seq=journal.last_public_seq,
            from_head=journal.head.hex(),
            day=day,
            lost=int((at - last_at).total_seconds()) + 1,
            rounds_given=given.rounds,
            shoes_given=given.shoes,
        )
        journal.begin_epoch(begun, at)
        return journal.epoch
