# SPDX-License-Identifier: Apache-2.0
"""How a card is judged the moment it leaves the shoe, and what follows from it.

A card is judged in steps: may a card come now; did anything go wrong with it; ``next_position``
says where it goes; if nothing comes after it, the coup has its result in the same step. A card
that may not come is laid aside and holds the table: it never reaches a result by itself.
"""

from datetime import timedelta

from studio.game import events as ev
from studio.game.bets import pairs_of, settle
from studio.game.cards import Card, cards_in, total_of
from studio.game.coup import Position, Side
from studio.game.draft import Draft
from studio.game.events import Source, Trust
from studio.game.house import BurnRule, LastCoup, ResultEntry
from studio.game.inputs import CardDrawn, Origin, Target
from studio.game.state import UNPAID, Phase
from studio.game.tableau import is_natural, next_position, outcome_of

_HINTED_SIDE = {Target.PLAYER: Side.PLAYER, Target.BANKER: Side.BANKER}


def raise_irregularity(
    d: Draft, code: str, detail: str, *, card: Card | None = None, origin: Origin | None = None
) -> None:
    """Hold the table. Players learn of it once; a round that is paid already is not touched."""
    was_held = d.state.phase is Phase.HELD
    back = d.state.phase
    d.add(ev.IrregularityRaised(code=code, detail=detail, card=card, origin=origin))
    if was_held:
        return
    if back in UNPAID:
        d.add(ev.RoundHeld(reason="misdeal"))
    elif d.state.suspended is None:
        d.add(ev.TableSuspended(reason="misdeal"))


def _hold_card(d: Draft, code: str, detail: str, card: Card | None, origin: Origin) -> None:
    raise_irregularity(d, code, detail, card=card, origin=origin)
    d.add(ev.CardHeld(card=card, origin=origin))


def card_left_shoe(d: Draft, report: CardDrawn | None, detail: str, origin: Origin) -> None:
    """Judge a card that left the shoe; ``report`` is None for one that was not read."""
    card = None if report is None else report.card
    too_many = _is_copy_too_many(d, card)
    match d.state.phase:
        case Phase.BURNING:
            _burn(d, card, origin)
        case Phase.DEALING:
            _deal(d, report, detail, origin, too_many=too_many)
            return
        case Phase.HELD:
            d.add(ev.CardHeld(card=card, origin=origin))
        case Phase.BETS_OPEN:
            close_bets(d, by=None)
            text = "drawn while bets were open"
            _hold_card(d, "card-before-close", text, card, origin)
        case Phase.RESULT:
            natural = is_natural(d.state.player, d.state.banker)
            code = "excess-after-natural" if natural else "excess-after-complete"
            _hold_card(d, code, "drawn after the coup was complete", card, origin)
        case _:
            _hold_card(d, "next-card-early", "drawn between two rounds", card, origin)
    if too_many:
        raise_irregularity(d, "duplicate-card", _too_many_text(d), card=card, origin=origin)


def _is_copy_too_many(d: Draft, card: Card | None) -> bool:
    return card is not None and d.state.copies.get(card.value, 0) >= d.state.decks


def _too_many_text(d: Draft) -> str:
    return f"the shoe has {d.state.decks} decks, and this is one copy more"


def _burn(d: Draft, card: Card | None, origin: Origin) -> None:
    due = d.state.burn_due
    burn = d.house.burn
    if due is None and card is not None and burn.rule is BurnRule.FIRST_CARD:
        counts = burn.ace if card.rank.value == "A" else card.rank.pips
        due = d.state.burned + 1 + counts
    d.add(ev.CardBurned(card=card, burn=due, origin=origin))
    complete_burn(d)


def complete_burn(d: Draft) -> None:
    """The burn is done when as many cards as are due are out, whichever way they were burned."""
    due = d.state.burn_due
    if d.state.phase is Phase.BURNING and due is not None and d.state.burned >= due:
        d.add(ev.BurnCompleted(burned=d.state.burned))


