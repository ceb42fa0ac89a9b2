# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures that the tiles of a wall share: what was painted once is not painted again.

Tiles of one size, theme and frame have one look. Most of what one of them shows another has shown
before: a phase, a dealer, a score.
"""

from collections.abc import Callable
from typing import NamedTuple

from PyQt6.QtCore import QSize, QSizeF
from PyQt6.QtGui import QPixmap

from ui.theme import colour
from ui.widgets.text import Placed

# A wall has a few looks at a time; what is not used by any tile goes first.
_MOST_LOOKS, _MOST_PIECES = 32, 256


class Piece(NamedTuple):
    """A part of a tile with its ground, and the texts in it."""

    picture: QPixmap
    placed: list[Placed]


class Look:
    """The ground of tiles that look the same, and pieces painted on it."""

    def __init__(self, ground: QPixmap) -> None:
        self.ground = ground
        self.pieces: dict[object, Piece] = {}

    def keep(self, key: object, piece: Piece) -> Piece:
        """Keep a piece, for the oldest if there are too many."""
        if len(self.pieces) >= _MOST_PIECES:
            del self.pieces[next(iter(self.pieces))]
        self.pieces[key] = piece
        return piece


class Looks:
    """The looks of a wall."""

    def __init__(self) -> None:
        self._looks: dict[object, Look] = {}

    def of(self, key: object, ground: Callable[[], QPixmap]) -> Look:
        """The look of that name; ``ground`` paints it the first time."""
        found = self._looks.get(key)
        if found is None:
            if len(self._looks) >= _MOST_LOOKS:
                del self._looks[next(iter(self._looks))]
            found = self._looks[key] = Look(ground())
        return found


def blank(size: QSize | QSizeF, ratio: float, ground: str) -> QPixmap:
    """A picture of that size with nothing but its ground."""
    picture = QPixmap(round(size.width() * ratio), round(size.height() * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(colour(ground))
    return picture
