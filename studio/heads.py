# SPDX-License-Identifier: Apache-2.0
"""Heads of a record, kept in a file outside of it: a line of JSON after every round.

Whoever has all rights on the database can write the whole record anew, chains and reports
included, and it is sound in itself. Against the lines of a file that is out of that person's
reach it is not. The file is only added to; writing it is a thread's own work, which no card and
no round waits for, and a failure stops nothing: the next line covers what the one lost did.
"""

import os
import queue
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Self

import msgspec

from studio.operator_log import log_line

_CLOSING_SECONDS = 5.0
_END_BYTES = 64 * 1024
# How far behind a line may come again, after a connection was lost.
_MOST_TWICE = 256


class Head(msgspec.Struct, frozen=True):
    """Where a record stood: its last event and public message, and the ends of both chains."""

    table: str
    epoch: str
    seq: int
    public_seq: int
    hash: str
    head: str
    at: datetime


class HeadsFile:
    """Adds heads to a file, in a thread of its own. ``add`` is for any thread and never waits."""

    def __init__(self, file: Path, table: str) -> None:
        self._file = file
        self._table = table
        self._fault = ""
        self._due: queue.SimpleQueue[Head | None] = queue.SimpleQueue()
        # where the file hangs on a network that is gone, the program must end all the same
        self._thread = threading.Thread(target=self._run, name=f"heads {table}", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._due.put(None)
        self._thread.join(_CLOSING_SECONDS)

    def add(self, head: Head) -> None:
        """Have this head written."""
        self._due.put(head)

    def _run(self) -> None:
        while (head := self._due.get()) is not None:
            try:
                _append(self._file, msgspec.json.encode(head))
            except OSError as fault:
                self._say(f"{self._file}: {fault.strerror or fault}")
            else:
                self._say("")

    def _say(self, fault: str) -> None:
        """Log a failure once, and once that it is over."""
        if fault != self._fault:
            words = "heads are not kept outside" if fault else "heads are kept outside again"
            log_line(words, warns=bool(fault), table=self._table, why=fault or str(self._file))
        self._fault = fault


def _append(file: Path, line: bytes) -> None:
    """Add a line, on the disk when this returns; one that a fault cut short is ended first."""
    opened = os.open(file, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        size = os.fstat(opened).st_size
        if size and os.pread(opened, 1, size - 1) != b"\n":
            line = b"\n" + line
        if os.write(opened, line + b"\n") != len(line) + 1:
            raise OSError("the line was written in part")
        os.fsync(opened)
    finally:
        os.close(opened)


def last_head(file: Path, table: str) -> Head | None:
    """The newest head of this table that the end of the file holds. Raises ``OSError``."""
    with file.open("rb") as opened:
        opened.seek(max(0, file.stat().st_size - _END_BYTES))
        for line in reversed(opened.read().splitlines()):
            with suppress(msgspec.MsgspecError, UnicodeDecodeError):
                head = msgspec.json.decode(line, type=Head)
                if head.table == table:
                    return head
    return None


def heads_of(file: Path, table: str) -> Iterator[bytes]:
    """The lines of the file that are heads of this table, in order. Raises ``OSError``."""
    with file.open("rb") as lines:
        for line in lines:
            with suppress(msgspec.MsgspecError, UnicodeDecodeError):
                if msgspec.json.decode(line, type=Head).table == table:
                    yield line.strip()


class HeadsCompared(msgspec.Struct, frozen=True):
    """How a file of heads compares: its lines, those that differ, the first of them, the last."""

    lines: int
    differing: int
    first_differing: int
    last: Head | None


class Comparison:
    """A file of heads beside a record that is walked in order.

    Only what is in the file now is compared: the walk comes to all of it, even of a running table.
    ``found`` is told epoch, event and text of the first line of each epoch that differs. Raises
    ``OSError`` where the file cannot be read.
    """

    def __init__(self, file: Path, table: str, found: Callable[[str, int, str], None]) -> None:
        self._found = found
        self._table = table
        self._told: set[str] = set()
        self._lines = self._differing = self._first = 0
        self._last: Head | None = None
        self._kept = self._read(file, file.stat().st_size)
        self._next = next(self._kept, None)

    def _read(self, file: Path, size: int) -> Iterator[tuple[int, Head]]:
        recent: deque[bytes] = deque(maxlen=_MOST_TWICE)
        with file.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                size -= len(line)
                if size < 0:
                    return
                if not line.strip() or line in recent:
                    continue
                recent.append(line)
                try:
                    head = msgspec.json.decode(line, type=Head)
                except (msgspec.MsgspecError, UnicodeDecodeError):
                    self._differs(number, "", 0, "it cannot be read")
                    continue
                if head.table == self._table:
                    self._lines += 1
                    self._last = head
                    yield number, head

    def passed(self, epoch: str, seq: int, public_seq: int, hashed: bytes, head: bytes) -> None:
        """The walk has come to this event."""
        while self._next is not None:
            line, kept = self._next
            if kept.epoch != epoch or kept.seq > seq:
                return
            if kept.seq < seq:
                self._is_missing(line, kept)
            elif (kept.public_seq, kept.hash, kept.head) != (public_seq, hashed.hex(), head.hex()):
                text = f"event {seq} is not the one that was kept, of {kept.at:%Y-%m-%d %H:%M:%S}"
                self._differs(line, epoch, seq, f"{text}; the record was written anew before it")
            self._next = next(self._kept, None)

    def is_over(self, epoch: str | None = None) -> None:
        """The walk has come to the end of this epoch, or of the record."""
        while self._next is not None and epoch in (None, self._next[1].epoch):
            self._is_missing(*self._next)
            self._next = next(self._kept, None)

    def compared(self) -> HeadsCompared:
        """What came of it, once all is over."""
        if self._lines == 0:
            self._found("", 0, f"the file of heads has no line of table {self._table}")
        return HeadsCompared(self._lines, self._differing, self._first, self._last)

    def _is_missing(self, line: int, kept: Head) -> None:
        text = f"event {kept.seq} of epoch {kept.epoch} is not in its place in the record"
        self._differs(line, kept.epoch, kept.seq, text)

    def _differs(self, line: int, epoch: str, seq: int, text: str) -> None:
        self._differing += 1
        self._first = self._first or line
        if epoch not in self._told or not epoch:
            self._told.add(epoch)
            self._found(epoch, seq, f"from line {line} of the heads on: {text}")
