# SPDX-License-Identifier: Apache-2.0
"""The shipped houses, as tests of the game read them."""

import tomllib
from pathlib import Path

from msgspec.structs import replace

from studio.game.house import House, house_of

FOLDER = Path(__file__).parents[2] / "config" / "houses"
NAMES = sorted(file.stem for file in FOLDER.glob("*.toml"))


def data_of(name: str = "studio") -> dict[str, object]:
    """What a shipped house file says."""
    return tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


def house(name: str = "studio", /, **changes: object) -> House:
    """A shipped house, with some values changed."""
    return replace(house_of(data_of(name)), **changes)
