# SPDX-License-Identifier: Apache-2.0
"""Commands about a coup and its result: calls, reports, rulings, voids, confirmation.

What is said of its single cards is in ``card_commands``. Where two people are needed, they must
be two.
"""

from collections.abc import Callable
from typing import Any

from studio.game import events as ev
from studio.game import inputs as inp
from studio.game.amendments import (
    amend,
    copy_too_many,
    not_amendable,
    reason_missing,
    second_missing,
    standing_of,
    void_past,
)
from studio.game.by_hand import record_card
from studio.game.calls import is_of_before, tell_of_before
from studio.game.card_commands import correct_card, enter_card, no_coup, note_card, strike_card
from studio.game.draft import Draft
from studio.game.holds import (
    Choice,
    binding,
    call_behind,
    needs_second,
    rulings_for,
    withdrawable,
)
from studio.game.house import ResultEntry
from studio.game.inputs import Command, Refusal
from studio.game.irregularities import CUT_CARD_MISSED, IRREGULARITIES, REPORTABLE, Remedy
from studio.game.judging import (
    close_bets,
    confirm,
    end_free_coup,
    is_copy_too_many,
    place,
    raise_found,
    raise_irregularity,
)
from studio.game.remedies import REMEDIES, Ruling, note_unseen, void
from studio.game.state import Phase
from studio.game.tableau import next_position


def _confirm(d: Draft, command: inp.ConfirmResult) -> Refusal | None:
    if d.state.phase is not Phase.RESULT:
        text = f"Confirming a result is not possible in phase {d.state.phase.value}"
        return Refusal("not_now", f"{text}: the coup is not complete.")
    if d.state.guard_until is not None:
        return Refusal("guard", "Wait for the end of the close guard: cards are not public yet.")
    is_asked = d.house.result_entry is ResultEntry.WINNER and not d.state.is_free_coup
    if is_asked and command.outcome is None:
        return Refusal("winner_missing", "This house asks for the winner: player, banker or tie.")
    if command.outcome is not None:
        d.add(ev.CallNoted(outcome=command.outcome, by=command.by))
        raise_found(d, by=command.by)
    if d.state.hold is not None:
        return None
    if d.state.is_free_coup:
        end_free_coup(d, command.by)
        return None
    confirm(d, by=command.by)
    return None


def _call(d: Draft, command: inp.CallResult) -> Refusal | None:
    refusal = no_coup(d)
    if refusal is None:
        d.add(ev.CallNoted(outcome=command.outcome, by=command.by))
        raise_found(d, by=command.by)
    return refusal


def _shoe_empty(d: Draft, command: inp.NoteShoeEmpty) -> Refusal | None:
    refusal = no_coup(d)
    if refusal is None:
        d.add(ev.ShoeFoundEmpty(by=command.by))
        raise_found(d, by=command.by)
    return refusal


def _report(d: Draft, command: inp.ReportIrregularity) -> Refusal | None:
    if command.code not in REPORTABLE:
        text = f"{command.code!r} is not for people to report; these are: {', '.join(REPORTABLE)}."
        return Refusal("not_reportable", text)
    if d.state.phase is Phase.NO_SHOE:
        return Refusal("not_now", "There is no shoe in the table.")
    if command.code == CUT_CARD_MISSED and d.state.coups_left is not None:
        return Refusal("cut_card_out", "The cut card is out already: the last coup is told.")
    if is_of_before(d, command):
        tell_of_before(d, command)
        return None
    if d.state.phase is Phase.BETS_OPEN:
        close_bets(d, command.by)
    detail = command.detail.strip() or IRREGULARITIES[command.code].what
    raise_irregularity(d, command.code, detail, by=command.by)
    return None


def _withdraw(d: Draft, command: inp.WithdrawReport) -> Refusal | None:
    known = withdrawable(d.state)
    if command.code not in known:
        can = f"these can: {', '.join(known)}" if known else "nothing can now"
        text = f"Nobody said {command.code!r} here, or the table knows it by itself; {can}."
        return Refusal("not_withdrawable", text)
    refusal = reason_missing(command.reason, "Taking a report back")
    if refusal is None and "withdraw_report" in d.house.second_person:
        refusal = second_missing(command.by, command.second)
    if refusal is not None:
        return refusal
    d.add(
        ev.ReportWithdrawn(
            code=command.code,
            reason=command.reason,
            by=command.by,
            second=command.second,
            call=call_behind(d.state, command.code),
        )
    )
    return None


