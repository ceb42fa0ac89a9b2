# SPDX-License-Identifier: Apache-2.0
"""Commands that open, close, suspend and resume a table, restarts, and every refusal of them."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from studio.feed.wire import public_payload
from studio.game import events as ev
from studio.game import inputs as inp
from studio.game.bets import paytable_of
from studio.game.events import Trust
from studio.game.inputs import (
    ChangeDealer,
    CloseTable,
    LineUp,
    LoadShoe,
    OpenBets,
    OpenTable,
    ResumeTable,
    Stamp,
    SuspendTable,
    VoidRound,
)
from studio.game.prompts import prompt_for
from studio.game.snapshot import public_state
from studio.game.state import Phase, SupervisorCall, TableState, timer_of
from studio.game.table import decide
from tests.game.table_driver import BY, FACTS, WHY, Driven, house, names_of, plain_house


@pytest.mark.req("INF-2")
def test_an_opened_table_says_what_players_must_know() -> None:
    table = Driven()
    (opened,) = table.give(OpenTable(by=BY, dealer="Anna"))
    rules = table.house
    assert opened == ev.TableOpened(
        environment="test",
        house="studio",
        decks=8,
        shoe_mode="shoe",
        currency=rules.currency,
        limits=rules.limits,
        paytable=paytable_of(rules),
        dealer="Anna",
        stream=None,
        picture_delay_ms=0,
        software=ev.Software("0.1.0", "0" * 64),
        by=BY,
    )
    assert table.refused(OpenTable(by=BY, dealer="Eva")) == "already_open"


@pytest.mark.req("VID-1")
def test_every_round_names_its_recording_and_players_hear_nothing_of_it() -> None:
    table = Driven()
    table.restart(facts=replace(FACTS, video_stream="recorder-2/bac-1"))
    table.ready().played()
    table.restart(facts=replace(FACTS, video_stream="recorder-3/bac-1"))
    table.report(LineUp("pty", 2))
    table.played()
    opened = [one for one in table.log if isinstance(one.event, ev.BetsOpened)]
    named = [one.event.video_stream for one in opened if isinstance(one.event, ev.BetsOpened)]
    assert named == ["recorder-2/bac-1", "recorder-3/bac-1"]
    assert not any(b"recorder" in public_payload("BAC-1", "e", one) for one in opened)


@pytest.mark.req("COM-7")
def test_a_table_closes_between_rounds_only() -> None:
    table = Driven()
    assert table.refused(CloseTable(by=BY)) == "already_closed"
    table.dealing()
    assert table.refused(CloseTable(by=BY)) == "not_now"
    table.cards("9H KS TC 7D")
    table.ask("confirm_result")
    assert names_of(table.give(CloseTable(by=BY))) == ["RoundClosed", "TableClosed"]
    assert not table.state.is_open
    assert table.refused(OpenBets(by=BY)) == "table_closed"


def test_a_closed_table_may_be_opened_again_in_the_same_shoe() -> None:
    table = Driven().played()
    table.give(CloseTable(by=BY, reason="device"))
    table.ask("open_table")
    table.betting()
    assert table.state.round == "BAC-1-20261129-0002"


@pytest.mark.req("COM-8")
@pytest.mark.parametrize("reason", ["", "misdeal", "system", "the dealer is ill"])
def test_players_are_told_a_known_word_never_a_persons_text(reason: str) -> None:
    table = Driven().ready()
    assert table.refused(SuspendTable(by=BY, reason=reason)) == "unknown_reason"
    assert table.refused(CloseTable(by=BY, reason=reason)) == "unknown_reason"


def test_a_suspension_lasts_until_it_is_resumed() -> None:
    table = Driven()
    assert table.refused(SuspendTable(by=BY)) == "table_closed"
    table.ready()
    assert table.refused(ResumeTable(by=BY)) == "not_suspended"
    table.give(SuspendTable(by=BY, reason="review"))
    assert table.refused(SuspendTable(by=BY)) == "already_suspended"
    assert table.refused(OpenBets(by=BY)) == "suspended"
    (resumed,) = table.give(ResumeTable(by=BY))
    assert resumed == ev.TableResumed(reason="review", by=BY)
    table.betting()


def test_the_supervisor_is_called_in_any_phase_and_nothing_of_the_play_changes() -> None:
    dealing = Driven().dealing()
    dealing.cards("9H")
    for table in (Driven(), Driven().ready(), Driven().betting(), dealing):
        before = (prompt_for(table.state), table.state.phase, table.state.public_seq)
        (called,) = table.give(inp.CallSupervisor(by=BY))
        assert called == ev.SupervisorCalled(by=BY)
        assert table.state.call == SupervisorCall(table.now, BY)
        assert table.refused(inp.CallSupervisor(by=BY)) == "already_called"
        assert (prompt_for(table.state), table.state.phase, table.state.public_seq) == before
        (ended,) = table.give(inp.AnswerCall(by="s-002"))
        assert ended == ev.SupervisorCallEnded(by="s-002")
        assert table.state.call is None
        assert table.refused(inp.AnswerCall(by=BY)) == "not_called"


def test_a_call_waits_through_a_restart_and_is_not_public() -> None:
    table = Driven().ready()
    table.ask("call_supervisor")
    public = public_state(table.state)
    table.restart()
    assert table.state.call is not None
    assert "call" not in public.__struct_fields__


def test_closing_a_suspended_table_ends_the_suspension() -> None:
    table = Driven().ready()
    table.ask("suspend_table")
    table.ask("close_table")
    assert table.state.suspended is None


def test_a_suspension_closes_bets_and_a_new_window_of_the_same_round_follows() -> None:
    table = Driven().betting()
    round_ = table.state.round
    assert names_of(table.give(SuspendTable(by=BY))) == ["TableSuspended"]
    assert timer_of(table.state) is None
    assert table.refused(inp.CloseBets(by=BY)) == "not_now"
    table.ask("resume_table")
    assert prompt_for(table.state).code == "open-bets-again"
    (again,) = table.give(OpenBets(by=BY))
    assert isinstance(again, ev.BetsOpened)
    assert again.round == table.state.round == round_
    assert table.refused(OpenBets(by=BY)) == "already_open"


@pytest.mark.req("VOID-8")
def test_a_suspended_round_is_dealt_to_its_end() -> None:
    table = Driven().dealing()
    table.card("9H")
    table.ask("suspend_table")
    table.cards("KS TC 7D")
    table.ask("confirm_result")
    assert prompt_for(table.state).commands == ("close_round",)
    assert table.refused(OpenBets(by=BY)) == "suspended"
    table.ask("close_round")
    assert prompt_for(table.state).code == "suspended"


def test_another_dealer_takes_over_at_any_time() -> None:
    table = Driven().dealing()
    (changed,) = table.give(ChangeDealer(by=BY, dealer="Eva"))
    assert changed == ev.DealerChanged(dealer="Eva", by=BY)
    assert table.state.dealer == "Eva"


def test_bets_need_a_shoe() -> None:
    table = Driven()
    table.report(LineUp("pty", 1))
    table.ask("open_table")
    assert table.refused(OpenBets(by=BY)) == "not_now"


def test_a_shoe_is_loaded_once() -> None:
    table = Driven().ready()
    assert table.refused(LoadShoe(by=BY)) == "not_now"


def test_a_void_names_the_round_and_its_reason() -> None:
    table = Driven().ready()
    assert table.refused(VoidRound(by=BY, round="BAC-1-20261129-0001", reason=WHY)) == "no_round"
    table.dealing()
    round_ = table.state.round or ""
    assert table.refused(VoidRound(by=BY, round="BAC-1-20261129-0009", reason=WHY)) == "other_round"
    assert table.refused(VoidRound(by=BY, round=round_, reason="  ")) == "reason_missing"
    table.void()
    assert table.refused(VoidRound(by=BY, round=round_, reason=WHY)) == "already_void"


def test_a_void_comes_not_after_the_time_to_amend() -> None:
    table = Driven(plain_house(amend_minutes=5)).played()
    round_ = table.state.round or ""
    table.now += timedelta(minutes=5)
    assert table.refused(VoidRound(by=BY, round=round_, reason=WHY)) == "too_late"


def test_a_table_that_was_told_no_house_decides_nothing() -> None:
    table = Driven()
    stamp = Stamp(table.now, table.day)
    for command in (LoadShoe(by=BY), OpenTable(by=BY, dealer="Anna")):
        with pytest.raises(LookupError, match="ServiceStarted comes first"):
            decide(TableState(), command, stamp)
    with pytest.raises(LookupError, match="ServiceStarted comes first"):
        decide(TableState(house=table.house), OpenTable(by=BY, dealer="Anna"), stamp)


@pytest.mark.req("COM-2", "RND-4")
def test_a_restart_while_bets_were_open_suspends_the_table_until_a_person_resumes() -> None:
    table = Driven().betting()
    assert names_of(table.restart()) == ["ServiceRestarted", "StreamChanged", "TableSuspended"]
    assert (table.state.phase, table.state.suspended) == (Phase.BETS_OPEN, "system")
    assert timer_of(table.state) is None
    table.report(LineUp("pty", 1))
    assert prompt_for(table.state).code == "suspended"
    assert table.refused(OpenBets(by=BY)) == "suspended"
    assert "TableSuspended" not in names_of(table.restart())
    table.report(LineUp("pty", 1))
    table.ask("resume_table")
    table.ask("open_bets")


@pytest.mark.req("COM-3")
@pytest.mark.parametrize("codes", ["", "9H", "9H KS TC 7D", "9H KS TC 7D 2C"])
def test_a_restart_in_mid_round_changes_nothing_of_the_round(codes: str) -> None:
    table = Driven().dealing()
    table.cards(codes)
    before = table.state
    table.restart()
    beside = {"seq": 0, "trust": Trust.LOST, "trust_reason": ""}
    assert replace(table.state, **beside) == replace(before, **beside)


@pytest.mark.req("MAN-7")
@pytest.mark.req("VOID-7")
def test_a_round_ends_by_the_rules_that_it_began_with() -> None:
    table = Driven(plain_house(commission="0.05")).dealing()
    new = plain_house(commission="0.04", name="venue")
    table.restart(new)
    assert table.state.house == table.house
    assert table.state.next_house == new
    assert names_of(table.restart(new)) == ["ServiceRestarted"]
    table.report(LineUp("pty", 1))
    table.cards("7S 9H KS TC")
    (_, result) = table.ask("confirm_result")
    assert isinstance(result, ev.ResultConfirmed)
    assert result.bets["banker"] == "0.95"
    table.give(OpenBets(by=BY))
    assert (table.state.house, table.state.next_house) == (new, None)
    closed, opened, bets = (one.event for one in table.log[-3:])
    assert isinstance(closed, ev.RoundClosed)
    assert isinstance(opened, ev.TableOpened)
    assert (opened.house, opened.paytable["banker"]) == ("venue", {"win": "0.96"})
    assert isinstance(bets, ev.BetsOpened)


def test_new_facts_are_announced_before_the_next_bets() -> None:
    table = Driven().ready()
    table.restart(facts=replace(FACTS, version="0.2.0"))
    table.report(LineUp("pty", 1))
    opened, _ = table.give(OpenBets(by=BY))
    assert isinstance(opened, ev.TableOpened)
    assert opened.software.version == "0.2.0"
    assert opened.dealer == "Anna"


def test_new_rules_between_rounds_count_at_once() -> None:
    table = Driven().ready()
    new = house("macau", close_guard_ms=0)
    assert "RulesLoaded" in names_of(table.restart(new))
    assert table.state.house == new
    table.report(LineUp("pty", 1))
    opened, _ = table.give(OpenBets(by=BY))
    assert isinstance(opened, ev.TableOpened)
    assert opened.house == "macau"


def test_a_round_of_a_reshuffled_shoe_is_shuffled_back_also_when_the_rules_change() -> None:
    table = Driven(house("continuous", close_guard_ms=0)).played("6H 7S KC QD")
    table.restart(plain_house())
    table.ask("close_round")
    assert table.state.cards_out == 0
