# SPDX-License-Identifier: Apache-2.0
"""How another terminal reaches a running sandbox: a local socket in its folder, its owner's alone.

One line of JSON each way: the words of a trigger, and what came of it.
"""

import contextlib
import os
import socket
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from studio.cli.exits import CommandFailed, Exit
from studio.sandbox import Answer

PREFIX = "sabot-sandbox-"
_NAME = "trigger"
_SAY_SECONDS = 2.0
_MOST_BYTES = 4096
_MOST_WAITING = 16
_words = msgspec.json.Decoder(tuple[str, ...])


class Asked:
    """Somebody who waits for an answer."""

    def __init__(self, connection: socket.socket, words: tuple[str, ...]) -> None:
        self._connection = connection
        self.words = words

    def answer(self, answer: Answer) -> None:
        """Say it; whoever has gone does not hear it."""
        with self._connection, contextlib.suppress(OSError):
            self._connection.sendall(msgspec.json.encode(answer) + b"\n")


class Line:
    """Where triggers are asked for. ``fileno`` is ready when somebody calls."""

    def __init__(self, folder: Path) -> None:
        """Listen. Raises CommandFailed where the path is too long for the system."""
        self._socket = socket.socket(socket.AF_UNIX)
        self._path = folder / _NAME
        try:
            self._socket.bind(str(self._path))
        except OSError as fault:
            self._socket.close()
            text = f"--folder: {self._path}: {fault}; choose a folder with a shorter path"
            raise CommandFailed(text, Exit.BAD_SETTINGS) from None
        self._path.chmod(0o600)
        self._socket.listen(_MOST_WAITING)

    def fileno(self) -> int:
        """For select."""
        return self._socket.fileno()

    def take(self) -> Asked | None:
        """Who calls, and for what; None if it is nothing that can be read."""
        connection, _ = self._socket.accept()
        connection.settimeout(_SAY_SECONDS)
        try:
            with connection.makefile("rb") as lines:
                return Asked(connection, _words.decode(lines.readline(_MOST_BYTES)))
        except (OSError, msgspec.MsgspecError):
            connection.close()
            return None

    def close(self) -> None:
        """Hear nobody any more."""
        self._socket.close()
        self._path.unlink(missing_ok=True)


def ask(folder: Path | None, words: Sequence[str]) -> Answer:
    """Ask the sandbox in that folder, or the only one of this user. Raises CommandFailed."""
    place = _only_one() if folder is None else folder.expanduser().absolute()
    with _called(place) as connection:
        try:
            connection.sendall(msgspec.json.encode(words) + b"\n")
            with connection.makefile("rb") as lines:
                said = lines.readline()
        except OSError:
            said = b""
    if not said.endswith(b"\n"):
        raise CommandFailed(f"the sandbox in {place} ended before it answered", Exit.UNREACHABLE)
    return msgspec.json.decode(said, type=Answer)


def _called(folder: Path) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.connect(str(folder / _NAME))
    except OSError:
        connection.close()
        text = f"no sandbox runs in {folder}: start `studio sandbox`, or say its --folder"
        raise CommandFailed(text, Exit.UNREACHABLE) from None
    return connection


def _only_one() -> Path:
    running = [place for place in _own() if _is_running(place)]
    if not running:
        text = "no sandbox of yours runs here: start `studio sandbox`, or say its --folder"
        raise CommandFailed(text, Exit.UNREACHABLE)
    if len(running) > 1:
        told = ", ".join(str(place) for place in running)
        raise CommandFailed(f"which sandbox? Say --folder, one of: {told}", Exit.BAD_SETTINGS)
    return running[0]


def _own() -> Iterator[Path]:
    for place in sorted(Path(tempfile.gettempdir()).glob(f"{PREFIX}*")):
        with contextlib.suppress(OSError):
            if place.stat().st_uid == os.geteuid() and (place / _NAME).is_socket():
                yield place


def _is_running(folder: Path) -> bool:
    try:
        _called(folder).close()
    except CommandFailed:
        return False
    return True
