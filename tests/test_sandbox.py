# SPDX-License-Identifier: Apache-2.0
"""What is typed at a sandbox, and which other result a coup could have had."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.game.cards import Card
from studio.game.tableau import next_position, outcome_of
from studio.sandbox import ABOUT, Kind, NoTrigger, Trigger, corrections, trigger_of

TABLES = ("BAC-1", "BAC-2")


@pytest.mark.parametrize(
    "typed, meant",
    [
        ("void", Trigger(Kind.VOID, "BAC-1")),
        ("void BAC-2", Trigger(Kind.VOID, "BAC-2")),
        ("bac-2 New-Epoch", Trigger(Kind.NEW_EPOCH, "BAC-2")),
        ("silence 7.5", Trigger(Kind.SILENCE, "BAC-1", 7.5)),
        ("BAC-2 silence 10", Trigger(Kind.SILENCE, "BAC-2", 10.0)),
    ],
)
def test_words_mean_a_trigger_in_any_order(typed, meant):
    assert trigger_of(typed.split(), TABLES) == meant


@pytest.mark.parametrize(
    "typed, told",
    [
        ("", "say what to trigger: void, void-result"),
        ("BAC-2", "say what to trigger"),
        ("void BAC-3", '"BAC-3" is neither'),
        ("explode", '"explode" is neither'),
        ("void 5", "seconds are for silence"),
        ("silence 0", "seconds are for silence"),
        ("silence nan", '"nan" is neither'),
        ("silence 3601", "up to 3600"),
    ],
)
def test_other_words_are_answered_with_what_would_be_right(typed, told):
    with pytest.raises(NoTrigger, match=told):
        trigger_of(typed.split(), TABLES)


def test_every_trigger_is_explained():
    assert set(ABOUT) == set(Kind)


@given(st.lists(st.sampled_from(Card), min_size=6, max_size=6))
def test_every_coup_can_be_corrected_to_another_winner_by_one_card(cards):
    player, banker = (cards[0], cards[2]), (cards[1], cards[3])
    for card in cards[4:]:
        position = next_position(player, banker)
        if position is None:
            break
        if position.value == "P3":
            player = (*player, card)
        else:
            banker = (*banker, card)
    before = (*player, *banker)
    offered = list(corrections(player, banker))
    assert offered
    for hands in offered:
        changed = (*hands[0], *hands[1])
        assert next_position(*hands) is None
        assert outcome_of(*hands) is not outcome_of(player, banker)
        assert sum(one is not other for one, other in zip(before, changed, strict=True)) == 1
