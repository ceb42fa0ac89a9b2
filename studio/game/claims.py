# SPDX-License-Identifier: Apache-2.0
"""A person of the pit claims a held table, so that no two rule on it; the table waits as before."""

from studio.game import events as ev
from studio.game.draft import Draft
from studio.game.inputs import ClaimHold, Refusal, ReleaseHold

CLAIMED = "claimed"


def claim_hold(d: Draft, command: ClaimHold) -> Refusal | None:
    """From now on this person rules; taken over only if that is said."""
    hold = d.state.hold
    if hold is None:
        return Refusal("not_held", "Nothing is held here: somebody has ruled on it already.")
    if command.round != d.state.round:
        return Refusal("stale", "What is held is not what you saw. Look at the table again.")
    if hold.claimed_by == command.by:
        return Refusal("already_claimed", "You have claimed this hold already.")
    if hold.claimed_by is not None and not command.take_over:
        return claimed_by(hold.claimed_by)
    d.add(ev.HoldClaimed(by=command.by, taken_from=hold.claimed_by))
    return None


def release_hold(d: Draft, command: ReleaseHold) -> Refusal | None:
    """Only who claimed it gives it back; everybody else takes over."""
    claimant = None if d.state.hold is None else d.state.hold.claimed_by
    if claimant is None:
        return Refusal("not_claimed", "Nobody has claimed a hold of this table.")
    if claimant != command.by:
        return claimed_by(claimant)
    d.add(ev.HoldReleased(by=command.by))
    return None


def claimed_by(name: str) -> Refusal:
    """The refusal that says who has claimed it."""
    return Refusal(CLAIMED, f"{name} has claimed this hold. Ask {name}, or take it over.")
