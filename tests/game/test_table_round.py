# SPDX-License-Identifier: Apache-2.0
"""A round from bets open to round closed, in every shape that the tableau gives it."""

from datetime import timedelta

import pytest

from studio.game import events as ev
from studio.game.bets import settle
from studio.game.cards import Card
from studio.game.coup import Outcome
from studio.game.events import Source
from studio.game.house import ResultEntry
from studio.game.inputs import CloseBets, CloseRound, ConfirmResult, OpenBets, TimerExpired
from studio.game.state import Phase, timer_of
from tests.game.table_driver import BY, Driven, names_of, plain_house

FIRST_FOUR = ("P1", "B1", "P2", "B2")
COUPS = {
    "natural": ("9H KS TC 7D", FIRST_FOUR, "player", 9, 7),
    "both stand": ("6H 7S KC QD", FIRST_FOUR, "banker", 6, 7),
    "tie": ("6H 6S KC QD", FIRST_FOUR, "tie", 6, 6),
    "player draws": ("2H 7S KC QD 3S", (*FIRST_FOUR, "P3"), "banker", 5, 7),
    "banker draws": ("6H 2S KC QD 7C", (*FIRST_FOUR, "B3"), "banker", 6, 9),
    "both draw": ("2H 2S KC QD 9C 4S", (*FIRST_FOUR, "P3", "B3"), "banker", 1, 6),
    "banker stands on 3 against 8": ("2H 3S KC QD 8C", (*FIRST_FOUR, "P3"), "banker", 0, 3),
}


def dealt(events: list[ev.Event]) -> list[ev.CardDealt]:
    return [event for event in events if isinstance(event, ev.CardDealt)]


@pytest.mark.req("REC-1")
@pytest.mark.parametrize("name", COUPS)
def test_cards_take_their_positions_and_the_coup_ends_by_the_tableau(name: str) -> None:
    codes, positions, outcome, player, banker = COUPS[name]
    table = Driven().dealing()
    events = table.cards(codes)
    assert [card.position.value for card in dealt(events)] == list(positions)
    assert [card.card for card in dealt(events)] == [Card(code) for code in codes.split()]
    assert isinstance(events[-1], ev.ResultDeclared)
    assert (events[-1].outcome.value, events[-1].player_total, events[-1].banker_total) == (
        outcome,
        player,
        banker,
    )
    assert table.state.phase is Phase.RESULT
    called, result = table.ask("confirm_result")
    assert isinstance(called, ev.CallNoted)
    assert isinstance(result, ev.ResultConfirmed)
    assert (result.outcome.value, result.player_total, result.banker_total) == (
        outcome,
        player,
        banker,
    )
    assert table.state.phase is Phase.SETTLING


def test_totals_are_told_for_hands_with_cards_only() -> None:
    table = Driven().dealing()
    totals = [(card.player_total, card.banker_total) for card in dealt(table.cards("9H KS TC 7D"))]
    assert totals == [(9, None), (9, 0), (9, 0), (9, 7)]


def test_a_round_is_bets_cards_result_and_end_in_this_order() -> None:
    table = Driven().played()
    table.ask("close_round")
    opened = table.names().index("BetsOpened")
    cards = ["CardDealt"] * 4
    assert table.names()[opened:] == [
        "BetsOpened",
        "BetsClosed",
        *cards,
        "ResultDeclared",
        "CallNoted",
        "ResultConfirmed",
        "RoundClosed",
    ]
    assert table.state.phase is Phase.IDLE
    assert table.state.round is None
    assert table.state.rounds == 1


def test_the_result_says_what_every_bet_pays_and_until_when_it_may_change() -> None:
    table = Driven(plain_house(amend_minutes=30)).dealing()
    table.cards("9H KS 9C KD")
    called, result = table.ask("confirm_result")
    assert isinstance(called, ev.CallNoted)
    assert isinstance(result, ev.ResultConfirmed)
    assert result.bets == settle(table.house, result.player, result.banker)
    assert result.pairs == ev.Pairs(player=True, banker=True)
    assert result.natural
    assert result.revision == 1
    assert result.by == BY
    assert result.amendable_until == table.now + timedelta(minutes=30)
    (standing,) = table.state.results
    assert standing.round == table.state.round
    assert standing.seq == table.log[-1].public_seq
    assert standing.bets == result.bets


