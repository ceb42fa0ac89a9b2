# SPDX-License-Identifier: Apache-2.0
"""The only place where the state of a table changes.

Theory of operation. ``evolve`` folds one recorded event into the state and does nothing else: no
decision, no clock, no refusal. Folding the whole record from ``TableState()`` gives the state of
the live table, whatever happened in between; restart, audit and replay are this one function. An
event that ``TRANSITIONS`` does not allow is a bug, and raises ``IllegalTransition``.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from msgspec.structs import replace

from studio.game import events as ev
from studio.game.coup_record import (
    card_held,
    card_noted,
    card_placed,
    card_restated,
    card_shown,
    card_struck,
    coup_begun,
    coup_over,
    hands_shown,
    hold_resolved,
    report_withdrawn,
)
from studio.game.events import Event, Pairs, Recorded, Trust
from studio.game.hold_record import held, hold_attended
from studio.game.holds import judgement_of
from studio.game.house import ShoeMode
from studio.game.inputs import FaultCleared, FaultReported, Origin, SequenceGap, ShoeStarted
from studio.game.judgement import ResultCall, ShoeEmpty
from studio.game.numbering import epoch_begun
from studio.game.shoe_record import (
    burn_corrected,
    card_burned,
    round_counted,
    surplus_burned,
    voided_card_corrected,
)
from studio.game.software_record import software_told
from studio.game.state import (
    PACE_ROUNDS,
    TRANSITIONS,
    UNPAID,
    EarlierResult,
    Phase,
    ShoeStep,
    StandingResult,
    SupervisorCall,
    TableState,
)


class IllegalTransition(Exception):
    """An event came in a phase that does not allow it: a bug, never a person's mistake."""


_NO_PAIRS = Pairs(player=False, banker=False)


def _phase_after(state: TableState, event: Event) -> Phase:
    if type(event) is ev.RoundVoided and event.round != state.round:
        return state.phase
    moves = TRANSITIONS[type(event)]
    if state.phase not in moves:
        raise IllegalTransition(f"{type(event).__name__} in phase {state.phase.value}")
    after = moves[state.phase]
    if after is not None:
        return after
    back = state.held_from
    if back not in UNPAID:
        return back
    # a coup is dealt on, or its result waits as before
    is_complete = back is Phase.RESULT and judgement_of(state).next is None
    return Phase.RESULT if is_complete else Phase.DEALING


def evolve(state: TableState, recorded: Recorded) -> TableState:
    """The state after one recorded event. Raises ``IllegalTransition`` on a bug, nothing else."""
    event, public_seq, phase = recorded.event, recorded.public_seq, state.phase
    moves, is_reported, fold = _STEPS[type(event)]
    if public_seq is None:
        public_seq = state.public_seq
    if moves is not None:
        phase = moves.get(phase) or _phase_after(state, event)
    origin: Origin | None = event.origin if is_reported else None  # type: ignore[union-attr]
    if origin is None:
        counted = replace(state, seq=recorded.seq, public_seq=public_seq, phase=phase)
    else:
        counted = replace(state, seq=recorded.seq, public_seq=public_seq, phase=phase,
                          session=origin.session, ordinal=origin.ordinal,
                          is_reader_new=state.is_reader_new and origin.seq is None)  # fmt: skip
    return fold(counted, state, recorded, event)


def _reconstructed(s: TableState, event: ev.RoundReconstructed) -> TableState:
    more = len(event.player) + len(event.banker) - len(s.shown_player) - len(s.shown_banker)
    return replace(s, shown_player=event.player, shown_banker=event.banker,
                   cards_shown=s.cards_shown + max(more, 0),
                   told_aside=s.told_aside + event.aside_numbers, coup=hands_shown(s))  # fmt: skip


