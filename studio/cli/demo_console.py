# SPDX-License-Identifier: Apache-2.0
"""A demonstration in the dealer's chair: a table, a simulated shoe and the console's window.

Owns the window's process and what is said beside it. What goes wrong at the table, and what is to
be done about it, are the drills' words.
"""

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import msgspec
from rich.text import Text

from drivers.sim.client import ShoeRefusedError
from drivers.sim.commands import ControlCommand
from studio.cli.children import Child
from studio.cli.drill_floor import Floor
from studio.cli.drill_run import Stuck, put_in, shows, take_out
from studio.cli.output import console
from studio.drills import words
from studio.drills.misdeals import Misdeal
from studio.game import inputs as inp
from studio.game.snapshot import StaffState
from studio.inbox import Stopping
from studio.settings import SITE_VARIABLE

HOUSE = "studio"
# Live times of the house, and how long something is left to be seen.
_BETTING_SECONDS, _GUARD_MS, _SETTLE_SECONDS = 15.0, 1500.0, 30.0
_SEEN_SECONDS, _SOON_SECONDS = 4.0, 0.7
_LOOK_SECONDS = 0.05
_BETWEEN = ("idle", "settling")


def has_console() -> bool:
    """Whether a window can be shown here: there is a screen, and Qt is installed."""
    screens = ("DISPLAY", "WAYLAND_DISPLAY")
    return any(os.environ.get(name) for name in screens) and find_spec("PyQt6") is not None


def say(head: str, text: str, *, style: str = "") -> None:
    """A line of guidance beside the window."""
    console().print(Text.assemble((f"{head}: ", style or "dim"), text), soft_wrap=True)
    sys.stdout.flush()


class WindowClosed(Exception):
    """The person has closed the window."""


class DealersChair:
    """The table, its shoe and the window; ends all of them."""

    def __init__(self, folder: Path, stopping: Stopping, *, seed: int, speed: float) -> None:
        """Start them. ``speed`` divides the house's times; 0 for none."""
        self._stopping = stopping
        self._speed = speed
        self._ending = ExitStack()
        try:
            waits = {
                "betting_seconds": f"{self.after(_BETTING_SECONDS):g}",
                "close_guard_ms": str(round(self.after(_GUARD_MS))),
                "settle_seconds": f"{self.after(_SETTLE_SECONDS):g}",
            }
            self.floor = self._ending.enter_context(
                Floor(folder, HOUSE, stopping, seed=seed, waits=waits)
            )
            self._window = self._open_window(folder)
        except BaseException:
            self.close()
            raise

    def _open_window(self, folder: Path) -> Child:
        floor = self.floor
        environ = os.environ | {SITE_VARIABLE: str(folder / "site")}
        arguments = ["console", "-c", str(floor.file), "--window", "--pull"]
        arguments += ["--control", floor.control]
        for name in ("staff_requests", "staff_events"):
            arguments += [f"--{name.replace('_', '-')}", floor.endpoints[name]]
        window = Child("console", arguments, folder, environ, shows=True)
        self._ending.callback(window.stop)
        return window

    def after(self, live: float) -> float:
        """How long what takes so many seconds live takes here."""
        return live / self._speed if self._speed else 0

    def close(self) -> None:
        """End everything, in order."""
        self._ending.close()

    # --- looking on ----------------------------------------------------------------------------

    def look_on(self) -> None:
        """Let the person deal until the window is closed."""
        self.until(lambda _state: False)

    def until(self, condition: Callable[[StaffState], bool]) -> StaffState:
        """The first picture for which it is so. Raises WindowClosed, or CommandFailed on an end."""
        while True:
            self.pause(_LOOK_SECONDS)
            state = self.floor.state()
            if condition(state):
                return state

    def pause(self, seconds: float) -> None:
        """Let time go by. Raises as ``until`` does."""
        is_stopped = self._stopping.wait(seconds)
        status = self._window.status()
        if is_stopped or status == 0:
            raise WindowClosed
        if status is not None:
            raise self._window.failure()
        self.floor.see_all_is_well()

    # --- misdeals ------------------------------------------------------------------------------

    def misdeal(self, misdeals: Iterable[Misdeal], keys: Mapping[str, str]) -> None:
        """Let these go wrong one after another, each in a shoe of its own.

        ``keys``: the key of each act.
        """
        for one in misdeals:
            put_in(self.floor, one.drill)
            say(one.drill.name, one.drill.trains, style="bold")
            say("to do", one.to_do.format_map(keys))
            _OneMisdeal(self, one).follow()
            say("over", "The round is over; another shoe comes.")
            self._take_shoe_out(one)
            say("shoe", "Another shoe is put in.")

    def _take_shoe_out(self, one: Misdeal) -> None:
        while True:
            self.until(lambda state: state.phase in _BETWEEN and state.hold is None)
            self.pause(self.after(_SEEN_SECONDS))
            if self.floor.state().phase == "settling":
                self.floor.tell(inp.CloseRound(by=words.DEALER))
            try:
                take_out(self.floor, one.drill)
            except Stuck:
                # the person was quicker, and has opened bets
                continue
            return


