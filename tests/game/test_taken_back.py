# SPDX-License-Identifier: Apache-2.0
"""What was said or opened by mistake is taken back, and the record keeps both."""

import pytest
from msgspec.structs import replace

from studio.game import events as ev
from studio.game import inputs as inp
from studio.game.cards import Card
from studio.game.coup import Outcome
from studio.game.evolve import evolve
from studio.game.holds import judgement_of, withdrawable
from studio.game.house import LastCoup
from studio.game.irregularities import REPORTABLE, WRONG_PAID
from studio.game.prompts import prompt_for
from studio.game.snapshot import public_phase, staff_state
from studio.game.state import Phase, TableState
from tests.game.houses import NAMES
from tests.game.misdeal_stories import audited, codes_of, dealt, go_home, rules
from tests.game.table_driver import BY, SECOND, WHY, Driven, hand, names_of

NATURAL = "9H KS TC 7D"
FREE = {"excess_card": "free_coup"}


def withdraw(code: str, reason: str = WHY, second: str | None = None) -> inp.WithdrawReport:
    return inp.WithdrawReport(by=BY, code=code, reason=reason, second=second)


def waiting(house: str = "studio", *, unseen: bool = False, **changes: object) -> Driven:
    """Between two rounds, with two surplus cards of the last one."""
    table = dealt(rules(house, **changes), f"{NATURAL} 2C 3C")
    for number in (5, 6):
        table.ask("note_card", number=number, unseen=unseen)
    table.rule("reconstruct")
    table.ask("confirm_result")
    table.ask("close_round")
    return table


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("code", [code for code in REPORTABLE if code != WRONG_PAID])
def test_a_report_by_mistake_is_taken_back_and_play_goes_on(code: str, name: str) -> None:
    table = dealt(rules(name), "2H KS")
    before = table.state
    table.ask("report_irregularity", code=code)
    assert withdrawable(table.state) == (code,)
    assert "withdraw_report" in prompt_for(table.state).commands
    assert table.ask("withdraw_report", code=code) == [
        ev.ReportWithdrawn(code=code, reason=WHY, by=BY, second=SECOND)
    ]
    assert codes_of(table) == []
    assert prompt_for(table.state).code == "report-withdrawn"
    assert prompt_for(table.state).remedies == ("release", "void")
    table.rule("release")
    assert (table.state.phase, table.state.player) == (Phase.DEALING, before.player)
    assert table.names().count("IrregularityRaised") == table.names().count("ReportWithdrawn") == 1
    go_home(table)
    audited(table)


@pytest.mark.parametrize("name", NAMES)
def test_a_shoe_said_to_be_empty_by_mistake_leaves_no_void(name: str) -> None:
    table = dealt(rules(name), "2H KS")
    table.ask("note_shoe_empty")
    assert prompt_for(table.state).remedies == ("void",)
    table.card("7D")
    table.ask("withdraw_report")
    assert table.state.found == ()
    assert prompt_for(table.state).remedies == ("release", "void")
    table.rule("release")
    assert table.state.player == hand("2H 7D")
    go_home(table)


def test_what_the_table_counted_itself_nobody_takes_back() -> None:
    table = Driven(rules("spain", decks=1, cut_card_from_end=6)).ready()
    table.ask("note_cut_card")
    table.ask("burn_cards", count=50)
    for card in [*Card][:50]:
        table.card(card.value)
    table.dealing()
    table.cards(" ".join(card.value for card in [*Card][50:]))
    assert codes_of(table) == ["insufficient-cards"]
    assert withdrawable(table.state) == ()
    assert "withdraw_report" not in prompt_for(table.state).commands
    assert table.refused(withdraw("insufficient-cards")) == "not_withdrawable"
    table.ask("note_shoe_empty")
    assert table.refused(withdraw("insufficient-cards")) == "not_withdrawable"


@pytest.mark.parametrize("code", ["misscan-none", "frame-lost", "none", "card-lost"])
def test_nothing_but_what_people_said_here_is_taken_back(code: str) -> None:
    table = dealt(rules("studio"), "2H")
    table.unread()
    table.report(inp.SequenceGap("3", "5"))
    assert codes_of(table) == ["misscan-none", "frame-lost"]
    assert table.refused(withdraw(code)) == "not_withdrawable"
    assert table.refused(withdraw("insufficient-cards")) == "not_withdrawable"


