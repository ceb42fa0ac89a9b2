# SPDX-License-Identifier: Apache-2.0
"""How a card is judged the moment it leaves the shoe, and what follows from it.

A card is judged in steps: may a card come now; did anything go wrong with it; ``next_position``
says where it goes; if nothing comes after it, the coup has its result in the same step. A card
that may not come is laid aside and holds the table: it never reaches a result by itself.
"""

from collections.abc import Callable
from datetime import timedelta

import msgspec
from msgspec.structs import replace

from studio.game import events as ev
from studio.game.bets import pairs_of, settle
from studio.game.cards import Card, cards_in, total_of
from studio.game.coup import Position, Side
from studio.game.cut_card import missed_cut_card
from studio.game.draft import Draft
from studio.game.events import Event, Source, Trust
from studio.game.holds import judgement_of, not_yet_raised
from studio.game.house import House, ResultEntry
from studio.game.inputs import CardDrawn, Origin, Target
from studio.game.irregularities import (
    CUT_CARD_MISSED,
    DUPLICATE_CARD,
    IRREGULARITIES,
    RECORD_RESTORED,
)
from studio.game.state import UNPAID, Phase, ShoeStep
from studio.game.tableau import is_natural, next_position, outcome_by, outcome_of

_HINTED_SIDE = {Target.PLAYER: Side.PLAYER, Target.BANKER: Side.BANKER}
# To look up a member takes longer than what is asked of it.
_DEALING, _RESULT, _HELD = Phase.DEALING, Phase.RESULT, Phase.HELD
_SHOE, _MANUAL = Source.SHOE, Source.MANUAL

# What players are told of these is that the device failed, not that somebody misdealt.
_OF_THE_DEVICE = frozenset(
    ("card-out-of-game", "frame-lost", "misscan-none", "repeat-mismatch", "shoe-failure",
     "shoe-mismatch")
)  # fmt: skip


# Nobody at the table is to blame for these.
_OF_THE_SYSTEM = frozenset((RECORD_RESTORED,))


def raise_irregularity(
    d: Draft,
    code: str,
    detail: str,
    *,
    card: Card | None = None,
    number: int | None = None,
    by: str | None = None,
    origin: Origin | None = None,
) -> None:
    """Hold the table. Players learn of it once; a round that is paid already is not touched."""
    was_held = d.state.phase is _HELD
    back = d.state.phase
    d.add(
        ev.IrregularityRaised(
            code=code, detail=detail, card=card, number=number, by=by, origin=origin
        )
    )
    if was_held or d.state.is_free_coup:
        # nothing of a coup without bets is public
        return
    if back in UNPAID:
        d.add(ev.RoundHeld(reason=_told_to_players(code)))
    elif d.state.suspended is None:
        d.add(ev.TableSuspended(reason="misdeal"))


def _told_to_players(code: str) -> str:
    if code in _OF_THE_SYSTEM:
        return "system"
    return "device" if code in _OF_THE_DEVICE else "misdeal"


def raise_found(d: Draft, origin: Origin | None = None, by: str | None = None) -> None:
    """Judge the coup whole, and raise whatever shows now and was not raised before."""
    judgement = judgement_of(d.state)
    for found in not_yet_raised(d.state, judgement):
        card = d.state.coup_cards[found.card - 1].card if found.card else None
        what = IRREGULARITIES[found.code].what
        raise_irregularity(d, found.code, what, card=card, number=found.card, by=by, origin=origin)
    state = d.state
    if state.hold is None and (
        state.player != judgement.player or state.banker != judgement.banker
    ):
        # the hands are not those that the coup's record gives
        what = IRREGULARITIES["said-otherwise"].what
        raise_irregularity(d, "said-otherwise", what, by=by)


class Teller(msgspec.Struct, frozen=True):
    """Who told that a card left the shoe: a report of the shoe, or two people where none did."""

    origin: Origin | None = None
    by: str | None = None
    second: str | None = None


def card_told(d: Draft, report: CardDrawn | None, origin: Origin) -> None:
    """Judge a card that the shoe tells of; ``report`` is None for one that was not read."""
    if report is not None and d.state.phase is _DEALING:
        _deal(d, report, origin)
    else:
        card_left_shoe(d, None if report is None else report.card, Teller(origin))


def card_left_shoe(d: Draft, card: Card | None, teller: Teller) -> None:
    """Judge a card that is not due, or that nobody knows, by when it left the shoe."""
    match d.state.held_from:
        case Phase.DEALING | Phase.RESULT:
            hold_card(d, card, teller)
        case Phase.BURNING if d.state.phase is Phase.BURNING and d.state.shoe_stopped is None:
            is_surplus_copy = is_copy_too_many(d, card)
            _burn(d, card, teller)
            if is_surplus_copy:
                raise_duplicate(d, card, teller)
        case Phase.BETS_OPEN:
            close_bets(d, by=teller.by)
            hold_card(d, card, teller, early=True)
        case _:
            _stray(d, card, teller)


