# SPDX-License-Identifier: Apache-2.0
"""Another reader, another shoe, and a shoe that counts otherwise than the table."""

import pytest

from studio.game import events as ev
from studio.game import inputs as inp
from studio.game.cards import Card
from studio.game.events import Trust
from studio.game.inputs import LineLost, LineUp, Target
from studio.game.prompts import prompt_for
from studio.game.state import Phase, ShoeStep
from tests.game.houses import NAMES
from tests.game.misdeal_stories import rules
from tests.game.table_driver import BY, WHY, Driven, amendment, names_of, plain_house

LOST = LineLost("pty", "closed", "end of file")
WHOLE = (("9H", Target.PLAYER, 1), ("KS", Target.BANKER, 1),
         ("TC", Target.PLAYER, 2), ("7D", Target.BANKER, 2))  # fmt: skip


def reads(table: Driven, *cards: tuple[str, Target, int]) -> None:
    """The shoe reports these cards, where it counts them."""
    for code, side, index in cards:
        table.card(code, side, index)


def codes_of(table: Driven) -> list[str]:
    return [] if table.state.hold is None else [one.code for one in table.state.hold.raised]


# --- another reader ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_another_reader_keeps_cards_shoe_and_inventory_in_mid_coup(name: str) -> None:
    table = Driven(rules(name)).dealing()
    reads(table, *WHOLE[:2])
    before = table.state
    assert names_of(table.ask("change_reader")) == ["ReaderChanged", "StreamChanged"]
    table.report(LOST)
    table.report(LineUp("pty", 2))
    after = table.state
    assert (after.shoe, after.copies, after.cards_out) == (
        before.shoe, before.copies, before.cards_out
    )  # fmt: skip
    assert (after.phase, after.round, after.coup) == (before.phase, before.round, before.coup)
    assert after.trust is Trust.SUSPECT


def test_another_reader_begins_to_count_in_mid_coup_and_is_not_compared_until_the_next() -> None:
    table = Driven().dealing()
    reads(table, *WHOLE[:2])
    table.ask("change_reader")
    table.ask("trust_stream")
    reads(table, ("TC", Target.PLAYER, 1), ("7D", Target.BANKER, 1))
    assert (table.state.phase, codes_of(table)) == (Phase.RESULT, [])
    table.ask("confirm_result")
    assert prompt_for(table.state).note == "shoe-off-step"
    table.dealing()
    reads(table, WHOLE[0])
    assert table.state.shoe_step is ShoeStep.IN
    reads(table, ("KS", Target.PLAYER, 2))
    assert codes_of(table) == ["shoe-mismatch"]


def test_another_reader_has_a_sequence_of_its_own_and_only_its_first_step_is_no_gap() -> None:
    table = Driven().dealing()
    reads(table, *WHOLE[:2])
    table.ask("change_reader")
    table.report(LOST, None)
    table.report(LineUp("pty", 2), None)
    assert names_of(table.report(inp.SequenceGap("3", "9"))) == ["ShoeNoted"]
    assert codes_of(table) == []
    table.report(inp.SequenceGap("0", "4"))
    assert codes_of(table) == ["frame-lost"]


def test_a_reader_cannot_be_changed_without_a_shoe_or_a_reason() -> None:
    table = Driven().ready()
    assert table.refused(inp.ChangeReader(by=BY, reason=" ")) == "reason_missing"
    table.ask("end_shoe")
    assert table.refused(inp.ChangeReader(by=BY, reason=WHY)) == "not_now"


def test_another_reader_does_not_bring_a_lost_line_back() -> None:
    table = Driven().ready()
    table.report(LOST)
    assert names_of(table.ask("change_reader")) == ["ReaderChanged"]
    assert table.state.trust is Trust.LOST


# --- another shoe -----------------------------------------------------------------------------


def test_another_shoe_has_its_own_id_and_inventory_once_the_round_is_over() -> None:
    table = Driven().played()
    old = table.state.shoe
    assert names_of(table.ask("change_shoe")) == [
        "RoundClosed", "ShoeEnded", "ShoeLoaded", "BurnCompleted"
    ]  # fmt: skip
    assert table.state.shoe not in (None, old)
    assert (table.state.copies, table.state.cards_out, table.state.results) == ({}, 0, ())


def test_a_round_under_way_keeps_its_shoe_until_it_is_void() -> None:
    table = Driven().dealing()
    reads(table, *WHOLE[:3])
    assert table.refused(inp.ChangeShoe(by=BY, reason=WHY)) == "not_now"
    table.unread()
    assert table.refused(inp.ChangeShoe(by=BY, reason=WHY)) == "not_now"
    old = table.state.shoe
    table.void()
    table.ask("change_shoe")
    assert table.state.shoe != old


def test_a_shoe_that_is_changed_is_counted_like_one_that_ends() -> None:
    table = Driven().played()
    assert table.refused(inp.ChangeShoe(by=BY, reason=" ")) == "reason_missing"
    assert table.refused(inp.ChangeShoe(by=BY, reason=WHY, left=3)) == "count_mismatch"
    events = table.ask("change_shoe", left=3, accept_mismatch=True)
    (ended,) = [one for one in events if isinstance(one, ev.ShoeEnded)]
    assert (ended.seen, ended.counted, ended.reason) == (4, 3, WHY)


def test_a_result_of_a_changed_shoe_can_still_be_amended() -> None:
    table = Driven().played()
    round_ = table.state.round or ""
    table.ask("change_shoe")
    table.ask("amend_round", round=round_)
    assert isinstance(table.log[-1].event, ev.ResultAmended)


# --- a shoe that counts otherwise -------------------------------------------------------------


