# SPDX-License-Identifier: Apache-2.0
"""The staff's side of one table: log-ins, sessions, permissions, approvals.

Made once by a table's service and used by its staff request thread; any thread may use it. The
table's own thread never does: a check of a secret takes 160 ms, and every answer reads or writes
the staff's database. If that cannot be reached, ``StoreFailed`` is raised and nobody may do
anything, while the round that is under way goes on without commands.

Every answer carries the ``Attempt`` that the service writes to the table's journal; the staff's
own database has it already.
"""

from collections.abc import Collection
from datetime import datetime, timedelta

import msgspec

from studio.game.house import House
from studio.game.inputs import Command, OpenBets, OpenTable
from studio.staff.accounts import Account, Role
from studio.staff.approvals import Approval, Approvals, Bound
from studio.staff.attempts import DONE, Act, Attempt, Refused
from studio.staff.door import Door, Identified
from studio.staff.hashing import new_token
from studio.staff.office import Office
from studio.staff.permissions import Grant, grant_for, may_be_second, tag_of
from studio.staff.sessions import Session, fault_of, hash_of, scope_of


class LoggedIn(msgspec.Struct, frozen=True):
    """A new session, and its token, which is told this once.

    ``others`` counts more open log-ins of the same person, a thing to look at (ACC-3).
    """

    token: str
    session: Session
    others: int
    attempt: Attempt

    def __repr__(self) -> str:
        """Without the token, which must be in no log."""
        return f"LoggedIn({self.session.staff})"


class Approved(msgspec.Struct, frozen=True):
    """An approval to be redeemed, and the attempt for the record."""

    approval: Approval
    attempt: Attempt


class Second(msgspec.Struct, frozen=True):
    """The second person of a command, from an approval that is spent now."""

    staff: str
    attempt: Attempt


