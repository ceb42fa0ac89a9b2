# SPDX-License-Identifier: Apache-2.0
"""Who connected, was refused, asked and left: a file a day for each table, one JSON object a line.

The same thing, done again by the same one within a minute, is counted instead of written, so that
neither a greedy front-end nor a flood of strangers fills the disk.
"""

import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from enum import Enum
from pathlib import Path
from typing import NamedTuple

import msgspec

_WINDOW = timedelta(minutes=1)
# Strangers have a new key and perhaps a new address each time.
_MOST_APART = 500


class What(str, Enum):
    """What happened. ``cut``: ended here, because the key was revoked or misused."""

    CONNECTED = "connected"
    REFUSED = "refused"
    ASKED = "asked"
    DISCONNECTED = "disconnected"
    CUT = "cut"


class Access(msgspec.Struct, frozen=True, kw_only=True):
    """One line. ``who`` is the operator or console, None for a key that is nobody's.

    ``side`` is ``public`` or ``staff``; ``count`` how often it happened up to ``at``, since
    the line before it.
    """

    at: datetime
    table: str
    side: str
    what: What
    who: str | None
    key: str
    address: str
    why: str = ""
    count: int = 1


class _Counted(NamedTuple):
    """What was not written since ``began``: how often, and the last time."""

    began: datetime
    last: Access
    times: int


Tell = Callable[[Access], None]


class AccessLog:
    """Writes the lines of one table. For any thread; ``failed`` is told once what went wrong."""

    def __init__(
        self,
        folder: Path,
        table: str,
        tell: Tell = lambda _access: None,
        failed: Callable[[OSError], None] = lambda _fault: None,
    ) -> None:
        self._folder = folder
        self._table = table
        self._tell = tell
        self._failed = failed
        self._has_failed = False
        self._lock = threading.Lock()
        self._counted: dict[tuple[str, ...], _Counted] = {}

    def note(self, access: Access) -> None:
        """Write a line, or count it."""
        key: tuple[str, ...] = (
            access.side, access.what.value, access.who or access.address, access.why,
        )  # fmt: skip
        if access.who is not None and access.what is not What.ASKED:
            key = (*key, access.key, access.address)
        with self._lock:
            if key not in self._counted and len(self._counted) >= _MOST_APART:
                key = (access.side, access.what.value, "many")
            had = self._counted.get(key)
            if had is not None and access.at - had.began < _WINDOW:
                self._counted[key] = _Counted(had.began, access, had.times + 1)
                return
            self._close(key)
            self._counted[key] = _Counted(access.at, access, 0)
            self._write(access)

    def tidy(self, at: datetime | None = None) -> None:
        """Write what was counted and is over; all of it if no time is given."""
        with self._lock:
            for key, counted in list(self._counted.items()):
                if at is None or at - counted.began >= _WINDOW:
                    self._close(key)

    def _close(self, key: tuple[str, ...]) -> None:
        counted = self._counted.pop(key, None)
        if counted is not None and counted.times:
            self._write(msgspec.structs.replace(counted.last, count=counted.times))

    def _write(self, access: Access) -> None:
        self._tell(access)
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            file = self._folder / f"{self._table}-{access.at:%Y%m%d}.jsonl"
            with file.open("ab") as out:
                out.write(msgspec.json.encode(access) + b"\n")
        except OSError as fault:
            # a log that cannot be written stops no table
            if not self._has_failed:
                self._has_failed = True
                self._failed(fault)


def read_access(folder: Path, who: str | None = None) -> Iterator[Access]:
    """All lines, day by day, in the order of time; of one operator or console, or of all."""
    days: dict[str, list[Path]] = {}
    for file in folder.glob("*.jsonl"):
        days.setdefault(file.stem.rpartition("-")[2], []).append(file)
    for day in sorted(days):
        lines: list[Access] = []
        for file in days[day]:
            for line in file.read_bytes().splitlines():
                try:
                    lines.append(msgspec.json.decode(line, type=Access))
                except msgspec.MsgspecError:
                    # a line torn by a loss of power
                    continue
        lines.sort(key=lambda one: one.at)
        yield from (one for one in lines if who in (None, one.who))


def utc_now() -> datetime:
    """The wall clock."""
    return datetime.now(UTC)
