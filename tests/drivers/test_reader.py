# SPDX-License-Identifier: Apache-2.0
"""The reader on real lines: a pseudo-terminal and TCP sockets."""

import os
from pathlib import Path

import pytest

from drivers.rawlog import RawLog
from studio.game.cards import Card
from studio.game.inputs import (
    CardDrawn,
    CardRepeated,
    FrameRejected,
    LineLost,
    LineUp,
    SequenceGap,
    Target,
)
from tests.drivers.frames import card, shoe
from tests.drivers.lines import DeviceServer, Plug
from tests.drivers.watching import Watched
from tests.waiting import until


def test_a_card_on_the_line_is_delivered_with_the_place_of_its_bytes(tmp_path: Path) -> None:
    first, second = card("1", "8S", "player", 1), card("2", "TH", "banker", 1)
    with Plug(tmp_path) as plug, Watched(f"serial:{plug.path}", tmp_path / "raw") as watched:
        watched.wait_up()
        plug.push(first)
        plug.push(second)
        watched.wait_for(CardDrawn, 2)
    up, one, two = watched.got
    assert isinstance(up.report, LineUp)
    assert one.report == CardDrawn(Card("8S"), Target.PLAYER, 1)
    assert [got.origin.ordinal for got in watched.got] == [1, 2, 3]
    assert [got.origin.offset for got in watched.got] == [0, 8, 16]
    assert two.origin.raw == second.hex()
    assert (one.origin.seq, two.origin.seq) == ("1", "2")
    assert {got.origin.session for got in watched.got} == {up.origin.session}
    assert one.origin.device == "shoe-1"


def test_bytes_are_in_the_raw_log_before_their_report_is_delivered(tmp_path: Path) -> None:
    logged: list[bytes] = []
    with Plug(tmp_path) as plug:
        watched = Watched(f"serial:{plug.path}", tmp_path / "raw")
        other = RawLog(tmp_path / "raw")
        watched.reader._deliver = lambda reported: (
            logged.append(other.bytes_of(reported.origin.session)),
            watched.got.append(reported),
        )[0]
        with watched:
            watched.wait_up()
            plug.push(card("1", "8S"))
            watched.wait_for(CardDrawn)
    assert logged == [b"", card("1", "8S")]


def test_a_cable_out_in_mid_frame_and_in_again_starts_a_new_session(tmp_path: Path) -> None:
    with Plug(tmp_path) as plug, Watched(f"serial:{plug.path}", tmp_path / "raw") as watched:
        watched.wait_up()
        plug.push(card("1", "8S") + card("2", "9S")[:5])
        watched.wait_bytes(13)
        plug.pull_out()
        watched.wait_for(LineLost)
        assert not watched.reader.health.is_up
        plug.plug_in()
        watched.wait_up(2)
        plug.push(card("2", "9S") + card("3", "9H"))
        watched.wait_for(CardDrawn, 3)
    assert watched.of(SequenceGap) == []
    assert [report.card.value for report in watched.of(CardDrawn)] == ["8S", "9S", "9H"]
    lost = watched.of(LineLost)[0]
    assert lost.reason == "unplugged"
    assert len({got.origin.session for got in watched.got}) == 2


def test_a_repeat_that_straddles_a_reconnect_is_no_new_card(tmp_path: Path) -> None:
    with Plug(tmp_path) as plug, Watched(f"serial:{plug.path}", tmp_path / "raw") as watched:
        watched.wait_up()
        plug.push(card("1", "8S"))
        watched.wait_for(CardDrawn)
        plug.pull_out()
        watched.wait_for(LineLost)
        plug.plug_in()
        watched.wait_up(2)
        plug.push(card("1", "8S") * 2 + card("2", "8S", index=2))
        watched.wait_for(CardDrawn, 2)
        assert watched.of(CardRepeated) == [CardRepeated(Card("8S"), Target.PLAYER, 1)]
        assert watched.of(SequenceGap) == []
        assert watched.reader.health.duplicates == 1


def test_a_card_lost_during_a_reconnect_shows_as_a_gap_before_the_next(tmp_path: Path) -> None:
    with Plug(tmp_path) as plug, Watched(f"serial:{plug.path}", tmp_path / "raw") as watched:
        watched.wait_up()
        plug.push(card("1", "8S"))
        watched.wait_for(CardDrawn)
        plug.pull_out()
        watched.wait_for(LineLost)
        plug.plug_in()
        watched.wait_up(2)
        plug.push(card("3", "9H"))
        watched.wait_for(CardDrawn, 2)
    gap, drawn = watched.reports[-2:]
    assert gap == SequenceGap("2", "3")
    assert isinstance(drawn, CardDrawn)


def test_a_missing_line_is_told_once_and_tried_for_ever(tmp_path: Path) -> None:
    with Watched(f"serial:{tmp_path}/shoe", tmp_path / "raw") as watched:
        until(lambda: watched.reader.health.attempt >= 5)
        lost = watched.of(LineLost)
        assert [report.reason for report in lost] == ["missing"]
        assert "missing" in (watched.reader.health.trouble or "")
        with Plug(tmp_path) as plug:
            watched.wait_up()
            plug.push(card("1", "8S"))
            watched.wait_for(CardDrawn)
    assert len({got.origin.session for got in watched.got}) == 1


