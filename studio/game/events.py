# SPDX-License-Identifier: Apache-2.0
"""All that can have happened at a table: one frozen class per message type, with its audience.

The tag of a class is its ``type`` in the journal and on the wire. ``PUBLIC`` names the members
that the public feed carries as ``data`` (the feed contract); None means that the event is for
staff only. Members that are not named there are for staff, also on a public event.
"""

from datetime import datetime
from enum import Enum
from typing import ClassVar

import msgspec

from studio.game.cards import Card
from studio.game.coup import Outcome, Position
from studio.game.house import House, Limit
from studio.game.inputs import Origin, Report, TableFacts

EVENT_VERSION = 1


class Source(str, Enum):
    """Who is behind an event: the shoe, a person, the timer, or the system itself."""

    SHOE = "shoe"
    MANUAL = "manual"
    TIMER = "timer"
    SYSTEM = "system"


class Trust(str, Enum):
    """Whether the stream of the shoe can be relied on.

    ``suspect``: a report may have been lost since the last trusted boundary; ``lost``: no line.
    """

    TRUSTED = "trusted"
    SUSPECT = "suspect"
    LOST = "lost"


class Software(msgspec.Struct, frozen=True):
    """Which program wrote a message: its version and the digest of its files."""

    version: str
    digest: str


class Pairs(msgspec.Struct, frozen=True):
    """Whether each hand's first two cards have the same rank."""

    player: bool
    banker: bool


class _Event(msgspec.Struct, frozen=True, tag_field="type", kw_only=True, gc=False):
    PUBLIC: ClassVar[tuple[str, ...] | None] = None


# --- public ------------------------------------------------------------------------------------


class TableOpened(_Event, frozen=True, tag="table_opened"):
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


class TableClosed(_Event, frozen=True, tag="table_closed"):
    """The table is closed to players."""

    PUBLIC = ("reason",)
    reason: str
    by: str


class TableSuspended(_Event, frozen=True, tag="table_suspended"):
    """No bets until the table is resumed; open bets are closed by it."""

    PUBLIC = ("reason",)
    reason: str
    by: str | None = None


class TableResumed(_Event, frozen=True, tag="table_resumed"):
    """The suspension is over; ``reason`` is that of the suspension."""

    PUBLIC = ("reason",)
    reason: str
    by: str


class DealerChanged(_Event, frozen=True, tag="dealer_changed"):
    """Another dealer is on duty; ``dealer`` is the screen name."""

    PUBLIC = ("dealer",)
    dealer: str
    by: str


class ShoeLoaded(_Event, frozen=True, tag="shoe_loaded"):
    """A shoe is in place and the burn begins; ``burn`` is the number due, None until known."""

    PUBLIC = ("decks",)
    decks: int
    shoe: str
    burn: int | None
    by: str


class ShoeEnded(_Event, frozen=True, tag="shoe_ended"):
    """The shoe is out. Counts only; ``counted`` is what a person counted in it, if anyone did."""

    PUBLIC = ("rounds", "burned", "left")
    rounds: int
    burned: int
    left: int
    seen: int
    counted: int | None
    reason: str
    by: str


class CutCardSeen(_Event, frozen=True, tag="cut_card_seen"):
    """The cut card appeared; the last coup is ``this`` or ``next``."""

    PUBLIC = ("last_coup",)
    last_coup: str
    origin: Origin | None = None


class BetsOpened(_Event, frozen=True, tag="bets_opened"):
    """Bets are open until ``closes_at``."""

    PUBLIC = ("seconds", "closes_at")
    seconds: float
    closes_at: datetime
    round: str
    day: str
    by: str


class BetsClosed(_Event, frozen=True, tag="bets_closed"):
    """No more bets. Cards drawn before ``guard_until`` are announced only then."""

    PUBLIC = ()
    guard_until: datetime
    by: str | None = None


class CardDealt(_Event, frozen=True, tag="card_dealt"):
    """A card took its position and is public. A total is None for a hand without cards."""

    PUBLIC = ("position", "card", "player_total", "banker_total")
    position: Position
    card: Card
    player_total: int | None
    banker_total: int | None
    origin: Origin | None = None


class RoundHeld(_Event, frozen=True, tag="round_held"):
    """The round waits for a ruling; cards drawn since are hidden."""

    PUBLIC = ("reason",)
    reason: str


class RoundReleased(_Event, frozen=True, tag="round_released"):
    """The hold is over and nothing changes. ``text`` is a code for the player's text."""

    PUBLIC = ("set_aside", "text")
    set_aside: tuple[Card, ...]
    text: str
    by: str


