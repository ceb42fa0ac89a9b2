# SPDX-License-Identifier: Apache-2.0
"""What the pit's window costs, with twenty tables that each tell ten messages a second.

Without a GPU and without a screen: Qt's own offscreen platform, which paints all the same. Two
floors of the same run: the lines alone, which hear the same and draw nothing, and the repaint of an
empty window.
"""

import os
import tempfile
import time
from bisect import bisect_left
from operator import itemgetter
from pathlib import Path

from PyQt6.QtCore import QEvent, QEventLoop, QTimer
from PyQt6.QtWidgets import QApplication

import tests.ui.offscreen  # noqa: F401 - before the application is made
from studio.wording import languages, load_wording
from tests.bench.console import SIZE, Painted, empty_repaints
from tests.bench.figures import median, quantile, spin, tell
from tests.bench.record import megabytes
from tests.bench.told import Hearing, Told
from tests.system.rig import Process
from ui.keys import PIT, load_keys
from ui.link import Link, LinkThread
from ui.pit.brain import PitBrain
from ui.pit.desk import PitDesk
from ui.pit.window import PitWindow
from ui.pit_view.acts import PIT_ACTS
from ui.view.seen import LinkState

TABLES, MESSAGES = 20, 10
SECONDS = 20.0
_FLOOR_SECONDS = 10.0
_SETTLING_SECONDS = 3.0


class Measured(PitWindow):
    """The pit's own window, which knows what it has painted."""

    def __init__(self, desk: PitDesk) -> None:
        self._drawn: list[int] = []
        self._last: dict[str, int] = {}
        self.painted: dict[str, list[tuple[int, float]]] = {}
        self.paints = 0
        super().__init__(
            desk, PitBrain(load_wording, languages(), "en", load_keys(None, PIT, PIT_ACTS))
        )

    def draw(self, *, is_whole: bool = True) -> None:
        # what came until now is taken, and what comes while it is drawn counts for the next
        self.desk._take()
        drawn = [one._seq for one in self.desk.desks]
        super().draw(is_whole=is_whole)
        self._drawn = drawn

    def event(self, event: QEvent | None) -> bool:
        done = super().event(event)
        if event is not None and event.type() == QEvent.Type.UpdateRequest:
            at, self.paints = time.time(), self.paints + 1
            for desk, seq in zip(self.desk.desks, self._drawn, strict=False):
                table = desk.seen.table
                if seq != self._last.get(table):
                    self._last[table] = seq
                    self.painted.setdefault(table, []).append((seq, at))
        return done


def _waited(told: list[Told], painted: dict[str, list[tuple[int, float]]]) -> list[float]:
    """Seconds from each message's own time to the paint of a picture that has it in."""
    took = []
    for one in told:
        paints = painted.get(one.table, [])
        place = bisect_left(paints, one.seq, key=itemgetter(0))
        if place < len(paints):
            took.append(paints[place][1] - one.at)
    return took


def pit() -> None:
    """The pit's window at its busiest."""
    _application = QApplication.instance() or QApplication([])
    painted = Painted()
    with tempfile.TemporaryDirectory() as folder:
        child = ["-m", "tests.bench.pit_tables", folder, f"{TABLES}", f"{MESSAGES}"]
        tables = Process(child)
        try:
            lines = _lines_alone(tables.said)
            window = _window(tables.said, Path(folder))
        finally:
            tables.end()
    floor = empty_repaints(painted)
    tell(
        "pit window, twenty tables at ten messages a second each, 1920 by 1080",
        **window,
        floor_percent_of_a_core_of_the_lines_alone=lines * 100,
        floor_milliseconds_p50_of_an_empty_window=median(floor) * 1e3,
        floor_milliseconds_p99_of_an_empty_window=quantile(floor, 0.99) * 1e3,
        loops_a_second_of_plain_python=spin(),
    )


def _links(endpoints: dict[str, list[str]]) -> tuple[LinkThread, list[Link]]:
    thread = LinkThread()
    return thread, [Link(name, *at, thread=thread) for name, at in endpoints.items()]


def _work(seconds: float) -> float:
    """Let the process work; the share of a core that it used."""
    loop = QEventLoop()
    QTimer.singleShot(round(seconds * 1000), loop.quit)
    began, used = time.perf_counter(), time.process_time()
    loop.exec()
    return (time.process_time() - used) / (time.perf_counter() - began)


def _lines_alone(endpoints: dict[str, list[str]]) -> float:
    """The floor: everything is heard and read, and nothing made of it."""
    thread, _links_kept = _links(endpoints)
    thread.start()
    _work(_SETTLING_SECONDS)
    share = _work(_FLOOR_SECONDS)
    thread.stop()
    return share


def _window(endpoints: dict[str, list[str]], folder: Path) -> dict[str, object]:
    hearing = Hearing(folder, [events for events, _requests in endpoints.values()])
    thread, links = _links(endpoints)
    desk = PitDesk(links)
    window = Measured(desk)
    window.resize(*SIZE)
    window.show()
    thread.start()
    try:
        _work(_SETTLING_SECONDS)
        if any(one.seen.link is not LinkState.LIVE for one in desk.desks):
            raise TimeoutError("not every table was reached")
        window.paints, began = 0, time.time()
        share = _work(SECONDS)
        seconds, paints = time.time() - began, window.paints
        # what was told at the very last is painted too
        _work(1.0)
    finally:
        window.close()
        thread.stop()
        heard = hearing.told()
    told = [one for one in heard if began <= one.at < began + seconds]
    took = _waited(told, window.painted)
    return {
        "percent_of_a_core": share * 100,
        "to_reach_percent": 15,
        "milliseconds_p50_message_to_paint": median(took) * 1e3,
        "milliseconds_p99_message_to_paint": quantile(took, 0.99) * 1e3,
        "to_reach_milliseconds_p99": 100,
        "messages_a_second": len(told) / seconds,
        "messages_never_painted": len(told) - len(took),
        "paints_a_second": paints / seconds,
        "megabytes": megabytes(os.getpid()),
    }
