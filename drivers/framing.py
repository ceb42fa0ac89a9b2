# SPDX-License-Identifier: Apache-2.0
"""Cuts a stream of bytes into frames. Pure; knows bytes and lengths, no family and no meaning.

A ``Framer`` serves every family whose frames open with a byte that is seen nowhere else, close
with an end byte, and carry a check of fixed length after it. What it cuts out is whole, not yet
right: the decoder tests the check.
"""

from enum import Enum, auto

import msgspec


class Layout(msgspec.Struct, frozen=True, kw_only=True):
    """How frames of a family look.

    ``starts`` open a frame, wherever they are seen; the frame goes on to ``end`` and
    ``check_length`` bytes more. ``alone`` are whole frames of one byte; ``pairs`` names for a
    lead byte the bytes that may follow it, and the two are one frame whatever the second one
    would mean elsewhere. No frame is longer than ``longest`` bytes.
    """

    starts: bytes
    end: int
    check_length: int
    longest: int
    alone: bytes = b""
    pairs: dict[int, bytes] = {}


class Frame(msgspec.Struct, frozen=True):
    """A whole frame; ``end`` counts bytes up to and including it since the framer was reset."""

    raw: bytes
    end: int


class Scrap(msgspec.Struct, frozen=True):
    """Bytes that are no frame. ``reason``: no_end, checksum (cut in its check), overlong, noise."""

    reason: str
    raw: bytes
    end: int


class _Place(Enum):
    """Where in a frame the next byte falls, and what the bytes so far are if it does not fit."""

    BETWEEN = auto()
    BODY = auto()
    CHECK = auto()
    PAIR = auto()


_WRONG = {
    _Place.BETWEEN: "noise",
    _Place.BODY: "no_end",
    _Place.CHECK: "checksum",
    _Place.PAIR: "noise",
}


class Framer:
    """Takes bytes as they come and gives frames and scraps, the same for every split of them.

    Every byte ends up in exactly one frame or scrap, in order. A byte that opens a frame always
    does: what was held until then is a scrap, so that the next good frame is never lost.
    """

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._opening = frozenset(layout.starts + layout.alone + bytes(layout.pairs))
        self._held = bytearray()
        self._place = _Place.BETWEEN
        self._due = 0
        self._seen = 0

    def reset(self) -> None:
        """Drop the bytes that are held and count from 0 again."""
        self._held.clear()
        self._place = _Place.BETWEEN
        self._seen = 0

    def feed(self, chunk: bytes) -> list[Frame | Scrap]:
        """Take the next bytes; return what they complete."""
        out: list[Frame | Scrap] = []
        for byte in chunk:
            self._take(byte, out)
            self._seen += 1
        return out

    def _take(self, byte: int, out: list[Frame | Scrap]) -> None:
        if self._place is _Place.PAIR and byte in self._layout.pairs[self._held[0]]:
            self._complete(byte, out)
        elif byte in self._opening:
            self._open(byte, out)
        elif self._place is _Place.BODY:
            self._held.append(byte)
            if byte == self._layout.end:
                self._place, self._due = _Place.CHECK, self._layout.check_length
            elif len(self._held) >= self._layout.longest:
                self._scrap("overlong", out, self._seen + 1)
        elif self._place is _Place.CHECK:
            self._due -= 1
            if self._due == 0:
                self._complete(byte, out)
            else:
                self._held.append(byte)
        else:
            self._place = _Place.BETWEEN
            self._held.append(byte)
            if len(self._held) >= self._layout.longest:
                self._scrap("noise", out, self._seen + 1)

    def _open(self, byte: int, out: list[Frame | Scrap]) -> None:
        if self._held:
            self._scrap(_WRONG[self._place], out, self._seen)
        if byte in self._layout.alone:
            self._complete(byte, out)
            return
        self._held.append(byte)
        self._place = _Place.PAIR if byte in self._layout.pairs else _Place.BODY

    def _complete(self, byte: int, out: list[Frame | Scrap]) -> None:
        self._held.append(byte)
        out.append(Frame(bytes(self._held), self._seen + 1))
        self._held.clear()
        self._place = _Place.BETWEEN

    def _scrap(self, reason: str, out: list[Frame | Scrap], end: int) -> None:
        out.append(Scrap(reason, bytes(self._held), end))
        self._held.clear()
        self._place = _Place.BETWEEN


def xor_of(data: bytes) -> int:
    """The exclusive or of all bytes; 0 for none."""
    result = 0
    for byte in data:
        result ^= byte
    return result
