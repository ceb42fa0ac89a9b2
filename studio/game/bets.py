# SPDX-License-Identifier: Apache-2.0
"""What every bet of a house's paytable pays on a finished coup.

Amounts are exact decimals and travel as strings: the profit per unit staked, ``"-1"`` for a lost
stake, ``"0"`` for a push. This module knows coups and odds; it knows no stakes and no players.

The bets, beside ``player``, ``banker`` and ``tie`` (player and banker push on a tie):

* ``player_pair``, ``banker_pair``: the hand's first two cards have the same rank;
  ``either_pair``: at least one hand has such a pair.
* ``perfect_pair``: same rank and suit in one hand (``one``) or in both hands (``both``).
* ``small``: the coup took four cards; ``big``: five or six.
* ``player_natural``, ``banker_natural``: the hand's first two cards make 8 or 9.
* ``player_dragon``, ``banker_dragon``: the hand wins with a natural (``natural``), or without one
  by four to nine points (``by_4`` to ``by_9``); ``natural_tie``: both naturals, equal.
* ``super_6``: Banker wins with 6. ``tie_0`` to ``tie_9``: a tie with that total.
"""

from collections.abc import Callable
from decimal import Decimal
from functools import lru_cache

import msgspec

from studio.game.cards import Card, total_of
from studio.game.events import Pairs
from studio.game.house import SIDE_BETS, House
from studio.game.tableau import LOWEST_NATURAL, next_position

Paytable = dict[str, dict[str, str]]


class Facts(msgspec.Struct, frozen=True, gc=False):
    """All that a bet may depend on.

    The totals, the cards each hand took, and each hand's pair: 0 none, 1 same rank, 2 same rank
    and suit.
    """

    player_total: int
    banker_total: int
    player_cards: int
    banker_cards: int
    player_pair: int = 0
    banker_pair: int = 0


# A case of the bet's paytable, or one of these two.
LOSES = "loses"
PUSHES = "pushes"
Judge = Callable[[Facts], str]


def pairs_of(player: tuple[Card, ...], banker: tuple[Card, ...]) -> Pairs:
    """Whether each hand's first two cards have the same rank; False while it has not two."""
    return Pairs(_pair(player) > 0, _pair(banker) > 0)


def facts_of(player: tuple[Card, ...], banker: tuple[Card, ...]) -> Facts:
    """What the bets look at in a coup."""
    return Facts(
        total_of(player),
        total_of(banker),
        len(player),
        len(banker),
        _pair(player),
        _pair(banker),
    )


def paytable_of(house: House) -> Paytable:
    """Every bet that the house offers, with the odds of each case as a decimal string."""
    if house.banker_six_pays is None:
        banker = {"win": _text(1 - Decimal(house.commission))}
    else:
        banker = {"win": "1", "win_with_6": _text(Decimal(house.banker_six_pays))}
    offered = {
        bet: {case: _text(Decimal(house.side_bets[bet][case])) for case in cases}
        for bet, cases in SIDE_BETS.items()
        if bet in house.side_bets
    }
    main = {
        "player": {"win": "1"},
        "banker": banker,
        "tie": {"win": _text(Decimal(house.tie_odds))},
    }
    return main | offered


def settle(house: House, player: tuple[Card, ...], banker: tuple[Card, ...]) -> dict[str, str]:
    """For every bet of the house the profit per unit staked, as a decimal string.

    The coup must be complete: ValueError otherwise, because nothing may be paid on less.
    """
    if next_position(player, banker) is not None:
        raise ValueError(
            f"Player {' '.join(player) or '-'}, Banker {' '.join(banker) or '-'}: the coup is not"
            " complete; settle it when next_position is None"
        )
    return profits_of(house, facts_of(player, banker))


def profits_of(house: House, facts: Facts) -> dict[str, str]:
    """As ``settle``, from the facts of a complete coup instead of its cards."""
    rules = _rules_of(msgspec.json.encode(house))
    return {bet: profits[judge(facts)] for bet, judge, profits in rules}


@lru_cache(maxsize=16)
def _rules_of(house: bytes) -> tuple[tuple[str, Judge, dict[str, str]], ...]:
    """Each bet with its judge and the profit in every case. Bytes, since a House has no hash."""
    paytable = paytable_of(msgspec.json.decode(house, type=House))
    return tuple(
        (bet, _judge_for(bet, odds), odds | {LOSES: "-1", PUSHES: "0"})
        for bet, odds in paytable.items()
    )


def _judge_for(bet: str, odds: dict[str, str]) -> Judge:
    return _banker_without_commission if "win_with_6" in odds else _JUDGES[bet]


def _pair(hand: tuple[Card, ...]) -> int:
    if len(hand) < 2 or hand[0].rank is not hand[1].rank:
        return 0
    return 2 if hand[0] is hand[1] else 1


def _text(amount: Decimal) -> str:
    """The shortest plain form: no exponent, no trailing zeros."""
    text = f"{amount:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _wins(won: bool) -> str:
    return "win" if won else LOSES


def _player(facts: Facts) -> str:
    if facts.player_total == facts.banker_total:
        return PUSHES
    return _wins(facts.player_total > facts.banker_total)


def _banker(facts: Facts) -> str:
    if facts.player_total == facts.banker_total:
        return PUSHES
    return _wins(facts.banker_total > facts.player_total)


def _super_6(facts: Facts) -> str:
    return _wins(facts.player_total < facts.banker_total == 6)


def _banker_without_commission(facts: Facts) -> str:
    return "win_with_6" if _super_6(facts) == "win" else _banker(facts)


def _tie_of(total: int) -> Judge:
    return lambda facts: _wins(facts.player_total == facts.banker_total == total)


def _perfect_pair(facts: Facts) -> str:
    perfect = (facts.player_pair == 2) + (facts.banker_pair == 2)
    return (LOSES, "one", "both")[perfect]


def _is_natural(total: int, cards: int) -> bool:
    return cards == 2 and total >= LOWEST_NATURAL


def _dragon(total: int, cards: int, other_total: int) -> str:
    """The dragon bonus on a hand. A natural leaves both hands two cards, so its tie is natural."""
    ahead = total - other_total
    if _is_natural(total, cards) and ahead >= 0:
        return "natural" if ahead > 0 else "natural_tie"
    return f"by_{ahead}" if ahead >= 4 else LOSES


_JUDGES: dict[str, Judge] = {
    "player": _player,
    "banker": _banker,
    "tie": lambda facts: _wins(facts.player_total == facts.banker_total),
    "player_pair": lambda facts: _wins(facts.player_pair > 0),
    "banker_pair": lambda facts: _wins(facts.banker_pair > 0),
    "either_pair": lambda facts: _wins(facts.player_pair + facts.banker_pair > 0),
    "perfect_pair": _perfect_pair,
    "big": lambda facts: _wins(facts.player_cards + facts.banker_cards > 4),
    "small": lambda facts: _wins(facts.player_cards + facts.banker_cards == 4),
    "player_natural": lambda facts: _wins(_is_natural(facts.player_total, facts.player_cards)),
    "banker_natural": lambda facts: _wins(_is_natural(facts.banker_total, facts.banker_cards)),
    "player_dragon": lambda facts: _dragon(
        facts.player_total, facts.player_cards, facts.banker_total
    ),
    "banker_dragon": lambda facts: _dragon(
        facts.banker_total, facts.banker_cards, facts.player_total
    ),
    "super_6": _super_6,
    **{f"tie_{total}": _tie_of(total) for total in range(10)},
}
