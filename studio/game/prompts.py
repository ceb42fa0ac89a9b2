# SPDX-License-Identifier: Apache-2.0
"""What the person at the table must do next: one prompt for every state.

A prompt is data: a code (its wording is in ``config/wording``), what the wording may name, and
the commands that may follow, the usual one first. ``pull`` stands beside the commands: it is a
hand on the shoe, not a key. The sequence is that of a dealer's console: load, burn, open bets, no
more bets, wait for the guard, the cards in their order, result, confirm, settle, clear, last coup.
"""

import msgspec

from studio.game.cards import total_of
from studio.game.events import Trust
from studio.game.holds import remedies_for
from studio.game.house import ResultEntry
from studio.game.irregularities import Remedy
from studio.game.state import Hold, Phase, TableState
from studio.game.tableau import next_position


class Prompt(msgspec.Struct, frozen=True):
    """One thing to do. ``commands`` are tags of ``inputs.Command``; ``pull``: draw a card now."""

    code: str
    commands: tuple[str, ...] = ()
    pull: bool = False
    position: str | None = None
    remedies: tuple[str, ...] = ()
    words: dict[str, str] = {}


def prompt_for(state: TableState) -> Prompt:
    """The one prompt of this state."""
    if state.hold is not None:
        return _held(state, state.hold)
    if not state.is_open and not state.is_round_under_way:
        return Prompt("open-table", ("open_table",))
    if state.suspended is not None and state.phase in _BEFORE_BETS:
        return Prompt("suspended", ("resume_table",), words={"reason": state.suspended})
    if state.trust is Trust.LOST and state.phase in _LINE_NEEDED:
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
                return Prompt("open-bets-again", ("open_bets", "void_round"))
            return Prompt("bets-open", ("close_bets",))
        case Phase.DEALING:
            return _dealing(state)
        case Phase.RESULT:
            return _result(state)
        case _:
            return _settling(state)


_BEFORE_BETS = (Phase.IDLE, Phase.BETS_OPEN)
_LINE_NEEDED = (Phase.BURNING, *_BEFORE_BETS, Phase.DEALING)


def _line_down(state: TableState) -> Prompt:
    """Nobody may pull a card, or take bets on one, that would not be read."""
    if state.phase is Phase.BETS_OPEN and state.closes_at is not None:
        return Prompt("shoe-line-down", ("close_bets", "void_round"))
    way_out = "void_round" if state.is_round_under_way else "end_shoe"
    return Prompt("shoe-line-down", (way_out,))


def _held(state: TableState, hold: Hold) -> Prompt:
    remedies = remedies_for(state)
    commands = ("rule_hold", "void_round") if Remedy.VOID in remedies else ("rule_hold",)
    names = tuple(remedy.value for remedy in remedies)
    return Prompt("held", commands, remedies=names, words={"code": hold.raised[0].code})


def _burning(state: TableState) -> Prompt:
    if state.burn_due is None:
        return Prompt("burn-first-card", ("end_shoe",), pull=True)
    left = str(state.burn_due - state.burned)
    return Prompt("burn-cards", ("end_shoe",), pull=True, words={"left": left})


def _idle(state: TableState) -> Prompt:
    if state.is_shoe_over:
        return Prompt("end-shoe", ("end_shoe",))
    if state.last_coup == "this":
        return Prompt("open-bets-last-coup", ("open_bets", "end_shoe"))
    return Prompt("open-bets", ("open_bets", "end_shoe"))


def _dealing(state: TableState) -> Prompt:
    position = next_position(state.player, state.banker)
    where = None if position is None else position.value
    if state.guard_until is not None:
        return Prompt("wait-for-guard", position=where)
    words = {"player": str(total_of(state.player)), "banker": str(total_of(state.banker))}
    return Prompt("deal-card", pull=True, position=where, words=words)


def _result(state: TableState) -> Prompt:
    words = _outcome_words(state)
    if state.guard_until is not None:
        return Prompt("wait-for-guard", words=words)
    entry = None if state.house is None else state.house.result_entry
    code = "call-winner" if entry is ResultEntry.WINNER else "confirm-result"
    return Prompt(code, ("confirm_result",), words=words)


def _settling(state: TableState) -> Prompt:
    can_open = state.suspended is None and state.trust is not Trust.LOST and not state.is_shoe_over
    commands = ("open_bets", "close_round") if can_open else ("close_round",)
    return Prompt("settle", commands, words=_outcome_words(state))


def _outcome_words(state: TableState) -> dict[str, str]:
    return {
        "outcome": "void" if state.outcome is None else state.outcome.value,
        "player": str(total_of(state.player)),
        "banker": str(total_of(state.banker)),
    }
