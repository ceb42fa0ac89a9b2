# SPDX-License-Identifier: Apache-2.0
"""What the table makes of each report of the shoe.

A report is evidence. A card, an unread card and the cut card move the game; all else is noted, or
changes the trust in the stream. A trusted boundary (hardware notes on reconnecting): the shoe
started and stands by outside a round, or the first card of a coup is Player's first by the shoe's
own count. A garbled frame is forgiven by the next report in sequence, because a gap would have
been reported before it; one that made no sense is not, because it had a place in the sequence.
"""

from typing import assert_never

from studio.game import events as ev
from studio.game import inputs as inp
from studio.game.cut_card import counts_cut_card, cut_card
from studio.game.draft import Draft
from studio.game.events import Trust
from studio.game.judging import card_told, is_shoe_comparable, raise_irregularity
from studio.game.state import Phase, ShoeStep

GARBLED = "a frame was garbled"
SENSELESS = "a report made no sense"

_OUTSIDE_A_ROUND = (Phase.NO_SHOE, Phase.BURNING, Phase.IDLE)
_CARDS_OUT = (Phase.DEALING, Phase.RESULT)
_WITH_CARDS = (*_CARDS_OUT, Phase.SETTLING)
_HARMLESS_REJECTS = ("noise",)


def decide_report(d: Draft, reported: inp.Reported) -> None:
    """Decide on one report of the shoe. Nothing a shoe says is ever refused."""
    report, origin = reported.report, reported.origin
    _forgive_garbled(d, report, origin)
    match report:
        case inp.CardDrawn():
            if _is_only_evidence(d):
                d.add(ev.ShoeNoted(report=report, origin=origin))
            else:
                card_told(d, report, origin)
        case inp.CardUnreadable():
            if _is_only_evidence(d):
                d.add(ev.ShoeNoted(report=report, origin=origin))
            else:
                card_told(d, None, origin)
        case inp.CutCardDrawn():
            if counts_cut_card(d):
                cut_card(d, origin)
            else:
                d.add(ev.ShoeNoted(report=report, origin=origin))
        case inp.CardRepeated():
            _repeated(d, report, origin)
        case inp.ShoeStarted():
            d.add(ev.ShoeNoted(report=report, origin=origin))
            if d.state.phase not in _OUTSIDE_A_ROUND:
                _suspect(d, "the shoe restarted in mid-round")
        case inp.ShoeStandby():
            d.add(ev.ShoeNoted(report=report, origin=origin))
            _standby(d)
        case inp.SequenceGap():
            _gap(d, report, origin)
        case inp.FaultReported():
            _fault(d, report, origin)
        case inp.FrameRejected():
            d.add(ev.ShoeNoted(report=report, origin=origin))
            _rejected(d, report)
        case inp.LineUp():
            _line_up(d, report, origin)
        case inp.LineLost():
            d.add(ev.ShoeNoted(report=report, origin=origin))
            if d.state.trust is not Trust.LOST:
                d.add(ev.StreamChanged(trust=Trust.LOST, reason=f"line lost: {report.reason}"))
        case inp.ResultReported():
            d.add(ev.ShoeNoted(report=report, origin=origin))
            _compare_result(d, report, origin)
        case (
            inp.FaultCleared()
            | inp.LockChanged()
            | inp.SettingChanged()
            | inp.UnknownReport()
            | inp.CommandAnswered()
        ):
            d.add(ev.ShoeNoted(report=report, origin=origin))
        case _:
            assert_never(report)


_TOLD_BY_HAND = (Phase.BURNING, *_WITH_CARDS)


def _is_only_evidence(d: Draft) -> bool:
    """Whether a card of the shoe moves nothing: no shoe is loaded, or people tell of the cards.

    In manual mode people tell of every card of a burn and of a coup; the shoe may tell of the same
    card before them or after, and it must not count twice. Between rounds and while bets are open
    none is expected: there its word counts at once.
    """
    state = d.state
    if state.shoe is None or not state.manual_mode:
        return state.shoe is None
    if state.phase is Phase.HELD and state.held_from is not Phase.BURNING:
        return any(card.is_manual for card in state.coup_cards)
    return state.held_from in _TOLD_BY_HAND


