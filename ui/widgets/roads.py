# SPDX-License-Identifier: GPL-3.0-or-later
"""The roads of this shoe: bead plate, big road, and the three derived roads.

Each shows its newest columns. Player is a ring and banker a square on every road, so that nobody
needs to see a colour; what the next win of each side would add stands below the derived roads.
"""

from enum import Enum

from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QPainter, QPen

from studio.game.roads import ROWS, NextMarks, Place, layout
from ui.theme import SMALL, Theme, colour
from ui.view.model import RoadsView
from ui.widgets.cards import paint_side
from ui.widgets.drawn import Drawn
from ui.widgets.text import BOLD, CENTRE, SEMIBOLD, Style

_TITLE = Style(SMALL, SEMIBOLD, least=0.5, spacing=4)
_MARK = Style(SMALL, BOLD, CENTRE, least=0.4)
SIDES = {"P": "player", "B": "banker", "T": "tie"}
_VEIL = 0.22


class Part(Enum):
    """Which road a widget shows."""

    BEAD = 0
    BIG = 1
    DERIVED = 2


class RoadPicture(Drawn[RoadsView]):
    """One panel of roads."""

    def __init__(self, part: Part, view: RoadsView) -> None:
        self.part = part
        super().__init__(view)

    def speak(self) -> None:
        titles = self.view.titles
        words = {Part.BEAD: titles[:1], Part.BIG: titles[1:2], Part.DERIVED: titles[2:5]}
        self.setAccessibleName(", ".join(words[self.part]))
        roads = self.view.roads
        marks = "" if roads is None else " ".join(mark.mark for mark in roads.bead[-12:])
        self.setAccessibleDescription(marks if self.part is Part.BEAD else "")

    def draw(self, painter: QPainter, room: QRectF) -> None:
        u = self.unit
        self.box(painter, room, self.theme.panel, self.theme.line)
        if self.view.is_veiled:
            painter.setOpacity(_VEIL)
        inner = room.adjusted(18 * u, 12 * u, -18 * u, -14 * u)
        if self.part is Part.DERIVED:
            self._derived(painter, inner)
            return
        title = QRectF(inner.left(), inner.top(), inner.width(), 28 * u)
        self.put(painter, title, self.view.titles[self.part.value], self.theme.quiet, _TITLE)
        grid = inner.adjusted(0, 36 * u, 0, 0)
        if self.part is Part.BEAD:
            self._bead(painter, grid)
        else:
            self._big(painter, grid)

    def _bead(self, painter: QPainter, grid: QRectF) -> None:
        cell, columns = _cell(grid)
        marks = () if self.view.roads is None else self.view.roads.bead
        first = first_column(max((mark.col for mark in marks), default=0), columns)
        for mark in marks:
            if mark.col < first:
                continue
            spot = spot_in(grid, cell, Place(mark.col - first, mark.row), 0.08)
            ink = self.theme.side(SIDES[mark.mark])
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour(ink))
            if mark.mark == "B":
                painter.drawRoundedRect(spot, cell * 0.16, cell * 0.16)
            else:
                painter.drawEllipse(spot)
            letter = self.view.count_names[{"P": 0, "B": 1, "T": 2}[mark.mark]][:1]
            self.put(painter, spot, letter, self.theme.on_mark, _MARK)

    def _big(self, painter: QPainter, grid: QRectF) -> None:
        cell, columns = _cell(grid)
        lattice(painter, self.theme, grid, cell, columns)
        marks = () if self.view.roads is None else self.view.roads.big_road
        first = first_column(max((mark.col for mark in marks), default=0), columns)
        for mark in marks:
            if mark.col < first:
                continue
            place = Place(mark.col - first, mark.row)
            spot = spot_in(grid, cell, place, 0.1)
            paint_side(painter, spot, SIDES[mark.mark], self.theme.side(SIDES[mark.mark]))
            if mark.ties:
                self._ties(painter, spot, mark.ties)

    def _ties(self, painter: QPainter, spot: QRectF, ties: int) -> None:
        if ties == 1:
            paint_tie(painter, self.theme, spot)
            return
        reach = spot.width() * 0.12
        low = spot.bottomLeft() + QPointF(-reach, reach)
        high = spot.topRight() + QPointF(reach, -reach)
        pen = QPen(colour(self.theme.tie), spot.width() * 0.13)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.drawLine(low, spot.center() - QPointF(reach, -reach) * 2.2)
        painter.drawLine(spot.center() + QPointF(reach, -reach) * 2.2, high)
        self.put(painter, spot, str(ties), self.theme.text, _MARK)

    def _derived(self, painter: QPainter, inner: QRectF) -> None:
        u, roads = self.unit, self.view.roads
        gap = 22 * u
        width = (inner.width() - 2 * gap) / 3
        strings = ("", "", "") if roads is None else (roads.big_eye, roads.small, roads.cockroach)
        for number, (marks, name) in enumerate(
            zip(strings, ("big_eye", "small", "cockroach"), strict=True)
        ):
            room = QRectF(inner.left() + number * (width + gap), inner.top(), width, inner.height())
            title = QRectF(room.left(), room.top(), room.width(), 28 * u)
            self.put(painter, title, self.view.titles[2 + number], self.theme.quiet, _TITLE)
            grid = room.adjusted(0, 36 * u, 0, -38 * u)
            self._small_road(painter, grid, marks, name)
            if roads is not None:
                below = QRectF(room.left(), room.bottom() - 30 * u, room.width(), 30 * u)
                self._asked(painter, below, name, (roads.ask.player, roads.ask.banker))

    def _small_road(self, painter: QPainter, grid: QRectF, marks: str, name: str) -> None:
        cell, columns = _cell(grid)
        lattice(painter, self.theme, grid, cell, columns)
        places = layout(marks)
        first = first_column(max((place.col for place in places), default=0), columns)
        for place, mark in zip(places, marks, strict=True):
            if place.col >= first:
                spot = spot_in(grid, cell, Place(place.col - first, place.row), 0.12)
                self._little(painter, spot, mark, name)

    def _little(self, painter: QPainter, spot: QRectF, mark: str, name: str) -> None:
        """Rings, discs and strokes, as players know the three roads; red leans, blue falls."""
        ink = self.theme.banker if mark == "r" else self.theme.player
        thick = spot.width() * 0.2
        pen = QPen(colour(ink), thick)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush if name == "big_eye" else colour(ink))
        inset = thick / 2
        shape = spot.adjusted(inset, inset, -inset, -inset)
        if name == "cockroach":
            if mark == "r":
                painter.drawLine(shape.bottomLeft(), shape.topRight())
            else:
                painter.drawLine(shape.topLeft(), shape.bottomRight())
        elif mark == "r":
            painter.drawRect(shape)
        else:
            painter.drawEllipse(shape)

    def _asked(
        self, painter: QPainter, room: QRectF, name: str, asked: tuple[NextMarks, NextMarks]
    ) -> None:
        u = self.unit
        size = 22 * u
        for number, (side, marks) in enumerate(zip(("player", "banker"), asked, strict=True)):
            left = room.left() + number * room.width() / 2
            icon = QRectF(left, room.center().y() - size / 2, size, size)
            paint_side(painter, icon, side, self.theme.side(side))
            arrow = icon.right() + 8 * u
            middle = room.center().y()
            tip = QPointF(arrow + 16 * u, middle)
            back, rise = QPointF(6 * u, 0), QPointF(0, 6 * u)
            quiet = self.theme.quiet
            self.stroke(painter, quiet, 2.5, QPointF(arrow, middle), tip)
            self.stroke(painter, quiet, 2.5, tip - back - rise, tip, tip - back + rise)
            mark = getattr(marks, name)
            spot = QRectF(arrow + 24 * u, middle - size / 2, size, size)
            if mark is None:
                self.stroke(painter, self.theme.quiet, 2.5, QPointF(spot.left() + 4 * u, middle),
                            QPointF(spot.right() - 4 * u, middle))  # fmt: skip
            else:
                self._little(painter, spot, mark, name)


