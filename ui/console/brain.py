# SPDX-License-Identifier: GPL-3.0-or-later
"""The console's view model with its words and keys. Call-outs are in the table's own language."""

from studio.game.inputs import Command
from ui.console.tongue import Tongue
from ui.view.keymap import SUIT_KEYS
from ui.view.model import View
from ui.view.press import pressed, second_for, typed
from ui.view.seen import Seen
from ui.view.steps import Step
from ui.view.whole import view_of


class Brain(Tongue):
    """Makes views and steps."""

    def view(self, seen: Seen) -> View:
        """What is drawn."""
        return view_of(seen, self.speech)

    def pressed(self, seen: Seen, act: str) -> Step:
        """What an act comes to."""
        return pressed(seen, act, self.speech)

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
