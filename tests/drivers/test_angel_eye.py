# SPDX-License-Identifier: Apache-2.0
"""The Angel Eye II-EX decoder: sequence, repeats, checks, fields, settings."""

import pytest

from drivers.angel_eye_iiex import AngelEyeIIEX
from drivers.base import Decoded, Duplicate
from drivers.registry import decoder_for
from studio.game.cards import Card
from studio.game.inputs import (
    CardDrawn,
    CardRepeated,
    CardUnreadable,
    CommandAnswered,
    FaultKind,
    FaultReported,
    FrameRejected,
    Report,
    ResultReported,
    SequenceGap,
    ShoeStandby,
    ShoeStarted,
    Target,
    UnknownReport,
)
from tests.drivers.frames import RANKS, SUITS, card, face, report


def shoe(**settings: object) -> AngelEyeIIEX:
    decoder = decoder_for("angel_eye_iiex", settings)
    assert isinstance(decoder, AngelEyeIIEX)
    return decoder


def said(decoder: AngelEyeIIEX, *frames: bytes) -> list[Report | str]:
    return [
        item.report if isinstance(item, Decoded) else "repeat"
        for frame in frames
        for item in decoder.feed(frame)
    ]


def drawn(code: str, target: Target = Target.PLAYER, index: int | None = 1) -> CardDrawn:
    return CardDrawn(Card(code), target, index)


EIGHT = drawn("8S")
GAP_2_3 = SequenceGap("2", "3")


# --- sequence and repeats ------------------------------------------------------------------------


@pytest.mark.parametrize("times", [1, 2, 3, 5])
def test_a_report_counts_once_however_often_it_is_sent(times: int) -> None:
    got = said(shoe(), *[card("1", "8S")] * times, *[card("2", "9S", "banker")] * times)
    again = ["repeat"] * (times - 1)
    assert got == [EIGHT, *again, drawn("9S", Target.BANKER), *again]


def test_equal_neighbours_are_two_cards() -> None:
    assert said(shoe(), card("1", "8S"), card("2", "8S")) == [EIGHT, EIGHT]


def test_after_nine_comes_nought() -> None:
    assert said(shoe(), card("9", "8S"), card("0", "8S")) == [EIGHT, EIGHT]


def test_a_gap_comes_before_the_report_that_shows_it_with_the_same_bytes() -> None:
    decoder = shoe()
    decoder.feed(card("1", "8S"))
    gap, found = decoder.feed(card("3", "8S"))
    assert isinstance(gap, Decoded)
    assert isinstance(found, Decoded)
    assert (gap.report, found.report) == (GAP_2_3, EIGHT)
    assert (gap.raw, gap.end) == (found.raw, found.end) == (card("3", "8S"), 16)


def test_a_report_lost_to_a_wrong_check_shows_as_a_gap() -> None:
    got = said(shoe(), card("1", "8S"), card("2", "9S")[:-1] + b"!", card("3", "TS"))
    assert got == [EIGHT, FrameRejected("checksum"), GAP_2_3, drawn("TS")]


def test_a_sequence_that_is_stuck_is_a_gap_and_no_card_is_lost() -> None:
    got = said(shoe(), card("1", "8S"), card("1", "9S", "banker"), card("1", "8S"))
    stuck = SequenceGap("2", "1")
    assert got == [EIGHT, stuck, drawn("9S", Target.BANKER), stuck, EIGHT]


def test_the_first_report_heard_shows_no_gap() -> None:
    assert said(shoe(), card("7", "8S")) == [EIGHT]


def test_a_start_of_the_shoe_begins_a_new_sequence() -> None:
    got = said(shoe(), card("7", "8S"), report("1", "S"), report("1", "S"), report("2", "P"))
    assert got == [EIGHT, ShoeStarted(), "repeat", ShoeStandby()]


def test_letters_are_a_sequence_if_the_settings_say_so() -> None:
    decoder = shoe(sequence="ABC")
    assert said(decoder, card("B", "8S"), card("C", "8S"), card("A", "8S")) == [EIGHT] * 3
    assert said(decoder, card("C", "8S")) == [SequenceGap("B", "C"), EIGHT]


