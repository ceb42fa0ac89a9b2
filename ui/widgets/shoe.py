# SPDX-License-Identifier: GPL-3.0-or-later
"""This shoe: how often each side won, how far it is dealt, where the cut card is."""

from typing import NamedTuple

from PyQt6.QtCore import QRectF
from PyQt6.QtGui import QPainter

from ui.theme import BODY, LARGE, SMALL
from ui.view.model import RoadsView, ShoeDepth
from ui.widgets.cards import paint_side
from ui.widgets.drawn import Drawn
from ui.widgets.text import BOLD, CENTRE, SEMIBOLD, Style

_TITLE = Style(SMALL, SEMIBOLD, least=0.5, spacing=4)
_NAME = Style(SMALL - 2, SEMIBOLD, least=0.5)
_COUNT = Style(LARGE + 2, BOLD, CENTRE, least=0.5)
_LINE = Style(SMALL, least=0.5)
_SEEN = Style(BODY - 6, BOLD, least=0.5)
_SIDES = ("player", "banker", "tie")


class ShoeView(NamedTuple):
    """How deep the shoe is, and what came of it."""

    depth: ShoeDepth
    roads: RoadsView


class ShoePicture(Drawn[ShoeView]):
    """Shows the depth of the shoe and the counts of its results."""

    def _counts(self) -> tuple[str, str, str]:
        counts = self.view.roads.counts
        if counts is None:
            return "-", "-", "-"
        return str(counts.player), str(counts.banker), str(counts.tie)

    def speak(self) -> None:
        counted = zip(self.view.roads.count_names, self._counts(), strict=True)
        parts = [self.view.roads.coup, *(f"{name} {count}" for name, count in counted)]
        parts += [self.view.depth.drawn, self.view.depth.burned, self.view.depth.cut]
        self.setAccessibleName(", ".join(part for part in parts if part))

    def draw(self, painter: QPainter, room: QRectF) -> None:
        u, theme = self.unit, self.theme
        self.box(painter, room, theme.panel, theme.line)
        if self.view.roads.is_veiled:
            painter.setOpacity(0.22)
        inner = room.adjusted(18 * u, 12 * u, -18 * u, -14 * u)
        title = QRectF(inner.left(), inner.top(), inner.width(), 28 * u)
        words = "  ·  ".join(
            part for part in (self.view.roads.titles[5], self.view.roads.coup) if part
        )
        self.put(painter, title, words, theme.quiet, _TITLE)
        low = QRectF(inner.left(), inner.bottom() - 106 * u, inner.width(), 106 * u)
        counts = QRectF(inner.left(), title.bottom() + 6 * u, inner.width(), 0)
        counts.setBottom(low.top() - 4 * u)
        self._tallies(painter, counts)
        self._depth(painter, low)

    def _tallies(self, painter: QPainter, room: QRectF) -> None:
        u = self.unit
        width = room.width() / 3
        for number, (side, count) in enumerate(zip(_SIDES, self._counts(), strict=True)):
            column = QRectF(room.left() + number * width, room.top(), width, room.height())
            ink = self.theme.side(side)
            figure = QRectF(column)
            figure.setBottom(column.bottom() - 28 * u)
            self.put(painter, figure, count, self.theme.text, _COUNT)
            icon = QRectF(column.left() + 1 * u, figure.bottom() + 6 * u, 17 * u, 17 * u)
            paint_side(painter, icon, side, ink)
            name = QRectF(icon.right() + 4 * u, figure.bottom(), 0, 28 * u)
            name.setRight(column.right() - 2 * u)
            self.put(painter, name, self.view.roads.count_names[number], ink, _NAME)

    def _depth(self, painter: QPainter, room: QRectF) -> None:
        u, theme, depth = self.unit, self.theme, self.view.depth
        bar = QRectF(room.left(), room.top() + 6 * u, room.width(), 20 * u)
        self.box(painter, bar, theme.raised, theme.line, 1, 10)
        filled = QRectF(bar)
        filled.setWidth(max(bar.height(), bar.width() * min(max(depth.part, 0.0), 1.0)))
        if depth.part > 0:
            self.box(painter, filled, theme.quiet, radius=10)
        if depth.cut_part is not None:
            x = bar.left() + bar.width() * depth.cut_part
            mark = QRectF(x - 3 * u, bar.top() - 7 * u, 6 * u, bar.height() + 14 * u)
            self.box(painter, mark, theme.accent, radius=3)
        ink = theme.accent if depth.is_cut_seen else theme.quiet
        lines = ((depth.drawn, theme.text, _LINE), (depth.burned, theme.quiet, _LINE),
                 (depth.cut, ink, _SEEN if depth.is_cut_seen else _LINE))  # fmt: skip
        top = bar.bottom() + 8 * u
        height = (room.bottom() - top) / 3
        for number, (text, line_ink, style) in enumerate(lines):
            line = QRectF(room.left(), top + number * height, room.width(), height)
            self.put(painter, line, text, line_ink, style)
