# SPDX-License-Identifier: Apache-2.0
"""The second person at a running table: for exactly this, once, and by nobody's say-so."""

import threading
from datetime import datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from studio.feed import staff as wire
from studio.game import events as ev
from studio.game import inputs as inp
from studio.game.holds import proposals_of
from studio.game.state import Phase
from studio.staff.attempts import Act
from studio.staff.consent import consent_to
from tests.game.table_driver import Driven, command_for
from tests.staff.live_table import (
    LiveTable,
    accepted,
    code_of,
    entering,
    live_table,
    record_of,
)
from tests.staff.people import BADGES, HERE, PIN, Staff
from tests.waiting import until

WRONG = "999111"
WHY = "seen by both"


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


def test_a_call_is_answered_by_whatever_a_supervisor_does_or_agrees_to(live: LiveTable) -> None:
    dealer, pit = live.token_of("dealer"), live.token_of("supervisor")
    accepted(live.tell(inp.CallSupervisor(by=""), dealer))
    accepted(live.tell(inp.CallResult(by="", outcome="player"), dealer))
    assert live.state.call is not None
    accepted(live.tell(entering(), dealer, live.approval_of(entering(), "supervisor")))
    assert live.state.call is None
    assert live.record()[-1].event == ev.SupervisorCallEnded(by=Staff.supervisor)
    accepted(live.tell(inp.CallSupervisor(by=""), dealer))
    assert accepted(live.tell(inp.AnswerCall(by=""), dealer)) == ("supervisor_call_ended",)
    accepted(live.tell(inp.CallSupervisor(by=""), dealer))
    assert code_of(live.tell(inp.OpenBets(by=""), pit)) == "not_permitted"
    assert live.state.call is not None
    accepted(live.tell(command_for("rule_hold", live.state), pit))
    assert live.state.call is None


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
    said = {"remedy": first.remedy.value, "bound_to": first.bound_to}
    return {"by": "", "reason": WHY, "faces_seen": first.faces_seen, **said}


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
    noted = live.tries()[-1]
    assert (noted.act, noted.by, noted.about) == ("approve", Staff.supervisor, Staff.dealer)
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
