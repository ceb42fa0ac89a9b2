# SPDX-License-Identifier: Apache-2.0
"""Whether players saw the face of a surplus card: the ruling asks, and the answer decides."""

import pytest
from msgspec.structs import replace

from studio.game import events as ev
from studio.game import inputs as inp
from studio.game.cards import Card
from studio.game.coup import Side
from studio.game.holds import Proposal, binding, proposals_of
from studio.game.house import Burn, BurnRule, House
from studio.game.irregularities import Remedy
from studio.game.judgement import SurplusCard
from studio.game.prompts import prompt_for
from studio.game.snapshot import public_state
from tests.game.misdeal_stories import dealt, go_home, rules
from tests.game.table_driver import BY, Driven, hand, names_of, ruling_for

NATURAL = "9H KS TC 7D"
CARRY = rules("atlantic-city")
FATES = ("burn", "next_burn", "free_coup", "carry")


def told(table: Driven) -> list[tuple[str, bool | None, list[str]]]:
    """Every proposal: its remedy, the answer that it goes with, and the fate of each card."""
    return [
        (
            one.remedy.value,
            one.faces_seen,
            [f"{one_card(card)} {card.remedy}" for card in one.surplus],
        )
        for one in proposals_of(table.state)
    ]


def one_card(surplus: SurplusCard) -> str:
    return "?" if surplus.card is None else surplus.card.value


def with_fate(fate: str, **changes: object) -> House:
    return rules("studio", excess_card=fate, **changes)


def two_answers(table: Driven) -> tuple[Proposal, Proposal]:
    seen, unseen, *_ = proposals_of(table.state)
    assert (seen.faces_seen, unseen.faces_seen) == (True, False)
    return seen, unseen


# a surplus card of a coup


def test_the_ruling_on_a_surplus_card_asks_whether_players_saw_its_face() -> None:
    table = dealt(CARRY, NATURAL + " 2C")
    assert told(table) == [
        ("reconstruct", True, ["2C free_coup"]),
        ("reconstruct", False, ["2C carry"]),
        ("void", None, []),
    ]
    assert prompt_for(table.state).remedies == ("reconstruct", "void")


@pytest.mark.parametrize("fate", ["burn", "next_burn", "free_coup"])
def test_nothing_is_asked_where_the_answer_changes_nothing(fate: str) -> None:
    table = dealt(with_fate(fate), NATURAL + " 2C")
    assert told(table) == [("reconstruct", None, [f"2C {fate}"]), ("void", None, [])]
    ruling = inp.RuleHold(by=BY, **ruling_for(table.state))
    assert table.refused(replace(ruling, faces_seen=False)) == "stale"


def test_a_ruling_without_the_answer_is_refused_with_the_question() -> None:
    table = dealt(CARRY, NATURAL + " 2C")
    ruling = inp.RuleHold(by=BY, **ruling_for(table.state))
    assert table.refused(replace(ruling, faces_seen=None)) == "faces_not_said"
    assert "Did players see the face" in getattr(table.last, "text", "")


def test_an_answer_is_bound_to_its_own_proposal() -> None:
    table = dealt(CARRY, NATURAL + " 2C")
    seen, unseen = two_answers(table)
    ruling = inp.RuleHold(by=BY, **ruling_for(table.state, "reconstruct", faces_seen=False))
    assert ruling.bound_to == unseen.bound_to != seen.bound_to
    assert table.refused(replace(ruling, faces_seen=True)) == "stale"
    assert table.refused(replace(ruling, bound_to=seen.bound_to)) == "stale"


def test_a_card_that_players_saw_is_dealt_without_bets() -> None:
    table = dealt(CARRY, NATURAL + " 2C")
    events = table.rule("reconstruct", faces_seen=True)
    (released,) = [one for one in events if isinstance(one, ev.RoundReleased)]
    assert released.set_aside == hand("2C")
    table.ask("confirm_result")
    assert names_of(table.ask("close_round")) == ["FreeCoupDue", "RoundClosed"]
    go_home(table)


def test_a_card_that_nobody_saw_is_noted_so_and_carried() -> None:
    table = dealt(CARRY, NATURAL + " 2C 3C")
    events = table.rule("reconstruct", faces_seen=False)
    assert names_of(events) == ["CardNoted", "CardNoted", "RoundReleased", "IrregularityResolved"]
    notes = [one for one in events if isinstance(one, ev.CardNoted)]
    assert [(one.number, one.unseen, one.by) for one in notes] == [(5, True, BY), (6, True, BY)]
    (released,) = [one for one in events if isinstance(one, ev.RoundReleased)]
    assert released.set_aside == ()
    table.ask("confirm_result")
    table.ask("close_round")
    assert table.state.carried == hand("2C 3C")
    go_home(table)


