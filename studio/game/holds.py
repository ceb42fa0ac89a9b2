# SPDX-License-Identifier: Apache-2.0
"""What a hold comes to: the coup judged whole, what may be ruled, and what each ruling leads to.

A ruling is bound to what the person saw: ``bound_to`` is a digest over the round, every card and
fact of the coup, the irregularities and the remedy. When any of them changes, an approval that
was given before is stale.
"""

import hashlib
from collections import Counter

import msgspec
from msgspec.structs import replace

from studio.game.cards import Card, total_of
from studio.game.coup import Outcome, Position, Side
from studio.game.house import House
from studio.game.inputs import Origin
from studio.game.irregularities import IRREGULARITIES, Remedy
from studio.game.judgement import CoupCard, CoupEvent, Found, Judgement, SurplusCard, Verdict, judge
from studio.game.state import UNPAID, Hold, TableState

_encode = msgspec.json.Encoder().encode


class Move(msgspec.Struct, frozen=True):
    """A card that lies in one box and belongs in another."""

    number: int
    card: Card
    laid: Side
    position: Position


class Proposal(msgspec.Struct, frozen=True):
    """A remedy that may be ruled, and what it leads to. The first one is the house's.

    ``next`` is the position still to be drawn. ``moves``: what to move on the table.
    ``needs_second``: the house wants another person to approve it.
    """

    remedy: Remedy
    bound_to: str
    needs_second: bool
    player: tuple[Card, ...] = ()
    banker: tuple[Card, ...] = ()
    player_total: int | None = None
    banker_total: int | None = None
    outcome: Outcome | None = None
    next: Position | None = None
    surplus: tuple[SurplusCard, ...] = ()
    moves: tuple[Move, ...] = ()


class Read(msgspec.Struct, frozen=True):
    """A card of the coup as evidence: what is known of it, and the report that told of it."""

    number: int
    fact: CoupCard
    origin: Origin | None


# The coup judged last, and what it was judged from: one decision asks for the same many times.
_last: tuple[House | None, dict[str, int], tuple[CoupEvent, ...], Judgement] | None = None


def judgement_of(state: TableState) -> Judgement:
    """The coup under way, judged whole by the rules in force."""
    global _last  # noqa: PLW0603  a memory of one value, swapped as a whole
    last = _last
    if last is not None and (
        last[2] is state.coup and last[1] is state.copies_before and last[0] is state.house
    ):
        return last[3]
    judgement = judge(_rules(state), state.copies_before, state.coup)
    _last = (state.house, state.copies_before, state.coup, judgement)
    return judgement


def _rules(state: TableState) -> House:
    """The house in force, with the decks that are in the shoe."""
    house = state.house
    if house is None:
        raise LookupError("the table was not told its house: ServiceStarted comes first")
    return replace(house, decks=state.decks)


def hold_of(state: TableState) -> Hold:
    """The hold of a table that is held; LookupError for one that is not: the caller's fault."""
    if state.hold is None:
        raise LookupError("the table is not held")
    return state.hold


def not_yet_raised(state: TableState, judgement: Judgement) -> list[Found]:
    """What the judgement finds and nobody was told of yet, in order."""
    told = Counter(state.found)
    new = []
    for found in judgement.irregularities:
        if told[found]:
            told[found] -= 1
        else:
            new.append(found)
    return new


def remedies_for(state: TableState) -> tuple[Remedy, ...]:
    """The remedies that mend all that is open in this hold, in order of preference.

    Outside a coup, what lies aside is burned, if anything does. Inside one, play goes on by the
    tableau, unless a card is unknown (then it must be entered first) or the coup is beyond
    mending; void is always possible.
    """
    hold = hold_of(state)
    if hold.back not in UNPAID:
        return (Remedy.BURN if hold.aside else Remedy.RELEASE,)
    judgement = judgement_of(state)
    is_lost = any(IRREGULARITIES[raised.code].is_beyond_mending for raised in hold.raised)
    if is_lost or judgement.verdict in (Verdict.VOID, Verdict.HELD):
        return (Remedy.VOID,)
    is_new = any(one.number not in state.told_aside for one in judgement.surplus)
    changes = is_new or not is_continued_by(state, judgement)
    return (Remedy.RECONSTRUCT if changes else Remedy.RELEASE, Remedy.VOID)


def strikeable(state: TableState) -> dict[int, Card | None]:
    """The reads of this hold that may have been no card, by number.

    Those of the coup, or those that lie aside outside one. A card that came over from the coup
    before was looked at then.
    """
    hold = hold_of(state)
    if hold.back not in UNPAID:
        return dict(enumerate(hold.aside, 1))
    reads = enumerate(state.coup_cards, 1)
    return {number: one.card for number, one in reads if not one.is_carried}


def needs_second(house: House, remedy: Remedy, command: str = "rule_hold") -> bool:
    """Whether the house wants two people for this remedy, given by this command."""
    return command in house.second_person or remedy.value in house.second_person


def is_continued_by(state: TableState, judgement: Judgement) -> bool:
    """Whether the hands that players saw are the beginning of the hands as they must be."""
    return (
        judgement.player[: len(state.shown_player)] == state.shown_player
        and judgement.banker[: len(state.shown_banker)] == state.shown_banker
    )


def proposals_of(state: TableState) -> tuple[Proposal, ...]:
    """What may be ruled, and where each leads; empty when the table is not held."""
    if state.hold is None:
        return ()
    return tuple(_proposal(state, remedy) for remedy in remedies_for(state))


def _proposal(state: TableState, remedy: Remedy) -> Proposal:
    bound_to = binding(state, remedy)
    is_pair = needs_second(_rules(state), remedy)
    if remedy is Remedy.VOID or hold_of(state).back not in UNPAID:
        return Proposal(remedy, bound_to, is_pair)
    judgement = judgement_of(state)
    player, banker = judgement.player, judgement.banker
    return Proposal(
        remedy,
        bound_to,
        is_pair,
        player,
        banker,
        total_of(player) if player else None,
        total_of(banker) if banker else None,
        judgement.outcome,
        judgement.next,
        judgement.surplus,
        moves_of(state.coup_cards, judgement),
    )


def moves_of(cards: tuple[CoupCard, ...], judgement: Judgement) -> tuple[Move, ...]:
    """What to move on the table so that it lies as it must."""
    return tuple(
        Move(number, card.card, card.at, position)
        for number, position in judgement.placed
        if (card := cards[number - 1]).card is not None
        and card.at is not None
        and card.at is not position.side
    )


def binding(state: TableState, remedy: Remedy) -> str:
    """The digest that a ruling must repeat: of round, cards, irregularities and remedy."""
    hold = hold_of(state)
    seen = (state.round, state.coup, hold.aside, hold.raised, remedy.value)
    return hashlib.sha256(_encode(seen)).hexdigest()


def evidence_of(state: TableState) -> tuple[Read, ...]:
    """Every card of the coup under way with its time and raw bytes."""
    cards = zip(state.coup_cards, state.origins, strict=True)
    return tuple(Read(number, fact, origin) for number, (fact, origin) in enumerate(cards, 1))
