# SPDX-License-Identifier: Apache-2.0
"""Who gives commands from the command line: badge and PIN, a log-in for the call, a second person.

The token of a log-in stays in the memory of this process and is logged out at its end: nothing is
kept in a file. At a table that is open to everybody nobody logs in.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer
from msgspec.structs import replace

from studio.cli.asking import Asking, here
from studio.cli.exits import CommandFailed, Exit
from studio.cli.staff import Console
from studio.feed.staff import (
    Acceptance,
    Approval,
    AskApprove,
    AskCommand,
    AskLogIn,
    AskLogOut,
    Opened,
    RefusalAnswer,
    StaffError,
)
from studio.game.inputs import Command
from studio.settings import LogIn, TableSettings
from studio.staff.accounts import Role
from studio.staff.permissions import TAKES_TWO, Grant, grant_for, tag_of

Badge = Annotated[
    str | None,
    typer.Option(metavar="BADGE", help="Your badge, where staff log in; your PIN is asked for."),
]
SecondBadge = Annotated[
    str | None,
    typer.Option(metavar="BADGE", help="Badge of the person who approves, where two are needed."),
]
StaffId = Annotated[
    str | None, typer.Option(metavar="ID", help="Your staff id, where nobody logs in.")
]
SecondId = Annotated[str, typer.Option(metavar="ID", help="Who approves, where nobody logs in.")]
Reason = Annotated[str, typer.Option(help="Why, for the record.")]
PinStdin = Annotated[
    bool,
    typer.Option(
        "--pin-stdin", help="Read PINs from standard input, one a line: yours, then the second's."
    ),
]

# A log-in that is over for want of input, and can be made again.
_OVER = ("idle", "too_long", "session_ended")
_NO_WORD = re.compile(r"[^A-Za-z0-9._:@-]")


def origin() -> str:
    """This machine as the record names it."""
    return _NO_WORD.sub("-", here())[:64] or "local"


class Person:
    """Somebody with badge and PIN, logged in at a table while a call lasts."""

    def __init__(self, desk: Console, badge: str, pin: str) -> None:
        self._desk = desk
        self._badge = badge
        self._pin = pin
        self._opened = self._log_in()

    @property
    def staff(self) -> str:
        """The staff id."""
        return self._opened.staff

    @property
    def roles(self) -> frozenset[Role]:
        """What the person is employed as."""
        return frozenset(map(Role, self._opened.roles))

    def tell(self, command: Command, approval: str | None) -> Acceptance | RefusalAnswer:
        """Give a command in this person's name."""
        answer = self._tell(command, approval)
        if isinstance(answer, RefusalAnswer) and answer.code in _OVER:
            self._opened = self._log_in()
            answer = self._tell(command, approval)
        return answer

    def tell_at(self, desk: Console, command: Command) -> Acceptance | RefusalAnswer:
        """Give a command at another table, with the log-in that was made here."""
        return desk.ask_command(self._asked(desk, replace(command, by=self.staff), None))

    def approve(self, command: Command) -> str:
        """This person's word for a command of ``command.by``. Raises CommandFailed."""
        answer = self._approve(command)
        if isinstance(answer, RefusalAnswer) and answer.code in _OVER:
            self._opened = self._log_in()
            answer = self._approve(command)
        if isinstance(answer, Approval):
            return answer.approval
        raise CommandFailed(f"{tag_of(command)} is not approved: {answer.text}")

    def log_out(self) -> None:
        """End the log-in."""
        self._desk.ask(
            AskLogOut(id="o", table=self._desk.table, from_=origin(), token=self._opened.token)
        )

    def _log_in(self) -> Opened:
        asked = AskLogIn(
            id="l", table=self._desk.table, from_=origin(), badge=self._badge, pin=self._pin
        )
        answer = self._desk.ask(asked)
        if isinstance(answer, Opened):
            return answer
        why = answer.text if isinstance(answer, RefusalAnswer | StaffError) else "no log-in"
        raise CommandFailed(f"badge {self._badge} is not logged in: {why}")

    def _tell(self, command: Command, approval: str | None) -> Acceptance | RefusalAnswer:
        return self._desk.ask_command(self._asked(self._desk, command, approval))

    def _asked(self, desk: Console, command: Command, approval: str | None) -> AskCommand:
        return AskCommand(
            id="c",
            table=desk.table,
            from_=origin(),
            command=command,
            token=self._opened.token,
            approval=approval,
        )

    def _approve(self, command: Command) -> Approval | RefusalAnswer | StaffError:
        answer = self._desk.ask(
            AskApprove(
                id="a",
                table=self._desk.table,
                from_=origin(),
                command=command,
                shown=self._desk.picture().shown,
                token=self._opened.token,
            )
        )
        if isinstance(answer, Approval | RefusalAnswer | StaffError):
            return answer
        raise CommandFailed(f"{tag_of(command)} is not approved: {answer}")


class Giver:
    """Gives commands to a table, with who gives them and, where two are needed, who approves."""

    def __init__(
        self, desk: Console, by: str, person: Person | None = None, second: Person | None = None
    ) -> None:
        self._desk = desk
        self.by = by
        self._person = person
        self._second = second

    def tell(self, command: Command) -> Acceptance | RefusalAnswer:
        """Send a command. Raises CommandFailed when it is not answered, or not approved."""
        if self._person is None:
            return self._desk.tell(command)
        command = replace(command, by=self.by)
        approval = None
        if self._second is not None and self._takes_two(command, self._person.roles):
            approval = self._second.approve(command)
        answer = self._person.tell(command, approval)
        is_short = isinstance(answer, RefusalAnswer) and answer.code in TAKES_TWO
        if is_short and self._second is not None:
            # the house, a result of before or an empty pit asks for more than the roles do
            answer = self._person.tell(command, self._second.approve(command))
        return answer

    def _takes_two(self, command: Command, roles: frozenset[Role]) -> bool:
        return grant_for(command, roles) is Grant.PAIR


@contextmanager
def giver(
    desk: Console,
    settings: TableSettings,
    by: str | None,
    badge: str | None,
    second_badge: str | None,
    *,
    pin_stdin: bool,
    stands_in: str = "staff",
) -> Iterator[Giver]:
    """Log in whoever was named, for as long as this lasts. Raises CommandFailed.

    ``by`` is a staff id that is believed where nobody logs in; ``stands_in`` is one for nobody.
    """
    if settings.log_in is LogIn.OPEN:
        if badge is not None or second_badge is not None:
            text = f"nobody logs in at table {settings.table}, which is a test: say --by, no badge"
            raise CommandFailed(text, Exit.BAD_SETTINGS)
        yield Giver(desk, by or stands_in)
        return
    if by is not None:
        text = f"staff log in at table {settings.table}: say --badge, not --by"
        raise CommandFailed(text, Exit.BAD_SETTINGS)
    asking = Asking(pin_stdin=pin_stdin)
    own = asking.text(badge, "your badge")
    pin = asking.secret("your PIN or password")
    second_pin = None
    if second_badge is not None:
        second_pin = asking.secret(f"PIN or password of badge {second_badge}, who approves")
    people = [Person(desk, own, pin)]
    try:
        if second_badge is not None and second_pin is not None:
            people.append(Person(desk, second_badge, second_pin))
        yield Giver(desk, people[0].staff, *people)
    finally:
        for person in people:
            person.log_out()
