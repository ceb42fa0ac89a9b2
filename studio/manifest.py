# SPDX-License-Identifier: Apache-2.0
"""The files that a table service consists of, as ``sha256sum`` lists them, and what differs.

A manifest has a line for each file, ``SHA256  PATH`` with absolute paths, sorted, as
``sha256sum -c`` reads it in any folder. It lists every file in some folders, and some by name.

Bytecode in ``__pycache__`` is in no manifest, for Python writes it by itself. But Python would run
it in place of its source, so each such file that it would load is compared with its source, and
one that holds other code is a finding.

This file needs the standard library only and nothing of ours: a service runs it as a process of
its own, at a low priority, so that hashing never waits for what deals, nor that for it.
"""

import hashlib
import importlib.util
import json
import marshal
import os
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from types import CodeType
from typing import NamedTuple

_SLICE = 256 * 1024
# Bytecode, and the libraries of another Python below the standard library of this one.
_APART = ("__pycache__", "site-packages", "dist-packages")
_OF_CODE = (
    *("co_code", "co_consts", "co_names", "co_varnames", "co_freevars", "co_cellvars", "co_flags"),
    *("co_argcount", "co_posonlyargcount", "co_kwonlyargcount", "co_name", "co_firstlineno"),
    *("co_qualname", "co_exceptiontable", "co_stacksize"),
)
_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r"}
_TOLD_EVERY = 200


class Covered(NamedTuple):
    """What a manifest covers: every file in ``folders``, and the ``files``, whether there or not.

    ``files`` are named anew at each check; ``seen`` only when the manifest is made.
    """

    folders: tuple[str, ...]
    files: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()


class Finding(NamedTuple):
    """A file that is not as the manifest says: ``changed``, ``missing``, ``added`` or ``bytecode``.

    ``expected`` and ``found`` are digests, None where there is none.
    """

    what: str
    path: str
    expected: str | None = None
    found: str | None = None


class Compared(NamedTuple):
    """What a check found: the digest of the manifest as it would be now, and how many files.

    ``good``: by source, the digest of its bytecode that was compared with it and is the same code.
    """

    digest: str
    files: int
    findings: tuple[Finding, ...]
    good: dict[str, str] = {}  # noqa: RUF012


Told = Callable[[int, int], None]


def say_nothing(_done: int, _all: int) -> None:
    """For whoever wants to hear of no progress."""


def files_of(covered: Covered) -> list[str]:
    """Every file that is covered and there now, sorted by name; a link by its own name."""
    found = {path for path in covered.files if Path(path).is_file()}
    been: set[tuple[int, int]] = set()
    for folder in covered.folders:
        found.update(_walked(folder, been))
    return sorted(found, key=os.fsencode)


def _walked(folder: str, been: set[tuple[int, int]]) -> Iterator[str]:
    """Files below a folder; links to folders are followed, for Python follows them as well."""
    for here, names, files in os.walk(folder, followlinks=True):
        status = Path(here).stat()
        if (status.st_dev, status.st_ino) in been:
            names.clear()
            continue
        been.add((status.st_dev, status.st_ino))
        names[:] = [name for name in names if name not in _APART]
        for name in files:
            path = os.path.join(here, name)  # noqa: PTH118  a name may be no text
            if os.path.isfile(path):  # noqa: PTH113
                yield path


def digest_of(path: str, rest: Callable[[], None] = lambda: None) -> str | None:
    """SHA-256 of a file in hex, read a slice at a time; None if it cannot be read."""
    digest = hashlib.sha256()
    try:
        with open(path, "rb", buffering=0) as file:  # noqa: PTH123
            while part := file.read(_SLICE):
                digest.update(part)
                rest()
    except OSError:
        return None
    return digest.hexdigest()


def line_of(digest: str, path: str) -> bytes:
    """One line of a manifest; an odd name is escaped as ``sha256sum`` does it."""
    name = os.fsencode(path)
    if not any(odd.encode() in name for odd in _ESCAPES):
        return digest.encode() + b"  " + name + b"\n"
    for odd, told in _ESCAPES.items():
        name = name.replace(odd.encode(), told.encode())
    return b"\\" + digest.encode() + b"  " + name + b"\n"


def read_lines(text: bytes) -> dict[str, str]:
    """Path and digest of each line. Raises ValueError if it is no manifest."""
    found = {}
    for number, line in enumerate(text.splitlines(), 1):
        is_escaped = line.startswith(b"\\")
        digest, mark, name = line[is_escaped:].partition(b"  ")
        if not mark or len(digest) != 64 or not name:
            raise ValueError(f"line {number} is not SHA256, two spaces and a path")
        found[os.fsdecode(_plain(name) if is_escaped else name)] = digest.decode()
    return found


def _plain(name: bytes) -> bytes:
    """An escaped name as it is."""
    parts = name.split(b"\\\\")
    return b"\\".join(part.replace(b"\\n", b"\n").replace(b"\\r", b"\r") for part in parts)


def text_of(lines: dict[str, str]) -> bytes:
    """The manifest of these digests by path."""
    return b"".join(line_of(lines[path], path) for path in sorted(lines, key=os.fsencode))


