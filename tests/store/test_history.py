# SPDX-License-Identifier: Apache-2.0
"""Reading a record while it is written."""

import threading

import pytest
from sqlalchemy import insert
from sqlalchemy.exc import DBAPIError

from studio.game.events import GuardEnded
from studio.store.chain import GENESIS, time_text
from studio.store.database import parse_url, reading_engine
from studio.store.history import CorrectionLine, History
from studio.store.journal import Journal
from studio.store.models import epochs
from tests.store.samples import TABLE, Story, amended, new_epoch, voided

FIRST, SECOND = "BAC-1-20261129-0001", "BAC-1-20261129-0002"


def test_payloads_are_the_bytes_that_were_given_in_order_of_their_number(url: str) -> None:
    story = Story()
    entries = story.shoe() + story.whole_round(FIRST)
    sent = [e.payload for e in entries if e.payload is not None]
    with Journal.open(url, TABLE) as journal, History.open(url, TABLE) as history:
        journal.append(entries)
        epoch = journal.epoch
        assert history.payloads(epoch, 0, 500) == list(enumerate(sent, 1))
        assert history.payloads(epoch, 3, 2) == [(4, sent[3]), (5, sent[4])]
        assert history.payloads(epoch, len(sent), 500) == []
        assert history.payloads("another", 0, 500) == []


@pytest.mark.req("AUD-6")
def test_the_head_after_any_public_message_can_be_asked_for(url: str) -> None:
    story = Story()
    with Journal.open(url, TABLE) as journal, History.open(url, TABLE) as history:
        epoch = journal.epoch
        heads = [journal.append([e])[0] for e in story.shoe() + story.opened(FIRST)]
        assert history.head_at(epoch, 0) == GENESIS
        assert [history.head_at(epoch, n) for n in (1, 2, 3)] == [heads[0], heads[2], heads[3]]
        assert history.head_at(epoch, 4) is None
        assert history.last_public(epoch) == (3, journal.head)


def test_a_round_is_answered_with_result_amendments_and_voids_of_any_epoch(url: str) -> None:
    story = Story()
    with Journal.open(url, TABLE) as journal:
        journal.append(story.whole_round(FIRST) + story.whole_round(SECOND))
        more = story.tell(amended(FIRST, 2, 7), round_id=FIRST)
        journal.append(more)
    new_epoch(url)
    with Journal.open(url, TABLE) as journal, History.open(url, TABLE) as history:
        last = Story(1).tell(voided(FIRST, 3, 7), round_id=FIRST)
        journal.append(last)
        found = history.round_payloads(FIRST)
        assert found[1:] == [more[0].payload, last[0].payload]
        assert b'"type": "result"' in found[0]
        assert len(history.round_payloads(SECOND)) == 1
        assert history.round_payloads("BAC-1-20261129-0003") == []
        assert history.has_round(SECOND)
        assert not history.has_round("BAC-1-20261129-0003")


def test_the_corrections_of_a_table_are_its_amendments_and_voids_of_any_epoch(url: str) -> None:
    story = Story()
    with Journal.open(url, TABLE) as journal:
        journal.append(story.whole_round(FIRST) + story.whole_round(SECOND))
        amendment = story.tell(amended(FIRST, 2, 7), round_id=FIRST)
        journal.append(amendment)
    new_epoch(url)
    with Journal.open(url, TABLE) as journal, History.open(url, TABLE) as history:
        void = Story(1).tell(voided(FIRST, 3, 7), round_id=FIRST)
        journal.append(void)
        times = [time_text(entry.recorded.at) for entry in amendment + void]
        first, second = history.epochs()
        assert history.corrections() == [
            CorrectionLine(first, FIRST, 2, "result_amended", times[0]),
            CorrectionLine(second, FIRST, 3, "round_voided", times[1]),
        ]
        with History.open(url, "BAC-2") as other:
            assert other.corrections() == []


@pytest.mark.req("VOID-3")
def test_rounds_are_listed_newest_first_and_by_day(url: str) -> None:
    story = Story()
    ids = [f"BAC-1-2026112{day}-000{n}" for day in (8, 9) for n in (1, 2, 3)]
    with Journal.open(url, TABLE) as journal:
        for round_id in ids:
            journal.append(story.whole_round(round_id, day=round_id[6:14]))
        journal.append(story.opened("BAC-1-20261130-0001", "20261130"))
    with History.open(url, TABLE) as history:
        listed = history.rounds()
        assert [line.round for line in listed] == ["BAC-1-20261130-0001", *reversed(ids)]
        assert (listed[0].status, listed[0].outcome) == ("in_progress", None)
        assert listed[1][7:] == ("player", "9H KD", "3S 4C", 9, 7, None)
        assert [line.round for line in history.rounds(limit=2, day="20261128")] == ids[2:0:-1]
        assert [r.round for r in history.rounds(status="in_progress")] == ["BAC-1-20261130-0001"]


def test_a_long_journal_is_read_in_chunks_without_a_hole(file_record: str) -> None:
    with Journal.open(file_record, TABLE) as journal:
        journal.append(Story().tell(*[GuardEnded()] * 10_001))
        with History.open(file_record, TABLE) as history:
            assert [r.seq for r in history.rows(journal.epoch)] == list(range(1, 10_002))
            assert [r.seq for r in history.last_rows(journal.epoch, 2)] == [10_000, 10_001]


def test_a_reader_in_another_thread_sees_what_is_committed(url: str) -> None:
    seen: list[int] = []

    def read() -> None:
        with History.open(url, TABLE) as history:
            seen.extend(seq for seq, _ in history.payloads(history.epochs()[-1], 0, 10))

    with Journal.open(url, TABLE) as journal:
        journal.append(Story().opened(FIRST))
        thread = threading.Thread(target=read)
        thread.start()
        thread.join(20)
    assert seen == [1, 2]


def test_a_reader_cannot_write(url: str) -> None:
    row = {"table_id": "BAC-2", "ordinal": 1, "epoch": "e", "created": "now"}
    with reading_engine(parse_url(url)).connect() as connection, pytest.raises(DBAPIError):
        connection.execute(insert(epochs), row)
