# SPDX-License-Identifier: Apache-2.0
"""Why a coup is ruled as it is, for a person: the boxes, the moves, the tableau's rows, the source.

Pure: a judged record in, plain texts out. What the words look like is the caller's affair.
"""

import msgspec

from studio.game.adjudicate import Judged
from studio.game.cards import Card, total_of
from studio.game.coup import Side
from studio.game.holds import moves_of
from studio.game.house import House
from studio.game.irregularities import DUPLICATE_CARD, IRREGULARITIES, SHOE_EMPTY, Remedy
from studio.game.judgement import Verdict
from studio.game.record_events import Given, Record
from studio.game.tableau import is_natural, row_for

_NAMES = {Side.PLAYER: "Punto", Side.BANKER: "Banco"}
_BOXES = {Side.PLAYER: "Punto's box", Side.BANKER: "Banco's box"}
# Which value of the house decided, for the irregularities that a house rules on.
_RULED_BY = {
    "card-before-close": "early_card",
    "face-up-in-shoe": "face_up_card",
    "double-pull": "stuck_cards",
    "excess-after-natural": "excess_card",
    "excess-after-complete": "excess_card",
    "p3-when-stand-b-stands": "excess_card",
    "b3-when-stand": "excess_card",
}
# What no house rules on: the round is void in each, and this says after whom.
_VOID_BY = {
    DUPLICATE_CARD: "general knowledge; Kangwon Land called such a hand no game (poker, 2014); "
    "confirm with your regulator",
    SHOE_EMPTY: "general knowledge of New Jersey's rules, irregularities not read; confirm with "
    "your regulator",
}
TABLEAU_SOURCE = "the tableau (French order of 14 May 2007, art. 55-14)"
_VERDICTS = {
    Verdict.VALID: "The coup is valid.",
    Verdict.RECONSTRUCTED: "The coup is reconstructed.",
    Verdict.INCOMPLETE: "The coup is not complete.",
    Verdict.HELD: "The coup is held: a card is not known. Enter it.",
    Verdict.VOID: "The coup is void; stakes are returned.",
}


class Boxes(msgspec.Struct, frozen=True):
    """What lies in each box."""

    player: tuple[str, ...]
    banker: tuple[str, ...]


class Explanation(msgspec.Struct, frozen=True):
    """The parts of an explanation, each a list of sentences but for the boxes."""

    as_laid: Boxes
    as_must_be: Boxes
    unknown_box: tuple[str, ...]
    moves: tuple[str, ...]
    tableau: tuple[str, ...]
    findings: tuple[str, ...]
    ruling: tuple[str, ...]


def explained(record: Record, found: Judged, house: House) -> Explanation:
    """The explanation of a judged record."""
    cards = tuple(one for one in record.events if one.kind == "card")
    judgement = found.judgement
    return Explanation(
        as_laid=Boxes(_laid(cards, Side.PLAYER), _laid(cards, Side.BANKER)),
        as_must_be=Boxes(
            tuple(card.value for card in judgement.player),
            tuple(card.value for card in judgement.banker),
        ),
        unknown_box=tuple(_code(card.card) for card in cards if card.at is None),
        moves=_moves(found),
        tableau=_rows(judgement.player, judgement.banker),
        findings=tuple(
            f"{_when(one.card)}: {IRREGULARITIES[one.code].what} ({one.code})"
            for one in judgement.irregularities
        ),
        ruling=_ruling(found, house),
    )


def _when(card: int) -> str:
    return f"Card {card}" if card else "Before the first card"


def _code(card: Card | None) -> str:
    return "??" if card is None else card.value


def _laid(cards: tuple[Given, ...], side: Side) -> tuple[str, ...]:
    return tuple(_code(card.card) for card in cards if card.at is side)


def _moves(found: Judged) -> tuple[str, ...]:
    if found.judgement.verdict is Verdict.VOID:
        return ("Nothing: no card of a void coup counts.",)
    moved = [
        f"{move.card.value} (card {move.number}) from {_BOXES[move.laid]} to "
        f"{_BOXES[move.position.side]}, as {move.position.value}"
        for move in moves_of(found.state.coup_cards, found.judgement)
    ]
    aside = [
        f"{_code(one.card)} (card {one.number}) out of the coup: {one.remedy.replace('_', ' ')}"
        for one in found.judgement.surplus
    ]
    return tuple(moved + aside)


def _rows(player: tuple[Card, ...], banker: tuple[Card, ...]) -> tuple[str, ...]:
    """The rows of the tableau that the hands met, in the order in which they were met."""
    if len(player) < 2 or len(banker) < 2:
        return ()
    first = total_of(player[:2]), total_of(banker[:2])
    if is_natural(player, banker):
        return (f"Punto {first[0]}, Banco {first[1]}: a natural, no card to either.",)
    if first[0] >= 6:
        rows = [f"Punto {first[0]}: Punto stands."]
    else:
        rows = [f"Punto {first[0]}: Punto draws."]
    row = row_for(player, banker)
    if row is not None:
        third = "Punto stood" if row.player_third is None else f"Punto's third {row.player_third}"
        does = "draws" if row.draws else "stands"
        rows.append(f"Banco {row.banker_total}, {third}: Banco {does}.")
    return tuple(rows)


def _ruling(found: Judged, house: House) -> tuple[str, ...]:
    judgement = found.judgement
    lines = [_VERDICTS[judgement.verdict]]
    if judgement.outcome is not None:
        player, banker = total_of(judgement.player), total_of(judgement.banker)
        winner = {"player": "Punto wins", "banker": "Banco wins", "tie": "a tie"}
        lines.append(f"Punto {player}, Banco {banker}: {winner[judgement.outcome.value]}.")
    if judgement.verdict is Verdict.INCOMPLETE and judgement.next is not None:
        due = judgement.next
        lines.append(f"Next: a card to {_NAMES[due.side]} ({due.value}).")
    if found.last_coup is not None:
        last = {"this": "This coup is the last.", "next": "The next coup is the last."}
        lines.append(last[found.last_coup])
    if judgement.verdict is not Verdict.VOID:
        lines.append(f"By {TABLEAU_SOURCE}.")
    codes = dict.fromkeys(one.code for one in judgement.irregularities)
    lines.extend(f"Void for {code}: {_VOID_BY[code]}." for code in codes if code in _VOID_BY)
    if house.excess_card == "carry" and any(
        one.remedy == Remedy.FREE_COUP for one in judgement.surplus
    ):
        lines.append(
            "A card that players saw never enters a coup with bets: all go to a free coup."
        )
    keys = dict.fromkeys(_RULED_BY[code] for code in codes if code in _RULED_BY)
    for key in keys:
        source = house.sources.get(key, "confirm with your regulator")
        lines.append(f"House {house.name}, {key} = {getattr(house, key)}: {source}.")
    return tuple(lines)