class Desk:
    """Log-in, permission and approval at one table.

    ``house_asks`` names the commands and remedies for which the house wants a second person;
    with ``needs_supervisor`` the table opens only while one is on duty for it, and with
    ``pauses_alone`` bets are opened only then, or by the word of one for this round (DUAL-2).
    Making a desk ends the sessions that an earlier run of this table's service left open (ACC-10).
    ``office`` is for what its people do to accounts.
    """

    def __init__(
        self,
        door: Door,
        table: str,
        house_asks: Collection[str] = (),
        *,
        needs_supervisor: bool = False,
        pauses_alone: bool = False,
    ) -> None:
        self._door = door
        self._table = table
        self._house_asks = frozenset(house_asks)
        self._needs_supervisor = needs_supervisor
        self._pauses_alone = needs_supervisor and pauses_alone
        self._house: House | None = None
        self._approvals = Approvals()
        self.office = Office(door)
        with door.book.writing() as page:
            page.end_sessions_made_at(table, door.now())

    def follow(self, house: House | None) -> None:
        """These are the rules in force; where they are others than before, they hold here too."""
        if house is not None and self._house not in (None, house):
            self._house_asks = frozenset(house.second_person)
            self._needs_supervisor = house.supervisor_on_duty
            self._pauses_alone = house.supervisor_on_duty and house.pause_without_supervisor
        self._house = house

    def log_in(self, badge: str, secret: str, from_: str) -> LoggedIn | Refused:
        """Open a session for whoever has this badge and secret.

        ``from_`` names the machine or key, the same for all that the session will ask. A dealer's
        session is for this table and ends the dealer's earlier ones; others' are for all tables.
        """
        who = self._door.identify(badge, secret, Act.LOG_IN, from_, table=self._table)
        if isinstance(who, Refused):
            return who
        token, account, at = new_token(), who.account, who.attempt.at
        session = Session(
            token_hash=hash_of(token),
            staff=account.id,
            table=scope_of(account.roles, self._table),
            opened_at=self._table,
            opened=at,
            seen=at,
            from_=from_,
            roles=account.roles,
            screen_name=account.screen_name,
            language=account.language,
        )
        with self._door.book.writing() as page:
            if session.table is not None:
                page.end_sessions_of(account.id, at)
            others = len(page.open_sessions(account.id))
            page.open_session(session)
        return LoggedIn(token, session, others, who.attempt)

    def log_out(self, token: str, from_: str) -> Attempt:
        """End a session. One that is unknown or over is answered alike: nobody is logged in."""
        at, token_hash = self._door.now(), hash_of(token)
        with self._door.book.writing() as page:
            session = page.session(token_hash)
            by = None if session is None else session.staff
            attempt = self._attempt(Act.LOG_OUT, by, from_)
            page.end_session(token_hash, at)
            page.note(attempt)
        return attempt

    def who(self, token: str, from_: str, *, is_input: bool = True) -> Session | Refused:
        """Whose token this is. ``is_input`` false for what a console asks by itself.

        The account is looked up each time: disabled, given other roles or another secret, it has
        no session any more, at any table.
        """
        at, token_hash = self._door.now(), hash_of(token)
        with self._door.book.reading() as page:
            session = page.session(token_hash)
            account = None if session is None else page.account(session.staff)
        if session is None or account is None:
            return self._door.refuse(self._attempt(Act.USE_SESSION, None, from_), "no_session")
        fault = fault_of(session, account, self._door.rules, at, self._table, from_)
        if fault is not None:
            return self._no_longer(session, fault, from_)
        if is_input:
            with self._door.book.writing() as page:
                page.see(token_hash, at)
        return msgspec.structs.replace(
            session,
            seen=at,
            roles=account.roles,
            screen_name=account.screen_name,
            language=account.language,
        )

    def allowed(
        self, session: Session, command: Command, *, is_late: bool = False
    ) -> Grant | Refused:
        """``ALONE``, or ``PAIR`` when the command needs a second person, or why it is refused.

        ``is_late``: it changes a round whose result was confirmed. The command must say that it is
        by the session's person: nobody acts in another's name.
        """
        attempt = self._attempt(Act.COMMAND, session.staff, session.from_, tag_of(command))
        if command.by != session.staff:
            return self._door.refuse(attempt, "not_permitted", "A command says who gives it.")
        grant = grant_for(command, session.roles, self._house_asks, is_late=is_late)
        if grant is Grant.NO:
            return self._door.refuse(attempt, "not_permitted")
        is_opening = self._needs_supervisor and isinstance(command, OpenTable)
        is_watched = self._pauses_alone and isinstance(command, OpenBets)
        if not (is_opening or is_watched) or self.on_duty(Role.SUPERVISOR):
            return grant
        return Grant.PAIR if is_watched else self._door.refuse(attempt, "no_supervisor")

    def why_two(self, command: Command) -> str:
        """Why a command that came without its second person is refused, as a refusal's code."""
        is_house = "open_bets" in self._house_asks
        return "unsupervised" if isinstance(command, OpenBets) and not is_house else "needs_second"

    def refuse(self, session: Session, command: Command, code: str) -> Refused:
        """Refuse a command for what the desk cannot see by itself: one of ``attempts.TEXTS``."""
        attempt = self._attempt(Act.COMMAND, session.staff, session.from_, tag_of(command))
        return self._door.refuse(attempt, code)

    def approve(self, badge: str, secret: str, bound: Bound, from_: str) -> Approved | Refused:
        """The word of whoever has this badge and secret, for exactly this, without a session.

        A wrong PIN counts as at a log-in. The asker, and one whose role cannot, is refused.
        """
        who = self._door.identify(badge, secret, Act.APPROVE, from_, table=self._table)
        if isinstance(who, Refused):
            return who
        return self._approval(who.account.id, who.account.roles, bound, from_)

    def approve_as(self, token: str, bound: Bound, from_: str) -> Approved | Refused:
        """The word of whoever is logged in with this token, as a supervisor in the pit."""
        session = self.who(token, from_)
        if isinstance(session, Refused):
            return session
        return self._approval(session.staff, session.roles, bound, from_)

    def redeem(self, token: str, bound: Bound, from_: str) -> Second | Refused:
        """Who approved exactly this; the approval is spent, whatever the answer.

        Replayed, it is not there; for another table, round, card, command, reason or asker it is
        stale. Its person must still have account and role.
        """
        at = self._door.now()
        result, approval = self._approvals.take(token, bound, at)
        staff = None if approval is None else approval.second
        attempt = self._attempt(Act.REDEEM, staff, from_, bound.command)
        if result != DONE or staff is None:
            return self._door.refuse(attempt, result)
        with self._door.book.reading() as page:
            account = page.account(staff)
        if account is None or account.disabled is not None:
            return self._door.refuse(attempt, "disabled")
        if not may_be_second(bound.command, account.roles):
            return self._door.refuse(attempt, "not_second")
        attempt = msgspec.structs.replace(attempt, staff=bound.asker)
        self._door.note(attempt)
        return Second(staff, attempt)

    def change_secret(self, badge: str, old: str, new: str, from_: str) -> Identified | Refused:
        """Choose a secret of one's own; then log in with it."""
        return self._door.change_secret(badge, old, new, from_, table=self._table)

    def unlock(self, badge: str, code: str, from_: str) -> Identified | Refused:
        """Release a locked account with a one-time code; then log in as ever."""
        return self._door.unlock(badge, code, from_, table=self._table)

    @property
    def idle_seconds(self) -> int:
        """After how many seconds without a command a log-in ends (ACC-2)."""
        return self._door.rules.idle_seconds

    def on_duty(self, *roles: Role) -> tuple[str, ...]:
        """Who of these roles has a session that is good for this table now (DUAL-2)."""
        return tuple(sorted({account.id for account in self._on_duty(roles)}))

    def accounts_on_duty(self) -> tuple[Account, ...]:
        """Everybody whose session is good for this table now, by id."""
        there = {account.id: account for account in self._on_duty(tuple(Role))}
        return tuple(there[staff] for staff in sorted(there))

    def screen_name(self, staff: str) -> str:
        """What somebody is called at the tables; the id of whoever has no account."""
        with self._door.book.reading() as page:
            account = page.account(staff)
        return staff if account is None else account.screen_name

    def _on_duty(self, roles: tuple[Role, ...]) -> list[Account]:
        at = self._door.now()
        with self._door.book.reading() as page:
            return [
                account
                for session in page.open_sessions()
                if (account := page.account(session.staff)) is not None
                and not account.roles.isdisjoint(roles)
                and self._is_good(session, account, at)
            ]

    def _is_good(self, session: Session, account: Account, at: datetime) -> bool:
        rules, from_ = self._door.rules, session.from_
        return fault_of(session, account, rules, at, self._table, from_) is None

    def _approval(
        self, second: str, roles: frozenset[Role], bound: Bound, from_: str
    ) -> Approved | Refused:
        attempt = self._attempt(Act.APPROVE, second, from_, bound.command)
        with self._door.book.reading() as page:
            # what is no account is somebody's text, and goes into no record
            is_known = page.account(bound.asker) is not None
        if not is_known:
            return self._door.refuse(attempt, "no_account")
        attempt = msgspec.structs.replace(attempt, staff=bound.asker)
        if second == bound.asker:
            return self._door.refuse(attempt, "same_person")
        if bound.table != self._table:
            return self._door.refuse(attempt, "stale")
        if not may_be_second(bound.command, roles):
            return self._door.refuse(attempt, "not_second")
        until = attempt.at + timedelta(seconds=self._door.rules.approval_seconds)
        approval = Approval(new_token(), second, bound, until)
        self._approvals.add(approval)
        self._door.note(attempt)
        return Approved(approval, attempt)

    def _no_longer(self, session: Session, fault: str, from_: str) -> Refused:
        """Refuse a session; one that ran out is over for good."""
        attempt = self._attempt(Act.USE_SESSION, session.staff, from_)
        if fault in ("idle", "too_long"):
            with self._door.book.writing() as page:
                page.end_session(session.token_hash, attempt.at)
        return self._door.refuse(attempt, fault)

    def _attempt(self, act: Act, by: str | None, from_: str, detail: str = "") -> Attempt:
        return Attempt(
            at=self._door.now(),
            act=act,
            by=by,
            from_=from_,
            result=DONE,
            table=self._table,
            detail=detail,
        )
