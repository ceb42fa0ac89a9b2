# SPDX-License-Identifier: Apache-2.0
"""The state of a table: what it knows, and which event may come in which phase.

A table is in one ``Phase``; ``TRANSITIONS`` says, as data, which event may come in which phase and
where it leads. Facts that are independent of the round are fields beside it: the trust in the
shoe's stream, the cut card, a suspension. A hold remembers the phase that it came from; ``BACK`` in
the table means "there". The state changes in ``studio.game.evolve`` alone.
"""

from datetime import datetime, timedelta
from enum import Enum
from typing import get_args

import msgspec

from studio.game import events as ev
from studio.game.cards import Card, cards_in
from studio.game.coup import Outcome
from studio.game.events import Event, Pairs, Recorded, Source, Trust
from studio.game.house import House
from studio.game.inputs import FaultKind, Origin, SoftwareFinding, Stamp, TableFacts
from studio.game.judgement import CoupCard, CoupEvent, Found


class Phase(str, Enum):
    """Where a table is in its round."""

    NO_SHOE = "no_shoe"
    BURNING = "burning"
    IDLE = "idle"
    BETS_OPEN = "bets_open"
    DEALING = "dealing"
    RESULT = "result"
    SETTLING = "settling"
    HELD = "held"


BACK = None

_SHOE_PHASES = (Phase.BURNING, Phase.IDLE, Phase.BETS_OPEN, Phase.DEALING, Phase.RESULT)
_HOLDABLE = (*_SHOE_PHASES, Phase.SETTLING, Phase.HELD)
_ROUND_PHASES = (Phase.BETS_OPEN, Phase.DEALING, Phase.RESULT, Phase.SETTLING, Phase.HELD)

_COUP_PHASES = (Phase.DEALING, Phase.RESULT)
_JUDGED = (*_COUP_PHASES, Phase.HELD)

# Of so many rounds it is known when they were closed: what a table's pace is reckoned from.
PACE_ROUNDS = 20

UNPAID = (Phase.BETS_OPEN, Phase.DEALING, Phase.RESULT)

TRANSITIONS: dict[type[Event], dict[Phase, Phase | None]] = {
    ev.ShoeLoaded: {Phase.NO_SHOE: Phase.BURNING},
    ev.CardBurned: {Phase.BURNING: Phase.BURNING},
    ev.BurnOrdered: dict.fromkeys((Phase.IDLE, Phase.BURNING), Phase.BURNING),
    ev.BurnCompleted: {Phase.BURNING: Phase.IDLE},
    ev.BurnCorrected: {p: p for p in (Phase.BURNING, Phase.IDLE, Phase.SETTLING, Phase.HELD)},
    ev.VoidedCardCorrected: {p: p for p in (Phase.BURNING, Phase.IDLE, Phase.SETTLING, Phase.HELD)},
    ev.BetsOpened: {Phase.IDLE: Phase.BETS_OPEN, Phase.BETS_OPEN: Phase.BETS_OPEN},
    ev.ShoeEnded: {Phase.IDLE: Phase.NO_SHOE, Phase.BURNING: Phase.NO_SHOE},
    ev.BetsClosed: {Phase.BETS_OPEN: Phase.DEALING},
    ev.CardDealt: {Phase.DEALING: Phase.DEALING, Phase.RESULT: Phase.RESULT},
    ev.CardKept: {Phase.DEALING: Phase.DEALING},
    ev.GuardEnded: {p: p for p in _ROUND_PHASES},
    ev.ResultDeclared: {Phase.DEALING: Phase.RESULT},
    ev.ResultConfirmed: {Phase.RESULT: Phase.SETTLING},
    ev.RoundClosed: {Phase.SETTLING: Phase.IDLE},
    ev.IrregularityRaised: dict.fromkeys(_HOLDABLE, Phase.HELD),
    ev.RoundHeld: {Phase.HELD: Phase.HELD},
    ev.HoldClaimed: {Phase.HELD: Phase.HELD},
    ev.HoldReleased: {Phase.HELD: Phase.HELD},
    ev.ManagerRung: {Phase.HELD: Phase.HELD},
    ev.CardHeld: {p: p for p in (Phase.DEALING, Phase.RESULT, Phase.HELD)},
    ev.CardNoted: {p: p for p in _JUDGED},
    ev.CardEntered: {p: p for p in _JUDGED},
    ev.CardCorrected: {p: p for p in _JUDGED},
    ev.CardStruck: {Phase.HELD: Phase.HELD},
    ev.CallNoted: {p: p for p in _JUDGED},
    ev.ShoeFoundEmpty: {p: p for p in _JUDGED},
    ev.FreeCoupOpened: {Phase.IDLE: Phase.DEALING},
    ev.FreeCoupCancelled: dict.fromkeys((Phase.DEALING, Phase.RESULT), Phase.IDLE),
    ev.ReportWithdrawn: {p: p for p in _HOLDABLE},
    ev.FreeCoupEnded: dict.fromkeys((Phase.RESULT, Phase.HELD), Phase.IDLE),
    ev.HeldCardBurned: {p: p for p in (Phase.HELD, Phase.RESULT, Phase.SETTLING)},
    ev.RoundReleased: {Phase.HELD: Phase.HELD},
    ev.RoundReconstructed: {Phase.HELD: Phase.HELD},
    ev.IrregularityResolved: {Phase.HELD: BACK},
    ev.RoundVoided: dict.fromkeys(_ROUND_PHASES, Phase.SETTLING),
}


