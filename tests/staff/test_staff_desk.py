# SPDX-License-Identifier: Apache-2.0
"""Staff at a running table: log-ins, people of a command, approvals, and what is kept of them."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from structlog.testing import capture_logs

from studio.feed import staff as wire
from studio.feed.asks import encode
from studio.feed.requests import Later
from studio.game import events as ev
from studio.game import inputs as inp
from studio.game.state import Phase
from studio.staff.accounts import Role
from studio.staff.attempts import Act
from studio.staff.door import Door
from studio.staff.office import Kept
from studio.staff.repeats import MOST_A_MINUTE
from studio.store.staff_book import StaffBook
from tests.game.table_driver import Driven, command_for
from tests.staff.live_table import (
    LiveTable,
    accepted,
    code_of,
    entering,
    live_table,
    record_of,
)
from tests.staff.people import BADGES, FIRST_PIN, HERE, PIN, QUICK, Staff, done

WRONG = "999111"
WHY = "seen by both"


@pytest.mark.req("ACC-1", "ACC-7", "AUD-8")
def test_a_log_in_is_on_record_before_it_is_answered(live: LiveTable) -> None:
    opened = live.log_in("dealer")
    assert isinstance(opened, wire.Opened)
    assert (opened.staff, opened.screen_name, opened.roles) == (Staff.dealer, "Dealer", ("dealer",))
    assert live.tries() == [
        ev.StaffNoted(act="log_in", result="done", by=Staff.dealer, from_where=HERE)
    ]
    assert live.record()[-1].source is ev.Source.MANUAL


@pytest.mark.req("ACC-1")
@pytest.mark.parametrize("token", [None, "", "no such token"])
def test_without_a_log_in_nobody_does_anything(live: LiveTable, token: str | None) -> None:
    before = live.state
    assert code_of(live.tell(inp.CloseBets(by=Staff.dealer), token)) == "no_session"
    assert live.state == replace(before, seq=before.seq + 1)
    assert live.tries()[-1] == ev.StaffNoted(
        act="use_session", result="no_session", by=None, from_where=HERE
    )


@pytest.mark.req("ACC-5", "ACC-7")
def test_three_wrong_tries_lock_and_a_one_time_code_releases(live: LiveTable, staff: Staff) -> None:
    codes = [code_of(live.log_in("dealer", WRONG)) for _ in range(3)]
    assert [*codes, code_of(live.log_in("dealer"))] == ["wrong"] * 3 + ["locked"]
    issued = staff.office.issue_code(staff.manager, staff.dealer, HERE)
    unlock = wire.AskUnlock(
        id="u", table="BAC-1", from_=HERE, badge=BADGES["dealer"], code=getattr(issued, "code", "")
    )
    assert live.ask(unlock) == wire.Performed(id="u")
    assert isinstance(live.log_in("dealer"), wire.Opened)
    told = [(one.act, one.result, one.by) for one in live.tries()]
    assert told == [
        *[("log_in", "wrong", Staff.dealer)] * 3,
        ("log_in", "locked", Staff.dealer),
        ("unlock", "done", Staff.dealer),
        ("log_in", "done", Staff.dealer),
    ]


@pytest.mark.req("ACC-10")
def test_a_log_out_ends_the_token_and_so_does_another_secret(live: LiveTable) -> None:
    token = live.token_of("dealer")
    assert live.ask(wire.AskLogOut(id="o", table="BAC-1", from_=HERE, token=token)) == (
        wire.Performed(id="o")
    )
    assert code_of(live.tell(inp.CloseBets(by=""), token)) == "session_ended"
    token = live.token_of("dealer")
    chosen = wire.AskChangeSecret(
        id="p", table="BAC-1", from_=HERE, badge=BADGES["dealer"], pin=PIN, new="628318"
    )
    assert live.ask(chosen) == wire.Performed(id="p")
    assert code_of(live.tell(inp.CloseBets(by=""), token)) == "session_ended"
    assert code_of(live.log_in("dealer")) == "wrong"
    assert isinstance(live.log_in("dealer", "628318"), wire.Opened)
    assert code_of(live.ask(replace(chosen, pin="628318", new="123456"))) == "secret_unfit"


@pytest.mark.req("ACC-9")
def test_who_is_disabled_in_mid_round_gives_no_command_more_and_the_round_goes_on(
    live: LiveTable, staff: Staff
) -> None:
    token = live.token_of("dealer")
    accepted(live.tell(entering(), token, live.approval_of(entering(), "supervisor")))
    pit = live.token_of("supervisor")
    release = command_for("rule_hold", live.state)
    accepted(live.tell(release, pit))
    done(staff.office.disable(staff.manager, staff.dealer, HERE), Kept)
    assert code_of(live.tell(inp.CallResult(by="", outcome="player"), token)) == "disabled"
    live.cards("7D 6H")
    assert live.state.phase is Phase.RESULT
    assert code_of(live.tell(inp.ConfirmResult(by=""), token)) == "disabled"
    accepted(live.tell(inp.ConfirmResult(by=""), live.token_of("other")))
    confirmed = next(
        one.event for one in live.record() if isinstance(one.event, ev.ResultConfirmed)
    )
    assert confirmed.by == Staff.other


@pytest.mark.req("DUAL-2")
def test_a_table_opens_only_while_a_supervisor_is_on_duty_for_it(
    tmp_path: Path, staff: Staff
) -> None:
    table = Driven()
    file = record_of(tmp_path / "closed.db", table)
    opening = inp.OpenTable(by=Staff.dealer, dealer="Zoë")
    with live_table(file, staff, table.now, needs_supervisor=True) as live:
        token = live.token_of("dealer")
        approval = live.approval_of(opening, "supervisor")
        assert code_of(live.tell(opening, token, approval)) == "no_supervisor"
        assert live.tries()[-1] == ev.StaffNoted(
            act="command",
            result="no_supervisor",
            by=Staff.dealer,
            from_where=HERE,
            detail="open_table",
        )
        live.token_of("manager")
        assert code_of(live.tell(opening, token, approval)) == "no_supervisor"
        live.token_of("supervisor")
        staff.clock.pass_(seconds=299)
        done(staff.office.disable(staff.manager, staff.floor, HERE), Kept)
        accepted(live.tell(opening, token, live.approval_of(opening, "supervisor")))


def test_at_an_open_table_everybody_is_believed_and_nobody_logs_in(
    file: Path, staff: Staff, now: datetime
) -> None:
    with live_table(file, staff, now, is_open=True) as live:
        snapshot = live.ask(wire.AskStaffSnapshot(id="s", table="BAC-1"))
        assert isinstance(snapshot, wire.StaffSnapshot)
        assert snapshot.log_in == "open"
        assert code_of(live.log_in("dealer")) == "no_log_in"
        assert code_of(live.approve(entering(), "supervisor")) == "no_log_in"
        accepted(live.tell(entering(by="auto", second="somebody"), None))
        assert live.tries() == []
        entered = live.record()[-1].event
        assert isinstance(entered, ev.CardEntered)
        assert (entered.by, entered.second) == ("auto", "somebody")


def test_where_staff_log_in_the_snapshot_says_so_and_needs_no_log_in(live: LiveTable) -> None:
    snapshot = live.ask(wire.AskStaffSnapshot(id="s", table="BAC-1"))
    assert isinstance(snapshot, wire.StaffSnapshot)
    assert snapshot.log_in == "required"
    assert live.tries() == []


def test_without_the_staffs_database_nobody_commands_and_the_table_goes_on(
    file: Path, staff: Staff, now: datetime, tmp_path: Path
) -> None:
    there, away = tmp_path / "staff.db", tmp_path / "away.db"
    with capture_logs() as logged, live_table(file, staff, now) as live:
        token = live.token_of("dealer")
        there.rename(away)
        assert code_of(live.log_in("dealer")) == "no_staff_store"
        assert code_of(live.tell(inp.CloseBets(by=""), token)) == "no_staff_store"
        told = [(one.act, one.result, one.by) for one in live.tries()[1:]]
        assert told == [("log_in", "no_staff_store", None), ("command", "no_staff_store", None)]
        live.cards("QD")
        assert live.state.cards_out == 4
        assert live.shown()
        assert [one["event"] for one in logged] == ["the staff's database failed"] * 2
        away.rename(there)
        approval = live.approval_of(entering(), "supervisor")
        accepted(live.tell(entering(), token, approval))


def test_a_database_that_is_not_there_at_the_start_is_tried_again(
    file: Path, staff: Staff, now: datetime, tmp_path: Path
) -> None:
    there, away = tmp_path / "staff.db", tmp_path / "away.db"
    there.rename(away)
    with capture_logs() as logged, live_table(file, staff, now) as live:
        assert code_of(live.log_in("dealer")) == "no_staff_store"
        away.rename(there)
        live.token_of("dealer")
    assert "studio staff init" in logged[0]["why"]


@pytest.mark.req("ACC-7")
def test_refusals_without_end_do_not_fill_the_record_and_are_counted(
    file: Path, staff: Staff, now: datetime
) -> None:
    minutes = [0.0]
    with live_table(file, staff, now, monotonic=lambda: minutes[0] * 60) as live:
        supervisor = live.token_of("supervisor")
        for _ in range(MOST_A_MINUTE + 7):
            assert code_of(live.tell(inp.CloseBets(by=""), "forged")) == "no_session"
        assert len(live.tries()) == 1 + MOST_A_MINUTE
        assert code_of(live.tell(inp.OpenBets(by=""), supervisor)) == "not_permitted"
        assert live.tries()[-1].by == Staff.supervisor, "others are noted as ever"
        minutes[0] = 1
        live.tell(inp.CloseBets(by=""), "forged")
        assert live.tries()[-1].detail == "after 7 more refusals"
        assert len(staff.attempts(lambda one: one.by is None and one.act is Act.USE_SESSION)) == (
            MOST_A_MINUTE + 8
        )


@pytest.mark.req("ACC-4", "ACC-10")
def test_no_byte_of_the_record_or_of_a_log_is_a_name_a_secret_or_a_token(
    file: Path, staff: Staff, now: datetime, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with live_table(file, staff, now) as live:
        tokens = [live.token_of("dealer"), live.token_of("supervisor")]
        # a PIN in the field of the badge, as tired people do
        answers = [live.log_in(PIN), live.log_in("dealer", WRONG), live.log_in("Mario Rossi", PIN)]
        answers.append(live.tell(inp.CloseBets(by="Mario Rossi"), PIN))
        approval = live.approval_of(entering(), "supervisor")
        answers.append(live.approve(entering(), PIN, "supervisor of the studio"))
        accepted(live.tell(entering(second="Mario Rossi"), tokens[0], approval))
        answers.append(live.tell(entering(), approval, tokens[0]))
        assert {code_of(one) for one in answers} == {"wrong", "no_session"}
        said = repr(live.record()) + repr(answers)
    with staff.book.reading() as page:
        people = page.accounts()
    secrets = [PIN, WRONG, FIRST_PIN, *tokens, approval, "Rossi"]
    secrets += [one.name for one in people] + [one.secret for one in people]
    kept = b"".join(path.read_bytes() for path in tmp_path.glob("record.db*"))
    logged = "".join(capfd.readouterr())
    assert b"staff_noted" in kept
    for secret in secrets:
        assert secret.encode() not in kept
        assert secret not in said
        assert secret not in logged


@pytest.mark.req("ACC-7")
def test_what_cannot_be_put_on_record_is_not_done(file: Path, staff: Staff, now: datetime) -> None:
    with live_table(file, staff, now) as live:
        token = live.token_of("supervisor")
        live.stop()
        assert code_of(live.log_in("dealer")) == "stopped"
        assert code_of(live.approve(entering(), "supervisor")) == "stopped"
        assert code_of(live.tell(inp.CloseBets(by=""), token)) == "not_permitted"
    with staff.book.reading() as page:
        assert [one.staff for one in page.open_sessions()] == [Staff.supervisor]


def test_a_door_of_another_process_sees_what_the_table_kept(live: LiveTable, staff: Staff) -> None:
    live.token_of("supervisor")
    door = Door(StaffBook.open(staff.url), staff.rules, hashing=QUICK, now=staff.clock)
    with door.book.reading() as page:
        assert [one.staff for one in page.open_sessions()] == [Staff.supervisor]
    assert Role.SUPERVISOR in staff.account(Staff.supervisor).roles


@pytest.mark.req("DUAL-2")
def test_a_console_sees_which_supervisors_are_on_duty_and_when_it_locks(live: LiveTable) -> None:
    def seen() -> tuple[tuple[str, ...], int | None]:
        snapshot = live.ask(wire.AskStaffSnapshot(id="s", table="BAC-1"))
        assert isinstance(snapshot, wire.StaffSnapshot)
        return snapshot.supervisors, snapshot.idle_seconds

    live.log_in("dealer")
    assert seen() == ((), 300)
    token = live.token_of("supervisor")
    assert seen() == (("Supervisor",), 300)
    live.ask(wire.AskLogOut(id="o", table="BAC-1", from_=HERE, token=token))
    assert seen() == ((), 300)


def test_a_snapshot_after_another_is_due_once_something_followed_and_has_what_is_new(
    tmp_path: Path, staff: Staff
) -> None:
    table = Driven().dealing()
    table.cards("9H KS TC 7D")
    file = record_of(tmp_path / "dealt.db", table)
    with live_table(file, staff, table.now) as live:
        first = live.ask(wire.AskStaffSnapshot(id="s", table="BAC-1"))
        assert isinstance(first, wire.StaffSnapshot)
        asked = later(live, first)
        assert not asked.is_due()
        told: list[bool] = []
        live.service.changed = lambda: told.append(asked.is_due())
        live.log_in("dealer")
        assert asked.is_due()
        assert told == [True]
        noted, public = made(asked)
        assert noted.seq > first.seq
        assert public == {
            name: value for name, value in first.state["public"].items() if name not in wire.LARGE
        }

        asked = later(live, noted)
        live.give(inp.ConfirmResult(by=Staff.dealer))
        settled, public = made(asked)
        whole = live.ask(wire.AskStaffSnapshot(id="s", table="BAC-1"))
        assert isinstance(whole, wire.StaffSnapshot)
        assert len(public["results"]) == 1
        assert public == whole.state["public"]
        # whoever has an older one than the last change of it gets it, whoever asks in between
        assert made(later(live, noted))[1] == whole.state["public"]
        assert set(whole.state["public"]) - set(made(later(live, settled))[1]) == set(wire.LARGE)
        of_before = replace(settled, epoch="another")
        assert later(live, of_before).is_due()
        assert made(later(live, of_before))[1] == whole.state["public"]


def later(live: LiveTable, has: wire.StaffSnapshot) -> Later:
    """What is given to whoever has this and asks for the next."""
    after = wire.After(has.epoch, has.seq)
    given = live.desk.answer(encode(wire.AskStaffSnapshot(id="s", table="BAC-1", after=after)))
    assert isinstance(given, Later)
    return given


def made(later: Later) -> tuple[wire.StaffSnapshot, dict[str, Any]]:
    """A snapshot, and its public part."""
    answer = wire.read_answer(later.make())
    assert isinstance(answer, wire.StaffSnapshot)
    return answer, answer.state["public"]