def _burned(table: Driven) -> None:
    table.played()
    table.ask("burn_cards", count=1)
    table.card("3C", Target.PLAYER, 1)


def _strayed(table: Driven) -> None:
    table.played().ask("close_round")
    table.card("3C", Target.PLAYER, 1)
    table.rule("burn")


def _voided(table: Driven) -> None:
    table.dealing()
    reads(table, *WHOLE[:3])
    table.void()


OFF = (_burned, _strayed, _voided)


@pytest.mark.parametrize("off", OFF, ids=lambda off: off.__name__.strip("_"))
def test_a_shoe_known_to_count_otherwise_holds_no_coup_and_the_prompt_says_so(off) -> None:
    table = Driven()
    off(table)
    assert prompt_for(table.state).note == "shoe-off-step"
    table.dealing()
    reads(table, ("9H", Target.BANKER, 1), ("KS", Target.PLAYER, 2))
    assert (codes_of(table), table.state.trust) == ([], Trust.TRUSTED)


@pytest.mark.parametrize("off", OFF, ids=lambda off: off.__name__.strip("_"))
def test_the_end_button_between_two_coups_brings_the_shoe_in_step(off) -> None:
    table = Driven()
    off(table)
    assert names_of(table.report(inp.ShoeStandby())) == ["ShoeNoted", "StreamChanged"]
    assert prompt_for(table.state).note is None
    assert names_of(table.report(inp.ShoeStandby())) == ["ShoeNoted"]
    table.dealing()
    reads(table, ("9H", Target.BANKER, 1))
    assert codes_of(table) == ["shoe-mismatch"]


def test_a_stand_by_within_a_coup_brings_nothing_in_step() -> None:
    table = Driven()
    _voided(table)
    table.dealing()
    reads(table, ("9H", Target.BANKER, 1))
    assert names_of(table.report(inp.ShoeStandby())) == ["ShoeNoted"]
    assert table.state.shoe_step is ShoeStep.OFF


def test_a_fresh_shoe_is_in_step() -> None:
    table = Driven()
    _burned(table)
    table.ask("change_shoe")
    assert table.state.shoe_step is ShoeStep.IN


def test_a_shoe_whose_reports_were_lost_is_counted_at_its_end() -> None:
    table = Driven().played()
    table.report(inp.SequenceGap("3", "5"))
    assert table.refused(inp.EndShoe(by=BY)) == "count_needed"
    assert table.refused(inp.EndShoe(by=BY, left=411)) == "count_mismatch"
    table.ask("end_shoe", left=412)
    table.ask("load_shoe")
    assert table.refused(inp.EndShoe(by=BY)) == "count_needed", "its stream is in doubt still"
    table.ask("trust_stream")
    table.ask("end_shoe", left=None)


def test_there_is_no_shoe_to_end() -> None:
    table = Driven()
    assert table.refused(inp.EndShoe(by=BY)) == "not_now"
    assert isinstance(table.last, inp.Refusal)
    assert "no shoe is in the table" in table.last.text


# --- a shoe that stopped ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "ends, note",
    [(inp.FaultCleared(7), None), (inp.ShoeStarted(), "compare-cards"), (None, "compare-cards")],
)
def test_a_fault_that_stopped_the_shoe_is_told_until_it_is_over(
    ends: inp.Report | None, note: str | None
) -> None:
    table = Driven().ready()
    table.report(inp.FaultReported(inp.FaultKind.REVERSE_MID, 7, latched=False))
    assert prompt_for(table.state).note is None
    table.report(inp.FaultReported(inp.FaultKind.REVERSE_MID, 7, latched=True))
    assert (prompt_for(table.state).note, codes_of(table)) == ("shoe-fault", [])
    table.betting()
    assert prompt_for(table.state).note == "shoe-fault"
    if ends is None:
        table.ask("change_reader")
    else:
        table.report(ends)
    assert prompt_for(table.state).note == note


def test_a_repeat_means_nothing_while_people_enter_the_cards() -> None:
    table = Driven().dealing()
    table.ask("set_manual_mode")
    table.ask("deal_card", card=Card("9H"))
    table.report(inp.CardRepeated(Card("2C")))
    assert codes_of(table) == []


# --- rules and names --------------------------------------------------------------------------


def test_a_round_is_amended_by_the_rules_that_it_was_played_by() -> None:
    table = Driven(plain_house(commission="0.05")).played()
    old = table.state.round or ""
    table.ask("close_round")
    table.restart(plain_house(commission="0.04"))
    table.report(LineUp("pty", 2))
    new = table.played().state.round or ""
    paid = []
    for round_ in (old, new):
        table.ask("amend_round", **amendment(round_, "2H KS 9D", "3S 2D"))
        amended = table.log[-1].event
        assert isinstance(amended, ev.ResultAmended)
        paid.append(amended.bets["banker"])
    assert paid == ["0.95", "0.96"]


def test_new_rules_with_other_decks_are_announced_with_the_decks_in_the_shoe() -> None:
    table = Driven(plain_house(decks=8)).played()
    table.ask("close_round")
    table.restart(plain_house(decks=6))
    table.report(LineUp("pty", 2))
    table.betting()
    announced = [one.event for one in table.log if isinstance(one.event, ev.TableOpened)]
    assert [one.decks for one in announced] == [8, 8]
    table.void()
    table.ask("change_shoe")
    assert table.state.decks == 6


def test_a_dealer_has_a_name() -> None:
    table = Driven()
    assert table.refused(inp.OpenTable(by=BY, dealer=" ")) == "dealer_missing"
    table.ready()
    assert table.refused(inp.ChangeDealer(by=BY, dealer="")) == "dealer_missing"
