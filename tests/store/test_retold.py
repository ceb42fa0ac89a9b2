# SPDX-License-Identifier: Apache-2.0
"""Reports that were tampered with are told apart from what the journal says."""

import pytest
from sqlalchemy import create_engine, text

from studio.game.events import DealerChanged, IrregularityRaised, ShoeEnded, SupervisorCalled
from studio.store.chain import recorded_of
from studio.store.history import History
from studio.store.journal import Journal
from studio.store.retold import Retold
from tests.store.samples import SHOE, TABLE, Story, amended, voided

FIRST, SECOND, THIRD = (f"BAC-1-20261129-000{number}" for number in (1, 2, 3))
END = ShoeEnded(rounds=2, burned=1, left=407, seen=8, counted=407, reason="", by="dealer-7")
CHANGED = DealerChanged(dealer="Anna", by="dealer-7")
WRONG = IrregularityRaised(code="exposed-in-deal", detail="it fell")
PAID = SupervisorCalled(by="dealer-7", code="wrong-paid", about=SECOND)
TAMPERED = {
    "UPDATE revisions SET outcome = 'banker' WHERE round = '{FIRST}'": f"results of {FIRST}",
    "DELETE FROM bet_results WHERE round = '{FIRST}' AND revision = 1": f"bets' results of {FIRST}",
    "UPDATE bet_results SET profit = '9' WHERE round = '{SECOND}'": f"bets' results of {SECOND}",
    "UPDATE cards SET card = '2D' WHERE position = 'B2' AND round = '{FIRST}'": f"cards of {FIRST}",
    "DELETE FROM cards WHERE round = '{SECOND}'": f"cards of {SECOND}",
    "UPDATE rounds SET status = 'void' WHERE round = '{FIRST}'": f"status of {FIRST}",
    "UPDATE rounds SET revision = 1 WHERE round = '{FIRST}'": f"status of {FIRST}",
    "UPDATE rounds SET outcome = 'tie' WHERE round = '{SECOND}'": f"status of {SECOND}",
    "UPDATE round_dealers SET who = 'Bea' WHERE round = '{THIRD}'": f"dealers of {THIRD}",
    "UPDATE irregularities SET round = '{FIRST}' WHERE round = '{SECOND}'": "irregularities of",
    "DELETE FROM irregularities": f"irregularities of {THIRD}",
    "UPDATE shoes SET decks = 6": f"counts of {SHOE}",
    "DELETE FROM shoes": f"counts of {SHOE}",
}


def told(url: str) -> list[str]:
    """What is found when the journal is told again."""
    retold = Retold(TABLE)
    with History.open(url, TABLE) as history:
        for epoch in history.epochs():
            for row in history.rows(epoch):
                retold.tell(recorded_of(row), epoch, row.at)
        with history.still():
            return [one.text for one in retold.differences(history)]


def play(url: str) -> None:
    """Two rounds, one amended and one void after its result, a third under way, and the end."""
    with Journal.open(url, TABLE) as journal:
        story = Story()
        journal.append(story.shoe() + story.whole_round(FIRST) + story.whole_round(SECOND))
        journal.append(story.tell(amended(FIRST, 2, 9), round_id=FIRST))
        journal.append(story.tell(voided(SECOND, 2, 18), round_id=SECOND))
        journal.append(story.opened(THIRD) + story.tell(CHANGED, WRONG, PAID, round_id=THIRD))
        journal.append(story.tell(END))


@pytest.mark.req("AUD-5")
def test_honest_reports_say_what_the_journal_says(url: str) -> None:
    assert told(url) == []
    play(url)
    assert told(url) == []


@pytest.mark.req("AUD-5")
def test_whatever_is_changed_in_the_reports_is_named(url: str) -> None:
    play(url)
    engine = create_engine(url)
    for statement, named in TAMPERED.items():
        with engine.connect() as connection, connection.begin() as change:
            if engine.dialect.name == "sqlite":
                triggers = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
                for (name,) in connection.execute(text(triggers)).all():
                    connection.execute(text(f"DROP TRIGGER {name}"))
            else:
                connection.execute(text("SET LOCAL session_replication_role = replica"))
            done = connection.execute(
                text(statement.format(FIRST=FIRST, SECOND=SECOND, THIRD=THIRD))
            )
            assert done.rowcount > 0, statement
            change.commit()
        assert any(named in one for one in told(url)), statement
    engine.dispose()


def test_reports_of_a_journal_that_was_emptied_are_named(url: str) -> None:
    play(url)
    retold = Retold(TABLE)
    with History.open(url, TABLE) as history:
        assert any(f"results of {FIRST}" in one.text for one in retold.differences(history))


def test_an_answer_within_one_moment_does_not_see_what_is_written_meanwhile(url: str) -> None:
    with Journal.open(url, TABLE) as journal, History.open(url, TABLE) as history:
        story = Story()
        (epoch,) = history.epochs()
        with history.still():
            assert list(history.rows(epoch)) == []
            journal.append(story.shoe())
            assert list(history.rows(epoch)) == []
        assert len(list(history.rows(epoch))) == journal.last_seq
