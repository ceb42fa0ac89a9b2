# SPDX-License-Identifier: Apache-2.0
"""The report rows of a million rounds, made up and put into a record's real schema.

They are what a search reads: rounds, standing revisions, dealers and irregularities of twenty
tables over three weeks. There is no journal behind them and there are no cards: a search looks at
neither, and both would take an hour to write.
"""

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
from sqlalchemy import Table
from sqlalchemy.engine import make_url

from studio.game.irregularities import IRREGULARITIES
from studio.store.chain import time_text
from studio.store.models import epochs, irregularities, revisions, round_dealers, rounds

TABLES = [f"BAC-{number}" for number in range(1, 21)]
DEALERS = [(f"Dealer {number}", f"s-{number:04d}") for number in range(1, 61)]
FIRST = datetime(2026, 1, 1, tzinfo=UTC)
ROUND_SECONDS = 40
_ROUNDS_A_TURN = 45
_HANDS = {
    "player": ("9H KD", "3S 4C", 9, 7),
    "banker": ("2H KS", "9D KC", 2, 9),
    "tie": ("6H KD", "KC 6S", 6, 6),
    "void": (None, None, None, None),
}
_LIKELY = (0.4462, 0.4586, 0.0952)

Rows = dict[str, list[tuple[Any, ...]]]


def made_up(count: int, at_once: int = 20_000) -> Iterator[Rows]:
    """The rows of so many rounds, by table, as tuples in the order of the columns."""
    chance = random.Random(1)
    codes = sorted(IRREGULARITIES)
    rows = _no_rows()
    rows["epochs"] = [(table, 1, _epoch(table), time_text(FIRST)) for table in TABLES]
    tables = [(one, _epoch(one)) for one in TABLES]
    for number in range(count):
        nth, place = divmod(number, len(TABLES))
        (table, epoch), seq = tables[place], nth * 14 + 1
        begun = FIRST + timedelta(seconds=nth * ROUND_SECONDS, milliseconds=place * 137)
        at, end = time_text(begun), time_text(begun + timedelta(seconds=ROUND_SECONDS - 2))
        day = at[:10].replace("-", "")
        round_id = f"{table}-{day}-{nth % 2160 + 1:04d}"
        is_void = chance.random() < 0.001
        outcome = "void" if is_void else chance.choices(list(_HANDS)[:3], _LIKELY)[0]
        shoe = f"{table}-{day}-shoe-{nth // 70 + 1}"
        status = "void" if is_void else "complete"
        key = (table, epoch, seq)
        rows["rounds"].append((round_id, *key, shoe, day, status, at, end, 1, outcome))
        rows["revisions"].append(_revision(round_id, key, end, outcome))
        # a dealer works at a few tables, never at the others
        turn = nth // _ROUNDS_A_TURN
        who = DEALERS[(turn * 7 + place) % 3 + 3 * place]
        rows["round_dealers"] += [(one, at, round_id, epoch, seq, table) for one in who]
        if chance.random() < 0.01:
            code = codes[min(int(chance.expovariate(0.3)), len(codes) - 1)]
            rows["irregularities"].append((code, at, round_id, epoch, seq + 6, table))
        if len(rows["rounds"]) == at_once or number == count - 1:
            yield rows
            rows = _no_rows()


def _no_rows() -> Rows:
    return {table.name: [] for table in (epochs, rounds, revisions, round_dealers, irregularities)}


def _epoch(table: str) -> str:
    return f"00000000-0000-4000-8000-{table[4:]:0>12}"


def _revision(round_id: str, key: tuple[str, str, int], at: str, outcome: str) -> tuple[Any, ...]:
    player, banker, player_total, banker_total = _HANDS[outcome]
    told = None if outcome == "void" else outcome
    kind = "round_voided" if told is None else "result"
    hands = (told, player, banker, player_total, banker_total, False, False, False)
    return (round_id, 1, *key[:2], key[2] + 12, at, kind, *hands, None, "s-0001", None)


_TABLES: dict[str, Table] = {
    one.name: one for one in (epochs, rounds, revisions, round_dealers, irregularities)
}


def fill_file(url: str, count: int) -> None:
    """Put them into the empty record of an SQLite file, as fast as it goes."""
    with closing(sqlite3.connect(str(make_url(url).database), isolation_level=None)) as written:
        written.execute("PRAGMA synchronous = off")
        written.execute("PRAGMA cache_size = -400000")
        written.execute("BEGIN")
        written.execute("DROP TRIGGER epochs_no_delete")
        written.execute("DELETE FROM epochs")
        asked = "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
        indices = written.execute(asked).fetchall()
        for name, _ in indices:
            written.execute(f"DROP INDEX {name}")
        for rows in made_up(count):
            for name, some in rows.items():
                marks = ", ".join("?" * len(_TABLES[name].columns))
                written.executemany(f"INSERT INTO {name} VALUES ({marks})", sorted(some))
        for _, made in indices:
            written.execute(made)
        written.execute("COMMIT")
        written.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def fill_server(url: str, count: int) -> None:
    """Put them into the empty record of a server, and let it look at them as it does by itself."""
    parsed = make_url(url)
    where = {**parsed.query, "user": parsed.username, "dbname": parsed.database}
    with psycopg.connect(**where) as written, written.cursor() as cursor:  # type: ignore[arg-type]
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute("DELETE FROM epochs")
        asked = "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = current_schema()"
        indices = cursor.execute(f"{asked} AND indexname LIKE 'ix_%'").fetchall()
        for name, _ in indices:
            cursor.execute(f"DROP INDEX {name}".encode())
        for rows in made_up(count):
            for name, some in rows.items():
                columns = ", ".join(f'"{one.name}"' for one in _TABLES[name].columns)
                with cursor.copy(f"COPY {name} ({columns}) FROM STDIN".encode()) as copy:
                    for row in some:
                        copy.write_row(row)
        for _, made in indices:
            cursor.execute(made.encode())
    with psycopg.connect(**where, autocommit=True) as tidied:  # type: ignore[arg-type]
        tidied.execute("VACUUM ANALYZE")
