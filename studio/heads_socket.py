# SPDX-License-Identifier: Apache-2.0
"""Heads of a record, sent to another machine: a line of JSON after every round, over TCP.

Whatever takes lines and keeps them is a receiver. A line is kept here until the other side's TCP
has taken it; when the connection is lost it is made again, with longer and longer waits, and what
was not taken is sent first, so that a line may come twice and none is missing. All of it is the
work of a thread that no card and no round waits for. Behind many thousand lines the oldest go: each
head covers all that was before it.
"""

import fcntl
import select
import socket
import struct
import termios
import threading
from collections import deque
from queue import Empty
from typing import Self

import msgspec

from studio.heads import Head
from studio.inbox import Inbox
from studio.operator_log import log_line

_CONNECT_SECONDS = 5.0
_CLOSING_SECONDS = 5.0
_FIRST_WAIT, _LONGEST_WAIT = 0.5, 30.0
_MOST_KEPT = 20_000


class HeadsSocket:
    """Sends heads to ``tcp://HOST:PORT``, in a thread of its own. ``add`` never waits."""

    def __init__(self, address: str, table: str) -> None:
        self._address = address
        self._table = table
        self._fault = ""
        self._due: Inbox[Head | None] = Inbox()
        self._kept: deque[bytes] = deque(maxlen=_MOST_KEPT)
        self._sent = 0
        self._connection: socket.socket | None = None
        self._thread = threading.Thread(target=self._run, name=f"heads {table}", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._due.put(None)
        self._thread.join(_CLOSING_SECONDS)

    def add(self, head: Head) -> None:
        """Have this head sent."""
        self._due.put(head)

    def _run(self) -> None:
        wait = _FIRST_WAIT
        while True:
            try:
                head = self._due.get(wait if self._kept else _LONGEST_WAIT)
                if head is None:
                    break
                self._keep(msgspec.json.encode(head) + b"\n")
            except Empty:
                if not self._kept:
                    continue
            wait = _FIRST_WAIT if self._try() else min(2 * wait, _LONGEST_WAIT)
        self._try()
        self._hang_up()

    def _keep(self, line: bytes) -> None:
        if len(self._kept) == _MOST_KEPT and self._sent:
            self._sent -= 1
        self._kept.append(line)

    def _try(self) -> bool:
        """Send what waits, and let go of what was taken. False where it failed."""
        try:
            self._exchange()
        except OSError as fault:
            self._hang_up()
            self._say(f"{self._address}: {fault.strerror or fault}")
            return False
        self._say("")
        return True

    def _exchange(self) -> None:
        connection = self._connection
        if connection is None:
            connection = self._connection = _connected(self._address)
        elif _is_over(connection):
            raise ConnectionResetError("the other side ended the connection")
        elif _untaken(connection) == 0:
            for _ in range(self._sent):
                self._kept.popleft()
            self._sent = 0
        waiting = list(self._kept)[self._sent :]
        connection.sendall(b"".join(waiting))
        self._sent += len(waiting)

    def _hang_up(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection, self._sent = None, 0

    def _say(self, fault: str) -> None:
        """Log a failure once, and once that it is over."""
        if bool(fault) != bool(self._fault):
            words = "heads are not kept outside" if fault else "heads are kept outside again"
            log_line(words, warns=bool(fault), table=self._table, why=fault or self._address)
        self._fault = fault


def place_of(address: str) -> tuple[str, int]:
    """Host and port of ``tcp://HOST:PORT``."""
    host, _, port = address.removeprefix("tcp://").rpartition(":")
    return host.strip("[]"), int(port)


def _connected(address: str) -> socket.socket:
    connection = socket.create_connection(place_of(address), timeout=_CONNECT_SECONDS)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(_CONNECT_SECONDS * 1000))
    return connection


def _is_over(connection: socket.socket) -> bool:
    """Whether the other side has gone; what it may say is not heard."""
    while select.select([connection], [], [], 0)[0]:
        if not connection.recv(4096):
            return True
    return False


def _untaken(connection: socket.socket) -> int:
    """How many bytes the other side's TCP has not taken yet."""
    (count,) = struct.unpack("i", fcntl.ioctl(connection, termios.TIOCOUTQ, bytes(4)))
    return int(count)
