# SPDX-License-Identifier: Apache-2.0
import hashlib
import re
from datetime import UTC, datetime, timedelta, timezone
from typing import get_args

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from studio.feed import messages, wire
from studio.game import events as ev
from tests.feed.examples import (
    AT,
    EPOCH,
    GOLDEN,
    PUBLIC_EVENTS,
    TABLE,
    any_recorded,
    golden_messages,
    recorded_of,
)

_AT_TEXT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")
_ENVELOPE = ["v", "table", "epoch", "seq", "shoe", "round", "type", "at", "source", "data"]


def test_every_type_is_encoded_as_its_golden_message() -> None:
    assert {path.stem for path in GOLDEN.glob("*.json")} == set(golden_messages())
    for name, payload in golden_messages().items():
        assert payload + b"\n" == (GOLDEN / f"{name}.json").read_bytes(), name


def test_every_golden_message_is_read_as_a_known_type() -> None:
    for path in GOLDEN.glob("*.json"):
        message = wire.decode(path.read_bytes())
        assert message.type == path.stem
        assert isinstance(message.data, messages.TYPES[path.stem])


def test_every_public_event_has_an_example_and_a_type_for_its_data() -> None:
    assert [type(event) for event in PUBLIC_EVENTS] == list(get_args(ev.PublicEvent))
    types = {wire.type_of(event) for event in PUBLIC_EVENTS} | {wire.HEARTBEAT}
    assert types == set(messages.TYPES)
    assert set(messages.TYPES.values()) == set(get_args(messages.Data))


def test_a_type_carries_the_members_that_its_event_makes_public_in_that_order() -> None:
    for event in PUBLIC_EVENTS:
        read = messages.TYPES[wire.type_of(event)]
        assert read.__struct_fields__ == event.PUBLIC
        payload = wire.public_payload(TABLE, EPOCH, recorded_of(event))
        raw = msgspec.json.decode(payload)
        assert list(raw) == _ENVELOPE
        assert tuple(raw["data"]) == event.PUBLIC


@given(any_recorded(ev.PublicEvent), st.text(max_size=8))
def test_reading_a_public_payload_gives_back_what_was_recorded(
    recorded: ev.Recorded, table: str
) -> None:
    payload = wire.public_payload(table, EPOCH, recorded)
    read = wire.decode(payload)
    assert (read.table, read.epoch, read.seq) == (table, EPOCH, recorded.public_seq)
    assert (read.shoe, read.round) == (recorded.shoe, recorded.round)
    assert (read.at, read.source) == (recorded.at, recorded.source.value)
    assert read.type == wire.type_of(recorded.event)
    assert read.payload == payload
    for member in recorded.event.PUBLIC or ():
        assert getattr(read.data, member) == getattr(recorded.event, member)


@given(any_recorded(ev.Event))
def test_reading_a_staff_payload_gives_back_what_was_recorded(recorded: ev.Recorded) -> None:
    read = wire.decode_staff(wire.staff_payload(TABLE, EPOCH, recorded))
    assert read == wire.StaffMessage(TABLE, EPOCH, recorded)


@pytest.mark.req("REC-2", "RND-4")
def test_an_event_for_staff_is_never_encoded_for_the_public() -> None:
    for staff_only in (ev.GuardEnded(), ev.BurnCompleted(burned=3)):
        with pytest.raises(ValueError, match="is not a public message"):
            wire.public_payload(TABLE, EPOCH, recorded_of(staff_only))
    with pytest.raises(ValueError, match="is not a public message"):
        wire.public_payload(TABLE, EPOCH, recorded_of(ev.RoundClosed(), public_seq=None))


@given(st.datetimes(timezones=st.sampled_from([UTC, timezone(timedelta(hours=2))])))
@example(datetime(2026, 1, 1, tzinfo=UTC))
def test_a_time_is_utc_with_six_digits_whatever_it_is(at: datetime) -> None:
    try:
        text = wire.utc_text(at)
    except OverflowError:
        return
    assert _AT_TEXT.fullmatch(text)
    assert msgspec.convert(text, datetime) == at


def test_a_time_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="no time zone"):
        wire.utc_text(AT.replace(tzinfo=None))


def test_the_bytes_do_not_depend_on_how_a_number_was_written() -> None:
    opened = next(event for event in PUBLIC_EVENTS if isinstance(event, ev.BetsOpened))
    whole = msgspec.structs.replace(opened, seconds=15)
    real = msgspec.structs.replace(opened, seconds=15.0)
    assert wire.public_payload(TABLE, EPOCH, recorded_of(whole)) == wire.public_payload(
        TABLE, EPOCH, recorded_of(real)
    )


def test_the_topic_ends_the_table_with_a_slash() -> None:
    assert wire.topic_of("BAC-1", "card_dealt") == b"BAC-1/card_dealt"
    assert not wire.topic_of("BAC-10", "result").startswith(b"BAC-1/")


def test_a_heartbeat_says_seq_head_and_suspension() -> None:
    head = hashlib.sha256(b"x").digest()
    read = wire.decode(wire.heartbeat_payload(TABLE, EPOCH, 7, head, AT, None))
    assert (read.seq, read.type, read.source, read.at) == (7, "heartbeat", "system", AT)
    assert read.data == messages.Heartbeat(head=head.hex(), suspended=None)


@pytest.mark.req("AUD-5")
def test_the_chain_is_sha256_over_the_last_head_and_the_payload() -> None:
    payloads = list(golden_messages().values())
    head = wire.HEAD_0
    assert head == b"\0" * 32
    for payload in payloads:
        expected = hashlib.sha256(head)
        expected.update(payload)
        head = wire.head_after(head, payload)
        assert head == expected.digest()


def _changed(payload: bytes, **members: object) -> bytes:
    return msgspec.json.encode({**msgspec.json.decode(payload), **members})


def test_unknown_types_and_members_are_let_through() -> None:
    payload = golden_messages()["card_dealt"]
    data = msgspec.json.decode(payload)["data"]
    more = wire.decode(_changed(payload, new=1, data={**data, "tilt": [1, {"x": None}]}))
    assert more.data == wire.decode(payload).data
    unknown = wire.decode(_changed(payload, type="card_squeezed", data={"by": "P3"}))
    assert (unknown.type, unknown.data, unknown.seq) == ("card_squeezed", None, 123)


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"\xff\xfe",
        b"[]",
        b"null",
        b"{}",
        b'{"v":1}',
        b'{"v":"1"}',
        b"[" * 100_000,
        b'{"v":1,"deep":' + b"[" * 100_000,
        _changed(golden_messages()["card_dealt"], v=2),
        _changed(golden_messages()["card_dealt"], seq="3"),
        _changed(golden_messages()["card_dealt"], at="yesterday"),
        _changed(golden_messages()["card_dealt"], data={"position": "P7"}),
        golden_messages()["result"][:-1],
    ],
)
def test_what_is_no_message_of_this_version_is_a_wire_error(payload: bytes) -> None:
    with pytest.raises(wire.WireError):
        wire.decode(payload)


@given(st.binary())
def test_any_bytes_at_all_are_a_message_or_a_wire_error(payload: bytes) -> None:
    with pytest.raises(wire.WireError):
        wire.decode(payload)
    with pytest.raises(wire.WireError):
        wire.decode_staff(payload)
