# SPDX-License-Identifier: GPL-3.0-or-later
"""The cards of a held coup as they came: number, card, box, what was said, time, raw bytes."""

from typing import Any

from PyQt6.QtCore import QRectF
from PyQt6.QtGui import QPainter

from ui.theme import SMALL
from ui.view.model import ReadView
from ui.widgets.drawn import Drawn
from ui.widgets.text import SEMIBOLD, Style

_CARD = Style(SMALL, SEMIBOLD, least=0.5)
_TOLD = Style(SMALL - 3, least=0.5, lines=2)
_RAW = Style(SMALL - 4, least=0.5, is_mono=True)
# Where the columns stand, in shares of the width.
_CARDS, _BOXES, _TIMES, _RAWS = (0.0, 0.14), (0.14, 0.47), (0.48, 0.61), (0.62, 1.0)
_HIGHEST = 40


# The least height of a row.
ROW = 24.0


def rows_in(height: float, unit: float, least: float = ROW) -> int:
    """How many reads can be told in a height."""
    return int((height + 1) // (least * unit))


def paint_evidence(
    widget: Drawn[Any],
    painter: QPainter,
    room: QRectF,
    reads: tuple[ReadView, ...],
    least: float = ROW,
) -> None:
    """As many of the last reads as fit, one a row."""
    count = min(len(reads), max(rows_in(room.height(), widget.unit, least), 1))
    height = min(room.height() / max(count, 1), widget.u(_HIGHEST))
    theme = widget.theme
    for number, read in enumerate(reads[-count:] if count else ()):
        row = QRectF(room.left(), room.top() + number * height, room.width(), height)
        said = ", ".join(part for part in (read.laid, read.facts) if part)
        cells = (
            (f"{read.number}  {read.card}", _CARDS, theme.text, _CARD),
            (said, _BOXES, theme.quiet, _TOLD),
            (read.at, _TIMES, theme.quiet, _TOLD),
            (read.raw, _RAWS, theme.text, _RAW),
        )
        for text, (start, end), ink, style in cells:
            left = row.left() + row.width() * start
            cell = QRectF(left, row.top(), row.width() * (end - start) - widget.u(6), height)
            widget.put(painter, cell, text, ink, style)
