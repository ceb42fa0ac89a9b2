# SPDX-License-Identifier: Apache-2.0
"""What somebody else does while a secret is being checked, which takes its time."""

from collections.abc import Callable

import pytest

from studio.staff.attempts import Act
from studio.staff.door import Door, Identified
from studio.staff.office import CodeIssued, Kept
from tests.staff.people import FIRST_PIN, HERE, PIN, Meanwhile, Staff, code_of, done, each_database


def door_while(staff: Staff, act: Callable[[], object]) -> Door:
    """Another process's door, at which ``act`` happens during the next check."""
    door = staff.door_again()
    door.hashing = Meanwhile(act)
    return door


@each_database
def test_an_old_secret_is_wrong_when_it_was_changed_meanwhile(staff: Staff):
    door = door_while(staff, lambda: staff.office.reset(staff.manager, "s-0004", FIRST_PIN, HERE))
    assert code_of(door.identify("100", PIN, Act.LOG_IN, HERE)) == "wrong"


@pytest.mark.req("ACC-9")
@each_database
def test_who_is_disabled_meanwhile_does_not_get_in(staff: Staff):
    door = door_while(staff, lambda: staff.office.disable(staff.manager, "s-0004", HERE))
    assert code_of(door.identify("100", PIN, Act.LOG_IN, HERE)) == "disabled"


@pytest.mark.req("ACC-5")
@each_database
def test_who_is_locked_meanwhile_does_not_get_in(staff: Staff):
    def guess() -> None:
        for _ in range(3):
            staff.door.identify("100", "999111", Act.LOG_IN, HERE)

    door = door_while(staff, guess)
    assert code_of(door.identify("100", PIN, Act.LOG_IN, HERE)) == "locked"


def test_of_two_changes_of_one_secret_the_second_is_refused(staff: Staff):
    def change() -> None:
        done(staff.door.change_secret("100", PIN, "602214", HERE), Identified)

    door = door_while(staff, change)
    assert code_of(door.change_secret("100", PIN, "141421", HERE)) == "wrong"
    assert staff.account("s-0004").wrong_tries == 1
    done(staff.door.identify("100", "602214", Act.LOG_IN, HERE), Identified)


@pytest.mark.req("ACC-5")
def test_a_code_is_spent_once_and_an_older_one_is_nothing(staff: Staff):
    for _ in range(3):
        staff.door.identify("100", "999111", Act.LOG_IN, HERE)
    code = done(staff.office.issue_code(staff.manager, "s-0004", HERE), CodeIssued).code
    newer = door_while(staff, lambda: staff.office.issue_code(staff.manager, "s-0004", HERE))
    assert code_of(newer.unlock("100", code, HERE)) == "wrong"
    code = done(staff.office.issue_code(staff.manager, "s-0004", HERE), CodeIssued).code
    spent = door_while(staff, lambda: staff.door.unlock("100", code, HERE))
    assert code_of(spent.unlock("100", code, HERE)) == "no_code"


def test_a_code_and_the_account_go_together(staff: Staff):
    for _ in range(3):
        staff.door.identify("100", "999111", Act.LOG_IN, HERE)
    code = done(staff.office.issue_code(staff.manager, "s-0004", HERE), CodeIssued).code
    done(staff.office.disable(staff.manager, "s-0004", HERE), Kept)
    assert code_of(staff.door.unlock("100", code, HERE)) == "no_code"
