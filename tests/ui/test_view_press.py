# SPDX-License-Identifier: Apache-2.0
"""What keys, touches and scans do: commands only by an act that is offered at this moment."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from studio.game import inputs as inp
from studio.game.cards import Card
from studio.game.coup import Outcome, Side
from studio.game.house import ResultEntry
from studio.game.inputs import Refusal
from studio.game.irregularities import REPORTABLE, WRONG_PAID
from tests.game.table_driver import Driven, plain_house
from tests.ui.test_view_prompts import PROMPTS, after, burnt, by_hand, unread
from tests.ui.view_texts import DEALER, SUPERVISOR, open_to_all, seen_of, speech
from ui.view.acts import offered
from ui.view.keymap import SUIT_KEYS
from ui.view.panels import card_of, digits_of, pickables
from ui.view.press import has_field, pressed, typed
from ui.view.seen import LinkState, Own, PanelKind, Refused, Seen
from ui.view.steps import LogIn, Nothing, Send, Step, Turn
from ui.view.whole import view_of


def after_step(seen: Seen, step: Step) -> Seen:
    assert not isinstance(step, Nothing), step
    return replace(seen, own=step.own, refused=None)


def press(seen: Seen, *acts: str) -> Step:
    """Acts one after the other; ``type ...`` types. The last step."""
    step: Step = Nothing()
    for left, act in enumerate(acts, 1 - len(acts)):
        if act.startswith("type "):
            step = typed(seen, act.removeprefix("type "))
        else:
            step = pressed(seen, act, speech())
        seen = after_step(seen, step) if left else seen
    return step


def sent(seen: Seen, *acts: str) -> inp.Command:
    step = press(seen, *acts)
    assert isinstance(step, Send), step
    return step.command


def test_a_normal_round_takes_two_presses() -> None:
    table = Driven().ready()
    assert sent(open_to_all(table), "open_bets") == inp.OpenBets(by="console")
    table.ask("open_bets")
    table.expire()
    table.cards("9H KS TC 7D")
    assert sent(open_to_all(table), "confirm_result") == inp.ConfirmResult(by="console")
    table.ask("confirm_result")
    assert sent(open_to_all(table), "open_bets") == inp.OpenBets(by="console")


def test_every_command_carries_who() -> None:
    assert sent(seen_of(Driven().ready()), "open_bets").by == DEALER.staff


def test_a_press_just_as_the_prompt_changes_is_not_taken_for_the_new_one() -> None:
    table = Driven().ready()
    soon = open_to_all(table, asked_since=table.now + timedelta(milliseconds=800))
    assert isinstance(pressed(soon, "open_bets", speech()), Nothing)
    later = replace(soon, now=soon.now + timedelta(milliseconds=60))
    assert isinstance(pressed(later, "open_bets", speech()), Send)
    assert isinstance(pressed(replace(later, sending="open_bets"), "open_bets", speech()), Nothing)


@pytest.mark.parametrize("link", [LinkState.JOINING, LinkState.STALE, LinkState.GONE])
def test_nothing_is_sent_by_a_console_that_is_not_current(link: LinkState) -> None:
    for made in PROMPTS.values():
        seen = open_to_all(made(), link=link)
        for tag in inp.Command.__args__:
            act = str(tag.__struct_config__.tag)
            assert isinstance(pressed(seen, act, speech()), Nothing)


@pytest.mark.req("ACC-1", "ACC-2")
def test_a_locked_console_sends_nothing_and_its_main_key_opens_the_log_in() -> None:
    for made in PROMPTS.values():
        seen = seen_of(made(), is_locked=True)
        for one in offered(seen, speech().keys):
            step = pressed(seen, one.act, speech())
            assert not isinstance(step, Send), one
    seen = seen_of(PROMPTS["open-bets"](), person=None)
    main = next(one for one in offered(seen, speech().keys) if one.is_main)
    assert main.act == "log_in"
    step = press(seen, "log_in", "type 100", "accept", "type 123456", "accept")
    assert step == LogIn("100", "123456", Own())
    assert "123456" not in repr(step)


@pytest.mark.req("ACC-1")
def test_a_command_that_a_role_may_not_give_is_absent() -> None:
    seen = seen_of(PROMPTS["open-bets"](), person=SUPERVISOR)
    acts = {one.act for one in offered(seen, speech().keys)}
    assert not acts & {"open_bets", "end_shoe"}
    lost = PROMPTS["shoe-line-down"]()
    by_dealer = {one.act for one in offered(seen_of(lost), speech().keys)}
    by_both = {one.act for one in offered(seen_of(lost, person=SUPERVISOR), speech().keys)}
    assert "set_manual_mode" in by_dealer & by_both, "each with a second person"


def test_a_scanner_does_nothing_where_nothing_is_typed() -> None:
    keys = speech().keys
    for made in PROMPTS.values():
        seen = open_to_all(made())
        assert isinstance(typed(seen, "9H"), Nothing)
        for one in offered(seen, keys):
            assert not {key for key in one.keys if key in ("Enter", "Tab") or len(key) == 1}


def test_a_scan_in_a_list_picks_nothing() -> None:
    seen = after_step(seen_of(after("9H")), press(seen_of(after("9H")), "problem"))
    assert not has_field(seen)
    assert isinstance(typed(seen, "9H"), Nothing)
    assert isinstance(pressed(seen, "accept", speech()), Nothing)


@pytest.mark.parametrize(
    "text, card",
    [("9H", "9H"), ("10h", "TH"), ("0d", "TD"), ("as", "AS"), ("1C", "AC"), ("çH", "9H"),
     ("q*", "QH"), ("7/", "7S"), (" kd ", "KD")],
)  # fmt: skip
def test_a_card_is_typed_by_rank_and_suit_on_any_keyboard(text: str, card: str) -> None:
    assert card_of(text) is Card(card)


@pytest.mark.parametrize("text", ["", "9", "H", "1H0", "ZZ", "99H", "9H9H"])
def test_what_is_no_card_is_none(text: str) -> None:
    assert card_of(text) is None


def test_a_count_is_digits() -> None:
    assert digits_of("120") == "120"
    assert digits_of("12a") is None
    assert digits_of("1234") is None


@pytest.mark.req("MAN-5")
def test_a_card_that_was_not_read_is_entered_by_two() -> None:
    seen = seen_of(unread())
    form = press(seen, "enter_card", "type 9C", "accept")
    assert isinstance(form, Turn)
    panel = form.own.panel
    assert panel is not None
    assert panel.kind is PanelKind.SECOND
    seen = after_step(seen, form)
    step = press(seen, "type 500", "accept", "type 654321", "accept")
    assert isinstance(step, Send)
    assert step.command == inp.EnterCard(by=DEALER.staff, number=2, card=Card("9C"), second="")
    assert (step.badge, step.pin) == ("500", "654321")
    assert "654321" not in repr(step)
    assert "654321" not in repr(after_step(seen, press(seen, "type 654321")).own)


def test_what_is_no_card_is_told_and_sends_nothing() -> None:
    seen = open_to_all(unread())
    step = press(seen, "enter_card", "type zz", "accept")
    view = view_of(after_step(seen, step), speech())
    assert view.panel is not None
    assert view.panel.fault.startswith("That is no card")
    assert view.panel.has_card_pad


def test_the_keypads_signs_are_suits_in_a_cards_field_and_nothing_else() -> None:
    seen = open_to_all(unread())
    seen = after_step(seen, press(seen, "enter_card"))
    live = {key for one in offered(seen, speech().keys) for key in one.keys}
    assert not live & SUIT_KEYS.keys()


def test_a_card_of_manual_mode_goes_where_the_tableau_says() -> None:
    table = by_hand()
    command = sent(open_to_all(table), "deal_card", "type KD", "accept")
    assert isinstance(command, inp.DealCard)
    assert (command.card, command.position.value) == (Card("KD"), "P1")
    assert not isinstance(table.give(command), Refusal)


def test_a_card_that_no_shoe_tells_of_is_told_with_its_value_or_without() -> None:
    table = burnt()
    table.ask("set_manual_mode")
    for text, card in (("type KD", Card("KD")), ("type  ", None)):
        command = sent(open_to_all(table), "record_card", text, "accept")
        assert isinstance(command, inp.RecordCard)
        assert (command.number, command.card) == (table.state.cards_out + 1, card)
        assert not isinstance(table.give(command), Refusal)
    step = press(open_to_all(after("9H KS TC 7D")), "problem", "pick:record_card")
    assert isinstance(step, Nothing)


def test_what_is_no_card_is_not_taken_for_one_that_nobody_knows() -> None:
    table = burnt()
    table.ask("set_manual_mode")
    seen = open_to_all(table)
    view = view_of(after_step(seen, press(seen, "record_card", "type zz", "accept")), speech())
    assert view.panel is not None
    assert view.panel.fault.startswith("That is no card")


def test_a_ruling_takes_its_reason_and_its_moves_one_by_one() -> None:
    table = after("6H 2C KD 2S 5H")
    table.ask("note_card", number=5, at=Side.PLAYER)
    seen = open_to_all(table)
    held = view_of(seen, speech()).held
    assert held is not None
    assert [move.text for move in held.moves] == ["Move 5♥ from Punto's box to Banco's box"]
    step = press(seen, f"rule:{held.proposals[0].key}", "pick:video")
    view = view_of(after_step(seen, step), speech())
    assert view.panel is not None
    assert view.panel.kind == "moves"
    command = sent(after_step(seen, step), "move")
    assert isinstance(command, inp.RuleHold)
    assert (command.remedy, command.reason) == ("release", "Seen on the video")
    table.give(command)
    assert table.state.hold is None


@pytest.mark.parametrize("answer", ["seen", "unseen"])
@pytest.mark.parametrize(
    "codes, keys",
    [("9H KS TC 7D 2C", {"seen": "reconstruct", "unseen": "reconstruct"}),
     ("", {"seen": "free_coup", "unseen": "carry"})],
)  # fmt: skip
def test_the_answer_whether_players_saw_a_face_goes_with_its_ruling(
    codes: str, keys: dict[str, str], answer: str
) -> None:
    rule = plain_house(excess_card="carry")
    table = Driven(rule).dealing() if codes else Driven(rule).ready()
    table.cards(codes or "2C")
    seen = open_to_all(table)
    command = sent(seen, f"rule:{keys[answer]}-{answer}", "pick:video")
    assert isinstance(command, inp.RuleHold)
    assert (command.remedy, command.faces_seen) == (keys[answer], answer == "seen")
    view = view_of(after_step(seen, press(seen, "rule_hold")), speech())
    assert view.panel is not None
    assert view.panel.title == "DID PLAYERS SEE THE FACE?"
    assert f"pick:{keys[answer]}-{answer}" in [one.act for one in view.panel.choices]
    table.give(command)
    assert table.state.hold is None


def test_a_move_is_ticked_in_order_and_is_void_for_another_proposal() -> None:
    table = after("6H 2C KD 2S 5H")
    table.ask("note_card", number=5, at=Side.PLAYER)
    seen = open_to_all(table)
    assert isinstance(pressed(seen, "move:4", speech()), Nothing)
    ticked = after_step(seen, press(seen, "move:5"))
    held = view_of(ticked, speech()).held
    assert held is not None
    assert held.moves[0].is_done
    table.ask("report_irregularity")
    again = view_of(replace(open_to_all(table), own=ticked.own), speech()).held
    assert again is not None
    assert not any(move.is_done for move in again.moves)


def test_every_reportable_problem_is_in_the_list_and_holds_the_table_or_calls_the_pit() -> None:
    seen = open_to_all(after("9H KS"))
    opened = after_step(seen, press(seen, "problem"))
    assert opened.own.panel is not None
    picks = [one[0] for one in pickables(opened.own.panel, opened, speech())]
    assert [one.removeprefix("report:") for one in picks if one.startswith("report:")] == list(
        REPORTABLE
    )
    for code in REPORTABLE:
        command = sent(opened, f"pick:report:{code}")
        table = after("9H KS")
        table.give(command)
        is_of_before = code == WRONG_PAID
        assert (table.state.hold is None, table.state.call is not None) == (is_of_before,) * 2


def test_a_winner_is_called_by_one_key() -> None:
    table = after("9H KS TC 7D", result_entry=ResultEntry.WINNER)
    seen = open_to_all(table)
    command = sent(seen, "winner_banker")
    assert command == inp.ConfirmResult(by="console", outcome=Outcome.BANKER)
    assert view_of(seen, speech()).band.do == "PRESS THE WINNER"


def test_a_miscounted_shoe_ends_with_a_reason_once_the_table_said_so() -> None:
    table = Driven().ready()
    seen = open_to_all(table)
    command = sent(seen, "end_shoe", "type 400", "send")
    table.give(command)
    assert isinstance(table.last, Refusal)
    told = replace(seen, refused=Refused(table.last.code, table.last.text, "end_shoe"))
    assert "Count again" in view_of(told, speech()).foot.refusal
    forced = sent(told, "end_shoe", "type 400", "send", "pick:staff")
    assert isinstance(forced, inp.EndShoe)
    assert forced.accept_mismatch
    assert not isinstance(table.give(forced), Refusal)


def test_a_count_is_finished_by_enter_and_by_the_pads_key() -> None:
    seen = open_to_all(Driven().ready())
    assert sent(seen, "end_shoe", "type 400", "accept") == sent(
        seen, "end_shoe", "type 400", "send"
    )
