# SPDX-License-Identifier: Apache-2.0
"""A window of the pit on lines whose other ends are the test, and hands that press its keys."""

import time
from collections.abc import Callable

from PyQt6.QtCore import Qt

from studio.feed.staff import Opened
from studio.game.snapshot import staff_state
from studio.wording import languages, load_wording
from tests.game.table_driver import FACTS, Driven, plain_house
from tests.ui.console_rig import _CODES, _HELD
from tests.waiting import until
from ui.console.frame import DOUBLE_SECONDS
from ui.keys import PIT, load_keys
from ui.link import Link, LinkThread, Picture
from ui.pit.brain import PitBrain
from ui.pit.desk import PitDesk
from ui.pit.window import PitWindow
from ui.pit_view.acts import PIT_ACTS
from ui.view.seen import LinkState

ANNA = Opened(id="1", token="t-anna", staff="s-0002", screen_name="Anna", roles=("supervisor",),
              others=0)  # fmt: skip
BRUNO = Opened(id="1", token="t-bruno", staff="s-0003", screen_name="Bruno", roles=("manager",),
               others=0)  # fmt: skip


class Floor:
    """Tables, each with a line that was never started: what is asked waits and can be counted."""

    def __init__(self, qtbot, count: int, log_in: str = "required") -> None:
        from msgspec.structs import replace

        self._qtbot = qtbot
        self.log_in = log_in
        self.thread = LinkThread()
        self.tables = []
        self.links = []
        for number in range(1, count + 1):
            table = Driven(plain_house())
            table.restart(facts=replace(FACTS, table=f"BAC-{number}"))
            self.tables.append(table.ready())
            self.links.append(Link(f"BAC-{number}", "tcp://127.0.0.1:1", "tcp://127.0.0.1:1",
                                   "pit-1", thread=self.thread))  # fmt: skip
        brain = PitBrain(load_wording, languages(), "en", load_keys(None, PIT, PIT_ACTS))
        self.window = PitWindow(PitDesk(self.links), brain)
        qtbot.addWidget(self.window)
        self.window.resize(1280, 800)
        self.window.show()
        self._seq = 0
        self._pressed: dict[str, float] = {}
        for number in range(count):
            self.show(number)

    def show(self, number: int) -> None:
        """The table as it stands, in a picture of its own."""
        self._seq += 1
        table, link = self.tables[number], self.links[number]
        link.clock.hear(table.now, time.monotonic() - 1.0)
        idle = 300 if self.log_in == "required" else None
        link.pictured.emit(Picture("e", self._seq, staff_state(table.state), "shown", self.log_in,
                                   ("Sara",), idle))  # fmt: skip
        link.changed.emit(LinkState.LIVE)

    def asked(self) -> list[tuple[str, bytes]]:
        """What was asked since, by table; each is told once."""
        found = []
        while not self.thread._asked.empty():
            given = self.thread._asked.get_nowait()
            if given is not None:
                found.append((given[0].table, given[1].frame))
        return found

    def answer(self, number: int, answer: object) -> None:
        """The table answers what was asked last there."""
        link = self.links[number]
        waiting = self.window.desk.desks[number]._waiting
        link.answered.emit(waiting.ticket, answer)

    def enter(self, who: Opened = ANNA) -> None:
        """Somebody logs in."""
        self.click("F5")
        self.type("100")
        self.click("Enter")
        self.type("1234")
        self.click("Enter")
        self.asked()
        self.answer(self.window.desk.pit.selected, who)

    def click(self, name: str) -> None:
        """One key, the same no sooner than a person means it again."""
        left = self._pressed.get(name, 0.0) + DOUBLE_SECONDS - time.monotonic()
        if left > 0 and len(name) > 1:
            self._qtbot.wait(int(left * 1000) + 20)
        self.tap(name)

    def tap(self, name: str) -> None:
        """The same, however soon."""
        held, _, bare = name.rpartition("+")
        code = _CODES.get(bare) or Qt.Key(ord(bare.upper()))
        self._qtbot.keyClick(self.window, code, _HELD.get(held, Qt.KeyboardModifier.NoModifier))
        self._pressed[name] = time.monotonic()

    def type(self, text: str) -> None:
        """Letters and digits."""
        self._qtbot.keyClicks(self.window, text)

    def wait_for(self, condition: Callable[[], object], seconds: float = 30.0) -> None:
        """Let the window work until something is so."""

        def is_so() -> bool:
            self._qtbot.wait(5)
            return bool(condition())

        until(is_so, seconds, 0.0)
