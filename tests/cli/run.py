# SPDX-License-Identifier: Apache-2.0
"""Runs ``studio`` in a process of its own, with a home of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

STUDIO = (sys.executable, "-m", "studio.cli")
SECONDS = 50.0


def environment(home: Path) -> dict[str, str]:
    """Ours, but with a home and a temporary folder below ``home``, no site and no screen."""
    left_out = ("XDG", "STUDIO", "DISPLAY", "WAYLAND_DISPLAY")
    own = {key: value for key, value in os.environ.items() if not key.startswith(left_out)}
    return own | {"HOME": str(home), "TMPDIR": str(home), "COLUMNS": "100"}


def studio(*arguments: str, home: Path, **more: Any) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(
        [*STUDIO, *arguments],
        env=environment(home),
        cwd=home,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
        **more,
    )


@contextmanager
def running(*arguments: str, home: Path) -> Iterator[dict[str, Any]]:
    """A command that runs on, while it does; gives its first line, which is JSON."""
    process = subprocess.Popen(
        [*STUDIO, *arguments],
        env=environment(home),
        cwd=home,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())
    finally:
        process.terminate()
        status = process.wait(SECONDS)
        process.stdout.close()
    assert status == 0, f"studio {arguments[0]} was to stop in order"


def processes_in(folder: Path) -> list[int]:
    """Processes whose temporary folder is this one."""
    mark = f"TMPDIR={folder}".encode()
    found = []
    for entry in Path("/proc").glob("[0-9]*/environ"):
        try:
            if mark in entry.read_bytes().split(b"\0"):
                found.append(int(entry.parent.name))
        except OSError:
            continue
    return found
