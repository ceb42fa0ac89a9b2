# SPDX-License-Identifier: Apache-2.0
"""``studio db``: making and upgrading a record's database."""

import getpass
from datetime import UTC, datetime
from typing import Annotated

import typer

from studio.cli.exits import CommandFailed, taught
from studio.cli.output import console
from studio.cli.site import Config, TableName, table_settings
from studio.keyed import operator_database_url
from studio.service import gaming_day
from studio.store.database import StoreFailed, file_of, name_of, parse_url
from studio.store.epochs import begin_epoch
from studio.store.rights import roles_sql, run_sql
from studio.store.schema import create as create_record
from studio.store.schema import upgrade as upgrade_record

_HELP = taught(
    "The database of a table's record. Nothing here ever removes anything.",
    ("studio db create -t BAC-1", "an empty record for a new table"),
    ("studio db upgrade -t BAC-1", "after an update of the program"),
    ("studio db new-epoch -t BAC-1", "after a restore from a backup"),
    ("studio db roles -t BAC-1", "on a server: a role that only adds"),
)

AsRole = Annotated[
    str | None,
    typer.Option(
        "--as", metavar="ROLE", help="On a server, as this role: that which owns the tables."
    ),
]

app = typer.Typer(rich_markup_mode="rich", add_completion=False, no_args_is_help=True, help=_HELP)


@app.command(
    help=taught(
        "Make an empty record for a table. A record that is there is never touched.",
        ("studio db create -t BAC-1", "where the table's settings say"),
        ("studio db create -t BAC-1 --as postgres", "on a server that has no tables of ours yet"),
    )
)
def create(config: Config = None, table: TableName = None, as_role: AsRole = None) -> None:
    """Make the record."""
    settings = table_settings(config, table)
    try:
        create_record(_as(as_role, settings.database_url), settings.table)
    except StoreFailed as failed:
        raise CommandFailed(str(failed)) from None
    _say(f"table {settings.table}: an empty record is made")


@app.command(
    help=taught(
        "Bring a record to this program's schema: whole, or not at all. Stop the table and make a "
        "backup first. A record of a newer program is refused.",
        ("studio db upgrade -t BAC-1", "says what was done"),
        ("studio db upgrade -t BAC-1 --as sabot_owner", "where the service's role may not"),
    )
)
def upgrade(config: Config = None, table: TableName = None, as_role: AsRole = None) -> None:
    """Upgrade the record."""
    settings = table_settings(config, table)
    try:
        before, after = upgrade_record(_as(as_role, settings.database_url))
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


@app.command(
    help=taught(
        "On a PostgreSQL server, the SQL after which one role owns the tables and migrates, and "
        "another, as which the service connects, may read and add, but neither change nor remove "
        "what was recorded. It is for all of our tables in the databases of the record, the staff "
        "and the operators, as far as they are on a server. A new table of this program needs it "
        "again.",
        "It is only printed, for your administrator to read, unless --as says which superuser "
        "runs it. Roles are made without a password: give them one with [b]\\password[/b] of "
        "psql. Then name the second role in [b]database[/b] of the table's file.",
        ("studio db roles -t BAC-1", "prints it"),
        ("studio db roles -t BAC-1 --as postgres", "runs it, each database in one transaction"),
    )
)
def roles(
    config: Config = None,
    table: TableName = None,
    owner: Annotated[str, typer.Option(metavar="ROLE", help="Owns and migrates.")] = "sabot_owner",
    application: Annotated[str, typer.Option(metavar="ROLE", help="Reads and adds.")] = "sabot",
    as_role: AsRole = None,
) -> None:
    """Print or run the SQL of the roles."""
    settings = table_settings(config, table)
    urls = (
        settings.database_url,
        settings.studio.staff_database_url,
        operator_database_url(settings.studio),
    )
    servers = [one for one in dict.fromkeys(urls) if not one.startswith("sqlite")]
    if not servers:
        raise CommandFailed(
            "everything is kept in SQLite files, and only a server has roles: triggers refuse a "
            "change there, which whoever may write the file can take away; `studio verify --heads` "
            "finds what was done"
        )
    try:
        for url in servers:
            statements = roles_sql(_as(as_role, url), owner, application)
            if as_role is None:
                _say(f"-- {name_of(parse_url(url))}")
                _say("\n".join(f"{one};" for one in ("BEGIN", *statements, "COMMIT")))
            else:
                run_sql(_as(as_role, url), statements)
                _say(f"{name_of(parse_url(url))}: {owner} owns the tables, {application} only adds")
    except StoreFailed as failed:
        raise CommandFailed(str(failed)) from None


def _as(role: str | None, url: str) -> str:
    """The URL with this role instead of its own; the password is then that of the environment."""
    if role is None:
        return url
    parsed = parse_url(url)
    if file_of(parsed) is not None:
        raise CommandFailed(f"{name_of(parsed)} is an SQLite file: there is no role {role} in it")
    return parsed.set(username=role, password=None).render_as_string(hide_password=False)


def _say(text: str) -> None:
    console().print(text, soft_wrap=True, markup=False, highlight=False)
