# SPDX-License-Identifier: Apache-2.0
"""What the dealer's console costs: from a card's message to its paint, when idle, over a shift.

Without a GPU and without a screen: Qt's own offscreen platform, which paints all the same.
"""

import gc
import os
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from PyQt6.QtCore import QEvent, QEventLoop, QTimer
from PyQt6.QtGui import QPainter, QPaintEvent
from PyQt6.QtWidgets import QApplication, QWidget

import tests.ui.offscreen  # noqa: F401 - before the application is made
from studio.feed.staff import Acceptance
from studio.game.cards import Card
from studio.game.inputs import CloseRound, Command, ConfirmResult, EndShoe, LoadShoe, OpenBets
from studio.game.snapshot import staff_state
from studio.game.state import Phase
from tests.bench.figures import median, quantile, tell
from tests.bench.record import megabytes
from tests.bench.told import Hearing
from tests.game.table_driver import BY, Driven
from tests.system.rig import TABLE, Hands, Studio, studio
from tests.ui.console_rig import brain
from ui.console.desk import Desk, first_seen
from ui.console.window import ConsoleWindow
from ui.link import Link, Picture
from ui.view.seen import LinkState

SIZE = (1920, 1080)
CARDS = 300
REPAINTS = 300
IDLE_SECONDS = 20.0
ROUNDS = 600
_WAIT_MS = 10_000


class Painted:
    """Widgets put it around their events: it knows when a window was painted, and waits for it."""

    def __init__(self) -> None:
        self.at = 0.0
        self._loop = QEventLoop()

    def happened(self) -> None:
        self.at = time.perf_counter()
        self._loop.quit()

    def wait(self, is_so: Callable[[], bool], *, after_paint: bool = False) -> None:
        """Let the window work until something is so; looks after each paint, or now and then."""
        looking = QTimer()
        looking.timeout.connect(self._loop.quit)
        looking.start(_WAIT_MS if after_paint else 2)
        deadline = time.monotonic() + _WAIT_MS / 1000
        while not is_so():
            if time.monotonic() > deadline:
                raise TimeoutError("the console did not show what was waited for")
            self._loop.exec()
        looking.stop()


class Empty(QWidget):
    """A window that paints nothing but its ground: the floor."""

    def __init__(self, painted: Painted) -> None:
        super().__init__()
        self._painted = painted

    def paintEvent(self, _event: QPaintEvent | None) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        painter.fillRect(self.rect(), self.palette().window())
        painter.end()

    def event(self, event: QEvent | None) -> bool:
        done = super().event(event)
        if event is not None and event.type() == QEvent.Type.UpdateRequest:
            self._painted.happened()
        return done


class Measured(ConsoleWindow):
    """The console's own window, which says when it has painted."""

    def __init__(self, desk: Desk, painted: Painted) -> None:
        super().__init__(desk, brain())
        self._painted = painted
        self.cards_painted = 0

    def event(self, event: QEvent | None) -> bool:
        done = super().event(event)
        if event is not None and event.type() == QEvent.Type.UpdateRequest:
            hands = (self.view.hands.player, self.view.hands.banker)
            self.cards_painted = sum(p.card is not None for hand in hands for p in hand.places)
            self._painted.happened()
        return done


def console() -> None:
    """All three figures of the console."""
    application = QApplication.instance() or QApplication([])
    painted = Painted()
    with tempfile.TemporaryDirectory() as folder, studio(Path(folder), house=_HOUSE) as table:
        table.start()
        link = Link(TABLE, table.endpoints["staff_events"], table.endpoints["staff_requests"])
        desk = Desk(link, first_seen(TABLE, has_demo_shoe=False, is_light=False))
        window = _on_screen(Measured(desk, painted))
        hearing = Hearing(Path(folder), [table.endpoints["staff_events"]])
        link.start()
        try:
            painted.wait(lambda: desk.seen.link is LinkState.LIVE)
            shown = _deal(table, window, painted)
            dealt = [one.received for one in hearing.told() if one.type == "card_dealt"]
            took = [at - was for at, was in zip(shown, dealt, strict=True)][20:]
            floor = empty_repaints(painted)
            tell(
                "card_dealt at the console to painted, 1920 by 1080",
                milliseconds_p50=median(took) * 1e3,
                milliseconds_p99=quantile(took, 0.99) * 1e3,
                to_reach_milliseconds_p99=33,
                floor_milliseconds_p50_of_an_empty_window=median(floor) * 1e3,
                floor_milliseconds_p99_of_an_empty_window=quantile(floor, 0.99) * 1e3,
                cards=len(took),
            )
            _idle()
        finally:
            window.close()
            link.stop()
    _shift(application)


