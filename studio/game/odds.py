# SPDX-License-Identifier: Apache-2.0
"""Exact odds of a full shoe, by enumeration of every order of its cards.

Counts are whole numbers of six-card sequences, so nothing is rounded before the end. The tableau
is the only source of how a coup goes on; this module knows no house but to price its paytable.
"""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product

import msgspec

from studio.game.bets import Facts, paytable_of, profits_of
from studio.game.cards import Card, Rank, cards_in
from studio.game.coup import Outcome
from studio.game.house import House
from studio.game.tableau import Coup, endings_of

POINTS = range(10)
COMMISSION = Fraction(5, 100)
TIE_ODDS = 8
DIGITS = 7


class Edge(msgspec.Struct, frozen=True):
    """The house's expected share of a stake on each main bet, rounded to seven digits."""

    banker_5pct: float
    player: float
    tie_8to1: float


class Odds(msgspec.Struct, frozen=True):
    """How many of the ``total`` orders of six cards end in each way, from a full shoe."""

    total: int
    banker: int
    player: int
    tie: int
    cards: dict[str, int]
    edge: Edge


def odds_of(decks: int) -> Odds:
    """The exact counts for a shoe of that many decks (1 or more); ValueError for fewer."""
    coups = coup_counts(decks)
    outcomes: Counter[Outcome] = Counter()
    cards: Counter[str] = Counter()
    for coup, count in coups.items():
        outcomes[coup.outcome] += count
        cards[str(coup.cards)] += count
    total = outcomes.total()
    banker, player, tie = (
        outcomes[outcome] for outcome in (Outcome.BANKER, Outcome.PLAYER, Outcome.TIE)
    )
    return Odds(
        total=total,
        banker=banker,
        player=player,
        tie=tie,
        cards=dict(sorted(cards.items())),
        edge=Edge(
            banker_5pct=_rounded((player - banker * (1 - COMMISSION)) / total),
            player=_rounded(Fraction(banker - player, total)),
            tie_8to1=_rounded(Fraction(total - tie * (TIE_ODDS + 1), total)),
        ),
    )


def edges_of(house: House) -> dict[str, float]:
    """The house's edge on every bet that it offers, per unit staked, rounded to seven digits.

    From a full shoe of the house's decks, by its own paytable; a push counts as a stake played.
    """
    coups = {_facts(coup): count for coup, count in coup_counts(house.decks).items()}
    pairs = {Facts(0, 0, 2, 2, *kinds): count for kinds, count in pair_counts(house.decks).items()}
    by_coup = _edges(house, coups)
    by_pairs = _edges(house, pairs)
    return {
        bet: by_pairs[bet] if bet.endswith("_pair") else by_coup[bet] for bet in paytable_of(house)
    }


@cache
def coup_counts(decks: int) -> dict[Coup, int]:
    """How many orders of six cards, from a full shoe, end in each coup. Shared: do not change."""
    if decks < 1:
        raise ValueError(f"{decks} decks: a shoe holds at least one")
    counts: Counter[Coup] = Counter()
    for (player_total, banker_total), ways in _ways_of_two_more(decks).items():
        for coup, count in zip(endings_of(player_total, banker_total), ways, strict=True):
            counts[coup] += count
    return dict(counts)


@cache
def pair_counts(decks: int) -> dict[tuple[int, int], int]:
    """How many orders of the first four cards give Player and Banker each kind of pair.

    A kind is 0 (no pair), 1 (same rank) or 2 (same rank and suit), as in ``bets.Facts``. Whatever
    Player's first card is, the rest goes alike, so it is taken to be an ace of spades. Shared: do
    not change.
    """
    first = Card("AS")
    counts: dict[tuple[int, int], int] = {}
    for kind, second, seconds in (
        (0, Card("2S"), 48 * decks),
        (1, Card("AH"), 3 * decks),
        (2, first, decks - 1),
    ):
        left = Counter(dict.fromkeys(Card, decks))
        left.subtract((first, second))
        of_rank = Counter[Rank]()
        for card, copies in left.items():
            of_rank[card.rank] += copies
        perfect = sum(copies * (copies - 1) for copies in left.values())
        ranked = sum(copies * (copies - 1) for copies in of_rank.values())
        every = left.total() * (left.total() - 1)
        ways = cards_in(decks) * seconds
        counts[kind, 0] = ways * (every - ranked)
        counts[kind, 1] = ways * (ranked - perfect)
        counts[kind, 2] = ways * perfect
    return counts


def _ways_of_two_more(decks: int) -> dict[tuple[int, int], list[int]]:
    """For every two totals of the first four cards, the orders by the values of the next two.

    Entry ``10 * x + y`` belongs to the values x and y, as in ``tableau.endings_of``.
    """
    shoe = [4 * decks * (4 if points == 0 else 1) for points in POINTS]
    table = {totals: [0] * 100 for totals in product(POINTS, POINTS)}
    for player in combinations_with_replacement(POINTS, 2):
        after_player, player_ways = _draw_two(shoe, *player)
        for banker in combinations_with_replacement(POINTS, 2):
            rest, banker_ways = _draw_two(after_player, *banker)
            row = table[sum(player) % 10, sum(banker) % 10]
            for x in POINTS:
                ways = player_ways * banker_ways * rest[x]
                rest[x] -= 1
                for y in POINTS:
                    row[10 * x + y] += ways * rest[y]
                rest[x] += 1
    return table


def _draw_two(left: list[int], a: int, b: int) -> tuple[list[int], int]:
    """What is left by value after an a and a b, and in how many orders these can be drawn."""
    rest = left.copy()
    rest[a] -= 1
    ways = left[a] * rest[b] * (1 if a == b else 2)
    rest[b] -= 1
    return rest, ways


def _facts(coup: Coup) -> Facts:
    return Facts(coup.player_total, coup.banker_total, coup.player_cards, coup.banker_cards)


def _edges(house: House, counts: dict[Facts, int]) -> dict[str, float]:
    lost: dict[str, Fraction] = dict.fromkeys(paytable_of(house), Fraction(0))
    for facts, count in counts.items():
        for bet, profit in profits_of(house, facts).items():
            lost[bet] -= Fraction(profit) * count
    total = sum(counts.values())
    return {bet: _rounded(loss / total) for bet, loss in lost.items()}


def _rounded(edge: Fraction) -> float:
    return round(float(edge), DIGITS)
