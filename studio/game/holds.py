# SPDX-License-Identifier: Apache-2.0
"""What a hold comes to: the coup judged whole, what may be ruled, and what each ruling leads to.

A ruling is bound to what the person saw: ``bound_to`` is a digest over the hold, every card and
fact of the coup, the irregularities and the remedy. When any of them changes, an approval that
was given before is stale.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from studio.game.cards import Card, cards_in, total_of
from studio.game.coup import Outcome, Position, Side
from studio.game.house import House
from studio.game.inputs import Origin
from studio.game.irregularities import (
    BEYOND_MENDING,
    REPORTABLE,
    SHOE_EMPTY,
    Remedy,
)
from studio.game.judgement import (
    CoupCard,
    CoupEvent,
    Found,
    Judgement,
    ResultCall,
    ShoeEmpty,
    SurplusCard,
    Verdict,
    judge,
)
from studio.game.state import UNPAID, Hold, Phase, TableState

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
    ``needs_second``: the house wants another person to approve it. ``faces_seen``: the answer that
    it goes with, where the fate of the surplus hangs on whether players saw the faces.
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
    faces_seen: bool | None = None


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
    return house if house.decks == state.decks else replace(house, decks=state.decks)


def hold_of(state: TableState) -> Hold:
    """The hold of a table that is held; LookupError for one that is not: the caller's fault."""
    if state.hold is None:
        raise LookupError("the table is not held")
    return state.hold


def not_yet_raised(state: TableState, judgement: Judgement) -> list[Found]:
    """What the judgement finds and nobody was told of yet, in order."""
    irregularities, count = judgement.irregularities, len(state.found)
    if irregularities[:count] == state.found:
        return list(irregularities[count:])
    return without(irregularities, state.found)


def without(found: Iterable[Found], gone: Iterable[Found]) -> list[Found]:
    """What is left, in order; each that is gone takes the first of its like with it."""
    left, going = [], list(gone)
    for one in found:
        if one in going:
            going.remove(one)
        else:
            left.append(one)
    return left


# A remedy, and the answer that it goes with: whether players saw the faces; None: not asked.
Choice = tuple[Remedy, bool | None]
_VOID: Choice = (Remedy.VOID, None)
_NOT_TO_MEND = (Verdict.VOID, Verdict.HELD)

# What becomes of a card that was drawn outside any coup, by the house's remedy for excess. That
# players saw it is the safe answer, and comes first.
_STRAY: dict[str, tuple[Choice, ...]] = {
    "burn": ((Remedy.BURN, None),),
    "next_burn": ((Remedy.NEXT_BURN, None),),
    "free_coup": ((Remedy.FREE_COUP, None),),
    "carry": ((Remedy.FREE_COUP, True), (Remedy.CARRY, False)),
}


def remedies_for(state: TableState) -> tuple[Remedy, ...]:
    """The remedies that mend all that is open in this hold, in order of preference."""
    return tuple(dict.fromkeys(remedy for remedy, _ in rulings_for(state)))


# The hold whose remedies were asked for last: whoever proposes asks before whoever decides.
_proposed: tuple[TableState, tuple[Choice, ...]] | None = None


def rulings_for(state: TableState) -> tuple[Choice, ...]:
    """The remedies for this hold, in order of preference, each with the answer that it needs.

    Outside a coup, what lies aside meets its fate, if anything does. Inside one, play goes on by
    the tableau, unless a card is unknown (then it must be entered first) or the coup is beyond
    mending; void is always possible.
    """
    global _proposed  # noqa: PLW0603  a memory of one value, swapped as a whole
    last = _proposed
    if last is not None and last[0] is state:
        return last[1]
    choices = _rulings(state, hold_of(state))
    _proposed = (state, choices)
    return choices


def _rulings(state: TableState, hold: Hold) -> tuple[Choice, ...]:
    if hold.back not in UNPAID:
        return _rulings_aside(state, hold)
    judgement = judgement_of(state)
    if _is_lost(hold) or judgement.verdict in _NOT_TO_MEND:
        return (_VOID,)
    changes = not is_continued_by(state, judgement) or any(
        one.number not in state.told_aside for one in judgement.surplus
    )
    remedy = Remedy.RECONSTRUCT if changes else Remedy.RELEASE
    if faces_asked(state):
        return (remedy, True), (remedy, False), _VOID
    return (remedy, None), _VOID


def _rulings_aside(state: TableState, hold: Hold) -> tuple[Choice, ...]:
    """Only a card that is known, and of a shoe that is what it should be, comes into play again."""
    if not hold.aside:
        return ((Remedy.RELEASE, None),)
    is_in_doubt = has_copy_too_many(state) or state.shoe_stopped is not None or _is_lost(hold)
    if hold.back is Phase.BURNING or None in hold.aside or is_in_doubt:
        return _STRAY["burn"]
    return _STRAY[_rules(state).excess_card]


def has_copy_too_many(state: TableState) -> bool:
    """Whether more copies of a card left the shoe than it has decks, as far as they are known."""
    return max(state.copies.values(), default=0) > state.decks


