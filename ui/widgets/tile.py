# SPDX-License-Identifier: GPL-3.0-or-later
"""A table on the wall of the pit: quiet while all is well, loud over its whole head if not.

Everything has one place in the tile. Trouble fills the head and the border, and says in a word
and a clock what it is; a table that cannot be reached is hatched and its picture veiled.
"""

from collections.abc import Callable
from math import ceil
from typing import NamedTuple

from PyQt6.QtCore import QPointF, QRect, QRectF, Qt
from PyQt6.QtGui import QPainter, QPainterPath, QPaintEvent, QPen, QPixmap, QRegion, QResizeEvent

from studio.game.roads import BigRoadMark, Place
from ui.pit_view.model import TileView
from ui.theme import Pair, Theme, colour
from ui.view.model import BandRole, Lamp
from ui.widgets.cards import paint_side
from ui.widgets.header import paint_lamp
from ui.widgets.looks import Look, Looks, Piece, blank
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


class _Strip(NamedTuple):
    """Where a strip of a tile is: its room, its pixels, and where they begin and end."""

    room: QRectF
    whole: QRect
    ends: tuple[int, int]


class _Road(NamedTuple):
    """A road as it was painted last, for the room and the first column in ``key``."""

    key: object
    marks: tuple[BigRoadMark, ...]
    picture: QPixmap


def _strip(room: QRectF, left: float) -> _Strip:
    """The strip in a room, with one pixel more where letters lean out, if that is free."""
    whole = room.toAlignedRect().adjusted(-1 if room.left() <= left else 0, 0, 1, 0)
    whole.setTop(round(room.top()))
    whole.setBottom(round(room.bottom()) - 1)
    return _Strip(room, whole, (whole.left(), whole.right()))


def _frame_of(tile: TileView) -> object:
    return (tile.role, tile.is_selected, tile.is_veiled, bool(tile.claimed))


def _values_of(tile: TileView) -> dict[str, object]:
    """What each strip of a tile is painted from."""
    return {
        "name": tile.table,
        "phase": (tile.phase, tile.clock, tile.phase_role),
        "dealer": tile.dealer,
        "line": (tile.trouble, tile.since, tile.coup, tile.round),
        "pace": tile.pace,
        "road": tile.road,
        "score": (tile.outcome, tile.score),
        "low": (tile.claimed, tile.drawn, tile.depth, tile.cut),
        "lamps": tile.lamps,
    }


_VEILED = frozenset({"road", "score", "low", "lamps"})


