# SPDX-License-Identifier: GPL-3.0-or-later
"""The six positions: two boxes with their cards, totals and the place that glows next.

Each box has its words and its total on the left and three places on the right, always in the same
spot whether or not a card lies there.
"""

from typing import Any

from PyQt6.QtCore import QRectF, Qt
from PyQt6.QtGui import QPainter, QPen

from ui.theme import BODY, LARGE, SMALL, Theme, colour
from ui.view.model import Face, Hands, HandView, Mark, PlaceView
from ui.widgets.cards import RATIO, paint_back, paint_card, paint_side, paint_unread
from ui.widgets.drawn import Drawn
from ui.widgets.text import BOLD, CENTRE, RIGHT, SEMIBOLD, Style

_NAME = Style(LARGE, BOLD, least=0.5, spacing=3)
_TOTAL = Style(150, BOLD, least=0.5, spacing=-3, is_figures=True)
_TOLD = Style(BODY - 2, least=0.7, lines=2, is_top=True)
_RESULT = Style(BODY + 1, SEMIBOLD, CENTRE, least=0.6, lines=2)
_POSITION = Style(LARGE, BOLD, CENTRE, least=0.5)
_LABEL = Style(SMALL + 2, SEMIBOLD, CENTRE, least=0.5)
_WORDS = 232
_NARROW = 700
_VEIL = 0.22


class HandsPicture(Drawn[Hands]):
    """Shows ``Hands``."""

    def speak(self) -> None:
        parts = [self.view.result]
        for hand in (self.view.player, self.view.banker):
            places = ", ".join(place.spoken for place in hand.places if place.spoken)
            parts.append(f"{hand.name} {hand.total} {hand.told}: {places}")
        self.setAccessibleName(". ".join(part for part in parts if part))

    def draw(self, painter: QPainter, room: QRectF) -> None:
        gap = self.u(16)
        half = (room.width() - gap) / 2
        player = QRectF(room.left(), room.top(), half, room.height())
        banker = QRectF(room.right() - half, room.top(), half, room.height())
        for hand, box in ((self.view.player, player), (self.view.banker, banker)):
            self._box(painter, hand, box)

    def _box(self, painter: QPainter, hand: HandView, box: QRectF) -> None:
        u, theme = self.unit, self.theme
        ink = theme.side(hand.side)
        is_next = any(place.face is Face.NEXT for place in hand.places)
        edge, width = theme.line, 2.0
        if hand.is_winner:
            edge, width = ink, 5.0
        elif is_next and not self.view.is_veiled:
            edge, width = theme.accent, 3.0
        self.box(painter, box, theme.panel, edge, width)
        painter.save()
        if self.view.is_veiled:
            painter.setOpacity(_VEIL)
        inner = box.adjusted(24 * u, 20 * u, -24 * u, -20 * u)
        words, cards = QRectF(inner), QRectF(inner)
        if box.width() < _NARROW * u:
            words.setHeight(142 * u)
            cards.setTop(words.bottom() + 10 * u)
            self._words_above(painter, hand, words, ink)
        else:
            words.setWidth(min(_WORDS * u, inner.width() * 0.3))
            cards.setLeft(words.right() + 20 * u)
            self._words(painter, hand, words, ink)
        for place, spot in zip(hand.places, _spots(cards, u), strict=False):
            paint_place(self, painter, place, spot)
        painter.restore()

    def _words(self, painter: QPainter, hand: HandView, room: QRectF, ink: str) -> None:
        u = self.unit
        icon = QRectF(room.left(), room.top() + 8 * u, 36 * u, 36 * u)
        paint_side(painter, icon, hand.side, ink)
        left = icon.right() + 12 * u
        name = QRectF(left, room.top(), room.right() - left, 52 * u)
        self.put(painter, name, hand.name, ink, _NAME)
        result = QRectF(room.left(), room.bottom() - 66 * u, room.width(), 66 * u)
        told = QRectF(room.left(), result.top() - 58 * u, room.width(), 54 * u)
        total = QRectF(room.left(), name.bottom() - 8 * u, room.width(), 0)
        total.setBottom(told.top() + 4 * u)
        self.put(painter, total, hand.total, ink, _TOTAL)
        self.put(painter, told, hand.told, self.theme.quiet, _TOLD)
        self._result(painter, hand, result, ink)

    def _words_above(self, painter: QPainter, hand: HandView, room: QRectF, ink: str) -> None:
        """The same words in a narrow box: name and total side by side, the rest below."""
        u = self.unit
        icon = QRectF(room.left(), room.top() + 8 * u, 36 * u, 36 * u)
        paint_side(painter, icon, hand.side, ink)
        total = QRectF(room.right() - 110 * u, room.top(), 110 * u, 88 * u)
        left = icon.right() + 12 * u
        name = QRectF(left, room.top(), total.left() - left - 10 * u, 52 * u)
        self.put(painter, name, hand.name, ink, _NAME)
        self.put(painter, total, hand.total, ink, _TOTAL._replace(size=116, align=RIGHT))
        told = QRectF(room.left(), name.bottom(), total.left() - room.left() - 10 * u, 34 * u)
        self.put(painter, told, hand.told, self.theme.quiet, _TOLD._replace(lines=1))
        result = QRectF(room.left(), room.bottom() - 50 * u, room.width(), 50 * u)
        self._result(painter, hand, result, ink)

    def _result(self, painter: QPainter, hand: HandView, result: QRectF, ink: str) -> None:
        u = self.unit
        shows = hand.is_winner or self.view.outcome in ("tie", "void")
        if self.view.result and shows:
            colours = {"tie": self.theme.tie, "void": self.theme.quiet}
            fill = colours.get(self.view.outcome, ink)
            self.box(painter, result, fill, radius=12)
            pad = result.adjusted(10 * u, 4 * u, -10 * u, -4 * u)
            self.put(painter, pad, self.view.result, self.theme.on_mark, _RESULT)


