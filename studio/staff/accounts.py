# SPDX-License-Identifier: Apache-2.0
"""An account of the staff: what is kept of a person, and what a badge or a secret must be.

One person, one account, one badge (ACC-3); what is kept is GLI-19 2.8.9's list (ACC-8). A secret
is a PIN or a password and is known here only as its hash. Pure.
"""

import re
from datetime import datetime, timedelta
from enum import Enum

import msgspec

from studio.staff.rules import LONGEST_SECRET, StaffRules

_BADGE = re.compile(r"[A-Za-z0-9-]{1,32}")
_LONGEST_NAME = 80
# Runs that a person types when made to choose a PIN, in both directions.
_RUNS = ("01234567890123456789", "98765432109876543210")


class Role(str, Enum):
    """What a person is employed as."""

    DEALER = "dealer"
    SUPERVISOR = "supervisor"
    MANAGER = "manager"
    AUDITOR = "auditor"


class Account(msgspec.Struct, frozen=True, kw_only=True):
    """One member of the staff. Elsewhere than in the staff's database, ``id`` stands for them.

    ``secret`` is an argon2id hash; ``is_provisional`` says that somebody else set it, so that it
    is good for nothing but choosing one's own. ``wrong_tries`` counts those since the last right
    one, at all tables. ``locked_until`` is in the future while the account is locked. A disabled
    account stays: the record names it for ever. ``language`` is that of the prompts that the person
    reads, empty for the console's own.
    """

    id: str
    name: str
    screen_name: str
    roles: frozenset[Role]
    badge: str
    secret: str
    secret_changed: datetime
    created: datetime
    created_by: str
    title: str = ""
    language: str = ""
    is_provisional: bool = True
    last_access: datetime | None = None
    last_access_from: str | None = None
    disabled: datetime | None = None
    disabled_by: str | None = None
    wrong_tries: int = 0
    locked_until: datetime | None = None

    def __repr__(self) -> str:
        """Its id alone: names and hashes stay out of logs."""
        return f"Account({self.id})"


def id_of(number: int) -> str:
    """The id of the studio's n-th account, from 1: ``s-0001``."""
    return f"s-{number:04d}"


def roles_text(roles: frozenset[Role]) -> str:
    """The roles in their order, with commas."""
    return ", ".join(role.value for role in Role if role in roles)


def is_secret_due(account: Account, rules: StaffRules, at: datetime) -> bool:
    """Whether the person must choose a new secret before anything else (ACC-6)."""
    too_old = at - account.secret_changed >= timedelta(days=rules.secret_days)
    return account.is_provisional or too_old


def badge_fault(badge: str) -> str:
    """What is wrong with a badge number, or nothing."""
    if _BADGE.fullmatch(badge):
        return ""
    return "a badge number is 1 to 32 letters, digits and hyphens"


def name_fault(name: str) -> str:
    """What is wrong with a name to be shown, or nothing."""
    if not name.strip() or len(name) > _LONGEST_NAME or not name.isprintable():
        return f"a name is 1 to {_LONGEST_NAME} printable characters"
    return ""


def secret_fault(secret: str, badge: str, rules: StaffRules) -> str:
    """What is wrong with a PIN or a password, or nothing. The text never repeats it (ACC-6)."""
    if not secret.isprintable() or secret != secret.strip():
        return "a PIN or password has no control characters and no blanks at its ends"
    if len(secret) > LONGEST_SECRET:
        return f"a PIN or password has at most {LONGEST_SECRET} characters"
    if secret.isascii() and secret.isdigit():
        return _pin_fault(secret, badge, rules)
    if len(secret) < rules.password_characters:
        return (
            f"a PIN has at least {rules.pin_digits} digits, a password at least "
            f"{rules.password_characters} characters"
        )
    if len(set(secret)) < rules.password_characters // 2 or secret.lower() == badge.lower():
        return "this password is too easy to guess"
    return ""


def _pin_fault(pin: str, badge: str, rules: StaffRules) -> str:
    if len(pin) < rules.pin_digits:
        return f"a PIN has at least {rules.pin_digits} digits"
    is_run = any(pin in run for run in _RUNS)
    if is_run or len(set(pin)) < 3 or pin == badge:
        return "this PIN is too easy to guess: no run, no two digits only, not the badge number"
    return ""
