# SPDX-License-Identifier: Apache-2.0
"""All that a record has of one round: every event while it lasted, and what was ruled on it later.

``round_record`` reads; everything else here is a pure view of what it read. A round that was under
way when its record was put back from a backup goes on in the next epoch.
"""

from collections.abc import Iterator
from typing import NamedTuple

from studio.game import events as ev
from studio.game.inputs import Origin
from studio.store.chain import Row, Undecodable, recorded_of
from studio.store.database import StoreFailed
from studio.store.history import History, RoundLine

_ROWS_OF_A_ROUND = 100

Revision = ev.ResultConfirmed | ev.ResultAmended | ev.RoundVoided

# What is ruled on a round once it is over.
LATER = ev.ResultAmended | ev.RoundVoided | ev.VoidedCardCorrected


class Entry(NamedTuple):
    """One event: the epoch it is in, its row as stored, with both hashes, and what it says."""

    epoch: str
    row: Row
    recorded: ev.Recorded

    @property
    def origin(self) -> Origin | None:
        """The report of the shoe that it came from, with its raw bytes in hex, if it did."""
        origin: Origin | None = getattr(self.recorded.event, "origin", None)
        return origin

    @property
    def staff(self) -> tuple[str, ...]:
        """The staff ids that it names: who did it, the second person, whom it was about."""
        named = (getattr(self.recorded.event, name, None) for name in ("by", "second", "about"))
        return tuple(dict.fromkeys(one for one in named if one))


class RoundRecord(NamedTuple):
    """One round: ``entries`` from bets opened to its end, ``later`` what was ruled on it after.

    ``entries`` are all events of the table meanwhile, so that a few may be about another round.
    """

    table: str
    line: RoundLine
    entries: tuple[Entry, ...]
    later: tuple[Entry, ...]

    @property
    def round(self) -> str:
        """Its id."""
        return self.line.round

    @property
    def is_closed(self) -> bool:
        """Whether it is over."""
        return bool(self.entries) and _closes(self.entries[-1], self.round)

    @property
    def all(self) -> tuple[Entry, ...]:
        """Both, in the order of the record."""
        return self.entries + self.later

    @property
    def revisions(self) -> tuple[tuple[Entry, Revision], ...]:
        """Its result, every amendment and a void, in order; the last one stands."""
        found = []
        for one in self.all:
            event = one.recorded.event
            if isinstance(event, Revision) and one.recorded.round == self.round:
                found.append((one, event))
        return tuple(found)

    @property
    def origins(self) -> tuple[Origin, ...]:
        """What the shoe sent meanwhile, each report once, in order."""
        found = (one.origin for one in self.entries)
        return tuple(dict.fromkeys(one for one in found if one is not None))

    @property
    def staff(self) -> tuple[str, ...]:
        """The ids of everybody who had a part in it, in the order in which they first did."""
        return tuple(dict.fromkeys(who for one in self.all for who in one.staff))


def round_record(history: History, round_id: str) -> RoundRecord | None:
    """All that is on record of a round; None if the table never began it.

    Raises ``StoreFailed``, also at an event that this program cannot read.
    """
    line = history.round_line(round_id)
    place = history.place_of(round_id)
    if line is None or place is None:
        return None
    entries = tuple(_while_it_lasts(history, round_id, *place))
    seen = {(one.epoch, one.row.seq) for one in entries}
    epochs = history.epochs()
    after = {*history.revised_at(round_id), *history.corrected_at(round_id)} - seen
    later = tuple(
        entry_at(history, *one)
        for one in sorted(after, key=lambda at: (epochs.index(at[0]), at[1]))
    )
    return RoundRecord(history.table, line, entries, later)


def entry_at(history: History, epoch: str, seq: int) -> Entry:
    """The event of that number. Raises ``StoreFailed`` if there is none, or it is not readable."""
    row = next(history.rows(epoch, seq - 1, chunk=1), None)
    if row is None or row.seq != seq:
        text = f"event {seq} of table {history.table} is not on record: run `studio verify`"
        raise StoreFailed(text)
    return entry_of(epoch, row)


def entry_of(epoch: str, row: Row) -> Entry:
    """A row with what it says. Raises ``StoreFailed`` if this program cannot read it."""
    try:
        return Entry(epoch, row, recorded_of(row))
    except (Undecodable, ValueError, KeyError) as fault:
        text = f"event {row.seq} cannot be read ({fault}): run `studio verify`"
        raise StoreFailed(text) from None


def _while_it_lasts(history: History, round_id: str, epoch: str, seq: int) -> Iterator[Entry]:
    epochs = history.epochs()
    for one in epochs[epochs.index(epoch) :]:
        for row in history.rows(one, seq - 1, chunk=_ROWS_OF_A_ROUND):
            entry = entry_of(one, row)
            yield entry
            if _closes(entry, round_id):
                return
        seq = 1


def _closes(entry: Entry, round_id: str) -> bool:
    return entry.recorded.round == round_id and isinstance(entry.recorded.event, ev.RoundClosed)
