# SPDX-License-Identifier: Apache-2.0
"""The table of transitions and the fold over events, event class by event class."""

from datetime import UTC, datetime, timedelta
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from studio.game import events as ev
from studio.game.cards import Card
from studio.game.coup import Outcome, Position
from studio.game.draft import Draft
from studio.game.events import Event, Source
from studio.game.evolve import _FOLDS, IllegalTransition, evolve
from studio.game.house import Burn, BurnRule
from studio.game.inputs import Stamp
from studio.game.irregularities import Remedy
from studio.game.remedies import Ruling, go_on, settle_aside, void
from studio.game.state import TRANSITIONS, Phase, TableState, record, timer_of
from tests.game.table_driver import BY, WHY, Driven, plain_house

AT = datetime(2026, 11, 29, 12, 0, 0, tzinfo=UTC)
CARD = Card("9H")
RESULT: dict[str, Any] = {
    "outcome": Outcome.PLAYER,
    "player": (Card("9H"), Card("TC")),
    "banker": (Card("KS"), Card("7D")),
    "player_total": 9,
    "banker_total": 7,
    "natural": True,
    "pairs": ev.Pairs(player=False, banker=False),
    "bets": {"player": "1"},
    "amendable_until": AT,
}


def in_tables() -> tuple[Driven, ...]:
    """One table in every phase, brought there by what a table can be told."""
    held = Driven().dealing()
    held.unread()
    dealing = Driven().dealing()
    dealing.card("9H")
    complete = Driven().dealing()
    complete.cards("9H KS TC 7D")
    return (
        Driven(),
        Driven(plain_house(burn=Burn(BurnRule.FIXED, 2))).ready(),
        Driven().ready(),
        Driven().betting(),
        dealing,
        complete,
        Driven().played(),
        held,
    )


IN_PHASES = {table.state.phase: table.state for table in in_tables()}
ROUND = "BAC-1-20261129-0001"
FROM_TABLE: dict[type[Event], Event] = {
    ev.ShoeLoaded: ev.ShoeLoaded(decks=8, shoe="BAC-1-20261129-S09", burn=2, by=BY),
    ev.CardBurned: ev.CardBurned(card=CARD, burn=2),
    ev.BurnCompleted: ev.BurnCompleted(burned=2),
    ev.BetsOpened: ev.BetsOpened(seconds=15, closes_at=AT, round=ROUND, day="20261129", by=BY),
    ev.ShoeEnded: ev.ShoeEnded(rounds=1, burned=0, left=4, seen=9, counted=None, reason="", by=BY),
    ev.BetsClosed: ev.BetsClosed(guard_until=None),
    ev.CardDealt: ev.CardDealt(position=Position.P1, card=CARD, player_total=9, banker_total=None),
    ev.CardKept: ev.CardKept(position=Position.P1, card=CARD),
    ev.GuardEnded: ev.GuardEnded(),
    ev.ResultDeclared: ev.ResultDeclared(outcome=Outcome.TIE, player_total=1, banker_total=1),
    ev.ResultConfirmed: ev.ResultConfirmed(revision=1, **RESULT),
    ev.RoundClosed: ev.RoundClosed(),
    ev.IrregularityRaised: ev.IrregularityRaised(code="frame-lost", detail=""),
    ev.RoundHeld: ev.RoundHeld(reason="misdeal"),
    ev.HoldClaimed: ev.HoldClaimed(by=BY),
    ev.HoldReleased: ev.HoldReleased(by=BY),
    ev.ManagerRung: ev.ManagerRung(),
    ev.CardHeld: ev.CardHeld(card=CARD, number=1),
    ev.BurnOrdered: ev.BurnOrdered(burn=3, reason=WHY, by=BY),
    ev.CardNoted: ev.CardNoted(
        number=1, at=None, early=False, face_up=False, stuck=False, unseen=False, by=BY
    ),
    ev.CardEntered: ev.CardEntered(number=1, card=CARD, missing=False, by=BY, second="s-2"),
    ev.CardCorrected: ev.CardCorrected(number=1, card=CARD, read=CARD, by=BY, second="s-2"),
    ev.CardStruck: ev.CardStruck(
        number=1, card=None, reason=WHY, by=BY, second="s-2", is_aside=False
    ),
    ev.BurnCorrected: ev.BurnCorrected(
        number=1, card=CARD, read=None, burn=None, by=BY, second="s-2"
    ),
    ev.VoidedCardCorrected: ev.VoidedCardCorrected(
        round=ROUND, number=1, card=CARD, read=None, by=BY, second="s-2"
    ),
    ev.CallNoted: ev.CallNoted(outcome=Outcome.TIE, by=BY),
    ev.ShoeFoundEmpty: ev.ShoeFoundEmpty(),
    ev.FreeCoupOpened: ev.FreeCoupOpened(by=BY),
    ev.FreeCoupEnded: ev.FreeCoupEnded(player=(), banker=(), outcome=None, by=BY),
    ev.FreeCoupCancelled: ev.FreeCoupCancelled(due=(), carried=(), by=BY),
    ev.ReportWithdrawn: ev.ReportWithdrawn(code="card-lost", reason=WHY, by=BY),
    ev.HeldCardBurned: ev.HeldCardBurned(cards=(), unread=1),
    ev.RoundReleased: ev.RoundReleased(set_aside=(), text="", by=BY),
    ev.RoundReconstructed: ev.RoundReconstructed(
        player=(), banker=(), player_total=None, banker_total=None, set_aside=(), text="", by=BY
    ),
    ev.IrregularityResolved: ev.IrregularityResolved(remedy="release", reason=WHY, by=BY),
    ev.RoundVoided: ev.RoundVoided(
        revision=1,
        reason="staff",
        set_aside=(),
        text="",
        supersedes=None,
        round=ROUND,
        detail=WHY,
        by=BY,
    ),
}