def name_of(text: bytes) -> str:
    """The digest of a manifest itself, by which it is approved and kept."""
    return hashlib.sha256(text).hexdigest()


def made(covered: Covered, told: Told = say_nothing) -> bytes:
    """The manifest of what is covered now. A file that cannot be read is left out of it."""
    paths = sorted({*files_of(covered), *covered.seen}, key=os.fsencode)
    lines = {}
    for number, path in enumerate(paths):
        if number % _TOLD_EVERY == 0:
            told(number, len(paths))
        digest = digest_of(path)
        if digest is not None:
            lines[path] = digest
    told(len(paths), len(paths))
    return text_of(lines)


def compared(
    text: bytes,
    covered: Covered,
    *,
    told: Told = say_nothing,
    rest: Callable[[], None] = lambda: None,
    sources: Collection[str] | None = None,
    good: Mapping[str, str] | None = None,
    cache: str | None = None,
) -> Compared:
    """What is there now beside what the manifest says. Raises ValueError if it is no manifest.

    ``rest`` is called after each slice; ``sources``: those whose bytecode is compared, None for
    all; ``good``: what an earlier check against this manifest gave, or that work is done again;
    ``cache`` is Python's ``pycache_prefix``.
    """
    expected = read_lines(text)
    there = set(files_of(covered))
    lines: dict[str, str] = {}
    findings = []
    same: dict[str, str] = {}
    paths = sorted(there | set(expected), key=os.fsencode)
    for number, path in enumerate(paths):
        if number % _TOLD_EVERY == 0:
            told(number, len(paths))
        found = digest_of(path, rest)
        if found is not None:
            lines[path] = found
        if path not in expected:
            findings.append(Finding("added", path, None, found))
        elif found != expected[path]:
            what = "missing" if not os.path.lexists(path) else "changed"
            findings.append(Finding(what, path, expected[path], found))
        elif path.endswith(".py") if sources is None else path in sources:
            bytecode = digest_of(_cached(path, cache)) or ""
            if bytecode != (good or {}).get(path) and is_other_code(path, cache):
                findings.append(Finding("bytecode", _cached(path, cache), None, bytecode))
            else:
                same[path] = bytecode
        rest()
    told(len(paths), len(paths))
    return Compared(name_of(text_of(lines)), len(lines), tuple(findings), same)


def _cached(path: str, cache: str | None) -> str:
    """Where Python keeps the bytecode of a source file."""
    before, sys.pycache_prefix = sys.pycache_prefix, cache
    try:
        return importlib.util.cache_from_source(path)
    finally:
        sys.pycache_prefix = before


def is_other_code(path: str, cache: str | None = None) -> bool:
    """Whether Python would load bytecode for this source that is not the source's."""
    try:
        bytecode = Path(_cached(path, cache)).read_bytes()
        status = Path(path).stat()
    except OSError:
        return False
    if bytecode[:4] != importlib.util.MAGIC_NUMBER or len(bytecode) < 16:
        return False
    flags = int.from_bytes(bytecode[4:8], "little")
    if flags == 0:
        stamps = (int(status.st_mtime) & 0xFFFFFFFF, status.st_size & 0xFFFFFFFF)
        if stamps != tuple(int.from_bytes(bytecode[at : at + 4], "little") for at in (8, 12)):
            return False
    source = Path(path).read_bytes()
    try:
        own = compile(source, path, "exec", dont_inherit=True)
        return not _is_same(marshal.loads(bytecode[16:]), own)  # noqa: S302
    except (SyntaxError, ValueError, EOFError, TypeError, RecursionError):
        return True


def _is_same(one: object, other: object) -> bool:
    """Whether two code objects, or two of their constants, do the same."""
    if type(one) is not type(other):
        return False
    if isinstance(one, CodeType):
        return all(_is_same(getattr(one, name), getattr(other, name)) for name in _OF_CODE)
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_is_same, one, other))
    if isinstance(one, frozenset) and isinstance(other, frozenset):
        return sorted(map(repr, one)) == sorted(map(repr, other))
    # no NaN is equal to itself, and both zeros are to each other
    return repr(one) == repr(other) if isinstance(one, float | complex) else one == other


def main() -> int:
    """Compare in a process of its own: a request as JSON in, its findings out, a line each."""
    asked = json.load(sys.stdin)
    share = float(asked["share"])
    os.nice(asked["nice"])
    started = time.thread_time()

    def rest() -> None:
        nonlocal started
        worked = time.thread_time() - started
        if worked > 0.01 and share < 1:
            time.sleep(worked * (1 - share) / share)
            started = time.thread_time()

    covered = Covered(tuple(asked["folders"]), tuple(asked["files"]))
    text = Path(asked["manifest"]).read_bytes()
    sources = frozenset(asked["sources"])
    known = {"good": asked["good"], "cache": asked["cache"]}
    result = compared(text, covered, rest=rest, sources=sources, **known)
    for one in result.findings:
        sys.stdout.write(json.dumps(one._asdict()) + "\n")
    last = {"digest": result.digest, "files": result.files, "good": result.good}
    sys.stdout.write(json.dumps(last) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
