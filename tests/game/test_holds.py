# SPDX-License-Identifier: Apache-2.0
"""What a hold comes to: how it is judged, what is proposed, what a ruling is bound to."""

import pytest
from msgspec.structs import replace

from studio.game import inputs as inp
from studio.game.cards import Card
from studio.game.coup import Outcome, Position, Side
from studio.game.holds import (
    binding,
    evidence_of,
    faces_asked,
    judgement_of,
    lies_aside,
    moves_of,
    not_yet_raised,
    proposals_of,
    remedies_for,
    rulings_for,
    was_shown,
    withdrawable,
    without,
)
from studio.game.irregularities import Remedy
from studio.game.judgement import CoupCard, Found, SurplusCard, Verdict
from studio.game.state import Raised, TableState
from tests.game.misdeal_stories import NATURAL, dealt, noted, rules, told
from tests.game.table_driver import Driven, hand

FAULT = inp.FaultReported(inp.FaultKind.OTHER, 1, latched=True)


def test_a_coup_is_judged_once_and_anew_when_anything_about_it_differs() -> None:
    state = dealt(rules("studio", decks=1, cut_card_from_end=12), "2H KS").state
    first = judgement_of(state)
    assert judgement_of(state) is first
    seen_before = replace(state, copies_before={"2H": 1})
    assert judgement_of(seen_before).verdict is Verdict.VOID
    assert judgement_of(state).verdict is Verdict.INCOMPLETE
    two = noted(rules("venezia"), "2H KS", face_up=True).state
    assert len(judgement_of(two).surplus) == 1
    other_house = replace(two, house=rules("macau"))
    assert judgement_of(other_house).surplus == ()


def test_what_may_be_ruled_and_its_digest_are_worked_out_once_and_anew_for_another_hold() -> None:
    table = dealt(rules("studio"))
    table.ask("report_irregularity", code="card-on-floor")
    state = table.state
    choices = rulings_for(state)
    digest = binding(state, Remedy.RELEASE)
    assert rulings_for(state) is choices
    assert binding(state, Remedy.RELEASE) is digest
    assert binding(state, Remedy.VOID) != digest
    assert binding(state, Remedy.RELEASE, faces_seen=True) != digest
    table.ask("report_irregularity", code="foreign-card")
    assert rulings_for(table.state) != choices
    assert binding(table.state, Remedy.RELEASE) != digest
    assert (rulings_for(state), binding(state, Remedy.RELEASE)) == (choices, digest)


def test_a_coup_is_judged_by_the_decks_that_are_in_the_shoe() -> None:
    table = Driven(rules("studio")).ready()
    table.restart(rules("studio", decks=1, cut_card_from_end=12))
    table.report(inp.LineUp("pty", 2))
    table.dealing().cards("2H 2H")
    assert judgement_of(table.state).verdict is Verdict.INCOMPLETE


def test_without_house_or_hold_nothing_is_judged_or_ruled() -> None:
    with pytest.raises(LookupError, match="not told its house"):
        judgement_of(TableState())
    with pytest.raises(LookupError, match="not held"):
        remedies_for(dealt(rules("studio")).state)
    assert proposals_of(dealt(rules("studio")).state) == ()


def test_one_thing_beyond_mending_leaves_only_a_void() -> None:
    table = dealt(rules("studio"))
    table.ask("report_irregularity", code="card-lost")
    table.ask("report_irregularity", code="foreign-card")
    assert remedies_for(table.state) == (Remedy.VOID,)


def test_a_void_and_a_ruling_outside_a_coup_lead_to_no_hands() -> None:
    held = told(rules("studio"), FAULT)
    _, void = proposals_of(held.state)
    between = Driven(rules("studio")).played()
    between.ask("report_irregularity", code="card-lost")
    (release,) = proposals_of(between.state)
    aside = Driven(rules("studio")).played()
    aside.card("2C")
    (burn,) = proposals_of(aside.state)
    for one, remedy in ((void, "void"), (release, "release"), (burn, "burn")):
        assert one.remedy.value == remedy
        assert (one.player, one.banker, one.next, one.outcome) == ((), (), None, None)
        assert (one.player_total, one.banker_total) == (None, None)
    assert burn.surplus == (SurplusCard(0, Card("2C"), "burn"),)


def test_what_was_raised_is_not_raised_again_in_whatever_order_it_was() -> None:
    short, empty = Found("initial-short", 2), Found("insufficient-cards", 2)
    state = dealt(rules("studio")).state
    found = replace(judgement_of(state), irregularities=(short, empty))
    for raised, left in (((), [short, empty]), ((short,), [empty]), ((empty,), [short]),
                         ((Found("shoe-mismatch", 1),), [short, empty])):  # fmt: skip
        assert not_yet_raised(replace(state, found=raised), found) == left
    assert without((short, empty, short), (short,)) == [empty, short]


