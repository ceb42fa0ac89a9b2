# SPDX-License-Identifier: Apache-2.0
"""The report tables say what the journal says."""

from typing import Any

import pytest
from sqlalchemy import create_engine, select

from studio.game.cards import Card
from studio.game.coup import Position
from studio.game.events import (
    CardBurned,
    CardCorrected,
    CardEntered,
    CardHeld,
    CardKept,
    FreeCoupEnded,
    FreeCoupOpened,
    ShoeEnded,
    SupervisorCalled,
)
from studio.store.database import StoreFailed
from studio.store.history import History
from studio.store.journal import Journal
from studio.store.models import bet_results, cards, irregularities, revisions, shoes
from studio.store.search import Sought
from tests.store.samples import SHOE, TABLE, Story, amended, confirmed, voided

ROUND = "BAC-1-20261129-0001"


def stored(url: str, *columns: Any) -> list[tuple[Any, ...]]:
    """These columns of every row, in the order of their keys."""
    engine = create_engine(url)
    keys = columns[0].table.primary_key.columns
    with engine.connect() as connection:
        rows = [tuple(row) for row in connection.execute(select(*columns).order_by(*keys))]
    engine.dispose()
    return rows


def status(url: str, round_id: str = ROUND) -> str:
    """The status of a round."""
    with History.open(url, TABLE) as history:
        return next(line.status for line in history.rounds() if line.round == round_id)


@pytest.mark.req("DAT-1")
def test_every_card_is_listed_with_its_round_position_source_and_time(url: str) -> None:
    with Journal.open(url, TABLE) as journal:
        story = Story()
        journal.append(story.shoe() + story.whole_round(ROUND))
    c = cards.c
    assert stored(url, c.card, c.fate, c.position, c.round, c.shoe, c.source, c.at) == [
        ("2C", "burned", None, None, SHOE, "shoe", "2026-11-29T12:00:02.000120Z"),
        ("9H", "dealt", "P1", ROUND, SHOE, "shoe", "2026-11-29T12:00:05.000120Z"),
        ("3S", "dealt", "B1", ROUND, SHOE, "shoe", "2026-11-29T12:00:06.000120Z"),
        ("KD", "dealt", "P2", ROUND, SHOE, "shoe", "2026-11-29T12:00:07.000120Z"),
        ("4C", "dealt", "B2", ROUND, SHOE, "shoe", "2026-11-29T12:00:08.000120Z"),
    ]


def test_cards_kept_held_and_not_read_are_listed_as_such(url: str) -> None:
    with Journal.open(url, TABLE) as journal:
        story = Story()
        journal.append(
            story.tell(
                CardBurned(card=None, burn=None),
                CardKept(position=Position.P1, card=Card("AS")),
                CardHeld(card=None),
                CardHeld(card=Card("7D")),
            )
        )
    assert stored(url, cards.c.fate, cards.c.position, cards.c.card) == [
        ("burned", None, None),
        ("kept", "P1", "AS"),
        ("held", None, None),
        ("held", None, "7D"),
    ]


def test_what_people_say_of_a_card_is_a_row_beside_what_the_shoe_read(url: str) -> None:
    said = {"by": "pit-1", "second": "pit-2"}
    with Journal.open(url, TABLE) as journal:
        journal.append(
            Story().tell(
                CardHeld(card=None, number=1),
                CardEntered(number=1, card=Card("5D"), missing=False, **said),
                CardCorrected(number=1, card=Card("6D"), read=Card("5D"), **said),
            )
        )
    assert stored(url, cards.c.fate, cards.c.position, cards.c.card) == [
        ("held", None, None),
        ("entered", None, "5D"),
        ("restated", None, "6D"),
    ]


def test_a_coup_without_bets_has_cards_and_no_round(url: str) -> None:
    with Journal.open(url, TABLE) as journal:
        story = Story()
        journal.append(
            story.tell(
                FreeCoupOpened(by="dealer-7"),
                CardKept(position=Position.P1, card=Card("AS")),
                FreeCoupEnded(player=(Card("AS"),), banker=(), outcome=None, by="dealer-7"),
            )
        )
    assert stored(url, cards.c.fate, cards.c.round, cards.c.card) == [("kept", None, "AS")]
    with History.open(url, TABLE) as history:
        assert list(history.rounds()) == []


@pytest.mark.req("RND-3")
def test_a_round_is_in_progress_until_it_is_closed(url: str) -> None:
    story = Story()
    with Journal.open(url, TABLE) as journal:
        journal.append(story.opened(ROUND))
        assert status(url) == "in_progress"
        journal.append(story.dealt(ROUND) + story.result(ROUND))
        assert status(url) == "in_progress"
        journal.append(story.closed(ROUND))
        assert status(url) == "complete"