def test_bets_are_open_for_the_seconds_of_the_house() -> None:
    table = Driven(plain_house(betting_seconds=12.5)).betting()
    opened = table.log[-1].event
    assert isinstance(opened, ev.BetsOpened)
    assert opened.seconds == 12.5
    assert opened.closes_at == table.now + timedelta(seconds=12.5)
    armed = timer_of(table.state)
    assert armed is not None
    assert (armed.name, armed.due) == ("bets", opened.closes_at)


@pytest.mark.req("RND-6")
def test_bets_are_closed_by_the_timer_or_the_dealer_before_the_first_card() -> None:
    by_timer = Driven().betting()
    (closed,) = by_timer.expire()
    assert isinstance(closed, ev.BetsClosed)
    assert closed.by is None
    by_dealer = Driven().betting()
    (closed,) = by_dealer.ask("close_bets")
    assert isinstance(closed, ev.BetsClosed)
    assert closed.by == BY
    assert by_dealer.refused(CloseBets(by=BY)) == "not_now"
    assert by_dealer.refused(OpenBets(by=BY)) == "bets_closed"


def test_a_timer_of_an_earlier_moment_is_ignored() -> None:
    table = Driven().betting()
    armed = timer_of(table.state)
    assert armed is not None
    table.ask("close_bets")
    assert table.give(TimerExpired(armed.name, armed.due)) == []
    assert table.give(TimerExpired("guard", armed.due)) == []
    assert table.last == ()


@pytest.mark.req("RND-2")
def test_every_event_says_who_is_behind_it() -> None:
    table = Driven().played()
    table.expire()
    sources = {type(one.event): one.source for one in table.log}
    assert sources[ev.ServiceRestarted] is Source.SYSTEM
    assert sources[ev.BetsOpened] is Source.MANUAL
    assert sources[ev.BetsClosed] is Source.TIMER
    assert sources[ev.CardDealt] is Source.SHOE
    assert sources[ev.ResultConfirmed] is Source.MANUAL
    assert sources[ev.RoundClosed] is Source.TIMER


@pytest.mark.req("REC-5")
def test_a_card_carries_the_bytes_it_came_from() -> None:
    table = Driven().dealing()
    (card,) = dealt(table.card("9H"))
    assert card.origin is not None
    assert card.origin.raw == "00"
    assert (table.state.session, table.state.ordinal) == ("s1", card.origin.ordinal)


def test_identical_neighbours_are_two_cards() -> None:
    table = Driven().dealing()
    assert len(dealt(table.cards("7H 7H 2C KD"))) == 4
    assert table.state.copies["7H"] == 2


def test_a_house_may_ask_for_the_winner() -> None:
    table = Driven(plain_house(result_entry=ResultEntry.WINNER)).dealing()
    table.cards("9H KS TC 7D")
    assert table.refused(ConfirmResult(by=BY)) == "winner_missing"
    events = table.give(ConfirmResult(by=BY, outcome=Outcome.PLAYER))
    assert names_of(events) == ["CallNoted", "ResultConfirmed"]


def test_a_house_may_confirm_by_itself() -> None:
    table = Driven(plain_house(result_entry=ResultEntry.AUTO)).dealing()
    events = table.cards("9H KS TC 7D")
    assert isinstance(events[-1], ev.ResultConfirmed)
    assert events[-1].by is None
    assert table.state.phase is Phase.SETTLING


def test_a_result_is_confirmed_once_and_only_when_the_coup_is_complete() -> None:
    table = Driven().dealing()
    table.cards("9H KS TC")
    assert table.refused(ConfirmResult(by=BY)) == "not_now"
    table.card("7D")
    table.ask("confirm_result")
    assert table.refused(ConfirmResult(by=BY)) == "not_now"


