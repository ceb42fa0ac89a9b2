# SPDX-License-Identifier: Apache-2.0
"""One scripted shoe with all that can happen at a table, and the golden journal of it.

``python -m tests.game.golden_shoe NAME`` keeps the record as ``NAME.jsonl`` beside the other golden
journals, and in ``NAME.states.json`` what the table had come to whenever its phase changed. Both
are written once and never changed: a later program must read the same out of the same record.
``NAME mended`` keeps a shorter one, of what is put right late.
"""

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from studio.feed.wire import public_payload
from studio.game import inputs as inp
from studio.game.cards import Card
from studio.game.coup import Outcome, Side
from studio.game.events import Recorded
from studio.game.evolve import evolve
from studio.game.inputs import CardDrawn, LineLost, LineUp, Target
from studio.game.state import TableState
from studio.store.chain import GENESIS, Row, row_of
from tests.game.table_driver import BY, FACTS, SECOND, Driven, amendment, house, plain_house
from tests.store.golden import keep

EPOCH = "5f0b8f57-6a0c-4f39-9d8e-0d8f0f5b7a21"
TABLE = FACTS.table


def scripted() -> Driven:
    """The shoe, told from the first start of the service to the closing of the table."""
    table = Driven(house())
    table.report(LineUp("pty", 1), None)
    table.report(inp.ShoeStarted())
    table.report(inp.ShoeStandby())
    table.give(inp.StaffTried(act="log_in", result="done", by=BY, from_where="desk-1"))
    table.ask("open_table")
    table.ask("load_shoe")
    table.cards("2H KS 9D")
    table.ask("correct_burn", number=2, card=Card("QS"))
    _quiet_rounds(table)
    _held_rounds(table)
    _void_round(table)
    _ghost_rounds(table)
    _misdealt_rounds(table)
    _doubtful_rounds(table)
    _last_rounds(table)
    return table


def mended() -> Driven:
    """A short shoe: cards burned or of a void round corrected, ghosts struck, misreads amended."""
    table = Driven(house())
    table.report(LineUp("pty", 1), None)
    table.ask("open_table")
    table.ask("load_shoe")
    table.unread()
    table.ask("correct_burn", number=1, card=Card("AH"))
    table.card("KS")
    table.ask("correct_burn", number=1, card=Card("2H"))
    table.card("9D")
    _ghost_rounds(table)
    _after_the_guard(table)
    table.cards("6H 4S KC QD 7C")
    table.ask("confirm_result")
    first, second = (one.round for one in table.state.results)
    table.ask("amend_round", **amendment(second, "5H KC 2C", "4S QD 7C"))
    table.ask("amend_round", **amendment(first, "8D TD", "KC 7H"))
    table.ask("close_round")
    table.ask("correct_burn", number=2, card=Card("QS"))
    table.card("8C")
    table.unread()
    table.rule("burn")
    burned = len(table.state.burn_cards)
    table.ask("correct_burn", number=burned, card=Card("JD"))
    table.ask("correct_burn", number=burned - 1, card=Card("8S"))
    _void_round(table)
    table.ask("end_shoe", left=416 - table.state.cards_out)
    table.ask("close_table")
    return table


def _quiet_rounds(table: Driven) -> None:
    """A natural drawn within the guard; six cards after it; a new dealer; a suspension."""
    table.dealing().cards("9H KS TC 7D")
    table.expire()
    table.ask("confirm_result")
    table.expire()
    _after_the_guard(table)
    table.cards("2H 2S KC QD 9C 4S")
    table.ask("confirm_result")
    table.ask("change_dealer", dealer="Zoë")
    table.ask("call_supervisor")
    table.ask("answer_call")
    table.betting()
    table.ask("report_irregularity", code="wrong-paid")
    table.ask("answer_call")
    table.ask("suspend_table", reason="review")
    table.ask("resume_table")
    table.ask("open_bets")
    table.ask("close_bets")
    table.expire()
    table.cards("6H 6S KC QD")
    table.ask("confirm_result")
    table.ask("close_round")


