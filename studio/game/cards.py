# SPDX-License-Identifier: Apache-2.0
"""Ranks, suits and cards, and what a number of decks contains.

A card is its two-letter code, rank then suit: ``9H``, ``TC``. It is a string in every record and
on the wire, and there is one object for each of the 52. Two physical copies of a card are equal:
nothing here or above may take equality for "the same piece of cardboard".
"""

from collections.abc import Iterable
from enum import Enum

RANKS = "A23456789TJQK"
SUITS = "SHDC"

CARDS_PER_DECK = 52


class Suit(str, Enum):
    """One of the four suits; its value is the letter in a card's code."""

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"


class Rank(str, Enum):
    """One of the thirteen ranks; its value is the letter in a card's code.

    ``points`` is what it adds to a hand (ace 1, tens and pictures 0). ``pips`` is what it counts
    when the first card of a shoe decides the burn (ace 1, tens and pictures 10).
    """

    points: int
    pips: int

    ACE = "A"
    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    SEVEN = "7"
    EIGHT = "8"
    NINE = "9"
    TEN = "T"
    JACK = "J"
    QUEEN = "Q"
    KING = "K"

    def __new__(cls, letter: str) -> "Rank":
        rank = str.__new__(cls, letter)
        rank._value_ = letter
        place = RANKS.index(letter) + 1
        rank.pips = min(place, 10)
        rank.points = rank.pips % 10
        return rank


class Card(str, Enum):
    """One of the 52 cards. ``Card("9H")`` reads a code; ``card.value`` is the code."""

    code: str
    rank: Rank
    suit: Suit
    points: int

    ACE_OF_SPADES = "AS"
    TWO_OF_SPADES = "2S"
    THREE_OF_SPADES = "3S"
    FOUR_OF_SPADES = "4S"
    FIVE_OF_SPADES = "5S"
    SIX_OF_SPADES = "6S"
    SEVEN_OF_SPADES = "7S"
    EIGHT_OF_SPADES = "8S"
    NINE_OF_SPADES = "9S"
    TEN_OF_SPADES = "TS"
    JACK_OF_SPADES = "JS"
    QUEEN_OF_SPADES = "QS"
    KING_OF_SPADES = "KS"
    ACE_OF_HEARTS = "AH"
    TWO_OF_HEARTS = "2H"
    THREE_OF_HEARTS = "3H"
    FOUR_OF_HEARTS = "4H"
    FIVE_OF_HEARTS = "5H"
    SIX_OF_HEARTS = "6H"
    SEVEN_OF_HEARTS = "7H"
    EIGHT_OF_HEARTS = "8H"
    NINE_OF_HEARTS = "9H"
    TEN_OF_HEARTS = "TH"
    JACK_OF_HEARTS = "JH"
    QUEEN_OF_HEARTS = "QH"
    KING_OF_HEARTS = "KH"
    ACE_OF_DIAMONDS = "AD"
    TWO_OF_DIAMONDS = "2D"
    THREE_OF_DIAMONDS = "3D"
    FOUR_OF_DIAMONDS = "4D"
    FIVE_OF_DIAMONDS = "5D"
    SIX_OF_DIAMONDS = "6D"
    SEVEN_OF_DIAMONDS = "7D"
    EIGHT_OF_DIAMONDS = "8D"
    NINE_OF_DIAMONDS = "9D"
    TEN_OF_DIAMONDS = "TD"
    JACK_OF_DIAMONDS = "JD"
    QUEEN_OF_DIAMONDS = "QD"
    KING_OF_DIAMONDS = "KD"
    ACE_OF_CLUBS = "AC"
    TWO_OF_CLUBS = "2C"
    THREE_OF_CLUBS = "3C"
    FOUR_OF_CLUBS = "4C"
    FIVE_OF_CLUBS = "5C"
    SIX_OF_CLUBS = "6C"
    SEVEN_OF_CLUBS = "7C"
    EIGHT_OF_CLUBS = "8C"
    NINE_OF_CLUBS = "9C"
    TEN_OF_CLUBS = "TC"
    JACK_OF_CLUBS = "JC"
    QUEEN_OF_CLUBS = "QC"
    KING_OF_CLUBS = "KC"

    def __new__(cls, code: str) -> "Card":
        card = str.__new__(cls, code)
        card._value_ = card.code = code
        card.rank = Rank(code[0])
        card.suit = Suit(code[1])
        card.points = card.rank.points
        return card


def total_of(cards: Iterable[Card]) -> int:
    """The total of a hand, 0 to 9: the sum of its points without the tens; 0 without cards."""
    total = 0
    for card in cards:
        total += card.points
    return total % 10


def cards_in(decks: int) -> int:
    """How many cards a shoe of that many decks holds."""
    return CARDS_PER_DECK * decks
