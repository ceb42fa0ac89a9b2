# SPDX-License-Identifier: Apache-2.0
"""A command on a real terminal of its own."""

import contextlib
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
from pathlib import Path

from studio.cli.exits import Exit
from tests.cli.run import STUDIO, environment
from tests.waiting import until

COLUMNS, LINES = 80, 24
SECONDS = 40


class Terminal:
    """A command on a pseudo-terminal, and all that it wrote there."""

    def __init__(self, arguments: list[str], home: Path) -> None:
        self._own, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        own = environment(home) | {"TERM": "xterm"}
        own.pop("COLUMNS")
        self.child = subprocess.Popen(
            [*STUDIO, *arguments], env=own, cwd=home, stdin=theirs, stdout=theirs, stderr=theirs
        )
        os.close(theirs)
        self.text = ""

    def until(self, *words: str) -> None:
        def is_there() -> bool:
            if select.select([self._own], [], [], 0.1)[0]:
                self.text += os.read(self._own, 65536).decode(errors="replace")
            return all(word in self.text for word in words)

        until(is_there, SECONDS)

    def press(self, keys: bytes) -> None:
        """Type these; what was written before is forgotten."""
        self.text = ""
        os.write(self._own, keys)

    def wait(self) -> int:
        """It ends by itself; the status that it ends with."""
        with contextlib.suppress(OSError):
            while os.read(self._own, 65536):
                pass
        os.close(self._own)
        return self.child.wait(SECONDS)

    def end(self) -> list[str]:
        """Ctrl-C; the picture that stays."""
        self.child.send_signal(signal.SIGINT)
        with contextlib.suppress(OSError):
            while chunk := os.read(self._own, 65536):
                self.text += chunk.decode(errors="replace")
        os.close(self._own)
        assert self.child.wait(SECONDS) == Exit.DONE
        return self.text.rpartition("\x1b[?1049l")[2].replace("\r", "").split("\n")