def _held_rounds(table: Driven) -> None:
    """An early card, a surplus card, a wrong call, an unread card, a card between rounds."""
    table.betting().card("5C")
    table.expire()
    table.expire()
    table.ask("claim_hold")
    table.ask("release_hold")
    table.rule("void")
    _after_the_guard(table)
    table.cards("6D 7S KC QD JH")
    table.rule("reconstruct")
    table.give(inp.ConfirmResult(by=BY, outcome=Outcome.TIE))
    table.rule("release")
    table.ask("confirm_result")
    table.card("8C")
    table.rule("burn")
    _after_the_guard(table)
    table.card("8H")
    table.unread()
    table.rule("void")


def _misdealt_rounds(table: Driven) -> None:
    """A wrong box, a card entered, one corrected, every fate of a surplus card, cards by hand."""
    _after_the_guard(table)
    table.cards("2H KS")
    table.ask("note_card", number=2, at=Side.PLAYER)
    table.ask("note_card", number=1, early=True)
    table.ask("note_card", number=1, early=False)
    table.rule("release")
    table.ask("report_irregularity", code="foreign-card")
    table.ask("note_shoe_empty")
    table.ask("call_result", outcome=Outcome.TIE)
    for code in ("foreign-card", "insufficient-cards", "initial-short"):
        table.ask("withdraw_report", code=code)
    table.rule("release")
    table.unread()
    table.ask("enter_card", number=3, card=Card("TC"))
    table.rule("release")
    table.cards("7D 5C")
    table.ask("correct_card", number=1, card=Card("9H"))
    table.rule("reconstruct")
    table.ask("confirm_result")
    table.ask("amend_round", **amendment(table.state.round or "", "9H TC", "KS 6D"))
    _surplus_round(table, "carry", unseen=True)
    table.dealing().cards("8C TD KC")
    table.ask("confirm_result")
    _surplus_round(table, "next_burn")
    table.ask("burn_cards", count=2)
    table.card("JC")
    _surplus_round(table, "free_coup")
    table.ask("open_free_coup")
    table.ask("cancel_free_coup")
    table.ask("open_free_coup")
    table.cards("3C TD 4S")
    table.ask("confirm_result")
    table.ask("set_manual_mode")
    table.dealing()
    for code in ("4D", "4C", "4H", "3S"):
        table.ask("deal_card", card=Card(code))
    table.ask("note_shoe_empty")
    table.ask("confirm_result")
    table.ask("set_manual_mode")


def _ghost_rounds(table: Driven) -> None:
    """A card read twice in a coup, and once more between two rounds."""
    _after_the_guard(table)
    table.cards("9D KC KC")
    table.ask("report_irregularity", code="ghost-read")
    table.ask("strike_card", number=3)
    table.rule("reconstruct")
    table.cards("TD 7H")
    table.ask("confirm_result")
    table.cards("8C 8C")
    table.ask("strike_card", number=2)
    table.rule("burn")
    table.ask("close_round")


def _void_round(table: Driven) -> None:
    """A round that is void, with a card misread and one not read, both told late."""
    _after_the_guard(table)
    table.card("6D")
    table.unread()
    table.rule("void")
    said = {"second": SECOND, "round": table.state.round}
    table.ask("correct_card", number=2, card=Card("JH"), **said)
    table.ask("close_round")
    table.ask("correct_card", number=1, card=Card("6H"), **said)


def _surplus_round(table: Driven, excess: str, *, unseen: bool = False) -> None:
    """A round of a house that does this with a surplus card, and such a card."""
    table.restart(plain_house(excess_card=excess))
    table.report(LineUp("pty", 1), None)
    if table.state.round is not None:
        table.ask("close_round")
    _after_the_guard(table)
    table.cards("9H KS TC 7D 6C")
    table.ask("note_card", number=5, unseen=unseen)
    table.rule("reconstruct")
    table.ask("confirm_result")
    table.ask("close_round")


