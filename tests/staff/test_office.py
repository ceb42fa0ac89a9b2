# SPDX-License-Identifier: Apache-2.0
"""The accounts' administration: who may, what is refused, and that it is all kept."""

import msgspec
import pytest

from studio.staff.accounts import Role
from studio.staff.attempts import Act
from studio.staff.desk import LoggedIn
from studio.staff.door import Identified
from studio.staff.office import CodeIssued, Kept, NewAccount, Office
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

ANNA = NewAccount(
    name="Anna Rossi", screen_name="Anna", roles=frozenset({Role.DEALER}), badge="A-77"
)


def locked(staff: Staff, who: str) -> None:
    """Three wrong tries."""
    for _ in range(3):
        assert code_of(staff.door.identify(BADGES[who], "999111", Act.LOG_IN, HERE)) == "wrong"


@each_database
def test_a_manager_adds_somebody_who_must_choose_a_secret_first(staff: Staff):
    added = done(staff.office.add(staff.manager, ANNA, FIRST_PIN, HERE), Kept)
    assert added.account.id == "s-0006"
    assert added.account.created_by == staff.manager
    desk = staff.desk()
    assert code_of(desk.log_in("A-77", FIRST_PIN, HERE)) == "secret_due"
    done(desk.change_secret("A-77", FIRST_PIN, "602214", HERE), Identified)
    done(desk.log_in("A-77", "602214", HERE), LoggedIn)
    assert staff.attempts()[-3].act is Act.LOG_IN
    kept = staff.attempts(lambda one: one.act is Act.ADD)[-1]
    assert (kept.by, kept.staff, kept.detail) == (staff.manager, "s-0006", "dealer")


@pytest.mark.parametrize(
    "change, code",
    [
        ({"badge": ""}, "unfit"),
        ({"name": "\n"}, "unfit"),
        ({"screen_name": " "}, "unfit"),
        ({"badge": "100"}, "badge_taken"),
        ({"name": "DEALER  of the studio"}, "name_taken"),
        ({"roles": frozenset()}, "roles_conflict"),
        ({"roles": frozenset({Role.DEALER, Role.SUPERVISOR})}, "roles_conflict"),
        ({"roles": frozenset({Role.AUDITOR, Role.MANAGER})}, "roles_conflict"),
    ],
)
@pytest.mark.req("ACC-3", "DUAL-1")
def test_what_no_account_can_be_is_refused_and_changes_nothing(staff: Staff, change, code):
    new = msgspec.structs.replace(ANNA, **change)
    assert code_of(staff.office.add(staff.manager, new, FIRST_PIN, HERE)) == code
    with staff.book.reading() as page:
        assert len(page.accounts()) == 5
    assert staff.attempts()[-1].result == code


@pytest.mark.req("ACC-6")
def test_a_provisional_secret_must_be_fit_too(staff: Staff):
    assert code_of(staff.office.add(staff.manager, ANNA, "1234", HERE)) == "secret_unfit"
    reset = staff.office.reset(staff.manager, staff.dealer, "111111", HERE)
    assert code_of(reset) == "secret_unfit"


@pytest.mark.req("ACC-3")
def test_two_people_of_one_name_are_told_apart_on_purpose(staff: Staff):
    new = msgspec.structs.replace(ANNA, name="dealer of the studio", is_another=True)
    assert done(staff.office.add(staff.manager, new, FIRST_PIN, HERE), Kept).account.id == "s-0006"
    assert staff.attempts()[-1].detail == "dealer, another of this name"


