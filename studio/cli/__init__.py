# SPDX-License-Identifier: Apache-2.0
"""The ``studio`` command: one module a command, loaded only when it is called.

Owns the list of commands and what is said when one cannot be loaded or fails. A subscriber's
machine has neither SQL nor serial lines: there the commands of a table say which extra is missing.
"""

import contextlib
import errno
import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from studio.cli.exits import EPILOG, CommandFailed, Exit
from studio.feed.endpoint import FeedRefused
from studio.toml import SettingsFault

_WATCH, _RUN, _RECORD = "A look at the game", "Running a table", "Record and machine"

# Name, where it stands in the help, and what it is for.
COMMANDS: dict[str, tuple[str, str]] = {
    "demo": (_WATCH, "Deal Punto Banco yourself, or watch it in this terminal: start here."),
    "watch": (_WATCH, "Watch a running table, drawn or as its public messages."),
    "contract": (_WATCH, "What a front-end is written against: page, JSON Schemas, AsyncAPI."),
    "odds": (_WATCH, "Exact odds of a full shoe, by enumeration."),
    "roads": (_WATCH, "Bead plate, big road and derived roads of results like PBBTP."),
    "init": (_RUN, "Set up a table: settings, record, and a check of it all."),
    "serve": (_RUN, "Run a table: the service between the shoe and the feed."),
    "command": (_RUN, "Tell a running table one thing, as its dealer would."),
    "suspend": (_RUN, "Take no more bets: at every table of the site, or at some."),
    "sandbox": (_WATCH, "Tables behind keys to try a front-end against, and trouble to order."),
    "console": (_RUN, "The dealer's window at a table."),
    "pit": (_RUN, "The pit's window: all tables at a glance, what is held, and who rules."),
    "dealer": (_RUN, "An automatic dealer for a table with a simulated shoe."),
    "shoe": (_RUN, "Listen to a card shoe, or check it with a known deck."),
    "sim": (_RUN, "A simulated card shoe on a pseudo-terminal or on TCP."),
    "doctor": (_RECORD, "Check settings, port, record, sockets, clock and disk."),
    "adjudicate": (_RECORD, "Rule on coups by the table of play, or explain one."),
    "history": (_RECORD, "List the rounds of a record."),
    "software": (_RECORD, "The files that this program consists of: manifest, check, approval."),
    "config": (_RUN, "Put other settings of a table in force: two people, and on record."),
    "rounds": (_RECORD, "Find rounds by id, table, time, dealer, outcome or irregularity."),
    "replay": (_RECORD, "Replay a round step by step, as its table saw it."),
    "verify": (_RECORD, "Prove that a record is whole and every result follows from its cards."),
    "evidence": (_RECORD, "All that is on record of one round, in one file for a dispute."),
    "case": (_RECORD, "What operators dispute: open, note and close cases, and what is overdue."),
    "backup": (_RECORD, "Back up records, staff, settings and keys, while the tables deal."),
    "restore": (_RECORD, "Put a backup back: verified first, and with a new epoch."),
    "db": (_RECORD, "Make or upgrade a record's database."),
    "drill": (_RUN, "Train for what goes wrong: each misdeal and shoe fault, with a pass sheet."),
    "conformance": (_RUN, "Put a front-end, in any language, through all that can go wrong."),
    "keys": (_RUN, "Who may connect: a key for each operator and console; revoke, log."),
    "operators": (_RUN, "Who has yet to acknowledge an amended result or a void."),
    "staff": (_RUN, "The people: accounts, roles, PINs, and who is locked out."),
}

# Commands whose module has another name.
MODULES = {"staff": "staff_accounts"}

_EXTRAS = {
    "sqlalchemy": "table",
    "alembic": "table",
    "argon2": "table",
    "serial": "table",
    "structlog": "table",
    "psycopg": "postgres",
    "PyQt6": "console",
}

