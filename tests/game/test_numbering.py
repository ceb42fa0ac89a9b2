# SPDX-License-Identifier: Apache-2.0
"""After a restore no id is given twice, and nothing goes on that people have not looked at."""

import pytest

from studio.game import events as ev
from studio.game.inputs import LineUp, OpenBets, ResumeTable, TimerExpired
from studio.game.prompts import prompt_for
from studio.game.state import UNPAID, Phase
from tests.game.misdeal_stories import go_home
from tests.game.table_driver import BY, Driven, amendment, names_of


def _opened(table: Driven) -> str:
    """The id of the next round, with a new shoe."""
    if table.state.phase is Phase.HELD:
        table.void() if table.state.held_from in UNPAID else table.rule("release")
    if table.state.suspended is not None:
        table.give(ResumeTable(by=BY))
    table.ask("end_shoe")
    table.report(LineUp("pty", 1))
    table.ask("load_shoe")
    table.ask("open_bets")
    assert table.state.round is not None
    return table.state.round


@pytest.mark.req("DUR-15")
def test_a_round_is_numbered_beyond_all_that_may_have_been_given_and_lost() -> None:
    table = Driven().played()
    assert table.state.round == "BAC-1-20261129-0001"
    table.restored(lost=3600)
    assert _opened(table) == "BAC-1-20261129-3602"
    assert table.state.shoe == "BAC-1-20261129-S3602"


def test_the_same_backup_restored_twice_gives_no_number_twice() -> None:
    given: list[str] = []
    for lost in (600, 620):
        table = Driven().played()
        table.restored(lost=lost)
        given.append(_opened(table))
        while len(given) % 20:
            table.expire()
            table.void()
            table.expire()
            given.append(table.ask("open_bets")[-1].round)
    assert len(set(given)) == len(given) == 40


def test_on_another_gaming_day_as_many_may_be_lost_as_it_has_seconds() -> None:
    table = Driven().played()
    table.day = "20261203"
    table.restored(lost=4 * 86400)
    assert _opened(table) == "BAC-1-20261203-90001"


def test_the_gaming_day_after_is_numbered_from_one_again() -> None:
    table = Driven().played()
    table.restored()
    table.day = "20261130"
    assert _opened(table) == "BAC-1-20261130-0001"


def test_a_number_that_a_person_knows_of_counts_where_it_is_higher() -> None:
    table = Driven().played()
    table.restored(lost=10, rounds_given=500)
    assert _opened(table) == "BAC-1-20261129-0501"


@pytest.mark.parametrize("at", ["betting", "dealing", "cards", "result"])
def test_a_round_under_way_is_held_and_can_only_be_voided(at: str) -> None:
    table = Driven().betting()
    if at != "betting":
        table.expire()
    table.cards({"cards": "2H KS", "result": "9H KS TC 7D"}.get(at, ""))
    told = names_of(table.restored())
    assert told[-2:] == ["IrregularityRaised", "RoundHeld"]
    assert "TableSuspended" not in told
    assert table.state.phase is Phase.HELD
    assert table.log[-1].event.reason == "system"
    assert table.refused(OpenBets(by=BY)) == "not_now"
    assert prompt_for(table.state).remedies == ("void",)
    for name in ("bets", "guard", "settle"):
        assert table.give(TimerExpired(name, table.now)) == []
    (void,) = [one for one in table.void() if isinstance(one, ev.RoundVoided)]
    assert void.revision > 3600
    assert table.state.shoe_stopped == "record-restored"
    go_home(table)


def test_between_rounds_the_shoe_is_stopped_and_counted() -> None:
    table = Driven().played()
    table.expire()
    table.restored()
    table.rule("release")
    assert table.state.shoe_stopped == "record-restored"
    table.give(ResumeTable(by=BY))
    assert table.refused(OpenBets(by=BY)) == "shoe_stopped"
    go_home(table)


def test_a_table_without_a_shoe_is_suspended_until_somebody_resumes_it() -> None:
    table = Driven()
    table.ask("open_table")
    assert names_of(table.restored()) == ["ServiceRestarted", "TableSuspended"]
    assert table.state.phase is Phase.NO_SHOE
    assert "TableSuspended" not in names_of(table.restart())


def test_a_closed_table_is_not_suspended() -> None:
    assert names_of(Driven().restored()) == ["ServiceRestarted"]


def test_a_result_of_before_is_amended_beyond_every_revision_that_may_be_lost() -> None:
    table = Driven().played()
    table.expire()
    table.restored(lost=60)
    (amended,) = table.ask("amend_round", **amendment(table.state.results[-1].round))
    assert amended.revision == 62
    table.restored(lost=30)
    (again,) = table.ask("amend_round", **amendment(amended.round, "3H 6S", "KS 7D"))
    assert again.revision == 93


def test_the_new_epoch_is_numbered_from_one_and_the_record_folds_to_the_same_state() -> None:
    table = Driven().dealing()
    table.cards("2H KS")
    table.restored()
    table.void()
    numbers = [one.seq for one in table.log]
    begun = numbers.index(1, 1)
    assert numbers[begun:] == list(range(1, len(numbers) - begun + 1))
    assert next(one.public_seq for one in table.log[begun:] if one.public_seq) == 1
    assert table.replayed() == table.state


def test_what_the_raw_log_has_since_is_of_rounds_that_are_not_on_record() -> None:
    table = Driven().dealing()
    table.cards("2H KS")
    assert table.state.session == "s1"
    table.restored()
    assert (table.state.session, table.state.ordinal) == (None, 0)
