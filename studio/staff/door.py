# SPDX-License-Identifier: Apache-2.0
"""Badge and secret, checked and counted: the one way in for log-ins, approvals and the office.

The check itself takes as long for an unknown badge as for a wrong PIN and runs outside of any
transaction; what it does to the account is decided inside one, on the account as it is then. So
guesses made at many tables at once are counted one by one, and three wrong ones lock even if the
fourth, under way meanwhile, is right.
"""

from collections.abc import Callable
from datetime import UTC, datetime

import msgspec

from studio.staff.accounts import Account, badge_fault, is_secret_due, secret_fault
from studio.staff.attempts import DONE, Act, Attempt, Refused, refused
from studio.staff.book import Book, Page, UnlockCode
from studio.staff.hashing import Hashing, code_as_typed
from studio.staff.lockout import after_right, after_wrong, is_locked, released
from studio.staff.rules import LONGEST_SECRET, STANDARD, StaffRules

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """The wall clock."""
    return datetime.now(UTC)


class Identified(msgspec.Struct, frozen=True):
    """Who stands at the door, and the attempt for the record."""

    account: Account
    attempt: Attempt


class Door:
    """Checks badges and secrets. Any thread may use it, but the table's, which it would hold up.

    What the book cannot do (``StoreFailed``) is raised: nobody gets in then.
    """

    def __init__(
        self,
        book: Book,
        rules: StaffRules = STANDARD,
        *,
        hashing: Hashing | None = None,
        now: Clock = utc_now,
    ) -> None:
        self.book = book
        self.rules = rules
        self.hashing = Hashing() if hashing is None else hashing
        self.now = now

    def identify(
        self, badge: str, secret: str, act: Act, from_: str, *, table: str | None = None
    ) -> Identified | Refused:
        """Who has this badge and this secret; one whose secret is due for a change is refused.

        A refusal is kept here, and so is a log-in. What else it is for has an end of its own: the
        caller keeps that.
        """
        before = self._with_badge(badge)
        attempt = self._attempt(before, act, from_, table)
        if before is not None and is_locked(before, attempt.at):
            return self.refuse(attempt, "locked")
        is_right = self._is_right(before, secret)
        fresh = self.hashing.of(secret) if is_right and self._is_outdated(before) else None
        return self._counted(before, attempt, is_right, fresh, may_be_due=act is Act.CHANGE_SECRET)

    def change_secret(
        self, badge: str, old: str, new: str, from_: str, *, table: str | None = None
    ) -> Identified | Refused:
        """Choose a secret of one's own. All sessions of the account end."""
        who = self.identify(badge, old, Act.CHANGE_SECRET, from_, table=table)
        if isinstance(who, Refused):
            return who
        attempt = msgspec.structs.replace(who.attempt, detail="chosen")
        fault = secret_fault(new, who.account.badge, self.rules)
        if fault:
            return self.refuse(attempt, "secret_unfit", f"Choose another: {fault}.")
        if new == old:
            return self.refuse(attempt, "secret_same")
        kept = self.hashing.of(new)
        with self.book.writing() as page:
            account = page.account(who.account.id)
            if account is None or account.secret != who.account.secret:
                return self._noted(page, attempt, "wrong")
            changed = msgspec.structs.replace(
                account, secret=kept, secret_changed=attempt.at, is_provisional=False
            )
            page.put(changed)
            page.end_sessions_of(account.id, attempt.at)
            page.note(attempt)
        return Identified(changed, attempt)

    def unlock(
        self, badge: str, code: str, from_: str, *, table: str | None = None
    ) -> Identified | Refused:
        """Release a locked account with a manager's one-time code; the secret stays as it was."""
        before = self._with_badge(badge)
        attempt = self._attempt(before, Act.UNLOCK, from_, table)
        with self.book.reading() as page:
            kept = None if before is None else page.code_for(before.id)
        is_right = self.hashing.is_right(_hash_in(kept), code_as_typed(code))
        with self.book.writing() as page:
            account = None if before is None else page.account(before.id)
            now = None if account is None else page.code_for(account.id)
            if account is None or now is None or attempt.at >= now.expires:
                return self._noted(page, attempt, "no_code")
            if not is_right or now.secret != _hash_in(kept):
                if now.wrong_tries + 1 >= self.rules.wrong_tries:
                    page.drop_code(account.id)
                else:
                    again = msgspec.structs.replace(now, wrong_tries=now.wrong_tries + 1)
                    page.put_code(again)
                return self._noted(page, attempt, "wrong")
            page.drop_code(account.id)
            page.put(released(account))
            done = msgspec.structs.replace(attempt, detail=f"code of {now.issued_by}")
            page.note(done)
        return Identified(released(account), done)

    def note(self, attempt: Attempt) -> None:
        """Keep an attempt that came to something."""
        with self.book.writing() as page:
            page.note(attempt)

    def refuse(self, attempt: Attempt, code: str, text: str = "") -> Refused:
        """Keep the attempt as refused, and say so."""
        with self.book.writing() as page:
            return self._noted(page, attempt, code, text)

    def _counted(
        self,
        before: Account | None,
        attempt: Attempt,
        is_right: bool,
        fresh: str | None,
        *,
        may_be_due: bool,
    ) -> Identified | Refused:
        """What the check makes of the account, decided on the account as it is now."""
        with self.book.writing() as page:
            account = None if before is None else page.account(before.id)
            if account is None or before is None:
                return self._noted(page, attempt, "wrong")
            if is_locked(account, attempt.at):
                return self._noted(page, attempt, "locked")
            if not is_right or account.secret != before.secret:
                page.put(after_wrong(account, self.rules, attempt.at))
                return self._noted(page, attempt, "wrong")
            if account.disabled is not None:
                return self._noted(page, attempt, "disabled")
            account = after_right(account, attempt.at, attempt.from_)
            if fresh is not None:
                account = msgspec.structs.replace(account, secret=fresh)
            page.put(account)
            if is_secret_due(account, self.rules, attempt.at) and not may_be_due:
                return self._noted(page, attempt, "secret_due")
            if attempt.act is Act.LOG_IN:
                page.note(attempt)
        return Identified(account, attempt)

    def _noted(self, page: Page, attempt: Attempt, code: str, text: str = "") -> Refused:
        said = msgspec.structs.replace(attempt, result=code)
        page.note(said)
        return refused(said, text)

    def _attempt(self, account: Account | None, act: Act, from_: str, table: str | None) -> Attempt:
        by = None if account is None else account.id
        return Attempt(at=self.now(), act=act, by=by, from_=from_, result=DONE, table=table)

    def _with_badge(self, badge: str) -> Account | None:
        if badge_fault(badge):
            return None
        with self.book.reading() as page:
            return page.with_badge(badge)

    def _is_right(self, account: Account | None, secret: str) -> bool:
        kept = None if account is None else account.secret
        return self.hashing.is_right(kept, secret[: LONGEST_SECRET + 1])

    def _is_outdated(self, account: Account | None) -> bool:
        return account is not None and self.hashing.is_outdated(account.secret)


def _hash_in(code: UnlockCode | None) -> str | None:
    return None if code is None else code.secret