class RoundReconstructed(_Event, frozen=True, tag="round_reconstructed"):
    """The hold is over; these hands replace the cards shown so far."""

    PUBLIC = ("player", "banker", "player_total", "banker_total", "set_aside", "text")
    player: tuple[Card, ...]
    banker: tuple[Card, ...]
    player_total: int | None
    banker_total: int | None
    set_aside: tuple[Card, ...]
    text: str
    by: str


class ResultConfirmed(_Event, frozen=True, tag="result"):
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


class ResultAmended(_Event, frozen=True, tag="result_amended"):
    """A later, higher revision of a round's result. ``supersedes`` is a public seq."""

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


class RoundVoided(_Event, frozen=True, tag="round_voided"):
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


class RoundClosed(_Event, frozen=True, tag="round_closed"):
    """Bets are paid, the cards are cleared."""

    PUBLIC = ()
    by: str | None = None


class ManualModeChanged(_Event, frozen=True, tag="manual_mode"):
    """Cards are, or are no longer, entered by people."""

    PUBLIC = ("on",)
    on: bool
    by: str


# --- staff -------------------------------------------------------------------------------------


class ServiceRestarted(_Event, frozen=True, tag="service_restarted"):
    """The service came up with these facts."""

    facts: TableFacts


class RulesLoaded(_Event, frozen=True, tag="rules_loaded"):
    """The house's rules, whole; a round under way ends by the rules that it began with."""

    house: House


class CardBurned(_Event, frozen=True, tag="card_burned"):
    """A card left the shoe and is out of play. ``burn``: number due once it is known."""

    card: Card | None
    burn: int | None
    origin: Origin | None = None


class BurnCompleted(_Event, frozen=True, tag="burn_completed"):
    """The burn is done."""

    burned: int


class CardKept(_Event, frozen=True, tag="card_kept"):
    """A card took its position but is not public yet: it was drawn within the close guard."""

    position: Position
    card: Card
    origin: Origin | None = None


class GuardEnded(_Event, frozen=True, tag="guard_ended"):
    """The close guard is over."""


class ResultDeclared(_Event, frozen=True, tag="result_declared"):
    """The coup is complete by the tableau; the dealer has not confirmed it yet."""

    outcome: Outcome
    player_total: int
    banker_total: int


class CardHeld(_Event, frozen=True, tag="card_held"):
    """A card left the shoe that has no position: it lies aside until a person rules."""

    card: Card | None
    origin: Origin | None = None


class IrregularityRaised(_Event, frozen=True, tag="irregularity_raised"):
    """Something physical went wrong; ``code`` is a row of the catalogue."""

    code: str
    detail: str
    card: Card | None = None
    origin: Origin | None = None


class IrregularityResolved(_Event, frozen=True, tag="irregularity_resolved"):
    """A person ruled: every open irregularity of the hold is mended by ``remedy``."""

    remedy: str
    reason: str
    by: str


class HeldCardBurned(_Event, frozen=True, tag="held_card_burned"):
    """The cards that lay aside are burned."""

    cards: tuple[Card, ...]
    unread: int


class StreamChanged(_Event, frozen=True, tag="stream_changed"):
    """The stream of the shoe became trusted, suspect or lost."""

    trust: Trust
    reason: str
    by: str | None = None
    origin: Origin | None = None


class ShoeNoted(_Event, frozen=True, tag="shoe_noted"):
    """The shoe reported something that moves nothing; kept as evidence."""

    report: Report
    origin: Origin


class CallNoted(_Event, frozen=True, tag="call_noted"):
    """The dealer called this winner."""

    outcome: Outcome
    by: str


PublicEvent = (
    TableOpened
    | TableClosed
    | TableSuspended
    | TableResumed
    | DealerChanged
    | ShoeLoaded
    | ShoeEnded
    | CutCardSeen
    | BetsOpened
    | BetsClosed
    | CardDealt
    | RoundHeld
    | RoundReleased
    | RoundReconstructed
    | ResultConfirmed
    | ResultAmended
    | RoundVoided
    | RoundClosed
    | ManualModeChanged
)

StaffEvent = (
    ServiceRestarted
    | RulesLoaded
    | CardBurned
    | BurnCompleted
    | CardKept
    | GuardEnded
    | ResultDeclared
    | CardHeld
    | IrregularityRaised
    | IrregularityResolved
    | HeldCardBurned
    | StreamChanged
    | ShoeNoted
    | CallNoted
)

Event = PublicEvent | StaffEvent


class Recorded(msgspec.Struct, frozen=True, gc=False):
    """An event with its place in the record: what the journal stores and the feeds send.

    ``seq`` counts all events of the table's epoch from 1; ``public_seq`` counts the public ones
    and is None on a staff event. ``shoe`` and ``round`` are the ids it belongs to, or None.
    """

    seq: int
    public_seq: int | None
    at: datetime
    source: Source
    shoe: str | None
    round: str | None
    event: Event
