# SPDX-License-Identifier: Apache-2.0
"""What right and wrong tries do to an account: three wrong ones lock it (ACC-5).

The count lies with the account in the staff's one database, so that it holds at all tables and
through every restart. Log-ins, approvals and one-time codes count alike. Pure.
"""

from datetime import UTC, datetime, timedelta

import msgspec

from studio.staff.accounts import Account
from studio.staff.rules import StaffRules

UNTIL_RELEASED = datetime(9999, 12, 31, tzinfo=UTC)


def is_locked(account: Account, at: datetime) -> bool:
    """Whether tries are refused unread."""
    return account.locked_until is not None and at < account.locked_until


def after_wrong(account: Account, rules: StaffRules, at: datetime) -> Account:
    """The account after a wrong try; a locked one stays as it is."""
    if is_locked(account, at):
        return account
    # a lock that ran out was the answer to the tries before it
    before = 0 if account.locked_until is not None else account.wrong_tries
    tries = before + 1
    until = None
    if tries >= rules.wrong_tries:
        minutes = rules.lock_minutes
        until = UNTIL_RELEASED if minutes is None else at + timedelta(minutes=minutes)
    return msgspec.structs.replace(account, wrong_tries=tries, locked_until=until)


def after_right(account: Account, at: datetime, from_: str) -> Account:
    """The account after a right try, from there."""
    seen = msgspec.structs.replace(account, last_access=at, last_access_from=from_)
    return released(seen)


def released(account: Account) -> Account:
    """The account without lock and count."""
    return msgspec.structs.replace(account, wrong_tries=0, locked_until=None)
