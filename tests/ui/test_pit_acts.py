# SPDX-License-Identifier: Apache-2.0
"""What is done in the pit beside rulings: past rounds, all tables, staff, log-in."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from studio.game import inputs as inp
from studio.game.cards import Card
from studio.staff.accounts import Role
from studio.staff.permissions import PERMISSIONS, Grant, grant_of
from studio.wording import languages
from tests.game.table_driver import Driven
from tests.ui.pit_scenes import (
    ANNA,
    PEOPLE,
    beside,
    busy,
    calm,
    calm_wall,
    doing,
    held,
    owed,
    pit_scenes,
    played,
    seen_of,
    sent,
    speech,
    wall,
)
from ui.pit_view.acts import PIT_ACTS, acts_of, main_act
from ui.pit_view.press import pressed, typed
from ui.pit_view.queue import waiting_in
from ui.pit_view.sheets import owed_lines, to_suspend
from ui.pit_view.steps import At, Enter, Nothing, Show, StandDown, SuspendAll
from ui.pit_view.trouble import troubles_of
from ui.pit_view.whole import pit_of
from ui.view.acts import label_of, pit_commands
from ui.view.forms import command_tag
from ui.view.seen import LinkState, LogInRule, PanelKind
from ui.view.steps import Turn

SCENES = dict(pit_scenes())


def test_a_past_round_is_amended_by_its_cards_and_takes_a_second_person():
    pit = doing(calm_wall(3), "amend_round", "send", "=9h2ckc", "accept", "=KS 10D", "accept")
    step = pressed(pit, "pick:video", speech())
    assert isinstance(step, At)
    assert isinstance(step.step, Turn)
    panel = step.step.own.panel
    assert panel.kind is PanelKind.SECOND
    command = panel.command
    assert isinstance(command, inp.AmendRound)
    assert command.round == pit.table.state.public.results[-1].round
    assert command.player == (Card("9H"), Card("2C"), Card("KC"))
    assert command.banker == (Card("KS"), Card("TD"))


def test_every_step_says_what_is_being_done_and_a_list_what_takes_it_back():
    amending = pit_of(doing(calm_wall(4), "amend_round", "send"), speech()).panel
    assert amending.lines[0] == "Amend a round · BAC-1-20261129-0006"
    ruling = pit_of(SCENES["ruling-reason"](), speech()).panel
    assert ruling.lines == ("Rule · Go on as it is",)
    listed = pit_of(SCENES["acts-calm"](), speech()).panel
    assert listed.lines == ("Takes it back: Resume.",)
    assert not any(one.detail for one in listed.choices)


def test_a_past_round_is_void_by_two():
    pit = doing(calm_wall(3), "void_past", "send")
    step = pressed(pit, "pick:staff", speech())
    assert isinstance(step, At)
    panel = step.step.own.panel
    assert panel.command == inp.VoidRound(
        by="s-0002", round=pit.table.state.public.results[-1].round,
        reason="Both saw it happen", second="")  # fmt: skip


def test_a_card_of_a_void_round_is_corrected_from_the_pit_by_two():
    table = Driven().dealing()
    table.card("6D")
    table.void()
    round_ = table.state.round
    pit = doing(wall(seen_of(1, table)), "acts")
    pit = doing(pit, "pick:correct_void", f"pick:{round_}", "pick:1", "=6h")
    step = pressed(pit, "accept", speech())
    assert isinstance(step, At)
    panel = step.step.own.panel
    assert panel.kind is PanelKind.SECOND
    assert panel.command == inp.CorrectCard(
        by="s-0002", number=1, card=Card("6H"), second="", round=round_)  # fmt: skip


@pytest.mark.parametrize("text", ["", "9H", "9H 2C KC 4S", "XX 2C", "9H2"])
def test_what_is_no_hand_is_not_taken_for_one(text):
    pit = doing(calm_wall(3), "amend_round", "send", f"={text}")
    after = doing(pit, "accept")
    assert after.table.own.panel.fault == "bad-hand"


def test_a_round_that_can_be_amended_no_more_is_not_offered():
    late = calm(1)
    pit = beside(calm_wall(2), replace(late, now=late.now + timedelta(days=1)))
    choices = pit_of(doing(pit, "amend_round"), speech()).panel.choices
    assert [one.act for one in choices] == ["pick:other-round"]


def test_a_round_of_an_earlier_shoe_is_named_by_its_number():
    pit = doing(calm_wall(3), "void_past", "pick:other-round", "=bac-1-20261129-0004", "accept")
    step = pressed(pit, "pick:video", speech())
    assert isinstance(step, At)
    assert step.step.own.panel.command.round == "BAC-1-20261129-0004"
    pit = doing(calm_wall(3), "amend_round", "pick:other-round", "=BAC-1-20261129-0004", "accept",
                "=9H 2C KC", "accept", "=KS 7D", "accept", "pick:own", "=seen twice")  # fmt: skip
    step = pressed(pit, "accept", speech())
    command = step.step.own.panel.command
    assert (command.round, command.reason) == ("BAC-1-20261129-0004", "seen twice")
    assert command.player == (Card("9H"), Card("2C"), Card("KC"))


def test_all_tables_are_suspended_by_one_press_that_is_confirmed():
    pit = busy()
    asked = doing(pit, "suspend_all")
    assert pit_of(asked, speech()).panel.title == "Suspend every table?"
    assert isinstance(pressed(asked, "send", speech()), SuspendAll)
    assert len(to_suspend(pit)) == 19
    assert isinstance(pressed(doing(asked, "back"), "send", speech()), Nothing)


def test_which_tables_are_not_suspended_is_told():
    lines = pit_of(SCENES["suspended"](), speech()).panel.lines
    assert lines == ("7 of 8 tables take no bets.", "Still open, or out of reach: BAC-5")


def test_a_table_is_opened_for_a_dealer_who_is_on_duty_there():
    table = played(2, 0)
    closed = seen_of(2, table)
    state = closed.state
    assert state is not None
    closed = replace(closed, state=replace(state, public=replace(state.public, phase="closed")))
    pit = beside(calm_wall(3), closed)
    assert main_act(pit.table) == "open_table"
    dealer = closed.on_duty[0].screen_name
    assert sent(doing(pit, "open_table"), "send") == inp.OpenTable(by="s-0002", dealer=dealer)


def test_operators_who_owe_an_acknowledgement_are_told_the_longest_wait_first():
    pit = calm_wall(4)
    tables = (pit.tables[0], owed(pit.tables[1]), pit.tables[2], owed(pit.tables[3], 3700))
    pit = replace(pit, tables=tables)
    lines = owed_lines(pit, speech())
    assert [line.split(" · ")[1] for line in lines] == ["BAC-4", "BAC-4", "BAC-2", "BAC-2"]
    assert lines[0].endswith("since 61:40")
    assert [one.trouble.code for one in waiting_in(pit)] == ["owed", "owed"]
    in_time = replace(pit, tables=(owed(pit.tables[0], 30),))
    assert waiting_in(in_time) == ()
    assert owed_lines(calm_wall(2), speech()) == ("No operator owes an acknowledgement.",)


def test_somebody_is_taken_off_duty_or_brought_on_as_dealer_of_the_table():
    pit = replace(doing(calm_wall(3), "staff"), people=PEOPLE)
    marco = next(one for one in PEOPLE if one.screen_name == "Marco")
    sara = next(one for one in PEOPLE if one.screen_name == "Sara")
    off = pressed(doing(pit, f"pick:{marco.staff}"), "pick:stand_down", speech())
    assert isinstance(off, StandDown)
    assert off.staff == marco.staff
    on = pressed(doing(replace(pit, selected=1), f"pick:{marco.staff}"), "pick:deals", speech())
    assert isinstance(on, At)
    assert on.step.command == inp.ChangeDealer(by="s-0002", dealer="Marco")
    # who is not logged in anywhere cannot be taken off
    there = pit_of(doing(replace(pit, selected=2), f"pick:{sara.staff}"), speech()).panel
    assert "pick:stand_down" not in {one.act for one in there.choices}


def test_a_log_in_takes_badge_and_pin_and_shows_no_pin():
    pit = wall(calm(1), calm(2), person=None)
    assert acts_of(pit, speech())[0].act == "log_in"
    asked = doing(pit, "log_in", "=100", "accept", "=123456")
    fields = pit_of(asked, speech()).panel.fields
    assert [one.text for one in fields] == ["100", "••••••"]
    step = pressed(asked, "accept", speech())
    assert isinstance(step, Enter)
    assert (step.badge, step.pin) == ("100", "123456")
    assert "123456" not in repr(step) + repr(asked.sheet)


def test_while_nobody_is_logged_in_no_table_can_be_told_anything():
    pit = wall(held(1), calm(2), person=None)
    enabled = {one.act for one in acts_of(pit, speech()) if one.is_enabled}
    assert not enabled & {*PERMISSIONS, "acts", "staff", "suspend_all"}
    assert isinstance(pressed(pit, "rule:void", speech()), Nothing)
    locked = replace(calm_wall(2), is_locked=True)
    tables = tuple(replace(one, is_locked=True) for one in locked.tables)
    enabled = {one.act for one in acts_of(replace(locked, tables=tables), speech())
               if one.is_enabled}  # fmt: skip
    assert not enabled & {*PERMISSIONS, "acts", "staff", "suspend_all"}


def test_where_nobody_logs_in_everything_can_be_done_in_the_pit_but_the_dealers_work():
    pit = wall(replace(held(1), log_in=LogInRule.OPEN), person=None)
    assert main_act(pit.table) == "claim_hold"
    assert not {"open_bets", "load_shoe"} & {one.act for one in acts_of(pit, speech())}


@pytest.mark.parametrize("name", SCENES)
def test_whatever_is_offered_may_be_given_and_has_its_words_in_every_language(name):
    pit = SCENES[name]()
    for seen in pit.tables:
        if seen.state is None or seen.person is None:
            continue
        for act in pit_commands(seen, seen.state):
            row = PERMISSIONS[command_tag(act)]
            assert grant_of(row, {Role.SUPERVISOR}) is not Grant.NO
    for language in languages():
        for one in acts_of(pit, speech(language)):
            assert label_of(one.act, speech(language).words)


def test_no_key_of_the_pit_has_two_acts_at_once():
    for name, make in SCENES.items():
        keys = [key for one in acts_of(make(), speech()) for key in one.keys if one.is_enabled]
        doubled = {key for key in keys if keys.count(key) > 1}
        # the log-in is the main act as long as nobody is logged in
        assert doubled <= {"F5"}, name


def test_every_key_of_the_pit_is_of_an_act_that_there_is():
    assert set(speech().keys.keys) <= {*PIT_ACTS, *PERMISSIONS, "void_past", "take_hold"}


def test_what_is_typed_where_nothing_can_be_typed_does_nothing():
    assert isinstance(typed(calm_wall(2), "100"), Nothing)
    assert isinstance(typed(doing(calm_wall(2), "owed"), "100"), Nothing)
    assert isinstance(typed(doing(wall(calm(1), person=None), "log_in"), "100"), Show)


def test_troubles_of_a_table_are_found_again_when_it_changes():
    seen = calm(1)
    assert troubles_of(seen) == ()
    assert [one.code for one in troubles_of(replace(seen, link=LinkState.STALE))] == ["stale"]
    assert troubles_of(seen) == ()
    assert ANNA.staff == "s-0002"
