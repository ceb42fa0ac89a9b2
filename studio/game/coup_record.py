# SPDX-License-Identifier: Apache-2.0
"""How the record of a coup, and the hands that follow from it, change with each event.

A part of ``studio.game.evolve``, which alone uses it: it decides nothing. A card that is placed,
held or restated keeps its place in the order in which the cards left the shoe.
"""

from typing import Any

from msgspec.structs import replace

from studio.game import events as ev
from studio.game.cards import Card
from studio.game.coup import Position
from studio.game.holds import judgement_of, without
from studio.game.judgement import CoupCard, CoupEvent, Found, Judgement, ResultCall, ShoeEmpty
from studio.game.state import UNPAID, Phase, ShoeStep, TableState
from studio.game.tableau import outcome_of

# The members of the state that change: several changes are made in one step, for its price.
Changes = dict[str, Any]


def card_out(s: TableState, card: Card | None) -> Changes:
    """A card left the shoe; None for one that was not read."""
    if card is None:
        return {"cards_out": s.cards_out + 1, "last_card": None}
    copies = {**s.copies, card.code: s.copies.get(card, 0) + 1}
    return {"copies": copies, "cards_out": s.cards_out + 1, "last_card": card}


def card_placed(s: TableState, event: ev.CardDealt | ev.CardKept) -> TableState:
    """A card took its position: there it is public, or it waits to be shown."""
    card, is_player = event.card, event.position.is_player
    copies, out, last = s.copies, s.cards_out, s.last_card
    if event.is_carried:
        # it left the shoe, and was counted, in the coup before
        s = replace(s, carried=s.carried[1:])
    else:
        copies, out, last = {**copies, card.code: copies.get(card, 0) + 1}, out + 1, card
    player = (*s.player, card) if is_player else s.player
    banker = s.banker if is_player else (*s.banker, card)
    is_shown = type(event) is ev.CardDealt
    fact = CoupCard(card, is_manual=event.is_manual, is_carried=event.is_carried, is_shown=is_shown)
    coup, origins = (*s.coup, fact), (*s.origins, event.origin)
    if type(event) is ev.CardKept:
        return replace(s, player=player, banker=banker, kept=(*s.kept, event), coup=coup,
                       origins=origins, copies=copies, cards_out=out, last_card=last)  # fmt: skip
    shown_player = (*s.shown_player, card) if is_player else s.shown_player
    shown_banker = s.shown_banker if is_player else (*s.shown_banker, card)
    return replace(s, player=player, banker=banker, shown_player=shown_player,
                   shown_banker=shown_banker, cards_shown=s.cards_shown + 1, coup=coup,
                   origins=origins, copies=copies, cards_out=out, last_card=last)  # fmt: skip


def card_shown(s: TableState, event: ev.CardDealt) -> TableState:
    """A card is public."""
    if not s.kept:
        return card_placed(s, event)
    # announced only now: it was placed and counted when it was drawn
    shown = replace(s, kept=s.kept[1:], coup=hands_shown(s, event.position),
                    cards_shown=s.cards_shown + 1)  # fmt: skip
    if event.position.is_player:
        return replace(shown, shown_player=(*s.shown_player, event.card))
    return replace(shown, shown_banker=(*s.shown_banker, event.card))


def hands_shown(s: TableState, position: Position | None = None) -> tuple[CoupEvent, ...]:
    """The coup's record when players see its hands, or the card at this position."""
    shown: dict[int, CoupEvent] = {}
    for number, at in judgement_of(s).placed:
        if position is None or at is position:
            place = _place_of(s, number)
            card = _card_at(s, place)
            if not card.is_shown:
                shown[place] = replace(card, is_shown=True)
    return tuple([shown.get(at, one) for at, one in enumerate(s.coup)]) if shown else s.coup


def _place_of(s: TableState, number: int) -> int:
    """Where a card of the coup stands among all that happened to it."""
    if len(s.coup) == len(s.origins):
        # nothing else happened
        return number - 1
    return [at for at, one in enumerate(s.coup) if isinstance(one, CoupCard)][number - 1]


def _card_at(s: TableState, place: int) -> CoupCard:
    card = s.coup[place]
    assert isinstance(card, CoupCard)  # noqa: S101
    return card


