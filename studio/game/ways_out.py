# SPDX-License-Identifier: Apache-2.0
"""What stands in the way of a command in each phase, and what a person does about it."""

from studio.game.cards import cards_in
from studio.game.events import Trust
from studio.game.inputs import Refusal
from studio.game.irregularities import IRREGULARITIES, SHOE_EMPTY
from studio.game.state import Phase, TableState

_WAYS = {
    Phase.NO_SHOE: "no shoe is in the table. Load one.",
    Phase.BURNING: "the burn is not done. Burn the cards that are due.",
    Phase.IDLE: "no round is under way. Open bets.",
    Phase.BETS_OPEN: "bets are open. Close them and deal the coup, or void the round.",
    Phase.DEALING: "bets are closed and stay so. Deal the coup to its end, or void the round.",
    Phase.RESULT: "bets are closed and the coup is complete. Confirm it, or void the round.",
    Phase.SETTLING: "the round has its result. Close it.",
    Phase.HELD: "the table is held. Rule on the hold first.",
}


def way_out(state: TableState) -> str:
    """The end of a refusal: what is so now, and the way on from there."""
    if state.is_free_coup and state.phase is not Phase.HELD:
        return "a coup without bets is under way. Deal it to its end, and confirm."
    if state.phase is Phase.BETS_OPEN and state.closes_at is None:
        return "a suspension closed the bets. Resume and open them again, or void the round."
    return _WAYS[state.phase]


def is_count_needed(state: TableState) -> bool:
    """Whether what the shoe told may not be all, or is not what people found in it."""
    is_short = state.shoe_stopped == SHOE_EMPTY and state.cards_out < cards_in(state.decks)
    return state.may_miss_cards or state.trust is not Trust.TRUSTED or is_short


def shoe_over(state: TableState) -> Refusal:
    """Why no other coup is dealt from this shoe."""
    if state.shoe_stopped is None:
        return Refusal("shoe_over", "The last coup was played, or the shoe is empty. End the shoe.")
    what = IRREGULARITIES[state.shoe_stopped].what
    return Refusal("shoe_stopped", f"This shoe is stopped: {what} End the shoe, or change it.")
