# SPDX-License-Identifier: Apache-2.0
"""What viewers are told of a table at one moment."""

import msgspec
import pytest

from studio.game.cards import Card
from studio.game.coup import Outcome
from studio.game.events import Trust
from studio.game.house import Burn, BurnRule
from studio.game.inputs import CloseTable, FaultKind, FaultReported
from studio.game.reasons import Reason
from studio.game.roads import counts_of, roads_of
from studio.game.snapshot import (
    PublicState,
    StaffState,
    public_phase,
    public_state,
    staff_state,
)
from studio.game.state import TableState
from tests.game.table_driver import BY, Driven, house, plain_house

# the members that the feed contract names, those of table_opened first
CONTRACT = {
    "environment", "house", "decks", "shoe_mode", "currency", "limits", "paytable", "dealer",
    "stream", "picture_delay_ms", "software", "phase", "suspended", "manual_mode", "shoe", "round",
    "closes_at", "player", "banker", "player_total", "banker_total", "last_coup", "cards_out",
    "results", "roads", "counts",
}  # fmt: skip


def test_the_public_picture_has_the_members_of_the_contract() -> None:
    assert set(PublicState.__struct_fields__) == CONTRACT


def test_public_phases_follow_the_round() -> None:
    table = Driven(plain_house(burn=Burn(BurnRule.FIXED, 1)))
    phases = [public_phase(table.state)]
    for step in (
        table.ready,
        lambda: table.card("2H"),
        lambda: table.ask("open_bets"),
        lambda: table.ask("close_bets"),
        lambda: table.cards("9H KS TC 7D"),
        lambda: table.card("2C"),
        lambda: table.rule("reconstruct"),
        lambda: table.ask("confirm_result"),
        lambda: table.ask("close_round"),
        lambda: table.ask("end_shoe"),
        lambda: table.give(CloseTable(by=BY)),
    ):
        step()
        phases.append(public_phase(table.state))
    assert phases == [
        "closed",
        "shuffling",
        "idle",
        "bets_open",
        "dealing",
        "dealing",
        "held",
        "dealing",
        "result",
        "idle",
        "shuffling",
        "closed",
    ]


def test_a_hold_outside_a_round_is_no_public_phase() -> None:
    between = Driven().ready()
    between.card("2C")
    assert public_phase(between.state) == "idle"
    behind = Driven().played()
    behind.card("2C")
    assert public_phase(behind.state) == "result"
    burning = Driven(plain_house(decks=1, burn=Burn(BurnRule.FIXED, 3))).ready()
    burning.cards("2H 2H")
    assert public_phase(burning.state) == "shuffling"
    assert public_state(burning.state).suspended == "misdeal"


def test_bets_that_a_suspension_closed_are_not_open() -> None:
    table = Driven().betting()
    assert public_state(table.state).closes_at is not None
    table.ask("suspend_table")
    shown = public_state(table.state)
    assert (shown.phase, shown.closes_at, shown.suspended) == ("dealing", None, "staff")


@pytest.mark.req("RND-4")
def test_a_hold_hides_the_cards_drawn_since() -> None:
    table = Driven().dealing()
    table.cards("9H KS")
    table.report(FaultReported(FaultKind.OVERDRAW, 3, latched=False))
    table.card("TC")
    shown = public_state(table.state)
    assert (shown.player, shown.banker) == ((Card("9H"),), (Card("KS"),))
    assert (shown.player_total, shown.banker_total, shown.cards_out) == (9, 0, 2)
    assert b"TC" not in msgspec.json.encode(shown)


@pytest.mark.req("RND-4", "REC-2")
def test_no_card_is_in_the_picture_before_it_is_public() -> None:
    early = Driven().betting()
    early.card("TC")
    burned = Driven(house()).ready()
    burned.card("TC")
    kept = Driven(house(burn=Burn(BurnRule.NONE))).dealing()
    kept.card("TC")
    for table in (early, burned, kept):
        assert b'"TC"' not in msgspec.json.encode(public_state(table.state))


@pytest.mark.req("INF-4")
@pytest.mark.req("SHOE-10")
def test_what_is_left_in_the_shoe_by_rank_is_told_to_nobody() -> None:
    table = Driven().played()
    told = msgspec.json.encode(staff_state(table.state))
    assert b"copies" not in told


