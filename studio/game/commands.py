# SPDX-License-Identifier: Apache-2.0
"""What the table makes of each command: events, or a refusal that says what to do instead."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from studio.game import events as ev
from studio.game import inputs as inp
from studio.game.amendments import second_missing
from studio.game.bets import paytable_of
from studio.game.burns import correct_burn
from studio.game.calls import answer_call, call_supervisor
from studio.game.cards import cards_in
from studio.game.claims import claim_hold, release_hold
from studio.game.coup_commands import COUP_COMMANDS
from studio.game.cut_card import note_cut_card
from studio.game.draft import Draft
from studio.game.events import Software, Trust
from studio.game.house import BurnRule
from studio.game.inputs import Command, Refusal
from studio.game.judging import (
    close_bets,
    close_round,
    complete_burn,
    miss_cut_card,
    place_carried,
)
from studio.game.numbering import next_round, next_shoe
from studio.game.state import Phase, TableState
from studio.game.upkeep import apply_settings, approve_software, check_software, software_refusal
from studio.game.ways_out import is_count_needed, shoe_over, way_out


def _not_now(state: TableState, what: str, hint: str) -> Refusal:
    return Refusal("not_now", f"{what} is not possible in phase {state.phase.value}: {hint}")


# What a person may tell players; the table itself adds misdeal and system (feed contract).
REASONS = ("device", "review", "staff")


def _unknown_reason(reason: str) -> Refusal:
    text = f"Players are told why in one word, and {reason!r} is none: use {', '.join(REASONS)}."
    return Refusal("unknown_reason", text)


def _announce(d: Draft, by: str, dealer: str) -> None:
    """Tell players what kind of table this is: once opened, and again when the rules change."""
    house, facts = d.house, d.state.facts
    if facts is None:
        raise LookupError("the table was not told its facts: ServiceStarted comes first")
    d.add(
        ev.TableOpened(
            environment=facts.environment,
            house=house.name,
            decks=d.state.decks or house.decks,
            shoe_mode=house.shoe_mode.value,
            currency=house.currency,
            limits=house.limits,
            paytable=paytable_of(house),
            dealer=dealer,
            stream=facts.stream,
            picture_delay_ms=facts.picture_delay_ms,
            software=Software(facts.version, facts.digest),
            by=by,
        )
    )


def _open_table(d: Draft, command: inp.OpenTable) -> Refusal | None:
    if d.state.is_open:
        return Refusal("already_open", "The table is open already.")
    if not command.dealer.strip():
        return _no_dealer()
    if d.state.software.count:
        return software_refusal(d.state)
    _announce(d, command.by, command.dealer)
    return None


def _close_table(d: Draft, command: inp.CloseTable) -> Refusal | None:
    if not d.state.is_open:
        return Refusal("already_closed", "The table is closed already.")
    if not _is_settled(d, command.by):
        return None
    if command.reason not in REASONS:
        return _unknown_reason(command.reason)
    is_busy = d.state.is_round_under_way or d.state.is_free_coup
    if is_busy or d.state.phase is Phase.HELD:
        return _not_now(d.state, "Closing the table", "finish or void the round first.")
    d.add(ev.TableClosed(reason=command.reason, by=command.by))
    return None


def _change_dealer(d: Draft, command: inp.ChangeDealer) -> Refusal | None:
    if not command.dealer.strip():
        return _no_dealer()
    d.add(ev.DealerChanged(dealer=command.dealer, by=command.by))
    return None


def _no_dealer() -> Refusal:
    return Refusal("dealer_missing", "Players are told who deals: give the dealer's screen name.")


def _suspend(d: Draft, command: inp.SuspendTable) -> Refusal | None:
    if not d.state.is_open:
        return Refusal("table_closed", "The table is closed: there is nothing to suspend.")
    if d.state.suspended is not None:
        return Refusal("already_suspended", f"Suspended already ({d.state.suspended}).")
    if command.reason not in REASONS:
        return _unknown_reason(command.reason)
    d.add(ev.TableSuspended(reason=command.reason, by=command.by))
    return None


def _resume(d: Draft, command: inp.ResumeTable) -> Refusal | None:
    if d.state.suspended is None:
        return Refusal("not_suspended", "The table is not suspended.")
    if d.state.phase is Phase.HELD:
        return _not_now(d.state, "Resuming", "rule on the hold first.")
    if d.state.software.count:
        return software_refusal(d.state)
    d.add(ev.TableResumed(reason=d.state.suspended, by=command.by))
    return None


def _load_shoe(d: Draft, command: inp.LoadShoe | inp.ChangeShoe) -> Refusal | None:
    if d.state.phase is not Phase.NO_SHOE:
        return _not_now(d.state, "Loading a shoe", "end the shoe in the table first.")
    house, facts = d.house, d.state.facts
    day, number = next_shoe(d.state, d.stamp.day)
    table = "" if facts is None else facts.table
    due = {BurnRule.NONE: 0, BurnRule.FIXED: house.burn.cards, BurnRule.DECKS: house.decks}
    burn = due.get(house.burn.rule)
    shoe = f"{table}-{day}-S{number:02d}"
    d.add(ev.ShoeLoaded(decks=house.decks, shoe=shoe, burn=burn, by=command.by))
    if burn == 0:
        d.add(ev.BurnCompleted(burned=0))
    return None


def _change_shoe(d: Draft, command: inp.ChangeShoe) -> Refusal | None:
    """The old shoe ends with its count, the new one has an id of its own."""
    if not command.reason.strip():
        return Refusal("reason_missing", "Changing the shoe before its time needs a reason.")
    return _end_shoe(d, command) or _load_shoe(d, command)


def _change_reader(d: Draft, command: inp.ChangeReader) -> Refusal | None:
    """What the old one told stays; the new one is believed when a person or a coup's start says."""
    if d.state.phase is Phase.NO_SHOE:
        return _not_now(d.state, "Changing the reader", "no shoe is in the table: just connect it.")
    if not command.reason.strip():
        return Refusal("reason_missing", "Changing the reader needs a reason.")
    d.add(ev.ReaderChanged(reason=command.reason, by=command.by))
    if d.state.trust is Trust.TRUSTED:
        d.add(ev.StreamChanged(trust=Trust.SUSPECT, reason="the reader was changed"))
    return None


