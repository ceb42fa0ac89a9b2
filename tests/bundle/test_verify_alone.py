# SPDX-License-Identifier: Apache-2.0
"""``verify.py`` by itself: it cries no wolf over an honest record, and finds one that is made up.

What is changed in a record without a new chain is the matter of ``tests/test_tampering.py``.
"""

import ast
import hashlib
import json
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine, text

from studio.bundle import verify as own
from studio.feed.wire import public_payload, type_of
from studio.game.cards import Card
from studio.game.events import PublicEvent, Recorded
from studio.store.journal import Entry, Journal
from studio.store.schema import create
from tests.bundle.alone import VERIFIER, alone
from tests.game import misdeal_stories, undo_stories
from tests.game.golden_shoe import mended, scripted
from tests.game.misdeal_stories import go_home, rules
from tests.long_record import TABLE, fill

OLDEST = (3, 8)


def kept(log: Iterable[Recorded], file: Path) -> Path:
    """These events as a table's record."""
    create(f"sqlite:///{file}", TABLE)
    with Journal.open(f"sqlite:///{file}", TABLE) as journal:
        journal.append(
            [
                Entry(one, one.public_seq and public_payload(TABLE, journal.epoch, one))
                for one in log
            ]
        )
    return file


@pytest.mark.req("AUD-10")
def test_it_needs_nothing_but_the_standard_library_of_an_old_python() -> None:
    tree = ast.parse(VERIFIER.read_text(), feature_version=OLDEST)
    imported = {
        name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else
                     [one.name for one in node.names])
    }  # fmt: skip
    assert imported <= sys.stdlib_module_names


def test_it_knows_what_is_public_of_every_event() -> None:
    tags = {cls.__struct_config__.tag: cls.PUBLIC for cls in get_args(PublicEvent)}
    assert tags == own.PUBLIC


@pytest.mark.req("AUD-5", "AUD-10")
@pytest.mark.parametrize("story", [scripted, mended])
def test_an_honest_record_of_everything_that_can_happen_is_sound(
    story: Callable[[], Any], tmp_path: Path
) -> None:
    told = alone(kept(story().log, tmp_path / "record.db"))
    assert (told.status, told.err) == (0, "")
    assert "SOUND" in told.out
    assert "--heads" in told.out, "it says what it cannot know"


def faults_in(log: Iterable[Recorded]) -> list[str]:
    """What it says of these events, without the chain."""
    play, told = own.Play(), []
    for one in log:
        payload = one.public_seq and public_payload(TABLE, "one", one)
        event = own.read_event(msgspec.json.encode(one.event))
        row = {"type": type_of(one.event), "round": one.round, "shoe": one.shoe, "seq": one.seq,
               "public_seq": one.public_seq, "source": one.source.value,
               "at": json.loads(payload)["at"] if payload else ""}  # fmt: skip
        told += play.faults(row, event)
        assert own.message_of(TABLE, "one", row, event) == payload
    return told


@pytest.mark.parametrize("code", misdeal_stories.STORIES)
@pytest.mark.parametrize("house", ["atlantic-city", "venezia"])
def test_no_misdeal_that_was_ruled_on_is_a_fault(code: str, house: str) -> None:
    table = misdeal_stories.STORIES[code][0](rules(house))
    if table.state.hold is not None:
        table.ask("rule_hold")
    if not table.state.is_shoe_over:
        go_home(table)
    assert faults_in(table.log) == []


@pytest.mark.parametrize("name", undo_stories.STORIES)
def test_what_was_taken_back_is_no_fault(name: str) -> None:
    assert faults_in(undo_stories.STORIES[name]().log) == []


def forged(file: Path, change: Callable[[dict[str, Any], dict[str, Any]], None]) -> None:
    """Change events, and write the chains anew over them as whoever has all rights can."""
    with closing(sqlite3.connect(file)) as database, database:
        for (name,) in database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            database.execute(f"DROP TRIGGER {name}")
        (epoch,) = database.execute("SELECT epoch FROM epochs").fetchone()
        hashed, head = bytes(32), bytes(32)
        columns = ", ".join(own.ROW)
        for values in database.execute(f"SELECT {columns} FROM journal ORDER BY seq").fetchall():
            row = dict(zip(own.ROW, values, strict=True))
            event = json.loads(row["event"])
            change(row, event)
            row["event"] = own.encoded(event)
            if row["public_seq"] is not None:
                row["payload"] = own.message_of(TABLE, epoch, row, event)
                head = hashlib.sha256(head + row["payload"]).digest()
                row["head"] = head
            header = [TABLE, epoch, *(row[name] for name in own.ROW[:7]), row["public_seq"]]
            header += [len(row["event"]), row["payload"] and len(row["payload"])]
            said = row["event"] + (row["payload"] or b"")
            hashed = hashlib.sha256(hashed + own.encoded(header) + said).digest()
            database.execute(
                "UPDATE journal SET event = ?, payload = ?, head = ?, hash = ? WHERE seq = ?",
                (row["event"], row["payload"], row["head"], hashed, row["seq"]),
            )


