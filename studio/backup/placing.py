# SPDX-License-Identifier: Apache-2.0
"""Where a restored file goes: never over another one. What is in the way is kept beside, renamed.

Also what makes a site of a backup's settings that touches nothing outside its own folder.
"""

import os
import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from studio.backup.manifest import BackupRefused, sha256_of
from studio.backup.taking import make_folder, put
from studio.settings_text import quoted
from studio.store.copying import sync

_SECTION = re.compile(r"\s*\[([^\[\]]+)\]")
# an SQLite file and what belongs to it
_COMPANIONS = ("", "-wal", "-shm", "-journal")


class Placed(NamedTuple):
    """A file of the backup, and where it goes."""

    source: Path
    target: Path

    @property
    def is_there(self) -> bool:
        """Whether the very same is in its place already."""
        same = self.target.is_file() and self.target.stat().st_size == self.source.stat().st_size
        return same and sha256_of(self.target) == sha256_of(self.source)


def in_the_way(files: Iterable[Placed]) -> list[Path]:
    """The places where something else is."""
    return [one.target for one in files if one.target.exists() and not one.is_there]


def place(files: Iterable[Placed], mark: str) -> None:
    """Put files in their places, folders 0700; what is there is renamed with ``mark``."""
    for one in files:
        if one.is_there:
            continue
        make_folder(one.target.parent)
        keep_aside(one.target, mark)
        put(one.source, one.target)


def keep_aside(target: Path, mark: str) -> None:
    """Rename a file that is in the way, an SQLite database with what belongs to it."""
    aside = target.with_name(f"{target.name}.{mark}")
    for companion in _COMPANIONS:
        old = target.with_name(target.name + companion)
        new = aside.with_name(aside.name + companion)
        if new.exists():
            raise BackupRefused(f"{new} is in the way: move it, then try again")
        with suppress(FileNotFoundError):
            old.rename(new)


def settle(made: Path, target: Path) -> None:
    """Give a finished database its name. Raises BackupRefused if there is one meanwhile."""
    try:
        os.link(made, target)
    except FileExistsError as fault:
        raise BackupRefused(f"{target} is there by now: nothing is written over it") from fault
    made.unlink()
    sync(target.parent)


def with_value(text: str, section: str, key: str, value: str) -> str:
    """A TOML text with this text for this key; of no section for an empty one."""
    line = f"{key} = {quoted(value)}"
    lines, now, at = text.splitlines(), "", None if section else 0
    for number, one in enumerate(lines):
        head = _SECTION.match(one)
        if head is not None:
            now = head[1].strip()
            at = number + 1 if now == section else at
        elif now == section and one.partition("=")[0].strip() == key:
            lines[number] = line
            return "\n".join(lines) + "\n"
    if at is None:
        lines += [f"[{section}]"]
        at = len(lines)
    lines.insert(at, line)
    return "\n".join(lines) + "\n"