@pytest.mark.req("ACC-1")
@pytest.mark.parametrize("who", ["dealer", "supervisor", "auditor", "nobody", "disabled"])
def test_only_a_manager_changes_accounts(staff: Staff, who: str):
    ids = {"dealer": staff.dealer, "supervisor": staff.supervisor, "nobody": "s-9999"}
    if who == "auditor":
        ids[who] = staff.hire(who, Role.AUDITOR, badge="300")
    if who == "disabled":
        ids[who] = staff.hire(who, Role.MANAGER, badge="301")
        done(staff.office.disable(staff.manager, ids[who], HERE), Kept)
    by, office = ids[who], staff.office
    before = [staff.account(staff.other), staff.account(staff.floor)]
    answers = [
        office.add(by, ANNA, FIRST_PIN, HERE),
        office.set_roles(by, staff.floor, frozenset({Role.MANAGER}), HERE),
        office.disable(by, staff.other, HERE),
        office.enable(by, staff.other, FIRST_PIN, HERE),
        office.reset(by, staff.other, FIRST_PIN, HERE),
    ]
    assert {code_of(answer) for answer in answers} == {"not_permitted"}
    assert before == [staff.account(staff.other), staff.account(staff.floor)]
    may_look = who in ("supervisor", "auditor")
    looked = office.accounts(by, HERE)
    assert may_look or code_of(looked) == "not_permitted"


@pytest.mark.req("AUD-2")
def test_looking_at_the_accounts_is_kept(staff: Staff):
    assert len(staff.office.accounts(staff.manager, HERE)) == 5
    assert staff.attempts()[-1].act is Act.LIST


def test_nobody_does_anything_to_their_own_account(staff: Staff):
    by, office = staff.manager, staff.office
    answers = [
        office.set_roles(by, by, frozenset({Role.SUPERVISOR}), HERE),
        office.disable(by, by, HERE),
        office.reset(by, by, FIRST_PIN, HERE),
        office.issue_code(by, by, HERE),
    ]
    assert {code_of(answer) for answer in answers} == {"own_account"}


def test_there_is_no_doing_it_to_nobody_or_twice(staff: Staff):
    by, office = staff.manager, staff.office
    assert code_of(office.disable(by, "s-9999", HERE)) == "no_account"
    assert code_of(office.issue_code(by, "s-9999", HERE)) == "no_account"
    assert code_of(office.enable(by, staff.dealer, FIRST_PIN, HERE)) == "not_needed"
    assert code_of(office.issue_code(by, staff.dealer, HERE)) == "not_needed"
    done(office.disable(by, staff.dealer, HERE), Kept)
    assert code_of(office.disable(by, staff.dealer, HERE)) == "not_needed"


@pytest.mark.req("ACC-9")
def test_who_comes_back_chooses_a_new_secret(staff: Staff):
    done(staff.office.disable(staff.manager, staff.dealer, HERE), Kept)
    assert staff.account(staff.dealer).disabled_by == staff.manager
    done(staff.office.enable(staff.manager, staff.dealer, FIRST_PIN, HERE), Kept)
    desk = staff.desk()
    assert code_of(desk.log_in("100", PIN, HERE)) == "wrong"
    assert code_of(desk.log_in("100", FIRST_PIN, HERE)) == "secret_due"


def test_a_reset_releases_and_can_replace_a_lost_badge(staff: Staff):
    locked(staff, "dealer")
    by = staff.manager
    assert code_of(staff.office.reset(by, staff.dealer, FIRST_PIN, HERE, badge="101")) == (
        "badge_taken"
    )
    assert code_of(staff.office.reset(by, staff.dealer, FIRST_PIN, HERE, badge="?")) == "unfit"
    done(staff.office.reset(by, staff.dealer, FIRST_PIN, HERE, badge="177"), Kept)
    desk = staff.desk()
    assert code_of(desk.log_in("100", FIRST_PIN, HERE)) == "wrong"
    assert code_of(desk.log_in("177", FIRST_PIN, HERE)) == "secret_due"


@pytest.mark.req("DUAL-1")
def test_roles_that_conflict_are_never_assigned(staff: Staff):
    both = frozenset({Role.DEALER, Role.SUPERVISOR})
    assert code_of(staff.office.set_roles(staff.manager, staff.floor, both, HERE)) == (
        "roles_conflict"
    )
    assert staff.account(staff.floor).roles == {Role.SUPERVISOR}
    two = frozenset({Role.MANAGER, Role.SUPERVISOR})
    done(staff.office.set_roles(staff.manager, staff.floor, two, HERE), Kept)
    assert staff.attempts()[-1].detail == "supervisor, manager"


