# SPDX-License-Identifier: Apache-2.0
"""What every shoe driver promises, for all that are registered (``drivers/base.py``).

A driver brings a capture: ``tests/golden/captures/<name>.json``, pieces of one stream in hex with
what each gives. It must show all that its capabilities claim.
"""

import itertools
import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.base import Decoded, Decoder, Duplicate
from drivers.registry import SHOES, decoder_for
from studio.game.inputs import (
    CardDrawn,
    CardRepeated,
    CommandAnswered,
    FaultCleared,
    FrameRejected,
    LockChanged,
    Report,
    ResultReported,
    Target,
)

CAPTURES = Path(__file__).parents[1] / "golden" / "captures"

every_shoe = pytest.mark.parametrize("name", sorted(SHOES))


class Piece(msgspec.Struct, forbid_unknown_fields=True):
    hex: str
    gives: list[Report | str]
    what: str = ""

    @property
    def raw(self) -> bytes:
        return bytes.fromhex(self.hex)


class Capture(msgspec.Struct, forbid_unknown_fields=True):
    settings: dict[str, object]
    pieces: list[Piece]

    @property
    def stream(self) -> bytes:
        return b"".join(piece.raw for piece in self.pieces)

    @property
    def reports(self) -> list[Report]:
        return [item for piece in self.pieces for item in piece.gives if not isinstance(item, str)]


def capture_of(name: str) -> Capture:
    rows = json.loads((CAPTURES / f"{name}.json").read_text())
    return msgspec.convert(rows, Capture)


def fresh(name: str) -> Decoder:
    return decoder_for(name, capture_of(name).settings)


def fed(decoder: Decoder, chunks: Iterable[bytes]) -> list[Decoded | Duplicate]:
    return [item for chunk in chunks for item in decoder.feed(chunk)]


def cut(stream: bytes, places: Iterable[int]) -> list[bytes]:
    edges = sorted({place % (len(stream) + 1) for place in places} | {0, len(stream)})
    return [stream[a:b] for a, b in itertools.pairwise(edges)]


def news(items: Iterable[Decoded | Duplicate]) -> list[Report]:
    """The reports but for those that line noise can make."""
    return [
        item.report
        for item in items
        if isinstance(item, Decoded)
        and not isinstance(item.report, FrameRejected | CommandAnswered)
    ]


@every_shoe
def test_the_capture_gives_what_it_gave(name: str) -> None:
    decoder = fresh(name)
    for piece in capture_of(name).pieces:
        got = [
            item.report if isinstance(item, Decoded) else "repeat"
            for item in decoder.feed(piece.raw)
        ]
        assert got == piece.gives, piece.what


@pytest.mark.req("REC-5")
@every_shoe
@given(places=st.lists(st.integers(0, 10_000)))
def test_any_split_of_the_bytes_gives_the_same_reports(name: str, places: list[int]) -> None:
    stream = capture_of(name).stream
    whole = fed(fresh(name), [stream])
    assert fed(fresh(name), cut(stream, places)) == whole


@every_shoe
def test_bytes_that_come_singly_give_the_same_reports(name: str) -> None:
    stream = capture_of(name).stream
    assert fed(fresh(name), [bytes((byte,)) for byte in stream]) == fed(fresh(name), [stream])


@every_shoe
def test_what_is_reported_is_where_it_says(name: str) -> None:
    stream = capture_of(name).stream
    ends = [0]
    for item in fed(fresh(name), [stream]):
        assert stream[item.end - len(item.raw) : item.end] == item.raw
        assert item.end >= ends[-1]
        ends.append(item.end)


@pytest.mark.req("REC-6")
@every_shoe
@given(chunks=st.lists(st.binary(max_size=60)))
def test_any_bytes_at_all_raise_nothing(name: str, chunks: list[bytes]) -> None:
    decoder = fresh(name)
    items = fed(decoder, chunks)
    for item in items:
        decoder.acknowledgement(item)
        decoder.explain(item.raw)
    decoder.reopened()
    assert fed(decoder, []) == []


@pytest.mark.req("REC-6")
@every_shoe
@given(data=st.data())
def test_after_garbage_the_next_frame_is_found(name: str, data: st.DataObject) -> None:
    pieces = [piece.raw for piece in capture_of(name).pieces]
    place = data.draw(st.integers(0, len(pieces)))
    garbage = data.draw(st.binary(max_size=40))
    dirty = [*pieces[:place], garbage, *pieces[place:]]
    assert news(fed(fresh(name), dirty)) == news(fed(fresh(name), pieces))


@pytest.mark.req("REC-6")
@every_shoe
@given(data=st.data())
def test_a_flipped_bit_invents_no_card(name: str, data: st.DataObject) -> None:
    stream = bytearray(capture_of(name).stream)
    true = Counter(r for r in capture_of(name).reports if isinstance(r, CardDrawn))
    place = data.draw(st.integers(0, len(stream) - 1))
    stream[place] ^= 1 << data.draw(st.integers(0, 7))
    got = Counter(r for r in news(fed(fresh(name), [bytes(stream)])) if isinstance(r, CardDrawn))
    assert got <= true


@every_shoe
@given(place=st.integers(0, 10_000))
def test_a_line_that_is_reopened_doubles_no_card(name: str, place: int) -> None:
    stream = capture_of(name).stream
    decoder = fresh(name)
    first = decoder.feed(stream[: place % len(stream)])
    decoder.reopened()
    last = [item for item in first if not isinstance(item, Decoded) or item.seq is not None][-1:]
    for item in last:
        again = decoder.feed(item.raw)
        assert [i for i in news(again) if isinstance(i, CardDrawn)] == []
        assert all(i.end == len(item.raw) for i in again)


@every_shoe
def test_a_driver_shows_what_its_capabilities_claim(name: str) -> None:
    can = fresh(name).capabilities
    items = fed(fresh(name), [capture_of(name).stream])
    reports = news(items)
    drawn = [r for r in reports if isinstance(r, CardDrawn)]
    assert drawn
    shown = {
        "has_side": any(r.target in (Target.PLAYER, Target.BANKER) for r in drawn),
        "has_slot": any(r.index is not None for r in drawn),
        "has_seq": any(isinstance(i, Decoded) and i.seq is not None for i in items),
        "has_result": any(isinstance(r, ResultReported) for r in reports),
        "has_lock": any(isinstance(r, LockChanged) for r in reports),
        "has_fault_clear": any(isinstance(r, FaultCleared) for r in reports),
        "repeats_frames": any(isinstance(i, Duplicate) for i in items),
    }
    assert shown == {claim: getattr(can, claim) for claim in shown}
    if not can.repeats_frames:
        assert not any(isinstance(r, CardRepeated) for r in reports)


@pytest.mark.req("REC-3")
@every_shoe
def test_a_driver_with_default_settings_acknowledges_only_what_needs_it(name: str) -> None:
    decoder = decoder_for(name, {})
    answers = {decoder.acknowledgement(item) for item in fed(decoder, [capture_of(name).stream])}
    assert (answers != {b""}) == decoder.capabilities.needs_ack


@every_shoe
def test_a_driver_says_who_it_is(name: str) -> None:
    decoder = fresh(name)
    assert decoder.name == name
    assert decoder.version


def test_every_capture_belongs_to_a_driver() -> None:
    assert {path.stem for path in CAPTURES.glob("*.json")} == set(SHOES)
