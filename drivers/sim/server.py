# SPDX-License-Identifier: Apache-2.0
"""One thread that gives a simulated shoe its clock, its line and its control line."""

import select
import time
from pathlib import Path

import msgspec

from drivers.sim.commands import Answer, ControlCommand, Drain, GetState, Plug, State, Stop, Unplug
from drivers.sim.control import Client, ControlServer
from drivers.sim.device import SimulatedShoe
from drivers.sim.options import SimOptions
from drivers.sim.ports import Port, split_address
from drivers.sim.pty_port import PtyPort
from drivers.sim.tcp_port import TcpPort

HOUSEKEEPING_SECONDS = 0.25


class Endpoints(msgspec.Struct, frozen=True):
    """Where the simulated shoe can be reached; what ``run`` prints as one line of JSON."""

    pty: str | None
    tcp: str | None
    control: str


class Simulator:
    """A simulated shoe on its line. Made, it can be reached; ``serve`` makes it live.

    Raises ``OSError`` or ``ValueError`` when an endpoint cannot be had.
    """

    def __init__(self, options: SimOptions) -> None:
        self._device = SimulatedShoe(options, time.monotonic())
        self._ports: list[Port] = []
        self._control: ControlServer | None = None
        self._is_plugged = True
        self._unplug_after: Unplug | None = None
        self._waiting: list[Client] = []
        self._is_stopping = False
        self._last_byte_at_ns = 0
        pty, tcp = None, None
        try:
            if options.pty is not None:
                self._ports.append(PtyPort(Path(options.pty)))
                pty = self._ports[-1].endpoint
            if options.tcp is not None:
                self._ports.append(TcpPort(*split_address(options.tcp)))
                tcp = self._ports[-1].endpoint
            self._control = ControlServer(*split_address(options.control))
        except (OSError, ValueError):
            self.close()
            raise
        self.endpoints = Endpoints(pty, tcp, self._control.endpoint)

    def stop(self) -> None:
        """End ``serve`` soon; may be called from a signal handler."""
        self._is_stopping = True

    def serve(self) -> None:
        """Live until told to stop, then leave nothing behind."""
        try:
            while not self._is_stopping:
                self._turn()
        finally:
            self.close()

    def close(self) -> None:
        """Close line and control line; the symbolic link goes too."""
        if self._control is not None:
            self._control.close()
        for port in self._ports:
            port.close()
        self._ports.clear()

    def _turn(self) -> None:
        """Wait for what comes first, a byte due or something sent to us, and deal with it."""
        if self._control is None:
            return
        reading = self._control.descriptors()
        writing: list[int] = []
        for port in self._ports:
            reading += port.descriptors()
            writing += port.blocked()
        # With "as fast as the line takes", a line that takes no more stops the clock of the shoe.
        timeout = HOUSEKEEPING_SECONDS if writing else self._seconds_to_wait()
        select.select(reading, writing, [], timeout)
        now = time.monotonic()
        received = b"".join(port.receive(now) for port in self._ports)
        if not any(port.blocked() for port in self._ports) or received:
            self._send(self._device.step(now, received), now)
        for client, command in self._control.receive():
            self._obey(client, command, now)
        self._tell_waiting()

    def _seconds_to_wait(self) -> float:
        wake = self._device.wake
        if wake is None:
            return HOUSEKEEPING_SECONDS
        return min(HOUSEKEEPING_SECONDS, max(0.0, wake - time.monotonic()))

    def _send(self, data: bytes, now: float) -> None:
        if not data:
            return
        waiting = self._unplug_after
        if waiting is not None and waiting.after_bytes is not None:
            kept = data[: waiting.after_bytes]
            left = waiting.after_bytes - len(kept)
            self._unplug_after = Unplug(left, waiting.reset)
            self._to_ports(kept, now)
            if left == 0:
                self._unplug(reset=waiting.reset)
                self._to_ports(data[len(kept) :], now)
            return
        self._to_ports(data, now)

    def _to_ports(self, data: bytes, now: float) -> None:
        for port in self._ports:
            port.send(data, now)
        self._last_byte_at_ns = time.monotonic_ns()

    def _obey(self, client: Client, command: ControlCommand, now: float) -> None:
        match command:
            case Drain():
                self._waiting.append(client)
                return
            case Stop():
                self._is_stopping = True
                answer = Answer(ok=True)
            case Unplug(after_bytes, reset):
                answer = Answer(ok=True)
                if after_bytes:
                    self._unplug_after = command
                else:
                    self._unplug(reset=reset)
            case Plug():
                answer = self._plug()
            case GetState(reports):
                answer = Answer(ok=True, state=self._state(reports=reports))
            case _:
                answer = self._device.do(command, now)
        self._answer(client, answer)

    def _unplug(self, *, reset: bool) -> None:
        self._unplug_after = None
        self._is_plugged = False
        for port in self._ports:
            port.unplug(reset=reset)

    def _plug(self) -> Answer:
        try:
            for port in self._ports:
                port.plug()
        except OSError as error:
            return Answer(ok=False, error=f"cannot plug in: {error}")
        self._is_plugged = True
        return Answer(ok=True)

    def _state(self, *, reports: bool) -> State:
        return msgspec.structs.replace(
            self._device.state(reports=reports),
            plugged=self._is_plugged,
            connections=sum(port.connections for port in self._ports),
            unread=sum(port.unread for port in self._ports),
            bytes_lost=sum(port.lost for port in self._ports),
            last_byte_at_ns=self._last_byte_at_ns,
        )

    def _tell_waiting(self) -> None:
        is_idle = self._device.is_idle and not any(port.blocked() for port in self._ports)
        if is_idle:
            for client in self._waiting:
                self._answer(client, Answer(ok=True))
            self._waiting.clear()

    def _answer(self, client: Client, answer: Answer) -> None:
        if self._control is not None:
            self._control.answer(client, answer)
