# SPDX-License-Identifier: Apache-2.0
"""Which software this is: its version, and one digest over every file that it consists of."""

import hashlib
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from studio.settings import shipped

_SUFFIXES = (".py", ".toml", ".mako")


@cache
def software_version() -> str:
    """The version of the distribution, or ``unknown`` where it was never installed."""
    try:
        return version("sabot")
    except PackageNotFoundError:
        return "unknown"


@cache
def software_digest() -> str:
    """SHA-256, in hex, over names and contents of all program and data files, in a fixed order."""
    root = Path(__file__).parent.parent
    digest = hashlib.sha256()
    named = {
        f"{folder.name}/{file.relative_to(folder).as_posix()}": file
        for folder in (root / "studio", root / "drivers", root / "ui", shipped())
        if folder.is_dir()
        for file in folder.rglob("*")
        if file.suffix in _SUFFIXES
    }
    for name in sorted(named):
        content = named[name].read_bytes()
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()
