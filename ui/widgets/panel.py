# SPDX-License-Identifier: GPL-3.0-or-later
"""A panel over the roads: what to read, fields to type, choices, and pads for touch.

It never takes the focus and never covers prompt or hands. Touches say acts: a choice's own,
``type:9`` for a pad's key, ``erase`` and ``accept``.
"""

from PyQt6.QtCore import QRectF
from PyQt6.QtGui import QPainter

from studio.game.cards import RANKS, SUITS, Rank, Suit
from ui.theme import BODY, LARGE, SMALL
from ui.view.model import Choice, Entry, PanelView
from ui.widgets.cards import paint_suit, rank_text, suit_ink
from ui.widgets.evidence import paint_evidence
from ui.widgets.text import BOLD, CENTRE, RIGHT, SEMIBOLD, Style
from ui.widgets.touch import Touchable, TouchTarget

TYPE, ERASE, ACCEPT = "type:", "erase", "accept"

_TITLE = Style(BODY + 3, BOLD, least=0.6)
_PAGE = Style(SMALL, SEMIBOLD, RIGHT, least=0.7)
_LINES = Style(BODY - 3, least=0.55, lines=12, is_top=True)
_FAULT = Style(BODY - 3, SEMIBOLD, least=0.6, lines=3)
_LABEL = Style(SMALL, SEMIBOLD, least=0.6, lines=2)
_FIELD = Style(BODY + 5, SEMIBOLD, least=0.5)
_CHOICE = Style(BODY - 2, SEMIBOLD, least=0.6, lines=3)
_ROW = Style(BODY - 4, SEMIBOLD, least=0.55, lines=2)
_DETAIL = Style(SMALL - 2, least=0.55, align=RIGHT, lines=2)
_KEY = Style(LARGE - 2, BOLD, CENTRE, least=0.5)
_NUMBERS = ("1", "2", "3", "4", "5", ERASE, "6", "7", "8", "9", "0", ACCEPT)
_SIGNS = {ERASE: "←", ACCEPT: "OK"}
_DOT = "●"


