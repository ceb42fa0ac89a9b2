# SPDX-License-Identifier: Apache-2.0
"""``studio pit``: the supervisors' window on all tables of the studio, a process of its own."""

from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from studio.cli.exits import taught
from studio.cli.log_in import origin
from studio.cli.site import Config, an_endpoint, known_site, site_tables, studio_settings
from studio.cli.windows import ThemeName, an_address, application, end_on_signals, show
from studio.feed.keys import ClientKeys
from studio.keyed import client_keys, key_folder, keys_for
from studio.settings import TableSettings, site_of
from studio.wording import BASE, languages, load_wording
from ui.keys import PIT, load_keys
from ui.link import Link, LinkThread
from ui.pit.brain import PitBrain
from ui.pit.desk import PitDesk
from ui.pit.window import PitWindow
from ui.pit_view.acts import PIT_ACTS

app = typer.Typer(rich_markup_mode="rich", add_completion=False)

_HELP = taught(
    "The pit's window: every table of the site on one wall, trouble first, and the queue of what "
    "is held, to be claimed and ruled on from here.",
    "One log-in of a supervisor or manager serves all tables. It reaches them over the wire only; "
    "a table that cannot be reached is shown as trouble of its own. The keys are those of "
    "pit.toml.",
    ("studio pit", "all tables of the site, over the whole screen"),
    ("studio pit --table BAC-1 --table BAC-2 --window", "these two, in a window"),
    ("studio pit --theme light --language fr", "light, in French"),
    ("studio pit --at BAC-7=tcp://10.0.0.7:5552,tcp://10.0.0.7:5553", "a table elsewhere"),
)


class _Where(NamedTuple):
    """A table, and the addresses of its staff sockets."""

    table: str
    events: str
    requests: str
    keys: ClientKeys | None


@app.command(help=_HELP)
def pit(
    config: Config = None,
    table: Annotated[
        list[str] | None,
        typer.Option("--table", "-t", metavar="NAME", help="A table of the site; may be repeated."),
    ] = None,
    at: Annotated[
        list[str] | None,
        typer.Option(
            "--at",
            metavar="NAME=EVENTS,REQUESTS",
            help="A table by the addresses of its staff sockets; may be repeated.",
        ),
    ] = None,
    theme: Annotated[
        ThemeName, typer.Option(help="Dark or light; a key changes it.")
    ] = ThemeName.DARK,
    language: Annotated[
        str, typer.Option(help="The language of the window; a key changes it.")
    ] = BASE,
    window: Annotated[
        bool, typer.Option("--window/--fullscreen", help="A window, or the whole screen.")
    ] = False,
) -> None:
    """Show the window until it is closed."""
    names = table or []
    is_site = bool(names) or not at or config is not None
    settings = site_tables(config, names, every=not names) if is_site else []
    given = [_elsewhere(one, config, settings) for one in at or ()]
    told = {one.table for one in given}
    tables = [*(_of(one) for one in settings if one.table not in told), *given]
    tables.sort(key=lambda one: _in_order(one.table))
    site = site_of(config) if config is not None else known_site()
    keys = load_keys(site, PIT, PIT_ACTS)
    brain = PitBrain(lambda code: load_wording(code, site), languages(site), language, keys)
    qt = application("studio pit", "`studio watch` in a terminal")
    thread = LinkThread()
    links = [
        Link(one.table, one.events, one.requests, origin(), one.keys, thread) for one in tables
    ]
    shown = PitWindow(PitDesk(links, is_light=theme is ThemeName.LIGHT), brain)
    thread.start()
    try:
        show(shown, is_window=window)
        end_on_signals(qt)
        qt.exec()
    finally:
        shown.close()
        thread.stop()


def _of(settings: TableSettings) -> _Where:
    feed, option = settings.feed, "--at"
    events, requests = (
        an_address(feed.staff_events, option),
        an_address(feed.staff_requests, option),
    )
    return _Where(settings.table, events, requests, client_keys(settings))


def _elsewhere(at: str, config: Path | None, settings: list[TableSettings]) -> _Where:
    """A table by its addresses; its keys are those that its settings want, if they are known."""
    name, _, rest = at.partition("=")
    events, _, requests = rest.partition(",")
    for one in (events, requests):
        an_endpoint(one)
    if not name:
        raise typer.BadParameter(f'"{at}": give NAME=EVENTS,REQUESTS')
    own = next((one for one in settings if one.table == name), None)
    if own is not None:
        return _Where(name, events, requests, client_keys(own))
    return _Where(name, events, requests, keys_for(requests, key_folder(studio_settings(config))))


def _in_order(name: str) -> tuple[str, int, str]:
    """BAC-2 stands before BAC-10."""
    head, _, number = name.rpartition("-")
    return (head, int(number), name) if number.isdigit() else (name, 0, name)