class TablePicture(Touchable[TileView]):
    """Shows a ``TileView``; a touch on it selects its table.

    Of a tile that changes ten times a second only the strip that changed is painted anew, and
    that from a picture, if any tile of this look has shown the same there.
    """

    def __init__(self, view: TileView, looks: Looks | None = None) -> None:
        self._looks = Looks() if looks is None else looks
        self._look: tuple[object, Look] | None = None
        self._road: _Road | None = None
        self._values = _values_of(view)
        self._strips: dict[str, _Strip] = {}
        self._placed: dict[str, list[Placed]] = {}
        self._paints: dict[str, Callable[[QPainter, QRectF], None]] = {
            "name": self._name, "phase": self._phase, "dealer": self._dealer, "line": self._line,
            "pace": self._pace, "road": self._paint_road, "score": self._score, "low": self._low,
            "lamps": self._lamps,
        }  # fmt: skip
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
        if view is self.view or view == self.view:
            return
        before, self.view = self.view, view
        was, self._values = self._values, _values_of(view)
        self.speak()
        if _frame_of(before) != _frame_of(view):
            self._strips = {}
            self.update()
            return
        for name, strip in self._placed_strips().items():
            if self._values[name] != was[name]:
                self.update(strip.whole)

    def dress(self, theme: Theme, unit: float) -> None:
        if unit != self.unit:
            self._strips = {}
        super().dress(theme, unit)

    def resizeEvent(self, _event: QResizeEvent | None) -> None:  # noqa: N802 - Qt's name
        self._strips = {}

    def _placed_strips(self) -> dict[str, _Strip]:
        """Where the strips are; none touches the border, nor another."""
        if not self._strips:
            left = self._inner(QRectF(self.rect())).left()
            self._strips = {name: _strip(room, left) for name, room in self._rooms().items()}
            self.targets = [TouchTarget(QRectF(self.rect()), f"{SELECT}{self.view.table}")]
        return self._strips

    def _rooms(self) -> dict[str, QRectF]:
        u = self.unit
        inner = self._inner(QRectF(self.rect()))
        low = inner.height() - 22 * u

        def part(left: float, top: float, right: float, bottom: float) -> QRectF:
            return QRectF(inner.left() + left, inner.top() + top, right - left, bottom - top)

        width = inner.width()
        # whole pixels: a phase is painted alike in all tiles
        name = ceil(min(size_of(self.view.table, _NAME, u).width() + 2 * u, width * 0.4))
        # a table in trouble has the whole line for it
        line = width if self.view.role is not None else width - 76 * u
        return {
            "name": part(0, 0, name, 32 * u),
            "phase": part(name + 8 * u, 0, width * 0.7, 32 * u),
            "dealer": part(width * 0.71, 0, width, 32 * u),
            "line": part(0, 32 * u, line, 68 * u),
            "pace": part(min(line + 6 * u, width), 32 * u, width, 68 * u),
            "road": part(0, 74 * u, width - 92 * u, 152 * u),
            "score": part(width - 84 * u, 74 * u, width, 152 * u),
            "low": self._low_room(QRectF(self.rect())),
            "lamps": part(width - 48 * u, low, width, inner.height()),
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

    def paintEvent(self, event: QPaintEvent | None) -> None:  # noqa: N802 - Qt's name
        """Paint the strips that are to be seen anew, on their ground."""
        exposed = QRegion(self.rect()) if event is None else event.region()
        strips, ratio = self._placed_strips(), self.devicePixelRatioF()
        look = self._look_at(ratio)
        painter = QPainter(self)
        # where pixels of the window are no whole ones of the screen, a picture would be blurred
        is_kept = ratio == round(ratio)
        if is_kept:
            painter.drawPixmap(0, 0, look.ground)
        else:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._ground(painter, QRectF(self.rect()))
        for name, strip in strips.items():
            if not exposed.intersects(strip.whole):
                continue
            if is_kept and name != "road":
                piece = self._piece(look, name, strip, round(ratio))
                painter.drawPixmap(strip.whole.topLeft(), piece.picture)
                self._placed[name] = piece.placed
            else:
                self._paint_strip(painter, name, strip)
        painter.end()
        self.placed = [one for placed in self._placed.values() for one in placed]

    def _look_at(self, ratio: float) -> Look:
        """What tiles of the same frame, size and theme have in common."""
        key = (_frame_of(self.view), self.theme.name, self.unit, self.width(), self.height(), ratio)
        if self._look is None or self._look[0] != key:
            self._look = (key, self._looks.of(key, lambda: self._grounded(ratio)))
        return self._look[1]

    def _grounded(self, ratio: float) -> QPixmap:
        picture = blank(self.rect().size(), ratio, self.theme.ground)
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._ground(painter, QRectF(self.rect()))
        painter.end()
        return picture

    def _piece(self, look: Look, name: str, strip: _Strip, ratio: int) -> Piece:
        """A strip with its ground, as it is painted for any tile of this look."""
        key = (name, self._values[name], strip.ends)
        piece = look.pieces.get(key)
        if piece is None:
            whole = strip.whole
            picture = blank(whole.size(), ratio, self.theme.ground)
            inside = QPainter(picture)
            inside.setRenderHint(QPainter.RenderHint.Antialiasing)
            inside.translate(QPointF(-whole.topLeft()))
            inside.drawPixmap(0, 0, look.ground)
            self._paint_strip(inside, name, strip)
            inside.end()
            piece = look.keep(key, Piece(picture, self._placed[name]))
        return piece

    def _paint_strip(self, painter: QPainter, name: str, strip: _Strip) -> None:
        self.placed = self._placed[name] = []
        painter.setOpacity(_VEIL if self.view.is_veiled and name in _VEILED else 1.0)
        self._paints[name](painter, QRectF(strip.room))
        painter.setOpacity(1.0)

    def _ground(self, painter: QPainter, room: QRectF) -> None:
        """Box, border and filled head, without a word."""
        pair = self._pair()
        edge = self.theme.line if pair is None else pair.fill
        painter.fillRect(room, colour(self.theme.ground))
        self.box(painter, room, self.theme.panel, edge, 1.5 if pair is None else 4, 14)
        if pair is not None:
            head = QRectF(room.left(), room.top(), room.width(), 76 * self.unit)
            self._fill_head(painter, room, head, pair)
        if not self.view.claimed:
            self.box(painter, self._track(self._low_room(room)), self.theme.line, radius=4)
        if self.view.is_selected:
            self.box(painter, room, None, self.theme.text, 4, 14)

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
        """What is wrong, and since when; else coup and round."""
        tile, u = self.view, self.unit
        ink, quiet = self._inks()
        if tile.role is None:
            told = "   ".join(one for one in (tile.coup, tile.round) if one)
            self.put(painter, row, told, quiet, _SMALL)
            return
        if tile.since:
            width = size_of(tile.since, _SINCE, u).width() + 4 * u
            since = QRectF(row.right() - width, row.top(), width, row.height())
            self.put(painter, since, tile.since, ink, _SINCE)
            row.setRight(since.left() - 8 * u)
        self.put(painter, row, tile.trouble, ink, _LINE)

    def _pace(self, painter: QPainter, room: QRectF) -> None:
        if self.view.role is None:
            self.put(painter, room, self.view.pace, self.theme.quiet, _QUIET)

    def _score(self, painter: QPainter, score: QRectF) -> None:
        """The last result."""
        u, tile, theme = self.unit, self.view, self.theme
        if tile.claimed:
            score.setBottom(score.bottom() - 22 * u)
        if not tile.outcome:
            return
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
            kept = _Road(key, (), blank(room.size(), ratio, self.theme.panel))
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