@pytest.mark.req("INF-3")
def test_results_roads_and_counts_are_those_of_this_shoe() -> None:
    table = Driven().played("9H KS TC 7D").played("6H 6S KC QD").dealing()
    table.void()
    table.ask("close_round")
    shown = public_state(table.state)
    assert [one.outcome for one in shown.results] == [Outcome.PLAYER, Outcome.TIE, None]
    assert [one.round for one in shown.results] == [
        "BAC-1-20261129-0001",
        "BAC-1-20261129-0002",
        "BAC-1-20261129-0003",
    ]
    assert shown.roads == roads_of("PT")
    assert shown.counts == counts_of(table.state.results)
    assert shown.cards_out == 8
    assert not shown.manual_mode
    table.ask("end_shoe")
    assert public_state(table.state).results == ()


def test_a_shoe_that_is_reshuffled_has_no_roads() -> None:
    table = Driven(house("continuous", close_guard_ms=0)).played()
    shown = public_state(table.state)
    assert shown.shoe_mode == "continuous"
    assert shown.roads is None
    assert shown.counts is None
    table.ask("close_round")
    assert public_state(table.state).cards_out == 0


def test_totals_are_null_for_hands_without_cards() -> None:
    table = Driven().dealing()
    shown = public_state(table.state)
    assert (shown.player_total, shown.banker_total) == (None, None)
    table.card("KH")
    shown = public_state(table.state)
    assert (shown.player_total, shown.banker_total) == (0, None)


def test_there_is_no_picture_before_the_service_has_started() -> None:
    with pytest.raises(LookupError, match="ServiceStarted"):
        public_state(TableState())
    with pytest.raises(LookupError, match="ServiceStarted"):
        public_state(TableState(house=house()))


def test_staff_see_the_prompt_the_hold_and_the_stream() -> None:
    table = Driven().dealing()
    table.card("9H")
    told = staff_state(table.state)
    assert (told.phase, told.next_position, told.trust) == ("dealing", "B1", Trust.TRUSTED)
    table.unread()
    told = staff_state(table.state)
    assert told.prompt.code == "enter-card"
    assert told.hold is not None
    assert [one.remedy for one in told.proposals] == ["void"]
    assert [one.fact.card for one in told.evidence] == [Card("9H"), None]
    assert [one.origin.raw for one in told.evidence if one.origin] == ["00", "00"]
    assert (told.cards_out, told.public.cards_out) == (2, 1)


def test_a_picture_survives_its_json() -> None:
    table = Driven().played()
    shown = public_state(table.state)
    assert msgspec.json.decode(msgspec.json.encode(shown), type=PublicState) == shown


def test_staff_see_the_row_of_the_tableau_before_the_card_is_pulled() -> None:
    table = Driven().dealing()
    told = staff_state(table.state)
    assert told.reason == Reason("first-four")
    table.cards("2H 2S 3D 3C 6S")
    told = staff_state(table.state)
    assert told.next_position == "B3"
    assert told.reason == Reason("banker-draws", {"player": "5", "banker": "5", "third": "6"})
    assert Driven().ready().state.round is None
    assert staff_state(Driven().ready().state).reason is None


def test_staff_see_the_hands_of_a_coup_without_bets_and_the_rules_of_the_house() -> None:
    table = Driven(house(burn=Burn(BurnRule.NONE))).dealing()
    table.card("9H")
    told = staff_state(table.state)
    assert (told.player, told.public.player) == ((Card("9H"),), ())
    assert told.shoe_cards == 52 * table.house.decks
    assert told.house.betting_seconds == table.house.betting_seconds
    assert told.house.cut_card_from_end == table.house.cut_card_from_end
    assert not told.house.asks_for_winner
    assert staff_state(Driven().state).shoe_cards == 0


@pytest.mark.req("RND-4")
def test_what_was_added_for_consoles_is_in_no_public_picture() -> None:
    for_consoles = {"reason", "shoe_cards", "shoe_fault", "evidence", "proposals", "burned"}
    assert for_consoles <= set(StaffState.__struct_fields__)
    assert not for_consoles & set(PublicState.__struct_fields__)
    burned = Driven(house()).ready()
    burned.card("TC")
    assert b'"TC"' not in msgspec.json.encode(staff_state(burned.state))
