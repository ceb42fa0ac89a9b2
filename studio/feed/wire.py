# SPDX-License-Identifier: Apache-2.0
"""Bytes of the feed: events to payloads, payloads to messages, and the chain over them.

Two frames make a message: the topic ``<table>/<type>`` and the payload, one JSON object. The
public payload carries exactly the members that the event's class names in ``PUBLIC``, so that
nothing becomes public by being added to an event. The staff payload has the same envelope, with
the journal's ``seq``, the ``public_seq`` (null on a staff event) and every member.

Pure: it knows neither sockets nor clocks.
"""

import hashlib
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, get_args, get_type_hints

import msgspec

from studio.feed.messages import TYPES, Data, Heartbeat, Signature, Time
from studio.feed.signing import signed_text
from studio.game.events import Event, PublicEvent, Recorded, Source

VERSION = 1
HEARTBEAT = "heartbeat"
HEAD_0 = bytes(32)


class WireError(ValueError):
    """A payload that is no message of this version; the text says what is wrong with it."""


class Message(msgspec.Struct, frozen=True):
    """One public message or heartbeat: the envelope, its data, and the bytes it came in.

    ``data`` is None for a type that this version does not know: it still counts.
    """

    table: str
    epoch: str
    seq: int
    shoe: str | None
    round: str | None
    type: str
    at: datetime
    source: str
    data: Data | None
    payload: bytes


class StaffMessage(msgspec.Struct, frozen=True):
    """One staff message; ``recorded`` is the event as the table recorded it."""

    table: str
    epoch: str
    recorded: Recorded


class Envelope(msgspec.Struct, kw_only=True):
    """What every message has, in the order in which it is sent; its type says what ``data`` is."""

    v: int
    table: str
    epoch: str
    seq: int
    shoe: str | None = None
    round: str | None = None
    type: str
    at: Time
    source: str
    data: msgspec.Raw


class _StaffEnvelope(msgspec.Struct):
    v: int
    table: str
    epoch: str
    seq: int
    public_seq: int | None
    at: datetime
    source: Source
    data: Event
    shoe: str | None = None
    round: str | None = None


class _Version(msgspec.Struct):
    v: int


def utc_text(at: datetime) -> str:
    """An aware time as ``2026-11-29T23:59:59.123456Z``, always with six digits."""
    if at.tzinfo is not UTC:
        if at.tzinfo is None:
            raise ValueError(f"{at.isoformat()} has no time zone; times are aware UTC")
        at = at.astimezone(UTC)
    return at.isoformat(timespec="microseconds")[:-6] + "Z"


_Convert = Callable[[Any], Any]


class _Plan(msgspec.Struct, frozen=True):
    type: str
    members: tuple[str, ...]
    converted: tuple[tuple[str, _Convert], ...]


def _plan_of(event_class: type[PublicEvent]) -> _Plan:
    hints = get_type_hints(event_class)
    # the bytes must not depend on whether a number came as 15 or 15.0
    converts: dict[object, _Convert] = {datetime: utc_text, float: float}
    members = event_class.PUBLIC
    converted = tuple((name, converts[hints[name]]) for name in members if hints[name] in converts)
    return _Plan(str(event_class.__struct_config__.tag), members, converted)


_PLANS = {event_class: _plan_of(event_class) for event_class in get_args(PublicEvent)}
_TYPE_OF = {cls: str(cls.__struct_config__.tag) for cls in get_args(Event)}

_encode = msgspec.json.Encoder().encode
_decode_envelope = msgspec.json.Decoder(Envelope).decode
_decode_staff = msgspec.json.Decoder(_StaffEnvelope).decode
_decode_version = msgspec.json.Decoder(_Version).decode
_decode_data = {name: msgspec.json.Decoder(cls).decode for name, cls in TYPES.items()}


def type_of(event: Event) -> str:
    """The wire type of an event: ``card_dealt``."""
    return _TYPE_OF[type(event)]


def topic_of(table: str, type_: str) -> bytes:
    """The topic of a message: ``BAC-1/card_dealt``. The slash keeps BAC-1 apart from BAC-10."""
    return f"{table}/{type_}".encode()


