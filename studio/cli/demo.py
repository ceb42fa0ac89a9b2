# SPDX-License-Identifier: Apache-2.0
"""``studio demo``: a table to look at, or to deal at.

In a terminal: simulator, service, automatic dealer and subscriber, each its own process. With a
screen the person is the dealer: simulator, service and the dealer's console.
"""

import os
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from studio.cli.children import Child
from studio.cli.demo_console import has_console
from studio.cli.demo_misdeal import (
    LIST,
    MisdealCommand,
    chosen_misdeals,
    deal,
    list_misdeals,
    tell,
)
from studio.cli.exits import CommandFailed, Exit, taught
from studio.cli.output import console
from studio.cli.signals import stopping_on_signals
from studio.demo import TABLE, shoe_link, write_site
from studio.inbox import Stopping
from studio.settings import SITE_VARIABLE, load_table
from studio.store.schema import create
from studio.verify import verify

app = typer.Typer(rich_markup_mode="rich", add_completion=False)

FREE = "127.0.0.1:0"
_LOOK_SECONDS = 0.02

_HELP = taught(
    "You deal Punto Banco: the dealer's console opens, a key pulls the next card of a simulated "
    "shoe. Without a screen a table deals in this terminal: bytes leave a simulated shoe on a "
    "serial line, every card is judged, stored, and put on air; a subscriber shows what it hears.",
    "Everything lives in a temporary folder and on free ports, and is gone when it ends.",
    ("studio demo", "the console where there is a screen, else ten rounds in the terminal"),
    ("studio demo --no-console", "ten rounds in the terminal, four times as fast as live"),
    ("studio demo --rounds 3 --speed 1", "three rounds in the terminal at a live pace"),
    ("studio demo --seed 7", "other cards"),
    ("studio demo --speed 0 --json", "the public messages, as fast as the line allows"),
    ("studio demo --misdeal", "misdeals, one after another, and what to do about each"),
    ("studio demo --misdeal misread", "this one; `--misdeal list` names them all"),
)


@app.command(help=_HELP, cls=MisdealCommand)
def demo(
    rounds: Annotated[
        int | None,
        typer.Option(
            min=1, help="How many rounds are dealt in the terminal; 10, or those of the console."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same cards.")] = 1,
    speed: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=1e6,
            help="1 is live, as at the console; 4 in the terminal if absent; 0 without betting "
            "time, guard or pauses.",
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Only the public messages, one a line.")
    ] = False,
    with_console: Annotated[
        bool | None,
        typer.Option(
            "--console/--no-console",
            help="Open the dealer's console; absent: where there is a screen and PyQt6.",
        ),
    ] = None,
    misdeal: Annotated[
        str | None,
        typer.Option(
            metavar="[NAME]", help="Try misdeals: this one, all without a name, or `list` them."
        ),
    ] = None,
) -> None:
    """Show the table until the rounds are dealt, or let the person deal until they have enough."""
    is_shown = rounds is not None or as_json
    if with_console and is_shown:
        raise CommandFailed(
            "--rounds and --json belong to the demonstration in the terminal, where nobody deals: "
            "leave out --console",
            Exit.BAD_SETTINGS,
        )
    if misdeal is not None and is_shown:
        raise CommandFailed("--misdeal goes with neither --rounds nor --json", Exit.BAD_SETTINGS)
    if misdeal == LIST:
        list_misdeals()
        return
    chosen = None if misdeal is None else chosen_misdeals(misdeal, seed)
    at_console = has_console() if with_console is None and not is_shown else bool(with_console)
    with stopping_on_signals() as stopping, tempfile.TemporaryDirectory(prefix="sabot-") as folder:
        home = Path(folder)
        if at_console:
            status = deal(home, stopping, chosen, seed=seed, speed=1.0 if speed is None else speed)
        elif chosen is not None:
            status = tell(chosen, stopping, seed=seed, speed=1.0 if speed is None else speed)
        else:
            pace = 4.0 if speed is None else speed
            shown = _Demonstration(home, stopping, as_json=as_json)
            status = shown.run(rounds or 10, seed, pace)
    if status:
        raise typer.Exit(status)


class _Demonstration:
    """The four processes in their folder."""

    def __init__(self, folder: Path, stopping: Stopping, *, as_json: bool) -> None:
        self._folder = folder
        self._stopping = stopping
        self._as_json = as_json
        self._children: list[Child] = []

    def run(self, rounds: int, seed: int, speed: float) -> int:
        """Start, show, stop; the exit status."""
        file = write_site(self._folder / "site", speed)
        settings = load_table(file)
        create(settings.database_url, settings.table)
        with ExitStack() as ending:
            try:
                self._start(ending, file, rounds, seed, speed)
                status = self._watch()
            except CommandFailed:
                if not self._stopping.is_set():
                    raise
                status = 0
        if self._stopping.by is not None:
            return 128 + self._stopping.by
        if status == Exit.DONE:
            self._prove(settings.database_url)
        return status

    def _start(self, ending: ExitStack, file: Path, rounds: int, seed: int, speed: float) -> None:
        link = str(shoe_link(file.parent.parent))
        own = ["-c", str(file)]
        pace = f"{speed:g}"
        shoe = self._child(
            ending,
            "shoe",
            ["sim", *own, "--control", FREE, "--seed", str(seed), "--speed", pace],
        ).endpoints(self._stopping)
        if shoe["pty"] != link:
            raise CommandFailed(f"the simulated shoe is at {shoe['pty']}, not at {link}")
        table = self._child(ending, "service", ["serve", *own]).endpoints(self._stopping)
        how = ["--json"] if self._as_json else []
        self._child(
            ending,
            "subscriber",
            [
                *("watch", "--environment", "test", "--requests", table["public_requests"]),
                *("--from-start", "--until-closed", *how),
            ],
            shows=True,
        )
        self._child(
            ending,
            "dealer",
            [
                *("dealer", *own, "--staff-requests", table["staff_requests"], "--pace", pace),
                *("--control", shoe["control"], "--rounds", str(rounds), "--quiet"),
            ],
        )

    def _child(
        self, ending: ExitStack, name: str, arguments: list[str], *, shows: bool = False
    ) -> Child:
        environ = os.environ | {SITE_VARIABLE: str(self._folder / "site")}
        child = Child(name, arguments, self._folder, environ, shows=shows)
        ending.callback(child.stop)
        self._children.append(child)
        return child

    def _watch(self) -> int:
        """Wait for the subscriber to see the table close; any other end is a failure."""
        *others, _dealer = (one for one in self._children if one.name != "subscriber")
        subscriber = next(one for one in self._children if one.name == "subscriber")
        while not self._stopping.is_set():
            status = subscriber.status()
            if status in (Exit.DONE, Exit.NOBODY_READS):
                return status
            for child in self._children:
                ended = child.status()
                if ended is not None and (ended != 0 or child in others or child is subscriber):
                    raise child.failure()
            self._stopping.wait(_LOOK_SECONDS)
        return Exit.DONE

    def _prove(self, url: str) -> None:
        """What was shown is what the record holds: walk its chains, deal its rounds again."""
        report = verify(url, TABLE)
        if not report.is_sound:
            raise CommandFailed(f"the record is not sound: {report.findings[0].text}")
        if not self._as_json:
            console().print(
                f"\n {report.messages} public messages and {report.events} events are on record: "
                "both chains are whole,\n and every result follows from its cards.\n"
                " Next: `studio init --simulated` sets up a table to keep.",
                soft_wrap=True,
            )
            sys.stdout.flush()
