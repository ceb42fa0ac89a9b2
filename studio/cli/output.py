# SPDX-License-Identifier: Apache-2.0
"""What commands print: JSON for programs, drawings for people."""

import sys

import msgspec
from rich.console import Console

from studio.cli.exits import CommandFailed, Exit

_encode = msgspec.json.Encoder().encode


def write_json(value: object) -> None:
    """One JSON object on one line of standard output, flushed."""
    sys.stdout.write(_encode(value).decode() + "\n")
    sys.stdout.flush()


class _Output(Console):
    """A console that says when nobody reads it any more."""

    def on_broken_pipe(self) -> None:
        raise CommandFailed("", Exit.NOBODY_READS)


def console() -> Console:
    """Standard output for people; where it is no terminal, 100 columns and no colour."""
    if sys.stdout.isatty():
        return _Output(highlight=False)
    return _Output(highlight=False, width=100)
