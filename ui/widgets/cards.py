# SPDX-License-Identifier: GPL-3.0-or-later
"""Cards and the marks of the sides as vector shapes, crisp at any size.

A card shows its rank twice as large as its suit needs to be told at two metres, and nothing else.
The sides are told by shape as well as by colour: player a ring, banker a square, tie a slash.
"""

from functools import lru_cache

from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QPainter, QPainterPath, QPen, QTransform

from studio.game.cards import Card, Rank, Suit
from ui.theme import Theme, colour
from ui.widgets.text import BOLD, CENTRE, Style, place

# Height of a card to its width, as a bridge card has it.
RATIO = 1.4
_RANKS = {Rank.TEN: "10"}


@lru_cache(maxsize=4)
def suit_path(suit: Suit) -> QPainterPath:
    """The outline of a suit in a square from -1000 to 1000, where its curves stay smooth."""
    return {Suit.HEARTS: _heart, Suit.SPADES: _spade, Suit.DIAMONDS: _diamond, Suit.CLUBS: _club}[
        suit
    ]()


def _heart() -> QPainterPath:
    path = QPainterPath(QPointF(0, 950))
    path.cubicTo(-350, 550, -1000, 150, -1000, -380)
    path.cubicTo(-1000, -720, -760, -920, -500, -920)
    path.cubicTo(-260, -920, -80, -780, 0, -550)
    path.cubicTo(80, -780, 260, -920, 500, -920)
    path.cubicTo(760, -920, 1000, -720, 1000, -380)
    path.cubicTo(1000, 150, 350, 550, 0, 950)
    return path


def _stem() -> QPainterPath:
    path = QPainterPath(QPointF(0, 200))
    path.cubicTo(30, 600, 140, 820, 420, 950)
    path.lineTo(-420, 950)
    path.cubicTo(-140, 820, -30, 600, 0, 200)
    return path


def _spade() -> QPainterPath:
    path = QPainterPath(QPointF(0, -950))
    path.cubicTo(300, -550, 950, -200, 950, 250)
    path.cubicTo(950, 550, 720, 700, 500, 700)
    path.cubicTo(280, 700, 100, 580, 0, 360)
    path.cubicTo(-100, 580, -280, 700, -500, 700)
    path.cubicTo(-720, 700, -950, 550, -950, 250)
    path.cubicTo(-950, -200, -300, -550, 0, -950)
    return path.united(_stem())


def _diamond() -> QPainterPath:
    path = QPainterPath(QPointF(0, -980))
    path.quadTo(280, -420, 760, 0)
    path.quadTo(280, 420, 0, 980)
    path.quadTo(-280, 420, -760, 0)
    path.quadTo(-280, -420, 0, -980)
    return path


def _club() -> QPainterPath:
    path = QPainterPath()
    for x, y in ((0, -500), (-500, 200), (500, 200)):
        leaf = QPainterPath()
        leaf.addEllipse(QPointF(x, y), 450, 450)
        path = path.united(leaf)
    middle = QPainterPath()
    middle.addEllipse(QPointF(0, 20), 220, 220)
    return path.united(middle).united(_stem())


def paint_suit(painter: QPainter, suit: Suit, room: QRectF, ink: str) -> None:
    """A suit as large as fits in a room."""
    half = min(room.width(), room.height()) / 2000
    move = QTransform.fromTranslate(room.center().x(), room.center().y()).scale(half, half)
    painter.fillPath(move.map(suit_path(suit)), colour(ink))


def suit_ink(theme: Theme, suit: Suit) -> str:
    """Red or black."""
    return theme.card_red if suit in (Suit.HEARTS, Suit.DIAMONDS) else theme.card_black


def rank_text(rank: Rank) -> str:
    """A rank as it is printed on cards."""
    return str(_RANKS.get(rank, rank.value))


def paint_card(painter: QPainter, room: QRectF, card: Card, theme: Theme) -> None:
    """A card face up, filling its room."""
    _paper(painter, room, theme.card, theme.card_edge)
    ink = suit_ink(theme, card.suit)
    width, height = room.width(), room.height()
    corner = QRectF(
        room.left() + width * 0.07, room.top() + height * 0.03, width * 0.64, height * 0.44
    )
    style = Style(height * 0.42, BOLD, least=0.4, spacing=-6, is_figures=True)
    place(painter, corner, rank_text(card.rank), ink, style, 1.0)
    side = width * 0.56
    suit = QRectF(
        room.right() - width * 0.1 - side, room.bottom() - height * 0.08 - side, side, side
    )
    paint_suit(painter, card.suit, suit, ink)


def paint_back(painter: QPainter, room: QRectF, theme: Theme) -> None:
    """A card that is there and not shown."""
    _paper(painter, room, theme.raised, theme.quiet)
    inset = room.width() * 0.09
    inner = room.adjusted(inset, inset, -inset, -inset)
    painter.save()
    clip = QPainterPath()
    clip.addRoundedRect(inner, inset * 0.7, inset * 0.7)
    painter.setClipPath(clip)
    painter.setPen(QPen(colour(theme.quiet, 0.55), max(1.0, room.width() / 70)))
    step = room.width() / 9
    count = int((inner.width() + inner.height()) / step) + 2
    for number in range(count):
        x = inner.left() + number * step
        painter.drawLine(QPointF(x, inner.top()), QPointF(x - inner.height(), inner.bottom()))
        back = inner.right() - number * step
        painter.drawLine(QPointF(back, inner.top()), QPointF(back + inner.height(), inner.bottom()))
    painter.restore()


def paint_unread(painter: QPainter, room: QRectF, theme: Theme) -> None:
    """A card that left the shoe and was not read."""
    _paper(painter, room, theme.raised, theme.alarm, dashed=True)
    place(painter, room, "?", theme.alarm, Style(room.height() * 0.5, BOLD, CENTRE), 1.0)


def _paper(painter: QPainter, room: QRectF, fill: str, edge: str, *, dashed: bool = False) -> None:
    pen = QPen(colour(edge), max(1.0, room.width() / (40 if dashed else 90)))
    if dashed:
        pen.setStyle(Qt.PenStyle.DashLine)
    painter.setPen(pen)
    painter.setBrush(colour(fill))
    half = pen.widthF() / 2
    radius = room.width() * 0.09
    painter.drawRoundedRect(room.adjusted(half, half, -half, -half), radius, radius)


def paint_side(
    painter: QPainter, room: QRectF, side: str, ink: str, *, filled: bool = False
) -> None:
    """The mark of a side: a ring, a square, a slash; void is a cross."""
    size = min(room.width(), room.height())
    thick = size * 0.17
    half = size / 2 - thick / 2
    middle = room.center()
    pen = QPen(colour(ink), thick)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.setPen(pen)
    painter.setBrush(colour(ink) if filled else Qt.BrushStyle.NoBrush)
    if side == "player":
        painter.drawEllipse(middle, half, half)
        return
    if side == "banker":
        square = QRectF(middle.x() - half, middle.y() - half, 2 * half, 2 * half)
        painter.drawRoundedRect(square, thick * 0.8, thick * 0.8)
        return
    low, high = QPointF(-half, half) * 0.85, QPointF(half, -half) * 0.85
    painter.drawLine(middle + low, middle + high)
    if side != "tie":
        painter.drawLine(middle - QPointF(half, half) * 0.85, middle + QPointF(half, half) * 0.85)
