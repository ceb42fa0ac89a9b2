# SPDX-License-Identifier: Apache-2.0
"""What players may know: one class for each message of the public feed (the feed contract).

``PUBLIC`` names, in order, the members that the feed carries as ``data``; the others, such as
``by`` and ``origin``, are for staff.
"""

from datetime import datetime

from studio.game.cards import Card
from studio.game.coup import Outcome, Position
from studio.game.event_words import EventBase, Pairs, Software
from studio.game.house import Limit
from studio.game.inputs import Origin


class TableOpened(EventBase, frozen=True, tag="table_opened"):
    """The table is open to players."""

    PUBLIC = (
        "environment",
        "house",
        "decks",
        "shoe_mode",
        "currency",
        "limits",
        "paytable",
        "dealer",
        "stream",
        "picture_delay_ms",
        "software",
    )
    environment: str
    house: str
    decks: int
    shoe_mode: str
    currency: str
    limits: tuple[Limit, ...]
    paytable: dict[str, dict[str, str]]
    dealer: str
    stream: str | None
    picture_delay_ms: int
    software: Software
    by: str


class TableClosed(EventBase, frozen=True, tag="table_closed"):
    """The table is closed to players."""

    PUBLIC = ("reason",)
    reason: str
    by: str


class TableSuspended(EventBase, frozen=True, tag="table_suspended"):
    """No bets until the table is resumed; open bets are closed by it."""

    PUBLIC = ("reason",)
    reason: str
    by: str | None = None


class TableResumed(EventBase, frozen=True, tag="table_resumed"):
    """The suspension is over; ``reason`` is that of the suspension."""

    PUBLIC = ("reason",)
    reason: str
    by: str


class DealerChanged(EventBase, frozen=True, tag="dealer_changed"):
    """Another dealer is on duty; ``dealer`` is the screen name."""

    PUBLIC = ("dealer",)
    dealer: str
    by: str


class ShoeLoaded(EventBase, frozen=True, tag="shoe_loaded"):
    """A shoe is in place and the burn begins; ``burn`` is the number due, None until known."""

    PUBLIC = ("decks",)
    decks: int
    shoe: str
    burn: int | None
    by: str


class ShoeEnded(EventBase, frozen=True, tag="shoe_ended"):
    """The shoe is out. Counts only; ``counted`` is what a person counted in it, if anyone did."""

    PUBLIC = ("rounds", "burned", "left")
    rounds: int
    burned: int
    left: int
    seen: int
    counted: int | None
    reason: str
    by: str


class CutCardSeen(EventBase, frozen=True, tag="cut_card_seen"):
    """The cut card appeared, or was missed; the last coup is ``this`` or ``next``.

    ``by``: who told of it, where the shoe did not.
    """

    PUBLIC = ("last_coup",)
    last_coup: str
    origin: Origin | None = None
    by: str | None = None


class BetsOpened(EventBase, frozen=True, tag="bets_opened"):
    """Bets are open until ``closes_at``. ``video_stream`` is the recording that shows the round."""

    PUBLIC = ("seconds", "closes_at")
    seconds: float
    closes_at: datetime
    round: str
    day: str
    by: str
    video_stream: str | None = None


class BetsClosed(EventBase, frozen=True, tag="bets_closed"):
    """No more bets. Cards drawn before the guard ends are announced only then.

    ``guard_until`` is None for a house without a close guard.
    """

    PUBLIC = ()
    guard_until: datetime | None
    by: str | None = None


class CardDealt(EventBase, frozen=True, tag="card_dealt"):
    """A card took its position and is public. A total is None for a hand without cards.

    ``is_carried``: it left the shoe in the coup before. ``is_manual``: a person entered it.
    """

    PUBLIC = ("position", "card", "player_total", "banker_total")
    position: Position
    card: Card
    player_total: int | None
    banker_total: int | None
    is_carried: bool = False
    is_manual: bool = False
    origin: Origin | None = None


class RoundHeld(EventBase, frozen=True, tag="round_held"):
    """The round waits for a ruling; cards drawn since are hidden."""

    PUBLIC = ("reason",)
    reason: str


class RoundReleased(EventBase, frozen=True, tag="round_released"):
    """The hold is over and nothing changes. ``text`` is a code for the player's text."""

    PUBLIC = ("set_aside", "text")
    set_aside: tuple[Card, ...]
    text: str
    by: str
    aside_numbers: tuple[int, ...] = ()


class RoundReconstructed(EventBase, frozen=True, tag="round_reconstructed"):
    """The hold is over; these hands replace the cards shown so far."""

    PUBLIC = ("player", "banker", "player_total", "banker_total", "set_aside", "text")
    player: tuple[Card, ...]
    banker: tuple[Card, ...]
    player_total: int | None
    banker_total: int | None
    set_aside: tuple[Card, ...]
    text: str
    by: str
    aside_numbers: tuple[int, ...] = ()


class ResultConfirmed(EventBase, frozen=True, tag="result"):
    """The result of the round; it is paid on this. ``bets``: profit per unit staked."""

    PUBLIC = (
        "revision",
        "outcome",
        "player",
        "banker",
        "player_total",
        "banker_total",
        "natural",
        "pairs",
        "bets",
        "amendable_until",
    )
    revision: int
    outcome: Outcome
    player: tuple[Card, ...]
    banker: tuple[Card, ...]
    player_total: int
    banker_total: int
    natural: bool
    pairs: Pairs
    bets: dict[str, str]
    amendable_until: datetime
    by: str | None = None


class ResultAmended(EventBase, frozen=True, tag="result_amended"):
    """A later, higher revision of a round's result. ``supersedes`` is a public seq.

    ``drawn`` left this shoe though others were read, ``not_drawn``; ``more_out``: how many of them
    the shoe never told of.
    """

    PUBLIC = (*ResultConfirmed.PUBLIC, "supersedes", "reason")
    revision: int
    outcome: Outcome
    player: tuple[Card, ...]
    banker: tuple[Card, ...]
    player_total: int
    banker_total: int
    natural: bool
    pairs: Pairs
    bets: dict[str, str]
    amendable_until: datetime
    supersedes: int
    reason: str
    round: str
    by: str
    second: str
    detail: str = ""
    drawn: tuple[Card, ...] = ()
    not_drawn: tuple[Card, ...] = ()
    more_out: int = 0


class RoundVoided(EventBase, frozen=True, tag="round_voided"):
    """The round is cancelled; stakes are returned. ``supersedes``: the result's seq, or None."""

    PUBLIC = ("revision", "reason", "set_aside", "text", "supersedes")
    revision: int
    reason: str
    set_aside: tuple[Card, ...]
    text: str
    supersedes: int | None
    round: str
    detail: str
    by: str
    second: str | None = None


class RoundClosed(EventBase, frozen=True, tag="round_closed"):
    """Bets are paid, the cards are cleared. ``was_dealt``: its coup had a card."""

    PUBLIC = ()
    by: str | None = None
    was_dealt: bool = True


class ManualModeChanged(EventBase, frozen=True, tag="manual_mode"):
    """Cards are, or are no longer, entered by people."""

    PUBLIC = ("on",)
    on: bool
    by: str
    second: str = ""
