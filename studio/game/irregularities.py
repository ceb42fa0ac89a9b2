# SPDX-License-Identifier: Apache-2.0
"""What can go wrong with a card, one row each: how it is seen and which remedies mend it.

The codes are those of the adjudication contract where it has one. A remedy is the name of a
function in ``studio.game.remedies``; the first one is the house's first proposal.
"""

from enum import Enum

import msgspec

from studio.game.state import UNPAID, Hold, Phase


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


def remedies_for(hold: Hold) -> tuple[Remedy, ...]:
    """The remedies that mend all that is open in this hold, in order of preference.

    Void mends whatever holds an unpaid round. The round goes on, released or with what lies aside
    burned, only if every irregularity allows that; a card that was drawn in mid-coup belongs to
    the coup and is never burned. Outside a round, what lies aside is burned.
    """
    if hold.back not in UNPAID:
        return (Remedy.BURN,)
    can_go_on = all(
        IRREGULARITIES[raised.code].remedies != (Remedy.VOID,) for raised in hold.raised
    )
    if not can_go_on or (hold.aside and hold.back is not Phase.RESULT):
        return (Remedy.VOID,)
    return (Remedy.BURN if hold.aside else Remedy.RELEASE, Remedy.VOID)
