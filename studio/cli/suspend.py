# SPDX-License-Identifier: Apache-2.0
"""``studio suspend``: no more bets, at every table of the site or at some, in one call.

All tables are told at the same moment, so that one that does not answer holds up none. One log-in
serves them all: it is made at the first table that answers.
"""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from typing import Annotated

import msgspec
import typer
from rich.table import Table

from studio.cli.asking import Asking
from studio.cli.exits import CommandFailed, Exit, taught
from studio.cli.log_in import Badge, Person, PinStdin
from studio.cli.output import console, write_json
from studio.cli.site import Config, site_tables, sound_tables
from studio.cli.staff import Console
from studio.feed.keys import KeysRefused
from studio.feed.staff import RefusalAnswer
from studio.game.commands import REASONS
from studio.game.inputs import SuspendTable
from studio.settings import LogIn, TableSettings

app = typer.Typer(rich_markup_mode="rich", add_completion=False)

_HELP = taught(
    "Suspend tables: none of them takes bets until it is resumed, and a round under way is played "
    "to its end. All are told at once, and the answer of each is shown.",
    "Where staff log in, say --badge and type your PIN, once for all tables.",
    "Status 0 when none takes bets any more; 1 when one refused; 3 when one cannot be reached, "
    "which may take bets still: go there.",
    ("studio suspend --all --reason device --badge 500", "every table of the site"),
    ("studio suspend BAC-1 BAC-3 --badge 500", "these two"),
)

# What a table answers that takes no bets already.
_DONE_ALREADY = {"already_suspended": "suspended already", "table_closed": "closed"}


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """What came of it at one table: ``takes_no_bets`` is None where nobody answered."""

    table: str
    takes_no_bets: bool | None
    answer: str


@app.command(help=_HELP)
def suspend(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[TABLE]...", help="The tables.", show_default=False),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Every table of the site.")] = False,
    reason: Annotated[
        str, typer.Option(help=f"What players are told: {', '.join(REASONS)}.")
    ] = "staff",
    badge: Badge = None,
    pin_stdin: PinStdin = False,
    config: Config = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a table.")] = False,
) -> None:
    """Suspend tables and show what each answered."""
    if reason not in REASONS:
        raise typer.BadParameter(f"players are told one of these words: {', '.join(REASONS)}")
    tables, faults = sound_tables(config) if every else ([], [])
    tables = tables or site_tables(config, names or [], every=False)
    told = _suspended(tables, reason, badge, pin_stdin=pin_stdin)
    _show(told, as_json=as_json)
    for fault in faults:
        typer.echo(f"not told, for its settings cannot be read: {fault}", err=True)
    if faults or any(one.takes_no_bets is None for one in told):
        raise typer.Exit(Exit.UNREACHABLE)
    if not all(one.takes_no_bets for one in told):
        raise typer.Exit(Exit.FAILED)


def _suspended(
    tables: list[TableSettings], reason: str, badge: str | None, *, pin_stdin: bool
) -> list[Told]:
    """Tell all of them at once, in the name of whoever has this badge."""
    guarded = [one for one in tables if one.log_in is LogIn.REQUIRED]
    with ThreadPoolExecutor(2 * len(tables)) as pool:
        # the first that answers is known by the time that the PIN is typed
        answering = {pool.submit(_answers, one): one for one in guarded}
        with _logged_in(answering, badge, Asking(pin_stdin=pin_stdin)) as person:
            waiting = [pool.submit(_suspend, one, person, reason) for one in tables]
            return [one.result() for one in waiting]


@contextmanager
def _logged_in(
    answering: dict[Future[bool], TableSettings], badge: str | None, asking: Asking
) -> Iterator[Person | None]:
    """One log-in for all tables; None where it needs none, or none of them answers."""
    if not answering:
        yield None
        return
    own = asking.text(badge, "your badge")
    pin = asking.secret("your PIN or password")
    first = next((answering[one] for one in as_completed(answering) if one.result()), None)
    if first is None:
        yield None
        return
    with Console.of(first, None) as desk:
        person = Person(desk, own, pin)
        try:
            yield person
        finally:
            person.log_out()


def _answers(settings: TableSettings) -> bool:
    try:
        with Console.of(settings, None) as desk:
            desk.picture()
    except (CommandFailed, KeysRefused):
        return False
    return True


def _suspend(settings: TableSettings, person: Person | None, reason: str) -> Told:
    """Suspend one table."""
    try:
        with Console.of(settings, None) as desk:
            if settings.log_in is LogIn.OPEN:
                answer = desk.tell(SuspendTable(by="staff", reason=reason))
            elif person is None:
                raise CommandFailed("no table answers at which you could log in")
            else:
                answer = person.tell_at(desk, SuspendTable(by=person.staff, reason=reason))
    except (CommandFailed, KeysRefused) as failed:
        return Told(table=settings.table, takes_no_bets=None, answer=str(failed))
    if not isinstance(answer, RefusalAnswer):
        return Told(table=settings.table, takes_no_bets=True, answer="suspended")
    already = _DONE_ALREADY.get(answer.code)
    if already is not None:
        return Told(table=settings.table, takes_no_bets=True, answer=already)
    return Told(table=settings.table, takes_no_bets=False, answer=answer.text)


def _show(told: list[Told], *, as_json: bool) -> None:
    if as_json:
        for one in told:
            write_json(one)
        return
    words = {True: "no bets", False: "REFUSED", None: "NO ANSWER"}
    drawn = Table(box=None, padding=(0, 2, 0, 0))
    for name in ("table", "", "answer"):
        drawn.add_column(name, overflow="fold")
    for one in told:
        drawn.add_row(one.table, words[one.takes_no_bets], one.answer)
    console().print(drawn)
