# SPDX-License-Identifier: Apache-2.0
"""``studio backup``: a copy of a studio that can be put back, taken while its tables deal."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from studio.backup.manifest import BackupRefused, Manifest
from studio.backup.taking import take
from studio.cli.exits import CommandFailed, taught
from studio.cli.output import console
from studio.cli.site import Config, known_site
from studio.settings import TableSettings, load_table, site_of
from studio.store.database import StoreFailed

app = typer.Typer(rich_markup_mode="rich", add_completion=False)

_HELP = taught(
    "Back up a studio as a new folder, also while its tables deal: the record of each table, of "
    "one moment and verified from end to end; the staff's accounts; what operators acknowledged; "
    "the site's settings and houses; the keys and who may connect; and a manifest with the "
    "SHA-256 of each file.",
    "It holds secrets: the studio's own keys, and passwords that settings name (PINs are kept as "
    "hashes only). The folder is 0700, its files 0600: keep it where nobody else reads, and on "
    "another disk. Raw logs are not in it; the bytes of each report are in the record.",
    "Never copy the database file of a running table instead: pages change while they are read, "
    "and the newest events are in another file.",
    ("studio backup /backup/2026-11-29", "all tables of the site"),
    ("studio backup /backup/bac-1 -t BAC-1", "one table, and what all share"),
)


@app.command(help=_HELP)
def backup(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A folder that is not there.")],
    config: Config = None,
    table: Annotated[
        list[str] | None,
        typer.Option("--table", "-t", metavar="NAME", help="This table only; may be repeated."),
    ] = None,
) -> None:
    """Take the backup."""
    site, tables = _chosen(config, table or [])
    try:
        manifest, digest = take(site, tables, folder.expanduser(), datetime.now(UTC))
    except (BackupRefused, StoreFailed) as refused:
        raise CommandFailed(str(refused)) from None
    _tell(folder.expanduser().absolute(), manifest, digest)


def _chosen(config: Path | None, names: list[str]) -> tuple[Path, list[TableSettings]]:
    """The site and its tables: those named, or all."""
    if config is not None:
        settings = load_table(config)
        return site_of(config) or settings.file.parent, [settings]
    site = known_site()
    own = [] if site is None else sorted(file.stem for file in site.glob("tables/*.toml"))
    if site is None or not own:
        raise CommandFailed("there is no site with a table here: name one with --config FILE")
    unknown = sorted(set(names) - set(own))
    if unknown:
        raise typer.BadParameter(f"no table {', '.join(unknown)} in {site}: {', '.join(own)}")
    return site, [load_table(name, site) for name in names or own]


def _tell(folder: Path, manifest: Manifest, digest: str) -> None:
    out = console()
    for one in manifest.tables:
        out.print(
            f"table {one.table}: epoch {one.epochs}, up to event {one.seq:,} of {one.last_at}, "
            f"public message {one.public_seq:,}, head {one.head}",
            soft_wrap=True,
        )
    size = sum(one.size for one in manifest.files)
    out.print(f"{folder}: {len(manifest.files)} files, {size:,} bytes", soft_wrap=True)
    out.print(f"SHA-256 of its manifest, to be kept elsewhere: {digest}", soft_wrap=True)
