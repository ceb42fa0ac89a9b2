# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the state of a table's snapshot; what is the same as in the last one is not read again.

A table that deals tells ten times a second how it stands, and its results and roads, by far the
most of it, change once a round. The service leaves them out where they are the same.
"""

from typing import Any

import msgspec

from studio.game.roads import Roads
from studio.game.snapshot import PublicState, StaffState
from studio.game.state import StandingResult

_LEFT_OUT = msgspec.Raw()


class _Public(PublicState, frozen=True, kw_only=True):
    """The public picture with its large parts as they came."""

    results: msgspec.Raw = _LEFT_OUT  # type: ignore[assignment]
    roads: msgspec.Raw = _LEFT_OUT  # type: ignore[assignment]
    paytable: msgspec.Raw = _LEFT_OUT  # type: ignore[assignment]


class _State(StaffState, frozen=True, kw_only=True):
    """The same of the staff's picture."""

    public: _Public


_read = msgspec.json.Decoder(_State).decode
_PARTS: dict[str, msgspec.json.Decoder[Any]] = {
    "results": msgspec.json.Decoder(tuple[StandingResult, ...]),
    "roads": msgspec.json.Decoder(Roads | None),
    "paytable": msgspec.json.Decoder(dict[str, dict[str, str]]),
}


class Reader:
    """Of one table."""

    def __init__(self) -> None:
        self._kept: dict[str, Any] = {}

    def read(self, state: msgspec.Raw) -> StaffState:
        """The state. Raises msgspec.MsgspecError for what is none."""
        read = _read(state)
        parts = dict(self._kept)
        for name, part in _PARTS.items():
            raw = getattr(read.public, name)
            if raw is not _LEFT_OUT:
                parts[name] = part.decode(raw)
            elif name not in parts:
                raise msgspec.ValidationError(f"{name} is left out, and was never told")
        self._kept = parts
        public = msgspec.structs.replace(read.public, **parts)
        return msgspec.structs.replace(read, public=public)
