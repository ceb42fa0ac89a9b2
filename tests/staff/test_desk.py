# SPDX-License-Identifier: Apache-2.0
"""Log-ins at a table: who gets in, for how long, for which table, and what ends it."""

import threading
from itertools import pairwise

import pytest

from studio.game.inputs import OpenBets, RuleHold
from studio.staff.accounts import Role
from studio.staff.attempts import Act, Refused
from studio.staff.desk import LoggedIn
from studio.staff.office import CodeIssued, Kept
from studio.staff.permissions import Grant
from studio.staff.rules import StaffRules
from studio.staff.sessions import Session
from tests.staff.people import (
    BADGES,
    FIRST_PIN,
    HERE,
    PIN,
    Staff,
    code_of,
    done,
    each_database,
    logged_in,
)

WRONG = "999111"


@pytest.mark.req("ACC-1", "ACC-8")
@each_database
def test_badge_and_pin_open_a_session(staff: Staff):
    desk = staff.desk()
    opened = logged_in(desk, "dealer")
    session = done(desk.who(opened.token, HERE), Session)
    assert (session.staff, session.screen_name) == (staff.dealer, "Dealer")
    assert session.roles == {Role.DEALER}
    account = staff.account(staff.dealer)
    assert (account.last_access, account.last_access_from) == (staff.clock.at, HERE)


@pytest.mark.req("ACC-4")
def test_wrong_badge_and_wrong_pin_are_answered_alike(staff: Staff):
    desk = staff.desk()
    answers = [desk.log_in(*pair, HERE) for pair in (("100", WRONG), ("777", PIN), ("?", PIN))]
    assert {code_of(answer) for answer in answers} == {"wrong"}
    assert len({answer.text for answer in answers if isinstance(answer, Refused)}) == 1


@pytest.mark.req("ACC-5")
@each_database
def test_three_wrong_tries_lock_across_tables_and_restarts(staff: Staff):
    assert code_of(staff.desk("BAC-1").log_in("100", WRONG, HERE)) == "wrong"
    assert code_of(staff.desk("BAC-2").log_in("100", WRONG, HERE)) == "wrong"
    assert code_of(staff.desk("BAC-1").log_in("100", WRONG, HERE)) == "wrong"
    for table in ("BAC-1", "BAC-2", "BAC-3"):
        assert code_of(staff.desk(table).log_in("100", PIN, HERE)) == "locked"
    staff.clock.pass_(days=400)
    assert code_of(staff.desk().log_in("100", PIN, HERE)) == "locked"


@pytest.mark.req("ACC-5")
def test_a_right_try_forgets_the_wrong_ones_before_it(staff: Staff):
    desk = staff.desk()
    for _ in range(3):
        for _ in range(2):
            assert code_of(desk.log_in("100", WRONG, HERE)) == "wrong"
        logged_in(desk, "dealer")
    assert staff.account(staff.dealer).wrong_tries == 0