_HOUSE = {"rule": '"none"'}


def _on_screen(window: Measured) -> Measured:
    window.resize(*SIZE)
    window.show()
    return window


def _deal(table: Studio, window: Measured, painted: Painted) -> list[float]:
    """When each card was painted."""
    hands, desk = Hands(table), window.desk
    shown: list[float] = []
    while len(shown) < CARDS:
        state = desk.seen.state
        assert state is not None
        if state.prompt.pull:
            # by the table's count: the cleared hands of the coup before may not be painted yet
            due = len(state.player) + len(state.banker) + 1
            table.shoe.pull()
            painted.wait(lambda due=due: window.cards_painted == due, after_paint=True)
            shown.append(time.time() - (time.perf_counter() - painted.at))
        elif state.phase == "result":
            _tell(hands, ConfirmResult(by=BY), painted, desk)
        elif state.phase == "bets_open":
            painted.wait(lambda state=state: desk.seen.state != state)
        elif state.phase in ("idle", "settling"):
            _tell(hands, OpenBets(by=BY), painted, desk)
        else:
            hands.step()
            painted.wait(lambda state=state: desk.seen.state != state)
    return shown


def _tell(hands: Hands, command: Command, painted: Painted, desk: Desk) -> None:
    before = desk.seen.state
    answer = hands.tell(command)
    assert isinstance(answer, Acceptance), answer
    painted.wait(lambda: desk.seen.state != before)


def empty_repaints(painted: Painted) -> list[float]:
    """Seconds from an update to the end of the paint of an empty window."""
    window = Empty(painted)
    window.resize(*SIZE)
    window.show()
    took = []
    for _ in range(REPAINTS):
        painted.at = 0.0
        began = time.perf_counter()
        window.update()
        painted.wait(lambda: painted.at > 0, after_paint=True)
        took.append(painted.at - began)
    window.close()
    return took[20:]


def _idle() -> None:
    """Processor time while nobody does anything: the clock goes on, pictures are compared."""
    loop = QEventLoop()
    QTimer.singleShot(round(IDLE_SECONDS * 1000), loop.quit)
    began, used = time.perf_counter(), time.process_time()
    loop.exec()
    share = (time.process_time() - used) / (time.perf_counter() - began)
    tell(
        "idle console",
        percent_of_a_core=share * 100,
        to_reach_percent=2,
        megabytes=megabytes(os.getpid()),
    )


def _shift(application: object) -> None:
    """Every picture of an eight-hour shift, painted one after the other."""
    assert isinstance(application, QApplication)
    link = Link(TABLE, "tcp://127.0.0.1:1", "tcp://127.0.0.1:1")
    window = ConsoleWindow(
        Desk(link, first_seen(TABLE, has_demo_shoe=False, is_light=False)), brain()
    )
    window.resize(*SIZE)
    window.show()
    link.changed.emit(LinkState.LIVE)
    table, rng = Driven().ready(), random.Random(1)
    shoe: list[str] = []
    at_shoe_end: list[float] = []
    pictures = 0

    def show() -> None:
        nonlocal pictures
        pictures += 1
        table.log.clear()
        state = table.state
        picture = Picture("e", state.seq, staff_state(state), "", "open", (), None)
        link.pictured.emit(picture)
        application.processEvents()

    for _ in range(ROUNDS):
        # a coup more would reach the cut card, which this shoe does not tell of
        if len(shoe) < 24:
            if table.state.rounds:
                gc.collect()
                at_shoe_end.append(megabytes(os.getpid()))
                table.give(CloseRound(by=BY))
                table.give(EndShoe(by=BY))
                table.give(LoadShoe(by=BY))
                show()
            shoe = [card.value for card in Card] * 8
            rng.shuffle(shoe)
        for step in (lambda: table.give(OpenBets(by=BY)), table.expire):
            step()
            show()
        while table.state.phase is Phase.DEALING:
            table.card(shoe.pop())
            show()
        table.give(ConfirmResult(by=BY))
        show()
    window.close()
    link.stop()
    tell(
        "memory of the console over a shift",
        megabytes_grown_after_the_first_shoe=max(at_shoe_end[1:]) - at_shoe_end[0],
        to_reach_megabytes=2,
        megabytes=at_shoe_end[-1],
        rounds=ROUNDS,
        pictures=pictures,
    )
