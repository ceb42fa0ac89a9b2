# SPDX-License-Identifier: GPL-3.0-or-later
"""The line on top: table, house, limits, round, standing facts; lines, people and clock.

A line in doubt is told by the shape of its lamp and by a word, not by its colour alone. Names of
fields are not written: what each is, is told by its place, and to a screen reader in words.
"""

from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QPainter, QPen, QPolygonF

from ui.theme import BODY, SMALL, colour
from ui.view.model import Header, Lamp, LampView
from ui.widgets.drawn import Drawn
from ui.widgets.text import BOLD, CENTRE, RIGHT, SEMIBOLD, Style, size_of

_TABLE = Style(BODY + 3, BOLD, least=0.6)
_QUIET = Style(SMALL + 1, least=0.6)
_FACT = Style(SMALL + 1, SEMIBOLD, least=0.6)
_PERSON = Style(SMALL + 1, SEMIBOLD, RIGHT, least=0.6)
_BADGE = Style(SMALL - 2, BOLD, CENTRE, least=0.6)
_CLOCK = Style(BODY + 9, BOLD, RIGHT, least=0.6)

# Where things stand, in shares of the width: (left, right). Fixed, so that nothing moves.
_WIDE = {
    "table": (0.0, 0.085), "house": (0.085, 0.205), "round": (0.205, 0.35),
    "badges": (0.35, 0.545), "lamps": (0.55, 0.71), "people": (0.715, 0.905),
    "clock": (0.91, 1.0),
}  # fmt: skip
_TALL_TOP = {"table": (0.0, 0.16), "house": (0.17, 0.41), "round": (0.42, 0.8), "clock": (0.81, 1)}
_TALL_LOW = {"badges": (0.0, 0.36), "lamps": (0.37, 0.68), "people": (0.69, 1.0)}


class HeaderLine(Drawn[Header]):
    """Shows a ``Header``."""

    def speak(self) -> None:
        head = self.view
        lamps = [f"{one.name} {one.word}" for one in head.lamps]
        parts = [head.table, head.house, head.limits, head.round, *head.badges, *lamps]
        parts += [head.dealer, head.supervisor, head.person]
        self.setAccessibleName(", ".join(part for part in parts if part))

    def draw(self, painter: QPainter, room: QRectF) -> None:
        u = self.unit
        painter.fillRect(room, colour(self.theme.panel))
        painter.fillRect(
            QRectF(room.left(), room.bottom() - 1, room.width(), 1), colour(self.theme.line)
        )
        inner = room.adjusted(24 * u, 5 * u, -24 * u, -5 * u)
        if room.height() < 90 * u:
            rooms = {name: _share(inner, *share) for name, share in _WIDE.items()}
        else:
            top, low = QRectF(inner), QRectF(inner)
            top.setHeight(inner.height() / 2)
            low.setTop(top.bottom())
            rooms = {name: _share(top, *share) for name, share in _TALL_TOP.items()}
            rooms |= {name: _share(low, *share) for name, share in _TALL_LOW.items()}
        head, theme = self.view, self.theme
        self.put(painter, rooms["table"], head.table, theme.text, _TABLE)
        self._pair(painter, rooms["house"], (head.house, head.limits), _QUIET, theme.quiet)
        self.put(painter, rooms["round"], head.round, theme.text, _FACT)
        self.put(painter, rooms["clock"], head.clock, theme.text, _CLOCK)
        self._badges(painter, rooms["badges"])
        self._lamps(painter, rooms["lamps"])
        people = (head.dealer, head.supervisor)
        second = theme.accent if head.is_called else theme.quiet
        self._pair(painter, rooms["people"], people, _PERSON, second)

    def _pair(
        self, painter: QPainter, room: QRectF, texts: tuple[str, str], style: Style, low: str
    ) -> None:
        """Two lines, the upper one in full strength, the other in ``low``."""
        half = room.height() / 2
        inks = (self.theme.text, low)
        for number, (text, ink) in enumerate(zip(texts, inks, strict=True)):
            line = QRectF(room.left(), room.top() + number * half, room.width(), half)
            self.put(painter, line, text, ink, style)

    def _badges(self, painter: QPainter, room: QRectF) -> None:
        u = self.unit
        badges = self.view.badges
        if not badges:
            return
        rows = 1 if len(badges) < 3 else 2
        columns = -(-len(badges) // rows)
        width = (room.width() - (columns - 1) * 8 * u) / columns
        height = min(34 * u, room.height() / rows - 2 * u)
        top = room.center().y() - (rows * height + (rows - 1) * 4 * u) / 2
        for number, badge in enumerate(badges):
            taken = min(width, size_of(badge, _BADGE, u).width() + 24 * u)
            left = room.left() + (number % columns) * (width + 8 * u)
            box = QRectF(left, top + (number // columns) * (height + 4 * u), taken, height)
            self.box(painter, box, None, self.theme.accent, 2, 9)
            inner = box.adjusted(8 * u, 1 * u, -8 * u, -1 * u)
            self.put(painter, inner, badge, self.theme.accent, _BADGE)

    def _lamps(self, painter: QPainter, room: QRectF) -> None:
        lamps = self.view.lamps
        if not lamps:
            return
        width = room.width() / len(lamps)
        for number, lamp in enumerate(lamps):
            place = QRectF(room.left() + number * width, room.top(), width, room.height())
            self._lamp(painter, place, lamp)

    def _lamp(self, painter: QPainter, room: QRectF, lamp: LampView) -> None:
        u, theme = self.unit, self.theme
        ink = {Lamp.GOOD: theme.good, Lamp.DOUBT: theme.accent, Lamp.BAD: theme.alarm}[lamp.lamp]
        size = 11 * u
        middle = QPointF(room.left() + size, room.center().y())
        paint_lamp(painter, middle, size, lamp.lamp, ink)
        words = room.adjusted(2 * size + 8 * u, 0, -8 * u, 0)
        half = words.height() / 2
        upper = QRectF(words.left(), words.top(), words.width(), half)
        lower = QRectF(words.left(), words.top() + half, words.width(), half)
        self.put(painter, upper, lamp.name, ink, _FACT)
        self.put(painter, lower, lamp.word, theme.quiet, _QUIET)


def paint_lamp(painter: QPainter, middle: QPointF, size: float, lamp: Lamp, ink: str) -> None:
    """A lamp's shape: a disc for good, a triangle for doubt, a cross for bad."""
    painter.setPen(QPen(colour(ink), size * 0.32))
    painter.setBrush(colour(ink))
    if lamp is Lamp.GOOD:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawEllipse(middle, size * 0.75, size * 0.75)
    elif lamp is Lamp.DOUBT:
        up, side = QPointF(0, -size), QPointF(size, size * 0.8)
        left = QPointF(-size, size * 0.8)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawPolygon(QPolygonF([middle + up, middle + side, middle + left]))
    else:
        for way in (QPointF(size, size), QPointF(size, -size)):
            painter.drawLine(middle - way * 0.7, middle + way * 0.7)


def _share(room: QRectF, start: float, end: float) -> QRectF:
    width = room.width()
    gap = width * 0.006
    return QRectF(
        room.left() + width * start, room.top(), width * (end - start) - gap, room.height()
    )
