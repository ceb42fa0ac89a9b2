# SPDX-License-Identifier: Apache-2.0
"""What a person may rule on a hold, one function each: they write the events that mend it."""

from collections.abc import Callable
from typing import NamedTuple

from studio.game import events as ev
from studio.game.cards import Card, total_of
from studio.game.cut_card import follow_missed
from studio.game.draft import Draft
from studio.game.holds import (
    faces_asked,
    has_copy_too_many,
    hold_of,
    is_continued_by,
    judgement_of,
)
from studio.game.irregularities import (
    CARD_LOST,
    CUT_CARD_MISSED,
    DUPLICATE_CARD,
    IRREGULARITIES,
    Remedy,
)
from studio.game.judgement import Judgement
from studio.game.judging import announce_kept, complete_burn, declare, meet_fate, miss_cut_card
from studio.game.numbering import next_revision
from studio.game.state import UNPAID, Hold, Phase


class Ruling(NamedTuple):
    """Who ruled what and why; ``second`` is the person who approved, where the house asks one."""

    remedy: Remedy
    reason: str
    by: str
    second: str | None = None


def go_on(d: Draft, ruling: Ruling) -> None:
    """The coup goes on by the tableau: every card has its position or its fate.

    Players are told the hands anew only if the cards they saw are not the beginning of them; else
    the cards that were hidden by the hold follow one by one.
    """
    if hold_of(d.state).back not in UNPAID:
        _end_hold(d, ruling)
        return
    judgement = judgement_of(d.state)
    numbers, cards = _aside(d, judgement)
    if d.state.is_free_coup:
        pass  # nothing of a coup without bets is public
    elif is_continued_by(d.state, judgement):
        text = "surplus-set-aside" if cards else "nothing-changed"
        d.add(ev.RoundReleased(set_aside=cards, text=text, by=ruling.by, aside_numbers=numbers))
    else:
        player, banker = judgement.player, judgement.banker
        d.add(
            ev.RoundReconstructed(
                player=player,
                banker=banker,
                player_total=total_of(player) if player else None,
                banker_total=total_of(banker) if banker else None,
                set_aside=cards,
                text="rebuilt-by-tableau",
                by=ruling.by,
                aside_numbers=numbers,
            )
        )
    _end_hold(d, ruling)
    announce_kept(d)
    if d.state.phase is Phase.DEALING and judgement.next is None:
        declare(d)


def settle_aside(d: Draft, ruling: Ruling) -> None:
    """The cards that lie aside outside any coup meet the fate that the remedy names."""
    _settle_aside(d, ruling.remedy)
    _end_hold(d, ruling)


def note_unseen(d: Draft, by: str) -> None:
    """It is on record that players did not see the surplus cards of which that was asked."""
    for number in faces_asked(d.state) if hold_of(d.state).back in UNPAID else ():
        fact = d.state.coup_cards[number - 1]
        d.add(
            ev.CardNoted(
                number=number,
                at=None,
                early=False,
                face_up=fact.face_up,
                stuck=fact.stuck,
                unseen=True,
                by=by,
            )
        )


def void(d: Draft, ruling: Ruling, reason: str | None = None) -> None:
    """The round is cancelled and stakes are returned; the cards that viewers saw do not count.

    ``reason`` is what players are told; None for that of a ruling or of a staff's decision. A coup
    without bets is given up.
    """
    hold = d.state.hold
    if hold is not None:
        _settle_aside(d, Remedy.BURN)
    if d.state.is_free_coup:
        # it ends within this ruling, which is also one on a cut card that was due in it
        miss_cut_card(d)
        hold = hold_of(d.state)
        player, banker = d.state.player, d.state.banker
        d.add(ev.FreeCoupEnded(player=player, banker=banker, outcome=None, by=ruling.by))
        _judge_shoe(d, hold, ruling.by, is_void=True)
        return
    if d.state.closes_at is not None:
        # cards that were carried over stay for the next coup
        d.add(ev.BetsClosed(guard_until=None, by=ruling.by))
    round_id = d.state.round
    if round_id is None:
        raise LookupError("there is no round to void")
    d.add(
        ev.RoundVoided(
            revision=next_revision(d.state, round_id, d.state.revision),
            reason=reason or ("staff" if hold is None else "misdeal"),
            set_aside=d.state.shown_player + d.state.shown_banker,
            text="round-voided",
            supersedes=d.state.result_seq,
            round=round_id,
            detail=ruling.reason,
            by=ruling.by,
            second=ruling.second,
        )
    )
    _resume_after_misdeal(d, ruling.by)
    if hold is not None:
        _judge_shoe(d, hold, ruling.by, is_void=True)


REMEDIES: dict[Remedy, Callable[[Draft, Ruling], None]] = {
    Remedy.RELEASE: go_on,
    Remedy.RECONSTRUCT: go_on,
    **dict.fromkeys((Remedy.BURN, Remedy.NEXT_BURN, Remedy.FREE_COUP, Remedy.CARRY), settle_aside),
    Remedy.VOID: void,
}


def _aside(d: Draft, judgement: Judgement) -> tuple[tuple[int, ...], tuple[Card, ...]]:
    """Numbers and faces of the surplus that players have not been told of.

    Unseen faces stay so, and what was known while bets were open is never on the feed.
    """
    numbers: list[int] = []
    faces: list[Card] = []
    for one in judgement.surplus:
        if one.number in d.state.told_aside:
            continue
        numbers.append(one.number)
        fact = d.state.coup_cards[one.number - 1]
        is_hidden = fact.unseen or (fact.early and not fact.is_shown)
        if one.card is not None and not is_hidden:
            faces.append(one.card)
    return tuple(numbers), tuple(faces)


def _settle_aside(d: Draft, fate: Remedy) -> None:
    meet_fate(d, fate.value, hold_of(d.state).aside)


def _end_hold(d: Draft, ruling: Ruling) -> None:
    hold = hold_of(d.state)
    d.add(
        ev.IrregularityResolved(
            remedy=ruling.remedy.value, reason=ruling.reason, by=ruling.by, second=ruling.second
        )
    )
    _resume_after_misdeal(d, ruling.by)
    _judge_shoe(d, hold, ruling.by)
    complete_burn(d)


def _judge_shoe(d: Draft, hold: Hold, by: str, *, is_void: bool = False) -> None:
    """What the hold that has ended says of the shoe itself: stopped, or near its end."""
    codes = [raised.code for raised in hold.raised]
    stops = [code for code in codes if IRREGULARITIES[code].stops_shoe]
    if is_void and CARD_LOST in codes:
        # it was not provable what it was: neither is what else is missing
        stops.append(CARD_LOST)
    if has_copy_too_many(d.state):
        # also one that was never judged; a misread that was put right is none
        stops.append(DUPLICATE_CARD)
    if stops and d.state.shoe_stopped is None:
        d.add(ev.ShoeStopped(code=stops[0], by=by))
    elif CUT_CARD_MISSED in codes:
        follow_missed(d, by)


def _resume_after_misdeal(d: Draft, by: str) -> None:
    """A suspension that a stray card caused ends with the hold; any other one stays."""
    if d.state.suspended == "misdeal":
        d.add(ev.TableResumed(reason="misdeal", by=by))
