# SPDX-License-Identifier: Apache-2.0
"""The bundle: all that an auditor needs, checked by what is in it."""

import json
import shutil
import sqlite3
import subprocess
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from studio.bundle.making import WHOLE, BundleRefused, Span, check, make_bundle
from studio.feed.keys import StudioKeys
from studio.heads import Head, HeadsFile
from studio.store.database import StoreFailed
from studio.store.journal import Journal
from studio.store.schema import create
from tests.bundle.alone import Told, alone
from tests.cli.run import studio
from tests.long_record import TABLE, fill
from tests.lookback.evening import PLAYER_WINS, Evening
from tests.postgres import Server

AT = datetime(2026, 11, 29, 12, tzinfo=UTC)
ROUNDS = 12
DAY = "BAC-1-20261129"


def head_of(journal: Journal) -> Head:
    place = (journal.table, journal.epoch, journal.last_seq, journal.last_public_seq)
    return Head(*place, journal.hash.hex(), journal.head.hex(), AT)


@pytest.fixture
def heads(tmp_path: Path) -> Path:
    return tmp_path / "BAC-1.heads"


@pytest.fixture
def record(tmp_path: Path, heads: Path) -> str:
    """URL of a record; its heads are kept."""
    url = f"sqlite:///{tmp_path / 'record.db'}"
    create(url, TABLE)
    with HeadsFile(heads, TABLE) as kept:
        fill(url, ROUNDS, after_round=lambda journal: kept.add(head_of(journal)))
    return url


def made(url: str, folder: Path, span: Span = WHOLE, heads: Path | None = None) -> Path:
    make_bundle(url, TABLE, folder, at=AT, span=span, heads=heads)
    return folder


def own(folder: Path, *arguments: str | Path) -> Told:
    """What the bundle's own verify.py says, run where it lies."""
    return alone(*arguments, "--json", verifier=folder / "verify.py", cwd=folder)


@pytest.mark.req("AUD-10")
def test_a_bundle_is_sound_by_its_own_means_and_by_those_of_anybody(
    record: str, heads: Path, tmp_path: Path
) -> None:
    keys = StudioKeys(("ab" * 32,), ("cd" * 32,))
    folder = tmp_path / "bundle"
    make_bundle(record, TABLE, folder, at=AT, heads=heads, keys=keys)
    told = own(folder)
    assert (told.status, told.err) == (0, "")
    assert (told.report["rounds"], told.report["heads"]["lines"]) == (ROUNDS - 1, ROUNDS)
    assert not told.report["has_outside_heads"], "they came with the record"
    assert own(folder, "--heads", heads).report["has_outside_heads"]
    summed = subprocess.run(
        ["sha256sum", "-c", "SHA256SUMS"], cwd=folder, capture_output=True, check=False
    )
    assert (summed.returncode, len(summed.stdout.splitlines())) == (0, 6)
    assert json.loads((folder / "public-keys.json").read_bytes())["signing"] == ["cd" * 32]
    assert check(folder).status == 0
    assert own(folder, folder).status == 0, "named as an argument"


@pytest.mark.req("AUD-10")
def test_a_record_on_a_server_makes_the_same_bundle(tmp_path: Path) -> None:
    with Server() as server:
        url = server.new_place()
        create(url, TABLE)
        fill(url, ROUNDS)
        told = own(made(url, tmp_path / "bundle"))
    assert told.status == 0
    assert told.report["rounds"] == ROUNDS - 1


@pytest.mark.req("AUD-10")
@pytest.mark.parametrize(
    "first, last, rounds",
    [(3, 5, 3), (1, 1, 1), (None, 4, 4), (10, None, ROUNDS - 10), (ROUNDS, None, 0)],
)
def test_a_span_holds_its_rounds_and_nothing_of_the_others(
    first: int | None, last: int | None, rounds: int, record: str, heads: Path, tmp_path: Path
) -> None:
    span = Span(*(None if one is None else f"{DAY}-{one:04}" for one in (first, last)))
    folder = made(record, tmp_path / "bundle", span, heads)
    told = own(folder)
    assert told.report["findings"] == []
    assert told.report["rounds"] == rounds
    assert (told.report["begins"]["seq"] > 0) == (first is not None)
    inside = (folder / "record.db").read_bytes()
    for number in range(1, ROUNDS + 1):
        is_in = (first or 1) <= number <= (last or ROUNDS)
        assert (f"{DAY}-{number:04}".encode() in inside) == is_in, number


