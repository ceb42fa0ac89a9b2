# SPDX-License-Identifier: Apache-2.0
"""A whole shoe from its burn to its end, through simulator, line, service, record and feed."""

import json
from collections import Counter
from pathlib import Path

import pytest

from studio.feed.client import Client
from studio.feed.staff import Acceptance, RefusalAnswer
from studio.game import events as ev
from studio.game.cards import cards_in
from studio.game.inputs import CloseRound, EndShoe, LoadShoe
from tests.contract.fits import all_faults
from tests.system.rig import BY, Hands, Studio, studio
from tests.system.witness import (
    Watching,
    account,
    cards_on_record,
    coups_dealt,
    coups_shown,
    is_sound,
    log_of,
    recorded,
    stored,
)
from tests.waiting import until

DECKS = 8
BEHIND_THE_CUT_CARD = 14


def _deal_to_the_end(hands: Hands) -> None:
    """Deal until the prompt is to end the shoe."""
    for _ in range(5000):
        state = hands.snapshot().state
        if state["prompt"]["code"] == "end-shoe":
            return
        if state["phase"] == "settling":
            hands.tell(CloseRound(by=BY))
        else:
            hands.step()
    raise AssertionError(f"the shoe did not end: {hands.snapshot().state['prompt']}")


def _ended(running: Studio) -> ev.ShoeEnded:
    (ended,) = [one.event for one in recorded(running) if isinstance(one.event, ev.ShoeEnded)]
    return ended


def _answers(running: Studio, last: bytes) -> list[bytes]:
    """What the table answers to every public request."""
    known = json.loads(last)
    named = {"table": known["table"], "epoch": known["epoch"], "round": known["round"], "after": 0}
    asks = ("tables", "snapshot", "history", "round", "nothing")
    with Client(running.endpoints["public_requests"]) as client:
        return [
            client.ask(json.dumps({"v": 1, "id": ask, "ask": ask} | named).encode()) for ask in asks
        ]


@pytest.mark.req("COM-4", "DAT-1", "REC-1")
def test_a_shoe_is_dealt_to_its_end_and_every_card_is_accounted_for(tmp_path: Path) -> None:
    simulator = ("--seed", "29", "--burn", "first_card", "--repeats", "2", "--repeat-spacing", "0")
    cut = ("--cut-card-from-end", str(BEHIND_THE_CUT_CARD))
    with studio(tmp_path, *simulator, *cut) as running:
        running.start()
        hands = Hands(running)
        hands.play_to("idle")
        watching = Watching(running.endpoints)
        try:
            until(watching.state, 20)
            _deal_to_the_end(hands)
            pulls = running.shoe.state().drawn
            coups = coups_dealt(pulls)
            (cut_at,) = [number for number, pulled in enumerate(pulls) if pulled.cut_card]
            # drawn within a coup it marks the next one as the last, between two the very next
            within = pulls[cut_at].index != 1 or pulls[cut_at].target != "player"
            assert len(coups) == pulls[cut_at].coup + int(within)
            assert coups_shown(hands) == coups
            burned = sum(pulled.coup == 0 for pulled in pulls)
            left = cards_in(DECKS) - len(pulls)
            assert left < BEHIND_THE_CUT_CARD

            wrong = hands.tell(EndShoe(by=BY, left=left + 1))
            assert isinstance(wrong, RefusalAnswer)
            assert wrong.code == "count_mismatch"
            assert isinstance(hands.tell(EndShoe(by=BY, left=left)), Acceptance)
            ended = _ended(running)
            assert (ended.rounds, ended.burned, ended.left) == (len(coups), burned, left)
            assert ended.seen + ended.burned + ended.left == cards_in(DECKS)
            read = cards_on_record(running)
            assert read == account(running)
            assert max(Counter(read).values()) <= DECKS

            running.shoe.change_shoe()
            assert isinstance(hands.tell(LoadShoe(by=BY)), Acceptance)
            hands.play_to("settling")
            assert coups_shown(hands) == coups_dealt(running.shoe.state().drawn)
            assert cards_on_record(running) == read + account(running)
            record = stored(running)
            until(lambda: watching.payloads[-1:] == record[-1:], 20)
            assert watching.payloads == record[-len(watching.payloads) :]
            assert all_faults(record) == []
            assert all_faults(_answers(running, record[-1])) == []
            assert is_sound(running)
            log_of(running)
        finally:
            watching.close()


def test_a_shoe_reshuffled_after_every_round_is_counted_anew_each_time(tmp_path: Path) -> None:
    house = {"shoe_mode": '"continuous"', "decks": "6", "rule": '"none"', "cut_card_from_end": ""}
    with studio(tmp_path, "--decks", "6", "--no-cut-card", "--seed", "31", house=house) as running:
        running.start()
        hands = Hands(running)
        coups, cards = [], []
        for number in range(1, 7):
            hands.deal(number)
            coups += coups_dealt(running.shoe.state().drawn)
            cards += account(running)
            assert hands.snapshot().state["cards_out"] == len(account(running))
            hands.tell(CloseRound(by=BY))
            assert hands.snapshot().state["cards_out"] == 0
            running.shoe.change_shoe()
        assert coups_shown(hands) == coups
        assert cards_on_record(running) == cards
        public = hands.snapshot().state["public"]
        assert (public["roads"], public["counts"]) == (None, None)
        assert is_sound(running)
        log_of(running)