class PanelBox(Touchable[PanelView | None]):
    """Shows a ``PanelView``; hidden while there is none.

    ``is_list``: the choices stand one under another, each with its detail.
    """

    def __init__(self, view: PanelView | None, *, is_list: bool = False) -> None:
        self._is_list = is_list
        super().__init__(view)

    def speak(self) -> None:
        view = self.view
        self.setVisible(view is not None)
        if view is not None:
            fields = [f"{one.label}: {'' if one.is_secret else one.text}" for one in view.fields]
            choices = [one.text for one in view.choices if one.is_chosen]
            parts = [view.title, *view.lines, *fields, *choices, view.fault]
            self.setAccessibleName(". ".join(part for part in parts if part))

    def draw(self, painter: QPainter, room: QRectF) -> None:
        self.targets = []
        view, u = self.view, self.unit
        if view is None:
            return
        painter.fillRect(room, self.palette().window())
        self.box(painter, room, self.theme.panel, self.theme.accent, 3)
        inner = room.adjusted(24 * u, 12 * u, -24 * u, -16 * u)
        title = QRectF(inner.left(), inner.top(), inner.width() - 110 * u, 42 * u)
        self.put(painter, title, view.title, self.theme.text, _TITLE)
        page = QRectF(title.right() + 10 * u, title.top(), 100 * u, title.height())
        self.put(painter, page, view.page, self.theme.quiet, _PAGE)
        body = inner.adjusted(0, 48 * u, 0, 0)
        words, works = self._split(body, view)
        self._words(painter, words, view)
        if view.has_card_pad:
            self._card_pad(painter, works)
        elif view.has_number_pad:
            self._number_pad(painter, works)
        elif view.choices:
            self._choices(painter, works, view.choices)
        elif view.evidence:
            paint_evidence(self, painter, works, view.evidence)

    def _split(self, body: QRectF, view: PanelView) -> tuple[QRectF, QRectF]:
        """Where the words and fields go, and where the choices or the pad."""
        words, works = QRectF(body), QRectF(body)
        has_pad = view.has_card_pad or view.has_number_pad
        has_works = bool(view.choices) or has_pad or bool(view.evidence)
        if not has_works:
            return words, works
        if self._is_list and view.choices:
            # the detail of a choice stands in its row
            words.setHeight(self.u(40) if view.lines else 0)
            works.setTop(words.bottom())
            return words, works
        if body.height() > body.width() * (0.7 if self._is_list else 0.4):
            share = 0.34
            words.setBottom(body.top() + body.height() * share)
            works.setTop(words.bottom() + self.u(12))
        else:
            words.setRight(body.left() + body.width() * 0.34)
            works.setLeft(words.right() + self.u(28))
        return words, works

    def _words(self, painter: QPainter, room: QRectF, view: PanelView) -> None:
        u = self.unit
        row = 58 * u
        fields = QRectF(room)
        fields.setTop(room.bottom() - row * len(view.fields))
        text = QRectF(room)
        text.setBottom(fields.top() - (6 * u if view.fields else 0))
        chosen = next((one for one in view.choices if one.is_chosen), None)
        is_told = chosen is not None and not self._is_list
        lines = [*view.lines, chosen.detail if chosen is not None and is_told else ""]
        if view.fault:
            height = min(text.height(), 76 * u)
            fault = QRectF(text.left(), text.bottom() - height, text.width(), height)
            self.put(painter, fault, view.fault, self.theme.alarm, _FAULT)
            text.setBottom(fault.top())
        told = "\n".join(line for line in lines if line)
        if text.height() > (60 if view.fault else 20) * u:
            self.put(painter, text, told, self.theme.text, _LINES)
        for number, field in enumerate(view.fields):
            place = QRectF(fields.left(), fields.top() + number * row, fields.width(), row - 6 * u)
            self._field(painter, place, field)

    def _field(self, painter: QPainter, room: QRectF, field: Entry) -> None:
        u, theme = self.unit, self.theme
        share = 0.42 if room.width() < 460 * u else 0.16
        label = QRectF(room.left(), room.top(), room.width() * share, room.height())
        self.put(painter, label, field.label, theme.quiet, _LABEL)
        box = QRectF(room)
        box.setLeft(label.right() + 10 * u)
        edge = theme.accent if field.is_current else theme.line
        self.box(painter, box, theme.ground, edge, 3 if field.is_current else 2, 10)
        text = _DOT * len(field.text) if field.is_secret else field.text
        inner = box.adjusted(14 * u, 2 * u, -18 * u, -2 * u)
        taken = self.put(painter, inner, text, theme.text, _FIELD)
        if field.is_current:
            x = min(max(taken.right(), inner.left()) + 3 * u, inner.right() + 3 * u)
            bar = QRectF(x, box.center().y() - 16 * u, 3 * u, 32 * u)
            self.box(painter, bar, theme.accent, radius=1)

    def _choices(self, painter: QPainter, room: QRectF, choices: tuple[Choice, ...]) -> None:
        if self._is_list:
            height = min(room.height() / max(len(choices), 3), self.u(64))
            for number, choice in enumerate(choices):
                row = QRectF(room.left(), room.top() + number * height, room.width(), height)
                self._row(painter, choice, row.adjusted(0, 0, 0, -self.u(6)))
            return
        is_tall = room.height() > room.width() * 0.4
        rows = max(2, -(-len(choices) // (2 if is_tall else 4)))
        columns = -(-len(choices) // rows)
        columns = max(columns, 2 if is_tall else 3)
        for choice, box in zip(choices, _grid(room, columns, rows, self.u(10)), strict=False):
            self.targets.append(TouchTarget(box, choice.act, choice.is_enabled))
            self._choice(painter, choice, box)

    def _choice(self, painter: QPainter, choice: Choice, box: QRectF) -> None:
        u, theme = self.unit, self.theme
        edge = theme.accent if choice.is_chosen else theme.line
        self.box(painter, box, theme.raised, edge, 4 if choice.is_chosen else 1, 12)
        ink = theme.text if choice.is_enabled else theme.quiet
        self.put(painter, box.adjusted(14 * u, 4 * u, -14 * u, -4 * u), choice.text, ink, _CHOICE)

    def _row(self, painter: QPainter, choice: Choice, box: QRectF) -> None:
        u, theme = self.unit, self.theme
        self.targets.append(TouchTarget(box, choice.act, choice.is_enabled))
        edge = theme.accent if choice.is_chosen else theme.line
        self.box(painter, box, theme.raised, edge, 4 if choice.is_chosen else 1, 10)
        inner = box.adjusted(16 * u, 2 * u, -14 * u, -2 * u)
        text, detail = QRectF(inner), QRectF(inner)
        if choice.detail:
            text.setRight(inner.left() + inner.width() * 0.56)
            detail.setLeft(text.right() + 12 * u)
            self.put(painter, detail, choice.detail, theme.quiet, _DETAIL)
        self.put(painter, text, choice.text, theme.text, _ROW)

    def _number_pad(self, painter: QPainter, room: QRectF) -> None:
        for key, box in zip(_NUMBERS, _grid(room, 6, 2, self.u(10)), strict=True):
            act = key if key in _SIGNS else TYPE + key
            self._pad_key(painter, box, act, _SIGNS.get(key, key))

    def _card_pad(self, painter: QPainter, room: QRectF) -> None:
        u = self.unit
        upper, lower = QRectF(room), QRectF(room)
        rows = 2 if room.height() > room.width() * 0.4 else 1
        upper.setBottom(room.top() + room.height() * rows / (rows + 1) - 5 * u)
        lower.setTop(upper.bottom() + 10 * u)
        columns = -(-len(RANKS) // rows)
        for rank, box in zip(RANKS, _grid(upper, columns, rows, self.u(6)), strict=False):
            self._pad_key(painter, box, TYPE + rank, rank_text(Rank(rank)))
        keys = (*SUITS, ERASE, ACCEPT)
        for key, box in zip(keys, _grid(lower, len(keys), 1, self.u(10)), strict=True):
            if key in _SIGNS:
                self._pad_key(painter, box, key, _SIGNS[key])
                continue
            suit = Suit(key)
            self._pad_key(painter, box, TYPE + key, "")
            paper = box.adjusted(8 * u, 8 * u, -8 * u, -8 * u)
            self.box(painter, paper, self.theme.card, self.theme.card_edge, 1, 8)
            inset = paper.height() * 0.14
            spot = paper.adjusted(inset, inset, -inset, -inset)
            paint_suit(painter, suit, spot, suit_ink(self.theme, suit))

    def _pad_key(self, painter: QPainter, box: QRectF, act: str, sign: str) -> None:
        self.targets.append(TouchTarget(box, act))
        fill = self.theme.line if self.pressed_act == act else self.theme.raised
        self.box(painter, box, fill, self.theme.line, 1, 12)
        inner = box.adjusted(self.u(3), self.u(3), -self.u(3), -self.u(3))
        self.put(painter, inner, sign, self.theme.text, _KEY)


def _grid(room: QRectF, columns: int, rows: int, gap: float) -> list[QRectF]:
    width = (room.width() - gap * (columns - 1)) / columns
    height = min((room.height() - gap * (rows - 1)) / rows, width * 1.6)
    return [
        QRectF(
            room.left() + column * (width + gap), room.top() + row * (height + gap), width, height
        )
        for row in range(rows)
        for column in range(columns)
    ]
