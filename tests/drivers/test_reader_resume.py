# SPDX-License-Identifier: Apache-2.0
"""What a restart finds in the raw log: the reports that a killed service had not stored."""

import itertools
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.endpoint import parse_endpoint
from drivers.rawlog import RawLog
from drivers.reader import Reader
from drivers.registry import decoder_for
from drivers.transport import line_to
from studio.game.cards import Card
from studio.game.inputs import (
    CardDrawn,
    CardRepeated,
    LineLost,
    LineUp,
    Reported,
    SequenceGap,
    Target,
)
from tests.drivers.frames import card
from tests.drivers.lines import Plug
from tests.drivers.watching import Watched

AT = datetime(2026, 11, 29, 23, 59, 59, 123456, tzinfo=UTC)
UP = LineUp("tcp:shoe:4001", 1)
LOST = LineLost("tcp:shoe:4001", "closed", "über")


def restarted(folder: Path) -> Reader:
    return Reader(
        line_to(parse_endpoint("tcp:127.0.0.1:9")),
        decoder_for("angel_eye_iiex", {}),
        RawLog(folder),
        lambda _: None,
        lambda _: None,
        device="shoe-1",
    )


def write(folder: Path, session: str, *what: bytes | LineUp | LineLost) -> None:
    log = RawLog(folder)
    log.begin(session, AT)
    for item in what:
        if isinstance(item, bytes):
            log.chunk(item, AT)
        else:
            log.note(item, AT)
    log.close()


def cards_of(reports: list[Reported]) -> list[str]:
    return [got.report.card.value for got in reports if isinstance(got.report, CardDrawn)]


@pytest.mark.req("DUR-14")
def test_a_restart_finds_the_same_reports_that_were_delivered(tmp_path: Path) -> None:
    with Plug(tmp_path) as plug, Watched(f"serial:{plug.path}", tmp_path / "raw") as watched:
        watched.wait_up()
        plug.push(card("1", "8S") * 3 + b"\xff\x05" + card("3", "9S"))
        watched.wait_for(CardDrawn, 2)
        plug.pull_out()
        watched.wait_for(LineLost)
        plug.plug_in()
        watched.wait_up(2)
        plug.push(card("3", "9S") + card("4", "TS"))
        watched.wait_for(CardDrawn, 3)
    first = watched.got[0].origin.session
    for stored in range(len(watched.got) + 1):
        last = watched.got[stored - 1].origin if stored else None
        session, ordinal = (last.session, last.ordinal) if last else (first, 0)
        assert restarted(tmp_path / "raw").resume(session, ordinal) == watched.got[stored:]


def test_a_gap_that_was_stored_does_not_swallow_the_card_behind_it(tmp_path: Path) -> None:
    write(tmp_path, "a", UP, card("1", "8S") + card("3", "9S"))
    (drawn,) = restarted(tmp_path).resume("a", 3)
    assert drawn.report == CardDrawn(Card("9S"), Target.PLAYER, 1)
    assert (drawn.origin.ordinal, drawn.origin.offset, drawn.origin.heard_at) == (4, 16, AT)


def test_sessions_after_the_last_stored_one_are_found_too(tmp_path: Path) -> None:
    write(tmp_path, "a", UP, card("1", "8S"), LOST)
    write(tmp_path, "b", UP, card("2", "9S"))
    found = restarted(tmp_path).resume("a", 2)
    assert [got.report for got in found] == [LOST, UP, CardDrawn(Card("9S"), Target.PLAYER, 1)]
    assert [(got.origin.session, got.origin.ordinal) for got in found] == [
        ("a", 3),
        ("b", 1),
        ("b", 2),
    ]


def test_the_session_before_tells_what_a_first_report_means(tmp_path: Path) -> None:
    write(tmp_path, "a", UP, card("1", "8S"), LOST)
    write(tmp_path, "b", UP, card("1", "8S"), card("4", "9S"))
    found = restarted(tmp_path).resume("b", 0)
    assert [type(got.report) for got in found] == [LineUp, CardRepeated, SequenceGap, CardDrawn]


def test_a_frame_cut_off_by_the_kill_is_not_joined_to_the_next_session(tmp_path: Path) -> None:
    write(tmp_path, "a", UP, card("1", "8S"), card("2", "9S")[:4])
    write(tmp_path, "b", UP, card("2", "9S")[4:])
    assert cards_of(restarted(tmp_path).resume("a", 0)) == ["8S"]


def test_an_unknown_session_gives_nothing_but_the_decoder_still_knows_the_shoe(
    tmp_path: Path,
) -> None:
    write(tmp_path, "a", UP, card("1", "8S"))
    reader = restarted(tmp_path)
    assert reader.resume("gone", 7) == []
    reader._decoder.reopened()
    (again,) = reader._decoder.feed(card("1", "8S"))
    assert isinstance(getattr(again, "report", None), CardRepeated)


def test_only_the_end_of_a_long_past_is_heard_again(tmp_path: Path) -> None:
    write(tmp_path, "a", UP, card("5", "KD"))
    write(tmp_path, "b", UP, b"".join(card(str(n % 10), "8S") for n in range(1, 602)))
    write(tmp_path, "c", UP, card("2", "9S"))
    found = restarted(tmp_path).resume("c", 1)
    assert [got.report for got in found] == [CardDrawn(Card("9S"), Target.PLAYER, 1)]


def test_a_reader_goes_on_from_the_raw_log_even_if_nothing_was_resumed(tmp_path: Path) -> None:
    write(tmp_path / "raw", "a", UP, card("1", "8S"))
    with Plug(tmp_path) as plug, Watched(f"serial:{plug.path}", tmp_path / "raw") as watched:
        watched.wait_up()
        plug.push(card("1", "8S") + card("2", "9S"))
        watched.wait_for(CardDrawn)
    assert [type(report) for report in watched.reports] == [LineUp, CardRepeated, CardDrawn]


@given(cuts=st.sets(st.integers(1, 60)), bad=st.sets(st.integers(0, 5)))
def test_however_the_bytes_came_a_restart_numbers_them_alike(
    tmp_path_factory: pytest.TempPathFactory, cuts: set[int], bad: set[int]
) -> None:
    frames = [card(str(n), "8S") for n in range(1, 8)]
    stream = b"".join(frame[:-1] + b"!" if n in bad else frame for n, frame in enumerate(frames))
    edges = [0, *sorted(cut for cut in cuts if cut < len(stream)), len(stream)]
    pieces = [stream[a:b] for a, b in itertools.pairwise(edges)]
    one, many = tmp_path_factory.mktemp("one"), tmp_path_factory.mktemp("many")
    write(one, "a", UP, stream)
    write(many, "a", UP, *pieces)
    assert restarted(one).resume("a", 0) == restarted(many).resume("a", 0)
