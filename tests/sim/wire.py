# SPDX-License-Identifier: Apache-2.0
"""Reading what a simulated shoe sends, with a few lines that know only good frames."""

from drivers.sim import commands
from drivers.sim.commands import PulledCard
from drivers.sim.device import SimulatedShoe
from drivers.sim.options import SimOptions

SUITS = {1: "D", 2: "C", 3: "S", 4: "H"}
RANKS = " A23456789TJQK"


def frames(stream: bytes) -> list[bytes]:
    """Split a stream of good frames: ENQ ... ETX and two digits; fails on anything else."""
    found = []
    while stream:
        assert stream[0] == 0x05, stream.hex(" ")
        end = stream.index(0x03) + 3
        frame, stream = stream[:end], stream[end:]
        check = 0
        for byte in frame[1:-2]:
            check ^= byte
        assert frame[-2:] == b"%02X" % check, frame.hex(" ")
        found.append(frame)
    return found


def letters(stream: bytes) -> str:
    """The report types of a stream of good frames, in order."""
    return "".join(chr(frame[2]) for frame in frames(stream))


def seqs(stream: bytes) -> str:
    """The sequence characters of a stream of good frames, in order."""
    return "".join(chr(frame[1]) for frame in frames(stream))


def face(frame: bytes) -> str:
    """The card of a card report."""
    return RANKS[frame[4] & 0x0F] + SUITS[frame[4] >> 4 & 7]


def place(frame: bytes) -> tuple[int, int]:
    """Target bits and index of a card report."""
    return frame[3] >> 4 & 7, frame[3] & 0x0F


class Bench:
    """A simulated shoe on a bench with an unpaced line: what it says to each thing done to it."""

    def __init__(self, **options: object) -> None:
        chosen = {"speed": 0.0, "pty": "unused", "cut_card_from_end": None, **options}
        self.shoe = SimulatedShoe(SimOptions(**chosen), 0.0)  # type: ignore[arg-type]
        self.power_up = self.shoe.step(0.0)
        self.pulled: tuple[PulledCard, ...] = ()

    def do(self, command: commands.ShoeCommand) -> bytes:
        answer = self.shoe.do(command, 0.0)
        assert answer.ok, answer.error
        self.pulled = answer.pulled
        heard = b""
        while not self.shoe.is_idle:
            heard += self.shoe.step(0.0)
        return heard

    def pull(self, n: int = 1) -> bytes:
        return self.do(commands.Pull(n))

    def fault(self, **fields: object) -> bytes:
        return self.do(commands.Fault(**fields))  # type: ignore[arg-type]

    def refusal(self, command: commands.ShoeCommand) -> str:
        answer = self.shoe.do(command, 0.0)
        assert not answer.ok
        assert answer.error is not None
        return answer.error
