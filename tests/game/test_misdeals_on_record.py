# SPDX-License-Identifier: Apache-2.0
"""What goes on record of an irregularity: which card, who told of it, and what players are told."""

from itertools import pairwise

import pytest

from studio.game import events as ev
from studio.game import inputs as inp
from studio.game.cards import Card
from studio.game.coup import Outcome
from studio.game.house import LastCoup, ResultEntry
from studio.game.inputs import CardDrawn, DeviceMode, Target
from tests.game.misdeal_stories import (
    NATURAL,
    STORIES,
    audited,
    called,
    codes_of,
    dealt,
    go_home,
    noted,
    rules,
    taken_back,
    told,
)
from tests.game.table_driver import BY, Driven, hand, names_of

OF_THE_DEVICE = {
    "card-out-of-game", "frame-lost", "misscan-none", "repeat-mismatch", "shoe-failure",
    "shoe-mismatch",
}  # fmt: skip


def raised_in(table: Driven) -> list[ev.IrregularityRaised]:
    """All that was ever raised, in order."""
    return [one.event for one in table.log if isinstance(one.event, ev.IrregularityRaised)]


def one_deck() -> Driven:
    """A table with a shoe of one deck."""
    return Driven(rules("studio", decks=1, cut_card_from_end=12))


@pytest.mark.parametrize("code", STORIES)
def test_players_are_told_a_misdeal_or_a_failure_of_the_device(code: str) -> None:
    log = [one.event for one in STORIES[code][0](rules("studio")).log]
    held = [
        (before.code, after.reason)
        for before, after in pairwise(log)
        if isinstance(before, ev.IrregularityRaised) and isinstance(after, ev.RoundHeld)
    ]
    if code in OF_THE_DEVICE:
        assert (code, "device") in held
    assert all((reason == "device") == (what in OF_THE_DEVICE) for what, reason in held)
    assert all((reason == "system") == (what == "record-restored") for what, reason in held)
    assert {reason for _, reason in held} <= {"device", "misdeal", "system"}


def test_what_the_shoe_showed_is_raised_with_card_number_and_report() -> None:
    table = dealt(rules("studio"), NATURAL)
    held, raised, _ = table.card("2C")
    assert isinstance(held, ev.CardHeld)
    assert isinstance(raised, ev.IrregularityRaised)
    assert (raised.card, raised.number, raised.by) == (Card("2C"), 5, None)
    assert raised.origin is not None
    assert raised.origin == held.origin


@pytest.mark.parametrize("number", [1, 2])
def test_what_a_person_showed_is_raised_with_card_number_and_person(number: int) -> None:
    table = dealt(rules("studio"), "2H KS TC")
    table.ask("note_card", number=number, face_up=True)
    (raised,) = raised_in(table)
    assert (raised.card, raised.number) == (hand("2H KS TC")[number - 1], number)
    assert (raised.by, raised.origin) == (BY, None)


def test_what_shows_before_any_card_is_of_no_card() -> None:
    (raised,) = raised_in(called(rules("studio"), "", Outcome.TIE))
    assert (raised.code, raised.card, raised.number) == ("initial-short", None, 0)


def test_what_a_person_reports_or_takes_back_is_raised_with_the_person() -> None:
    table = dealt(rules("studio"))
    table.ask("report_irregularity", code="card-lost")
    table.rule("release")
    assert raised_in(table)[-1].by == BY
    otherwise = taken_back(rules("studio", face_up_card="burn"), is_taken_back=True)
    assert codes_of(otherwise) == ["said-otherwise"]
    assert raised_in(otherwise)[-1].by == BY


def test_two_cards_between_rounds_are_one_irregularity_and_lie_aside_both() -> None:
    table = Driven(rules("studio")).ready()
    raised, _, held = table.card("2C")
    assert isinstance(raised, ev.IrregularityRaised)
    assert isinstance(held, ev.CardHeld)
    assert raised.card is held.card is Card("2C")
    assert raised.origin is not None
    assert raised.origin == held.origin
    assert names_of(table.unread()) == ["CardHeld"]
    assert codes_of(table) == ["next-card-early"]
    assert table.state.hold is not None
    assert table.state.hold.aside == (Card("2C"), None)
    burned, _, resumed = table.rule("burn")
    assert isinstance(burned, ev.HeldCardBurned)
    assert (burned.cards, burned.unread) == (hand("2C"), 1)
    assert isinstance(resumed, ev.TableResumed)
    assert (resumed.reason, resumed.by) == ("misdeal", BY)
    go_home(table)


