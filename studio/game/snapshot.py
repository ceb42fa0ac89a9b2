# SPDX-License-Identifier: Apache-2.0
"""What a viewer needs to know of a table at one moment, made from the state.

``public_state`` is the ``state`` of the public feed's snapshot (the feed contract): it never holds
a card that is not public, a burned card, a staff id, or what is left in the shoe by rank.
``staff_state`` is what a console draws.
"""

from datetime import datetime

import msgspec

from studio.game.bets import paytable_of
from studio.game.cards import Card, cards_in, total_of
from studio.game.coup import Outcome
from studio.game.events import Software, Trust
from studio.game.holds import Proposal, Read, evidence_of, proposals_of, withdrawable
from studio.game.house import Limit, ResultEntry, ShoeMode
from studio.game.inputs import FaultKind
from studio.game.prompts import Prompt, prompt_for
from studio.game.reasons import Reason, reason_for
from studio.game.roads import Counts, Roads, counts_of, roads_of
from studio.game.state import (
    UNPAID,
    Hold,
    Phase,
    SoftwareStanding,
    StandingResult,
    SupervisorCall,
    TableState,
)


class PublicState(msgspec.Struct, frozen=True, kw_only=True):
    """The public picture of a table; members as in the feed contract.

    ``cards_out`` counts the cards of this shoe that were shown: a subscriber that saw every
    message counts the same.
    """

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
    phase: str
    suspended: str | None
    manual_mode: bool
    shoe: str | None
    round: str | None
    closes_at: datetime | None
    player: tuple[Card, ...]
    banker: tuple[Card, ...]
    player_total: int | None
    banker_total: int | None
    last_coup: str | None
    cards_out: int
    results: tuple[StandingResult, ...]
    roads: Roads | None
    counts: Counts | None


class HouseFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What a console needs of the house's rules; the values are those of ``House``.

    ``pauses_alone``: bets are opened only while a supervisor is on duty, or by the word of one.
    """

    title: str
    betting_seconds: float
    close_guard_ms: int
    cut_card_from_end: int | None
    second_person: tuple[str, ...]
    asks_for_supervisor: bool
    pauses_alone: bool
    asks_for_winner: bool


class StaffState(msgspec.Struct, frozen=True, kw_only=True):
    """What a console draws: the public picture, the prompt, the hold and the shoe's health.

    ``proposals``: what may be ruled on the hold, the house's first; a ruling repeats the
    ``bound_to`` of one. ``evidence``: every card of the coup, how it lay and its report.
    ``player`` and ``banker`` are the hands as they are, public or not. ``reason``: the tableau's
    row for the next position, or for standing; None outside a coup. ``may_record_card``: people
    may tell of a card that no shoe tells of, the one after the ``cards_out``. ``house``: what a
    console needs of the rules. ``shoe_cards``: how many cards the shoe held at its start.
    ``shoe_stopped``: the row of the catalogue for which it deals no other coup.
    ``withdrawable``: codes that people said and can take back. ``may_miss_cards``: reports of this
    shoe were lost, and a card may be among them. ``closed_at``: when the last rounds were closed.
    ``software``: which files are approved, and what the last check found.
    ``burn_reads``: how many cards were burned, as corrections number them; their values are for
    nobody's eyes. ``void_cards``: what was read in each void round of this shoe, as corrections
    number it.
    """

    public: PublicState
    prompt: Prompt
    phase: str
    hold: Hold | None
    proposals: tuple[Proposal, ...]
    evidence: tuple[Read, ...]
    is_free_coup: bool
    trust: Trust
    trust_reason: str
    may_record_card: bool
    next_position: str | None
    cards_out: int
    burned: int
    burn_due: int | None
    burn_reads: int
    guard_until: datetime | None
    outcome: Outcome | None
    rounds: int
    player: tuple[Card, ...]
    banker: tuple[Card, ...]
    reason: Reason | None
    shoe_cards: int
    shoe_fault: FaultKind | None
    house: HouseFacts
    call: SupervisorCall | None = None
    withdrawable: tuple[str, ...] = ()
    shoe_stopped: str | None = None
    software: SoftwareStanding = SoftwareStanding()
    may_miss_cards: bool = False
    closed_at: tuple[datetime, ...] = ()
    void_cards: dict[str, tuple[Card | None, ...]] = {}


def public_phase(state: TableState) -> str:
    """The phase as players know it; bets that a suspension closed are not open.

    They know of no coup without bets, and of no burn in the middle of a shoe.
    """
    if not state.is_open:
        return "closed"
    phase = state.held_from
    if state.is_free_coup or (phase is Phase.BURNING and state.rounds > 0):
        return "idle"
    if state.phase is Phase.HELD and phase in UNPAID:
        return "held"
    if state.phase is Phase.BETS_OPEN and state.closes_at is None:
        return "dealing"
    return _PLAIN[phase]


_PLAIN = {
    Phase.NO_SHOE: "shuffling",
    Phase.BURNING: "shuffling",
    Phase.IDLE: "idle",
    Phase.BETS_OPEN: "bets_open",
    Phase.DEALING: "dealing",
    Phase.RESULT: "dealing",
    Phase.SETTLING: "result",
}


def public_state(state: TableState) -> PublicState:
    """The public picture of this state. Raises LookupError before the service has started."""
    house, facts = state.house, state.facts
    if house is None or facts is None:
        raise LookupError("the table was not told its house: ServiceStarted comes first")
    is_shoe = house.shoe_mode is ShoeMode.SHOE
    outcomes = [one.outcome for one in state.results if one.outcome is not None]
    return PublicState(
        environment=facts.environment,
        house=house.name,
        decks=house.decks,
        shoe_mode=house.shoe_mode.value,
        currency=house.currency,
        limits=house.limits,
        paytable=paytable_of(house),
        dealer=state.dealer,
        stream=facts.stream,
        picture_delay_ms=facts.picture_delay_ms,
        software=Software(facts.version, facts.digest),
        phase=public_phase(state),
        suspended=state.suspended,
        manual_mode=state.manual_mode,
        shoe=state.shoe,
        round=state.round,
        closes_at=state.closes_at,
        player=state.shown_player,
        banker=state.shown_banker,
        player_total=total_of(state.shown_player) if state.shown_player else None,
        banker_total=total_of(state.shown_banker) if state.shown_banker else None,
        last_coup=state.last_coup,
        cards_out=state.cards_shown,
        results=state.results,
        roads=roads_of(outcomes) if is_shoe else None,
        counts=counts_of(state.results) if is_shoe else None,
    )


def staff_state(state: TableState) -> StaffState:
    """What a console needs at this moment."""
    prompt = prompt_for(state)
    return StaffState(
        public=public_state(state),
        prompt=prompt,
        phase=state.phase.value,
        hold=state.hold,
        proposals=proposals_of(state),
        evidence=evidence_of(state),
        is_free_coup=state.is_free_coup,
        trust=state.trust,
        trust_reason=state.trust_reason,
        may_record_card=state.may_record_card,
        next_position=prompt.position,
        cards_out=state.cards_out,
        burned=state.burned,
        burn_due=state.burn_due,
        burn_reads=len(state.burn_cards),
        guard_until=state.guard_until,
        outcome=state.outcome,
        rounds=state.rounds,
        player=state.player,
        banker=state.banker,
        reason=reason_for(state.player, state.banker) if _has_coup(state) else None,
        shoe_cards=cards_in(state.decks) if state.shoe is not None else 0,
        shoe_fault=state.shoe_fault,
        shoe_stopped=state.shoe_stopped,
        house=_house_facts(state),
        call=state.call,
        withdrawable=withdrawable(state),
        software=state.software,
        may_miss_cards=state.may_miss_cards,
        closed_at=state.closed_at,
        void_cards=state.void_cards,
    )


def _has_coup(state: TableState) -> bool:
    """Whether cards of a coup are drawn, or due, and stand as dealt."""
    is_round = state.is_round_under_way or state.is_free_coup
    return is_round and state.phase in (Phase.DEALING, Phase.RESULT, Phase.SETTLING)


def _house_facts(state: TableState) -> HouseFacts:
    house = state.house
    if house is None:
        raise LookupError("the table was not told its house: ServiceStarted comes first")
    return HouseFacts(
        title=house.title,
        betting_seconds=house.betting_seconds,
        close_guard_ms=house.close_guard_ms,
        cut_card_from_end=house.cut_card_from_end,
        second_person=house.second_person,
        asks_for_supervisor=house.supervisor_on_duty,
        pauses_alone=house.supervisor_on_duty and house.pause_without_supervisor,
        asks_for_winner=house.result_entry is ResultEntry.WINNER,
    )
