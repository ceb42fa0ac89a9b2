# SPDX-License-Identifier: Apache-2.0
"""The accounts' own administration: the first manager, and what a manager does afterwards.

Every act names who does it, an id from ``Door.identify`` of this moment or from a session; role
and standing are looked up again in the transaction that changes anything, and the act is kept in
it. Nobody does anything to their own account but to its language, and the last manager cannot be
lost by it.
"""

import re
from collections.abc import Callable, Sequence
from datetime import timedelta

import msgspec

from studio.staff.accounts import (
    Account,
    Role,
    badge_fault,
    id_of,
    name_fault,
    roles_text,
    secret_fault,
)
from studio.staff.attempts import DONE, Act, Attempt, Refused, refused
from studio.staff.book import Page, UnlockCode
from studio.staff.door import Door
from studio.staff.duties import conflict_in
from studio.staff.hashing import new_code
from studio.staff.lockout import is_locked, released
from studio.staff.permissions import OFFICE, Grant, grant_of
from studio.staff.roster import OnRoster, roster_of

_LANGUAGE = re.compile(r"[a-z]{2}")


class NewAccount(msgspec.Struct, frozen=True, kw_only=True):
    """What is said of a new person. ``is_another``: although there is one of this name."""

    name: str
    screen_name: str
    roles: frozenset[Role]
    badge: str
    title: str = ""
    language: str = ""
    is_another: bool = False


class Kept(msgspec.Struct, frozen=True):
    """An account as it is after an act, and the attempt for the record."""

    account: Account
    attempt: Attempt


class CodeIssued(msgspec.Struct, frozen=True):
    """A one-time code, told this once, and the attempt for the record."""

    code: str
    attempt: Attempt

    def __repr__(self) -> str:
        """Without the code, which must be in no log."""
        return f"CodeIssued({self.attempt.staff})"


_Change = Callable[[Page, Account, Attempt], Account | str]


