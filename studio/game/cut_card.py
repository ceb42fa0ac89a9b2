# SPDX-License-Identifier: Apache-2.0
"""The cut card: what it says when it comes, and what it says when it does not."""

from studio.game import events as ev
from studio.game.cards import cards_in
from studio.game.draft import Draft
from studio.game.house import House, LastCoup, ShoeMode
from studio.game.inputs import NoteCutCard, Origin, Refusal
from studio.game.irregularities import CUT_CARD_MISSED
from studio.game.state import Phase


def cut_card(d: Draft, origin: Origin | None = None, by: str | None = None) -> None:
    """The first cut card of a shoe decides which coup with bets is the last."""
    word = last_coup_word(d.house, is_under_way=_is_coup_with_bets(d))
    d.add(ev.CutCardSeen(last_coup=word, origin=origin, by=by))


def note_cut_card(d: Draft, command: NoteCutCard) -> Refusal | None:
    """A person saw it come out: the shoe cannot see it, or is not on the line."""
    if d.state.phase is Phase.NO_SHOE:
        return Refusal("not_now", "No shoe is in the table: there is no cut card to come out.")
    if d.house.shoe_mode is not ShoeMode.SHOE:
        return Refusal("no_cut_card", "This house's shoe has no cut card.")
    if is_held_for_cut_card(d):
        return Refusal("not_now", "The cut card is held as missed already: rule on that.")
    if not counts_cut_card(d):
        return Refusal("cut_card_out", "The cut card is out already, or the shoe is stopped.")
    cut_card(d, by=command.by)
    return None


def last_coup_word(house: House, *, is_under_way: bool) -> str:
    """``this`` or ``next`` by the house's ``last_coup`` (the adjudication contract).

    A coup is under way from its first card on, also one that was removed or not read.
    """
    rule = house.last_coup
    if rule is LastCoup.ALWAYS_ONE_MORE or (rule is LastCoup.ONE_MORE and is_under_way):
        return "next"
    return "this"


def is_held_for_cut_card(d: Draft) -> bool:
    """Whether the table waits for a ruling on a cut card that did not come."""
    hold = d.state.hold
    return hold is not None and any(raised.code == CUT_CARD_MISSED for raised in hold.raised)


def counts_cut_card(d: Draft) -> bool:
    """Whether a cut card would count now: the first one of a shoe, while it is not missed.

    A shoe that is reshuffled after every round has none.
    """
    state = d.state
    is_open = state.coups_left is None and state.shoe_stopped is None
    has_shoe = state.phase is not Phase.NO_SHOE and d.house.shoe_mode is ShoeMode.SHOE
    return has_shoe and is_open and not is_held_for_cut_card(d)


def missed_cut_card(d: Draft) -> str | None:
    """What to tell where a card from behind the cut card is out without it; else None."""
    behind = d.house.cut_card_from_end
    if behind is None or d.state.is_shoe_over or not counts_cut_card(d):
        return None
    before = cards_in(d.state.decks) - behind
    if d.state.cards_out <= before:
        return None
    return f"{d.state.cards_out} cards are out, and it was due after {before}"


def follow_missed(d: Draft, by: str) -> None:
    """It was ruled that the cut card was missed: this counts as if it had come where it was due.

    That was in the coup that is on the table, or, where none is, in the one before.
    """
    if not counts_cut_card(d):
        return
    if _is_coup_with_bets(d):
        cut_card(d, by=by)
    elif d.house.last_coup is LastCoup.CURRENT and not d.state.is_round_under_way:
        d.add(ev.ShoeStopped(code=CUT_CARD_MISSED, by=by))
    else:
        d.add(ev.CutCardSeen(last_coup="this", by=by))


def _is_coup_with_bets(d: Draft) -> bool:
    return bool(d.state.coup_cards) and not d.state.is_free_coup
