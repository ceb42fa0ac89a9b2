# SPDX-License-Identifier: Apache-2.0
"""``studio history``: the rounds of a record."""

from datetime import date
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from studio.cli.exits import CommandFailed, taught
from studio.cli.output import console, write_json
from studio.cli.site import Config, TableName, table_settings
from studio.game.cards import Card
from studio.store.database import StoreFailed
from studio.store.history import History, RoundLine
from studio.store.reports import RoundStatus
from studio.terminal_cards import short

app = typer.Typer(rich_markup_mode="rich", add_completion=False)

_HELP = taught(
    "List the rounds of a record, newest first, each with the result that stands. It only reads: "
    "the table may be running.",
    ("studio history", "the last fifty rounds"),
    ("studio history --day 20261129 --limit 500", "those of a gaming day"),
    ("studio history --status void --json", "one JSON object a round, for a program"),
)


def _a_day(text: str | None) -> str | None:
    try:
        if text is not None and date.fromisoformat(text).strftime("%Y%m%d") == text:
            return text
    except ValueError:
        pass
    if text is not None:
        raise typer.BadParameter(f'"{text}": give a day as in 20261129')
    return None


@app.command(help=_HELP)
def history(
    config: Config = None,
    table: TableName = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="At most so many.")] = 50,
    day: Annotated[
        str | None,
        typer.Option(metavar="YYYYMMDD", help="Only those of this gaming day.", callback=_a_day),
    ] = None,
    status: Annotated[RoundStatus | None, typer.Option(help="Only those that ended so.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a round.")] = False,
) -> None:
    """Print the rounds."""
    settings = table_settings(config, table)
    try:
        with History.open(settings.database_url, settings.table) as record:
            rounds = record.rounds(limit, day, None if status is None else status.value)
    except StoreFailed as failed:
        raise CommandFailed(str(failed)) from None
    if as_json:
        for one in rounds:
            write_json(one._asdict())
    elif rounds:
        console().print(_drawn(rounds))
    else:
        console().print(f"table {settings.table}: no round that fits")


def _drawn(rounds: list[RoundLine]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    for name in ("round", "opened (UTC)", "result", "player", "banker", "rev", ""):
        table.add_column(name, no_wrap=True)
    for one in rounds:
        table.add_row(
            one.round,
            one.opened_at[:19].replace("T", " "),
            _result(one),
            _hand(one.player),
            _hand(one.banker),
            str(one.revision) if one.revision > 1 else "",
            one.reason or "",
        )
    return table


def _result(one: RoundLine) -> str:
    if one.outcome is None:
        return one.status
    return f"{one.outcome} {one.player_total}-{one.banker_total}"


def _hand(codes: str | None) -> Text:
    return Text(" ").join(short(Card(code)) for code in (codes or "").split())
