# SPDX-License-Identifier: GPL-3.0-or-later
"""A held table: the boxes as laid beside the boxes as they must be, and what to do about it.

Takes the place of hands and roads. Above: the two pictures with an arrow, the card that moves
outlined in both. Below, in columns: what happened, the moves to tick, what may be ruled.
"""

from PyQt6.QtCore import QPointF, QRectF
from PyQt6.QtGui import QPainter

from ui.theme import BODY, SMALL
from ui.view.model import HandView, Held, Mark, MoveView, PlaceView
from ui.view.press import MOVE
from ui.widgets.cards import RATIO, paint_side
from ui.widgets.evidence import paint_evidence, rows_in
from ui.widgets.hands import paint_place
from ui.widgets.proposal import paint_proposal
from ui.widgets.text import BOLD, CENTRE, RIGHT, SEMIBOLD, Style
from ui.widgets.touch import Touchable, TouchTarget

_SECTION = Style(SMALL + 1, SEMIBOLD, least=0.5, spacing=3)
_SIDE = Style(BODY + 1, BOLD, least=0.5, spacing=3)
_TOTAL = Style(BODY + 13, BOLD, RIGHT, least=0.5)
_LEAVE = Style(BODY, SEMIBOLD, least=0.5, lines=2)
_WHAT = Style(BODY - 4, SEMIBOLD, least=0.6, lines=3, is_top=True)
_DOES = Style(SMALL, least=0.6, lines=4, is_top=True)
_MOVE = Style(BODY - 3, SEMIBOLD, least=0.6, lines=2)
_TICK = Style(BODY, BOLD, CENTRE, least=0.6)
_NOTE = Style(SMALL - 3, align=RIGHT, least=0.5, lines=2)
# Below the cards: an arrow a move, one under another.
_LANE = 13


