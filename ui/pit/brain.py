# SPDX-License-Identifier: GPL-3.0-or-later
"""The pit's view model with its words and keys; a tile is made anew only when its table changed."""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from studio.words import Wording
from ui.pit_view.model import PitView, TileView
from ui.pit_view.press import pressed, typed
from ui.pit_view.seen import Pit
from ui.pit_view.steps import PitStep
from ui.pit_view.tile import tile_of
from ui.pit_view.whole import pit_of
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
        self._tiles: dict[str, tuple[Seen, bool, Speech, TileView]] = {}

    @property
    def sounds(self) -> tuple[str, ...]:
        """The cues that are to be heard."""
        return self._speech.keys.sounds

    def view(self, pit: Pit) -> PitView:
        """What is drawn."""
        return pit_of(pit, self._speech, lambda index: self._tile(pit, index))

    def _tile(self, pit: Pit, index: int) -> TileView:
        seen, is_selected = pit.tables[index], index == pit.selected
        kept = self._tiles.get(seen.table)
        now = (seen, is_selected, self._speech)
        if kept is not None and all(one is was for one, was in zip(now, kept[:3], strict=True)):
            return kept[3]
        made = tile_of(seen, self._speech, is_selected=is_selected)
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
