# SPDX-License-Identifier: Apache-2.0
"""An evening at a real table, message by message, as its public feed sent it.

``transcripts/evening.jsonl`` holds the payloads, one a line. It is played with the times of today,
and other numbers if need be; everything else on air is what the table said. Pure.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import cache
from importlib import resources
from typing import Any

import msgspec

from studio.feed.wire import utc_text

FOLDER = "transcripts"
EVENING = "evening.jsonl"

_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder().encode


class Transcript:
    """The messages of an evening, found by type and by the number of their round."""

    def __init__(self, payloads: Iterable[bytes]) -> None:
        self.messages: tuple[dict[str, Any], ...] = tuple(_decode(one) for one in payloads)
        first = self.messages[0]
        self.table: str = first["table"]
        self.epoch: str = first["epoch"]
        ids = (one["round"] for one in self.messages if one["type"] == "bets_opened")
        self.rounds: tuple[str, ...] = tuple(dict.fromkeys(ids))

    def find(self, type_: str, round_: int | None = None, nth: int = 1) -> int:
        """Where the ``nth`` message of a type stands; of the round with this number, from 1."""
        wanted = None if round_ is None else self.rounds[round_ - 1]
        found = (
            index
            for index, one in enumerate(self.messages)
            if one["type"] == type_ and (round_ is None or one["round"] == wanted)
        )
        return [*found][nth - 1]


@cache
def evening() -> Transcript:
    """The evening that is shipped."""
    file = resources.files("studio.conformance").joinpath(FOLDER, EVENING)
    return Transcript(file.read_bytes().splitlines())


def restamped(
    message: dict[str, Any], epoch: str, seq: int, at: datetime, betting_seconds: float | None
) -> bytes:
    """The payload as it is sent at this time under these numbers, with so long to bet."""
    later = at - datetime.fromisoformat(message["at"])
    data = {
        name: _moved(value, later) if name in {"closes_at", "amendable_until"} else value
        for name, value in message["data"].items()
    }
    if betting_seconds is not None and message["type"] == "bets_opened":
        data["seconds"] = float(betting_seconds)
        data["closes_at"] = utc_text(at + timedelta(seconds=betting_seconds))
    return _encode({**message, "epoch": epoch, "seq": seq, "at": utc_text(at), "data": data})


def _moved(text: str, later: timedelta) -> str:
    return utc_text(datetime.fromisoformat(text) + later)
