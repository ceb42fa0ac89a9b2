# SPDX-License-Identifier: Apache-2.0
"""Every command given by mistake at a table, and taken back or mended: one story each."""

from collections.abc import Callable

from studio.game import inputs as inp
from studio.game.cards import Card
from studio.game.coup import Outcome, Side
from studio.game.events import Trust
from studio.game.house import Burn, BurnRule
from studio.game.prompts import prompt_for
from studio.game.state import Phase
from tests.game.table_driver import BY, Driven, amendment, hand, plain_house
from tests.game.upkeep_stories import UPKEEP_STORIES

NATURAL = "9H KS TC 7D"


def dealing(cards: str = "2H KS", **changes: object) -> Driven:
    table = Driven(plain_house(**changes)).dealing()
    table.cards(cards)
    return table


def opened_table() -> Driven:
    table = Driven()
    table.ask("open_table")
    table.ask("close_table")
    assert not table.state.is_open
    return table


def closed_table() -> Driven:
    table = Driven().ready()
    table.ask("close_table")
    table.ask("open_table")
    assert table.state.is_open
    return table


def suspended() -> Driven:
    table = Driven().betting()
    table.ask("suspend_table")
    table.ask("resume_table")
    table.ask("open_bets")
    assert table.state.phase is Phase.BETS_OPEN
    return table


def resumed() -> Driven:
    table = Driven().ready()
    table.ask("suspend_table")
    table.ask("resume_table")
    table.ask("suspend_table")
    assert table.state.suspended == "staff"
    return table


def called() -> Driven:
    table = Driven().betting()
    table.ask("call_supervisor")
    table.ask("answer_call")
    assert table.state.call is None
    table.ask("call_supervisor")
    assert table.state.phase is Phase.BETS_OPEN
    return table


def claimed() -> Driven:
    table = dealing("9H KS TC 7D 2C")
    table.ask("claim_hold")
    table.ask("release_hold")
    assert table.state.hold is not None
    assert table.state.hold.claimed_by is None
    table.ask("claim_hold")
    assert table.state.hold.claimed_by == BY
    return table


def changed_dealer() -> Driven:
    table = Driven().ready()
    table.ask("change_dealer", dealer="Zoë")
    table.ask("change_dealer", dealer="Anna")
    assert table.state.dealer == "Anna"
    return table


def loaded() -> Driven:
    table = Driven(plain_house(burn=Burn(BurnRule.FIXED, 2))).ready()
    table.card("2C")
    table.ask("end_shoe")
    assert table.state.phase is Phase.NO_SHOE
    return table


def ended_shoe() -> Driven:
    table = Driven().ready()
    table.ask("end_shoe")
    table.ask("load_shoe")
    assert table.state.phase is Phase.IDLE
    return table


def changed_shoe() -> Driven:
    table = Driven().played()
    table.ask("change_shoe")
    first = table.state.shoe
    table.ask("change_shoe")
    assert table.state.shoe != first
    return table


def changed_reader() -> Driven:
    table = dealing()
    table.ask("change_reader")
    table.ask("change_reader")
    assert table.state.player == hand("2H")
    return table


def trusted() -> Driven:
    table = dealing()
    table.report(inp.FrameRejected("bad_field"))
    table.ask("trust_stream")
    assert table.state.trust is Trust.TRUSTED
    table.ask("report_irregularity", code="ghost-read")
    assert table.state.phase is Phase.HELD
    return table


def bets_opened_too_soon() -> Driven:
    table = Driven().betting()
    table.void()
    table.ask("close_round")
    assert (table.state.phase, table.state.cards_out) == (Phase.IDLE, 0)
    return table


def bets_closed_too_soon() -> Driven:
    table = Driven().betting()
    table.ask("close_bets")
    table.void()
    assert table.state.results[-1].outcome is None
    return table