def test_opening_bets_closes_the_settled_round_before_it() -> None:
    table = Driven().played()
    first = table.state.round
    events = table.give(OpenBets(by=BY))
    assert names_of(events) == ["RoundClosed", "BetsOpened"]
    assert [one.round for one in table.log[-2:]] == [first, table.state.round]
    assert table.state.player == table.state.banker == table.state.shown_player == ()


def test_a_settled_round_closes_by_itself_after_the_settling_time() -> None:
    table = Driven(plain_house(settle_seconds=8)).played()
    armed = timer_of(table.state)
    assert armed is not None
    assert (armed.name, armed.due) == ("settle", table.now + timedelta(seconds=8))
    assert names_of(table.expire()) == ["RoundClosed"]
    assert timer_of(table.state) is None
    assert table.refused(CloseRound(by=BY)) == "not_now"


@pytest.mark.req("RND-1", "RND-2")
def test_rounds_are_numbered_in_their_day_and_no_id_comes_twice() -> None:
    table = Driven().played().played()
    assert table.state.round == "BAC-1-20261129-0002"
    table.day = "20261130"
    table.played()
    assert table.state.round == "BAC-1-20261130-0001"
    table.day = "20261129"
    table.now -= timedelta(days=3)
    table.played()
    assert table.state.round == "BAC-1-20261130-0002"
    assert [one.round for one in table.state.results] == [
        "BAC-1-20261129-0001",
        "BAC-1-20261129-0002",
        "BAC-1-20261130-0001",
        "BAC-1-20261130-0002",
    ]


def test_a_round_may_be_voided_with_a_reason_and_then_closes() -> None:
    table = Driven().dealing()
    table.cards("9H KS")
    (void,) = table.void()
    assert isinstance(void, ev.RoundVoided)
    assert (void.revision, void.supersedes, void.reason) == (1, None, "staff")
    assert void.set_aside == (Card("9H"), Card("KS"))
    assert table.state.phase is Phase.SETTLING
    assert table.state.results[-1].outcome is None
    table.ask("close_round")
    assert table.state.phase is Phase.IDLE


@pytest.mark.req("RND-4")
def test_a_void_while_bets_are_open_closes_them_first() -> None:
    table = Driven(plain_house(close_guard_ms=1500)).betting()
    assert names_of(table.void()) == ["BetsClosed", "RoundVoided"]
    assert table.state.guard_until is None


def test_a_void_of_bets_that_a_suspension_closed_closes_them_no_second_time() -> None:
    table = Driven().betting()
    table.ask("suspend_table")
    assert names_of(table.void()) == ["RoundVoided"]


def test_a_void_after_the_result_is_its_next_revision() -> None:
    table = Driven().played()
    result_seq = table.log[-1].public_seq
    (void,) = table.void()
    assert isinstance(void, ev.RoundVoided)
    assert (void.revision, void.supersedes) == (2, result_seq)
    (standing,) = table.state.results
    assert (standing.revision, standing.outcome) == (2, None)
    assert (standing.player, standing.banker, standing.bets, standing.natural) == (
        (),
        (),
        {},
        False,
    )


@pytest.mark.parametrize(
    "codes, natural, pairs",
    [
        ("4H 2S 4S KD", True, (True, False)),
        ("2H 4S KS 4D", True, (False, True)),
        ("6H 3S KC 3D", False, (False, True)),
    ],
)
def test_the_result_tells_of_a_natural_and_a_pair_in_either_hand(
    codes: str, natural: bool, pairs: tuple[bool, bool]
) -> None:
    table = Driven().played(codes)
    (result,) = [one.event for one in table.log if isinstance(one.event, ev.ResultConfirmed)]
    assert result.natural is natural
    assert (result.pairs.player, result.pairs.banker) == pairs
