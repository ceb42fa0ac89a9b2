# SPDX-License-Identifier: Apache-2.0
"""A burned card that is another than was read.

Before the first coup of a shoe a wrong burn is made right: what is missing is burned, what was
burned too much stays out. After it only the shoe's inventory is put right.
"""

from studio.game import events as ev
from studio.game import inputs as inp
from studio.game.amendments import copy_too_many, second_missing
from studio.game.draft import Draft
from studio.game.inputs import Refusal
from studio.game.judging import complete_burn, count_of, is_copy_too_many
from studio.game.state import UNPAID, Phase, TableState


def correct_burn(d: Draft, command: inp.CorrectBurn) -> Refusal | None:
    """Put a burned card right, and the number due if it says that; or return why not."""
    state = d.state
    if not is_time_to_mend(state):
        text = f"A burned card is not corrected in phase {state.phase.value}: finish the round, or "
        return Refusal("not_now", text + "rule on the hold, first.")
    if not 1 <= command.number <= len(state.burn_cards):
        text = f"{len(state.burn_cards)} cards were burned from this shoe; there is no card "
        return Refusal("no_such_card", f"{text}{command.number}.")
    refusal = second_missing(command.by, command.second)
    if refusal is not None:
        return refusal
    read = state.burn_cards[command.number - 1]
    if read is command.card:
        return Refusal("unchanged", f"Burned card {command.number} is {read.value} already.")
    if is_copy_too_many(d, command.card):
        return copy_too_many(state, command.card)
    d.add(
        ev.BurnCorrected(
            number=command.number,
            card=command.card,
            read=read,
            burn=_due(d, command),
            by=command.by,
            second=command.second,
        )
    )
    due = d.state.burn_due
    if d.state.phase is Phase.IDLE and due is not None and _is_before_coups(d.state):
        _burn_the_rest(d, due, command.by)
    complete_burn(d)
    return None


def _burn_the_rest(d: Draft, due: int, by: str) -> None:
    if due > d.state.burned and d.state.shoe_stopped is None:
        reason = "the first card burned was read wrongly"
        d.add(ev.BurnOrdered(burn=due, reason=reason, by=by))


def is_time_to_mend(state: TableState) -> bool:
    """Whether the inventory can be put right without a word on a card that may come now.

    Between two coups, or while a hold asks what else is wrong.
    """
    if state.phase is Phase.HELD:
        return state.held_from in (Phase.BURNING, *UNPAID)
    return state.phase in (Phase.BURNING, Phase.IDLE, Phase.SETTLING)


def _is_before_coups(state: TableState) -> bool:
    aside = 0 if state.hold is None else len(state.hold.aside)
    return state.cards_out == state.burned + aside


def _due(d: Draft, command: inp.CorrectBurn) -> int | None:
    """The number due: by this card if it is the one that says it, and no coup was dealt yet."""
    is_indicator = command.number == d.state.burn_indicator
    if is_indicator and _is_before_coups(d.state):
        return d.state.burn_from + 1 + count_of(d.house, command.card)
    return d.state.burn_due
