# SPDX-License-Identifier: Apache-2.0
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.sim.options import Burn, BurnRule
from drivers.sim.protocol import Target, Winner
from drivers.sim.shoe import EmptyShoeError, Pull, Shoe, next_side, result_of, shuffled
from studio.game.cards import Card

SEEDS = st.text(max_size=5)


def cards(codes: str) -> tuple[Card, ...]:
    return tuple(Card(code) for code in codes.split())


def shoe_of(codes: str, burn: Burn | None = None, cut_card_from_end: int | None = None) -> Shoe:
    return Shoe(
        cards(codes),
        decks=8,
        cut_card_from_end=cut_card_from_end,
        burn=Burn() if burn is None else burn,
    )


def emptied(shoe: Shoe) -> list[Pull]:
    pulls = []
    while True:
        try:
            pulls.append(shoe.pull())
        except EmptyShoeError:
            return pulls


@given(st.integers(1, 8), SEEDS, st.integers(0, 60))
def test_all_cards_of_the_decks_come_out_exactly_once(decks: int, seed: str, cut: int) -> None:
    cut = min(cut, decks * 52)
    shoe = Shoe(
        shuffled(decks, seed), decks=decks, cut_card_from_end=cut, burn=Burn(BurnRule.FIRST_CARD)
    )
    pulls = emptied(shoe)
    assert Counter(pull.card for pull in pulls if pull.card) == dict.fromkeys(Card, decks)
    assert shoe.left == 0
    at = next(number for number, pull in enumerate(pulls) if pull.cut_card)
    assert decks * 52 - at == cut
    assert sum(pull.cut_card for pull in pulls) == 1


@given(SEEDS)
def test_a_script_comes_first_and_the_rest_of_the_decks_after_it(seed: str) -> None:
    script = cards("9H 9H TC")
    shoe = shuffled(1, seed, script)
    assert shoe[:3] == script
    assert Counter(shoe[3:]) == Counter(Card) - Counter(script)


def test_a_seed_is_an_order() -> None:
    assert shuffled(8, "7") == shuffled(8, "7")
    assert shuffled(8, "7") != shuffled(8, "8")


@pytest.mark.parametrize(
    "player, banker, side",
    [
        ("", "", Target.PLAYER),
        ("2S", "", Target.BANKER),
        ("2S", "3S", Target.PLAYER),
        ("2S 3S", "3S", Target.BANKER),
        ("9S KS", "2S 3S", None),
        ("2S 3S", "9S TS", None),
        ("6S KS", "7S KS", None),
        ("6S KS", "5S KS", Target.BANKER),
        ("6S KS", "6S KS", None),
        ("5S KS", "7S KS", Target.PLAYER),
        ("5S KS 2S", "7S KS", None),
        ("5S KS 8S", "3S KS", None),
        ("5S KS 9S", "3S KS", Target.BANKER),
        ("5S KS AS", "4S KS", None),
        ("5S KS 2S", "4S KS", Target.BANKER),
        ("5S KS 3S", "5S KS", None),
        ("5S KS 4S", "5S KS", Target.BANKER),
        ("5S KS 5S", "6S KS", None),
        ("5S KS 6S", "6S KS", Target.BANKER),
        ("5S KS KD", "2S KS", Target.BANKER),
        ("5S KS 6S", "6S KS 2D", None),
        ("6S KS", "5S KS 2D", None),
    ],
)
def test_the_shoe_follows_the_tableau(player: str, banker: str, side: Target | None) -> None:
    assert next_side(cards(player), cards(banker)) is side


@given(SEEDS)
def test_a_coup_has_four_to_six_cards_in_the_order_of_the_boxes(seed: str) -> None:
    shoe = Shoe(shuffled(8, seed), decks=8, cut_card_from_end=None, burn=Burn())
    coup: list[Pull] = []
    for pull in emptied(shoe):
        coup.append(pull)
        if pull.result is None:
            continue
        assert 4 <= len(coup) <= 6
        places = [(each.target, each.index) for each in coup]
        assert places[:4] == [
            (Target.PLAYER, 1),
            (Target.BANKER, 1),
            (Target.PLAYER, 2),
            (Target.BANKER, 2),
        ]
        assert places[4:] in (
            [],
            [(Target.PLAYER, 3)],
            [(Target.BANKER, 3)],
            [(Target.PLAYER, 3), (Target.BANKER, 3)],
        )
        assert len({each.coup for each in coup}) == 1
        coup = []


def test_results_name_winner_and_pairs() -> None:
    assert result_of(cards("9S KS"), cards("4S 4D")).winner is Winner.PLAYER
    assert result_of(cards("9S KS"), cards("4S 4D")).banker_pair
    assert result_of(cards("2S 2D"), cards("9S 9D")).winner is Winner.BANKER
    assert result_of(cards("9S TS"), cards("9D JD")) == result_of(cards("9D JD"), cards("9S TS"))


@pytest.mark.parametrize(
    "burn, targets",
    [
        (Burn(), []),
        (Burn(BurnRule.FIXED, cards=2), [(Target.BURN, 1), (Target.BURN, 2)]),
        (Burn(BurnRule.DECKS), [(Target.BURN, n) for n in range(1, 9)]),
        (Burn(BurnRule.FIRST_CARD), [(Target.FIRST, 0), (Target.BURN, 1)]),
        (
            Burn(BurnRule.FIRST_CARD, ace=3),
            [(Target.FIRST, 0), *((Target.BURN, n) for n in (1, 2, 3))],
        ),
    ],
)
def test_the_first_cards_are_marked_for_the_burn(
    burn: Burn, targets: list[tuple[Target, int]]
) -> None:
    pulls = emptied(shoe_of("AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS", burn))
    marked = [(pull.target, pull.index) for pull in pulls]
    assert marked[: len(targets) + 1] == [*targets, (Target.PLAYER, 1)]
    assert [pull.coup for pull in pulls[: len(targets) + 1]] == [0] * len(targets) + [1]


def test_a_picture_burns_ten() -> None:
    shoe = shoe_of("KS " + "2S " * 12, Burn(BurnRule.FIRST_CARD))
    assert [pull.target for pull in emptied(shoe)].count(Target.BURN) == 10


@pytest.mark.parametrize("depth", range(6))
def test_the_cut_card_comes_at_any_depth_even_behind_the_last_card(depth: int) -> None:
    pulls = emptied(shoe_of("2S 3S 2D 3D 9S", cut_card_from_end=depth))
    assert [pull.cut_card for pull in pulls].index(True) == 5 - depth
    assert len(pulls) == (6 if depth == 0 else 5)


def test_a_card_outside_a_game_leaves_the_round_alone() -> None:
    shoe = shoe_of("2S 3S 9D 4D")
    shoe.pull()
    assert shoe.pull(in_game=False).target is None
    assert shoe.pull().target is Target.BANKER


def test_identical_neighbours_are_two_cards() -> None:
    pulls = emptied(shoe_of("9H 9H 9H 9H"))
    assert [(pull.target, pull.index) for pull in pulls][:2] == [
        (Target.PLAYER, 1),
        (Target.BANKER, 1),
    ]
    assert pulls[-1].result == result_of(cards("9H 9H"), cards("9H 9H"))
