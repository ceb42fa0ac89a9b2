# SPDX-License-Identifier: Apache-2.0
"""What a shoe driver promises.

A driver is a decoder: bytes in, reports out. It does no I/O, reads no clock, and never decides
the game. The reader owns the line, stamps what the decoder says and passes it to the table.

Promises, checked for every driver by one conformance suite:

* any split of the same bytes gives the same reports, and any bytes at all raise nothing;
* nothing is invented, merged or reordered; a repeat is told by the shoe's own sequence, never
  by equal cards, and is returned as ``Duplicate``, so that it can be counted;
* a frame with a good check and an unknown type is an ``UnknownReport``, never silence;
* a bad frame is a ``FrameRejected``, and the next good frame is found.
"""

from typing import Protocol

import msgspec

from studio.game.inputs import Report


class Capabilities(msgspec.Struct, frozen=True, kw_only=True):
    """What a family of shoes can tell and be told."""

    has_side: bool
    has_slot: bool
    has_seq: bool
    has_copy: bool
    has_pack: bool
    has_result: bool
    has_lock: bool
    has_fault_clear: bool
    repeats_frames: bool
    needs_ack: bool
    can_query: bool
    heartbeat_seconds: float | None


class Decoded(msgspec.Struct, frozen=True):
    """A report, the bytes it was read from, and where they end.

    ``end`` counts bytes since the decoder was made or told ``reopened``. ``seq`` is the shoe's own.
    """

    report: Report
    raw: bytes
    end: int
    seq: str | None = None


class Duplicate(msgspec.Struct, frozen=True):
    """A report that the shoe sent again, as its own sequence says; not to be acted on."""

    raw: bytes
    end: int


class Explanation(msgspec.Struct, frozen=True):
    """What a person sees of a frame: its fields, and whether its check fits.

    ``check`` is ``ok``, ``wrong``, ``other_scope`` (it fits if the check is reckoned over the
    other choice of bytes) or ``none`` (these bytes carry no check). ``advice`` says what to set.
    """

    fields: str
    check: str
    advice: str = ""


class Decoder(Protocol):
    """One family's decoder. State: the bytes of a frame not yet complete, the last report."""

    name: str
    version: str
    capabilities: Capabilities

    def feed(self, chunk: bytes) -> list[Decoded | Duplicate]:
        """Take bytes as they come; return what they complete. Never raises."""
        ...

    def reopened(self) -> None:
        """The line was closed and opened again: drop the unfinished frame, count ``end`` from 0."""
        ...

    def acknowledgement(self, decoded: Decoded | Duplicate) -> bytes:
        """The bytes to send for a report: empty unless a setting asks for an acknowledgement."""
        ...

    def explain(self, raw: bytes) -> Explanation:
        """Lay out a frame or a scrap for a person who listens to the line; changes nothing."""
        ...
