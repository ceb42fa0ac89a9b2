# SPDX-License-Identifier: Apache-2.0
"""Reading the states that were saved for a start and for a look back. It knows not what they say.

Each may be as long as a shoe, and there are many: they are read one at a time.
"""

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from sqlalchemy import Select, select

from studio.store.history import History
from studio.store.models import checkpoints


def saved_states(history: History, epoch: str, up_to: int | None = None) -> Iterator[Any]:
    """Those of an epoch up to that event, newest first: rows with seq, hash, blob and digest."""
    while True:
        found = _of(select(checkpoints), history, epoch).limit(1)
        if up_to is not None:
            found = found.where(checkpoints.c.seq <= up_to)
        rows = history.ask(found)
        if not rows:
            return
        yield rows[0]
        up_to = rows[0].seq - 1


def sound_states(
    history: History, epoch: str, up_to: int | None = None
) -> Iterator[tuple[int, bytes]]:
    """Number and state of those that are whole and belong to the journal's own chain."""
    for saved in saved_states(history, epoch, up_to):
        row = next(history.rows(epoch, saved.seq - 1, chunk=1), None)
        whole = sha256(saved.hash + saved.blob).digest() == saved.digest
        if whole and row is not None and (row.seq, row.hash) == (saved.seq, saved.hash):
            yield saved.seq, saved.blob


def state_saved_at(history: History, epoch: str, seq: int) -> bytes:
    """The state that was saved at that event; empty if none was."""
    found = next(saved_states(history, epoch, seq), None)
    return bytes(found.blob) if found is not None and found.seq == seq else b""


def saved_at(history: History, epoch: str, most: int | None = None) -> list[int]:
    """The events at which states were saved, newest first; all of them by default."""
    found = _of(select(checkpoints.c.seq), history, epoch).limit(most)
    return [seq for (seq,) in history.ask(found)]


def _of(found: Select[Any], history: History, epoch: str) -> Select[Any]:
    of_epoch = found.where(checkpoints.c.table_id == history.table, checkpoints.c.epoch == epoch)
    return of_epoch.order_by(checkpoints.c.seq.desc())
