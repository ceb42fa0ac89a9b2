# SPDX-License-Identifier: Apache-2.0
"""What a person may rule on a hold, one function each: they write the events that mend it."""

from collections.abc import Callable

from studio.game import events as ev
from studio.game.draft import Draft
from studio.game.irregularities import Remedy
from studio.game.judging import announce_kept, close_bets, complete_burn
from studio.game.state import UNPAID, Hold, Phase


def release(d: Draft, reason: str, by: str) -> None:
    """Nothing changes: the cards lie as they must, the round goes on where it was held."""
    _end_hold(d, Remedy.RELEASE, "nothing-changed", reason, by)


def burn(d: Draft, reason: str, by: str) -> None:
    """The cards that lie aside are burned; the round goes on where it was held."""
    _burn_aside(d)
    _end_hold(d, Remedy.BURN, "surplus-burned", reason, by)


def void(d: Draft, reason: str, by: str) -> None:
    """The round is cancelled and stakes are returned; the cards that viewers saw do not count."""
    was_held = d.state.phase is Phase.HELD
    if was_held:
        _burn_aside(d)
    if d.state.phase is Phase.BETS_OPEN and d.state.closes_at is not None:
        close_bets(d, by)
    round_id = d.state.round
    if round_id is None:
        raise LookupError("there is no round to void")
    d.add(
        ev.RoundVoided(
            revision=d.state.revision + 1,
            reason="misdeal" if was_held else "staff",
            set_aside=d.state.shown_player + d.state.shown_banker,
            text="round-voided",
            supersedes=d.state.result_seq,
            round=round_id,
            detail=reason,
            by=by,
        )
    )
    _resume_after_misdeal(d, by)


REMEDIES: dict[Remedy, Callable[[Draft, str, str], None]] = {
    Remedy.RELEASE: release,
    Remedy.BURN: burn,
    Remedy.VOID: void,
}


def _hold(d: Draft) -> Hold:
    if d.state.hold is None:
        raise LookupError("the table is not held")
    return d.state.hold


def _burn_aside(d: Draft) -> None:
    aside = _hold(d).aside
    if aside:
        cards = tuple(card for card in aside if card is not None)
        d.add(ev.HeldCardBurned(cards=cards, unread=len(aside) - len(cards)))


def _end_hold(d: Draft, remedy: Remedy, text: str, reason: str, by: str) -> None:
    if _hold(d).back in UNPAID:
        d.add(ev.RoundReleased(set_aside=(), text=text, by=by))
    d.add(ev.IrregularityResolved(remedy=remedy.value, reason=reason, by=by))
    _resume_after_misdeal(d, by)
    complete_burn(d)
    if d.state.guard_until is None:
        announce_kept(d)


def _resume_after_misdeal(d: Draft, by: str) -> None:
    """A suspension that a stray card caused ends with the hold; any other one stays."""
    if d.state.suspended == "misdeal":
        d.add(ev.TableResumed(reason="misdeal", by=by))
