# SPDX-License-Identifier: Apache-2.0
"""The tableau: against a second implementation, over everything that six cards can be."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.game.cards import Card
from studio.game.coup import Outcome, Position, Side
from studio.game.tableau import (
    Row,
    coup_table,
    endings_of,
    is_natural,
    next_position,
    outcome_of,
    row_for,
)

CARD_WORTH = [Card(code) for code in ["QD", "AS", "2H", "3C", "4D", "5S", "6H", "7C", "8D", "9S"]]
Hand = tuple[Card, ...]


def hand(codes: str) -> Hand:
    return tuple(map(Card, codes.split()))


def independent_coup(values: tuple[int, ...]) -> tuple[int, int, str]:
    """Player's and Banker's total and the letters of whose cards these are, from six values.

    Written as the sentences of the rules, not as a table.
    """
    p1, b1, p2, b2, fifth, sixth = values
    player, banker = (p1 + p2) % 10, (b1 + b2) % 10
    if player in (8, 9) or banker in (8, 9):
        return player, banker, "PBPB"
    if player >= 6:
        if banker <= 5:
            return player, (banker + fifth) % 10, "PBPBB"
        return player, banker, "PBPB"
    draws = (
        banker < 3
        or (banker == 3 and fifth != 8)
        or (banker == 4 and 2 <= fifth <= 7)
        or (banker == 5 and 4 <= fifth <= 7)
        or (banker == 6 and fifth in (6, 7))
    )
    player = (player + fifth) % 10
    if draws:
        return player, (banker + sixth) % 10, "PBPBPB"
    return player, banker, "PBPBP"


def complete_coups(values: tuple[int, ...] = (), player: Hand = (), banker: Hand = ()) -> Iterator:
    """Every coup that next_position lets happen, by the values of its cards."""
    position = next_position(player, banker)
    if position is None:
        yield values, player, banker
        return
    for value, card in enumerate(CARD_WORTH):
        if position.side is Side.PLAYER:
            yield from complete_coups((*values, value), (*player, card), banker)
        else:
            yield from complete_coups((*values, value), player, (*banker, card))


@pytest.mark.req("REC-1")
def test_every_coup_by_position_by_table_and_by_the_independent_rules_is_the_same():
    table = coup_table()
    covered = 0
    for values, player, banker in complete_coups():
        first = int("".join(map(str, values)).ljust(6, "0"))
        same = 10 ** (6 - len(values))
        coup = table[first]
        player_total, banker_total, sides = independent_coup((*values, 0, 0)[:6])
        assert (len(player), len(banker)) == (sides.count("P"), sides.count("B")), values
        assert (coup.player_total, coup.banker_total) == (player_total, banker_total), values
        assert (coup.player_cards, coup.banker_cards) == (len(player), len(banker)), values
        assert coup.outcome is outcome_of(player, banker), values
        assert coup.cards == len(values)
        assert table[first : first + same].count(coup) == same, values
        assert first == covered
        covered += same
    assert covered == len(table) == 10**6


def test_the_independent_rules_name_the_winner_that_the_table_names():
    for player_total in range(10):
        for banker_total in range(10):
            for coup in endings_of(player_total, banker_total):
                ahead = coup.player_total - coup.banker_total
                expected = "tie" if ahead == 0 else "player" if ahead > 0 else "banker"
                assert coup.outcome.value == expected


def test_the_first_four_cards_alternate():
    player: Hand = ()
    banker: Hand = ()
    positions = []
    for card in hand("KS KH KD KC"):
        position = next_position(player, banker)
        positions.append(position)
        if position.side is Side.PLAYER:
            player += (card,)
        else:
            banker += (card,)
    assert positions == [Position.P1, Position.B1, Position.P2, Position.B2]


@pytest.mark.parametrize(
    "player, banker, position",
    [
        ("9H KS", "2S 3D", None),
        ("2S 3D", "9H KS", None),
        ("2S 3D", "4S 4D", None),
        ("KH 5S", "2S 5D", Position.P3),
        ("KH 6S", "2S 3D", Position.B3),
        ("KH 6S", "2S 4D", None),
        ("KH 7S", "KS 7D", None),
        ("KH 2S QC", "KS 3D", Position.B3),
        ("KH 2S 8C", "KS 3D", None),
        ("KH 2S 6C", "KS 6D", Position.B3),
        ("KH 6S", "2S 3D KC", None),
        ("KH 2S 6C", "KS 6D 2D", None),
    ],
)
def test_what_the_tableau_asks_for(player, banker, position):
    assert next_position(hand(player), hand(banker)) is position


def test_a_natural_ends_the_coup():
    for total in (8, 9):
        for other in range(10):
            natural, plain = (CARD_WORTH[total], CARD_WORTH[0]), (CARD_WORTH[other], CARD_WORTH[0])
            for player, banker in ((natural, plain), (plain, natural)):
                assert next_position(player, banker) is None
                assert is_natural(player, banker)


@pytest.mark.parametrize(
    "player, banker",
    [
        ("", ""),
        ("9H", ""),
        ("9H", "9D"),
        ("KH 7S", "2S 5D"),
        ("KH 2S 6C", "2S 3D"),
        ("8H", "5S 3C"),
    ],
)
def test_two_cards_short_of_eight_or_more_cards_are_no_natural(player, banker):
    assert is_natural(hand(player), hand(banker)) is (banker == "5S 3C")


def test_players_natural_is_one_before_bankers_second_card_is_out():
    assert is_natural(hand("KH 9S"), hand("2S"))


def test_two_equal_totals_are_a_tie():
    assert outcome_of(hand("KH 7S"), hand("3S 4D")) is Outcome.TIE


cards = st.sampled_from(Card)


@given(st.lists(cards, max_size=4), st.lists(cards, max_size=4))
def test_hands_that_the_tableau_cannot_deal_are_refused(player, banker):
    def is_dealt() -> bool:
        dealt: tuple[Hand, Hand] = ((), ())
        left = {Side.PLAYER: list(player), Side.BANKER: list(banker)}
        while left[Side.PLAYER] or left[Side.BANKER]:
            position = next_position(*dealt)
            if position is None or not left[position.side]:
                return False
            card = left[position.side].pop(0)
            if position.side is Side.PLAYER:
                dealt = ((*dealt[0], card), dealt[1])
            else:
                dealt = (dealt[0], (*dealt[1], card))
        return True

    if is_dealt():
        next_position(tuple(player), tuple(banker))
    else:
        with pytest.raises(ValueError, match="the tableau deals no such hands"):
            next_position(tuple(player), tuple(banker))


@pytest.mark.parametrize(
    "player, banker",
    [
        ("9H KS 2D", "2S 3D"),
        ("KH 6S 2D", "2S 3D"),
        ("KH 5S", "2S 3D 4D"),
        ("KH 6S", "2S 4D 4C"),
        ("KH 2S 8C", "KS 3D 2D"),
        ("KH 2S 6C 2H", "KS 6D 2D"),
        ("KH 2S 8C 2H", "KS 3D"),
        ("KH 6S", "2S 3D 2D 2C"),
        ("KH", "2S 3D"),
        ("KH 2S", ""),
        ("KH 2S 3S", "3D"),
        ("KH 6S 2D", "2S 3D 4D"),
        ("KH", "2S 3D 4D"),
        ("KH 2S 3S 4S", "3D"),
    ],
)
def test_a_card_against_the_tableau_is_refused_with_its_hands(player, banker):
    with pytest.raises(ValueError, match=f"Player {player}, Banker {banker or '-'}"):
        next_position(hand(player), hand(banker))


@pytest.mark.parametrize(
    "player, banker, row",
    [
        ("", "", None),
        ("KH 2S", "3D", None),
        ("KH 6S", "3D", None),
        ("6H", "3D 2S", None),
        ("KH 9S", "3D 2S", None),
        ("KH 2S", "3D 2S", None),
        ("KH 6S", "3D 2S", Row(5, None, draws=True)),
        ("KH 6S", "3D 3S", Row(6, None, draws=False)),
        ("KH 6S", "3D 2S KC", Row(5, None, draws=True)),
        ("KH 2S 8C", "KD 3S", Row(3, 8, draws=False)),
        ("KH 2S KC", "KD 3S", Row(3, 0, draws=True)),
        ("KH 2S 7C", "KD 6S 2C", Row(6, 7, draws=True)),
    ],
)
def test_the_row_that_decided_for_banker(player, banker, row):
    assert row_for(hand(player), hand(banker)) == row


def test_the_row_always_says_what_happens_next():
    for _, player, banker in complete_coups():
        row = row_for(player, banker[:2])
        assert (row is not None and row.draws) is (len(banker) == 3)


def test_a_whole_shoe_is_judged_alike_by_position_and_by_table():
    shoe = [card for _ in range(6) for card in Card] * 2
    digits = "".join(str(card.points) for card in shoe)
    table = coup_table()
    place = 0
    while place + 6 <= len(shoe):
        coup = table[int(digits[place : place + 6])]
        player: Hand = ()
        banker: Hand = ()
        for card in shoe[place : place + coup.cards]:
            position = next_position(player, banker)
            assert position is not None
            if position.side is Side.PLAYER:
                player += (card,)
            else:
                banker += (card,)
        assert next_position(player, banker) is None
        assert outcome_of(player, banker) is coup.outcome
        place += coup.cards
