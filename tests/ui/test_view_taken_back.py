# SPDX-License-Identifier: Apache-2.0
"""What people say of cards at the console, and take back: it says by which of its buttons."""

import string

import pytest

from studio.game import inputs as inp
from studio.game.cards import Card
from studio.game.coup import Side
from studio.game.house import Burn, BurnRule
from studio.game.inputs import Refusal
from studio.wording import languages, load_wording
from tests.game.table_driver import Driven, plain_house
from tests.ui.test_view_press import after_step, press, sent
from tests.ui.test_view_prompts import after
from tests.ui.view_texts import open_to_all, seen_of, speech
from tests.undo import UNDO
from ui.view.acts import label_of, more_commands, problem_commands, undo_of
from ui.view.seen import PanelKind
from ui.view.steps import Nothing, Turn
from ui.view.whole import view_of


@pytest.mark.parametrize("fact", ["face_up", "stuck", "unseen", "early"])
def test_what_was_said_of_a_card_is_offered_to_be_taken_back(fact: str) -> None:
    table = after("9H KS TC 7D 2C")
    table.ask("note_card", number=5, **{fact: True})
    seen = open_to_all(table)
    command = sent(seen, "problem", "pick:note_card", "pick:5", f"pick:not_{fact}")
    assert command == inp.NoteCard(by="console", number=5, **{fact: False})
    assert isinstance(press(seen, "problem", "pick:note_card", "pick:5", f"pick:{fact}"), Nothing)
    table.give(command)
    assert not isinstance(table.last, Refusal)
    early = Driven().betting()
    early.card("9H")
    steps = ("problem", "pick:note_card", "pick:1", "pick:not_early")
    assert isinstance(press(open_to_all(early), *steps), Nothing)


def test_a_report_by_mistake_is_taken_back_with_its_ground() -> None:
    table = after("9H KS")
    for code in ("card-lost", "foreign-card"):
        table.ask("report_irregularity", code=code)
    for start in (("withdraw_report",), ("problem", "pick:withdraw_report")):
        command = sent(open_to_all(table), *start, "pick:foreign-card", "pick:video")
        assert isinstance(command, inp.WithdrawReport)
        assert (command.code, bool(command.reason)) == ("foreign-card", True)
    step = press(seen_of(table), "withdraw_report", "pick:card-lost", "pick:video")
    assert isinstance(step, Turn)
    assert step.own.panel is not None
    assert step.own.panel.kind is PanelKind.SECOND


def test_a_card_that_lay_otherwise_is_noted() -> None:
    seen = open_to_all(after("9H KS"))
    command = sent(seen, "problem", "pick:note_card", "pick:1", "pick:banker")
    assert command == inp.NoteCard(by="console", number=1, at=Side.BANKER)
    faced = sent(seen, "problem", "pick:note_card", "pick:2", "pick:face_up")
    assert faced == inp.NoteCard(by="console", number=2, face_up=True)


def test_a_missing_card_and_a_misread_one_are_entered() -> None:
    seen = open_to_all(after("9H KS"))
    entered = sent(seen, "problem", "pick:enter_card", "pick:2", "type 4C", "accept")
    assert isinstance(entered, inp.EnterCard)
    assert (entered.number, entered.card, entered.missing) == (2, Card("4C"), True)
    corrected = sent(seen, "problem", "pick:correct_card", "pick:1", "type 4C", "send")
    assert isinstance(corrected, inp.CorrectCard)
    assert (corrected.number, corrected.card) == (1, Card("4C"))


def test_a_read_that_was_no_card_is_struck_with_a_reason() -> None:
    table = after("9H KS KS")
    table.ask("report_irregularity", code="ghost-read")
    seen = open_to_all(table)
    struck = sent(seen, "problem", "pick:strike_card", "pick:3", "pick:staff")
    assert isinstance(struck, inp.StrikeCard)
    assert (struck.number, struck.reason) == (3, "Both saw it happen")
    assert sent(seen, "strike_card", "pick:3", "pick:staff") == struck
    table.give(struck)
    assert table.state.cards_out == 2
    aside = Driven().played()
    aside.cards("2C 2C")
    told = sent(open_to_all(aside), "problem", "pick:strike_card", "pick:2", "pick:video")
    assert isinstance(told, inp.StrikeCard)
    aside.give(told)
    assert aside.state.hold is not None
    assert len(aside.state.hold.aside) == 1


