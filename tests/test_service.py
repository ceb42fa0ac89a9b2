# SPDX-License-Identifier: Apache-2.0
"""The table's loop with a real record and real sockets: what it keeps for its next start."""

import io
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from sqlalchemy import create_engine, text
from structlog.testing import capture_logs

from studio.feed.publisher import Publisher
from studio.game.cards import Card
from studio.game.events import ManagerRung, Source
from studio.game.evolve import evolve
from studio.game.house import Burn, BurnRule, GamingDay
from studio.game.inputs import (
    CardDrawn,
    CloseBets,
    CloseRound,
    ConfirmResult,
    EndShoe,
    LineLost,
    LineUp,
    LoadShoe,
    OpenBets,
    OpenTable,
    Origin,
    Reported,
    ServiceStarted,
    TrustStream,
)
from studio.game.state import Phase, TableState
from studio.inbox import Stopping
from studio.saved import to_save
from studio.service import EVENTS_A_SHOE, TableService, gaming_day, restored
from studio.store.journal import Journal
from studio.store.schema import create
from studio.verify import verify
from tests.game.table_driver import BY, FACTS, house
from tests.waiting import until

TABLE = FACTS.table
NO_BURN = Burn(BurnRule.NONE)
ORIGIN = Origin("shoe", "s1", 1, 8, "05314481b8033446", datetime(2026, 11, 29, tzinfo=UTC), "1")


@pytest.fixture
def url(tmp_path: Path) -> str:
    made = f"sqlite:///{tmp_path}/record.db"
    create(made, TABLE)
    return made


@pytest.fixture
def journal(url: str) -> Iterator[Journal]:
    with Journal.open(url, TABLE) as opened:
        yield opened


@pytest.fixture
def service(journal: Journal) -> Iterator[TableService]:
    rules = house(close_guard_ms=0, betting_seconds=3600)
    with Publisher("tcp://127.0.0.1:*") as public, Publisher("tcp://127.0.0.1:*") as staff:
        made = TableService(TABLE, rules, journal, public, staff)
        made.handle(ServiceStarted(FACTS, rules))
        made.handle(Reported(ORIGIN, LineUp("pty", 1)))
        made.handle(OpenTable(by=BY, dealer="Anna"))
        yield made


def _shoe(service: TableService) -> None:
    """Burn, deal rounds until enough has happened, end the shoe."""
    cards = iter(list(Card) * 8)
    service.handle(LoadShoe(by=BY))
    while service.state.phase is Phase.BURNING:
        service.handle(Reported(ORIGIN, CardDrawn(next(cards))))
    while service.state.seq < EVENTS_A_SHOE:
        service.handle(OpenBets(by=BY))
        service.handle(CloseBets(by=BY))
        while service.state.phase is Phase.DEALING:
            service.handle(Reported(ORIGIN, CardDrawn(next(cards))))
        service.handle(ConfirmResult(by=BY))
    service.handle(CloseRound(by=BY))
    service.handle(EndShoe(by=BY))


@pytest.mark.req("DUR-14")
def test_a_start_from_a_saved_state_is_a_start_from_the_whole_record(
    service: TableService, journal: Journal
) -> None:
    _shoe(service)
    stopping = Stopping()
    running = threading.Thread(target=service.run, args=(stopping,))
    running.start()
    try:
        until(lambda: journal.last_checkpoint() is not None)
    finally:
        stopping.set()
        service.wake()
        running.join()
    folded = TableState()
    for recorded in journal.read():
        folded = evolve(folded, recorded)
    assert restored(journal) == folded == service.state


