# SPDX-License-Identifier: GPL-3.0-or-later
"""The pit's view model with its words and keys; a tile is made anew only when its table changed."""

from collections.abc import Callable, Sequence
from functools import partial

from msgspec.structs import replace

from studio.words import Wording
from ui.pit_view.model import PitView, TileView
from ui.pit_view.press import pressed, typed
from ui.pit_view.seen import Pit
from ui.pit_view.steps import PitStep
from ui.pit_view.tile import tile_of
from ui.pit_view.whole import matter, pit_of
from ui.view.keymap import KeyMap
from ui.view.seen import Person, Seen
from ui.view.speech import Speech


class PitBrain:
    """Makes views and steps. ``load`` gives the words of a language by its code."""

    def __init__(
        self,
        load: Callable[[str], Wording],
        languages: Sequence[str],
        language: str,
        keys: KeyMap,
    ) -> None:
        self._load = load
        self._languages = list(languages)
        self.language = language
        self._greeted: str | None = None
        self._speech = Speech(load(language), load(language), keys)
        self._last: tuple[object, PitView] | None = None
        self._tiles: dict[str, tuple[Seen, bool, Speech, TileView]] = {}

    @property
    def sounds(self) -> tuple[str, ...]:
        """The cues that are to be heard."""
        return self._speech.keys.sounds

    def view(self, pit: Pit, *, is_whole: bool = True) -> PitView:
        """What is drawn. If not ``is_whole``, what is calm stays as it was.

        That is how deep the shoes are, and what stands beside the wall of a table that deals.
        """
        now = (matter(pit), self._speech)
        is_kept = not is_whole and self._last is not None and self._last[0] == now
        before = self._last[1] if self._last is not None and is_kept else None
        tile = partial(self._tile, pit, is_whole=is_whole)
        made = pit_of(pit, self._speech, tile, before)
        self._last = (now, made)
        return made

    def _tile(self, pit: Pit, index: int, *, is_whole: bool) -> TileView:
        seen, is_selected = pit.tables[index], index == pit.selected
        kept = self._tiles.get(seen.table)
        now = (seen, is_selected, self._speech)
        if kept is not None and all(one is was for one, was in zip(now, kept[:3], strict=True)):
            return kept[3]
        made = tile_of(seen, self._speech, is_selected=is_selected)
        if kept is not None and not is_whole and kept[3].round == made.round:
            made = replace(made, drawn=kept[3].drawn, depth=kept[3].depth)
        self._tiles[seen.table] = (*now, made)
        return made

    def pressed(self, pit: Pit, act: str, columns: int) -> PitStep:
        """What an act comes to."""
        return pressed(pit, act, self._speech, columns)

    def typed(self, pit: Pit, text: str) -> PitStep:
        """What a text in the current field comes to."""
        return typed(pit, text)

    def next_language(self) -> None:
        """Speak the next language."""
        at = self._languages.index(self.language) if self.language in self._languages else -1
        self._speak(self._languages[(at + 1) % len(self._languages)])

    def greet(self, person: Person | None) -> None:
        """Speak the language of whoever logged in, if it is another person than before."""
        if person is None or person.staff == self._greeted:
            return
        self._greeted = person.staff
        if person.language in self._languages:
            self._speak(person.language)

    def _speak(self, language: str) -> None:
        self.language = language
        words = self._load(language)
        self._speech = replace(self._speech, words=words, calls=words)
