# SPDX-License-Identifier: Apache-2.0
"""A serial device server as the line of a simulated shoe."""

import select
import socket
import struct

from drivers.sim.ports import READ_SIZE, Outbox, address_of

MOST_CONNECTIONS = 4


class _Connection:
    def __init__(self, connection: socket.socket) -> None:
        self.socket = connection
        self.outbox = Outbox()


class TcpPort:
    """A serial device server: every host that connects hears the shoe, four at most.

    Unplugged, it hangs up on everybody who is or gets connected.
    """

    unread = 0

    def __init__(self, host: str, port: int) -> None:
        self._listener = socket.create_server((host, port))
        self._listener.settimeout(0.0)
        self._hosts: list[_Connection] = []
        self._is_plugged = True
        self._lost = 0

    @property
    def lost(self) -> int:
        return self._lost + sum(host.outbox.lost for host in self._hosts)

    @property
    def endpoint(self) -> str:
        return address_of(self._listener)

    @property
    def connections(self) -> int:
        return len(self._hosts)

    def descriptors(self) -> list[int]:
        return [self._listener.fileno(), *(host.socket.fileno() for host in self._hosts)]

    def blocked(self) -> list[int]:
        return [host.socket.fileno() for host in self._hosts if len(host.outbox) > 0]

    def receive(self, now: float) -> bytes:
        self._accept()
        received = bytearray()
        for host in list(self._hosts):
            try:
                host.outbox.flush(host.socket.fileno(), now)
                data = host.socket.recv(READ_SIZE)
            except BlockingIOError:
                continue
            except OSError:
                data = b""
            if not data:
                self._drop(host, reset=False)
            received += data
        return bytes(received)

    def send(self, data: bytes, now: float) -> None:
        if not self._hosts:
            self._lost += len(data)
        for host in list(self._hosts):
            host.outbox.add(data, now)
            try:
                host.outbox.flush(host.socket.fileno(), now)
            except OSError:
                self._drop(host, reset=False)

    def unplug(self, *, reset: bool) -> None:
        self._is_plugged = False
        for host in list(self._hosts):
            self._drop(host, reset=reset)

    def plug(self) -> None:
        self._is_plugged = True

    def close(self) -> None:
        self.unplug(reset=False)
        self._listener.close()

    def _accept(self) -> None:
        while select.select([self._listener], [], [], 0)[0]:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            if not self._is_plugged or len(self._hosts) >= MOST_CONNECTIONS:
                connection.close()
                continue
            connection.settimeout(0.0)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._hosts.append(_Connection(connection))

    def _drop(self, host: _Connection, *, reset: bool) -> None:
        if reset:
            host.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._lost += host.outbox.lost + len(host.outbox)
        host.socket.close()
        self._hosts.remove(host)
