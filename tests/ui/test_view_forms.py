# SPDX-License-Identifier: Apache-2.0
"""Every command of a table can be given at the console, step by step, and the table takes it."""

import pytest
from msgspec.structs import replace

from studio.game.inputs import Command, Refusal
from studio.game.snapshot import staff_state
from studio.staff.permissions import tag_of
from tests.game.table_driver import Driven, house
from tests.ui.test_view_press import after_step, press
from tests.ui.test_view_prompts import PROMPTS, again, check
from tests.ui.view_texts import open_to_all, seen_of, speech
from ui.view.acts import more_commands, problem_commands, step_of
from ui.view.forms import COMMANDS, Step
from ui.view.panels import PICK, pickables
from ui.view.press import pressed, typed
from ui.view.seen import LinkState, Own, PanelKind, Seen
from ui.view.steps import Nothing, Send, Turn
from ui.view.whole import view_of

TYPED = {Step.CARD: "4C", Step.CARD_TOLD: "", Step.COUNT_LEFT: "", Step.COUNT_BURN: "2"}
# Done in the pit or at the machine; a relief has a panel of its own.
NOT_HERE = {"amend_round", "change_dealer", "claim_hold", "release_hold"} | {
    "approve_software",
    "apply_settings",
}


def finished(seen: Seen, act: str) -> Command | None:
    """The command that an act comes to when the first choice is always taken."""
    step = pressed(seen, act, speech())
    for _ in range(8):
        if isinstance(step, Send):
            return step.command
        if isinstance(step, Nothing):
            return None
        seen = after_step(seen, step)
        check(seen, "it")
        panel = seen.own.panel
        assert panel is not None
        assert panel.kind is PanelKind.FORM
        need = step_of(panel, seen)
        if need in TYPED:
            text = TYPED[need]
            seen = after_step(seen, typed(seen, text))
            step = pressed(seen, "send", speech())
        elif need is Step.MOVES:
            step = pressed(seen, "move", speech())
        else:
            step = pressed(seen, PICK + pickables(panel, seen, speech())[0][0], speech())
    raise AssertionError(f"{act} never ends")


def tables() -> list[Driven]:
    made = [one() for one in PROMPTS.values()]
    suspect = Driven().dealing()
    suspect.ask("change_reader")
    reported = Driven().dealing()
    reported.ask("report_irregularity", code="card-lost")
    return [*made, again(), suspect, reported]


def test_every_command_can_be_given_and_the_table_takes_it() -> None:
    given: set[str] = set()
    for table in tables():
        seen = open_to_all(table)
        assert seen.state is not None
        listed = (*more_commands(seen.state), *problem_commands(seen.state))
        before = table.state
        for act in (*seen.state.prompt.commands, *listed):
            start = seen
            if act in listed and act not in seen.state.prompt.commands:
                panel = "more" if act in more_commands(seen.state) else "problem"
                start = after_step(seen, press(seen, panel))
            command = finished(start, act if start is seen else PICK + act)
            if command is None:
                continue
            table.state = before
            table.give(command)
            if not isinstance(table.last, Refusal):
                given.add(tag_of(command))
        table.state = before
    called = {"call_supervisor", "answer_call", "report_irregularity"}
    assert given | called | NOT_HERE == COMMANDS.keys()


@pytest.mark.parametrize("act", ["problem", "more", "why", "about", "rest", "log_in", "take_over"])
def test_every_panel_fits_in_every_prompt(act: str) -> None:
    for made in PROMPTS.values():
        seen = seen_of(made(), person=None) if act in ("log_in", "take_over") else seen_of(made())
        step = pressed(seen, act, speech())
        if isinstance(step, Nothing):
            continue
        for language in ("en", "it", "fr", "es"):
            check(after_step(seen, step), language)