class ShoeStep(str, Enum):
    """Whether the shoe counts the cards of a coup as the table does, so that they can be compared.

    ``UNSURE``: something was found in a coup; the next one is compared all the same. ``OFF``: the
    shoe counted a card that the table did not, or began anew, and is not compared. A boundary that
    both know ends either: the shoe stands by between coups, or calls the first card Player's first.
    """

    IN = "in"
    UNSURE = "unsure"
    OFF = "off"


class Raised(msgspec.Struct, frozen=True, gc=False):
    """An irregularity that holds the table, with the seq of its event; ``by``: who told of it."""

    code: str
    detail: str
    card: Card | None
    seq: int
    number: int | None = None
    by: str | None = None


class Hold(msgspec.Struct, frozen=True, gc=False):
    """Why and since when a table waits, what lies aside, and where it came from.

    ``seq``: of the event that it began with; no two holds have the same. ``claimed_by``: the staff
    id of whoever rules on it, and since when; ``released_at``: it was claimed until then.
    ``rung_at``: since when the manager is rung, for nobody claims it.
    """

    back: Phase
    since: datetime
    raised: tuple[Raised, ...]
    aside: tuple[Card | None, ...] = ()
    seq: int = 0
    claimed_by: str | None = None
    claimed_at: datetime | None = None
    released_at: datetime | None = None
    rung_at: datetime | None = None


class SupervisorCall(msgspec.Struct, frozen=True):
    """A supervisor was asked to come, and nobody has answered yet.

    ``code``: what was reported of the earlier round ``about``, if that is why.
    """

    since: datetime
    by: str
    code: str | None = None
    about: str | None = None


class SoftwareStanding(msgspec.Struct, frozen=True):
    """Which files are approved, and what the last check of them found.

    ``approved``: the digest of the approved manifest, None before there is one. ``is_due``: no
    check was made since the start or the approval. ``count``: how many files are not as approved;
    ``findings`` are the first of them.
    """

    approved: str | None = None
    is_due: bool = False
    checked_at: datetime | None = None
    count: int = 0
    findings: tuple[SoftwareFinding, ...] = ()


class StandingResult(msgspec.Struct, frozen=True, gc=False):
    """What stands for a round of this shoe: its highest revision. ``outcome`` None when voided."""

    round: str
    seq: int
    revision: int
    outcome: Outcome | None
    player: tuple[Card, ...]
    banker: tuple[Card, ...]
    player_total: int | None
    banker_total: int | None
    natural: bool
    pairs: Pairs
    bets: dict[str, str]
    amendable_until: datetime | None


class EarlierResult(msgspec.Struct, frozen=True, gc=False):
    """What stands for a round of an earlier shoe, as long as it can be amended."""

    shoe: str
    standing: StandingResult