def _end_shoe(d: Draft, command: inp.EndShoe | inp.ChangeShoe) -> Refusal | None:
    if d.state.phase is Phase.SETTLING:
        close_round(d, command.by)
    if d.state.phase is Phase.NO_SHOE:
        return _not_now(d.state, "Ending the shoe", "no shoe is in the table.")
    if d.state.phase not in (Phase.IDLE, Phase.BURNING):
        return _not_now(d.state, "Ending the shoe", way_out(d.state))
    if command.left is None and is_count_needed(d.state):
        text = "What the shoe told may not be all. Count the cards left in it, and say how many."
        return Refusal("count_needed", text)
    left = cards_in(d.state.decks) - d.state.cards_out
    counted = max(left, 0) if command.left is None else command.left
    refusal = _miscounted(d.state, command, counted, left)
    if refusal is not None:
        return refusal
    d.add(
        ev.ShoeEnded(
            rounds=d.state.rounds,
            burned=d.state.burned,
            left=counted,
            seen=d.state.cards_out - d.state.burned,
            counted=command.left,
            reason=command.reason,
            by=command.by,
        )
    )
    return None


def _miscounted(
    state: TableState, command: inp.EndShoe | inp.ChangeShoe, counted: int, left: int
) -> Refusal | None:
    if counted < 0:
        return Refusal("count_impossible", f"{counted} cards cannot be left. Count again.")
    if counted == left:
        return None
    if not command.accept_mismatch:
        seen = state.cards_out - state.burned
        return Refusal(
            "count_mismatch",
            f"{seen} cards dealt, {state.burned} burned and {counted} left make "
            f"{seen + state.burned + counted}, but {state.decks} decks are "
            f"{cards_in(state.decks)}. Count again; if the count is right, say accept_mismatch "
            "and give a reason.",
        )
    if not command.reason.strip():
        return Refusal("reason_missing", "A count that does not match needs a reason.")
    return None


def _open_bets(d: Draft, command: inp.OpenBets) -> Refusal | None:
    refusal = _cannot_open_bets(d.state)
    if refusal is not None:
        return refusal
    if d.state.phase is Phase.SETTLING:
        _is_settled(d, command.by)
        refusal = _cannot_open_bets(d.state)
        if refusal is not None:
            # the round is closed all the same: it was settled, and closing it was asked for
            return None
    if not d.state.is_announced:
        _announce(d, command.by, d.state.dealer)
    round_id, day = _round_to_open(d)
    seconds = d.house.betting_seconds
    closes_at = d.stamp.at + timedelta(seconds=seconds)
    d.add(
        ev.BetsOpened(
            seconds=seconds,
            closes_at=closes_at,
            round=round_id,
            day=day,
            by=command.by,
            video_stream=None if d.state.facts is None else d.state.facts.video_stream,
        )
    )
    return None


def _round_to_open(d: Draft) -> tuple[str, str]:
    """The round's id and day: the same one after a resumption, else the next number of the day."""
    if d.state.round is not None:
        return d.state.round, d.state.round_day
    day, number = next_round(d.state, d.stamp.day)
    table = "" if d.state.facts is None else d.state.facts.table
    return f"{table}-{day}-{number:04d}", day


def _cannot_open_bets(state: TableState) -> Refusal | None:
    if not state.is_open:
        return Refusal("table_closed", "The table is closed. Open the table first.")
    if state.suspended is not None:
        return Refusal("suspended", f"Suspended ({state.suspended}). Resume the table first.")
    if state.phase is Phase.BETS_OPEN and state.closes_at is not None:
        return Refusal("already_open", "Bets are open already.")
    if software_refusal(state) is not None:
        return software_refusal(state)
    if state.phase in (Phase.DEALING, Phase.RESULT) and state.round is not None:
        return Refusal("bets_closed", f"Bets cannot be opened again: {way_out(state)}")
    if state.phase not in (Phase.IDLE, Phase.SETTLING, Phase.BETS_OPEN):
        return _not_now(state, "Opening bets", way_out(state))
    if state.is_shoe_over:
        return shoe_over(state)
    if state.free_coup_cards is not None:
        text = (
            "Cards that players have seen wait for a coup without bets. Deal the free coup first."
        )
        return Refusal("free_coup_due", text)
    if state.trust is Trust.LOST and not state.manual_mode:
        return Refusal("shoe_line_down", "The line to the shoe is down. Check the cable first.")
    return None


