# SPDX-License-Identifier: Apache-2.0
"""The journal: what is appended is there, whole, in order, chained, and stays so."""

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import DBAPIError

from studio.game.events import GuardEnded
from studio.store.chain import GENESIS, recorded_of, row_hash
from studio.store.database import StoreFailed
from studio.store.history import History
from studio.store.journal import Entry, Journal
from studio.store.saved_states import saved_at
from tests.store.samples import TABLE, Story, commit, confirmed, new_epoch

ROUND = "BAC-1-20261129-0001"


@dataclass
class Place:
    """Where a journal stands."""

    last_seq: int
    last_public_seq: int
    digest: bytes
    head: bytes

    @classmethod
    def of(cls, journal: Journal) -> "Place":
        return cls(journal.last_seq, journal.last_public_seq, journal.hash, journal.head)


def test_a_new_record_is_empty(url: str) -> None:
    with Journal.open(url, TABLE) as journal:
        assert Place.of(journal) == Place(0, 0, GENESIS, GENESIS)
        assert list(journal.read()) == []
        assert journal.last_checkpoint() is None


@pytest.mark.req("AUD-8")
@pytest.mark.req("DUR-14")
def test_what_was_appended_is_read_back_equal_after_reopening(url: str) -> None:
    story = Story()
    entries = story.shoe() + story.whole_round(ROUND)
    with Journal.open(url, TABLE) as journal:
        epoch = journal.epoch
        journal.append(entries[:3])
        commit(journal, entries[3:])
        stood = Place.of(journal)
        assert list(journal.read()) == [entry.recorded for entry in entries]
    with Journal.open(url, TABLE) as journal:
        assert journal.epoch == epoch
        assert Place.of(journal) == stood
        assert list(journal.read()) == [entry.recorded for entry in entries]
        assert [r.seq for r in journal.read(after_seq=5)] == list(range(6, len(entries) + 1))


@pytest.mark.req("AUD-5")
def test_every_row_commits_to_the_one_before_and_every_payload_to_the_head(url: str) -> None:
    story = Story()
    entries = story.shoe() + story.whole_round(ROUND)
    with Journal.open(url, TABLE) as journal:
        heads = [head for entry in entries for head in journal.append([entry])]
        stood, epoch = Place.of(journal), journal.epoch
    hashed, head = GENESIS, GENESIS
    with History.open(url, TABLE) as history:
        for row, entry, given in zip(history.rows(epoch), entries, heads, strict=True):
            hashed = row_hash(hashed, TABLE, epoch, row)
            assert row.hash == hashed
            assert recorded_of(row) == entry.recorded
            if entry.payload is not None:
                head = sha256(head + entry.payload).digest()
                assert (row.payload, row.head) == (entry.payload, head)
            assert given == head
    assert (stood.digest, stood.head) == (hashed, head)


@pytest.mark.req("DUR-9")
@pytest.mark.parametrize(
    "seq, public_seq, payload",
    [(1, 2, b"{}"), (4, 2, b"{}"), (2, 3, b"{}"), (2, None, b"{}"), (2, 2, None)],
)
def test_a_number_that_does_not_follow_on_is_refused(
    file_record: str, seq: int, public_seq: int | None, payload: bytes | None
) -> None:
    story = Story()
    with Journal.open(file_record, TABLE) as journal:
        journal.append(story.shoe()[:1])
        stood = Place.of(journal)
        recorded = Story(seq - 1).tell(GuardEnded())[0].recorded
        wrong = type(recorded)(
            recorded.seq,
            public_seq,
            recorded.at,
            recorded.source,
            recorded.shoe,
            recorded.round,
            recorded.event,
        )
        with pytest.raises(StoreFailed, match="does not follow on"):
            journal.append([Entry(wrong, payload)])
        assert Place.of(journal) == stood


def test_one_bad_event_takes_its_whole_transaction_with_it(url: str) -> None:
    story = Story()
    with Journal.open(url, TABLE) as journal:
        journal.append(story.shoe())
        stood = Place.of(journal)
        entries = story.opened(ROUND) + story.tell(confirmed(), round_id="no-such-round")
        with pytest.raises(StoreFailed):
            journal.append(entries)
        assert Place.of(journal) == stood
    with Journal.open(url, TABLE) as journal:
        assert Place.of(journal) == stood
    with History.open(url, TABLE) as history:
        assert history.rounds() == []


@pytest.mark.req("DUR-5")
def test_after_a_failure_nothing_more_is_taken_until_it_is_opened_again(url: str) -> None:
    story = Story()
    with Journal.open(url, TABLE) as journal:
        journal.append(story.shoe())
        with pytest.raises(StoreFailed):
            journal.append(Story(9).tell(GuardEnded()))
        with pytest.raises(StoreFailed, match="does not follow on"):
            journal.append(story.opened(ROUND))
        with pytest.raises(StoreFailed, match="does not follow on"):
            journal.checkpoint(journal.last_seq, b"state")
    with Journal.open(url, TABLE) as journal:
        journal.append(Story.of(journal).opened(ROUND))