def test_the_service_rings_the_manager_for_a_hold_that_nobody_claims(
    journal: Journal, service: TableService
) -> None:
    service.handle(ServiceStarted(FACTS, house(close_guard_ms=0, ring_seconds=0.05, burn=NO_BURN)))
    service.handle(LoadShoe(by=BY))
    stopping = Stopping()
    running = threading.Thread(target=service.run, args=(stopping,))
    running.start()
    try:
        service.submit(Reported(ORIGIN, CardDrawn(Card("2C"))))
        until(lambda: (hold := service.shown_state().hold) is not None and hold.rung_at is not None)
    finally:
        stopping.set()
        service.wake()
        running.join()
    rung = next(one for one in journal.read() if isinstance(one.event, ManagerRung))
    held = service.state.hold
    assert held is not None
    assert (held.rung_at, rung.source) == (rung.at, Source.TIMER)
    assert rung.at - held.since >= timedelta(seconds=0.05)


def test_a_state_that_another_program_saved_is_not_taken(
    service: TableService, journal: Journal
) -> None:
    _shoe(service)
    wrong = {"digest": "another", "state": TableState(seq=journal.last_seq, dealer="Nobody")}
    journal.checkpoint(journal.last_seq, msgspec.json.encode(wrong))
    assert restored(journal) == service.state
    assert service.state.dealer == "Anna"


@pytest.mark.req("AUD-5")
def test_a_state_that_was_forged_for_a_start_is_found(
    service: TableService, journal: Journal, url: str
) -> None:
    _shoe(service)
    journal.checkpoint(journal.last_seq, to_save(service.state))
    assert verify(url, TABLE).is_sound
    forged = to_save(replace(service.state, dealer="Nobody"))
    digest = sha256(journal.hash + forged).digest()
    engine = create_engine(url)
    with engine.begin() as written:
        statement = text("UPDATE checkpoints SET blob = :blob, digest = :digest")
        written.execute(statement, {"blob": forged, "digest": digest})
    engine.dispose()
    assert restored(journal).dealer == "Nobody"
    (finding,) = verify(url, TABLE).findings
    assert (finding.seq, "saved" in finding.text) == (journal.last_seq, True)


def test_every_state_of_a_shoe_survives_its_json(journal: Journal, service: TableService) -> None:
    _shoe(service)
    state = TableState()
    for recorded in journal.read():
        state = evolve(state, recorded)
        assert msgspec.json.decode(msgspec.json.encode(state), type=TableState) == state


@pytest.mark.parametrize(
    "at, zone, hour, day",
    [
        ("2026-11-29T05:59:59", "UTC", 6, "20261128"),
        ("2026-11-29T06:00:00", "UTC", 6, "20261129"),
        ("2026-11-29T04:59:59", "Europe/Rome", 6, "20261128"),
        ("2026-11-29T05:00:00", "Europe/Rome", 6, "20261129"),
        ("2026-11-29T16:00:00", "Asia/Macau", 0, "20261130"),
    ],
)
def test_the_gaming_day_turns_at_the_houses_hour(at: str, zone: str, hour: int, day: str) -> None:
    moment = datetime.fromisoformat(at).replace(tzinfo=UTC)
    assert gaming_day(moment, GamingDay(zone, hour)) == day


def test_what_an_operator_should_know_is_logged_without_cards_and_without_words_of_people(
    service: TableService,
) -> None:
    service.handle(LoadShoe(by=BY))
    with capture_logs() as logged:
        service.handle(Reported(ORIGIN, LineLost("pty", "unplugged", "hung up")))
        service.handle(Reported(ORIGIN, LineUp("pty", 1)))
        service.handle(TrustStream(by=BY, reason="Anna compared"))
        service.handle(Reported(ORIGIN, CardDrawn(Card("9H"))))
    told = [(line["log_level"], line["event"], line["trust"]) for line in logged]
    assert told == [
        ("warning", "stream_changed", "lost"),
        ("warning", "stream_changed", "suspect"),
        ("info", "stream_changed", "trusted"),
    ]
    assert "Anna" not in str(logged)
    assert "9H" not in str(logged)


class _Full(io.StringIO):
    """A standard error that takes nothing."""

    def write(self, _: str) -> int:
        raise OSError(28, "No space left on device")


def test_a_log_that_cannot_be_written_stops_no_table(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout", _Full())
    service.handle(LoadShoe(by=BY))
    assert service.state.phase is Phase.BURNING
