# SPDX-License-Identifier: Apache-2.0
"""Every golden coup is dealt by a simulated shoe to a live table, which rules as the vectors say.

The table's own judgement is read from its record, what it did about it from what it recorded and
showed. Two things that a record can say a shoe at a table cannot:

- ``seen``: cards are burned in front of the coup until as many copies are out;
- a cut card in a house that reshuffles after every round: no table counts one, so that the
  ``last_coup`` of such a vector is left out.
"""

import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from studio.cli.drill_floor import Floor
from studio.game import events as ev
from studio.game.cards import total_of
from studio.game.events import Recorded
from studio.game.holds import judgement_of
from studio.game.judgement import Verdict
from studio.game.state import TableState
from studio.inbox import Stopping
from studio.settings import names_of
from studio.verify import verify
from tests.adjudication.vectors import Vector, vectors
from tests.system.coup_hands import CoupHands, shoes

DECIDED = ("valid", "reconstructed")


@contextmanager
def _floor(house: str) -> Iterator[Floor]:
    with tempfile.TemporaryDirectory() as folder, Floor(Path(folder), house, Stopping()) as floor:
        yield floor


def _of_house(house: str) -> list[Vector]:
    return [one for one in vectors() if one.coup.get("house", "studio") == house]


def test_every_vector_is_dealt_in_some_house() -> None:
    found = [one for house in names_of("houses") for one in _of_house(house)]
    assert len(found) == len(vectors()) > 150


@pytest.mark.parametrize("house", names_of("houses"))
def test_the_live_table_rules_as_every_vector_says(house: str) -> None:
    wrong: list[str] = []
    with _floor(house) as floor:
        hands = CoupHands(floor)
        for shoe in shoes(_of_house(house), floor.house.decks):
            hands.load(shoe)
            for vector in shoe.vectors:
                state = hands.deal(vector.coup)
                wrong += _differences(vector, _ruled(state, floor), "judged")
                wrong += _differences(vector, _raised(hands.coup, vector), "raised")
                hands.finish(vector.ruling["verdict"])
                wrong += _differences(vector, _done(hands.coup, vector), "done")
            hands.end_shoe()
        assert verify(floor.database, floor.table).findings == ()
    assert wrong == []


def _differences(vector: Vector, seen: dict[str, Any], how: str) -> list[str]:
    due = {name: vector.ruling[name] for name in seen}
    coup = vector.coup.get("id")
    return [
        f"{coup}: {how} {name} {seen[name]}, due {due[name]}"
        for name in seen
        if seen[name] != due[name]
    ]


def _codes(cards: Any) -> list[str]:
    return [card.value for card in cards]


def _ruled(state: TableState, floor: Floor) -> dict[str, Any]:
    """The table's own judgement, in the words of a ruling."""
    judgement = judgement_of(state)
    is_open = judgement.verdict is Verdict.INCOMPLETE
    ruled = {
        "verdict": judgement.verdict.value,
        "irregularities": [
            {"code": one.code, "card": one.card} for one in judgement.irregularities
        ],
        "player": _codes(judgement.player),
        "banker": _codes(judgement.banker),
        "player_total": total_of(judgement.player),
        "banker_total": total_of(judgement.banker),
        "outcome": None if judgement.outcome is None else judgement.outcome.value,
        "surplus": [
            {"card": None if one.card is None else one.card.value, "remedy": one.remedy}
            for one in judgement.surplus
        ],
        "next": judgement.next.value if is_open and judgement.next is not None else None,
    }
    if floor.house.shoe_mode == "shoe":
        ruled["last_coup"] = state.last_coup
    shown = floor.state()
    assert len(shown.evidence) == len(state.coup_cards)
    if judgement.verdict.value in DECIDED:
        # every hold was ruled: players see the hands of the judgement, and nothing else
        ruled["player"], ruled["banker"] = _codes(shown.public.player), _codes(shown.public.banker)
        ruled["outcome"] = None if shown.outcome is None else shown.outcome.value
    elif is_open:
        ruled["next"] = shown.next_position or ruled["next"]
    return ruled


def _raised(coup: list[Recorded], vector: Vector) -> dict[str, Any]:
    """Every irregularity of the ruling held the table when it showed, with its card."""
    raised = Counter(
        (one.event.code, one.event.number)
        for one in coup
        if isinstance(one.event, ev.IrregularityRaised)
    )
    due = vector.ruling["irregularities"]
    return {"irregularities": [one for one in due if raised[(one["code"], one["card"])]]}


def _done(coup: list[Recorded], vector: Vector) -> dict[str, Any]:
    """What became public as the result, and what became of the surplus."""
    events = [one.event for one in coup]
    results = [one for one in events if isinstance(one, ev.ResultConfirmed)]
    assert len(results) == (vector.ruling["verdict"] in DECIDED)
    assert sum(isinstance(one, ev.RoundVoided) for one in events) == 1 - len(results)
    if not results:
        return {}
    result = results[0]
    return {
        "player": _codes(result.player),
        "banker": _codes(result.banker),
        "player_total": result.player_total,
        "banker_total": result.banker_total,
        "outcome": result.outcome.value,
        "surplus": _fates(events, vector),
    }


def _fates(events: list[ev.Event], vector: Vector) -> list[dict[str, Any]]:
    """The surplus with its fate, in the order of the ruling; fates are carried out one by one."""
    found: list[tuple[str | None, str]] = []
    for event in events:
        match event:
            case ev.HeldCardBurned(cards=cards, unread=unread):
                found += [(card, "burn") for card in (*_codes(cards), *[None] * unread)]
            case ev.SurplusCarried(cards=cards):
                found += [(card, "carry") for card in _codes(cards)]
            case ev.SurplusKeptForBurn(cards=cards):
                found += [(card, "next_burn") for card in _codes(cards)]
            case ev.FreeCoupDue(cards=cards):
                found += [(card, "free_coup") for card in _codes(cards)]
            case _:
                pass
    due = [(one["card"], one["remedy"]) for one in vector.ruling["surplus"]]
    if Counter(found) == Counter(due):
        found = due
    return [{"card": card, "remedy": remedy} for card, remedy in found]
