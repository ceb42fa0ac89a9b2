# SPDX-License-Identifier: Apache-2.0
"""All that a record has of one round."""

import pytest
from msgspec.structs import replace

from studio.game import events as ev
from studio.game.cards import Card
from studio.game.inputs import CorrectCard, OpenBets
from studio.lookback.round_record import round_record
from studio.store.database import StoreFailed
from studio.store.epochs import begin_epoch
from studio.store.history import History
from studio.store.journal import Journal
from tests.game.table_driver import BY, SECOND
from tests.lookback.evening import BANKER_WINS, PLAYER_WINS, TABLE, TIES, Evening
from tests.store.samples import new_epoch
from tests.store.test_schema import execute


def test_a_round_has_every_event_while_it_lasted_and_the_revisions_given_later(url: str) -> None:
    evening = Evening()
    first = evening.play(PLAYER_WINS)
    second = evening.play(BANKER_WINS, held=True)
    evening.amend(second)
    third = evening.play(TIES)
    with Journal.open(url, TABLE) as journal, History.open(url, TABLE) as history:
        told = evening.keep(journal)
        record = round_record(history, second)
        assert record is not None
        during = [one for one in told if one.round == second]
        assert [one.recorded for one in record.all] == during
        assert [type(event) for _, event in record.revisions] == [
            ev.ResultConfirmed,
            ev.ResultAmended,
        ]
        assert record.later == (record.revisions[1][0],)
        assert record.is_closed
        assert record.staff == (BY, SECOND)
        assert len(record.origins) == 5
        assert (record.line.outcome, record.line.revision) == ("banker", 2)
        for other in (first, third):
            told_of = round_record(history, other)
            assert told_of is not None
            assert {one.recorded.round for one in told_of.entries} == {other}


@pytest.mark.parametrize("is_restored", [False, True])
def test_a_card_of_a_void_round_that_is_corrected_rounds_later_is_told_of_it(
    url: str, is_restored: bool
) -> None:
    evening = Evening()
    first = evening.play(PLAYER_WINS)
    evening.void_past(first)
    evening.play(TIES)
    table = evening.table
    if is_restored:
        with Journal.open(url, TABLE) as journal:
            evening.keep(journal)
        new_epoch(url)
        # the epoch's own first event is number 1
        table.state = replace(table.state, seq=1, public_seq=0)
    said = CorrectCard(by=BY, number=1, card=Card("9D"), second=SECOND, round=first)
    (corrected,) = table.give(said)
    table.ask("end_shoe")
    table.ask("load_shoe")
    with Journal.open(url, TABLE) as journal, History.open(url, TABLE) as history:
        evening.keep(journal)
        record = round_record(history, first)
        other = round_record(history, evening.rounds[1])
    assert record is not None
    assert other is not None
    assert [one.recorded.event for one in record.later][1:] == [corrected]
    assert other.later == ()


def test_a_round_under_way_at_a_restore_goes_on_in_the_next_epoch(url: str) -> None:
    evening = Evening()
    evening.play(PLAYER_WINS)
    table = evening.table
    table.give(OpenBets(by=BY))
    round_id = table.state.round
    assert round_id is not None
    with Journal.open(url, TABLE) as journal:
        before = evening.keep(journal)
    epoch = begin_epoch(url, TABLE, at=table.now, day=table.day, reason="disk lost", by="root")
    with History.open(url, TABLE) as history:
        record = round_record(history, round_id)
    assert record is not None
    assert [one.recorded for one in record.entries[:-1]] == [
        one for one in before if one.round == round_id
    ]
    assert record.entries[-1].epoch == epoch
    assert isinstance(record.entries[-1].recorded.event, ev.EpochBegun)
    assert not record.is_closed


def test_a_round_that_never_was_has_no_record(url: str) -> None:
    with History.open(url, TABLE) as history:
        assert round_record(history, "BAC-1-20261129-0001") is None


def test_an_event_that_cannot_be_read_is_named(file_record: str) -> None:
    evening = Evening()
    round_id = evening.play(PLAYER_WINS)
    with Journal.open(file_record, TABLE) as journal:
        evening.keep(journal)
    execute(file_record, "DROP TRIGGER journal_no_update")
    execute(file_record, "UPDATE journal SET event = x'7b7d' WHERE type = 'bets_closed'")
    with (
        History.open(file_record, TABLE) as history,
        pytest.raises(StoreFailed, match=r"event \d+ cannot be read .*`studio verify`"),
    ):
        round_record(history, round_id)
