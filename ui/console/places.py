# SPDX-License-Identifier: GPL-3.0-or-later
"""Where everything stands in the dealer's window: pure geometry, the same in every state.

Prompt on top, hands in the middle, roads below, keys at the bottom. Wide or tall, each part has
one place for a size of window; whatever the table does, nothing moves. ``touch`` is the least
side of a target in pixels, for 15 mm on this screen.
"""

from typing import NamedTuple

from PyQt6.QtCore import QRect

# A wide window is laid out on 1920 by 1080 and a tall one on 1080 by 1920, and stretched.
WIDE, TALL = (1920, 1080), (1080, 1920)
_MARGIN, _GAP = 16, 14
MM_PER_INCH = 25.4
TOUCH_MM = 15.0


class Places(NamedTuple):
    """One rectangle a part. ``held`` covers hands and roads; ``panel`` covers the roads."""

    unit: float
    key_rows: int
    header: QRect
    band: QRect
    hands: QRect
    bead: QRect
    big: QRect
    derived: QRect
    shoe: QRect
    keys: QRect
    foot: QRect
    panel: QRect
    held: QRect


def touch_pixels(dots_per_inch: float) -> float:
    """15 mm on a screen; one that says something impossible counts as an ordinary one."""
    dpi = dots_per_inch if 60 <= dots_per_inch <= 400 else 96.0
    return TOUCH_MM / MM_PER_INCH * dpi


def places_of(width: int, height: int, touch: float) -> Places:
    """The places in a window of that size."""
    is_tall = height > width
    base = TALL if is_tall else WIDE
    unit = min(width / base[0], height / base[1])
    least = touch / unit
    return (_tall if is_tall else _wide)(width / unit, height / unit, unit, least)


def _wide(width: float, height: float, unit: float, least: float) -> Places:
    key = max(84.0, least)
    spare = max(0.0, height - WIDE[1] - (key - 84))
    heights = {
        "header": 58.0,
        "band": 228 + spare * 0.2,
        "hands": 344 - max(0.0, key - 84) * (spare == 0) + spare * 0.4,
        "roads": 262 + spare * 0.4,
        "keys": key,
    }
    tops, y = {}, 0.0
    for name, one in heights.items():
        tops[name] = y
        y += one + (12 if name == "header" else _GAP)
    inner = width - 2 * _MARGIN

    def row(name: str, left: float = 0.0, wide: float = inner) -> QRect:
        return _rect(_MARGIN + left, tops[name], wide, heights[name], unit)

    gap = 16.0
    # square cells: the bead plate and the shoe keep their width, the roads share what is left
    cell = (heights["roads"] - 62) / 6
    bead = min(6 * cell + 38, inner * 0.2)
    shoe = 290.0
    left = inner - bead - shoe - 3 * gap
    big = left * 0.45
    foot = _rect(_MARGIN, y, inner, max(26.0, height - y - 6), unit)
    roads = row("roads")
    return Places(
        unit=unit,
        key_rows=1,
        header=_rect(0, 0, width, heights["header"], unit),
        band=row("band"),
        hands=row("hands"),
        bead=row("roads", 0, bead),
        big=row("roads", bead + gap, big),
        derived=row("roads", bead + big + 2 * gap, left - big),
        shoe=row("roads", inner - shoe, shoe),
        keys=row("keys"),
        foot=foot,
        panel=roads,
        held=row("hands").united(roads),
    )


def _tall(width: float, height: float, unit: float, least: float) -> Places:
    key = max(84.0, least) * 2 + 12
    spare = max(0.0, height - TALL[1] - (key - 180))
    heights = {
        "header": 104.0,
        "band": 320 + spare * 0.2,
        "hands": 340 + spare * 0.4,
        "bead": 262 + spare * 0.1,
        "big": 262 + spare * 0.1,
        "derived": 262 + spare * 0.2 - max(0.0, key - 180) * (spare == 0),
        "keys": key,
    }
    tops, y = {}, 0.0
    for name, one in heights.items():
        tops[name] = y
        y += one + _GAP
    inner = width - 2 * _MARGIN

    def row(name: str, left: float = 0.0, wide: float = inner) -> QRect:
        return _rect(_MARGIN + left, tops[name], wide, heights[name], unit)

    shoe = 300.0
    foot = _rect(_MARGIN, y - 4, inner, max(70.0, height - y - 4), unit)
    panel = row("bead").united(row("derived"))
    return Places(
        unit=unit,
        key_rows=2,
        header=_rect(0, 0, width, heights["header"], unit),
        band=row("band"),
        hands=row("hands"),
        bead=row("bead", 0, inner - shoe - 16),
        big=row("big"),
        derived=row("derived"),
        shoe=row("bead", inner - shoe, shoe),
        keys=row("keys"),
        foot=foot,
        panel=panel,
        held=row("hands").united(panel),
    )


def _rect(left: float, top: float, width: float, height: float, unit: float) -> QRect:
    right, bottom = round((left + width) * unit), round((top + height) * unit)
    x, y = round(left * unit), round(top * unit)
    return QRect(x, y, right - x, bottom - y)
