# SPDX-License-Identifier: Apache-2.0
"""The shoe itself: the cards in it, the cut card, and its own idea of the round.

Pure: no line, no bytes, no time. The idea of the round is the shoe's, made with its own few lines
of tableau; the table has another, and the two must be able to disagree.
"""

import random
from collections import Counter

import msgspec

from drivers.sim.options import Burn, BurnRule
from drivers.sim.protocol import Target, Winner
from studio.game.cards import Card, total_of

# The values of the player's third card for which the banker draws, by the banker's total.
_BANKER_DRAWS_ON = {
    0: frozenset(range(10)),
    1: frozenset(range(10)),
    2: frozenset(range(10)),
    3: frozenset(range(10)) - {8},
    4: frozenset({2, 3, 4, 5, 6, 7}),
    5: frozenset({4, 5, 6, 7}),
    6: frozenset({6, 7}),
    7: frozenset[int](),
}
_FIRST_FOUR = (Target.PLAYER, Target.BANKER, Target.PLAYER, Target.BANKER)


def next_side(player: tuple[Card, ...], banker: tuple[Card, ...]) -> Target | None:
    """Whose card is next, by the tableau de tirage; None when the coup is complete."""
    dealt = len(player) + len(banker)
    if dealt < 4:
        return _FIRST_FOUR[dealt]
    of_player, of_banker = total_of(player[:2]), total_of(banker[:2])
    if dealt == 6 or len(banker) == 3 or max(of_player, of_banker) >= 8:
        return None
    if len(player) == 3:
        return Target.BANKER if player[2].points in _BANKER_DRAWS_ON[of_banker] else None
    if of_player <= 5:
        return Target.PLAYER
    return Target.BANKER if of_banker <= 5 else None


class Result(msgspec.Struct, frozen=True):
    """What the shoe believes a complete coup came to."""

    winner: Winner
    player_pair: bool
    banker_pair: bool


def result_of(player: tuple[Card, ...], banker: tuple[Card, ...]) -> Result:
    """The result of a complete coup."""
    of_player, of_banker = total_of(player), total_of(banker)
    winner = Winner.TIE
    if of_player != of_banker:
        winner = Winner.PLAYER if of_player > of_banker else Winner.BANKER
    return Result(winner, player[0].rank == player[1].rank, banker[0].rank == banker[1].rank)


class Pull(msgspec.Struct, frozen=True):
    """What one pull brought out: the cut card, a card, or first the one and then the other.

    ``target`` is None for a card outside a game. ``coup`` counts the shoe's coups from 1, 0 while
    burning. ``result`` is set when this card completed the coup.
    """

    cut_card: bool
    card: Card | None = None
    target: Target | None = None
    index: int = 0
    coup: int = 0
    result: Result | None = None


class EmptyShoeError(Exception):
    """Nothing is left to pull."""


class Shoe:
    """One filling of the shoe, from its first card to its last.

    ``cards`` in the order in which they come out. State: what has been pulled, whether the cut
    card is out, how many cards are still to be burned, and the two hands of the coup under way.
    """

    def __init__(
        self, cards: tuple[Card, ...], *, decks: int, cut_card_from_end: int | None, burn: Burn
    ) -> None:
        self.cards = cards
        self.pulls: list[Pull] = []
        self.out = 0
        self.cut_card_out = False
        self.coup = 0
        self._cut_card_from_end = cut_card_from_end
        self._burn = burn
        self._to_burn = {BurnRule.FIXED: burn.cards, BurnRule.DECKS: decks}.get(burn.rule, 0)
        self._first_card_decides = burn.rule is BurnRule.FIRST_CARD
        self._burned = 0
        self._player: tuple[Card, ...] = ()
        self._banker: tuple[Card, ...] = ()

    @property
    def left(self) -> int:
        """How many cards are still in it."""
        return len(self.cards) - self.out

    @property
    def is_burning(self) -> bool:
        """Whether the next card is one to burn."""
        return self._first_card_decides or self._to_burn > 0

    @property
    def is_between_coups(self) -> bool:
        """Whether no coup is under way."""
        return not self._player

    def pull(self, *, in_game: bool = True) -> Pull:
        """Take the next card out, with the cut card if that lies before it.

        A card outside a game changes nothing in the round. Raises ``EmptyShoeError``.
        """
        cut_card = not self.cut_card_out and self.left == self._cut_card_from_end
        if self.left == 0 and not cut_card:
            raise EmptyShoeError
        self.cut_card_out = self.cut_card_out or cut_card
        if self.left == 0:
            pulled = Pull(cut_card=True)
        else:
            card = self.cards[self.out]
            self.out += 1
            pulled = self._placed(card, cut_card) if in_game else Pull(cut_card, card)
        self.pulls.append(pulled)
        return pulled

    def again(self, card: Card) -> Pull:
        """Count a card that slid back and came out again as another one."""
        return self._placed(card, cut_card=False)

    def force_end(self) -> None:
        """Forget the coup under way: the next card begins another."""
        self._player = self._banker = ()

    def _placed(self, card: Card, cut_card: bool) -> Pull:
        if self._first_card_decides:
            self._first_card_decides = False
            self._to_burn = self._burn.ace if card.rank.pips == 1 else card.rank.pips
            return Pull(cut_card, card, Target.FIRST)
        if self._to_burn > 0:
            self._to_burn -= 1
            self._burned += 1
            return Pull(cut_card, card, Target.BURN, self._burned)
        return self._dealt(card, cut_card)

    def _dealt(self, card: Card, cut_card: bool) -> Pull:
        if self.is_between_coups:
            self.coup += 1
        target = next_side(self._player, self._banker) or Target.PLAYER
        if target is Target.PLAYER:
            self._player += (card,)
            index = len(self._player)
        else:
            self._banker += (card,)
            index = len(self._banker)
        result = None
        if next_side(self._player, self._banker) is None:
            result = result_of(self._player, self._banker)
            self.force_end()
        return Pull(cut_card, card, target, index, self.coup, result)


def shuffled(
    decks: int, seed: str, first: tuple[Card, ...] = (), foreign: frozenset[int] = frozenset()
) -> tuple[Card, ...]:
    """All cards of the decks: ``first`` in their order, the rest shuffled by the seed.

    A card of ``first`` that the decks do not hold (a surplus one, or one that by its number is
    ``foreign``) is dealt all the same and takes the place of none.
    """
    rest = Counter(dict.fromkeys(Card, decks))
    rest.subtract(card for number, card in enumerate(first, 1) if number not in foreign)
    cards = [card for card in Card for _ in range(rest[card])]
    random.Random(seed).shuffle(cards)
    return first + tuple(cards)
