# SPDX-License-Identifier: Apache-2.0
"""Roads drawn with characters. Pure: roads in, lines of text out.

A mark is always a letter; its colour only repeats what the letter says. Every road is drawn in a
window that shows its last columns.
"""

from collections.abc import Iterable, Mapping

from rich.style import Style
from rich.text import Text

from studio.game.roads import ROWS, Roads, layout

MARK_STYLES: Mapping[str, Style] = {
    "P": Style(color="bright_blue", bold=True),
    "B": Style(color="bright_red", bold=True),
    "T": Style(color="bright_green", bold=True),
    "r": Style(color="bright_red"),
    "b": Style(color="bright_blue"),
}
EMPTY = Style(dim=True)
_BLANK = "·"

Cells = dict[tuple[int, int], str]


def bead_plate(roads: Roads, columns: int) -> list[Text]:
    """Six lines, two characters a column: every result in order, ties included."""
    return _drawn({(bead.col, bead.row): bead.mark for bead in roads.bead}, columns)


def big_road(roads: Roads, columns: int) -> list[Text]:
    """Six lines, two characters a column: a win and, beside it, the ties that followed it."""
    cells = {}
    for mark in roads.big_road:
        ties = "" if mark.ties == 0 else str(mark.ties) if mark.ties < 10 else "+"
        cells[mark.col, mark.row] = mark.mark + ties
    if not roads.big_road and roads.bead:
        # only ties so far: they are counted alone in the first cell
        count = len(roads.bead)
        cells[0, 0] = "T" + (str(count) if count < 10 else "+")
    return _drawn(cells, columns)


def derived_road(marks: str, columns: int) -> list[Text]:
    """Six lines, two characters a column: a derived road, laid out as the big road is."""
    places = zip(layout(marks), marks, strict=True)
    return _drawn({(place.col, place.row): mark for place, mark in places}, columns)


def asked(roads: Roads) -> Text:
    """What the derived roads would say if Player, or Banker, won next: one line."""
    line = Text("next")
    for winner, marks in (("P", roads.ask.player), ("B", roads.ask.banker)):
        line.append("  ")
        line.append(winner, MARK_STYLES[winner]).append(":")
        for mark in (marks.big_eye, marks.small, marks.cockroach):
            line.append(" ")
            line.append("-" if mark is None else mark, EMPTY if mark is None else MARK_STYLES[mark])
    return line


def side_by_side(parts: Iterable[tuple[str, list[Text]]], gap: int = 2) -> list[Text]:
    """Titled blocks of six lines beside one another; the title is cut to the block's width."""
    lines = [Text(no_wrap=True) for _ in range(ROWS + 1)]
    for title, block in parts:
        width = max(line.cell_len for line in block)
        heading = Text(title, Style(dim=True))
        heading.truncate(width, pad=True)
        for line, piece in zip(lines, [heading, *block], strict=True):
            line.append(" " * gap if line.cell_len else "")
            line.append_text(piece)
            line.append(" " * (width - piece.cell_len))
    return lines


def _drawn(cells: Cells, columns: int) -> list[Text]:
    last = max((col for col, _ in cells), default=-1)
    first = max(0, last + 1 - columns)
    lines = []
    for row in range(ROWS):
        line = Text(no_wrap=True)
        for col in range(first, first + columns):
            mark = cells.get((col, row))
            if mark is None:
                line.append(f"{_BLANK} ", EMPTY)
            else:
                line.append(mark[0], MARK_STYLES[mark[0]])
                line.append(mark[1:].ljust(1), MARK_STYLES["T"])
        lines.append(line)
    return lines