def two_surplus(*unseen: int) -> TableState:
    """A natural and two cards more; the faces of those of these numbers were unseen."""
    state = dealt(rules("studio", excess_card="carry"), f"{NATURAL} 2C 3C").state
    cards = enumerate(state.coup_cards, 1)
    return replace(state, coup=tuple(replace(one, unseen=at in unseen) for at, one in cards))


def shown(state: TableState, number: int) -> TableState:
    """The same, when this card was public in a hand."""
    coup = list(state.coup)
    fact = coup[number - 1]
    assert isinstance(fact, CoupCard)
    coup[number - 1] = replace(fact, is_shown=True)
    return replace(state, coup=tuple(coup))


def test_of_which_surplus_cards_it_is_asked_whether_players_saw_them() -> None:
    both = two_surplus()
    assert faces_asked(both) == (5, 6)
    assert faces_asked(two_surplus(5)) == (6,)
    assert faces_asked(two_surplus(6)) == (5,)
    assert faces_asked(shown(two_surplus(5), 5)) == ()
    assert faces_asked(replace(both, told_aside=(5,))) == ()
    assert faces_asked(replace(both, house=rules("studio", excess_card="burn"))) == ()


def test_a_card_set_aside_was_shown_unless_its_face_was_unseen() -> None:
    aside = replace(two_surplus(5), told_aside=(5, 6))
    assert [was_shown(aside, number) for number in (4, 5, 6)] == [True, False, True]
    assert not was_shown(two_surplus(5), 6)


def test_a_call_that_is_not_on_record_is_not_taken_back() -> None:
    state = told(rules("studio"), FAULT).state
    assert state.hold is not None
    said = Raised("initial-short", "", None, 1, by="s-0001")
    assert withdrawable(replace(state, hold=replace(state.hold, raised=(said,)))) == ()


def test_only_cards_outside_a_coup_lie_aside() -> None:
    in_coup = told(rules("studio"), FAULT).state
    between = Driven(rules("studio")).played()
    between.ask("report_irregularity", code="card-lost")
    assert not lies_aside(between.state)
    between.card("2C")
    assert lies_aside(between.state)
    assert in_coup.hold is not None
    assert not lies_aside(replace(in_coup, hold=replace(in_coup.hold, aside=hand("2C"))))


def test_of_a_shoe_that_is_not_what_it_should_be_no_card_comes_into_play_again() -> None:
    table = Driven(rules("studio", excess_card="carry")).played()
    table.card("2C")
    assert rulings_for(table.state) == ((Remedy.FREE_COUP, True), (Remedy.CARRY, False))
    assert rulings_for(replace(table.state, shoe_stopped="foreign-card")) == ((Remedy.BURN, None),)
    table.ask("report_irregularity", code="foreign-card")
    assert rulings_for(table.state) == ((Remedy.BURN, None),)


@pytest.mark.parametrize(
    "codes, player, banker",
    [("", None, None), ("2H", 2, None), ("2H 7S", 2, 7), ("9H KS TC 7D", 9, 7)],
)
def test_a_proposal_tells_the_totals_of_hands_with_cards(
    codes: str, player: int | None, banker: int | None
) -> None:
    first = proposals_of(told(rules("studio"), FAULT, codes).state)[0]
    assert (first.player_total, first.banker_total) == (player, banker)
    assert first.outcome is (Outcome.PLAYER if codes == NATURAL else None)
    assert first.next is {"": Position.P1, "2H": Position.B1, "2H 7S": Position.P2}.get(codes)


@pytest.mark.parametrize("at", [None, *Side])
def test_a_card_is_moved_when_it_lies_in_another_box_than_its_own(at: Side | None) -> None:
    state = noted(rules("venezia"), "2H KS", at=at).state
    moves = moves_of(state.coup_cards, judgement_of(state))
    assert [one.number for one in moves] == ([2] if at is Side.PLAYER else [])


def test_a_ruling_is_bound_to_round_cards_irregularities_and_what_lies_aside() -> None:
    table = Driven(rules("studio")).played()
    table.card("2C")
    state = table.state
    assert state.hold is not None
    bound = {
        binding(one, Remedy.BURN)
        for one in (
            state,
            replace(state, round="BAC-1-20261129-0099"),
            replace(state, coup=()),
            replace(state, hold=replace(state.hold, aside=hand("2C 3C"))),
            replace(state, hold=replace(state.hold, raised=())),
            replace(state, hold=replace(state.hold, seq=state.hold.seq + 1)),
        )
    }
    assert len(bound | {binding(state, Remedy.RELEASE)}) == 7
    assert binding(state, Remedy.BURN) == binding(state, Remedy.BURN)


def test_the_evidence_is_every_card_with_its_number_and_report() -> None:
    state = dealt(rules("studio"), "2H KS").state
    reads = evidence_of(state)
    assert [(one.number, one.fact.card) for one in reads] == [(1, Card("2H")), (2, Card("KS"))]
    assert all(one.origin is not None for one in reads)
    with pytest.raises(ValueError, match="shorter"):
        evidence_of(replace(state, origins=()))