@pytest.mark.req("ACC-5")
def test_a_supervisor_releases_dealers_and_a_manager_everybody_else(staff: Staff):
    for who in ("dealer", "supervisor", "manager"):
        locked(staff, who)
    office = staff.office
    done(office.issue_code(staff.floor, staff.dealer, HERE), CodeIssued)
    assert code_of(office.issue_code(staff.floor, staff.supervisor, HERE)) == "not_permitted"
    assert code_of(office.issue_code(staff.floor, staff.manager, HERE)) == "not_permitted"
    assert code_of(office.issue_code(staff.other, staff.dealer, HERE)) == "not_permitted"
    done(office.issue_code(staff.manager, staff.supervisor, HERE), CodeIssued)


def test_a_first_manager_is_made_only_where_no_manager_could_log_in(staff: Staff):
    new = msgspec.structs.replace(ANNA, name="Second Manager")
    assert code_of(staff.office.begin(new, PIN, HERE)) == "has_manager"
    locked(staff, "manager")
    begun = done(staff.office.begin(new, PIN, HERE), Kept)
    assert begun.account.roles == {Role.MANAGER}
    assert begun.account.created_by == begun.account.id
    logged = done(staff.desk().log_in("A-77", PIN, HERE), LoggedIn)
    assert logged.session.staff == begun.account.id
    assert code_of(Office(staff.door).begin(new, PIN, HERE)) == "has_manager"


def test_a_manager_who_is_disabled_is_none_that_could_log_in(staff: Staff):
    second = staff.hire("second", Role.MANAGER, badge="901")
    done(staff.office.disable(second, staff.manager, HERE), Kept)
    new = msgspec.structs.replace(ANNA, name="Third Manager")
    assert code_of(staff.office.begin(new, PIN, HERE)) == "has_manager"
    for _ in range(3):
        staff.door.identify("901", "999111", Act.LOG_IN, HERE)
    done(staff.office.begin(new, PIN, HERE), Kept)


def test_a_dealer_on_the_floor_goes_on_while_others_are_changed(staff: Staff):
    desk = staff.desk()
    opened = logged_in(desk, "dealer")
    done(staff.office.disable(staff.manager, staff.other, HERE), Kept)
    assert desk.on_duty(Role.DEALER) == (opened.session.staff,)


def test_the_language_of_a_person_is_changed_at_the_next_log_in_and_nobody_is_logged_out(
    staff: Staff,
):
    desk = staff.desk()
    logged_in(desk, "dealer")
    for by in (staff.dealer, staff.other):
        assert code_of(staff.office.set_language(by, staff.dealer, "it", HERE)) == "not_permitted"
    done(staff.office.set_language(staff.supervisor, staff.dealer, "it", HERE), Kept)
    assert desk.on_duty(Role.DEALER) == (staff.dealer,)
    kept = staff.attempts(lambda one: one.act is Act.LANGUAGE)[-1]
    assert (kept.by, kept.staff, kept.detail) == (staff.supervisor, staff.dealer, "it")
    assert logged_in(desk, "dealer").session.language == "it"
    own = staff.office.set_language(staff.supervisor, staff.supervisor, "fr", HERE)
    assert done(own, Kept).account.language == "fr"
    assert code_of(staff.office.set_language(staff.manager, "s-9", "it", HERE)) == "no_account"
    assert code_of(staff.office.set_language(staff.manager, staff.dealer, "x", HERE)) == "unfit"
    done(staff.office.set_language(staff.manager, staff.dealer, "", HERE), Kept)
    assert logged_in(desk, "dealer").session.language == ""


def test_a_person_may_have_a_language_of_their_own(staff: Staff):
    new = NewAccount(
        name="Léa Roux",
        screen_name="Léa",
        roles=frozenset({Role.DEALER}),
        badge="4711",
        language="fr",
    )
    added = done(staff.office.add(Staff.manager, new, FIRST_PIN, HERE), Kept)
    assert staff.account(added.account.id).language == "fr"
    done(staff.door.change_secret("4711", FIRST_PIN, PIN, HERE), Identified)
    opened = done(staff.desk().log_in("4711", PIN, HERE), LoggedIn)
    assert opened.session.language == "fr"
    other = msgspec.structs.replace(new, name="Eva", badge="4712", language="French")
    assert code_of(staff.office.add(Staff.manager, other, FIRST_PIN, HERE)) == "unfit"