def _doubtful_rounds(table: Driven) -> None:
    """The cable out in mid-round, lost reports, restarts, new rules, a void after the result."""
    _after_the_guard(table)
    table.card("AS", Target.PLAYER, 1)
    table.report(LineLost("pty", "closed", "end of file"), None)
    table.report(LineUp("pty", 2), None)
    table.card("3H", Target.BANKER, 1)
    table.report(inp.FaultReported(inp.FaultKind.REVERSE_MID, 7, latched=False))
    table.rule("release")
    table.ask("change_reader")
    table.ask("trust_stream")
    table.restart(plain_house(commission="0.04"))
    table.report(LineUp("pty", 1), None)
    table.cards("KD 4H 6C")
    table.ask("confirm_result")
    table.void()
    table.dealing().card("QS", Target.PLAYER, 1)
    table.report(inp.FrameRejected("checksum"))
    table.report(inp.SequenceGap("3", "5"))
    table.rule("void")
    table.betting()
    table.restart(plain_house(commission="0.04"))
    table.report(LineUp("pty", 1), None)
    table.ask("resume_table")


def _last_rounds(table: Driven) -> None:
    """The cut card in mid-coup, one more coup on another day, the count and the end."""
    table.dealing().card("4D", Target.PLAYER, 1)
    table.report(inp.CutCardDrawn())
    table.cards("9S 4C KH")
    table.ask("confirm_result")
    table.day = "20261130"
    table.dealing()
    table.report(CardDrawn(Card("TH"), Target.PLAYER, 1))
    table.cards("JC 3S 2D 7C 8D")
    table.ask("confirm_result")
    table.ask("end_shoe", left=416 - table.state.cards_out)
    _stopped_shoe(table)
    table.ask("close_table")


def _stopped_shoe(table: Driven) -> None:
    """A foreign card in the first coup of another shoe."""
    table.ask("load_shoe")
    table.dealing().card("9H")
    table.ask("report_irregularity", code="foreign-card")
    table.rule("void")
    table.ask("close_round")
    table.ask("end_shoe", left=415)


def _after_the_guard(table: Driven) -> None:
    table.dealing()
    if table.state.guard_until is not None:
        table.expire()


def rows(record: Iterable[Recorded]) -> Iterator[Row]:
    """The record as rows of a journal."""
    hashed = head = GENESIS
    for recorded in record:
        payload = None
        if recorded.public_seq is not None:
            payload = public_payload(TABLE, EPOCH, recorded)
        row = row_of(recorded, payload, TABLE, EPOCH, hashed, head)
        hashed, head = row.hash, row.head or head
        yield row


def picture_of(state: TableState) -> dict[str, Any]:
    """What a later program must make of the record: no member may ever change its meaning."""
    return {
        "seq": state.seq,
        "public_seq": state.public_seq,
        "phase": state.phase.value,
        "is_open": state.is_open,
        "suspended": state.suspended,
        "dealer": state.dealer,
        "held": [] if state.hold is None else [raised.code for raised in state.hold.raised],
        "shoe": state.shoe,
        "cards_out": state.cards_out,
        "burned": state.burned,
        "last_coup": state.last_coup,
        "round": state.round,
        "player": [card.value for card in state.shown_player],
        "banker": [card.value for card in state.shown_banker],
        "results": [
            [one.round, one.seq, one.revision, None if one.outcome is None else one.outcome.value]
            for one in state.results
        ],
        "trust": state.trust.value,
        "session": state.session,
        "ordinal": state.ordinal,
    }


def pictures(record: Iterable[Recorded]) -> list[dict[str, Any]]:
    """The state after each event that moved the table to another phase, and the last one."""
    state = TableState()
    found = []
    for recorded in record:
        before, state = state.phase, evolve(state, recorded)
        if state.phase is not before:
            found.append(picture_of(state))
    return [*found, picture_of(state)]


def states_beside(journal: Path) -> Path:
    """The file with the states that belong to a golden journal."""
    return journal.with_suffix(".states.json")


if __name__ == "__main__":
    log = (mended() if sys.argv[2:] == ["mended"] else scripted()).log
    kept_at = keep(sys.argv[1], TABLE, EPOCH, rows(log))
    lines = ",\n".join(json.dumps(one, ensure_ascii=False) for one in pictures(log))
    states_beside(kept_at).write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    print(kept_at)
