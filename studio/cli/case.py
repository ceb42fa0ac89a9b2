# SPDX-License-Identifier: Apache-2.0
"""``studio case``: what operators dispute of rounds that can no longer be amended.

What changes anything asks for the badge and the secret of whoever does it, and is kept in the
staff's database, case and log.
"""

from collections.abc import Iterator
from datetime import date, datetime
from typing import Annotated
from zoneinfo import ZoneInfo

import msgspec
import typer
from rich.table import Table

from studio.cli.exits import CommandFailed, Exit, taught
from studio.cli.output import console, write_json
from studio.cli.site import Config, TableName, studio_settings, table_of, table_settings
from studio.cli.staff_accounts import As, PinStdin
from studio.cli.staff_entry import entry, kept, store_told
from studio.game.events import ResultAmended, ResultConfirmed
from studio.lookback.round_record import RoundRecord, round_record
from studio.settings import TableSettings
from studio.staff.case_book import CaseBook
from studio.staff.cases import Case, CaseEntry, NewCase, cases_in
from studio.staff.door import utc_now
from studio.store.history import History
from studio.store.staff_book import StaffBook

app = typer.Typer(
    rich_markup_mode="rich",
    add_completion=False,
    no_args_is_help=True,
    help=taught(
        "Disputes about rounds that can no longer be amended: an operator's reference, the day by "
        "which it is answered, and the finding. Each case is a part of its round's evidence.",
        "Entries are kept for ever, with who made them. Supervisors open and note cases, managers "
        "close them too.",
        ("studio case open ROUND --operator acme --reference D-77 --as 500", "due in three days"),
        ("studio case note c-0001 'video seen, sent to acme' --as 500", "also another day: --due"),
        ("studio case close c-0001 --finding 'dealt as recorded' --as 900", "a manager"),
        ("studio case list --open", "status 1 if one is overdue"),
    ),
)

WhichCase = Annotated[str, typer.Argument(metavar="CASE", help="The case, as c-0001.")]


def _a_day(text: str | None) -> date | None:
    try:
        return None if text is None else date.fromisoformat(text)
    except ValueError:
        raise typer.BadParameter(f'"{text}": give a day as in 2026-11-30') from None


Due = Annotated[
    str | None, typer.Option(metavar="YYYY-MM-DD", help="The day by which it is answered.")
]


@app.command(
    help=taught(
        "Open a case about a round. It is due in three calendar days, or on the day that --due "
        "says. As long as the round can be amended or voided, that comes first.",
        ("studio case open BAC-1-20261129-0214 --operator acme --reference D-77 --as 500", "a PIN"),
    )
)  # fmt: skip
def open(  # noqa: A001 - the name of the command
    round_id: Annotated[str, typer.Argument(metavar="ROUND", help="The round's id.")],
    operator: Annotated[str, typer.Option(help="Which operator disputes it.")],
    reference: Annotated[str, typer.Option(help="The operator's own reference.")],
    claim: Annotated[str, typer.Option(help="What the operator says.")] = "",
    due: Due = None,
    while_amendable: Annotated[
        bool, typer.Option("--while-amendable", help="Although the round can still be amended.")
    ] = False,
    own: As = None,
    pin_stdin: PinStdin = False,
    config: Config = None,
    table: TableName = None,
) -> None:
    """Open a case."""
    day = _a_day(due)
    settings = table_settings(config, table or (None if config else table_of(round_id)))
    _refuse_too_early(settings, round_id, while_amendable=while_amendable)
    new = NewCase(
        table=settings.table,
        round=round_id,
        operator=operator,
        reference=reference,
        claim=claim,
        due=day,
    )
    zone = ZoneInfo(settings.studio.time_zone)
    with entry(settings.file, pin_stdin=pin_stdin) as call:
        made = kept(CaseBook(call.door, zone).open(call.by(own), new, call.here))
    _say(f"{made.case} is opened on round {round_id}, due on {made.due}")


@app.command(
    help=taught(
        "Add a note to an open case; with --due also another day by which it is answered.",
        ("studio case note c-0001 'video seen' --as 500", "asks for your PIN"),
    )
)
def note(
    case: WhichCase,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What was seen, said or done.")],
    due: Due = None,
    own: As = None,
    pin_stdin: PinStdin = False,
    config: Config = None,
) -> None:
    """Note something."""
    day, zone = _a_day(due), ZoneInfo(studio_settings(config).time_zone)
    with entry(config, pin_stdin=pin_stdin) as call:
        made = kept(CaseBook(call.door, zone).note(call.by(own), case, text, call.here, day))
    _say(f"{made.case} has the note, due on {made.due}")