def public_payload(table: str, epoch: str, recorded: Recorded) -> bytes:
    """The bytes that go on air for a public event, and into the chain.

    Raises ValueError for an event that is for staff only or that has no public ``seq``.
    """
    event = recorded.event
    plan = _PLANS.get(type(event))
    if plan is None or recorded.public_seq is None:
        raise ValueError(f"{type(event).__name__} (seq {recorded.seq}) is not a public message")
    data = {name: getattr(event, name) for name in plan.members}
    for name, convert in plan.converted:
        data[name] = convert(data[name])
    return _encode(
        {
            "v": VERSION,
            "table": table,
            "epoch": epoch,
            "seq": recorded.public_seq,
            "shoe": recorded.shoe,
            "round": recorded.round,
            "type": plan.type,
            "at": utc_text(recorded.at),
            "source": recorded.source,
            "data": data,
        }
    )


def staff_payload(table: str, epoch: str, recorded: Recorded) -> bytes:
    """The bytes of any event for staff. ``data`` is the whole event, its ``type`` included."""
    return _encode(
        {
            "v": VERSION,
            "table": table,
            "epoch": epoch,
            "seq": recorded.seq,
            "public_seq": recorded.public_seq,
            "shoe": recorded.shoe,
            "round": recorded.round,
            "type": type_of(recorded.event),
            "at": utc_text(recorded.at),
            "source": recorded.source,
            "data": recorded.event,
        }
    )


def heartbeat_payload(
    table: str,
    epoch: str,
    seq: int,
    head: bytes,
    at: datetime,
    suspended: str | None,
    shoe: str | None = None,
    round_: str | None = None,
    sign: Callable[[bytes], Signature] | None = None,
) -> bytes:
    """A heartbeat: ``seq`` and ``head`` are those of the last message; neither is moved by it."""
    signature = None
    if sign is not None:
        signature = sign(signed_text(table, epoch, seq, head.hex(), utc_text(at), suspended))
    beat = Heartbeat(head=head.hex(), suspended=suspended, signature=signature)
    return note_payload(table, epoch, seq, at, HEARTBEAT, beat, shoe, round_)


def note_payload(
    table: str,
    epoch: str,
    seq: int,
    at: datetime,
    type_: str,
    data: msgspec.Struct,
    shoe: str | None = None,
    round_: str | None = None,
) -> bytes:
    """What is told beside the record, to staff or as a heartbeat: not counted and not stored."""
    return _encode(
        {
            "v": VERSION,
            "table": table,
            "epoch": epoch,
            "seq": seq,
            "shoe": shoe,
            "round": round_,
            "type": type_,
            "at": utc_text(at),
            "source": Source.SYSTEM,
            "data": data,
        }
    )


def head_after(head: bytes, payload: bytes) -> bytes:
    """The next head of the chain: SHA-256 over the 32 bytes of the last head and the payload."""
    return hashlib.sha256(head + payload).digest()


def decode(payload: bytes) -> Message:
    """Read a public payload or a heartbeat; unknown types and members are let through.

    Raises WireError for bytes that are no message, and for one of another version.
    """
    try:
        if _decode_version(payload).v != VERSION:
            raise WireError(f"message of version {_decode_version(payload).v}, expected {VERSION}")
        envelope = _decode_envelope(payload)
        read = _decode_data.get(envelope.type)
        data = None if read is None else read(envelope.data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise WireError(f"not a message of the feed: {error}") from error
    return Message(
        table=envelope.table,
        epoch=envelope.epoch,
        seq=envelope.seq,
        shoe=envelope.shoe,
        round=envelope.round,
        type=envelope.type,
        at=envelope.at,
        source=envelope.source,
        data=data,
        payload=payload,
    )


def decode_staff(payload: bytes) -> StaffMessage:
    """Read a staff payload back into the event it was made of. Raises WireError."""
    try:
        envelope = _decode_staff(payload)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise WireError(f"not a message of the staff feed: {error}") from error
    recorded = Recorded(
        seq=envelope.seq,
        public_seq=envelope.public_seq,
        at=envelope.at,
        source=envelope.source,
        shoe=envelope.shoe,
        round=envelope.round,
        event=envelope.data,
    )
    return StaffMessage(envelope.table, envelope.epoch, recorded)
