# SPDX-License-Identifier: Apache-2.0
"""``studio db``: making and upgrading a record's database."""

import getpass
from datetime import UTC, datetime
from typing import Annotated

import typer

from studio.cli.exits import CommandFailed, taught
from studio.cli.output import console
from studio.cli.site import Config, TableName, table_settings
from studio.service import gaming_day
from studio.store.database import StoreFailed
from studio.store.epochs import begin_epoch
from studio.store.schema import create as create_record
from studio.store.schema import upgrade as upgrade_record

_HELP = taught(
    "The database of a table's record. Nothing here ever removes anything.",
    ("studio db create -t BAC-1", "an empty record for a new table"),
    ("studio db upgrade -t BAC-1", "after an update of the program"),
    ("studio db new-epoch -t BAC-1", "after a restore from a backup"),
)

app = typer.Typer(rich_markup_mode="rich", add_completion=False, no_args_is_help=True, help=_HELP)


@app.command(
    help=taught(
        "Make an empty record for a table. A record that is there is never touched.",
        ("studio db create -t BAC-1", "where the table's settings say"),
    )
)
def create(config: Config = None, table: TableName = None) -> None:
    """Make the record."""
    settings = table_settings(config, table)
    try:
        create_record(settings.database_url, settings.table)
    except StoreFailed as failed:
        raise CommandFailed(str(failed)) from None
    _say(f"table {settings.table}: an empty record is made")


@app.command(
    help=taught(
        "Bring a record to this program's schema: whole, or not at all. Stop the table and make a "
        "backup first. A record of a newer program is refused.",
        ("studio db upgrade -t BAC-1", "says what was done"),
    )
)
def upgrade(config: Config = None, table: TableName = None) -> None:
    """Upgrade the record."""
    settings = table_settings(config, table)
    try:
        before, after = upgrade_record(settings.database_url)
    except StoreFailed as failed:
        raise CommandFailed(str(failed)) from None
    if before == after:
        _say(f"table {settings.table}: the record has schema {after} already")
    else:
        _say(f"table {settings.table}: the record went from schema {before} to {after}")


@app.command(
    "new-epoch",
    help=taught(
        "Begin a new epoch after a restore from a backup: messages sent since then are lost, so "
        "their numbers must not be given again. Subscribers notice and ask for their rounds. "
        "Stop the table first.",
        ("studio db new-epoch -t BAC-1", "prints the new epoch's id"),
    ),
)
def new_epoch(
    config: Config = None,
    table: TableName = None,
    reason: Annotated[str, typer.Option(help="Kept in the record.")] = "restored by hand",
) -> None:
    """Begin the epoch."""
    settings = table_settings(config, table)
    now = datetime.now(UTC)
    try:
        epoch = begin_epoch(
            settings.database_url,
            settings.table,
            at=now,
            day=gaming_day(now, settings.house.gaming_day),
            reason=reason,
            by=getpass.getuser(),
        )
    except StoreFailed as failed:
        raise CommandFailed(str(failed)) from None
    _say(f"table {settings.table}: epoch {epoch} begins")


def _say(text: str) -> None:
    console().print(text, soft_wrap=True)