def _surplus_carried(s: TableState, event: ev.SurplusCarried) -> TableState:
    """Cards are carried in the order drawn: a coup's own come before those drawn since."""
    if s.hold is not None:
        count = s.strays + len(event.cards)
        return replace(s, carried=s.carried + event.cards, strays=count)
    at = len(s.carried) - s.strays
    return replace(s, carried=s.carried[:at] + event.cards + s.carried[at:])


def _free_coup_due(s: TableState, event: ev.FreeCoupDue) -> TableState:
    """Here too: only cards drawn since can wait already when a coup's own come."""
    waiting = s.free_coup_cards or ()
    cards = event.cards + waiting if s.hold is None else waiting + event.cards
    return replace(s, free_coup_cards=cards)


def _stream_changed(s: TableState, event: ev.StreamChanged) -> TableState:
    step = ShoeStep.IN if event.in_step else s.shoe_step
    return replace(s, trust=event.trust, trust_reason=event.reason, shoe_step=step,
                   is_shoe_started=False)  # fmt: skip


def _noted(s: TableState, event: ev.ShoeNoted) -> TableState:
    match event.report:
        case ShoeStarted():
            return replace(s, is_shoe_started=True, shoe_fault=None)
        case FaultReported(kind=kind, latched=True):
            return replace(s, shoe_fault=kind)
        case FaultCleared():
            return replace(s, shoe_fault=None)
        case SequenceGap() if s.shoe is not None and not s.is_reader_new:
            return replace(s, may_miss_cards=True)
        case _:
            return s


def _shoe_loaded(s: TableState, event: ev.ShoeLoaded) -> TableState:
    day, number = event.shoe.rsplit("-", 2)[1:]
    return replace(s, shoe=event.shoe, shoe_day=day, shoe_number=int(number[1:]), rounds=0,
                   decks=event.decks, copies={}, cards_out=0, cards_shown=0, burned=0,
                   burn_due=event.burn, burn_cards=(), burn_rounds={}, burned_before=0,
                   burn_indicator=None, burn_from=0,
                   coups_left=None, results=(), round_cards={}, void_cards={}, last_card=None,
                   shoe_step=ShoeStep.IN, may_miss_cards=False)  # fmt: skip


def _shoe_ended(s: TableState, recorded: Recorded) -> TableState:
    """The shoe's results are kept aside for as long as they can be amended."""
    rows = (*s.earlier, *(EarlierResult(s.shoe or "", one) for one in s.results))
    earlier = tuple(
        one for one in rows
        if one.standing.amendable_until is not None
        and one.standing.amendable_until >= recorded.at
    )  # fmt: skip
    kept = {one.standing.round for one in earlier}
    ruled_by = {name: house for name, house in s.ruled_by.items() if name in kept}
    return replace(s, shoe=None, copies={}, cards_out=0, cards_shown=0, burned=0, burn_due=None,
                   burn_cards=(), burn_rounds={}, burned_before=0, burn_indicator=None,
                   burn_from=0, round_cards={}, void_cards={},
                   coups_left=None, rounds=0, results=(), earlier=earlier, ruled_by=ruled_by,
                   decks=0, carried=(), burn_next=0, free_coup_cards=None,
                   shoe_stopped=None)  # fmt: skip


def _round_begun(s: TableState, event: ev.BetsOpened) -> TableState:
    if s.round == event.round:
        return replace(s, closes_at=event.closes_at)
    number = int(event.round.rsplit("-", 1)[1])
    return replace(coup_begun(s), round=event.round, round_day=event.day, round_number=number,
                   closes_at=event.closes_at)  # fmt: skip


def _free_coup_over(s: TableState, event: ev.FreeCoupEnded | ev.FreeCoupCancelled) -> TableState:
    """Cards that did not fit into it wait for another one; those of a cancelled one as before."""
    if isinstance(event, ev.FreeCoupCancelled):
        due, carried, step = event.due, event.carried, s.shoe_step
    else:
        due, carried = s.carried + (s.free_coup_cards or ()), ()
        step = ShoeStep.OFF if event.outcome is None else s.shoe_step
    return replace(coup_over(s), hold=None, is_free_coup=False, free_coup_due=None,
                   carried=carried, free_coup_cards=due or None, shoe_step=step,
                   house=s.next_house or s.house, next_house=None,
                   is_announced=s.is_announced and s.next_house is None)  # fmt: skip


