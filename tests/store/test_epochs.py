# SPDX-License-Identifier: Apache-2.0
"""An epoch begins on a stopped table's record, and says where the one before ended."""

from datetime import timedelta

import pytest

from studio.game.events import EpochBegun
from studio.store.chain import GENESIS, row_hash
from studio.store.database import InUse, StoreFailed
from studio.store.epochs import Given
from studio.store.history import History
from studio.store.journal import Journal
from studio.store.schema import create
from tests.store.samples import NOON, TABLE, Story, new_epoch

ROUND = "BAC-1-20261129-0214"


def _begun(url: str) -> EpochBegun:
    with Journal.open(url, TABLE) as journal:
        (*_, last) = journal.read()
    assert isinstance(last.event, EpochBegun)
    assert (last.seq, last.public_seq) == (1, None)
    return last.event


@pytest.mark.req("DUR-15", "FEED-12")
def test_its_first_event_names_the_end_of_the_epoch_before(url: str) -> None:
    with Journal.open(url, TABLE) as journal:
        journal.append(Story().shoe() + Story(2, 1).whole_round(ROUND))
        stood = (journal.epoch, journal.last_seq, journal.hash.hex())
        public = (journal.last_public_seq, journal.head.hex())
    second = new_epoch(url, given=Given(rounds=300))
    begun = _begun(url)
    assert (begun.from_epoch, begun.from_seq, begun.from_hash) == stood
    assert (begun.from_public_seq, begun.from_head) == public
    assert (begun.reason, begun.by, begun.rounds_given) == ("a test", "root", 300)
    with History.open(url, TABLE) as history:
        assert history.epochs() == [stood[0], second]
        (row,) = history.rows(second)
        assert row_hash(GENESIS, TABLE, second, row) == row.hash


def test_it_counts_a_lost_number_for_each_second_since_the_last_event(url: str) -> None:
    with Journal.open(url, TABLE) as journal:
        journal.append(Story().shoe())
    new_epoch(url, seconds=61.5)
    assert _begun(url).lost == 60
    new_epoch(url, seconds=61.5)
    assert _begun(url).lost == 1


def test_it_is_refused_while_the_table_is_served(url: str) -> None:
    with Journal.open(url, TABLE) as journal:
        journal.append(Story().shoe())
        with pytest.raises(InUse, match="end that one first"):
            new_epoch(url)
        assert len(journal.append(Story.of(journal).whole_round(ROUND))) == 9


def test_it_is_refused_where_the_clock_is_behind_the_record(url: str) -> None:
    with Journal.open(url, TABLE) as journal:
        journal.append(Story().shoe())
    with pytest.raises(StoreFailed, match="set the clock"):
        new_epoch(url, seconds=1)


def test_a_record_in_which_nothing_happened_yet_counts_from_when_it_was_made(file_url: str) -> None:
    create(file_url, TABLE)
    with History.open(file_url, TABLE) as history:
        made = history.last_at()
    seconds = (made + timedelta(seconds=9) - NOON).total_seconds()
    new_epoch(file_url, seconds=seconds)
    assert (_begun(file_url).from_seq, _begun(file_url).lost) == (0, 10)