def _close_bets(d: Draft, command: inp.CloseBets) -> Refusal | None:
    if d.state.phase is not Phase.BETS_OPEN or d.state.closes_at is None:
        return _not_now(d.state, "Closing bets", way_out(d.state))
    close_bets(d, by=command.by)
    return None


def _close_round(d: Draft, command: inp.CloseRound) -> Refusal | None:
    if d.state.phase is not Phase.SETTLING:
        is_over = d.state.round is None
        hint = "no round is under way." if is_over else "it has no result yet."
        return _not_now(d.state, "Closing the round", hint)
    _is_settled(d, command.by)
    return None


def _is_settled(d: Draft, by: str) -> bool:
    """Close a round that is settled; False if that showed what holds the table."""
    if d.state.phase is not Phase.SETTLING:
        return True
    close_round(d, by)
    miss_cut_card(d)
    return d.state.hold is None


def _trust(d: Draft, command: inp.TrustStream) -> Refusal | None:
    if d.state.trust is Trust.LOST:
        return Refusal("shoe_line_down", "The line to the shoe is down: nothing can be trusted.")
    if d.state.trust is Trust.TRUSTED:
        return Refusal("already_trusted", "The shoe's stream is trusted already.")
    if not command.reason.strip():
        return Refusal(
            "reason_missing", "Say what was compared: trusting the stream needs a reason."
        )
    d.add(ev.StreamChanged(trust=Trust.TRUSTED, reason=command.reason, by=command.by))
    return None


def _open_free_coup(d: Draft, command: inp.OpenFreeCoup) -> Refusal | None:
    if not _is_settled(d, command.by):
        return None
    if d.state.phase is not Phase.IDLE:
        return _not_now(d.state, "A coup without bets", way_out(d.state))
    if d.state.is_shoe_over:
        return shoe_over(d.state)
    due = len(d.state.free_coup_cards or ())
    d.add(ev.FreeCoupOpened(by=command.by, due=due))
    place_carried(d)
    return None


def _burn_cards(d: Draft, command: inp.BurnCards) -> Refusal | None:
    if not _is_settled(d, command.by):
        return None
    if d.state.shoe_stopped is not None:
        return shoe_over(d.state)
    if d.state.phase not in (Phase.IDLE, Phase.BURNING):
        return _not_now(d.state, "A burn", way_out(d.state))
    is_burning = d.state.phase is Phase.BURNING
    if command.count < (0 if is_burning else 1):
        return Refusal("count_impossible", f"{command.count} cards cannot be burned.")
    if not command.reason.strip():
        return Refusal("reason_missing", "A burn in the shoe needs a reason.")
    due = max(command.count - d.state.burn_next, 0)
    burn = d.state.burned + due
    d.add(ev.BurnOrdered(burn=burn, reason=command.reason, by=command.by))
    complete_burn(d)
    return None


def _manual_mode(d: Draft, command: inp.SetManualMode) -> Refusal | None:
    if command.on is d.state.manual_mode:
        word = "on" if command.on else "off"
        return Refusal("already", f"Manual mode is {word} already.")
    refusal = second_missing(command.by, command.second)
    if refusal is not None:
        return refusal
    d.add(ev.ManualModeChanged(on=command.on, by=command.by, second=command.second))
    return None


DECIDED_BY: dict[type[Command], Callable[[Draft, Any], Refusal | None]] = {
    inp.OpenTable: _open_table,
    inp.CloseTable: _close_table,
    inp.SuspendTable: _suspend,
    inp.ResumeTable: _resume,
    inp.ChangeDealer: _change_dealer,
    inp.LoadShoe: _load_shoe,
    inp.EndShoe: _end_shoe,
    inp.ChangeShoe: _change_shoe,
    inp.ChangeReader: _change_reader,
    inp.OpenBets: _open_bets,
    inp.CloseBets: _close_bets,
    inp.CloseRound: _close_round,
    inp.TrustStream: _trust,
    inp.OpenFreeCoup: _open_free_coup,
    inp.BurnCards: _burn_cards,
    inp.CorrectBurn: correct_burn,
    inp.NoteCutCard: note_cut_card,
    inp.SetManualMode: _manual_mode,
    inp.CallSupervisor: call_supervisor,
    inp.AnswerCall: answer_call,
    inp.CheckSoftware: check_software,
    inp.ApproveSoftware: approve_software,
    inp.ApplySettings: apply_settings,
    inp.ClaimHold: claim_hold,
    inp.ReleaseHold: release_hold,
    **COUP_COMMANDS,
}


def decide_command(d: Draft, command: Command) -> Refusal | None:
    """Write the events that a command causes, or return why it is refused."""
    return DECIDED_BY[type(command)](d, command)
