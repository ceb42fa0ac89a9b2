# SPDX-License-Identifier: Apache-2.0
"""Cutting frames out of bytes, whatever they mean."""

from hypothesis import given
from hypothesis import strategies as st

from drivers.framing import Frame, Framer, Layout, Scrap, xor_of

LAYOUT = Layout(
    starts=b"\x05\x02",
    end=3,
    check_length=2,
    longest=16,
    alone=b"\x06",
    pairs={0x15: b"\x02\x03\xff"},
)


def cut(*chunks: bytes) -> list[tuple[str, bytes, int]]:
    framer = Framer(LAYOUT)
    return [
        ("frame" if isinstance(piece, Frame) else piece.reason, piece.raw, piece.end)
        for chunk in chunks
        for piece in framer.feed(chunk)
    ]


def test_frames_in_one_chunk_are_told_apart() -> None:
    assert cut(b"\x05ab\x0312\x02c\x0334\x06") == [
        ("frame", b"\x05ab\x0312", 6),
        ("frame", b"\x02c\x0334", 11),
        ("frame", b"\x06", 12),
    ]


def test_a_pair_is_one_frame_even_if_its_second_byte_opens_or_ends_one() -> None:
    assert cut(b"\x15", b"\x02\x15\x03\x15\xff") == [
        ("frame", b"\x15\x02", 2),
        ("frame", b"\x15\x03", 4),
        ("frame", b"\x15\xff", 6),
    ]


def test_a_lead_without_its_second_byte_is_noise() -> None:
    assert cut(b"\x15\x05a\x0312\x15z\x06") == [
        ("noise", b"\x15", 1),
        ("frame", b"\x05a\x0312", 6),
        ("noise", b"\x15z", 8),
        ("frame", b"\x06", 9),
    ]


def test_a_start_in_mid_frame_ends_what_was_held() -> None:
    assert cut(b"\x05ab\x05cd\x03\x05ef\x031\x05gh\x0312") == [
        ("no_end", b"\x05ab", 3),
        ("checksum", b"\x05cd\x03", 7),
        ("checksum", b"\x05ef\x031", 12),
        ("frame", b"\x05gh\x0312", 18),
    ]


def test_a_frame_without_end_is_given_up() -> None:
    assert cut(b"\x05" + b"a" * 20 + b"\x06") == [
        ("overlong", b"\x05" + b"a" * 15, 16),
        ("noise", b"a" * 5, 21),
        ("frame", b"\x06", 22),
    ]


def test_noise_for_ever_is_told_in_portions() -> None:
    assert cut(b"x" * 40) == [("noise", b"x" * 16, 16), ("noise", b"x" * 16, 32)]


def test_a_reset_drops_what_is_held_and_counts_anew() -> None:
    framer = Framer(LAYOUT)
    assert framer.feed(b"\x05ab") == []
    framer.reset()
    assert framer.feed(b"\x03\x05c\x0312") == [Scrap("noise", b"\x03", 1), Frame(b"\x05c\x0312", 6)]


@given(st.lists(st.binary(max_size=8) | st.sampled_from([b"\x05", b"\x15", b"\x03", b"\x06"])))
def test_every_byte_ends_up_in_one_piece_in_order(chunks: list[bytes]) -> None:
    stream = b"".join(chunks)
    framer = Framer(LAYOUT)
    pieces = [piece for chunk in chunks for piece in framer.feed(chunk)]
    pieces += framer.feed(b"\x06")
    assert b"".join(piece.raw for piece in pieces) == stream + b"\x06"
    assert pieces[-1].end == len(stream) + 1
    assert Framer(LAYOUT).feed(stream + b"\x06") == pieces


@given(st.binary(), st.binary())
def test_the_exclusive_or_of_two_halves_is_that_of_the_whole(one: bytes, two: bytes) -> None:
    assert xor_of(one) ^ xor_of(two) == xor_of(one + two)