def test_what_was_said_of_how_a_card_lay_stays_with_the_answer() -> None:
    table = dealt(CARRY, NATURAL + " 2C")
    table.ask("note_card", number=5, at=Side.BANKER, stuck=True)
    table.rule("reconstruct", faces_seen=False)
    card = table.state.coup_cards[4]
    assert (card.at, card.stuck, card.face_up, card.unseen) == (Side.BANKER, True, False, True)


def test_a_card_that_is_known_to_be_unseen_is_not_asked_about() -> None:
    table = dealt(CARRY, NATURAL + " 2C")
    table.ask("note_card", number=5, unseen=True)
    assert told(table)[0] == ("reconstruct", None, ["2C carry"])
    table.card("3C")
    assert told(table)[0] == ("reconstruct", True, ["2C free_coup", "3C free_coup"])
    assert told(table)[1] == ("reconstruct", False, ["2C carry", "3C carry"])
    assert names_of(table.rule("reconstruct", faces_seen=False)).count("CardNoted") == 1


def test_nothing_is_asked_once_players_saw_one_of_the_surplus_cards() -> None:
    table = dealt(CARRY, NATURAL + " 2C")
    table.rule("reconstruct", faces_seen=True)
    table.card("3C")
    assert told(table)[0] == ("reconstruct", None, ["2C free_coup", "3C free_coup"])
    go_home(table)


def test_a_card_that_lay_face_up_was_seen() -> None:
    table = dealt(rules("macau", excess_card="carry"), NATURAL + " 2C")
    table.ask("note_card", number=5, face_up=True)
    assert told(table)[0] == ("reconstruct", None, ["2C free_coup"])


def test_a_card_that_lay_face_up_and_was_not_read_is_set_aside_without_a_name() -> None:
    table = dealt(rules("studio", face_up_card="burn"), "9C")
    table.unread()
    table.ask("note_card", number=2, face_up=True)
    (said,) = (one for one in table.rule("reconstruct") if hasattr(one, "set_aside"))
    assert (said.set_aside, said.aside_numbers) == ((), (2,))


def test_nothing_is_asked_in_a_coup_without_bets() -> None:
    table = Driven(CARRY).ready()
    table.ask("open_free_coup")
    table.cards(NATURAL + " 2C")
    assert told(table)[0] == ("reconstruct", None, ["2C free_coup"])


def test_a_card_removed_from_the_coup_is_burned_whatever_the_answer() -> None:
    table = dealt(CARRY, NATURAL)
    table.cards("2C 3C")
    table.ask("note_card", number=5, face_up=True)
    for seen, fate in ((True, "free_coup"), (False, "carry")):
        assert ("reconstruct", seen, ["2C burn", f"3C {fate}"]) in told(table)
    table.rule("reconstruct", faces_seen=False)
    assert not table.state.coup_cards[4].unseen


# a card that was public in a hand


def in_a_hand_before(table: Driven) -> None:
    """Card 5 was dealt in public; then a correction makes the coup end before it."""
    table.ask("correct_card", number=1, card=Card("6H"))


def test_a_card_that_was_in_a_public_hand_is_never_carried() -> None:
    table = dealt(CARRY, "2H KS 3C 7D 2C")
    in_a_hand_before(table)
    assert told(table)[0] == ("reconstruct", None, ["2C free_coup"])
    assert table.refused(inp.NoteCard(by=BY, number=5, unseen=True)) == "was_shown"
    table.rule("reconstruct")
    table.ask("confirm_result")
    assert "FreeCoupDue" in names_of(table.ask("close_round"))
    go_home(table)


def test_what_is_said_of_a_card_before_it_was_public_does_not_hide_it() -> None:
    table = dealt(CARRY, "2H KS 3C 7D")
    table.unread()
    table.ask("note_card", number=5, unseen=True)
    table.ask("enter_card", number=5, card=Card("2C"))
    table.rule("reconstruct" if "reconstruct" in prompt_for(table.state).remedies else "release")
    assert table.state.shown_player == hand("2H 3C 2C")
    assert table.refused(inp.NoteCard(by=BY, number=5, unseen=True)) == "was_shown"
    in_a_hand_before(table)
    assert told(table)[0] == ("reconstruct", None, ["2C free_coup"])
    assert table.refused(inp.NoteCard(by=BY, number=5, unseen=True)) == "was_shown"
    table.rule("reconstruct")
    table.ask("confirm_result")
    table.ask("close_round")
    assert table.state.carried == ()
    go_home(table)


