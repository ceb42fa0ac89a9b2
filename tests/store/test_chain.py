# SPDX-License-Identifier: Apache-2.0
"""The form of a row and its hash: nothing can be changed, moved or split otherwise unseen."""

import hashlib
import json
from datetime import UTC, datetime, timedelta, timezone

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.game.events import EVENT_VERSION, GuardEnded
from studio.store.chain import (
    GENESIS,
    Row,
    Undecodable,
    decode_event,
    next_head,
    row_hash,
    time_text,
)
from tests.store.samples import TABLE

texts = st.text(max_size=8)
names = texts | st.none()
data = st.binary(max_size=12)
numbers = st.integers(0, 9)
bare_rows = st.builds(
    Row,
    seq=numbers,
    version=numbers,
    type=texts,
    at=texts,
    source=texts,
    shoe=names,
    round=names,
    event=data,
    hash=st.just(b""),
    public_seq=numbers | st.none(),
    payload=data | st.none(),
    head=st.just(b""),
)


@given(bare_rows, bare_rows)
def test_two_rows_have_one_hash_only_if_they_are_equal(one: Row, other: Row) -> None:
    same = row_hash(GENESIS, TABLE, "e", one) == row_hash(GENESIS, TABLE, "e", other)
    assert same == (one == other)


@given(bare_rows)
def test_a_hash_says_what_went_before_and_whose_row_it_is(row: Row) -> None:
    hashes = {
        row_hash(GENESIS, TABLE, "e", row),
        row_hash(bytes([1]) + GENESIS[1:], TABLE, "e", row),
        row_hash(GENESIS, "BAC-10", "e", row),
        row_hash(GENESIS, TABLE, "f", row),
    }
    assert len(hashes) == 4


@pytest.mark.req("AUD-10")
def test_an_auditor_can_compute_the_hash_from_its_description() -> None:
    row = Row(7, 1, "guard_ended", "t", "shoe", None, "R", b"{}", b"", 3, b"[]", None)
    fields = [TABLE, "e", 7, 1, "guard_ended", "t", "shoe", None, "R", 3, 2, 2]
    header = json.dumps(fields, separators=(",", ":")).encode()
    expected = hashlib.sha256(bytes(32) + header + b"{}" + b"[]").digest()
    assert row_hash(GENESIS, TABLE, "e", row) == expected


def test_the_head_is_that_of_the_feed_contract() -> None:
    first = hashlib.sha256(bytes(32) + b"one").digest()
    assert next_head(next_head(GENESIS, b"one"), b"two") == hashlib.sha256(first + b"two").digest()


@given(st.datetimes(timezones=st.timezones()))
def test_a_time_is_utc_with_six_digits_and_comes_back(at: datetime) -> None:
    try:
        text = time_text(at)
    except OverflowError:
        return  # within a day of the first or last that there is
    assert len(text) == 27
    assert text.endswith("Z")
    assert datetime.fromisoformat(text) == at.astimezone(UTC)


def test_a_time_of_another_zone_is_turned_into_utc() -> None:
    rome = timezone(timedelta(hours=1))
    assert time_text(datetime(2026, 11, 30, 0, 30, tzinfo=rome)) == "2026-11-29T23:30:00.000000Z"


def test_an_event_of_a_newer_program_is_named_and_not_guessed() -> None:
    with pytest.raises(Undecodable, match=f"event 9 has version {EVENT_VERSION + 1}"):
        decode_event(EVENT_VERSION + 1, b'{"type":"guard_ended"}', 9)


@given(st.binary())
def test_any_bytes_are_an_event_or_undecodable(garbage: bytes) -> None:
    try:
        event = decode_event(EVENT_VERSION, garbage)
    except Undecodable:
        return
    assert isinstance(event, msgspec.Struct)


def test_members_that_are_not_known_are_passed_over() -> None:
    assert decode_event(1, b'{"type":"guard_ended","of_later":1}') == GuardEnded()
