# SPDX-License-Identifier: Apache-2.0
"""The front-end's process: started for one case, its lines read as they come, and ended."""

import os
import queue
import signal
import subprocess
import tempfile
import threading
from collections.abc import Mapping, Sequence

_STOP_SECONDS = 3.0
_LINES_TOLD = 5
CAN_PAUSE = hasattr(signal, "SIGSTOP")


class CannotStart(Exception):
    """The command cannot be run; the text says why."""


class Child:
    """Runs ``command``; ends with ``close``, with whatever it started itself."""

    def __init__(self, command: Sequence[str], variables: Mapping[str, str]) -> None:
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the command that the user gave
                [*command],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=self._said,
                env={**os.environ, **variables},
                # what it starts in turn is paused and ended with it
                start_new_session=True,
            )
        except OSError as fault:
            self._said.close()
            raise CannotStart(f"{command[0]}: {fault.strerror}") from None
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        self.has_ended = False
        self._thread = threading.Thread(target=self._read, name="front-end")
        self._thread.start()

    def _read(self) -> None:
        pipe = self._process.stdout
        if pipe is not None:
            with pipe:
                for line in pipe:
                    self._lines.put(line)
        self._lines.put(None)

    def line(self, seconds: float) -> bytes | None:
        """The next line; None when there is none in time, or none any more (``has_ended``)."""
        if self.has_ended:
            return None
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            return None
        self.has_ended = line is None
        return line

    def last_words(self) -> str:
        """How it ended, and the end of what it said on standard error."""
        try:
            status = self._process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            how = "closed its output"
        else:
            how = f"ended with status {status}"
        self._said.seek(0)
        words = self._said.read().decode(errors="replace").strip().splitlines()
        return "\n".join([how, *words[-_LINES_TOLD:]])

    def pause(self) -> None:
        """Let it stand still, as on a machine that hangs."""
        self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Let it run again."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: int) -> None:
        try:
            os.killpg(self._process.pid, number)
        except (ProcessLookupError, PermissionError):
            return

    def close(self) -> None:
        """End it."""
        if os.name == "posix":
            self._signal(signal.SIGCONT)
            self._signal(signal.SIGTERM)
        else:
            self._process.terminate()
        try:
            self._process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
        if os.name == "posix":
            self._signal(signal.SIGKILL)
        self._process.wait()
        self._thread.join()
        self._said.close()
