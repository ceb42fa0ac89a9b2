# SPDX-License-Identifier: Apache-2.0
"""A serial line as a function of time: bytes go in at once and come out at the baud rate.

Pure: times are seconds on any clock that the caller likes. One byte takes ten bits (start, eight,
stop). It knows nothing of frames.
"""

from collections import deque

import msgspec

BITS_PER_BYTE = 10


class _Piece(msgspec.Struct, frozen=True, gc=False):
    data: bytes
    not_before: float
    gap: float


class PacedLine:
    """First in, first out; never faster than the wire.

    ``bytes_per_second`` None: as fast as the line takes. State: the pieces that wait, how much of
    the first one is sent, and when the wire is free again.
    """

    def __init__(self, bytes_per_second: float | None) -> None:
        self._byte_seconds = 0.0 if bytes_per_second is None else 1.0 / bytes_per_second
        self._pieces: deque[_Piece] = deque()
        self._sent_of_first = 0
        self._free_at = float("-inf")

    def push(self, data: bytes, now: float, gap: float = 0.0) -> None:
        """Queue bytes, not to start before ``now`` nor within ``gap`` of the byte before them."""
        if data:
            self._pieces.append(_Piece(data, now, gap))

    def due(self, now: float, most: int | None = None) -> bytes:
        """The bytes that have wholly passed the wire by ``now`` and were not returned before.

        ``most``: how many to return at once; ``wake`` stays in the past while more are due.
        """
        out = bytearray()
        while self._pieces and len(out) != most:
            done_at = self._next_done_at()
            if done_at > now:
                break
            first = self._pieces[0]
            out.append(first.data[self._sent_of_first])
            self._sent_of_first += 1
            self._free_at = done_at
            if self._sent_of_first == len(first.data):
                self._pieces.popleft()
                self._sent_of_first = 0
        return bytes(out)

    @property
    def wake(self) -> float | None:
        """When the next byte is due; None when nothing waits."""
        return self._next_done_at() if self._pieces else None

    def _next_done_at(self) -> float:
        first = self._pieces[0]
        gap = first.gap if self._sent_of_first == 0 else 0.0
        return max(first.not_before, self._free_at + gap) + self._byte_seconds


def bytes_per_second(baud: int, speed: float) -> float | None:
    """The pace of a line of ``baud``, ``speed`` times as fast; None (no pacing) for speed 0."""
    return None if speed == 0 else baud * speed / BITS_PER_BYTE
