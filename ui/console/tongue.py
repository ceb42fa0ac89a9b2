# SPDX-License-Identifier: GPL-3.0-or-later
"""Which language a window speaks, and when it changes: by a key, or with who logs in."""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from studio.words import Wording
from ui.view.keymap import KeyMap
from ui.view.seen import Person
from ui.view.speech import Speech


class Tongue:
    """Words and keys in one language. ``load`` gives the words of a language by its code.

    ``call_language`` is that of what is called aloud, which never changes.
    """

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
        self._greeted: str | None = None
        self.language = language
        self.speech = Speech(load(language), load(call_language), keys)

    @property
    def sounds(self) -> tuple[str, ...]:
        """The cues that are to be heard."""
        return self.speech.keys.sounds

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
        self.speech = replace(self.speech, words=self._load(language))
