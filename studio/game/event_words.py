# SPDX-License-Identifier: Apache-2.0
"""The words that events are made of: source, trust, software, pairs, and their common base."""

from enum import Enum
from typing import ClassVar

import msgspec


class Source(str, Enum):
    """Who is behind an event: the shoe, a person, the timer, or the system itself."""

    SHOE = "shoe"
    MANUAL = "manual"
    TIMER = "timer"
    SYSTEM = "system"


class Trust(str, Enum):
    """Whether the stream of the shoe can be relied on.

    ``suspect``: a report may have been lost since the last trusted boundary; ``lost``: no line.
    """

    TRUSTED = "trusted"
    SUSPECT = "suspect"
    LOST = "lost"


class Software(msgspec.Struct, frozen=True):
    """Which program wrote a message: its version and the digest of its files."""

    version: str
    digest: str


class Pairs(msgspec.Struct, frozen=True):
    """Whether each hand's first two cards have the same rank."""

    player: bool
    banker: bool


class EventBase(msgspec.Struct, frozen=True, tag_field="type", kw_only=True, gc=False):
    """What every event class has: its tag is its ``type``, ``PUBLIC`` names the public members."""

    PUBLIC: ClassVar[tuple[str, ...] | None] = None
