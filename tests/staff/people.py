# SPDX-License-Identifier: Apache-2.0
"""A studio's staff over a real database: a clock that stands still, people with badges and PINs."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TypeVar

import pytest

from studio.staff.accounts import Account, Role
from studio.staff.attempts import Attempt, Refused
from studio.staff.desk import Desk, LoggedIn
from studio.staff.door import Door, Identified
from studio.staff.hashing import Cost, Hashing
from studio.staff.office import Kept, NewAccount, Office
from studio.staff.rules import STANDARD, StaffRules
from studio.store.staff_book import StaffBook

T = TypeVar("T")

# For what two processes do to one another through the database.
each_database = pytest.mark.parametrize("staff", ["sqlite", "postgresql"], indirect=True)

# The same algorithm with the least work that it takes: what is tested is not how slow it is.
QUICK_COST = Cost(passes=1, memory_kib=8, lanes=1)
QUICK = Hashing(QUICK_COST)
HERE = "console-1"
BADGES = {"manager": "900", "supervisor": "500", "floor": "501", "dealer": "100", "other": "101"}
PIN = "271828"
FIRST_PIN = "314159"


class Meanwhile(Hashing):
    """Checks a secret while somebody else does something, once."""

    def __init__(self, act: Callable[[], object]) -> None:
        super().__init__(QUICK_COST)
        self._act: Callable[[], object] | None = act

    def is_right(self, kept: str | None, secret: str) -> bool:
        act, self._act = self._act, None
        if act is not None:
            act()
        return super().is_right(kept, secret)


class Clock:
    """A wall clock that moves when it is told."""

    def __init__(self) -> None:
        self.at = datetime(2026, 11, 30, 20, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.at

    def pass_(self, **length: float) -> None:
        self.at += timedelta(**length)


def done(answer: T | Refused, kind: type[T]) -> T:
    """An answer that must not be a refusal."""
    assert isinstance(answer, kind), answer
    return answer


def code_of(answer: object) -> str:
    """The code of an answer that must be a refusal."""
    assert isinstance(answer, Refused), answer
    assert answer.attempt.result == answer.code
    return answer.code


class Staff:
    """Everybody of a small studio, with a secret of their own; ``desk`` is one table's."""

    manager, supervisor, floor, dealer, other = (f"s-000{number}" for number in range(1, 6))

    def __init__(self, url: str, rules: StaffRules = STANDARD) -> None:
        self.url = url
        self.clock = Clock()
        self.book = StaffBook.open(url)
        self.rules = rules
        self.door = Door(self.book, rules, hashing=QUICK, now=self.clock)
        self.office = Office(self.door)

    def begin(self) -> "Staff":
        """Fill a new database."""
        new = NewAccount(
            name="Mara Zeta", screen_name="Mara", roles=frozenset(), badge=BADGES["manager"]
        )
        hired = [
            done(self.office.begin(new, PIN, HERE), Kept).account.id,
            self.hire("supervisor", Role.SUPERVISOR),
            self.hire("floor", Role.SUPERVISOR),
            self.hire("dealer", Role.DEALER),
            self.hire("other", Role.DEALER),
        ]
        assert hired == [self.manager, self.supervisor, self.floor, self.dealer, self.other]
        return self

    def hire(self, who: str, *roles: Role, badge: str | None = None) -> str:
        """A new person who has chosen a PIN already; gives the id."""
        badge = badge or BADGES[who]
        new = NewAccount(
            name=f"{who} of the studio",
            screen_name=who.title(),
            roles=frozenset(roles),
            badge=badge,
        )
        added = done(self.office.add(self.manager, new, FIRST_PIN, HERE), Kept)
        done(self.door.change_secret(badge, FIRST_PIN, PIN, HERE), Identified)
        return added.account.id

    def door_again(self) -> Door:
        """A door as another process has it: nothing shared but the database."""
        return Door(StaffBook.open(self.url), self.rules, hashing=QUICK, now=self.clock)

    def desk(self, table: str = "BAC-1", *house_asks: str) -> Desk:
        """The desk of a table's service that starts now."""
        return Desk(self.door_again(), table, house_asks)

    def account(self, staff: str) -> Account:
        with self.book.reading() as page:
            account = page.account(staff)
        assert account is not None
        return account

    def attempts(self, chosen: Callable[[Attempt], bool] = lambda _one: True) -> list[Attempt]:
        return [one for one in self.book.attempts() if chosen(one)]


def logged_in(desk: Desk, who: str, from_: str = HERE) -> LoggedIn:
    """A session of one of the people."""
    return done(desk.log_in(BADGES[who], PIN, from_), LoggedIn)
