# SPDX-License-Identifier: Apache-2.0
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import Any

import msgspec
import pytest

from studio.conformance.judge import REFUSED
from studio.conformance.table import RESTORED_EPOCH, Table
from studio.conformance.transcript import evening, restamped
from studio.feed import answers, asks, wire
from studio.feed.updates import Status
from studio.game.evolve import evolve
from studio.game.snapshot import PublicState, public_state
from studio.game.state import TableState
from tests.conformance.evening import FILE, dealt, payloads

AT = datetime(2030, 2, 1, 12, tzinfo=UTC)


def table() -> Table:
    return Table(evening(), lambda: AT)


def judged(state: PublicState) -> tuple[Any, ...]:
    """What a front-end is judged by; a burn is over for players with the first bets."""
    phase = "idle" if state.phase == "shuffling" else state.phase
    results = [(one.round, one.revision, one.outcome, one.bets) for one in state.results]
    return phase, state.suspended, state.round, results


def test_the_transcript_is_what_a_table_sends_today() -> None:
    assert FILE.read_bytes().splitlines() == payloads()


def test_played_message_by_message_it_is_the_picture_that_the_real_table_had() -> None:
    real, ours = TableState(), table()
    for _, of_one_input in groupby(dealt().log, lambda recorded: recorded.at):
        for recorded in of_one_input:
            real = evolve(real, recorded)
            if recorded.public_seq is not None:
                ours.play(recorded.public_seq - 1)
        if ours.seq:
            assert judged(ours.state) == judged(public_state(real))
    assert ours.seq == len(evening().messages)


def test_only_times_and_numbers_are_not_those_of_the_table() -> None:
    for seq, line in enumerate(evening().messages, 1):
        at = datetime.fromisoformat(line["at"])
        sent = msgspec.json.encode(line)
        assert restamped(line, evening().epoch, seq, at, None) == sent
        moved = wire.decode(restamped(line, "another", seq + 5, at + timedelta(days=9), None))
        assert (moved.epoch, moved.seq, moved.type) == ("another", seq + 5, line["type"])
        for name in {"closes_at", "amendable_until"} & line["data"].keys():
            told = datetime.fromisoformat(line["data"][name])
            assert getattr(moved.data, name) == told + timedelta(days=9)


def test_the_window_for_bets_is_as_long_as_a_case_wants() -> None:
    ours = table()
    ours.betting_seconds = 4
    for index in range(evening().find("bets_opened", 1) + 1):
        message = ours.play(index)
    assert ours.state.closes_at == AT + timedelta(seconds=4)
    assert msgspec.json.decode(message.payload)["data"]["seconds"] == 4


def test_the_evening_has_every_kind_of_message_that_a_case_is_about() -> None:
    types = {line["type"] for line in evening().messages}
    assert types >= {"result_amended", "round_voided", "table_suspended", "shoe_ended"}
    assert len(evening().rounds) == 7
    with pytest.raises(IndexError):
        evening().find("result", 5)


def test_after_a_restore_there_is_another_epoch_and_what_came_later_is_not_known() -> None:
    ours = table()
    for index in range(evening().find("round_closed", 2) + 1):
        ours.play(index)
    backup, state = ours.place, ours.state
    for index in range(ours.seq, evening().find("bets_opened", 3) + 1):
        ours.play(index)
    ours.restore(backup)
    assert (ours.epoch, ours.seq, ours.head) == (RESTORED_EPOCH, 0, wire.HEAD_0)
    assert ours.state == state
    first, second, lost, *_ = evening().rounds

    def asked(round_: str) -> asks.Answer:
        ask = asks.encode(asks.AskRound(id="a", table=ours.name, round=round_))
        return asks.read_answer(answers.answer(ask, lambda: ours.view, ours.record))

    assert [len(asked(one).payloads) for one in (first, second)] == [1, 2]
    assert asked(lost).code == "unknown_round"


def test_the_word_for_a_refusal_is_that_of_the_library() -> None:
    assert Status.REFUSED.value == REFUSED
