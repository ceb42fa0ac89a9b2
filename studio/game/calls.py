# SPDX-License-Identifier: Apache-2.0
"""The supervisor is asked to come, and has come; play goes on, and players hear nothing of it."""

from studio.game import events as ev
from studio.game.draft import Draft
from studio.game.inputs import AnswerCall, CallSupervisor, Refusal, ReportIrregularity
from studio.game.irregularities import WRONG_PAID
from studio.game.state import UNPAID


def call_supervisor(d: Draft, command: CallSupervisor) -> Refusal | None:
    """A call that waits until somebody answers it."""
    if d.state.call is not None:
        return Refusal("already_called", "The supervisor is called already.")
    d.add(ev.SupervisorCalled(by=command.by))
    return None


def is_of_before(d: Draft, report: ReportIrregularity) -> bool:
    """Whether it is of a payment while a coup is under way: nothing of that coup was paid yet."""
    return report.code == WRONG_PAID and d.state.held_from in UNPAID


def tell_of_before(d: Draft, report: ReportIrregularity) -> None:
    """The pit is told what was reported, and of which round; the one under way goes on.

    Most likely the last one with a result: the detail says if it was another.
    """
    last = (*(one.standing for one in d.state.earlier), *d.state.results)[-1:]
    about = last[0].round if last else None
    d.add(ev.SupervisorCalled(by=report.by, code=report.code, about=about, detail=report.detail))


def answer_call(d: Draft, command: AnswerCall) -> Refusal | None:
    """The call is over: somebody came, or it was taken back."""
    if d.state.call is None:
        return Refusal("not_called", "Nobody waits for the supervisor.")
    d.add(ev.SupervisorCallEnded(by=command.by))
    return None