def result_confirmed_early() -> Driven:
    table = dealing(NATURAL)
    table.ask("confirm_result")
    table.ask("amend_round", **amendment(table.state.round or "", "9H TC", "KS 6D"))
    assert table.state.results[-1].banker == hand("KS 6D")
    voided = dealing(NATURAL)
    voided.ask("confirm_result")
    voided.void()
    assert voided.state.results[-1].outcome is None
    return table


def round_closed_early() -> Driven:
    table = dealing(NATURAL)
    table.ask("confirm_result")
    table.ask("close_round")
    table.ask("amend_round", **amendment(table.state.results[-1].round, "9H TC", "KS 6D"))
    assert table.state.results[-1].revision == 2
    return table


def free_coup() -> Driven:
    table = Driven().ready()
    table.ask("open_free_coup")
    table.ask("cancel_free_coup")
    assert prompt_for(table.state).code == "open-bets"
    return table


def free_coup_cancelled() -> Driven:
    table = free_coup()
    table.ask("open_free_coup")
    assert table.state.is_free_coup
    return table


def burn_ended_early() -> Driven:
    table = Driven().ready()
    table.ask("burn_cards", count=3)
    table.card("2C")
    table.ask("burn_cards", count=0)
    assert table.state.phase is Phase.IDLE
    table.ask("burn_cards", count=2)
    table.cards("3C 4C")
    assert (table.state.phase, table.state.burned) == (Phase.IDLE, 3)
    return table


def cut_card_noted() -> Driven:
    table = Driven().ready()
    table.ask("note_cut_card")
    assert table.state.last_coup == "this"
    table.ask("end_shoe")
    table.ask("load_shoe")
    assert table.state.last_coup is None
    return table


def wrong_note() -> Driven:
    table = dealing()
    for said in ({"at": Side.PLAYER}, {"face_up": True}, {"stuck": True}, {"early": True}):
        table.ask("note_card", number=2, **said)
    flags = dict.fromkeys(("face_up", "stuck", "early"), False)
    table.ask("note_card", number=2, at=Side.BANKER, **flags)
    table.rule("release")
    assert (table.state.player, table.state.banker) == (hand("2H"), hand("KS"))
    return table


def wrong_winner() -> Driven:
    table = dealing(NATURAL)
    table.ask("call_result", outcome=Outcome.BANKER)
    table.ask("withdraw_report", code="wrong-result-announced")
    table.rule("release")
    table.ask("call_result")
    assert table.state.phase is Phase.RESULT
    return table


def shoe_not_empty() -> Driven:
    table = dealing()
    table.ask("note_shoe_empty")
    table.ask("withdraw_report", code="insufficient-cards")
    table.rule("release")
    assert table.state.phase is Phase.DEALING
    return table


def wrong_report() -> Driven:
    table = dealing()
    table.ask("report_irregularity", code="foreign-card")
    table.ask("withdraw_report", code="foreign-card")
    table.rule("release")
    assert table.state.phase is Phase.DEALING
    return table


def report_wrongly_withdrawn() -> Driven:
    table = dealing()
    table.ask("report_irregularity", code="foreign-card")
    table.ask("withdraw_report", code="foreign-card")
    table.ask("report_irregularity", code="foreign-card")
    assert prompt_for(table.state).remedies == ("void",)
    return table


def wrong_entry() -> Driven:
    table = dealing()
    table.unread()
    table.ask("enter_card", card=Card("5D"))
    table.ask("correct_card", number=3, card=Card("6D"))
    table.rule("release")
    assert table.state.player == hand("2H 6D")
    return table


def wrong_correction() -> Driven:
    table = dealing()
    table.ask("correct_card", number=1, card=Card("3H"))
    table.ask("correct_card", number=1, card=Card("2H"))
    table.rule("release")
    assert table.state.player == hand("2H")
    return table


def wrong_card_by_hand() -> Driven:
    table = Driven().dealing()
    table.ask("set_manual_mode")
    table.ask("deal_card", card=Card("4H"))
    table.ask("correct_card", number=1, card=Card("4D"))
    table.rule("reconstruct")
    assert table.state.player == hand("4D")
    return table