def card_held(s: TableState, event: ev.CardHeld) -> TableState:
    """A card waits for a ruling: in its coup, or aside where there is none."""
    changes = card_out(s, event.card)
    if event.number is None:
        assert s.hold is not None  # noqa: S101
        hold = replace(s.hold, aside=(*s.hold.aside, event.card))
        return replace(s, hold=hold, shoe_step=ShoeStep.OFF, **changes)
    fact = CoupCard(event.card, is_read=event.card is not None, early=event.early,
                    is_manual=event.by is not None)  # fmt: skip
    return replace(s, coup=(*s.coup, fact), origins=(*s.origins, event.origin), **changes)


def card_noted(s: TableState, event: ev.CardNoted) -> TableState:
    """How a card of the coup lay, or when it was drawn; its place in the order stays."""
    place = _place_of(s, event.number)
    fact = _card_at(s, place)
    is_seen = fact.early and not fact.is_early_said
    is_said = not is_seen and not event.not_early and (event.early or fact.early)
    fact = replace(fact, early=is_seen or is_said, is_early_said=is_said,
                   at=event.at or fact.at, face_up=event.face_up, stuck=event.stuck,
                   unseen=event.unseen)  # fmt: skip
    return still_found(s, replace(s, coup=(*s.coup[:place], fact, *s.coup[place + 1 :])))


def card_restated(s: TableState, event: ev.CardEntered | ev.CardCorrected) -> TableState:
    """A card of the coup has another value; its place in the order stays.

    Unless it is one that the shoe never told of.
    """
    if event.is_aside:
        return _aside_restated(s, event)
    if isinstance(event, ev.CardEntered) and event.missing:
        return _card_inserted(s, event)
    place = _place_of(s, event.number)
    fact = _card_at(s, place)
    copies = {**s.copies, event.card.value: s.copies.get(event.card.value, 0) + 1}
    before = s.copies_before
    if fact.card is not None:
        copies[fact.card.value] -= 1
        if fact.is_carried and not fact.is_manual:
            # it was counted as another in the coup before, and counts in this one as what it is
            before = {**before, fact.card.value: before[fact.card.value] - 1}
    fact = replace(fact, card=event.card, is_manual=True)
    coup = (*s.coup[:place], fact, *s.coup[place + 1 :])
    return still_found(s, replace(s, copies=copies, copies_before=before, coup=coup))


def _aside_restated(s: TableState, event: ev.CardEntered | ev.CardCorrected) -> TableState:
    """A card outside any coup is another than was known; it left the shoe all the same."""
    assert s.hold is not None  # noqa: S101
    copies = {**s.copies, event.card.value: s.copies.get(event.card.value, 0) + 1}
    aside = [*s.hold.aside]
    before = aside[event.number - 1]
    if before is not None:
        copies[before.value] -= 1
    aside[event.number - 1] = event.card
    return replace(s, copies=copies, hold=replace(s.hold, aside=tuple(aside)))


def report_withdrawn(s: TableState, event: ev.ReportWithdrawn) -> TableState:
    """What a person said by mistake is gone from the coup, and from what holds the table."""
    coup = s.coup
    if event.call is not None:
        place = [at for at, one in enumerate(coup) if isinstance(one, ResultCall)][event.call - 1]
        coup = (*coup[:place], *coup[place + 1 :])
    elif event.code == "insufficient-cards":
        coup = tuple(one for one in coup if not isinstance(one, ShoeEmpty))
    if coup is not s.coup:
        s = still_found(s, replace(s, coup=coup))
    if s.hold is None:
        return s
    raised = list(s.hold.raised)
    is_empty = event.code == "insufficient-cards"
    said = ((at, one) for at, one in enumerate(raised) if is_empty or one.by is not None)
    places = [at for at, one in said if one.code == event.code]
    for at in reversed(places) if is_empty else places[-1:]:
        del raised[at]
    return replace(s, hold=replace(s.hold, raised=tuple(raised)))


