# SPDX-License-Identifier: Apache-2.0
"""Many tables watched at once, each in a thread of its own, so that a dead one holds up nobody."""

import threading
from queue import Empty
from typing import NamedTuple

from studio.cli.exits import CommandFailed
from studio.cli.watching import Found, Lines, Payloads, Screen, follow, tables_at
from studio.feed.keys import ClientKeys
from studio.feed.updates import Alarm, Update
from studio.inbox import Inbox, Stopping
from studio.terminal import Scene

_DRAIN_SECONDS = 0.1


class Target(NamedTuple):
    """Where tables are; ``tables`` names those to be watched, all that are served there if empty.

    ``events`` is where the messages of those named are; None: the request socket is asked.
    """

    requests: str
    tables: tuple[str, ...]
    environment: str
    keys: ClientKeys | None = None
    events: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """What stands for it before it is known what it serves."""
        return self.tables or (self.requests.removeprefix("tcp://"),)


class _Told(NamedTuple):
    updates: list[Update]
    scene: Scene
    instead_of: str | None = None


class _Outbox:
    """A show that passes everything on to the thread that draws."""

    def __init__(self, out: Inbox[_Told]) -> None:
        self._out = out

    def __enter__(self) -> "_Outbox":
        return self

    def __exit__(self, *exception: object) -> None:
        return

    def heard(self, updates: list[Update], scene: Scene) -> None:
        self._out.put(_Told(updates, scene))


class _Many:
    """The threads, and what they have to tell."""

    def __init__(self, stopping: Stopping, *, everything: bool, until_closed: bool) -> None:
        self.out: Inbox[_Told] = Inbox()
        self._stopping = stopping
        self._how = {"everything": everything, "until_closed": until_closed}
        self._lock = threading.Lock()
        self._threads: list[threading.Thread] = []

    def watch(self, target: Target) -> None:
        """Begin with one target."""
        for name in target.names:
            self.out.put(_Told([], Scene(table=name, feed="no_answer")))
        if target.events is None:
            self._spawn(target, None)
            return
        for table in target.tables:
            self._spawn(target, Found(table, target.events, target.requests, target.keys))

    def is_over(self) -> bool:
        """Whether no table is watched any more."""
        with self._lock:
            return not any(one.is_alive() for one in self._threads)

    def join(self) -> None:
        """Wait for the threads, which end when they are told to stop."""
        for one in self._threads:
            one.join()

    def _spawn(self, target: Target, found: Found | None) -> None:
        work, about = (self._find, (target,)) if found is None else (self._follow, (target, found))
        thread = threading.Thread(target=work, args=about)
        with self._lock:
            self._threads.append(thread)
        thread.start()

    def _find(self, target: Target) -> None:
        try:
            served = tables_at(target.requests, self._stopping, wait=True, keys=target.keys)
        except CommandFailed as failed:
            for name in target.names:
                self._fail(name, str(failed))
            return
        names = {one.table for one in served}
        for table in target.tables:
            if served and table not in names:
                text = f"not served at {target.requests}; served: {', '.join(sorted(names))}"
                self._fail(table, text)
        if served and not target.tables:
            self.out.put(_Told([], Scene(table=""), target.names[0]))
        for one in served:
            if not target.tables or one.table in target.tables:
                self._spawn(target, one)

    def _follow(self, target: Target, found: Found) -> None:
        try:
            follow(found, target.environment, _Outbox(self.out), self._stopping, **self._how)
        except CommandFailed as failed:
            self._fail(found.table, str(failed), "refused")

    def _fail(self, table: str, text: str, feed: str = "no_answer") -> None:
        self.out.put(_Told([Alarm(table, feed, text)], Scene(table=table, feed=feed, alarm=text)))


def watch_many(
    targets: list[Target],
    show: Screen | Lines | Payloads,
    stopping: Stopping,
    *,
    everything: bool,
    until_closed: bool,
) -> None:
    """Watch all of them until stopped, or until every table has closed."""
    many = _Many(stopping, everything=everything, until_closed=until_closed)
    try:
        with show:
            for target in targets:
                many.watch(target)
            while not stopping.is_set() and not many.is_over():
                _show(many.out, show)
            while many.out:
                _show(many.out, show)
    finally:
        stopping.set()
        many.join()


def _show(out: Inbox[_Told], show: Screen | Lines | Payloads) -> None:
    try:
        told = out.get(_DRAIN_SECONDS)
    except Empty:
        return
    if told.instead_of is not None:
        if isinstance(show, Screen):
            show.forget(told.instead_of)
        return
    show.heard(told.updates, told.scene)
