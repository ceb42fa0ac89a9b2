# SPDX-License-Identifier: Apache-2.0
"""Waiting for a condition with a deadline, instead of sleeping for a guess."""

import threading
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def until(condition: Callable[[], T], seconds: float = 30.0, every: float = 0.01) -> T:
    """The first value of ``condition`` that is true; fails the test after ``seconds`` without one.

    The condition is asked at once, and then every ``every`` seconds.
    """
    pause = threading.Event()
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() >= deadline:
            what = getattr(condition, "__name__", repr(condition))
            raise AssertionError(f"{what} was not true within {seconds} s; last value: {value!r}")
        pause.wait(every)