def _result_stands(
    s: TableState, recorded: Recorded, event: ev.ResultConfirmed | ev.ResultAmended | ev.RoundVoided
) -> TableState:
    assert recorded.public_seq is not None  # noqa: S101
    assert recorded.round is not None  # noqa: S101
    if isinstance(event, ev.RoundVoided):
        standing = StandingResult(recorded.round, recorded.public_seq, event.revision, None,
                                  (), (), None, None, natural=False, pairs=_NO_PAIRS, bets={},
                                  amendable_until=None)  # fmt: skip
    else:
        standing = StandingResult(
            recorded.round, recorded.public_seq, event.revision, event.outcome, event.player,
            event.banker, event.player_total, event.banker_total, event.natural, event.pairs,
            event.bets, event.amendable_until)  # fmt: skip
    results = _with_result(s.results, standing, is_current=recorded.round == s.round)
    if recorded.round != s.round:
        earlier = tuple(
            replace(one, standing=standing) if one.standing.round == standing.round else one
            for one in s.earlier
        )
        return replace(s, results=results, earlier=earlier)
    assert s.house is not None  # noqa: S101
    settle_until = recorded.at + timedelta(seconds=s.house.settle_seconds)
    ruled_by = s.ruled_by if recorded.round in s.ruled_by else {**s.ruled_by, s.round: s.house}
    # a shoe that saw a coup which ended by a void may count that one on; where its stream was in
    # doubt, a card may be missing in it, and the two are compared all the same
    is_cut_short = isinstance(event, ev.RoundVoided) and s.outcome is None and bool(s.coup)
    is_off = is_cut_short and s.trust is Trust.TRUSTED
    # a void ends the hold; an amendment beside one leaves it to be ruled on
    return replace(s, results=results, revision=event.revision, result_seq=recorded.public_seq,
                   settle_until=settle_until, closes_at=None, guard_until=None, kept=(),
                   ruled_by=ruled_by, shoe_step=ShoeStep.OFF if is_off else s.shoe_step,
                   hold=s.hold if s.phase is Phase.HELD else None)  # fmt: skip


def _with_result(
    results: tuple[StandingResult, ...], standing: StandingResult, *, is_current: bool
) -> tuple[StandingResult, ...]:
    if any(one.round == standing.round for one in results):
        return tuple(standing if one.round == standing.round else one for one in results)
    return (*results, standing) if is_current else results


def _round_closed(s: TableState, recorded: Recorded, event: ev.RoundClosed) -> TableState:
    house = s.next_house or s.house
    is_reshuffled = s.house is not None and s.house.shoe_mode is ShoeMode.CONTINUOUS
    s = replace(coup_over(s), round=None, revision=0, result_seq=None, settle_until=None,
                rounds=s.rounds + 1, closed_at=(*s.closed_at, recorded.at)[-PACE_ROUNDS:],
                house=house, next_house=None,
                is_announced=s.is_announced and s.next_house is None,
                coups_left=_coups_left(s, event))  # fmt: skip
    if is_reshuffled:
        return replace(s, copies={}, cards_out=0, cards_shown=0, burned=0, carried=(),
                       burn_cards=(), burn_rounds={}, burned_before=0, burn_indicator=None,
                       burn_from=0, burn_next=0, free_coup_cards=None, void_cards={})  # fmt: skip
    return s


def _coups_left(s: TableState, event: ev.RoundClosed) -> int | None:
    """A round that was void before its first card does not use up the last coup."""
    if s.coups_left is None or (s.coups_left == 1 and not event.was_dealt):
        return s.coups_left
    return s.coups_left - 1


