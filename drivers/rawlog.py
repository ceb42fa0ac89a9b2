# SPDX-License-Identifier: Apache-2.0
"""The raw log: every byte that came from a shoe, written before it is decoded.

One text file for each session, in a folder of the table's own: ``000042-<session>.log``. The number
counts up, so that the order of sessions does not hang on a clock. One line for each chunk of bytes,
in one unbuffered write:

    2026-11-29T23:59:59.123456+00:00 16 05314481b803344605324491ca033245

wall time of its last byte, length of the session's bytes with it, the bytes in hex. A line whose
third word is JSON says that the line to the shoe came up or was lost. A line that a crash cut off
was never decoded and is not read back. An error of the disk is the caller's: none is caught here.
"""

import os
from datetime import datetime, timedelta
from pathlib import Path

import msgspec

from studio.game.inputs import LineLost, LineUp

# However old or large, the newest sessions are kept: a restart reads them.
ALWAYS_KEPT = 50
_PRUNE_EVERY = 100


class RawLogLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """When old sessions are deleted: by age, by size of all, and by number."""

    keep_days: float = 90
    keep_bytes: int = 1 << 30
    keep_sessions: int = 20_000


class Entry(msgspec.Struct, frozen=True):
    """A line of the log: when, how many bytes the session had with it, and what came."""

    at: datetime
    end: int
    what: bytes | LineUp | LineLost


_note_decoder = msgspec.json.Decoder(LineUp | LineLost)
_note_encoder = msgspec.json.Encoder()


class RawLog:
    """The log of one table. One thread writes; sessions that ended may be read by any."""

    def __init__(self, folder: Path, limits: RawLogLimits | None = None) -> None:
        """Makes the folder if it is missing."""
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._limits = RawLogLimits() if limits is None else limits
        names = self._names()
        self._next = int(names[-1].split("-")[0]) + 1 if names else 1
        self._descriptor: int | None = None
        self._end = 0

    def begin(self, session: str, at: datetime) -> None:
        """Start the file of a new session; now and then delete old ones."""
        self.close()
        name = f"{self._next:06d}-{session}.log"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC
        self._descriptor = os.open(self._folder / name, flags, 0o640)
        self._end = 0
        if self._next % _PRUNE_EVERY == 1:
            self.prune(at)
        self._next += 1

    def chunk(self, data: bytes, at: datetime) -> None:
        """Write bytes that came."""
        self._end += len(data)
        self._write(f"{at.isoformat()} {self._end} {data.hex()}\n".encode())

    def note(self, report: LineUp | LineLost, at: datetime) -> None:
        """Write that the line came up or was lost."""
        text = _note_encoder.encode(report)
        self._write(b"%s %d %s\n" % (at.isoformat().encode(), self._end, text))

    def close(self) -> None:
        """End the session's file; does nothing without one."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)

    def sessions(self) -> list[str]:
        """All sessions, oldest first."""
        return [_session_of(name) for name in self._names()]

    def entries_of(self, session: str) -> list[Entry]:
        """What a session holds, up to the first line that is not whole; empty if unknown."""
        for name in self._names():
            if _session_of(name) == session:
                return _entries((self._folder / name).read_bytes())
        return []

    def bytes_of(self, session: str) -> bytes:
        """All bytes of a session, as they came; empty if it is unknown."""
        return b"".join(
            entry.what for entry in self.entries_of(session) if isinstance(entry.what, bytes)
        )

    def prune(self, now: datetime) -> None:
        """Delete the oldest sessions beyond the limits, never the newest ``ALWAYS_KEPT``."""
        names = self._names()
        sizes = [(self._folder / name).stat() for name in names]
        total, count = sum(stat.st_size for stat in sizes), len(names)
        oldest = (now - timedelta(days=self._limits.keep_days)).timestamp()
        for name, stat in zip(names[:-ALWAYS_KEPT], sizes, strict=False):
            is_beyond = (
                stat.st_mtime < oldest
                or total > self._limits.keep_bytes
                or count > self._limits.keep_sessions
            )
            if not is_beyond:
                break
            (self._folder / name).unlink()
            total, count = total - stat.st_size, count - 1

    def _write(self, line: bytes) -> None:
        if self._descriptor is None:
            raise RuntimeError("the raw log has no session: begin one before writing")
        # A disk that fills up takes a part first; writing the rest then says why.
        while line:
            line = line[os.write(self._descriptor, line) :]

    def _names(self) -> list[str]:
        names = [path.name for path in self._folder.glob("[0-9]*-*.log")]
        return sorted(names, key=lambda name: int(name.split("-")[0]))


def _session_of(name: str) -> str:
    return name.split("-", 1)[1].removesuffix(".log")


def _entries(data: bytes) -> list[Entry]:
    entries: list[Entry] = []
    for line in data.split(b"\n")[:-1]:
        try:
            at, end, what = line.decode().split(" ", 2)
            entry = Entry(
                datetime.fromisoformat(at),
                int(end),
                _note_decoder.decode(what) if what.startswith("{") else bytes.fromhex(what),
            )
        except (ValueError, msgspec.DecodeError):
            break
        entries.append(entry)
    return entries
