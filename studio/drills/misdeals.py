# SPDX-License-Identifier: Apache-2.0
"""The misdeals that a newcomer can try at the dealer's console: drills, and what to do about each.

Here a person sits in the dealer's chair. What happens to the shoe is that of the drill; what the
people of the drill do is said in words, and is up to the person.
"""

import msgspec

from studio.drills.catalogue import drills_of
from studio.drills.words import Drill
from studio.game.house import House

_RULE = "Press {main} and choose the house's ruling, then move the cards as the console says."
_COMPARE = "Compare the cards on the table with the console; press {main} and choose the ruling."

# What to do, by the drill's name; ``{act}`` stands for its key.
_TO_DO = {
    "excess-after-natural": f"A card too many is out. {_RULE}",
    "excess-after-complete": f"A card too many is out. {_RULE}",
    "card-before-close": "A card came out while bets are open. Wait until bets are closed; then "
    "press {main} and choose the ruling.",
    "next-card-early": "A card of the next round is out before this one is cleared. "
    "Press {main} and choose to burn it.",
    "misscan-none": "When the console asks for the card that was not read, press {main} and enter "
    "it: it is the jack of spades, JS. Then rule with {main}.",
    "misread": "The third card is read as the four of diamonds; on the table lies the jack of "
    "spades. Press {problem}, choose to correct a card: number 3 is JS. Then rule with {main}.",
    "frame-lost": "One card you pull is not told: pull the next. The missing one is the jack of "
    "spades: press {enter_card} and enter card 3, JS, as missing. Then rule with {main}.",
    "repeat-mismatch": f"The shoe repeats a card that is not the last one. {_COMPARE}",
    "shoe-failure": f"The shoe stopped; its error is cancelled for you. {_COMPARE}",
    "shoe-mismatch": f"The shoe has begun to count anew. {_COMPARE}",
    "card-out-of-game": f"The shoe is locked as you pull, and is unlocked for you. {_COMPARE}",
    "cable-out": "The shoe's cable is out: pull nothing. It is put in again for you; then pull on.",
    "card-on-floor": "After three cards, say that one fell: press {problem} and choose the card "
    "that fell. Then rule with {main}.",
    "wrong-paid": "Confirm the result, then say that it was paid wrongly: press {problem} and "
    "choose it. Then rule with {main}.",
}


class Misdeal(msgspec.Struct, frozen=True):
    """A drill to be tried by hand. ``to_do``: what to do, ``{act}`` in the place of keys."""

    drill: Drill
    to_do: str


def misdeals_of(house: House) -> tuple[Misdeal, ...]:
    """Every misdeal to be tried in this house, in the order of the catalogue."""
    return tuple(Misdeal(one, _TO_DO[one.name]) for one in drills_of(house) if one.name in _TO_DO)
