# SPDX-License-Identifier: Apache-2.0
"""The misdeals of the demonstration, put right with the keys that it names, on a real window."""

import os
import subprocess

import msgspec
import pytest

from studio.feed.client import Client
from studio.feed.staff import AskStaffSnapshot, StaffSnapshot, read_answer
from studio.game.snapshot import StaffState
from tests.system.screen import display
from tests.system.test_demo_console import PUT_IN, Demonstration, demonstration
from tests.waiting import until

# A person looks before the next key: longer than a double press takes.
LOOK = "0.7"
STEADY_LOOKS = 12


class Chair:
    """The keyboard before that window, and the table as its staff see it."""

    def __init__(self, shown: Demonstration, screen: str) -> None:
        arguments = shown.window()[1]
        self._endpoint = arguments[arguments.index("--staff-requests") + 1]
        self._screen = screen
        self._held: object = None
        self._looks = 0

    def state(self) -> StaffState:
        with Client(self._endpoint) as client:
            answer = read_answer(client.ask(AskStaffSnapshot(id="s", table="BAC-1")))
        assert isinstance(answer, StaffSnapshot)
        return msgspec.convert(answer.state, StaffState)

    def key(self, *symbols: str) -> None:
        for symbol in symbols:
            command = ["xdotool", "sleep", LOOK, "key", symbol]
            subprocess.run(command, env={**os.environ, "DISPLAY": self._screen}, check=True)

    def press_on(self, ruling: tuple[str, ...]) -> None:
        """The one key that the prompt asks for; on a hold those of the ruling."""
        state = self.state()
        prompt = state.prompt
        if prompt.code == "held":
            # more may be told of it a moment later: a key that comes with that is not taken
            self._looks = self._looks + 1 if state.hold == self._held else 0
            self._held = state.hold
            if self._looks >= STEADY_LOOKS:
                self._held = None
                self.key(*ruling)
        elif prompt.pull:
            self.key("F11")
        elif prompt.commands and prompt.code not in ("bets-open", "settle"):
            self.key("space")


@pytest.mark.parametrize(
    "misdeal, ruling, outcome",
    [
        # the house's own ruling, its first ground
        ("excess-after-natural", ("space", "space", "space"), {"player", "banker", "tie"}),
        # the next one in the list: void
        ("card-before-close", ("space", "Down", "space", "space"), {None}),
    ],
)
def test_a_misdeal_is_dealt_and_ruled_on_by_the_keys_of_the_console(
    tmp_path, misdeal, ruling, outcome
):
    with (
        display() as screen,
        demonstration(tmp_path, "--misdeal", misdeal, "--speed", "3", screen=screen) as shown,
    ):
        shown.hears("to do")
        shown.shown()
        chair = Chair(shown, screen)
        until(lambda: chair.state().public.phase != "closed", 20)
        stood: list[object] = []

        def is_over() -> bool:
            chair.press_on(ruling)
            results = chair.state().public.results
            stood.extend(None if one.outcome is None else one.outcome.value for one in results)
            return bool(shown.says([PUT_IN]))

        until(is_over, 100, 0.1)
        assert shown.said.count(PUT_IN) == 1
        assert stood
        assert set(stood) <= outcome
