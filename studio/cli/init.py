# SPDX-License-Identifier: Apache-2.0
"""``studio init``: the settings and the record of a new table, and a check of it all."""

import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from drivers.endpoint import EndpointFault, parse_endpoint
from drivers.registry import SHOES
from studio.cli.checks import shoe_and_feed_faults
from studio.cli.doctor import examine
from studio.cli.exits import CommandFailed, Exit, taught
from studio.cli.keys import make_studio
from studio.cli.output import console
from studio.cli.site import default_site, ports_of
from studio.cli.software import set_up
from studio.feed.keys import has_server_keys
from studio.keyed import key_folder
from studio.settings import FeedEndpoints, load_studio, load_table, names_of, site_of
from studio.settings_text import NewTable, studio_text, table_text
from studio.store.database import StoreFailed, parse_url
from studio.store.schema import create

app = typer.Typer(rich_markup_mode="rich", add_completion=False)

T = TypeVar("T")

FIRST_PORT, PORTS_A_TABLE = 5550, 10
# its four, and the control line of a simulated shoe
_PORTS_USED = 5
_TABLE_ID = re.compile(r"[A-Za-z0-9]+(-[A-Za-z0-9]+)*")
DEFAULT_DATA = "~/.local/state/sabot"

_HELP = taught(
    "Set up a table: write its settings, make its record, and check it all with `studio doctor`. "
    "What is not said as an option is asked for; without a terminal the defaults are taken, and "
    "--simulated or --port must say which shoe.",
    "Settings go outside the program's own folder, and nothing that is there is ever overwritten. "
    "The studio's keys are made, unless they are there; see `studio keys`.",
    ("studio init", "asks for house, shoe and ports"),
    ("studio init --simulated", "a table to try things on: no shoe is needed"),
    (
        "studio init --table BAC-2 --house macau --port serial:/dev/ttyUSB0",
        "asks only for the rest",
    ),
    ("studio init --simulated --folder site --data data --yes", "asks nothing"),
)


class _Asking:
    """Takes what was said, asks for what was not, or takes the default."""

    def __init__(self, *, may_ask: bool) -> None:
        self.may_ask = may_ask

    def value(
        self, said: str | None, question: str, default: str | None, check: Callable[[str], str]
    ) -> str:
        """A value that ``check`` (returns what is wrong, or nothing) accepts."""
        if said is None and not self.may_ask and default is None:
            raise CommandFailed(f"{question}: say it as an option", Exit.BAD_SETTINGS)
        answer = said if said is not None else default
        while True:
            if said is None and self.may_ask:
                answer = str(typer.prompt(question, default=default)).strip()
            wrong = check(answer or "")
            if not wrong:
                return answer or ""
            if said is not None or not self.may_ask:
                raise CommandFailed(f"{question}: {wrong}", Exit.BAD_SETTINGS)
            console().print(wrong)


@app.command(help=_HELP)
def init(
    table: Annotated[
        str | None, typer.Option("--table", "-t", metavar="NAME", help="Its id, as in BAC-1.")
    ] = None,
    house: Annotated[
        str | None, typer.Option(help="The house whose rules it plays; `studio`, `macau`, ...")
    ] = None,
    port: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Where the shoe is: serial:/dev/ttyUSB0, usb:0403:6001, tcp:10.0.0.7:4001.",
        ),
    ] = None,
    driver: Annotated[
        str, typer.Option(help=f"The family of the shoe: {', '.join(sorted(SHOES))}.")
    ] = "angel_eye_iiex",
    simulated: Annotated[
        bool | None,
        typer.Option("--simulated/--real", help="A simulated shoe, or real cards."),
    ] = None,
    first_port: Annotated[
        str | None,
        typer.Option(metavar="PORT", help="First of its four ports on 127.0.0.1; 0: any free."),
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(metavar="URL", help="sqlite:///FILE or postgresql://USER@HOST/NAME."),
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option(help="Where the settings go; $STUDIO_CONFIG, or ~/.config/sabot, if absent."),
    ] = None,
    data: Annotated[
        Path | None, typer.Option(help=f"Where records and logs go; {DEFAULT_DATA} if absent.")
    ] = None,
    manifest: Annotated[
        bool,
        typer.Option(
            "--manifest/--no-manifest",
            help="List the files of the software, for the service to check; a few seconds.",
        ),
    ] = True,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Ask nothing, take the defaults.")
    ] = False,
) -> None:
    """Ask, write, make, check."""
    site = (folder or site_of() or default_site()).expanduser().absolute()
    asking = _Asking(may_ask=sys.stdin.isatty() and not yes)
    if driver not in SHOES:
        shoes = ", ".join(sorted(SHOES))
        raise CommandFailed(f"--driver: no driver {driver}; known: {shoes}", Exit.BAD_SETTINGS)
    known = names_of("houses", site)
    name = asking.value(table, "table", "BAC-1", lambda text: _taken(site, text))
    rules = asking.value(
        house,
        f"house ({', '.join(known)})",
        "studio",
        lambda text: "" if text in known else f"no house {text}; known: {', '.join(known)}",
    )
    if simulated is None:
        simulated = _is_simulated(asking, port)
    data_folder = _data_folder(site, data)
    address = _shoe_address(asking, port, data_folder, name, simulated=simulated)
    taken, tables = ports_of(site), len(list(site.glob("tables/*.toml")))
    first = int(
        asking.value(
            first_port,
            "first of four ports",
            str(_free(taken, tables)),
            lambda text: _port_fault(text, taken, tables),
        )
    )
    new = NewTable(
        table=name,
        house=rules,
        driver=driver,
        endpoint=address,
        simulated=simulated,
        database=database or f"sqlite:///{name}.db",
        feed=FeedEndpoints(
            public_events=_address(first, 0),
            public_requests=_address(first, 1),
            staff_events=_address(first, 2),
            staff_requests=_address(first, 3),
        ),
    )
    _refuse_database(new.database)
    file = _written(site, data_folder, new)
    status = _made(file, has_manifest=manifest)
    _say_what_next(file, new)
    if status:
        raise typer.Exit(status)