class _OneMisdeal:
    """Follows the steps of a drill: does what is done to the shoe, waits for what people do."""

    def __init__(self, chair: DealersChair, misdeal: Misdeal) -> None:
        self._chair = chair
        self._floor = chair.floor
        self._steps = misdeal.drill.steps
        self._round: str | None = None
        self._due = len(self._floor.shoe.state().drawn)

    def follow(self) -> None:
        """Return when the round is over, however it went."""
        for step in self._steps:
            match step:
                case words.Pull(n=count, heard=heard):
                    self._pull(count, count if heard is None else heard)
                case words.AtShoe(what=what, do=do, values=values):
                    self._at_shoe(what, {"do": do, **values})
                case words.Shows(members=members):
                    self._wait(partial(shows, members))
                case words.Rule() | words.VoidRound():
                    self._wait(lambda state: state.phase == "held")
                    self._wait(lambda state: state.phase != "held")
                case words.Tell(command=command, refused=None):
                    self._told(command)
                case words.PlayOn():
                    self._wait(lambda state: state.phase in _BETWEEN)
                case _:
                    pass

    def _wait(self, condition: Callable[[StaffState], bool]) -> StaffState:
        """Wait for it, or for the round to be over without it."""
        return self._chair.until(lambda state: condition(state) or self._is_over(state))

    def _is_over(self, state: StaffState) -> bool:
        self._round = self._round or state.public.round
        return self._round is not None and state.public.round != self._round

    def _told(self, command: inp.Command) -> None:
        """Wait where the shoe's next step hangs on it; what else people do shows as a hold."""
        match command:
            case inp.OpenBets():
                self._wait(lambda state: state.phase != "idle")
            case inp.CloseBets():
                self._wait(lambda state: state.phase == "dealing")
            case inp.ConfirmResult():
                self._wait(lambda state: state.phase == "settling")
            case _:
                pass

    def _pull(self, count: int, heard: int) -> None:
        """Within the deal the person pulls; a card out of turn slips out by itself."""
        self._due += count
        state = self._floor.state()
        if self._is_over(state):
            return
        if state.phase == "dealing":
            out = state.cards_out + heard
            self._wait(
                lambda now: (
                    len(self._floor.shoe.state().drawn) >= self._due
                    and (now.cards_out >= out or now.phase == "held")
                )
            )
            return
        self._chair.pause(self._chair.after(_SOON_SECONDS))
        self._say_and_do("A card slips out of the shoe.", {"do": "pull", "n": count})

    def _at_shoe(self, what: str, command: dict[str, object]) -> None:
        # what must strike the next card cannot wait; anything else is left to be seen
        if not self._floor.state().prompt.pull:
            self._chair.pause(self._chair.after(_SEEN_SECONDS))
        self._say_and_do(what, command)

    def _say_and_do(self, what: str, command: dict[str, object]) -> None:
        say("shoe", what)
        try:
            self._floor.shoe.ask(msgspec.convert(command, ControlCommand))
        except ShoeRefusedError as refused:
            say("shoe", str(refused))
