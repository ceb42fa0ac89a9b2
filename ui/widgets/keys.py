# SPDX-License-Identifier: GPL-3.0-or-later
"""The keys that do something now, as targets to touch, each with the key's own name on it.

The slots have fixed places: what the prompt asks for begins on the left, what can always be done
ends on the right, or stands below in a tall window, and never moves. The main key is filled
with the accent; a key that is shown and not to be had is drawn flat and says so to a reader.
"""

from PyQt6.QtCore import QRectF
from PyQt6.QtGui import QPainter

from ui.theme import BODY, SMALL
from ui.view.model import KeyView
from ui.widgets.text import CENTRE, SEMIBOLD, Style
from ui.widgets.touch import Touchable, TouchTarget

SLOTS = 8
_LABEL = Style(BODY - 4, SEMIBOLD, CENTRE, least=0.6, lines=2)
_CAP = Style(SMALL - 3, SEMIBOLD, CENTRE, least=0.6)


class KeyBar(Touchable[tuple[KeyView, ...]]):
    """Shows the keys; ``touched`` is the act of one."""

    def __init__(self, keys: tuple[KeyView, ...]) -> None:
        super().__init__(keys)
        self.rows = 1

    def speak(self) -> None:
        usable = [key for key in self.view if key.is_enabled]
        self.setAccessibleName(", ".join(f"{key.key_text}: {key.label}" for key in usable))
        self.setAccessibleDescription(". ".join(key.undo for key in usable if key.undo))

    def draw(self, painter: QPainter, room: QRectF) -> None:
        self.targets = []
        u = self.unit
        keys = [key for key in self.view if key.is_on_screen]
        standing = sum(key.is_standing for key in keys)
        columns = self._columns(len(keys), standing)
        gap = 12 * u
        width = (room.width() - gap * (columns - 1)) / columns
        height = (room.height() - gap * (self.rows - 1)) / self.rows
        first = columns * self.rows - standing
        for number, key in enumerate(keys):
            slot = number if not key.is_standing else first + number - (len(keys) - standing)
            column, row = slot % columns, slot // columns
            box = QRectF(
                room.left() + column * (width + gap),
                room.top() + row * (height + gap),
                width,
                height,
            )
            self.targets.append(TouchTarget(box, key.act, key.is_enabled))
            self._key(painter, key, box)

    def _columns(self, count: int, standing: int) -> int:
        least = SLOTS // self.rows
        if self.rows == 1:
            return max(least, count)
        return max(least, standing, -(-count // self.rows), count - standing)

    def _key(self, painter: QPainter, key: KeyView, box: QRectF) -> None:
        u, theme = self.unit, self.theme
        is_down = self.pressed_act == key.act
        fill = theme.line if is_down else theme.raised
        ink, edge = theme.text, theme.line
        if key.is_main and key.is_enabled:
            edge, ink = theme.accent, theme.accent
        if not key.is_enabled:
            fill, ink = theme.ground, theme.quiet
        self.box(painter, box, fill, edge, 3 if key.is_main else 1, 14)
        cap = QRectF(box.left() + 10 * u, box.top() + 7 * u, box.width() - 20 * u, 22 * u)
        self.put(painter, cap, key.key_text, theme.quiet, _CAP)
        label = QRectF(box.left() + 8 * u, cap.bottom() + 1 * u, box.width() - 16 * u, 0)
        label.setBottom(box.bottom() - 5 * u)
        self.put(painter, label, key.label, ink, _LABEL)
