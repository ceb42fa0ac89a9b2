# SPDX-License-Identifier: GPL-3.0-or-later
"""Where everything stands in the window of the pit: pure geometry, the same in every state.

Header on top, keys and foot at the bottom. Between them the wall, and beside it (below it in a
tall window) the queue, the selected table and, over its lower part, a panel.
"""

from typing import NamedTuple

from PyQt6.QtCore import QRect, QSize

from ui.console.places import TALL, WIDE
from ui.widgets.tile import HEIGHT, WIDTH

_MARGIN, _GAP, _TILE_GAP = 16.0, 14.0, 10.0


class Places(NamedTuple):
    """One rectangle a part; ``tiles`` one for each table, ``columns`` of them in a row.

    ``beside`` is the room of the selected table, ``beside_small`` while a panel is open.
    """

    unit: float
    tile_unit: float
    columns: int
    key_rows: int
    header: QRect
    tiles: tuple[QRect, ...]
    queue: QRect
    beside: QRect
    beside_small: QRect
    panel: QRect
    keys: QRect
    foot: QRect


class _Room(NamedTuple):
    left: float
    top: float
    width: float
    height: float

    def part(self, top: float, bottom: float) -> "_Room":
        """A part of its height, from 0 to 1, with a gap to the part above."""
        gap = _GAP if top > 0 else 0.0
        start = self.top + self.height * top + gap
        return _Room(self.left, start, self.width, self.top + self.height * bottom - start)


def places_of(width: int, height: int, touch: float, tables: int) -> Places:
    """The places in a window of that size, for so many tables."""
    is_tall = height > width
    base = TALL if is_tall else WIDE
    unit = min(width / base[0], height / base[1])
    wide, high = width / unit, height / unit
    rows = 2 if is_tall else 1
    header = 100.0 if is_tall else 58.0
    key = max(76.0, touch / unit) * rows + 12 * (rows - 1)
    foot = 64.0 if is_tall else 28.0
    top = header + 12
    body = _Room(_MARGIN, top, wide - 2 * _MARGIN, high - top - key - foot - 2 * _GAP)
    if is_tall:
        wall, queue, beside, small, panel = _below(body)
    else:
        wall, queue, beside, small, panel = _beside(body)
    columns, scale, tiles = _tiled(wall, tables)
    keys = _Room(_MARGIN, body.top + body.height + _GAP, body.width, key)
    low = _Room(_MARGIN, keys.top + key + 6, body.width, foot)
    return Places(
        unit=unit,
        tile_unit=unit * scale,
        columns=columns,
        key_rows=rows,
        header=_rect(_Room(0, 0, wide, header), unit),
        tiles=_alike([_rect(one, unit) for one in tiles]),
        queue=_rect(queue, unit),
        beside=_rect(beside, unit),
        beside_small=_rect(small, unit),
        panel=_rect(panel, unit),
        keys=_rect(keys, unit),
        foot=_rect(low, unit),
    )


def _beside(body: _Room) -> tuple[_Room, _Room, _Room, _Room, _Room]:
    side = min(body.width * 0.37, 820.0)
    wall = body._replace(width=body.width - side - _GAP)
    column = _Room(wall.left + wall.width + _GAP, body.top, side, body.height)
    return (
        wall, column.part(0, 0.3), column.part(0.3, 1), column.part(0.3, 0.63),
        column.part(0.63, 1),
    )  # fmt: skip


def _below(body: _Room) -> tuple[_Room, _Room, _Room, _Room, _Room]:
    wall, low = body.part(0, 0.47), body.part(0.47, 1)
    beside = low.part(0.26, 1)
    return wall, low.part(0, 0.26), beside, low.part(0.26, 0.59), low.part(0.59, 1)


def _tiled(wall: _Room, tables: int) -> tuple[int, float, list[_Room]]:
    """The columns that make the tiles largest, their scale, and where each stands."""
    best, columns = 0.0, 1
    for count in range(1, tables + 1):
        rows = -(-tables // count)
        width, height = _cell(wall, count, rows)
        scale = min(width / WIDTH, height / HEIGHT)
        if scale > best + 1e-9:
            best, columns = scale, count
    width, height = _cell(wall, columns, -(-tables // columns))
    # a few tables do not fill the wall with huge tiles
    height = min(height, width * HEIGHT / WIDTH * 1.15)
    rooms = [
        _Room(
            wall.left + (n % columns) * (width + _TILE_GAP),
            wall.top + (n // columns) * (height + _TILE_GAP),
            width,
            height,
        )
        for n in range(tables)
    ]
    return columns, best, rooms


def _cell(wall: _Room, columns: int, rows: int) -> tuple[float, float]:
    width = (wall.width - _TILE_GAP * (columns - 1)) / columns
    return width, (wall.height - _TILE_GAP * (rows - 1)) / rows


def _alike(rooms: list[QRect]) -> tuple[QRect, ...]:
    """The same rooms in one size: what is painted for one tile is good for the others."""
    size = QSize(min(one.width() for one in rooms), min(one.height() for one in rooms))
    return tuple(QRect(one.topLeft(), size) for one in rooms)


def _rect(room: _Room, unit: float) -> QRect:
    right, bottom = round((room.left + room.width) * unit), round((room.top + room.height) * unit)
    x, y = round(room.left * unit), round(room.top * unit)
    return QRect(x, y, right - x, bottom - y)
