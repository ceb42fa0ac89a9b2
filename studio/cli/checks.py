# SPDX-License-Identifier: Apache-2.0
"""What can be wrong with a table's settings and with the machine that it shall run on.

Each check gives findings, never an exception, so that all of them are made. While the table's
service runs, its line, its record and its sockets are its own and are only looked at from outside.
"""

import ctypes
import os
import shutil
import socket
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from drivers.endpoint import EndpointFault, parse_endpoint
from drivers.registry import SHOES, faults_of
from drivers.transport import LineError, LineFault, line_to
from studio.cli.approved import software_finding
from studio.cli.checks_heads import heads_kept, heads_sent
from studio.cli.finding import Finding, Mark
from studio.cli.site import ports_of
from studio.feed import asks
from studio.feed.allowed import Kind, active, read_allowed
from studio.feed.client import Client, NoAnswer
from studio.feed.endpoint import FeedRefused, address_of
from studio.feed.keys import KeysRefused
from studio.keyed import client_keys, key_folder, server_keys, wants_keys
from studio.rights import could_change
from studio.settings import FeedEndpoints, LogIn, ShoeSettings, TableSettings
from studio.staff.accounts import Role
from studio.store.chain import recorded_of
from studio.store.database import InUse, StoreFailed
from studio.store.history import History
from studio.store.journal import Journal
from studio.store.schema import schema_of
from studio.store.staff_book import StaffBook
from studio.toml import Fault

LEAST_FREE_BYTES = 200 * 1024 * 1024
FEW_FREE_BYTES = 2 * 1024 * 1024 * 1024
_ANSWER_SECONDS = 0.5
_FIRST_YEAR = 2025
_UNSYNCHRONISED = 5


def shoe_and_feed_faults(shoe: ShoeSettings, feed: FeedEndpoints, file: str) -> list[Fault]:
    """Faults of values that only the driver and the feed understand."""
    faults = []
    for text in faults_of(shoe.driver, shoe.settings):
        key = "shoe.settings" if shoe.driver in SHOES else "shoe.driver"
        wrong, _, right = text.partition(";")
        faults.append(Fault(file, key, wrong, right.strip() or "correct or remove it"))
    try:
        parse_endpoint(shoe.endpoint)
    except EndpointFault as fault:
        right = "see `studio shoe listen --help` for how addresses are written"
        faults.append(Fault(file, "shoe.endpoint", str(fault), right))
    for name in FeedEndpoints.__struct_fields__:
        try:
            address_of(getattr(feed, name))
        except FeedRefused as fault:
            wrong, _, right = str(fault).partition("; ")
            right = right or 'use "tcp://127.0.0.1:PORT"'
            faults.append(Fault(file, f"feed.{name}", wrong, right))
    return faults


def findings(settings: TableSettings, faults: Sequence[Fault] = ()) -> Iterator[Finding]:
    """The faults of the settings, and everything that was looked at on this machine, in order.

    What hangs on a setting with a fault cannot be looked at, and is said to be left out.
    """
    for fault in faults:
        yield Finding("settings", Mark.FAULT, str(fault))
    if not faults:
        yield Finding(
            "settings",
            Mark.OK,
            f"{settings.file}: table {settings.table}, house "
            f"{settings.house.name}, {settings.environment.value}",
        )
    is_running = not _faulty(settings, faults, _NEEDED["service"]) and _is_served(settings)
    if is_running:
        yield Finding("service", Mark.OK, "running: line, record and sockets are in its hands")
    is_live = not (settings.shoe.simulated or _faulty(settings, faults, ("shoe.simulated",)))
    checks: dict[str, Callable[[], Finding]] = {
        "shoe": lambda: _port(settings, is_running),
        "record": lambda: _record(settings, is_running),
        "sockets": lambda: _sockets(settings, is_running, faults),
        "keys": lambda: _keys(settings),
        "staff": lambda: _staff(settings),
        "rights": lambda: _rights(settings),
        "clock": lambda: _clock(is_live),
        "disk": lambda: _disk(settings),
        "software": lambda: software_finding(settings),
    }
    if settings.heads is not None:
        heads = settings.heads
        checks["heads"] = lambda: heads_kept(heads, settings)
    if settings.heads_to is not None:
        to = settings.heads_to
        checks["heads sent"] = lambda: heads_sent(to)
    for what, check in checks.items():
        wanting = _faulty(settings, faults, _NEEDED.get(what, ()))
        if wanting:
            text = f"not looked at: correct {', '.join(wanting)} first"
            yield Finding(what, Mark.NOTE, text)
        else:
            yield check()


_STUDIO = "studio.toml "
_SHOE = ("shoe.endpoint", "shoe.simulated")
_DATABASE = ("database", _STUDIO + "data_folder")
# The settings without which a thing cannot be looked at; clock and free sockets need none.
_NEEDED = {
    "service": ("table", "database", _STUDIO + "data_folder", "feed.public_requests"),
    "shoe": _SHOE,
    "record": ("table", *_DATABASE),
    "keys": (_STUDIO + "key_folder", _STUDIO + "data_folder"),
    "staff": ("log_in", "shoe.simulated", _STUDIO + "staff.database", _STUDIO + "data_folder"),
    "rights": (*_DATABASE, _STUDIO + "staff.database", _STUDIO + "operators.database"),
    "disk": ("raw_log", *_DATABASE),
    "software": ("table", *_DATABASE),
    "heads": ("table", "heads", *_DATABASE),
}


