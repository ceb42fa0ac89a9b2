# SPDX-License-Identifier: Apache-2.0
"""The record cannot be written any more: disk full, database locked, database gone.

The last word on air is a heartbeat with ``suspended``, nothing that is not on record was sent, the
service ends with a status that says so, and goes on when the cause is gone.
"""

import resource
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from drivers.sim.commands import ForcedEnd
from tests.postgres import Server
from tests.system.disks import small_disk
from tests.system.rig import Gone, Hands, Studio, studio
from tests.system.witness import (
    OnAir,
    account,
    cards_on_record,
    comes_in_order,
    coups_dealt,
    coups_shown,
    is_sound,
    stored,
)
from tests.waiting import until

SIMULATOR = ("--seed", "13", "--repeats", "1", "--repeat-spacing", "0.001")
HOUSE = {"rule": '"none"'}
MOST_ROUNDS = 400


def _deal_until_gone(hands: Hands) -> None:
    with pytest.raises(Gone):
        hands.deal(MOST_ROUNDS)


def _goes_down(running: Studio, air: OnAir, hands: Hands, words: str) -> None:
    """Deal on until the service has ended, and look at how it did."""
    _deal_until_gone(hands)
    assert running.service is not None
    status = running.service.child.wait(20)
    assert words in running.service.errors()
    assert running.service.wait() == status
    assert status > 0
    until(lambda: air.last_word()["type"] == "heartbeat" and air.last_word()["data"]["suspended"])


def _nothing_unstored_was_sent(running: Studio, air: OnAir) -> None:
    record = stored(running)
    assert air.messages == record[-len(air.messages) :]
    assert air.last_word()["seq"] == len(record)


def _goes_on(running: Studio) -> None:
    """Start again and deal on; all results are right."""
    running.start()
    hands = Hands(running)
    for _ in range(3):
        hands.play_to("settling")
        if not running.shoe.state().between_coups:
            # a card was read and could not be logged: the round was held for it, and is void
            running.shoe.ask(ForcedEnd())
        hands.play_to("dealing")
    hands.play_to("settling")
    assert coups_shown(hands)[-1] == coups_dealt(running.shoe.state().drawn)[-1]
    assert comes_in_order(cards_on_record(running), account(running))
    assert comes_in_order(coups_shown(hands), coups_dealt(running.shoe.state().drawn))
    assert is_sound(running)


def _survives(
    running: Studio, harm: Callable[[], None], mend: Callable[[], None], words: str
) -> None:
    """Harm the record in mid-round, and mend it after the service has gone down."""
    running.start()
    hands = Hands(running)
    air = OnAir(running.endpoints)
    try:
        hands.deal(1)
        hands.play_to("dealing", cards=2)
        harm()
        _goes_down(running, air, hands, words)
        mend()
        assert air.last_word()["data"]["suspended"] == "system"
        _nothing_unstored_was_sent(running, air)
    finally:
        air.close()
    _goes_on(running)


@pytest.mark.req("RND-5", "DAT-3", "DUR-2", "DUR-5")
@pytest.mark.parametrize("what", ["the record", "the raw log"])
def test_a_full_disk_suspends_and_nothing_unstored_was_sent(what: str, tmp_path: Path) -> None:
    name = "disk" if what == "the record" else "data"
    with small_disk(tmp_path / name, "12m") as disk:
        database = f"sqlite:///{tmp_path}/{'disk/' if name == 'disk' else ''}record.db"
        with studio(tmp_path, *SIMULATOR, house=HOUSE, database=database) as running:
            filler = disk / "filler"

            def fill() -> None:
                with filler.open("wb", buffering=0) as file:
                    try:
                        while True:
                            file.write(bytes(4096))
                    except OSError:
                        pass

            _survives(running, fill, filler.unlink, "full" if name == "disk" else "No space left")


@pytest.mark.req("RND-5", "DUR-2", "DUR-5")
def test_a_disk_that_takes_no_more_writes_suspends_at_that_card(tmp_path: Path) -> None:
    with studio(tmp_path, *SIMULATOR, house=HOUSE) as running:

        def limit() -> None:
            assert running.service is not None
            pid = running.service.child.pid
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))

        _survives(running, limit, lambda: None, "record.db failed")


@pytest.mark.req("RND-5", "DUR-5")
def test_a_database_locked_by_another_program_suspends(tmp_path: Path) -> None:
    with studio(tmp_path, *SIMULATOR, house=HOUSE) as running:
        other = sqlite3.connect(tmp_path / "record.db", isolation_level=None)
        _survives(
            running,
            lambda: other.execute("BEGIN IMMEDIATE") and None,
            other.close,
            "another program holds it locked",
        )


@pytest.mark.req("RND-5", "DAT-9", "DUR-5")
def test_a_database_file_taken_away_suspends(tmp_path: Path) -> None:
    with studio(tmp_path, *SIMULATOR, house=HOUSE) as running:
        files = ("record.db", "record.db-wal", "record.db-shm")
        away = tmp_path / "away"
        away.mkdir()

        def take() -> None:
            for name in files:
                (tmp_path / name).rename(away / name)

        def put_back() -> None:
            for name in files:
                if (away / name).exists():
                    (away / name).replace(tmp_path / name)

        _survives(running, take, put_back, "is gone or was replaced")


@pytest.mark.req("RND-5", "DUR-2", "DUR-5")
def test_a_database_server_that_goes_away_suspends(tmp_path: Path) -> None:
    with (
        Server() as server,
        studio(tmp_path, *SIMULATOR, house=HOUSE, database=server.new_place()) as running,
    ):
        _survives(running, server.stop, server.start, "writing postgresql")
