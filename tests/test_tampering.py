# SPDX-License-Identifier: Apache-2.0
"""Whatever is changed in a record behind the table's back is found, and where it was changed.

By ``studio verify``, and by ``verify.py``, which shares no code with it and runs in an interpreter
without our packages. ``tests/test_tampering_at_length.py`` does it to a long record.
"""

import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from studio.store.schema import create
from studio.verify import verify
from tests.bundle.alone import alone
from tests.long_record import TABLE, fill

SEEDS = range(2)
ROUNDS = 100
COLUMNS = ("version", "type", "at", "source", "shoe", "round", "public_seq", "hash", "head")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A record that its own triggers guard no more: whoever has the file can take them away."""
    file = tmp_path_factory.mktemp("whole") / "record.db"
    create(f"sqlite:///{file}", TABLE)
    fill(f"sqlite:///{file}", ROUNDS)
    without_triggers(file)
    yield file
    file.unlink()


@pytest.fixture
def file(whole: Path, tmp_path: Path) -> Path:
    """A copy of the record to tamper with."""
    return Path(shutil.copy(whole, tmp_path / "record.db"))


def without_triggers(file: Path) -> None:
    """Take away the triggers of a record, as whoever has the file can."""
    with closing(sqlite3.connect(file)) as database, database:
        triggers = database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        for (name,) in triggers.fetchall():
            database.execute(f"DROP TRIGGER {name}")


Found = list[tuple[int, str]]


def found(file: Path) -> Found:
    """Places and texts of what verifying finds."""
    return [(one.seq, one.text) for one in verify(f"sqlite:///{file}", TABLE).findings]


def found_alone(file: Path) -> Found:
    """The same, of what ``verify.py`` finds."""
    told = alone(file, "--json")
    assert told.status == (1 if told.places else 0)
    return told.places


VERIFIERS: tuple[Callable[[Path], Found], ...] = (found, found_alone)


Tamper = Callable[[sqlite3.Connection, random.Random, int], int]


def byte_changed(column: str) -> Tamper:
    """Another byte somewhere in a row's event, or in what was sent."""

    def tamper(database: sqlite3.Connection, rng: random.Random, last: int) -> int:
        rows = f"SELECT seq, {column} FROM journal WHERE {column} IS NOT NULL AND seq >= ?"
        seq, data = database.execute(
            f"{rows} ORDER BY seq", (rng.randint(1, last - 50),)
        ).fetchone()
        changed = bytearray(data)
        changed[rng.randrange(len(changed))] ^= rng.randint(1, 255)
        change(database, seq, column, bytes(changed))
        return int(seq)

    return tamper


def column_changed(column: str) -> Tamper:
    """Another value of the same kind in a column of a row."""

    def tamper(database: sqlite3.Connection, rng: random.Random, last: int) -> int:
        rows = f"SELECT seq, {column} FROM journal WHERE {column} IS NOT NULL AND seq >= ?"
        seq, value = database.execute(
            f"{rows} ORDER BY seq", (rng.randint(1, last - 50),)
        ).fetchone()
        match value:
            case bytes():
                value = rng.randbytes(len(value))
            case str():
                place = rng.randrange(len(value))
                value = value[:place] + ("8" if value[place] != "8" else "9") + value[place + 1 :]
            case _:
                value += 1_000_000
        change(database, seq, column, value)
        return int(seq)

    return tamper


def kind_changed(column: str) -> Tamper:
    """A value of a kind that the column never held."""

    def tamper(database: sqlite3.Connection, rng: random.Random, last: int) -> int:
        seq = rng.randint(1, last)
        is_text = column in ("version", "public_seq", "event", "payload", "hash", "head")
        change(database, seq, column, "x" if is_text else b"x")
        return seq

    return tamper


def change(database: sqlite3.Connection, seq: int, column: str, value: object) -> None:
    """Set one column of one row."""
    done = database.execute(f"UPDATE journal SET {column} = ? WHERE seq = ?", (value, seq))
    assert done.rowcount == 1


def moved(database: sqlite3.Connection, first: int, by: int) -> None:
    """Number all rows from ``first`` on anew, so that no number is missing or there twice."""
    database.execute("UPDATE journal SET seq = -(seq + ?) WHERE seq >= ?", (by, first))
    database.execute("UPDATE journal SET seq = -seq WHERE seq < 0")


def row_deleted(database: sqlite3.Connection, rng: random.Random, last: int) -> int:
    seq = rng.randint(1, last - 1)
    database.execute("DELETE FROM journal WHERE seq = ?", (seq,))
    return seq + 1


def row_deleted_and_the_rest_moved(
    database: sqlite3.Connection, rng: random.Random, last: int
) -> int:
    seq = row_deleted(database, rng, last) - 1
    moved(database, seq + 1, -1)
    return seq


