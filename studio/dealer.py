# SPDX-License-Identifier: Apache-2.0
"""What an automatic dealer does next, from the prompt that a console would show.

Pure: a staff snapshot in, one step out. It knows no table's rules; it reads the prompt and the
commands that may follow it, as a person at a console does.
"""

import msgspec

from studio.game import inputs as inp
from studio.game.coup import Outcome
from studio.game.events import Trust
from studio.game.inputs import Command
from studio.game.snapshot import StaffState

REASON = "automatic dealer"
SECOND = "automatic supervisor"


class Pull(msgspec.Struct, frozen=True):
    """Pull one card out of the shoe."""


class FreshShoe(msgspec.Struct, frozen=True):
    """See that an untouched shoe is in place, then say that it is loaded."""


class Tell(msgspec.Struct, frozen=True):
    """Send this command; ``pause`` is the name of the moment before it."""

    command: Command
    pause: str


class Wait(msgspec.Struct, frozen=True):
    """Nothing to do until something changes; ``why`` for a person."""

    why: str


class Finish(msgspec.Struct, frozen=True):
    """Everything asked for is done."""


Step = Pull | FreshShoe | Tell | Wait | Finish


def next_step(state: StaffState, *, by: str, name: str, is_last: bool) -> Step:
    """The one step for this state.

    ``by`` is the staff id of the commands, ``name`` the screen name; with ``is_last`` the table is
    closed as soon as its round is settled.
    """
    prompt = state.prompt
    if is_last and prompt.code == "open-table":
        return Finish()
    if is_last and state.phase in {"idle", "settling", "no_shoe"}:
        return Tell(inp.CloseTable(by=by), "settle" if state.phase == "settling" else "open")
    if state.trust is Trust.LOST:
        return Wait("the line to the shoe is down")
    if prompt.pull:
        return Pull()
    match prompt.code:
        case "held" | "enter-card" | "report-withdrawn":
            return _ruling(state, by)
        case "open-table":
            return Tell(inp.OpenTable(by=by, dealer=name), "open")
        case "load-shoe":
            return FreshShoe()
        case "suspended":
            return Tell(inp.ResumeTable(by=by), "rule")
        case "end-shoe" | "enter-burn-card":
            # nobody here can name a card: the shoe is taken out, another one loaded
            return Tell(inp.EndShoe(by=by), "shoe")
        case "open-free-coup":
            return Tell(inp.OpenFreeCoup(by=by), "open")
        case "open-bets" | "open-bets-last-coup" | "open-bets-again":
            return Tell(inp.OpenBets(by=by), "open")
        case "confirm-result" | "call-winner" | "end-free-coup":
            return Tell(inp.ConfirmResult(by=by, outcome=_called(state)), "confirm")
        case "settle":
            return _after_settling(state, by)
        case _:
            return Wait(prompt.code)


def _ruling(state: StaffState, by: str) -> Step:
    """The house's first proposal; none is ruled on while the close guard runs."""
    if state.guard_until is not None:
        return Wait("wait-for-guard")
    first = state.proposals[0]
    ruling = inp.RuleHold(
        by=by,
        remedy=first.remedy.value,
        reason=REASON,
        bound_to=first.bound_to,
        faces_seen=first.faces_seen,
        second=SECOND if first.needs_second else None,
    )
    return Tell(ruling, "rule")


def _called(state: StaffState) -> Outcome | None:
    return state.outcome if state.prompt.code == "call-winner" else None


def _after_settling(state: StaffState, by: str) -> Step:
    """The next round at once, unless no bets can be opened now."""
    if "open_bets" in state.prompt.commands:
        return Tell(inp.OpenBets(by=by), "settle")
    return Tell(inp.CloseRound(by=by), "settle")
