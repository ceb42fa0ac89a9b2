# SPDX-License-Identifier: Apache-2.0
"""Who works in the studio and where they are logged in now: what a supervisor sends people by."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from studio.staff.accounts import Account
from studio.staff.lockout import is_locked
from studio.staff.rules import StaffRules
from studio.staff.sessions import Session, fault_of


class OnRoster(msgspec.Struct, frozen=True, kw_only=True):
    """A person and their good log-ins, the oldest first."""

    account: Account
    is_locked: bool
    log_ins: tuple[Session, ...]


def roster_of(
    accounts: Sequence[Account], sessions: Sequence[Session], rules: StaffRules, at: datetime
) -> tuple[OnRoster, ...]:
    """Everybody with an account, in its order; a log-in that has run out is none."""
    return tuple(
        OnRoster(
            account=account,
            is_locked=is_locked(account, at),
            log_ins=tuple(
                one
                for one in sessions
                if one.staff == account.id and _is_good(one, account, rules, at)
            ),
        )
        for account in accounts
    )


def _is_good(session: Session, account: Account, rules: StaffRules, at: datetime) -> bool:
    """Where it was made, for that is where it is good."""
    table = session.table or session.opened_at
    return fault_of(session, account, rules, at, table, session.from_) is None
