# SPDX-License-Identifier: Apache-2.0
"""``studio conformance``: a front-end, in any language, against a studio where all goes wrong."""

import sys
from collections.abc import Sequence
from importlib import resources
from typing import Annotated, Any

import typer
from rich.style import Style
from rich.table import Table
from rich.text import Text
from typer.core import TyperCommand

from studio.cli.exits import CommandFailed, Exit, taught
from studio.cli.output import console, write_json
from studio.cli.signals import stopping_on_signals
from studio.conformance.cases import CASES, Case
from studio.conformance.child import CannotStart
from studio.conformance.run import Mark, Row, Setup, rows
from studio.conformance.stage import PATIENCE
from studio.inbox import Stopping

app = typer.Typer(rich_markup_mode="rich", add_completion=False)

_STYLES = {
    Mark.PASSED: Style(color="bright_green"),
    Mark.FAILED: Style(color="bright_red", bold=True),
    Mark.NOT_RUN: Style(color="bright_yellow"),
}
_COMMAND = "studio.conformance.command"

_HELP = taught(
    "Put a front-end, in any language, through losses, repeats, restarts, amendments, voids, a "
    "silent studio and an impostor, and print a pass sheet. The studio is a false one on real "
    "sockets of this machine; what it says was said by a real table.",
    "The front-end is started anew for each case, with these in its environment: "
    "[b]SABOT_TABLE[/b], [b]SABOT_ENVIRONMENT[/b] (which one to expect), [b]SABOT_EVENTS[/b] and "
    "[b]SABOT_REQUESTS[/b] (the sockets); unless --no-keys, [b]SABOT_SERVER_KEY[/b], "
    "[b]SABOT_PUBLIC_KEY[/b] and [b]SABOT_SECRET_KEY[/b] (CURVE, in Z85; made for this run) and "
    "[b]SABOT_KEY_FOLDER[/b] (the same for ClientKeys.load); unless --no-signing, "
    "[b]SABOT_SIGNING_KEY[/b] (Ed25519, in hex).",
    "On standard output it prints its view whenever that has changed, also as time passes, one "
    "JSON object a line, flushed; whatever else it has to say goes to standard error:",
    '{"table": "BAC-1", "epoch": "3c1f...", "seq": 21, "open": false, "round": "BAC-1-...-0003", '
    '"results": {"BAC-1-...-0002": {"revision": 2, "outcome": "tie", "paid": {"player": "0", '
    '"tie": "8"}}}, "unknown": \\[], "status": "live"}',
    "[b]epoch[/b], [b]seq[/b]: the last message counted in; epoch null before it has joined. "
    "[b]open[/b]: would it take a bet now? [b]round[/b]: the one under way, or null. "
    "[b]results[/b]: every round it knows, those of the snapshot included; [b]revision[/b] the one "
    "it went by, [b]outcome[/b] null for a void, [b]paid[/b] all that it has paid in the end for "
    "one unit staked on each bet (some bets will do). [b]unknown[/b]: rounds that it suspended, "
    "since the studio knows them no more. [b]status[/b]: free words, but [b]refused[/b] for a "
    "table of another environment. The last two may be left out.",
    ("studio conformance -- node frontend.js", "all cases"),
    ("studio conformance stale dropped -- ./frontend", "these two"),
    ("studio conformance --json -- ./frontend", "one JSON object for each case"),
    ("studio conformance --list", "the cases, and the rule of each"),
    ("studio conformance --example", "a front-end in Python that passes"),
)