def _taken(site: Path, name: str) -> str:
    file = site / "tables" / f"{name}.toml"
    if not _TABLE_ID.fullmatch(name):
        return "a table's id is letters, digits and hyphens, as in BAC-1"
    return f"{file} exists: choose another name, or edit that file" if file.exists() else ""


def _is_simulated(asking: _Asking, port: str | None) -> bool:
    if port is not None:
        return False
    if not asking.may_ask:
        raise CommandFailed(
            "which shoe? Say --simulated, or --port ADDRESS for a real one", Exit.BAD_SETTINGS
        )
    return typer.confirm("simulated shoe?", default=True)


def _data_folder(site: Path, data: Path | None) -> Path:
    """Where records go; a site that has its studio.toml has decided it already."""
    if (site / "studio.toml").exists():
        return Path(load_studio(site).data_folder).expanduser().absolute()
    return (data or Path(DEFAULT_DATA)).expanduser().absolute()


def _shoe_address(
    asking: _Asking, port: str | None, data_folder: Path, name: str, *, simulated: bool
) -> str:
    if simulated and port is None:
        return f"serial:{data_folder / name}.shoe"
    return asking.value(port, "address of the shoe, as serial:/dev/ttyUSB0", None, _address_fault)


def _address_fault(text: str) -> str:
    try:
        parse_endpoint(text)
    except EndpointFault as fault:
        return str(fault)
    return ""


def _address(first: int, place: int) -> str:
    return f"tcp://127.0.0.1:{first + place if first else '*'}"


def _port_fault(text: str, taken: Mapping[int, str], tables: int) -> str:
    if text == "0":
        return ""
    if text.isascii() and text.isdigit() and 1024 <= int(text) <= 65535 - PORTS_A_TABLE:
        for port in range(int(text), int(text) + _PORTS_USED):
            if port in taken:
                return f"port {port} is table {taken[port]}'s; {_free(taken, tables)} is free"
        return ""
    return f'"{text}": give a number from 1024 to {65535 - PORTS_A_TABLE}'


def _refuse_database(url: str) -> None:
    try:
        parse_url(url)
    except StoreFailed as failed:
        raise CommandFailed(f"--database: {failed}", Exit.BAD_SETTINGS) from None


def _free(taken: Mapping[int, str], tables: int) -> int:
    """The first port of a site's next table: ten a table, in the order in which they came."""
    first = FIRST_PORT + PORTS_A_TABLE * tables
    while any(port in taken for port in range(first, first + _PORTS_USED)):
        first += PORTS_A_TABLE
    return first


def _written(site: Path, data_folder: Path, new: NewTable) -> Path:
    """Write the files that are missing; gives the table's. Raises CommandFailed."""
    file = site / "tables" / f"{new.table}.toml"
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        data_folder.mkdir(parents=True, exist_ok=True, mode=0o750)
        if not (site / "studio.toml").exists():
            text = studio_text(str(data_folder))
            (site / "studio.toml").write_text(text, encoding="utf-8")
        with file.open("x", encoding="utf-8") as made:
            made.write(table_text(new))
    except OSError as fault:
        raise CommandFailed(f"{fault.filename}: {fault.strerror}; choose --folder or --data") from (
            None
        )
    console().print(f"wrote {file}", soft_wrap=True)
    return file


def _made(file: Path, *, has_manifest: bool) -> Exit:
    """Make the record unless it is there, then examine everything."""
    settings = load_table(file, judge=shoe_and_feed_faults)
    try:
        create(settings.database_url, settings.table)
        console().print(f"made the record of table {settings.table}", soft_wrap=True)
    except StoreFailed as failed:
        # a record that is there is used; what else is wrong with it, the doctor says
        console().print(str(failed), soft_wrap=True)
    folder = key_folder(settings.studio)
    if not has_server_keys(folder):
        make_studio(folder)
        console().print(f"made the studio's keys in {folder}", soft_wrap=True)
    if has_manifest:
        console().print(f"made {set_up(settings)}", soft_wrap=True)
    return examine(settings)


def _say_what_next(file: Path, new: NewTable) -> None:
    out = console()
    default = file.parent.parent == default_site()
    which = f"-t {new.table}" if default else f"-c {file}"
    commands = ["serve", "watch"]
    if new.simulated:
        commands = ["sim", "serve", "dealer", "watch"]
    if not new.simulated:
        out.print(
            "\nStaff log in at this table. First, in this order, unless the studio has its people:",
            soft_wrap=True,
        )
        site = "" if default else f" -c {file}"
        people = "a supervisor and two dealers, to begin with"
        out.print(f"  studio staff init{site}   the first manager, at a terminal", soft_wrap=True)
        out.print(f"  studio staff add --help   {people}", soft_wrap=True)
    out.print("\nNext, each in a terminal of its own:", soft_wrap=True)
    for command in commands:
        out.print(f"  studio {command} {which}", soft_wrap=True)
    if new.feed.staff_requests.endswith("*"):
        out.print(
            "Ports are any free ones: give dealer and watch the addresses that sim and serve "
            "print (--control, --staff-requests, --requests).",
            soft_wrap=True,
            markup=False,
        )
