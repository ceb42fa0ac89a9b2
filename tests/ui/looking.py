# SPDX-License-Identifier: Apache-2.0
"""What can be wrong with texts on a screen: clipped, outside of their widget, on one another."""

from itertools import combinations

from PyQt6.QtCore import QRectF

from ui.console.surface import Surface
from ui.widgets.text import Placed

# Sizes of a window, in the pixels that a scaling of 100 to 200 % leaves of a screen.
SIZES = (
    (1280, 800), (1366, 768), (1920, 1080), (2560, 1440), (3840, 2160), (1600, 1200),
    (800, 1280), (1080, 1920), (2160, 3840),
)  # fmt: skip


def painted(surface: Surface) -> list[tuple[str, Placed, QRectF]]:
    """Every text on screen: its widget, where it went, and the room it takes in the window."""
    surface.grab()
    found = []
    for part in surface.parts:
        if part.isHidden():
            continue
        offset = part.geometry().topLeft()
        for placed in part.placed:
            room = placed.taken.translated(offset.x(), offset.y())
            found.append((type(part).__name__, placed, room))
    return found


def is_covered(surface: Surface, name: str) -> bool:
    """Whether a widget lies under a panel, which hides a part of it."""
    return name == "HeldPicture" and not surface.panel.isHidden()


def faults_of(surface: Surface) -> list[str]:
    """What is wrong with the texts of a window, one line each."""
    texts = painted(surface)
    whole = QRectF(surface.rect()).adjusted(-1, -1, 1, 1)
    faults = [
        f"{name}: {placed.text!r} needs {_size(placed.taken)} and has {_size(placed.given)}"
        for name, placed, _ in texts
        if placed.is_clipped
    ]
    faults += [
        f"{name}: {placed.text!r} lies outside" for name, placed, room in texts
        if not whole.contains(room)
    ]  # fmt: skip
    seen = [one for one in texts if not is_covered(surface, one[0])]
    for (name, one, room), (other_name, other, other_room) in combinations(seen, 2):
        common = room.intersected(other_room)
        if common.width() > 2 and common.height() > max(3.0, 0.12 * room.height()):
            faults.append(f"{name}: {one.text!r} lies on {other_name}: {other.text!r}")
    return faults


def _size(room: QRectF) -> str:
    return f"{room.width():.0f}x{room.height():.0f}"