def test_cards_aside_are_given_their_values_by_number_and_none_is_shown() -> None:
    table = Driven().played()
    table.card("2C")
    table.unread()
    table.card("3C")
    seen = open_to_all(table)
    for act, numbers in (("correct_card", [1, 3]), ("enter_card", [2])):
        shown = view_of(after_step(seen, press(seen, "problem", f"pick:{act}")), speech()).panel
        assert shown is not None
        assert [choice.text for choice in shown.choices] == [f"Card {one}" for one in numbers]
    corrected = sent(seen, "problem", "pick:correct_card", "pick:3", "type 4C", "send")
    entered = sent(seen, "enter_card", "pick:2", "type 5C", "accept")
    assert isinstance(entered, inp.EnterCard)
    assert not entered.missing
    for command in (corrected, entered):
        table.give(command)
        assert not isinstance(table.last, Refusal), table.last
    assert table.state.hold is not None
    assert table.state.hold.aside == (Card("2C"), Card("5C"), Card("4C"))
    after_all = open_to_all(table)
    assert "enter_card" not in problem_commands(after_all.state)


def test_a_burned_card_is_corrected_by_its_number_and_its_value_is_not_shown() -> None:
    table = Driven(plain_house(burn=Burn(BurnRule.FIXED, 2))).ready()
    table.cards("9H KS")
    seen = open_to_all(table)
    opened = after_step(seen, press(seen, "more", "pick:correct_burn"))
    shown = view_of(opened, speech()).panel
    assert shown is not None
    assert [choice.text for choice in shown.choices] == ["Card 1", "Card 2"]
    command = sent(seen, "more", "pick:correct_burn", "pick:2", "type QS", "send")
    assert isinstance(command, inp.CorrectBurn)
    assert (command.number, command.card) == (2, Card("QS"))
    table.give(command)
    assert table.state.copies["QS"] == 1


def test_a_card_of_a_void_round_is_corrected_from_the_list_of_more() -> None:
    table = Driven(plain_house()).dealing()
    table.cards("6D KS")
    round_ = table.state.round or ""
    table.void()
    seen = open_to_all(table)
    opened = after_step(seen, press(seen, "more", "pick:correct_void"))
    shown = view_of(opened, speech()).panel
    assert shown is not None
    assert [(choice.text, choice.detail) for choice in shown.choices] == [
        ("20261129-0001", "6♦ K♠")
    ]
    at_cards = after_step(opened, press(opened, f"pick:{round_}"))
    shown = view_of(at_cards, speech()).panel
    assert shown is not None
    assert shown.title == speech().words.console.panels["pick-voided"]
    assert [choice.text for choice in shown.choices] == ["Card 1: 6♦", "Card 2: K♠"]
    steps = ("more", "pick:correct_void", f"pick:{round_}", "pick:1", "type 6H", "send")
    command = sent(seen, *steps)
    assert isinstance(command, inp.CorrectCard)
    assert (command.round, command.number, command.card) == (round_, 1, Card("6H"))
    table.give(command)
    assert not isinstance(table.last, Refusal), table.last
    assert table.state.void_cards == {round_: (Card("6H"), Card("KS"))}


def test_it_is_offered_between_rounds_and_in_a_hold_and_only_where_a_void_round_had_cards() -> None:
    table = Driven(plain_house()).dealing()
    offered = []
    for step in ("void", "close_round", "dealing", "void", "dealing", "held"):
        if step == "void":
            offered.append("correct_void" in more_commands(open_to_all(table).state))
            table.card("6D")
            table.void()
        elif step == "dealing":
            table.dealing()
        elif step == "held":
            table.ask("report_irregularity", code="card-damaged")
        else:
            table.ask(step)
        offered.append("correct_void" in more_commands(open_to_all(table).state))
    assert offered == [False, True, True, False, False, True, False, True]


def test_the_first_burned_card_that_was_not_read_is_entered_with_the_one_key() -> None:
    table = Driven(plain_house(burn=Burn(BurnRule.FIRST_CARD))).ready()
    table.unread()
    command = sent(open_to_all(table), "correct_burn", "type 2H", "accept")
    assert isinstance(command, inp.CorrectBurn)
    assert (command.number, command.card) == (1, Card("2H"))


# What the console calls by another name than the command's: it suspends, and somebody takes over.
OF_THE_CONSOLE = {"resume_table", "change_dealer"}


@pytest.mark.parametrize("language", languages())
def test_the_console_names_the_same_undo_by_its_buttons(language: str) -> None:
    words = load_wording(language)
    for tag, one in UNDO.items():
        if tag in OF_THE_CONSOLE or tag not in words.console.undo:
            continue
        text = words.console.undo[tag]
        named = {name for _, name, _, _ in string.Formatter().parse(text) if name}
        expected = set(one.by) - ({"call_result"} if tag == "call_result" else set())
        assert named == expected, (tag, text)
        assert all(label_of(button, words) in undo_of(tag, words) for button in named)
    assert [tag for tag in UNDO if tag not in words.console.undo] == ["amend_round"]
