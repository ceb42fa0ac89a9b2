# SPDX-License-Identifier: Apache-2.0
"""``studio watch``: a subscriber for people, and for scripts that read lines."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from studio.cli.exits import CommandFailed, Exit, taught
from studio.cli.signals import stopping_on_signals
from studio.cli.site import Config, TableName, an_endpoint, known_site, table_settings
from studio.cli.watching import Found, Lines, Payloads, Screen, follow, found_at
from studio.feed.keys import ClientKeys
from studio.keyed import client_keys, key_folder, keys_for
from studio.settings import Environment, load_studio

app = typer.Typer(rich_markup_mode="rich", add_completion=False)

_HELP = taught(
    "Watch a running table, as a front-end would: it joins, fills gaps, and says when it is stale.",
    "In a terminal the table is drawn; elsewhere there is a line for each message.",
    ("studio watch", "the site's table"),
    ("studio watch -t BAC-1 --json", "exactly the public messages, one a line"),
    ("studio watch --json --all", "also those sent before, from the first one"),
    ("studio watch --requests tcp://127.0.0.1:5551", "without any settings here"),
    ("studio watch --requests tcp://10.0.0.7:5551", "from another machine, with its own key"),
)


@app.command(help=_HELP)
def watch(
    config: Config = None,
    table: TableName = None,
    requests: Annotated[
        str | None,
        typer.Option(
            metavar="ENDPOINT",
            help="The table's public request socket; no settings.",
            callback=an_endpoint,
        ),
    ] = None,
    events: Annotated[
        str | None,
        typer.Option(
            metavar="ENDPOINT",
            help="Its message socket, if not the one it names.",
            callback=an_endpoint,
        ),
    ] = None,
    keys: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="The folder of this machine's keys, if not the usual."),
    ] = None,
    environment: Annotated[
        Environment | None,
        typer.Option(help="What to expect; another table is refused. By the settings, else live."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="The bytes of each public message on a line.")
    ] = False,
    everything: Annotated[
        bool, typer.Option("--all", help="From the first message of the epoch on.")
    ] = False,
    until_closed: Annotated[
        bool, typer.Option("--until-closed", help="End with status 0 when the table closes.")
    ] = False,
    wait: Annotated[
        bool, typer.Option("--wait", help="Keep asking if the table does not answer yet.")
    ] = False,
) -> None:
    """Follow the table until stopped."""
    own = None if keys is None else ClientKeys.load(keys.expanduser())
    if requests is None:
        settings = table_settings(config, table)
        requests, table = settings.feed.public_requests, settings.table
        environment = environment or settings.environment
        own = own or client_keys(settings)
        if requests.endswith("*"):
            raise CommandFailed(
                "these settings let the table take any free port: say --requests with the address "
                "that `studio serve` printed",
                Exit.BAD_SETTINGS,
            )
    elif own is None:
        own = keys_for(requests, key_folder(load_studio(known_site())))
    with stopping_on_signals() as stopping:
        found = found_at(requests, table, stopping, wait=wait, keys=own)
        if found is None:
            return
        found = Found(found.table, events or found.events, requests, own)
        expected = (environment or Environment.LIVE).value
        if as_json:
            show: Payloads | Lines | Screen = Payloads(found.table)
        elif sys.stdout.isatty():
            show = Screen(found.table)
        else:
            show = Lines(found.table)
        follow(
            found,
            expected,
            show,
            stopping,
            everything=everything,
            until_closed=until_closed,
        )
