# SPDX-License-Identifier: Apache-2.0
"""The last supervisor on duty leaves: the round is played to its end, and no bets are opened alone.

How a supervisor leaves makes no difference: by themselves, sent off, barred, or silent too long.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from studio.feed import staff as wire
from studio.game import events as ev
from studio.game import inputs as inp
from studio.game.state import Phase
from studio.staff.desk import Desk, LoggedIn
from studio.staff.office import Kept
from studio.staff.permissions import Grant
from tests.game.houses import house
from tests.game.table_driver import Driven
from tests.staff.live_table import TABLE, LiveTable, accepted, code_of, live_table, record_of
from tests.staff.people import BADGES, HERE, PIN, Staff, done

Leaving = Callable[[LiveTable, Staff, str], None]
OPENING = inp.OpenBets(by=Staff.dealer)


@contextmanager
def betting(
    tmp_path: Path, staff: Staff, *, pauses_alone: bool = True
) -> Iterator[tuple[LiveTable, str, str]]:
    """A table with bets open, and the tokens of its dealer and of the one supervisor."""
    table = Driven().ready()
    file = record_of(tmp_path / "table.db", table)
    with live_table(
        file, staff, table.now, needs_supervisor=True, pauses_alone=pauses_alone
    ) as live:
        supervisor, dealer = live.token_of("supervisor"), live.token_of("dealer")
        accepted(live.tell(OPENING, dealer))
        yield live, dealer, supervisor


def _logs_out(live: LiveTable, _staff: Staff, token: str) -> None:
    ask = wire.AskLogOut(id="o", table=TABLE, from_=HERE, token=token)
    assert isinstance(live.ask(ask), wire.Performed)


def _is_stood_down(live: LiveTable, staff: Staff, _token: str) -> None:
    manager = live.token_of("manager")
    ask = wire.AskStandDown(id="o", table=TABLE, from_=HERE, token=manager, staff=staff.supervisor)
    assert isinstance(live.ask(ask), wire.Performed)


def _is_disabled(_live: LiveTable, staff: Staff, _token: str) -> None:
    done(staff.office.disable(staff.manager, staff.supervisor, HERE), Kept)


def _is_idle(_live: LiveTable, staff: Staff, _token: str) -> None:
    staff.clock.pass_(minutes=5)


LEAVINGS = {
    "logs out": _logs_out,
    "is stood down": _is_stood_down,
    "is disabled": _is_disabled,
    "is idle": _is_idle,
}


def _finished(live: LiveTable, dealer: str) -> None:
    """The dealer ends the round that is under way, alone."""
    accepted(live.tell(inp.CloseBets(by=Staff.dealer), dealer))
    live.cards("9H KS TC 7D")
    accepted(live.tell(inp.ConfirmResult(by=Staff.dealer), dealer))
    accepted(live.tell(inp.CloseRound(by=Staff.dealer), dealer))
    assert live.state.phase is Phase.IDLE


def _supervisors(live: LiveTable) -> tuple[str, ...]:
    snapshot = live.ask(wire.AskStaffSnapshot(id="s", table=TABLE))
    assert isinstance(snapshot, wire.StaffSnapshot)
    return snapshot.supervisors


@pytest.mark.req("DUAL-2")
@pytest.mark.parametrize("how", LEAVINGS)
def test_when_the_last_supervisor_leaves_the_round_ends_and_no_other_begins_alone(
    how: str, tmp_path: Path, staff: Staff
) -> None:
    with betting(tmp_path, staff) as (live, _, supervisor):
        assert _supervisors(live) == ("Supervisor",)
        LEAVINGS[how](live, staff, supervisor)
        dealer = live.token_of("dealer")
        _finished(live, dealer)
        assert _supervisors(live) == ()
        before = live.state
        assert code_of(live.tell(OPENING, dealer)) == "unsupervised"
        assert live.state == replace(before, seq=before.seq + 1)
        assert live.tries()[-1] == ev.StaffNoted(
            act="command",
            result="unsupervised",
            by=Staff.dealer,
            from_where=HERE,
            detail="open_bets",
        )


@pytest.mark.req("DUAL-2")
def test_bets_are_opened_again_by_a_supervisor_who_logs_in_or_agrees_to_this_round(
    tmp_path: Path, staff: Staff
) -> None:
    with betting(tmp_path, staff) as (live, dealer, supervisor):
        _logs_out(live, staff, supervisor)
        _finished(live, dealer)
        live.token_of("manager")
        assert code_of(live.tell(OPENING, dealer)) == "unsupervised", "a manager is no supervisor"
        assert code_of(live.approve(OPENING, "dealer")) == "same_person"
        accepted(live.tell(OPENING, dealer, live.approval_of(OPENING, "supervisor")))
        _finished(live, dealer)
        assert code_of(live.tell(OPENING, dealer)) == "unsupervised", "it was for one round"
        live.token_of("supervisor")
        accepted(live.tell(OPENING, dealer))


def test_another_supervisor_who_stays_keeps_the_table_open(tmp_path: Path, staff: Staff) -> None:
    with betting(tmp_path, staff) as (live, dealer, supervisor):
        live.token_of("floor")
        _logs_out(live, staff, supervisor)
        _finished(live, dealer)
        accepted(live.tell(OPENING, dealer))


def test_where_the_house_does_not_pause_play_goes_on(tmp_path: Path, staff: Staff) -> None:
    with betting(tmp_path, staff, pauses_alone=False) as (live, dealer, supervisor):
        _logs_out(live, staff, supervisor)
        _finished(live, dealer)
        assert _supervisors(live) == ()
        accepted(live.tell(OPENING, dealer))


def test_other_rules_of_the_house_hold_once_they_are_in_force(staff: Staff) -> None:
    desk = Desk(staff.door_again(), TABLE, needs_supervisor=True)
    session = done(desk.log_in(BADGES["dealer"], PIN, HERE), LoggedIn).session
    found = []
    for rules in (
        {"pause_without_supervisor": False},
        {"pause_without_supervisor": True},
        {"supervisor_on_duty": False},
    ):
        desk.follow(house("studio", **rules))
        found.append(desk.allowed(session, OPENING))
    assert found == [Grant.ALONE, Grant.PAIR, Grant.ALONE]
    assert desk.why_two(OPENING) == "unsupervised"
    desk.follow(house("studio", second_person=("open_bets",)))
    assert desk.why_two(OPENING) == "needs_second"
