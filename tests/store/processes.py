# SPDX-License-Identifier: Apache-2.0
"""Starting ``tests.store.child`` and hearing what it says."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

_ROOT = Path(__file__).parents[2]


class Child(NamedTuple):
    """A running child: its process id and the lines that it says, as they come."""

    pid: int
    lines: Iterator[dict[str, Any]]


@contextmanager
def running(task: str, argument: str, *before: str) -> Iterator[Child]:
    """The child at work on a task; killed at the end if it still is. ``before``: a wrapper."""
    command = [*before, sys.executable, "-m", "tests.store.child", task, argument]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=_ROOT) as process:
        assert process.stdout is not None
        try:
            yield Child(process.pid, map(json.loads, process.stdout))
        finally:
            process.kill()


def said(task: str, argument: str, *before: str) -> list[dict[str, Any]]:
    """All that the child said; fails if it did not end well within 50 seconds."""
    command = [*before, sys.executable, "-m", "tests.store.child", task, argument]
    done = subprocess.run(command, capture_output=True, cwd=_ROOT, check=False, timeout=50)
    assert done.returncode == 0, done.stderr.decode()
    return [json.loads(line) for line in done.stdout.splitlines()]
