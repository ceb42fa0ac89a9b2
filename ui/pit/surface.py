# SPDX-License-Identifier: GPL-3.0-or-later
"""All widgets of the pit's window in their places, drawing one view; only what changed is drawn.

Knows neither keys nor tables: it shows what it is given, and says what was touched.
"""

from typing import Any

from PyQt6.QtGui import QResizeEvent

from ui.console.frame import Frame
from ui.console.places import touch_pixels
from ui.pit.places import Places, places_of
from ui.pit_view.model import PitView
from ui.theme import THEMES
from ui.widgets.drawn import Drawn
from ui.widgets.foot import FootLine
from ui.widgets.keys import KeyBar
from ui.widgets.looks import Looks
from ui.widgets.panel import PanelBox
from ui.widgets.pit_header import PitHeaderLine
from ui.widgets.queue import QueuePicture
from ui.widgets.ruling import TableBeside
from ui.widgets.tile import TablePicture
from ui.widgets.touch import Touchable


class PitSurface(Frame):
    """Shows a ``PitView``."""

    def __init__(self, view: PitView) -> None:
        super().__init__(THEMES["light" if view.is_light else "dark"])
        self.view = view
        self.header = PitHeaderLine(view.header)
        looks = Looks()
        self.tiles = tuple(TablePicture(one, looks) for one in view.tiles)
        self.queue = QueuePicture(view.queue)
        self.beside = TableBeside(view.table)
        self.keys = KeyBar(view.keys)
        self.foot = FootLine(view.foot)
        self.panel = PanelBox(None, is_list=True)
        self.parts: tuple[Drawn[Any], ...] = (
            self.header, *self.tiles, self.queue, self.beside, self.keys, self.foot, self.panel,
        )  # fmt: skip
        for part in self.parts:
            part.setParent(self)
        touchables: tuple[Touchable[Any], ...] = (
            *self.tiles, self.queue, self.beside, self.keys, self.panel,
        )  # fmt: skip
        for touchable in touchables:
            touchable.touched.connect(self.touched)
        self.show_view(view)

    def show_view(self, view: PitView) -> None:
        """Draw another view; a part that is the same is not drawn again."""
        had_panel = self.view.panel is not None
        self.view = view
        theme = THEMES["light" if view.is_light else "dark"]
        if theme is not self.theme:
            self.paint_ground(theme)
            self._dress()
        self.header.show_view(view.header)
        for picture, tile in zip(self.tiles, view.tiles, strict=True):
            picture.show_view(tile)
        self.queue.show_view(view.queue)
        self.panel.show_view(view.panel)
        if had_panel is not (view.panel is not None) or self.beside.is_small is not had_panel:
            self._dress()
        self.beside.show_view(view.table)
        self.keys.show_view(view.keys)
        self.foot.show_view(view.foot)

    def places(self) -> Places:
        """Where everything stands at this size."""
        screen = self.screen()
        dpi = 96.0 if screen is None else screen.physicalDotsPerInch() / screen.devicePixelRatio()
        return places_of(self.width(), self.height(), touch_pixels(dpi), len(self.tiles))

    @property
    def columns(self) -> int:
        """How many tables stand beside one another."""
        return self.places().columns

    def resizeEvent(self, _event: QResizeEvent | None) -> None:  # noqa: N802 - Qt's name
        """Put everything in its place for this size."""
        self._dress()

    def _dress(self) -> None:
        places = self.places()
        self.keys.rows = places.key_rows
        self.beside.is_small = self.view.panel is not None
        beside = places.beside_small if self.beside.is_small else places.beside
        units = (places.unit, *(places.tile_unit for _ in self.tiles), *(places.unit,) * 5)
        rooms = (places.header, *places.tiles, places.queue, beside, places.keys, places.foot,
                 places.panel)  # fmt: skip
        for part, room, unit in zip(self.parts, rooms, units, strict=True):
            part.setGeometry(room)
            part.dress(self.theme, unit)
        self.beside.update()
