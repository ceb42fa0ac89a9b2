# SPDX-License-Identifier: Apache-2.0
"""The settings of a studio and of its tables, from TOML files.

Owns which files are read and in which order, what can be set, and what is checked before anything
starts: all faults are reported at once. A site's file takes the place of a shipped one of the same
name. It must not know drivers, store or feed: their texts pass through it unopened.
"""

import os
import re
import zoneinfo
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import msgspec

from studio.contacts import Contacts
from studio.game.house import House, faults_in, house_of
from studio.staff import rules as staff_rules
from studio.staff.permissions import second_person_faults
from studio.toml import Fault, SettingsFault, fault_told, parsed, typed

SITE_VARIABLE = "STUDIO_CONFIG"

_Milliseconds = Annotated[int, msgspec.Meta(ge=0, le=60_000)]
_Text = Annotated[str, msgspec.Meta(min_length=1)]
_To = Annotated[str, msgspec.Meta(pattern=r"^tcp://\S+:\d+$", description="tcp://HOST:PORT")]
_TABLE_ID = re.compile(r"[A-Za-z0-9]+(-[A-Za-z0-9]+)*")
_ENDPOINT = re.compile(r"tcp://(\[[0-9a-fA-F:]+\]|[^:/\s]+):(\d{1,5}|\*)")
_DATABASE = re.compile(r"(sqlite:///[^?]+|postgresql(\+psycopg)?://\S+)")


class Environment(str, Enum):
    """Whether a table's results count: ``live``, or ``test``."""

    LIVE = "live"
    TEST = "test"


class LogIn(str, Enum):
    """Whether staff log in at a table: ``required``, or ``open`` to everybody at this machine."""

    REQUIRED = "required"
    OPEN = "open"


class LogLevel(str, Enum):
    """From which severity on things are logged."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class StaffSettings(staff_rules.StaffRules, frozen=True, kw_only=True):
    """The staff's one database, the same for all tables of a studio, and the rules for it."""

    database: _Text = "sqlite:///staff.db"


class OperatorSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Where it is kept which operators acknowledged what, and after how long one is late."""

    database: _Text = "sqlite:///operators.db"
    acknowledge_seconds: Annotated[int, msgspec.Meta(ge=1, le=86_400)] = 60


class SoftwareSettings(msgspec.Struct, frozen=True, kw_only=True):
    """After how many hours at most the files are compared with the approved manifest again."""

    check_hours: Annotated[float, msgspec.Meta(gt=0, le=24)] = 24


class StudioSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What all tables of a machine share; ``studio.toml``. Folders begin at ``data_folder``."""

    data_folder: _Text
    key_folder: _Text = "keys"
    time_zone: _Text = "UTC"
    log_level: LogLevel = LogLevel.INFO
    append_only: bool = False
    staff: StaffSettings = StaffSettings()
    contacts: Contacts = Contacts()
    operators: OperatorSettings = OperatorSettings()
    software: SoftwareSettings = SoftwareSettings()

    @property
    def staff_database_url(self) -> str:
        """Where the staff is kept, with an absolute path."""
        return self.absolute_url(self.staff.database)

    @property
    def data_path(self) -> Path:
        """``data_folder`` as an absolute path."""
        return Path(self.data_folder).expanduser().absolute()

    def absolute_url(self, url: str) -> str:
        """Where a database is, with an absolute path."""
        if not url.startswith("sqlite:///"):
            return url
        return f"sqlite:///{self.data_path / Path(url.removeprefix('sqlite:///')).expanduser()}"


class FeedEndpoints(msgspec.Struct, frozen=True, kw_only=True):
    """The four sockets of a table, ``tcp://ADDRESS:PORT`` each; port ``*`` is any free one."""

    public_events: _Text = "tcp://127.0.0.1:5550"
    public_requests: _Text = "tcp://127.0.0.1:5551"
    staff_events: _Text = "tcp://127.0.0.1:5552"
    staff_requests: _Text = "tcp://127.0.0.1:5553"


class ShoeSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Which shoe a table has and how it is reached; ``endpoint`` and ``settings`` are a driver's.

    ``simulated`` has no default: whoever writes the file says whether real cards are dealt.
    """

    driver: _Text
    endpoint: _Text
    simulated: bool
    settings: dict[str, Any] = {}


class _TableFile(msgspec.Struct, frozen=True, kw_only=True):
    """The keys of ``tables/NAME.toml``."""

    table: _Text
    house: _Text
    database: _Text
    raw_log: _Text = "raw"
    heads: _Text | None = None
    heads_to: _To | None = None
    environment: Environment | None = None
    log_in: LogIn | None = None
    keys: bool = False
    stream: str | None = None
    video_stream: _Text | None = None
    picture_delay_ms: _Milliseconds = 0
    feed: FeedEndpoints = FeedEndpoints()
    shoe: ShoeSettings


# Take the place of what is missing or does not fit: the rest can be judged all the same.
_STAND_INS: dict[str, Any] = {
    "table": "BAC-1",
    "house": "studio",
    "database": "sqlite:///BAC-1.db",
    "shoe": {"driver": "any", "endpoint": "any", "simulated": False},
}


class TableSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a table is started with, checked, with its house and absolute paths.

    ``environment`` is ``test`` for a simulated shoe, whatever a file says. ``log_in`` is
    ``required`` unless the file of a test, or its simulated shoe, leaves the table open. ``keys``:
    the sockets want keys even on this machine. ``video_stream``: ``stream``, if no other is named.
    """

    file: Path
    studio: StudioSettings
    table: str
    house: House
    environment: Environment
    log_in: LogIn
    database_url: str
    raw_log_folder: Path
    heads: Path | None
    heads_to: str | None
    keys: bool
    stream: str | None
    video_stream: str | None
    picture_delay_ms: int
    feed: FeedEndpoints
    shoe: ShoeSettings