def _cancel_free_coup(d: Draft, command: inp.CancelFreeCoup) -> Refusal | None:
    """Its cards wait as before; those that were laid out were seen, and wait for another one."""
    if not d.state.is_free_coup:
        return Refusal("not_now", "No coup without bets is under way.")
    if not d.state.can_cancel_free_coup:
        text = "A card left the shoe for it, or something went wrong: play it to its end."
        return Refusal("coup_begun", text)
    placed = tuple(one.card for one in d.state.coup_cards if one.card is not None)
    waiting = placed + d.state.carried
    known = d.state.free_coup_due
    due = len(waiting) if known is None else max(len(placed), known)
    d.add(ev.FreeCoupCancelled(due=waiting[:due], carried=waiting[due:], by=command.by))
    return None


def _rule(d: Draft, command: inp.RuleHold) -> Refusal | None:
    hold = d.state.hold
    if hold is None:
        return Refusal("not_held", "The table is not held: there is nothing to rule on.")
    refusal = reason_missing(command.reason, "A ruling")
    if refusal is not None:
        return refusal
    choices = rulings_for(d.state)
    for remedy, _ in choices:
        # a remedy is equal to its name
        if remedy == command.remedy:
            break
    else:
        codes = ", ".join(raised.code for raised in hold.raised)
        allowed = ", ".join(dict.fromkeys(one.value for one, _ in choices))
        text = f"{command.remedy!r} does not mend {codes}; it can be: {allowed}."
        return Refusal("remedy_not_allowed", text)
    refusal = _stale(d, command, remedy, choices)
    if refusal is None and needs_second(d.house, remedy):
        refusal = second_missing(command.by, command.second)
    if refusal is not None:
        return refusal
    if d.state.guard_until is not None and remedy is not Remedy.VOID:
        return Refusal("guard", "Wait for the end of the close guard: a ruling shows cards.")
    if command.faces_seen is False:
        note_unseen(d, command.by)
    REMEDIES[remedy](d, Ruling(remedy, command.reason, command.by, command.second))
    return None


def _stale(
    d: Draft, command: inp.RuleHold, remedy: Remedy, choices: tuple[Choice, ...]
) -> Refusal | None:
    answer = command.faces_seen
    is_offered = (remedy, answer) in choices
    if answer is None and not is_offered:
        text = "Did players see the face of a surplus card? Seen, it begins a coup without bets; "
        return Refusal("faces_not_said", f"{text}unseen, it is carried. Rule with the answer.")
    if is_offered and command.bound_to == binding(d.state, remedy, answer):
        return None
    text = "The round, its cards or the proposal are not those that this ruling was given for."
    return Refusal("stale", f"{text} Look at the table again.")


def _void(d: Draft, command: inp.VoidRound) -> Refusal | None:
    if command.round != d.state.round:
        return void_past(d, command)
    refusal = reason_missing(command.reason, "A void")
    if refusal is None and needs_second(d.house, Remedy.VOID, "void_round"):
        refusal = second_missing(command.by, command.second)
    if refusal is not None:
        return refusal
    standing = standing_of(d, command.round)
    if standing is not None:
        refusal = not_amendable(d, standing)
        if refusal is not None:
            return refusal
    void(d, Ruling(Remedy.VOID, command.reason, command.by, command.second))
    return None


def _deal_card(d: Draft, command: inp.DealCard) -> Refusal | None:
    if not d.state.manual_mode:
        return Refusal("not_manual", "Cards come from the shoe. Turn manual mode on first.")
    if d.state.phase is not Phase.DEALING:
        text = f"No card is due in phase {d.state.phase.value}."
        return Refusal("not_now", text)
    refusal = second_missing(command.by, command.second)
    if refusal is not None:
        return refusal
    due = next_position(d.state.player, d.state.banker)
    if due is not command.position:
        text = f"{command.position.value} is not due; the tableau asks for "
        return Refusal("other_position", f"{text}{due.value if due else 'no card'}.")
    if is_copy_too_many(d, command.card):
        return copy_too_many(d.state, command.card)
    place(d, command.card, command.position, None, is_manual=True)
    return None


COUP_COMMANDS: dict[type[Command], Callable[[Draft, Any], Refusal | None]] = {
    inp.ConfirmResult: _confirm,
    inp.RuleHold: _rule,
    inp.VoidRound: _void,
    inp.NoteCard: note_card,
    inp.EnterCard: enter_card,
    inp.CorrectCard: correct_card,
    inp.StrikeCard: strike_card,
    inp.CallResult: _call,
    inp.NoteShoeEmpty: _shoe_empty,
    inp.ReportIrregularity: _report,
    inp.WithdrawReport: _withdraw,
    inp.CancelFreeCoup: _cancel_free_coup,
    inp.DealCard: _deal_card,
    inp.RecordCard: record_card,
    inp.AmendRound: amend,
}
