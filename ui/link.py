# SPDX-License-Identifier: GPL-3.0-or-later
"""The line from a window to a table: the only thread of a window, however many tables it shows.

Everything a link tells is a Qt signal, which is safe to send from a thread; it touches no widget.
It never gives up.

The picture is always a snapshot of the service, never made up here: after a restart of either side
the window stands where the table is. What was asked while the line was down is not kept to be
sent later: a key pressed then does nothing, at any time.
"""

import itertools
import queue
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta

import msgspec
import zmq
from PyQt6.QtCore import QObject, pyqtBoundSignal, pyqtSignal

from studio.feed.asks import encode
from studio.feed.keys import ClientKeys
from studio.feed.staff import StaffAsk
from ui.line import Asked, Line, NoReply, Picture
from ui.view.seen import LinkState

__all__ = ["Link", "LinkThread", "NoReply", "Picture", "StudioClock"]

_TICK_MS = 100
# Many tables are listened to in turns: what came within a turn is worked off together. What was
# asked is answered sooner than that.
_TURN_SECONDS = 0.05
_ANSWERS_SECONDS = 0.008


class StudioClock:
    """The service's time, carried on by this machine's monotonic clock."""

    def __init__(self) -> None:
        self._at: tuple[datetime, float] | None = None

    def hear(self, at: datetime, received: float) -> None:
        """The service says what time it is."""
        self._at = (at, received)

    def now(self) -> datetime | None:
        """The service's time now; None before it was heard."""
        if self._at is None:
            return None
        at, received = self._at
        return at + timedelta(seconds=time.monotonic() - received)

    def heard_at(self) -> datetime | None:
        """When the service was heard last, by its own time."""
        return None if self._at is None else self._at[0]


class _Tray(QObject):
    """Brings what the lines tell into the window's thread: what came together, at one go."""

    _brought = pyqtSignal(object)

    def __init__(self) -> None:
        super().__init__()
        self._on_it: list[tuple[pyqtBoundSignal, tuple[object, ...]]] = []
        self._brought.connect(self._tell)

    def put(self, signal: pyqtBoundSignal, *told: object) -> None:
        """To be told as this signal."""
        self._on_it.append((signal, told))

    def bring(self) -> None:
        """Tell it all, in its order."""
        if self._on_it:
            on_it, self._on_it = self._on_it, []
            self._brought.emit(on_it)

    def _tell(self, on_it: list[tuple[pyqtBoundSignal, tuple[object, ...]]]) -> None:
        for signal, told in on_it:
            signal.emit(*told)


