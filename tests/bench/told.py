# SPDX-License-Identifier: Apache-2.0
"""When services told their staff what: heard in a process apart, which costs a window nothing.

``python -m tests.bench.told FILE ADDRESS ...`` hears those staff sockets until it is ended, and
then writes down what it heard.
"""

import signal
import sys
import threading
import time
from collections.abc import Collection
from datetime import datetime
from pathlib import Path

import msgspec
import zmq

from tests.system.rig import Process


class Told(msgspec.Struct, frozen=True):
    """One message: its own time, and when it was received; seconds since the epoch."""

    table: str
    type: str
    seq: int
    at: float
    received: float


class Hearing(Process):
    """Hears from now on; ``told`` ends it. Everybody has one clock here."""

    def __init__(self, folder: Path, addresses: Collection[str]) -> None:
        self._file = folder / "told.json"
        super().__init__(["-m", "tests.bench.told", f"{self._file}", *addresses])

    def told(self) -> list[Told]:
        """All messages since it began, heartbeats apart, in the order in which they came."""
        self.end()
        return msgspec.json.decode(self._file.read_bytes(), type=list[Told])


class _Message(msgspec.Struct):
    table: str
    type: str
    seq: int
    at: datetime


def main(file: str, *addresses: str) -> None:
    """Hear until SIGTERM."""
    stopping = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stopping.set())
    told: list[Told] = []
    tables: set[str] = set()
    with zmq.Context() as context, context.socket(zmq.SUB) as socket:
        socket.linger = socket.rcvhwm = 0
        socket.subscribe("")
        for address in addresses:
            socket.connect(address)
        while not stopping.is_set():
            if not socket.poll(100):
                continue
            payload, received = socket.recv_multipart()[-1], time.time()
            one = msgspec.json.decode(payload, type=_Message)
            if one.type != "heartbeat":
                told.append(Told(one.table, one.type, one.seq, one.at.timestamp(), received))
            elif len(tables) < len(addresses):
                tables.add(one.table)
                if len(tables) == len(addresses):
                    print("{}", flush=True)
    Path(file).write_bytes(msgspec.json.encode(told))


if __name__ == "__main__":
    main(*sys.argv[1:])
