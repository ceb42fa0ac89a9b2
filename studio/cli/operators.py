# SPDX-License-Identifier: Apache-2.0
"""``studio operators``: which betting operators have yet to acknowledge which corrections."""

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import Annotated

import msgspec
import typer
from rich.table import Table

from studio.cli.exits import CommandFailed, Exit, taught
from studio.cli.output import console, write_json
from studio.cli.site import Config, TableName, known_site, table_settings
from studio.feed.access import What, read_access
from studio.feed.acknowledgements import (
    MOST_TOLD,
    Book,
    Confirmed,
    Correction,
    KeyState,
    Operator,
    Waiting,
    overdue,
)
from studio.feed.allowed import Kind, read_allowed
from studio.feed.asks import encode
from studio.feed.client import Client, NoAnswer
from studio.feed.guard import PUBLIC
from studio.feed.keys import KeysRefused
from studio.feed.staff import AskStaffSnapshot, StaffSnapshot, read_answer
from studio.keyed import (
    access_folder,
    client_keys,
    key_folder,
    operator_database_url,
    wants_keys,
)
from studio.settings import TableSettings
from studio.store.database import StoreFailed
from studio.store.history import History
from studio.store.operator_book import acknowledged_at

app = typer.Typer(rich_markup_mode="rich", add_completion=False)

_HELP = taught(
    "Every betting operator of a table: whether its key is in force, whether it is connected or "
    "when it was seen last, and which amended results and voids it has not acknowledged yet, "
    "oldest first. It only reads: the table may be running.",
    "Status 1 when an operator whose key is in force has let one wait for longer than "
    "acknowledge_seconds of the studio's settings.",
    ("studio operators", "at every table of the site"),
    ("studio operators --table BAC-1 --json", "an object for each operator, for a monitor"),
)


_ANSWER_SECONDS = 1.0


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """An operator at a table. ``connected`` is None where the service does not answer."""

    table: str
    operator: str
    key: KeyState
    revoked: datetime | None
    connected: bool | None
    seen: datetime | None
    late: bool
    outstanding: int
    waiting: tuple[Waiting, ...]


@app.command(help=_HELP)
def operators(
    config: Config = None,
    table: TableName = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object an operator.")] = False,
) -> None:
    """Print the operators."""
    lines: list[Line] = []
    for settings in _tables(config, table):
        if wants_keys(settings):
            lines += _lines(settings)
        elif not as_json:
            text = "no keys are asked for, so that there are no operators"
            console().print(f"table {settings.table}: {text}", soft_wrap=True)
    if as_json:
        for one in lines:
            write_json(one)
    elif lines:
        console().print(_drawn(lines))
    if any(one.late for one in lines):
        raise typer.Exit(Exit.FAILED)


def _tables(config: Config, table: str | None) -> list[TableSettings]:
    site = known_site()
    if config is None and table is None and site is not None:
        names = sorted(file.stem for file in site.glob("tables/*.toml"))
        if names:
            return [table_settings(None, name) for name in names]
    return [table_settings(config, table)]


def _lines(settings: TableSettings) -> list[Line]:
    try:
        found = _operators(settings)
    except StoreFailed as failed:
        raise CommandFailed(f"table {settings.table}: {failed}") from None
    connected, now = _connected(settings), datetime.now(UTC)
    seen = {
        one.who: one.at
        for one in read_access(access_folder(settings.studio))
        if (one.table, one.side) == (settings.table, PUBLIC) and one.what is not What.REFUSED
    }
    seconds = settings.studio.operators.acknowledge_seconds
    return [
        Line(
            table=settings.table,
            operator=one.name,
            key=one.key,
            revoked=one.revoked,
            connected=None if connected is None else one.name in connected,
            seen=seen.get(one.name),
            late=overdue(one, seconds, now),
            outstanding=one.outstanding,
            waiting=one.waiting,
        )
        for one in found
    ]


def _operators(settings: TableSettings) -> Sequence[Operator]:
    """What record, list of keys and acknowledgements say, whether the table runs or not."""
    book = Book()
    with History.open(settings.database_url, settings.table) as history:
        for line in history.corrections():
            book.correct(Correction(*line[:4], datetime.fromisoformat(line.at)))
    url = operator_database_url(settings.studio)
    for given in acknowledged_at(url, settings.table):
        book.confirm(Confirmed(*given))
    rows = read_allowed(key_folder(settings.studio))
    return book.operators([one for one in rows if one.kind is Kind.OPERATOR])


def _connected(settings: TableSettings) -> Collection[str] | None:
    """Who is connected now, which the table's service alone knows; None if it does not answer."""
    address = settings.feed.staff_requests
    if address.endswith("*"):
        return None
    ask = encode(AskStaffSnapshot(id="operators", table=settings.table))
    try:
        with Client(address, client_keys(settings)) as client:
            answer = read_answer(client.ask(ask, _ANSWER_SECONDS))
    except (NoAnswer, KeysRefused, ValueError):
        return None
    known = answer.acknowledgements if isinstance(answer, StaffSnapshot) else None
    return None if known is None else [one.name for one in known.operators if one.connected]


def _drawn(lines: Sequence[Line]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    for name in ("table", "operator", "key", "connected", "not acknowledged", "since (UTC)", ""):
        table.add_column(name, overflow="fold")
    for one in lines:
        key = "in force" if one.revoked is None else f"revoked {one.revoked:%Y-%m-%d %H:%M}"
        rows = [_told(each) for each in one.waiting[:MOST_TOLD]] or [("nothing", "")]
        if one.outstanding > MOST_TOLD:
            rows.append((f"and {one.outstanding - MOST_TOLD} more", ""))
        late = "late" if one.late else ""
        table.add_row(one.table, one.operator, key, _seen(one), *rows[0], late)
        for row in rows[1:]:
            table.add_row("", "", "", "", *row)
    return table


def _seen(one: Line) -> str:
    if one.connected:
        return "connected"
    seen = "never seen" if one.seen is None else f"seen {one.seen:%Y-%m-%d %H:%M}"
    return f"no, {seen}" if one.connected is False else seen


def _told(one: Waiting) -> tuple[str, str]:
    kind = "void" if one.type == "round_voided" else "amended"
    return f"{one.round} rev {one.revision} {kind}", f"{one.since:%m-%d %H:%M:%S}"