@pytest.mark.req("RND-1")
def test_a_round_id_that_was_used_is_refused(url: str) -> None:
    with Journal.open(url, TABLE) as journal:
        journal.append(Story.of(journal).shoe())
        journal.append(Story.of(journal).whole_round(ROUND))
        with pytest.raises(StoreFailed):
            journal.append(Story.of(journal).opened(ROUND))


def test_bets_may_open_again_in_the_round_that_is_open(url: str) -> None:
    with Journal.open(url, TABLE) as journal:
        journal.append(Story.of(journal).opened(ROUND))
    with Journal.open(url, TABLE) as journal:
        journal.append(Story.of(journal).opened(ROUND))
    with History.open(url, TABLE) as history:
        assert [line.round for line in history.rounds()] == [ROUND]


def test_a_round_cannot_begin_before_the_last_is_closed(url: str) -> None:
    with Journal.open(url, TABLE) as journal:
        journal.append(Story.of(journal).opened(ROUND))
        with pytest.raises(StoreFailed):
            journal.append(Story.of(journal).opened("BAC-1-20261129-0002"))


@pytest.mark.req("AUD-7")
@pytest.mark.req("AUD-1", "AUD-7")
def test_a_row_of_the_record_can_be_neither_changed_nor_removed(url: str) -> None:
    with Journal.open(url, TABLE) as journal:
        journal.append(Story.of(journal).shoe())
        journal.append(Story.of(journal).whole_round(ROUND))
    engine = create_engine(url)
    for table in ("journal", "epochs", "revisions", "bet_results"):
        column = "profit" if table == "bet_results" else "epoch"
        for change in (f"UPDATE {table} SET {column} = 'x'", f"DELETE FROM {table}"):
            with engine.connect() as connection, pytest.raises(DBAPIError, match="append-only"):
                connection.execute(text(change))
    engine.dispose()


def test_a_checkpoint_is_found_again_and_the_newest_counts(url: str) -> None:
    with Journal.open(url, TABLE) as journal:
        for number in range(4):
            journal.append(Story.of(journal).tell(GuardEnded()))
            journal.checkpoint(journal.last_seq, b"state %d" % number)
            journal.checkpoint(journal.last_seq, b"once more")
        journal.append(Story.of(journal).tell(GuardEnded()))
        with pytest.raises(ValueError, match="at the last event, 5, not 4"):
            journal.checkpoint(4, b"too late")
    with Journal.open(url, TABLE) as journal:
        assert journal.last_checkpoint() == (4, b"state 3")
    with History.open(url, TABLE) as history:
        assert saved_at(history, history.epochs()[-1]) == [4, 3]


@pytest.mark.parametrize("column", ["blob", "hash"])
def test_a_damaged_checkpoint_is_passed_over(url: str, column: str) -> None:
    with Journal.open(url, TABLE) as journal:
        for blob in (b"first", b"second"):
            journal.append(Story.of(journal).tell(GuardEnded()))
            journal.checkpoint(journal.last_seq, blob)
    engine = create_engine(url)
    with engine.begin() as connection:
        statement = text(f"UPDATE checkpoints SET {column} = :bytes WHERE seq = 2")
        connection.execute(statement, {"bytes": b"x" * 32})
    engine.dispose()
    with Journal.open(url, TABLE) as journal:
        assert journal.last_checkpoint() == (1, b"first")


def test_idle_keeps_every_row_and_the_log_short(file_record: str, tmp_path: Path) -> None:
    with Journal.open(file_record, TABLE) as journal:
        log = tmp_path / "BAC-1.db-wal"
        length = log.stat().st_size
        for _ in range(60):
            journal.append(Story.of(journal).tell(*[GuardEnded()] * 40))
            journal.idle()
        assert log.stat().st_size == length
        stood = Place.of(journal)
    with Journal.open(file_record, TABLE) as journal:
        assert Place.of(journal) == stood
        assert sum(1 for _ in journal.read()) == 2400


def test_a_new_epoch_numbers_from_one_and_the_whole_record_is_still_read(url: str) -> None:
    with Journal.open(url, TABLE) as journal:
        journal.append(Story.of(journal).shoe())
        first = journal.epoch
    second = new_epoch(url)
    with Journal.open(url, TABLE) as journal:
        assert (journal.epoch, journal.last_seq, journal.head) == (second, 1, GENESIS)
        journal.append(Story.of(journal).whole_round(ROUND))
        assert [r.seq for r in journal.read()] == [1, 2, *range(1, journal.last_seq + 1)]
        assert [r.seq for r in journal.read(after_seq=1)] == list(range(2, journal.last_seq + 1))
    with History.open(url, TABLE) as history:
        assert history.epochs() == [first, second]


def test_a_time_without_a_zone_is_refused(file_record: str) -> None:
    recorded = Story().tell(GuardEnded())[0].recorded
    at = recorded.at.replace(tzinfo=None)
    naive = type(recorded)(1, None, at, recorded.source, None, None, GuardEnded())
    with Journal.open(file_record, TABLE) as journal, pytest.raises(ValueError, match="aware"):
        journal.append([Entry(naive, None)])
