# SPDX-License-Identifier: GPL-3.0-or-later
"""What all widgets of a window have in common: a view, a theme, a unit, a record of their texts.

``unit`` is the size of a pixel of 1920 by 1080 in this window. A widget paints itself whole from
the view that it was last shown, and repaints only when that changes.
"""

from typing import Generic, TypeVar

from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QPainter, QPaintEvent, QPen
from PyQt6.QtWidgets import QWidget

from ui.theme import DARK, EDGE, RADIUS, Theme, colour
from ui.widgets.text import Placed, Style, place

V = TypeVar("V")


class Drawn(QWidget, Generic[V]):
    """A widget that is painted by hand from one value, its ``view``.

    A kind of widget says in ``draw`` how it is painted, and in ``speak`` what a screen reader
    says of it.
    """

    def __init__(self, view: V) -> None:
        super().__init__()
        self.view = view
        self.theme: Theme = DARK
        self.unit = 1.0
        self.placed: list[Placed] = []
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.speak()

    def show_view(self, view: V) -> None:
        """Show another view; the same again changes nothing."""
        if view != self.view:
            self.view = view
            self.speak()
            self.update()

    def speak(self) -> None:
        """Say the view to a screen reader."""

    def dress(self, theme: Theme, unit: float) -> None:
        """Another theme or another size."""
        if (theme, unit) != (self.theme, self.unit):
            self.theme, self.unit = theme, unit
            self.update()

    def u(self, pixels: float) -> float:
        """Pixels of 1920 by 1080 in pixels of this window."""
        return pixels * self.unit

    def paintEvent(self, _event: QPaintEvent | None) -> None:  # noqa: N802 - Qt's name
        """Paint from the view."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
        self.placed = []
        self.draw(painter, QRectF(self.rect()))
        painter.end()

    def draw(self, painter: QPainter, room: QRectF) -> None:
        """Paint the view."""

    def put(self, painter: QPainter, given: QRectF, text: str, ink: str, style: Style) -> QRectF:
        """Draw a text in a room; the room that it took."""
        if not text:
            return QRectF(given.topLeft(), given.topLeft())
        placed = place(painter, given, text, ink, style, self.unit)
        self.placed.append(placed)
        return placed.taken

    def box(
        self,
        painter: QPainter,
        room: QRectF,
        fill: str | None,
        edge: str | None = None,
        width: float = EDGE,
        radius: float = RADIUS,
    ) -> None:
        """A rounded box; its edge lies within the room."""
        pen_width = max(1.0, self.u(width)) if edge is not None else 0.0
        half = pen_width / 2
        pen = QPen(Qt.PenStyle.NoPen) if edge is None else QPen(colour(edge), pen_width)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush if fill is None else colour(fill))
        inner = room.adjusted(half, half, -half, -half)
        painter.drawRoundedRect(inner, self.u(radius), self.u(radius))

    def stroke(self, painter: QPainter, ink: str, width: float, *points: QPointF) -> None:
        """A line through points, with round ends."""
        pen = QPen(colour(ink), max(1.0, self.u(width)))
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        painter.drawPolyline(*points)