def _called(s: TableState, recorded: Recorded, event: ev.SupervisorCalled) -> TableState:
    """Whoever calls again, the call waits since the first time."""
    since = recorded.at if s.call is None else s.call.since
    return replace(s, call=SupervisorCall(since, event.by, event.code, event.about))


def _rules_loaded(s: TableState, event: ev.RulesLoaded) -> TableState:
    if s.round is not None or s.is_free_coup:
        return replace(s, next_house=event.house)
    return replace(s, house=event.house, next_house=None, is_announced=False)


def _restarted(s: TableState, recorded: Recorded, event: ev.ServiceRestarted) -> TableState:
    is_announced = s.is_announced and s.facts == event.facts
    return replace(s, facts=event.facts, is_announced=is_announced, is_restored=False,
                   software=software_told(s.software, recorded))  # fmt: skip


def _held_card_burned(s: TableState, event: ev.HeldCardBurned) -> TableState:
    hold = None if s.hold is None else replace(s.hold, aside=())
    return surplus_burned(replace(s, hold=hold), event)


def _free_coup_opened(s: TableState, event: ev.FreeCoupOpened) -> TableState:
    return coup_begun(replace(s, is_free_coup=True, free_coup_cards=None,
                              free_coup_due=event.due,
                              carried=(s.free_coup_cards or ()) + s.carried))  # fmt: skip


# What each kind of event changes beside the phase and the numbers: from the state that has these
# already, the state before, the event as recorded, and the event. A row is found in one step,
# where asking one class after the other takes longer than the change itself.
_Fold = Callable[[TableState, TableState, Recorded, Any], TableState]

