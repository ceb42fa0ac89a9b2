# SPDX-License-Identifier: Apache-2.0
"""The form of a journal row and the two hash chains over it. Pure: it knows no database.

Row chain, over everything a row says::

    hash_n = SHA-256(hash_{n-1} || header || event || payload)
    header = JSON array [table, epoch, seq, version, type, at, source, shoe, round,
                         public_seq, bytes of event, bytes of payload or null]

Public chain, over the bytes that were sent (the feed contract)::

    head_n = SHA-256(head_{n-1} || payload_n)

Both begin, in each epoch, with 32 zero bytes.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from hashlib import sha256
from typing import NamedTuple

import msgspec

from studio.game.events import EVENT_VERSION, Event, Recorded, Source

GENESIS = bytes(32)

_encode_header = msgspec.json.Encoder().encode
_encode_event: Callable[[Event], bytes] = msgspec.json.Encoder().encode
_decoder: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)
_source = {source.value: source for source in Source}


class Row(NamedTuple):
    """One row of the journal, as stored; ``hash`` and ``head`` are what was written then."""

    seq: int
    version: int
    type: str
    at: str
    source: str
    shoe: str | None
    round: str | None
    event: bytes
    hash: bytes
    public_seq: int | None
    payload: bytes | None
    head: bytes | None


class Undecodable(Exception):
    """An event of the record cannot be read by this program; the text says which and why."""


def row_hash(previous: bytes, table: str, epoch: str, row: Row) -> bytes:
    """The hash that ``row`` must carry after a row whose hash is ``previous`` (32 bytes)."""
    seq, version, kind, at, source, shoe, round_id, event, _hash, public_seq, payload, _head = row
    size = None if payload is None else len(payload)
    header = _encode_header(
        (table, epoch, seq, version, kind, at, source, shoe, round_id, public_seq, len(event), size)
    )
    return sha256(previous + header + event + (payload or b"")).digest()


def next_head(previous: bytes, payload: bytes) -> bytes:
    """The public head after ``payload``, 32 bytes."""
    return sha256(previous + payload).digest()


def row_of(
    recorded: Recorded, payload: bytes | None, table: str, epoch: str, hashed: bytes, head: bytes
) -> Row:
    """The row that records an event after a row with hash ``hashed`` and public head ``head``."""
    event = recorded.event
    public = None if payload is None else next_head(head, payload)
    row = Row(
        recorded.seq,
        EVENT_VERSION,
        type(event).__struct_config__.tag,  # type: ignore[arg-type]
        time_text(recorded.at),
        recorded.source.value,
        recorded.shoe,
        recorded.round,
        _encode_event(event),
        b"",
        recorded.public_seq,
        payload,
        public,
    )
    return Row(*row[:8], row_hash(hashed, table, epoch, row), *row[9:])


def recorded_of(row: Row) -> Recorded:
    """The event of a row with its place in the record. Raises ``Undecodable``."""
    return Recorded(
        row.seq,
        row.public_seq,
        datetime.fromisoformat(row.at),
        _source[row.source],
        row.shoe,
        row.round,
        decode_event(row.version, row.event, row.seq),
    )


def decode_event(version: int, data: bytes, seq: int = 0) -> Event:
    """The event that ``data`` holds; ``seq`` is for the text only. Raises ``Undecodable``.

    Every version ever written is read here: when ``EVENT_VERSION`` goes up, this is where the
    older form is brought to the newer one.
    """
    if version > EVENT_VERSION:
        raise Undecodable(
            f"event {seq} has version {version}, this program reads up to {EVENT_VERSION}: "
            "run the newer program"
        )
    try:
        return _decoder.decode(data)
    except (msgspec.DecodeError, ValueError) as fault:
        raise Undecodable(f"event {seq} is not readable: {fault}") from fault


def time_text(at: datetime) -> str:
    """RFC 3339 in UTC with six digits, as on the wire. Raises ValueError for a naive time."""
    if at.tzinfo is not UTC:
        if at.utcoffset() is None:
            raise ValueError("a time in the record must be aware")
        at = at.astimezone(UTC)
    return at.isoformat(timespec="microseconds")[:-6] + "Z"
