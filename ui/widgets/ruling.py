# SPDX-License-Identifier: GPL-3.0-or-later
"""The table beside the wall: how it goes, or what is held there.

A hold shows who rules on it, what happened, every card as it came with its time and its bytes, and
what may be ruled with what follows from it. Touching a ruling begins it.
"""

from PyQt6.QtCore import QRectF
from PyQt6.QtGui import QPainter

from ui.pit_view.model import TableView
from ui.theme import BODY, SMALL
from ui.view.model import Held
from ui.widgets.evidence import paint_evidence
from ui.widgets.proposal import paint_proposal
from ui.widgets.text import BOLD, RIGHT, SEMIBOLD, Style
from ui.widgets.touch import Touchable

_TITLE = Style(SMALL + 3, BOLD, least=0.55)
_CLAIM = Style(SMALL, SEMIBOLD, RIGHT, least=0.6)
_WHAT = Style(BODY - 1, BOLD, least=0.5, lines=3, is_top=True)
_DO = Style(SMALL - 1, least=0.55, lines=4, is_top=True)
_SECTION = Style(SMALL - 2, SEMIBOLD, least=0.6, spacing=3)
_LABEL = Style(SMALL - 1, least=0.6)
_VALUE = Style(SMALL, SEMIBOLD, least=0.55, lines=2)
_EVIDENCE_ROW, _RULING = 34.0, 92.0


class TableBeside(Touchable[TableView]):
    """Shows a ``TableView``. ``is_small``: a panel has taken the room of the rulings."""

    def __init__(self, view: TableView) -> None:
        self.is_small = False
        super().__init__(view)

    def speak(self) -> None:
        view = self.view
        parts = [view.title, view.claim, *(f"{name} {text}" for name, text in view.lines)]
        if view.held is not None:
            parts += [f"{what} {do}" for what, do in view.held.found]
            parts += [one.consequence or one.name for one in view.held.proposals]
        self.setAccessibleName(". ".join(part for part in parts if part))

    def draw(self, painter: QPainter, room: QRectF) -> None:
        self.targets = []
        u, theme, view = self.unit, self.theme, self.view
        pair = None if view.role is None else theme.band(view.role.value)
        edge, width = (theme.line, 1) if pair is None else (pair.fill, 3)
        self.box(painter, room, theme.panel, edge, width)
        inner = room.adjusted(18 * u, 10 * u, -18 * u, -14 * u)
        title = QRectF(inner.left(), inner.top(), inner.width() * 0.62, 32 * u)
        self.put(painter, title, view.title, theme.text, _TITLE)
        claim = QRectF(title.right() + 8 * u, title.top(), 0, title.height())
        claim.setRight(inner.right())
        ink = theme.accent if view.held is not None else theme.quiet
        self.put(painter, claim, view.claim, ink, _CLAIM)
        body = inner.adjusted(0, 38 * u, 0, 0)
        if view.held is None:
            self._lines(painter, body)
        else:
            self._held(painter, body, view.held)

    def _lines(self, painter: QPainter, room: QRectF) -> None:
        u, theme = self.unit, self.theme
        lines = self.view.lines
        height = min(room.height() / max(len(lines), 1), 42 * u)
        for number, (name, text) in enumerate(lines):
            row = QRectF(room.left(), room.top() + number * height, room.width(), height)
            label = QRectF(row.left(), row.top(), row.width() * 0.22, height)
            value = QRectF(label.right() + 10 * u, row.top(), 0, height)
            value.setRight(row.right())
            self.put(painter, label, name, theme.quiet, _LABEL)
            self.put(painter, value, text, theme.text, _VALUE)

    def _held(self, painter: QPainter, room: QRectF, held: Held) -> None:
        """From above: what happened, the cards as they came, what may be ruled."""
        u = self.unit
        count = len(held.evidence)
        most = room.height() * (0.34 if self.is_small else 0.24)
        found = QRectF(room.left(), room.top(), room.width(), min(most, 150 * u))
        bottom = self._found(painter, found, held) + 8 * u
        if count:
            rows = room.bottom() - bottom - 26 * u
            row = min(rows / count if self.is_small else rows * 0.5 / count, _EVIDENCE_ROW * u)
            proof = QRectF(room.left(), bottom, room.width(), 26 * u + row * count)
            self._section(painter, proof, held.evidence_title)
            paint_evidence(self, painter, proof.adjusted(0, 26 * u, 0, 0), held.evidence, 12)
            bottom = proof.bottom() + 10 * u
        if not self.is_small:
            below = QRectF(room.left(), bottom, room.width(), room.bottom() - bottom)
            self._rulings(painter, below, held)

    def _section(self, painter: QPainter, room: QRectF, title: str) -> None:
        line = QRectF(room.left(), room.top(), room.width(), 24 * self.unit)
        self.put(painter, line, title, self.theme.quiet, _SECTION)

    def _found(self, painter: QPainter, room: QRectF, held: Held) -> float:
        """What happened and what is done about it, the newest first; where that ends."""
        shown = tuple(reversed(held.found))[:2]
        top, each = room.top(), room.height() / max(len(shown), 1)
        for what, do in shown:
            upper = QRectF(room.left(), top, room.width(), each * 0.56)
            taken = self.put(painter, upper, what, self.theme.text, _WHAT)
            lower = QRectF(room.left(), taken.bottom() + 2 * self.unit, room.width(), each * 0.42)
            top = self.put(painter, lower, do, self.theme.quiet, _DO).bottom() + 4 * self.unit
        return top

    def _rulings(self, painter: QPainter, room: QRectF, held: Held) -> None:
        u = self.unit
        self._section(painter, room, held.proposals_title)
        top = room.top() + 28 * u
        height = min((room.bottom() - top) / max(len(held.proposals), 1), _RULING * u)
        for number, one in enumerate(held.proposals):
            box = QRectF(room.left(), top + number * height, room.width(), height - 6 * u)
            paint_proposal(self, painter, box, one)
