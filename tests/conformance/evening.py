# SPDX-License-Identifier: Apache-2.0
"""The evening that the conformance kit plays, dealt at a real table.

``python -m tests.conformance.evening`` writes the transcript anew, as is due when a public
message gets a new member; the cases of the kit count its rounds.
"""

from pathlib import Path

from studio.conformance.transcript import EVENING, FOLDER
from studio.feed.wire import public_payload
from tests.game.table_driver import FACTS, Driven, amendment, plain_house

FILE = Path(__file__).parents[2] / "studio" / "conformance" / FOLDER / EVENING
EPOCH = "3c1f6a52-0d5e-4c8b-9a57-6f1f0b7f2d90"


def dealt() -> Driven:
    """From the opening of the table to its end; every round in it is there for a case."""
    table = Driven(plain_house()).ready()
    _over(table.played("9H KS TC 7D"))
    _amended_at_once(table)
    _amended_while_bets_are_open(table)
    _suspended_and_voided_after_its_result(table)
    table.dealing().cards("4D 9S")
    _over(table, "void_round")
    _another_voided_while_bets_are_open(table)
    _of_the_shoe_before_amended(table)
    table.ask("close_table")
    return table


def _over(table: Driven, *last: str) -> None:
    for command in (*last, "close_round"):
        table.ask(command)


def _round(table: Driven, number: int) -> str:
    return table.state.results[number - 1].round


def _amended_at_once(table: Driven) -> None:
    """Round 2: another dealer while bets are open, and a result put right before it is over."""
    table.betting()
    table.ask("change_dealer", dealer="Zoë")
    table.expire()
    table.cards("2H 2S KC QD 9C 4S")
    table.ask("confirm_result")
    table.ask("amend_round", **amendment(_round(table, 2), "2H KC 6C", "2S QD 4S"))
    table.ask("close_round")


def _amended_while_bets_are_open(table: Driven) -> None:
    """Round 3: round 2 is put right once more, then a card too many is seen and taken away."""
    table.betting()
    table.ask("amend_round", **amendment(_round(table, 2), "2H KC 9C", "2S QD 9D"))
    table.ask("change_dealer", dealer="Anna")
    table.expire()
    table.cards("6D 7S KC QD JH")
    table.rule("reconstruct")
    _over(table, "confirm_result")


def _suspended_and_voided_after_its_result(table: Driven) -> None:
    """Round 4: bets are closed by a suspension and opened again; the result does not stand."""
    table.betting()
    table.ask("suspend_table", reason="review")
    table.ask("resume_table")
    table.ask("open_bets")
    table.expire()
    table.cards("6H 6S KC QD")
    table.ask("confirm_result")
    _over(table, "void_round")


def _another_voided_while_bets_are_open(table: Driven) -> None:
    """Round 6: round 1, long over, is void."""
    table.betting()
    table.ask("void_round", round=_round(table, 1))
    table.ask("change_dealer", dealer="Zoë")
    table.expire()
    table.cards("8C TD KH 7H")
    _over(table, "confirm_result")


def _of_the_shoe_before_amended(table: Driven) -> None:
    """Round 7, of another shoe: round 6 is put right while bets are open."""
    before = _round(table, 6)
    table.ask("end_shoe", left=416 - table.state.cards_out)
    table.ask("load_shoe")
    table.betting()
    table.ask("amend_round", **amendment(before, "8C KH", "TD 9H"))
    table.ask("change_dealer", dealer="Anna")
    table.expire()
    table.cards("TH JC 3S 2D 7C 8D")
    _over(table, "confirm_result")


def payloads() -> list[bytes]:
    """What the table's public feed sent."""
    return [
        public_payload(FACTS.table, EPOCH, recorded)
        for recorded in dealt().log
        if recorded.public_seq is not None
    ]


if __name__ == "__main__":
    FILE.write_bytes(b"".join(payload + b"\n" for payload in payloads()))
    print(FILE)
