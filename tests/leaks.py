# SPDX-License-Identifier: Apache-2.0
"""What a test must not leave behind: threads, open files and sockets, unexpected warnings.

A test that expects a warning in the log asserts it with ``caplog`` and then calls
``caplog.clear()``.
"""

import gc
import logging
import threading
from pathlib import Path

from tests.waiting import until

# Descriptors of the interpreter and of the test tools, not of the code under test. Qt starts
# threads for large pictures and ends them half a minute later, each with an eventfd; a socket that
# was left open shows by its eventpoll.
_NOT_OURS = (
    *("/dev/null", "/dev/urandom", "/dev/random", "/proc/", ".hypothesis", ".coverage"),
    "anon_inode:[eventfd]",
)
_GRACE_SECONDS = 2.0


def open_descriptors() -> dict[int, str]:
    """Number and target of every open descriptor that belongs to the code under test."""
    found = {}
    for entry in Path("/proc/self/fd").iterdir():
        try:
            target = str(entry.readlink())
        except OSError:
            continue
        if not any(mark in target for mark in _NOT_OURS):
            found[int(entry.name)] = target
    return found


def running_threads() -> set[threading.Thread]:
    """Every thread but those of pytest's own time-out."""
    return {
        thread
        for thread in threading.enumerate()
        if not thread.name.startswith("pytest_timeout") and thread.is_alive()
    }


class Watch:
    """What was open when a test began."""

    def __init__(self) -> None:
        self.threads = running_threads()
        self.descriptors = open_descriptors()

    def new_threads(self) -> list[str]:
        """Names of the threads that were started since and still run."""
        return sorted(thread.name for thread in running_threads() - self.threads)

    def new_descriptors(self) -> list[str]:
        """Targets of the descriptors that were opened since and are still open."""
        before = self.descriptors
        return sorted(
            f"{number} -> {target}"
            for number, target in open_descriptors().items()
            if before.get(number) != target
        )

    def left_behind(self) -> list[str]:
        """One line for each kind of thing left behind, after a short grace; empty if none."""
        faults = []
        for what, look in (
            ("threads", self.new_threads),
            ("open descriptors", self.new_descriptors),
        ):
            if look():
                gc.collect()
                try:
                    until(lambda look=look: not look(), _GRACE_SECONDS)
                except AssertionError:
                    faults.append(f"{what} left behind: {', '.join(look())}")
        return faults


def warnings_of(records: list[logging.LogRecord]) -> list[str]:
    """The log records at WARNING or above, one line each."""
    return [
        f"{record.levelname} {record.name}: {record.getMessage()}"
        for record in records
        if record.levelno >= logging.WARNING
    ]
