# SPDX-License-Identifier: Apache-2.0
"""The permission table, cell by cell, and which roles one person can have."""

import typing
from datetime import UTC, datetime

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.game.inputs import Command, EndShoe
from studio.staff.accounts import Role
from studio.staff.attempts import Act
from studio.staff.duties import DUTIES, conflict_in, duties_of, role_sets
from studio.staff.permissions import (
    OFFICE,
    PERMISSIONS,
    Grant,
    grant_for,
    grant_of,
    may_be_second,
    second_person_faults,
    tag_of,
)

COMMANDS = {str(one.__struct_config__.tag): one for one in typing.get_args(Command)}
ALL_ROLE_SETS = list(role_sets())
ALLOWED_ROLE_SETS = [roles for roles in ALL_ROLE_SETS if not conflict_in(roles)]


def sample_of(kind: typing.Any) -> typing.Any:
    """Any value of a member's type."""
    samples = {str: "x", int: 1, bool: True, float: 1.0}
    options = typing.get_args(kind) or (kind,)
    if type(None) in options:
        return None
    if kind in samples:
        return samples[kind]
    if kind is datetime:
        return datetime.now(UTC)
    if typing.get_origin(kind) is tuple:
        return ()
    return next(iter(kind)) if hasattr(kind, "__members__") else options[0]


def command_of(tag: str, **members: object) -> Command:
    """The least command of that name."""
    kind = COMMANDS[tag]
    given = {
        field.name: sample_of(field.type)
        for field in msgspec.structs.fields(kind)
        if field.required
    }
    command: Command = kind(**{**given, "by": "s-0001", **members})
    return command


def test_every_command_has_its_row_and_no_row_is_for_nothing():
    assert COMMANDS.keys() - PERMISSIONS.keys() == set(), "add a row to PERMISSIONS"
    assert PERMISSIONS.keys() - COMMANDS.keys() == set(), "a row for nothing"
    acts_of_the_office = {act.value for act in Act} & OFFICE.keys()
    assert acts_of_the_office == OFFICE.keys()


@pytest.mark.req("ACC-1")
@pytest.mark.parametrize("tag", [*PERMISSIONS, *OFFICE])
def test_no_cell_is_empty(tag):
    row = {**PERMISSIONS, **OFFICE}[tag]
    assert set(row.grants) == set(Role)
    assert all(isinstance(grant, Grant) for grant in row.grants.values())
    assert any(grant is not Grant.NO for grant in row.grants.values()), "nobody may"
    if Grant.PAIR in row.grants.values():
        assert row.second, "a second person is needed and nobody can be it"


@pytest.mark.req("ACC-1")
@pytest.mark.parametrize("roles", ALL_ROLE_SETS, ids=lambda roles: "+".join(sorted(roles)) or "-")
def test_a_person_may_the_most_that_one_of_their_roles_may(roles):
    order = [Grant.NO, Grant.PAIR, Grant.ALONE]
    for tag in COMMANDS:
        best = max((order.index(PERMISSIONS[tag].grants[role]) for role in roles), default=0)
        assert grant_of(PERMISSIONS[tag], roles) is order[best]
        assert grant_for(command_of(tag), roles) in (order[best], Grant.PAIR)


def test_an_auditor_gives_no_command_and_is_nobodys_second():
    for tag, row in PERMISSIONS.items():
        assert row.grants[Role.AUDITOR] is Grant.NO
        assert not may_be_second(tag, {Role.AUDITOR})


def test_a_dealer_is_nobodys_second():
    assert not any(may_be_second(tag, {Role.DEALER}) for tag in PERMISSIONS)


@pytest.mark.req("MAN-4", "VOID-2")
@pytest.mark.parametrize(
    "tag",
    [
        *("enter_card", "correct_card", "strike_card", "correct_burn"),
        *("deal_card", "record_card", "set_manual_mode"),
        *("rule_hold", "void_round", "amend_round", "load_shoe", "burn_cards"),
    ],
)
def test_no_dealer_alone_touches_a_result_or_a_new_shoe(tag):
    assert PERMISSIONS[tag].grants[Role.DEALER] is not Grant.ALONE


@pytest.mark.req("MAN-5")
@pytest.mark.parametrize(
    "tag",
    [
        *("enter_card", "correct_card", "strike_card", "correct_burn"),
        *("deal_card", "record_card", "set_manual_mode", "amend_round"),
    ],
)
def test_work_by_hand_and_amendments_take_two_whoever_does_them(tag):
    assert Grant.ALONE not in PERMISSIONS[tag].grants.values()


def test_a_house_may_ask_for_a_second_person_and_never_for_fewer():
    void = command_of("void_round")
    assert grant_for(void, {Role.SUPERVISOR}) is Grant.ALONE
    assert grant_for(void, {Role.SUPERVISOR}, {"void_round"}) is Grant.PAIR
    assert grant_for(void, {Role.AUDITOR}, {"void_round"}) is Grant.NO
    assert grant_for(command_of("load_shoe"), {Role.DEALER}, ()) is Grant.PAIR


def test_a_round_of_before_takes_two_and_so_does_a_shoe_that_does_not_count():
    assert grant_for(command_of("void_round"), {Role.MANAGER}, is_late=True) is Grant.PAIR
    whole, short = EndShoe(by="s-1"), EndShoe(by="s-1", accept_mismatch=True, reason="x")
    assert grant_for(whole, {Role.DEALER}) is Grant.ALONE
    assert grant_for(short, {Role.DEALER}) is Grant.PAIR


def test_what_stops_play_never_waits_for_a_second_person():
    for tag in ("suspend_table", "close_bets"):
        command = command_of(tag)
        assert grant_for(command, {Role.DEALER}, {tag}) is Grant.ALONE
    faults = second_person_faults(["close_bets", "close_bats", "rule_hold"])
    assert [fault.partition(";")[0] for fault in faults] == [
        'second_person: "close_bets" must never wait',
        'second_person: "close_bats" is no command or remedy',
    ]
    assert second_person_faults(["rule_hold", "void_round", "void", "reconstruct"]) == []


@pytest.mark.req("DUAL-1")
@pytest.mark.parametrize("roles", ALL_ROLE_SETS, ids=lambda roles: "+".join(sorted(roles)) or "-")
def test_no_role_set_lets_one_person_load_deal_override_and_void(roles):
    has_all = set(duties_of(roles)) == set(DUTIES)
    if has_all:
        assert conflict_in(roles)
    if not conflict_in(roles):
        assert duties_of(roles) != tuple(DUTIES)


@pytest.mark.req("DUAL-1")
def test_the_roles_that_one_person_can_have_are_these():
    assert {tuple(sorted(roles)) for roles in ALLOWED_ROLE_SETS} == {
        ("dealer",),
        ("supervisor",),
        ("manager",),
        ("auditor",),
        ("manager", "supervisor"),
    }


@pytest.mark.req("DUAL-1")
@given(st.sampled_from(ALLOWED_ROLE_SETS), st.sets(st.sampled_from(sorted(PERMISSIONS))))
def test_whatever_a_house_asks_nobody_gains_by_it(roles, house_asks):
    for tag in COMMANDS:
        command = command_of(tag)
        plain, asked = grant_for(command, roles), grant_for(command, roles, house_asks)
        assert asked is plain or (plain, asked) == (Grant.ALONE, Grant.PAIR)
        assert tag_of(command) == tag
