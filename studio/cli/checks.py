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
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path

import msgspec

from drivers.endpoint import EndpointFault, parse_endpoint
from drivers.registry import SHOES, faults_of
from drivers.transport import LineError, LineFault, line_to
from studio.feed import asks
from studio.feed.client import Client, NoAnswer
from studio.feed.endpoint import FeedRefused, loopback
from studio.settings import FeedEndpoints, LogIn, ShoeSettings, TableSettings
from studio.staff.accounts import Role
from studio.store.chain import recorded_of
from studio.store.database import StoreFailed
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


class Mark(str, Enum):
    """How a check ended. A ``note`` is for a person to know and no fault."""

    OK = "ok"
    NOTE = "note"
    FAULT = "fault"


class Finding(msgspec.Struct, frozen=True):
    """One thing that was looked at: what, how it is, and in words why and what to do."""

    what: str
    mark: Mark
    text: str


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
            loopback(getattr(feed, name))
        except FeedRefused as fault:
            faults.append(Fault(file, f"feed.{name}", str(fault), 'use "tcp://127.0.0.1:PORT"'))
    return faults


def findings(settings: TableSettings) -> Iterator[Finding]:
    """Everything that was looked at on this machine, in order."""
    is_running = _is_served(settings)
    yield Finding(
        "settings",
        Mark.OK,
        f"{settings.file}: table {settings.table}, house "
        f"{settings.house.name}, {settings.environment.value}",
    )
    if is_running:
        yield Finding("service", Mark.OK, "running: line, record and sockets are in its hands")
    checks: tuple[Callable[[TableSettings, bool], Finding], ...] = (_port, _record, _sockets)
    for check in checks:
        yield check(settings, is_running)
    yield _staff(settings)
    yield _clock(settings)
    folders = {settings.raw_log_folder}
    if settings.database_url.startswith("sqlite:///"):
        folders.add(Path(settings.database_url.removeprefix("sqlite:///")).parent)
    yield _disk(sorted(folders))


def _is_served(settings: TableSettings) -> bool:
    address = settings.feed.public_requests
    if address.endswith("*"):
        return False
    try:
        with Client(address) as client:
            answer = asks.read_answer(client.ask(asks.AskTables(id="doctor"), _ANSWER_SECONDS))
    except (NoAnswer, ValueError):
        return False
    served = answer.tables if isinstance(answer, asks.Tables) else ()
    return any(one.table == settings.table for one in served)


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


def _sockets(settings: TableSettings, is_running: bool) -> Finding:
    if is_running:
        return Finding("sockets", Mark.OK, "bound by the service")
    taken = []
    for name in FeedEndpoints.__struct_fields__:
        endpoint = loopback(getattr(settings.feed, name))
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
    if taken:
        hint = "end the program that has it, or choose another port"
        return Finding("sockets", Mark.FAULT, f"{'; '.join(taken)}; {hint}")
    return Finding("sockets", Mark.OK, "all four addresses are free")


def _clock(settings: TableSettings) -> Finding:
    now = datetime.now(UTC)
    if now.year < _FIRST_YEAR:
        return Finding("clock", Mark.FAULT, f"it is not {now:%Y-%m-%d}: set the clock")
    synchronised = _is_synchronised()
    text = f"{now:%Y-%m-%d %H:%M:%S} UTC"
    if synchronised is False:
        advice = "not kept by a time server: set up chrony or systemd-timesyncd"
        mark = Mark.NOTE if settings.shoe.simulated else Mark.FAULT
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


def _disk(folders: list[Path]) -> Finding:
    words = []
    mark = Mark.OK
    for folder in folders:
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
