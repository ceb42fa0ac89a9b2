# SPDX-License-Identifier: Apache-2.0
"""A table that is set up as ``studio init`` does."""

from pathlib import Path

from studio.cli import run
from studio.cli.exits import Exit

INIT = ("init", "--simulated", "--yes", "--no-manifest")


def made(home: Path, *more: str) -> Path:
    """A table that ``studio init`` set up, on any free ports; the path of its settings."""
    assert run([*INIT, "--first-port", "0", *more]) == Exit.DONE
    return home / ".config" / "sabot" / "tables" / "BAC-1.toml"


def changed(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))