def test_a_card_of_rebuilt_hands_was_public() -> None:
    table = dealt(CARRY, "6H KS 3C 7D 4C")
    table.ask("correct_card", number=1, card=Card("2H"))
    table.rule("reconstruct")
    assert table.state.shown_player == hand("2H 3C 4C")
    assert [one.is_shown for one in table.state.coup_cards] == [True] * 5
    in_a_hand_before(table)
    assert told(table)[0] == ("reconstruct", None, ["4C free_coup"])
    assert table.refused(inp.NoteCard(by=BY, number=5, unseen=True)) == "was_shown"


def test_a_card_that_waited_for_the_guard_is_public_when_it_is_over() -> None:
    table = dealt(rules("atlantic-city", close_guard_ms=1500), "2H KS 3C")
    assert not any(one.is_shown for one in table.state.coup_cards)
    table.ask("note_card", number=1, unseen=True)
    table.expire()
    assert all(one.is_shown for one in table.state.coup_cards)
    assert table.refused(inp.NoteCard(by=BY, number=2, unseen=True)) == "was_shown"


# cards that were drawn between two rounds


def stray(rule: House, cards: str, *, is_closed: bool) -> Driven:
    """A round with a result, and cards drawn before, or after, it is closed."""
    table = dealt(rule, NATURAL)
    table.ask("confirm_result")
    if is_closed:
        table.ask("close_round")
    table.cards(cards)
    return table


@pytest.mark.parametrize("is_closed", [False, True])
@pytest.mark.parametrize("fate", FATES)
def test_a_stray_card_meets_the_fate_of_the_house_and_play_goes_on(
    fate: str, is_closed: bool
) -> None:
    table = stray(with_fate(fate), "2C 3C", is_closed=is_closed)
    fates = [[f"{card} {fate}" for card in ("2C", "3C")]]
    if fate == "carry":
        fates.insert(0, ["2C free_coup", "3C free_coup"])
    assert [one[2] for one in told(table)] == fates
    before = public_state(table.state)
    since = len(table.log)
    table.rule(fate)
    public = [type(one.event).__name__ for one in table.log[since:] if one.event.PUBLIC is not None]
    assert public == ["TableResumed"]
    assert public_state(table.state) == replace(before, suspended=None)
    where = {
        "burn": table.state.burned,
        "next_burn": table.state.burn_next,
        "free_coup": table.state.free_coup_cards,
        "carry": table.state.carried,
    }
    assert where[fate] == {"burn": 2, "next_burn": 2}.get(fate, hand("2C 3C"))
    go_home(table)


@pytest.mark.parametrize("is_closed", [False, True])
def test_a_stray_card_that_nobody_saw_begins_the_next_coup(is_closed: bool) -> None:
    table = stray(CARRY, "2C", is_closed=is_closed)
    assert names_of(table.rule("carry"))[0] == "SurplusCarried"
    table.dealing()
    assert table.state.shown_player == hand("2C")
    assert table.state.copies["2C"] == 1
    table.cards("4S 5C 6D")
    go_home(table)


@pytest.mark.parametrize("is_closed", [False, True])
def test_a_stray_card_that_players_saw_waits_for_a_coup_without_bets(is_closed: bool) -> None:
    table = stray(CARRY, "2C", is_closed=is_closed)
    assert names_of(table.rule("free_coup"))[0] == "FreeCoupDue"
    assert "open_bets" not in prompt_for(table.state).commands
    assert table.refused(inp.OpenBets(by=BY)) == "free_coup_due"
    table.ask("open_free_coup")
    assert table.state.player == hand("2C")
    go_home(table)