def folded(state: TableState, event: Event) -> TableState:
    return evolve(state, record(state, event, Stamp(AT, "20261129"), Source.SYSTEM))


def test_every_phase_is_reached() -> None:
    assert set(IN_PHASES) == set(Phase)


def test_every_event_has_its_row_where_it_changes_the_state() -> None:
    assert set(_FOLDS) == set(get_args(Event))


def test_every_event_of_the_table_has_an_example_here() -> None:
    assert set(FROM_TABLE) == set(TRANSITIONS)
    assert set(TRANSITIONS) <= set(get_args(Event))


@pytest.mark.req("RND-3")
@pytest.mark.parametrize("phase", Phase)
@pytest.mark.parametrize("event_class", TRANSITIONS, ids=lambda cls: cls.__name__)
def test_an_event_leads_where_the_table_says_and_nowhere_else(
    event_class: type[Event], phase: Phase
) -> None:
    state = IN_PHASES[phase]
    event = FROM_TABLE[event_class]
    if event_class is ev.RoundVoided and state.round is None:
        # a void of a round that is over: the phase stays
        assert folded(state, event).phase is phase
        return
    if phase not in TRANSITIONS[event_class]:
        with pytest.raises(IllegalTransition, match=rf"{event_class.__name__} in phase"):
            folded(state, event)
        return
    after = folded(state, event)
    expected = TRANSITIONS[event_class][phase]
    assert after.phase is (Phase.DEALING if expected is None else expected)
    assert after.seq == state.seq + 1
    public = event.PUBLIC is not None
    assert after.public_seq == state.public_seq + public


def test_the_table_is_that_of_the_design() -> None:
    """The design's own rows, written a second time."""
    rows = {
        ev.ShoeLoaded: {"no_shoe": "burning"},
        ev.CardBurned: {"burning": "burning"},
        ev.BurnCompleted: {"burning": "idle"},
        ev.BetsClosed: {"bets_open": "dealing"},
        ev.ResultDeclared: {"dealing": "result"},
        ev.ResultConfirmed: {"result": "settling"},
        ev.RoundClosed: {"settling": "idle"},
    }
    for event_class, moves in rows.items():
        told = {
            before.value: None if after is None else after.value
            for before, after in TRANSITIONS[event_class].items()
        }
        assert told == moves


def amended(table: Driven, round_: str) -> TableState:
    """The state after an amendment of that round to a tie."""
    event = ev.ResultAmended(
        revision=2, supersedes=1, reason="review", round=round_, by=BY, second="s-2",
        **{**RESULT, "outcome": Outcome.TIE},
    )  # fmt: skip
    return folded(table.state, event)


