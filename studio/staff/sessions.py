# SPDX-License-Identifier: Apache-2.0
"""A log-in that lasts: what is kept of it, and when it is good no more. Pure.

The token is 256 random bits that only the asker's memory holds; kept is its SHA-256. Sessions lie
in the staff's one database, because one log-in of a supervisor serves a whole pit; each ends with
the service of the table where it was made, so that a token never outlives a restart (ACC-10).
"""

from datetime import datetime, timedelta
from hashlib import sha256

import msgspec

from studio.staff.accounts import Account, Role
from studio.staff.rules import StaffRules

# How far a clock may be set back before sessions are refused rather than prolonged.
_TOLERANCE = timedelta(seconds=60)


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """A log-in. ``table`` is the one it is for, None for all; ``opened_at`` where it was made.

    ``seen`` is the last command. ``roles``, ``screen_name`` and ``language`` are those that the
    account has now.
    """

    token_hash: bytes
    staff: str
    table: str | None
    opened_at: str
    opened: datetime
    seen: datetime
    from_: str
    ended: datetime | None = None
    roles: frozenset[Role] = frozenset()
    screen_name: str = ""
    language: str = ""


def hash_of(token: str) -> bytes:
    """What is kept of a token: 32 bytes. A token is random enough to need no salt."""
    return sha256(token.encode()).digest()


def scope_of(roles: frozenset[Role], table: str) -> str | None:
    """The table that a log-in there is for: a dealer's for this one, others' for all (None)."""
    return table if Role.DEALER in roles else None


def fault_of(
    session: Session, account: Account, rules: StaffRules, at: datetime, table: str, from_: str
) -> str | None:
    """Why a session is not good at this table and time, as a refusal's code; None if it is."""
    if account.disabled is not None:
        return "disabled"
    if session.ended is not None:
        return "session_ended"
    if session.from_ != from_:
        return "elsewhere"
    if session.table is not None and session.table != table:
        return "other_table"
    if not _is_between(session.seen, at, timedelta(seconds=rules.idle_seconds)):
        return "idle"
    if not _is_between(session.opened, at, timedelta(hours=rules.session_hours)):
        return "too_long"
    return None


def _is_between(start: datetime, at: datetime, length: timedelta) -> bool:
    return start - _TOLERANCE <= at < start + length
