# SPDX-License-Identifier: Apache-2.0
"""Commands about single cards: how one lay, what it is, and that a read was none.

What a person says of a card is judged at once with the whole coup; whatever shows then holds the
table. Cards that lie aside outside a coup are numbered among themselves.
"""

from studio.game import events as ev
from studio.game import inputs as inp
from studio.game.amendments import reason_missing, second_missing
from studio.game.cards import Card
from studio.game.draft import Draft
from studio.game.holds import hold_of, lies_aside, strikeable, was_shown
from studio.game.inputs import Refusal
from studio.game.judging import (
    Teller,
    is_copy_too_many,
    raise_duplicate,
    raise_found,
    raise_irregularity,
)
from studio.game.state import UNPAID, Phase
from studio.game.voided import correct_voided

_UNDER_WAY = (Phase.DEALING, Phase.RESULT)


def no_coup(d: Draft) -> Refusal | None:
    """The refusal of what only a coup that has no result yet can be told."""
    if d.state.held_from in _UNDER_WAY:
        return None
    return Refusal("no_coup", "There is no coup under way without a result.")


def _card_unknown(d: Draft, number: int, most: int) -> Refusal | None:
    refusal = no_coup(d)
    if refusal is not None:
        return refusal
    if not 1 <= number <= most:
        text = f"The coup has {d.state.cards_drawn} cards; there is no card {number}."
        return Refusal("no_such_card", text)
    return None


def note_card(d: Draft, command: inp.NoteCard) -> Refusal | None:
    """How a card of the coup lay, or when it was drawn."""
    refusal = _card_unknown(d, command.number, d.state.cards_drawn)
    if refusal is not None:
        return refusal
    fact = d.state.coup_cards[command.number - 1]
    if command.early and d.state.is_free_coup:
        return Refusal("no_bets", "No bets were open: this is a coup without bets.")
    if command.unseen and was_shown(d.state, command.number):
        return Refusal("was_shown", f"Players were shown card {command.number}.")
    if command.early is False and fact.early and not fact.is_early_said:
        text = f"The table itself saw card {command.number} drawn while bets were open."
        return Refusal("seen_early", text)
    d.add(
        ev.CardNoted(
            number=command.number,
            at=command.at,
            early=command.early is True,
            not_early=command.early is False,
            face_up=fact.face_up if command.face_up is None else command.face_up,
            stuck=fact.stuck if command.stuck is None else command.stuck,
            unseen=fact.unseen if command.unseen is None else command.unseen,
            by=command.by,
        )
    )
    raise_found(d, by=command.by)
    return None


def enter_card(d: Draft, command: inp.EnterCard) -> Refusal | None:
    """A card that was not read has this value; or one that the shoe never told of is inserted."""
    if lies_aside(d.state):
        return _enter_aside(d, command)
    cards = d.state.coup_cards
    most = len(cards) + 1 if command.missing else len(cards)
    refusal = _card_unknown(d, command.number, most)
    if refusal is None:
        refusal = second_missing(command.by, command.second)
    if refusal is not None:
        return refusal
    if command.missing and d.state.phase is not Phase.HELD:
        return Refusal("not_held", "A card is added to a held coup; report the problem first.")
    if not command.missing and cards[command.number - 1].is_read:
        text = f"Card {command.number} was read. Correct it, if it was read wrongly."
        return Refusal("was_read", text)
    if not command.missing and cards[command.number - 1].card is not None:
        return Refusal("entered_already", f"Card {command.number} was entered already. Correct it.")
    d.add(_entered(command))
    raise_found(d, by=command.by)
    return None


