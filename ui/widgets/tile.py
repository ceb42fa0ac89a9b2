# SPDX-License-Identifier: GPL-3.0-or-later
"""A table on the wall of the pit: quiet while all is well, loud over its whole head if not.

Everything has one place in the tile. Trouble fills the head and the border, and says in a word
and a clock what it is; a table that cannot be reached is hatched and its picture veiled.
"""

from collections.abc import Callable
from typing import NamedTuple

from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QPainter, QPainterPath, QPen, QPixmap

from studio.game.roads import Place
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


def _frame_of(tile: TileView) -> object:
    return (tile.role, tile.is_selected, tile.is_veiled)


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
    """A tile as it was painted last: what it was painted for, its ground, and with its strips."""

    frame: object
    ground: QPixmap
    picture: QPixmap


class TablePicture(Touchable[TileView]):
    """Shows a ``TileView``; a touch on it selects its table.

    Of a tile that changes ten times a second only the strip that changed is painted anew.
    """

    def __init__(self, view: TileView) -> None:
        self._road: tuple[object, QPixmap] | None = None
        self._kept: _Kept | None = None
        self._strips: dict[str, tuple[object, list[Placed]]] = {}
        self._places: tuple[object, dict[str, QRectF]] | None = None
        super().__init__(view)

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
        inner = QRectF(self.rect()).adjusted(14 * u, 8 * u, -14 * u, -10 * u)
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
            "low": part(0, low, width - 56 * u, inner.height()),
            "lamps": part(width - 54 * u, low, width, inner.height()),
        }

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
            self._kept = _Kept(frame, self._ground(room, ratio), self._blank(room, ratio))
            self._strips = {}
            inside = QPainter(self._kept.picture)
            inside.drawPixmap(0, 0, self._kept.ground)
            inside.end()
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
            ratio = kept.ground.devicePixelRatio()
            source = QRectF(whole.x() * ratio, whole.y() * ratio, whole.width() * ratio,
                            whole.height() * ratio)  # fmt: skip
            inside.setOpacity(1.0)
            inside.drawPixmap(QRectF(whole), kept.ground, source)
            self.placed = []
            if self.view.is_veiled and name in ("middle", "low", "lamps"):
                inside.setOpacity(_VEIL)
            paints[name](inside, QRectF(room))
            self._strips[name] = (now, self.placed)
        if inside is not None:
            inside.end()

    def _blank(self, room: QRectF, ratio: float) -> QPixmap:
        picture = QPixmap(round(room.width() * ratio), round(room.height() * ratio))
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        return picture

    def _ground(self, room: QRectF, ratio: float) -> QPixmap:
        """Box, border and filled head, without a word."""
        picture = self._blank(room, ratio)
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pair = self._pair()
        edge = self.theme.line if pair is None else pair.fill
        self.box(painter, room, self.theme.panel, edge, 1.5 if pair is None else 4, 14)
        if pair is not None:
            head = QRectF(room.left(), room.top(), room.width(), 76 * self.unit)
            self._fill_head(painter, room, head, pair)
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
        """The newest columns, kept as a picture: a road changes once a round."""
        ratio = self.devicePixelRatioF()
        key = (self.view.road, self.theme.name, room.width(), room.height(), ratio)
        if self._road is None or self._road[0] != key:
            picture = self._blank(room, ratio)
            inside = QPainter(picture)
            inside.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._draw_road(inside, QRectF(0, 0, room.width(), room.height()))
            inside.end()
            self._road = (key, picture)
        painter.drawPixmap(room.topLeft(), self._road[1])

    def _draw_road(self, painter: QPainter, grid: QRectF) -> None:
        cell = grid.height() / 6
        columns = int(grid.width() // cell)
        lattice(painter, self.theme, grid, cell, columns)
        marks = self.view.road
        first = first_column(max((mark.col for mark in marks), default=0), columns)
        for mark in marks:
            if mark.col >= first:
                spot = spot_in(grid, cell, Place(mark.col - first, mark.row), 0.1)
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
        track = QRectF(text.right() + 8 * u, row.center().y() - 4 * u, 0, 8 * u)
        track.setRight(row.right() - 6 * u)
        self.box(painter, track, theme.line, radius=4)
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