def test_a_copy_too_many_between_two_rounds_is_told_beside_the_early_card() -> None:
    table = one_deck().played(NATURAL)
    table.card("9H")
    assert codes_of(table) == ["next-card-early", "duplicate-card"]
    raised = raised_in(table)[-1]
    assert raised.card is Card("9H")
    assert raised.origin is not None


def test_a_burned_card_is_on_record_with_its_report() -> None:
    table = one_deck().played(NATURAL)
    table.ask("burn_cards", count=1)
    (burned, _) = table.card("2C")
    assert isinstance(burned, ev.CardBurned)
    assert burned.origin is not None


def test_a_card_in_doubt_is_raised_once_and_is_a_card_of_the_coup() -> None:
    table = dealt(rules("studio"), "2H KS")
    raised, _, held = table.report(CardDrawn(Card("TC"), in_game=False, mode=DeviceMode.LOCK))
    assert isinstance(raised, ev.IrregularityRaised)
    assert isinstance(held, ev.CardHeld)
    assert (raised.card, raised.number) == (held.card, held.number) == (Card("TC"), 3)
    assert raised.origin is not None
    assert raised.origin == held.origin
    assert table.state.cards_out == 3
    table.rule("release")
    assert table.state.player == hand("2H TC")
    go_home(table)


def test_the_same_wrong_call_is_told_each_time() -> None:
    table = called(rules("studio"), NATURAL, Outcome.TIE)
    for _ in range(2):
        table.ask("call_result", outcome=Outcome.TIE)
    assert codes_of(table) == ["wrong-result-announced"] * 3


def test_players_are_told_once_of_a_card_that_was_set_aside() -> None:
    table = dealt(rules("studio"), NATURAL)
    told_aside = []
    for code in ("2C", "3C"):
        table.card(code)
        released = table.rule("reconstruct")[0]
        assert isinstance(released, ev.RoundReleased)
        told_aside.append((released.set_aside, released.aside_numbers))
    assert told_aside == [(hand("2C"), (5,)), (hand("3C"), (6,))]
    go_home(table)


def test_a_card_that_nobody_read_is_burned_without_a_name() -> None:
    table = Driven(rules("studio", early_card="burn")).betting()
    table.unread()
    (released, _) = table.rule("reconstruct")
    assert isinstance(released, ev.RoundReleased)
    assert (released.set_aside, released.aside_numbers) == ((), (1,))
    table.cards(NATURAL)
    table.ask("confirm_result")
    burned, closed = table.ask("close_round")
    assert isinstance(burned, ev.HeldCardBurned)
    assert (burned.cards, burned.unread) == ((), 1)
    assert isinstance(closed, ev.RoundClosed)
    assert closed.by == BY
    audited(table)


@pytest.mark.parametrize("void_first", [True, False])
def test_surplus_meets_its_fate_by_the_result_of_its_own_round(void_first: bool) -> None:
    table = Driven(rules("studio")).dealing()
    for is_void in (void_first, not void_first):
        table.cards(f"{NATURAL} 2C")
        table.rule("void" if is_void else "reconstruct")
        if not is_void:
            table.ask("confirm_result")
        expected = ["RoundClosed"] if is_void else ["HeldCardBurned", "RoundClosed"]
        assert names_of(table.ask("close_round")) == expected
        table.dealing()


def test_a_void_is_on_record_with_all_that_it_ends() -> None:
    table = Driven(rules("studio")).betting()
    closed, _ = table.void()
    assert isinstance(closed, ev.BetsClosed)
    assert (closed.guard_until, closed.by) == (None, BY)
    table.ask("close_round")
    table.ask("open_free_coup")
    table.cards("9H KS TC")
    table.ask("report_irregularity", code="foreign-card")
    (ended, _) = table.rule("void")
    assert isinstance(ended, ev.FreeCoupEnded)
    assert (ended.player, ended.banker, ended.by) == (hand("9H TC"), hand("KS"), BY)


