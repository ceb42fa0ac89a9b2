# SPDX-License-Identifier: GPL-3.0-or-later
"""All widgets of the dealer's window in their places, drawing one view.

Knows neither keys nor table: it shows what it is given, and says what was touched.
"""

from typing import Any

from PyQt6.QtGui import QResizeEvent

from ui.console.frame import Frame
from ui.console.places import Places, places_of, touch_pixels
from ui.theme import THEMES
from ui.view.model import View
from ui.widgets.band import PromptBand
from ui.widgets.drawn import Drawn
from ui.widgets.foot import FootLine
from ui.widgets.hands import HandsPicture
from ui.widgets.header import HeaderLine
from ui.widgets.held import HeldPicture
from ui.widgets.keys import KeyBar
from ui.widgets.panel import PanelBox
from ui.widgets.roads import Part, RoadPicture
from ui.widgets.shoe import ShoePicture, ShoeView


class Surface(Frame):
    """Shows a ``View``."""

    def __init__(self, view: View) -> None:
        super().__init__(THEMES["light" if view.is_light else "dark"])
        self.view = view
        self.header = HeaderLine(view.header)
        self.band = PromptBand(view.band)
        self.hands = HandsPicture(view.hands)
        self.roads = tuple(RoadPicture(part, view.roads) for part in Part)
        self.shoe = ShoePicture(ShoeView(view.shoe, view.roads))
        self.keys = KeyBar(view.keys)
        self.foot = FootLine(view.foot)
        self.held = HeldPicture(None)
        self.panel = PanelBox(None)
        self.parts: tuple[Drawn[Any], ...] = (
            self.header, self.band, self.hands, *self.roads, self.shoe, self.keys, self.foot,
            self.held, self.panel,
        )  # fmt: skip
        for part in self.parts:
            part.setParent(self)
        for touchable in (self.band, self.keys, self.held, self.panel):
            touchable.touched.connect(self.touched)
        self.show_view(view)

    def show_view(self, view: View) -> None:
        """Draw another view; a part that is the same is not drawn again."""
        self.view = view
        theme = THEMES["light" if view.is_light else "dark"]
        if theme is not self.theme:
            self.paint_ground(theme)
            self._dress()
        self.header.show_view(view.header)
        self.band.show_view(view.band)
        self.hands.show_view(view.hands)
        for road in self.roads:
            road.show_view(view.roads)
        self.shoe.show_view(ShoeView(view.shoe, view.roads))
        self.held.show_view(view.held)
        self.panel.show_view(view.panel)
        self.keys.show_view(view.keys)
        self.foot.show_view(view.foot)
        self.hands.setVisible(view.held is None)
        is_covered = view.held is not None or view.panel is not None
        covered: tuple[Drawn[Any], ...] = (*self.roads, self.shoe)
        for part in covered:
            part.setVisible(not is_covered)

    def places(self) -> Places:
        """Where everything stands at this size."""
        screen = self.screen()
        dpi = 96.0 if screen is None else screen.physicalDotsPerInch() / screen.devicePixelRatio()
        return places_of(self.width(), self.height(), touch_pixels(dpi))

    def resizeEvent(self, _event: QResizeEvent | None) -> None:  # noqa: N802 - Qt's name
        """Put everything in its place for this size."""
        self._dress()

    def _dress(self) -> None:
        places = self.places()
        rooms = (
            places.header, places.band, places.hands, places.bead, places.big, places.derived,
            places.shoe, places.keys, places.foot, places.held, places.panel,
        )  # fmt: skip
        self.keys.rows = places.key_rows
        self.held.upper_height = places.hands.height()
        for part, room in zip(self.parts, rooms, strict=True):
            part.setGeometry(room)
            part.dress(self.theme, places.unit)
