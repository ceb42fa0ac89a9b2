# SPDX-License-Identifier: GPL-3.0-or-later
"""Colours, type and sizes of the windows: the only place with a colour in it.

A widget asks for a role and gets a colour; two themes hold the same roles, and a test holds both
to the contrast that reading at two metres takes. Sizes are for a window of 1920 by 1080; a window
multiplies them by its unit. The typefaces ship with the program.
"""

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from PyQt6.QtGui import QColor, QFont, QFontDatabase

FAMILY, MONO = "Inter", "IBM Plex Mono"
FONTS = Path(__file__).parent / "fonts"
_INTER = tuple(f"Inter-{weight}.otf" for weight in ("Regular", "SemiBold", "ExtraBold"))
FACES = (*_INTER, "IBMPlexMono-Regular.ttf")

# The four sizes of type, and what else is measured in pixels of 1920 by 1080.
LOUD, LARGE, BODY, SMALL = 92, 40, 27, 20
RADIUS, GAP, EDGE = 18, 16, 2

_TABULAR = QFont.Tag("tnum")


class Pair(NamedTuple):
    """A filled surface and what is written on it."""

    fill: str
    ink: str


class Theme(NamedTuple):
    """The colour of every role."""

    name: str
    ground: str
    panel: str
    raised: str
    line: str
    text: str
    quiet: str
    accent: str
    glow: str
    player: str
    banker: str
    tie: str
    good: str
    alarm: str
    card: str
    card_edge: str
    card_red: str
    card_black: str
    on_mark: str
    bands: dict[str, Pair]

    def band(self, role: str) -> Pair:
        """The prompt band's surface for a role of the view: move, open, wait, stop, off."""
        return self.bands[role]

    def side(self, side: str) -> str:
        """The colour of player, banker or tie."""
        return {"player": self.player, "banker": self.banker, "tie": self.tie}[side]

    def colour(self, role: str) -> str:
        """The colour of a role by its name."""
        return str(getattr(self, role))


DARK = Theme(
    name="dark",
    ground="#0d1117",
    panel="#131922",
    raised="#1e2733",
    line="#232c38",
    text="#eef2f6",
    quiet="#9fb0c2",
    accent="#ffb020",
    glow="#2c2410",
    player="#5aa9ff",
    banker="#ff6464",
    tie="#3ddc97",
    good="#3ddc97",
    alarm="#ff7b86",
    card="#f8fafc",
    card_edge="#c9d2dc",
    card_red="#c8232f",
    card_black="#12161c",
    on_mark="#0d1117",
    bands={
        "move": Pair("#ffb020", "#181206"),
        "open": Pair("#2fc985", "#04180e"),
        "wait": Pair("#303b4a", "#eef2f6"),
        "stop": Pair("#c92a3a", "#ffffff"),
        "off": Pair("#1a212b", "#eef2f6"),
    },
)

LIGHT = Theme(
    name="light",
    ground="#e9edf2",
    panel="#ffffff",
    raised="#eef1f5",
    line="#c8d1db",
    text="#10161d",
    quiet="#4a5a6a",
    accent="#8f5600",
    glow="#fff1d4",
    player="#0a5cc2",
    banker="#c01d2b",
    tie="#067647",
    good="#067647",
    alarm="#b3202f",
    card="#ffffff",
    card_edge="#8595a6",
    card_red="#c01d2b",
    card_black="#10161d",
    on_mark="#ffffff",
    bands={
        "move": Pair("#ffb020", "#181206"),
        "open": Pair("#2fc985", "#04180e"),
        "wait": Pair("#c3ccd7", "#10161d"),
        "stop": Pair("#c92a3a", "#ffffff"),
        "off": Pair("#d5dbe3", "#10161d"),
    },
)

THEMES = {"dark": DARK, "light": LIGHT}


@lru_cache(maxsize=1)
def load_fonts() -> None:
    """Make the shipped typefaces known to the running application. Raises FileNotFoundError."""
    for face in FACES:
        file = FONTS / face
        if QFontDatabase.addApplicationFont(str(file)) < 0:
            raise FileNotFoundError(f"{file}: the program's typeface cannot be loaded")


@lru_cache(maxsize=512)
def font(
    pixels: int,
    weight: QFont.Weight = QFont.Weight.Normal,
    spacing: float = 0.0,
    *,
    is_mono: bool = False,
) -> QFont:
    """The typeface at a size in pixels, with figures of equal width; not to be changed."""
    made = QFont(MONO if is_mono else FAMILY)
    made.setPixelSize(max(1, pixels))
    made.setWeight(weight)
    made.setFeature(_TABULAR, 1)
    if spacing:
        made.setLetterSpacing(QFont.SpacingType.PercentageSpacing, 100 + spacing)
    return made


@lru_cache(maxsize=256)
def colour(code: str, alpha: float = 1.0) -> QColor:
    """A colour to paint with; not to be changed."""
    made = QColor(code)
    made.setAlphaF(alpha)
    return made


def contrast(one: str, other: str) -> float:
    """How well two colours stand apart, 1 to 21, as WCAG 2 reckons it."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(code: str) -> float:
    parts = [int(code[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
