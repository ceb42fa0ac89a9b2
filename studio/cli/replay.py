# SPDX-License-Identifier: Apache-2.0
"""``studio replay``: a round step by step, as its table saw it."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated
from zoneinfo import ZoneInfo

import typer
from rich.console import Console

from studio.cli.exits import CommandFailed, taught
from studio.cli.output import console, write_json
from studio.cli.replaying import Shown, final_line, lines_of, program_line, step_through, title_of
from studio.cli.site import Config, TableName, table_of, table_settings
from studio.cli.staff_accounts import PinStdin
from studio.cli.staff_entry import entry, kept
from studio.lookback.replay import Progress, Step, step_at, steps_of
from studio.lookback.round_record import RoundRecord, round_record
from studio.lookback.told import Names, game_of, head_of, told_of
from studio.settings import TableSettings, site_of
from studio.store.database import StoreFailed
from studio.store.history import History, RoundLine
from studio.wording import load_wording

app = typer.Typer(rich_markup_mode="rich", add_completion=False)

_HELP = taught(
    "Replay a round as its table saw it: each event with its time, the shoe's raw bytes, who did "
    "it, and the table after it; then every revision given later. It only reads, and says on each "
    "screen that it is a replay.",
    "In a terminal, arrows or Space step on and back, Home and End jump, q ends. Elsewhere, and "
    "with --list, all steps are printed.",
    ("studio replay BAC-1-20261129-0214", "step by step"),
    ("studio replay BAC-1-20261129-0214 --at 4711", "the table after event 4711"),
    ("studio replay -t BAC-1 --at 4711", "any event of the record, in a round or not"),
    ("studio replay BAC-1-20261129-0214 --json", "one JSON object an event"),
)


@app.command(help=_HELP)
def replay(
    round_id: Annotated[
        str | None,
        typer.Argument(metavar="[ROUND]", help="The round, as `studio rounds` lists it."),
    ] = None,
    config: Config = None,
    table: TableName = None,
    at: Annotated[
        int | None,
        typer.Option("--at", metavar="SEQ", min=1, help="Only the table after this event."),
    ] = None,
    epoch: Annotated[
        str | None,
        typer.Option(
            metavar="ID",
            help="The epoch that --at counts in; by default the round's, else the last one.",
        ),
    ] = None,
    listing: Annotated[bool, typer.Option("--list", help="Print all steps also here.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object an event.")] = False,
    own: Annotated[
        str | None,
        typer.Option("--as", metavar="BADGE", help="Your badge: names of staff are told as well."),
    ] = None,
    pin_stdin: PinStdin = False,
) -> None:
    """Replay it."""
    if round_id is None and at is None:
        raise typer.BadParameter("give a round, as `studio rounds` lists it, or --at SEQ")
    if table is None and config is None and round_id is not None:
        table = table_of(round_id)
    settings = table_settings(config, table)
    names = _names(settings, own, pin_stdin=pin_stdin)
    try:
        with History.open(settings.database_url, settings.table) as history:
            record = None if round_id is None else _record(history, round_id)
            steps = _steps(history, record, epoch, at)
            line = _game_at(history, steps[0]) if record is None else record.line
    except StoreFailed as failed:
        raise CommandFailed(str(failed)) from None
    if as_json:
        if record is not None and at is None:
            write_json(head_of(record, names))
        for step in steps:
            write_json(
                told_of(settings.table, step, None if line is None else game_of(line), names)
            )
        return
    zone = ZoneInfo(settings.studio.time_zone)
    wording = load_wording(site=site_of(settings.file))
    shown = Shown(settings.table, line, zone, names, wording)
    if at is None and not listing and sys.stdin.isatty() and sys.stdout.isatty():
        step_through(console(), shown, steps)
        return
    _print_lines(shown, steps)


def _names(settings: TableSettings, own: str | None, *, pin_stdin: bool) -> Names:
    """Who is who, for somebody who may look at the accounts; that they looked is kept."""
    if own is None and not pin_stdin:
        return {}
    with entry(settings.file, pin_stdin=pin_stdin) as call:
        accounts = kept(call.office.accounts(call.by(own), call.here))
    return {one.id: one.name for one in accounts}


def _record(history: History, round_id: str) -> RoundRecord:
    record = round_record(history, round_id)
    if record is None:
        raise CommandFailed(
            f"table {history.table} has no round {round_id}: `studio rounds` lists what there is"
        )
    return record


def _steps(
    history: History, record: RoundRecord | None, epoch: str | None, at: int | None
) -> list[Step]:
    """The steps that are asked for. Raises CommandFailed, StoreFailed."""
    with _folding() as progress:
        if record is not None and at is None:
            return list(steps_of(history, record, progress))
        known = history.epochs()
        if not known:
            raise CommandFailed(f"there is no record of table {history.table}")
        chosen = epoch or (known[-1] if record is None else record.entries[0].epoch)
        if chosen not in known:
            raise CommandFailed(f"no epoch {chosen}: table {history.table} has {', '.join(known)}")
        if record is not None:
            _refuse_other(record, chosen, at or 0)
        return [step_at(history, chosen, at or 0, progress)]


def _game_at(history: History, step: Step) -> RoundLine | None:
    """The round of an event, else the last one that began before it; None if there was none."""
    state, of_event = step.state, step.entry.row.round
    last = f"{history.table}-{state.round_day}-{state.round_number:04d}"
    return history.round_line(of_event or last)


def _refuse_other(record: RoundRecord, epoch: str, seq: int) -> None:
    """Raise CommandFailed for an event that is not of this round."""
    own = [one.row.seq for one in record.all if one.epoch == epoch]
    if seq not in own:
        told = f"from {own[0]} to {own[-1]}" if own else "none in that epoch"
        raise CommandFailed(
            f"event {seq} is not of round {record.round}, whose events are {told}: leave the round "
            f"out and say -t {record.table} to see any event"
        )


@contextmanager
def _folding() -> Iterator[Progress]:
    """Says on a terminal how far it is, where the nearest saved state is far away."""
    shown = Console(stderr=True)
    if not shown.is_terminal:
        yield lambda _events: None
        return
    with shown.status("reading") as status:
        yield lambda events: status.update(f"reading: {events:,} events")


def _print_lines(shown: Shown, steps: list[Step]) -> None:
    out = console()
    out.print(title_of(shown), soft_wrap=True)
    if shown.line is not None:
        out.print(final_line(shown.line), soft_wrap=True)
    out.print(program_line(steps[-1]), soft_wrap=True)
    for step in steps:
        for line in lines_of(shown, step):
            out.print(line, soft_wrap=True)