def test_an_amendment_of_an_earlier_round_changes_its_result_and_nothing_else() -> None:
    table = Driven().played()
    first = table.state.round or ""
    table.played().dealing()
    after = amended(table, first)
    assert after.phase is table.state.phase
    assert [one.outcome for one in after.results] == [Outcome.TIE, Outcome.PLAYER]
    assert after.revision == table.state.revision
    assert after.results[0].revision == 2


def test_an_amendment_of_the_round_under_way_is_its_next_revision() -> None:
    table = Driven().played()
    after = amended(table, table.state.round or "")
    assert (after.phase, after.revision) == (Phase.SETTLING, 2)
    assert after.results[-1].outcome is Outcome.TIE


def test_an_amendment_beside_a_hold_leaves_the_hold_to_be_ruled_on() -> None:
    table = Driven().played()
    table.card("2C")
    after = amended(table, table.state.round or "")
    assert after.phase is Phase.HELD
    assert after.hold == table.state.hold


def test_a_void_of_an_earlier_round_leaves_the_phase() -> None:
    table = Driven().played()
    first = table.state.round or ""
    table.dealing()
    event = FROM_TABLE[ev.RoundVoided]
    assert isinstance(event, ev.RoundVoided)
    after = folded(table.state, replace(event, round=first, revision=2))
    assert after.phase is Phase.DEALING
    assert [one.outcome for one in after.results] == [None]
    assert after.round == table.state.round


def test_a_revision_of_a_round_of_another_shoe_touches_nothing_here() -> None:
    table = Driven().played()
    first = table.state.round or ""
    table.ask("end_shoe")
    table.ask("load_shoe")
    after = amended(table, first)
    assert after.results == ()


def test_a_reconstruction_replaces_the_cards_shown_and_the_hands_follow_with_the_ruling() -> None:
    table = Driven().dealing()
    table.cards("9H KS")
    table.ask("correct_card", number=1, card=Card("2C"))
    (reconstructed, *_) = table.rule("reconstruct")
    assert isinstance(reconstructed, ev.RoundReconstructed)
    after = table.state
    assert after.player == after.shown_player == (Card("2C"),)
    assert after.banker == after.shown_banker == (Card("KS"),)
    assert (after.cards_shown, after.kept) == (2, ())


def test_manual_mode_is_a_fact_beside_the_phase() -> None:
    for on in (True, False):
        after = folded(IN_PHASES[Phase.DEALING], ev.ManualModeChanged(on=on, by=BY))
        assert (after.phase, after.manual_mode) == (Phase.DEALING, on)


def test_the_one_timer_is_that_of_the_phase() -> None:
    armed = {phase: timer_of(state) for phase, state in IN_PHASES.items()}
    names = {phase: None if timer is None else timer.name for phase, timer in armed.items()}
    assert names == {
        **dict.fromkeys(Phase),
        Phase.BETS_OPEN: "bets",
        Phase.SETTLING: "settle",
        Phase.HELD: "ring",
    }


@pytest.mark.req("RND-2", "DUR-14")
def test_folding_the_record_from_nothing_gives_the_live_state() -> None:
    table = Driven().played()
    table.now -= timedelta(days=1)
    table.dealing().cards("9H KS TC 7D 2C")
    table.rule("reconstruct")
    assert table.replayed() == table.state
    assert table.replayed() is not table.state


def test_a_remedy_without_anything_to_mend_is_a_bug_and_says_so() -> None:
    d = Draft(IN_PHASES[Phase.IDLE], Stamp(AT, "20261129"), Source.MANUAL)
    with pytest.raises(LookupError, match="not held"):
        go_on(d, Ruling(Remedy.RELEASE, WHY, BY))
    with pytest.raises(LookupError, match="not held"):
        settle_aside(d, Ruling(Remedy.BURN, WHY, BY))
    with pytest.raises(LookupError, match="no round"):
        void(d, Ruling(Remedy.VOID, WHY, BY))


def test_a_card_for_a_complete_coup_that_was_never_declared_is_a_bug_and_says_so() -> None:
    table = Driven().dealing()
    table.cards("9H KS TC")
    last = ev.CardDealt(position=Position.B2, card=Card("7D"), player_total=9, banker_total=7)
    table.state = folded(table.state, last)
    with pytest.raises(LookupError, match="complete coup"):
        table.card("2C")