def _compare_result(d: Draft, report: inp.ResultReported, origin: inp.Origin) -> None:
    """The shoe's own result of a coup that the table has the result of, or none yet."""
    if d.state.phase not in _WITH_CARDS or not d.state.coup or report.outcome is None:
        return
    if report.outcome is d.state.outcome or not is_shoe_comparable(d):
        return
    own = "no result yet" if d.state.outcome is None else d.state.outcome.value
    text = f"the shoe sees {report.outcome.value}, the table {own}"
    number = d.state.cards_drawn
    raise_irregularity(d, "shoe-mismatch", text, number=number, origin=origin)


def _suspect(d: Draft, reason: str) -> None:
    if d.state.trust is not Trust.LOST:
        d.add(ev.StreamChanged(trust=Trust.SUSPECT, reason=reason))


def _rejected(d: Draft, report: inp.FrameRejected) -> None:
    if d.state.trust is not Trust.TRUSTED and d.state.trust_reason != GARBLED:
        return
    if report.reason == "bad_field":
        _suspect(d, SENSELESS)
    elif report.reason not in _HARMLESS_REJECTS and d.state.trust is Trust.TRUSTED:
        _suspect(d, GARBLED)


def _forgive_garbled(d: Draft, report: inp.Report, origin: inp.Origin) -> None:
    is_in_doubt = d.state.trust_reason == GARBLED and d.state.trust is Trust.SUSPECT
    if (
        is_in_doubt
        and origin.seq is not None
        and not isinstance(report, inp.SequenceGap | inp.FrameRejected)
    ):
        d.add(ev.StreamChanged(trust=Trust.TRUSTED, reason="the next report was in sequence"))


def _standby(d: Draft) -> None:
    can_trust = d.state.trust is Trust.SUSPECT and d.state.is_shoe_started
    if can_trust and d.state.phase in _OUTSIDE_A_ROUND:
        why = "the shoe started and stands by"
        d.add(ev.StreamChanged(trust=Trust.TRUSTED, reason=why, in_step=True))
        return
    is_off = d.state.trust is Trust.TRUSTED and d.state.shoe_step is not ShoeStep.IN
    if is_off and d.state.phase in (*_OUTSIDE_A_ROUND, Phase.BETS_OPEN, Phase.SETTLING):
        why = "the shoe stands by between two coups"
        d.add(ev.StreamChanged(trust=Trust.TRUSTED, reason=why, in_step=True))


def _line_up(d: Draft, report: inp.LineUp, origin: inp.Origin) -> None:
    d.add(ev.ShoeNoted(report=report, origin=origin))
    if d.state.phase is Phase.NO_SHOE:
        d.add(ev.StreamChanged(trust=Trust.TRUSTED, reason="line up, no shoe loaded"))
    else:
        d.add(ev.StreamChanged(trust=Trust.SUSPECT, reason="the line was opened again"))


def _gap(d: Draft, report: inp.SequenceGap, origin: inp.Origin) -> None:
    is_another = d.state.is_reader_new
    d.add(ev.ShoeNoted(report=report, origin=origin))
    if is_another:
        # it has a sequence of its own; what it may not have told, a person is asked for
        return
    text = f"sequence {report.got} came where {report.expected} was due"
    _suspect(d, text)
    if d.state.held_from in _CARDS_OUT:
        raise_irregularity(d, "frame-lost", text, origin=origin)


def _repeated(d: Draft, report: inp.CardRepeated, origin: inp.Origin) -> None:
    d.add(ev.ShoeNoted(report=report, origin=origin))
    if d.state.manual_mode:
        return
    if d.state.phase is Phase.NO_SHOE or report.card is d.state.last_card:
        return
    last = "none" if d.state.last_card is None else d.state.last_card.value
    got = "an unread card" if report.card is None else report.card.value
    text = f"the shoe repeated {got}, the last card read is {last}"
    if d.state.held_from not in _CARDS_OUT:
        _suspect(d, text)
    else:
        raise_irregularity(d, "repeat-mismatch", text, card=report.card, origin=origin)


def _fault(d: Draft, report: inp.FaultReported, origin: inp.Origin) -> None:
    d.add(ev.ShoeNoted(report=report, origin=origin))
    if d.state.held_from in _CARDS_OUT:
        text = f"the shoe reports {report.kind.value} (code {report.code})"
        raise_irregularity(d, "shoe-failure", text, origin=origin)
