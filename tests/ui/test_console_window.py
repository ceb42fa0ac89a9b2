# SPDX-License-Identifier: Apache-2.0
"""The window by itself: what it takes as a press, what it never takes as one, where its focus is.

The line is one that was never started: what the console asks waits in it and can be counted.
"""

import time
from datetime import timedelta

import pytest
from PyQt6.QtCore import QEvent, Qt
from PyQt6.QtGui import QKeyEvent
from PyQt6.QtWidgets import QApplication, QLineEdit

from studio.feed.staff import Acceptance, Opened, RefusalAnswer
from studio.game.snapshot import staff_state
from tests.game.table_driver import Driven, plain_house
from tests.ui.console_rig import Keys, window
from tests.ui.looking import faults_of
from ui.console.window import ConsoleWindow
from ui.link import Link, NoReply, Picture
from ui.view.seen import LinkState, PanelKind
from ui.view.steps import LogIn

OPENED = Opened(id="1", token="t", staff="s-1", screen_name="Marco", roles=("dealer",), others=0)


class Line:
    """A line whose other end is the test."""

    def __init__(self) -> None:
        self.link = Link("BAC-1", "tcp://127.0.0.1:1", "tcp://127.0.0.1:1", "desk-1")
        self.table = Driven(plain_house())
        self.seq = 0

    def show(self, log_in: str = "open") -> None:
        """The table as it stands, in a picture of its own."""
        self.seq += 1
        state = staff_state(self.table.state)
        idle = None if log_in == "open" else 300
        self.link.clock.hear(self.table.now + timedelta(seconds=1), time.monotonic())
        picture = Picture("e", self.seq, state, "shown", log_in, ("Anna",), idle)
        self.link.pictured.emit(picture)
        self.link.changed.emit(LinkState.LIVE)

    def asked(self) -> int:
        """How many questions wait to be sent."""
        return self.link._thread._asked.qsize()


@pytest.fixture
def line():
    made = Line()
    yield made
    made.link.stop()


@pytest.fixture
def keys(qtbot, line) -> Keys:
    """At a table that is about to open its bets."""
    console = window(qtbot, line.link)
    line.table.ready()
    line.show()
    made = Keys(qtbot, console)
    made.ready()
    return made


def test_a_press_is_taken_once_until_the_table_has_answered_and_shown_it(keys, line):
    assert keys.code == "open-bets"
    keys.click("Space")
    keys.click("Space")
    keys.click("Keypad+Plus")
    assert (line.asked(), keys.console.desk.seen.sending) == (1, "open_bets")
    line.link.answered.emit(1, Acceptance(id="1", events=("bets_opened",), seq=line.seq + 1))
    keys.click("Space")
    assert line.asked() == 1
    line.show()
    assert keys.console.desk.seen.sending is None


def test_a_press_just_as_the_prompt_changes_was_meant_for_the_one_before(keys, line):
    line.table.betting()
    line.show()
    keys.click("Shift+End")
    assert line.asked() == 0
    keys.ready()
    keys.click("Shift+End")
    assert line.asked() == 1


def test_the_same_key_again_at_once_is_a_double_press_and_another_key_counts(keys, line):
    keys.tap("F9")
    keys.tap("F9")
    assert keys.console.view.is_light
    keys.tap("F2")
    assert keys.console.view.panel.kind == "problem"
    # with another key between it is meant
    keys.tap("Escape")
    keys.tap("F2")
    assert keys.console.view.panel.kind == "problem"
    keys.tap("Escape")
    keys.tap("F4")
    assert keys.console.view.panel.kind == "more"
    keys.tap("Down")
    keys.tap("Down")
    assert [one.is_chosen for one in keys.console.view.panel.choices][:3] == [False, False, True]
    before = keys.console.desk.seen.own.panel
    keys.tap("Space")
    assert keys.console.desk.seen.own.panel != before


def test_what_was_confirmed_is_not_followed_by_what_a_double_press_would_open(keys, line):
    line.table.betting()
    line.table.expire()
    line.table.cards("9H KS TC 7D")
    line.show()
    keys.ready()
    assert keys.code == "confirm-result"
    keys.click("Space")
    assert line.asked() == 1
    line.table.ask("confirm_result")
    line.link.answered.emit(1, Acceptance(id="1", events=("result_confirmed",), seq=line.seq + 1))
    line.show()
    keys.ready()
    keys.tap("Space")
    assert line.asked() == 1
    keys.tap("PageUp")
    assert (line.asked(), keys.console.desk.seen.sending) == (2, "open_bets")


