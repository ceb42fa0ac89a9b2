# SPDX-License-Identifier: GPL-3.0-or-later
"""The line at the bottom: a refusal (loud) or the undo of the main key (quiet), the software."""

from PyQt6.QtCore import QRectF
from PyQt6.QtGui import QPainter

from ui.theme import SMALL
from ui.view.model import Foot
from ui.widgets.drawn import Drawn
from ui.widgets.text import RIGHT, SEMIBOLD, Style

_LOUD = Style(SMALL + 2, SEMIBOLD, least=0.6)
_QUIET = Style(SMALL - 1, least=0.6)
_SOFTWARE = Style(SMALL - 3, align=RIGHT, least=0.6)


class FootLine(Drawn[Foot]):
    """Shows a ``Foot``."""

    def speak(self) -> None:
        parts = (self.view.refusal, self.view.sending, self.view.undo, self.view.software)
        self.setAccessibleName(". ".join(part for part in parts if part))

    def draw(self, painter: QPainter, room: QRectF) -> None:
        u, theme, foot = self.unit, self.theme, self.view
        is_tall = room.height() > 60 * u
        left, right = QRectF(room), QRectF(room)
        if is_tall:
            left.setBottom(room.top() + room.height() * 0.6)
            right.setTop(left.bottom())
        else:
            right.setLeft(room.right() - room.width() * 0.25)
            left.setRight(right.left() - 20 * u)
        self.put(painter, right, foot.software, theme.quiet, _SOFTWARE)
        if foot.refusal:
            style = _LOUD._replace(lines=2 if is_tall else 1, least=0.5)
            pair = theme.band("stop")
            self.box(painter, left, pair.fill, radius=10)
            self.put(painter, left.adjusted(14 * u, 0, -14 * u, 0), foot.refusal, pair.ink, style)
            return
        words = foot.sending or foot.undo
        ink = theme.text if foot.sending else theme.quiet
        style = _QUIET._replace(lines=2 if is_tall else 1)
        self.put(painter, left.adjusted(4 * u, 0, 0, 0), words, ink, style)
