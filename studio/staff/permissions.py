# SPDX-License-Identifier: Apache-2.0
"""Who may give which command, alone or with a second person: one literal table. Pure.

The phase of the table is no part of it: whoever may give a command gets the table's own refusal
when it is not the time. A house may ask for a second person where the table says ``ALONE`` and
names who it can be; it can never do without one where the table says ``PAIR``. Bets are opened by
two where no supervisor is on duty, if the house pauses then.

Sources: GLI-19 C.6.5(c), C.6.8(i), 2.9.5(c), B.3.2; N.J.A.C. 13:69E-1.18A(b) for shoes.
"""

from collections.abc import Collection, Iterable
from enum import Enum

import msgspec

from studio.game.inputs import ChangeShoe, Command, EndShoe, RuleHold, VoidRound
from studio.game.irregularities import Remedy
from studio.staff.accounts import Role


class Grant(str, Enum):
    """What a role may: not at all, alone, or with a second person only."""

    NO = "no"
    ALONE = "alone"
    PAIR = "pair"


class Permission(msgspec.Struct, frozen=True):
    """One row: what each role may, and which roles the second person can have."""

    grants: dict[Role, Grant]
    second: frozenset[Role] = frozenset()


_NO, _ALONE, _PAIR = Grant.NO, Grant.ALONE, Grant.PAIR
_FLOOR = frozenset({Role.SUPERVISOR, Role.MANAGER})
_NOBODY: frozenset[Role] = frozenset()


def _row(
    dealer: Grant, supervisor: Grant, manager: Grant, auditor: Grant, second: frozenset[Role]
) -> Permission:
    return Permission(dict(zip(Role, (dealer, supervisor, manager, auditor), strict=True)), second)


# fmt: off
PERMISSIONS: dict[str, Permission] = {
    #                           dealer  superv. manager auditor second person
    # the table
    "open_table":          _row(_PAIR,  _ALONE, _ALONE, _NO,    _FLOOR),
    "close_table":         _row(_PAIR,  _ALONE, _ALONE, _NO,    _FLOOR),
    "suspend_table":       _row(_ALONE, _ALONE, _ALONE, _NO,    _NOBODY),
    "resume_table":        _row(_PAIR,  _ALONE, _ALONE, _NO,    _FLOOR),
    "change_dealer":       _row(_ALONE, _ALONE, _ALONE, _NO,    _FLOOR),
    # the shoe
    "load_shoe":           _row(_PAIR,  _NO,    _NO,    _NO,    _FLOOR),
    "end_shoe":            _row(_ALONE, _NO,    _NO,    _NO,    _FLOOR),
    "change_shoe":         _row(_PAIR,  _NO,    _NO,    _NO,    _FLOOR),
    "change_reader":       _row(_PAIR,  _ALONE, _ALONE, _NO,    _FLOOR),
    "trust_stream":        _row(_PAIR,  _ALONE, _ALONE, _NO,    _FLOOR),
    # the deal
    "open_bets":           _row(_ALONE, _NO,    _NO,    _NO,    _FLOOR),
    "close_bets":          _row(_ALONE, _NO,    _NO,    _NO,    _NOBODY),
    "confirm_result":      _row(_ALONE, _NO,    _NO,    _NO,    _NOBODY),
    "close_round":         _row(_ALONE, _NO,    _NO,    _NO,    _NOBODY),
    "open_free_coup":      _row(_ALONE, _NO,    _NO,    _NO,    _FLOOR),
    "cancel_free_coup":    _row(_ALONE, _NO,    _NO,    _NO,    _NOBODY),
    "burn_cards":          _row(_PAIR,  _NO,    _NO,    _NO,    _FLOOR),
    # what only eyes can see, and what the dealer says aloud: it stops play, so it never waits
    "note_card":           _row(_ALONE, _ALONE, _ALONE, _NO,    _NOBODY),
    "call_result":         _row(_ALONE, _ALONE, _ALONE, _NO,    _NOBODY),
    "note_cut_card":       _row(_ALONE, _ALONE, _ALONE, _NO,    _NOBODY),
    "note_shoe_empty":     _row(_ALONE, _ALONE, _ALONE, _NO,    _NOBODY),
    "report_irregularity": _row(_ALONE, _ALONE, _ALONE, _NO,    _NOBODY),
    # a supervisor is asked to come, and has come
    "call_supervisor":     _row(_ALONE, _ALONE, _ALONE, _NO,    _NOBODY),
    "answer_call":         _row(_ALONE, _ALONE, _ALONE, _NO,    _NOBODY),
    # a person of the pit rules on what is held, or does not after all
    "claim_hold":          _row(_NO,    _ALONE, _ALONE, _NO,    _NOBODY),
    "release_hold":        _row(_NO,    _ALONE, _ALONE, _NO,    _NOBODY),
    # rulings and work by hand
    "withdraw_report":     _row(_PAIR,  _ALONE, _ALONE, _NO,    _FLOOR),
    "enter_card":          _row(_PAIR,  _PAIR,  _PAIR,  _NO,    _FLOOR),
    "correct_card":        _row(_PAIR,  _PAIR,  _PAIR,  _NO,    _FLOOR),
    "strike_card":         _row(_PAIR,  _PAIR,  _PAIR,  _NO,    _FLOOR),
    "correct_burn":        _row(_PAIR,  _PAIR,  _PAIR,  _NO,    _FLOOR),
    "deal_card":           _row(_PAIR,  _PAIR,  _PAIR,  _NO,    _FLOOR),
    "record_card":         _row(_PAIR,  _PAIR,  _PAIR,  _NO,    _FLOOR),
    "set_manual_mode":     _row(_PAIR,   _PAIR,  _PAIR,  _NO,    _FLOOR),
    "rule_hold":           _row(_PAIR,  _ALONE, _ALONE, _NO,    _FLOOR),
    "void_round":          _row(_PAIR,  _ALONE, _ALONE, _NO,    _FLOOR),
    "amend_round":         _row(_NO,    _PAIR,  _PAIR,  _NO,    _FLOOR),
    # software and settings
    "check_software":      _row(_ALONE, _ALONE, _ALONE, _NO,    _NOBODY),
    "approve_software":    _row(_NO,    _PAIR,  _PAIR,  _NO,    _FLOOR),
    "apply_settings":      _row(_NO,    _PAIR,  _PAIR,  _NO,    _FLOOR),
}

