# SPDX-License-Identifier: Apache-2.0
"""A card of a void round that is another than was read, or that nobody could read then.

The round stays void, and players hear nothing: only the inventory of the shoe is put right.
"""

from studio.game import events as ev
from studio.game import inputs as inp
from studio.game.amendments import copy_too_many, second_missing, standing_of
from studio.game.burns import is_time_to_mend
from studio.game.cards import Card
from studio.game.draft import Draft
from studio.game.inputs import Refusal
from studio.game.judging import is_copy_too_many


def correct_voided(d: Draft, command: inp.CorrectCard, round_id: str) -> Refusal | None:
    """Put a card of a void round of this shoe right, or return why not."""
    state = d.state
    cards = state.void_cards.get(round_id, ())
    refusal = _not_void(d, round_id)
    if refusal is not None:
        return refusal
    if not is_time_to_mend(state):
        text = f"A card of a void round is not corrected in phase {state.phase.value}: finish the "
        return Refusal("not_now", text + "round, or rule on the hold, first.")
    if not 1 <= command.number <= len(cards):
        text = f"{len(cards)} cards of round {round_id} can be corrected; there is no card "
        return Refusal("no_such_card", f"{text}{command.number}.")
    refusal = second_missing(command.by, command.second)
    if refusal is not None:
        return refusal
    return _correct(d, command, round_id, cards[command.number - 1])


def _not_void(d: Draft, round_id: str) -> Refusal | None:
    standing = standing_of(d, round_id)
    if standing is not None and standing.outcome is not None:
        text = f"Round {round_id} has a result. Amend it (amend_round) with the right cards."
        return Refusal("not_void", text)
    if standing is None and round_id == d.state.round:
        text = f"Round {round_id} is under way. Correct its card without naming the round."
        return Refusal("not_void", text)
    if d.state.void_cards.get(round_id) is not None:
        return None
    text = f"{round_id} is no void round of this shoe with a card on record."
    return Refusal("unknown_round", text)


def _correct(
    d: Draft, command: inp.CorrectCard, round_id: str, read: Card | None
) -> Refusal | None:
    if read is command.card:
        text = f"Card {command.number} of round {round_id} is {read.value} already."
        return Refusal("unchanged", text)
    if is_copy_too_many(d, command.card):
        return copy_too_many(d.state, command.card)
    d.add(
        ev.VoidedCardCorrected(
            round=round_id,
            number=command.number,
            card=command.card,
            read=read,
            by=command.by,
            second=command.second,
        )
    )
    return None
