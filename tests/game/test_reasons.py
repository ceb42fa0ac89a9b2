# SPDX-License-Identifier: Apache-2.0
"""The words for why a card is due are those of the printed tableau."""

from itertools import product

from studio.game.cards import Card
from studio.game.coup import Position
from studio.game.reasons import REASONS, Reason, reason_for
from studio.game.tableau import BANKER_DRAWS, PLAYER_DRAWS, PLAYER_STOOD, next_position
from tests.game.table_driver import hand

# One card for each value, 0 to 9.
BY_VALUE = hand("KS AS 2S 3S 4S 5S 6S 7S 8S 9S")
ZERO = Card("KH")


def test_every_cell_of_the_tableau_has_its_reason_and_it_agrees_with_the_next_position() -> None:
    seen = set()
    for player, banker in product(range(10), range(10)):
        first = ((ZERO, BY_VALUE[player]), (ZERO, BY_VALUE[banker]))
        reason, due = reason_for(*first), next_position(*first)
        seen.add(reason.code)
        if max(player, banker) > 7:
            assert (reason.code, due) == ("natural", None)
            continue
        if PLAYER_DRAWS[player]:
            assert (reason.code, due) == ("player-draws", Position.P3)
        else:
            draws = BANKER_DRAWS[banker][PLAYER_STOOD]
            assert reason.code == ("banker-draws-player-stood" if draws else "both-stand")
            assert due is (Position.B3 if draws else None)
            continue
        for third in range(10):
            hands = ((*first[0], BY_VALUE[third]), first[1])
            reason = reason_for(*hands)
            seen.add(reason.code)
            draws = BANKER_DRAWS[banker][third]
            assert (next_position(*hands) is Position.B3) is draws
            words = {"player": str(player), "banker": str(banker), "third": str(third)}
            assert reason == Reason("banker-draws" if draws else "banker-stands", words)
    assert seen | {"first-four"} == set(REASONS)


def test_the_first_four_cards_go_in_turn() -> None:
    for taken in range(4):
        cards = hand("9H KS TC 7D")[:taken]
        assert reason_for(cards[::2], cards[1::2]) == Reason("first-four")


def test_a_reason_stands_when_the_card_it_asked_for_is_there() -> None:
    drawn = reason_for(hand("2H 3D 6S"), hand("2S 3C 4H"))
    assert drawn == Reason("banker-draws", {"player": "5", "banker": "5", "third": "6"})