class LinkThread:
    """Works the lines of all links that were given it; ``start`` it after that."""

    def __init__(self, name: str = "links") -> None:
        self.tray = _Tray()
        self._links: list[Link] = []
        self._asked: queue.SimpleQueue[tuple[Link, Asked] | None] = queue.SimpleQueue()
        self._bell, self._ear = socket.socketpair()
        self._bell.settimeout(0)
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def add(self, link: "Link") -> None:
        """Another link, before the start."""
        self._links.append(link)

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()

    def stop(self) -> None:
        """Hang up all lines, and wait for it."""
        if self._thread.is_alive():
            self._asked.put(None)
            self._ring()
            self._thread.join()
        self._bell.close()
        self._ear.close()

    def put(self, link: "Link", asked: Asked) -> None:
        """Send this on that link's line."""
        self._asked.put((link, asked))
        self._ring()

    def _ring(self) -> None:
        with suppress(BlockingIOError):
            self._bell.send(b"!")

    def _run(self) -> None:
        with zmq.Context() as context:
            lines = {link: link.open(context) for link in self._links}
            try:
                self._work(lines)
            finally:
                for line in lines.values():
                    line.close()

    def _work(self, lines: "dict[Link, Line]") -> None:
        tidied = 0.0
        for _ in self._one_by_one(*lines.values()) if len(lines) == 1 else self._in_turns(lines):
            if not self._send(lines):
                return
            worked = [line for line in lines.values() if line.work()]
            now = time.monotonic()
            if len(lines) == 1 or now - tidied >= _TICK_MS / 1000:
                worked, tidied = list(lines.values()), now
                for line in worked:
                    line.listen()
            for line in worked:
                line.tidy(now)
            self.tray.bring()

    def _one_by_one(self, line: Line) -> Iterator[None]:
        """Wait for whatever comes on the only line."""
        poller, watched = zmq.Poller(), None
        while True:
            if watched is not line.sockets:
                poller, watched = zmq.Poller(), line.sockets
                for one in (self._ear, *line.sockets):
                    poller.register(one, zmq.POLLIN)
            if self._ear.fileno() in dict(poller.poll(_TICK_MS)):
                self._ear.recv(4096)
            yield

    def _in_turns(self, lines: "dict[Link, Line]") -> Iterator[None]:
        """Let things come in on many lines, for a turn or until the bell rings."""
        turn = 0.0
        while True:
            is_asking = any(line.is_asking for line in lines.values())
            rest = turn + _TURN_SECONDS - time.monotonic()
            seconds = _ANSWERS_SECONDS if is_asking else rest
            if seconds > 0:
                self._ear.settimeout(seconds)
                with suppress(TimeoutError):
                    self._ear.recv(4096)
            turn = turn if is_asking else time.monotonic()
            yield

    def _send(self, lines: "dict[Link, Line]") -> bool:
        """Send what was asked; False when told to stop."""
        with suppress(queue.Empty):
            while True:
                given = self._asked.get_nowait()
                if given is None:
                    return False
                link, asked = given
                lines[link].send(asked)
        return True


class Link(QObject):
    """A line to one table, from a machine named ``origin`` in the record.

    ``start`` and ``stop`` it, unless it was given a ``thread``, which is started for all of its
    links; ``ask`` from the window's thread only.

    ``pictured``: another ``Picture``. ``changed``: another ``LinkState``. ``answered``: the
    ticket of a question, and its answer or ``NoReply``.
    """

    pictured = pyqtSignal(object)
    changed = pyqtSignal(object)
    answered = pyqtSignal(int, object)

    def __init__(
        self,
        table: str,
        staff_events: str,
        staff_requests: str,
        origin: str = "local",
        keys: ClientKeys | None = None,
        thread: LinkThread | None = None,
    ) -> None:
        super().__init__()
        self.table = table
        self.clock = StudioClock()
        self._origin = origin
        self._keys = keys
        self._endpoints = (staff_events, staff_requests)
        self._tickets = itertools.count(1)
        self._thread = LinkThread(f"link-{table}") if thread is None else thread
        self._thread.add(self)
        self._tray = self._thread.tray

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()

    def stop(self) -> None:
        """Hang up, and wait for it."""
        self._thread.stop()

    def ask(self, ask: StaffAsk) -> int:
        """Ask something; ``answered`` follows with this ticket. It is sent now or never."""
        ticket = next(self._tickets)
        frame = encode(msgspec.structs.replace(ask, id=f"{ticket}", from_=self._origin))
        self._thread.put(self, Asked(frame, ticket))
        return ticket

    # --- what the line tells, in its thread -----------------------------------------------------

    def open(self, context: "zmq.Context[zmq.Socket[bytes]]") -> Line:
        """The line of this link, in the thread that works it."""
        return Line(self.table, self, context, self._endpoints, self._keys)

    def heard(self, at: datetime, received: float) -> None:
        """The service says what time it is."""
        self.clock.hear(at, received)

    def draw(self, picture: Picture) -> None:
        """The table has another picture."""
        self._tray.put(self.pictured, picture)

    def answer(self, ticket: int, answer: object) -> None:
        """A question was answered, or never will be."""
        self._tray.put(self.answered, ticket, answer)

    def judge(self, state: LinkState) -> None:
        """The line stands otherwise."""
        self._tray.put(self.changed, state)
