# SPDX-License-Identifier: Apache-2.0
"""What was given by mistake is taken back at the console, which says by which of its buttons."""

import string

import pytest

from studio.game import inputs as inp
from studio.game.inputs import Refusal
from studio.wording import languages, load_wording
from tests.game.table_driver import Driven
from tests.ui.test_view_press import press, sent
from tests.ui.test_view_prompts import after
from tests.ui.view_texts import open_to_all, seen_of
from tests.undo import UNDO
from ui.view.acts import label_of, undo_of
from ui.view.seen import PanelKind
from ui.view.steps import Nothing, Turn


@pytest.mark.parametrize("fact", ["face_up", "stuck", "unseen", "early"])
def test_what_was_said_of_a_card_is_offered_to_be_taken_back(fact: str) -> None:
    table = after("9H KS")
    table.ask("note_card", number=2, **{fact: True})
    seen = open_to_all(table)
    command = sent(seen, "problem", "pick:note_card", "pick:2", f"pick:not_{fact}")
    assert command == inp.NoteCard(by="console", number=2, **{fact: False})
    assert isinstance(press(seen, "problem", "pick:note_card", "pick:2", f"pick:{fact}"), Nothing)
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