def correct_card(d: Draft, command: inp.CorrectCard) -> Refusal | None:
    """A card was read as another than it is."""
    if command.round is not None:
        return correct_voided(d, command, command.round)
    if lies_aside(d.state):
        return _correct_aside(d, command)
    cards = d.state.coup_cards
    refusal = _card_unknown(d, command.number, len(cards))
    if refusal is None:
        refusal = second_missing(command.by, command.second)
    if refusal is not None:
        return refusal
    known = cards[command.number - 1].card
    if known is None:
        return Refusal("not_read", f"Card {command.number} has no value yet. Enter it.")
    if known is command.card:
        return Refusal("unchanged", f"Card {command.number} is {known.value} already.")
    text = f"read {known.value}, the card is {command.card.value}"
    raise_irregularity(d, "misread", text, card=known, by=command.by)
    d.add(_corrected(command, known))
    raise_found(d, by=command.by)
    return None


def strike_card(d: Draft, command: inp.StrikeCard) -> Refusal | None:
    """A read was no card of its own."""
    if d.state.phase is not Phase.HELD:
        text = "A read is struck while the table is held; report ghost-read first."
        return Refusal("not_held", text)
    reads = strikeable(d.state)
    if command.number not in reads:
        text = f"There is no read {command.number} to strike; there is: "
        return Refusal("no_such_card", f"{text}{', '.join(map(str, reads)) or 'none'}.")
    refusal = reason_missing(command.reason, "Striking a read")
    if refusal is None:
        refusal = second_missing(command.by, command.second)
    if refusal is not None:
        return refusal
    is_aside = d.state.held_from not in UNPAID
    d.add(
        ev.CardStruck(
            number=command.number,
            card=reads[command.number],
            reason=command.reason,
            by=command.by,
            second=command.second,
            is_aside=is_aside,
        )
    )
    if not is_aside:
        raise_found(d, by=command.by)
    return None


def _aside_unknown(d: Draft, command: inp.EnterCard | inp.CorrectCard) -> Refusal | None:
    count = len(hold_of(d.state).aside)
    if not 1 <= command.number <= count:
        text = f"Cards aside: {count}; there is no card {command.number} among them."
        return Refusal("no_such_card", text)
    return second_missing(command.by, command.second)


def _entered(command: inp.EnterCard, *, is_aside: bool = False) -> ev.CardEntered:
    return ev.CardEntered(
        number=command.number,
        card=command.card,
        missing=command.missing,
        by=command.by,
        second=command.second,
        is_aside=is_aside,
    )


def _corrected(command: inp.CorrectCard, read: Card, *, is_aside: bool = False) -> ev.CardCorrected:
    return ev.CardCorrected(
        number=command.number,
        card=command.card,
        read=read,
        by=command.by,
        second=command.second,
        is_aside=is_aside,
    )


def _enter_aside(d: Draft, command: inp.EnterCard) -> Refusal | None:
    if command.missing:
        text = "Outside a coup no missing card is entered. In manual mode, record it."
        return Refusal("not_in_coup", text)
    refusal = _aside_unknown(d, command)
    if refusal is not None:
        return refusal
    if hold_of(d.state).aside[command.number - 1] is not None:
        text = f"Card {command.number} aside has a value. Correct it, if that is wrong."
        return Refusal("was_read", text)
    _restate_aside(d, _entered(command, is_aside=True))
    return None


def _correct_aside(d: Draft, command: inp.CorrectCard) -> Refusal | None:
    refusal = _aside_unknown(d, command)
    if refusal is not None:
        return refusal
    known = hold_of(d.state).aside[command.number - 1]
    if known is None:
        return Refusal("not_read", f"Card {command.number} aside has no value yet. Enter it.")
    if known is command.card:
        # it lies face down: its value is not told again
        return Refusal("unchanged", f"Card {command.number} aside has that value already.")
    _restate_aside(d, _corrected(command, known, is_aside=True))
    return None


def _restate_aside(d: Draft, event: ev.CardEntered | ev.CardCorrected) -> None:
    is_surplus_copy = is_copy_too_many(d, event.card)
    d.add(event)
    if is_surplus_copy:
        raise_duplicate(d, event.card, Teller(by=event.by))
