# SPDX-License-Identifier: Apache-2.0
"""How a person comes to the accounts from the command line: who it is, and what is refused."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from studio.cli.asking import Asking, here
from studio.cli.exits import CommandFailed
from studio.cli.site import studio_settings
from studio.settings import StudioSettings
from studio.staff.attempts import Act, Refused
from studio.staff.door import Door
from studio.staff.office import Office
from studio.store.database import StoreFailed
from studio.store.staff_book import StaffBook

T = TypeVar("T")


class Entry:
    """The staff's database, open, for one call of somebody at this machine."""

    def __init__(self, studio: StudioSettings, *, pin_stdin: bool) -> None:
        self.asking = Asking(pin_stdin=pin_stdin)
        self.door = Door(StaffBook.open(studio.staff_database_url), studio.staff)
        self.office = Office(self.door)
        self.here = here()

    def by(self, badge: str | None) -> str:
        """The id of whoever makes this call, by badge and secret. Raises CommandFailed."""
        own = self.asking.text(badge, "your badge")
        secret = self.asking.secret("your PIN or password")
        return kept(self.door.identify(own, secret, Act.LOG_IN, self.here)).account.id

    def first_secret(self) -> str:
        """The secret that somebody else begins with."""
        return self.asking.new_secret("their first PIN or password")


@contextmanager
def entry(config: Path | None, *, pin_stdin: bool = False) -> Iterator[Entry]:
    """A call at the accounts; what the database cannot do ends it without a trace."""
    with store_told():
        yield Entry(studio_settings(config), pin_stdin=pin_stdin)


@contextmanager
def store_told() -> Iterator[None]:
    """Say what the database cannot do as any command says that it failed."""
    try:
        yield
    except StoreFailed as failed:
        raise CommandFailed(str(failed)) from None


def kept(answer: T | Refused) -> T:
    """An answer that is no refusal. Raises CommandFailed."""
    if isinstance(answer, Refused):
        raise CommandFailed(answer.text)
    return answer