def _is_lost(hold: Hold) -> bool:
    return not BEYOND_MENDING.isdisjoint([raised.code for raised in hold.raised])


def was_shown(state: TableState, number: int) -> bool:
    """Whether players were shown this card of the coup: in a hand, or as it was set aside."""
    fact = state.coup_cards[number - 1]
    return fact.is_shown or (number in state.told_aside and not fact.unseen)


def faces_asked(state: TableState) -> tuple[int, ...]:
    """The surplus cards that would be carried if players did not see them; empty: not asked.

    Not where one of them was seen for certain, since it takes all others with it; nor in a coup
    without bets, which leaves its surplus to another one.
    """
    if _rules(state).excess_card != "carry" or state.is_free_coup:
        return ()
    cards = state.coup_cards
    open_ = tuple(
        one.number
        for one in judgement_of(state).surplus
        if one.remedy == "free_coup"
        and (cards[one.number - 1].is_shown or not cards[one.number - 1].unseen)
    )
    if any(was_shown(state, number) or cards[number - 1].face_up for number in open_):
        return ()
    return open_


# What a call of the result can come to: taken back, the call counts no more.
_OF_A_CALL = ("initial-short", "p3-missed", "b3-missed", "wrong-result-announced")


def withdrawable(state: TableState) -> tuple[str, ...]:
    """What people said of this hold, or of the shoe, that can be taken back as a mistake."""
    raised = () if state.hold is None else state.hold.raised
    said = dict.fromkeys(one.code for one in raised if one.by is not None)
    codes = [
        code
        for code in said
        if code in REPORTABLE or (code in _OF_A_CALL and call_behind(state, code) is not None)
    ]
    is_said = any(isinstance(one, ShoeEmpty) for one in state.coup)
    if is_said and state.cards_out < cards_in(state.decks):
        codes.append(SHOE_EMPTY)
    return tuple(codes)


def call_behind(state: TableState, code: str) -> int | None:
    """The number of the last call without which the coup does not show ``code``."""
    now = Counter(judgement_of(state).irregularities)
    calls = [at for at, one in enumerate(state.coup) if isinstance(one, ResultCall)]
    for number in range(len(calls), 0, -1):
        at = calls[number - 1]
        coup = (*state.coup[:at], *state.coup[at + 1 :])
        gone = now - Counter(judge(_rules(state), state.copies_before, coup).irregularities)
        if any(found.code == code for found in gone):
            return number
    return None


def lies_aside(state: TableState) -> bool:
    """Whether this is a hold outside any coup with cards that lie aside."""
    hold = state.hold
    return hold is not None and hold.back not in UNPAID and bool(hold.aside)


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
    return command in house.second_person or remedy in house.second_person


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
    return tuple(_proposal(state, *choice) for choice in rulings_for(state))


def _proposal(state: TableState, remedy: Remedy, faces_seen: bool | None) -> Proposal:
    bound_to = binding(state, remedy, faces_seen)
    is_pair = needs_second(_rules(state), remedy)
    hold = hold_of(state)
    if remedy is Remedy.VOID:
        return Proposal(remedy, bound_to, is_pair)
    if hold.back not in UNPAID:
        fates = tuple(SurplusCard(0, card, remedy.value) for card in hold.aside)
        return Proposal(remedy, bound_to, is_pair, surplus=fates, faces_seen=faces_seen)
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
        _surplus(judgement, faces_seen),
        moves_of(state.coup_cards, judgement),
        faces_seen,
    )


def _surplus(judgement: Judgement, faces_seen: bool | None) -> tuple[SurplusCard, ...]:
    """The surplus as this answer leaves it: what nobody saw is carried."""
    if faces_seen is not False:
        return judgement.surplus
    return tuple(
        replace(one, remedy="carry") if one.remedy == "free_coup" else one
        for one in judgement.surplus
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


# What a ruling was bound to last, and the digest of it.
_bound: tuple[TableState, Remedy, bool | None, str] | None = None


def binding(state: TableState, remedy: Remedy, faces_seen: bool | None = None) -> str:
    """The digest that a ruling must repeat: of this hold, its cards, remedy and answer."""
    global _bound  # noqa: PLW0603  a memory of one value, swapped as a whole
    last = _bound
    if last is not None and last[0] is state and last[1:3] == (remedy, faces_seen):
        return last[3]
    hold = hold_of(state)
    what = (hold.aside, hold.raised, remedy, faces_seen)
    seen = (state.round, hold.seq, state.coup, *what)
    digest = hashlib.sha256(_encode(seen)).hexdigest()
    _bound = (state, remedy, faces_seen, digest)
    return digest


def evidence_of(state: TableState) -> tuple[Read, ...]:
    """Every card of the coup under way with its time and raw bytes."""
    cards = zip(state.coup_cards, state.origins, strict=True)
    return tuple(Read(number, fact, origin) for number, (fact, origin) in enumerate(cards, 1))