def _faulty(settings: TableSettings, faults: Sequence[Fault], needed: Iterable[str]) -> list[str]:
    """Those of the settings needed that have a fault, or are in a file or a table that has one."""
    wanting = []
    for name in needed:
        key = name.removeprefix(_STUDIO)
        for fault in faults:
            is_same = (fault.file == str(settings.file)) is (key == name)
            is_house = Path(fault.file).parent.name == "houses"
            if is_same and not is_house and f"{key}.".startswith(fault.key and f"{fault.key}."):
                wanting.append(name if fault.key else fault.file)
                break
    return list(dict.fromkeys(wanting))


def _is_served(settings: TableSettings) -> bool:
    address = settings.feed.public_requests
    if address.endswith("*"):
        # nobody can be asked there, but whoever serves the table has its record
        return _is_in_use(settings)
    try:
        with Client(address, client_keys(settings)) as client:
            answer = asks.read_answer(client.ask(asks.AskTables(id="doctor"), _ANSWER_SECONDS))
    except KeysRefused:
        return _is_in_use(settings)
    except (NoAnswer, ValueError):
        return False
    served = answer.tables if isinstance(answer, asks.Tables) else ()
    # the service of another record may have its addresses, as after a restore beside it
    return any(one.table == settings.table for one in served) and _is_in_use(settings)


def _is_in_use(settings: TableSettings) -> bool:
    try:
        Journal.open(settings.database_url, settings.table).close()
    except InUse:
        return True
    except StoreFailed:
        return False
    return False


def _port(settings: TableSettings, is_running: bool) -> Finding:
    endpoint = settings.shoe.endpoint
    if is_running:
        return Finding("shoe", Mark.OK, f"{endpoint}: held by the service")
    line = line_to(parse_endpoint(endpoint))
    try:
        line.open()
    except LineError as error:
        if settings.shoe.simulated and error.reason is not LineFault.BUSY:
            hint = f"start it with `studio sim -t {settings.table}`"
            return Finding("shoe", Mark.NOTE, f"{endpoint}: no simulated shoe yet; {hint}")
        hint = f"`studio shoe listen {endpoint}` says more"
        return Finding("shoe", Mark.FAULT, f"{endpoint}: {error.detail}; {hint}")
    finally:
        line.close()
    return Finding("shoe", Mark.OK, f"{endpoint}: the line opens; it was not listened to")


def _record(settings: TableSettings, is_running: bool) -> Finding:
    url, table = settings.database_url, settings.table
    try:
        if schema_of(url) is None:
            text = f"holds no record: `studio db create -t {table}` makes it"
            return Finding("record", Mark.FAULT, text)
        if is_running:
            with History.open(url, table) as history:
                return _dated(history, "read from outside")
        # opening it as the service does reads its safety settings back
        Journal.open(url, table).close()
        with History.open(url, table) as history:
            return _dated(history, "opens for writing, safe against a loss of power")
    except StoreFailed as failed:
        return Finding("record", Mark.FAULT, str(failed))


def _dated(history: History, text: str) -> Finding:
    """The record's last event must not lie in the future: the clock would be wrong."""
    epochs = history.epochs()
    last = history.last_rows(epochs[-1], 1) if epochs else []
    if last:
        at = recorded_of(last[-1]).at
        if at > datetime.now(UTC):
            late = f"its last event is of {at:%Y-%m-%d %H:%M:%S} UTC, in the future: the clock "
            return Finding("record", Mark.FAULT, late + "was wrong then, or is wrong now")
    return Finding("record", Mark.OK, text)


def _staff(settings: TableSettings) -> Finding:
    """Whether there is somebody who could log in, where that is asked."""
    if settings.log_in is LogIn.OPEN:
        text = "nobody logs in: everybody at this machine may do everything"
        return Finding("staff", Mark.NOTE, text)
    try:
        with StaffBook.open(settings.studio.staff_database_url).reading() as page:
            people = [one for one in page.accounts() if one.disabled is None]
    except StoreFailed as failed:
        return Finding("staff", Mark.FAULT, str(failed))
    missing = [
        role.value
        for role in (Role.DEALER, Role.SUPERVISOR, Role.MANAGER)
        if not any(role in one.roles for one in people)
    ]
    if missing:
        text = f"nobody is {', '.join(missing)}: `studio staff add` adds people"
        return Finding("staff", Mark.FAULT, text)
    return Finding("staff", Mark.OK, f"{len(people)} people can log in")