def still_found(s: TableState, after: TableState, struck: int = 0) -> TableState:
    """What the coup as it is after a change no longer shows would have to be told again.

    ``struck``: the number of a card that went; those after it have moved up.
    """
    if not s.found:
        return after
    before = _moved_up(judgement_of(s).irregularities, struck)
    now = judgement_of(after).irregularities
    if now == before and not struck:
        return after
    found = without(_moved_up(s.found, struck), without(before, now))
    return replace(after, found=tuple(found))


def _moved_up(found: tuple[Found, ...], struck: int) -> tuple[Found, ...]:
    if not struck:
        return found
    return tuple(
        Found(one.code, one.card - (one.card > struck)) for one in found if one.card != struck
    )


def card_struck(s: TableState, event: ev.CardStruck) -> TableState:
    """A read was no card: the inverse of a card's insertion.

    ``last_card`` stays, which is what the shoe told last; the shoe counted a card more.
    """
    copies = s.copies
    if event.card is not None:
        copies = {**copies, event.card.value: copies[event.card.value] - 1}
    out = replace(s, copies=copies, cards_out=s.cards_out - 1, shoe_step=ShoeStep.OFF)
    before = event.number - 1
    if event.is_aside:
        assert s.hold is not None  # noqa: S101
        aside = s.hold.aside
        hold = replace(s.hold, aside=(*aside[:before], *aside[event.number :]))
        return replace(out, hold=hold)
    place = _place_of(s, event.number)
    out = replace(
        out, coup=(*s.coup[:place], *s.coup[place + 1 :]),
        origins=(*s.origins[:before], *s.origins[event.number :]),
        told_aside=tuple(
            one - (one > event.number) for one in s.told_aside if one != event.number
        ),
    )  # fmt: skip
    return still_found(s, out, event.number)


def _card_inserted(s: TableState, event: ev.CardEntered) -> TableState:
    """A card that the shoe never told of takes its place among those that it did tell of."""
    places = [at for at, one in enumerate(s.coup) if isinstance(one, CoupCard)]
    before = event.number - 1
    place = places[before] if before < len(places) else len(s.coup)
    fact = CoupCard(event.card, is_read=False, is_manual=True)
    return replace(
        s, **card_out(s, event.card),
        coup=(*s.coup[:place], fact, *s.coup[place:]),
        origins=(*s.origins[:before], None, *s.origins[before:]),
        found=tuple(Found(one.code, one.card + (one.card > before)) for one in s.found),
        told_aside=tuple(number + (number > before) for number in s.told_aside),
    )  # fmt: skip


def hold_resolved(s: TableState, before: TableState) -> TableState:
    """The hold is over: the hands are those of the judgement, what is not shown yet waits."""
    if before.hold is None or before.hold.back not in UNPAID:
        return replace(s, hold=None)
    judgement = judgement_of(before)
    player, banker = judgement.player, judgement.banker
    are_shown = len(s.shown_player) == len(player) and len(s.shown_banker) == len(banker)
    kept = () if are_shown else _not_shown(s, before, judgement)
    outcome = outcome_of(player, banker) if s.phase is Phase.RESULT else None
    return replace(s, hold=None, player=player, banker=banker, kept=kept, outcome=outcome)


def _not_shown(s: TableState, before: TableState, judgement: Judgement) -> tuple[ev.CardKept, ...]:
    """The cards of the hands as they must be beyond those that players were shown."""
    cards = before.coup_cards
    # Player's, and Banker's
    shown = {True: len(s.shown_player), False: len(s.shown_banker)}
    kept = []
    for number, position in judgement.placed:
        card = cards[number - 1]
        if shown[position.is_player]:
            shown[position.is_player] -= 1
        elif card.card is not None:
            kept.append(ev.CardKept(position=position, card=card.card, is_manual=card.is_manual))
    return tuple(kept)


def coup_begun(s: TableState) -> TableState:
    """No card of this coup is out yet."""
    return replace(s, coup=(), origins=(), found=(), told_aside=(), copies_before=s.copies,
                   burned_before=len(s.burn_cards), strays=0)  # fmt: skip


def coup_over(s: TableState) -> TableState:
    """The cards are cleared."""
    return replace(s, player=(), banker=(), shown_player=(), shown_banker=(), kept=(), coup=(),
                   origins=(), found=(), told_aside=(), copies_before={}, outcome=None,
                   guard_until=None)  # fmt: skip
