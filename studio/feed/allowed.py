# SPDX-License-Identifier: Apache-2.0
"""Whose keys a studio lets in: ``allowed.json`` of its key folder, one row for each key ever added.

An operator may connect to the public sockets, a console to the staff's as well. Each has one key;
a second one only beside the first, to take its place. A row is never deleted: a key that was
revoked, or was anybody else's, is never let in again.
"""

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from enum import Enum
from pathlib import Path

import msgspec

from studio.feed.keys import KeysRefused, make_folder, read_private, write_private

FILE = "allowed.json"
# A name is a word of the record (where a request comes from), so that it must fit there.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")


class Kind(str, Enum):
    """Who has a key: a betting ``operator``, or a ``console`` of the studio's own staff."""

    OPERATOR = "operator"
    CONSOLE = "console"


class Allowed(msgspec.Struct, frozen=True, kw_only=True):
    """A public key, in hex, and whose it is; ``revoked`` is when it was barred for ever."""

    name: str
    kind: Kind
    public: str
    added: datetime
    revoked: datetime | None = None


Rows = tuple[Allowed, ...]


def name_fault(name: str) -> str:
    """What is wrong with a name for an operator or a console; empty if nothing is."""
    if _NAME.fullmatch(name):
        return ""
    return f'"{name}" is no name: up to 40 letters, digits, dots and hyphens'


def active(rows: Iterable[Allowed], name: str | None = None) -> Rows:
    """The keys that are let in, of one name or of all."""
    return tuple(one for one in rows if one.revoked is None and name in (None, one.name))


def with_key(rows: Rows, new: Allowed, *, is_next: bool = False) -> Rows:
    """The rows with one more. Raises KeysRefused. ``is_next``: beside the one in force."""
    fault = name_fault(new.name)
    if fault:
        raise KeysRefused(fault)
    for one in rows:
        if one.public == new.public:
            state = "was revoked and stays so" if one.revoked else "is there"
            raise KeysRefused(f"this key {state}, as {one.name}'s; each has a key of its own")
        if one.name == new.name and one.kind is not new.kind:
            raise KeysRefused(f"{one.name} is {one.kind.value} already; choose another name")
    had = active(rows, new.name)
    if len(had) > 1:
        raise KeysRefused(
            f"{new.name} has a key and the next one; revoke the old one first (--old)"
        )
    if had and not is_next:
        raise KeysRefused(
            f"{new.name} has a key; say --next to add the one that takes its place, and then "
            f"`studio keys revoke {new.name} --old`"
        )
    return (*rows, new)


def without_key(rows: Rows, name: str, at: datetime, *, old_only: bool = False) -> Rows:
    """The rows with the keys of a name barred; with ``old_only`` the first, if there is a next.

    Raises KeysRefused when there is nothing to revoke.
    """
    had = active(rows, name)
    if not had:
        known = ", ".join(sorted({one.name for one in active(rows)})) or "nobody"
        raise KeysRefused(f"{name} has no key that could be revoked; allowed are: {known}")
    if old_only and len(had) == 1:
        raise KeysRefused(f"{name} has one key only: add the next one, or revoke without --old")
    barred = {one.public for one in (had[:1] if old_only else had)}
    return tuple(
        msgspec.structs.replace(one, revoked=at) if one.public in barred else one for one in rows
    )


def read_allowed(folder: Path) -> Rows:
    """All rows, in the order they were added. Raises KeysRefused."""
    file = folder / FILE
    return read_private(file, Rows) if file.exists() else ()


@contextmanager
def changing(folder: Path) -> Iterator[list[Allowed]]:
    """Read the rows, change the list, and put it in place whole; one at a time."""
    import fcntl  # noqa: PLC0415 - only a studio has such a list, and only Linux is one

    make_folder(folder)
    number = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(number, fcntl.LOCK_EX)
        rows = list(read_allowed(folder))
        yield rows
        write_private(folder / FILE, rows)
    finally:
        os.close(number)
