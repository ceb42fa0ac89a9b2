# SPDX-License-Identifier: GPL-3.0-or-later
"""What a key is called, whatever the layout and whether NumLock is on.

A name is that of the key map: ``Space``, ``F7``, ``Shift+F7``, ``Keypad+0``, ``Enter``, ``A``.
A keypad's key has the same name with NumLock on and off. A letter goes by what is printed on the
key; where the layout has no such letter or digit, by the place of the key on the board.
"""

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QKeyEvent

Key = Qt.Key

_NAMED = {
    Key.Key_Space: "Space",
    Key.Key_Return: "Enter",
    Key.Key_Enter: "Enter",
    Key.Key_Escape: "Escape",
    Key.Key_Backspace: "Backspace",
    Key.Key_Tab: "Tab",
    Key.Key_Backtab: "Tab",
    Key.Key_Up: "Up",
    Key.Key_Down: "Down",
    Key.Key_Left: "Left",
    Key.Key_Right: "Right",
    Key.Key_PageUp: "PageUp",
    Key.Key_PageDown: "PageDown",
    Key.Key_Home: "Home",
    Key.Key_End: "End",
    Key.Key_Insert: "Insert",
    Key.Key_Delete: "Delete",
}

# What the keypad sends without NumLock, by the digit on the key.
_KEYPAD = {
    Key.Key_Insert: "0", Key.Key_End: "1", Key.Key_Down: "2", Key.Key_PageDown: "3",
    Key.Key_Left: "4", Key.Key_Clear: "5", Key.Key_Right: "6", Key.Key_Home: "7",
    Key.Key_Up: "8", Key.Key_PageUp: "9", Key.Key_Delete: "Period", Key.Key_Comma: "Period",
    Key.Key_Period: "Period", Key.Key_Plus: "Plus", Key.Key_Minus: "Minus",
    Key.Key_Asterisk: "Asterisk", Key.Key_Slash: "Slash",
}  # fmt: skip

# Scan codes of X11 and Wayland (those of the kernel and 8) by what a US board has there.
_PLACES = {
    **dict(zip(range(10, 20), "1234567890", strict=True)),
    **dict(zip(range(24, 34), "QWERTYUIOP", strict=True)),
    **dict(zip(range(38, 47), "ASDFGHJKL", strict=True)),
    **dict(zip(range(52, 59), "ZXCVBNM", strict=True)),
}


def name_of(event: QKeyEvent) -> str:
    """The name of the key of an event, "" for one that has none here."""
    name = _plain(event)
    if not name:
        return ""
    held = event.modifiers()
    if held & (Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier):
        return ""
    if held & Qt.KeyboardModifier.ControlModifier:
        return f"Ctrl+{name}"
    if held & Qt.KeyboardModifier.ShiftModifier and is_action(name):
        return f"Shift+{name}"
    return name


def is_action(name: str) -> bool:
    """Whether a key of this name types nothing: a function key or one of those with a word."""
    return len(name) > 1 and not name.startswith("Keypad+")


def char_of(name: str) -> str:
    """What a key types into a field: a letter or a digit, the keypad's too; else ""."""
    last = name.rpartition("+")[2]
    return (
        last
        if len(last) == 1 and last.isalnum() and not name.startswith(("Shift+", "Ctrl+"))
        else ""
    )


def _plain(event: QKeyEvent) -> str:
    key = event.key()
    if event.modifiers() & Qt.KeyboardModifier.KeypadModifier:
        if key in (Key.Key_Enter, Key.Key_Return):
            return "Keypad+Enter"
        if Key.Key_0 <= key <= Key.Key_9:
            return f"Keypad+{chr(key)}"
        # arrows carry the same mark on some systems: there they are their own keys
        return f"Keypad+{_KEYPAD[Key(key)]}" if key in _KEYPAD else ""
    if Key.Key_F1 <= key <= Key.Key_F24:
        return f"F{key - Key.Key_F1 + 1}"
    if key in _NAMED:
        return _NAMED[Key(key)]
    if Key.Key_0 <= key <= Key.Key_9 or Key.Key_A <= key <= Key.Key_Z:
        return chr(key)
    return _PLACES.get(event.nativeScanCode(), "")