def test_a_ruling_on_a_stray_card_repeats_the_answer() -> None:
    table = stray(CARRY, "2C", is_closed=True)
    seen, unseen = two_answers(table)
    carry = inp.RuleHold(by=BY, **ruling_for(table.state, "carry"))
    assert (carry.faces_seen, carry.bound_to) == (False, unseen.bound_to)
    assert table.refused(replace(carry, faces_seen=None)) == "faces_not_said"
    assert table.refused(replace(carry, faces_seen=True)) == "stale"
    assert table.refused(replace(carry, remedy="free_coup")) == "stale"
    assert table.refused(replace(carry, remedy="burn")) == "remedy_not_allowed"
    assert table.refused(replace(carry, bound_to=seen.bound_to)) == "stale"
    # nor is an answer taken that the remedy does not go with, whatever it is bound to
    forged = binding(table.state, Remedy.CARRY, faces_seen=True)
    assert table.refused(replace(carry, bound_to=forged, faces_seen=True)) == "stale"


@pytest.mark.parametrize("fate", FATES)
def test_a_stray_card_that_is_not_known_is_burned_with_all_others(fate: str) -> None:
    table = stray(with_fate(fate), "2C", is_closed=True)
    table.unread()
    assert [(one[0], one[1]) for one in told(table)] == [("burn", None)]
    table.rule("burn")
    assert table.state.burned == 2
    go_home(table)


def test_a_stray_card_of_no_deck_of_this_shoe_is_burned() -> None:
    table = stray(rules("atlantic-city", decks=1), "2C 9H", is_closed=True)
    assert [one[0] for one in told(table)] == ["burn"]
    go_home(table)
    foreign = stray(CARRY, "2C", is_closed=True)
    foreign.ask("report_irregularity", code="foreign-card")
    assert [one[0] for one in told(foreign)] == ["burn"]


def test_a_stray_card_in_a_burn_is_burned() -> None:
    table = Driven(rules("atlantic-city", burn=Burn(BurnRule.FIXED, 2))).ready()
    table.ask("report_irregularity", code="burn-count-wrong")
    table.card("2C")
    assert [one[0] for one in told(table)] == ["burn"]
    go_home(table)


def test_a_void_burns_the_stray_cards_of_every_house() -> None:
    table = stray(CARRY, "2C", is_closed=False)
    assert names_of(table.void()) == ["HeldCardBurned", "RoundVoided", "TableResumed"]
    assert table.state.carried == ()
    go_home(table)


def test_cards_are_carried_in_the_order_in_which_they_left_the_shoe() -> None:
    table = dealt(CARRY, NATURAL + " 9C KC TC 7C 2C")
    table.rule("reconstruct", faces_seen=False)
    table.ask("confirm_result")
    table.dealing()
    table.card("3C")
    table.rule("reconstruct", faces_seen=False)
    table.ask("confirm_result")
    for code in ("4C", "5C"):
        table.card(code)
        table.rule("carry")
    assert table.state.carried == hand("2C 4C 5C")
    table.ask("close_round")
    assert table.state.carried == hand("2C 3C 4C 5C")
    table.card("6C")
    table.rule("carry")
    assert table.state.carried == hand("2C 3C 4C 5C 6C")
    go_home(table.dealing())


def test_strays_of_before_a_coup_are_carried_on_before_its_own_surplus() -> None:
    table = Driven(CARRY).ready()
    table.cards("9C KC TC 7C 2C")
    table.rule("carry")
    table.dealing()
    table.card("3C")
    table.rule("reconstruct", faces_seen=False)
    table.ask("confirm_result")
    table.ask("close_round")
    assert table.state.carried == hand("2C 3C")
    go_home(table)


def test_a_coup_without_bets_begins_with_the_surplus_of_the_coup_and_then_what_came_since() -> None:
    table = dealt(with_fate("free_coup"), NATURAL + " 2C")
    table.rule("reconstruct")
    table.ask("confirm_result")
    table.card("3C")
    table.rule("free_coup")
    table.card("4C")
    table.rule("free_coup")
    table.ask("close_round")
    assert table.state.free_coup_cards == hand("2C 3C 4C")
    go_home(table)


def test_a_carried_stray_of_a_round_that_is_voided_stays_for_the_next_one() -> None:
    table = stray(CARRY, "2C", is_closed=False)
    table.rule("carry")
    table.void()
    table.dealing()
    assert table.state.shown_player == hand("2C")
    go_home(table)


def test_a_shoe_that_is_reshuffled_takes_back_what_came_before_the_round_was_closed() -> None:
    table = stray(rules("continuous", excess_card="carry"), "2C", is_closed=False)
    table.rule("carry")
    table.ask("close_round")
    assert (table.state.carried, table.state.cards_out) == ((), 0)
    table.card("3C")
    table.rule("carry")
    table.dealing()
    assert table.state.shown_player == hand("3C")
    go_home(table)