def shoe_says(table: Driven, code: str, side: Target, index: int) -> list[str]:
    """What follows from a card that the shoe counts so."""
    return names_of(table.report(CardDrawn(Card(code), side, index)))


@pytest.mark.parametrize("is_in_doubt", [False, True])
def test_after_a_coup_cut_short_the_shoe_may_count_on_unless_it_was_in_doubt(
    is_in_doubt: bool,
) -> None:
    table = dealt(rules("studio"), "2H KS")
    if is_in_doubt:
        table.report(inp.LineUp("pty", 2))
    table.void()
    table.dealing()
    shoe_says(table, "5C", Target.PLAYER, 2)
    assert codes_of(table) == (["frame-lost"] if is_in_doubt else [])


def test_a_coup_with_a_card_that_people_corrected_is_not_compared_with_the_shoe() -> None:
    table = dealt(rules("studio"), "2H KS")
    table.ask("correct_card", number=2, card=Card("QS"))
    table.rule("reconstruct")
    assert shoe_says(table, "5C", Target.BANKER, 2) == ["CardDealt"]


def test_a_coup_with_a_carried_card_is_not_compared_with_the_shoe() -> None:
    table = noted(rules("atlantic-city"), f"{NATURAL} 2C", unseen=True)
    table.rule("reconstruct")
    table.ask("confirm_result")
    table.dealing()
    assert shoe_says(table, "5C", Target.PLAYER, 1) == ["CardDealt"]


def test_only_the_first_card_of_a_coup_ends_a_doubt_and_only_where_there_is_one() -> None:
    table = Driven(rules("studio")).dealing()
    assert shoe_says(table, "2H", Target.PLAYER, 1) == ["CardDealt"]
    table = Driven(rules("studio")).dealing()
    table.ask("set_manual_mode")
    table.ask("deal_card")
    table.ask("set_manual_mode")
    table.report(inp.LineUp("pty", 2))
    assert shoe_says(table, "5C", Target.PLAYER, 1) == ["CardDealt"]


def test_a_card_told_after_the_guard_has_its_report_where_it_was_kept() -> None:
    table = told(rules("studio", close_guard_ms=1), CardDrawn(Card("2H")), "")
    assert table.state.guard_until is not None
    (kept,) = [one.event for one in table.log if isinstance(one.event, ev.CardKept)]
    assert kept.origin is not None
    _, shown = table.expire()
    assert isinstance(shown, ev.CardDealt)
    assert shown.origin is None


def test_a_coup_of_carried_cards_is_not_confirmed_within_the_guard() -> None:
    table = dealt(rules("atlantic-city"), NATURAL)
    for number, code in enumerate(["9C", "KC", "TC", "7C"], 5):
        table.card(code)
        table.ask("note_card", number=number, unseen=True)
    table.rule("reconstruct")
    table.ask("confirm_result")
    automatic = {"result_entry": ResultEntry.AUTO, "close_guard_ms": 1500}
    table.restart(rules("atlantic-city", **automatic))
    table.report(inp.LineUp("pty", 2))
    table.betting()
    table.ask("trust_stream")
    assert names_of(table.expire()) == ["BetsClosed", *["CardDealt"] * 4, "ResultDeclared"]
    assert names_of(table.expire()) == ["GuardEnded", "ResultConfirmed"]


def test_a_card_that_a_person_entered_is_told_as_such() -> None:
    table = Driven(rules("studio")).dealing()
    table.ask("set_manual_mode")
    (shown,) = table.ask("deal_card")
    assert isinstance(shown, ev.CardDealt)
    assert shown.is_manual


def test_a_cut_card_in_a_coup_without_bets_comes_before_the_next_coup() -> None:
    words = []
    for is_free in (True, False):
        table = Driven(rules("studio", last_coup=LastCoup.ONE_MORE)).ready()
        if is_free:
            table.ask("open_free_coup")
        else:
            table.dealing()
        table.card("2H")
        (seen,) = table.report(inp.CutCardDrawn())
        assert isinstance(seen, ev.CutCardSeen)
        words.append(seen.last_coup)
    assert words == ["this", "next"]
