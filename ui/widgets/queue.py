# SPDX-License-Identifier: GPL-3.0-or-later
"""What waits for somebody of the pit: one row a table, the worst on top; a touch shows it."""

from PyQt6.QtCore import QRectF
from PyQt6.QtGui import QPainter

from ui.pit_view.model import Queue, QueueRow
from ui.theme import BODY, SMALL
from ui.view.model import BandRole
from ui.widgets.text import BOLD, CENTRE, RIGHT, SEMIBOLD, Style, size_of
from ui.widgets.touch import Touchable, TouchTarget

_TITLE = Style(SMALL, SEMIBOLD, least=0.6, spacing=3)
_COUNT = Style(SMALL, BOLD, RIGHT, least=0.6)
_TABLE = Style(SMALL + 2, BOLD, CENTRE, least=0.6)
_TEXT = Style(SMALL - 1, SEMIBOLD, least=0.6, lines=2)
_CLAIM = Style(SMALL - 3, align=RIGHT, least=0.6, lines=2)
_SINCE = Style(SMALL + 4, BOLD, RIGHT, least=0.6, is_figures=True)
_NONE = Style(BODY - 4, least=0.7)
_ROW, _LEAST_ROW = 54.0, 31.0


class QueuePicture(Touchable[Queue]):
    """Shows a ``Queue``; ``touched`` selects a table."""

    def speak(self) -> None:
        rows = [f"{one.table}: {one.text} {one.since} {one.claim}" for one in self.view.rows]
        self.setAccessibleName(". ".join([self.view.title, *(rows or [self.view.none])]))

    def draw(self, painter: QPainter, room: QRectF) -> None:
        self.targets = []
        u, theme, queue = self.unit, self.theme, self.view
        edge = theme.line if not queue.rows else theme.band(queue.rows[0].role.value).fill
        self.box(painter, room, theme.panel, edge, 1 if not queue.rows else 3)
        inner = room.adjusted(16 * u, 8 * u, -16 * u, -10 * u)
        title = QRectF(inner.left(), inner.top(), inner.width() * 0.8, 28 * u)
        self.put(painter, title, queue.title, theme.quiet, _TITLE)
        body = inner.adjusted(0, 32 * u, 0, 0)
        if not queue.rows:
            row = QRectF(body.left(), body.top(), body.width(), min(body.height(), 44 * u))
            self.put(painter, row, queue.none, theme.quiet, _NONE)
            return
        fit = max(int((body.height() + 6 * u) // (_LEAST_ROW * u)), 1)
        height = min((body.height() + 6 * u) / min(len(queue.rows), fit), _ROW * u)
        for number, one in enumerate(queue.rows[:fit]):
            box = QRectF(body.left(), body.top() + number * height, body.width(), height - 6 * u)
            self._row(painter, box, one)
        if len(queue.rows) > fit:
            more = QRectF(title.right(), title.top(), inner.right() - title.right(), 28 * u)
            self.put(painter, more, f"+{len(queue.rows) - fit}", theme.text, _COUNT)

    def _row(self, painter: QPainter, box: QRectF, one: QueueRow) -> None:
        u, theme = self.unit, self.theme
        self.targets.append(TouchTarget(box, one.act))
        pair = theme.band(one.role.value)
        edge = theme.text if one.is_selected else theme.line
        self.box(painter, box, theme.raised, edge, 3 if one.is_selected else 1, 10)
        name = QRectF(box.left(), box.top(), 106 * u, box.height())
        is_off = one.role is BandRole.OFF
        self.box(painter, name, pair.fill, theme.alarm if is_off else None, 3, radius=10)
        self.put(painter, name.adjusted(6 * u, 0, -6 * u, 0), one.table, pair.ink, _TABLE)
        since = QRectF(box.right() - 88 * u, box.top(), 78 * u, box.height())
        self.put(painter, since, one.since, theme.text, _SINCE)
        text = QRectF(name.right() + 12 * u, box.top() + 1 * u, 0, box.height() - 2 * u)
        text.setRight(since.left() - 10 * u)
        if one.claim:
            claim = QRectF(text)
            wanted = size_of(one.claim, _CLAIM, u).width() + 4 * u
            claim.setLeft(text.right() - min(wanted, text.width() * 0.27))
            text.setRight(claim.left() - 8 * u)
            self.put(painter, claim, one.claim, theme.alarm if one.is_rung else theme.quiet, _CLAIM)
        self.put(painter, text, one.text, theme.text, _TEXT)