@pytest.mark.req("RND-3")
def test_a_round_that_was_voided_stays_void_when_it_is_closed(url: str) -> None:
    story = Story()
    with Journal.open(url, TABLE) as journal:
        journal.append(story.opened(ROUND) + story.tell(voided(ROUND), round_id=ROUND))
        assert status(url) == "void"
        journal.append(story.closed(ROUND))
        assert status(url) == "void"


def test_what_is_told_of_a_round_before_stands_with_that_round(url: str) -> None:
    """A wrong payment that is noticed once the next round is under way."""
    second, third = ROUND[:-1] + "2", ROUND[:-1] + "3"
    told = (
        SupervisorCalled(by="dealer-7", code="wrong-paid", about=ROUND, detail="seat 3"),
        SupervisorCalled(by="dealer-7"),
        SupervisorCalled(by="dealer-7", code="wrong-paid", detail="of no round here"),
    )
    story = Story()
    with Journal.open(url, TABLE) as journal:
        journal.append(story.shoe() + story.whole_round(ROUND) + story.whole_round(second))
        journal.append(story.opened(third) + story.tell(*told, round_id=third))
    i = irregularities.c
    ((code, round_id, opened_at),) = stored(url, i.code, i.round, i.opened_at)
    with History.open(url, TABLE) as history:
        first = next(line for line in history.rounds() if line.round == ROUND)
        assert (code, round_id, opened_at) == ("wrong-paid", ROUND, first.opened_at)
        (found,) = history.search(Sought(irregularity="wrong-paid"))
        assert (found.round, found.irregularities) == (ROUND, ("wrong-paid",))


@pytest.mark.req("VOID-6", "AUD-3")
def test_an_amendment_adds_a_revision_and_erases_nothing(url: str) -> None:
    story = Story()
    with Journal.open(url, TABLE) as journal:
        journal.append(story.whole_round(ROUND))
        journal.append(story.tell(amended(ROUND, 2, 7), round_id=ROUND))
        assert status(url) == "complete"
        journal.append(story.tell(voided(ROUND, 3, 9), round_id=ROUND))
        assert status(url) == "void"
        journal.append(story.tell(amended(ROUND, 4, 10), round_id=ROUND))
        assert status(url) == "complete"
    r = revisions.c
    assert stored(url, r.revision, r.type, r.outcome, r.player, r.banker, r.by, r.second) == [
        (1, "result", "player", "9H KD", "3S 4C", "dealer-7", None),
        (2, "result_amended", "tie", "9H KD", "5S 4C", "pit-1", "pit-2"),
        (3, "round_voided", None, None, None, "pit-1", None),
        (4, "result_amended", "tie", "9H KD", "5S 4C", "pit-1", "pit-2"),
    ]
    b = bet_results.c
    assert stored(url, b.revision, b.bet, b.profit)[:4] == [
        (1, "banker", "-1"),
        (1, "player", "1"),
        (1, "tie", "-1"),
        (2, "banker", "0"),
    ]


def test_the_same_revision_twice_is_refused(url: str) -> None:
    story = Story()
    with Journal.open(url, TABLE) as journal:
        journal.append(story.opened(ROUND) + story.result(ROUND))
        with pytest.raises(StoreFailed):
            journal.append(story.tell(confirmed(), round_id=ROUND))


def test_a_shoe_is_listed_with_its_counts_once_it_ended(url: str) -> None:
    story = Story()
    ended = ShoeEnded(
        rounds=70, burned=9, left=14, seen=393, counted=None, reason="cut_card", by="dealer-7"
    )
    s = shoes.c
    with Journal.open(url, TABLE) as journal:
        journal.append(story.shoe())
        assert stored(url, s.shoe, s.decks, s.ended_at, s.seen) == [(SHOE, 8, None, None)]
        journal.append(story.tell(ended))
        found = stored(url, s.rounds, s.burned, s.left, s.seen, s.counted, s.reason)
        assert found == [(70, 9, 14, 393, None, "cut_card")]


def test_the_end_of_a_shoe_that_is_not_on_record_is_refused(url: str) -> None:
    ended = ShoeEnded(rounds=0, burned=0, left=0, seen=0, counted=None, reason="", by="x")
    with Journal.open(url, TABLE) as journal, pytest.raises(StoreFailed, match="not on record"):
        journal.append(Story().tell(ended, shoe="BAC-1-shoe-9"))


def test_closing_a_round_that_is_not_on_record_is_refused(url: str) -> None:
    with Journal.open(url, TABLE) as journal, pytest.raises(StoreFailed, match="not on record"):
        journal.append(Story().closed("BAC-1-20261129-0099"))
