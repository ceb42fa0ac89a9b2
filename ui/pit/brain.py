# SPDX-License-Identifier: GPL-3.0-or-later
"""The pit's view model with its words and keys; a tile is made anew only when its table changed."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from msgspec.structs import replace

from studio.words import Wording
from ui.console.tongue import Tongue
from ui.pit_view.model import PitView, TileView
from ui.pit_view.press import pressed, typed
from ui.pit_view.seen import Pit
from ui.pit_view.steps import PitStep
from ui.pit_view.tile import tile_of, told_of
from ui.pit_view.whole import matter, pit_of
from ui.view.keymap import KeyMap
from ui.view.seen import Seen
from ui.view.speech import Speech


class _Kept(NamedTuple):
    """A tile as it was made last, and what from."""

    seen: Seen
    is_selected: bool
    speech: Speech
    told: object
    tile: TileView


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
        self._tiles: dict[str, _Kept] = {}

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
        is_other = kept is None or (kept.is_selected, kept.speech) != (is_selected, self.speech)
        if kept is not None and not is_other and kept.seen is seen:
            return kept.tile
        told = told_of(seen)
        if kept is not None and not is_other and not is_whole and kept.told == told:
            made = kept.tile
        else:
            made = tile_of(seen, self.speech, is_selected=is_selected)
            if kept is not None and not is_whole and kept.tile.round == made.round:
                made = replace(made, drawn=kept.tile.drawn, depth=kept.tile.depth)
        self._tiles[seen.table] = _Kept(seen, is_selected, self.speech, told, made)
        return made

    def pressed(self, pit: Pit, act: str, columns: int) -> PitStep:
        """What an act comes to."""
        return pressed(pit, act, self.speech, columns)

    def typed(self, pit: Pit, text: str) -> PitStep:
        """What a text in the current field comes to."""
        return typed(pit, text)