def wrongly_struck() -> Driven:
    table = dealing()
    table.ask("report_irregularity", code="ghost-read")
    table.ask("strike_card", number=2)
    table.ask("enter_card", number=2, card=Card("KS"), missing=True)
    table.rule("release")
    assert table.state.banker == hand("KS")
    return table


def wrong_burn() -> Driven:
    table = Driven(plain_house(burn=Burn(BurnRule.FIXED, 1))).ready()
    table.card("2C")
    table.ask("correct_burn", number=1, card=Card("3C"))
    table.ask("correct_burn", number=1, card=Card("2C"))
    assert table.state.copies == {"2C": 1, "3C": 0}
    return table


def wrong_card_recorded() -> Driven:
    table = dealing(NATURAL)
    table.ask("set_manual_mode", on=True)
    table.ask("record_card", card=Card("2C"))
    table.ask("correct_card", number=5, card=Card("3C"))
    assert table.state.coup_cards[4].card is Card("3C")
    between = Driven().ready()
    between.ask("set_manual_mode", on=True)
    between.ask("record_card", card=Card("2C"))
    between.ask("strike_card", number=1)
    assert between.state.cards_out == 0
    burned = Driven(plain_house(burn=Burn(BurnRule.FIXED, 1))).ready()
    burned.ask("set_manual_mode", on=True)
    burned.ask("record_card", card=Card("2C"))
    burned.ask("correct_burn", number=1, card=Card("3C"))
    assert burned.state.copies == {"2C": 0, "3C": 1}
    return table


def manual_mode() -> Driven:
    table = dealing()
    table.ask("set_manual_mode", on=True)
    table.ask("set_manual_mode", on=False)
    assert not table.state.manual_mode
    return table


def wrong_ruling() -> Driven:
    table = dealing("9H KS TC 7D 2C")
    table.rule("reconstruct")
    table.void()
    assert table.state.results[-1].outcome is None
    return table


def wrong_void() -> Driven:
    table = dealing()
    table.void()
    table.ask("open_bets")
    assert table.state.phase is Phase.BETS_OPEN
    return table


def wrong_amendment() -> Driven:
    table = result_confirmed_early()
    table.ask("amend_round", **amendment(table.state.round or "", "9H TC", "KS 7D"))
    assert table.state.results[-1].revision == 3
    return table


STORIES: dict[str, Callable[[], Driven]] = {
    "open_table": opened_table,
    "close_table": closed_table,
    "suspend_table": suspended,
    "resume_table": resumed,
    "call_supervisor": called,
    "answer_call": called,
    "claim_hold": claimed,
    "release_hold": claimed,
    "change_dealer": changed_dealer,
    "load_shoe": loaded,
    **UPKEEP_STORIES,
    "end_shoe": ended_shoe,
    "change_shoe": changed_shoe,
    "change_reader": changed_reader,
    "trust_stream": trusted,
    "open_bets": bets_opened_too_soon,
    "close_bets": bets_closed_too_soon,
    "confirm_result": result_confirmed_early,
    "close_round": round_closed_early,
    "open_free_coup": free_coup,
    "cancel_free_coup": free_coup_cancelled,
    "burn_cards": burn_ended_early,
    "note_cut_card": cut_card_noted,
    "note_card": wrong_note,
    "call_result": wrong_winner,
    "note_shoe_empty": shoe_not_empty,
    "report_irregularity": wrong_report,
    "withdraw_report": report_wrongly_withdrawn,
    "enter_card": wrong_entry,
    "correct_card": wrong_correction,
    "deal_card": wrong_card_by_hand,
    "strike_card": wrongly_struck,
    "correct_burn": wrong_burn,
    "record_card": wrong_card_recorded,
    "set_manual_mode": manual_mode,
    "rule_hold": wrong_ruling,
    "void_round": wrong_void,
    "amend_round": wrong_amendment,
}
