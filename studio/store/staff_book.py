# SPDX-License-Identifier: Apache-2.0
"""The staff's database as ``studio.staff.book.Book``: pages of accounts, sessions, codes and log.

A page that is written is one transaction, which holds the rows of the accounts that it looked at,
so that two services never decide on the same account at the same time. It judges nothing.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from typing import Any, Self

from sqlalchemy import Connection, Engine, Row, Select, delete, insert, select, update
from sqlalchemy.exc import DBAPIError

from studio.staff.accounts import Account, Role
from studio.staff.attempts import Act, Attempt
from studio.staff.book import UnlockCode
from studio.staff.cases import CaseAct, CaseEntry
from studio.staff.sessions import Session
from studio.store.chain import time_text
from studio.store.database import (
    failure,
    parse_url,
    reading_engine,
    refuse_unsafe,
    writing_engine,
)
from studio.store.staff_models import accounts, cases, codes, log, sessions
from studio.store.staff_schema import require_staff_schema


class StaffBook:
    """The staff's database. Any thread may use it: each page has a connection of its own."""

    def __init__(self, writer: Engine, reader: Engine) -> None:
        self._writer = writer
        self._reader = reader

    @classmethod
    def open(cls, url: str) -> Self:
        """The book of a database that is there. Raises ``StoreFailed``, saying what to do."""
        parsed = parse_url(url)
        require_staff_schema(parsed)
        book = cls(writing_engine(parsed, "studio staff"), reading_engine(parsed))
        try:
            with book._writer.connect() as connection:
                refuse_unsafe(book._writer, connection.connection.driver_connection)
        except DBAPIError as fault:
            raise failure(parsed, "opening", fault) from fault
        return book

    @contextmanager
    def reading(self) -> Iterator["StaffPage"]:
        """A page to read. Raises ``StoreFailed``."""
        try:
            with self._reader.connect() as connection:
                yield StaffPage(connection, holds=False)
        except DBAPIError as fault:
            raise failure(self._reader.url, "reading", fault) from fault

    @contextmanager
    def writing(self) -> Iterator["StaffPage"]:
        """A page to write, kept whole at its end or not at all. Raises ``StoreFailed``."""
        try:
            with self._writer.begin() as connection:
                yield StaffPage(connection, holds=True)
        except DBAPIError as fault:
            raise failure(self._writer.url, "writing", fault) from fault

    def attempts(self) -> list[Attempt]:
        """The whole log, in order."""
        with self.reading() as page:
            return page.attempts()


