# SPDX-License-Identifier: Apache-2.0
"""What one thread waits for and others bring: things in a queue, or the word that it is time.

Signal handlers bring too. They run at any moment, in the very thread that waits, so that no lock
may be held on the way: that rules out ``threading.Event`` and ``queue.Queue``. And with
``queue.SimpleQueue`` a wait has no end when its time is over before it has well begun, which a few
microseconds are, or longer on a busy machine (seen with CPython 3.7 to 3.13). The lock here is a
bell: whoever waits takes it, whoever brings something lets it go.
"""

import threading
import time
from collections import deque
from queue import Empty
from typing import Generic, TypeVar

T = TypeVar("T")


class _Bell:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lock.acquire()

    def ring(self) -> None:
        try:
            self._lock.release()
        except RuntimeError:
            return  # it rings already

    def wait(self, seconds: float) -> bool:
        """Whether it rang; it is quiet afterwards."""
        return self._lock.acquire(timeout=max(seconds, 0.0))


class Inbox(Generic[T]):
    """Things in the order in which they came. One thread takes them out."""

    def __init__(self) -> None:
        self._things: deque[T] = deque()
        self._bell = _Bell()

    def __len__(self) -> int:
        return len(self._things)

    def put(self, thing: T) -> None:
        """Bring one; from any thread, or a signal handler."""
        self._things.append(thing)
        self._bell.ring()

    def get(self, seconds: float = 0.0) -> T:
        """Take the oldest. Raises ``queue.Empty`` when none comes in that time."""
        until = time.monotonic() + seconds
        while not self._things:
            if not self._bell.wait(until - time.monotonic()):
                raise Empty
        return self._things.popleft()


class Stopping:
    """Set when it is time to end; ``by`` is the signal that said so, None while there was none."""

    def __init__(self) -> None:
        self.by: int | None = None
        self._is_set = False
        self._bell = _Bell()

    def is_set(self) -> bool:
        """Whether it is time to end."""
        return self._is_set

    def set(self) -> None:
        """It is time to end; from any thread, or a signal handler."""
        self._is_set = True
        self._bell.ring()

    def wait(self, seconds: float) -> bool:
        """Wait for it, no longer than that; whether it is time."""
        if not self._is_set and self._bell.wait(seconds):
            self._bell.ring()  # others may wait too
        return self._is_set