def test_characters_outside_the_sequence_are_gaps_and_no_card_is_lost() -> None:
    got = said(shoe(), card("9", "8S"), card("A", "8S"), card("B", "8S"), card("0", "8S"))
    gaps = [SequenceGap("0", "A"), SequenceGap("?", "B"), SequenceGap("?", "0")]
    assert got == [EIGHT, gaps[0], EIGHT, gaps[1], EIGHT, gaps[2], EIGHT]


def test_an_empty_sequence_switches_gaps_off_and_repeats_are_still_told() -> None:
    decoder = shoe(sequence="")
    got = said(decoder, card("1", "8S"), card("7", "8S"), card("7", "8S"), card("x", "8S"))
    assert got == [EIGHT, EIGHT, "repeat", EIGHT]


@pytest.mark.parametrize(
    "key,second,third",
    [("seq", "repeat", "repeat"), ("seq_type", "repeat", ResultReported(None))],
)
def test_what_makes_a_repeat_is_a_setting(key: str, second: object, third: object) -> None:
    decoder = shoe(duplicate_key=key)
    got = said(decoder, card("1", "8S"), card("1", "9S"), report("1", "G", b"\xf0"))
    assert [item for item in got if not isinstance(item, SequenceGap)] == [EIGHT, second, third]


# --- R -------------------------------------------------------------------------------------------


def test_r_with_the_next_number_is_evidence_and_takes_its_place_in_the_sequence() -> None:
    got = said(shoe(), card("1", "8S"), card("2", "8S", kind="R"), card("3", "9S"))
    assert got == [EIGHT, CardRepeated(Card("8S"), Target.PLAYER, 1), drawn("9S")]


def test_r_with_the_number_of_its_card_leaves_the_sequence_alone() -> None:
    again = card("1", "8S", kind="R")
    got = said(shoe(), card("1", "8S"), again, again, card("1", "8S"), card("2", "9S"))
    evidence = CardRepeated(Card("8S"), Target.PLAYER, 1)
    assert got == [EIGHT, evidence, "repeat", "repeat", drawn("9S")]


def test_r_is_heard_again_when_its_number_comes_round() -> None:
    decoder = shoe(sequence="12")
    again = card("1", "8S", kind="R")
    got = said(decoder, card("1", "8S"), again, card("2", "9S"), card("1", "8S"), again)
    evidence = CardRepeated(Card("8S"), Target.PLAYER, 1)
    assert got == [EIGHT, evidence, drawn("9S"), EIGHT, evidence]


def test_r_of_another_card_is_evidence_too() -> None:
    got = said(shoe(), card("1", "8S"), card("2", "KH", "banker", 2, kind="R"))
    assert got[1] == CardRepeated(Card("KH"), Target.BANKER, 2)


# --- reopening -----------------------------------------------------------------------------------


def reopened(*frames: bytes) -> AngelEyeIIEX:
    decoder = shoe()
    said(decoder, *frames)
    decoder.reopened()
    return decoder


def test_the_last_card_heard_again_after_reopening_is_evidence_once() -> None:
    decoder = reopened(card("1", "8S"))
    got = said(decoder, card("1", "8S"), card("1", "8S"), card("2", "8S"))
    assert got == [CardRepeated(Card("8S"), Target.PLAYER, 1), "repeat", EIGHT]


def test_an_unreadable_card_heard_again_after_reopening_is_evidence() -> None:
    blank = report("1", "D", b"\x92\x80")
    assert said(reopened(blank), blank) == [CardRepeated(None, Target.BANKER, 2)]


def test_other_reports_heard_again_after_reopening_are_repeats() -> None:
    assert said(reopened(report("1", "P")), report("1", "P")) == ["repeat"]
    again = card("1", "8S", kind="R")
    assert said(reopened(again), again) == ["repeat"]


def test_a_start_heard_again_after_reopening_is_a_start() -> None:
    decoder = reopened(report("0", "S"))
    assert said(decoder, report("0", "S"), report("0", "S")) == [ShoeStarted(), "repeat"]


def test_reopening_shows_what_was_lost_and_only_then() -> None:
    assert said(reopened(card("1", "8S")), card("2", "9S")) == [drawn("9S")]
    assert said(reopened(card("1", "8S")), card("3", "9S")) == [GAP_2_3, drawn("9S")]


def test_reopening_drops_an_unfinished_frame() -> None:
    decoder = reopened(card("1", "8S"), card("2", "9S")[:5])
    (item,) = decoder.feed(card("2", "9S"))
    assert isinstance(item, Decoded)
    assert (item.report, item.end) == (drawn("9S"), 8)