# What is done to the accounts themselves, by the command line or a window of the pit.
OFFICE: dict[str, Permission] = {
    #                           dealer  superv. manager auditor second person
    "list_staff":          _row(_NO,    _ALONE, _ALONE, _ALONE, _NOBODY),
    "add_staff":           _row(_NO,    _NO,    _ALONE, _NO,    _NOBODY),
    "change_roles":        _row(_NO,    _NO,    _ALONE, _NO,    _NOBODY),
    "change_language":     _row(_NO,    _ALONE, _ALONE, _NO,    _NOBODY),
    "disable_staff":       _row(_NO,    _NO,    _ALONE, _NO,    _NOBODY),
    "enable_staff":        _row(_NO,    _NO,    _ALONE, _NO,    _NOBODY),
    "reset_secret":        _row(_NO,    _NO,    _ALONE, _NO,    _NOBODY),
    "issue_unlock_code":   _row(_NO,    _ALONE, _ALONE, _NO,    _NOBODY),
    # what operators dispute, once a round can no longer be amended
    "open_case":           _row(_NO,    _ALONE, _ALONE, _NO,    _NOBODY),
    "note_case":           _row(_NO,    _ALONE, _ALONE, _NO,    _NOBODY),
    "close_case":          _row(_NO,    _NO,    _ALONE, _NO,    _NOBODY),
    "stand_down":          _row(_NO,    _ALONE, _ALONE, _NO,    _NOBODY),
}
# fmt: on

# The refusals of a command that came without its second person.
TAKES_TWO = ("needs_second", "unsupervised")

_REMEDIES = tuple(remedy.value for remedy in Remedy)


def tag_of(command: Command) -> str:
    """The name of a command, as on the wire."""
    return str(type(command).__struct_config__.tag)


def grant_of(row: Permission, roles: Iterable[Role]) -> Grant:
    """The most that one of the roles may."""
    grants = {row.grants[role] for role in roles}
    return next((grant for grant in (_ALONE, _PAIR) if grant in grants), _NO)


def grant_for(
    command: Command,
    roles: Iterable[Role],
    house_asks: Collection[str] = (),
    *,
    is_late: bool = False,
) -> Grant:
    """What a person with these roles may with this very command.

    ``house_asks`` names the commands and remedies for which the house wants a second person.
    ``is_late``: it changes a round whose result was confirmed, which takes two always. So does the
    end of a shoe whose count does not make the decks.
    """
    tag = tag_of(command)
    row = PERMISSIONS[tag]
    grant = grant_of(row, roles)
    has_mismatch = isinstance(command, EndShoe | ChangeShoe) and command.accept_mismatch
    is_asked = tag in house_asks or _remedy_of(command) in house_asks
    if grant is _ALONE and row.second and (is_asked or has_mismatch or is_late):
        return _PAIR
    return grant


def _remedy_of(command: Command) -> str | None:
    """The remedy that a command rules, by the name that a house gives it."""
    if isinstance(command, VoidRound):
        return Remedy.VOID.value
    return command.remedy if isinstance(command, RuleHold) else None


def is_supervising(roles: Iterable[Role]) -> bool:
    """Whether a person with these roles answers a table's call for the supervisor."""
    return not _FLOOR.isdisjoint(roles)


def may_be_second(tag: str, roles: Iterable[Role]) -> bool:
    """Whether a person with these roles can be the second one for that command."""
    return not PERMISSIONS[tag].second.isdisjoint(roles)


def second_person_faults(house_asks: Iterable[str]) -> list[str]:
    """What is wrong with a house's list of commands and remedies that shall take two."""
    faults = []
    for tag in house_asks:
        if tag in _REMEDIES:
            continue
        if tag not in PERMISSIONS:
            faults.append(f'second_person: "{tag}" is no command or remedy; {_those_that_can()}')
        elif not PERMISSIONS[tag].second:
            faults.append(f'second_person: "{tag}" must never wait; {_those_that_can()}')
    return faults


def _those_that_can() -> str:
    tags = (tag for tag, row in PERMISSIONS.items() if row.second)
    return "choose from " + ", ".join([*tags, *_REMEDIES])