def hold_card(d: Draft, card: Card | None, teller: Teller, *, early: bool = False) -> None:
    """A card of the coup that cannot take its place by itself waits for a ruling."""
    number = d.state.cards_drawn + 1
    d.add(ev.CardHeld(card, number, early, teller.origin, teller.by, teller.second))
    raise_found(d, teller.origin, teller.by)


_fields = msgspec.structs.asdict


def _stray(d: Draft, card: Card | None, teller: Teller) -> None:
    """A card outside any coup lies aside; one that is one copy too many is told beside it."""
    is_surplus_copy = is_copy_too_many(d, card)
    if d.state.phase is not Phase.HELD:
        text = IRREGULARITIES["next-card-early"].what
        raise_irregularity(
            d, "next-card-early", text, card=card, by=teller.by, origin=teller.origin
        )
    d.add(ev.CardHeld(card=card, **_fields(teller)))
    if is_surplus_copy:
        raise_duplicate(d, card, teller)
    if d.state.held_from is not Phase.SETTLING:
        miss_cut_card(d)


def is_copy_too_many(d: Draft, card: Card | None) -> bool:
    """Whether as many of this card as there are decks left the shoe before it."""
    return card is not None and d.state.copies.get(card, 0) >= d.state.decks


def raise_duplicate(d: Draft, card: Card | None, teller: Teller) -> None:
    """More copies of this card left the shoe than it has decks."""
    text = IRREGULARITIES[DUPLICATE_CARD].what
    raise_irregularity(d, DUPLICATE_CARD, text, card=card, by=teller.by, origin=teller.origin)


def _burn(d: Draft, card: Card | None, teller: Teller) -> None:
    due = d.state.burn_due
    if due is None and card is not None and not d.state.is_burn_unknown:
        # the first card says how many; also when the house has another rule since
        due = d.state.burned + 1 + count_of(d.house, card)
    d.add(ev.CardBurned(card=card, burn=due, **_fields(teller)))
    complete_burn(d)
    miss_cut_card(d)


def miss_cut_card(d: Draft) -> None:
    """Outside a coup, hold the table where the cut card was due before a card that is out."""
    missed = missed_cut_card(d)
    if missed is not None:
        raise_irregularity(d, CUT_CARD_MISSED, missed)


def count_of(house: House, card: Card) -> int:
    """How many cards are burned after this first one."""
    return house.burn.ace if card.rank.value == "A" else card.rank.pips


def complete_burn(d: Draft) -> None:
    """The burn is done when as many cards as are due are out, whichever way they were burned."""
    due = d.state.burn_due
    if d.state.phase is Phase.BURNING and due is not None and d.state.burned >= due:
        d.add(ev.BurnCompleted(burned=d.state.burned))


def _deal(d: Draft, report: CardDrawn, origin: Origin) -> None:
    card = report.card
    if is_copy_too_many(d, card):
        hold_card(d, card, Teller(origin))
        return
    position = next_position(d.state.player, d.state.banker)
    if position is None:
        raise LookupError("a complete coup is not in phase dealing")
    doubt = _doubt(d, report, position)
    if doubt is not None:
        code, detail = doubt
        number = d.state.cards_drawn + 1
        raise_irregularity(d, code, detail, card=card, number=number, origin=origin)
        hold_card(d, card, Teller(origin))
        return
    is_first = report.index == 1 and report.target is Target.PLAYER and position is Position.P1
    if is_first and (d.state.trust is not Trust.TRUSTED or d.state.shoe_step is not ShoeStep.IN):
        why = "first card of a coup"
        d.add(ev.StreamChanged(trust=Trust.TRUSTED, reason=why, in_step=True))
    place(d, card, position, origin)


def _doubt(d: Draft, report: CardDrawn, position: Position) -> tuple[str, str] | None:
    """Why a card that was read may not be believed, if so: code and text."""
    if not report.in_game:
        mode = "unknown" if report.mode is None else report.mode.value
        return "card-out-of-game", f"the shoe was in {mode} mode"
    if _contradicts(report, position) and is_shoe_comparable(d):
        is_trusted = d.state.trust is Trust.TRUSTED
        text = f"the shoe says {report.target.value} {report.index}, the tableau {position.value}"
        return "shoe-mismatch" if is_trusted else "frame-lost", text
    return None


def is_shoe_comparable(d: Draft) -> bool:
    """Whether the shoe can count as the table does: it read every card of this coup as its own."""
    by_hand = any(card.is_manual for card in d.state.coup_cards)
    is_off = d.state.shoe_step is ShoeStep.OFF
    return not (is_off or d.state.found or by_hand or None in d.state.origins)


def _contradicts(report: CardDrawn, position: Position) -> bool:
    """Whether the shoe counts this card elsewhere than the table does."""
    side = _HINTED_SIDE.get(report.target)
    if side is None:
        return False
    is_elsewhere = report.index is not None and report.index != int(position.value[1])
    return side is not position.side or is_elsewhere


