# SPDX-License-Identifier: Apache-2.0
"""What a check found, and how a list of findings looks."""

from collections.abc import Iterable
from enum import Enum

import msgspec
from rich.style import Style
from rich.table import Table
from rich.text import Text


class Mark(str, Enum):
    """How a check ended. A ``note`` is for a person to know and no fault."""

    OK = "ok"
    NOTE = "note"
    FAULT = "fault"


class Finding(msgspec.Struct, frozen=True):
    """One thing that was looked at: what, how it is, and in words why and what to do."""

    what: str
    mark: Mark
    text: str


_STYLES = {
    Mark.OK: Style(color="bright_green"),
    Mark.NOTE: Style(color="bright_yellow"),
    Mark.FAULT: Style(color="bright_red", bold=True),
}


def drawn(found: Iterable[Finding]) -> Table:
    """A line or more for each; a fault stands out without colour as well."""
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    for one in found:
        word = one.mark.value.upper() if one.mark is Mark.FAULT else one.mark.value
        table.add_row(Text(word, _STYLES[one.mark]), one.what, Text(one.text, overflow="fold"))
    return table