class TableState(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """All that a table knows. Made by ``evolve`` alone, starting from ``TableState()``.

    ``may_miss_cards``: reports of this shoe were lost, a card may be among them.
    ``is_reader_new``: the reader was changed, and the new one has not reported yet. ``ruled_by``:
    the rules under which each round was settled that can still be amended. ``round_cards``: what
    left the shoe in each round of it that has a result. ``void_cards``: what lay in each round that
    is void, in order, and is nowhere else since. ``burn_cards``: what was burned from it, in order;
    the ``burn_indicator``-th said, or will say, how many more than ``burn_from`` and itself.
    ``burned_before``: how many of them before the coup under way, or the last one; ``burn_rounds``:
    the round of those that were surplus in one, by number.
    ``strays``: how many of the cards last ``carried`` were drawn since the coup, whose own surplus
    comes before them.
    ``closed_at``: when the last rounds were closed, ``PACE_ROUNDS`` of them.
    ``shoe_stopped``: the row of the catalogue for which no other coup is dealt from this shoe.
    ``is_restored``: a new epoch was begun, and the service was not started since.
    ``revisions_given``: of rounds from before it, the revision up to which all may have been given.
    """

    # What changes most comes first: a member that changes is found by its place.
    seq: int = 0
    public_seq: int = 0
    phase: Phase = Phase.NO_SHOE
    hold: Hold | None = None

    player: tuple[Card, ...] = ()
    banker: tuple[Card, ...] = ()
    shown_player: tuple[Card, ...] = ()
    shown_banker: tuple[Card, ...] = ()
    kept: tuple[ev.CardKept, ...] = ()
    coup: tuple[CoupEvent, ...] = ()
    origins: tuple[Origin | None, ...] = ()
    found: tuple[Found, ...] = ()
    copies: dict[str, int] = {}
    cards_out: int = 0
    cards_shown: int = 0

    last_card: Card | None = None
    session: str | None = None
    ordinal: int = 0
    is_reader_new: bool = False
    trust: Trust = Trust.LOST
    trust_reason: str = ""
    shoe_step: ShoeStep = ShoeStep.IN
    shoe_fault: FaultKind | None = None
    is_shoe_started: bool = False
    may_miss_cards: bool = False

    round: str | None = None
    round_day: str = ""
    round_number: int = 0
    closes_at: datetime | None = None
    guard_until: datetime | None = None
    settle_until: datetime | None = None
    copies_before: dict[str, int] = {}
    told_aside: tuple[int, ...] = ()
    carried: tuple[Card, ...] = ()
    strays: int = 0
    burn_next: int = 0
    free_coup_cards: tuple[Card, ...] | None = None
    is_free_coup: bool = False
    free_coup_due: int | None = None
    outcome: Outcome | None = None
    revision: int = 0
    result_seq: int | None = None

    shoe: str | None = None
    shoe_day: str = ""
    shoe_number: int = 0
    decks: int = 0
    burned: int = 0
    burn_due: int | None = None
    burn_cards: tuple[Card | None, ...] = ()
    burned_before: int = 0
    burn_rounds: dict[int, str] = {}
    burn_indicator: int | None = None
    burn_from: int = 0
    coups_left: int | None = None
    shoe_stopped: str | None = None
    is_restored: bool = False
    rounds: int = 0
    closed_at: tuple[datetime, ...] = ()
    results: tuple[StandingResult, ...] = ()
    earlier: tuple[EarlierResult, ...] = ()
    ruled_by: dict[str, House] = {}
    revisions_given: dict[str, int] = {}
    round_cards: dict[str, tuple[Card, ...]] = {}
    void_cards: dict[str, tuple[Card | None, ...]] = {}

    facts: TableFacts | None = None
    house: House | None = None
    next_house: House | None = None
    is_open: bool = False
    is_announced: bool = False
    dealer: str = ""
    suspended: str | None = None
    manual_mode: bool = False
    call: SupervisorCall | None = None
    software: SoftwareStanding = SoftwareStanding()

    @property
    def is_round_under_way(self) -> bool:
        """Whether a round has begun and is not closed."""
        return self.round is not None

    @property
    def is_shoe_over(self) -> bool:
        """Whether it is stopped, the last coup after the cut card was played, or it is empty."""
        if self.shoe_stopped is not None:
            return True
        if self.coups_left is not None and self.coups_left <= 0:
            return True
        return self.shoe is not None and self.cards_out >= cards_in(self.decks)

    @property
    def is_burn_unknown(self) -> bool:
        """Whether the card that says how many are burned was drawn, and nobody knows it."""
        return self.burn_due is None and self.burn_indicator is not None

    @property
    def last_coup(self) -> str | None:
        """``this`` or ``next`` once the cut card was seen, else None."""
        if self.coups_left is None:
            return None
        return "this" if self.coups_left <= 1 else "next"

    @property
    def coup_cards(self) -> tuple[CoupCard, ...]:
        """The cards that left the shoe in this coup, in order."""
        if len(self.coup) == len(self.origins):
            # nothing else happened in it
            return self.coup  # type: ignore[return-value]
        return tuple([one for one in self.coup if type(one) is CoupCard])

    @property
    def cards_drawn(self) -> int:
        """How many cards left the shoe in this coup."""
        return len(self.origins)

    @property
    def can_cancel_free_coup(self) -> bool:
        """Whether no card left the shoe for the coup without bets, and nothing went wrong in it."""
        is_dealt = self.phase in (Phase.DEALING, Phase.RESULT) and self.is_free_coup
        is_untouched = all(isinstance(one, CoupCard) and one.is_carried for one in self.coup)
        return is_dealt and is_untouched and not self.found

    @property
    def may_record_card(self) -> bool:
        """Whether people may tell of a card: they tell of all, or the shoe may have missed one.

        In a coup that the shoe tells of, a missing card is entered at its place instead.
        """
        if self.manual_mode:
            return self.phase is not Phase.NO_SHOE
        may_be_missing = self.may_miss_cards or self.trust is Trust.SUSPECT
        return may_be_missing and self.held_from not in (Phase.NO_SHOE, *_COUP_PHASES)

    @property
    def held_from(self) -> Phase:
        """The phase, or where the table goes back to when it is held."""
        return self.phase if self.hold is None else self.hold.back


class Timer(msgspec.Struct, frozen=True):
    """The one timer a state asks for: what it ends, and when it is due (wall clock)."""

    name: str
    due: datetime


def timer_of(state: TableState) -> Timer | None:
    """The timer that the service must arm for this state, or None."""
    if state.phase is Phase.BETS_OPEN and state.closes_at is not None:
        return Timer("bets", state.closes_at)
    guard = () if state.guard_until is None else (Timer("guard", state.guard_until),)
    armed: tuple[Timer, ...] = (*guard, *_ring_of(state))
    if armed:
        return min(armed, key=lambda timer: timer.due)
    if state.phase is Phase.SETTLING and state.settle_until is not None:
        return Timer("settle", state.settle_until)
    return None


def _ring_of(state: TableState) -> tuple[Timer, ...]:
    """Runs out when the manager is to be rung for a hold that nobody has claimed."""
    hold, house = state.hold, state.house
    if hold is None or house is None or hold.claimed_by is not None or hold.rung_at is not None:
        return ()
    since = hold.released_at or hold.since
    return (Timer("ring", since + timedelta(seconds=house.ring_seconds)),)


# Events that name the shoe or the round that they belong to.
_NAMING = frozenset(
    one for one in get_args(Event) if {"shoe", "round"}.intersection(one.__struct_fields__)
)


def record(state: TableState, event: Event, stamp: Stamp, source: Source) -> Recorded:
    """Give an event its place in the record: numbers, time, shoe and round.

    An event that names a shoe or a round belongs to that one, any other to those in the table.
    """
    shoe, round_id = state.shoe, state.round
    if type(event) in _NAMING:
        shoe = getattr(event, "shoe", shoe)
        round_id = getattr(event, "round", round_id)
        if round_id != state.round:
            past = (one.shoe for one in state.earlier if one.standing.round == round_id)
            shoe = next(past, shoe)
    public_seq = None if event.PUBLIC is None else state.public_seq + 1
    return Recorded(state.seq + 1, public_seq, stamp.at, source, shoe, round_id, event)
