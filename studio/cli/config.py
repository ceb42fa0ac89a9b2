# SPDX-License-Identifier: Apache-2.0
"""``studio config``: other settings for a table, put in force by two people and on record."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from studio.cli.checks import shoe_and_feed_faults
from studio.cli.exits import CommandFailed, Exit, taught
from studio.cli.log_in import Badge, PinStdin, Reason, SecondBadge, SecondId, StaffId, giver
from studio.cli.output import console, write_json
from studio.cli.site import Config, TableName, table_settings
from studio.cli.staff import Console, StaffRequests
from studio.feed.staff import Acceptance
from studio.game.inputs import ApplySettings, SettingChange
from studio.settings import TableSettings, load_table
from studio.settings_change import (
    Change,
    Files,
    InForce,
    Laid,
    change_of,
    files_in,
    named_as_in_a_site,
)
from studio.toml import SettingsFault

app = typer.Typer(
    rich_markup_mode="rich",
    add_completion=False,
    no_args_is_help=True,
    help=taught(
        "Put other settings of a table in force. A settings file that is changed in any other way "
        "is found by the check of the software.",
        ("studio config apply macau.toml --dry-run", "what would differ"),
        (
            "studio config apply new-site/ --badge 500 --second-badge 900 --reason 'longer bets'",
            "both, at the running table",
        ),
    ),
)


@app.callback()
def _config() -> None:
    """More than one command may come."""


@app.command(
    help=taught(
        "Put a settings file, or a folder laid out as a site, in force: its files take the place "
        "of those of the same name. What differs is shown setting by setting, all faults are told "
        "first, and nothing is changed unless a second person agrees. The record has who, who "
        "approved, what differs, and from which round it holds.",
        "Rules of the house hold from the next round on; what needs a start of the service says "
        "so, and waits for it. Words and keys are read by windows when they start.",
        "A single file is known by its folder (houses/, tables/, wording/) or by what is in it.",
        ("studio config apply houses/macau.toml --dry-run", "what would differ; changes nothing"),
        (
            "studio config apply BAC-1.toml --badge 500 --second-badge 900 --reason 'new port'",
            "asks for both PINs",
        ),
    )
)
def apply(
    path: Annotated[Path, typer.Argument(metavar="FILE|DIR", help="The settings to apply.")],
    reason: Reason = "",
    config: Config = None,
    table: TableName = None,
    badge: Badge = None,
    second_badge: SecondBadge = None,
    pin_stdin: PinStdin = False,
    by: StaffId = None,
    second: SecondId = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show, and change nothing.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    staff_requests: StaffRequests = None,
) -> None:
    """Read, judge, show, ask, lay ready, tell the table."""
    settings = table_settings(config, table)
    files = _files_of(path)
    change = change_of(settings, files, shoe_and_feed_faults)
    if not change.changes:
        raise CommandFailed(f"{path}: these settings are in force already")
    _print(change)
    if dry_run:
        return
    if not reason.strip():
        raise CommandFailed("say why, for the record: --reason", Exit.BAD_SETTINGS)
    if not yes and sys.stdin.isatty() and not pin_stdin:
        typer.confirm("Put these settings in force?", abort=True)
    laid = Laid(settings)
    try:
        laid.lay(change.after, files)
    except OSError as fault:
        raise CommandFailed(f"{fault.filename}: {fault.strerror}") from None
    asked = ApplySettings(
        by=by or "staff",
        reason=reason,
        before=change.before,
        after=change.after,
        changes=change.changes,
        second=second,
    )
    try:
        with (
            Console.of(settings, staff_requests) as desk,
            giver(desk, settings, by, badge, second_badge, pin_stdin=pin_stdin) as giving,
        ):
            answer = giving.tell(asked)
            state = desk.snapshot()[1]
    finally:
        laid.remove(change.after)
    write_json(answer)
    if not isinstance(answer, Acceptance):
        raise typer.Exit(Exit.FAILED)
    _say_from_when(change, answer, state.public.round)
    _say_who_else(change, files, settings)


def _files_of(path: Path) -> Files:
    """The files to apply by their names in a site. Raises CommandFailed."""
    try:
        if path.is_dir():
            files = files_in(path)
        else:
            files = {named_as_in_a_site(path): path.read_bytes()}
    except OSError as fault:
        raise CommandFailed(f"{path}: {fault.strerror}", Exit.BAD_SETTINGS) from None
    except ValueError as fault:
        raise CommandFailed(str(fault), Exit.BAD_SETTINGS) from None
    if not files:
        raise CommandFailed(f"{path}: no settings in it, laid out as a site", Exit.BAD_SETTINGS)
    return files


def _print(change: Change) -> None:
    out = console()
    file = ""
    for one in change.changes:
        if one.file != file:
            file = one.file
            out.print(file, style="bold", soft_wrap=True, markup=False)
        out.print(f"  {_told(one)}", soft_wrap=True, markup=False)
    out.print(f"settings before {change.before}", soft_wrap=True)
    out.print(f"settings after  {change.after}", soft_wrap=True)


def _told(one: SettingChange) -> str:
    when = "  (at the next start)" if one.restart else ""
    if one.before is None and one.after is None:
        return f"{one.key}: only words beside the settings{when}"
    before = "not set" if one.before is None else one.before
    after = "not set" if one.after is None else one.after
    return f"{one.key}: {before} -> {after}{when}"


def _say_from_when(change: Change, answer: Acceptance, round_id: str | None) -> None:
    out = console()
    if "rules_loaded" in answer.events:
        when = "from the next round on" if round_id is None else f"for rounds after {round_id}"
        out.print(f"The rules hold {when}.", soft_wrap=True)
    waiting = sorted({one.file for one in change.changes if one.restart})
    if waiting:
        out.print(
            f"Start the service again for {', '.join(waiting)}: what needs a start waits for it.",
            soft_wrap=True,
        )
    if any(one.file.startswith(("wording/", "console.toml")) for one in change.changes):
        out.print("Start the windows again for their words and keys.", soft_wrap=True)


def _say_who_else(change: Change, files: Files, settings: TableSettings) -> None:
    """The tables that share these files with this one, and hold their own of before."""
    shared = {name: text for name, text in files.items() if not name.startswith("tables/")}
    others = (one for one in sorted(settings.file.parent.glob("*.toml")) if one != settings.file)
    behind = [one.stem for one in others if not _holds(one, shared)]
    changed = sorted({one.file for one in change.changes} & shared.keys())
    if behind and changed:
        told = f"{', '.join(changed)}: shared with {', '.join(behind)}. Apply it there as well"
        console().print(f"{told}: their next check finds it changed.", soft_wrap=True)


def _holds(file: Path, shared: Files) -> bool:
    """Whether the table of these settings has these files in force."""
    try:
        texts = InForce(load_table(file)).texts()
    except (SettingsFault, OSError):
        return False
    return all(texts.get(name) == text for name, text in shared.items())
