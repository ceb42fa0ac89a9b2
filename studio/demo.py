# SPDX-License-Identifier: Apache-2.0
"""What a demonstration is set up with: a house as fast as asked, and settings in a folder."""

import re
from pathlib import Path

from studio.settings import FeedEndpoints, shipped
from studio.settings_text import NewTable, studio_text, table_text

TABLE = "BAC-1"
HOUSE = "demo"
_BASE = "houses/studio.toml"
_ANY_PORT = "tcp://127.0.0.1:*"


def write_site(folder: Path, speed: float) -> Path:
    """Write the settings of a demonstration into ``folder``; gives the table's file.

    The house is the shipped studio's with its waiting times divided by ``speed``; 0 for none.
    """
    tables, houses = folder / "tables", folder / "houses"
    tables.mkdir(parents=True)
    houses.mkdir()
    text = house_text(HOUSE, "Demonstration, eight decks", speed)
    (houses / f"{HOUSE}.toml").write_text(text, encoding="utf-8")
    (folder / "studio.toml").write_text(studio_text(str(folder / "data")), encoding="utf-8")
    (folder / "data").mkdir()
    new = NewTable(
        table=TABLE,
        house=HOUSE,
        driver="angel_eye_iiex",
        endpoint=f"serial:{shoe_link(folder)}",
        simulated=True,
        database=f"sqlite:///{TABLE}.db",
        feed=FeedEndpoints(
            public_events=_ANY_PORT,
            public_requests=_ANY_PORT,
            staff_events=_ANY_PORT,
            staff_requests=_ANY_PORT,
        ),
    )
    file = tables / f"{TABLE}.toml"
    file.write_text(table_text(new), encoding="utf-8")
    return file


def shoe_link(folder: Path) -> Path:
    """The link that names the pseudo-terminal of the simulated shoe."""
    return folder / "shoe"


def house_text(name: str, title: str, speed: float) -> str:
    """The shipped studio house under another name, its waiting times divided by ``speed``.

    0 for none.
    """
    text = shipped(_BASE).read_text(encoding="utf-8")
    text = _with(text, "name", f'"{name}"')
    text = _with(text, "title", f'"{title}"')
    for key, live in (("betting_seconds", 15), ("close_guard_ms", 1500), ("settle_seconds", 8)):
        value = 0 if speed == 0 else live / speed
        shown = str(round(value)) if key.endswith("_ms") else f"{value:g}"
        text = _with(text, key, shown)
    return text


def _with(text: str, key: str, value: str) -> str:
    """The text with another value for a key of its first table."""
    changed, count = re.subn(rf"(?m)^{key} = .*$", f"{key} = {value}", text, count=1)
    if count != 1:
        raise ValueError(f"{_BASE} has no key {key}")
    return changed
