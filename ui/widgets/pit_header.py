# SPDX-License-Identifier: GPL-3.0-or-later
"""The line on top of the pit: how many tables, what is wrong in numbers, who is there, the time.

While the manager is rung, that is said across the middle, filled.
"""

from PyQt6.QtCore import QPointF, QRectF
from PyQt6.QtGui import QPainter

from ui.pit_view.model import PitHeader
from ui.theme import BODY, SMALL, colour
from ui.view.model import Lamp
from ui.widgets.drawn import Drawn
from ui.widgets.header import paint_lamp
from ui.widgets.text import BOLD, CENTRE, RIGHT, SEMIBOLD, Style, size_of

_TITLE = Style(BODY, BOLD, least=0.6)
_TABLES = Style(SMALL, least=0.6)
_BADGE = Style(SMALL - 3, BOLD, CENTRE, least=0.6)
_RING = Style(SMALL + 2, BOLD, CENTRE, least=0.5, lines=2)
_COUNT = Style(SMALL + 1, SEMIBOLD, least=0.6)
_PERSON = Style(SMALL + 1, BOLD, RIGHT, least=0.6)
_ROLE = Style(SMALL - 2, align=RIGHT, least=0.6)
_CLOCK = Style(BODY + 9, BOLD, RIGHT, least=0.6)
# Shares of the width, as nothing moves: left to right.
_WIDE = {"title": (0, 0.09), "tables": (0.1, 0.24), "ring": (0.25, 0.56), "counts": (0.57, 0.76),
         "person": (0.77, 0.89), "clock": (0.9, 1)}  # fmt: skip
_TALL_TOP = {"title": (0, 0.2), "tables": (0.22, 0.5), "person": (0.52, 0.78), "clock": (0.8, 1)}
_TALL_LOW = {"ring": (0, 0.6), "counts": (0.62, 1)}


class PitHeaderLine(Drawn[PitHeader]):
    """Shows a ``PitHeader``."""

    def speak(self) -> None:
        head = self.view
        parts = (head.title, head.tables, *head.badges, head.ring, head.held, head.devices,
                 head.person_role, head.person)  # fmt: skip
        self.setAccessibleName(", ".join(part for part in parts if part))

    def draw(self, painter: QPainter, room: QRectF) -> None:
        u, theme, head = self.unit, self.theme, self.view
        painter.fillRect(room, colour(theme.panel))
        painter.fillRect(QRectF(room.left(), room.bottom() - 1, room.width(), 1),
                         colour(theme.line))  # fmt: skip
        rooms = self._rooms(room.adjusted(24 * u, 5 * u, -24 * u, -5 * u))
        self._title(painter, rooms["title"])
        self.put(painter, rooms["tables"], head.tables, theme.quiet, _TABLES)
        if head.ring:
            pair = theme.band("stop")
            box = rooms["ring"].adjusted(0, 2 * u, 0, -2 * u)
            self.box(painter, box, pair.fill, radius=10)
            self.put(painter, box.adjusted(12 * u, 1 * u, -12 * u, -1 * u), head.ring, pair.ink,
                     _RING)  # fmt: skip
        self._counts(painter, rooms["counts"])
        upper, lower = QRectF(rooms["person"]), QRectF(rooms["person"])
        upper.setBottom(upper.center().y() + 4 * u)
        lower.setTop(upper.bottom())
        if not head.person_role:
            upper = rooms["person"]
        self.put(painter, upper, head.person, theme.text, _PERSON)
        self.put(painter, lower, head.person_role, theme.quiet, _ROLE)
        self.put(painter, rooms["clock"], head.clock, theme.text, _CLOCK)

    def _rooms(self, inner: QRectF) -> dict[str, QRectF]:
        if inner.height() < 80 * self.unit:
            return {name: _share(inner, *ends) for name, ends in _WIDE.items()}
        top, low = QRectF(inner), QRectF(inner)
        top.setHeight(inner.height() / 2)
        low.setTop(top.bottom())
        return {name: _share(top, *ends) for name, ends in _TALL_TOP.items()} | {
            name: _share(low, *ends) for name, ends in _TALL_LOW.items()
        }

    def _title(self, painter: QPainter, room: QRectF) -> None:
        u = self.unit
        title = QRectF(room)
        if self.view.badges:
            badge = QRectF(room.right() - 58 * u, room.center().y() - 13 * u, 56 * u, 26 * u)
            self.box(painter, badge, None, self.theme.accent, 2, 8)
            self.put(painter, badge.adjusted(4 * u, 0, -4 * u, 0), self.view.badges[0],
                     self.theme.accent, _BADGE)  # fmt: skip
            title.setRight(badge.left() - 6 * u)
        self.put(painter, title, self.view.title, self.theme.text, _TITLE)

    def _counts(self, painter: QPainter, room: QRectF) -> None:
        u, theme, head = self.unit, self.theme, self.view
        counts = [(head.held, theme.alarm, Lamp.BAD), (head.devices, theme.accent, Lamp.DOUBT)]
        left = room.left()
        for text, ink, lamp in counts:
            if not text:
                continue
            paint_lamp(painter, QPointF(left + 10 * u, room.center().y()), 10 * u, lamp, ink)
            words = QRectF(left + 28 * u, room.top(), 0, room.height())
            words.setRight(min(words.left() + size_of(text, _COUNT, u).width() + 2 * u,
                               room.right()))  # fmt: skip
            self.put(painter, words, text, ink, _COUNT)
            left = words.right() + 22 * u


def _share(room: QRectF, start: float, end: float) -> QRectF:
    left = room.left() + room.width() * start
    return QRectF(left, room.top(), room.width() * (end - start), room.height())
