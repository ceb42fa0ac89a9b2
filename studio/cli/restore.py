# SPDX-License-Identifier: Apache-2.0
"""``studio restore``: a backup is put back, verified, and every table in a new epoch."""

import getpass
import re
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from studio.backup.manifest import SETTINGS, BackupRefused, Manifest
from studio.backup.restoring import (
    Restored,
    Told,
    opened,
    restore_in_place,
    restore_into,
)
from studio.cli.exits import CommandFailed, taught
from studio.cli.output import console
from studio.cli.site import default_site, known_site
from studio.settings import TableSettings, load_table
from studio.store.database import StoreFailed
from studio.toml import SettingsFault

app = typer.Typer(rich_markup_mode="rich", add_completion=False)

_ROUND = re.compile(r"([A-Za-z0-9]+(?:-[A-Za-z0-9]+)*)-(\d{8})-(\d{1,9})")

_HELP = taught(
    "Put a backup back. First every file is compared with the manifest and each record is walked "
    "from end to end; a backup that was tampered with is refused, and where. Each table gets a "
    "new epoch, on record with where the old one ended; numbers of rounds and shoes go on beyond "
    "all that may have been given since and lost.",
    "Nothing is written over: what is there refuses the restore, or, with --over, is renamed and "
    "kept beside. No service of these tables may run.",
    "Afterwards people look at each table: a round of the backup is held and can only be voided, "
    "its shoe is counted and changed. Whoever was barred since the backup is let in again: see "
    "`studio keys list`, `studio staff list`. What operators acknowledged since waits for them "
    "again: see `studio operators`. With --records-only neither is so.",
    ("studio restore /backup/2026-11-29", "to where it came from"),
    ("studio restore /backup/2026-11-29 --into /tmp/drill", "a site apart: to try a restore"),
    ("studio restore /backup/2026-11-29 --over --records-only -t BAC-1", "one record alone"),
)


@app.command(help=_HELP)
def restore(
    folder: Annotated[Path, typer.Argument(metavar="BACKUP", help="The folder of the backup.")],
    into: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Make a site of it there, touching nothing else."),
    ] = None,
    over: Annotated[
        bool, typer.Option("--over", help="Rename what is in the way, and keep it beside.")
    ] = False,
    records_only: Annotated[
        bool,
        typer.Option(
            "--records-only",
            help="Leave settings, keys, staff and operators' acknowledgements as they are here.",
        ),
    ] = False,
    table: Annotated[
        list[str] | None,
        typer.Option("--table", "-t", metavar="NAME", help="This table only; may be repeated."),
    ] = None,
    last_round: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ID",
            help="The last round that anybody knows of; numbers go on beyond it. May be repeated.",
        ),
    ] = None,
) -> None:
    """Put it back."""
    if into is not None and (over or records_only):
        raise typer.BadParameter("--into makes a site of its own: without --over, --records-only")
    backup = folder.expanduser().absolute()
    known = _known_rounds(last_round or [])
    told = Told(getpass.getuser(), datetime.now(UTC), known, is_over=over)
    try:
        manifest = opened(backup)
        names = _chosen(manifest, table or [])
        strangers = sorted({name for name, _ in known} - set(names))
        if strangers:
            raise typer.BadParameter(f"--last-round: table {', '.join(strangers)} is not put back")
        if into is not None:
            done = restore_into(backup, manifest, into.expanduser(), names, told)
        else:
            site = known_site() or default_site()
            by = site if records_only else backup / SETTINGS
            every = [load_table(by / "tables" / f"{one.settings}.toml") for one in manifest.tables]
            every += _others(site, manifest)
            done = restore_in_place(
                backup, manifest, site, every, names, told, records_only=records_only
            )
    except (BackupRefused, StoreFailed) as refused:
        raise CommandFailed(str(refused)) from None
    _tell(manifest, done)


def _chosen(manifest: Manifest, names: list[str]) -> list[str]:
    there = [one.table for one in manifest.tables]
    unknown = sorted(set(names) - set(there))
    if unknown:
        raise typer.BadParameter(f"no table {', '.join(unknown)} in this backup: {there}")
    return names or there


def _others(site: Path, manifest: Manifest) -> list[TableSettings]:
    """Tables of the site that are not in the backup: they share staff, keys and operators."""
    known = {one.settings for one in manifest.tables}
    found = []
    for file in sorted(site.glob("tables/*.toml")):
        if file.stem not in known:
            with suppress(SettingsFault):
                found.append(load_table(file))
    return found


def _known_rounds(ids: list[str]) -> dict[tuple[str, str], int]:
    """The highest number by table and gaming day that people know of."""
    known: dict[tuple[str, str], int] = {}
    for text in ids:
        match = _ROUND.fullmatch(text)
        if match is None:
            raise typer.BadParameter(f'"{text}" is no round: give one such as BAC-1-20261129-0214')
        place = (match[1], match[2])
        known[place] = max(known.get(place, 0), int(match[3]))
    return known


def _tell(manifest: Manifest, done: list[Restored]) -> None:
    out = console()
    for one in done:
        begun = one.report.walked[-1].begun
        lost = 0 if begun is None else begun.lost
        out.print(
            f"table {one.table}: SOUND up to event {one.report.walked[-2].events:,}; epoch "
            f"{one.report.epochs} begins, {one.epoch}; up to {lost:,} numbers count as given "
            f"since; in {one.where}",
            soft_wrap=True,
        )
    out.print(
        f"The backup is of {manifest.made_at}. Whoever was barred since is let in again: "
        "`studio keys list`, `studio staff list`.",
        soft_wrap=True,
    )
