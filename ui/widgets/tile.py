# SPDX-License-Identifier: GPL-3.0-or-later
"""A table on the wall of the pit: quiet while all is well, loud over its whole head if not.

Everything has one place in the tile. Trouble fills the head and the border, and says in a word
and a clock what it is; a table that cannot be reached is hatched and its picture veiled.
"""

from collections.abc import Callable
from typing import NamedTuple

from PyQt6.QtCore import QPointF, QRect, QRectF, Qt
from PyQt6.QtGui import QPainter, QPainterPath, QPen, QPixmap

from studio.game.roads import BigRoadMark, Place
from ui.pit_view.model import TileView
from ui.theme import Pair, colour
from ui.view.model import BandRole, Lamp
from ui.widgets.cards import paint_side
from ui.widgets.header import paint_lamp
from ui.widgets.roads import SIDES, first_column, lattice, paint_tie, spot_in
from ui.widgets.text import BOLD, CENTRE, RIGHT, SEMIBOLD, Placed, Style, size_of
from ui.widgets.touch import Touchable, TouchTarget

# The size on which a tile is laid out; its unit makes it larger or smaller.
WIDTH, HEIGHT = 340.0, 196.0
SELECT = "select:"
_NAME = Style(25, BOLD, least=0.6)
_CHIP = Style(15, BOLD, CENTRE, least=0.6)
_DEALER = Style(16, least=0.5, align=RIGHT)
_LINE = Style(17, SEMIBOLD, least=0.62, lines=2)
_SMALL = Style(15, least=0.7)
_QUIET = Style(15, least=0.7, align=RIGHT)
_SINCE = Style(22, BOLD, RIGHT, least=0.6, is_figures=True)
_SCORE = Style(30, BOLD, CENTRE, least=0.5, is_figures=True)
_VEIL = 0.3
# A road that is longer than its room moves on by so many columns at once.
_SHIFT = 4
# So many phases, with the seconds of open bets, are kept as pictures.
_PHASES = 40


def _frame_of(tile: TileView) -> object:
    return (tile.role, tile.is_selected, tile.is_veiled, bool(tile.claimed))


# What each strip of a tile is painted from.
_STRIPS: dict[str, Callable[[TileView], object]] = {
    "name": lambda tile: tile.table,
    "phase": lambda tile: (tile.phase, tile.clock, tile.phase_role),
    "dealer": lambda tile: tile.dealer,
    "line": lambda tile: (tile.trouble, tile.since, tile.coup, tile.round, tile.pace),
    "middle": lambda tile: (tile.road, tile.outcome, tile.score, bool(tile.claimed)),
    "low": lambda tile: (tile.claimed, tile.drawn, tile.depth, tile.cut),
    "lamps": lambda tile: tile.lamps,
}


class _Kept(NamedTuple):
    """A tile as it was painted last: what it was painted for, its ground, and with its strips.

    ``phases`` are strips that come again with every round, with the texts in them.
    """

    frame: object
    ground: QPixmap
    picture: QPixmap
    phases: dict[object, tuple[QPixmap, list[Placed]]]


class _Road(NamedTuple):
    """A road as it was painted last, for the room and the first column in ``key``."""

    key: object
    marks: tuple[BigRoadMark, ...]
    picture: QPixmap