def test_a_cut_card_missed_as_the_table_counted_is_not_taken_back_and_as_said_it_is() -> None:
    table = Driven(rules("spain", decks=1, cut_card_from_end=48, last_coup=LastCoup.CURRENT))
    table.ready().dealing()
    table.cards("2H KS 2C 7D")
    table.card("8D")
    table.ask("confirm_result")
    table.ask("close_round")
    assert codes_of(table) == ["cut-card-missed"]
    assert withdrawable(table.state) == ()
    assert table.refused(withdraw("cut-card-missed")) == "not_withdrawable"
    table.ask("report_irregularity", code="cut-card-missed")
    table.ask("withdraw_report", code="cut-card-missed")
    assert codes_of(table) == ["cut-card-missed"]
    go_home(table)


def test_of_two_mistakes_the_other_one_still_holds() -> None:
    table = dealt(rules("studio"), "2H KS")
    for code in ("foreign-card", "card-lost", "foreign-card"):
        table.ask("report_irregularity", code=code)
    table.ask("withdraw_report", code="foreign-card")
    assert codes_of(table) == ["foreign-card", "card-lost"]
    assert prompt_for(table.state).remedies == ("void",)
    table.ask("withdraw_report", code="foreign-card")
    assert codes_of(table) == ["card-lost"]
    assert prompt_for(table.state).remedies == ("release", "void")
    go_home(table)


def test_what_the_machine_found_beside_a_mistake_still_counts() -> None:
    table = dealt(rules("studio"), f"{NATURAL} 2C")
    table.ask("report_irregularity", code="unshuffled-shoe")
    table.ask("withdraw_report")
    assert codes_of(table) == ["excess-after-natural"]
    assert prompt_for(table.state).remedies == ("reconstruct", "void")
    go_home(table)


@pytest.mark.parametrize(
    "cards, called, code",
    [
        (NATURAL, Outcome.BANKER, "wrong-result-announced"),
        ("2H KS", Outcome.TIE, "initial-short"),
        ("2H KS 2C 7D", Outcome.TIE, "p3-missed"),
        ("6H 2S KC 3D", Outcome.TIE, "b3-missed"),
    ],
)
def test_a_winner_called_by_mistake_is_taken_back(cards: str, called: Outcome, code: str) -> None:
    table = dealt(rules("venezia"), cards)
    table.ask("call_result", outcome=called)
    assert codes_of(table) == [code]
    (gone,) = table.ask("withdraw_report")
    assert gone == ev.ReportWithdrawn(code=code, reason=WHY, by=BY, second=SECOND, call=1)
    assert judgement_of(table.state).irregularities == ()
    assert (table.state.found, codes_of(table)) == ((), [])
    table.rule("release")
    go_home(table)


def test_of_several_calls_the_last_one_that_shows_it_is_meant() -> None:
    table = dealt(rules("venezia"), NATURAL)
    for outcome in (Outcome.TIE, Outcome.BANKER, Outcome.PLAYER):
        table.ask("call_result", outcome=outcome)
    (gone,) = table.ask("withdraw_report")
    assert isinstance(gone, ev.ReportWithdrawn)
    assert gone.call == 2
    assert codes_of(table) == ["wrong-result-announced"]
    assert [one.outcome for one in table.state.coup[4:]] == [Outcome.TIE, Outcome.PLAYER]
    go_home(table)


def test_an_approval_given_before_is_stale_afterwards() -> None:
    table = dealt(rules("studio"), "2H KS")
    table.ask("report_irregularity", code="foreign-card")
    old = staff_state(table.state).proposals[0]
    table.ask("withdraw_report")
    ruling = inp.RuleHold(by=BY, remedy="void", reason=WHY, bound_to=old.bound_to, second=SECOND)
    assert table.refused(ruling) == "stale"
    go_home(table)


def test_a_report_between_two_rounds_is_taken_back_too() -> None:
    table = Driven(rules("studio")).ready()
    table.ask("report_irregularity", code="burn-count-wrong")
    table.ask("withdraw_report")
    assert staff_state(table.state).withdrawable == ()
    table.rule("release")
    assert (table.state.phase, table.state.suspended) == (Phase.IDLE, None)
    go_home(table)


def test_taking_back_needs_its_reason_and_who_the_house_asks_for() -> None:
    table = dealt(rules("studio", second_person=("withdraw_report",)), "2H KS")
    table.ask("report_irregularity", code="card-lost")
    assert table.refused(withdraw("card-lost", " ", SECOND)) == "reason_missing"
    assert table.refused(withdraw("card-lost")) == "second_missing"
    assert table.refused(withdraw("card-lost", second=BY)) == "same_person"
    table.give(withdraw("card-lost", second=SECOND))
    assert codes_of(table) == []
    go_home(table)


