# SPDX-License-Identifier: GPL-3.0-or-later
"""What the windows are as windows: one focus for ever, a ground, timers, a press that counts once.

Nothing is modal, and no widget in a window takes the focus, so that none can lose it.
"""

import time
from collections.abc import Callable

from PyQt6.QtCore import QEvent, Qt, QTimer, pyqtSignal
from PyQt6.QtGui import QCloseEvent, QFocusEvent, QKeyEvent, QPalette
from PyQt6.QtWidgets import QWidget

from ui.theme import Theme, colour, load_fonts

# The same key, or a finger, again within this time is a double press and counts once.
DOUBLE_SECONDS = 0.5
TOUCH = "touch"


class Frame(QWidget):
    """A window. ``touched`` is the act of what was touched."""

    touched = pyqtSignal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        load_fonts()
        self._timers: list[QTimer] = []
        self._last_press = ("", 0.0)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAutoFillBackground(True)
        self.paint_ground(theme)

    def paint_ground(self, theme: Theme) -> None:
        """Put this theme's ground below all parts."""
        self.theme = theme
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Window, colour(theme.ground))
        self.setPalette(palette)

    def timer(self, act: Callable[[], None]) -> QTimer:
        """A timer that does this once it is started, and stops when the window is closed."""
        made = QTimer(self)
        made.setSingleShot(True)
        made.setTimerType(Qt.TimerType.PreciseTimer)
        made.timeout.connect(act)
        self._timers.append(made)
        return made

    def is_again(self, key: str) -> bool:
        """Whether this is the second half of a double press: the same key, and no other between."""
        was, before = self._last_press
        self._last_press = (key, time.monotonic())
        return key == was and self._last_press[1] - before < DOUBLE_SECONDS

    def keyReleaseEvent(self, event: QKeyEvent | None) -> None:  # noqa: N802 - Qt's name
        if event is not None:
            event.accept()

    def focusNextPrevChild(self, _next: bool) -> bool:  # noqa: N802 - Qt's name
        """Tab is a key like others: there is nowhere for the focus to go."""
        return False

    def focusOutEvent(self, event: QFocusEvent | None) -> None:  # noqa: N802 - Qt's name
        super().focusOutEvent(event)
        if self.isActiveWindow():
            self.setFocus()

    def changeEvent(self, event: QEvent | None) -> None:  # noqa: N802 - Qt's name
        super().changeEvent(event)
        if self.isActiveWindow():
            self.setFocus()

    def closeEvent(self, event: QCloseEvent | None) -> None:  # noqa: N802 - Qt's name
        for timer in self._timers:
            timer.stop()
        super().closeEvent(event)
