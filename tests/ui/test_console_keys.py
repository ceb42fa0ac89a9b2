# SPDX-License-Identifier: Apache-2.0
"""What a key is called on any keyboard, and how a scanner is told from a person."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PyQt6.QtCore import QEvent, Qt
from PyQt6.QtGui import QKeyEvent

from ui.console.keyboard import char_of, name_of
from ui.console.scanner import BURST_MS, QUIET_MS, KeyStream
from ui.view.keymap import KEY_NAMES

Key, Held = Qt.Key, Qt.KeyboardModifier


def key(code: Qt.Key, held: Qt.KeyboardModifier = Held.NoModifier, scan: int = 0) -> QKeyEvent:
    return QKeyEvent(QEvent.Type.KeyPress, code, held, scan, 0, 0)


@pytest.mark.parametrize(
    "code, held, name",
    [
        (Key.Key_Space, Held.NoModifier, "Space"),
        (Key.Key_Return, Held.NoModifier, "Enter"),
        (Key.Key_Enter, Held.KeypadModifier, "Keypad+Enter"),
        (Key.Key_F7, Held.ShiftModifier, "Shift+F7"),
        (Key.Key_End, Held.ShiftModifier, "Shift+End"),
        (Key.Key_F7, Held.AltModifier, ""),
        (Key.Key_A, Held.ShiftModifier, "A"),
        (Key.Key_Plus, Held.KeypadModifier, "Keypad+Plus"),
        (Key.Key_Shift, Held.ShiftModifier, ""),
    ],
)
def test_a_key_has_the_name_of_the_key_map(code, held, name):
    assert name_of(key(code, held)) == name


@pytest.mark.parametrize(
    "with_numlock, without",
    [
        (Key.Key_0, Key.Key_Insert),
        (Key.Key_1, Key.Key_End),
        (Key.Key_2, Key.Key_Down),
        (Key.Key_5, Key.Key_Clear),
        (Key.Key_7, Key.Key_Home),
        (Key.Key_9, Key.Key_PageUp),
        (Key.Key_Period, Key.Key_Delete),
        (Key.Key_Comma, Key.Key_Delete),
    ],
)
def test_numlock_changes_nothing(with_numlock, without):
    held = Held.KeypadModifier
    assert name_of(key(with_numlock, held)) == name_of(key(without, held)) != ""


def test_a_keypads_key_is_another_one_than_its_namesake():
    assert name_of(key(Key.Key_Down)) == "Down"
    assert name_of(key(Key.Key_Down, Held.KeypadModifier)) == "Keypad+2"


def test_the_layout_changes_nothing():
    # the row of digits on a French board, and a board of Greek letters
    assert name_of(key(Key.Key_Ampersand, scan=10)) == "1"
    assert name_of(key(Key.Key_Agrave, scan=19)) == "0"
    assert name_of(key(Key.Key_Eacute, scan=39)) == "S"
    # a letter goes by what is printed on it, wherever it is
    assert name_of(key(Key.Key_A, scan=24)) == "A"


@pytest.mark.parametrize(
    "name, char",
    [("A", "A"), ("7", "7"), ("Keypad+7", "7"), ("F7", ""), ("Space", ""), ("Keypad+Plus", ""),
     ("Shift+F7", ""), ("Ctrl+A", "")],
)  # fmt: skip
def test_letters_and_digits_are_typed_and_other_keys_are_not(name, char):
    assert char_of(name) == char


def test_every_key_without_a_letter_has_a_name_that_the_key_map_knows():
    named = {name_of(key(code, held)) for code in Qt.Key
             for held in (Held.NoModifier, Held.ShiftModifier, Held.KeypadModifier)}  # fmt: skip
    unknown = {name for name in named if len(name) > 1} - KEY_NAMES
    assert unknown - {"Tab", "Shift+Tab"} - {f"{s}F{n}" for n in range(13, 25)
                      for s in ("", "Shift+")} == set()  # fmt: skip


# --- the stream --------------------------------------------------------------------------------


def typed(*keys: tuple[str, float]) -> tuple[list[str], list[str]]:
    """Keys that counted and lines that were scanned, for keys at these times and a long pause."""
    stream, counted, scanned = KeyStream(), [], []
    last = 0.0
    for name, at in keys:
        told = stream.pressed(name, char_of(name), at)
        counted += told.keys
        scanned += [told.scanned] * bool(told.scanned)
        last = at
    while stream.is_waiting:
        last += QUIET_MS + 1
        told = stream.passed(last)
        counted += told.keys
        scanned += [told.scanned] * bool(told.scanned)
    return counted, scanned


def test_a_key_of_a_person_counts_after_the_time_of_a_burst():
    stream = KeyStream()
    assert stream.pressed("Space", "", 1000.0).keys == ()
    assert stream.passed(1000.0 + BURST_MS).keys == ()
    assert stream.passed(1001.0 + BURST_MS).keys == ("Space",)


def test_what_a_scanner_types_is_a_line_and_no_key():
    line = [(name, number * 8.0) for number, name in enumerate([*"9H100", "Enter"])]
    assert typed(*line) == ([], ["9H100"])


def test_a_scan_with_keys_of_actions_in_it_does_nothing():
    line = [(name, number * 12.0) for number, name in enumerate(["Space", *"AB", "F2", "Enter"])]
    assert typed(*line) == ([], ["AB"])


def test_a_scan_without_an_end_is_over_after_a_pause():
    assert typed(("1", 0.0), ("2", 10.0), ("Space", 500.0)) == (["Space"], ["12"])


def test_the_line_feed_after_a_scan_counts_for_nothing():
    line = [(name, number * 8.0) for number, name in enumerate([*"12", "Enter", "Enter"])]
    assert typed(*line) == ([], ["12"])


def test_a_switch_that_bounces_is_one_press():
    assert typed(("Space", 0.0), ("Space", 6.0)) == (["Space"], [])


def test_a_person_who_types_is_no_scanner():
    keys = [(name, number * 90.0) for number, name in enumerate(["9", "H", "Enter"])]
    assert typed(*keys) == (["9", "H", "Enter"], [])


@given(st.lists(st.sampled_from(["1", "A", "Space", "Enter", "F2"]), min_size=2, max_size=20),
       st.floats(1, BURST_MS - 1))  # fmt: skip
def test_no_burst_of_different_keys_is_ever_an_action(names, gap):
    names = ["7", *names]
    counted, _ = typed(*[(name, number * gap) for number, name in enumerate(names)])
    assert counted == []
