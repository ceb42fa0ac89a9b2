# SPDX-License-Identifier: Apache-2.0
"""Processes that this one starts and that never outlive it."""

import contextlib
import ctypes
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from studio.cli.exits import CommandFailed
from studio.inbox import Stopping

START_SECONDS = 30.0
STOP_SECONDS = 10.0
_LOOK_SECONDS = 0.05
_PR_SET_PDEATHSIG = 1
_LINES_TOLD = 5


class Child:
    """One ``studio`` process; what it says on standard error is kept in a file."""

    def __init__(
        self,
        name: str,
        arguments: Sequence[str],
        folder: Path,
        environ: Mapping[str, str],
        *,
        shows: bool = False,
        told: str | None = None,
    ) -> None:
        """Start it. ``shows``: it writes on our own standard output, else into a pipe to us.

        ``told``: all that it finds on its standard input.
        """
        self.name = name
        self._said = folder / f"{name}.log"
        with self._said.open("wb") as errors:
            self.process = subprocess.Popen(  # noqa: S603 - our own program
                [sys.executable, "-P", "-m", "studio.cli", *arguments],
                stdin=subprocess.DEVNULL if told is None else subprocess.PIPE,
                stdout=None if shows else subprocess.PIPE,
                stderr=errors,
                env=dict(environ),
                # Ctrl-C reaches us alone: we stop the others in order
                start_new_session=True,
                preexec_fn=_DieWithParent(os.getpid()),  # noqa: PLW1509 - we have one thread
            )
        if told is not None and self.process.stdin is not None:
            with contextlib.suppress(BrokenPipeError), self.process.stdin as pipe:
                pipe.write(told.encode())

    def endpoints(self, stopping: Stopping) -> dict[str, Any]:
        """The first line that it prints, as JSON. Raises CommandFailed when none comes."""
        pipe = self.process.stdout
        if pipe is None:
            raise ValueError(f"{self.name} does not print to us")
        line = b""
        until = time.monotonic() + START_SECONDS
        while not line.endswith(b"\n"):
            if stopping.is_set():
                raise CommandFailed(f"stopped while the {self.name} was starting")
            if time.monotonic() > until:
                raise CommandFailed(f"the {self.name} said nothing for {START_SECONDS:g} s")
            if select.select([pipe], [], [], _LOOK_SECONDS)[0]:
                piece = os.read(pipe.fileno(), 4096)
                if not piece:
                    self.process.wait(STOP_SECONDS)
                    raise self.failure()
                line += piece
        read: dict[str, Any] = msgspec.json.decode(line)
        return read

    def status(self) -> int | None:
        """Its exit status, None while it runs."""
        return self.process.poll()

    def failure(self) -> CommandFailed:
        """Why it ended, in its own last words."""
        status = self.status()
        words = self._said.read_text(errors="replace").strip().splitlines()[-_LINES_TOLD:]
        told = "\n  ".join(words) or "it said nothing"
        how = "is running" if status is None else f"ended with status {status}"
        if status is not None and status < 0:
            how = f"was ended by {signal.Signals(-status).name}"
        return CommandFailed(f"the {self.name} {how}:\n  {told}")

    def stop(self) -> None:
        """End it in order, by force if it does not end in time."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()


class _DieWithParent:
    """Runs in the new process: the system ends it when we are gone, however we went."""

    def __init__(self, parent: int) -> None:
        self._parent = parent
        self._libc = ctypes.CDLL(None) if sys.platform == "linux" else None

    def __call__(self) -> None:
        if self._libc is not None:
            self._libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != self._parent:
            os._exit(1)
