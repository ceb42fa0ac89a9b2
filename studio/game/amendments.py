# SPDX-License-Identifier: Apache-2.0
"""What is found late: a round that has a result gets a later revision of it, or is voided.

By the house's ``found_late``. Cards that were used in a later round stay there: only the round's
own result changes, as long as it can be amended, also when its shoe is out.
"""

from studio.game import events as ev
from studio.game import inputs as inp
from studio.game.bets import pairs_of, settle
from studio.game.cards import total_of
from studio.game.draft import Draft
from studio.game.house import House
from studio.game.inputs import Refusal
from studio.game.irregularities import Remedy
from studio.game.remedies import Ruling, void
from studio.game.state import StandingResult
from studio.game.tableau import is_natural, next_position, outcome_of


def second_missing(by: str, second: str | None) -> Refusal | None:
    """The refusal of something that needs two people and has one."""
    if second is None or not second.strip():
        return Refusal("second_missing", "This needs a second person to approve it.")
    if second == by:
        return Refusal("same_person", "The second person must be another than the first.")
    return None


def reason_missing(reason: str, what: str) -> Refusal | None:
    """The refusal of something that needs a reason and has none."""
    return None if reason.strip() else Refusal("reason_missing", f"{what} needs a reason.")


def standing_of(d: Draft, round_id: str) -> StandingResult | None:
    """What stands for a round of this shoe, or of an earlier one that can still be amended."""
    known = (*d.state.results, *(one.standing for one in d.state.earlier))
    return next((one for one in known if one.round == round_id), None)


def not_amendable(d: Draft, standing: StandingResult) -> Refusal | None:
    """Why this result must stand, if so."""
    if standing.outcome is None:
        return Refusal("already_void", "The round is void already.")
    if standing.amendable_until is not None and d.stamp.at > standing.amendable_until:
        return Refusal("too_late", "The time to amend this round is over.")
    return None


def amend(d: Draft, command: inp.AmendRound) -> Refusal | None:
    """Put right, or void, a round that has a result; or return why that is refused."""
    standing = standing_of(d, command.round)
    if standing is None:
        text = f"Round {command.round} has no result here that could be amended."
        return Refusal("unknown_round", text)
    refusal = (
        not_amendable(d, standing)
        or reason_missing(command.reason, "An amendment")
        or second_missing(command.by, command.second)
    )
    if refusal is not None:
        return refusal
    house = d.state.ruled_by.get(command.round, d.house)
    if house.found_late == "void":
        _void_late(d, command, standing)
        return None
    try:
        due = next_position(command.player, command.banker)
    except ValueError as fault:
        return Refusal("no_such_coup", f"The tableau deals no such coup: {fault}.")
    if due is not None:
        return Refusal("incomplete", f"These cards are no complete coup: {due.value} is missing.")
    if (command.player, command.banker) == (standing.player, standing.banker):
        return Refusal("unchanged", "These are the cards that stand already.")
    _amend_result(d, house, command, standing)
    return None


def _amend_result(
    d: Draft, house: House, command: inp.AmendRound, standing: StandingResult
) -> None:
    """Settled by the rules that the round was played by, whatever they are now."""
    player, banker = command.player, command.banker
    until = standing.amendable_until
    if until is None:
        raise LookupError("a result without a time until which it can be amended")
    d.add(
        ev.ResultAmended(
            revision=standing.revision + 1,
            outcome=outcome_of(player, banker),
            player=player,
            banker=banker,
            player_total=total_of(player),
            banker_total=total_of(banker),
            natural=is_natural(player, banker),
            pairs=pairs_of(player, banker),
            bets=settle(house, player, banker),
            amendable_until=until,
            supersedes=standing.seq,
            reason="review",
            round=command.round,
            detail=command.reason,
            by=command.by,
            second=command.second,
        )
    )


def _void_late(d: Draft, command: inp.AmendRound, standing: StandingResult) -> None:
    """In this house what is found late is not put right: the stakes are returned."""
    if command.round == d.state.round:
        ruling = Ruling(Remedy.VOID, command.reason, command.by, command.second)
        void(d, ruling, reason="review")
        return
    d.add(
        ev.RoundVoided(
            revision=standing.revision + 1,
            reason="review",
            set_aside=standing.player + standing.banker,
            text="round-voided",
            supersedes=standing.seq,
            round=command.round,
            detail=command.reason,
            by=command.by,
            second=command.second,
        )
    )
