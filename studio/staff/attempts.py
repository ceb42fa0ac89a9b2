# SPDX-License-Identifier: Apache-2.0
"""What people tried with their badges, and how they are told no.

An ``Attempt`` is kept in the staff's database and handed to the table's service for its journal
(ACC-7, AUD-8): staff ids, never a name, a badge, a secret or a token. What was typed is in none,
because a PIN typed into the wrong field would be kept for ever. Pure.
"""

from datetime import datetime
from enum import Enum

import msgspec


class Act(str, Enum):
    """What was tried."""

    LOG_IN = "log_in"
    LOG_OUT = "log_out"
    USE_SESSION = "use_session"
    COMMAND = "command"
    APPROVE = "approve"
    REDEEM = "redeem"
    CHANGE_SECRET = "change_secret"  # noqa: S105  the name of an act
    UNLOCK = "unlock"
    INIT = "init"
    LIST = "list_staff"
    ADD = "add_staff"
    ROLES = "change_roles"
    LANGUAGE = "change_language"
    DISABLE = "disable_staff"
    ENABLE = "enable_staff"
    RESET = "reset_secret"
    ISSUE_CODE = "issue_unlock_code"
    OPEN_CASE = "open_case"
    NOTE_CASE = "note_case"
    CLOSE_CASE = "close_case"
    STAND_DOWN = "stand_down"


class Attempt(msgspec.Struct, frozen=True, kw_only=True, rename={"from_": "from"}):
    """One try. ``by`` is who tried, None when the badge is nobody's; ``staff`` whom it was about.

    ``result`` is ``done`` or the code of the refusal; ``from_`` the machine or key it came from.
    """

    at: datetime
    act: Act
    by: str | None
    from_: str
    result: str
    table: str | None = None
    staff: str | None = None
    detail: str = ""


DONE = "done"

# Every "no": its code, and what the person reads.
TEXTS = {
    "wrong": "Badge or PIN is wrong.",
    "locked": "Locked after too many wrong tries. Ask for a one-time code to release it.",
    "disabled": "This account is disabled. See a manager.",
    "secret_due": "Choose a PIN or password of your own first.",
    "secret_unfit": "This PIN or password cannot be taken.",
    "secret_same": "That is the PIN or password you have. Choose another.",
    "no_session": "Nobody is logged in with this. Log in.",
    "session_ended": "This log-in has ended. Log in again.",
    "idle": "Locked after a while without input. Log in again.",
    "too_long": "This log-in is too old. Log in again.",
    "other_table": "This log-in is for another table. Log in at this one.",
    "elsewhere": "This log-in was made at another machine. Log in at this one.",
    "not_permitted": "Your role may not do this.",
    "same_person": "The second person must be somebody else.",
    "not_second": "This person's role cannot be the second one here.",
    "no_approval": "No such approval is waiting, or it was used already. Ask for it again.",
    "stale": "What was approved is not what lies on the table now. Look, and approve again.",
    "expired": "The approval is too old. Approve again.",
    "needs_second": "This needs the word of a second person: badge and PIN, for exactly this.",
    "no_supervisor": "No supervisor is on duty for this table. One must log in first.",
    "unsupervised": "No supervisor is on duty for this table. One logs in, or opens this round "
    "with the dealer by badge and PIN.",
    "no_code": "There is no one-time code for this account, or its time is over.",
    "own_account": "Nobody does this to their own account.",
    "roles_conflict": "One person cannot have these roles.",
    "unfit": "This cannot be kept.",
    "no_account": "There is no such account.",
    "badge_taken": "This badge is another account's.",
    "name_taken": "There is an account of this name. Say so if it is another person.",
    "has_manager": "There is a manager already: a manager adds the others.",
    "not_needed": "This account is so already.",
    "no_case": "There is no such case.",
    "case_closed": "This case is closed: its finding stands. Open another one.",
    "reference_taken": "There is a case of this operator with this reference.",
}


class Refused(msgspec.Struct, frozen=True):
    """A "no": ``code`` for programs, ``text`` for the person, ``attempt`` for the record."""

    code: str
    text: str
    attempt: Attempt


def refused(attempt: Attempt, text: str = "") -> Refused:
    """The refusal of an attempt whose result is its code; with a text of its own, if given."""
    return Refused(attempt.result, text or TEXTS[attempt.result], attempt)
