# SPDX-License-Identifier: Apache-2.0
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest

from studio.conformance.judge import Fault, Judge, View, view_of
from studio.conformance.table import Table
from studio.conformance.transcript import evening

AT = datetime(2030, 2, 1, 12, tzinfo=UTC)
FIRST, SECOND, THIRD, *_ = evening().rounds
TABLE = Table(evening(), lambda: AT)
for _index in range(evening().find("shoe_ended") + 1):
    TABLE.play(_index)


def place(type_: str, round_: int, nth: int = 1) -> int:
    """The number of that message."""
    return evening().find(type_, round_, nth) + 1


def right(seq: int) -> dict[str, Any]:
    """What a front-end says that is right, after this message."""
    state = TABLE.states[TABLE.epoch, seq]
    return {
        "table": TABLE.name,
        "epoch": TABLE.epoch,
        "seq": seq,
        "open": state.phase == "bets_open",
        "round": state.round,
        "results": {
            one.round: {
                "revision": one.revision,
                "outcome": None if one.outcome is None else one.outcome.value,
                "paid": one.bets,
            }
            for one in state.results
        },
    }


def judge() -> Judge:
    return Judge(TABLE.name, TABLE.states, TABLE.sayings)


def said(line: dict[str, Any], by: Judge | None = None) -> Fault | None:
    view = view_of(msgspec.json.encode(line))
    assert isinstance(view, View), view
    return (by or judge()).fault_of(view)


def booked(seq: int, round_: str, **changes: Any) -> Fault | None:
    """What is said to a line that is right but for this round."""
    line = right(seq)
    line["results"] = {**line["results"], round_: {**line["results"][round_], **changes}}
    return said(line)


def test_whoever_says_after_each_message_what_is_so_is_right() -> None:
    one = judge()
    for seq in range(TABLE.seq + 1):
        assert said(right(seq), one) is None


def test_whoever_leaves_messages_out_is_no_wrong_one_and_may_take_no_bets_at_any_time() -> None:
    one = judge()
    for seq in range(0, TABLE.seq + 1, 7):
        assert said(right(seq) | {"open": False}, one) is None


def test_before_it_has_joined_it_says_nothing_but_that_no_bets_are_open() -> None:
    nothing = {**right(0), "epoch": None}
    assert said(nothing) is None
    assert said({**nothing, "open": True}) == ("no bets before it has joined", "open")


@pytest.mark.parametrize(
    "seq", [place("bets_closed", 1), place("result", 1), place("round_closed", 1)]
)
def test_bets_open_when_they_are_not_is_wrong(seq: int) -> None:
    fault = said(right(seq) | {"open": True})
    assert fault is not None
    assert fault.said == "open"


def test_bets_open_while_suspended_is_wrong() -> None:
    fault = said(right(evening().find("table_suspended") + 1) | {"open": True})
    assert fault is not None
    assert "suspended" in fault.expected


@pytest.mark.parametrize(
    "changes",
    [
        {"table": "BAC-2"},
        {"round": "BAC-1-20261129-0009"},
        {"round": None},
        {"seq": 5000},
        {"epoch": "another"},
    ],
)
def test_another_table_round_number_or_epoch_is_wrong(changes: dict[str, Any]) -> None:
    assert said(right(place("bets_opened", 2)) | changes) is not None


def test_neither_numbers_nor_epochs_go_back() -> None:
    one = judge()
    assert said(right(20), one) is None
    assert said(right(19), one) == ("message 20 or beyond", "message 19")
    restored = Table(evening(), lambda: AT)
    restored.play(0)
    restored.restore(restored.place)
    one = Judge(TABLE.name, {**TABLE.states, **restored.states}, TABLE.sayings)
    assert said(right(0), one) is None
    assert said({**right(0), "epoch": restored.epoch}, one) is None
    assert said(right(0), one) is not None


def test_a_result_that_is_missing_superseded_made_up_or_another_one_is_wrong() -> None:
    seq = place("round_closed", 2)
    assert booked(seq, SECOND) is None
    line = right(seq)
    del line["results"][FIRST]
    assert said(line) == (f"a result of round {FIRST}", "none")
    assert booked(seq, SECOND, revision=1) == (f"round {SECOND}: revision 2 stands", "revision 1")
    assert booked(seq, SECOND, revision=9) is not None
    assert booked(seq, SECOND, outcome="tie") is not None
    assert booked(seq, SECOND, outcome=None) is not None


def test_a_later_revision_than_its_number_says_is_right_and_there_is_no_way_back() -> None:
    one, seq = judge(), place("result", 2)
    ahead = right(seq)
    ahead["results"] = right(place("result_amended", 2))["results"]
    assert said(ahead, one) is None
    assert said(right(seq), one) == (f"round {SECOND}: revision 2 stands", "revision 1")


def test_a_round_paid_twice_by_half_or_not_at_all_is_wrong() -> None:
    seq = place("result", 1)
    assert booked(seq, FIRST, paid={"player": "1.00"}) is None
    for paid in ({"player": "2"}, {"player": "x"}, {"dragon": "1"}, {}):
        assert booked(seq, FIRST, paid=paid) is not None


def test_of_a_void_round_nothing_is_paid_in_the_end() -> None:
    seq = place("round_voided", 1)
    assert booked(seq, FIRST) is None
    assert booked(seq, FIRST, paid={"player": "0"}) is None
    assert booked(seq, FIRST, paid={"player": "1"}) is not None


@pytest.mark.parametrize("line", [b"hello\n", b'{"table":"BAC-1"}\n', b"\xff\n", b"[]\n"])
def test_what_is_no_line_of_a_view_is_a_fault(line: bytes) -> None:
    assert isinstance(view_of(line), Fault)
