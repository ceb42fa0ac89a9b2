# SPDX-License-Identifier: Apache-2.0
"""Making the bundle: copy of a record, heads, public keys, the file that checks it, and a page.

All goes into a folder beside the place where it shall be, which has its name only when all is in
it: broken off anywhere, there is no bundle of that name.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import msgspec

from studio.feed.keys import StudioKeys
from studio.heads import heads_of
from studio.software import software_digest, software_version
from studio.store.chain import time_text
from studio.store.copying import Kept, copy_out, sync
from studio.store.excerpt import Excerpt, Place, excerpt

RECORD, HEADS, KEYS = "record.db", "heads.jsonl", "public-keys.json"
ABOUT, SUMS = "bundle.json", "SHA256SUMS"
VERIFIER, PAGE = "verify.py", "README.md"
FORM = 1


class BundleRefused(Exception):
    """There is no bundle of that name; the text says why."""


class Span(NamedTuple):
    """The first and the last round of it; None of either: from the beginning, up to the end."""

    first: str | None = None
    last: str | None = None


WHOLE = Span()


class Checked(NamedTuple):
    """What the bundle's own ``verify.py`` says of it: its exit status and its lines."""

    status: int
    text: str


def make_bundle(
    url: str,
    table: str,
    folder: Path,
    *,
    at: datetime,
    span: Span = WHOLE,
    heads: Path | None = None,
    keys: StudioKeys | None = None,
) -> None:
    """Make the bundle of a table's record, as it is at this moment, as the new ``folder``.

    ``heads`` is the file in which the service keeps heads. Raises BundleRefused or ``StoreFailed``;
    nothing of that name is there then.
    """
    folder = folder.absolute()
    if folder.exists():
        raise BundleRefused(f"{folder} exists: a bundle is never made over another; name a new one")
    part = folder.with_name(f".{folder.name}.{os.getpid()}.part")
    try:
        part.mkdir(mode=0o700)
        try:
            copy_out(url, Kept.RECORD, table, part / RECORD)
            cut = excerpt(part / RECORD, table, span.first, span.last)
            _write(part / ABOUT, _about(table, at, cut))
            if keys is not None:
                _write(part / KEYS, msgspec.to_builtins(keys))
            if heads is not None and heads.is_file():
                lines = b"".join(line + b"\n" for line in heads_of(heads, table))
                (part / HEADS).write_bytes(lines)
            for name in (VERIFIER, PAGE):
                (part / name).write_bytes((files("studio.bundle") / name).read_bytes())
            (part / SUMS).write_text("".join(_sums(part)), encoding="utf-8")
            for one in (*part.iterdir(), part):
                sync(one)
            part.rename(folder)
            sync(folder.parent)
        finally:
            shutil.rmtree(part, ignore_errors=True)
    except OSError as fault:
        where = fault.filename or part
        raise BundleRefused(f"the bundle is not made: {where}: {fault.strerror}") from fault


def check(folder: Path) -> Checked:
    """Have the bundle checked by its own ``verify.py``, as an auditor would."""
    ran = subprocess.run(  # noqa: S603 - our own file, in an interpreter without our packages
        [sys.executable, "-I", "-S", str(folder / VERIFIER)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return Checked(ran.returncode, ran.stdout + ran.stderr)


def _about(table: str, at: datetime, cut: Excerpt) -> dict[str, object]:
    begins: dict[str, object] | None = None
    if cut.begins is not None:
        house = None if cut.rules is None else msgspec.json.decode(cut.rules)["house"]
        dealer = "" if cut.dealer is None else msgspec.json.decode(cut.dealer)["dealer"]
        begins = {**_place(cut.begins), "house": house, "dealer": dealer}
    return {
        "form": FORM,
        "table": table,
        "made_at": time_text(at),
        "made_by": {"version": software_version(), "digest": software_digest()},
        "begins": begins,
        "ends": [_place(one) for one in cut.ends],
    }


def _place(place: Place) -> dict[str, object]:
    return {**place._asdict(), "hash": place.hash.hex(), "head": place.head.hex()}


def _write(file: Path, value: object) -> None:
    file.write_bytes(msgspec.json.format(msgspec.json.encode(value)) + b"\n")


def _sums(part: Path) -> Iterator[str]:
    """A line a file, as ``sha256sum -c`` takes them."""
    for file in sorted(part.iterdir()):
        with file.open("rb") as opened:
            yield f"{hashlib.file_digest(opened, 'sha256').hexdigest()}  {file.name}\n"
