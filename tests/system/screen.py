# SPDX-License-Identifier: Apache-2.0
"""A screen without a monitor, a window on it as a process of its own, and a keyboard.

Keys are pressed on the X server itself (XTEST), as a keyboard's are: nothing of the window is
touched by them but what it gets. What it shows is read from ``console_child`` or ``pit_child``.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, Protocol, TypeVar

import msgspec

from tests.system.rig import ROOT, Studio
from tests.waiting import until
from ui.console.frame import DOUBLE_SECONDS
from ui.view.model import BandRole, KeyView, PanelView, View

# A person's next key comes no sooner; a scanner's does.
PERSON_MS, SCANNER_MS = 50, 4
SIZE = "1280x800x24"
_NAMES = {
    "Space": "space",
    "Enter": "Return",
    "PageUp": "Prior",
    "PageDown": "Next",
    "Backspace": "BackSpace",
}
_read = msgspec.json.Decoder(View).decode


class Drawn(Protocol):
    """What every window draws."""

    @property
    def keys(self) -> tuple[KeyView, ...]: ...
    @property
    def panel(self) -> PanelView | None: ...


V = TypeVar("V", bound=Drawn)


@contextmanager
def display(size: str = SIZE) -> Iterator[str]:
    """An X server on a display that was free; its name."""
    reading, writing = os.pipe()
    child = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", size, "-nolisten", "tcp"],
        pass_fds=(writing,),
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    try:
        with os.fdopen(reading, "rb") as said:
            number = said.readline().strip().decode()
        assert number, "no X server started"
        yield f":{number}"
    finally:
        child.terminate()
        child.wait(20)


class OnScreen(Generic[V]):
    """A window as a process: what it shows, and a keyboard before it."""

    def __init__(self, screen: str, child: str, read: Callable[[bytes], V], *options: str) -> None:
        self._screen = screen
        self._view: V | None = None
        self._at: dict[str, float] = {}
        self.child = subprocess.Popen(
            [sys.executable, "-m", f"tests.system.{child}", *options],
            cwd=ROOT,
            env={**os.environ, "DISPLAY": screen, "QT_QPA_PLATFORM": "xcb"},
            stdout=subprocess.PIPE,
        )
        self._listener = threading.Thread(target=self._listen, args=(read,))
        self._listener.start()

    def _listen(self, read: Callable[[bytes], V]) -> None:
        assert self.child.stdout is not None
        for line in self.child.stdout:
            self._view = read(line)

    def begin(self, is_so: Callable[[V], object]) -> None:
        """Until it shows what it stands for; it is ended if it never does."""
        try:
            self.wait(is_so, 40)
        except AssertionError:
            self.end()
            raise

    @property
    def view(self) -> V:
        """What is on screen."""
        assert self._view is not None
        return self._view

    def wait(self, is_so: Callable[[V], object], seconds: float = 15.0) -> V:
        """Until the screen shows something; the view that does."""

        def found() -> V | None:
            view = self._view
            return view if view is not None and is_so(view) else None

        try:
            view = until(found, seconds, 0.005)
        except AssertionError as late:
            late.add_note(f"on screen: {self._view}")
            raise
        assert view is not None
        return view

    def end(self, number: int = signal.SIGTERM) -> int:
        """End it by a signal; the exit status."""
        self.child.send_signal(number)
        status = self.child.wait(20)
        self._listener.join()
        assert self.child.stdout is not None
        self.child.stdout.close()
        return status

    # --- the keyboard ---------------------------------------------------------------------------

    def key(self, *names: str, delay_ms: int = PERSON_MS) -> None:
        """Press keys by their names in the key map, one after the other."""
        symbols = []
        for name in names:
            held, _, bare = name.rpartition("+")
            bare = _NAMES.get(bare, bare)
            symbols.append(f"{held.lower()}+{bare}" if held else bare)
        # nobody's hand is there sooner after a scanner or the key before, and nobody means the
        # same key again so soon
        again = self._at.get(names[0], 0.0) + DOUBLE_SECONDS + 0.1 - time.monotonic()
        is_quick = names[0] in ("Down", "F11")
        before = PERSON_MS / 1000 if is_quick else max(PERSON_MS / 1000, again)
        command = ["xdotool", "sleep", f"{before:.3f}", "key", "--delay", str(delay_ms), *symbols]
        subprocess.run(command, env={**os.environ, "DISPLAY": self._screen}, check=True)
        self._at |= dict.fromkeys(names, time.monotonic())

    def type(self, text: str) -> None:
        """Letters and digits, as fast as a person types, and Enter."""
        self.key(*text.lower(), "Enter")

    def scan(self, text: str) -> None:
        """What a badge or barcode reader types: as fast as the line goes, Enter at its end."""
        self.key(*text.lower(), "Enter", delay_ms=SCANNER_MS)

    def key_of(self, act: str) -> KeyView | None:
        """The key that does an act now, if it can be done."""
        return next((one for one in self.view.keys if one.act == act and one.is_enabled), None)

    def do(self, act: str) -> None:
        """Press the key of an act, once the screen says that it counts."""
        self.wait(lambda _view: self.key_of(act))
        key = self.key_of(act)
        assert key is not None
        self.key(key.keys[0])

    def choose(self, act: str) -> None:
        """Go down the list of a panel to a line, and take it."""
        self.wait(lambda view: view.panel is not None and view.panel.choices)
        for _ in range(60):
            panel = self.view.panel
            assert panel is not None
            if any(one.act == act and one.is_chosen for one in panel.choices):
                self.do("send")
                return
            marked = [one.act for one in panel.choices if one.is_chosen]
            self.key("Down")
            self.wait(
                lambda view, marked=marked: (
                    view.panel is not None
                    and [one.act for one in view.panel.choices if one.is_chosen] != marked
                )
            )
        raise AssertionError(f"{act} is not in {self.view.panel}")


class Shown(OnScreen[View]):
    """A dealer's console."""

    def __init__(self, table: Studio, screen: str, *options: str) -> None:
        file = str(table.folder / "tables" / f"{table.table}.toml")
        control = str(table.simulator.said["control"])
        own = ("--config", file, "--control", control, *options)
        super().__init__(screen, "console_child", _read, *own)
        self.begin(lambda view: view.band.role is not BandRole.OFF)

    @property
    def code(self) -> str:
        """The prompt on screen."""
        return self.view.band.code

    def step(self) -> None:
        """Do what the screen asks for, by one key; until it asks for something else."""
        before = self.view
        main = next((one.act for one in before.keys if one.is_main), "")
        if any(one.act == "pull" and one.is_enabled for one in before.keys):
            self.key("F11")
        elif before.band.code == "bets-open":
            self.do("close_bets")
        elif main:
            self.do(main)
        self.wait(lambda view: _asked(view) != _asked(before))

    def play(self, code: str, cards: int | None = None) -> None:
        """Do what the screen asks for until it says this, with so many cards on the table."""
        for _ in range(80):
            if self.code == code and cards in (None, cards_on(self.view)):
                return
            self.step()
        raise AssertionError(f"{code} was not reached, but {self.code}")


def cards_on(view: View) -> int:
    """How many cards lie in the boxes on screen."""
    hands = (view.hands.player, view.hands.banker)
    return sum(place.card is not None for hand in hands for place in hand.places)


def _asked(view: View) -> tuple[object, ...]:
    return (view.band.code, view.band.do, view.hands, view.panel, view.shoe, view.header.round)


@contextmanager
def console(table: Studio, screen: str, *options: str) -> Iterator[Shown]:
    """A console at that table on that screen; ended in order."""
    shown = Shown(table, screen, *options)
    try:
        yield shown
    finally:
        if shown.child.poll() is None:
            shown.end()
