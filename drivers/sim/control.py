# SPDX-License-Identifier: Apache-2.0
"""The control line of a simulated shoe: one JSON command a line, one JSON answer a line.

Server side. It knows the commands' form, not what they do. Whoever reaches it can deal cards,
which is why it listens on loopback only.
"""

import select
import socket

import msgspec

from drivers.sim.commands import Answer, ControlCommand
from drivers.sim.ports import address_of

READ_SIZE = 65536
LONGEST_LINE = 1 << 20
SEND_SECONDS = 1.0

_DECODER = msgspec.json.Decoder(ControlCommand)
_ENCODER = msgspec.json.Encoder()


class Client:
    """One connection that sends commands. State: the bytes of an unfinished line."""

    def __init__(self, connection: socket.socket) -> None:
        self.socket = connection
        self._held = bytearray()

    def read_lines(self) -> list[bytes] | None:
        """The whole lines that have come; None when the other side is gone or talks nonsense."""
        try:
            data = self.socket.recv(READ_SIZE)
        except OSError:
            return None
        self._held += data
        if not data or len(self._held) > LONGEST_LINE:
            return None
        *lines, rest = bytes(self._held).split(b"\n")
        self._held = bytearray(rest)
        return [line for line in lines if line.strip()]


class ControlServer:
    """Accepts connections, reads commands, sends answers; never waits for a command."""

    def __init__(self, host: str, port: int) -> None:
        self._listener = socket.create_server((host, port))
        self._listener.settimeout(0.0)
        self._clients: list[Client] = []

    @property
    def endpoint(self) -> str:
        """``host:port`` to give to ``ShoeControl``."""
        return address_of(self._listener)

    def descriptors(self) -> list[int]:
        """What to watch for reading."""
        return [self._listener.fileno(), *(client.socket.fileno() for client in self._clients)]

    def receive(self) -> list[tuple[Client, ControlCommand]]:
        """The commands that have come. A line that is none is answered here."""
        watched = [self._listener, *(client.socket for client in self._clients)]
        ready = select.select(watched, [], [], 0)[0]
        found: list[tuple[Client, ControlCommand]] = []
        for client in [each for each in self._clients if each.socket in ready]:
            lines = client.read_lines()
            if lines is None:
                self._drop(client)
            for line in lines or []:
                try:
                    found.append((client, _DECODER.decode(line)))
                except msgspec.MsgspecError as error:
                    text = f'not a command: {error}; a line is one object like {{"do":"pull"}}'
                    self.answer(client, Answer(ok=False, error=text))
        if self._listener in ready:
            self._accept()
        return found

    def answer(self, client: Client, answer: Answer) -> None:
        """Answer a command; a client that does not read its answers is dropped."""
        if client not in self._clients:
            return
        try:
            client.socket.sendall(_ENCODER.encode(answer) + b"\n")
        except OSError:
            self._drop(client)

    def close(self) -> None:
        """Hang up on everybody."""
        for client in list(self._clients):
            self._drop(client)
        self._listener.close()

    def _accept(self) -> None:
        try:
            connection, _ = self._listener.accept()
        except OSError:
            return
        connection.settimeout(SEND_SECONDS)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._clients.append(Client(connection))

    def _drop(self, client: Client) -> None:
        client.socket.close()
        self._clients.remove(client)