@app.command(
    help=taught(
        "Close a case with its finding. A closed case stays as it is.",
        ("studio case close c-0001 --finding 'dealt as recorded' --as 900", "a manager"),
    )
)
def close(
    case: WhichCase,
    finding: Annotated[str, typer.Option(help="What was found, as the operator is told it.")],
    own: As = None,
    pin_stdin: PinStdin = False,
    config: Config = None,
) -> None:
    """Close a case."""
    zone = ZoneInfo(studio_settings(config).time_zone)
    with entry(config, pin_stdin=pin_stdin) as call:
        made = kept(CaseBook(call.door, zone).close(call.by(own), case, finding, call.here))
    _say(f"{made.case} is closed")


class _Line(msgspec.Struct, frozen=True, kw_only=True):
    """A case as it is listed."""

    case: str
    round: str
    operator: str
    reference: str
    stands: str
    opened: str
    due: str
    is_overdue: bool
    entries: tuple[CaseEntry, ...]

    @classmethod
    def of(cls, case: Case, at: datetime, zone: ZoneInfo) -> "_Line":
        overdue = case.is_overdue(at, zone)
        stands = "open" if case.is_open else "closed"
        if overdue:
            stands = "OVERDUE" if case.is_open else "closed late"
        first, last = case.first, case.last
        return cls(
            case=first.case,
            round=first.round,
            operator=first.operator,
            reference=first.reference,
            stands=stands,
            opened=f"{first.at.astimezone(zone):%Y-%m-%d}",
            due=last.due.isoformat(),
            is_overdue=overdue and case.is_open,
            entries=case.entries,
        )


@app.command(
    "list",
    help=taught(
        "The cases of all rounds, or of one, overdue first. Status 1 if an open one is overdue.",
        ("studio case list --open", "those that wait for their finding"),
        ("studio case list BAC-1-20261129-0214 --json", "with every entry"),
    ),
)
def list_(
    round_id: Annotated[
        str | None, typer.Argument(metavar="[ROUND]", help="Only of this round.")
    ] = None,
    is_open: Annotated[bool, typer.Option("--open", help="Only those that are open.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a case.")] = False,
    config: Config = None,
) -> None:
    """List the cases."""
    studio = studio_settings(config)
    with store_told(), StaffBook.open(studio.staff_database_url).reading() as page:
        found = cases_in(page.case_entries())
    at, zone = utc_now(), ZoneInfo(studio.time_zone)
    lines = [
        _Line.of(one, at, zone)
        for one in found
        if round_id in (None, one.first.round) and (one.is_open or not is_open)
    ]
    lines.sort(key=lambda one: (not one.is_overdue, one.stands != "open", one.due))
    for line in lines if as_json else ():
        write_json(line)
    if not as_json:
        console().print(_drawn(lines) if lines else "no case")
    if any(line.is_overdue for line in lines):
        raise typer.Exit(Exit.FAILED)


def _drawn(lines: list[_Line]) -> Table:
    table = Table("case", "round", "operator", "reference", "stands", "due", "last entry")
    for one in lines:
        last = one.entries[-1]
        said = f"{last.act.value} by {last.by}: {last.text}" if last.text else last.act.value
        style = "bold red" if one.is_overdue else ""
        names = (one.case, one.round, one.operator, one.reference, one.stands, one.due)
        table.add_row(*names, said, style=style)
    return table


def _refuse_too_early(settings: TableSettings, round_id: str, *, while_amendable: bool) -> None:
    """A round that is not on record has no case; one that can be amended is amended first."""
    with store_told(), History.open(settings.database_url, settings.table) as history:
        record = round_record(history, round_id)
    if record is None:
        text = f"table {settings.table} has no round {round_id}: `studio history` lists them"
        raise CommandFailed(text)
    if not record.is_closed:
        raise CommandFailed(f"round {round_id} is not over: rule on it at its table")
    until = next(_amendable_until(record), None)
    if until is not None and utc_now() <= until and not while_amendable:
        raise CommandFailed(
            f"round {round_id} can be amended or voided until {until:%Y-%m-%d %H:%M:%S} UTC: if "
            "its result is wrong, `studio command amend_round` or `void_round`; to open a case "
            "all the same, say --while-amendable"
        )


def _amendable_until(record: RoundRecord) -> Iterator[datetime]:
    """Until when the revision that stands can be followed by another; nothing for a void."""
    for _entry, event in record.revisions[-1:]:
        if isinstance(event, ResultConfirmed | ResultAmended):
            yield event.amendable_until


def _say(text: str) -> None:
    console().print(text, soft_wrap=True, markup=False)
