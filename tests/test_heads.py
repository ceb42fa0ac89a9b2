# SPDX-License-Identifier: Apache-2.0
"""Heads kept outside find what a record cannot tell of itself: that all of it was written anew."""

import shutil
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from structlog.testing import capture_logs

from studio.heads import Head, HeadsFile
from studio.store.journal import Journal
from studio.store.schema import create
from studio.verify import VerifyReport, verify
from tests.bundle.alone import alone
from tests.long_record import TABLE, fill
from tests.waiting import until

ROUNDS = 30
AT = datetime(2026, 11, 29, 12, tzinfo=UTC)


def head_of(journal: Journal) -> Head:
    """Where a record stands."""
    place = (journal.table, journal.epoch, journal.last_seq, journal.last_public_seq)
    return Head(*place, journal.hash.hex(), journal.head.hex(), AT)


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """An empty record. Every copy has the same epoch."""
    file = tmp_path / "empty.db"
    create(f"sqlite:///{file}", TABLE)
    return file


@pytest.fixture
def heads(empty: Path, tmp_path: Path) -> Path:
    """The heads of an honest record, which is ``honest.db``."""
    shutil.copy(empty, tmp_path / "honest.db")
    file = tmp_path / "BAC-1.heads"
    with HeadsFile(file, TABLE) as kept:
        fill(
            f"sqlite:///{tmp_path / 'honest.db'}",
            ROUNDS,
            after_round=lambda one: kept.add(head_of(one)),
        )
    return file


def verified(file: Path, heads: Path | None = None) -> VerifyReport:
    """What verifying says of a record."""
    return verify(f"sqlite:///{file}", TABLE, heads=heads)


@pytest.mark.req("AUD-5", "AUD-11")
def test_an_honest_record_agrees_with_its_heads(heads: Path, tmp_path: Path) -> None:
    report = verified(tmp_path / "honest.db", heads)
    assert report.is_sound
    assert report.heads is not None
    assert report.heads.lines == ROUNDS
    assert report.heads.differing == 0


@pytest.mark.req("AUD-5", "AUD-11")
@pytest.mark.parametrize("turn", [0, 1, 17, ROUNDS - 1])
def test_a_record_written_anew_is_sound_and_the_heads_say_from_which_line_on(
    turn: int, empty: Path, heads: Path
) -> None:
    fill(f"sqlite:///{empty}", ROUNDS, other_cards_from=turn)
    assert verified(empty).is_sound
    report = verified(empty, heads)
    (found,) = report.findings
    assert f"from line {turn + 1} of the heads on" in found.text
    kept = msgspec.json.decode(heads.read_bytes().splitlines()[turn], type=Head)
    assert (found.epoch, found.seq) == (kept.epoch, kept.seq)
    assert report.heads is not None
    assert (report.heads.first_differing, report.heads.differing) == (turn + 1, ROUNDS - turn)


@pytest.mark.req("AUD-5", "AUD-11")
def test_a_record_whose_end_was_taken_out_everywhere_is_found(empty: Path, heads: Path) -> None:
    fill(f"sqlite:///{empty}", 21)
    assert verified(empty).is_sound
    (found,) = verified(empty, heads).findings
    assert "from line 22 of the heads on" in found.text
    assert "not in its place" in found.text


@pytest.mark.req("AUD-11")
def test_a_record_under_another_epoch_is_not_the_one_that_was_kept(
    heads: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.db"
    create(f"sqlite:///{other}", TABLE)
    fill(f"sqlite:///{other}", ROUNDS)
    (found,) = verified(other, heads).findings
    assert "from line 1 of the heads on" in found.text


def test_a_line_that_came_twice_over_a_lost_connection_is_one(heads: Path, tmp_path: Path) -> None:
    honest = tmp_path / "honest.db"
    lines = heads.read_bytes().splitlines(keepends=True)
    heads.write_bytes(b"".join([*lines[:5], *lines[2:]]))
    report = verified(honest, heads)
    assert report.is_sound
    assert report.heads is not None
    assert report.heads.lines == ROUNDS
    assert alone(honest, "--heads", heads).status == 0


def test_heads_that_are_none_or_cannot_be_read_are_no_proof(heads: Path, tmp_path: Path) -> None:
    honest = tmp_path / "honest.db"
    lines = heads.read_bytes().splitlines(keepends=True)
    heads.write_bytes(b"".join([*lines[:4], b'{"table": \n', *lines[4:]]))
    (found,) = verified(honest, heads).findings
    assert "line 5" in found.text
    heads.write_bytes(b"".join(lines).replace(b"BAC-1", b"BAC-2"))
    (found,) = verified(honest, heads).findings
    assert "no line of table BAC-1" in found.text
    with pytest.raises(FileNotFoundError):
        verified(honest, tmp_path / "nothing")


def test_a_file_that_cannot_be_written_is_told_and_stops_nothing(tmp_path: Path) -> None:
    file = tmp_path / "not yet" / "BAC-1.heads"
    head = Head(TABLE, "one", 1, 0, "", "", AT)
    with capture_logs() as logs, HeadsFile(file, TABLE) as kept:
        kept.add(head)
        until(lambda: len(logs) == 1)
        file.parent.mkdir()
        file.write_bytes(b"cut short")
        kept.add(head)
        until(lambda: len(logs) == 2)
    assert [line["log_level"] for line in logs] == ["warning", "info"]
    assert "No such file" in logs[0]["why"]
    cut, whole = file.read_bytes().splitlines()
    assert cut == b"cut short"
    assert msgspec.json.decode(whole, type=Head) == head
