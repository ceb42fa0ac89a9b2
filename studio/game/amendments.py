# SPDX-License-Identifier: Apache-2.0
"""What is found late: a round that has a result gets a later revision of it, or is voided.

By the house's ``found_late``. Cards that were used in a later round stay there: only the round's
own result changes, as long as it can be amended, also when its shoe is out.
"""

from collections import Counter
from typing import NamedTuple

from studio.game import events as ev
from studio.game import inputs as inp
from studio.game.bets import pairs_of, settle
from studio.game.cards import Card, total_of
from studio.game.draft import Draft
from studio.game.house import House, ShoeMode
from studio.game.inputs import Refusal
from studio.game.irregularities import Remedy
from studio.game.numbering import next_revision
from studio.game.remedies import Ruling, void
from studio.game.state import StandingResult, TableState
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


def copy_too_many(state: TableState, card: Card) -> Refusal:
    """The refusal of a card of which no copy can be left."""
    text = f"All {state.decks} copies of {card.value} left this shoe already. Look again; if it is "
    return Refusal("copy_too_many", text + "so, another was read wrongly, or report foreign-card.")


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
    if (command.player, command.banker) == (standing.player, standing.banker):
        return Refusal("unchanged", "These are the cards that stand already.")
    house = d.state.ruled_by.get(command.round, d.house)
    if house.found_late == "void":
        _void_late(d, command, standing)
        return None
    try:
        due = next_position(command.player, command.banker)
    except ValueError as fault:
        return Refusal("no_such_coup", f"The tableau deals no such coup: {fault}.")
    if due is not None:
        text = f"These cards are no complete coup: {due.value} is missing."
        return Refusal("incomplete", f"{text} If it was never drawn, void the round.")
    shoe = _inventory(d.state, house, command, standing)
    for card, more in Counter(shoe.drawn).items():
        if d.state.copies.get(card.value, 0) + more > d.state.decks:
            return copy_too_many(d.state, card)
    _amend_result(d, house, command, standing, shoe)
    return None


class _Inventory(NamedTuple):
    """What a shoe's inventory learns of an amendment: as the members of ``ResultAmended``."""

    drawn: tuple[Card, ...] = ()
    not_drawn: tuple[Card, ...] = ()
    more_out: int = 0


def _inventory(
    state: TableState, house: House, command: inp.AmendRound, standing: StandingResult
) -> _Inventory:
    """Which cards left this shoe though the table knew it otherwise.

    A card of the new hands that did not leave the shoe in that coup, as far as the table knew (in
    its hands or set aside), is out after all. It was read as one that stood in the old hands and
    stands in none of the new. If there are not more of these than of the new cards, each is taken
    back, and new cards beyond their number were never told of. If there are more, some of them are
    surplus that the new hands no longer take: which was the misread is not known, and all stay out.
    A round of an earlier shoe, or whose cards were shuffled in again, changes nothing.
    """
    is_here = any(one.round == command.round for one in state.results)
    is_shuffled_in = house.shoe_mode is ShoeMode.CONTINUOUS and command.round != state.round
    if not is_here or is_shuffled_in:
        return _Inventory()
    hands = Counter(command.player + command.banker)
    fresh = hands - Counter(state.round_cards.get(command.round, ()))
    gone = Counter(standing.player + standing.banker) - hands
    more_out = fresh.total() - gone.total()
    not_drawn = tuple(gone.elements()) if more_out >= 0 else ()
    return _Inventory(tuple(fresh.elements()), not_drawn, max(more_out, 0))


def _amend_result(
    d: Draft,
    house: House,
    command: inp.AmendRound,
    standing: StandingResult,
    shoe: _Inventory,
) -> None:
    """Settled by the rules that the round was played by, whatever they are now."""
    player, banker = command.player, command.banker
    until = standing.amendable_until
    if until is None:
        raise LookupError("a result without a time until which it can be amended")
    d.add(
        ev.ResultAmended(
            revision=next_revision(d.state, command.round, standing.revision),
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
            **shoe._asdict(),
        )
    )


def void_past(d: Draft, command: inp.VoidRound) -> Refusal | None:
    """Void a round that is over: what its cards are cannot be said, or is no complete coup."""
    standing = standing_of(d, command.round)
    if standing is None:
        if d.state.round is None:
            return Refusal("no_round", f"{command.round} has no result here that could be voided.")
        text = f"The round under way is {d.state.round}, not {command.round}. Look again."
        return Refusal("other_round", text)
    refusal = (
        not_amendable(d, standing)
        or reason_missing(command.reason, "A void")
        or second_missing(command.by, command.second)
    )
    if refusal is None:
        _void_late(d, command, standing)
    return refusal


def _void_late(d: Draft, command: inp.AmendRound | inp.VoidRound, standing: StandingResult) -> None:
    """What is found late is not put right: the stakes are returned."""
    if command.round == d.state.round:
        ruling = Ruling(Remedy.VOID, command.reason, command.by, command.second)
        void(d, ruling, reason="review")
        return
    d.add(
        ev.RoundVoided(
            revision=next_revision(d.state, command.round, standing.revision),
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