# Finds the faults of a shoe and of endpoints, which are in the file of that name.
Judge = Callable[[ShoeSettings, FeedEndpoints, str], Iterable[Fault]]


def no_judge(_shoe: ShoeSettings, _feed: FeedEndpoints, _file: str) -> Iterable[Fault]:
    """For commands that reach neither the shoe nor the feed's own sockets."""
    return ()


def shipped(path: str = "") -> Path:
    """A file or folder of the shipped settings, in a checkout and in an installed package alike."""
    inside = Path(__file__).parent / "config"
    return (inside if inside.is_dir() else inside.parents[1] / "config") / path


def site_of(config: Path | None = None, environ: Mapping[str, str] = os.environ) -> Path | None:
    """The folder of the site's own settings: that of the file named, or ``STUDIO_CONFIG``."""
    if config is not None:
        folder = config.absolute().parent
        return folder.parent if folder.name == "tables" else folder
    return Path(environ[SITE_VARIABLE]).absolute() if environ.get(SITE_VARIABLE) else None


def names_of(kind: str, site: Path | None = None) -> list[str]:
    """Names of the ``tables`` or ``houses`` to be had, the site's and the shipped ones."""
    folders = [folder for folder in (site, shipped()) if folder is not None]
    return sorted({file.stem for folder in folders for file in (folder / kind).glob("*.toml")})


def load_studio(site: Path | None = None) -> StudioSettings:
    """What the tables of this machine share. Raises SettingsFault with all faults."""
    settings, faults = _judged_studio(site)
    if faults:
        raise SettingsFault(faults)
    return settings


def _judged_studio(site: Path | None) -> tuple[StudioSettings, list[Fault]]:
    try:
        file = _found("studio.toml", site)
        data = _read(file)
    except SettingsFault as fault:
        return StudioSettings(data_folder="."), fault.faults
    settings, faults = typed(StudioSettings, data, str(file), {"data_folder": "."})
    return settings, faults + _studio_faults(settings, str(file))


def load_house(name: str, site: Path | None = None) -> House:
    """The house of that name. Raises SettingsFault with all faults of its file."""
    file = _found(f"houses/{name}.toml", site)
    data = _read(file)
    faults = [fault_told(str(file), line) for line in faults_in(data)]
    asked = data.get("second_person")
    if isinstance(asked, list) and all(isinstance(one, str) for one in asked):
        faults += [fault_told(str(file), line) for line in second_person_faults(asked)]
    written = data.get("name")
    if isinstance(written, str) and written != name:
        wrong = f'"{written}" in a file called {file.name}'
        faults.append(Fault(str(file), "name", wrong, f'give "{name}"'))
    day = data.get("gaming_day")
    zone = day.get("time_zone") if isinstance(day, dict) else None
    if isinstance(zone, str) and zone.strip():
        faults += _zone_faults(str(file), "gaming_day.time_zone", zone)
    if faults:
        raise SettingsFault(faults)
    return house_of(data)


def load_table(
    table: str | Path, site: Path | None = None, judge: Judge = no_judge
) -> TableSettings:
    """The settings of a table, by the path of its file or by its name, with studio and house.

    Without ``site``, a path's own folder is the site. ``judge`` finds the faults of what only
    driver and feed understand. Raises SettingsFault with the faults of all the files that it read.
    """
    settings, faults = judged_table(table, site, judge)
    if faults:
        raise SettingsFault(faults)
    return settings


def judged_table(
    table: str | Path, site: Path | None = None, judge: Judge = no_judge
) -> tuple[TableSettings, list[Fault]]:
    """As ``load_table``, with the faults; a value that is missing or has one is a stand-in."""
    faults: list[Fault] = []
    file = Path(table).absolute()
    data: dict[str, Any] | None = None
    try:
        if isinstance(table, Path) or table.endswith(".toml") or "/" in table:
            site = site or site_of(file)
        else:
            file = _found(f"tables/{table}.toml", site)
        data = _read(file)
    except SettingsFault as fault:
        faults += fault.faults
        file = Path(faults[0].file)
    read, more = typed(_TableFile, data or {}, str(file), _STAND_INS)
    if data is not None:
        faults += more + _table_faults(read, str(file))
        named = {fault.key for fault in faults}
        judged = judge(read.shoe, read.feed, str(file))
        faults += [fault for fault in judged if not _is_named(fault.key, named)]
    studio, more = _judged_studio(site)
    faults += more
    known = names_of("houses", site)
    try:
        if read.house not in known:
            right = f"known: {', '.join(known)}"
            raise SettingsFault([Fault(str(file), "house", f'no house "{read.house}"', right)])
        house = load_house(read.house, site)
    except SettingsFault as fault:
        faults += fault.faults
        house = load_house(_STAND_INS["house"])
    return _resolved(read, file, studio, house), faults


