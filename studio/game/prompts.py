# SPDX-License-Identifier: Apache-2.0
"""What the person at the table must do next: one prompt for every state.

A prompt is data: a code (its wording is in ``config/wording``), what the wording may name, and
the commands that may follow, the usual one first. ``pull`` stands beside the commands: it is a
hand on the shoe, not a key. The sequence is that of a dealer's console: load, burn, open bets, no
more bets, wait for the guard, the cards in their order, result, confirm, settle, clear, last coup.
A coup without bets has the same, but for the bets.
"""

import msgspec
from msgspec.structs import replace

from studio.game.cards import total_of
from studio.game.events import Trust
from studio.game.holds import judgement_of, remedies_for, strikeable, withdrawable
from studio.game.house import ResultEntry
from studio.game.irregularities import IRREGULARITIES, Remedy
from studio.game.judgement import Verdict
from studio.game.state import UNPAID, Hold, Phase, ShoeStep, TableState
from studio.game.tableau import next_position


class Prompt(msgspec.Struct, frozen=True):
    """One thing to do. ``commands`` are tags of ``inputs.Command``; ``pull``: draw a card now.

    ``note``: what to do at the shoe beside it, if anything.
    """

    code: str
    commands: tuple[str, ...] = ()
    pull: bool = False
    position: str | None = None
    remedies: tuple[str, ...] = ()
    words: dict[str, str] = {}
    note: str | None = None


NOTES = ("shoe-fault", "compare-cards", "shoe-off-step", "shoe-stopped")


def prompt_for(state: TableState) -> Prompt:
    """The one prompt of this state."""
    note = _note(state)
    prompt = _prompt(state)
    if state.trust is Trust.SUSPECT and state.phase not in (Phase.NO_SHOE, Phase.HELD):
        prompt = replace(prompt, commands=(*prompt.commands, "trust_stream"))
    if state.shoe_stopped is not None and state.phase in _OUTSIDE_A_COUP:
        return replace(prompt, note=NOTES[3], words={**prompt.words, "code": state.shoe_stopped})
    return prompt if note is None else replace(prompt, note=note)


def _note(state: TableState) -> str | None:
    """What is put right at the shoe: it stopped, may have missed a card, or counts otherwise.

    A hold asks by itself for what may be missing.
    """
    if state.phase is Phase.NO_SHOE or state.trust is Trust.LOST or state.manual_mode:
        return None
    fault, compare, off_step = NOTES[:3]
    if state.shoe_fault is not None:
        return fault
    if state.trust is Trust.SUSPECT:
        return None if state.phase is Phase.HELD else compare
    is_off = state.shoe_step is not ShoeStep.IN
    return off_step if is_off and state.phase in _BETWEEN_COUPS else None


def _prompt(state: TableState) -> Prompt:
    if state.hold is not None:
        return _held(state, state.hold)
    if not (state.is_open or state.is_round_under_way or state.is_free_coup):
        return _changed(state) if state.software.count else Prompt("open-table", ("open_table",))
    if state.suspended is not None and state.phase in _BEFORE_BETS:
        if state.software.count:
            return _changed(state)
        return Prompt("suspended", ("resume_table",), words={"reason": state.suspended})
    if state.trust is Trust.LOST and state.phase in _line_needed(state):
        return _line_down(state)
    match state.phase:
        case Phase.NO_SHOE:
            return Prompt("load-shoe", ("load_shoe",))
        case Phase.BURNING:
            return _burning(state)
        case Phase.IDLE:
            return _idle(state)
        case Phase.BETS_OPEN:
            if state.closes_at is None:
                return _bets_to_open(state, "open-bets-again", "void_round")
            return Prompt("bets-open", ("close_bets",))
        case Phase.DEALING:
            return _dealing(state)
        case Phase.RESULT:
            return _result(state)
        case _:
            return _settling(state)


def _changed(state: TableState) -> Prompt:
    """A file of the software is not as approved: no round begins until it is."""
    also = ("void_round",) if state.is_round_under_way else ()
    file = state.software.findings[0].path.rpartition("/")[2]
    short = file if len(file) <= _NAME_SHOWN else "…" + file[1 - _NAME_SHOWN :]
    words = {"file": short, "count": str(state.software.count)}
    return Prompt("software-changed", ("check_software", *also), words=words)


def _bets_to_open(state: TableState, code: str, other: str) -> Prompt:
    """Bets are opened next, or ``other`` is done; after a start its check comes first."""
    if state.software.is_due:
        return Prompt("software-check", (other,))
    return Prompt(code, ("open_bets", other))


# What fits on a line beside the rest of it.
_NAME_SHOWN = 28
_BEFORE_BETS = (Phase.IDLE, Phase.BETS_OPEN)
_BETWEEN_COUPS = (*_BEFORE_BETS, Phase.SETTLING)
_OUTSIDE_A_COUP = (Phase.BURNING, Phase.IDLE, Phase.SETTLING)


def _line_needed(state: TableState) -> tuple[Phase, ...]:
    """Where cards come from the shoe next; in manual mode people tell of them."""
    return () if state.manual_mode else (Phase.BURNING, *_BEFORE_BETS, Phase.DEALING)


