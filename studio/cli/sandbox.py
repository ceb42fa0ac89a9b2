# SPDX-License-Identifier: Apache-2.0
"""``studio sandbox``: tables behind keys for a front-end to be tried on, and what befalls them.

For the engineer of an operator, at a terminal or from a script.
"""

import contextlib
import os
import select
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, TextIO

import typer

from studio.cli import sandbox_line as line
from studio.cli.exits import CommandFailed, Exit, taught
from studio.cli.output import console, write_json
from studio.cli.sandbox_site import PORTS_A_TABLE, Site
from studio.cli.sandbox_table import SandboxTable, end
from studio.cli.signals import stopping_on_signals
from studio.inbox import Stopping
from studio.sandbox import ABOUT, Answer, NoTrigger, trigger_of

_MOST_TABLES = 20
_LOOK_SECONDS = 0.1
_OPERATOR = "integrator"
_TRIGGERS = "\b\n" + "\n".join(
    f"[b]{kind.value}[/b]  {about.does}\n    {about.heard}" for kind, about in ABOUT.items()
)

_HELP = taught(
    "Simulated tables behind keys, to try a front-end against: real services on CURVE sockets, "
    "environment `test`, dealt by an automatic dealer. It makes the operator's keys, prints how to "
    "connect, and waits for what you trigger, typed here or from another terminal.",
    _TRIGGERS,
    "Each may name a table: `void BAC-2`; else it is the first. Ctrl-C ends all of it. Nothing is "
    "left running, and without --folder nothing is left at all.",
    ("studio sandbox", "two tables at a live pace, and how to connect"),
    ("studio sandbox --speed 5 --operator acme", "faster; the keys of acme"),
    ("studio sandbox --folder box --json", "for a script: a line of JSON when all tables deal"),
    ("studio sandbox trigger --folder box BAC-1 amend", "from another terminal, or a CI"),
)

app = typer.Typer(rich_markup_mode="rich", add_completion=False, help=_HELP)

AsJson = Annotated[bool, typer.Option("--json", help="For a program: one line of JSON.")]