_HELP = """Live-dealer Punto Banco: one table from the card shoe to the feed.

[b]studio demo[/b] shows a table dealing; [b]studio init --simulated[/b] sets one up to keep.
[b]studio COMMAND --help[/b] explains a command with examples."""


class _Commands(TyperGroup):
    """Lists commands without loading them; loads the one that is called."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - typer's signature
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002 - typer's signature
        if cmd_name not in COMMANDS:
            return None
        panel, purpose = COMMANDS[cmd_name]
        return TyperCommand(name=cmd_name, help=purpose, rich_help_panel=panel)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        self.commands = {name: self.get_command(ctx, name) for name in COMMANDS}
        name, found, rest = super().resolve_command(ctx, args)
        return name, found and _load(name or ""), rest

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError as broken:
            # typer would end with status 1, which says that something failed
            raise CommandFailed("", Exit.NOBODY_READS) from broken


def _load(name: str) -> Any:
    try:
        module = importlib.import_module(f"studio.cli.{MODULES.get(name, name)}")
    except ModuleNotFoundError as missing:
        root = (missing.name or "").partition(".")[0]
        if root not in _EXTRAS:
            raise
        raise CommandFailed(
            f"`studio {name}` needs {root}, which is not installed: install this program's wheel "
            f"again with its extra `{_EXTRAS[root]}`",
            Exit.BAD_SETTINGS,
        ) from missing
    command = typer.main.get_command(module.app)
    command.name = name
    command.epilog = EPILOG
    return command


def _version(value: bool) -> None:
    if value:
        # not needed to start
        from studio.software import software_digest, software_version  # noqa: PLC0415

        sys.stdout.write(f"sabot {software_version()}  sha256:{software_digest()}\n")
        raise typer.Exit


root = typer.Typer(
    cls=_Commands,
    help=_HELP,
    epilog=EPILOG,
    rich_markup_mode="rich",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@root.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Say version and digest."),
    ] = False,
) -> None:
    """Options that come before the command."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run ``studio`` with these arguments (those of the process if None); ends the process."""
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run ``studio`` and return its exit status; what failed is said on standard error."""
    try:
        _opened()
        # a terminal that cannot show a suit or a box shows a question mark
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="replace")
        root(args=None if arguments is None else list(arguments), prog_name="studio")
        return Exit.DONE
    except SystemExit as ended:
        if isinstance(ended.__context__, BrokenPipeError):
            return _nobody_reads()
        status = ended.code if isinstance(ended.code, int) else Exit.FAILED
        return _flushed(status)
    except SettingsFault as fault:
        _say("\n".join(str(one) for one in fault.faults))
        return Exit.BAD_SETTINGS
    except FeedRefused as fault:
        _say(str(fault))
        return Exit.BAD_SETTINGS
    except CommandFailed as failed:
        if failed.status is Exit.NOBODY_READS:
            return _nobody_reads()
        _say(str(failed))
        return failed.status
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except OSError as fault:
        # a file that has a name, or fails otherwise, is not the output
        if fault.errno != errno.ENOSPC or fault.filename is not None:
            raise
        return _no_space(fault)


def _opened() -> None:
    """A stream that was closed before the start holds nothing, and keeps nothing."""
    if sys.stdin is None:
        sys.stdin = Path(os.devnull).open()  # noqa: SIM115  open to the end
    if sys.stdout is None:
        sys.stdout = Path(os.devnull).open("w")  # noqa: SIM115


def _say(text: str) -> None:
    with contextlib.suppress(OSError):
        sys.stderr.write(f"studio: {text}\n" if "\n" not in text else f"{text}\n")


def _flushed(status: int) -> int:
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        return _nobody_reads()
    except OSError as fault:
        return _no_space(fault)
    return status


def _no_space(fault: OSError) -> int:
    _say(f"could not write: {fault.strerror}")
    _nobody_reads()
    return Exit.FAILED


def _nobody_reads() -> int:
    """Let the interpreter end in peace: what it still flushes goes nowhere."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return Exit.NOBODY_READS
