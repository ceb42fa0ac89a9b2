# SPDX-License-Identifier: Apache-2.0
"""The rules of a house, as data.

A house is one file of ``config/houses``. All amounts and odds are decimal strings, never floats.
``sources`` names, for every value that differs from a plain default, where it was read, or says
"confirm with your regulator".
"""

from enum import Enum

import msgspec

from studio.game.cards import cards_in


class ShoeMode(str, Enum):
    """``shoe``: dealt to the cut card; ``continuous``: reshuffled after every round."""

    SHOE = "shoe"
    CONTINUOUS = "continuous"


class BurnRule(str, Enum):
    """How many cards are burned when a shoe is loaded."""

    NONE = "none"
    FIXED = "fixed"
    DECKS = "decks"
    FIRST_CARD = "first_card"


class LastCoup(str, Enum):
    """What the cut card means; the words of the adjudication contract."""

    CURRENT = "current"
    ONE_MORE = "one_more"
    ALWAYS_ONE_MORE = "always_one_more"


class ResultEntry(str, Enum):
    """How a result becomes final: one key, the winner called, or by itself."""

    CONFIRM = "confirm"
    WINNER = "winner"
    AUTO = "auto"


class Burn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The burn. ``cards`` counts for ``fixed``; ``ace`` (1 or 11) for ``first_card``.

    With ``first_card`` the first card is burned too: it and as many more as it counts.
    """

    rule: BurnRule
    cards: int | None = None
    ace: int = 1


class Limit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One band of stakes a player may choose, decimal strings."""

    min: str
    max: str


class GamingDay(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where and at which hour (0 to 23) the gaming day turns."""

    time_zone: str = "UTC"
    turns_at_hour: int = 6


class House(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One jurisdiction's or operator's rules. Durations say their unit in the name."""

    name: str
    title: str
    decks: int
    shoe_mode: ShoeMode = ShoeMode.SHOE
    cut_card_from_end: int | None
    last_coup: LastCoup
    burn: Burn
    betting_seconds: float = 15
    close_guard_ms: int = 1500
    settle_seconds: float = 8
    amend_minutes: float = 60
    result_entry: ResultEntry = ResultEntry.CONFIRM
    excess_card: str
    early_card: str
    face_up_card: str
    stuck_cards: str
    found_late: str
    commission: str = "0.05"
    banker_six_pays: str | None = None
    tie_odds: str = "8"
    currency: str = "EUR"
    limits: tuple[Limit, ...]
    side_bets: dict[str, dict[str, str]] = {}
    gaming_day: GamingDay = GamingDay()
    sources: dict[str, str] = {}

    @property
    def cards(self) -> int:
        """How many cards its shoe holds."""
        return cards_in(self.decks)