def _rights(settings: TableSettings) -> Finding:
    """Whether the service could change what was recorded."""
    try:
        found = could_change(settings)
    except StoreFailed as failed:
        return Finding("rights", Mark.FAULT, str(failed))
    if not found:
        return Finding("rights", Mark.OK, "what was recorded is only added to")
    text = f"the service could change what was recorded: {found}; see `studio db roles`"
    return Finding("rights", Mark.FAULT if settings.studio.append_only else Mark.NOTE, text)


def _sockets(settings: TableSettings, is_running: bool, faults: Sequence[Fault]) -> Finding:
    if is_running:
        return Finding("sockets", Mark.OK, "bound by the service")
    taken = []
    site = settings.file.parent.parent
    others = {port: table for port, table in ports_of(site).items() if table != settings.file.stem}
    names = FeedEndpoints.__struct_fields__
    sound = [name for name in names if not _faulty(settings, faults, (f"feed.{name}",))]
    for name in sound:
        endpoint = address_of(getattr(settings.feed, name))
        host, _, port = endpoint.removeprefix("tcp://").rpartition(":")
        if port == "*":
            continue
        host = host.strip("[]")
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, int(port)))
            except OSError as fault:
                taken.append(f"feed.{name} {endpoint}: {fault.strerror}")
    for name in sound:
        other = others.get(_port_of(getattr(settings.feed, name)))
        if other is not None:
            taken.append(f"feed.{name} {getattr(settings.feed, name)}: also table {other}'s")
    if taken:
        hint = "end the program that has it, or choose another port"
        return Finding("sockets", Mark.FAULT, f"{'; '.join(taken)}; {hint}")
    if len(sound) < len(names):
        wanting = _faulty(settings, faults, [f"feed.{name}" for name in names])
        rest = "; the others are free" if sound else ""
        text = f"not looked at: correct {', '.join(wanting)} first{rest}"
        return Finding("sockets", Mark.NOTE, text)
    return Finding("sockets", Mark.OK, "all four addresses are free")


def _keys(settings: TableSettings) -> Finding:
    """Whether whoever connects is asked for a key, and whether keys are kept as they must be."""
    try:
        keys = server_keys(settings)
        rows = () if keys is None else active(read_allowed(key_folder(settings.studio)))
        client_keys(settings)
    except KeysRefused as fault:
        return Finding("keys", Mark.FAULT, str(fault))
    if not wants_keys(settings):
        return Finding("keys", Mark.OK, "not asked for: only this machine can reach the sockets")
    operators = [one.name for one in rows if one.kind is Kind.OPERATOR]
    if not operators:
        text = "no operator may connect: `studio keys add` lets one in"
        return Finding("keys", Mark.NOTE, text)
    return Finding("keys", Mark.OK, f"{', '.join(operators)} may connect")


def _port_of(endpoint: str) -> int:
    port = endpoint.rpartition(":")[2]
    return int(port) if port.isdigit() else 0


def _clock(is_live: bool) -> Finding:
    now = datetime.now(UTC)
    if now.year < _FIRST_YEAR:
        return Finding("clock", Mark.FAULT, f"it is not {now:%Y-%m-%d}: set the clock")
    synchronised = _is_synchronised()
    text = f"{now:%Y-%m-%d %H:%M:%S} UTC"
    if synchronised is False:
        advice = "not kept by a time server: set up chrony or systemd-timesyncd"
        mark = Mark.FAULT if is_live else Mark.NOTE
        return Finding("clock", mark, f"{text}, {advice}")
    if synchronised is None:
        return Finding("clock", Mark.NOTE, f"{text}; whether a time server keeps it is not known")
    return Finding("clock", Mark.OK, f"{text}, kept by a time server")


def _is_synchronised() -> bool | None:
    """Whether the kernel says that the clock is kept by a time server; None where it cannot."""
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None, use_errno=True)
    # struct timex, zeroed: mode 0 only reads; the real one is smaller than this
    status = libc.adjtimex(ctypes.create_string_buffer(512))
    return None if status < 0 else bool(status != _UNSYNCHRONISED)


def _disk(settings: TableSettings) -> Finding:
    folders = {settings.raw_log_folder}
    if settings.database_url.startswith("sqlite:///"):
        folders.add(Path(settings.database_url.removeprefix("sqlite:///")).parent)
    words = []
    mark = Mark.OK
    for folder in sorted(folders):
        there = folder
        while not there.exists():
            there = there.parent
        try:
            with tempfile.TemporaryFile(dir=there) as probe:
                probe.write(b"doctor")
                probe.flush()
                os.fsync(probe.fileno())
            free = shutil.disk_usage(there).free
        except OSError as fault:
            mark = Mark.FAULT
            words.append(f"{folder}: cannot be written: {fault.strerror}; check owner and mode")
            continue
        text = f"{folder}: {free / 1024**3:.1f} GiB free"
        if free < LEAST_FREE_BYTES:
            mark = Mark.FAULT
            text += ", too little for a day's play: free some"
        elif free < FEW_FREE_BYTES and mark is Mark.OK:
            mark = Mark.NOTE
            text += ", which is little"
        words.append(text)
    return Finding("disk", mark, "; ".join(words))
