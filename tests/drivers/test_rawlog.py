# SPDX-License-Identifier: Apache-2.0
"""The raw log on a real disk."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from drivers import rawlog
from drivers.rawlog import Entry, RawLog, RawLogLimits
from studio.game.inputs import LineLost, LineUp

AT = datetime(2026, 11, 29, 23, 59, 59, 123456, tzinfo=UTC)


def filled(folder: Path, count: int, **limits: float) -> RawLog:
    log = RawLog(folder, RawLogLimits(**limits))
    for number in range(count):
        log.begin(f"s{number}", AT)
        log.chunk(b"\x05" * 100, AT)
    log.close()
    return log


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    log = RawLog(tmp_path / "new" / "folder")
    log.begin("a", AT)
    log.note(LineUp("serial:/dev/ttyUSB0", 3), AT)
    log.chunk(b"\x05\x31", AT)
    log.chunk(b"\xff\n", AT)
    log.note(LineLost("serial:/dev/ttyUSB0", "unplugged", "Gerät\nweg"), AT)
    assert log.bytes_of("a") == b"\x05\x31\xff\n"
    assert log.entries_of("a") == [
        Entry(AT, 0, LineUp("serial:/dev/ttyUSB0", 3)),
        Entry(AT, 2, b"\x05\x31"),
        Entry(AT, 4, b"\xff\n"),
        Entry(AT, 4, LineLost("serial:/dev/ttyUSB0", "unplugged", "Gerät\nweg")),
    ]
    log.close()


def test_a_person_can_read_it(tmp_path: Path) -> None:
    log = RawLog(tmp_path)
    log.begin("a", AT)
    log.chunk(b"\x05\x31", AT)
    log.close()
    (file,) = tmp_path.iterdir()
    assert file.name == "000001-a.log"
    assert file.read_text() == "2026-11-29T23:59:59.123456+00:00 2 0531\n"


def test_a_line_that_was_cut_off_is_not_read_back(tmp_path: Path) -> None:
    log = RawLog(tmp_path)
    log.begin("a", AT)
    log.chunk(b"\x01", AT)
    log.chunk(b"\x02\x03", AT)
    log.close()
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    first = whole.index(b"\n") + 1
    for length in range(first, len(whole)):
        file.write_bytes(whole[:length])
        assert log.bytes_of("a") == b"\x01"
    file.write_bytes(whole[:first] + b"\0" * 40 + b"\n")
    assert log.bytes_of("a") == b"\x01"


def test_sessions_keep_their_order_when_the_clock_steps_back(tmp_path: Path) -> None:
    for day, session in enumerate(("c", "a", "b")):
        log = RawLog(tmp_path)
        log.begin(session, AT - timedelta(days=day))
        log.close()
    assert RawLog(tmp_path).sessions() == ["c", "a", "b"]


def test_an_unknown_session_is_empty(tmp_path: Path) -> None:
    assert RawLog(tmp_path).entries_of("x") == []
    assert RawLog(tmp_path).bytes_of("x") == b""


def test_a_session_is_never_written_over(tmp_path: Path) -> None:
    one, two = RawLog(tmp_path), RawLog(tmp_path)
    one.begin("a", AT)
    with pytest.raises(FileExistsError):
        two.begin("a", AT)
    one.close()


def test_writing_without_a_session_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="begin one"):
        RawLog(tmp_path).chunk(b"\x05", AT)


def test_a_full_disk_is_an_error(tmp_path: Path) -> None:
    log = RawLog(tmp_path)
    log._descriptor = os.open("/dev/full", os.O_WRONLY)
    with pytest.raises(OSError, match="No space left"):
        log.chunk(b"\x05", AT)
    log.close()


@pytest.mark.parametrize(
    "limits,left",
    [
        ({}, 9),
        ({"keep_sessions": 5}, 5),
        ({"keep_bytes": 1000}, 4),
        ({"keep_days": 1}, 3),
        ({"keep_sessions": 1}, 3),
    ],
)
def test_the_oldest_sessions_go_first_and_the_newest_never(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limits: dict[str, float], left: int
) -> None:
    monkeypatch.setattr(rawlog, "ALWAYS_KEPT", 3)
    log = filled(tmp_path, 9, **limits)
    log.prune(datetime.now(UTC) + timedelta(days=2))
    assert log.sessions() == [f"s{number}" for number in range(9 - left, 9)]


def test_beginning_sessions_prunes_now_and_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rawlog, "ALWAYS_KEPT", 3)
    log = filled(tmp_path, 101, keep_sessions=10)
    assert len(log.sessions()) == 10