def _line_down(state: TableState) -> Prompt:
    """Nobody may pull a card, or take bets on one, that would not be read."""
    if state.phase is Phase.BETS_OPEN and state.closes_at is not None:
        return Prompt("shoe-line-down", ("close_bets", "void_round"))
    if state.is_free_coup:
        return Prompt("shoe-line-down", ("set_manual_mode", *_cancel(state)))
    way_out = "void_round" if state.is_round_under_way else "end_shoe"
    return Prompt("shoe-line-down", (way_out, "set_manual_mode"))


def _held(state: TableState, hold: Hold) -> Prompt:
    remedies = remedies_for(state)
    can_void = Remedy.VOID in remedies and state.is_round_under_way
    can_rule = state.guard_until is None or remedies[0] is Remedy.VOID
    commands = ("rule_hold",) * can_rule + ("void_round",) * can_void
    commands += ("withdraw_report",) * bool(withdrawable(state))
    names = tuple(remedy.value for remedy in remedies)
    unread = _unread(state) if hold.back in UNPAID else None
    if unread is not None:
        return Prompt("enter-card", ("enter_card", *commands), remedies=names,
                      words={"number": str(unread)})  # fmt: skip
    rows = [IRREGULARITIES[one.code] for one in hold.raised]
    if any(row.may_be_no_card for row in rows) and strikeable(state):
        commands += ("strike_card",)
    may_hide = any(row.may_hide_card for row in rows)
    is_unread_aside = hold.back not in UNPAID and None in hold.aside
    if is_unread_aside or (may_hide and hold.back in UNPAID):
        commands += ("enter_card",)
    if not hold.raised:
        return Prompt("report-withdrawn", commands, remedies=names)
    return Prompt("held", commands, remedies=names, words={"code": hold.raised[0].code})


def _unread(state: TableState) -> int | None:
    """The first card of the coup that the judgement waits for, if it waits."""
    judgement = judgement_of(state)
    if judgement.verdict is not Verdict.HELD:
        return None
    return judgement.irregularities[-1].card


def _burning(state: TableState) -> Prompt:
    if state.shoe_stopped is not None:
        return Prompt("end-shoe", ("end_shoe",))
    if state.is_burn_unknown:
        words = {"number": str(state.burn_indicator)}
        return Prompt("enter-burn-card", ("correct_burn", "end_shoe"), words=words)
    left = {} if state.burn_due is None else {"left": str(state.burn_due - state.burned)}
    if state.manual_mode:
        code = "burn-card-by-hand" if left else "burn-first-card-by-hand"
        return Prompt(code, ("record_card", "end_shoe"), words=left)
    code = "burn-cards" if left else "burn-first-card"
    return Prompt(code, ("end_shoe",), pull=True, words=left)


def _idle(state: TableState) -> Prompt:
    if state.is_shoe_over:
        return Prompt("end-shoe", ("end_shoe",))
    if state.free_coup_cards is not None:
        words = {"cards": " ".join(card.value for card in state.free_coup_cards)}
        return Prompt("open-free-coup", ("open_free_coup", "end_shoe"), words=words)
    code = "open-bets-last-coup" if state.last_coup == "this" else "open-bets"
    return _bets_to_open(state, code, "end_shoe")


def _dealing(state: TableState) -> Prompt:
    position = next_position(state.player, state.banker)
    where = None if position is None else position.value
    if state.guard_until is not None:
        return Prompt("wait-for-guard", position=where)
    words = {"player": str(total_of(state.player)), "banker": str(total_of(state.banker))}
    if state.manual_mode:
        commands = ("deal_card", *_cancel(state))
        return Prompt("deal-card-by-hand", commands, position=where, words=words)
    code = "deal-free-card" if state.is_free_coup else "deal-card"
    return Prompt(code, _cancel(state), pull=True, position=where, words=words)


def _cancel(state: TableState) -> tuple[str, ...]:
    """A coup without bets can be called off before its first card."""
    return ("cancel_free_coup",) if state.can_cancel_free_coup else ()


def _result(state: TableState) -> Prompt:
    words = _outcome_words(state)
    if state.guard_until is not None:
        return Prompt("wait-for-guard", words=words)
    if state.is_free_coup:
        return Prompt("end-free-coup", ("confirm_result", *_cancel(state)), words=words)
    entry = None if state.house is None else state.house.result_entry
    code = "call-winner" if entry is ResultEntry.WINNER else "confirm-result"
    return Prompt(code, ("confirm_result",), words=words)


def _settling(state: TableState) -> Prompt:
    has_line = state.trust is not Trust.LOST or state.manual_mode
    is_free = state.free_coup_cards is None
    is_checked = not state.software.is_due and not state.software.count
    can_open = state.suspended is None and has_line and is_free and not state.is_shoe_over
    can_open = can_open and is_checked
    commands = ("open_bets", "close_round") if can_open else ("close_round",)
    return Prompt("settle", commands, words=_outcome_words(state))


def _outcome_words(state: TableState) -> dict[str, str]:
    return {
        "outcome": "void" if state.outcome is None else state.outcome.value,
        "player": str(total_of(state.player)),
        "banker": str(total_of(state.banker)),
    }
