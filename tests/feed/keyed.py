# SPDX-License-Identifier: Apache-2.0
"""A studio with keys for tests, its operators' machines, and a relay that records the wire."""

import queue
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from msgspec.structs import replace

from studio.feed.access import Access, AccessLog, What
from studio.feed.allowed import Allowed, Kind, changing, with_key, without_key
from studio.feed.crowd import Limits
from studio.feed.guard import PUBLIC, Guard
from studio.feed.keys import (
    ClientKeys,
    ServerKeys,
    StudioKeys,
    hex_of,
    make_own_key,
    make_server_keys,
    trust,
)
from tests.feed.examples import TABLE

AT = datetime(2026, 11, 29, 12, tzinfo=UTC)


class Studio:
    """A key folder, the machines of those who have a key there, and guards."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "keys"
        self._machines = folder / "machines"
        self.public: StudioKeys = make_server_keys(self.folder)
        self.keys = ServerKeys.load(self.folder)
        self.lines: list[Access] = []
        self.log = AccessLog(folder / "access", TABLE, self.lines.append)

    def guard(self, side: str = PUBLIC, limits: Limits | None = None) -> Guard:
        return Guard(side, TABLE, self.folder, self.keys.pair, self.log, limits=limits)

    def machine(self, name: str) -> Path:
        """The key folder of somebody's machine."""
        return self._machines / name

    def stranger(self, name: str) -> ClientKeys:
        """A machine with a key that the studio was never told of."""
        machine = self.machine(name)
        machine.parent.mkdir(exist_ok=True)
        make_own_key(machine, name)
        trust(machine, self.public)
        return ClientKeys.load(machine)

    def client(self, name: str, kind: Kind = Kind.OPERATOR, *, of: str | None = None) -> ClientKeys:
        """A machine whose key is let in; the next key of ``of``, if that is given."""
        keys = self.stranger(name)
        row = Allowed(name=of or name, kind=kind, public=public_of(keys), added=AT)
        with changing(self.folder) as rows:
            rows[:] = with_key(tuple(rows), row, is_next=of is not None)
        return keys

    def revoke(self, name: str, *, old_only: bool = False) -> None:
        with changing(self.folder) as rows:
            rows[:] = without_key(tuple(rows), name, AT, old_only=old_only)

    def told(self, what: What, who: str | None) -> list[Access]:
        """The lines about that."""
        return [one for one in self.lines if (one.what, one.who) == (what, who)]


def public_of(keys: ClientKeys) -> str:
    """A client's public key, in hex."""
    return hex_of(keys.pair.public)


def with_server(keys: ClientKeys, *servers: str) -> ClientKeys:
    """The same client, who takes another key for the studio's."""
    return keys._replace(studio=replace(keys.studio, server=servers))


class Relay:
    """A TCP relay to one port that keeps every byte, and may play some back."""

    def __init__(self, endpoint: str) -> None:
        host, _, port = endpoint.removeprefix("tcp://").rpartition(":")
        self._target = (host, int(port))
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.endpoint = f"tcp://127.0.0.1:{self._listening.getsockname()[1]}"
        self.sent: list[bytes] = []
        self.received: list[bytes] = []
        self._open: list[socket.socket] = [self._listening]
        self._threads: queue.SimpleQueue[threading.Thread] = queue.SimpleQueue()
        self._spawn(self._accept)

    def close(self) -> None:
        for one in list(self._open):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        while not self._threads.empty():
            self._threads.get().join()

    def __enter__(self) -> "Relay":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _spawn(self, work: Callable[[], None]) -> None:
        thread = threading.Thread(target=work)
        self._threads.put(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:
                return
            far = socket.create_connection(self._target)
            self._open += [near, far]
            self._spawn(lambda near=near, far=far: _pump(near, far, self.sent))  # type: ignore[misc]
            self._spawn(lambda near=near, far=far: _pump(far, near, self.received))  # type: ignore[misc]


def _pump(source: socket.socket, target: socket.socket, kept: list[bytes]) -> None:
    with suppress(OSError):
        while chunk := source.recv(65536):
            kept.append(chunk)
            target.sendall(chunk)
    for one in (source, target):
        with suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)
