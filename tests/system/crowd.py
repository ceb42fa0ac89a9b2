# SPDX-License-Identifier: Apache-2.0
"""A crowd of subscribers in a process: ``python -m tests.system.crowd COUNT KIND KEYS FEED...``.

A FEED is its events, requests and table as one argument, with commas; at each there are COUNT. The
KIND is ``quick`` or ``slow``: those take a message now and then and let hardly any wait. Says one
line of JSON when all are live. A line on standard input is the record of every feed; when all have
heard it to its end, or after a while, a line says what of them is not as it must be.
"""

import json
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

from studio.feed.keys import ClientKeys
from studio.feed.subscriber import Subscriber
from studio.feed.updates import Accepted, Alarm, Joined, Status
from tests.system.rig import Process, Studio
from tests.system.witness import stored

PATIENCE_SECONDS = 60.0
# A crowd takes part of a core: the table has work to do as well.
_REST = 2.0
_SHORTEST_REST_SECONDS = 0.05
_SLOW_SECONDS = 0.4


class Crowd:
    """The process, from outside."""

    def __init__(self, count: int, *feeds: Studio, kind: str = "quick") -> None:
        self._feeds = feeds
        folder = str(feeds[0].key_folder) if feeds[0].keys is not None else ""
        names = [
            ",".join((one.endpoints["public_events"], one.endpoints["public_requests"], one.table))
            for one in feeds
        ]
        self.process = Process(
            ["-m", "tests.system.crowd", str(count), kind, folder, *names], stdin=subprocess.PIPE
        )

    def ask(self) -> None:
        """Have them compare what they heard with the record as it stands now."""
        records = [[payload.decode() for payload in stored(one)] for one in self._feeds]
        stdin = self.process.child.stdin
        assert stdin is not None
        stdin.write(json.dumps(records).encode() + b"\n")
        stdin.flush()

    def faults(self) -> list[str]:
        """What is wrong with them, by the record that they were asked for last."""
        assert self.process.child.stdout is not None
        found: list[str] = json.loads(self.process.child.stdout.readline())
        return found

    def end(self, number: int = signal.SIGKILL) -> None:
        if self.process.child.stdin is not None:
            self.process.child.stdin.close()
        self.process.end(number)


class One:
    """One subscriber, and all that it heard."""

    def __init__(self, number: int, feed: str, kind: str, keys: ClientKeys | None) -> None:
        events, requests, self._table = feed.split(",")
        queued = 10_000 if kind == "quick" else 1
        self._name = f"{self._table} {kind} {number}"
        self._subscriber = Subscriber(
            events, requests, [self._table], "test", keys=keys, queued_messages=queued
        )
        self.joined: list[int] = []
        self.heard: list[str] = []
        self.alarms: list[str] = []

    def listen(self) -> None:
        for update in self._subscriber.poll(0):
            match update:
                case Joined(seq=seq):
                    self.joined.append(seq)
                case Accepted(message=message):
                    self.heard.append(message.payload.decode())
                case Alarm(code=code, text=text):
                    self.alarms.append(f"{code}: {text}")
                case _:
                    pass

    def is_live(self) -> bool:
        return self._subscriber.followers[self._table].status is Status.LIVE

    def is_at(self, record: list[str]) -> bool:
        return self.is_live() and sum(self.joined[:1]) + len(self.heard) >= len(record)

    def faults(self, record: list[str]) -> list[str]:
        found = self.alarms[:3]
        if len(self.joined) != 1:
            found.append(f"it joined {len(self.joined)} times")
        elif self.heard[: len(record) - self.joined[0]] != record[self.joined[0] :]:
            # the table may have said more by now
            found.append(f"{len(self.heard)} messages after {self.joined[0]} of {len(record)}")
        if not self.is_live():
            found.append(f"it is {self._subscriber.followers[self._table].status.value}")
        return [f"{self._name}: {fault}" for fault in found]


def say(what: object) -> None:
    print(json.dumps(what), flush=True)


def main(count: str, kind: str, folder: str, *feeds: str) -> None:
    """Listen until standard input is closed."""
    keys = ClientKeys.load(Path(folder)) if folder else None
    crowd = [[One(number, feed, kind, keys) for number in range(int(count))] for feed in feeds]
    everyone = [one for part in crowd for one in part]
    records: list[list[str]] | None = None
    is_told, until = False, 0.0
    while True:
        began = time.monotonic()
        for one in everyone:
            one.listen()
        if not is_told and all(one.is_live() for one in everyone):
            is_told = True
            say({"live": len(everyone)})
        if records is not None:
            pairs = [(one, rec) for part, rec in zip(crowd, records, strict=True) for one in part]
            if time.monotonic() > until or all(one.is_at(record) for one, record in pairs):
                say([fault for one, record in pairs for fault in one.faults(record)])
                records = None
        rest = max((time.monotonic() - began) * _REST, _SHORTEST_REST_SECONDS)
        if kind == "slow":
            rest = _SLOW_SECONDS
        if select.select([sys.stdin], [], [], rest)[0]:
            line = sys.stdin.readline()
            if not line:
                return
            records, until = json.loads(line), time.monotonic() + PATIENCE_SECONDS


if __name__ == "__main__":
    main(*sys.argv[1:])
