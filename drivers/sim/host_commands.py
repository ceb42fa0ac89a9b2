# SPDX-License-Identifier: Apache-2.0
"""How a simulated shoe answers the commands of its host. Pure."""

from collections import deque

from drivers.sim import protocol
from drivers.sim.commands import Fault
from drivers.sim.condition import Condition
from drivers.sim.faults import FaultKind
from drivers.sim.protocol import CommandParser, HostCommand, Mode, NakCode
from drivers.sim.sender import Sender

UNLOCK, LOCK = 1, 2


class HostCommands:
    """Reads what the host sends; obeys and says ACK, or says NAK and why.

    State: an unfinished command, and the faults that wait for one.
    """

    def __init__(self, sender: Sender, condition: Condition, *, with_stx: bool) -> None:
        self._sender = sender
        self._condition = condition
        self._parser = CommandParser(with_stx=with_stx)
        self.faults: deque[Fault] = deque()

    def hear(self, received: bytes, now: float) -> None:
        """Take bytes of the host and answer the commands that they complete."""
        for heard in self._parser.feed(received):
            if self.faults:
                self._misbehave(self.faults.popleft(), now)
                continue
            refusal = heard if isinstance(heard, NakCode) else self._obey(heard, now)
            if refusal is not None:
                self._sender.raw(protocol.nak(refusal), now)

    def _misbehave(self, fault: Fault, now: float) -> None:
        if fault.kind is FaultKind.REFUSE:
            code = NakCode.BUSY.value if fault.code is None else fault.code
            self._sender.raw(bytes([protocol.NAK, code]), now)

    def _refusal_of(self, command: HostCommand) -> NakCode | None:
        code = int(command.data)
        if command.kind == "EC":
            return None if code in self._condition.errors else NakCode.OTHER
        allowed = (UNLOCK, LOCK) if command.kind == "LK" else (0,)
        return None if code in allowed else NakCode.FORMAT

    def _obey(self, command: HostCommand, now: float) -> NakCode | None:
        refusal = self._refusal_of(command)
        if refusal is not None:
            return refusal
        self._sender.raw(bytes([protocol.ACK]), now)
        code = int(command.data)
        if command.kind == "LK":
            self._condition.turn_key(Mode.LOCK if code == LOCK else Mode.GAME, now)
        elif command.kind == "EC":
            self._condition.clear(code, now)
        return None
