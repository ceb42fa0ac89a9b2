# SPDX-License-Identifier: Apache-2.0
"""Cards that come too early: while bets are open, and within the close guard."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from drivers.sim.commands import ForcedEnd
from studio.feed.asks import AskHistory, AskRound, AskSnapshot, AskTables
from studio.feed.client import Client
from studio.feed.staff import Acceptance
from studio.game import events as ev
from studio.game.inputs import VoidRound
from tests.system.rig import BY, TABLE, Hands, Studio, studio
from tests.system.witness import OnAir, coups_shown, is_sound, log_of, recorded, stored
from tests.waiting import until

EARLY = "9H"
# The card drawn too early, then a natural for Player and another for Banker.
SCRIPT = (EARLY, "8D", "2C", "KS", "3S", "5D", "4C", "2S", "5C")


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Studio]:
    script = ("--script", ",".join(SCRIPT))
    with studio(tmp_path, *script, house={"rule": '"none"', "betting_seconds": "600"}) as running:
        running.start()
        yield running


def _asked(running: Studio, epoch: str, round_id: str) -> bytes:
    """All that the public request endpoint says about it."""
    with Client(running.endpoints["public_requests"]) as client:
        asks = (
            AskTables(id="a"),
            AskSnapshot(id="b", table=TABLE),
            AskHistory(id="c", table=TABLE, epoch=epoch, after=0, limit=5000),
            AskRound(id="d", table=TABLE, round=round_id),
        )
        return b"\n".join(client.ask(ask) for ask in asks)


@pytest.mark.req("RND-4", "RND-6", "REC-2")
def test_a_card_read_while_bets_are_open_closes_them_and_is_never_public(table: Studio) -> None:
    hands = Hands(table, closes_bets=True)
    air = OnAir(table.endpoints)
    try:
        hands.play_to("bets_open")
        table.shoe.pull()
        hands.wait_for(phase="held")
        now = hands.snapshot()
        raw = table.shoe.state(reports=True).reports[-1].hex.encode()
        assert [one["card"] for one in now.state["hold"]["raised"]] == [EARLY]
        until(lambda: air.types()[-2:] == ["bets_closed", "round_held"], 20)
        round_id = now.state["public"]["round"]
        held = _asked(table, now.epoch, round_id)
        assert now.state["public"]["phase"] == "held"

        ruled = hands.tell(VoidRound(by=BY, round=round_id, reason="drawn too early"))
        assert isinstance(ruled, Acceptance)
        table.shoe.ask(ForcedEnd())
        hands.play_to("settling")
        hands.step()
        hands.play_to("settling")
        assert coups_shown(hands) == [(("8D", "KS"), ("2C", "3S"), "player")]
        until(lambda: len(air.messages) == len(stored(table)), 20)
        assert air.types()[:6] == [
            "table_opened", "shoe_loaded", "bets_opened", "bets_closed", "round_held",
            "round_voided",
        ]  # fmt: skip
        public = [held, _asked(table, now.epoch, round_id), *map(b" ".join, air.frames)]
        assert b"8D" in b"".join(public)
        assert [one for one in public if EARLY.encode() in one or raw in one] == []
        assert is_sound(table)
        log_of(table)
    finally:
        air.close()


@pytest.mark.req("RND-4", "RND-6")
def test_cards_drawn_within_the_close_guard_become_public_after_it_in_order(
    tmp_path: Path,
) -> None:
    house = {"rule": '"none"', "betting_seconds": "600", "close_guard_ms": "1000"}
    script = ("--script", ",".join(SCRIPT[1:]))
    with studio(tmp_path, *script, house=house) as running:
        running.start()
        hands = Hands(running, closes_bets=True)
        air = OnAir(running.endpoints)
        try:
            hands.play_to("bets_open")
            hands.step()
            running.shoe.pull(4)
            hands.play_to("settling")
            assert coups_shown(hands) == [(("8D", "KS"), ("2C", "3S"), "player")]
            until(lambda: air.types()[-1:] == ["result"], 20)
            shown = [msgspec.json.decode(body) for body in air.messages[-5:]]
            assert [one["data"].get("card") for one in shown] == ["8D", "2C", "KS", "3S", None]
            assert air.types()[-6] == "bets_closed"
            kinds = [type(one.event) for one in recorded(running)]
            closed, ended = kinds.index(ev.BetsClosed), kinds.index(ev.GuardEnded)
            assert ev.CardKept in kinds[closed:ended]
            assert ev.CardDealt not in kinds[:ended]
            assert is_sound(running)
            log_of(running)
        finally:
            air.close()
