# SPDX-License-Identifier: Apache-2.0
"""Held tables and the people of the pit: who rules, who is called what, who is on duty where."""

from datetime import datetime
from pathlib import Path

import pytest

from studio.feed import staff as wire
from studio.game import events as ev
from studio.game import inputs as inp
from studio.game.holds import proposals_of
from studio.game.inputs import Command
from studio.staff.accounts import Role
from tests.staff.live_table import LiveTable, accepted, code_of, live_table
from tests.staff.people import HERE, Staff, logged_in

TABLE = "BAC-1"


def claim(live: LiveTable, *, take_over: bool = False) -> Command:
    return inp.ClaimHold(by="", round=live.state.round, take_over=take_over)


def ruling(live: LiveTable) -> inp.RuleHold:
    """The house's first ruling on the hold as it is."""
    first = proposals_of(live.state)[0]
    return inp.RuleHold(
        by="", remedy=first.remedy.value, reason="seen on video", bound_to=first.bound_to
    )


def snapshot(live: LiveTable) -> wire.StaffSnapshot:
    answer = live.ask(wire.AskStaffSnapshot(id="s", table=TABLE))
    assert isinstance(answer, wire.StaffSnapshot)
    return answer


def test_a_claim_is_in_the_snapshot_by_id_and_by_name_and_in_the_record_by_id(
    live: LiveTable,
) -> None:
    pit = live.token_of("supervisor")
    assert accepted(live.tell(claim(live), pit)) == ("hold_claimed",)
    seen = snapshot(live)
    assert seen.state["hold"]["claimed_by"] == Staff.supervisor
    assert datetime.fromisoformat(seen.state["hold"]["claimed_at"]) == live.record()[-1].at
    assert seen.names == {Staff.supervisor: "Supervisor"}
    assert live.record()[-1].event == ev.HoldClaimed(by=Staff.supervisor)


@pytest.mark.parametrize("who", ["dealer", "auditor"])
def test_a_hold_is_claimed_by_those_who_supervise_alone(
    live: LiveTable, staff: Staff, who: str
) -> None:
    if who == "auditor":
        staff.hire("auditor", Role.AUDITOR, badge="700")
    token = live.token_of("700" if who == "auditor" else who)
    assert code_of(live.tell(claim(live), token)) == "not_permitted"
    assert code_of(live.tell(inp.ReleaseHold(by=""), token)) == "not_permitted"


def test_the_second_one_is_told_by_name_who_has_claimed_it_and_takes_over_if_that_is_said(
    live: LiveTable,
) -> None:
    first, other = live.token_of("supervisor"), live.token_of("floor")
    accepted(live.tell(claim(live), first))
    refused = live.tell(claim(live), other)
    assert code_of(refused) == "claimed"
    assert isinstance(refused, wire.RefusalAnswer)
    assert "Supervisor has claimed this hold" in refused.text
    assert "s-0002" not in refused.text
    assert code_of(live.tell(inp.ReleaseHold(by=""), other)) == "claimed"
    accepted(live.tell(claim(live, take_over=True), other))
    assert live.record()[-1].event == ev.HoldClaimed(by=Staff.floor, taken_from=Staff.supervisor)


def test_a_supervisor_does_not_rule_on_what_another_one_has_claimed(live: LiveTable) -> None:
    first, other = live.token_of("supervisor"), live.token_of("floor")
    accepted(live.tell(claim(live), first))
    assert code_of(live.tell(ruling(live), other)) == "claimed"
    void = inp.VoidRound(by="", round=live.state.round or "", reason="seen")
    assert code_of(live.tell(void, other)) == "claimed"
    assert live.state.hold is not None
    accepted(live.tell(ruling(live), first))


@pytest.mark.parametrize("who", ["floor", "manager"])
def test_what_nobody_claimed_anybody_rules_on_and_a_manager_rules_on_any(
    live: LiveTable, who: str
) -> None:
    if who == "manager":
        accepted(live.tell(claim(live), live.token_of("supervisor")))
    accepted(live.tell(ruling(live), live.token_of(who)))
    assert live.state.hold is None


def test_at_the_table_the_dealer_rules_with_any_supervisors_word_claimed_or_not(
    live: LiveTable,
) -> None:
    accepted(live.tell(claim(live), live.token_of("supervisor")))
    dealer = live.token_of("dealer")
    said = inp.RuleHold(**{**members(ruling(live)), "by": Staff.dealer})
    approval = live.approval_of(said, "floor")
    accepted(live.tell(said, dealer, approval))
    assert live.state.hold is None