class Office:
    """Changes accounts. Any thread may use it; each act is one transaction."""

    def __init__(self, door: Door) -> None:
        self._door = door

    def begin(self, new: NewAccount, secret: str, from_: str) -> Kept | Refused:
        """Make the first manager; refused while there is one who could log in.

        Whoever calls this has made sure that a person sits at a terminal of this machine.
        """
        attempt = self._attempt(Act.INIT, None, from_)
        manager = msgspec.structs.replace(new, roles=frozenset({Role.MANAGER}))
        kept = self._prepared(manager, secret, attempt)
        if isinstance(kept, Refused):
            return kept
        with self._door.book.writing() as page:
            if _usable_managers(page, attempt):
                return noted(page, attempt, "has_manager")
            return self._added(page, manager, kept, attempt, is_provisional=False)

    def add(self, by: str, new: NewAccount, secret: str, from_: str) -> Kept | Refused:
        """Make an account. The secret is provisional: its person chooses another at first."""
        attempt = self._attempt(Act.ADD, by, from_)
        kept = self._prepared(new, secret, attempt)
        if isinstance(kept, Refused):
            return kept
        with self._door.book.writing() as page:
            if not may_do(page, by, Act.ADD):
                return noted(page, attempt, "not_permitted")
            return self._added(page, new, kept, attempt, is_provisional=True)

    def accounts(self, by: str, from_: str) -> Sequence[Account] | Refused:
        """All accounts, for those who may see them; looking is kept too (AUD-2)."""
        attempt = self._attempt(Act.LIST, by, from_)
        with self._door.book.writing() as page:
            if not may_do(page, by, Act.LIST):
                return noted(page, attempt, "not_permitted")
            page.note(attempt)
            return page.accounts()

    def disable(self, by: str, staff: str, from_: str) -> Kept | Refused:
        """Bar somebody from everything at once: all sessions end (ACC-9)."""

        def change(page: Page, account: Account, attempt: Attempt) -> Account | str:
            if account.disabled is not None:
                return "not_needed"
            page.drop_code(account.id)
            return msgspec.structs.replace(account, disabled=attempt.at, disabled_by=by)

        return self._change(Act.DISABLE, by, staff, from_, change)

    def enable(self, by: str, staff: str, secret: str, from_: str) -> Kept | Refused:
        """Let somebody in again, with a provisional secret."""

        def change(_page: Page, account: Account, _attempt: Attempt) -> Account | str:
            if account.disabled is None:
                return "not_needed"
            return msgspec.structs.replace(account, disabled=None, disabled_by=None)

        return self._change(Act.ENABLE, by, staff, from_, change, secret=secret)

    def reset(
        self, by: str, staff: str, secret: str, from_: str, *, badge: str | None = None
    ) -> Kept | Refused:
        """Give somebody a provisional secret, and another badge where the old one is lost."""

        def change(page: Page, account: Account, _attempt: Attempt) -> Account | str:
            if badge is None:
                return account
            if badge_fault(badge):
                return "unfit"
            owner = page.with_badge(badge)
            if owner is not None and owner.id != account.id:
                return "badge_taken"
            return msgspec.structs.replace(account, badge=badge)

        return self._change(Act.RESET, by, staff, from_, change, secret=secret)

    def set_roles(self, by: str, staff: str, roles: frozenset[Role], from_: str) -> Kept | Refused:
        """Give somebody these roles instead; sessions end. Refused if they conflict (DUAL-1)."""

        def change(_page: Page, account: Account, _attempt: Attempt) -> Account | str:
            return msgspec.structs.replace(account, roles=roles)

        conflict = conflict_in(roles)
        if conflict:
            attempt = self._attempt(Act.ROLES, by, from_, staff)
            return self._door.refuse(attempt, "roles_conflict", conflict)
        return self._change(Act.ROLES, by, staff, from_, change, detail=roles_text(roles))

    def stand_down(self, by: str, staff: str, from_: str) -> Kept | Refused:
        """Take somebody off duty: all their log-ins end, and the account stays as it is.

        Supervisors do it to those who are no managers.
        """

        def change(page: Page, account: Account, _attempt: Attempt) -> Account | str:
            giver = page.account(by)
            is_manager = giver is not None and Role.MANAGER in giver.roles
            if Role.MANAGER in account.roles and not is_manager:
                return "not_permitted"
            return account if page.open_sessions(staff) else "not_needed"

        return self._change(Act.STAND_DOWN, by, staff, from_, change)

    def roster(self, by: str, from_: str) -> tuple[OnRoster, ...] | Refused:
        """Everybody, and where they are logged in now; looking is kept, as for ``accounts``."""
        there = self.accounts(by, from_)
        if isinstance(there, Refused):
            return there
        with self._door.book.reading() as page:
            sessions = page.open_sessions()
        return roster_of(there, sessions, self._door.rules, self._door.now())

    def set_language(self, by: str, staff: str, language: str, from_: str) -> Kept | Refused:
        """The language of somebody's prompts from their next log-in on; sessions go on.

        Empty: that of the console where they work.
        """
        attempt = self._attempt(Act.LANGUAGE, by, from_, staff, language)
        fault = _language_fault(language)
        if fault:
            return self._door.refuse(attempt, "unfit", fault)
        with self._door.book.writing() as page:
            account = page.account(staff)
            if not may_do(page, by, Act.LANGUAGE):
                return noted(page, attempt, "not_permitted")
            if account is None:
                return noted(page, attempt, "no_account")
            changed = msgspec.structs.replace(account, language=language)
            page.put(changed)
            page.note(attempt)
        return Kept(changed, attempt)

    def issue_code(self, by: str, staff: str, from_: str) -> CodeIssued | Refused:
        """A one-time code that releases a locked account. Supervisors issue them for dealers."""
        code = new_code()
        kept = self._door.hashing.of(code)
        attempt = self._attempt(Act.ISSUE_CODE, by, from_, staff)
        with self._door.book.writing() as page:
            account = page.account(staff)
            fault = self._code_fault(page, by, account, attempt)
            if fault or account is None:
                return noted(page, attempt, fault or "no_account")
            expires = attempt.at + timedelta(minutes=self._door.rules.code_minutes)
            page.put_code(
                UnlockCode(
                    staff=staff, secret=kept, issued=attempt.at, issued_by=by, expires=expires
                )
            )
            page.note(attempt)
        return CodeIssued(code, attempt)

    def _code_fault(
        self, page: Page, by: str, account: Account | None, attempt: Attempt
    ) -> str | None:
        issuer = page.account(by)
        if issuer is None or not may_do(page, by, Act.ISSUE_CODE):
            return "not_permitted"
        if account is None:
            return "no_account"
        if account.id == by:
            return "own_account"
        if Role.MANAGER not in issuer.roles and account.roles != {Role.DEALER}:
            return "not_permitted"
        return None if is_locked(account, attempt.at) else "not_needed"

    def _change(
        self,
        act: Act,
        by: str,
        staff: str,
        from_: str,
        change: _Change,
        *,
        secret: str | None = None,
        detail: str = "",
    ) -> Kept | Refused:
        """One act on somebody else's account, whole or not at all; their sessions end with it."""
        attempt = self._attempt(act, by, from_, staff, detail)
        kept = None if secret is None else self._door.hashing.of(secret)
        with self._door.book.writing() as page:
            account = page.account(staff)
            if not may_do(page, by, act):
                return noted(page, attempt, "not_permitted")
            if account is None:
                return noted(page, attempt, "no_account")
            if account.id == by:
                return noted(page, attempt, "own_account")
            changed = change(page, account, attempt)
            if isinstance(changed, str):
                return noted(page, attempt, changed)
            if secret is not None and kept is not None:
                fault = secret_fault(secret, changed.badge, self._door.rules)
                if fault:
                    return noted(page, attempt, "secret_unfit", f"Give another: {fault}.")
                changed = msgspec.structs.replace(
                    released(changed), secret=kept, secret_changed=attempt.at, is_provisional=True
                )
            page.put(changed)
            page.end_sessions_of(staff, attempt.at)
            page.note(attempt)
        return Kept(changed, attempt)

    def _prepared(self, new: NewAccount, secret: str, attempt: Attempt) -> str | Refused:
        """The hash of a new account's secret, or what is wrong with what was said."""
        for fault in (badge_fault(new.badge), name_fault(new.name), name_fault(new.screen_name)):
            if fault:
                return self._door.refuse(attempt, "unfit", f"This cannot be kept: {fault}.")
        unfit = _language_fault(new.language)
        if unfit:
            return self._door.refuse(attempt, "unfit", unfit)
        conflict = conflict_in(new.roles)
        if conflict:
            return self._door.refuse(attempt, "roles_conflict", conflict)
        fault = secret_fault(secret, new.badge, self._door.rules)
        if fault:
            return self._door.refuse(attempt, "secret_unfit", f"Give another: {fault}.")
        return self._door.hashing.of(secret)

    def _added(
        self, page: Page, new: NewAccount, kept: str, attempt: Attempt, *, is_provisional: bool
    ) -> Kept | Refused:
        there = page.accounts()
        if page.with_badge(new.badge) is not None:
            return noted(page, attempt, "badge_taken")
        if not new.is_another and _plain(new.name) in {_plain(one.name) for one in there}:
            return noted(page, attempt, "name_taken")
        staff = id_of(len(there) + 1)
        account = Account(
            id=staff,
            name=new.name,
            screen_name=new.screen_name,
            title=new.title,
            language=new.language,
            roles=new.roles,
            badge=new.badge,
            secret=kept,
            secret_changed=attempt.at,
            created=attempt.at,
            created_by=attempt.by or staff,
            is_provisional=is_provisional,
        )
        page.add(account)
        detail = roles_text(new.roles) + (", another of this name" if new.is_another else "")
        done = msgspec.structs.replace(attempt, staff=staff, detail=detail)
        page.note(done)
        return Kept(account, done)

    def _attempt(
        self, act: Act, by: str | None, from_: str, staff: str | None = None, detail: str = ""
    ) -> Attempt:
        at = self._door.now()
        return Attempt(at=at, act=act, by=by, staff=staff, from_=from_, result=DONE, detail=detail)


def _language_fault(language: str) -> str:
    if not language or _LANGUAGE.fullmatch(language):
        return ""
    return f'This cannot be kept: "{language}" is no language; give its two letters, as in it.'


def may_do(page: Page, by: str, act: Act) -> bool:
    """Whether this person may do this at this moment."""
    account = page.account(by)
    if account is None or account.disabled is not None:
        return False
    return grant_of(OFFICE[act.value], account.roles) is Grant.ALONE


def _usable_managers(page: Page, attempt: Attempt) -> bool:
    return any(
        Role.MANAGER in one.roles and one.disabled is None and not is_locked(one, attempt.at)
        for one in page.accounts()
    )


def noted(page: Page, attempt: Attempt, code: str, text: str = "") -> Refused:
    """Keep an attempt as refused; the refusal."""
    said = msgspec.structs.replace(attempt, result=code)
    page.note(said)
    return refused(said, text)


def _plain(name: str) -> str:
    return " ".join(name.casefold().split())