def _spots(room: QRectF, unit: float) -> list[QRectF]:
    """Three places: two side by side, the third a little apart."""
    apart, gap = 40 * unit, 16 * unit
    width = min((room.width() - apart - gap) / 3, room.height() / RATIO)
    height = width * RATIO
    top = room.center().y() - height / 2
    lefts = (0.0, width + gap, 2 * width + gap + apart)
    start = room.right() - (3 * width + gap + apart)
    return [QRectF(start + left, top, width, height) for left in lefts]


def paint_place(widget: Drawn[Any], painter: QPainter, place: PlaceView, spot: QRectF) -> None:
    """One place of a box: empty, next, or with its card and its outline."""
    theme: Theme = widget.theme
    radius = spot.width() * 0.09 / max(widget.unit, 0.01)
    match place.face:
        case Face.UP if place.card is not None:
            paint_card(painter, spot, place.card, theme)
        case Face.DOWN | Face.UP:
            paint_back(painter, spot, theme)
        case Face.UNREAD:
            paint_unread(painter, spot, theme)
        case Face.NEXT:
            widget.box(painter, spot, theme.glow, theme.accent, 7, radius)
            _written(widget, painter, place, spot, theme.accent)
        case Face.EMPTY:
            _dashed(painter, spot, theme.line)
            _written(widget, painter, place, spot, theme.quiet)
    if place.mark is Mark.ASKED:
        reach = widget.u(5)
        _dashed(painter, spot.adjusted(-reach, -reach, reach, reach), theme.text)
    elif place.mark is not Mark.NONE:
        inks = {Mark.MOVES: theme.alarm, Mark.ARRIVES: theme.accent, Mark.SURPLUS: theme.alarm}
        reach = widget.u(5)
        around = spot.adjusted(-reach, -reach, reach, reach)
        widget.box(painter, around, None, inks[place.mark], 5, radius + 4)


def _written(
    widget: Drawn[Any], painter: QPainter, place: PlaceView, spot: QRectF, ink: str
) -> None:
    upper = QRectF(spot.left(), spot.top(), spot.width(), spot.height() * 0.58)
    lower = QRectF(spot.left(), upper.bottom(), spot.width(), spot.height() * 0.2)
    margin = spot.width() * 0.08
    has_label = bool(place.label)
    head = upper.adjusted(margin, spot.height() * 0.28, -margin, 0) if has_label else spot
    is_loud = place.face is Face.NEXT
    widget.put(painter, head, place.position, ink, _POSITION if is_loud else _LABEL)
    widget.put(painter, lower.adjusted(margin, 0, -margin, 0), place.label, ink, _LABEL)


def _dashed(painter: QPainter, spot: QRectF, ink: str) -> None:
    pen = QPen(colour(ink), max(1.0, spot.width() / 80))
    pen.setStyle(Qt.PenStyle.DashLine)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    radius = spot.width() * 0.09
    painter.drawRoundedRect(spot.adjusted(1, 1, -1, -1), radius, radius)