def members(command: inp.RuleHold) -> dict[str, object]:
    return {name: getattr(command, name) for name in command.__struct_fields__}


def test_where_the_house_wants_two_the_claimant_may_be_either_of_them(
    file: Path, staff: Staff, now: datetime
) -> None:
    with live_table(file, staff, now, house_asks=["rule_hold"]) as live:
        accepted(live.tell(claim(live), live.token_of("supervisor")))
        said = inp.RuleHold(**{**members(ruling(live)), "by": Staff.floor})
        other = live.token_of("floor")
        by_manager = live.approval_of(said, "manager")
        assert code_of(live.tell(said, other, by_manager)) == "claimed"
        by_claimant = live.approval_of(said, "supervisor")
        accepted(live.tell(said, other, by_claimant))


def test_the_snapshot_says_who_is_on_duty_for_the_table_and_when_the_shoe_was_heard(
    live: LiveTable,
) -> None:
    assert (snapshot(live).on_duty, snapshot(live).heard_at) == ((), None)
    live.log_in("dealer")
    live.log_in("manager")
    manager = wire.OnDuty(staff=Staff.manager, screen_name="Mara", roles=("manager",))
    dealer = wire.OnDuty(staff=Staff.dealer, screen_name="Dealer", roles=("dealer",))
    assert snapshot(live).on_duty == (manager, dealer)
    report = live.reported("QD")
    live.give(report)
    assert snapshot(live).heard_at == report.origin.heard_at
    assert snapshot(live).state["may_miss_cards"] is False


def test_the_roster_has_everybody_and_where_they_are_logged_in(
    live: LiveTable, staff: Staff
) -> None:
    pit = live.token_of("supervisor")
    dealer = logged_in(staff.desk("BAC-2"), "dealer").session
    staff.office.disable(staff.manager, staff.other, HERE)
    roster = live.ask(wire.AskRoster(id="r", table=TABLE, from_=HERE, token=pit))
    assert isinstance(roster, wire.Roster)
    by_id = {one.staff: one for one in roster.people}
    assert by_id.keys() == {staff.manager, staff.supervisor, staff.floor, staff.dealer, staff.other}
    assert [one.table for one in by_id[staff.supervisor].places] == [None]
    assert by_id[staff.dealer].places == (wire.Place(table="BAC-2", since=dealer.opened),)
    assert by_id[staff.floor].places == ()
    assert [one.staff for one in roster.people if one.is_disabled] == [staff.other]
    staff.clock.pass_(minutes=6)
    assert code_of(live.ask(wire.AskRoster(id="r", table=TABLE, from_=HERE, token=pit))) == "idle"


def test_a_supervisor_takes_somebody_off_duty_at_every_table(live: LiveTable, staff: Staff) -> None:
    pit, dealer = live.token_of("supervisor"), live.token_of("dealer")
    ask = wire.AskStandDown(id="o", table=TABLE, from_=HERE, token=pit, staff=staff.dealer)
    assert isinstance(live.ask(ask), wire.Performed)
    assert code_of(live.tell(inp.CallSupervisor(by=""), dealer)) == "session_ended"
    assert [one.screen_name for one in snapshot(live).on_duty] == ["Supervisor"]
    noted = next(one for one in live.tries() if one.act == "stand_down")
    assert (noted.by, noted.about, noted.result) == (staff.supervisor, staff.dealer, "done")
    assert code_of(live.ask(ask)) == "not_needed"


@pytest.mark.parametrize(
    "who, staff_id, code",
    [
        ("dealer", Staff.supervisor, "not_permitted"),
        ("supervisor", Staff.supervisor, "own_account"),
        ("supervisor", Staff.manager, "not_permitted"),
        ("supervisor", "s-0999", "no_account"),
    ],
)
def test_who_may_not_takes_nobody_off_duty(
    live: LiveTable, who: str, staff_id: str, code: str
) -> None:
    for one in ("manager", "supervisor"):
        live.log_in(one)
    token = live.token_of(who)
    ask = wire.AskStandDown(id="o", table=TABLE, from_=HERE, token=token, staff=staff_id)
    assert code_of(live.ask(ask)) == code


def test_a_dealer_sees_no_roster(live: LiveTable) -> None:
    ask = wire.AskRoster(id="r", table=TABLE, from_=HERE, token=live.token_of("dealer"))
    assert code_of(live.ask(ask)) == "not_permitted"
