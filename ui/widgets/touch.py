# SPDX-License-Identifier: GPL-3.0-or-later
"""Targets to touch: a press and its release on the same one make a touch."""

from typing import NamedTuple

from PyQt6.QtCore import QPointF, QRectF, Qt, pyqtSignal
from PyQt6.QtGui import QMouseEvent

from ui.widgets.drawn import Drawn


class TouchTarget(NamedTuple):
    """Where a touch does something, and what."""

    room: QRectF
    act: str
    is_enabled: bool = True


class Touchable(Drawn):
    """A widget with targets; ``touched`` says which act. It lists them anew as it draws."""

    touched = pyqtSignal(str)

    def __init__(self) -> None:
        super().__init__()
        self.targets: list[TouchTarget] = []
        self.pressed_act = ""

    def target_at(self, point: QPointF) -> str:
        """The act of the target at a point, "" if there is none."""
        for target in self.targets:
            if target.is_enabled and target.room.contains(point):
                return target.act
        return ""

    def mousePressEvent(self, event: QMouseEvent | None) -> None:  # noqa: N802 - Qt's name
        if event is not None and event.button() is Qt.MouseButton.LeftButton:
            self.pressed_act = self.target_at(event.position())
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent | None) -> None:  # noqa: N802 - Qt's name
        act, self.pressed_act = self.pressed_act, ""
        self.update()
        if event is not None and act and self.target_at(event.position()) == act:
            self.touched.emit(act)