_FOLDS: dict[type[Event], _Fold] = {
    # the cards of a coup
    ev.CardDealt: lambda s, _b, _r, e: card_shown(s, e),
    ev.CardKept: lambda s, _b, _r, e: card_placed(s, e),
    ev.CardHeld: lambda s, _b, _r, e: card_held(s, e),
    ev.CardNoted: lambda s, _b, _r, e: card_noted(s, e),
    **dict.fromkeys((ev.CardEntered, ev.CardCorrected), lambda s, _b, _r, e: card_restated(s, e)),
    ev.CardStruck: lambda s, _b, _r, e: card_struck(s, e),
    ev.CallNoted: lambda s, _b, _r, e: replace(s, coup=(*s.coup, ResultCall(e.outcome))),
    ev.ShoeFoundEmpty: lambda s, _b, _r, _e: replace(s, coup=(*s.coup, ShoeEmpty())),
    # a hold
    ev.IrregularityRaised: held,
    ev.IrregularityResolved: lambda s, b, _r, _e: hold_resolved(s, b),
    **dict.fromkeys(
        (ev.HoldClaimed, ev.HoldReleased, ev.ManagerRung),
        lambda s, _b, r, e: hold_attended(s, r, e),
    ),
    ev.RoundReleased: lambda s, _b, _r, e: replace(s, told_aside=s.told_aside + e.aside_numbers),
    ev.RoundReconstructed: lambda s, _b, _r, e: _reconstructed(s, e),
    ev.ReportWithdrawn: lambda s, _b, _r, e: report_withdrawn(s, e),
    # a round
    ev.BetsOpened: lambda s, _b, _r, e: _round_begun(s, e),
    ev.BetsClosed: lambda s, _b, _r, e: replace(s, closes_at=None, guard_until=e.guard_until),
    ev.GuardEnded: lambda s, _b, _r, _e: replace(s, guard_until=None),
    ev.ResultDeclared: lambda s, _b, _r, e: replace(s, outcome=e.outcome),
    **dict.fromkeys(
        (ev.ResultConfirmed, ev.ResultAmended, ev.RoundVoided),
        lambda s, _b, r, e: _result_stands(round_counted(s, r), r, e),
    ),
    ev.RoundClosed: lambda s, _b, r, e: _round_closed(s, r, e),
    ev.FreeCoupDue: lambda s, _b, _r, e: _free_coup_due(s, e),
    ev.FreeCoupOpened: lambda s, _b, _r, e: _free_coup_opened(s, e),
    **dict.fromkeys(
        (ev.FreeCoupEnded, ev.FreeCoupCancelled), lambda s, _b, _r, e: _free_coup_over(s, e)
    ),
    # the shoe
    ev.ShoeLoaded: lambda s, _b, _r, e: _shoe_loaded(s, e),
    ev.ShoeEnded: lambda s, _b, r, _e: _shoe_ended(s, r),
    ev.ShoeStopped: lambda s, _b, _r, e: replace(s, shoe_stopped=e.code),
    ev.ShoeNoted: lambda s, _b, _r, e: _noted(s, e),
    ev.StreamChanged: lambda s, _b, _r, e: _stream_changed(s, e),
    ev.ReaderChanged: lambda s, _b, _r, _e: replace(
        s, shoe_step=ShoeStep.OFF, shoe_fault=None, is_reader_new=True
    ),
    ev.CutCardSeen: lambda s, _b, _r, e: replace(s, coups_left=1 if e.last_coup == "this" else 2),
    ev.CardBurned: lambda s, _b, _r, e: card_burned(s, e),
    ev.BurnCorrected: lambda s, _b, _r, e: burn_corrected(s, e),
    ev.VoidedCardCorrected: lambda s, _b, _r, e: voided_card_corrected(s, e),
    ev.BurnOrdered: lambda s, _b, _r, e: replace(
        s, burn_due=e.burn, burn_next=0, shoe_step=ShoeStep.OFF
    ),
    ev.HeldCardBurned: lambda s, _b, _r, e: _held_card_burned(s, e),
    ev.SurplusCarried: lambda s, _b, _r, e: _surplus_carried(s, e),
    ev.SurplusKeptForBurn: lambda s, _b, _r, e: surplus_burned(
        replace(s, burn_next=s.burn_next + len(e.cards)), e
    ),
    # the table and its people: these move no card
    ev.TableOpened: lambda s, _b, _r, e: replace(
        s, is_open=True, is_announced=True, dealer=e.dealer
    ),
    ev.TableClosed: lambda s, _b, _r, _e: replace(
        s, is_open=False, is_announced=False, suspended=None
    ),
    ev.TableSuspended: lambda s, _b, _r, e: replace(s, suspended=e.reason, closes_at=None),
    ev.TableResumed: lambda s, _b, _r, _e: replace(s, suspended=None),
    ev.DealerChanged: lambda s, _b, _r, e: replace(s, dealer=e.dealer),
    ev.ManualModeChanged: lambda s, _b, _r, e: replace(s, manual_mode=e.on),
    ev.SupervisorCalled: lambda s, _b, r, e: _called(s, r, e),
    ev.SupervisorCallEnded: lambda s, _b, _r, _e: replace(s, call=None),
    # rules and software
    ev.ServiceRestarted: lambda s, _b, r, e: _restarted(s, r, e),
    **dict.fromkeys(
        (ev.SoftwareApproved, ev.SoftwareChecked, ev.SettingsApplied, ev.SoftwareCheckAsked),
        lambda s, _b, r, _e: replace(s, software=software_told(s.software, r)),
    ),
    ev.EpochBegun: lambda s, _b, _r, e: epoch_begun(s, e),
    ev.RulesLoaded: lambda s, _b, _r, e: _rules_loaded(s, e),
    # only told
    **dict.fromkeys((ev.RoundHeld, ev.BurnCompleted, ev.StaffNoted), lambda s, _b, _r, _e: s),
}

# All that a step asks of a kind of event: where it leads, as far as the phase alone says so;
# whether a report of the shoe is behind it; and what it changes.
_STEPS = {
    kind: (TRANSITIONS.get(kind), "origin" in kind.__struct_fields__, fold)
    for kind, fold in _FOLDS.items()
}
# It may be of a round that is over.
_STEPS[ev.RoundVoided] = ({}, False, _FOLDS[ev.RoundVoided])
