# SPDX-License-Identifier: Apache-2.0
"""Bets: what they pay on a finished coup."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.game.bets import Facts, facts_of, pairs_of, paytable_of, profits_of, settle
from studio.game.cards import Card
from studio.game.coup import Outcome, Side
from studio.game.events import Pairs
from studio.game.house import SIDE_BETS
from studio.game.tableau import is_natural, next_position, outcome_of
from tests.game.houses import NAMES, house

STUDIO = house()
WITHOUT_COMMISSION = house(commission="0", banker_six_pays="0.5")

ALL_BETS = [
    *("player", "banker", "tie", "player_pair", "banker_pair", "either_pair", "perfect_pair"),
    *("big", "small", "player_natural", "banker_natural", "player_dragon", "banker_dragon"),
    *("super_6", *(f"tie_{total}" for total in range(10))),
]


def hand(codes: str) -> tuple[Card, ...]:
    return tuple(map(Card, codes.split()))


def won(player: str, banker: str, rules=STUDIO) -> dict[str, str]:
    """The bets that did not lose."""
    settled = settle(rules, hand(player), hand(banker))
    return {bet: profit for bet, profit in settled.items() if profit != "-1"}


@st.composite
def coups(draw) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    player: tuple[Card, ...] = ()
    banker: tuple[Card, ...] = ()
    while (position := next_position(player, banker)) is not None:
        card = draw(st.sampled_from(Card))
        if position.side is Side.PLAYER:
            player += (card,)
        else:
            banker += (card,)
    return player, banker


def test_the_studio_offers_every_bet_and_settles_each():
    assert list(paytable_of(STUDIO)) == ALL_BETS
    assert list(settle(STUDIO, hand("9H KS"), hand("2S 3D"))) == ALL_BETS
    assert list(SIDE_BETS) == ALL_BETS[3:]


@pytest.mark.parametrize(
    "player, banker, expected",
    [
        # four cards
        ("9H KS", "2S 3D", {"player": "1", "small": "1.5", "player_natural": "4",
                            "player_dragon": "1"}),
        ("2S 3D", "9H KS", {"banker": "0.95", "small": "1.5", "banker_natural": "4",
                            "banker_dragon": "1"}),
        ("9H KS", "4H 4S", {"player": "1", "small": "1.5", "player_natural": "4",
                            "banker_natural": "4", "player_dragon": "1", "banker_pair": "11",
                            "either_pair": "5"}),
        ("9H KS", "9D KH", {"player": "0", "banker": "0", "tie": "8", "small": "1.5",
                            "player_natural": "4", "banker_natural": "4", "player_dragon": "0",
                            "banker_dragon": "0", "tie_9": "80"}),
        ("6H KS", "6D KH", {"player": "0", "banker": "0", "tie": "8", "small": "1.5",
                            "tie_6": "45"}),
        ("7H KS", "6D KH", {"player": "1", "small": "1.5"}),
        # pairs: same rank, not the same value
        ("JH KS", "9D QH", {"banker": "0.95", "small": "1.5", "banker_natural": "4",
                            "banker_dragon": "1"}),
        ("JH JS", "9D QH", {"banker": "0.95", "small": "1.5", "banker_natural": "4",
                            "banker_dragon": "1", "player_pair": "11", "either_pair": "5"}),
        ("JH JH", "9D QH", {"banker": "0.95", "small": "1.5", "banker_natural": "4",
                            "banker_dragon": "1", "player_pair": "11", "either_pair": "5",
                            "perfect_pair": "25"}),
        ("JH JH", "4D 4D", {"banker": "0.95", "small": "1.5", "banker_natural": "4",
                            "banker_dragon": "1", "player_pair": "11", "banker_pair": "11",
                            "either_pair": "5", "perfect_pair": "200"}),
        # five and six cards
        ("7H KS", "2D KH 4C", {"player": "1", "big": "0.54"}),
        ("7H KS", "2D KH 9C", {"player": "1", "big": "0.54", "player_dragon": "4"}),
        ("KC QS 8D", "KD 3H", {"player": "1", "big": "0.54", "player_dragon": "2"}),
        ("KC QS 9D", "KD AH 9S", {"player": "1", "big": "0.54", "player_dragon": "30"}),
        ("KC QS TD", "KD 2H 6S", {"banker": "0.95", "big": "0.54", "banker_dragon": "10"}),
        ("KC AS AD", "KD 2H 7S", {"banker": "0.95", "big": "0.54", "banker_dragon": "6"}),
        ("KC 2S KD", "KD AH 5S", {"banker": "0.95", "big": "0.54", "banker_dragon": "1",
                                  "super_6": "12"}),
        ("KC 2S KD", "KD AH AS", {"player": "0", "banker": "0", "tie": "8", "big": "0.54",
                                  "tie_2": "220"}),
    ],
)  # fmt: skip
def test_which_bets_win_and_what_they_pay(player, banker, expected):
    assert won(player, banker) == expected


def test_a_coup_that_is_not_complete_is_not_settled():
    with pytest.raises(ValueError, match="Player KH 5S, Banker 2S 5D: the coup is not complete"):
        settle(STUDIO, hand("KH 5S"), hand("2S 5D"))
    with pytest.raises(ValueError, match="Player -, Banker -"):
        settle(STUDIO, (), ())
    with pytest.raises(ValueError, match="the tableau deals no such hands"):
        settle(STUDIO, hand("KC QS"), hand("KD AH 6C"))


def test_without_commission_banker_is_paid_in_full_but_half_on_six():
    assert paytable_of(WITHOUT_COMMISSION)["banker"] == {"win": "1", "win_with_6": "0.5"}
    six = won("KC 2S KD", "KD AH 5S", WITHOUT_COMMISSION)
    seven = won("KC 2S KD", "KD AH 6S", WITHOUT_COMMISSION)
    tied_with_six = won("6H KS", "6D KH", WITHOUT_COMMISSION)
    assert (six["banker"], seven["banker"], tied_with_six["banker"]) == ("0.5", "1", "0")
    assert "banker" not in won("7H KS", "6D KH", WITHOUT_COMMISSION)


@pytest.mark.parametrize("name", NAMES)
def test_a_house_settles_exactly_what_it_offers(name):
    rules = house(name)
    settled = settle(rules, hand("9H KS"), hand("2S 3D"))
    assert list(settled) == list(paytable_of(rules))
    assert set(settled) == {"player", "banker", "tie"} | set(rules.side_bets)


def test_odds_are_written_in_one_way_only():
    rules = house(commission="0.040", tie_odds="009.50", side_bets={"big": {"win": "100.00"}})
    assert paytable_of(rules) == {
        "player": {"win": "1"},
        "banker": {"win": "0.96"},
        "tie": {"win": "9.5"},
        "big": {"win": "100"},
    }


def test_two_houses_with_different_odds_settle_differently():
    coup = hand("6H KS"), hand("6D KH")
    assert settle(house(tie_odds="9"), *coup)["tie"] == "9"
    assert settle(house(tie_odds="8"), *coup)["tie"] == "8"


@pytest.mark.parametrize(
    "player, banker, pairs",
    [
        ("", "", Pairs(player=False, banker=False)),
        ("KS", "KS", Pairs(player=False, banker=False)),
        ("KS KD", "KS", Pairs(player=True, banker=False)),
        ("KS QS KD", "2S 2S AD", Pairs(player=False, banker=True)),
        ("TS KS", "2S 3S 3D", Pairs(player=False, banker=False)),
    ],
)
def test_a_pair_is_two_first_cards_of_one_rank(player, banker, pairs):
    assert pairs_of(hand(player), hand(banker)) == pairs


@given(coups())
def test_bets_agree_with_the_coup_and_with_one_another(coup):
    player, banker = coup
    settled = {bet: Decimal(profit) for bet, profit in settle(STUDIO, player, banker).items()}
    pairs = pairs_of(player, banker)
    won_bets = {bet for bet, profit in settled.items() if profit > 0}
    outcome = outcome_of(player, banker)
    assert {"player", "banker", "tie"} & won_bets == {outcome.value}
    assert (settled["player"] == 0) is (settled["banker"] == 0) is (outcome is Outcome.TIE)
    assert len({f"tie_{total}" for total in range(10)} & won_bets) == (outcome is Outcome.TIE)
    assert len({"big", "small"} & won_bets) == 1
    assert ("player_pair" in won_bets, "banker_pair" in won_bets) == (pairs.player, pairs.banker)
    assert ("either_pair" in won_bets) is (pairs.player or pairs.banker)
    naturals = {"player_natural", "banker_natural"} & won_bets
    assert bool(naturals) is is_natural(player, banker)
    if "player_dragon" in won_bets:
        assert outcome is Outcome.PLAYER
    if "banker_dragon" in won_bets:
        assert outcome is Outcome.BANKER
    if "super_6" in won_bets:
        assert outcome is Outcome.BANKER


@given(coups())
def test_amounts_are_plain_decimals(coup):
    for profit in settle(STUDIO, *coup).values():
        assert str(Decimal(profit)) == profit
        assert not (("." in profit) and profit.endswith("0"))


@given(coups())
def test_facts_say_the_same_as_the_cards(coup):
    assert profits_of(STUDIO, facts_of(*coup)) == settle(STUDIO, *coup)


def test_facts_of_no_cards_are_zero():
    assert facts_of((), ()) == Facts(0, 0, 0, 0)
