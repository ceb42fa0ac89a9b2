# SPDX-License-Identifier: Apache-2.0
"""Who works at a console: take-over, break, a second person, the supervisor; and its own acts."""

import pytest
from msgspec.structs import replace

from studio.game import inputs as inp
from studio.game.inputs import LineUp
from studio.game.irregularities import REPORTABLE
from studio.staff.accounts import Role
from tests.game.table_driver import Driven, plain_house
from tests.ui.test_view_press import after_step, press, sent
from tests.ui.test_view_prompts import after
from tests.ui.view_texts import DEALER, open_to_all, seen_of, speech
from ui.view.acts import offered
from ui.view.press import pressed, second_for
from ui.view.seen import LogInRule, Own, PanelKind
from ui.view.steps import Local, LogIn, LogOut, Nothing, Send, Turn
from ui.view.whole import view_of


def test_who_takes_over_logs_in_and_the_round_goes_on() -> None:
    seen = seen_of(after("9H KS"), person=None)
    step = press(seen, "take_over", "type 100", "accept", "type 123456", "accept")
    assert step == LogIn("100", "123456", Own(), takes_over=True)
    other = replace(seen, person=replace(DEALER, screen_name="Bruno"))
    assert sent(other, "take_over") == inp.ChangeDealer(by=DEALER.staff, dealer="Bruno")


def test_a_break_locks_and_goes_on_showing() -> None:
    seen = seen_of(after("9H KS"))
    step = press(seen, "rest")
    assert isinstance(step, LogOut)
    assert step.own.panel is not None
    assert step.own.panel.kind is PanelKind.REST
    assert isinstance(press(seen, "lock"), LogOut)


def test_a_refusal_for_want_of_a_second_person_asks_for_one() -> None:
    seen = seen_of(Driven().ready())
    command = inp.OpenBets(by=DEALER.staff)
    asked = after_step(seen, second_for(seen, command))
    step = press(asked, "type 500", "accept", "type 654321", "accept")
    assert step == Send(command, Own(), "500", "654321")


def test_calling_the_supervisor_stops_nothing_and_the_same_key_ends_the_call() -> None:
    table = after("9H KS")
    before = view_of(open_to_all(table), speech())
    command = sent(open_to_all(table), "call_supervisor")
    assert command == inp.CallSupervisor(by="console")
    table.give(command)
    seen = open_to_all(table)
    after_call = view_of(seen, speech())
    assert after_call.band == before.band
    assert after_call.header.is_called
    assert after_call.header.supervisor == "Supervisor called 0:01"
    keys = {one.act: one.keys for one in offered(seen, speech().keys) if one.is_enabled}
    assert keys["answer_call"] == ("F3",)
    assert "call_supervisor" not in keys
    assert sent(seen, "answer_call") == inp.AnswerCall(by="console")


def test_a_table_is_suspended_from_more() -> None:
    seen = open_to_all(after("9H KS"))
    command = sent(seen, "more", "pick:suspend_table")
    assert command == inp.SuspendTable(by="console", reason="review")


@pytest.mark.parametrize("act", ["language", "theme", "sound"])
def test_what_is_the_windows_own_is_left_to_it(act: str) -> None:
    assert press(open_to_all(Driven()), act) == Local(act, Own())


def test_a_newcomer_pulls_a_simulated_card_by_a_key() -> None:
    due = open_to_all(after("9H"), has_demo_shoe=True)
    assert press(due, "pull") == Local("pull", Own())
    done = open_to_all(after("9H KS TC 7D"), has_demo_shoe=True)
    assert isinstance(pressed(done, "pull", speech()), Nothing)
    assert isinstance(pressed(open_to_all(after("9H")), "pull", speech()), Nothing)


def test_back_goes_one_step_and_then_out() -> None:
    seen = open_to_all(after("9H KS"))
    seen = after_step(seen, press(seen, "problem", "pick:note_card", "pick:1"))
    for values in ((), None):
        seen = after_step(seen, press(seen, "back"))
        panel = seen.own.panel
        assert (None if panel is None else panel.values) == values


def test_up_and_down_go_round_the_choices() -> None:
    seen = open_to_all(after("9H KS"))
    seen = after_step(seen, press(seen, "problem", "up"))
    view = view_of(seen, speech())
    assert view.panel is not None
    assert view.panel.choices[-1].is_chosen
    step = press(seen, "send")
    assert isinstance(step, Send)
    assert step.command == inp.ReportIrregularity(
        by="console", code=REPORTABLE[-1], detail=step.command.detail
    )


def test_a_table_opens_with_the_dealer_who_logged_in() -> None:
    table = Driven()
    table.report(LineUp("pty", 1))
    both = replace(DEALER, roles=frozenset({Role.SUPERVISOR}))
    assert sent(seen_of(table, person=both), "open_table") == inp.OpenTable(
        by=DEALER.staff, dealer="Marco"
    )
    step = press(seen_of(table), "open_table")
    assert isinstance(step, Turn)


def test_the_house_asks_for_two_where_the_role_would_do() -> None:
    table = Driven(plain_house(second_person=("close_bets",))).betting()
    assert isinstance(press(seen_of(table), "close_bets"), Send), "no second can be asked for it"
    ended = Driven(plain_house(second_person=("end_shoe",))).ready()
    step = press(seen_of(ended), "end_shoe", "send")
    assert isinstance(step, Turn)
    assert seen_of(ended).log_in is LogInRule.REQUIRED
