# SPDX-License-Identifier: Apache-2.0
"""``studio verify``: proof that a record is whole."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from studio.cli.exits import CommandFailed, Exit, taught
from studio.cli.output import console, write_json
from studio.cli.site import Config, TableName, table_settings
from studio.heads import HeadsCompared
from studio.store.database import StoreFailed
from studio.verify import EpochWalked, VerifyReport
from studio.verify import verify as verify_record

app = typer.Typer(rich_markup_mode="rich", add_completion=False)

_HELP = taught(
    "Walk both chains of a record, make every message again, deal every round again from its "
    "cards, and compare the reports with the journal. It only reads: the table may be running.",
    "Status 0 when the record is sound, 1 when it is not: then each fault is named with its place.",
    ("studio verify", "the site's table"),
    ("studio verify --heads /mnt/BAC-1.heads", "against what was kept outside"),
    ("studio verify -t BAC-1 --json", "the report as one JSON object"),
)


@app.command(help=_HELP)
def verify(
    config: Config = None,
    table: TableName = None,
    heads: Annotated[
        Path | None,
        typer.Option("--heads", metavar="FILE", help="Compare with the heads kept in this file."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Verify the record."""
    settings = table_settings(config, table)
    try:
        report = _walked(settings.database_url, settings.table, heads)
    except StoreFailed as failed:
        raise CommandFailed(str(failed)) from None
    except OSError as failed:
        reason = (failed.strerror or str(failed)).lower()
        raise CommandFailed(f"{heads}, the heads kept outside: {reason}") from None
    if as_json:
        write_json(report)
    else:
        _print(report)
    if not report.is_sound:
        raise typer.Exit(Exit.FAILED)


def _walked(url: str, table: str, heads: Path | None) -> VerifyReport:
    """Walk the record; a long walk shows on standard error, where that is a terminal."""
    if not sys.stderr.isatty():
        return verify_record(url, table, heads=heads)
    columns = (SpinnerColumn(), TextColumn("{task.completed:,} events"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("verify", total=None)
        return verify_record(url, table, lambda seen: progress.update(task, completed=seen), heads)


def _print(report: VerifyReport) -> None:
    out = console()
    for finding in report.findings:
        place = f"epoch {finding.epoch}, event {finding.seq}: " if finding.seq else ""
        out.print(f"{place}{finding.text}", soft_wrap=True)
    if report.epochs > 1:
        for number, epoch in enumerate(report.walked, 1):
            out.print(_epoch_line(number, epoch), soft_wrap=True)
    if report.heads is not None:
        out.print(_heads_line(report.heads), soft_wrap=True)
    walked = (
        f"table {report.table}: {report.events:,} events, {report.messages:,} public messages, "
        f"{report.rounds:,} rounds, epochs {report.epochs}"
    )
    if report.is_sound:
        out.print(f"SOUND  {walked}", soft_wrap=True)
        out.print(f"head of the public chain  {report.head}", soft_wrap=True)
        out.print(f"hash of the journal       {report.hash}", soft_wrap=True)
    else:
        out.print(f"NOT SOUND  {walked}; faults {len(report.findings)}", soft_wrap=True)


def _heads_line(heads: HeadsCompared) -> str:
    line = f"heads kept outside: {heads.lines:,} lines, {heads.differing:,} differ"
    if heads.differing:
        line += f", from line {heads.first_differing:,} on"
    if heads.last is not None:
        line += f"; the last is of event {heads.last.seq:,}, {heads.last.at:%Y-%m-%d %H:%M:%S} UTC"
    return line


def _epoch_line(number: int, epoch: EpochWalked) -> str:
    line = (
        f"epoch {number}, {epoch.epoch}: {epoch.events:,} events, "
        f"{epoch.messages:,} public messages"
    )
    begun = epoch.begun
    if begun is None:
        return line
    return (
        f"{line}; {begun.reason}, begun by {begun.by} after event {begun.from_seq:,} of the one "
        f"before"
    )
