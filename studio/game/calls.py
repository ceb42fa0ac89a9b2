# SPDX-License-Identifier: Apache-2.0
"""The supervisor is asked to come, and has come; play goes on, and players hear nothing of it."""

from studio.game import events as ev
from studio.game.draft import Draft
from studio.game.inputs import AnswerCall, CallSupervisor, Refusal


def call_supervisor(d: Draft, command: CallSupervisor) -> Refusal | None:
    """A call that waits until somebody answers it."""
    if d.state.call is not None:
        return Refusal("already_called", "The supervisor is called already.")
    d.add(ev.SupervisorCalled(by=command.by))
    return None


def answer_call(d: Draft, command: AnswerCall) -> Refusal | None:
    """The call is over: somebody came, or it was taken back."""
    if d.state.call is None:
        return Refusal("not_called", "Nobody waits for the supervisor.")
    d.add(ev.SupervisorCallEnded(by=command.by))
    return None
