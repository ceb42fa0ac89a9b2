# SPDX-License-Identifier: GPL-3.0-or-later
"""The prompt band: the one loud thing on a quiet screen.

Three lines (what to do, what to say, why) and a note of the shoe on the left; the one key, the
quiet keys and the clock on the right. Trouble is striped, a picture that is not current is
hatched: colour is never the only sign.
"""

from itertools import pairwise

from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QPainter, QPainterPath, QPen

from ui.theme import BODY, LARGE, LOUD, RADIUS, SMALL, Pair, colour
from ui.view.model import Band, BandRole
from ui.widgets.text import BOLD, CENTRE, LEFT, RIGHT, SEMIBOLD, Style
from ui.widgets.touch import Touchable, TouchTarget

_DO = Style(LOUD, BOLD, least=0.4, lines=2, spacing=-2)
_SAY = Style(LARGE, SEMIBOLD, least=0.5)
_WHY = Style(BODY, least=0.7, lines=2, is_top=True)
_NOTE = Style(BODY, SEMIBOLD, least=0.55, lines=2)
_KEY = Style(LARGE, SEMIBOLD, CENTRE, least=0.5)
_CAP = Style(SMALL - 3, SEMIBOLD, CENTRE, least=0.6)
_HELP = Style(SMALL + 2, align=RIGHT, least=0.6, lines=2)
_CLOCK = Style(72, BOLD, CENTRE, least=0.4, is_figures=True)
_SINCE = Style(LARGE + 14, BOLD, RIGHT, least=0.6)
_NARROW = 1300


class PromptBand(Touchable[Band]):
    """Shows a ``Band``. ``touched`` is the act of its key."""

    def speak(self) -> None:
        band = self.view
        said = f"“{band.say}”" if band.say else ""
        spoken = [band.do, said, band.note, band.why, band.key_label and f"[{band.key_label}]"]
        self.setAccessibleName(". ".join(part for part in spoken if part))
        self.setAccessibleDescription(band.help)

    def draw(self, painter: QPainter, room: QRectF) -> None:
        self.targets = []
        pair = self.theme.band(self.view.role.value)
        shape = QPainterPath()
        shape.addRoundedRect(room, self.u(RADIUS + 4), self.u(RADIUS + 4))
        painter.fillPath(shape, colour(pair.fill))
        if self.view.role in (BandRole.STOP, BandRole.OFF):
            self._stripes(painter, room, shape, pair)
        u = self.unit
        inner = room.adjusted(40 * u, 14 * u, -36 * u, -14 * u)
        left, right = QRectF(inner), QRectF(inner)
        if room.width() < _NARROW * u:
            left.setBottom(inner.bottom() - 92 * u)
            right.setTop(left.bottom() + 6 * u)
            help_room = QRectF(right)
            help_room.setWidth(right.width() * 0.3)
            right.setLeft(help_room.right() + 20 * u)
            self.put(painter, help_room, self.view.help, pair.ink, _HELP._replace(align=LEFT))
        else:
            right.setLeft(inner.right() - inner.width() * 0.3)
            left.setRight(right.left() - 28 * u)
            help_room = QRectF(right.left(), right.bottom() - 62 * u, right.width(), 62 * u)
            right.setBottom(right.bottom() - 70 * u)
            self.put(painter, help_room, self.view.help, pair.ink, _HELP)
        self._words(painter, left, pair.ink)
        self._key(painter, right, pair)

    def _words(self, painter: QPainter, room: QRectF, ink: str) -> None:
        band, height = self.view, room.height()
        tops = (0.0, 0.47, 0.68, 1.0) if not band.note else (0.0, 0.42, 0.6, 0.8)
        rows = [
            QRectF(room.left(), room.top() + height * top, room.width(), 0) for top in (*tops, 1.0)
        ]
        for row, after in pairwise(rows):
            row.setBottom(after.top())
        self.put(painter, rows[0], band.do, ink, _DO)
        self.put(painter, rows[1], f"“{band.say}”" if band.say else "", ink, _SAY)
        one_line = _WHY._replace(lines=2, least=0.45) if band.note else _WHY
        self.put(painter, rows[2], band.why, ink, one_line)
        if band.note:
            self.put(painter, rows[3], f"!  {band.note}", ink, _NOTE)

    def _key(self, painter: QPainter, upper: QRectF, pair: Pair) -> None:
        band, u = self.view, self.unit
        if band.clock:
            side = min(upper.height(), 148 * u)
            ring = QRectF(upper.right() - side, upper.center().y() - side / 2, side, side)
            self._ring(painter, ring, pair)
            upper.setRight(ring.left() - 24 * u)
        elif band.since:
            since = QRectF(upper.right() - 150 * u, upper.top(), 150 * u, upper.height())
            self.put(painter, since, band.since, pair.ink, _SINCE)
            upper.setRight(since.left() - 20 * u)
        if band.key_label:
            self._button(painter, upper, pair)

    def _button(self, painter: QPainter, upper: QRectF, pair: Pair) -> None:
        u, ink = self.unit, pair.ink
        height = min(upper.height(), 92 * u)
        box = QRectF(upper.left(), upper.center().y() - height / 2, upper.width(), height)
        is_key = bool(self.view.act)
        if is_key:
            self.targets.append(TouchTarget(box, self.view.act))
            self.box(painter, box, ink, radius=16)
        else:
            self.box(painter, box, None, ink, 4, 16)
        inner = box.adjusted(16 * u, 4 * u, -16 * u, -4 * u)
        if is_key and self.view.key:
            cap = QRectF(box.left(), box.top() + 7 * u, box.width(), 22 * u)
            self.put(painter, cap, self.view.key, pair.fill, _CAP)
            inner.setTop(cap.bottom())
        self.put(painter, inner, self.view.key_label, pair.fill if is_key else ink, _KEY)

    def _ring(self, painter: QPainter, ring: QRectF, pair: Pair) -> None:
        thick = self.u(13)
        track = ring.adjusted(thick / 2, thick / 2, -thick / 2, -thick / 2)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(colour(pair.ink, 0.22), thick))
        painter.drawEllipse(track)
        pen = QPen(colour(pair.ink), thick)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.setPen(pen)
        part = 0.0 if self.view.part is None else self.view.part
        painter.drawArc(track, 90 * 16, round(part * 360 * 16))
        inset = thick * 1.5
        self.put(
            painter, ring.adjusted(inset, inset, -inset, -inset), self.view.clock, pair.ink, _CLOCK
        )

    def _stripes(self, painter: QPainter, room: QRectF, shape: QPainterPath, pair: Pair) -> None:
        painter.save()
        painter.setClipPath(shape)
        is_stop = self.view.role is BandRole.STOP
        width = self.u(46 if is_stop else 3)
        pen = QPen(colour("#8d1421" if is_stop else pair.ink, 0.5 if is_stop else 0.12), width)
        painter.setPen(pen)
        step = self.u(92 if is_stop else 26)
        x = room.left() - room.height()
        while x < room.right() + room.height():
            painter.drawLine(QPointF(x, room.bottom()), QPointF(x + room.height(), room.top()))
            x += step
        painter.restore()
        if not is_stop:
            pen = QPen(colour(pair.ink, 0.6), self.u(3))
            pen.setStyle(Qt.PenStyle.DashLine)
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            edge = self.u(2)
            painter.drawRoundedRect(
                room.adjusted(edge, edge, -edge, -edge), self.u(RADIUS + 2), self.u(RADIUS + 2)
            )
