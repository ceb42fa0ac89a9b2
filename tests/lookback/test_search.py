# SPDX-License-Identifier: Apache-2.0
"""Rounds are found as somebody would find them who folds the whole journal."""

import itertools
import random

import pytest
from msgspec.structs import replace

from studio.game.inputs import LineUp, OpenBets
from studio.store.history import History
from studio.store.journal import Journal
from studio.store.schema import create
from studio.store.search import Sought
from tests.game.table_driver import BY, FACTS, Driven
from tests.lookback.evening import DEALERS, IDS, PLAYER_WINS, TABLE, TIES, Evening
from tests.lookback.naive import fitting, rounds_of
from tests.store.samples import Story

RAISED = "exposed-in-deal"


def test_what_is_found_is_what_a_look_at_every_round_finds(url: str) -> None:
    evening = Evening()
    evening.many(40)
    evening.table.give(OpenBets(by=BY))
    with Journal.open(url, TABLE) as journal:
        rounds = rounds_of(evening.keep(journal))
    times = sorted(one.opened_at for one in rounds.values())
    places = [(one.opened_at, one.id) for one in rounds.values()]
    asked = [
        Sought(*made)
        for made in itertools.product(
            ((), (TABLE,), ("BAC-2", "BAC-3")),
            (None, next(iter(rounds)), "BAC-1-20261129-9999"),
            (None, times[7], "2026-11-29T13"),
            (None, times[30], "2026-11-29T13"),
            (None, *DEALERS, *IDS[:2], "Nobody"),
            (None, "player", "banker", "tie", "void"),
            (None, RAISED, "card-lost"),
            (None, places[20]),
            (5, 50),
        )
    ]
    counts = set()
    with History.open(url, TABLE) as history:
        for sought in [*random.Random(2).sample(asked, 300), Sought()]:
            found = [one.round for one in history.search(sought)]
            is_here = not sought.tables or TABLE in sought.tables
            assert found == (fitting(rounds.values(), sought) if is_here else []), sought
            counts.add(len(found))
    assert len(counts) > 5, "the samples find next to nothing"


def test_a_round_is_told_with_its_dealers_what_went_wrong_and_what_stands(url: str) -> None:
    evening = Evening()
    played = evening.play(PLAYER_WINS, by="s-007", held=True, relieved_by="Bea")
    evening.amend(played)
    other = evening.play(TIES)
    evening.void_past(other)
    with Journal.open(url, TABLE) as journal, History.open(url, TABLE) as history:
        evening.keep(journal)
        last, first = history.search(Sought())
    assert (first.round, first.table, first.dealers) == (played, TABLE, ("Anna", "s-007", "Bea"))
    assert first.irregularities == (RAISED,)
    assert (first.outcome, first.revision, first.banker) == ("banker", 2, "KS 9D")
    assert (last.outcome, last.status, last.revision) == ("void", "void", 2)


def test_who_deals_is_known_again_when_the_journal_is_opened_in_a_round(url: str) -> None:
    evening = Evening()
    table = evening.table
    table.give(OpenBets(by="s-007"))
    with Journal.open(url, TABLE) as journal:
        told = evening.keep(journal)
    with Journal.open(url, TABLE) as journal, History.open(url, TABLE) as history:
        under_way = history.under_way()
        assert (under_way.round, under_way.dealer) == (table.state.round, "Anna")
        table.ask("change_dealer", dealer="Bea")
        told += evening.keep(journal)
    with Journal.open(url, TABLE) as journal, History.open(url, TABLE) as history:
        assert history.under_way().dealer == "Bea"
        (found,) = history.search(Sought(dealer="Bea"))
        assert found.dealers == ("Anna", "s-007", "Bea")
        assert history.dealers() == ["Anna", "Bea", "s-007"]


def test_a_dealer_who_comes_twice_in_a_round_is_told_once_and_found_once(url: str) -> None:
    evening = Evening()
    table = evening.table
    table.give(OpenBets(by=BY))
    for name in ("Bea", "Anna", "Bea", "a name longer than any screen has room for " * 9):
        table.ask("change_dealer", dealer=name)
    with Journal.open(url, TABLE) as journal, History.open(url, TABLE) as history:
        evening.keep(journal)
        (found,) = history.search(Sought(dealer="Bea", limit=2))
    assert found.dealers[:3] == ("Anna", BY, "Bea")
    assert len(found.dealers) == 4


def test_tables_that_share_a_server_are_told_apart(server_url: str) -> None:
    told = {}
    for table in ("BAC-1", "BAC-2", "BAC-3"):
        create(server_url, table)
        with Journal.open(server_url, table) as journal:
            told[table] = f"{table}-20261129-0001"
            journal.append(Story().whole_round(told[table]))
    with History.open(server_url, "BAC-1") as history:

        def found(*tables: str, outcome: str | None = "player") -> list[str]:
            sought = Sought(tables=tables, outcome=outcome)
            return [one.round for one in history.search(sought)]

        assert found("BAC-2") == [told["BAC-2"]]
        assert found("BAC-3", "BAC-1") == [told["BAC-3"], told["BAC-1"]]
        assert found("BAC-1", outcome=None) == [told["BAC-1"]]
        assert len(found()) == len(found(*told)) == 3
        assert found("BAC-1", outcome="tie") == []


def test_a_list_of_any_length_keeps_its_order(file_record: str) -> None:
    story = Story()
    numbers = [f"BAC-1-20261129-{number:04d}" for number in range(1, 1102)]
    with Journal.open(file_record, TABLE) as journal:
        journal.append(
            [one for number in numbers for one in story.opened(number) + story.closed(number)]
        )
    with History.open(file_record, TABLE) as history:
        for limit in (1, 499, 500, 501, 1200):
            found = [one.round for one in history.search(Sought(limit=limit))]
            assert found == numbers[::-1][:limit]


@pytest.mark.req("VID-1", "DSP-2")
def test_every_round_is_found_with_its_recording_and_its_times(url: str) -> None:
    table = Driven()
    table.restart(facts=replace(FACTS, video_stream="recorder-2/bac-1"))
    table.ready().played()
    table.restart(facts=FACTS)
    table.report(LineUp("pty", 2))
    table.played()
    table.ask("close_round")
    evening = Evening()
    evening.table = table
    with Journal.open(url, TABLE) as journal, History.open(url, TABLE) as history:
        evening.keep(journal)
        last, first = history.search(Sought())
    assert (first.video_stream, last.video_stream) == ("recorder-2/bac-1", None)
    assert first.opened_at < (first.closed_at or "") <= last.opened_at < (last.closed_at or "")
