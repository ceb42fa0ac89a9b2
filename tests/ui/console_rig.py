# SPDX-License-Identifier: Apache-2.0
"""A console window for tests, and hands that press its keys as a person does."""

import time
from collections.abc import Callable

from PyQt6.QtCore import Qt

from studio.wording import languages, load_wording
from tests.waiting import until
from ui.console.brain import Brain
from ui.console.desk import Desk, first_seen
from ui.console.frame import DOUBLE_SECONDS
from ui.console.window import ConsoleWindow
from ui.keys import load_keys
from ui.link import Link
from ui.view.acts import PRESS_GAP

TABLE = "BAC-1"
# A person's next key comes no sooner.
BETWEEN_KEYS_MS = 60

_HELD = {"Shift": Qt.KeyboardModifier.ShiftModifier, "Keypad": Qt.KeyboardModifier.KeypadModifier}
_CODES = {
    "Space": Qt.Key.Key_Space, "Enter": Qt.Key.Key_Return, "Escape": Qt.Key.Key_Escape,
    "End": Qt.Key.Key_End, "Delete": Qt.Key.Key_Delete, "Plus": Qt.Key.Key_Plus,
    "Left": Qt.Key.Key_Left, "Right": Qt.Key.Key_Right, "Up": Qt.Key.Key_Up,
    "Down": Qt.Key.Key_Down, "Insert": Qt.Key.Key_Insert,
    "PageDown": Qt.Key.Key_PageDown, "PageUp": Qt.Key.Key_PageUp,
    "Backspace": Qt.Key.Key_Backspace,
    **{f"F{number}": Qt.Key(Qt.Key.Key_F1 + number - 1) for number in range(1, 13)},
}  # fmt: skip


def brain(language: str = "en") -> Brain:
    """The words and keys as shipped."""
    return Brain(load_wording, languages(), language, language, load_keys())


def window(
    qtbot, link: Link, pull: Callable[[], None] | None = None, *, language: str = "en"
) -> ConsoleWindow:
    """A console on that line, on screen."""
    seen = first_seen(TABLE, has_demo_shoe=pull is not None, is_light=False)
    made = ConsoleWindow(Desk(link, seen), brain(language), pull)
    qtbot.addWidget(made)
    made.resize(1280, 800)
    made.show()
    return made


class Keys:
    """Presses keys of a console. ``clicks`` counts those that a normal round needs."""

    def __init__(self, qtbot, console: ConsoleWindow) -> None:
        self._qtbot = qtbot
        self.console = console
        self.clicks = 0
        self._at: dict[str, float] = {}

    def click(self, name: str) -> None:
        """One key, by its name in the key map, and the time until it counts.

        The same key no sooner than a person means it a second time.
        """
        left = self._at.get(name, 0.0) + DOUBLE_SECONDS - time.monotonic()
        if left > 0 and len(name) > 1 and name not in ("Up", "Down", "F11"):
            self._qtbot.wait(int(left * 1000) + 20)
        self.tap(name)

    def rest_finger(self) -> None:
        """Until another touch is no double one."""
        left = self._at.get("finger", 0.0) + DOUBLE_SECONDS - time.monotonic()
        self._qtbot.wait(max(int(left * 1000) + 20, 1))
        self._at["finger"] = time.monotonic()

    def tap(self, name: str) -> None:
        """The same, however soon after the last one."""
        held, _, bare = name.rpartition("+")
        code = _CODES.get(bare) or Qt.Key(ord(bare.upper()))
        modifier = _HELD.get(held, Qt.KeyboardModifier.NoModifier)
        self._qtbot.keyClick(self.console, code, modifier)
        self._qtbot.wait(BETWEEN_KEYS_MS)
        self._at[name] = time.monotonic()
        self.clicks += 1

    def type(self, text: str) -> None:
        """Letters and digits, as fast as a person types."""
        for char in text:
            self.click(char)

    def scan(self, text: str) -> None:
        """What a scanner types: as fast as the line goes, Enter at its end."""
        for char in text:
            self._qtbot.keyClick(self.console, Qt.Key(ord(char.upper())))
        self._qtbot.keyClick(self.console, Qt.Key.Key_Return)
        self._qtbot.wait(BETWEEN_KEYS_MS)

    def wait_for(self, condition: Callable[[], object], seconds: float = 30.0) -> None:
        """Let the window work until something is so."""

        def is_so() -> bool:
            self._qtbot.wait(5)
            return bool(condition())

        until(is_so, seconds, 0.0)

    def ready(self) -> None:
        """Until the console would take a press: the prompt has been on screen long enough."""
        desk = self.console.desk

        def is_ready() -> bool:
            seen = desk.seen
            shown = seen.asked_since is not None and seen.now - seen.asked_since >= PRESS_GAP
            return shown and seen.sending is None

        self.wait_for(is_ready)

    @property
    def code(self) -> str:
        """The prompt on screen."""
        return self.console.view.band.code