def test_a_line_that_is_up_is_told_from_a_shoe_that_is_heard(tmp_path: Path) -> None:
    with Plug(tmp_path) as plug, Watched(f"serial:{plug.path}", tmp_path / "raw") as watched:
        watched.wait_up()
        until(lambda: watched.reader.health.is_up)
        assert watched.reader.health.shoe_heard_at is None
        plug.push(b"\x06\x15\x02\xff\xff\xff\xff\xff")
        watched.wait_bytes(8)
        assert watched.reader.health.shoe_heard_at is None
        plug.push(card("1", "8S"))
        until(lambda: watched.reader.health.shoe_heard_at is not None)
        health = watched.reader.health
    assert (health.bytes, health.frames, health.rejected) == (16, 1, 1)


def test_a_flood_of_garbage_is_counted_and_not_delivered(tmp_path: Path) -> None:
    bad = card("1", "8S")[:-1] + b"!"
    with Plug(tmp_path) as plug, Watched(f"serial:{plug.path}", tmp_path / "raw") as watched:
        watched.wait_up()
        plug.push(bad * 1000)
        plug.push(card("1", "8S") + bad)
        watched.wait_for(CardDrawn)
        until(lambda: watched.reader.health.rejected == 1001)
    assert len(watched.of(FrameRejected)) == 10 + 1
    assert [got.origin.ordinal for got in watched.got] == list(range(1, len(watched.got) + 1))


def test_sound_frames_with_a_field_out_of_range_are_each_delivered(tmp_path: Path) -> None:
    with Plug(tmp_path) as plug, Watched(f"serial:{plug.path}", tmp_path / "raw") as watched:
        watched.wait_up()
        plug.push(b"".join(card(str(n), "8S", index=9) for n in range(1, 8)))
        watched.wait_for(FrameRejected, 7)


def test_a_flood_of_sound_frames_loses_none(tmp_path: Path) -> None:
    codes = ["8S", "9H", "TC", "KD"] * 500
    with Plug(tmp_path) as plug, Watched(f"serial:{plug.path}", tmp_path / "raw") as watched:
        watched.wait_up()
        for frame in shoe(*codes):
            plug.push(frame * 3)
        watched.wait_for(CardDrawn, len(codes))
        until(lambda: watched.reader.health.duplicates == 2 * len(codes))
    assert [report.card.value for report in watched.of(CardDrawn)] == codes


@pytest.mark.parametrize("way", ["end", "reset"])
def test_a_device_server_that_ends_the_session_is_reached_again(tmp_path: Path, way: str) -> None:
    with (
        DeviceServer() as server,
        Watched(f"tcp:127.0.0.1:{server.port}", tmp_path / "raw") as watched,
    ):
        server.accept()
        server.push(card("1", "8S"))
        watched.wait_for(CardDrawn)
        getattr(server, way)()
        watched.wait_up(2)
        server.accept()
        server.push(card("2", "8S", index=2))
        watched.wait_for(CardDrawn, 2)
    assert [report.reason for report in watched.of(LineLost)] == ["closed"]
    assert [report.attempt for report in watched.of(LineUp)] == [1, 1]
    assert watched.of(SequenceGap) == []


def test_a_server_that_closes_at_once_is_not_hammered(tmp_path: Path) -> None:
    with (
        DeviceServer() as server,
        Watched(f"tcp:127.0.0.1:{server.port}", tmp_path / "raw") as watched,
    ):
        for _ in range(3):
            server.accept()
            server.end()
        watched.wait_for(LineLost, 3)
        assert [report.attempt for report in watched.of(LineUp)[:3]] == [1, 2, 3]


def test_reports_are_acknowledged_only_if_the_settings_say_so(tmp_path: Path) -> None:
    with (
        Plug(tmp_path) as plug,
        Watched(f"serial:{plug.path}", tmp_path / "raw", ack_reports=True) as watched,
    ):
        watched.wait_up()
        plug.push(card("1", "8S") + card("3", "9S") * 2)
        assert plug.sent(3) == b"\x06\x06\x06"


@pytest.mark.req("REC-3")
def test_a_reader_by_default_sends_nothing_to_the_shoe(tmp_path: Path) -> None:
    with (
        DeviceServer() as server,
        Watched(f"tcp:127.0.0.1:{server.port}", tmp_path / "raw") as watched,
    ):
        server.accept()
        server.push(b"".join(shoe("8S", "9S", "TS")) + b"garbage\x05")
        watched.wait_for(CardDrawn, 3)
        watched.reader.stop()
        assert server._session is not None
        assert server._session.recv(100) == b""


def test_a_full_disk_ends_the_reader_and_is_told(tmp_path: Path) -> None:
    with Plug(tmp_path) as plug:
        watched = Watched(f"serial:{plug.path}", tmp_path / "raw")
        with watched:
            watched.wait_up()
            full = os.open("/dev/full", os.O_WRONLY)
            own = watched.rawlog._descriptor
            assert own is not None
            os.dup2(full, own)
            os.close(full)
            plug.push(card("1", "8S"))
            until(lambda: watched.failures)
        assert "No space left" in str(watched.failures[0])
        assert watched.of(CardDrawn) == []
        assert not watched.reader.health.is_up


def test_an_inbox_that_fails_ends_the_reader_and_is_told(tmp_path: Path) -> None:
    def full(_: object) -> None:
        raise OverflowError("the inbox is full")

    with Plug(tmp_path) as plug:
        watched = Watched(f"serial:{plug.path}", tmp_path / "raw")
        watched.reader._deliver = full
        with watched:
            until(lambda: watched.failures)
    assert "the inbox is full" in str(watched.failures[0])


def test_a_reader_that_was_never_started_can_be_stopped(tmp_path: Path) -> None:
    Watched(f"serial:{tmp_path}/shoe", tmp_path / "raw").reader.stop()
