# SPDX-License-Identifier: Apache-2.0
"""Every kind of tampering in a long record, by both verifiers; ``--tamper-rounds 10000``.

Changes that leave the numbers of rows as they are, are made all at once, each at a random place of
its own, and one walk must find them all and nothing else; so are changes of reports. The others
are made one after the other. ``--timeout 900`` for 10,000 rounds; figures are printed with ``-s``.
"""

import random
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from studio.heads import Head, HeadsFile
from studio.store.journal import Journal
from studio.store.schema import create
from studio.verify import verify
from tests.bundle.alone import alone
from tests.long_record import TABLE, fill
from tests.test_tampering import REPORTS, TAMPERED, VERIFIERS, report_changed, without_triggers

IN_PLACE = [kind for kind in TAMPERED if "changed" in kind]
ALONE = [kind for kind in TAMPERED if kind not in IN_PLACE]
# what one change may show beside its own row: the next row or message no longer follows
NEAR = 12


def head_of(journal: Journal) -> Head:
    place = (journal.table, journal.epoch, journal.last_seq, journal.last_public_seq)
    return Head(*place, journal.hash.hex(), journal.head.hex(), datetime.now(UTC))


@pytest.fixture(scope="module")
def rounds(request: pytest.FixtureRequest) -> int:
    return int(request.config.getoption("--tamper-rounds"))


@pytest.fixture(scope="module")
def folder(rounds: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A long record, ``whole.db``, its heads, and ``empty.db`` of the same epoch."""
    made = tmp_path_factory.mktemp("long")
    create(f"sqlite:///{made / 'empty.db'}", TABLE)
    shutil.copy(made / "empty.db", made / "whole.db")
    with HeadsFile(made / "heads", TABLE) as kept:
        url = f"sqlite:///{made / 'whole.db'}"
        fill(url, rounds, after_round=lambda journal: kept.add(head_of(journal)))
    without_triggers(made / "whole.db")
    yield made
    shutil.rmtree(made)


@pytest.fixture
def file(folder: Path) -> Path:
    """A copy of the record to tamper with."""
    return Path(shutil.copy(folder / "whole.db", folder / "tampered.db"))


def timed(verifier: Callable[[Path], list[tuple[int, str]]], file: Path) -> list[tuple[int, str]]:
    began = time.process_time(), time.monotonic()
    told = verifier(file)
    print(f" {verifier.__name__} {time.monotonic() - began[1]:.0f} s", end="")
    return told


@pytest.mark.req("AUD-4", "AUD-5")
def test_a_long_record_that_nobody_touched_is_sound(file: Path) -> None:
    for verifier in VERIFIERS:
        assert timed(verifier, file) == []


@pytest.mark.req("AUD-4", "AUD-5")
def test_all_that_is_changed_in_place_is_found_and_located_in_one_walk(file: Path) -> None:
    rng = random.Random("in place")
    places: dict[int, str] = {}
    with closing(sqlite3.connect(file)) as database, database:
        (last,) = database.execute("SELECT max(seq) FROM journal").fetchone()
        for kind in IN_PLACE:
            database.execute("SAVEPOINT one")
            seq = TAMPERED[kind](database, rng, last)
            while any(abs(seq - other) <= NEAR for other in places):
                database.execute("ROLLBACK TO one")
                seq = TAMPERED[kind](database, rng, last)
            places[seq] = kind
    for verifier in VERIFIERS:
        told = {seq for seq, _text in timed(verifier, file)}
        assert set(places) - told == set(), {places[seq] for seq in set(places) - told}
        astray = {seq for seq in told if not any(0 <= seq - place <= NEAR for place in places)}
        assert astray == set()


@pytest.mark.req("AUD-4", "AUD-5")
@pytest.mark.parametrize("kind", ALONE)
def test_what_moves_rows_is_found_where_it_was_done(kind: str, file: Path) -> None:
    with closing(sqlite3.connect(file)) as database, database:
        (last,) = database.execute("SELECT max(seq) FROM journal").fetchone()
        seq = TAMPERED[kind](database, random.Random(f"long {kind}"), last)
    for verifier in VERIFIERS:
        told = timed(verifier, file)
        assert told[0][0] == seq, (verifier, seq, told[:3])


@pytest.mark.req("AUD-4", "AUD-5")
def test_all_reports_that_were_changed_are_found_in_one_walk(file: Path) -> None:
    with closing(sqlite3.connect(file)) as database, database:
        rng = random.Random("reports")
        due = [report_changed(database, rng, table) for table in REPORTS]
    for verifier in VERIFIERS:
        told = timed(verifier, file)
        for seq, name in due:
            assert any(place == seq and name in text for place, text in told), (seq, name, told)
        places = {seq for seq, _name in due}
        assert {place for place, _text in told} - places <= {0}


@pytest.mark.req("AUD-5", "AUD-11")
def test_a_whole_chain_written_anew_is_sound_in_itself_and_found_against_the_heads(
    folder: Path, rounds: int
) -> None:
    turn = random.Random("rewrite").randrange(rounds)
    file = Path(shutil.copy(folder / "empty.db", folder / "anew.db"))
    fill(f"sqlite:///{file}", rounds, other_cards_from=turn)
    assert verify(f"sqlite:///{file}", TABLE).is_sound
    (by_studio,) = verify(f"sqlite:///{file}", TABLE, heads=folder / "heads").findings
    told = alone(file, "--heads", folder / "heads", "--json")
    (by_file,) = told.report["findings"]
    for text in (by_studio.text, by_file["text"]):
        assert f"from line {turn + 1} of the heads on" in text
    assert told.report["heads"]["differing"] == rounds - turn
