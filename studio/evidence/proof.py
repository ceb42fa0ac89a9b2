# SPDX-License-Identifier: Apache-2.0
"""The rows that lead from a round to a head kept outside of the record, without a gap."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import msgspec

from studio.evidence.form import Ends, ExportedHead, StoredRow, Stretch
from studio.heads import Head
from studio.lookback.round_record import RoundRecord
from studio.store.chain import GENESIS, Row, time_text
from studio.store.history import History

# A head is kept after every round: one that is further away is no proof of this round.
_FURTHEST_ROWS = 5_000


class Place(NamedTuple):
    """Rows without a gap, and the head kept outside that they lead to."""

    epoch: str
    first: int
    last: int
    head: Head | None = None


def places_of(record: RoundRecord) -> tuple[Place, ...]:
    """Where a round's rows are: while it lasted, epoch by epoch, and each later revision."""
    lasted = []
    for epoch, entries in groupby(record.entries, lambda one: one.epoch):
        seqs = [one.row.seq for one in entries]
        lasted.append(Place(epoch, seqs[0], seqs[-1]))
    return (*lasted, *(Place(one.epoch, one.row.seq, one.row.seq) for one in record.later))


def heads_in(file: Path, table: str) -> Iterator[Head]:
    """The heads of a table that a file holds; lines that cannot be read are passed over.

    Raises ``OSError``.
    """
    with file.open("rb") as lines:
        for line in lines:
            try:
                head = msgspec.json.decode(line, type=Head)
            except (msgspec.MsgspecError, UnicodeDecodeError):
                continue
            if head.table == table:
                yield head


def led_to_heads(places: Iterable[Place], heads: Iterable[Head]) -> list[Place]:
    """Each place, on to the next head that was kept; those that overlap then are one."""
    found: dict[Place, Head] = {}
    asked = tuple(places)
    for head in heads:
        for place in asked:
            away = head.seq - place.last
            is_next = place not in found or head.seq < found[place].seq
            if head.epoch == place.epoch and 0 <= away <= _FURTHEST_ROWS and is_next:
                found[place] = head
    joined: list[Place] = []
    for place in asked:
        head_of = found.get(place)
        led = place if head_of is None else place._replace(last=head_of.seq, head=head_of)
        before = joined[-1] if joined else None
        if before is None or before.epoch != led.epoch or led.first > before.last:
            joined.append(led)
        elif led.last > before.last:
            joined[-1] = before._replace(last=led.last, head=led.head)
    return joined


def stretch_of(history: History, place: Place) -> Stretch:
    """The rows of a place as they are stored, and where both chains stood before them."""
    epoch, first, last, head = place
    before = next(history.rows(epoch, first - 2, chunk=1), None) if first > 1 else None
    public_seq, public_head = history.public_before(epoch, first)
    exported = None
    if head is not None:
        exported = ExportedHead(
            seq=head.seq,
            public_seq=head.public_seq,
            hash=head.hash,
            head=head.head,
            at=time_text(head.at),
        )
    return Stretch(
        epoch=epoch,
        before=Ends(
            seq=first - 1,
            public_seq=public_seq,
            hash=(GENESIS if before is None else before.hash).hex(),
            head=public_head.hex(),
        ),
        exported=exported,
        rows=tuple(map(_stored, _between(history, epoch, first, last))),
    )


def _between(history: History, epoch: str, first: int, last: int) -> Iterator[Row]:
    for row in history.rows(epoch, first - 1, chunk=min(last - first + 1, 500)):
        if row.seq > last:
            return
        yield row


def _stored(row: Row) -> StoredRow:
    return StoredRow(
        seq=row.seq,
        version=row.version,
        type=row.type,
        at=row.at,
        source=row.source,
        shoe=row.shoe,
        round=row.round,
        event=row.event.decode(),
        hash=row.hash.hex(),
        public_seq=row.public_seq,
        payload=None if row.payload is None else row.payload.decode(),
        head=None if row.head is None else row.head.hex(),
    )


def row_of(stored: StoredRow) -> Row:
    """A row as it was stored. Raises ``ValueError`` for hashes that are no hex."""
    return Row(
        stored.seq,
        stored.version,
        stored.type,
        stored.at,
        stored.source,
        stored.shoe,
        stored.round,
        stored.event.encode(),
        bytes.fromhex(stored.hash),
        stored.public_seq,
        None if stored.payload is None else stored.payload.encode(),
        None if stored.head is None else bytes.fromhex(stored.head),
    )
