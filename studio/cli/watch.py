# SPDX-License-Identifier: Apache-2.0
"""``studio watch``: a subscriber for people, and for scripts that read lines."""

import sys
from datetime import timedelta
from pathlib import Path
from typing import Annotated

import typer

from studio.cli.diagnose import diagnose_all
from studio.cli.diagnosis import CLOCK_LIMIT
from studio.cli.exits import CommandFailed, Exit, taught
from studio.cli.signals import stopping_on_signals
from studio.cli.site import Config, TableName, an_endpoint, endpoints, known_site, site_tables
from studio.cli.watching import Lines, Payloads, Screen, follow, found_at
from studio.cli.watching_many import Target, watch_many
from studio.feed.endpoint import as_seen_from
from studio.feed.keys import ClientKeys
from studio.keyed import client_keys, key_folder, keys_for
from studio.settings import Environment, TableSettings, load_studio

app = typer.Typer(rich_markup_mode="rich", add_completion=False)

_HELP = taught(
    "Watch running tables, as a front-end would: it joins, fills gaps, and says when one is stale. "
    "One table has the whole screen; of several, those in trouble come first.",
    "In a terminal the tables are drawn; elsewhere there is a line for each message. --diagnose "
    "says what is wrong and whom to call: status 0 if nothing is, 3 if a table cannot be reached, "
    "else 1.",
    ("studio watch", "the site's table"),
    ("studio watch BAC-1 BAC-2", "two of them; --all for every one"),
    ("studio watch --diagnose --all", "what is wrong, and whom to call"),
    ("studio watch -t BAC-1 --json", "exactly the public messages, one a line"),
    ("studio watch --json --from-start", "also those sent before, from the first one"),
    ("studio watch --requests tcp://127.0.0.1:5551", "without any settings here"),
    ("studio watch --requests tcp://10.0.0.7:5551", "from another machine, with its own key"),
)


@app.command(help=_HELP)
def watch(
    tables: Annotated[
        list[str] | None, typer.Argument(metavar="[TABLE]...", help="Which tables, by name.")
    ] = None,
    config: Config = None,
    table: TableName = None,
    requests: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ENDPOINT",
            help="The public request socket of a table, or of several; no settings. May be "
            "given again.",
            callback=endpoints,
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
    every: Annotated[bool, typer.Option("--all", help="Every table of the site.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="The bytes of each public message on a line.")
    ] = False,
    everything: Annotated[
        bool, typer.Option("--from-start", help="From the first message of the epoch on.")
    ] = False,
    until_closed: Annotated[
        bool, typer.Option("--until-closed", help="End with status 0 when the tables close.")
    ] = False,
    wait: Annotated[
        bool, typer.Option("--wait", help="Keep asking if the table does not answer yet.")
    ] = False,
    diagnosing: Annotated[
        bool, typer.Option("--diagnose", help="Say what is wrong and whom to call, and end.")
    ] = False,
    clock_limit: Annotated[
        float,
        typer.Option(metavar="SECONDS", min=0.0, help="How far clocks may be apart (--diagnose)."),
    ] = CLOCK_LIMIT.total_seconds(),
) -> None:
    """Follow the tables until stopped."""
    named = [*(tables or []), *([] if table is None else [table])]
    own = None if keys is None else ClientKeys.load(keys.expanduser())
    if requests:
        expected = environment or Environment.LIVE
        targets = [_at(one, tuple(named), expected, own, events) for one in requests]
    else:
        settings = site_tables(config, named, every=every)
        targets = [_of(one, environment, own, events) for one in settings]
    if diagnosing:
        limit = timedelta(seconds=clock_limit)
        status = diagnose_all(targets, limit, as_json=as_json)
        if status:
            raise typer.Exit(status)
        return
    is_one = len(targets) == 1 and len(named) < 2 and not (every and requests)
    with stopping_on_signals() as stopping:
        if not is_one:
            show = _show(as_json, [name for one in targets for name in one.names])
            how = {"everything": everything, "until_closed": until_closed}
            watch_many(targets, show, stopping, **how)
            return
        (target,) = targets
        name = target.tables[0] if target.tables else None
        found = found_at(target.requests, name, stopping, wait=wait, keys=target.keys)
        if found is None:
            return
        found = found._replace(events=events or found.events)
        follow(
            found,
            target.environment,
            _show(as_json, [found.table]),
            stopping,
            everything=everything,
            until_closed=until_closed,
        )


def _show(as_json: bool, names: list[str]) -> Payloads | Lines | Screen:
    if as_json:
        return Payloads()
    return Screen(names) if sys.stdout.isatty() else Lines()


def _at(
    requests: str,
    names: tuple[str, ...],
    environment: Environment,
    own: ClientKeys | None,
    events: str | None,
) -> Target:
    """What is served at an address of which no settings are known."""
    if own is None:
        own = keys_for(requests, key_folder(load_studio(known_site())))
    return Target(requests, names, environment.value, own, events)


def _of(
    settings: TableSettings,
    environment: Environment | None,
    own: ClientKeys | None,
    events: str | None,
) -> Target:
    """A table of the site."""
    requests = settings.feed.public_requests
    if requests.endswith("*"):
        raise CommandFailed(
            "these settings let the table take any free port: say --requests with the address "
            "that `studio serve` printed",
            Exit.BAD_SETTINGS,
        )
    return Target(
        requests,
        (settings.table,),
        (environment or settings.environment).value,
        own or client_keys(settings),
        events or as_seen_from(settings.feed.public_events, requests),
    )
