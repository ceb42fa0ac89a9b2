# SPDX-License-Identifier: Apache-2.0
"""The published coups, judged from their cards alone."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from studio.game.cards import Card
from studio.game.coup import Outcome, Side
from studio.game.judgement import CoupCard, CoupEvent, ResultCall, ShoeEmpty, Verdict, judge
from tests.game.houses import house

COUPS = Path(__file__).parents[1] / "adjudication" / "coups.jsonl"
CASES = [json.loads(line) for line in COUPS.read_text().splitlines()]


def _events(record: dict[str, Any]) -> tuple[CoupEvent, ...]:
    events: list[CoupEvent] = []
    early = False
    for one in record["events"]:
        if "card" in one:
            card = None if one["card"] is None else Card(one["card"])
            at = Side(one["at"]) if "at" in one else None
            flags = {name: one.get(name, False) for name in ("face_up", "stuck", "unseen")}
            events.append(CoupCard(card, card is not None, early, at, **flags))
        elif "result" in one:
            events.append(ResultCall(Outcome(one["result"])))
        elif "shoe_empty" in one:
            events.append(ShoeEmpty())
        elif "bets" in one:
            early = one["bets"] == "open"
    return tuple(events)


@pytest.mark.req("VOID-11")
@pytest.mark.parametrize("case", CASES, ids=[case["coup"]["id"] for case in CASES])
def test_a_published_coup_is_judged_as_published(case: dict[str, Any]) -> None:
    record, due = case["coup"], case["ruling"]
    events = _events(record)
    found = judge(house(record.get("house", "studio")), record.get("seen", {}), events)
    is_open = found.verdict is Verdict.INCOMPLETE
    assert {
        "id": record["id"],
        "verdict": found.verdict,
        "irregularities": [{"code": one.code, "card": one.card} for one in found.irregularities],
        "player": list(found.player),
        "banker": list(found.banker),
        "outcome": found.outcome,
        "surplus": [{"card": one.card, "remedy": one.remedy} for one in found.surplus],
        "next": found.next if is_open else None,
    } == {
        name: due[name] for name in due if name not in ("player_total", "banker_total", "last_coup")
    }


def test_a_card_that_was_carried_is_not_counted_again() -> None:
    nine = Card("9H")
    for is_carried, verdict in ((True, Verdict.INCOMPLETE), (False, Verdict.VOID)):
        given = (CoupCard(nine, is_carried=is_carried),)
        assert judge(house(decks=1), {"9H": 1}, given).verdict is verdict


def test_a_carried_card_that_was_corrected_counts_as_what_it_is() -> None:
    corrected = CoupCard(Card("9H"), is_carried=True, is_manual=True)
    found = judge(house(decks=1), {"9H": 1}, (corrected,))
    assert [one.code for one in found.irregularities] == ["duplicate-card"]
    assert found.verdict is Verdict.VOID


def test_cards_that_nobody_read_are_no_copies_of_one_another() -> None:
    unread = CoupCard(None, is_read=False, early=True)
    found = judge(house(decks=1, early_card="burn"), {}, (unread, unread))
    assert [one.code for one in found.irregularities] == ["card-before-close"] * 2
    assert [(one.card, one.remedy) for one in found.surplus] == [(None, "burn")] * 2


def test_what_happened_to_a_coup_is_written_in_words_that_tell_it_apart() -> None:
    events = (CoupCard(Card("9H")), ResultCall(Outcome.TIE), ShoeEmpty())
    written = msgspec.json.encode(events)
    assert [one["coup"] for one in json.loads(written)] == ["card", "call", "shoe_empty"]
    assert msgspec.json.decode(written, type=tuple[CoupEvent, ...]) == events