@pytest.mark.req("ACC-5")
@each_database
def test_guesses_made_at_once_are_counted_one_by_one(staff: Staff):
    desks = [staff.desk(f"BAC-{number}") for number in range(6)]
    answers: list[object] = []
    threads = [
        threading.Thread(target=lambda desk=desk: answers.append(desk.log_in("100", WRONG, HERE)))
        for desk in desks
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    codes = sorted(map(code_of, answers))
    assert codes == ["locked"] * 3 + ["wrong"] * 3
    assert staff.account(staff.dealer).wrong_tries == 3


@pytest.mark.req("ACC-7")
@each_database
def test_every_attempt_is_kept_and_handed_over(staff: Staff):
    before = len(staff.attempts())
    desk = staff.desk()
    opened = logged_in(desk, "dealer")
    answers = [
        desk.log_in("100", WRONG, "console-9"),
        desk.log_in("nobody", PIN, HERE),
        desk.who("no such token", HERE),
        desk.allowed(
            opened.session, RuleHold(by=staff.dealer, remedy="void", reason="x", bound_to="")
        ),
        desk.allowed(
            opened.session, RuleHold(by=staff.other, remedy="void", reason="x", bound_to="")
        ),
    ]
    assert answers[3] is Grant.PAIR
    told = [opened.attempt] + [one.attempt for one in answers if isinstance(one, Refused)]
    told.append(desk.log_out(opened.token, HERE))
    assert staff.attempts()[before:] == told
    assert [(one.act, one.by, one.result) for one in told] == [
        (Act.LOG_IN, staff.dealer, "done"),
        (Act.LOG_IN, staff.dealer, "wrong"),
        (Act.LOG_IN, None, "wrong"),
        (Act.USE_SESSION, None, "no_session"),
        (Act.COMMAND, staff.dealer, "not_permitted"),
        (Act.LOG_OUT, staff.dealer, "done"),
    ]
    assert {one.table for one in told} == {"BAC-1"}
    assert told[1].from_ == "console-9"


@pytest.mark.req("ACC-10")
def test_a_token_is_random_and_good_until_log_out(staff: Staff):
    desk = staff.desk()
    tokens = [logged_in(desk, "supervisor").token for _ in range(5)]
    assert len(set(tokens)) == 5
    assert all(len(token) == 43 for token in tokens)
    done(desk.who(tokens[0], HERE), Session)
    desk.log_out(tokens[0], HERE)
    assert code_of(desk.who(tokens[0], HERE)) == "session_ended"
    assert desk.log_out("never", HERE).by is None
    done(desk.who(tokens[1], HERE), Session)


@pytest.mark.req("ACC-10")
@each_database
def test_a_token_is_replayed_in_vain_after_a_restart_or_from_elsewhere(staff: Staff):
    desk, neighbour = staff.desk("BAC-1"), staff.desk("BAC-2")
    token = logged_in(desk, "supervisor").token
    assert code_of(desk.who(token, "console-2")) == "elsewhere"
    done(neighbour.who(token, HERE), Session)
    staff.desk("BAC-2")
    done(desk.who(token, HERE), Session)
    again = staff.desk("BAC-1")
    for one in (again, desk, neighbour):
        assert code_of(one.who(token, HERE)) == "session_ended"


def test_one_log_in_of_a_supervisor_serves_the_pit_and_a_dealers_one_table(staff: Staff):
    one, two = staff.desk("BAC-1"), staff.desk("BAC-2")
    pit, box = logged_in(one, "supervisor"), logged_in(one, "dealer")
    done(two.who(pit.token, HERE), Session)
    assert code_of(two.who(box.token, HERE)) == "other_table"
    done(one.who(box.token, HERE), Session)


@pytest.mark.req("ACC-3")
@each_database
def test_a_dealer_who_moves_on_leaves_no_log_in_behind(staff: Staff):
    one, two = staff.desk("BAC-1"), staff.desk("BAC-2")
    first = logged_in(one, "dealer")
    second = logged_in(two, "dealer")
    assert code_of(one.who(first.token, HERE)) == "session_ended"
    assert second.others == 0
    logged_in(one, "supervisor")
    assert logged_in(two, "supervisor").others == 1


@pytest.mark.req("ACC-2")
@each_database
def test_five_minutes_without_a_command_end_a_session(staff: Staff):
    desk = staff.desk()
    token = logged_in(desk, "dealer").token
    for _ in range(3):
        staff.clock.pass_(seconds=299)
        done(desk.who(token, HERE), Session)
    staff.clock.pass_(seconds=200)
    done(desk.who(token, HERE, is_input=False), Session)
    staff.clock.pass_(seconds=100)
    assert code_of(desk.who(token, HERE)) == "idle"
    assert code_of(desk.who(token, HERE)) == "session_ended"
    logged_in(desk, "dealer")


@pytest.mark.req("ACC-2")
def test_a_clock_that_is_set_back_prolongs_nothing(staff: Staff):
    desk = staff.desk()
    token = logged_in(desk, "dealer").token
    staff.clock.pass_(seconds=-50)
    done(desk.who(token, HERE, is_input=False), Session)
    staff.clock.pass_(minutes=-2)
    assert code_of(desk.who(token, HERE)) == "idle"


def test_a_session_ends_with_the_shift_however_busy(staff: Staff):
    staff.rules = StaffRules(session_hours=1)
    desk = staff.desk()
    token = logged_in(desk, "supervisor").token
    answers = []
    for _ in range(15 + 1):
        staff.clock.pass_(minutes=4)
        answers.append(desk.who(token, HERE))
    codes = [one.code for one in answers if isinstance(one, Refused)]
    assert codes[:2] == ["too_long", "session_ended"]
    assert len(codes) == 2


@pytest.mark.req("ACC-9")
@each_database
def test_disabling_ends_all_of_somebodys_sessions_at_once(staff: Staff):
    one, two = staff.desk("BAC-1"), staff.desk("BAC-2")
    tokens = [logged_in(one, "supervisor").token, logged_in(two, "supervisor").token]
    dealer = logged_in(one, "dealer").token
    done(staff.office.disable(staff.manager, staff.supervisor, HERE), Kept)
    for desk, token in ((one, tokens[0]), (two, tokens[0]), (one, tokens[1])):
        assert code_of(desk.who(token, HERE)) == "disabled"
    assert code_of(one.log_in(BADGES["supervisor"], PIN, HERE)) == "disabled"
    assert code_of(one.log_in(BADGES["supervisor"], WRONG, HERE)) == "wrong"
    done(one.who(dealer, HERE), Session)


@pytest.mark.req("ACC-9")
@pytest.mark.parametrize("act", ["roles", "reset", "own secret"])
def test_other_roles_or_another_secret_end_the_sessions_too(staff: Staff, act: str):
    desk = staff.desk()
    token = logged_in(desk, "supervisor").token
    if act == "roles":
        roles = frozenset({Role.DEALER})
        done(staff.office.set_roles(staff.manager, staff.supervisor, roles, HERE), Kept)
    elif act == "reset":
        done(staff.office.reset(staff.manager, staff.supervisor, FIRST_PIN, HERE), Kept)
    else:
        assert not isinstance(desk.change_secret("500", PIN, "horse battery", HERE), Refused)
    assert code_of(desk.who(token, HERE)) == "session_ended"


@pytest.mark.req("ACC-1")
@pytest.mark.parametrize(
    "who, answer",
    [("dealer", Grant.ALONE), ("supervisor", "not_permitted"), ("manager", "not_permitted")],
)
def test_a_command_is_for_those_who_may_and_in_ones_own_name(staff: Staff, who, answer):
    desk = staff.desk()
    session = logged_in(desk, who).session
    allowed = desk.allowed(session, OpenBets(by=session.staff))
    assert allowed is answer or code_of(allowed) == answer
    assert code_of(desk.allowed(session, OpenBets(by=staff.other))) == "not_permitted"


def test_the_house_of_a_table_asks_for_a_second_person_there(staff: Staff):
    strict, plain = staff.desk("BAC-1", "rule_hold"), staff.desk("BAC-2")
    session = logged_in(strict, "supervisor").session
    ruling = RuleHold(by=staff.supervisor, remedy="burn", reason="surplus", bound_to="")
    assert strict.allowed(session, ruling) is Grant.PAIR
    assert plain.allowed(session, ruling) is Grant.ALONE


@pytest.mark.req("DUAL-2")
def test_who_is_on_duty_is_who_has_a_good_session(staff: Staff):
    one, two = staff.desk("BAC-1"), staff.desk("BAC-2")
    assert one.on_duty(Role.SUPERVISOR) == ()
    logged_in(one, "supervisor")
    logged_in(two, "floor")
    logged_in(two, "dealer")
    assert one.on_duty(Role.SUPERVISOR) == (staff.supervisor, staff.floor)
    assert two.on_duty(Role.DEALER) == (staff.dealer,)
    assert one.on_duty(Role.DEALER, Role.MANAGER) == ()
    done(staff.office.disable(staff.manager, staff.floor, HERE), Kept)
    assert one.on_duty(Role.SUPERVISOR) == (staff.supervisor,)
    staff.clock.pass_(minutes=5)
    assert one.on_duty(Role.SUPERVISOR) == ()


@pytest.mark.req("ACC-6")
def test_a_secret_that_is_due_is_changed_before_anything_else(staff: Staff):
    desk = staff.desk()
    staff.clock.pass_(days=90)
    assert code_of(desk.log_in("100", PIN, HERE)) == "secret_due"
    assert code_of(desk.change_secret("100", PIN, PIN, HERE)) == "secret_same"
    assert code_of(desk.change_secret("100", PIN, "1234", HERE)) == "secret_unfit"
    assert code_of(desk.change_secret("100", WRONG, "628318", HERE)) == "wrong"
    assert not isinstance(desk.change_secret("100", PIN, "628318", HERE), Refused)
    assert code_of(desk.log_in("100", PIN, HERE)) == "wrong"
    done(desk.log_in("100", "628318", HERE), LoggedIn)


@pytest.mark.req("ACC-5")
@each_database
def test_a_one_time_code_releases_a_locked_account_once(staff: Staff):
    desk = staff.desk()
    for _ in range(3):
        desk.log_in("500", WRONG, HERE)
    issued = done(staff.office.issue_code(staff.manager, staff.supervisor, HERE), CodeIssued)
    assert code_of(desk.unlock("501", issued.code, HERE)) == "no_code"
    typed = issued.code.lower().replace("-", " ")
    assert not isinstance(desk.unlock("500", typed, HERE), Refused)
    logged_in(desk, "supervisor")
    assert code_of(desk.unlock("500", issued.code, HERE)) == "no_code"
    kept = staff.attempts(lambda one: one.act in (Act.ISSUE_CODE, Act.UNLOCK))
    assert [(one.by, one.staff, one.result) for one in kept] == [
        (staff.manager, staff.supervisor, "done"),
        (staff.floor, None, "no_code"),
        (staff.supervisor, None, "done"),
        (staff.supervisor, None, "no_code"),
    ]
    assert all(one.at <= two.at for one, two in pairwise(kept))


@pytest.mark.req("ACC-5")
def test_a_one_time_code_dies_of_age_and_of_three_wrong_tries(staff: Staff):
    desk = staff.desk()
    for _ in range(3):
        desk.log_in("500", WRONG, HERE)
    issued = done(staff.office.issue_code(staff.manager, staff.supervisor, HERE), CodeIssued)
    staff.clock.pass_(minutes=10)
    assert code_of(desk.unlock("500", issued.code, HERE)) == "no_code"
    issued = done(staff.office.issue_code(staff.manager, staff.supervisor, HERE), CodeIssued)
    for _ in range(3):
        assert code_of(desk.unlock("500", "AAAA-AAAA", HERE)) == "wrong"
    assert code_of(desk.unlock("500", issued.code, HERE)) == "no_code"
    assert code_of(desk.log_in("500", PIN, HERE)) == "locked"