def other_card(_row: dict[str, Any], event: dict[str, Any]) -> None:
    if event["type"] == "card_dealt":
        event["card"] = "9H" if event["card"] != "9H" else "2C"


def other_outcome(_row: dict[str, Any], event: dict[str, Any]) -> None:
    if event["type"] == "result":
        event["outcome"] = "tie" if event["outcome"] != "tie" else "player"


def other_profit(_row: dict[str, Any], event: dict[str, Any]) -> None:
    if event["type"] == "result":
        event["bets"] = dict(event["bets"], banker="2")


def other_position(_row: dict[str, Any], event: dict[str, Any]) -> None:
    if event["type"] == "card_dealt" and event["position"] == "B2":
        event["position"] = "P3"


def later_revision(_row: dict[str, Any], event: dict[str, Any]) -> None:
    if event["type"] == "result":
        event["revision"] = 3


def no_opening(row: dict[str, Any], event: dict[str, Any]) -> None:
    if event["type"] == "bets_opened" and event["round"].endswith("-0002"):
        event["round"] = event["round"][:-1] + "9"


@pytest.mark.req("AUD-5", "AUD-10")
@pytest.mark.parametrize(
    "change, said",
    [
        (other_card, "the totals are not those of the cards"),
        (other_outcome, "its cards give"),
        (other_profit, "paytable"),
        (other_position, "the tableau says B2"),
        (later_revision, "revision 3"),
        (no_opening, "not under way"),
    ],
)
def test_a_record_whose_chains_were_written_anew_over_a_lie_does_not_follow_the_rules(
    change: Callable[[dict[str, Any], dict[str, Any]], None], said: str, tmp_path: Path
) -> None:
    file = tmp_path / "record.db"
    create(f"sqlite:///{file}", TABLE)
    fill(f"sqlite:///{file}", 5)
    forged(file, lambda _row, _event: None)
    assert alone(file).status == 0
    forged(file, change)
    told = alone(file, "--json")
    assert told.status == 1
    found = [one for one in told.report["findings"] if one["code"] == "rules"]
    assert any(said in one["text"] for one in found), found
    assert all(one["means"] for one in found)


def test_what_is_no_record_cannot_be_read(tmp_path: Path) -> None:
    assert alone(tmp_path / "nothing.db").status == 1
    (tmp_path / "text.db").write_text("this is no database, and it is long enough to be one\n" * 99)
    told = alone(tmp_path / "text.db")
    assert (told.status, told.out) == (1, "")
    assert "cannot be read" in told.err
    assert alone(tmp_path).status == 1, "a folder that is no bundle"
    assert alone("--unknown").status == 2


def test_a_copy_of_a_record_with_its_log_is_read_without_writing(tmp_path: Path) -> None:
    file = tmp_path / "record.db"
    create(f"sqlite:///{file}", TABLE)
    copy = tmp_path / "copy"
    copy.mkdir()
    with Journal.open(f"sqlite:///{file}", TABLE):
        for name in ("record.db", "record.db-wal"):
            shutil.copy(tmp_path / name, copy)
    assert alone(copy / "record.db").status == 0


def test_a_card_that_is_none_is_told_as_such(tmp_path: Path) -> None:
    file = tmp_path / "record.db"
    create(f"sqlite:///{file}", TABLE)
    fill(f"sqlite:///{file}", 2)

    def none(_row: dict[str, Any], event: dict[str, Any]) -> None:
        if event["type"] == "card_dealt":
            event["card"] = "ZZ"

    assert "ZZ" not in {card.value for card in Card}
    forged(file, none)
    told = alone(file, "--json")
    assert "ZZ is no card" in told.places[0][1]


def test_a_record_that_was_not_upgraded_is_verified_too(tmp_path: Path) -> None:
    config = Config(attributes={})
    config.set_main_option("script_location", "studio.store:migrations")
    file = tmp_path / "record.db"
    engine = create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
        epoch = {"table_id": TABLE, "ordinal": 1, "epoch": "one", "created": "now"}
        row = text("INSERT INTO epochs VALUES (:table_id, :ordinal, :epoch, :created)")
        connection.execute(row, epoch)
    engine.dispose()
    told = alone(file)
    assert (told.status, told.err) == (0, "")
