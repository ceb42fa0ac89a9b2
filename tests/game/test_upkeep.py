# SPDX-License-Identifier: Apache-2.0
"""A check of the software that finds something stops the table after the round; settings change."""

import pytest
from msgspec.structs import replace

from studio.game import events as ev
from studio.game import inputs as inp
from studio.game.prompts import prompt_for
from studio.game.state import Phase
from tests.game.table_driver import (
    BY,
    SECOND,
    WHY,
    Driven,
    command_for,
    comparison,
    names_of,
    plain_house,
)

FILE = "/opt/sabot/studio/service.py"
pytestmark = pytest.mark.req("SW-2")


def test_the_round_in_play_is_finished_then_the_table_is_suspended() -> None:
    table = Driven().ready().approved().betting()
    found = table.check(FILE)
    assert names_of(found) == ["SoftwareChecked"]
    assert table.state.closes_at is not None
    table.expire()
    table.cards("9H KS TC 7D")
    table.ask("confirm_result")
    assert table.state.suspended is None
    assert names_of(table.ask("close_round"))[-2:] == ["RoundClosed", "TableSuspended"]
    suspended = table.log[-1]
    assert isinstance(suspended.event, ev.TableSuspended)
    assert (suspended.event.reason, suspended.source) == ("system", ev.Source.SYSTEM)
    assert prompt_for(table.state).words["file"] == "service.py"


def test_the_next_bets_are_not_opened_and_the_round_before_can_be_closed() -> None:
    table = Driven().ready().approved().played()
    table.check(FILE)
    assert table.refused(inp.OpenBets(by=BY)) == "software_changed"
    assert prompt_for(table.state).commands == ("close_round",)
    assert names_of(table.ask("close_round")) == ["RoundClosed", "TableSuspended"]


@pytest.mark.parametrize("between", ["no_shoe", "burning", "idle"])
def test_between_rounds_the_table_is_suspended_at_once(between: str) -> None:
    table = Driven().ready().approved()
    if between == "no_shoe":
        table.ask("end_shoe", left=416)
    if between == "burning":
        table.ask("burn_cards", count=3)
    assert table.state.phase.value == between
    assert names_of(table.check(FILE)) == ["SoftwareChecked", "TableSuspended"]


def test_a_hold_is_ruled_on_first() -> None:
    table = Driven().ready().approved().dealing()
    table.cards("9H KS TC 7D 2C")
    assert table.state.phase is Phase.HELD
    assert names_of(table.check(FILE)) == ["SoftwareChecked"]
    table.void()
    assert table.state.suspended is None
    table.ask("close_round")
    assert table.state.suspended == "system"


def test_nobody_resumes_or_opens_until_a_check_is_good() -> None:
    table = Driven().ready().approved()
    table.check(FILE)
    assert table.refused(inp.ResumeTable(by=BY)) == "software_changed"
    table.ask("check_software")
    assert names_of(table.check(why="asked")) == ["SoftwareChecked"]
    table.ask("resume_table")
    table.betting()


def test_a_closed_table_is_not_opened_with_a_changed_file() -> None:
    table = Driven().approved()
    table.check(FILE)
    assert table.state.suspended is None
    assert table.refused(inp.OpenTable(by=BY, dealer="Anna")) == "software_changed"
    assert prompt_for(table.state).code == "software-changed"


def test_what_two_people_approve_is_checked_before_the_table_goes_on() -> None:
    table = Driven().ready().approved()
    table.check(FILE)
    table.ask("approve_software", digest="b" * 64)
    assert table.refused(inp.ResumeTable(by=BY)) == "software_changed"
    table.check(why="approved")
    table.ask("resume_table")


@pytest.mark.req("SW-1")
def test_after_a_start_no_bets_are_opened_before_the_check() -> None:
    table = Driven().ready().approved()
    table.restart()
    table.report(inp.LineUp("pty", 1))
    assert prompt_for(table.state).code == "software-check"
    assert table.refused(inp.OpenBets(by=BY)) == "software_unchecked"
    table.check(why="start")
    table.betting()


@pytest.mark.req("SW-1")
def test_a_round_under_way_at_a_start_is_dealt_to_its_end_before_the_check() -> None:
    table = Driven().ready().approved().dealing()
    table.cards("9H KS")
    table.restart()
    table.report(inp.LineUp("pty", 1))
    table.cards("TC 7D")
    table.ask("confirm_result")
    assert prompt_for(table.state).commands[0] == "close_round"
    assert table.refused(inp.OpenBets(by=BY)) == "software_unchecked"


def test_a_finding_against_another_manifest_says_nothing() -> None:
    table = Driven().ready().approved()
    late = comparison(table.state, FILE)
    table.approved("b" * 64)
    assert table.give(late) == []
    assert table.state.software.count == 0


def test_without_an_approved_manifest_nothing_is_checked_and_nothing_waits() -> None:
    table = Driven().ready()
    assert table.refused(inp.CheckSoftware(by=BY)) == "nothing_approved"
    table.restart()
    table.report(inp.LineUp("pty", 1))
    table.betting()


def test_the_manifest_of_the_set_up_is_approved_at_the_first_start_only() -> None:
    table = Driven()
    started = inp.ServiceStarted(table.state.facts, table.house, "c" * 64)
    assert "SoftwareApproved" in names_of(table.give(started))
    again = inp.ServiceStarted(table.state.facts, table.house, "d" * 64)
    assert "SoftwareApproved" not in names_of(table.give(again))
    assert table.state.software.approved == "c" * 64


@pytest.mark.parametrize("tag", ["approve_software", "apply_settings"])
def test_it_takes_two_people_and_a_reason(tag: str) -> None:
    table = Driven().ready()
    command = command_for(tag, table.state)
    assert table.refused(replace(command, second="")) == "second_missing"
    assert table.refused(replace(command, second=BY)) == "same_person"
    assert table.refused(replace(command, reason=" ")) == "reason_missing"


def test_only_a_digest_that_is_new_or_was_found_wanting_is_approved() -> None:
    table = Driven().ready().approved()
    again = inp.ApproveSoftware(by=BY, digest="a" * 64, reason=WHY, second=SECOND)
    assert table.refused(again) == "already"
    assert table.refused(replace(again, digest="../a")) == "no_manifest"
    table.check(FILE)
    assert names_of(table.give(again)) == ["SoftwareApproved"]


@pytest.mark.req("ACC-11")
def test_new_rules_hold_from_the_round_after_the_one_in_play() -> None:
    table = Driven().ready().betting()
    rules = replace(plain_house(), betting_seconds=33)
    told = table.ask("apply_settings", house=rules)
    assert names_of(told) == ["SettingsApplied", "RulesLoaded"]
    assert isinstance(told[0], ev.SettingsApplied)
    assert told[0].after_round == table.state.round
    assert table.state.house == plain_house()
    table.void()
    table.ask("close_round")
    assert table.state.house == rules
    assert "TableOpened" in names_of(table.give(inp.OpenBets(by=BY)))


@pytest.mark.req("ACC-11")
def test_settings_that_need_a_start_change_no_rule_now() -> None:
    table = Driven().ready().played()
    last = table.state.round
    table.ask("close_round")
    told = table.ask("apply_settings", manifest="d" * 64)
    assert names_of(told) == ["SettingsApplied"]
    assert isinstance(told[0], ev.SettingsApplied)
    assert told[0].after_round == last
    assert table.state.software.approved == "d" * 64
    same = command_for("apply_settings", table.state)
    assert table.refused(replace(same, before=same.after)) == "already"
