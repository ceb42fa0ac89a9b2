# SPDX-License-Identifier: Apache-2.0
"""The coups with their right rulings, ruled by hand."""

import json
from pathlib import Path
from typing import Any, NamedTuple

FILES = ("coups.jsonl", "more_coups.jsonl")


class Vector(NamedTuple):
    """A coup record and its right ruling."""

    coup: dict[str, Any]
    ruling: dict[str, Any]


def vectors() -> list[Vector]:
    """All of them, in order."""
    folder = Path(__file__).parent
    lines = [line for file in FILES for line in (folder / file).read_text("utf-8").splitlines()]
    return [Vector(**json.loads(line)) for line in lines]