def middle_deleted(database: sqlite3.Connection, rng: random.Random, last: int) -> int:
    first = rng.randint(1, last // 2)
    upto = rng.randint(first, last - 1)
    database.execute("DELETE FROM journal WHERE seq BETWEEN ? AND ?", (first, upto))
    return upto + 1


def end_cut_off(database: sqlite3.Connection, rng: random.Random, last: int) -> int:
    first = rng.randint(1, last - 8)
    database.execute("DELETE FROM journal WHERE seq >= ?", (first,))
    return first


def row_put_in(database: sqlite3.Connection, rng: random.Random, last: int) -> int:
    seq = rng.randint(1, last - 1)
    moved(database, seq + 1, 1)
    database.execute("CREATE TEMP TABLE copied AS SELECT * FROM journal WHERE seq = ?", (seq,))
    database.execute("UPDATE copied SET seq = ?, public_seq = 9000000", (seq + 1,))
    database.execute("INSERT INTO journal SELECT * FROM copied")
    return seq + 1


def row_put_before_all(database: sqlite3.Connection, rng: random.Random, last: int) -> int:
    seq = rng.randint(2, last)
    database.execute("CREATE TEMP TABLE copied AS SELECT * FROM journal WHERE seq = ?", (seq,))
    below = -rng.randint(0, 9)
    database.execute("UPDATE copied SET seq = ?, public_seq = NULL", (below,))
    database.execute("INSERT INTO journal SELECT * FROM copied")
    return below


def row_put_at_the_end(database: sqlite3.Connection, rng: random.Random, last: int) -> int:
    row_put_before_all(database, rng, last)
    database.execute("UPDATE journal SET seq = ? WHERE seq < 1", (last + 1,))
    return last + 1


def rows_swapped(database: sqlite3.Connection, rng: random.Random, last: int) -> int:
    one, other = sorted(rng.sample(range(1, last + 1), 2))
    for old, new in ((one, -1), (other, one), (-1, other)):
        database.execute("UPDATE journal SET seq = ? WHERE seq = ?", (new, old))
    return one


def neighbours_swapped(database: sqlite3.Connection, rng: random.Random, last: int) -> int:
    one = rng.randint(1, last - 1)
    for old, new in ((one, -1), (one + 1, one), (-1, one + 1)):
        database.execute("UPDATE journal SET seq = ? WHERE seq = ?", (new, old))
    return one


TAMPERED: dict[str, Tamper] = {
    **{f"a byte of the {name} changed": byte_changed(name) for name in ("event", "payload")},
    **{f"{name} changed": column_changed(name) for name in COLUMNS},
    **{f"kind of {name} changed": kind_changed(name) for name in (*COLUMNS, "event", "payload")},
    "row deleted": row_deleted,
    "row deleted, the rest moved": row_deleted_and_the_rest_moved,
    "middle deleted": middle_deleted,
    "end cut off": end_cut_off,
    "row put in": row_put_in,
    "row put before all": row_put_before_all,
    "row put at the end": row_put_at_the_end,
    "rows swapped": rows_swapped,
    "neighbours swapped": neighbours_swapped,
}


@pytest.mark.req("AUD-4", "AUD-5")
def test_a_record_that_nobody_touched_is_sound(file: Path) -> None:
    assert [verifier(file) for verifier in VERIFIERS] == [[], []]


@pytest.mark.req("AUD-4", "AUD-5")
@pytest.mark.parametrize("kind", TAMPERED)
def test_what_was_done_to_the_journal_is_found_at_its_place(
    kind: str, whole: Path, file: Path
) -> None:
    for seed in SEEDS:
        shutil.copy(whole, file)
        rng = random.Random(f"{kind} {seed}")
        with closing(sqlite3.connect(file)) as database, database:
            (last,) = database.execute("SELECT max(seq) FROM journal").fetchone()
            seq = TAMPERED[kind](database, rng, last)
        for verifier in VERIFIERS:
            told = verifier(file)
            assert told[0][0] == seq, (verifier, seed, seq, told[:3])


REPORTS = ("cards", "rounds", "revisions", "bet_results", "shoes", "round_dealers")


def report_changed(database: sqlite3.Connection, rng: random.Random, table: str) -> tuple[int, str]:
    """Another value in a row of a report; gives where its round or shoe began, and its id."""
    begins = "shoe_loaded" if table == "shoes" else "bets_opened"
    key = "shoe" if table == "shoes" else "round"
    rows = database.execute(f"SELECT * FROM {table} WHERE {key} IS NOT NULL")
    names = [one[0] for one in rows.description]
    row = dict(zip(names, rng.choice(rows.fetchall()), strict=True))
    column = rng.choice(names)
    where = " AND ".join(f"{name} IS ?" for name in names)
    changed = ("tampered", *row.values())
    database.execute(f"UPDATE {table} SET {column} = ? WHERE {where}", changed)
    began = f"SELECT min(seq) FROM journal WHERE {key} = ? AND type = ?"
    (seq,) = database.execute(began, (row[key], begins)).fetchone()
    return int(seq), str(row[key])


@pytest.mark.req("AUD-4", "AUD-5")
@pytest.mark.parametrize("table", REPORTS)
def test_a_report_that_was_changed_is_found_at_its_round_or_shoe(
    table: str, whole: Path, file: Path
) -> None:
    for seed in SEEDS:
        shutil.copy(whole, file)
        with closing(sqlite3.connect(file)) as database, database:
            seq, name = report_changed(database, random.Random(f"{table} {seed}"), table)
        for verifier in VERIFIERS:
            told = verifier(file)
            is_found = any(place == seq and name in text for place, text in told)
            assert is_found, (verifier, seed, seq, told)