# --- checks --------------------------------------------------------------------------------------

WITH_ENQ = report("1", "D", b"\x81\xb8", with_enq=True)
WITHOUT = card("1", "8S")


@pytest.mark.parametrize(
    "scope,frame,is_good",
    [
        ("exclude_start", WITHOUT, True),
        ("exclude_start", WITH_ENQ, False),
        ("include_start", WITHOUT, False),
        ("include_start", WITH_ENQ, True),
        ("learn", WITHOUT, True),
        ("learn", WITH_ENQ, True),
    ],
)
def test_the_scope_of_the_check_is_a_setting(scope: str, frame: bytes, is_good: bool) -> None:
    decoder = shoe(report_check=scope)
    assert said(decoder, frame) == [EIGHT if is_good else FrameRejected("checksum")]
    assert decoder.explain(frame).check == ("ok" if is_good else "other_scope")


@pytest.mark.parametrize("first,second", [(WITHOUT, WITH_ENQ), (WITH_ENQ, WITHOUT)])
def test_learning_keeps_the_first_scope_that_fits(first: bytes, second: bytes) -> None:
    decoder = shoe(report_check="learn")
    wrong = first[:-1] + b"!"
    got = said(decoder, wrong, first, second)
    assert got == [FrameRejected("checksum"), EIGHT, FrameRejected("checksum")]


@pytest.mark.req("REC-5")
def test_no_flipped_bit_of_a_card_report_gives_a_card() -> None:
    frame = card("1", "8S")
    for place in range(len(frame)):
        for bit in range(8):
            bad = bytearray(frame)
            bad[place] ^= 1 << bit
            got = said(shoe(report_check="learn"), bytes(bad), report("2", "P"))
            assert not any(isinstance(item, CardDrawn) for item in got)
            assert got[-1] == ShoeStandby()


def test_a_check_in_small_letters_is_wrong() -> None:
    assert said(shoe(), card("1", "8S").replace(b"4F", b"4f")) == [FrameRejected("checksum")]


# --- fields --------------------------------------------------------------------------------------


def test_every_card_of_the_deck_is_read() -> None:
    decoder = shoe(sequence="")
    codes = [rank + suit for suit in SUITS for rank in RANKS]
    got = said(decoder, *[card(str(n % 10), code) for n, code in enumerate(codes)])
    assert got == [drawn(code) for code in codes]
    assert len(got) == 52


def test_every_card_byte_has_a_defined_answer() -> None:
    cards, blanks, wrong = set(), 0, 0
    for byte in set(range(256)) - {2, 3, 5, 6, 0x15}:
        (got,) = said(shoe(), report("1", "D", bytes((0x81, byte))))
        if isinstance(got, CardDrawn):
            cards.add(got.card)
        elif isinstance(got, CardUnreadable):
            blanks += 1
        else:
            assert got == FrameRejected("bad_field")
            wrong += 1
    assert len(cards) == 52
    assert blanks == 14 + 4
    assert wrong == 256 - 5 - 52 - 18


@pytest.mark.parametrize("kind", ["D", "R"])
def test_every_target_and_index_has_a_defined_answer(kind: str) -> None:
    good = {}
    for byte in range(0x80, 0x100):
        (got,) = said(shoe(), report("1", kind, bytes((byte, face("8S")))))
        if isinstance(got, CardDrawn | CardRepeated):
            good.setdefault(got.target, []).append(got.index)
        else:
            assert got == FrameRejected("bad_field")
    upto_ten = [None, *range(1, 11)]
    assert good == {
        Target.PLAYER: [1, 2, 3],
        Target.BANKER: [1, 2, 3],
        Target.BURN: upto_ten,
        Target.FIRST: upto_ten,
        Target.BURN_COUNT: upto_ten,
    }


@pytest.mark.req("SHOE-7")
def test_a_card_without_face_is_unreadable_and_keeps_its_place() -> None:
    got = said(shoe(), report("1", "D", b"\x93\x80"), report("2", "D", b"\xa1\xc0"))
    assert got == [
        CardUnreadable("no suit or no rank", Target.BANKER, 3),
        CardUnreadable("no suit or no rank", Target.BURN, 1),
    ]


def test_a_card_without_face_outside_a_game_says_so() -> None:
    (got,) = said(shoe(), report("1", "d", b"\xa0\x80"))
    assert isinstance(got, CardUnreadable)
    assert "setting mode" in got.detail


