# SPDX-License-Identifier: Apache-2.0
"""Which roles one person can have: nobody can do everything (DUAL-1).

A duty is *in one person's hands* when they may do it alone, or when they could stand on both
sides of it: ask for it by one role and be the second person by another. Nobody may have all of
loading, dealing, overriding and voiding in their hands, and who reviews the work takes no part in
it (GLI-19 C.6.8(i)). Pure; the answer follows from the permissions and cannot drift from them.
"""

from collections.abc import Iterator
from itertools import combinations

from studio.staff.accounts import Role, roles_text
from studio.staff.permissions import PERMISSIONS, Grant, grant_of

DUTIES: dict[str, tuple[str, ...]] = {
    "load the shoe": ("load_shoe", "change_shoe"),
    "deal": ("open_bets", "close_bets", "confirm_result"),
    "override": (
        *("enter_card", "correct_card", "strike_card", "correct_burn"),
        *("deal_card", "record_card", "set_manual_mode"),
        *("rule_hold", "amend_round"),
    ),
    "void": ("void_round",),
}


def duties_of(roles: frozenset[Role]) -> tuple[str, ...]:
    """The duties that lie in the hands of one person with these roles."""
    return tuple(
        duty for duty, tags in DUTIES.items() if any(_is_in_hand(tag, roles) for tag in tags)
    )


def _is_in_hand(tag: str, roles: frozenset[Role]) -> bool:
    row = PERMISSIONS[tag]
    grant = grant_of(row, roles)
    return grant is Grant.ALONE or (grant is Grant.PAIR and not row.second.isdisjoint(roles))


def conflict_in(roles: frozenset[Role]) -> str:
    """Why one person cannot have these roles, or nothing."""
    if not roles:
        return "an account needs a role: " + ", ".join(role.value for role in Role)
    if Role.AUDITOR in roles and len(roles) > 1:
        return f"{roles_text(roles)}: an auditor reviews the work and has no other role"
    if duties_of(roles) == tuple(DUTIES):
        return f"{roles_text(roles)}: one person could {', '.join(DUTIES)}; leave a role out"
    return ""


def role_sets() -> Iterator[frozenset[Role]]:
    """Every set of roles, allowed or not."""
    for size in range(len(Role) + 1):
        for chosen in combinations(Role, size):
            yield frozenset(chosen)
