# SPDX-License-Identifier: Apache-2.0
"""The second person: one badge and one PIN, for exactly this, once."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.game.inputs import EndShoe, RuleHold, VoidRound
from studio.staff.accounts import Role
from studio.staff.approvals import Approvals, Bound, bound_to, fingerprint
from studio.staff.attempts import Act
from studio.staff.desk import Approved, Desk, Second
from studio.staff.office import Kept
from tests.staff.people import BADGES, HERE, PIN, Staff, code_of, done, each_database, logged_in

ROUND = "BAC-1-20261130-0007"
HOLD = {"cards": ["9H", "KD"], "codes": ["excess-after-natural"]}


def ruling_of(staff: Staff, **members: object) -> Bound:
    """What an approval of the dealer's ruling is bound to."""
    ruling = RuleHold(by=staff.dealer, remedy="burn", reason="surplus", bound_to="")
    return bound_to("BAC-1", ROUND, msgspec.structs.replace(ruling, **members), HOLD)


def approved(desk: Desk, who: str, bound: Bound) -> str:
    """The token of somebody's approval."""
    return done(desk.approve(BADGES[who], PIN, bound, HERE), Approved).approval.token


@pytest.mark.req("MAN-5")
@each_database
def test_a_supervisors_badge_and_pin_approve_what_a_dealer_asks(staff: Staff):
    desk = staff.desk()
    bound = ruling_of(staff)
    token = approved(desk, "supervisor", bound)
    second = done(desk.redeem(token, bound, HERE), Second)
    assert second.staff == staff.supervisor
    kept = staff.attempts(lambda one: one.act in (Act.APPROVE, Act.REDEEM))
    assert [(one.act, one.by, one.staff, one.detail) for one in kept] == [
        (Act.APPROVE, staff.supervisor, staff.dealer, "rule_hold"),
        (Act.REDEEM, staff.supervisor, staff.dealer, "rule_hold"),
    ]
    assert desk.on_duty(Role.SUPERVISOR) == (), "an approval is no session"


@pytest.mark.req("MAN-5")
def test_an_approval_is_spent_by_its_first_use(staff: Staff):
    desk, bound = staff.desk(), ruling_of(staff)
    token = approved(desk, "supervisor", bound)
    done(desk.redeem(token, bound, HERE), Second)
    assert code_of(desk.redeem(token, bound, HERE)) == "no_approval"


@pytest.mark.req("MAN-5")
@pytest.mark.parametrize(
    "other",
    [
        {"table": "BAC-2"},
        {"round": "BAC-1-20261130-0008"},
        {"round": None},
        {"asker": "s-0009"},
        {"command": "void_round"},
        {"proposal": fingerprint("another reason")},
        {"shown": fingerprint({**HOLD, "cards": ["9H", "KS"]})},
    ],
    ids=lambda other: next(iter(other)),
)
def test_an_approval_for_anything_else_is_stale_and_spent(staff: Staff, other):
    desk, bound = staff.desk(), ruling_of(staff)
    token = approved(desk, "supervisor", bound)
    assert code_of(desk.redeem(token, msgspec.structs.replace(bound, **other), HERE)) == "stale"
    assert code_of(desk.redeem(token, bound, HERE)) == "no_approval"


def test_an_approval_does_not_wait_long_and_ends_with_the_service(staff: Staff):
    desk, bound = staff.desk(), ruling_of(staff)
    token = approved(desk, "supervisor", bound)
    assert code_of(staff.desk().redeem(token, bound, HERE)) == "no_approval"
    staff.clock.pass_(seconds=60)
    assert code_of(desk.redeem(token, bound, HERE)) == "expired"


@pytest.mark.req("MAN-5", "DUAL-1")
@pytest.mark.parametrize(
    "who, code",
    [("dealer", "same_person"), ("other", "not_second"), ("supervisor", None), ("manager", None)],
)
def test_the_second_person_is_somebody_else_who_may(staff: Staff, who: str, code: str | None):
    answer = staff.desk().approve(BADGES[who], PIN, ruling_of(staff), HERE)
    assert isinstance(answer, Approved) if code is None else code_of(answer) == code
    kept = staff.attempts(lambda one: one.act is Act.APPROVE)
    assert kept == [answer.attempt]


