# SPDX-License-Identifier: Apache-2.0
"""Cards that people tell of because no shoe does: a burn, a surplus card, a stray one.

The table judges them by when they left the shoe, exactly as it judges a report. A card that is due
in a coup is dealt to its position instead (``deal_card``), and one that the shoe missed within a
coup is entered at its place (``enter_card``).
"""

from studio.game import inputs as inp
from studio.game.amendments import second_missing
from studio.game.draft import Draft
from studio.game.inputs import Refusal
from studio.game.judging import Teller, card_left_shoe, is_copy_too_many
from studio.game.state import Phase, TableState


def record_card(d: Draft, command: inp.RecordCard) -> Refusal | None:
    """Write what follows from a card that two people tell of, or return why it is refused."""
    refusal = _cannot_be_told(d.state, command)
    if refusal is None:
        refusal = second_missing(command.by, command.second)
    if refusal is not None:
        return refusal
    if is_copy_too_many(d, command.card):
        assert command.card is not None  # noqa: S101  it was counted
        text = f"All {d.state.decks} copies of {command.card.value} left this shoe already."
        hint = "Look again; if it is so, record it without its value and report foreign-card."
        return Refusal("copy_too_many", f"{text} {hint}")
    card_left_shoe(d, command.card, Teller(by=command.by, second=command.second))
    return None


def _cannot_be_told(state: TableState, command: inp.RecordCard) -> Refusal | None:
    if state.phase is Phase.NO_SHOE:
        return Refusal("not_now", "No shoe is in the table: load one first.")
    if not state.may_record_card:
        return _told_by_shoe(state)
    due = state.cards_out + 1
    if command.number != due:
        text = f"The next card is card {due} of this shoe, not card {command.number}."
        return Refusal("stale", f"{text} Look whether somebody told of it already.")
    if state.phase is Phase.DEALING and command.card is not None:
        text = "A card is due: deal it to its position (deal_card). One that was drawn while bets"
        hint = "were open: report the problem first, then tell of it, and note that it was early."
        return Refusal("use_deal_card", f"{text} {hint}")
    return None


def _told_by_shoe(state: TableState) -> Refusal:
    text = "The shoe tells of its cards."
    if state.held_from in (Phase.DEALING, Phase.RESULT):
        hint = "If it missed one of this coup, report the problem and enter that card there."
    else:
        hint = "If it missed one, turn manual mode on first."
    return Refusal("not_manual", f"{text} {hint}")
