# SPDX-License-Identifier: Apache-2.0
"""How a simulated shoe gets its reports onto the line: sequence, repeats, faults, pace, account.

Pure. It knows no card: a report is its type letter and payload.
"""

import random
from collections import deque

import msgspec

from drivers.sim import protocol
from drivers.sim.commands import Fault, Sent
from drivers.sim.faults import SPOILING, FaultKind, Piece, Spoil, noise, spoiled
from drivers.sim.line import PacedLine, bytes_per_second
from drivers.sim.options import SimOptions

REMEMBERED_REPORTS = 1000
MOST_AT_ONCE = 4096
CHECK_NAK_CODE = 0x02


class _Armed(msgspec.Struct, frozen=True):
    spoil: Spoil
    all_copies: bool
    standing: bool


class Sender:
    """The shoe's end of the line.

    State: the place in the sequence, the faults that wait for a report, the paced line, and the
    account of what was sent.
    """

    def __init__(self, options: SimOptions) -> None:
        speed = options.speed
        self._alphabet = options.alphabet
        self._repeats = options.repeats
        self._scale = 0.0 if speed == 0 else 1 / speed
        self._spacing = options.repeat_spacing_seconds * self._scale
        self._line = PacedLine(bytes_per_second(options.baud, speed))
        self._chance = random.Random(f"{options.seed}/line")
        self._place = 0
        self._armed: deque[_Armed] = deque()
        self._lose = 0
        self._stuck = 0
        self._silent = False
        self._silent_until: float | None = None
        self.bytes_queued = 0
        self.sent: deque[Sent] = deque(maxlen=REMEMBERED_REPORTS)

    @property
    def next_seq(self) -> str:
        """The sequence character of the next report."""
        return self._alphabet[self._place]

    @property
    def wake(self) -> float | None:
        """When the next byte is due; None when the line is idle."""
        return self._line.wake

    def due(self, now: float) -> bytes:
        """The bytes that have left by ``now``, some thousands at once at most.

        There are none during a silence, whose bytes are lost.
        """
        data = self._line.due(now, MOST_AT_ONCE)
        if self._silent_until is not None and now >= self._silent_until:
            self._silent, self._silent_until = False, None
        return b"" if self._silent else data

    def reset_sequence(self) -> None:
        """Begin the sequence again, as after power-up."""
        self._place = 0

    def raw(self, data: bytes, now: float) -> None:
        """Send bytes that are no report."""
        self._push(data, now)

    def report(self, data: bytes, now: float) -> None:
        """Send a report and its repeats, all with the same sequence character."""
        frame = protocol.report(self._take_seq(), data)
        offset = self.bytes_queued
        if self._lose > 0:
            self._lose -= 1
            self.sent.append(Sent(offset, frame.hex(), copies=0, fault=FaultKind.LOST.value))
            return
        armed = self._next_armed()
        for copy in range(1 + self._repeats):
            gap = self._spacing if copy > 0 else 0.0
            pieces: tuple[Piece, ...] = (Piece(frame),)
            if armed is not None and (copy == 0 or armed.all_copies):
                pieces = spoiled(frame, armed.spoil, self._chance)
            for number, piece in enumerate(pieces):
                self._push(piece.data, now, gap if number == 0 else piece.gap * self._scale)
        kind = None if armed is None else armed.spoil.kind.value
        self.sent.append(Sent(offset, frame.hex(), 1 + self._repeats, kind))

    def arm(self, fault: Fault, now: float) -> None:
        """Make the line or the sequence misbehave; other kinds of fault are not its business."""
        if fault.kind in SPOILING:
            self._arm_spoil(fault)
            return
        match fault.kind:
            case FaultKind.LOST:
                self._lose += fault.count
            case FaultKind.SEQ_STUCK:
                self._stuck += fault.count
            case FaultKind.SEQ_JUMP:
                self._place = (self._place + fault.size) % len(self._alphabet)
            case FaultKind.SEQ_RESET:
                self.reset_sequence()
            case FaultKind.NOISE:
                self._push(noise(fault.size, self._chance), now)
            case FaultKind.BREAK:
                self._push(b"\x00", now)
            case FaultKind.FLOOD:
                for _ in range(fault.count):
                    self.report(protocol.STANDBY, now)
            case FaultKind.SILENCE:
                self._silent = True
                self._silent_until = None if fault.seconds is None else now + fault.seconds
            case FaultKind.NONE:
                self._armed.clear()
                self._lose = self._stuck = 0
                self._silent, self._silent_until = False, None

    def _arm_spoil(self, fault: Fault) -> None:
        spoil = Spoil(
            kind=fault.kind,
            size=fault.size,
            at=fault.at,
            bit=fault.bit,
            code=CHECK_NAK_CODE if fault.code is None else fault.code,
            gap_seconds=fault.gap_seconds,
            read_at=fault.read_at,
        )
        armed = _Armed(spoil, fault.all_copies, standing=fault.count == 0)
        self._armed.extend([armed] * max(1, fault.count))

    def _next_armed(self) -> _Armed | None:
        if not self._armed:
            return None
        return self._armed[0] if self._armed[0].standing else self._armed.popleft()

    def _take_seq(self) -> str:
        if self._stuck > 0:
            self._stuck -= 1
            return self._alphabet[self._place - 1]
        seq = self.next_seq
        self._place = (self._place + 1) % len(self._alphabet)
        return seq

    def _push(self, data: bytes, now: float, gap: float = 0.0) -> None:
        self._line.push(data, now, gap)
        self.bytes_queued += len(data)
