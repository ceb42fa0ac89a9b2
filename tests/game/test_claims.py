# SPDX-License-Identifier: Apache-2.0
"""A held table: claimed by one person, given back, taken over; the manager is rung if nobody is."""

from datetime import timedelta

import pytest

from studio.game import events as ev
from studio.game.holds import proposals_of
from studio.game.inputs import ClaimHold, ReleaseHold, TimerExpired
from studio.game.state import Hold, timer_of
from studio.staff.consent import shown_in
from tests.game.table_driver import BY, SECOND, Driven, plain_house


def held(**rules: object) -> Driven:
    """A card too many in mid-round: nobody has claimed the hold."""
    table = Driven(plain_house(**rules)).dealing()
    table.cards("9H KS TC 7D 2C")
    return table


def hold_in(table: Driven) -> Hold:
    assert table.state.hold is not None
    return table.state.hold


def test_a_hold_is_claimed_by_one_person_and_the_next_one_is_told_who_has_it() -> None:
    table = held()
    (claimed,) = table.give(ClaimHold(by=BY, round=table.state.round))
    assert claimed == ev.HoldClaimed(by=BY)
    assert (hold_in(table).claimed_by, hold_in(table).claimed_at) == (BY, table.now)
    assert table.refused(ClaimHold(by=BY, round=table.state.round)) == "already_claimed"
    assert table.refused(ClaimHold(by=SECOND, round=table.state.round)) == "claimed"
    assert not isinstance(table.last, tuple)
    assert BY in table.last.text


def test_a_claim_is_taken_over_only_where_that_is_said_and_the_record_says_from_whom() -> None:
    table = held()
    table.ask("claim_hold")
    (taken,) = table.give(ClaimHold(by=SECOND, round=table.state.round, take_over=True))
    assert taken == ev.HoldClaimed(by=SECOND, taken_from=BY)
    assert hold_in(table).claimed_by == SECOND


def test_only_who_claimed_a_hold_gives_it_back() -> None:
    table = held()
    assert table.refused(ReleaseHold(by=BY)) == "not_claimed"
    table.ask("claim_hold")
    assert table.refused(ReleaseHold(by=SECOND)) == "claimed"
    assert table.give(ReleaseHold(by=BY)) == [ev.HoldReleased(by=BY)]
    assert hold_in(table).claimed_by is hold_in(table).claimed_at is None
    table.give(ClaimHold(by=SECOND, round=table.state.round))
    assert hold_in(table).claimed_by == SECOND


def test_what_was_ruled_on_meanwhile_or_is_another_round_cannot_be_claimed() -> None:
    table = held()
    assert table.refused(ClaimHold(by=BY, round="BAC-1-20261129-9999")) == "stale"
    assert table.refused(ClaimHold(by=BY)) == "stale"
    table.rule("reconstruct")
    assert table.refused(ClaimHold(by=BY, round=table.state.round)) == "not_held"
    assert table.refused(ReleaseHold(by=BY)) == "not_claimed"


def test_a_hold_outside_a_round_is_claimed_without_one() -> None:
    table = Driven().played()
    table.ask("close_round")
    table.card("2C")
    (claimed,) = table.give(ClaimHold(by=BY))
    assert claimed == ev.HoldClaimed(by=BY)


def test_the_manager_is_rung_when_nobody_claims_within_the_time_of_the_house() -> None:
    table = held(ring_seconds=7)
    since = hold_in(table).since
    ring = timer_of(table.state)
    assert ring is not None
    assert (ring.name, ring.due) == ("ring", since + timedelta(seconds=7))
    assert table.expire() == [ev.ManagerRung()]
    assert hold_in(table).rung_at == table.now
    assert timer_of(table.state) is None


def test_twenty_seconds_where_the_house_says_nothing() -> None:
    table = held()
    ring = timer_of(table.state)
    assert ring is not None
    assert ring.due == hold_in(table).since + timedelta(seconds=20)


def test_a_claim_stops_the_clock_and_a_claim_given_back_lets_it_run_anew() -> None:
    table = held()
    ring = timer_of(table.state)
    assert ring is not None
    table.ask("claim_hold")
    assert timer_of(table.state) is None
    assert table.give(TimerExpired(ring.name, ring.due)) == []
    table.ask("release_hold")
    again = timer_of(table.state)
    assert again is not None
    assert again.due == table.now + timedelta(seconds=20)


def test_a_claim_answers_the_ring() -> None:
    table = held()
    table.expire()
    table.ask("claim_hold")
    assert hold_in(table).rung_at is None
    table.ask("release_hold")
    assert table.expire() == [ev.ManagerRung()]


def test_a_ruling_answers_the_ring_and_ends_the_claim() -> None:
    table = held()
    table.expire()
    table.ask("claim_hold")
    table.rule("reconstruct")
    assert table.state.hold is None
    table.card("3C")
    assert hold_in(table).claimed_by is hold_in(table).rung_at is None


def test_what_is_found_later_in_a_hold_leaves_claim_and_ring_as_they_are() -> None:
    table = held()
    table.expire()
    rung = hold_in(table).rung_at
    table.ask("report_irregularity")
    assert hold_in(table).rung_at == rung
    table.ask("claim_hold")
    table.card("4C")
    assert hold_in(table).claimed_by == BY


@pytest.mark.parametrize("tag", ["claim_hold", "ring"])
def test_who_attends_to_a_hold_makes_no_look_and_no_approval_stale(tag: str) -> None:
    table = held()
    before = (shown_in(table.state), proposals_of(table.state))
    if tag == "ring":
        table.expire()
    else:
        table.ask(tag)
    assert (shown_in(table.state), proposals_of(table.state)) == before


def test_the_guard_and_the_ring_run_out_in_the_order_in_which_they_are_due() -> None:
    table = Driven(plain_house(close_guard_ms=1500, ring_seconds=1)).betting()
    table.ask("close_bets")
    table.ask("report_irregularity")
    assert table.state.guard_until is not None
    first = timer_of(table.state)
    assert first is not None
    assert first.due == min(table.state.guard_until, hold_in(table).since + timedelta(seconds=1))
    assert {type(event) for _ in range(2) for event in table.expire()} == {
        ev.ManagerRung,
        ev.GuardEnded,
    }


def test_players_hear_nothing_of_a_claim() -> None:
    table = held()
    before = table.state.public_seq
    table.expire()
    table.ask("claim_hold")
    table.ask("release_hold")
    assert table.state.public_seq == before
    assert table.replayed() == table.state
