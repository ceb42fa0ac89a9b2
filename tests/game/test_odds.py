# SPDX-License-Identifier: Apache-2.0
"""Odds: exact counts against the published ones, and the edges of every bet."""

import json
from collections import Counter
from itertools import permutations
from math import perm

import msgspec
import pytest

from studio.game.bets import paytable_of
from studio.game.cards import Card
from studio.game.odds import coup_counts, edges_of, odds_of, pair_counts
from studio.game.tableau import LOWEST_NATURAL
from tests.game.houses import NAMES, house

# Published (Wizard of Odds, baccarat appendix) and recomputed elsewhere.
PUBLISHED = {
    6: {
        "total": 878869206895680,
        "banker": 403095751234560,
        "player": 392220492728832,
        "tie": 83552962932288,
        "cards": {"4": 333025560274176, "5": 266771777612544, "6": 279071869008960},
        "edge": {"banker_5pct": 0.0105585, "player": 0.0123741, "tie_8to1": 0.1443816},
    },
    8: {
        "total": 4998398275503360,
        "banker": 2292252566437888,
        "player": 2230518282592256,
        "tie": 475627426473216,
        "cards": {"4": 1893735611458560, "5": 1516734808780800, "6": 1587927855264000},
        "edge": {"banker_5pct": 0.0105791, "player": 0.0123508, "tie_8to1": 0.1435963},
    },
}

# Edges in per cent for 6 and 8 decks, to the digits that were published.
EDGES = {
    "player": (1.23741, 1.23508),
    "banker": (1.05585, 1.05791),
    "tie": (14.43816, 14.35963),
    "player_pair": (11.254, 10.361),
    "banker_pair": (11.254, 10.361),
    "either_pair": (14.536, 13.710),
    "perfect_pair": (12.543, 8.047),
    "small": (5.269, 5.283),
    "big": (4.354, 4.346),
    "player_dragon": (2.668, 2.652),
    "banker_dragon": (9.389, 9.373),
    "super_6": (30.00, 29.98),
}


@pytest.mark.parametrize("decks", PUBLISHED)
@pytest.mark.req("REC-1")
def test_the_counts_are_the_published_ones(decks):
    assert json.loads(msgspec.json.encode(odds_of(decks))) == PUBLISHED[decks]


@pytest.mark.parametrize("decks", [1, 2, 6, 8, 12])
def test_every_order_of_six_cards_is_counted_once(decks):
    odds = odds_of(decks)
    assert odds.total == perm(52 * decks, 6)
    assert odds.banker + odds.player + odds.tie == odds.total
    assert sum(odds.cards.values()) == odds.total
    assert sum(pair_counts(decks).values()) == perm(52 * decks, 4)


@pytest.mark.parametrize("decks", [0, -1])
def test_a_shoe_without_a_deck_has_no_odds(decks):
    with pytest.raises(ValueError, match=f"{decks} decks: a shoe holds at least one"):
        odds_of(decks)


def test_shares_of_naturals_and_wins_with_six_are_the_published_ones():
    counts = coup_counts(8)
    total = sum(counts.values())
    natural = sum(
        count
        for coup, count in counts.items()
        if coup.cards == 4 and max(coup.player_total, coup.banker_total) >= LOWEST_NATURAL
    )
    six = sum(count for coup, count in counts.items() if coup.player_total < coup.banker_total == 6)
    assert round(100 * natural / total, 4) == 34.3049
    assert six == 269_232_304_455_680


def test_a_tie_is_as_likely_at_each_total_as_published():
    counts = coup_counts(8)
    shares = Counter()
    for coup, count in counts.items():
        if coup.player_total == coup.banker_total:
            shares[coup.player_total] += count / sum(counts.values())
    assert [round(shares[total], 6) for total in range(10)] == [
        *(0.005798, 0.004101, 0.004003, 0.004452, 0.007261),
        *(0.007939, 0.01924, 0.02035, 0.010979, 0.011033),
    ]


def test_pairs_are_as_likely_as_published():
    counts = pair_counts(8)
    total = sum(counts.values())

    def share(holds) -> float:
        return round(100 * sum(n for kinds, n in counts.items() if holds(*kinds)) / total, 5)

    assert share(lambda player, _: player > 0) == share(lambda _, banker: banker > 0) == 7.46988
    assert share(lambda player, banker: player + banker > 0) == 14.38169
    assert share(lambda player, banker: player > 0 and banker > 0) == 0.55807
    assert share(lambda player, _: player == 2) == 1.68675
    assert share(lambda player, banker: (player == 2) != (banker == 2)) == 3.31655
    assert share(lambda player, banker: player == banker == 2) == 0.02847


def test_pairs_of_one_deck_are_those_of_all_its_orders():
    # by symmetry Player's first card may be fixed
    first, *others = Card
    counted: Counter[tuple[int, int]] = Counter()
    for p2, b1, b2 in permutations(others, 3):
        counted[int(first.rank is p2.rank), int(b1.rank is b2.rank)] += len(Card)
    assert {kinds: count for kinds, count in pair_counts(1).items() if count} == counted


@pytest.mark.parametrize("bet", EDGES)
@pytest.mark.parametrize("column, decks", [(0, 6), (1, 8)])
def test_the_edge_of_each_bet_is_the_published_one(bet, column, decks):
    published = EDGES[bet][column]
    digits = len(str(published).partition(".")[2])
    assert round(100 * edges_of(house(decks=decks))[bet], digits) == published


@pytest.mark.parametrize(
    "bet, changes, published",
    [
        ("banker", {"commission": "0.04"}, 0.59931),
        ("banker", {"commission": "0", "banker_six_pays": "0.5"}, 1.45810),
        ("tie", {"tie_odds": "9"}, 4.84403),
        ("big", {"side_bets": {"big": {"win": "0.52"}}}, 5.588),
        ("super_6", {"side_bets": {"super_6": {"win": "15"}}}, 13.82),
    ],
)
def test_other_odds_have_the_published_edge(bet, changes, published):
    digits = len(str(published).partition(".")[2])
    assert round(100 * edges_of(house(**changes))[bet], digits) == published


@pytest.mark.parametrize("name", NAMES)
def test_no_house_pays_more_than_a_bet_is_worth(name):
    rules = house(name)
    edges = edges_of(rules)
    assert list(edges) == list(paytable_of(rules))
    assert all(0 < edge < 0.5 for edge in edges.values())
