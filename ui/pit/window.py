# SPDX-License-Identifier: GPL-3.0-or-later
"""The pit's window: keys and touches in, the view out. Nothing modal, and one focus for ever.

All keys come to the window itself. Letters and digits are typed where a field is open and do
nothing elsewhere, so that a badge reader can type at any time.
"""

import time

from PyQt6.QtGui import QKeyEvent, QMouseEvent

from ui.console.desk import IdleWatch
from ui.console.frame import TOUCH
from ui.console.keyboard import is_action, name_of
from ui.console.sounds import Sounds
from ui.pit.brain import PitBrain
from ui.pit.desk import PitDesk
from ui.pit.surface import PitSurface
from ui.pit_view.press import text_in
from ui.pit_view.sounds import Heard, cue_of, heard_in
from ui.pit_view.steps import Local
from ui.view.acts import QUICK
from ui.widgets.panel import ACCEPT, TYPE

# What came within this time is drawn together.
_FRAME_MS = 12
# What comes in pieces, as from a busy machine, is not drawn piece by piece.
_BETWEEN_FRAMES_MS = 30
_RING_MS = 2500
_AGAIN = QUICK | {"left", "right", "next_trouble", "last_trouble"}
_SMALLEST = (800, 640)


class PitWindow(PitSurface):
    """Draws what the desk has seen, and gives it what was pressed."""

    def __init__(self, desk: PitDesk, brain: PitBrain) -> None:
        super().__init__(brain.view(desk.pit))
        self.desk, self.brain = desk, brain
        self._idle = IdleWatch(time.monotonic)
        self._sounds = Sounds(brain.sounds)
        self._heard: Heard | None = None
        self._drawn_at = 0.0
        self._frame = self.timer(lambda: self.draw(is_whole=False))
        self._clock = self.timer(self._tick)
        self._ring = self.timer(self._ring_again)
        self.setWindowTitle(self.view.header.title)
        self.setAccessibleName(self.view.header.title)
        self.setMinimumSize(*_SMALLEST)
        self.touched.connect(self._touched)
        desk.changed.connect(self._soon)
        desk.refused.connect(lambda: self._sound("refused"))
        self._clock.start(0)

    # --- out: what is seen ---------------------------------------------------------------------

    def _soon(self) -> None:
        if not self._frame.isActive():
            past = (time.monotonic() - self._drawn_at) * 1000
            self._frame.start(max(_FRAME_MS, _BETWEEN_FRAMES_MS - round(past)))

    def draw(self, *, is_whole: bool = True) -> None:
        """Draw what the desk has seen now; ``is_whole`` as the brain has it."""
        pit, self._drawn_at = self.desk.pit, time.monotonic()
        self.brain.greet(pit.person)
        view = self.brain.view(pit, is_whole=is_whole)
        is_calm = view.queue is self.view.queue
        self.show_view(view)
        if is_calm:
            # no table is in other trouble than before
            return
        heard = heard_in(pit)
        cue = "" if self._heard is None else cue_of(self._heard, heard)
        self._heard = heard
        if cue:
            self._sound(cue)
        if heard.rings_here and not self._ring.isActive():
            self._ring_again()

    def _ring_again(self) -> None:
        """Ring for as long as nobody rules, where a manager is logged in."""
        if heard_in(self.desk.pit).rings_here:
            self._sound("ring")
            self._ring.start(_RING_MS)

    def _tick(self) -> None:
        """Go on with clocks, and lock a window that nobody works at."""
        self.desk.tick()
        pit = self.desk.pit
        rules = [one.idle_seconds for one in pit.tables if one.idle_seconds is not None]
        if (
            pit.person is not None
            and not pit.is_locked
            and self._idle.is_over(min(rules, default=None))
        ):
            self.desk.lock()
        self.draw()
        self._clock.start(max(1004 - self.desk.pit.now.microsecond // 1000, 20))

    def _sound(self, cue: str) -> None:
        if self.desk.pit.has_sound:
            self._sounds.play(cue)

    # --- in: keys ------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent | None) -> None:  # noqa: N802 - Qt's name
        """A key counts when it goes down, once; held down it does no more."""
        if event is None:
            return
        event.accept()
        name = name_of(event)
        self._idle.touched()
        text = text_in(self.desk.pit)
        if text is not None and self._types(name, event):
            # what is typed lies between two presses of Enter, however soon they come
            self.is_again(event.text())
            self._type(text + event.text())
        elif name and not event.isAutoRepeat():
            self._pressed(name)

    def _types(self, name: str, event: QKeyEvent) -> bool:
        """Whether a key types a character here: also Space, which is no command in a field."""
        is_char = bool(event.text()) and event.text().isprintable()
        return is_char and (name == "Space" or not name or not is_action(name))

    def _pressed(self, name: str) -> None:
        self.desk.tick()
        is_again = self.is_again(name)
        for key in self.brain.view(self.desk.pit).keys:
            if name in key.keys:
                if key.is_enabled and (key.act in _AGAIN or not is_again):
                    self.act(key.act)
                return

    def _type(self, text: str) -> None:
        self.desk.carry_out(self.brain.typed(self.desk.pit, text))

    # --- in: touches ---------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent | None) -> None:  # noqa: N802 - Qt's name
        self._idle.touched()
        super().mousePressEvent(event)

    def _touched(self, act: str) -> None:
        self._idle.touched()
        self.desk.tick()
        if act.startswith(TYPE):
            text = text_in(self.desk.pit)
            if text is not None:
                self._type(text + act.removeprefix(TYPE))
            return
        if act in _AGAIN or act == ACCEPT or not self.is_again(TOUCH + act):
            self.act(act)

    def act(self, act: str) -> None:
        """Do an act, if the view says that it can be done now."""
        step = self.brain.pressed(self.desk.pit, act, self.columns)
        if isinstance(step, Local):
            self._local(step.act)
        else:
            self.desk.carry_out(step)
        self.draw()

    def _local(self, act: str) -> None:
        pit = self.desk.pit
        match act:
            case "theme":
                self.desk.turn(is_light=not pit.is_light)
            case "sound":
                self.desk.turn(has_sound=not pit.has_sound)
            case _:
                self.brain.next_language()
