# SPDX-License-Identifier: Apache-2.0
"""The tableau de tirage: where the next card goes, and how a complete coup ended.

The rules of drawing stand here once, as the table a casino prints, and are read from it at
import. This module knows cards and positions; it knows nothing of bets, houses or irregularities.

Source: French order of 14 May 2007, art. 55-14; identical in 58 Pa. Code 631a.11.
"""

from collections.abc import Sequence
from functools import cache

import msgspec

from studio.game.cards import Card, total_of
from studio.game.coup import Outcome, Position

# Before either: a two-card total of 8 or 9 in either hand is a natural, and nobody draws.
PLAYER_TABLEAU = """
Player's first two cards  |  0  1  2  3  4  5  6  7
                          |  D  D  D  D  D  D  S  S
"""

# One column for each value of Player's third card (not of Player's new total).
BANKER_TABLEAU = """
Banker's first two cards  |  0  1  2  3  4  5  6  7  8  9  Player stood
                       0  |  D  D  D  D  D  D  D  D  D  D  D
                       1  |  D  D  D  D  D  D  D  D  D  D  D
                       2  |  D  D  D  D  D  D  D  D  D  D  D
                       3  |  D  D  D  D  D  D  D  D  S  D  D
                       4  |  S  S  D  D  D  D  D  D  S  S  D
                       5  |  S  S  S  S  D  D  D  D  S  S  D
                       6  |  S  S  S  S  S  S  D  D  S  S  S
                       7  |  S  S  S  S  S  S  S  S  S  S  S
"""


def _draws(tableau: str) -> tuple[tuple[bool, ...], ...]:
    """The rows under the heading of a printed tableau; True where the hand draws."""
    rows = tableau.strip().splitlines()[1:]
    return tuple(tuple(mark == "D" for mark in row.split("|")[1].split()) for row in rows)


# Indexed by the hand's two-card total, 0 to 7; the second also by third card or column 10.
(PLAYER_DRAWS,) = _draws(PLAYER_TABLEAU)
BANKER_DRAWS: tuple[tuple[bool, ...], ...] = _draws(BANKER_TABLEAU)
PLAYER_STOOD = 10
NATURALS = (8, 9)
LOWEST_NATURAL = NATURALS[0]

# By the number of cards that are out.
FIRST_FOUR = (Position.P1, Position.B1, Position.P2, Position.B2)
_PLAYER, _BANKER, _TIE = Outcome
_P3 = Position.P3
_B3 = Position.B3


def _fifth(player_total: int, banker_total: int) -> Position | None:
    if max(player_total, banker_total) >= LOWEST_NATURAL:
        return None
    if PLAYER_DRAWS[player_total]:
        return _P3
    return _B3 if BANKER_DRAWS[banker_total][PLAYER_STOOD] else None


# Where the fifth card goes, by the points of the first two of each hand, 0 to 18.
_FIFTH = tuple(
    tuple(_fifth(player % 10, banker % 10) for banker in range(19)) for player in range(19)
)


class Row(msgspec.Struct, frozen=True):
    """The cell of the tableau that decided for Banker.

    ``player_third`` is the value, 0 to 9, of Player's third card, or None when Player stood.
    """

    banker_total: int
    player_third: int | None
    draws: bool


class Coup(msgspec.Struct, frozen=True, gc=False):
    """A complete coup without its cards: the totals and how many cards each hand took."""

    outcome: Outcome
    player_total: int
    banker_total: int
    player_cards: int
    banker_cards: int
    cards: int


def next_position(player: Sequence[Card], banker: Sequence[Card]) -> Position | None:
    """Where the next card of a coup goes; None when the coup is complete.

    The hands hold their cards in the order dealt. Hands that no order of drawing can make (a
    third card against the tableau among them) raise ValueError: cards get their positions here,
    so such hands are a fault of the caller.
    """
    in_player, in_banker = len(player), len(banker)
    if in_player < 2 or in_banker < 2:
        drawn = in_player + in_banker
        if in_player - in_banker != drawn % 2:
            raise _impossible(player, banker)
        return FIRST_FOUR[drawn]
    banker_points = banker[0].points + banker[1].points
    due = _FIFTH[player[0].points + player[1].points][banker_points]
    if in_player == 3 and due is _P3:
        due = _B3 if BANKER_DRAWS[banker_points % 10][player[2].points] else None
        in_player = 2
    if in_player == in_banker == 2:
        return due
    if in_player != 2 or in_banker != 3 or due is not _B3:
        raise _impossible(player, banker)
    return None


