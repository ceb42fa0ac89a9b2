# SPDX-License-Identifier: Apache-2.0
"""Serial and TCP lines: bytes in and out, and why there are none. Knows nothing of shoes.

The only importer of pyserial. pyserial opens and sets the port; bytes are then read from the
descriptor itself, for its ``read`` loses what came before an unplugging and its errors are of
four kinds. TCP has its own socket: pyserial's gives single bytes and never notices a dead peer.

A line belongs to the thread that opens it: the same one reads, writes and closes.
"""

import contextlib
import errno
import fcntl
import os
import select
import socket
import termios
from collections.abc import Callable, Iterable
from enum import Enum
from pathlib import Path
from typing import Protocol

import serial
from serial.tools.list_ports import comports
from serial.tools.list_ports_common import ListPortInfo

from drivers.endpoint import Endpoint, SerialEndpoint, TcpEndpoint, UsbEndpoint, text_of

READ_BYTES = 4096
CONNECT_SECONDS = 3.0
WRITE_SECONDS = 1.0
# A dead peer is noticed after about 10 + 3 x 3 seconds of silence, or 10 with bytes unanswered.
KEEPALIVE_IDLE_SECONDS = 10
KEEPALIVE_EVERY_SECONDS = 3
KEEPALIVE_PROBES = 3
USER_TIMEOUT_MS = 10_000


class LineFault(str, Enum):
    """Why there is no line; its value is the ``reason`` of a ``LineLost``."""

    MISSING = "missing"
    BUSY = "busy"
    AMBIGUOUS = "ambiguous"
    REFUSED = "refused"
    PERMISSION = "permission"
    TIMEOUT = "timeout"
    UNPLUGGED = "unplugged"
    CLOSED = "closed"


class LineError(Exception):
    """The line could not be opened or is gone; ``detail`` is for a person."""

    def __init__(self, reason: LineFault, detail: str) -> None:
        super().__init__(f"{reason.value}: {detail}")
        self.reason = reason
        self.detail = detail


class Line(Protocol):
    """Bytes to and from one device. After a ``LineError`` close it, and open it again."""

    endpoint: str

    def open(self) -> None:
        """Open the line; raises ``LineError``."""
        ...

    def read(self, timeout_seconds: float) -> bytes:
        """What has come, at once when it comes; empty after the time-out; raises ``LineError``."""
        ...

    def write(self, data: bytes) -> None:
        """Send all of it; raises ``LineError``."""
        ...

    def close(self) -> None:
        """Close the line; does nothing if it is closed."""
        ...


def line_to(endpoint: Endpoint) -> Line:
    """The line, not yet open, to an endpoint."""
    return TcpLine(endpoint) if isinstance(endpoint, TcpEndpoint) else SerialLine(endpoint)


class _Descriptor:
    """An open descriptor that does not block; waits for it and names what goes wrong."""

    def __init__(self, number: int, lost: Callable[[OSError | None], LineError]) -> None:
        self.number = number
        self._lost = lost
        self._readable = select.poll()
        self._readable.register(number, select.POLLIN)

    def read(self, timeout_seconds: float) -> bytes:
        try:
            if not self._readable.poll(timeout_seconds * 1000):
                return b""
            data = os.read(self.number, READ_BYTES)
        except BlockingIOError:
            return b""
        except OSError as error:
            raise self._lost(error) from error
        if not data:
            raise self._lost(None)
        return data

    def write(self, data: bytes) -> None:
        writable = select.poll()
        writable.register(self.number, select.POLLOUT)
        while data:
            try:
                if not writable.poll(WRITE_SECONDS * 1000):
                    raise LineError(
                        LineFault.TIMEOUT, f"nothing could be sent for {WRITE_SECONDS} s"
                    )
                data = data[os.write(self.number, data) :]
            except OSError as error:
                raise self._lost(error) from error


class SerialLine:
    """A serial port or USB adapter, held alone: 8N1, no flow control."""

    def __init__(
        self,
        endpoint: SerialEndpoint | UsbEndpoint,
        ports: Callable[[], Iterable[ListPortInfo]] = comports,
    ) -> None:
        self.endpoint = text_of(endpoint)
        self._settings = endpoint
        self._ports = ports
        self._port: serial.Serial | None = None
        self._descriptor: _Descriptor | None = None

    def open(self) -> None:
        settings = self._settings
        path = (
            settings.path if isinstance(settings, SerialEndpoint) else _path(settings, self._ports)
        )
        port = serial.Serial(baudrate=settings.baud, timeout=0, exclusive=True)
        # Before opening, or the system's choice comes first and the change is a pulse.
        port.dtr, port.rts = settings.dtr, settings.rts
        port.port = path
        try:
            port.open()
            number = port.fileno()
            # Held against programs that do not ask for the lock. Not on a pseudo-terminal: there
            # the mark stays when we are killed, as long as the other end lives.
            if not os.ttyname(number).startswith("/dev/pts/"):
                fcntl.ioctl(number, termios.TIOCEXCL)
        except (OSError, termios.error, TypeError, ValueError) as error:
            port.close()
            raise _not_opened(error, path) from error
        self._port = port
        self._descriptor = _Descriptor(number, lambda error: _unplugged(error, path))

    def read(self, timeout_seconds: float) -> bytes:
        return _open(self._descriptor).read(timeout_seconds)

    def write(self, data: bytes) -> None:
        _open(self._descriptor).write(data)

    def close(self) -> None:
        port, self._port, self._descriptor = self._port, None, None
        if port is not None:
            # An unplugged port may fail to close, and is closed by that.
            with contextlib.suppress(OSError, termios.error, TypeError, ValueError):
                port.close()


