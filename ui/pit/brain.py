# SPDX-License-Identifier: GPL-3.0-or-later
"""The pit's view model with its words and keys; a tile is made anew only when its table changed."""

from collections.abc import Callable, Sequence
from functools import partial

from msgspec.structs import replace

from studio.words import Wording
from ui.console.tongue import Tongue
from ui.pit_view.model import PitView, TileView
from ui.pit_view.press import pressed, typed
from ui.pit_view.seen import Pit
from ui.pit_view.steps import PitStep
from ui.pit_view.tile import tile_of
from ui.pit_view.whole import matter, pit_of
from ui.view.keymap import KeyMap
from ui.view.seen import Seen
from ui.view.speech import Speech


class PitBrain(Tongue):
    """Makes views and steps. Nothing is called aloud here."""

    def __init__(
        self,
        load: Callable[[str], Wording],
        languages: Sequence[str],
        language: str,
        keys: KeyMap,
    ) -> None:
        super().__init__(load, languages, language, language, keys)
        self._last: tuple[object, PitView] | None = None
        self._tiles: dict[str, tuple[Seen, bool, Speech, TileView]] = {}

    def view(self, pit: Pit, *, is_whole: bool = True) -> PitView:
        """What is drawn. If not ``is_whole``, what is calm stays as it was.

        That is how deep the shoes are, and what stands beside the wall of a table that deals.
        """
        now = (matter(pit), self.speech)
        is_kept = not is_whole and self._last is not None and self._last[0] == now
        before = self._last[1] if self._last is not None and is_kept else None
        tile = partial(self._tile, pit, is_whole=is_whole)
        made = pit_of(pit, self.speech, tile, before)
        self._last = (now, made)
        return made

    def _tile(self, pit: Pit, index: int, *, is_whole: bool) -> TileView:
        seen, is_selected = pit.tables[index], index == pit.selected
        kept = self._tiles.get(seen.table)
        if kept is not None and kept[0] is seen and kept[1:3] == (is_selected, self.speech):
            return kept[3]
        made = tile_of(seen, self.speech, is_selected=is_selected)
        if kept is not None and not is_whole and kept[3].round == made.round:
            made = replace(made, drawn=kept[3].drawn, depth=kept[3].depth)
        self._tiles[seen.table] = (seen, is_selected, self.speech, made)
        return made

    def pressed(self, pit: Pit, act: str, columns: int) -> PitStep:
        """What an act comes to."""
        return pressed(pit, act, self.speech, columns)

    def typed(self, pit: Pit, text: str) -> PitStep:
        """What a text in the current field comes to."""
        return typed(pit, text)
