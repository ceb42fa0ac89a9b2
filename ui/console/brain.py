# SPDX-License-Identifier: GPL-3.0-or-later
"""The view model with its words and keys: one place that knows which language is spoken.

The prompt's language can change while the console runs; that of the call-outs is the table's.
"""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from studio.game.inputs import Command
from studio.words import Wording
from ui.view.keymap import SUIT_KEYS, KeyMap
from ui.view.model import View
from ui.view.press import pressed, second_for, typed
from ui.view.seen import Person, Seen
from ui.view.speech import Speech
from ui.view.steps import Step
from ui.view.whole import view_of


class Brain:
    """Makes views and steps. ``load`` gives the words of a language by its code."""

    def __init__(
        self,
        load: Callable[[str], Wording],
        languages: Sequence[str],
        language: str,
        call_language: str,
        keys: KeyMap,
    ) -> None:
        self._load = load
        self._languages = list(languages)
        self.language = language
        self._greeted: str | None = None
        self._speech = Speech(load(language), load(call_language), keys)

    @property
    def sounds(self) -> tuple[str, ...]:
        """The cues that are to be heard."""
        return self._speech.keys.sounds

    def view(self, seen: Seen) -> View:
        """What is drawn."""
        return view_of(seen, self._speech)

    def pressed(self, seen: Seen, act: str) -> Step:
        """What an act comes to."""
        return pressed(seen, act, self._speech)

    def typed(self, seen: Seen, text: str) -> Step:
        """What a text in the current field comes to."""
        return typed(seen, text)

    def second_for(self, seen: Seen, command: Command) -> Step:
        """Who else must say so, for a command that was refused for want of them."""
        return second_for(seen, command)

    def char_for(self, name: str, char: str, view: View) -> str:
        """What a key types where the view has a field: a keypad's signs are suits for a card."""
        is_card = view.panel is not None and view.panel.has_card_pad
        return SUIT_KEYS.get(name, char) if is_card else char

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
        self._speech = replace(self._speech, words=self._load(self.language))