class TcpLine:
    """A TCP connection to a serial device server."""

    def __init__(self, endpoint: TcpEndpoint) -> None:
        self.endpoint = text_of(endpoint)
        self._address = (endpoint.host, endpoint.port)
        self._socket: socket.socket | None = None
        self._descriptor: _Descriptor | None = None

    def open(self) -> None:
        try:
            connection = socket.create_connection(self._address, timeout=CONNECT_SECONDS)
        except OSError as error:
            raise _not_connected(error) from error
        for level, option, value in (
            (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),
            (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),
            (socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, KEEPALIVE_IDLE_SECONDS),
            (socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, KEEPALIVE_EVERY_SECONDS),
            (socket.IPPROTO_TCP, socket.TCP_KEEPCNT, KEEPALIVE_PROBES),
            (socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, USER_TIMEOUT_MS),
        ):
            connection.setsockopt(level, option, value)
        connection.settimeout(0)
        self._socket = connection
        self._descriptor = _Descriptor(connection.fileno(), _disconnected)

    def read(self, timeout_seconds: float) -> bytes:
        return _open(self._descriptor).read(timeout_seconds)

    def write(self, data: bytes) -> None:
        _open(self._descriptor).write(data)

    def close(self) -> None:
        connection, self._socket, self._descriptor = self._socket, None, None
        if connection is not None:
            connection.close()


def _open(descriptor: _Descriptor | None) -> _Descriptor:
    if descriptor is None:
        raise LineError(LineFault.CLOSED, "the line is not open")
    return descriptor


def _path(wanted: UsbEndpoint, ports: Callable[[], Iterable[ListPortInfo]]) -> str:
    """The device of the one adapter that matches; listing does not touch the ports."""
    known = [port for port in ports() if port.vid is not None]
    found = [
        port
        for port in known
        if (port.vid, port.pid) == (wanted.vendor, wanted.product)
        and wanted.serial_number in (None, port.serial_number)
    ]
    if len(found) == 1:
        return found[0].device
    names = ", ".join(
        f"{port.device} (usb:{port.vid:04x}:{port.pid:04x}:{port.serial_number or ''})"
        for port in sorted(found or known)
    )
    if found:
        raise LineError(LineFault.AMBIGUOUS, f"{text_of(wanted)} fits {names}: name one of them")
    raise LineError(LineFault.MISSING, f"{text_of(wanted)} is not there; found: {names or 'none'}")


_REASONS = {
    errno.ENOENT: LineFault.MISSING,
    errno.ENODEV: LineFault.MISSING,
    errno.ENXIO: LineFault.MISSING,
    errno.EIO: LineFault.MISSING,
    errno.EACCES: LineFault.PERMISSION,
    errno.EPERM: LineFault.PERMISSION,
    errno.EBUSY: LineFault.BUSY,
    errno.EAGAIN: LineFault.BUSY,
    errno.ECONNREFUSED: LineFault.REFUSED,
    errno.EHOSTUNREACH: LineFault.MISSING,
    errno.ENETUNREACH: LineFault.MISSING,
    errno.ETIMEDOUT: LineFault.TIMEOUT,
}


def _not_opened(error: Exception, path: str) -> LineError:
    number = error.errno if isinstance(error, OSError) else None
    reason = _REASONS.get(number, LineFault.REFUSED) if number is not None else LineFault.REFUSED
    if reason is LineFault.BUSY:
        return LineError(reason, f"{path} is held by {_holder(path) or 'another program'}: stop it")
    if reason is LineFault.PERMISSION:
        return LineError(reason, f"{path} may not be opened: put the user into the group dialout")
    return LineError(reason, str(error))


def _holder(path: str) -> str:
    """The programs that have this device open, as far as this user may see; else empty."""
    device = os.path.realpath(path)
    found = set()
    for entry in Path("/proc").glob("[0-9]*/fd/*"):
        try:
            if str(entry.readlink()) == device:
                process = entry.parent.parent
                found.add(f"{(process / 'comm').read_text().strip()} (process {process.name})")
        except OSError:
            continue
    return ", ".join(sorted(found))


def _unplugged(error: OSError | None, path: str) -> LineError:
    text = "hung up" if error is None else error.strerror or str(error)
    return LineError(LineFault.UNPLUGGED, f"{path}: {text}")


def _not_connected(error: OSError) -> LineError:
    if isinstance(error, TimeoutError):
        return LineError(LineFault.TIMEOUT, f"no answer within {CONNECT_SECONDS} s")
    if isinstance(error, socket.gaierror):
        return LineError(LineFault.MISSING, f"no such host: {error.strerror}")
    reason = _REASONS.get(error.errno or 0, LineFault.REFUSED)
    return LineError(reason, error.strerror or str(error))


def _disconnected(error: OSError | None) -> LineError:
    if error is None:
        return LineError(
            LineFault.CLOSED,
            "the device server closed the connection; if at once, it serves another host",
        )
    if error.errno in (errno.ETIMEDOUT, errno.EHOSTUNREACH, errno.ENETUNREACH):
        return LineError(LineFault.TIMEOUT, error.strerror or str(error))
    return LineError(LineFault.CLOSED, error.strerror or str(error))