def _deal(
    d: Draft, report: CardDrawn | None, detail: str, origin: Origin, *, too_many: bool
) -> None:
    card = None if report is None else report.card
    if report is None or card is None:
        _hold_card(d, "misscan-none", detail, None, origin)
        return
    if too_many:
        _hold_card(d, "duplicate-card", _too_many_text(d), card, origin)
        return
    if not report.in_game:
        mode = "unknown" if report.mode is None else report.mode.value
        _hold_card(d, "card-out-of-game", f"the shoe was in {mode} mode", card, origin)
        return
    position = next_position(d.state.player, d.state.banker)
    if position is None:
        raise LookupError("a complete coup is not in phase dealing")
    if d.state.trust is not Trust.TRUSTED:
        if _contradicts(d, report, position):
            text = (
                f"the shoe says {report.target.value} {report.index}, the tableau {position.value}"
            )
            _hold_card(d, "frame-lost", text, card, origin)
            return
        if position is Position.P1 and report.target is Target.PLAYER and report.index == 1:
            d.add(ev.StreamChanged(trust=Trust.TRUSTED, reason="first card of a coup"))
    place(d, card, position, origin)


def _contradicts(d: Draft, report: CardDrawn, position: Position) -> bool:
    """Whether a shoe whose stream is in doubt counts this card elsewhere than the table does."""
    side = _HINTED_SIDE.get(report.target)
    if side is None:
        return False
    own = d.state.player if position.side is Side.PLAYER else d.state.banker
    return side is not position.side or (report.index is not None and report.index != len(own) + 1)


def place(d: Draft, card: Card, position: Position, origin: Origin | None) -> None:
    """Give a card its position: public at once, or kept while the close guard runs."""
    if d.state.guard_until is not None:
        d.add(ev.CardKept(position=position, card=card, origin=origin))
    else:
        _show(d, card, position, origin)
    following = next_position(d.state.player, d.state.banker)
    if following is None:
        declare(d)
    elif d.state.cards_out >= cards_in(d.state.decks):
        raise_irregularity(d, "insufficient-cards", f"{following.value} is due, the shoe is empty")


def _show(d: Draft, card: Card, position: Position, origin: Origin | None) -> None:
    player, banker = d.state.shown_player, d.state.shown_banker
    if position.side is Side.PLAYER:
        player = (*player, card)
    else:
        banker = (*banker, card)
    d.add(
        ev.CardDealt(
            position=position,
            card=card,
            player_total=total_of(player) if player else None,
            banker_total=total_of(banker) if banker else None,
            origin=origin,
        ),
        # also when a timer or a person only lets it be seen
        Source.SHOE,
    )


def close_bets(d: Draft, by: str | None) -> None:
    """No more bets; the close guard begins, if the house has one."""
    guard = d.house.close_guard_ms
    until = d.stamp.at + timedelta(milliseconds=guard) if guard > 0 else None
    d.add(ev.BetsClosed(guard_until=until, by=by))


def announce_kept(d: Draft) -> None:
    """Show the cards that waited for the end of the guard, in the order drawn."""
    for kept in d.state.kept:
        _show(d, kept.card, kept.position, None)
    if d.state.phase is Phase.RESULT and _is_automatic(d):
        confirm(d, by=None)


def declare(d: Draft) -> None:
    """The coup is complete by the tableau."""
    player, banker = d.state.player, d.state.banker
    d.add(
        ev.ResultDeclared(
            outcome=outcome_of(player, banker),
            player_total=total_of(player),
            banker_total=total_of(banker),
        )
    )
    if not d.state.kept and _is_automatic(d):
        confirm(d, by=None)


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


def cut_card(d: Draft, origin: Origin) -> None:
    """The first cut card of a shoe decides which coup is the last (house: ``last_coup``)."""
    lies_aside = d.state.hold is not None and bool(d.state.hold.aside)
    is_under_way = d.state.round is not None and bool(
        d.state.player or d.state.banker or lies_aside
    )
    last = "this"
    rule = d.house.last_coup
    if rule is LastCoup.ALWAYS_ONE_MORE or (rule is LastCoup.ONE_MORE and is_under_way):
        last = "next"
    d.add(ev.CutCardSeen(last_coup=last, origin=origin))