def test_a_panel_takes_the_keys_of_the_table() -> None:
    seen = open_to_all(PROMPTS["open-bets"]())
    opened = after_step(seen, press(seen, "why"))
    assert isinstance(pressed(opened, "open_bets", speech()), Nothing)
    assert [one.act for one in view_of(opened, speech()).keys] == ["back"]


def test_what_was_picked_must_be_in_the_list() -> None:
    seen = open_to_all(PROMPTS["open-bets"]())
    opened = after_step(seen, press(seen, "more"))
    assert isinstance(pressed(opened, "pick:confirm_result", speech()), Nothing)
    assert isinstance(pressed(opened, "pick:report:late-bet", speech()), Nothing)
    assert isinstance(pressed(seen, "pick:end_shoe", speech()), Nothing)


def test_a_ruling_that_is_not_proposed_or_not_allowed_does_nothing() -> None:
    held = PROMPTS["held"]()
    assert isinstance(pressed(open_to_all(held), "rule:burn", speech()), Nothing)
    assert isinstance(pressed(seen_of(held, is_locked=True), "rule:void", speech()), Nothing)
    gone = open_to_all(held, link=LinkState.GONE)
    assert isinstance(pressed(gone, "rule:void", speech()), Nothing)
    assert isinstance(pressed(gone, "move:1", speech()), Nothing)


def test_a_form_waits_for_the_answer_that_is_on_its_way() -> None:
    seen = open_to_all(PROMPTS["enter-card"]())
    opened = after_step(seen, press(seen, "enter_card", "type 4C"))
    busy = replace(opened, sending="enter_card")
    assert isinstance(pressed(busy, "accept", speech()), Nothing)
    assert view_of(busy, speech()).foot.sending == "Sending: Enter a card …"


def test_a_field_is_erased_and_back_goes_to_the_badge() -> None:
    seen = seen_of(PROMPTS["open-bets"](), person=None)
    opened = after_step(seen, press(seen, "log_in", "type 1000", "erase", "accept", "type 12"))
    panel = opened.own.panel
    assert panel is not None
    assert (panel.badge, panel.text) == ("100", "12")
    shown = view_of(opened, speech()).panel
    assert shown is not None
    assert [field.text for field in shown.fields] == ["100", "••"]
    back = press(opened, "back")
    assert isinstance(back, Turn)
    assert back.own.panel is not None
    assert (back.own.panel.badge, back.own.panel.text) == (None, "")
    assert isinstance(press(seen, "log_in", "accept"), Nothing)


def test_the_words_of_a_table_without_a_picture() -> None:
    seen = Seen(table="BAC-1", now=Driven().now, own=Own())
    check(seen, "es")
    for act in ("more", "about"):
        opened = pressed(seen, act, speech())
        if not isinstance(opened, Nothing):
            check(after_step(seen, opened), "es")


def test_the_cut_card_is_told_of_while_it_can_come_and_nobody_has() -> None:
    waits = Driven().ready()
    told, held, stopped = Driven().ready(), Driven().ready(), Driven().ready()
    told.ask("note_cut_card")
    held.ask("report_irregularity", code="cut-card-missed")
    stopped.ask("report_irregularity", code="foreign-card")
    stopped.rule("release")
    reshuffled = Driven(house("continuous")).ready()
    tables = (waits, told, held, stopped, reshuffled, Driven())
    offered = ["note_cut_card" in problem_commands(staff_state(one.state)) for one in tables]
    assert offered == [True, False, False, False, False, False]


@pytest.mark.parametrize("is_closed", [True, False])
def test_from_a_stopped_shoe_no_coup_and_no_burn_is_offered(is_closed: bool) -> None:
    table = Driven().played()
    can = {"burn_cards", "open_free_coup"}
    assert can <= set(more_commands(staff_state(table.state)))
    table.ask("report_irregularity", code="foreign-card")
    table.rule("release")
    if is_closed:
        table.ask("close_round")
    assert not can & set(more_commands(staff_state(table.state)))
