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
from contextlib import suppress
from datetime import datetime, timedelta

import msgspec
import zmq
from PyQt6.QtCore import QObject, pyqtSignal

from studio.feed.asks import encode
from studio.feed.keys import ClientKeys
from studio.feed.staff import StaffAsk
from ui.line import Asked, Line, NoReply, Picture
from ui.view.seen import LinkState

__all__ = ["Link", "LinkThread", "NoReply", "Picture", "StudioClock"]

_TICK_MS = 100
# Many tables are listened to in turns: what came within a turn is worked off together, and so are
# the answers to what was asked then.
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


class LinkThread:
    """Works the lines of all links that were given it; ``start`` it after that."""

    def __init__(self, name: str = "links") -> None:
        self._links: list[Link] = []
        self._asked: queue.SimpleQueue[tuple[Link, Asked] | None] = queue.SimpleQueue()
        self._bell, self._ear = socket.socketpair()
        self._bell.settimeout(0)
        self._stop = threading.Event()
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
            self._stop.set()
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
        watched: dict[Line, tuple[zmq.Socket[bytes], ...]] = {}
        owner: dict[object, Line] = {}
        poller = zmq.Poller()
        poller.register(self._ear, zmq.POLLIN)
        tidied = turn = 0.0
        is_rung = False
        while True:
            for line in lines.values():
                if watched.get(line) is not line.sockets:
                    for one in watched.get(line, ()):
                        poller.unregister(one)
                        del owner[one]
                    watched[line] = line.sockets
                    for one in line.sockets:
                        poller.register(one, zmq.POLLIN)
                        owner[one] = line
            if len(lines) > 1:
                is_asking = any(line.is_asking for line in lines.values())
                rest = turn + _TURN_SECONDS - time.monotonic()
                is_rung = self._pause(_ANSWERS_SECONDS if is_asking else rest)
                turn = turn if is_asking else time.monotonic()
            ready = dict(poller.poll(0 if is_rung else _TICK_MS))
            if ready.pop(self._ear.fileno(), None):
                self._ear.recv(4096)
            worked = {owner[one] for one in ready if one in owner}
            for line in worked:
                line.work(ready)
            if not self._send(lines):
                return
            now = time.monotonic()
            is_due = now - tidied >= _TICK_MS / 1000
            for line in lines.values() if is_due else worked:
                line.tidy(now)
            tidied = now if is_due else tidied

    def _pause(self, seconds: float) -> bool:
        """Let things come in, for so long or until the bell rings; whether it rang."""
        if seconds <= 0:
            return False
        self._ear.settimeout(seconds)
        try:
            return bool(self._ear.recv(4096))
        except TimeoutError:
            return False

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
        self.pictured.emit(picture)

    def answer(self, ticket: int, answer: object) -> None:
        """A question was answered, or never will be."""
        self.answered.emit(ticket, answer)

    def judge(self, state: LinkState) -> None:
        """The line stands otherwise."""
        self.changed.emit(state)
