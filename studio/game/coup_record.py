# SPDX-License-Identifier: Apache-2.0
"""How the record of a coup, and the hands that follow from it, change with each event.

A part of ``studio.game.evolve``, which alone uses it: it decides nothing. A card that is placed,
held or restated keeps its place in the order in which the cards left the shoe.
"""

from collections import Counter
from typing import Any

from msgspec.structs import replace

from studio.game import events as ev
from studio.game.cards import Card
from studio.game.coup import Position, Side
from studio.game.holds import judgement_of
from studio.game.judgement import CoupCard, CoupEvent, Found, ResultCall, ShoeEmpty
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


def card_placed(s: TableState, event: ev.CardDealt | ev.CardKept) -> Changes:
    """A card took its position."""
    card, is_carried = event.card, event.is_carried
    # one that is carried left the shoe, and was counted, in the coup before
    changes: Changes = {"carried": s.carried[1:]} if is_carried else card_out(s, card)
    fact = CoupCard(card, is_manual=event.is_manual, is_carried=is_carried,
                    is_shown=type(event) is ev.CardDealt)  # fmt: skip
    changes["coup"] = (*s.coup, fact)
    changes["origins"] = (*s.origins, event.origin)
    if event.position.is_player:
        changes["player"] = (*s.player, card)
    else:
        changes["banker"] = (*s.banker, card)
    return changes


def card_shown(s: TableState, event: ev.CardDealt) -> TableState:
    """A card is public."""
    if s.kept:
        # announced only now: it was placed and counted when it was drawn
        changes: Changes = {"kept": s.kept[1:], "coup": hands_shown(s, event.position)}
    else:
        changes = card_placed(s, event)
    if event.position.is_player:
        changes["shown_player"] = (*s.shown_player, event.card)
    else:
        changes["shown_banker"] = (*s.shown_banker, event.card)
    return replace(s, cards_shown=s.cards_shown + 1, **changes)


def hands_shown(s: TableState, position: Position | None = None) -> tuple[CoupEvent, ...]:
    """The coup's record when players see its hands, or the card at this position."""
    placed = judgement_of(s).placed
    seen = {number for number, at in placed if position is None or at is position}
    places = [at for at, one in enumerate(s.coup) if isinstance(one, CoupCard)]
    shown = {places[number - 1] for number in seen}
    return tuple(
        replace(one, is_shown=True) if at in shown and isinstance(one, CoupCard) else one
        for at, one in enumerate(s.coup)
    )


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


def card_restated(
    s: TableState, event: ev.CardNoted | ev.CardEntered | ev.CardCorrected | ev.CardStruck
) -> TableState:
    """What is known of one card of the coup changes; its place in the order does not.

    Unless it is one that the shoe never told of, or no card at all.
    """
    if isinstance(event, ev.CardStruck):
        return _card_struck(s, event)
    if not isinstance(event, ev.CardNoted) and event.is_aside:
        return _aside_restated(s, event)
    if isinstance(event, ev.CardEntered) and event.missing:
        return _card_inserted(s, event)
    place = [at for at, one in enumerate(s.coup) if isinstance(one, CoupCard)][event.number - 1]
    fact = s.coup[place]
    assert isinstance(fact, CoupCard)  # noqa: S101
    if isinstance(event, ev.CardNoted):
        is_seen = fact.early and not fact.is_early_said
        is_said = not is_seen and not event.not_early and (event.early or fact.early)
        fact = replace(fact, early=is_seen or is_said, is_early_said=is_said,
                       at=event.at or fact.at, face_up=event.face_up, stuck=event.stuck,
                       unseen=event.unseen)  # fmt: skip
        return still_found(s, replace(s, coup=(*s.coup[:place], fact, *s.coup[place + 1 :])))
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
    gone = Counter() if now == before else Counter(before) - Counter(now)
    found = []
    for one in _moved_up(s.found, struck):
        if gone[one]:
            gone[one] -= 1
        else:
            found.append(one)
    return replace(after, found=tuple(found))


def _moved_up(found: tuple[Found, ...], struck: int) -> tuple[Found, ...]:
    if not struck:
        return found
    return tuple(
        Found(one.code, one.card - (one.card > struck)) for one in found if one.card != struck
    )


def _card_struck(s: TableState, event: ev.CardStruck) -> TableState:
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
    place = [at for at, one in enumerate(s.coup) if isinstance(one, CoupCard)][before]
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
    cards = before.coup_cards
    shown = {Side.PLAYER: len(s.shown_player), Side.BANKER: len(s.shown_banker)}
    kept = []
    for number, position in judgement.placed:
        card = cards[number - 1]
        if shown[position.side]:
            shown[position.side] -= 1
        elif card.card is not None:
            kept.append(ev.CardKept(position=position, card=card.card, is_manual=card.is_manual))
    outcome = None
    if s.phase is Phase.RESULT:
        outcome = outcome_of(judgement.player, judgement.banker)
    return replace(s, hold=None, player=judgement.player, banker=judgement.banker,
                   kept=tuple(kept), outcome=outcome)  # fmt: skip


def coup_begun(s: TableState) -> TableState:
    """No card of this coup is out yet."""
    return replace(s, coup=(), origins=(), found=(), told_aside=(), copies_before=s.copies,
                   burned_before=len(s.burn_cards), strays=0)  # fmt: skip


def coup_over(s: TableState) -> TableState:
    """The cards are cleared."""
    return replace(s, player=(), banker=(), shown_player=(), shown_banker=(), kept=(), coup=(),
                   origins=(), found=(), told_aside=(), copies_before={}, outcome=None,
                   guard_until=None)  # fmt: skip
