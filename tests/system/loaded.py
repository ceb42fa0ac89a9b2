# SPDX-License-Identifier: Apache-2.0
"""Table services forked from a process that has the program loaded, and that has run none of it.

Most of what a service needs to start is loading its modules, each time the same: a second of a
processor, hundreds of times. Here they are loaded once for all tests of a run; each service is
still a process of its own. ``studio serve`` itself is started by other tests, as people start it.
"""

import gc
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

ROOT = Path(__file__).parents[2]
_LONGEST_REQUEST = 1 << 20
_FDS = 3


class Service:
    """A forked service, to be handled as a ``subprocess.Popen`` is."""

    def __init__(self, pid: int, stdout: IO[bytes], status: int) -> None:
        self.pid = pid
        self.stdin = None
        self.stdout = stdout
        self.returncode: int | None = None
        self._status = status

    def poll(self) -> int | None:
        """The exit status, None while it runs."""
        return self._read(0)

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end; the exit status."""
        status = self._read(timeout)
        if status is None:
            raise subprocess.TimeoutExpired(["service"], timeout or 0.0)
        return status

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def _read(self, timeout: float | None) -> int | None:
        if self.returncode is None and select.select([self._status], [], [], timeout)[0]:
            self.returncode = int(os.read(self._status, 16))
            os.close(self._status)
        return self.returncode


class Loaded:
    """The process that has the program loaded, from outside."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self._asking = threading.Lock()

    def start(self, arguments: Sequence[str], errors: IO[bytes]) -> Service:
        """Fork a service as ``python -m tests.system.launch`` would be started now."""
        said, saying = os.pipe()
        status, ending = os.pipe()
        asked = json.dumps({"arguments": [*arguments], "environment": dict(os.environ)}).encode()
        with self._asking:
            socket.send_fds(self._line, [asked], [saying, errors.fileno(), ending])
            pid = int(self._line.recv(16))
        os.close(saying)
        os.close(ending)
        return Service(pid, os.fdopen(said, "rb"), status)


running: Loaded | None = None


@contextmanager
def loaded() -> Iterator[None]:
    """While there is such a process; it has its modules a moment later."""
    global running  # noqa: PLW0603 - one for a run
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    number = theirs.fileno()
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.system.loaded", str(number)], cwd=ROOT, pass_fds=[number]
    )
    theirs.close()
    with ours:
        running = Loaded(ours)
        yield
        running = None
    child.wait()


class _Forking:
    """That process, from inside: forks, and tells who asked what became of the fork."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self._ends: dict[int, int] = {}
        self._woken, waking = os.pipe2(os.O_NONBLOCK)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(waking)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        self._waking = waking

    def next_service(self) -> list[str] | None:
        """In each fork its arguments; None, in this process, when nobody asks any more."""
        while True:
            ready = select.select([self._line, self._woken], [], [])[0]
            if self._woken in ready:
                os.read(self._woken, 4096)
                self._tell_ends()
            if self._line in ready:
                asked, fds, _, _ = socket.recv_fds(self._line, _LONGEST_REQUEST, _FDS)
                if not asked:
                    return None
                request = json.loads(asked)
                pid = os.fork()
                if pid == 0:
                    self._become(fds, request["environment"])
                    return list(request["arguments"])
                self._ends[pid] = fds.pop()
                for one in fds:
                    os.close(one)
                self._line.send(str(pid).encode())

    def _tell_ends(self) -> None:
        with suppress(ChildProcessError):
            while (found := os.waitpid(-1, os.WNOHANG))[0]:
                end = self._ends.pop(found[0])
                # nobody may wait for it any more
                with suppress(BrokenPipeError):
                    os.write(end, str(os.waitstatus_to_exitcode(found[1])).encode())
                os.close(end)

    def _become(self, fds: Sequence[int], environment: dict[str, str]) -> None:
        """Be as a process that was just started."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        null = os.open(os.devnull, os.O_RDONLY)
        for number, one in enumerate((null, *fds[:2])):
            os.dup2(one, number)
        self._line.close()
        for one in (null, *fds, *self._ends.values(), self._woken, self._waking):
            os.close(one)
        os.environ.clear()
        os.environ.update(environment)


def main(number: str) -> None:
    """Fork services until the line ends, and be one in each fork."""
    from tests.system import launch

    gc.collect()
    gc.freeze()
    arguments = _Forking(socket.socket(fileno=int(number))).next_service()
    if arguments is not None:
        gc.unfreeze()
        launch.main(*arguments)


if __name__ == "__main__":
    main(*sys.argv[1:])
