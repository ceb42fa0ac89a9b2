# SPDX-License-Identifier: Apache-2.0
"""Staff at a running table: log-ins, people of a command, approvals, and what is kept of them."""

import shutil
import threading
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from studio.feed import staff as wire
from studio.game import events as ev
from studio.game import inputs as inp
from studio.game.holds import proposals_of
from studio.game.state import Phase
from studio.staff.accounts import Role
from studio.staff.attempts import Act
from studio.staff.consent import consent_to
from studio.staff.door import Door
from studio.staff.office import Kept
from studio.staff.repeats import MOST_A_MINUTE
from studio.store.staff_book import StaffBook
from tests.game.table_driver import Driven, command_for
from tests.staff.live_table import LiveTable, live_table, record_of
from tests.staff.people import BADGES, FIRST_PIN, HERE, PIN, QUICK, Staff, done
from tests.waiting import until

WRONG = "999111"
WHY = "seen by both"


def code_of(answer: wire.StaffAnswer) -> str:
    """The code of an answer that must be a refusal."""
    assert isinstance(answer, wire.RefusalAnswer), answer
    return answer.code


def accepted(answer: wire.StaffAnswer) -> tuple[str, ...]:
    """The events of an answer that must be none."""
    assert isinstance(answer, wire.Acceptance), answer
    return answer.events


@pytest.fixture(scope="module")
def held_table() -> Driven:
    """A table held by a card that was not read."""
    table = Driven().dealing()
    table.cards("9H KS")
    table.unread()
    assert table.state.phase is Phase.HELD
    return table


