# SPDX-License-Identifier: Apache-2.0
"""What commands print: JSON for programs, drawings for people."""

import sys

import msgspec
from rich.console import Console

_encode = msgspec.json.Encoder().encode


def write_json(value: object) -> None:
    """One JSON object on one line of standard output, flushed."""
    sys.stdout.write(_encode(value).decode() + "\n")
    sys.stdout.flush()


def console() -> Console:
    """Standard output for people; where it is no terminal, 100 columns and no colour."""
    if sys.stdout.isatty():
        return Console(highlight=False)
    return Console(highlight=False, width=100)
