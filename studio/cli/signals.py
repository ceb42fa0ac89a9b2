# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C, SIGTERM and a closed terminal end a command in order, not in the middle of a step."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from studio.inbox import Stopping

STOPPING = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)


@contextmanager
def stopping_on_signals(also: Callable[[], None] = lambda: None) -> Iterator[Stopping]:
    """An event that the signals set; ``also`` is called then, from the signal handler."""
    stopping = Stopping()

    def stop(number: int, _frame: FrameType | None) -> None:
        if stopping.by is None:
            stopping.by = number
        stopping.set()
        also()

    before = {number: signal.signal(number, stop) for number in STOPPING}
    try:
        yield stopping
    finally:
        for number, action in before.items():
            signal.signal(number, action)