def test_a_shoe_said_to_be_empty_after_the_result_is_taken_back_without_a_hold() -> None:
    table = dealt(rules("studio"), NATURAL)
    table.ask("note_shoe_empty")
    assert table.state.hold is None
    table.ask("withdraw_report")
    assert len(table.state.coup) == len(table.state.coup_cards)
    assert table.refused(withdraw("insufficient-cards")) == "not_withdrawable"


# --- a coup without bets


def test_a_free_coup_opened_by_mistake_is_called_off_and_its_cards_wait_in_order() -> None:
    table = waiting(**FREE)
    before = table.state
    table.ask("open_free_coup")
    assert prompt_for(table.state).commands == ("cancel_free_coup",)
    assert table.ask("cancel_free_coup") == [
        ev.FreeCoupCancelled(due=hand("2C 3C"), carried=(), by=BY)
    ]
    assert table.state.free_coup_cards == before.free_coup_cards == hand("2C 3C")
    assert (table.state.phase, table.state.carried) == (Phase.IDLE, ())
    assert table.state.cards_out == before.cards_out
    assert public_phase(table.state) == "idle"
    assert prompt_for(table.state).code == "open-free-coup"
    table.ask("open_free_coup")
    assert table.state.player + table.state.banker == hand("2C 3C")
    go_home(table)
    audited(table)


def test_cards_that_nobody_saw_and_that_were_laid_out_wait_for_a_coup_without_bets() -> None:
    table = waiting("atlantic-city", unseen=True)
    assert table.state.carried == hand("2C 3C")
    table.ask("open_free_coup")
    table.ask("cancel_free_coup")
    assert (table.state.free_coup_cards, table.state.carried) == (hand("2C 3C"), ())
    assert table.refused(inp.OpenBets(by=BY)) == "free_coup_due"
    go_home(table)


def test_of_a_record_that_does_not_tell_them_apart_all_wait_for_a_free_coup() -> None:
    table = waiting("atlantic-city", unseen=True)
    table.ask("open_free_coup")
    table.state = TableState()
    for one in table.log:
        event = one.event
        if isinstance(event, ev.FreeCoupOpened):
            event = replace(event, due=None)
        table.state = evolve(table.state, replace(one, event=event))
    table.ask("cancel_free_coup")
    assert (table.state.free_coup_cards, table.state.carried) == (hand("2C 3C"), ())


def test_cards_that_make_a_whole_coup_wait_too() -> None:
    table = dealt(rules("studio", **FREE), f"{NATURAL} 9C KC TC 7C 2C")
    table.rule("reconstruct")
    table.ask("confirm_result")
    table.ask("close_round")
    table.ask("open_free_coup")
    assert prompt_for(table.state).commands == ("confirm_result", "cancel_free_coup")
    table.ask("cancel_free_coup")
    assert table.state.free_coup_cards == hand("9C KC TC 7C 2C")
    go_home(table)


def test_once_a_card_left_the_shoe_a_free_coup_is_played() -> None:
    table = waiting(**FREE)
    assert table.refused(inp.CancelFreeCoup(by=BY)) == "not_now"
    table.ask("open_free_coup")
    table.card("9S")
    assert table.refused(inp.CancelFreeCoup(by=BY)) == "coup_begun"
    assert prompt_for(table.state).commands == ()
    go_home(table)


def test_a_free_coup_that_is_held_is_ruled_on_first() -> None:
    table = waiting(**FREE)
    table.ask("open_free_coup")
    table.ask("report_irregularity", code="card-lost")
    assert table.refused(inp.CancelFreeCoup(by=BY)) == "coup_begun"
    table.ask("withdraw_report")
    table.rule("release")
    assert names_of(table.ask("cancel_free_coup")) == ["FreeCoupCancelled"]
    table.ask("open_free_coup")
    table.ask("note_card", number=1, face_up=True)
    table.rule("reconstruct")
    assert table.refused(inp.CancelFreeCoup(by=BY)) == "coup_begun"
    go_home(table)


def test_new_rules_are_in_force_after_a_free_coup_that_was_called_off() -> None:
    table = waiting(**FREE)
    table.ask("open_free_coup")
    table.restart(rules("studio", commission="0.04"))
    table.report(inp.LineUp("pty", 2))
    table.ask("cancel_free_coup")
    assert table.state.house is not None
    assert table.state.house.commission == "0.04"
    assert not table.state.is_announced