class StaffPage:
    """One transaction over the staff's tables."""

    def __init__(self, connection: Connection, *, holds: bool) -> None:
        self._connection = connection
        self._holds = holds

    def account(self, staff: str) -> Account | None:
        return self._one(select(accounts).where(accounts.c.staff == staff))

    def with_badge(self, badge: str) -> Account | None:
        return self._one(select(accounts).where(accounts.c.badge == badge))

    def accounts(self) -> Sequence[Account]:
        found = self._connection.execute(select(accounts).order_by(accounts.c.staff))
        return [_account(row) for row in found]

    def add(self, account: Account) -> None:
        self._connection.execute(insert(accounts).values(_account_row(account)))

    def put(self, account: Account) -> None:
        row = _account_row(account)
        self._connection.execute(update(accounts).where(accounts.c.staff == account.id).values(row))

    def session(self, token_hash: bytes) -> Session | None:
        asked = select(sessions).where(sessions.c.token_hash == token_hash)
        row = self._connection.execute(asked).one_or_none()
        return None if row is None else _session(row)

    def open_sessions(self, staff: str | None = None) -> Sequence[Session]:
        asked = select(sessions).where(sessions.c.ended.is_(None))
        if staff is not None:
            asked = asked.where(sessions.c.staff == staff)
        found = self._connection.execute(asked.order_by(sessions.c.opened))
        return [_session(row) for row in found]

    def open_session(self, session: Session) -> None:
        self._connection.execute(
            insert(sessions).values(
                token_hash=session.token_hash,
                staff=session.staff,
                table_id=session.table,
                opened_at=session.opened_at,
                opened=time_text(session.opened),
                seen=time_text(session.seen),
                from_where=session.from_,
            )
        )

    def see(self, token_hash: bytes, at: datetime) -> None:
        seen = update(sessions).where(sessions.c.token_hash == token_hash)
        self._connection.execute(seen.values(seen=time_text(at)))

    def end_session(self, token_hash: bytes, at: datetime) -> None:
        self._end(sessions.c.token_hash == token_hash, at)

    def end_sessions_of(self, staff: str, at: datetime) -> int:
        return self._end(sessions.c.staff == staff, at)

    def end_sessions_made_at(self, table: str, at: datetime) -> int:
        return self._end(sessions.c.opened_at == table, at)

    def code_for(self, staff: str) -> UnlockCode | None:
        row = self._connection.execute(select(codes).where(codes.c.staff == staff)).one_or_none()
        if row is None:
            return None
        return UnlockCode(
            staff=row.staff,
            secret=row.secret,
            issued=datetime.fromisoformat(row.issued),
            issued_by=row.issued_by,
            expires=datetime.fromisoformat(row.expires),
            wrong_tries=row.wrong_tries,
        )

    def put_code(self, code: UnlockCode) -> None:
        self.drop_code(code.staff)
        self._connection.execute(
            insert(codes).values(
                staff=code.staff,
                secret=code.secret,
                issued=time_text(code.issued),
                issued_by=code.issued_by,
                expires=time_text(code.expires),
                wrong_tries=code.wrong_tries,
            )
        )

    def drop_code(self, staff: str) -> None:
        self._connection.execute(delete(codes).where(codes.c.staff == staff))

    def case_entries(self, case: str | None = None) -> Sequence[CaseEntry]:
        """The entries of a case, or of all, in order."""
        asked = select(cases).order_by(cases.c.case_id, cases.c.number)
        if case is not None:
            asked = asked.where(cases.c.case_id == case)
        return [_case_entry(row) for row in self._connection.execute(asked)]

    def add_case_entry(self, entry: CaseEntry) -> None:
        self._connection.execute(
            insert(cases).values(
                case_id=entry.case,
                number=entry.number,
                at=time_text(entry.at),
                act=entry.act.value,
                by_staff=entry.by,
                table_id=entry.table,
                round=entry.round,
                operator=entry.operator,
                reference=entry.reference,
                due=entry.due.isoformat(),
                text=entry.text,
            )
        )

    def note(self, attempt: Attempt) -> None:
        self._connection.execute(
            insert(log).values(
                at=time_text(attempt.at),
                act=attempt.act.value,
                by_staff=attempt.by,
                staff=attempt.staff,
                table_id=attempt.table,
                from_where=attempt.from_,
                result=attempt.result,
                detail=attempt.detail,
            )
        )

    def attempts(self) -> list[Attempt]:
        """The whole log, in order."""
        return [
            Attempt(
                at=datetime.fromisoformat(row.at),
                act=Act(row.act),
                by=row.by_staff,
                staff=row.staff,
                table=row.table_id,
                from_=row.from_where,
                result=row.result,
                detail=row.detail,
            )
            for row in self._connection.execute(select(log).order_by(log.c.number))
        ]

    def _one(self, asked: Select[Any]) -> Account | None:
        # SQLite holds the whole database from the beginning of a transaction that writes
        asked = asked.with_for_update() if self._holds else asked
        row = self._connection.execute(asked).one_or_none()
        return None if row is None else _account(row)

    def _end(self, which: Any, at: datetime) -> int:
        ended = update(sessions).where(which, sessions.c.ended.is_(None))
        return self._connection.execute(ended.values(ended=time_text(at))).rowcount


def _account_row(account: Account) -> dict[str, Any]:
    return {
        "staff": account.id,
        "name": account.name,
        "screen_name": account.screen_name,
        "title": account.title,
        "language": account.language,
        "roles": ",".join(role.value for role in Role if role in account.roles),
        "badge": account.badge,
        "secret": account.secret,
        "secret_changed": time_text(account.secret_changed),
        "is_provisional": account.is_provisional,
        "created": time_text(account.created),
        "created_by": account.created_by,
        "last_access": _time_or_none(account.last_access),
        "last_access_from": account.last_access_from,
        "disabled": _time_or_none(account.disabled),
        "disabled_by": account.disabled_by,
        "wrong_tries": account.wrong_tries,
        "locked_until": _time_or_none(account.locked_until),
    }


def _account(row: Row[Any]) -> Account:
    return Account(
        id=row.staff,
        name=row.name,
        screen_name=row.screen_name,
        title=row.title,
        language=row.language,
        roles=frozenset(map(Role, row.roles.split(","))),
        badge=row.badge,
        secret=row.secret,
        secret_changed=datetime.fromisoformat(row.secret_changed),
        is_provisional=row.is_provisional,
        created=datetime.fromisoformat(row.created),
        created_by=row.created_by,
        last_access=_read_time(row.last_access),
        last_access_from=row.last_access_from,
        disabled=_read_time(row.disabled),
        disabled_by=row.disabled_by,
        wrong_tries=row.wrong_tries,
        locked_until=_read_time(row.locked_until),
    )


def _case_entry(row: Row[Any]) -> CaseEntry:
    return CaseEntry(
        case=row.case_id,
        number=row.number,
        at=datetime.fromisoformat(row.at),
        act=CaseAct(row.act),
        by=row.by_staff,
        table=row.table_id,
        round=row.round,
        operator=row.operator,
        reference=row.reference,
        due=date.fromisoformat(row.due),
        text=row.text,
    )


def _session(row: Row[Any]) -> Session:
    return Session(
        token_hash=row.token_hash,
        staff=row.staff,
        table=row.table_id,
        opened_at=row.opened_at,
        opened=datetime.fromisoformat(row.opened),
        seen=datetime.fromisoformat(row.seen),
        from_=row.from_where,
        ended=_read_time(row.ended),
    )


def _time_or_none(at: datetime | None) -> str | None:
    return None if at is None else time_text(at)


def _read_time(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
