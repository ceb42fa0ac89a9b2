# SPDX-License-Identifier: GPL-3.0-or-later
"""How a text gets into its place: the size at which it fits, and a record of where it went.

A text is tried at its own size, then smaller, down to ``least`` of it; at each size it may take
``lines`` lines. What still does not fit is drawn and recorded as too big: a test finds it.
"""

from functools import lru_cache
from typing import NamedTuple

from PyQt6.QtCore import QRectF, QSizeF, Qt
from PyQt6.QtGui import QFont, QFontMetricsF, QPainter, QTextLayout, QTextOption

from ui.theme import BODY, colour, font

REGULAR, SEMIBOLD, BOLD = QFont.Weight.Normal, QFont.Weight.DemiBold, QFont.Weight.ExtraBold
LEFT, CENTRE, RIGHT = (
    Qt.AlignmentFlag.AlignLeft,
    Qt.AlignmentFlag.AlignHCenter,
    Qt.AlignmentFlag.AlignRight,
)
_STEPS = 14


class Style(NamedTuple):
    """How a text is set. ``size`` in pixels of 1920 by 1080.

    ``is_figures``: nothing in it hangs below the line, so that it may fill its height.
    ``is_mono``: raw bytes, in a face of equal widths.
    """

    size: float = BODY
    weight: QFont.Weight = REGULAR
    align: Qt.AlignmentFlag = LEFT
    lines: int = 1
    least: float = 0.7
    spacing: float = 0.0
    is_top: bool = False
    is_figures: bool = False
    is_mono: bool = False


class Placed(NamedTuple):
    """A text that was drawn: the room it had, the room it took, both in its widget."""

    text: str
    given: QRectF
    taken: QRectF

    @property
    def is_clipped(self) -> bool:
        """Whether it needs more than it has, by more than the rounding of a pixel."""
        slack = 1.0
        return (
            self.taken.width() > self.given.width() + slack
            or self.taken.height() > self.given.height() + slack
        )


class _Set(NamedTuple):
    """A text broken into lines at the size at which it fits."""

    pixels: int
    lines: tuple[str, ...]
    widths: tuple[float, ...]
    leading: float
    height: float
    rise: float


@lru_cache(maxsize=4096)
def _set(text: str, style: Style, unit: float, width: float, height: float) -> _Set:
    best = _broken(text, style, max(1, round(style.size * unit)), width)
    for step in range(_STEPS + 1):
        scale = 1.0 - (1.0 - style.least) * step / _STEPS
        pixels = max(1, round(style.size * unit * scale))
        best = _broken(text, style, pixels, width)
        if len(best.lines) <= style.lines and best.height <= height + 0.5 and _fits(best, width):
            return best
    return best


def _fits(one: _Set, width: float) -> bool:
    return max(one.widths, default=0.0) <= width + 0.5


def _broken(text: str, style: Style, pixels: int, width: float) -> _Set:
    face = font(pixels, style.weight, style.spacing, is_mono=style.is_mono)
    metrics = QFontMetricsF(face)
    lines: list[str] = []
    for part in text.split("\n"):
        if style.lines == 1:
            lines.append(part)
            continue
        layout = QTextLayout(part, face)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WordWrap)
        layout.setTextOption(option)
        layout.beginLayout()
        while (line := layout.createLine()).isValid():
            line.setLineWidth(max(width, 1.0))
            start, length = line.textStart(), line.textLength()
            lines.append(part[start : start + length].rstrip())
        layout.endLayout()
        if not part:
            lines.append("")
    widths = tuple(metrics.horizontalAdvance(line) for line in lines)
    leading = metrics.height() * (1.0 if style.lines == 1 else 1.02)
    rise = metrics.ascent()
    if style.is_figures:
        leading, rise = metrics.capHeight() * 1.12, metrics.capHeight() * 1.06
    return _Set(pixels, tuple(lines), widths, leading, leading * len(lines), rise)


def place(
    painter: QPainter, given: QRectF, text: str, ink: str, style: Style, unit: float
) -> Placed:
    """Draw a text in a room, and say where it went. Middle of the height, or the top."""
    one = _set(text, style, unit, given.width(), given.height())
    face = font(one.pixels, style.weight, style.spacing, is_mono=style.is_mono)
    painter.setFont(face)
    painter.setPen(colour(ink))
    top = given.top() if style.is_top else given.center().y() - one.height / 2
    widest = max(one.widths, default=0.0)
    for number, (line, width) in enumerate(zip(one.lines, one.widths, strict=True)):
        left = given.left() + (given.width() - width) * _share(style.align)
        base = top + number * one.leading + one.rise
        painter.drawText(round(left), round(base), line)
    left = given.left() + (given.width() - widest) * _share(style.align)
    return Placed(text, given, QRectF(left, top, widest, one.height))


def _share(align: Qt.AlignmentFlag) -> float:
    return {LEFT: 0.0, CENTRE: 0.5, RIGHT: 1.0}[align]


@lru_cache(maxsize=2048)
def size_of(text: str, style: Style, unit: float) -> QSizeF:
    """What a text on one line takes at its full size."""
    metrics = QFontMetricsF(font(round(style.size * unit), style.weight, style.spacing))
    return QSizeF(metrics.horizontalAdvance(text), metrics.height())