class TablePicture(Touchable[TileView]):
    """Shows a ``TileView``; a touch on it selects its table.

    Of a tile that changes ten times a second only the strip that changed is painted anew.
    """

    def __init__(self, view: TileView) -> None:
        self._road: _Road | None = None
        self._kept: _Kept | None = None
        self._strips: dict[str, tuple[object, list[Placed]]] = {}
        self._places: tuple[object, dict[str, QRectF]] | None = None
        super().__init__(view)
        # its pictures have the window's ground in their corners: nothing is painted below them
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def speak(self) -> None:
        tile = self.view
        parts = (tile.table, tile.phase, tile.trouble, tile.since, tile.claimed, tile.dealer,
                 tile.round, tile.coup)  # fmt: skip
        self.setAccessibleName(", ".join(part for part in parts if part))

    def show_view(self, view: TileView) -> None:
        """Show another view; what of it is the same is not painted again."""
        if view == self.view:
            return
        before, self.view = self.view, view
        self.speak()
        if _frame_of(before) != _frame_of(view):
            self.update()
            return
        rooms = self._rooms()
        for name, of in _STRIPS.items():
            if of(before) != of(view):
                self.update(rooms[name].toAlignedRect())

    def _rooms(self) -> dict[str, QRectF]:
        """Where the strips are; none touches the border, nor another."""
        key = (self.rect(), self.unit, self.view.table)
        if self._places is None or self._places[0] != key:
            self._places = (key, self._placed_strips())
        return self._places[1]

    def _placed_strips(self) -> dict[str, QRectF]:
        u = self.unit
        inner = self._inner(QRectF(self.rect()))
        low = inner.height() - 22 * u

        def part(left: float, top: float, right: float, bottom: float) -> QRectF:
            return QRectF(inner.left() + left, inner.top() + top, right - left, bottom - top)

        width = inner.width()
        name = min(size_of(self.view.table, _NAME, u).width() + 2 * u, width * 0.4)
        return {
            "name": part(0, 0, name, 32 * u),
            "phase": part(name + 8 * u, 0, width * 0.7, 32 * u),
            "dealer": part(width * 0.71, 0, width, 32 * u),
            "line": part(0, 32 * u, width, 68 * u),
            "middle": part(0, 72 * u, width, low),
            "low": self._low_room(QRectF(self.rect())),
            "lamps": part(width - 54 * u, low, width, inner.height()),
        }

    def _inner(self, room: QRectF) -> QRectF:
        u = self.unit
        return room.adjusted(14 * u, 8 * u, -14 * u, -10 * u)

    def _low_room(self, room: QRectF) -> QRectF:
        u, inner = self.unit, self._inner(room)
        return QRectF(inner.left(), inner.bottom() - 22 * u, inner.width() - 56 * u, 22 * u)

    def _track(self, low: QRectF) -> QRectF:
        """Where the depth of the shoe is told."""
        u = self.unit
        return QRectF(low.left() + 92 * u, low.center().y() - 3 * u, low.width() - 98 * u, 8 * u)

    def draw(self, painter: QPainter, room: QRectF) -> None:
        self.targets = [TouchTarget(room, f"{SELECT}{self.view.table}")]
        ratio = self.devicePixelRatioF()
        frame = (
            _frame_of(self.view),
            self.theme.name,
            self.unit,
            room.width(),
            room.height(),
            ratio,
        )
        if self._kept is None or self._kept.frame != frame:
            ground = self._ground(room, ratio)
            self._kept = _Kept(frame, ground, ground.copy(), {})
            self._strips = {}
        self._paint_strips(self._kept)
        self.placed = [one for _, placed in self._strips.values() for one in placed]
        painter.drawPixmap(0, 0, self._kept.picture)

    def _paint_strips(self, kept: _Kept) -> None:
        """Paint anew what changed since the last time."""
        paints = {
            "name": self._name, "phase": self._phase, "dealer": self._dealer, "line": self._line,
            "middle": self._middle, "low": self._low, "lamps": self._lamps,
        }  # fmt: skip
        inside: QPainter | None = None
        for name, room in self._rooms().items():
            now = _STRIPS[name](self.view)
            if name in self._strips and self._strips[name][0] == now:
                continue
            if inside is None:
                inside = QPainter(kept.picture)
                inside.setRenderHint(QPainter.RenderHint.Antialiasing)
            whole = room.toAlignedRect()
            inside.setOpacity(1.0)
            if name == "phase" and now in kept.phases:
                piece, placed = kept.phases[now]
                inside.drawPixmap(whole.topLeft(), piece)
                self._strips[name] = (now, placed)
                continue
            inside.setClipRect(whole)
            inside.drawPixmap(0, 0, kept.ground)
            inside.setClipping(False)
            self.placed = []
            if self.view.is_veiled and name in ("middle", "low", "lamps"):
                inside.setOpacity(_VEIL)
            paints[name](inside, QRectF(room))
            self._strips[name] = (now, self.placed)
            ratio = round(kept.picture.devicePixelRatio())
            is_whole_pixels = ratio == kept.picture.devicePixelRatio()
            if name == "phase" and is_whole_pixels and len(kept.phases) < _PHASES:
                pixels = QRect(whole.topLeft() * ratio, whole.size() * ratio)
                kept.phases[now] = (kept.picture.copy(pixels), self.placed)
        if inside is not None:
            inside.end()

    def _blank(self, room: QRectF, ratio: float, ground: str) -> QPixmap:
        picture = QPixmap(round(room.width() * ratio), round(room.height() * ratio))
        picture.setDevicePixelRatio(ratio)
        picture.fill(colour(ground))
        return picture

    def _ground(self, room: QRectF, ratio: float) -> QPixmap:
        """Box, border and filled head, without a word."""
        picture = self._blank(room, ratio, self.theme.ground)
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pair = self._pair()
        edge = self.theme.line if pair is None else pair.fill
        self.box(painter, room, self.theme.panel, edge, 1.5 if pair is None else 4, 14)
        if pair is not None:
            head = QRectF(room.left(), room.top(), room.width(), 76 * self.unit)
            self._fill_head(painter, room, head, pair)
        if not self.view.claimed:
            self.box(painter, self._track(self._low_room(room)), self.theme.line, radius=4)
        if self.view.is_selected:
            self.box(painter, room, None, self.theme.text, 4, 14)
        painter.end()
        return picture

    def _pair(self) -> Pair | None:
        return None if self.view.role is None else self.theme.band(self.view.role.value)

    def _inks(self) -> tuple[str, str]:
        pair = self._pair()
        return (self.theme.text, self.theme.quiet) if pair is None else (pair.ink, pair.ink)

    def _fill_head(self, painter: QPainter, room: QRectF, head: QRectF, pair: Pair) -> None:
        shape = QPainterPath()
        shape.addRoundedRect(room, self.u(14), self.u(14))
        painter.save()
        painter.setClipPath(shape)
        painter.fillRect(head, colour(pair.fill))
        if self.view.role is BandRole.OFF:
            painter.setPen(QPen(colour(pair.ink, 0.14), self.u(3)))
            x, step = head.left() - head.height(), self.u(16)
            while x < head.right():
                painter.drawLine(QPointF(x, head.bottom()), QPointF(x + head.height(), head.top()))
                x += step
        painter.restore()
        if self.view.role is BandRole.OFF:
            self.box(painter, room, None, self.theme.alarm, 4, 14)

    def _name(self, painter: QPainter, room: QRectF) -> None:
        self.put(painter, room, self.view.table, self._inks()[0], _NAME)

    def _dealer(self, painter: QPainter, room: QRectF) -> None:
        self.put(painter, room, self.view.dealer, self._inks()[1], _DEALER)

    def _phase(self, painter: QPainter, room: QRectF) -> None:
        """The phase on a chip, filled while bets are open."""
        tile, u = self.view, self.unit
        words = f"{tile.phase} {tile.clock}".strip()
        width = min(size_of(words, _CHIP, u).width() + 20 * u, room.width())
        chip = QRectF(room.left(), room.top() + 4 * u, width, 25 * u)
        pair = None if tile.phase_role is None else self.theme.band(tile.phase_role.value)
        if tile.role is not None:
            ink = self._inks()[0]
            self.box(painter, chip, None, ink, 1.5, 8)
        else:
            self.box(painter, chip, self.theme.raised if pair is None else pair.fill, radius=8)
            ink = self.theme.text if pair is None else pair.ink
        self.put(painter, chip.adjusted(6 * u, 1 * u, -6 * u, -1 * u), words, ink, _CHIP)

    def _line(self, painter: QPainter, row: QRectF) -> None:
        """What is wrong, and since when; else round, coup and pace."""
        tile, u = self.view, self.unit
        ink, quiet = self._inks()
        if tile.role is None:
            told = "   ".join(one for one in (tile.coup, tile.round) if one)
            pace = QRectF(row.right() - 70 * u, row.top(), 70 * u, row.height())
            row.setRight(pace.left() - 6 * u)
            self.put(painter, row, told, quiet, _SMALL)
            self.put(painter, pace, tile.pace, quiet, _QUIET)
            return
        if tile.since:
            width = size_of(tile.since, _SINCE, u).width() + 4 * u
            since = QRectF(row.right() - width, row.top(), width, row.height())
            self.put(painter, since, tile.since, ink, _SINCE)
            row.setRight(since.left() - 8 * u)
        self.put(painter, row, tile.trouble, ink, _LINE)

    def _middle(self, painter: QPainter, inner: QRectF) -> None:
        u, tile = self.unit, self.view
        top = inner.top() + 2 * u
        road = QRectF(inner.left(), top, inner.width() - 92 * u, 78 * u)
        self._paint_road(painter, road)
        score = QRectF(inner.right() - 84 * u, top, 84 * u, 78 * u)
        if tile.claimed:
            claim = QRectF(score.left(), score.bottom() - 22 * u, score.width(), 22 * u)
            score.setBottom(claim.top())
        if not tile.outcome:
            return
        theme = self.theme
        is_void = tile.outcome == "void"
        ink = theme.quiet if is_void else theme.side(tile.outcome)
        mark = QRectF(score.center().x() - 12 * u, score.top() + 3 * u, 24 * u, 24 * u)
        paint_side(painter, mark, tile.outcome, ink)
        figures = QRectF(score.left(), mark.bottom() + 4 * u, score.width(), 40 * u)
        half = figures.width() / 2
        for number, (text, side) in enumerate(zip(tile.score, ("player", "banker"), strict=True)):
            box = QRectF(figures.left() + number * half, figures.top(), half, figures.height())
            self.put(painter, box, text, theme.side(side), _SCORE)

    def _paint_road(self, painter: QPainter, room: QRectF) -> None:
        """The newest columns, kept as a picture: a round adds a mark, and mostly no column."""
        ratio, marks = self.devicePixelRatioF(), self.view.road
        cell = room.height() / 6
        columns = int(room.width() // cell)
        first = first_column(max((mark.col for mark in marks), default=0), columns)
        first = -(-first // _SHIFT) * _SHIFT
        key = (first, self.theme.name, room.width(), room.height(), ratio)
        kept = self._road
        is_more = kept is not None and kept.key == key and marks[: len(kept.marks)] == kept.marks
        if kept is None or not is_more:
            kept = _Road(key, (), self._blank(room, ratio, self.theme.panel))
        if kept.marks != marks or not is_more:
            inside = QPainter(kept.picture)
            inside.setRenderHint(QPainter.RenderHint.Antialiasing)
            grid = QRectF(0, 0, room.width(), room.height())
            if not is_more:
                lattice(inside, self.theme, grid, cell, columns)
            for mark in marks[len(kept.marks) :]:
                if mark.col >= first:
                    spot = spot_in(grid, cell, Place(mark.col - first, mark.row), 0.1)
                    self._mark(inside, spot, mark)
            inside.end()
            self._road = kept._replace(marks=marks)
        painter.drawPixmap(room.topLeft(), kept.picture)

    def _mark(self, painter: QPainter, spot: QRectF, mark: BigRoadMark) -> None:
        side = SIDES[mark.mark]
        paint_side(painter, spot, side, self.theme.side(side))
        if mark.ties:
            paint_tie(painter, self.theme, spot)

    def _low(self, painter: QPainter, inner: QRectF) -> None:
        """Depth of the shoe with its cut card; at a held table who rules there."""
        u, tile, theme = self.unit, self.view, self.theme
        row = inner.adjusted(0, 2 * u, 0, 0)
        if tile.claimed:
            self.put(painter, row, tile.claimed, theme.text, _SMALL)
            return
        text = QRectF(row.left(), row.top(), 84 * u, row.height())
        self.put(painter, text, tile.drawn, theme.quiet, _SMALL)
        track = self._track(inner)
        if tile.depth > 0:
            done = QRectF(track)
            done.setWidth(max(track.width() * min(tile.depth, 1.0), 8 * u))
            self.box(painter, done, theme.quiet, radius=4)
        if tile.cut is not None:
            x = track.left() + track.width() * tile.cut
            mark = QRectF(x - 1.5 * u, track.top() - 5 * u, 3 * u, track.height() + 10 * u)
            painter.fillRect(mark, colour(theme.accent))

    def _lamps(self, painter: QPainter, room: QRectF) -> None:
        u, theme = self.unit, self.theme
        ink = {Lamp.GOOD: theme.good, Lamp.DOUBT: theme.accent, Lamp.BAD: theme.alarm}
        for number, lamp in enumerate(reversed(self.view.lamps)):
            middle = QPointF(room.right() - (10 + 24 * number) * u, room.center().y() + u)
            paint_lamp(painter, middle, 8 * u, lamp.lamp, ink[lamp.lamp])