@app.callback(invoke_without_command=True)
def sandbox(
    context: typer.Context,
    tables: Annotated[
        int, typer.Option(min=1, max=_MOST_TABLES, help="How many tables: BAC-1, BAC-2 and so on.")
    ] = 2,
    folder: Annotated[
        Path | None,
        typer.Option(help="Where keys, settings and records go, and stay; new or empty."),
    ] = None,
    operator: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help=f"Who connects; repeat for more. Else {_OPERATOR}."),
    ] = None,
    speed: Annotated[
        float, typer.Option(min=0, max=1e6, help="1 is live; 0 without any waiting.")
    ] = 1.0,
    first_port: Annotated[
        int | None,
        typer.Option(
            min=1024,
            max=65535 - PORTS_A_TABLE * _MOST_TABLES,
            help=f"First of BAC-1's four ports; BAC-2's are {PORTS_A_TABLE} above. Else free ones.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same cards.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Serve the tables until stopped."""
    if context.invoked_subcommand is not None:
        return
    say = _speaker(is_silent=as_json)
    with stopping_on_signals() as stopping, ExitStack() as ending:
        place = ending.enter_context(_place(folder))
        try:
            site = Site(place, tables, speed, first_port)
            operators = {name: site.operator(name) for name in operator or [_OPERATOR]}
            say(f"made keys and records in {place}")
            calls = line.Line(place)
            ending.callback(calls.close)
            served: dict[str, SandboxTable] = {}
            ending.callback(end, served.values())
            for number, name in enumerate(site.names):
                served[name] = SandboxTable(site, name, stopping, seed=seed + number, speed=speed)
            site.hire()
            say("hired dealers, a supervisor and a manager")
            for table in served.values():
                table.serve()
            for table in served.values():
                table.deal()
                say(f"{table.name} is served, and dealt")
            _Sandbox(site, served, operators, calls, stopping, as_json=as_json).run()
        except CommandFailed:
            if not stopping.is_set():
                raise
        say("ending")
    kept = f"{place} is kept" if folder is not None else "nothing is kept"
    say(f"ended: nothing is left running, {kept}")


@app.command(
    help=taught(
        "Trigger something at a sandbox that runs, and wait until it is done. Status 0 when it "
        "was, 1 when it could not be, 3 when there is no such sandbox.",
        _TRIGGERS,
        ("studio sandbox trigger void", "at the first table of the only sandbox that runs"),
        ("studio sandbox trigger BAC-2 silence 10", "ten seconds without a heartbeat"),
        ("studio sandbox trigger --folder box BAC-1 amend --json", "for a script"),
    ),
)
def trigger(
    words: Annotated[
        list[str], typer.Argument(metavar="[TABLE] TRIGGER [SECONDS]", show_default=False)
    ],
    folder: Annotated[
        Path | None, typer.Option(help="The sandbox's folder, where more than one runs.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Ask for it."""
    answer = line.ask(folder, words)
    if as_json:
        write_json(answer)
    elif answer.ok:
        _speaker()(answer.text)
    else:
        raise CommandFailed(answer.text)
    if not answer.ok:
        raise typer.Exit(Exit.FAILED)


@contextlib.contextmanager
def _place(folder: Path | None) -> Iterator[Path]:
    """The sandbox's folder, for its owner alone."""
    if folder is None:
        with tempfile.TemporaryDirectory(prefix=line.PREFIX) as made:
            yield Path(made)
        return
    place = folder.expanduser().absolute()
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        if any(place.iterdir()):
            raise CommandFailed(
                f"--folder: {place} is not empty: a sandbox begins in a new folder",
                Exit.BAD_SETTINGS,
            )
        place.chmod(0o700)
    except OSError as fault:
        raise CommandFailed(f"--folder: {place}: {fault.strerror}", Exit.BAD_SETTINGS) from None
    yield place


def _speaker(*, is_silent: bool = False) -> Callable[[str], None]:
    """Says things to people, or says nothing."""
    out = console()
    out.quiet = is_silent

    def say(text: str) -> None:
        out.print(text, soft_wrap=True, markup=False)
        sys.stdout.flush()

    return say


class _Sandbox:
    """The tables that are served, and whoever triggers something at them."""

    def __init__(
        self,
        site: Site,
        tables: dict[str, SandboxTable],
        operators: dict[str, Path],
        calls: line.Line,
        stopping: Stopping,
        *,
        as_json: bool,
    ) -> None:
        self._site = site
        self._tables = tables
        self._operators = operators
        self._calls = calls
        self._stopping = stopping
        self._as_json = as_json
        self._say = _speaker(is_silent=as_json)
        self._typed = b""
        self._reads = True

    def run(self) -> None:
        """Serve until stopped, or until the terminal ends its input."""
        if self._as_json:
            write_json(self._facts())
        else:
            self._tell_how()
            self._say("\nType `help` for what can be triggered; Ctrl-C ends it.")
        self._prompt()
        while not self._stopping.is_set():
            for table in self._tables.values():
                table.see_all_is_well()
            ready = self._ready()
            if self._calls in ready:
                self._take_call()
            if sys.stdin in ready and not self._take_typing():
                return

    def _ready(self) -> list[line.Line | TextIO]:
        listened: list[line.Line | TextIO] = [self._calls]
        if self._reads:
            listened.append(sys.stdin)
        return select.select(listened, [], [], _LOOK_SECONDS)[0]

    # --- what is triggered -----------------------------------------------------------------------

    def _take_call(self) -> None:
        asked = self._calls.take()
        if asked is not None:
            asked.answer(self._pulled(asked.words))

    def _take_typing(self) -> bool:
        """Do what was typed; False when the terminal has ended."""
        piece = os.read(sys.stdin.fileno(), 4096)
        if not piece:
            self._reads = False
            return not sys.stdin.isatty()
        *lines, self._typed = (self._typed + piece).split(b"\n")
        for typed in lines:
            self._do(typed.decode(errors="replace").split())
            self._prompt()
        return True

    def _do(self, words: list[str]) -> None:
        match [word.lower() for word in words]:
            case []:
                pass
            case ["help" | "?"]:
                for kind, about in ABOUT.items():
                    self._say(f"  {kind.value:12} {about.does};\n{'':15}{about.heard}")
                self._say(f"  {'connect':12} how to connect, once more")
                names = ", ".join(self._tables)
                self._say(f"each with a table if it is not the first: {names}")
            case ["connect"]:
                self._tell_how()
            case ["quit" | "exit"]:
                self._stopping.set()
            case _:
                self._pulled(tuple(words))

    def _pulled(self, words: tuple[str, ...]) -> Answer:
        try:
            wanted = trigger_of(words, tuple(self._tables))
            self._say(f"{wanted.table}: {wanted.kind.value}: {ABOUT[wanted.kind].does}")
            answer = self._tables[wanted.table].pull(wanted)
        except (NoTrigger, CommandFailed) as failed:
            self._say(str(failed))
            return Answer(ok=False, text=str(failed))
        self._say(answer.text)
        return answer

    def _prompt(self) -> None:
        if not self._as_json and sys.stdin.isatty():
            sys.stdout.write("> ")
            sys.stdout.flush()

    # --- how to connect --------------------------------------------------------------------------

    def _facts(self) -> dict[str, object]:
        feed = [
            {"table": name} | {role: table.endpoints[role] for role in _PUBLIC}
            for name, table in self._tables.items()
        ]
        return {
            "folder": str(self._site.folder),
            "environment": "test",
            "tables": feed,
            "operators": {name: str(keys) for name, keys in self._operators.items()},
            "server": self._site.studio.server,
            "signing": self._site.studio.signing,
        }

    def _tell_how(self) -> None:
        for name, keys in self._operators.items():
            self._say(f"\n{name} connects with the keys in {keys}:")
            for table in self._tables.values():
                asked = table.endpoints["public_requests"]
                how = f"--requests {asked} --keys {keys} --environment test"
                self._say(f"  studio watch {how}")
        first = next(iter(self._tables.values()))
        told = _PYTHON.format(
            keys=next(iter(self._operators.values())),
            table=first.name,
            **{role: first.endpoints[role] for role in _PUBLIC},
        )
        self._say(f"\nIn Python:\n{told}")
        self._say(f"The studio's key of sockets: {self._site.studio.server[0]}")
        self._say(f"Its key of signatures:       {self._site.studio.signing[0]}")


_PUBLIC = ("public_events", "public_requests")
_PYTHON = """\
  from pathlib import Path
  from studio.feed.keys import ClientKeys
  from studio.feed.subscriber import Subscriber

  keys = ClientKeys.load(Path("{keys}"))
  feed = "{public_events}", "{public_requests}"
  with Subscriber(*feed, ["{table}"], "test", keys=keys) as table:
      for update in table:
          print(update)
"""
