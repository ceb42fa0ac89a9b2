# SPDX-License-Identifier: Apache-2.0
"""What the commands that open a window have in common: a screen, two themes, an orderly end."""

import os
import signal
import sys
from enum import Enum

from PyQt6.QtCore import QTimer
from PyQt6.QtWidgets import QApplication, QWidget

from studio.cli.exits import CommandFailed, Exit

_SIZE = (1600, 900)
# The interpreter sees a signal only when it runs: this often at least.
_SIGNALS_MS = 200


class ThemeName(str, Enum):
    """The two themes."""

    DARK = "dark"
    LIGHT = "light"


def an_address(endpoint: str, option: str) -> str:
    """An endpoint that a window can connect to. Raises CommandFailed for "any free port"."""
    if endpoint.endswith("*"):
        raise CommandFailed(
            f"these settings let the table take any free port: say {option} with the address that "
            "`studio serve` printed",
            Exit.BAD_SETTINGS,
        )
    return endpoint


def application(name: str, instead: str) -> QApplication:
    """Qt, where there is a screen; ``instead``: what to use where there is none."""
    has_screen = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
    is_named = bool(os.environ.get("QT_QPA_PLATFORM"))
    if sys.platform.startswith("linux") and not has_screen and not is_named:
        # Qt itself would end the process without a word to the person who started it
        raise CommandFailed(
            f"there is no screen here: start `{name}` where DISPLAY or WAYLAND_DISPLAY is set, "
            f"or use {instead}"
        )
    return QApplication([name])


def show(shown: QWidget, *, is_window: bool) -> None:
    """Open it, over the whole screen or in a window."""
    shown.resize(*_SIZE)
    if is_window:
        shown.show()
    else:
        # where no window manager runs, nobody else makes it as large as the screen
        screen = shown.screen()
        if screen is not None:
            shown.setGeometry(screen.geometry())
        shown.showFullScreen()
    shown.setFocus()


def end_on_signals(application: QApplication) -> None:
    """Close the windows when the process is told to end."""

    def close(*_: object) -> None:
        # a handler may run in the middle of painting
        QTimer.singleShot(0, application.closeAllWindows)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, close)
    beat = QTimer(application)
    beat.timeout.connect(lambda: None)
    beat.start(_SIGNALS_MS)