def test_a_key_held_down_counts_once(qtbot, keys, line):
    for _ in range(5):
        event = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Space, Qt.KeyboardModifier.NoModifier,
                          " ", autorep=True)  # fmt: skip
        QApplication.sendEvent(keys.console, event)
        qtbot.wait(40)
    assert line.asked() == 0


def test_a_scanner_never_does_anything_by_itself(keys, line):
    before = keys.console.desk.seen.own
    for text in ("9H", "100", "F2 ", "5", "  "):
        keys.scan(text)
    assert (line.asked(), keys.console.desk.seen.own) == (0, before)


def test_a_refusal_is_told_in_the_dealers_words(keys, line):
    keys.click("Space")
    line.link.answered.emit(1, RefusalAnswer(id="1", code="guard", text="guard"))
    assert "delayed pictures" in keys.console.view.foot.refusal
    assert keys.console.desk.seen.sending is None


def test_an_answer_that_never_comes_is_told_and_the_key_can_be_pressed_again(keys, line):
    keys.click("Space")
    line.link.answered.emit(1, NoReply(was_sent=True))
    assert keys.console.view.foot.refusal != ""
    keys.click("Space")
    assert line.asked() == 2


@pytest.mark.parametrize("state", [LinkState.STALE, LinkState.GONE])
def test_nothing_pretends_to_be_current_when_the_line_is_down(keys, line, state):
    line.link.changed.emit(state)
    view = keys.console.view
    assert (view.band.role.value, view.hands.is_veiled) == ("off", True)
    keys.click("Space")
    assert line.asked() == 0
    assert faults_of(keys.console) == []


def test_theme_language_and_sound_change_by_one_key_and_nothing_is_asked(keys, line):
    do = keys.console.view.band.do
    keys.click("F9")
    assert keys.console.theme.name == "light"
    keys.click("F8")
    assert keys.console.view.band.do != do
    assert not keys.console.desk.seen.has_sound
    keys.click("F10")
    assert keys.console.desk.seen.has_sound
    assert line.asked() == 0


def test_all_keys_reach_the_window_whatever_is_clicked_and_tab_moves_nothing(qtbot, keys):
    console: ConsoleWindow = keys.console
    console.activateWindow()
    qtbot.waitUntil(console.hasFocus)
    qtbot.mouseClick(console.hands, Qt.MouseButton.LeftButton)
    qtbot.keyClick(console, Qt.Key.Key_Tab)
    qtbot.wait(60)
    keys.click("F1")
    assert console.hasFocus()
    assert console.view.panel is not None
    keys.click("Escape")
    assert console.view.panel is None
    assert console.findChildren(QLineEdit) == []


def test_a_dealer_logs_in_by_badge_and_pin_and_the_pin_is_never_shown(qtbot, line):
    console = window(qtbot, line.link)
    line.table.ready()
    line.show("required")
    keys = Keys(qtbot, console)
    keys.ready()
    keys.click("Space")
    assert console.desk.seen.own.panel.kind is PanelKind.LOG_IN
    keys.type("100")
    keys.click("Enter")
    keys.type("4711")
    assert "4711" not in repr(console.desk.seen)
    keys.click("Enter")
    assert line.asked() == 1
    line.link.answered.emit(1, OPENED)
    assert console.desk.seen.person.screen_name == "Marco"
    assert console.view.keys[0].act == "open_bets"


def test_a_badge_reader_opens_the_log_in_and_fills_in_the_badge(qtbot, line):
    console = window(qtbot, line.link)
    line.table.ready()
    line.show("required")
    keys = Keys(qtbot, console)
    keys.ready()
    keys.scan("100")
    panel = console.desk.seen.own.panel
    assert (panel.kind, panel.badge, panel.text) == (PanelKind.LOG_IN, "100", "")


@pytest.mark.req("ACC-2")
def test_an_idle_console_locks_and_still_shows_prompt_boxes_and_next_position(qtbot, line):
    console = window(qtbot, line.link)
    line.table.ready()
    line.show("required")
    console.desk.carry_out(LogIn("100", "4711", console.desk.seen.own))
    line.link.answered.emit(1, OPENED)
    assert not console.view.is_locked
    line.table.dealing()
    line.show("required")
    console._idle._last -= 301
    console._tick()
    assert console.view.is_locked
    assert console.view.hands.player.places[0].face.value == "next"
    assert console.view.band.do != ""
    assert not any(key.act == "void_round" and key.is_enabled for key in console.view.keys)
