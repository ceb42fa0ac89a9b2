# SPDX-License-Identifier: Apache-2.0
"""What can go wrong with a card, one row each: how it is seen and which remedies mend it.

The codes are those of the adjudication contract where it has one. A remedy is the name of a
function in ``studio.game.remedies``; the first one is the house's first proposal.
"""

from enum import Enum

import msgspec


class Remedy(str, Enum):
    """What a person may rule on a hold."""

    RELEASE = "release"
    BURN = "burn"
    VOID = "void"


class Irregularity(msgspec.Struct, frozen=True):
    """One row: ``code``, what happened in words, and the remedies in order of preference."""

    code: str
    what: str
    remedies: tuple[Remedy, ...]


_ROWS = (
    Irregularity(
        "misscan-none",
        "A card left the shoe and was not read.",
        (Remedy.VOID,),
    ),
    Irregularity(
        "duplicate-card",
        "More copies of this card came out than the shoe has decks.",
        (Remedy.VOID,),
    ),
    Irregularity(
        "card-before-close",
        "A card was drawn while bets were open.",
        (Remedy.VOID,),
    ),
    Irregularity(
        "excess-after-natural",
        "A card was drawn after a natural.",
        (Remedy.BURN, Remedy.VOID),
    ),
    Irregularity(
        "excess-after-complete",
        "A card was drawn after the coup was complete.",
        (Remedy.BURN, Remedy.VOID),
    ),
    Irregularity(
        "next-card-early",
        "A card was drawn between two rounds.",
        (Remedy.BURN,),
    ),
    Irregularity(
        "wrong-result-announced",
        "The winner that was called is not the winner by the cards.",
        (Remedy.RELEASE, Remedy.VOID),
    ),
    Irregularity(
        "insufficient-cards",
        "The shoe is empty and the coup is not complete.",
        (Remedy.VOID,),
    ),
    Irregularity(
        "frame-lost",
        "A report of the shoe was lost in mid-round: a card may be missing.",
        (Remedy.VOID,),
    ),
    Irregularity(
        "repeat-mismatch",
        "The shoe repeated a card that is not the last one it reported.",
        (Remedy.RELEASE, Remedy.VOID),
    ),
    Irregularity(
        "card-out-of-game",
        "A card was drawn while the shoe was not in a game.",
        (Remedy.VOID,),
    ),
    Irregularity(
        "shoe-failure",
        "The shoe reports a fault in mid-round.",
        (Remedy.RELEASE, Remedy.VOID),
    ),
)

IRREGULARITIES: dict[str, Irregularity] = {row.code: row for row in _ROWS}


def remedies_for(codes: tuple[str, ...], *, holds_a_round: bool) -> tuple[Remedy, ...]:
    """The remedies that mend all of these irregularities together, in order of preference.

    A remedy mends a hold only if every open irregularity allows it. Void mends whatever holds an
    unpaid round; outside one, what lies aside is burned.
    """
    common = [
        remedy
        for remedy in IRREGULARITIES[codes[0]].remedies
        if remedy is not Remedy.VOID
        and all(remedy in IRREGULARITIES[code].remedies for code in codes)
    ]
    if holds_a_round:
        return (*common, Remedy.VOID)
    return tuple(common) or (Remedy.BURN,)
