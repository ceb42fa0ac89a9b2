# SPDX-License-Identifier: Apache-2.0
"""A shoe from loading to its end: ids, cut card and last coups, the count that must come out."""

import pytest

from studio.game import events as ev
from studio.game.cards import Card
from studio.game.house import Burn, BurnRule, LastCoup
from studio.game.inputs import CardDrawn, CardUnreadable, CutCardDrawn, EndShoe, OpenBets
from studio.game.prompts import prompt_for
from studio.game.state import Phase
from tests.game.table_driver import BY, WHY, Driven, house, names_of, plain_house

NATURAL = "9H KS TC 7D"


def with_rule(rule: LastCoup) -> Driven:
    return Driven(plain_house(last_coup=rule)).ready()


def cut(table: Driven) -> str:
    (seen,) = table.report(CutCardDrawn())
    assert isinstance(seen, ev.CutCardSeen)
    assert table.state.last_coup == seen.last_coup
    return seen.last_coup


def rounds_left(table: Driven) -> int:
    """How many more rounds the table opens, the one under way not counted."""
    if table.state.phase is Phase.BETS_OPEN:
        table.expire()
    if table.state.phase is Phase.DEALING:
        drawn = len(table.state.player + table.state.banker)
        table.cards(" ".join(NATURAL.split()[drawn:]))
        table.ask("confirm_result")
    played = 0
    for _ in range(5):
        table.give(OpenBets(by=BY))
        if table.state.phase is Phase.BETS_OPEN:
            table.expire()
            table.cards(NATURAL)
            table.ask("confirm_result")
            played += 1
    return played


THIS, NEXT = "this", "next"
CURRENT, ONE_MORE, ALWAYS = LastCoup


@pytest.mark.parametrize(
    "rule, said, more",
    [(CURRENT, THIS, 0), (ONE_MORE, NEXT, 1), (ALWAYS, NEXT, 1)],
)
def test_a_cut_card_in_mid_coup(rule: LastCoup, said: str, more: int) -> None:
    table = with_rule(rule).dealing()
    table.card("9H")
    assert cut(table) == said
    assert rounds_left(table) == more


@pytest.mark.parametrize(
    "rule, said, more",
    [(CURRENT, THIS, 0), (ONE_MORE, THIS, 0), (ALWAYS, NEXT, 1)],
)
@pytest.mark.parametrize("are_bets_open", [True, False])
def test_a_cut_card_before_the_first_card_of_a_round(
    rule: LastCoup, said: str, more: int, are_bets_open: bool
) -> None:
    table = with_rule(rule)
    table = table.betting() if are_bets_open else table.dealing()
    assert cut(table) == said
    assert rounds_left(table) == more


@pytest.mark.parametrize(
    "rule, said, more",
    [(CURRENT, THIS, 1), (ONE_MORE, THIS, 1), (ALWAYS, NEXT, 2)],
)
def test_a_cut_card_between_two_rounds_counts_for_the_coup_about_to_start(
    rule: LastCoup, said: str, more: int
) -> None:
    table = with_rule(rule)
    assert cut(table) == said
    assert rounds_left(table) == more


def test_a_cut_card_behind_the_last_card_of_a_coup_belongs_to_that_coup() -> None:
    table = with_rule(LastCoup.ONE_MORE).dealing()
    table.cards(NATURAL)
    assert cut(table) == "next"
    table.ask("confirm_result")
    settled = with_rule(LastCoup.ONE_MORE).played()
    assert cut(settled) == "next"


def test_a_card_that_lies_aside_has_left_the_shoe() -> None:
    table = with_rule(LastCoup.ONE_MORE).betting()
    table.card("9H")
    assert cut(table) == "next"
    between = with_rule(LastCoup.ONE_MORE)
    between.card("9H")
    assert cut(between) == "this"


def test_only_the_first_cut_card_counts() -> None:
    table = with_rule(LastCoup.ONE_MORE).dealing()
    table.card("9H")
    cut(table)
    assert names_of(table.report(CutCardDrawn())) == ["ShoeNoted"]
    assert table.state.last_coup == "next"


def test_next_becomes_this_when_the_round_is_over() -> None:
    table = with_rule(LastCoup.ONE_MORE).dealing()
    table.card("9H")
    cut(table)
    table.cards("KS TC 7D")
    table.ask("confirm_result")
    table.ask("close_round")
    assert table.state.last_coup == "this"
    assert prompt_for(table.state).code == "open-bets-last-coup"


def test_after_the_last_coup_no_bets_are_opened() -> None:
    table = with_rule(LastCoup.CURRENT).dealing()
    table.card("9H")
    cut(table)
    table.cards("KS TC 7D")
    table.ask("confirm_result")
    assert names_of(table.give(OpenBets(by=BY))) == ["RoundClosed"]
    assert table.refused(OpenBets(by=BY)) == "shoe_over"
    assert prompt_for(table.state).commands == ("end_shoe",)


@pytest.mark.parametrize("is_open", [True, False])
def test_a_void_before_any_card_does_not_use_up_the_last_coup(is_open: bool) -> None:
    table = with_rule(LastCoup.CURRENT)
    cut(table)
    table.betting()
    if not is_open:
        table.expire()
    table.void()
    (closed,) = table.ask("close_round")
    assert closed == ev.RoundClosed(by=BY, was_dealt=False)
    assert (table.state.last_coup, table.state.is_shoe_over) == ("this", False)
    assert prompt_for(table.state).code == "open-bets-last-coup"
    table.played(NATURAL).ask("close_round")
    assert table.refused(OpenBets(by=BY)) == "shoe_over"
    ended = table.ask("end_shoe")[0]
    assert isinstance(ended, ev.ShoeEnded)
    assert ended.rounds == 2


