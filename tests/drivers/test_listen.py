# SPDX-License-Identifier: Apache-2.0
"""Listening to a line: what a person reads, and what is named as wrong."""

import random
import termios
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest

from drivers.endpoint import SerialEndpoint, parse_endpoint
from drivers.listen import Listening, Tally, diagnose, probe_baud, words_of
from drivers.registry import decoder_for
from drivers.transport import LineError, LineFault, line_to
from studio.game.cards import Card
from studio.game.inputs import CardDrawn, CutCardDrawn, FaultKind, FaultReported, Target
from tests.drivers.frames import card, report, shoe
from tests.drivers.lines import Plug, SpokenTo

AT = datetime(2026, 11, 29, 23, 59, 59, 123456, tzinfo=UTC)
SERIAL, TCP = "serial:/dev/ttyUSB0", "tcp:10.0.0.7:4001"


def heard(*chunks: bytes, endpoint: str = SERIAL, **settings: object) -> tuple[list[str], Tally]:
    """What is printed and counted for these bytes, without a line."""
    listening = Listening(
        line_to(parse_endpoint(endpoint)), decoder_for("angel_eye_iiex", settings)
    )
    lines = [text for chunk in chunks for text in listening.hear(chunk, AT)]
    return lines, listening.tally


def diagnosis(*chunks: bytes, endpoint: str = SERIAL, **settings: object) -> str:
    return "\n".join(diagnose(heard(*chunks, endpoint=endpoint, **settings)[1], 30))


def test_a_line_shows_hex_fields_check_and_report() -> None:
    lines, _ = heard(card("1", "8S") + card("1", "8S"), card("3", "9S")[:-1] + b"!")
    frame = "23:59:59.123 05314481b8033446 ENQ 1 D 81 b8 ETX 4F ok"
    bad = "23:59:59.123 05334481b9033421 ENQ 3 D 81 b9 ETX 4! wrong"
    assert [" ".join(line.split()) for line in lines] == [
        f"{frame} card drawn: card 8S, target player, index 1",
        f"{frame} repeat",
        f"{bad} frame rejected: reason checksum",
    ]


def test_words_leave_out_what_is_usual() -> None:
    assert words_of(CutCardDrawn()) == "cut card drawn"
    assert words_of(CardDrawn(Card("8S"), Target.BURN)) == "card drawn: card 8S, target burn"
    assert words_of(CardDrawn(Card("8S"), in_game=False)) == "card drawn: card 8S, in_game no"
    assert (
        words_of(FaultReported(FaultKind.NO_READ, 1, latched=True))
        == "fault reported: kind no_read, code 1, latched yes"
    )


def test_silence_is_named() -> None:
    assert diagnosis().startswith("Connected but silent: nothing came in 30 s.")
    assert "device server" not in diagnosis()
    assert "says nothing about the shoe behind it" in diagnosis(endpoint=TCP)


def test_bytes_without_a_frame_point_at_the_baud_rate_and_where_to_set_it() -> None:
    noise = random.Random(7).randbytes(500)
    assert "suspect the baud rate" in diagnosis(noise)
    assert "serial:/dev/ttyUSB0?baud=9600" in diagnosis(noise)
    behind = diagnosis(noise, endpoint=TCP)
    assert "suspect the baud rate" in behind
    assert "in the device server, on its page for the serial port, not here" in behind


def test_a_wrong_check_scope_is_named_with_the_setting() -> None:
    frames = [report(str(n), "P", with_enq=True) for n in range(10)]
    assert 'Set report_check = "include_start"' in diagnosis(*frames)
    text = diagnosis(*shoe("8S", "9S"), report_check="include_start")
    assert 'Set report_check = "exclude_start"' in text


def test_seven_data_bits_are_named() -> None:
    stripped = [bytes(b & 0x7F for b in card(str(n), "8S")) for n in range(10)]
    assert "passes 7 data bits" in diagnosis(*stripped)
    assert "Set 8 data bits" in diagnosis(*stripped, endpoint=TCP)


def test_three_of_each_report_are_normal() -> None:
    text = diagnosis(*[frame * 3 for frame in shoe("8S", "9S", "TS")])
    assert "Each report comes about 3 times. That is normal" in text
    assert "3 reports, 6 repeats, 0 rejected, 0 gaps" in text


def test_a_strange_sequence_is_named() -> None:
    text = diagnosis(*[card(letter, "8S") for letter in "ABC"])
    assert "seen were also B, C. Set sequence" in text


def test_lost_reports_and_noise_are_named() -> None:
    bad = card("2", "8S")[:-1] + b"!"
    text = diagnosis(card("1", "8S"), bad, card("3", "8S"), bad)
    assert "1 gaps in the sequence" in text
    assert "line noise" in text


def test_a_good_line_has_nothing_but_its_counts() -> None:
    assert diagnosis(*shoe("8S", "9S", "TS")).startswith("The shoe is heard: 3 reports")


@pytest.mark.parametrize("reason", list(LineFault))
def test_every_reason_for_no_line_is_told(reason: LineFault) -> None:
    tally = Tally(SERIAL, trouble=LineError(reason, "the system's words"))
    (text,) = diagnose(tally, 1)
    assert text.startswith(f"No line ({reason.value}): the system's words")


def test_a_line_lost_while_listening_is_told_with_what_was_heard(tmp_path: Path) -> None:
    recorded: list[bytes] = []
    with Plug(tmp_path) as plug:
        listening = Listening(
            SpokenTo(plug, card("1", "8S")),
            decoder_for("angel_eye_iiex", {}),
            record=recorded.append,
        )
        lines = listening.lines()
        assert "card drawn" in next(lines)
        plug.pull_out()
        assert list(lines) == []
    texts = diagnose(listening.tally, 3)
    assert texts[0].startswith("No line (unplugged)")
    assert texts[-1].startswith("The shoe is heard: 1 reports")
    assert b"".join(recorded) == card("1", "8S")


def test_listening_ends_when_its_time_is_over(tmp_path: Path) -> None:
    with Plug(tmp_path) as plug:
        listening = Listening(
            line_to(SerialEndpoint(str(plug.path))), decoder_for("angel_eye_iiex", {})
        )
        assert list(listening.lines(0)) == []
    assert diagnose(listening.tally, 0)[0].startswith("Connected but silent")


@pytest.mark.parametrize("speaks,found", [(9600, 9600), (4800, 4800), (2400, None)])
def test_a_baud_rate_is_found_by_sound_frames(
    tmp_path: Path, speaks: int, found: int | None
) -> None:
    speeds = {termios.B4800: 4800, termios.B9600: 9600}
    stopped = threading.Event()
    with Plug(tmp_path) as plug:

        def speak() -> None:
            seq = 0
            while not stopped.wait(0.005):
                seq = (seq + 1) % 10
                is_right = speeds.get(plug.speed()) == speaks
                plug.push(card(str(seq), "8S") if is_right else b"\x00\x9c\xe0\x05\xfc")

        speaker = threading.Thread(target=speak)
        speaker.start()
        try:
            baud = probe_baud(
                SerialEndpoint(str(plug.path)),
                lambda: decoder_for("angel_eye_iiex", {}),
                seconds_each=1.0 if found else 0.1,
            )
        finally:
            stopped.set()
            speaker.join()
    assert baud == found