def test_every_error_code_has_a_kind() -> None:
    for code in range(64):
        (got,) = said(shoe(), report("1", "E", bytes((0x80 | code,))))
        assert isinstance(got, FaultReported)
        assert (got.code, got.latched) == (code, False)
        assert (got.kind is FaultKind.OTHER) == (code not in range(1, 8))


@pytest.mark.parametrize(
    "kind,payload",
    [
        ("D", b""),
        ("D", b"\x81"),
        ("D", b"\x81\xb8\xb8"),
        ("D", b"\x01\xb8"),
        ("D", b"\x81\x38"),
        ("d", b"\xb0\xb8"),
        ("G", b"\x80"),
        ("G", b"\x10"),
        ("E", b"\x41"),
        ("e", b"\x01"),
        ("L", b"\x01"),
        ("M", b"12345\x81"),
        ("M", b"12345\x1b"),
        ("S", b"\x80"),
        ("C", b"\x80"),
    ],
)
def test_a_field_out_of_range_is_rejected_and_keeps_the_sequence(kind: str, payload: bytes) -> None:
    frame = report("2", kind, payload)
    got = said(shoe(), card("1", "8S"), frame, frame, card("3", "8S"))
    assert got == [EIGHT, FrameRejected("bad_field"), "repeat", EIGHT]


def test_a_report_without_type_or_without_anything_is_rejected() -> None:
    got = said(shoe(), report("", ""), report("1", ""), report("2", "P"))
    assert got == [FrameRejected("bad_field"), FrameRejected("bad_field"), ShoeStandby()]


def test_an_unknown_type_is_told_by_its_letter_or_its_hex() -> None:
    got = said(shoe(), report("1", "X", b"\x99"), report("2", "\x7f"))
    assert got == [UnknownReport("X"), UnknownReport("7f")]


# --- answers, acknowledgement, explanation -------------------------------------------------------


def test_answers_between_reports_are_told_and_eat_nothing() -> None:
    got = said(shoe(), card("1", "8S") + b"\x15\x02" + card("2", "8S") + b"\x15\x03\x06")
    answers = [CommandAnswered("nak", "02"), CommandAnswered("nak", "03"), CommandAnswered("ok")]
    assert got == [EIGHT, answers[0], EIGHT, *answers[1:]]


def test_a_register_is_told_in_hex_with_either_scope_and_refused_with_neither() -> None:
    got = said(shoe(), b"\x021\x0332", b"\x021\x0330", b"\x021\x0331")
    data = CommandAnswered("data", "31")
    assert got == [data, data, FrameRejected("checksum")]


def test_only_sound_reports_are_acknowledged_and_each_once() -> None:
    decoder = shoe(ack_reports=True)
    stream = [
        card("1", "8S"),
        card("1", "8S"),
        card("3", "8S"),
        card("4", "8S", index=9),
        card("5", "8S")[:-1] + b"!",
        b"\x06",
        b"noise\x06",
    ]
    acks = [
        b"".join(decoder.acknowledgement(item) for item in decoder.feed(frame)) for frame in stream
    ]
    assert acks == [b"\x06", b"\x06", b"\x06", b"\x06", b"", b"", b""]


def test_an_explanation_lays_out_the_fields() -> None:
    decoder = shoe()
    assert decoder.explain(card("1", "8S")).fields == "ENQ 1 D 81 b8 ETX 4F"
    assert decoder.explain(card("1", "8S")).check == "ok"
    assert decoder.explain(card("1", "8S")[:-1] + b"\x00").fields == "ENQ 1 D 81 b8 ETX 400"
    assert decoder.explain(card("1", "8S")[:-1] + b"!").check == "wrong"
    assert decoder.explain(b"\x021\x0332").fields == "STX 31 ETX 32"
    assert decoder.explain(b"\x021\x0330").check == "ok"
    assert decoder.explain(b"\x15\x02").fields == "NAK 02"
    assert decoder.explain(b"\x00\xff\x03").fields == "00 ff ETX"
    assert decoder.explain(b"").check == "none"


def test_a_duplicate_carries_its_bytes() -> None:
    decoder = shoe()
    decoder.feed(card("1", "8S"))
    assert decoder.feed(card("1", "8S")) == [Duplicate(card("1", "8S"), 16)]