def _is_named(key: str, named: set[str]) -> bool:
    """Whether this key, or the table that it is in, has a fault already: its value is none."""
    return key in named or key.rpartition(".")[0] in named


def _studio_faults(settings: StudioSettings, file: str) -> list[Fault]:
    faults = _zone_faults(file, "time_zone", settings.time_zone)
    for key, part in (("staff", settings.staff), ("operators", settings.operators)):
        if not _DATABASE.fullmatch(part.database):
            faults.append(_no_database(file, f"{key}.database"))
    rules = staff_rules.faults_of(settings.staff)
    return faults + [fault_told(file, f"staff.{line}") for line in rules]


def _no_database(file: str, key: str) -> Fault:
    # a URL may hold a password: the text does not repeat it
    right = 'give "sqlite:///FILE" or "postgresql://USER@HOST/NAME"'
    return Fault(file, key, "not the URL of a database", right)


def _table_faults(read: _TableFile, file: str) -> list[Fault]:
    """What is wrong with values of the right kind."""
    faults = []
    if not _TABLE_ID.fullmatch(read.table):
        right = "use letters, digits and single hyphens, as in BAC-1"
        faults.append(Fault(file, "table", f'"{read.table}" is no table id', right))
    if not _DATABASE.fullmatch(read.database):
        faults.append(_no_database(file, "database"))
    taken: dict[str, str] = {}
    for name in FeedEndpoints.__struct_fields__:
        key, endpoint = f"feed.{name}", getattr(read.feed, name)
        match = _ENDPOINT.fullmatch(endpoint)
        if match is None or (match[2] != "*" and not 0 < int(match[2]) < 65536):
            right = 'give "tcp://ADDRESS:PORT", port 1 to 65535 or *'
            faults.append(Fault(file, key, f'"{endpoint}" is no endpoint', right))
        elif match[2] != "*" and endpoint in taken:
            right = "give each socket its own port"
            faults.append(Fault(file, key, f"{endpoint} is also {taken[endpoint]}", right))
        taken.setdefault(endpoint, key)
    if read.shoe.simulated and read.environment is Environment.LIVE:
        right = 'a simulated shoe is always "test": remove this key'
        faults.append(Fault(file, "environment", '"live" with a simulated shoe', right))
    is_test = read.shoe.simulated or read.environment is Environment.TEST
    if read.log_in is LogIn.OPEN and not is_test:
        right = 'only a table of environment "test" can be: remove this key'
        faults.append(Fault(file, "log_in", '"open" at a live table', right))
    return faults


def _resolved(read: _TableFile, file: Path, studio: StudioSettings, house: House) -> TableSettings:
    live = read.environment or Environment.LIVE
    return TableSettings(
        file=file,
        studio=studio,
        table=read.table,
        house=house,
        environment=Environment.TEST if read.shoe.simulated else live,
        log_in=read.log_in or (LogIn.OPEN if read.shoe.simulated else LogIn.REQUIRED),
        database_url=studio.absolute_url(read.database),
        raw_log_folder=studio.data_path / Path(read.raw_log).expanduser(),
        heads=None if read.heads is None else studio.data_path / Path(read.heads).expanduser(),
        heads_to=read.heads_to,
        keys=read.keys,
        stream=read.stream,
        video_stream=read.video_stream or read.stream,
        picture_delay_ms=read.picture_delay_ms,
        feed=read.feed,
        shoe=read.shoe,
    )


def _found(name: str, site: Path | None) -> Path:
    """The site's file of that name, or else the shipped one."""
    if site is not None and (site / name).exists():
        return site / name
    if shipped(name).exists():
        return shipped(name)
    right = f"known: {', '.join(names_of(name.partition('/')[0], site)) or 'none'}"
    raise SettingsFault([Fault(str((site or shipped()) / name), "", "no such file", right)])


def _read(file: Path) -> dict[str, Any]:
    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise SettingsFault([Fault(str(file), "", "not UTF-8", "save it as UTF-8")]) from None
    except OSError as fault:
        reason = (fault.strerror or "cannot be read").lower()
        right = "check the path, and the owner and mode of the file"
        raise SettingsFault([Fault(str(file), "", reason, right)]) from None
    return parsed(text, str(file))


def _zone_faults(file: str, key: str, name: str) -> list[Fault]:
    try:
        zoneinfo.ZoneInfo(name)
        return []
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        return [Fault(file, key, f'no time zone "{name}"', 'give one such as "Europe/Malta"')]
