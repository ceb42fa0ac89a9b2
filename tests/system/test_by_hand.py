# SPDX-License-Identifier: Apache-2.0
"""A whole shoe by hand: the cable is out from the start, and two people tell of every card."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from studio.feed.staff import Acceptance, RefusalAnswer
from studio.game import events as ev
from studio.game import inputs as inp
from studio.game.cards import Card, cards_in
from studio.game.coup import Position
from studio.game.events import Source
from tests.system.rig import BY, Hands, studio
from tests.system.witness import is_sound, log_of, recorded

DECKS, BEHIND = 8, 20
SECOND = "s-002"


def _told(state: dict[str, Any], card: Card | None) -> inp.RecordCard:
    return inp.RecordCard(by=BY, second=SECOND, number=state["cards_out"] + 1, card=card)


def _command(state: dict[str, Any], deck: list[Card]) -> inp.Command | None:
    """What two people do with the deck in their hands, as the prompt says."""
    prompt = state["prompt"]
    match prompt["code"]:
        case "shoe-line-down":
            return inp.SetManualMode(by=BY, second=SECOND, on=True)
        case "burn-first-card-by-hand":
            return _told(state, deck.pop())
        case "burn-card-by-hand":
            deck.pop()
            return _told(state, None)
        case "deal-card-by-hand":
            position = Position(prompt["position"])
            return inp.DealCard(by=BY, second=SECOND, card=deck.pop(), position=position)
        case "open-bets" | "settle":
            return inp.OpenBets(by=BY)
        case "confirm-result":
            return inp.ConfirmResult(by=BY)
        case _:
            return None


@pytest.mark.req("MAN-1", "MAN-5", "COM-6")
def test_with_the_line_down_a_shoe_is_burned_dealt_and_counted_by_hand(tmp_path: Path) -> None:
    deck = [card for card in Card for _ in range(DECKS)]
    Random(11).shuffle(deck)
    with studio(tmp_path) as running:
        running.start()
        hands = Hands(running)
        running.shoe.unplug()
        hands.wait_for(trust="lost")
        hands.tell(inp.OpenTable(by=BY, dealer="Anna"))
        hands.tell(inp.LoadShoe(by=BY))
        while len(deck) > BEHIND or hands.snapshot().state["phase"] != "settling":
            state = hands.snapshot().state
            command = _command(state, deck)
            if command is not None:
                assert isinstance(hands.tell(command), Acceptance), (state["prompt"], command)
        again = hands.tell(_told({"cards_out": 0}, None))
        assert isinstance(again, RefusalAnswer)
        assert again.code == "stale"

        assert isinstance(hands.tell(inp.EndShoe(by=BY, left=len(deck))), Acceptance)
        record = recorded(running)
        (ended,) = [one.event for one in record if isinstance(one.event, ev.ShoeEnded)]
        assert ended.seen + ended.burned + ended.left == cards_in(DECKS)
        assert ended.rounds == len([one for one in record if isinstance(one.event, ev.RoundClosed)])
        burned = [one for one in record if isinstance(one.event, ev.CardBurned)]
        assert {(one.event.by, one.event.second) for one in burned} == {(BY, SECOND)}
        dealt = [one for one in record if isinstance(one.event, ev.CardDealt)]
        assert {one.source for one in dealt} == {Source.MANUAL}
        assert is_sound(running)
        log_of(running)
