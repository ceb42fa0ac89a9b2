# SPDX-License-Identifier: Apache-2.0
"""Any moment of a record can be seen again, as the table stood."""

import pytest

from studio.game.evolve import evolve
from studio.game.state import TableState
from studio.lookback import replay
from studio.lookback.replay import step_at, steps_of
from studio.lookback.round_record import round_record
from studio.lookback.told import head_of, told_of, words_of
from studio.saved import to_save
from studio.store.database import StoreFailed
from studio.store.epochs import begin_epoch
from studio.store.history import History
from studio.store.journal import EVENTS_BETWEEN_SAVED, Journal
from tests.lookback.evening import BANKER_WINS, PLAYER_WINS, TABLE, TIES, Evening
from tests.store.samples import Story
from tests.store.test_schema import execute


def states_of(evening: Evening) -> dict[int, TableState]:
    """The state after each event, folded here."""
    state, found = TableState(), {}
    for recorded in evening.table.log:
        state = found[recorded.seq] = evolve(state, recorded)
    return found


def test_every_event_of_the_record_shows_the_table_as_it_stood(url: str) -> None:
    evening = Evening()
    evening.play(PLAYER_WINS)
    evening.play(BANKER_WINS, held=True)
    states = states_of(evening)
    with Journal.open(url, TABLE) as journal, History.open(url, TABLE) as history:
        evening.keep(journal)
        for seq, state in states.items():
            assert step_at(history, journal.epoch, seq).state == state


def test_a_round_is_replayed_with_the_amendment_that_came_two_rounds_later(url: str) -> None:
    evening = Evening()
    first = evening.play(BANKER_WINS, held=True)
    evening.play(PLAYER_WINS)
    evening.amend(first)
    evening.play(TIES)
    states = states_of(evening)
    with Journal.open(url, TABLE) as journal, History.open(url, TABLE) as history:
        own = [one for one in evening.keep(journal) if one.round == first]
        record = round_record(history, first)
        assert record is not None
        steps = list(steps_of(history, record))
    assert [step.entry.recorded for step in steps] == own
    assert all(step.state == states[step.entry.row.seq] for step in steps)
    # what a console drew: the last event of each input
    ats = [one.at for one in own]
    assert [step.is_whole for step in steps] == [
        at != after for at, after in zip(ats, [*ats[1:], None], strict=True)
    ]
    assert not all(step.is_whole for step in steps)


def test_every_line_says_that_it_is_a_replay_and_of_which_game(file_record: str) -> None:
    evening = Evening()
    played = evening.play(BANKER_WINS, held=True)
    evening.amend(played)
    with Journal.open(file_record, TABLE) as journal:
        evening.keep(journal)
    with History.open(file_record, TABLE) as history:
        record = round_record(history, played)
        assert record is not None
        head = head_of(record, {"s-001": "Anna Rossi"})
        told = [told_of(TABLE, step, head.game, {}) for step in steps_of(history, record)]
    assert (head.replay, head.game.final, head.game.banker) == (True, "banker 8-9", "KS 9D")
    assert head.game.closed_at == record.line.closed_at is not None
    assert [one.event.revision for one in head.revisions] == [1, 2]
    assert [(one.id, one.name) for one in head.revisions[1].staff] == [
        ("s-001", "Anna Rossi"),
        ("s-002", ""),
    ]
    assert all(one.replay and one.game == head.game for one in told)
    assert [one.raw for one in told if one.type == "card_dealt"] == ["00"] * 5
    assert words_of(record.entries[3]) == (
        "card_dealt · position B1 · card 3S · player_total 2 · banker_total 3"
    )


def test_the_fold_begins_at_the_nearest_state_of_this_program(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening = Evening()
    states: dict[int, TableState] = {}
    with Journal.open(url, TABLE) as journal, History.open(url, TABLE) as history:
        for cards in (PLAYER_WINS, BANKER_WINS, TIES):
            evening.play(cards)
            evening.keep(journal)
            states[journal.last_seq] = evening.table.state
            journal.checkpoint(journal.last_seq, to_save(evening.table.state))
        last, before = sorted(states, reverse=True)[:2]
        assert step_at(history, journal.epoch, last).state == states[last]
        state, _, seq = replay._nearest(history, journal.epoch, last)
        assert (seq, state) == (before, states[before])
        monkeypatch.setattr(replay, "saved_state", lambda _blob: None)
        assert replay._nearest(history, journal.epoch, last)[2] == 0
        assert step_at(history, journal.epoch, last).state == states[last]


def test_a_later_epoch_is_folded_from_the_one_before(url: str) -> None:
    evening = Evening()
    evening.play(PLAYER_WINS)
    table = evening.table
    with Journal.open(url, TABLE) as journal:
        evening.keep(journal)
    begin_epoch(url, TABLE, at=table.now, day=table.day, reason="lost", by="root")
    with History.open(url, TABLE) as history:
        first, second = history.epochs()
        state = step_at(history, second, 1).state
        assert (state.is_restored, state.results) == (True, table.state.results)
        assert step_at(history, first, table.state.seq).state == table.state


def test_an_event_that_is_not_there_is_told_with_where_they_end(url: str) -> None:
    evening = Evening()
    with Journal.open(url, TABLE) as journal, History.open(url, TABLE) as history:
        evening.keep(journal)
        with pytest.raises(StoreFailed, match=f"no event 999: they end at {journal.last_seq}"):
            step_at(history, journal.epoch, 999)


def test_an_event_that_cannot_follow_is_named(file_record: str) -> None:
    evening = Evening()
    evening.play(PLAYER_WINS)
    with Journal.open(file_record, TABLE) as journal:
        evening.keep(journal)
        epoch, last = journal.epoch, journal.last_seq
    execute(file_record, "DROP TRIGGER journal_no_update")
    execute(
        file_record,
        "UPDATE journal SET event = (SELECT event FROM journal WHERE type = 'shoe_loaded') "
        "WHERE type = 'bets_closed'",
    )
    with (
        History.open(file_record, TABLE) as history,
        pytest.raises(StoreFailed, match=r"cannot follow .*`studio verify`"),
    ):
        step_at(history, epoch, last)


def test_of_old_states_one_every_so_often_is_kept(
    file_record: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert EVENTS_BETWEEN_SAVED <= 20_000, "a look back would fold for seconds"
    monkeypatch.setattr("studio.store.journal.EVENTS_BETWEEN_SAVED", 30)
    with (
        Journal.open(file_record, TABLE) as journal,
        History.open(file_record, TABLE) as history,
    ):
        story = Story()
        for number in range(20):
            journal.append(story.whole_round(f"BAC-1-20261129-{number:04d}"))
            journal.checkpoint(journal.last_seq, b"state")
        kept = history.last_saved(journal.epoch, 100)
    assert kept[:2] == [180, 171]
    assert kept[2:] == [144, 108, 72, 36], "each at least thirty events after the one before"
