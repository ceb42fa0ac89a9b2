# SPDX-License-Identifier: Apache-2.0
"""The hand on a simulated shoe: what pulls its cards, turns its key and takes out its cable."""

import socket

import msgspec

from drivers.sim import commands
from drivers.sim.commands import Answer, ControlCommand, Fault, PulledCard, State
from drivers.sim.faults import FaultKind
from drivers.sim.ports import split_address

_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Answer)


class ShoeRefusedError(Exception):
    """The simulated shoe answered "no"; the text says what to do instead."""


class ShoeControl:
    """A connection to the control line of a simulated shoe; not to be shared between threads.

    ``endpoint`` is the ``control`` address that the simulator printed. Every method waits for the
    answer, ``timeout_seconds`` at most (``OSError`` then, or when the simulator is gone).
    """

    def __init__(self, endpoint: str, timeout_seconds: float = 10.0) -> None:
        self._socket = socket.create_connection(split_address(endpoint), timeout_seconds)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._lines = self._socket.makefile("rb")

    def __enter__(self) -> "ShoeControl":
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Hang up; the simulator goes on."""
        self._lines.close()
        self._socket.close()

    def ask(self, command: ControlCommand) -> Answer:
        """Send a command and return its answer. Raises ``ShoeRefusedError`` for a "no"."""
        self._socket.sendall(_ENCODER.encode(command) + b"\n")
        line = self._lines.readline()
        if not line:
            raise ConnectionError("the simulator hung up")
        answer = _DECODER.decode(line)
        if not answer.ok:
            raise ShoeRefusedError(answer.error)
        return answer

    def pull(self, n: int = 1) -> tuple[PulledCard, ...]:
        """Pull ``n`` cards; fewer come when the shoe runs out."""
        return self.ask(commands.Pull(n)).pulled

    def state(self, *, reports: bool = False) -> State:
        """The simulator's own account."""
        state = self.ask(commands.GetState(reports)).state
        if state is None:
            raise ConnectionError("the simulator answered without its state")
        return state

    def fault(self, kind: FaultKind) -> tuple[PulledCard, ...]:
        """A fault with its default values; for others ``ask(Fault(...))``."""
        return self.ask(Fault(kind=kind)).pulled

    def change_shoe(self, seed: str | None = None, script: tuple[str, ...] = ()) -> None:
        """Put another shoe in."""
        self.ask(commands.ChangeShoe(seed, script))

    def standby(self) -> None:
        """Report stand-by."""
        self.ask(commands.Standby())

    def restart(self) -> None:
        """Power off and on."""
        self.ask(commands.Restart())

    def unplug(self, after_bytes: int | None = None, *, reset: bool = False) -> None:
        """Take the cable out, now or after some more bytes."""
        self.ask(commands.Unplug(after_bytes, reset))

    def plug(self) -> None:
        """Put the cable in again."""
        self.ask(commands.Plug())

    def drain(self) -> None:
        """Wait until the last byte has left."""
        self.ask(commands.Drain())

    def stop(self) -> None:
        """End the simulator."""
        self.ask(commands.Stop())