@pytest.fixture(scope="module")
def held_record(held_table: Driven, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return record_of(tmp_path_factory.mktemp("held") / "held.db", held_table)


@pytest.fixture
def file(held_record: Path, tmp_path: Path) -> Path:
    """A record of the held table, to be moved on."""
    return Path(shutil.copy(held_record, tmp_path / "record.db"))


@pytest.fixture
def now(held_table: Driven) -> datetime:
    return held_table.now


@pytest.fixture
def live(file: Path, staff: Staff, now: datetime) -> Iterator[LiveTable]:
    """The held table, running."""
    with live_table(file, staff, now) as table:
        yield table


def entering(**members: object) -> inp.EnterCard:
    """Two people say what the card was that was not read; who they are is said wrongly."""
    entry = inp.EnterCard(by=Staff.dealer, number=3, card="4C", second="s-0002")
    return replace(entry, **members)


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


@pytest.mark.req("MAN-5", "MAN-3")
def test_the_people_of_an_entry_are_those_who_logged_in_and_approved(live: LiveTable) -> None:
    token = live.token_of("dealer")
    forged = entering(by="s-0777", second="Mario Rossi")
    assert code_of(live.tell(forged, token)) == "needs_second"
    approval = live.approval_of(entering(), "supervisor")
    assert accepted(live.tell(forged, token, approval)) == ("card_entered",)
    *_, redeemed, entered = live.record()
    assert redeemed.event == ev.StaffNoted(
        act="redeem",
        result="done",
        by=Staff.supervisor,
        from_where=HERE,
        about=Staff.dealer,
        detail="enter_card",
    )
    assert isinstance(entered.event, ev.CardEntered)
    assert (entered.event.by, entered.event.second) == (Staff.dealer, Staff.supervisor)


@pytest.mark.req("MAN-5")
def test_a_second_person_that_nobody_asked_for_is_not_believed(live: LiveTable) -> None:
    token = live.token_of("supervisor")
    void = inp.VoidRound(by="", round=live.state.round or "", reason=WHY, second=Staff.floor)
    accepted(live.tell(void, token))
    voided = next(one.event for one in live.record() if isinstance(one.event, ev.RoundVoided))
    assert (voided.by, voided.second) == (Staff.supervisor, None)


@pytest.mark.req("MAN-5")
def test_an_approval_is_used_once_and_by_who_asked_for_it(live: LiveTable) -> None:
    token, other = live.token_of("dealer"), live.token_of("other")
    approval = live.approval_of(entering(), "supervisor")
    assert code_of(live.tell(entering(), other, approval)) == "stale"
    assert code_of(live.tell(entering(), token, approval)) == "no_approval"
    approval = live.approval_of(entering(), "supervisor")
    accepted(live.tell(entering(), token, approval))
    assert code_of(live.tell(entering(), token, approval)) == "no_approval"


@pytest.mark.req("MAN-5")
@pytest.mark.parametrize("changed", [{"number": 2}, {"card": "4D"}, {"missing": True}], ids=str)
def test_an_approval_is_for_this_card_at_this_place(
    live: LiveTable, changed: dict[str, object]
) -> None:
    token = live.token_of("dealer")
    approval = live.approval_of(entering(), "supervisor")
    assert code_of(live.tell(entering(**changed), token, approval)) == "stale"
    assert not any(isinstance(one.event, ev.CardEntered) for one in live.record())


@pytest.mark.req("MAN-5")
def test_an_approval_given_before_the_hold_changed_is_stale(live: LiveTable) -> None:
    token = live.token_of("dealer")
    ruling = replace(inp.RuleHold(**command_members(live)), by=Staff.dealer, second=None)
    approval = live.approval_of(ruling, "supervisor")
    seen = live.shown()
    live.cards("QD")
    assert code_of(live.tell(ruling, token, approval)) == "stale"
    assert code_of(live.approve(ruling, "supervisor", shown=seen)) == "stale"
    assert live.state.phase is Phase.HELD


def command_members(live: LiveTable) -> dict[str, object]:
    """What a ruling on the hold as it is says."""
    first = proposals_of(live.state)[0]
    return {"by": "", "remedy": first.remedy.value, "reason": WHY, "bound_to": first.bound_to}


@pytest.mark.req("MAN-5")
def test_what_changes_between_the_approval_and_the_decision_makes_it_stale(
    file: Path, staff: Staff, now: datetime
) -> None:
    with live_table(file, staff, now) as first:
        first.stop()
    with live_table(file, staff, now, runs=False) as live:
        approval = _without_waiting(live, staff)
        answers: list[wire.StaffAnswer] = []
        session = live.desk._desk.log_in(BADGES["dealer"], PIN, HERE)
        # the card is in the inbox before the command, but was not looked at yet
        live.service.submit(live.reported("QD"))
        giving = threading.Thread(
            target=lambda: answers.append(live.tell(entering(), session.token, approval))
        )
        giving.start()
        until(lambda: staff.attempts(lambda one: one.act is Act.REDEEM))
        live.run()
        giving.join()
        assert code_of(answers[0]) == "stale"
        assert not any(isinstance(one.event, ev.CardEntered) for one in live.record())


def _without_waiting(live: LiveTable, staff: Staff) -> str:
    """An approval from the desk itself, while the table's thread does not run."""
    live.desk.open()
    bound = consent_to("BAC-1", live.state, entering())
    return live.desk._desk.approve(BADGES["supervisor"], PIN, bound, HERE).approval.token


@pytest.mark.req("MAN-5", "DUAL-1")
@pytest.mark.parametrize(
    "who, pin, code",
    [
        ("dealer", PIN, "same_person"),
        ("other", PIN, "not_second"),
        ("supervisor", WRONG, "wrong"),
        ("777", PIN, "wrong"),
    ],
)
def test_who_cannot_be_the_second_person_is_refused_and_noted(
    live: LiveTable, who: str, pin: str, code: str
) -> None:
    assert code_of(live.approve(entering(), who, pin)) == code
    assert (live.tries()[-1].act, live.tries()[-1].result) == ("approve", code)


def test_a_supervisor_in_the_pit_approves_by_the_log_in(live: LiveTable) -> None:
    token, pit = live.token_of("dealer"), live.token_of("supervisor")
    approved = live.approve(entering(), "", badge=None, pin=None, token=pit)
    assert isinstance(approved, wire.Approval)
    assert approved.second == Staff.supervisor
    accepted(live.tell(entering(), token, approved.approval))


def test_an_approval_by_nothing_or_by_both_is_no_request(live: LiveTable) -> None:
    for members in ({"badge": None, "pin": None}, {"token": "x"}, {"pin": None}):
        answer = live.approve(entering(), "supervisor", **members)
        assert isinstance(answer, wire.StaffError)
        assert answer.code == "bad_request"


def test_what_is_no_account_cannot_ask_and_is_in_no_record(live: LiveTable, staff: Staff) -> None:
    answer = live.approve(entering(by="Mario Rossi"), "supervisor")
    assert code_of(answer) == "no_account"
    assert live.tries()[-1].about is None
    assert all("Rossi" not in repr(one) for one in staff.attempts())


@pytest.mark.req("MAN-5")
def test_a_ruling_that_the_house_wants_two_for_takes_two(
    file: Path, staff: Staff, now: datetime
) -> None:
    with live_table(file, staff, now, house_asks=["void"]) as live:
        token = live.token_of("supervisor")
        void = inp.VoidRound(by=Staff.supervisor, round=live.state.round or "", reason=WHY)
        assert code_of(live.tell(void, token)) == "needs_second"
        assert code_of(live.approve(void, "supervisor")) == "same_person"
        accepted(live.tell(void, token, live.approval_of(void, "floor")))


@pytest.mark.req("MAN-5", "VOID-2")
def test_an_amendment_is_bound_to_its_result_and_not_to_the_play_that_goes_on(
    tmp_path: Path, staff: Staff
) -> None:
    table = Driven().played()
    round_id = table.state.round or ""
    table.ask("close_round")
    file = record_of(tmp_path / "played.db", table)
    with live_table(file, staff, table.now) as live:
        token = live.token_of("supervisor")
        amendment = replace(command_for("amend_round", live.state), by=Staff.supervisor)
        late = inp.VoidRound(by=Staff.supervisor, round=round_id, reason=WHY)
        assert code_of(live.tell(late, token)) == "needs_second", "the result was confirmed"
        first, second = (live.approval_of(amendment, "floor") for _ in range(2))
        accepted(live.tell(inp.OpenBets(by=""), live.token_of("dealer")))
        assert accepted(live.tell(amendment, token, first)) == ("result_amended",)
        assert code_of(live.tell(amendment, token, second)) == "stale"


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


@pytest.mark.req("DUAL-2")
def test_without_the_staffs_database_nobody_commands_and_the_table_goes_on(
    file: Path, staff: Staff, now: datetime, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    there, away = tmp_path / "staff.db", tmp_path / "away.db"
    with live_table(file, staff, now) as live:
        token = live.token_of("dealer")
        there.rename(away)
        assert code_of(live.log_in("dealer")) == "no_staff_store"
        assert code_of(live.tell(inp.CloseBets(by=""), token)) == "no_staff_store"
        told = [(one.act, one.result, one.by) for one in live.tries()[1:]]
        assert told == [("log_in", "no_staff_store", None), ("command", "no_staff_store", None)]
        live.cards("QD")
        assert live.state.cards_out == 4
        assert live.shown()
        away.rename(there)
        approval = live.approval_of(entering(), "supervisor")
        accepted(live.tell(entering(), token, approval))


def test_a_database_that_is_not_there_at_the_start_is_tried_again(
    file: Path, staff: Staff, now: datetime, tmp_path: Path
) -> None:
    there, away = tmp_path / "staff.db", tmp_path / "away.db"
    there.rename(away)
    with live_table(file, staff, now) as live:
        assert code_of(live.log_in("dealer")) == "no_staff_store"
        away.rename(there)
        live.token_of("dealer")


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


@pytest.mark.req("ACC-4", "ACC-10", "DAT-4")
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


def test_a_door_of_another_process_sees_what_the_table_kept(live: LiveTable, staff: Staff) -> None:
    live.token_of("supervisor")
    door = Door(StaffBook.open(staff.url), staff.rules, hashing=QUICK, now=staff.clock)
    with door.book.reading() as page:
        assert [one.staff for one in page.open_sessions()] == [Staff.supervisor]
    assert Role.SUPERVISOR in staff.account(Staff.supervisor).roles