def place(
    d: Draft,
    card: Card,
    position: Position,
    origin: Origin | None,
    *,
    is_carried: bool = False,
    is_manual: bool = False,
) -> None:
    """Give a card its position: public at once, or kept while it must not be shown."""
    kept = ev.CardKept(
        position=position, card=card, is_carried=is_carried, is_manual=is_manual, origin=origin
    )
    # a card that was known before bets were closed waits for no guard
    is_guarded = d.state.guard_until is not None and not is_carried
    if is_guarded or d.state.is_free_coup:
        d.add(kept)
    else:
        _show(d, kept)
    following = next_position(d.state.player, d.state.banker)
    if following is None:
        declare(d)
    elif d.state.cards_out >= cards_in(d.state.decks) and not d.state.carried:
        d.add(ev.ShoeFoundEmpty())
        raise_found(d, origin)


def _show(d: Draft, kept: ev.CardKept) -> None:
    player, banker = d.state.shown_player, d.state.shown_banker
    if kept.position.is_player:
        player = (*player, kept.card)
    else:
        banker = (*banker, kept.card)
    d.add(
        ev.CardDealt(
            position=kept.position,
            card=kept.card,
            player_total=total_of(player) if player else None,
            banker_total=total_of(banker) if banker else None,
            is_carried=kept.is_carried,
            is_manual=kept.is_manual,
            origin=kept.origin,
        ),
        # also when a timer or a person only lets it be seen
        _MANUAL if kept.is_manual else _SHOE,
    )


def close_bets(d: Draft, by: str | None) -> None:
    """No more bets; the close guard begins, if the house has one."""
    guard = d.house.close_guard_ms
    until = d.stamp.at + timedelta(milliseconds=guard) if guard > 0 else None
    d.add(ev.BetsClosed(guard_until=until, by=by))
    place_carried(d)


def place_carried(d: Draft) -> None:
    """The cards carried over from the coup before, or kept for a free one, come first.

    Those that the coup does not take wait for another one.
    """
    for card in d.state.carried:
        position = next_position(d.state.player, d.state.banker)
        if position is None:
            return
        place(d, card, position, None, is_carried=True)


def announce_kept(d: Draft) -> None:
    """Show the cards that waited for the end of the guard, in the order drawn."""
    if d.state.is_free_coup:
        return
    for kept in d.state.kept:
        _show(d, replace(kept, origin=None))
    if d.state.phase is _RESULT and _is_automatic(d):
        confirm(d, by=None)


def declare(d: Draft) -> None:
    """The coup is complete by the tableau."""
    player_total, banker_total = total_of(d.state.player), total_of(d.state.banker)
    d.add(
        ev.ResultDeclared(
            outcome=outcome_by(player_total, banker_total),
            player_total=player_total,
            banker_total=banker_total,
        )
    )
    if not d.state.kept and d.state.guard_until is None and _is_automatic(d):
        confirm(d, by=None)


def close_round(d: Draft, by: str | None = None) -> None:
    """The cards are cleared, the surplus meets its fate, the round is over."""
    if d.state.results[-1].outcome is not None:
        _settle_surplus(d)
    d.add(ev.RoundClosed(by=by, was_dealt=bool(d.state.coup_cards)))


def end_free_coup(d: Draft, by: str) -> None:
    """The coup without bets is complete; its surplus meets its fate too."""
    _settle_surplus(d)
    player, banker = d.state.player, d.state.banker
    outcome = outcome_of(player, banker)
    d.add(ev.FreeCoupEnded(player=player, banker=banker, outcome=outcome, by=by))
    miss_cut_card(d)


def _settle_surplus(d: Draft) -> None:
    surplus = judgement_of(d.state).surplus
    for fate in FATES:
        meet_fate(d, fate, tuple(one.card for one in surplus if one.remedy == fate))


def meet_fate(d: Draft, fate: str, drawn: tuple[Card | None, ...]) -> None:
    """These cards, in the order drawn, go where ``fate`` says; nothing happens if there is none."""
    if drawn:
        d.add(FATES[fate](tuple(card for card in drawn if card is not None), drawn))


FATES: dict[str, Callable[[tuple[Card, ...], tuple[Card | None, ...]], Event]] = {
    "burn": lambda cards, drawn: ev.HeldCardBurned(
        cards=cards, unread=drawn.count(None), in_order=drawn
    ),
    "next_burn": lambda cards, drawn: ev.SurplusKeptForBurn(cards=cards, in_order=drawn),
    "carry": lambda cards, _: ev.SurplusCarried(cards=cards),
    "free_coup": lambda cards, _: ev.FreeCoupDue(cards=cards),
}


def _is_automatic(d: Draft) -> bool:
    """A result is confirmed by itself only where nothing is in doubt."""
    return d.house.result_entry is ResultEntry.AUTO and d.state.trust is Trust.TRUSTED


def confirm(d: Draft, by: str | None) -> None:
    """The result of the complete coup becomes public; it is paid on this."""
    player, banker = d.state.player, d.state.banker
    d.add(
        ev.ResultConfirmed(
            revision=d.state.revision + 1,
            outcome=outcome_of(player, banker),
            player=player,
            banker=banker,
            player_total=total_of(player),
            banker_total=total_of(banker),
            natural=is_natural(player, banker),
            pairs=pairs_of(player, banker),
            bets=settle(d.house, player, banker),
            amendable_until=d.stamp.at + timedelta(minutes=d.house.amend_minutes),
            by=by,
        )
    )