class HeldPicture(Touchable[Held | None]):
    """Shows a ``Held``; hidden while the table is not held. Touches: the next move, a ruling.

    ``ends``: where each marked card was drawn, by its mark and its number in the coup.
    """

    def __init__(self, held: Held | None) -> None:
        self.upper_height = 1.0
        self.ends: dict[tuple[Mark, int | None], QRectF] = {}
        super().__init__(held)

    def speak(self) -> None:
        held = self.view
        self.setVisible(held is not None)
        if held is not None:
            found = [f"{what} {do}" for what, do in held.found]
            moves = [move.text for move in held.moves if not move.is_done]
            rulings = [one.consequence for one in held.proposals]
            self.setAccessibleName(". ".join([held.title, held.leave, *found, *moves, *rulings]))

    def draw(self, painter: QPainter, room: QRectF) -> None:
        self.targets = []
        held, u = self.view, self.unit
        if held is None:
            return
        painter.fillRect(room, self.palette().window())
        upper = QRectF(room.left(), room.top(), room.width(), self.upper_height)
        lower = QRectF(room)
        lower.setTop(upper.bottom() + 14 * u)
        self._pictures(painter, upper, held)
        self._columns(painter, lower, held)

    # --- as laid, as it must be ----------------------------------------------------------------

    def _pictures(self, painter: QPainter, room: QRectF, held: Held) -> None:
        u, theme = self.unit, self.theme
        self.ends = {}
        arrow = 84 * u
        half = (room.width() - arrow) / 2
        left = QRectF(room.left(), room.top(), half, room.height())
        right = QRectF(room.right() - half, room.top(), half, room.height())
        self.box(painter, left, theme.panel, theme.alarm, 4)
        if held.as_laid is not None:
            title, hands = held.laid_title, held.as_laid
        else:
            title = held.unknown_title if held.unknown_box else held.aside_title
            hands = None
        extra = held.unknown_box if held.as_laid is not None else ()
        loose = () if held.as_laid is not None else held.unknown_box
        aside = (*loose, *extra, *held.aside)
        lanes = len(held.moves)
        self._side(painter, left, title, hands, aside, held.aside_title, held.laid_note, lanes)
        if held.as_must_be is None:
            self.box(painter, right, theme.panel, theme.line)
            inner = right.adjusted(24 * u, 20 * u, -24 * u, -20 * u)
            self.put(painter, inner, held.leave, theme.text, _LEAVE._replace(lines=5))
            return
        self.box(painter, right, theme.panel, theme.accent, 4)
        self._side(painter, right, held.must_title, held.as_must_be, (), "", lanes=lanes)
        if held.moves:
            self._arrows(painter, held.moves, left.bottom())
            return
        x, y = left.right() + arrow / 2, room.center().y()
        self.stroke(painter, theme.accent, 7, QPointF(x - 24 * u, y), QPointF(x + 22 * u, y))
        self.stroke(painter, theme.accent, 7, QPointF(x + 4 * u, y - 18 * u),
                    QPointF(x + 22 * u, y), QPointF(x + 4 * u, y + 18 * u))  # fmt: skip

    def _arrows(self, painter: QPainter, moves: tuple[MoveView, ...], bottom: float) -> None:
        """From each card that moves to its place, below the cards; one that is done is quiet."""
        u = self.unit
        for number, move in enumerate(moves):
            start = self.ends.get((Mark.MOVES, move.number))
            end = self.ends.get((Mark.ARRIVES, move.number))
            if start is None or end is None:
                continue
            ink = self.theme.quiet if move.is_done else self.theme.accent
            x, to, lane = start.center().x(), end.center().x(), bottom - (14 + _LANE * number) * u
            tip = end.bottom() + 9 * u
            self.stroke(painter, ink, 5, QPointF(x, start.bottom() + 9 * u), QPointF(x, lane),
                        QPointF(to, lane), QPointF(to, tip))  # fmt: skip
            self.stroke(painter, ink, 5, QPointF(to - 10 * u, tip + 11 * u), QPointF(to, tip),
                        QPointF(to + 10 * u, tip + 11 * u))  # fmt: skip

    def _side(
        self,
        painter: QPainter,
        room: QRectF,
        title: str,
        hands: tuple[HandView, HandView] | None,
        loose: tuple[PlaceView, ...],
        loose_title: str,
        note: str = "",
        lanes: int = 0,
    ) -> None:
        u = self.unit
        inner = room.adjusted(22 * u, 12 * u, -22 * u, -18 * u)
        line = QRectF(inner.left(), inner.top(), inner.width(), 32 * u)
        self._titles(painter, line, title, note if hands is not None else "",
                     loose_title if loose and hands is not None else "")  # fmt: skip
        cards = inner.adjusted(0, 40 * u, 0, -(8 + _LANE * lanes) * u if lanes else 0)
        if hands is None:
            self._row(painter, cards, loose)
            return
        count = sum(_slots(hand) for hand in hands) + len(loose)
        gap = 10 * u
        width = min(
            (cards.width() - gap * (count - 1) - 30 * u * (1 + bool(loose))) / max(count, 1),
            (cards.height() - 48 * u) / RATIO,
        )
        left = cards.left()
        for hand in hands:
            span = _slots(hand) * (width + gap) - gap
            self._hand(painter, QRectF(left, cards.top(), span, cards.height()), hand)
            left += span + gap + 30 * u
        for number, place in enumerate(loose):
            start = cards.right() - (len(loose) - number) * (width + gap) + gap
            spot = QRectF(start, cards.top() + 48 * u, width, width * RATIO)
            paint_place(self, painter, place, spot)

    def _titles(
        self, painter: QPainter, line: QRectF, title: str, note: str, loose_title: str
    ) -> None:
        """What a picture is, what its dashed cards are, and over them what lies aside."""
        ink, width = self.theme.quiet, line.width()
        shares = (0.4, 1.0, 1.0) if not loose_title else (0.35, 0.68, 1.0)
        shares = shares if note else (0.6, 0.6, 1.0) if loose_title else (1.0, 1.0, 1.0)
        styles = (_SECTION, _NOTE, _SECTION._replace(align=RIGHT))
        start = 0.0
        for text, end, style in zip((title, note, loose_title), shares, styles, strict=True):
            room = QRectF(line.left() + width * start, line.top(), 0, line.height())
            room.setWidth(width * (end - start) - self.u(8))
            self.put(painter, room, text, ink, style)
            start = end

    def _hand(self, painter: QPainter, room: QRectF, hand: HandView) -> None:
        u = self.unit
        ink = self.theme.side(hand.side)
        icon = QRectF(room.left(), room.top() + 8 * u, 26 * u, 26 * u)
        paint_side(painter, icon, hand.side, ink)
        total = QRectF(room.right() - 52 * u, room.top(), 50 * u, 42 * u)
        name = QRectF(icon.right() + 9 * u, room.top(), 0, 42 * u)
        name.setRight(total.left() - 4 * u)
        self.put(painter, name, hand.name, ink, _SIDE)
        self.put(painter, total, hand.total, ink, _TOTAL)
        gap = 10 * u
        width = (room.width() - gap * (_slots(hand) - 1)) / _slots(hand)
        for number, place in enumerate(hand.places):
            left = room.left() + number * (width + gap)
            spot = QRectF(left, room.top() + 48 * u, width, width * RATIO)
            self.ends[place.mark, place.number] = spot
            paint_place(self, painter, place, spot)

    def _row(self, painter: QPainter, room: QRectF, places: tuple[PlaceView, ...]) -> None:
        gap = self.u(14)
        count = max(len(places), 1)
        width = min(
            (room.width() - gap * (count - 1)) / count, (room.height() - self.u(10)) / RATIO
        )
        for number, place in enumerate(places):
            left = room.left() + number * (width + gap)
            paint_place(self, painter, place, QRectF(left, room.top(), width, width * RATIO))

    # --- what to do ----------------------------------------------------------------------------

    def _columns(self, painter: QPainter, room: QRectF, held: Held) -> None:
        gap = self.u(16)
        if room.height() > room.width() * 0.4:
            height = (room.height() - 2 * gap) / 3
            parts = [
                QRectF(room.left(), room.top() + number * (height + gap), room.width(), height)
                for number in range(3)
            ]
        else:
            width = (room.width() - 2 * gap) / 3
            parts = [
                QRectF(room.left() + number * (width + gap), room.top(), width, room.height())
                for number in range(3)
            ]
        for part in parts:
            self.box(painter, part, self.theme.panel, self.theme.line)
        self._found(painter, self._inner(parts[0]), held)
        self._moves(painter, self._inner(parts[1]), held)
        self._rulings(painter, self._inner(parts[2]), held)

    def _inner(self, part: QRectF) -> QRectF:
        return part.adjusted(self.u(20), self.u(12), -self.u(20), -self.u(14))

    def _found(self, painter: QPainter, room: QRectF, held: Held) -> None:
        u = self.unit
        shown = held.found[:3]
        title = QRectF(room.left(), room.top(), room.width(), 30 * u)
        self.put(painter, title, held.title, self.theme.quiet, _SECTION)
        top = title.bottom() + 6 * u
        height = (room.bottom() - top) / max(len(shown), 1)
        for number, (what, do) in enumerate(shown):
            part = QRectF(room.left(), top + number * height, room.width(), height - 4 * u)
            upper, lower = QRectF(part), QRectF(part)
            upper.setBottom(part.top() + part.height() * 0.44)
            small = 1.0 if len(shown) == 1 else 0.8
            what_style = _WHAT._replace(size=_WHAT.size * small, lines=max(1, 3 - number))
            taken = self.put(painter, upper, what, self.theme.text, what_style)
            lower.setTop(taken.bottom() + 4 * u)
            self.put(painter, lower, do, self.theme.quiet,
                     _DOES._replace(size=_DOES.size * small))  # fmt: skip

    def _moves(self, painter: QPainter, room: QRectF, held: Held) -> None:
        u = self.unit
        if not held.moves:
            self._evidence(painter, room, held)
            return
        top = room.top() + 4 * u
        height = min((room.bottom() - top) / len(held.moves), 78 * u)
        for number, move in enumerate(held.moves):
            box = QRectF(room.left(), top + number * height, room.width(), height - 6 * u)
            self._move(painter, box, move)
        left = room.bottom() - top - len(held.moves) * height
        if rows_in(left, u) >= len(held.evidence):
            below = QRectF(room.left(), room.bottom() - left, room.width(), left)
            paint_evidence(self, painter, below, held.evidence)

    def _evidence(self, painter: QPainter, room: QRectF, held: Held) -> None:
        """Every card as it came: its number, what it is, where it lay, when it was read."""
        title = QRectF(room.left(), room.top(), room.width(), self.u(30))
        self.put(painter, title, held.evidence_title, self.theme.quiet, _SECTION)
        paint_evidence(self, painter, room.adjusted(0, self.u(36), 0, 0), held.evidence)

    def _move(self, painter: QPainter, box: QRectF, move: MoveView) -> None:
        u, theme = self.unit, self.theme
        edge = theme.accent if move.is_next else theme.line
        self.box(painter, box, theme.raised, edge, 3 if move.is_next else 1, 10)
        side = min(box.height() - 12 * u, 40 * u)
        tick = QRectF(box.left() + 12 * u, box.center().y() - side / 2, side, side)
        self.box(painter, tick, theme.good if move.is_done else None, theme.quiet, 2, 8)
        if move.is_done:
            self.put(painter, tick, "✓", theme.on_mark, _TICK)
        text = box.adjusted(side + 26 * u, 2 * u, -10 * u, -2 * u)
        self.put(painter, text, move.text, theme.text, _MOVE)
        if move.is_next:
            self.targets.append(TouchTarget(box, f"{MOVE}{move.number}"))

    def _rulings(self, painter: QPainter, room: QRectF, held: Held) -> None:
        u = self.unit
        title = QRectF(room.left(), room.top(), room.width(), 30 * u)
        self.put(painter, title, held.proposals_title, self.theme.quiet, _SECTION)
        top = title.bottom() + 6 * u
        shown = held.proposals[:3]
        height = min((room.bottom() - top) / max(len(shown), 1), 110 * u)
        for number, one in enumerate(shown):
            box = QRectF(room.left(), top + number * height, room.width(), height - 6 * u)
            paint_proposal(self, painter, box, one)


def _slots(hand: HandView) -> int:
    """How many cards a box has room for; at least three, so that its words have room as well."""
    return max(len(hand.places), 3)
