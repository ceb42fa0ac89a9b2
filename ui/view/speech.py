# SPDX-License-Identifier: GPL-3.0-or-later
"""Words put together: two languages at once, cards as they are spoken, times as they are read."""

from datetime import datetime, timedelta

import msgspec

from studio.game.cards import Card
from studio.game.coup import Side
from studio.words import Wording
from ui.view.boxes import BUDGETS
from ui.view.keymap import KeyMap

_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_SUITS = {"S": "spade", "H": "heart", "D": "diamond", "C": "club"}


class Speech(msgspec.Struct, frozen=True):
    """The dealer's words, the table's words for what is called aloud, and the keys."""

    words: Wording
    calls: Wording
    keys: KeyMap

    def fact(self, code: str, /, **filled: object) -> str:
        """One of the small words, filled in."""
        text = self.words.console.facts[code]
        return text.format_map(filled) if filled else text

    def hand(self, side: Side) -> str:
        """A hand's name in capitals."""
        return self.fact(f"{side.value}-hand")

    def spoken(self, card: Card) -> str:
        """A card for a screen reader: "King of clubs"."""
        facts = self.words.console.facts
        rank = card.rank.value
        name = facts.get(f"rank-{rank}", "10" if rank == "T" else rank)
        return self.fact("spoken", rank=name, suit=facts[_SUITS[card.suit.value]])


def short(card: Card) -> str:
    """A card in two or three characters: ``9♥``, ``10♣``."""
    rank = "10" if card.rank.value == "T" else card.rank.value
    return rank + _SIGNS[card.suit.value]


def fit(text: str, box: str) -> str:
    """A text that comes from outside, cut to its box."""
    most = BUDGETS[box]
    return text if len(text) <= most else text[: most - 1] + "…"


def span(passed: timedelta) -> str:
    """A length of time as minutes and seconds: ``0:12``; never negative."""
    seconds = max(int(passed.total_seconds()), 0)
    return f"{seconds // 60}:{seconds % 60:02d}"


def clock_text(now: datetime, zone_minutes: int) -> str:
    """Studio time of day, with seconds."""
    return f"{now + timedelta(minutes=zone_minutes):%H:%M:%S}"