@pytest.mark.parametrize("first, last, told", [(1, 2, 1), (1, 1, 0), (2, 2, 0), (None, None, 1)])
def test_what_is_told_of_a_round_before_is_in_a_span_with_both(
    first: int | None, last: int | None, told: int, tmp_path: Path
) -> None:
    evening = Evening()
    evening.play(PLAYER_WINS)
    evening.table.ask("open_bets")
    evening.table.ask("report_irregularity", code="wrong-paid")
    url = f"sqlite:///{tmp_path / 'record.db'}"
    create(url, TABLE)
    with Journal.open(url, TABLE) as journal:
        evening.keep(journal)
    span = Span(*(None if one is None else f"{DAY}-{one:04}" for one in (first, last)))
    folder = made(url, tmp_path / "bundle", span)
    assert own(folder).report["findings"] == []
    with closing(sqlite3.connect(folder / "record.db")) as copy:
        rows = copy.execute("SELECT code, round FROM irregularities").fetchall()
    assert rows == [("wrong-paid", evening.rounds[0])] * told


def test_a_span_that_is_none_is_refused_and_leaves_nothing(record: str, tmp_path: Path) -> None:
    for span in (Span(f"{DAY}-0099"), Span(f"{DAY}-0005", f"{DAY}-0003")):
        with pytest.raises(StoreFailed):
            made(record, tmp_path / "bundle", span)
    made(record, tmp_path / "bundle")
    with pytest.raises(BundleRefused, match="exists"):
        made(record, tmp_path / "bundle")
    assert [one.name for one in tmp_path.iterdir() if one.name.startswith(".")] == []


@pytest.mark.req("AUD-5", "AUD-10")
def test_what_is_done_to_a_bundle_is_found(record: str, heads: Path, tmp_path: Path) -> None:
    folder = made(record, tmp_path / "bundle", heads=heads)
    with closing(sqlite3.connect(folder / "record.db")) as database, database:
        # the newest events had no card and no round: nothing else tells of them
        for (name,) in database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            database.execute(f"DROP TRIGGER {name}")
        (last,) = database.execute("SELECT max(seq) FROM journal").fetchone()
        database.execute("DELETE FROM revisions WHERE seq = ?", (last,))
        database.execute("DELETE FROM journal WHERE seq = ?", (last,))
    told = own(folder)
    assert told.status == 1
    codes = [one["code"] for one in told.report["findings"]]
    assert codes[0] == "end"
    assert {"heads", "file"} <= set(codes)
    (folder / "verify.py").write_text((folder / "verify.py").read_text() + "\n")
    assert "verify.py is not" in str(own(folder).report["findings"])


@pytest.mark.req("AUD-11")
def test_a_whole_chain_written_anew_is_found_against_heads_kept_outside(
    record: str, heads: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.db"
    shutil.copy(tmp_path / "record.db", other)
    with closing(sqlite3.connect(other)) as database, database:
        (epoch,) = database.execute("SELECT epoch FROM epochs").fetchone()
    other.unlink()
    create(f"sqlite:///{other}", TABLE)
    with closing(sqlite3.connect(other)) as database, database:
        database.execute("DROP TRIGGER epochs_no_update")
        database.execute("UPDATE epochs SET epoch = ?", (epoch,))
    fill(f"sqlite:///{other}", ROUNDS, other_cards_from=7)
    assert alone(other).status == 0, "sound in itself"
    told = alone(other, "--heads", heads, "--json")
    assert told.status == 1
    (found,) = told.report["findings"]
    assert "from line 8 of the heads on" in found["text"]
    assert found["code"] == "heads"
    line = json.loads(heads.read_bytes().splitlines()[6])
    assert f"up to event {line['seq']} all agree" in found["text"]
    assert alone(other, "--heads", tmp_path / "none").status == 1


def test_the_command_makes_a_bundle_and_has_it_checked(tmp_path: Path) -> None:
    assert (
        studio("init", "--simulated", "--yes", "--first-port", "0", home=tmp_path).returncode == 0
    )
    done = studio("evidence", "--bundle", "audit", home=tmp_path)
    assert (done.returncode, "verify.py says" in done.stdout, "SOUND" in done.stdout) == (
        0,
        True,
        True,
    )
    assert (tmp_path / "audit" / "public-keys.json").is_file()
    done = studio("evidence", "--bundle", "audit", home=tmp_path)
    assert (done.returncode, "exists" in done.stderr) == (1, True)
    done = studio("evidence", "--bundle", "other", "--from", f"{DAY}-0001", home=tmp_path)
    assert (done.returncode, "not on record" in done.stderr) == (1, True)