@pytest.mark.req("MAN-5")
def test_nobody_approves_what_they_asked_for_themselves(staff: Staff):
    desk = staff.desk("BAC-1", "void_round")
    void = VoidRound(by=staff.supervisor, round=ROUND, reason="x")
    bound = bound_to("BAC-1", ROUND, void, HOLD)
    token = logged_in(desk, "supervisor").token
    assert code_of(desk.approve(BADGES["supervisor"], PIN, bound, HERE)) == "same_person"
    assert code_of(desk.approve_as(token, bound, HERE)) == "same_person"
    done(desk.approve(BADGES["floor"], PIN, bound, HERE), Approved)


def test_a_supervisor_in_the_pit_approves_by_the_session(staff: Staff):
    desk = staff.desk()
    token = logged_in(staff.desk("BAC-9"), "supervisor").token
    bound = ruling_of(staff)
    given_ = done(desk.approve_as(token, bound, HERE), Approved)
    assert done(desk.redeem(given_.approval.token, bound, HERE), Second).staff == staff.supervisor
    assert code_of(desk.approve_as("forged", bound, HERE)) == "no_session"


def test_an_approval_for_another_table_is_not_given_here(staff: Staff):
    bound = ruling_of(staff)
    answer = staff.desk("BAC-2").approve(BADGES["supervisor"], PIN, bound, HERE)
    assert code_of(answer) == "stale"


@pytest.mark.req("ACC-5")
def test_wrong_pins_of_approvals_lock_as_those_of_log_ins_do(staff: Staff):
    desk, bound = staff.desk(), ruling_of(staff)
    for _ in range(3):
        assert code_of(desk.approve(BADGES["supervisor"], "999111", bound, HERE)) == "wrong"
    assert code_of(desk.approve(BADGES["supervisor"], PIN, bound, HERE)) == "locked"
    assert code_of(desk.log_in(BADGES["supervisor"], PIN, HERE)) == "locked"


@pytest.mark.req("ACC-9")
@pytest.mark.parametrize("act", ["disabled", "demoted"])
def test_who_lost_account_or_role_has_approved_nothing(staff: Staff, act: str):
    desk, bound = staff.desk(), ruling_of(staff)
    token = approved(desk, "supervisor", bound)
    if act == "disabled":
        done(staff.office.disable(staff.manager, staff.supervisor, HERE), Kept)
    else:
        roles = frozenset({Role.AUDITOR})
        done(staff.office.set_roles(staff.manager, staff.supervisor, roles, HERE), Kept)
    code = "disabled" if act == "disabled" else "not_second"
    assert code_of(desk.redeem(token, bound, HERE)) == code


COMMANDS = st.one_of(
    st.builds(RuleHold, by=st.sampled_from(["s-1", "s-2"]), remedy=st.text(), reason=st.text()),
    st.builds(VoidRound, by=st.just("s-1"), round=st.text(), reason=st.text()),
    st.builds(EndShoe, by=st.just("s-1"), left=st.none() | st.integers(0, 9)),
)
PLACES = st.tuples(st.sampled_from(["BAC-1", "BAC-10"]), st.none() | st.text(max_size=3))
SHOWN = st.dictionaries(st.text(max_size=2), st.lists(st.text(max_size=2), max_size=3), max_size=3)


@given(PLACES, COMMANDS, SHOWN, PLACES, COMMANDS, SHOWN)
def test_two_bonds_are_equal_only_when_all_that_they_bind_is(
    place, command, shown, other_place, other_command, other_shown
):
    one = bound_to(*place, command, shown)
    two = bound_to(*other_place, other_command, other_shown)
    is_same = (place, command, shown) == (other_place, other_command, other_shown)
    assert (one == two) == is_same
    assert one == bound_to(*place, command, dict(reversed(shown.items())))


def test_only_so_many_approvals_wait(staff: Staff):
    approvals, bound = Approvals(), ruling_of(staff)
    desk = staff.desk()
    first = done(desk.approve(BADGES["supervisor"], PIN, bound, HERE), Approved).approval
    approvals.add(first)
    for number in range(100):
        approvals.add(msgspec.structs.replace(first, token=str(number)))
    assert approvals.take(first.token, bound, staff.clock.at) == ("no_approval", None)
    assert approvals.take("99", bound, staff.clock.at)[0] == "done"
