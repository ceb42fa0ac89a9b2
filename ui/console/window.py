# SPDX-License-Identifier: GPL-3.0-or-later
"""The dealer's window: keys and touches in, the view out. Nothing modal, and one focus for ever.

All keys come to the window itself: no widget in it takes the focus, so that none can lose it. A
key goes by its name through the stream that tells a scanner from a person, and then to the act
that the view gives it; a key that the view does not name does nothing.
"""

import time
from collections.abc import Callable
from datetime import timedelta

from msgspec.structs import replace
from PyQt6.QtGui import QKeyEvent, QMouseEvent

from studio.game.inputs import Command
from ui.console.brain import Brain
from ui.console.desk import Desk, IdleWatch
from ui.console.frame import TOUCH
from ui.console.keyboard import char_of, name_of
from ui.console.scanner import BURST_MS, KeyStream, Told
from ui.console.sounds import Sounds, cue_between
from ui.console.surface import Surface
from ui.view.acts import QUICK
from ui.view.model import Band
from ui.view.steps import Local
from ui.widgets.panel import ACCEPT, TYPE

_FAST_MS = 100
_SOON = timedelta(milliseconds=500)
_SMALLEST = (1024, 640)


class ConsoleWindow(Surface):
    """Draws what the desk has seen, and gives it what was pressed. ``pull`` works a demo's shoe."""

    def __init__(self, desk: Desk, brain: Brain, pull: Callable[[], None] | None = None) -> None:
        super().__init__(brain.view(desk.seen))
        self.desk, self.brain = desk, brain
        self._pull = pull
        self._stream = KeyStream()
        self._key_time = (0.0, 0.0)
        self._idle = IdleWatch(time.monotonic)
        self._band: Band | None = None
        self._sounds = Sounds(brain.sounds)
        self._patience = self.timer(self._time_passed)
        self._clock = self.timer(self._tick)
        self.setWindowTitle(desk.seen.table)
        self.setAccessibleName(desk.seen.table)
        self.setMinimumSize(*_SMALLEST)
        self.touched.connect(self._touched)
        desk.changed.connect(self.draw)
        desk.refused.connect(lambda: self._sound("refused"))
        desk.second_needed.connect(self._second)
        self._clock.start(0)

    # --- out: what is seen ---------------------------------------------------------------------

    def draw(self) -> None:
        """Draw what the desk has seen now."""
        self.brain.greet(self.desk.seen.person)
        self.show_view(self.brain.view(self.desk.seen))
        cue = cue_between(self._band, self.view.band)
        self._band = self.view.band
        if cue:
            self._sound(cue)

    def _tick(self) -> None:
        """Go on with clocks, and lock a console that nobody works at."""
        self.desk.tick()
        seen = self.desk.seen
        is_over = self._idle.is_over(seen.idle_seconds)
        if is_over and seen.person is not None and not seen.is_locked:
            self.desk.lock()
        self.draw()
        is_soon = seen.asked_since is not None and seen.now - seen.asked_since < _SOON
        is_fast = is_soon or self.view.band.part is not None
        to_second = 1000 - seen.now.microsecond // 1000
        self._clock.start(_FAST_MS if is_fast else max(to_second + 4, 20))

    def _second(self, command: Command) -> None:
        self.desk.carry_out(self.brain.second_for(self.desk.seen, command))

    def _sound(self, cue: str) -> None:
        if self.desk.seen.has_sound:
            self._sounds.play(cue)

    # --- in: keys ------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent | None) -> None:  # noqa: N802 - Qt's name
        """A key counts when it goes down, once; held down it does no more."""
        if event is None:
            return
        event.accept()
        if event.isAutoRepeat():
            return
        name = name_of(event)
        if not name:
            return
        self._idle.touched()
        at = float(event.timestamp()) or time.monotonic() * 1000
        self._key_time = (at, time.monotonic())
        char = char_of(name)
        self._take(self._stream.pressed(name, char, at))
        self._patience.start(BURST_MS + 5)

    def _time_passed(self) -> None:
        at, was = self._key_time
        self._take(self._stream.passed(at + (time.monotonic() - was) * 1000))
        if self._stream.is_waiting:
            self._patience.start(BURST_MS)

    def _take(self, told: Told) -> None:
        for name in told.keys:
            self._pressed(name)
        if told.scanned:
            self._scanned(told.scanned)

    def _pressed(self, name: str) -> None:
        """A key by its name: the act that the view gives it, or a character of a field."""
        self.desk.tick()
        view = self.brain.view(self.desk.seen)
        is_again = self.is_again(name)
        for key in view.keys:
            if name in key.keys:
                if key.is_enabled and (key.act in QUICK or not is_again):
                    self.act(key.act)
                return
        self._type(self.brain.char_for(name, char_of(name), view))

    def _scanned(self, line: str) -> None:
        """A scanner's line fills the current field, and opens the log-in where one is due."""
        view = self.brain.view(self.desk.seen)
        if view.panel is None and any(key.act == "log_in" and key.is_enabled for key in view.keys):
            self.act("log_in")
            view = self.brain.view(self.desk.seen)
        if view.panel is None or not any(field.is_current for field in view.panel.fields):
            return
        self.desk.carry_out(self.brain.typed(self.desk.seen, line))
        self.act(ACCEPT)

    def _type(self, char: str) -> None:
        panel = self.desk.seen.own.panel
        if panel is not None and char:
            self.desk.carry_out(self.brain.typed(self.desk.seen, panel.text + char))

    # --- in: touches ---------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent | None) -> None:  # noqa: N802 - Qt's name
        self._idle.touched()
        super().mousePressEvent(event)

    def _touched(self, act: str) -> None:
        self._idle.touched()
        self.desk.tick()
        if act.startswith(TYPE):
            self._type(act.removeprefix(TYPE))
            return
        if act in QUICK or not self.is_again(TOUCH):
            self.act(act)

    def act(self, act: str) -> None:
        """Do an act, if the view says that it can be done now."""
        step = self.brain.pressed(self.desk.seen, act)
        self.desk.carry_out(step)
        if isinstance(step, Local):
            self._local(step.act)

    def _local(self, act: str) -> None:
        seen = self.desk.seen
        match act:
            case "theme":
                self.desk.seen = replace(seen, is_light=not seen.is_light)
            case "sound":
                self.desk.seen = replace(seen, has_sound=not seen.has_sound)
            case "language":
                self.brain.next_language()
            case "pull" if self._pull is not None:
                self._pull()
            case _:
                pass
        self.draw()
