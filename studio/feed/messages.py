# SPDX-License-Identifier: Apache-2.0
"""What the public messages carry as ``data``: one frozen class per message type.

This is what a front-end reads. It holds the public members only, in the order in which they are
sent; the events of ``studio.game.events`` hold what the studio keeps to itself as well, and a
test compares the two. Amounts and odds are decimal strings, times are aware UTC. A member that
is not named here is ignored, so that new ones can be added.
"""

from datetime import datetime
from typing import Annotated

import msgspec

from studio.game.cards import Card
from studio.game.coup import Outcome, Position
from studio.game.events import Pairs, Software
from studio.game.house import Limit

# A time without a zone is none: it could not be compared with the others.
Time = Annotated[datetime, msgspec.Meta(tz=True)]


class _Data(msgspec.Struct, frozen=True, kw_only=True):
    pass


class TableOpened(_Data, frozen=True):
    """The table is open to players, with these facts and rules."""

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


class TableClosed(_Data, frozen=True):
    """The table is closed to players."""

    reason: str


class TableSuspended(_Data, frozen=True):
    """No bets until the table is resumed; open bets are closed by it."""

    reason: str


class TableResumed(_Data, frozen=True):
    """The suspension is over. Bets are open only after the next ``bets_opened``."""

    reason: str


class DealerChanged(_Data, frozen=True):
    """Another dealer is on duty, by screen name."""

    dealer: str


class ShoeLoaded(_Data, frozen=True):
    """A new shoe is in place."""

    decks: int


class ShoeEnded(_Data, frozen=True):
    """The shoe is out: how many rounds, cards burned and cards left."""

    rounds: int
    burned: int
    left: int


class CutCardSeen(_Data, frozen=True):
    """The cut card appeared; the last coup is ``this`` or ``next``."""

    last_coup: str


class BetsOpened(_Data, frozen=True):
    """Bets are open until ``closes_at``, on the studio's clock."""

    seconds: float
    closes_at: Time


class BetsClosed(_Data, frozen=True):
    """No more bets."""


class CardDealt(_Data, frozen=True):
    """A card in its position. A total is None for a hand without cards."""

    position: Position
    card: Card
    player_total: int | None
    banker_total: int | None


class RoundHeld(_Data, frozen=True):
    """The round waits for a ruling."""

    reason: str


class RoundReleased(_Data, frozen=True):
    """The hold is over and nothing changes."""

    set_aside: tuple[Card, ...]
    text: str


class RoundReconstructed(_Data, frozen=True):
    """The hold is over; these hands replace the cards shown so far."""

    player: tuple[Card, ...]
    banker: tuple[Card, ...]
    player_total: int | None
    banker_total: int | None
    set_aside: tuple[Card, ...]
    text: str


class Result(_Data, frozen=True):
    """The result of a round. ``bets``: profit per unit staked, for every bet on offer."""

    revision: int
    outcome: Outcome
    player: tuple[Card, ...]
    banker: tuple[Card, ...]
    player_total: int
    banker_total: int
    natural: bool
    pairs: Pairs
    bets: dict[str, str]
    amendable_until: Time


class ResultAmended(Result, frozen=True):
    """A later result of the same round. ``supersedes`` is the seq of the one it replaces."""

    supersedes: int
    reason: str


class RoundVoided(_Data, frozen=True):
    """The round is cancelled; stakes are returned. ``supersedes``: a result's seq, or None."""

    revision: int
    reason: str
    set_aside: tuple[Card, ...]
    text: str
    supersedes: int | None


class RoundClosed(_Data, frozen=True):
    """The round is over and the cards are cleared."""


class ManualMode(_Data, frozen=True):
    """Cards are, or are no longer, entered by people."""

    on: bool


class Signature(msgspec.Struct, frozen=True, kw_only=True):
    """The studio's hand: ``algorithm`` (``ed25519``), public ``key`` and ``value``, in hex."""

    algorithm: str
    key: str
    value: str


class Heartbeat(_Data, frozen=True, omit_defaults=True):
    """Sent every second, not counted. ``head``: the chain up to the envelope's ``seq``, in hex.

    ``signature`` is over table, epoch, seq, head, at and suspended, as the integrators' page has
    it byte for byte; a table without keys has none.
    """

    head: str
    suspended: str | None
    signature: Signature | None = None


Data = (
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
    | Result
    | ResultAmended
    | RoundVoided
    | RoundClosed
    | ManualMode
    | Heartbeat
)

TYPES: dict[str, type[Data]] = {
    "table_opened": TableOpened,
    "table_closed": TableClosed,
    "table_suspended": TableSuspended,
    "table_resumed": TableResumed,
    "dealer_changed": DealerChanged,
    "shoe_loaded": ShoeLoaded,
    "shoe_ended": ShoeEnded,
    "cut_card_seen": CutCardSeen,
    "bets_opened": BetsOpened,
    "bets_closed": BetsClosed,
    "card_dealt": CardDealt,
    "round_held": RoundHeld,
    "round_released": RoundReleased,
    "round_reconstructed": RoundReconstructed,
    "result": Result,
    "result_amended": ResultAmended,
    "round_voided": RoundVoided,
    "round_closed": RoundClosed,
    "manual_mode": ManualMode,
    "heartbeat": Heartbeat,
}
