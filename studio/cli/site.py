# SPDX-License-Identifier: Apache-2.0
"""Which settings a command works with: the option, the variable, or the site that init made."""

import os
import re
from pathlib import Path
from typing import Annotated

import typer

from studio.settings import (
    SITE_VARIABLE,
    FeedEndpoints,
    Judge,
    StudioSettings,
    TableSettings,
    judged_table,
    load_studio,
    load_table,
    names_of,
    no_judge,
    site_of,
)
from studio.toml import Fault, SettingsFault

DEFAULT_TABLE = "BAC-1"
_ROUND_ID = re.compile(r"(.+)-\d{8}-\d+")
_ENDPOINT = re.compile(r"tcp://(\[[0-9a-fA-F:]+\]|[^:/\s]+):(\d{1,5})")

Config = Annotated[
    Path | None,
    typer.Option(
        "--config",
        "-c",
        metavar="FILE",
        help=f"The table's settings, tables/NAME.toml; else by --table in ${SITE_VARIABLE}, in "
        "~/.config/sabot, or shipped.",
    ),
]
TableName = Annotated[
    str | None,
    typer.Option("--table", "-t", metavar="NAME", help="The table, by the name of its settings."),
]


def an_endpoint(text: str | None) -> str | None:
    """The address of a socket as an option gives it. Raises BadParameter for none."""
    if text is None:
        return None
    match = _ENDPOINT.fullmatch(text)
    if match is None or not 0 < int(match[2]) < 65536:
        raise typer.BadParameter(f'"{text}": give tcp://ADDRESS:PORT, port 1 to 65535')
    return text


def endpoints(texts: list[str] | None) -> list[str] | None:
    """The same for an option that may be given again."""
    for text in texts or ():
        an_endpoint(text)
    return texts


def default_site() -> Path:
    """Where ``studio init`` writes the settings unless it is told otherwise."""
    base = os.environ.get("XDG_CONFIG_HOME") or "~/.config"
    return Path(base).expanduser() / "sabot"


def known_site() -> Path | None:
    """The site's folder without an option: the variable's, else the default one if it is there.

    Raises SettingsFault for a variable that names no folder, or other settings would be taken.
    """
    named = site_of()
    if named is not None:
        if not named.is_dir():
            right = f"give ${SITE_VARIABLE} the folder that has tables/ in it"
            raise SettingsFault([Fault(str(named), "", "no folder of a site", right)])
        return named
    return default_site() if default_site().is_dir() else None


def table_settings(
    config: Path | None, table: str | None, judge: Judge = no_judge
) -> TableSettings:
    """The settings that the options name; the site's only table if they name none.

    ``judge`` as in ``load_table``. Raises SettingsFault with every fault.
    """
    return load_table(*named_table(config, table), judge)


def studio_settings(config: Path | None) -> StudioSettings:
    """What the tables of the site share, for a command that is about no table.

    Raises SettingsFault; also for a file that is not there, or another site's would be taken.
    """
    if config is None:
        return load_studio(known_site())
    if not config.is_file():
        right = "give the settings of a table, tables/NAME.toml of its site"
        raise SettingsFault([Fault(str(config), "", "no such file", right)])
    return load_studio(site_of(config))


def site_tables(config: Path | None, names: list[str], *, every: bool) -> list[TableSettings]:
    """The tables of the site that are named, or all of them; its only one if none is named."""
    if every:
        site = site_of(config) if config is not None else known_site()
        own = [] if site is None else sorted(site.glob("tables/*.toml"))
        return [load_table(file) for file in own] or [table_settings(None, None)]
    if config is not None or len(names) < 2:
        return [table_settings(config, names[0] if names else None)]
    return [table_settings(None, name) for name in names]


def sound_tables(config: Path | None) -> tuple[list[TableSettings], list[SettingsFault]]:
    """Every table of the site whose settings can be read, and what is wrong with the others'."""
    site = site_of(config) if config is not None else known_site()
    tables, faults = [], []
    for file in [] if site is None else sorted(site.glob("tables/*.toml")):
        try:
            tables.append(load_table(file))
        except SettingsFault as fault:
            faults.append(fault)
    return tables, faults


def named_table(config: Path | None, table: str | None) -> tuple[Path | str, Path | None]:
    """The file or the name of the table that the options name, and the folder of its site."""
    if config is not None:
        return config, None
    site = known_site()
    if table is None:
        own = [] if site is None else sorted(file.stem for file in site.glob("tables/*.toml"))
        table = own[0] if len(own) == 1 else DEFAULT_TABLE
        if len(own) > 1 and table not in own:
            raise typer.BadParameter(f"which table? Say --table, one of: {', '.join(own)}")
    return table, site


def table_names() -> list[str]:
    """The tables that can be named."""
    return names_of("tables", known_site())


def table_of(round_id: str) -> str | None:
    """The table that a round's id begins with, if there are settings of that name."""
    match = _ROUND_ID.fullmatch(round_id)
    return match[1] if match is not None and match[1] in table_names() else None


def ports_of(site: Path) -> dict[int, str]:
    """The ports that the tables of a site are set to, each with the table's name."""
    found: dict[int, str] = {}
    for file in sorted(site.glob("tables/*.toml")):
        settings, _faults = judged_table(file)
        for name in FeedEndpoints.__struct_fields__:
            port = getattr(settings.feed, name).rpartition(":")[2]
            if port.isdigit():
                found.setdefault(int(port), file.stem)
    return found


def control_of(settings: TableSettings) -> str:
    """Where a table's simulated shoe listens for the hand that works it: one port above the staff.

    Port 0, any free one, where the settings leave the staff's port open.
    """
    port = settings.feed.staff_requests.rpartition(":")[2]
    return f"127.0.0.1:{int(port) + 1 if port.isdigit() and int(port) < 65535 else 0}"
