# SPDX-License-Identifier: Apache-2.0
"""What a bad line does to good bytes.

Pure: every kind of spoiled frame is one function from a frame to the pieces that go out instead
of it; randomness comes from the seeded source that the caller passes.
"""

import random
from collections.abc import Callable
from enum import Enum

import msgspec

from drivers.sim.line import BITS_PER_BYTE
from drivers.sim.protocol import ENQ, ETX, check


class FaultKind(str, Enum):
    """What can go wrong: first the ways to spoil a frame on its way out, then all others."""

    SPLIT = "split"
    GARBAGE_BEFORE = "garbage_before"
    GARBAGE_INSIDE = "garbage_inside"
    GARBAGE_AFTER = "garbage_after"
    BAD_CHECK = "bad_check"
    LOWER_CHECK = "lower_check"
    OTHER_SCOPE = "other_scope"
    NO_ETX = "no_etx"
    TRUNCATED = "truncated"
    OVERLONG = "overlong"
    BIT_FLIP = "bit_flip"
    SEVEN_BITS = "seven_bits"
    NAK_BEFORE = "nak_before"
    NAK_AFTER = "nak_after"
    WRONG_BAUD = "wrong_baud"
    LOST = "lost"
    SEQ_JUMP = "seq_jump"
    SEQ_STUCK = "seq_stuck"
    SEQ_RESET = "seq_reset"
    UNREADABLE = "unreadable"
    MISREAD = "misread"
    GHOST = "ghost"
    OVERDRAW = "overdraw"
    ERROR = "error"
    NOISE = "noise"
    FLOOD = "flood"
    BREAK = "break"
    SILENCE = "silence"
    REFUSE = "refuse"
    NO_REPLY = "no_reply"
    NONE = "none"


class Spoil(msgspec.Struct, frozen=True, kw_only=True):
    """How to spoil: the kind and what it needs.

    ``size`` bytes of garbage, or how many are lost or too many; ``at`` the byte of the frame that
    is hit (counted from 0, None for a random one), ``bit`` 0 to 7 likewise; ``gap_seconds``
    between the bytes of a split frame; ``read_at`` is the other baud rate as a multiple.
    """

    kind: FaultKind
    size: int = 3
    at: int | None = None
    bit: int | None = None
    code: int = 0x02
    gap_seconds: float = 0.02
    read_at: float = 2.0


class Piece(msgspec.Struct, frozen=True):
    """Bytes to send, not within ``gap`` seconds of those before."""

    data: bytes
    gap: float = 0.0


def spoiled(frame: bytes, spoil: Spoil, chance: random.Random) -> tuple[Piece, ...]:
    """The pieces that go out instead of the frame."""
    if spoil.kind is FaultKind.SPLIT:
        return tuple(
            Piece(frame[i : i + 1], spoil.gap_seconds if i > 0 else 0.0) for i in range(len(frame))
        )
    return (Piece(_SPOILERS[spoil.kind](frame, spoil, chance)),)


def noise(size: int, chance: random.Random) -> bytes:
    """Random bytes."""
    return chance.randbytes(size)


def at_wrong_baud(data: bytes, read_at: float) -> bytes:
    """What a receiver makes of these bytes when it samples ``read_at`` times as fast.

    Bit by bit: a start bit 0, eight bits from the lowest, a stop bit 1. A receiver samples in the
    middle of its own bits and waits for the next falling edge after each byte.
    """
    levels = [1]
    for byte in data:
        levels += [0, *(byte >> n & 1 for n in range(8)), 1]
    step, out, at = 1 / read_at, bytearray(), 1.0
    while int(at) < len(levels):
        if levels[int(at)] == 1:
            at = int(at) + 1.0
            continue
        samples = (int(at + (n + 1.5) * step) for n in range(8))
        out.append(sum((levels[s] if s < len(levels) else 1) << n for n, s in enumerate(samples)))
        at += (BITS_PER_BYTE - 0.5) * step
    return bytes(out)


def _position(frame: bytes, spoil: Spoil, chance: random.Random) -> int:
    return chance.randrange(1, len(frame)) if spoil.at is None else spoil.at % len(frame)


def _garbage_inside(frame: bytes, spoil: Spoil, chance: random.Random) -> bytes:
    at = _position(frame, spoil, chance)
    return frame[:at] + noise(spoil.size, chance) + frame[at:]


def _bad_check(frame: bytes, _spoil: Spoil, _chance: random.Random) -> bytes:
    return frame[:-2] + (b"%02X" % (int(frame[-2:], 16) ^ 0x01))


def _other_scope(frame: bytes, _spoil: Spoil, _chance: random.Random) -> bytes:
    return frame[:-2] + check(frame[:-2])


def _no_etx(frame: bytes, _spoil: Spoil, _chance: random.Random) -> bytes:
    return frame[:-3] + frame[-2:]


def _truncated(frame: bytes, spoil: Spoil, _chance: random.Random) -> bytes:
    return frame[: max(1, len(frame) - spoil.size)]


def _overlong(frame: bytes, spoil: Spoil, _chance: random.Random) -> bytes:
    body = frame[1:-3] + b"\x80" * spoil.size + bytes([ETX])
    return bytes([ENQ]) + body + check(body)


def _bit_flip(frame: bytes, spoil: Spoil, chance: random.Random) -> bytes:
    at = _position(frame, spoil, chance)
    bit = chance.randrange(8) if spoil.bit is None else spoil.bit % 8
    return frame[:at] + bytes([frame[at] ^ 1 << bit]) + frame[at + 1 :]


_SPOILERS: dict[FaultKind, Callable[[bytes, Spoil, random.Random], bytes]] = {
    FaultKind.GARBAGE_BEFORE: lambda frame, spoil, chance: noise(spoil.size, chance) + frame,
    FaultKind.GARBAGE_INSIDE: _garbage_inside,
    FaultKind.GARBAGE_AFTER: lambda frame, spoil, chance: frame + noise(spoil.size, chance),
    FaultKind.BAD_CHECK: _bad_check,
    FaultKind.LOWER_CHECK: lambda frame, _spoil, _chance: frame[:-2] + frame[-2:].lower(),
    FaultKind.OTHER_SCOPE: _other_scope,
    FaultKind.NO_ETX: _no_etx,
    FaultKind.TRUNCATED: _truncated,
    FaultKind.OVERLONG: _overlong,
    FaultKind.BIT_FLIP: _bit_flip,
    FaultKind.SEVEN_BITS: lambda frame, _spoil, _chance: bytes(byte & 0x7F for byte in frame),
    FaultKind.NAK_BEFORE: lambda frame, spoil, _chance: bytes([0x15, spoil.code]) + frame,
    FaultKind.NAK_AFTER: lambda frame, spoil, _chance: frame + bytes([0x15, spoil.code]),
    FaultKind.WRONG_BAUD: lambda frame, spoil, _chance: at_wrong_baud(frame, spoil.read_at),
}

SPOILING = frozenset({FaultKind.SPLIT, *_SPOILERS})