def paint_tie(painter: QPainter, theme: Theme, spot: QRectF) -> None:
    """A slash over a mark of the big road: ties followed it."""
    reach = spot.width() * 0.12
    pen = QPen(colour(theme.tie), spot.width() * 0.13)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.setPen(pen)
    low = spot.bottomLeft() + QPointF(-reach, reach)
    painter.drawLine(low, spot.topRight() + QPointF(reach, -reach))


def lattice(painter: QPainter, theme: Theme, grid: QRectF, cell: float, columns: int) -> None:
    """The empty cells of a road."""
    painter.setPen(QPen(colour(theme.line), 1))
    for col in range(columns + 1):
        x = grid.left() + col * cell
        painter.drawLine(QPointF(x, grid.top()), QPointF(x, grid.top() + ROWS * cell))
    for row in range(ROWS + 1):
        y = grid.top() + row * cell
        painter.drawLine(QPointF(grid.left(), y), QPointF(grid.left() + columns * cell, y))


def _cell(grid: QRectF) -> tuple[float, int]:
    """The side of a cell, and how many columns there are."""
    cell = max(grid.height() / ROWS, 1.0)
    return cell, max(1, int(grid.width() / cell + 0.01))


def first_column(last: int, columns: int) -> int:
    """The first column to show: all while they fit, then the newest, with one left free."""
    return max(0, last + 2 - columns)


def spot_in(grid: QRectF, cell: float, place: Place, margin: float) -> QRectF:
    """The room of a mark in its cell."""
    inset = cell * margin
    left, top = grid.left() + place.col * cell, grid.top() + place.row * cell
    return QRectF(left + inset, top + inset, cell - 2 * inset, cell - 2 * inset)
