# SPDX-License-Identifier: Apache-2.0
"""How what is known of the shoe's cards changes: what was burned, and which copies are out.

A part of ``studio.game.evolve``, which alone uses it: it decides nothing. What is put right late
changes the copies that left before the coup under way, if one is: that coup is judged by them.
"""

from collections import Counter
from collections.abc import Mapping

from msgspec.structs import replace

from studio.game import events as ev
from studio.game.cards import Card
from studio.game.coup_record import card_out, still_found
from studio.game.house import ShoeMode
from studio.game.state import Phase, ShoeStep, TableState


def card_burned(s: TableState, event: ev.CardBurned) -> TableState:
    """A card of the burn left the shoe; the first one of a first-card house is the indicator."""
    changes = card_out(s, event.card)
    # until it was made to wait for its value, an unread one left the count to the next
    if s.burn_due is None and (s.burn_indicator is None or event.burn is not None):
        changes |= {"burn_indicator": len(s.burn_cards) + 1, "burn_from": s.burned}
    # one that people told of is a card that the shoe may not have counted
    step = s.shoe_step if event.by is None else ShoeStep.OFF
    cards = (*s.burn_cards, event.card)
    return replace(s, burned=s.burned + 1, burn_due=event.burn, burn_cards=cards,
                   shoe_step=step, **changes)  # fmt: skip


def surplus_burned(s: TableState, event: ev.HeldCardBurned | ev.SurplusKeptForBurn) -> TableState:
    """Cards that lay aside are burned; those of a coup are its round's still."""
    unread = event.unread if isinstance(event, ev.HeldCardBurned) else 0
    numbers = range(len(s.burn_cards) + 1, len(s.burn_cards) + 1 + len(event.in_order))
    rounds = s.burn_rounds
    if s.phase is Phase.SETTLING and s.round is not None:
        rounds = {**rounds, **dict.fromkeys(numbers, s.round)}
    return replace(s, burned=s.burned + len(event.cards) + unread, burn_rounds=rounds,
                   burn_cards=s.burn_cards + event.in_order)  # fmt: skip


def burn_corrected(s: TableState, event: ev.BurnCorrected) -> TableState:
    """A burned card is another than was read, also in the count of the round that it was from."""
    change = Counter({event.card: 1})
    if event.read is not None:
        change[event.read] = -1
    before = event.number - 1
    cards = (*s.burn_cards[:before], event.card, *s.burn_cards[event.number :])
    if event.number > s.burned_before:
        # it left the shoe after the coup that is on the table, if one is
        mended = replace(s, copies=_changed(s.copies, change))
    else:
        mended = _mended(s, change)
    counted = _counted(s, s.burn_rounds.get(event.number), change)
    return replace(mended, burn_cards=cards, burn_due=event.burn, round_cards=counted)


def round_counted(s: TableState, recorded: ev.Recorded) -> TableState:
    """What left the shoe in a round, as its result says, or as an amendment puts it right."""
    event, round_id = recorded.event, recorded.round
    if isinstance(event, ev.RoundVoided):
        return _voided(s, event)
    if isinstance(event, ev.ResultConfirmed) and round_id is not None:
        cards = tuple(one.card for one in s.coup_cards if one.card is not None)
        return replace(s, round_cards={**s.round_cards, round_id: cards})
    if not isinstance(event, ev.ResultAmended) or not event.drawn:
        return s
    change = Counter(event.drawn)
    change.subtract(event.not_drawn)
    s = replace(s, cards_out=s.cards_out + event.more_out,
                round_cards=_counted(s, event.round, change))  # fmt: skip
    if event.round == s.round:
        # its coup is over, and stays judged as it was played
        return replace(s, copies=_changed(s.copies, change))
    return _mended(s, change)


def _voided(s: TableState, event: ev.RoundVoided) -> TableState:
    """The cards of a void round are those of its coup; once that is over, those of its hands.

    What was surplus in it met its fate by then, and one that is burned is corrected as such.
    Cards that were shuffled in again are those of no round.
    """
    house = s.ruled_by.get(event.round, s.house)
    counted = s.round_cards.get(event.round)
    cards: tuple[Card | None, ...]
    if event.round == s.round:
        drawn = tuple(one.card for one in s.coup_cards)
        # a result that it had may be put right since
        cards = drawn if counted is None else (*counted, *[None] * drawn.count(None))
    elif counted is not None and house is not None and house.shoe_mode is ShoeMode.SHOE:
        burned = Counter(
            s.burn_cards[n - 1] for n, name in s.burn_rounds.items() if name == event.round
        )
        cards = tuple((Counter[Card | None](event.set_aside) - burned).elements())
    else:
        cards = ()
    return replace(s, void_cards={**s.void_cards, event.round: cards}) if cards else s


def voided_card_corrected(s: TableState, event: ev.VoidedCardCorrected) -> TableState:
    """A card of a void round is another than was read, or is known now."""
    change = Counter({event.card: 1})
    if event.read is not None:
        change[event.read] = -1
    cards = s.void_cards.get(event.round, ())
    cards = (*cards[: event.number - 1], event.card, *cards[event.number :])
    s = replace(s, void_cards={**s.void_cards, event.round: cards})
    if event.round == s.round:
        # its coup is over, and stays judged as it was played
        return replace(s, copies=_changed(s.copies, change))
    return _mended(s, change)


def _counted(
    s: TableState, round_id: str | None, change: Counter[Card]
) -> dict[str, tuple[Card, ...]]:
    """What left the shoe in each round, after this change to one of them, if it is to one."""
    if round_id is None:
        return s.round_cards
    known = Counter(s.round_cards.get(round_id, ()))
    known.update(change)
    return {**s.round_cards, round_id: tuple(known.elements())}


def _mended(s: TableState, change: Counter[Card]) -> TableState:
    after = replace(s, copies=_changed(s.copies, change))
    if s.round is None and not s.is_free_coup:
        return after
    return still_found(s, replace(after, copies_before=_changed(s.copies_before, change)))


def _changed(copies: Mapping[str, int], change: Counter[Card]) -> dict[str, int]:
    more = {card.value: copies.get(card.value, 0) + count for card, count in change.items()}
    return {**copies, **more}
