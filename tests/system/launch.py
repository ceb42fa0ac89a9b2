# SPDX-License-Identifier: Apache-2.0
"""Runs a table service as a process, and kills it (SIGKILL, itself) at a chosen step.

``python -m tests.system.launch SITE TABLE [POINT NUMBER]``: prints the endpoints as one line of
JSON, serves until SIGTERM. The points are the steps between a card's bytes and its message; the
process dies the NUMBER-th time that it reaches the point for a card. They are put around the
program from outside: the program itself knows nothing of them.
"""

import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from drivers.rawlog import RawLog
from drivers.reader import Reader
from studio import service as service_module
from studio.cli.logs import log_to_standard_error
from studio.feed.publisher import Publisher
from studio.game.events import CardDealt
from studio.game.inputs import CardDrawn, Reported
from studio.inbox import Stopping
from studio.service import TableService
from studio.serving import Endpoints, serve
from studio.settings import load_table
from studio.store.journal import Journal

_CARD = b"D"
# A line that was lost is opened again soon; the real pauses have tests of their own.
Reader.__init__.__kwdefaults__["pauses_seconds"] = (0.05,)


class _Fuse:
    """Kills the process the ``number``-th time that it burns."""

    def __init__(self, number: int) -> None:
        self.left = number

    def burn(self) -> None:
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


def _around(
    owner: Any, name: str, *, before: Callable[..., None] | None = None,
    after: Callable[..., None] | None = None,
) -> None:  # fmt: skip
    original = getattr(owner, name)

    def wrapped(*args: Any, **kwargs: Any) -> Any:
        if before is not None:
            before(*args, **kwargs)
        result = original(*args, **kwargs)
        if after is not None:
            after(*args, **kwargs)
        return result

    setattr(owner, name, wrapped)


def arm(point: str, number: int) -> None:
    """Put the fuse at a point."""
    fuse = _Fuse(number)

    def on_card_bytes(_self: RawLog, data: bytes, *_rest: Any) -> None:
        if _CARD in data:
            fuse.burn()

    def on_card_report(_self: Any, given: Any, *_rest: Any) -> None:
        if isinstance(given, Reported) and isinstance(given.report, CardDrawn):
            fuse.burn()

    def on_card_decided(_self: Journal, entries: Any) -> None:
        if any(isinstance(entry.recorded.event, CardDealt) for entry in entries):
            fuse.burn()

    def on_card_sent(_self: Publisher, topic: bytes, _payload: bytes) -> None:
        if topic.endswith(b"/card_dealt"):
            fuse.burn()

    match point:
        case "read":
            _around(RawLog, "chunk", before=on_card_bytes)
        case "logged":
            _around(RawLog, "chunk", after=on_card_bytes)
        case "decoded":
            _around(TableService, "submit", before=on_card_report)
        case "in the inbox":
            _around(TableService, "submit", after=on_card_report)
        case "taken":
            _around(service_module, "consider", before=lambda *given: on_card_report(*given[:2]))
        case "decided":
            _around(Journal, "append", before=on_card_decided)
        case "uncommitted":
            _kill_before_commit(fuse)
        case "stored":
            _around(Journal, "append", after=on_card_decided)
        case "applied":
            _around(Publisher, "send", before=on_card_sent)
        case "sent":
            _around(Publisher, "send", after=on_card_sent)
        case _:
            raise ValueError(f"no such point: {point}")


def _kill_before_commit(fuse: _Fuse) -> None:
    """Die after the rows of a card were inserted and before COMMIT."""
    original = Journal.append

    def append(self: Journal, entries: Any) -> Any:
        is_card = any(isinstance(entry.recorded.event, CardDealt) for entry in entries)
        execute = self._execute

        def executed(statement: str, *values: Any) -> Any:
            if is_card and statement == "COMMIT":
                fuse.burn()
            return execute(statement, *values)

        self._execute = executed  # type: ignore[assignment]
        try:
            return original(self, entries)
        finally:
            self._execute = execute

    Journal.append = append  # type: ignore[method-assign]


def main(site: str, table: str, point: str = "", number: str = "1") -> None:
    """Serve until SIGTERM."""
    settings = load_table(table, Path(site))
    log_to_standard_error(settings.studio.log_level.value)
    if point:
        arm(point, int(number))
    stopping = Stopping()
    serving: list[TableService] = []

    def stop(*_args: object) -> None:
        stopping.set()
        for service in serving:
            service.wake()

    signal.signal(signal.SIGTERM, stop)

    def started(service: TableService, endpoints: Endpoints) -> None:
        serving.append(service)
        print(json.dumps(vars(endpoints)), flush=True)

    serve(settings, stopping, started=started)


if __name__ == "__main__":
    main(*sys.argv[1:])
