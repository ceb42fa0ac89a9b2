# SPDX-License-Identifier: Apache-2.0
"""``studio software``: the files that a table's service consists of, compared and approved."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console as Terminal
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from studio.cli.approved import approved_in
from studio.cli.exits import CommandFailed, Exit, taught
from studio.cli.log_in import Badge, PinStdin, Reason, SecondBadge, SecondId, StaffId, giver
from studio.cli.output import console, write_json
from studio.cli.site import Config, TableName, table_settings
from studio.cli.staff import Console, StaffRequests
from studio.feed.staff import Acceptance
from studio.game.inputs import ApproveSoftware
from studio.game.snapshot import StaffState
from studio.manifest import Compared, Finding, Told, compared, made, name_of, read_lines
from studio.settings import TableSettings
from studio.software import Manifests, begun_by, covered, loaded_sources, shared_objects
from studio.store.database import InUse, StoreFailed, parse_url, writing_engine
from studio.store.journal import Journal

_MOST_SHOWN = 20
_TRIES = 1500
_SECONDS_BETWEEN = 0.2

app = typer.Typer(
    rich_markup_mode="rich",
    add_completion=False,
    no_args_is_help=True,
    help=taught(
        "The files that a table's service consists of: our code, Python and its standard library, "
        "every library installed, the system's libraries that it loads, and the table's settings.",
        "The service compares them with the approved manifest at every start, daily and when "
        "asked (`studio command check_software`). A file that is not as approved suspends the "
        "table after the round.",
        ("studio software manifest > FILE", "then, anywhere: sha256sum -c FILE"),
        ("studio software check", "what is not as approved"),
        ("studio software approve --badge 500 --second-badge 900 --reason 'version 1.2'", "both"),
    ),
)

Quietly = Annotated[bool, typer.Option("--quiet", "-q", help="No progress on standard error.")]


@app.command(
    help=taught(
        "Print a line for each file, `SHA256  path` with absolute paths, as `sha256sum -c` takes "
        "it in any folder. Nothing is read of keys, records and logs.",
        ("studio software manifest > FILE", "made now, of the files as they are"),
        ("studio software manifest --approved", "the one in force, as the service keeps it"),
    )
)
def manifest(
    config: Config = None,
    table: TableName = None,
    approved: Annotated[
        bool, typer.Option("--approved", help="The approved one, as it is kept.")
    ] = False,
    quiet: Quietly = False,
) -> None:
    """Print it."""
    settings = table_settings(config, table)
    text = _approved_text(settings) if approved else _made(settings, quiet=quiet)
    sys.stdout.buffer.write(text)
    sys.stdout.flush()


@app.command(
    help=taught(
        "Compare every file with the approved manifest, and the bytecode that a service would load "
        "with its sources. It changes nothing and may be run while the table is served.",
        "Status 0 when all is as approved, 1 when a file is not.",
        ("studio software check", "against the manifest that the record says is approved"),
        ("studio software check --manifest FILE", "against one of your own"),
        ("studio command check_software --badge 500", "have the service itself check, on record"),
    )
)
def check(
    config: Config = None,
    table: TableName = None,
    file: Annotated[
        Path | None, typer.Option("--manifest", metavar="FILE", help="Compare with this one.")
    ] = None,
    every: Annotated[
        bool,
        typer.Option("--all-bytecode", help="That of every source: it takes a minute or two."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
    quiet: Quietly = False,
) -> None:
    """Compare."""
    settings = table_settings(config, table)
    text = _approved_text(settings) if file is None else _read(file)
    _load_the_service(settings)
    started = time.monotonic()
    try:
        with _progress("compared", quiet=quiet) as told:
            sources = None if every else loaded_sources()
            all_of_it = covered(settings)
            found = compared(text, all_of_it, told=told, sources=sources, cache=sys.pycache_prefix)
    except ValueError as fault:
        raise CommandFailed(f"{file or 'the manifest'}: {fault}", Exit.BAD_SETTINGS) from None
    seconds = round(time.monotonic() - started, 1)
    if as_json:
        write_json({"approved": name_of(text), "seconds": seconds, **_as_json(found)})
    else:
        _print(found, name_of(text), seconds)
    if found.findings:
        raise typer.Exit(Exit.FAILED)


@app.command(
    help=taught(
        "Make a manifest of the files as they are now, show what differs from the approved one, "
        "and have two people approve it at the running table; it is on record who, when and why. "
        "The service then compares all files with it.",
        "Before the table was ever served nobody can log in at it: then the manifest of its set-up "
        "is made anew, as `studio init` made it.",
        ("studio software approve --badge 500 --second-badge 900 --reason 'version 1.2'", "both"),
    )
)
def approve(
    reason: Reason = "",
    config: Config = None,
    table: TableName = None,
    badge: Badge = None,
    second_badge: SecondBadge = None,
    pin_stdin: PinStdin = False,
    by: StaffId = None,
    second: SecondId = "",
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    staff_requests: StaffRequests = None,
    quiet: Quietly = False,
) -> None:
    """Make, show, ask, approve, wait for the check."""
    settings = table_settings(config, table)
    text = _made(settings, quiet=quiet)
    manifests = Manifests(settings)
    if _was_never_served(settings):
        console().print(f"set-up: {set_up(settings, text)}", soft_wrap=True)
        return
    with Console.of(settings, staff_requests) as desk:
        before = desk.snapshot()[1].software.approved
        _print_differences(None if before is None else manifests.read(before), text)
        if not yes and sys.stdin.isatty() and not pin_stdin:
            typer.confirm("Approve these files?", abort=True)
        digest = _kept(manifests, text)
        asked = ApproveSoftware(by=by or "staff", digest=digest, reason=reason, second=second)
        with giver(desk, settings, by, badge, second_badge, pin_stdin=pin_stdin) as giving:
            answer = giving.tell(asked)
        write_json(answer)
        if not isinstance(answer, Acceptance):
            raise typer.Exit(Exit.FAILED)
        state = _checked(desk, quiet=quiet)
    if state.software.count:
        first = state.software.findings[0]
        raise CommandFailed(f"{state.software.count} files are not as approved: {first.path}")
    console().print(f"approved and checked: {digest}", soft_wrap=True)


def set_up(settings: TableSettings, text: bytes | None = None) -> str:
    """Make the manifest that the first start takes for approved; what to say of it."""
    made_now = text or _made(settings, quiet=False)
    try:
        digest = Manifests(settings).keep_for_set_up(made_now)
    except OSError as fault:
        raise CommandFailed(f"{fault.filename}: {fault.strerror}") from None
    return f"a manifest of {made_now.count(b'%c' % 10):,} files, {digest}"


def _made(settings: TableSettings, *, quiet: bool) -> bytes:
    _load_the_service(settings)
    all_of_it = covered(settings)
    with _progress("files", quiet=quiet) as told:
        return made(all_of_it._replace(seen=(*begun_by(), *shared_objects())), told)


def _load_the_service(settings: TableSettings) -> None:
    """Have this process load what a service does: its sources, and the system's libraries.

    The database's driver is loaded as its engine is made; nothing is connected.
    """
    import studio.cli.serve  # noqa: F401, PLC0415

    writing_engine(parse_url(settings.database_url))


def _kept(manifests: Manifests, text: bytes) -> str:
    try:
        return manifests.keep(text)
    except OSError as fault:
        raise CommandFailed(f"{fault.filename}: {fault.strerror}") from None


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as fault:
        raise CommandFailed(f"{file}: {fault.strerror}", Exit.BAD_SETTINGS) from None


def _approved_text(settings: TableSettings) -> bytes:
    """The manifest in force. Raises CommandFailed."""
    try:
        digest = approved_in(settings) or Manifests(settings).of_set_up()
    except StoreFailed as failed:
        raise CommandFailed(f"{failed}; or name a manifest with --manifest FILE") from None
    if digest is None:
        raise CommandFailed("no manifest is approved yet: `studio software approve` makes one")
    text = Manifests(settings).read(digest)
    if text is None:
        file = Manifests(settings).path_of(digest)
        raise CommandFailed(f"{file} is missing or changed, and it is the approved manifest")
    return text


def _was_never_served(settings: TableSettings) -> bool:
    """Whether the record has no event yet, and no service is at it."""
    try:
        with Journal.open(settings.database_url, settings.table) as journal:
            return journal.last_seq == 0
    except (InUse, StoreFailed):
        return False


def _checked(desk: Console, *, quiet: bool) -> StaffState:
    """The table once the check of what was approved is over. Raises CommandFailed."""
    with _progress("the service checks", quiet=quiet):
        for _ in range(_TRIES):
            state = desk.snapshot()[1]
            if not state.software.is_due:
                return state
            time.sleep(_SECONDS_BETWEEN)
    raise CommandFailed("approved, but the service has not checked the files yet: look at its log")


def _print(found: Compared, approved: str, seconds: float) -> None:
    out = console()
    for one in found.findings:
        out.print(_line(one), soft_wrap=True, markup=False)
    end = f"{found.files:,} files in {seconds} s, manifest {approved}"
    if found.findings:
        out.print(f"NOT AS APPROVED  {len(found.findings)} of {end}", soft_wrap=True)
        out.print(
            "Put the files back, or `studio software approve` with two people.", soft_wrap=True
        )
    else:
        out.print(f"AS APPROVED  {end}", soft_wrap=True)


_SAID = {
    "changed": "changed",
    "missing": "missing",
    "added": "added, and not in the manifest",
    "bytecode": "bytecode that is not its source's",
}


def _line(one: Finding) -> str:
    path = one.path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    digests = f"  (approved {one.expected}, now {one.found})" if one.what == "changed" else ""
    return f"{path}: {_SAID[one.what]}{digests}"


def _as_json(found: Compared) -> dict[str, object]:
    told = [one._replace(path=_line(one).rpartition(": ")[0])._asdict() for one in found.findings]
    return {"digest": found.digest, "files": found.files, "findings": told}


def _print_differences(before: bytes | None, after: bytes) -> None:
    """What is approved anew, file by file up to some."""
    out = console()
    new = read_lines(after)
    if before is None:
        out.print(f"{len(new):,} files; no manifest was approved before", soft_wrap=True)
        return
    old = read_lines(before)
    kinds = {
        "added": sorted(new.keys() - old.keys()),
        "gone": sorted(old.keys() - new.keys()),
        "changed": sorted(path for path in new.keys() & old.keys() if new[path] != old[path]),
    }
    for what, paths in kinds.items():
        for path in paths[:_MOST_SHOWN]:
            out.print(f"{what}: {path}", soft_wrap=True, markup=False)
        if len(paths) > _MOST_SHOWN:
            out.print(f"{what}: {len(paths) - _MOST_SHOWN:,} more", soft_wrap=True)
    counts = ", ".join(f"{len(paths):,} {what}" for what, paths in kinds.items())
    out.print(f"{len(new):,} files: {counts}", soft_wrap=True)


@contextmanager
def _progress(what: str, *, quiet: bool) -> Iterator[Told]:
    """How far it is, on standard error, where that is a terminal."""
    if quiet or not sys.stderr.isatty():
        yield lambda _done, _all: None
        return
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Terminal(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=None)

        def told(done: int, all_of_them: int) -> None:
            progress.update(task, completed=done, total=all_of_them)

        yield told