class _Split(TyperCommand):
    """What stands after ``--`` is the front-end's command, with options of its own."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if "--" in args:
            at = args.index("--")
            ctx.meta[_COMMAND] = tuple(args[at + 1 :])
            args = args[:at]
        rest: list[str] = super().parse_args(ctx, args)
        return rest


@app.command(cls=_Split, help=_HELP)
def conformance(
    ctx: typer.Context,
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME]... -- COMMAND...", help="Only these cases."),
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="List the cases.")] = False,
    example: Annotated[
        bool, typer.Option("--example", help="Print a front-end in Python that passes.")
    ] = False,
    keys: Annotated[
        bool, typer.Option("--keys/--no-keys", help="CURVE with keys made for the run, or none.")
    ] = True,
    signing: Annotated[
        bool, typer.Option("--signing/--no-signing", help="Whether heartbeats are signed.")
    ] = True,
    patience: Annotated[
        float,
        typer.Option(min=4.0, metavar="SECONDS", help="How long to wait for what must be said."),
    ] = PATIENCE,
    at_once: Annotated[
        int, typer.Option("--at-once", min=1, max=16, help="So many cases at a time.")
    ] = 4,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> None:
    """List cases, or run them."""
    if example:
        text = resources.files("studio.conformance").joinpath("front_end.py").read_text("utf-8")
        sys.stdout.write(text)
        return
    cases = _chosen(names or [])
    if listed:
        _list(cases, as_json=as_json)
        return
    command: tuple[str, ...] = ctx.meta.get(_COMMAND, ())
    if not command:
        raise CommandFailed(
            "say which front-end to start: studio conformance -- COMMAND...", Exit.BAD_SETTINGS
        )
    setup = Setup(
        command=command, patience=patience, is_keyed=keys, is_signed=signing, at_once=at_once
    )
    with stopping_on_signals() as stopping:
        sheet = _run(cases, setup, stopping, as_json=as_json)
    if stopping.is_set():
        raise typer.Exit(Exit.INTERRUPTED)
    if any(row.mark is Mark.FAILED for row in sheet):
        raise typer.Exit(Exit.FAILED)


def _chosen(names: Sequence[str]) -> list[Case]:
    wrong = sorted(set(names) - {case.name for case in CASES})
    if wrong:
        text = f"no case {', '.join(wrong)}: see `studio conformance --list`"
        raise CommandFailed(f"{text}; the front-end's command comes after --", Exit.BAD_SETTINGS)
    return [case for case in CASES if not names or case.name in names]


def _list(cases: Sequence[Case], *, as_json: bool) -> None:
    if as_json:
        for case in cases:
            told = {"case": case.name, "done": case.done, "expected": case.expected}
            write_json({**told, "rule": case.rule, "needs": case.needs.value or None})
        return
    table = _table("case", "what is done", "what is expected", "the rule")
    for case in cases:
        table.add_row(case.name, case.done, case.expected, case.rule)
    console().print(table)


def _run(cases: Sequence[Case], setup: Setup, stopping: Stopping, *, as_json: bool) -> list[Row]:
    sheet = []
    try:
        for row in rows(cases, setup, stopping):
            sheet.append(row)
            if as_json:
                write_json(row)
    except CannotStart as fault:
        raise CommandFailed(f"the front-end cannot be started: {fault}") from None
    if not as_json:
        _show(sheet)
    return sheet


def _show(sheet: Sequence[Row]) -> None:
    table = _table("case", "", "done", "expected", "the front-end said", "the rule")
    for row in sheet:
        mark = Text(row.mark.value, _STYLES[row.mark])
        texts = (Text(text) for text in (row.done, row.expected, row.said, row.rule))
        table.add_row(row.case, mark, *texts)
    console().print(table)
    count = {mark: sum(row.mark is mark for row in sheet) for mark in Mark}
    failed = ", ".join(row.case for row in sheet if row.mark is Mark.FAILED)
    text = f"{count[Mark.PASSED]} of {len(sheet)} passed"
    if count[Mark.NOT_RUN]:
        text += f", {count[Mark.NOT_RUN]} not run"
    console().print(f"{text}; failed: {failed}" if failed else text)


def _table(*columns: str) -> Table:
    table = Table(box=None, padding=(0, 2, 1, 0))
    for one in columns:
        table.add_column(one, overflow="fold", no_wrap=one in {"case", ""})
    return table