def test_a_void_of_a_coup_that_had_a_card_is_the_last_coup() -> None:
    table = with_rule(LastCoup.CURRENT)
    cut(table)
    table.dealing().unread()
    table.rule("void")
    assert table.ask("close_round") == [ev.RoundClosed(by=BY)]
    assert table.refused(OpenBets(by=BY)) == "shoe_over"


def test_a_void_before_the_last_coup_makes_the_next_one_the_last_as_players_were_told() -> None:
    table = with_rule(LastCoup.ALWAYS_ONE_MORE).betting()
    assert cut(table) == "next"
    table.void()
    table.ask("close_round")
    assert table.state.last_coup == "this"


def test_a_shoe_that_is_reshuffled_has_no_cut_card() -> None:
    table = Driven(house("continuous", close_guard_ms=0)).dealing()
    assert names_of(table.report(CutCardDrawn())) == ["ShoeNoted"]
    assert table.state.last_coup is None


@pytest.mark.req("RND-1")
def test_a_shoe_has_an_id_that_never_comes_again() -> None:
    table = Driven().ready()
    ids = [table.state.shoe]
    for day in ("20261129", "20261130", "20261129"):
        table.day = day
        table.ask("end_shoe")
        table.ask("load_shoe")
        ids.append(table.state.shoe)
    assert ids == [
        "BAC-1-20261129-S01",
        "BAC-1-20261129-S02",
        "BAC-1-20261130-S01",
        "BAC-1-20261130-S02",
    ]


@pytest.mark.req("SHOE-5")
def test_cards_seen_burned_and_left_make_the_shoe() -> None:
    table = Driven(plain_house(burn=Burn(BurnRule.FIXED, 2))).ready()
    table.cards("2H 3H")
    table.played().dealing().cards("9H KS")
    table.unread()
    table.rule("void")
    table.ask("close_round")
    (ended,) = table.give(EndShoe(by=BY))
    assert isinstance(ended, ev.ShoeEnded)
    assert (ended.rounds, ended.seen, ended.burned, ended.left) == (2, 7, 2, 416 - 9)
    assert ended.counted is None
    assert table.state.shoe is None
    assert table.state.results == ()


@pytest.mark.req("SHOE-5")
def test_a_count_that_does_not_make_the_shoe_is_refused_until_a_person_gives_a_reason() -> None:
    table = Driven().played()
    assert table.refused(EndShoe(by=BY, left=400)) == "count_mismatch"
    assert table.refused(EndShoe(by=BY, left=-1)) == "count_impossible"
    assert table.refused(EndShoe(by=BY, left=400, accept_mismatch=True)) == "reason_missing"
    (_, ended) = table.give(EndShoe(by=BY, left=400, accept_mismatch=True, reason=WHY))
    assert isinstance(ended, ev.ShoeEnded)
    assert (ended.left, ended.counted, ended.reason) == (400, 400, WHY)


def test_a_right_count_needs_no_reason() -> None:
    table = Driven().played()
    events = table.give(EndShoe(by=BY, left=412, accept_mismatch=True))
    assert names_of(events) == ["RoundClosed", "ShoeEnded"]


def test_a_shoe_that_held_more_cards_than_it_should_ends_with_a_reason_only() -> None:
    table = Driven(plain_house(decks=1, burn=Burn(BurnRule.FIRST_CARD))).ready()
    cut(table)
    for _ in range(53):
        table.report(CardUnreadable("no read"))
    assert table.refused(EndShoe(by=BY)) == "count_mismatch"
    (ended,) = table.give(EndShoe(by=BY, accept_mismatch=True, reason=WHY))
    assert isinstance(ended, ev.ShoeEnded)
    assert ended.left == 0


def test_a_shoe_is_not_taken_out_in_mid_round() -> None:
    table = Driven().dealing()
    assert table.refused(EndShoe(by=BY)) == "not_now"


def test_cards_and_cut_cards_without_a_shoe_are_noted_only() -> None:
    table = Driven()
    for report in (CardDrawn(Card("9H")), CardUnreadable("no read"), CutCardDrawn()):
        assert names_of(table.report(report)) == ["ShoeNoted"]
    assert table.state.cards_out == 0


@pytest.mark.req("SHOE-5")
def test_a_shoe_that_is_reshuffled_counts_every_round_anew() -> None:
    table = Driven(house("continuous", close_guard_ms=0))
    table.played("6H 7S KC QD")
    table.ask("close_round")
    assert table.state.cards_out == 0
    assert table.state.copies == {}
    table.dealing().cards("6H 7S KC QD 2C")
    table.rule("reconstruct")
    table.ask("confirm_result")
    assert (table.state.cards_out, table.state.burned) == (5, 0)
    (burned, _, ended) = table.give(EndShoe(by=BY))
    assert isinstance(burned, ev.HeldCardBurned)
    assert isinstance(ended, ev.ShoeEnded)
    assert (ended.rounds, ended.seen, ended.burned, ended.left) == (2, 0, 0, 312)


def test_a_shoe_that_is_dealt_out_counts_on_from_round_to_round() -> None:
    table = Driven().played("6H 7S KC QD").played("6H 7S KC QD")
    assert table.state.cards_out == 8
    assert table.state.copies["6H"] == 2
