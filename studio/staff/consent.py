# SPDX-License-Identifier: Apache-2.0
"""What a second person consents to: the command without its people, and what lies on the table.

An approval is bound to both. Whatever of it changes between the look and the act makes the
approval stale.
"""

from msgspec.structs import replace

from studio.game.inputs import AmendRound, ApplySettings, ApproveSoftware, Command, VoidRound
from studio.game.state import StandingResult, TableState
from studio.staff.approvals import Bound, bound_to, fingerprint


def signed(command: Command, by: str, second: str | None = "") -> Command:
    """The command with these people, whatever it said of them; no second one yet for blank."""
    if hasattr(command, "second"):
        return replace(command, by=by, second=second)
    return replace(command, by=by)


def is_late(state: TableState, command: Command) -> bool:
    """Whether it changes a round whose result was confirmed."""
    return _standing(state, command) is not None


def is_beside_play(command: Command) -> bool:
    """Whether it is about files, which do not lie on the table."""
    return isinstance(command, ApproveSoftware | ApplySettings)


def shown_in(state: TableState) -> str:
    """The digest of what lies on the table: a console shows it and an approval repeats it."""
    hold = state.hold
    held = None if hold is None else (hold.seq, hold.back, hold.raised, hold.aside)
    return fingerprint(
        (
            *(state.phase, state.round, state.shoe, held, state.coup, state.player),
            *(state.banker, state.carried, state.outcome, state.revision, state.burned),
            *(state.trust, state.suspended, state.is_open, state.manual_mode),
        )
    )


def consent_to(table: str, state: TableState, command: Command) -> Bound:
    """What an approval of this command is bound to now; ``command.by`` asks for it.

    What changes a result of before is bound to that result, and what is beside the play to nothing
    on the table: both to what goes on there not at all.
    """
    standing = _standing(state, command)
    plain = signed(command, command.by)
    if is_beside_play(command):
        return bound_to(table, None, plain, state.software.approved)
    if standing is None:
        return bound_to(table, state.round, plain, shown_in(state))
    return bound_to(table, standing.round, plain, standing)


def _standing(state: TableState, command: Command) -> StandingResult | None:
    """The confirmed result that a command would change."""
    if not isinstance(command, AmendRound | VoidRound):
        return None
    known = (*state.results, *(one.standing for one in state.earlier))
    return next((one for one in known if one.round == command.round), None)