def outcome_of(player: Sequence[Card], banker: Sequence[Card]) -> Outcome:
    """Which hand has the higher total. The outcome of the coup, once it is complete."""
    return outcome_by(total_of(player), total_of(banker))


def outcome_by(player_total: int, banker_total: int) -> Outcome:
    """The outcome of a complete coup with these totals."""
    if player_total > banker_total:
        return _PLAYER
    if banker_total > player_total:
        return _BANKER
    return _TIE


def is_natural(player: Sequence[Card], banker: Sequence[Card]) -> bool:
    """Whether either hand's first two cards make 8 or 9; False while neither hand has two."""
    if len(player) >= 2 and total_of(player[:2]) in NATURALS:
        return True
    return len(banker) >= 2 and total_of(banker[:2]) in NATURALS


def row_for(player: tuple[Card, ...], banker: tuple[Card, ...]) -> Row | None:
    """The cell of the tableau that decides, or decided, whether Banker draws.

    None while the tableau does not speak of Banker: the first four are not out, a natural ended
    the coup, or Player's third card is due.
    """
    if len(player) < 2 or len(banker) < 2 or is_natural(player, banker):
        return None
    banker_total = total_of(banker[:2])
    if not PLAYER_DRAWS[total_of(player[:2])]:
        return Row(banker_total, None, BANKER_DRAWS[banker_total][PLAYER_STOOD])
    if len(player) == 2:
        return None
    third = player[2].points
    return Row(banker_total, third, BANKER_DRAWS[banker_total][third])


def endings_of(player_total: int, banker_total: int) -> list[Coup]:
    """How a coup can end after two-card totals of 0 to 9: 100 entries.

    Entry ``10 * x + y`` is the ending when the next two cards of the shoe have the values x and
    y; a coup that needs fewer cards ends in the same way whatever they are.
    """
    if max(player_total, banker_total) >= LOWEST_NATURAL:
        return [_coup(player_total, banker_total, 2, 2)] * 100
    if not PLAYER_DRAWS[player_total]:
        if not BANKER_DRAWS[banker_total][PLAYER_STOOD]:
            return [_coup(player_total, banker_total, 2, 2)] * 100
        return [_coup(player_total, banker_total + x, 2, 3) for x in range(10) for _ in range(10)]
    endings: list[Coup] = []
    for x in range(10):
        if BANKER_DRAWS[banker_total][x]:
            endings += [_coup(player_total + x, banker_total + y, 3, 3) for y in range(10)]
        else:
            endings += [_coup(player_total + x, banker_total, 3, 2)] * 10
    return endings


@cache
def coup_table() -> list[Coup]:
    """Every coup by the values of the next six cards of a shoe, read as one decimal number.

    ``coup_table()[int("950031")]`` is the coup that begins with P1 = 9, B1 = 5, P2 = 0, B2 = 0;
    the next coup begins ``cards`` further on. Generated from the tableau on first use (10**6
    entries, about 8 MB, shared: do not change it), for odds and simulation.
    """
    endings = [[endings_of(player, banker) for banker in range(10)] for player in range(10)]
    table: list[Coup] = []
    for first_four in range(10_000):
        p1, b1, p2, b2 = first_four // 1000, first_four // 100, first_four // 10, first_four
        table += endings[(p1 + p2) % 10][(b1 + b2) % 10]
    return table


@cache
def _coup(player_points: int, banker_points: int, player_cards: int, banker_cards: int) -> Coup:
    player_total = player_points % 10
    banker_total = banker_points % 10
    outcome = outcome_by(player_total, banker_total)
    cards = player_cards + banker_cards
    return Coup(outcome, player_total, banker_total, player_cards, banker_cards, cards)


def _impossible(player: Sequence[Card], banker: Sequence[Card]) -> ValueError:
    hands = f"Player {' '.join(player) or '-'}, Banker {' '.join(banker) or '-'}"
    return ValueError(f"{hands}: the tableau deals no such hands; place cards by next_position")
