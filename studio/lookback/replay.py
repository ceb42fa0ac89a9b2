# SPDX-License-Identifier: Apache-2.0
"""A round step by step, each with the table as it stood: the journal folded once more.

The fold begins at the nearest saved state that this very program made and that belongs to the
chain, else at the first event. Nothing is taken from the report tables.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from studio.game.evolve import IllegalTransition, evolve
from studio.game.state import TableState
from studio.lookback.round_record import Entry, RoundRecord, entry_of
from studio.saved import saved_state
from studio.store.database import StoreFailed
from studio.store.history import History

_PROGRESS_EVERY = 5_000

Progress = Callable[[int], None]


class Step(NamedTuple):
    """One event, and the table after it.

    ``is_whole``: nothing else followed from the same input. Of the others no console drew a thing.
    """

    entry: Entry
    state: TableState
    is_whole: bool


def steps_of(
    history: History, record: RoundRecord, progress: Progress = lambda _events: None
) -> Iterator[Step]:
    """Every event of a round and every later revision of it, in order.

    ``progress`` hears how many events were folded on the way. Raises ``StoreFailed``.
    """
    wanted = {(one.epoch, one.row.seq) for one in record.all}
    last = max(wanted, key=lambda place: (history.epochs().index(place[0]), place[1]))
    first = record.entries[0]
    for step in _folded(history, first.epoch, first.row.seq, progress):
        place = (step.entry.epoch, step.entry.row.seq)
        if place in wanted:
            yield step
        if place == last:
            return


def step_at(
    history: History, epoch: str, seq: int, progress: Progress = lambda _events: None
) -> Step:
    """Any event of the record. Raises ``StoreFailed`` if there is none of that number."""
    for step in _folded(history, epoch, seq, progress):
        if (step.entry.epoch, step.entry.row.seq) == (epoch, seq):
            return step
        if step.entry.epoch != epoch:
            break
    last = history.last_rows(epoch, 1)
    ends = f"they end at {last[0].seq}" if last else "it has none"
    raise StoreFailed(f"epoch {epoch} of table {history.table} has no event {seq}: {ends}")


def _folded(history: History, epoch: str, seq: int, progress: Progress) -> Iterator[Step]:
    """The events from that one on; those before it are folded unseen."""
    state, at_epoch, after = _nearest(history, epoch, seq)
    waiting: Step | None = None
    is_before = True
    for folded, entry in enumerate(_entries(history, at_epoch, after), 1):
        is_before = is_before and (entry.epoch, entry.row.seq) != (epoch, seq)
        try:
            state = evolve(state, entry.recorded)
        except (IllegalTransition, AssertionError) as fault:
            text = f"event {entry.row.seq} cannot follow ({fault}): run `studio verify`"
            raise StoreFailed(text) from None
        if folded % _PROGRESS_EVERY == 0:
            progress(folded)
        if waiting is not None:
            # the events of one input have its time
            yield waiting._replace(is_whole=waiting.entry.row.at != entry.row.at)
        waiting = None if is_before else Step(entry, state, is_whole=True)
    if waiting is not None:
        yield waiting


def _entries(history: History, epoch: str, after: int) -> Iterator[Entry]:
    """The events of the record beyond that one."""
    epochs = history.epochs()
    for one in epochs[epochs.index(epoch) :]:
        for row in history.rows(one, after):
            yield entry_of(one, row)
        after = 0


def _nearest(history: History, epoch: str, seq: int) -> tuple[TableState, str, int]:
    """A state to begin with, and the place of the event after which it was saved."""
    epochs = history.epochs()
    up_to: int | None = seq - 1
    for one in reversed(epochs[: epochs.index(epoch) + 1]):
        for saved_at, blob in history.sound_checkpoints(one, up_to):
            state = saved_state(blob)
            if state is not None:
                return state, one, saved_at
        up_to = None
    return TableState(), epochs[0], 0
