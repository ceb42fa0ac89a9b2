# SPDX-License-Identifier: Apache-2.0
"""What lies in the shoe of a drill, from its first card on."""

from collections import Counter

from studio.game.cards import Card
from studio.game.house import BurnRule, House


def cards_to_burn(house: House, others: tuple[Card, ...]) -> tuple[Card, ...]:
    """Cards for the burn of a fresh shoe, none of them among ``others``."""
    free = [card for card in Card if card not in others]
    match house.burn.rule:
        case BurnRule.NONE:
            return ()
        case BurnRule.FIXED:
            return tuple(free[: house.burn.cards])
        case BurnRule.DECKS:
            return tuple(free[: house.decks])
        case _:
            first = min(free, key=lambda card: _burned_by(house, card))
            return (
                first,
                *[card for card in free if card is not first][: _burned_by(house, first)],
            )


def _burned_by(house: House, card: Card) -> int:
    """How many cards are burned after this first one."""
    return house.burn.ace if card.rank.value == "A" else card.rank.pips


def seen_fate(house: House) -> str:
    """What becomes of a card outside any coup that players saw."""
    return "free_coup" if house.excess_card == "carry" else house.excess_card


def factory_order(house: House) -> tuple[Card, ...]:
    """Its decks as they come out of their boxes."""
    return tuple(Card) * house.decks


def after_others(house: House, burned: int, cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """These cards behind the burn and ``burned`` others, all of them out of the house's decks."""
    first = cards_to_burn(house, cards)
    rest = Counter(factory_order(house)) - Counter((*first, *cards))
    return (*first, *tuple(rest.elements())[:burned], *cards)
