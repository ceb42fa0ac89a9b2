# SPDX-License-Identifier: Apache-2.0
"""``studio console``: the dealer's window at a table, a process of its own."""

import sys
from collections.abc import Callable
from typing import Annotated

import typer

from drivers.sim.client import ShoeControl
from studio.cli.exits import CommandFailed, Exit, taught
from studio.cli.log_in import origin
from studio.cli.site import Config, TableName, an_endpoint, control_of, table_settings
from studio.cli.staff import StaffRequests
from studio.cli.windows import ThemeName, an_address, application, end_on_signals, show
from studio.keyed import client_keys
from studio.settings import Environment, TableSettings, site_of
from studio.wording import BASE, languages, load_wording
from ui.console.brain import Brain
from ui.console.desk import Desk, first_seen
from ui.console.window import ConsoleWindow
from ui.keys import load_keys
from ui.link import Link

app = typer.Typer(rich_markup_mode="rich", add_completion=False)

_HELP = taught(
    "The dealer's window: one prompt at a time, the cards, the roads, and what to do in trouble.",
    "It reaches the table over the wire only: closed or restarted, it comes back to where the "
    "table is. The keys are those of console.toml.",
    ("studio console --table BAC-1", "the window of this table, over the whole screen"),
    ("studio console --window --theme light --language it", "in a window, light, in Italian"),
    ("studio console --pull", "with a key that pulls the next card of a simulated shoe"),
)


@app.command(help=_HELP)
def console(
    config: Config = None,
    table: TableName = None,
    theme: Annotated[
        ThemeName, typer.Option(help="Dark or light; a key changes it.")
    ] = ThemeName.DARK,
    language: Annotated[
        str, typer.Option(help="The language of the prompts; a key changes it.")
    ] = BASE,
    call_language: Annotated[
        str | None, typer.Option(help="The language of the call-outs; as the prompts if absent.")
    ] = None,
    window: Annotated[
        bool, typer.Option("--window/--fullscreen", help="A window, or the whole screen.")
    ] = False,
    staff_requests: StaffRequests = None,
    staff_events: Annotated[
        str | None,
        typer.Option(
            metavar="ENDPOINT",
            help="The table's staff message socket; by the settings.",
            callback=an_endpoint,
        ),
    ] = None,
    pull: Annotated[
        bool, typer.Option("--pull", help="A key pulls the next card of the simulated shoe.")
    ] = False,
    control: Annotated[
        str | None,
        typer.Option(metavar="HOST:PORT", help="The simulated shoe's control line."),
    ] = None,
) -> None:
    """Show the window until it is closed."""
    settings = table_settings(config, table)
    site = site_of(settings.file)
    keys = load_keys(site)
    known = languages(site)
    brain = Brain(
        lambda code: load_wording(code, site), known, language, call_language or language, keys
    )
    events = an_address(staff_events or settings.feed.staff_events, "--staff-events")
    requests = an_address(staff_requests or settings.feed.staff_requests, "--staff-requests")
    hand = _hand(settings, control) if pull or control is not None else None
    qt = application("studio console", "`studio watch` in a terminal")
    link = Link(settings.table, events, requests, origin(), client_keys(settings))
    seen = first_seen(
        settings.table, has_demo_shoe=hand is not None, is_light=theme is ThemeName.LIGHT
    )
    shown = ConsoleWindow(Desk(link, seen), brain, hand)
    link.start()
    try:
        show(shown, is_window=window)
        end_on_signals(qt)
        qt.exec()
    finally:
        shown.close()
        link.stop()


def _hand(settings: TableSettings, control: str | None) -> Callable[[], None]:
    """What pulls the next card of a simulated shoe."""
    if settings.environment is not Environment.TEST:
        raise CommandFailed(
            f"table {settings.table} is live: cards there are pulled by a person",
            Exit.BAD_SETTINGS,
        )
    endpoint = control or control_of(settings)

    def pull() -> None:
        # a line for each card: a simulator that was restarted is found again
        try:
            with ShoeControl(endpoint, 1.0) as shoe:
                shoe.pull()
        except (OSError, ValueError) as fault:
            sys.stderr.write(f"studio: no simulated shoe at {endpoint}: {fault}\n")

    return pull
