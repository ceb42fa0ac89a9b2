# SPDX-License-Identifier: GPL-3.0-or-later
"""Targets to touch: a press and its release on the same one make a touch.

Fingers are taken as fingers: a system that makes no mouse of them works too. One finger counts,
the first; others that rest on the glass meanwhile do nothing.
"""

from typing import NamedTuple

from PyQt6.QtCore import QEvent, QPointF, QRectF, Qt, pyqtSignal
from PyQt6.QtGui import QMouseEvent, QTouchEvent

from ui.widgets.drawn import Drawn, V


class TouchTarget(NamedTuple):
    """Where a touch does something, and what."""

    room: QRectF
    act: str
    is_enabled: bool = True


class Touchable(Drawn[V]):
    """A widget with targets; ``touched`` says which act. It lists them anew as it draws."""

    touched = pyqtSignal(str)

    def __init__(self, view: V) -> None:
        super().__init__(view)
        self.targets: list[TouchTarget] = []
        self.pressed_act = ""
        self.setAttribute(Qt.WidgetAttribute.WA_AcceptTouchEvents)

    def target_at(self, point: QPointF) -> str:
        """The act of the target at a point, "" if there is none."""
        for target in self.targets:
            if target.is_enabled and target.room.contains(point):
                return target.act
        return ""

    def event(self, event: QEvent | None) -> bool:
        """A finger does what the mouse does."""
        if not isinstance(event, QTouchEvent):
            return super().event(event)
        event.accept()
        if not event.points():
            self._press("")
            return True
        place = QPointF(self.mapFromGlobal(event.points()[0].globalPosition()))
        if event.type() == QEvent.Type.TouchBegin:
            self._press(self.target_at(place))
        elif event.type() == QEvent.Type.TouchEnd:
            self._release(place)
        elif event.type() == QEvent.Type.TouchCancel:
            self._press("")
        return True

    def mousePressEvent(self, event: QMouseEvent | None) -> None:  # noqa: N802 - Qt's name
        if event is not None and event.button() is Qt.MouseButton.LeftButton:
            self._press(self.target_at(event.position()))

    def mouseReleaseEvent(self, event: QMouseEvent | None) -> None:  # noqa: N802 - Qt's name
        if event is None:
            self._press("")
        else:
            self._release(event.position())

    def _press(self, act: str) -> None:
        self.pressed_act = act
        self.update()

    def _release(self, place: QPointF) -> None:
        act = self.pressed_act
        self._press("")
        if act and self.target_at(place) == act:
            self.touched.emit(act)
