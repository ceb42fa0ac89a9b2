# SPDX-License-Identifier: Apache-2.0
"""Cards, their codes and their values."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.game.cards import RANKS, SUITS, Card, Rank, Suit, cards_in, total_of


def test_there_is_one_card_for_every_rank_and_suit():
    assert {card.value for card in Card} == {rank + suit for rank, suit in product(RANKS, SUITS)}
    assert len(Card) == 52


@pytest.mark.parametrize("card", Card)
def test_a_code_and_its_card_lead_to_each_other(card):
    assert Card(card.value) is card
    assert card.rank is Rank(card.value[0])
    assert card.suit is Suit(card.value[1])


@pytest.mark.parametrize("code", ["", "9", "10H", "9h", "XH", "9X", "H9", " 9H", "9H "])
def test_a_code_that_is_no_card_is_refused(code):
    with pytest.raises(ValueError, match="is not a valid Card"):
        Card(code)


def test_an_ace_adds_one_and_tens_and_pictures_add_nothing():
    assert [Rank(letter).points for letter in RANKS] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0]


def test_tens_and_pictures_count_ten_for_the_burn():
    assert [Rank(letter).pips for letter in RANKS] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]


@pytest.mark.parametrize(
    "hand, total",
    [("", 0), ("KS", 0), ("9H 7C", 6), ("5H 5C 5D", 5), ("TD 9S", 9), ("9H 9D 9C", 7)],
)
def test_a_total_leaves_out_the_tens(hand, total):
    assert total_of(tuple(map(Card, hand.split()))) == total


@given(st.permutations([Card("9H"), Card("4S"), Card("KD")]))
def test_a_total_does_not_depend_on_the_order(hand):
    assert total_of(tuple(hand)) == 3


def test_a_shoe_holds_fifty_two_cards_a_deck():
    assert [cards_in(decks) for decks in (1, 6, 8)] == [52, 312, 416]
