# SPDX-License-Identifier: Apache-2.0
"""Is an evidence file sound? Checked without the record that it was made from.

Both chains of every stretch are computed again, and everything that is there to be read is told
again from the rows (for an operator, from the messages): what differs was changed.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from studio.evidence.form import FORM, Audience, Evidence, ExportedHead, Stretch
from studio.evidence.operators import readable_of
from studio.evidence.proof import row_of
from studio.evidence.telling import acts_of, standing_of, told
from studio.game import events as ev
from studio.heads import Head
from studio.lookback.round_record import LATER, Entry, RoundRecord
from studio.store.chain import Undecodable, next_head, recorded_of, row_hash, time_text
from studio.store.history import RoundLine


class NotEvidence(Exception):
    """The file is none; the text says why."""


class Checked(NamedTuple):
    """What is wrong with a file, and how many of its stretches end at a head kept outside."""

    faults: tuple[str, ...]
    stretches: int
    led_to_heads: int


def evidence_in(data: bytes) -> Evidence:
    """The evidence that a file holds. Raises ``NotEvidence``."""
    try:
        evidence = msgspec.json.decode(data, type=Evidence)
    except (msgspec.MsgspecError, UnicodeDecodeError) as fault:
        raise NotEvidence(f"it cannot be read: {fault}") from None
    if evidence.form != FORM:
        raise NotEvidence(f'its form is "{evidence.form}", this program reads "{FORM}"')
    return evidence


def checked(evidence: Evidence, kept: Iterable[Head] | None = None) -> Checked:
    """Compute everything again. ``kept`` are heads that somebody else kept of this table."""
    faults = list(_all_faults(evidence))
    if kept is not None and not faults:
        faults += _unlike(evidence, kept)
    led = sum(one.exported is not None for one in evidence.proof)
    return Checked(tuple(faults), len(evidence.proof), led)


def _all_faults(evidence: Evidence) -> Iterator[str]:
    if not evidence.proof:
        yield "it has no proof"
    for stretch in evidence.proof:
        of_rows = evidence.made_for is Audience.STUDIO
        try:
            yield from _rows(evidence.round.table, stretch) if of_rows else _messages(stretch)
        except ValueError:
            yield f"epoch {stretch.epoch}: a hash is no hex"
    yield from _readable(evidence)


def _rows(table: str, stretch: Stretch) -> Iterator[str]:
    before = stretch.before
    seq, hashed = before.seq or 0, bytes.fromhex(before.hash or "")
    public_seq, head = before.public_seq, bytes.fromhex(before.head)
    for stored in stretch.rows or ():
        row, place = row_of(stored), f"epoch {stretch.epoch}, event {stored.seq}"
        if row.seq != seq + 1:
            yield f"{place}: event {seq + 1} is due here"
        if row_hash(hashed, table, stretch.epoch, row) != row.hash:
            yield f"{place}: it is not what was recorded, or what came before it is not"
        if row.payload is not None:
            head = next_head(head, row.payload)
            if (row.public_seq, row.head) != (public_seq + 1, head):
                yield f"{place}: its message does not follow on"
            public_seq += 1
        seq, hashed = row.seq, row.hash
    end = stretch.exported
    if end is not None:
        due = (end.seq, end.hash, end.public_seq, end.head)
        if due != (seq, hashed.hex(), public_seq, head.hex()):
            yield f"epoch {stretch.epoch}: it does not lead to the head that was kept outside"


def _messages(stretch: Stretch) -> Iterator[str]:
    seq, head = stretch.before.public_seq, bytes.fromhex(stretch.before.head)
    for sent in stretch.messages:
        seq, head = seq + 1, next_head(head, sent.payload.encode())
        if (sent.seq, sent.head) != (seq, head.hex()):
            yield f"epoch {stretch.epoch}, message {sent.seq}: it is not the one that was sent"
    end = stretch.exported
    if end is not None and (end.public_seq, end.head) != (seq, head.hex()):
        yield f"epoch {stretch.epoch}: it does not lead to the head that was kept outside"


def _readable(evidence: Evidence) -> Iterator[str]:
    """What there is to read must be what the proof says."""
    if evidence.made_for is Audience.OPERATOR:
        proven = [sent for stretch in evidence.proof for sent in stretch.messages]
        if not evidence.messages or any(sent not in proven for sent in evidence.messages):
            yield "messages: one of them is not in the proof"
        try:
            due = readable_of(evidence)
        except (msgspec.MsgspecError, KeyError, TypeError):
            yield "messages: one of them cannot be read"
            return
        for name, told_again in zip(("revisions", "cards"), due, strict=True):
            if getattr(evidence, name) != told_again:
                yield f"{name}: they are not what the messages say"
        return
    try:
        record = _record_in(evidence)
    except (Undecodable, ValueError, KeyError) as fault:
        yield f"an event of the proof cannot be read: {fault}"
        return
    if not record.entries:
        yield f"round {evidence.round.round} does not begin in the proof"
        return
    for name, again in told(record)._asdict().items():
        if msgspec.json.encode(getattr(evidence, name)) != msgspec.json.encode(again):
            yield f"{name}: they are not what the proof says"
    if any(getattr(evidence.round, name) != so for name, so in _standing(record)):
        yield "round: it is not what the proof says"
    if {one.staff: one.did for one in evidence.staff or ()} != acts_of(record.all):
        yield "staff: it is not what the proof says"


def _standing(record: RoundRecord) -> Iterable[tuple[str, object]]:
    return standing_of(record)._asdict().items()


def _record_in(evidence: Evidence) -> RoundRecord:
    """The round's record, read out of the proof alone."""
    facts, entries, later = evidence.round, list[Entry](), list[Entry]()
    is_over = False
    for stretch in evidence.proof:
        for stored in stretch.rows or ():
            row = row_of(stored)
            entry = Entry(stretch.epoch, row, recorded_of(row))
            event, is_its = entry.recorded.event, row.round == facts.round
            begins = is_its and isinstance(event, ev.BetsOpened)
            if not is_over and (entries or begins):
                entries.append(entry)
                is_over = is_its and isinstance(event, ev.RoundClosed)
            elif is_its and isinstance(event, LATER):
                later.append(entry)
    values = dict.fromkeys(RoundLine._fields)
    line = RoundLine(**{**values, "round": facts.round})  # type: ignore[arg-type]
    return RoundRecord(facts.table, line, tuple(entries), tuple(later))


def _unlike(evidence: Evidence, kept: Iterable[Head]) -> Iterator[str]:
    """What a file of heads, kept by somebody else, says otherwise or not at all."""
    due = {(one.epoch, one.public_seq): one for one in kept}
    for stretch in evidence.proof:
        exported = stretch.exported
        found = None if exported is None else due.get((stretch.epoch, exported.public_seq))
        if exported is None or found is None:
            yield f"epoch {stretch.epoch}: the heads have no line that this leads to"
        elif not _is_same(exported, found):
            yield f"epoch {stretch.epoch}: the heads have another line for message " + str(
                exported.public_seq
            )


def _is_same(told: ExportedHead, kept: Head) -> bool:
    if (told.head, told.at) != (kept.head, time_text(kept.at)):
        return False
    return told.hash is None or (told.seq, told.hash) == (kept.seq, kept.hash)
