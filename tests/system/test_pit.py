# SPDX-License-Identifier: Apache-2.0
"""The pit and the dealer's console, each on a screen of its own, worked by real keys."""

import signal
from contextlib import ExitStack
from pathlib import Path

import pytest

from studio.cli.exits import Exit
from studio.game import events as ev
from studio.game.coup import Outcome
from tests.staff.people import BADGES, Staff
from tests.system.pit_screen import SIZE, pit
from tests.system.rig import TABLE, Hands, Process, Studio, studio
from tests.system.screen import console, display
from tests.system.test_console_misdeals import coup, end, identify, second
from tests.system.test_log_in import DEALER, SUPERVISOR, hired, record_of, told
from ui.view.model import BandRole

FLOOR, MANAGER = BADGES["floor"], BADGES["manager"]
HOUSE = {"betting_seconds": "600", "rule": '"none"'}
# A natural, a card too many, and another natural.
DEALS = "9C KD JS 3H 7C 8C KS QS 5D"
WRONG = "999111"


def told_of(running: Studio, kind: type[ev.Event]) -> list[ev.Event]:
    return [one.event for one in record_of(running) if isinstance(one.event, kind)]


@pytest.mark.req("MAN-4", "VOID-2")
def test_a_misdeal_at_the_console_is_claimed_and_ruled_in_the_pit_and_a_result_amended_by_two(
    tmp_path: Path,
) -> None:
    script = ",".join(DEALS.split())
    with (
        studio(tmp_path, "--script", script, log_in="required", house=HOUSE) as table,
        display() as desk,
        display(SIZE) as wall,
    ):
        hired(tmp_path)
        table.start()
        with console(table, desk) as dealer, pit(tmp_path, wall) as floor:
            floor.log_in(SUPERVISOR)
            dealer.do("log_in")
            identify(dealer, "log_in", DEALER)
            dealer.wait(lambda view: view.header.person.endswith("Dealer"))
            floor.do("open_table")
            floor.choose("pick:Dealer")
            dealer.wait(lambda view: view.band.code == "load-shoe")
            dealer.do("load_shoe")
            second(dealer)
            dealer.wait(lambda view: view.band.code == "open-bets")

            coup(dealer, 4)
            table.shoe.pull()
            dealer.wait(lambda view: view.held is not None)
            floor.wait(lambda view: view.table.held is not None)
            assert floor.tile(TABLE).role is BandRole.STOP
            floor.do("claim_hold")
            floor.wait(lambda view: view.table.is_mine)
            floor.do("rule_hold")
            floor.send()
            floor.send()
            floor.wait(lambda view: view.table.held is None)
            dealer.wait(lambda view: view.held is None)
            end(table, dealer)
            coup(dealer, 4)
            end(table, dealer)

            # a key counts for what was on screen when it went down: the round is over first
            floor.wait(lambda view: view.tiles[0].phase == "READY")
            floor.do("amend_round")
            floor.choose(f"pick:{told_of(table, ev.BetsOpened)[0].round}")
            floor.wait(lambda view: view.panel is not None and view.panel.fields)
            floor.type("9CJS")
            floor.wait(lambda view: view.panel is not None and not view.panel.fields[0].text)
            floor.type("KD4H")
            floor.wait(lambda view: view.panel is not None and view.panel.choices)
            floor.send()
            floor.identify("second", FLOOR)
            floor.wait(lambda view: not view.foot.sending)
            assert floor.end() == 0
            assert dealer.end() == 0
        claimed, ruled = told_of(table, ev.HoldClaimed), told_of(table, ev.IrregularityResolved)
        assert claimed == [ev.HoldClaimed(by=Staff.supervisor)]
        assert [(one.by, one.second) for one in ruled] == [(Staff.supervisor, None)]
        outcomes = [one.outcome for one in told_of(table, ev.ResultConfirmed)]
        assert outcomes == [Outcome.PLAYER, Outcome.PLAYER]
        (amended,) = told_of(table, ev.ResultAmended)
        assert (amended.by, amended.second) == (Staff.supervisor, Staff.floor)
        assert (amended.revision, amended.banker) == (2, ("KD", "4H"))


@pytest.mark.req("ACC-5", "ACC-9")
def test_a_locked_out_and_a_disabled_account_do_nothing_in_the_pit(tmp_path: Path) -> None:
    with (
        studio(tmp_path, log_in="required", house=HOUSE) as table,
        display(SIZE) as wall,
    ):
        hired(tmp_path)
        table.start()
        with pit(tmp_path, wall) as floor:
            for _ in range(3):
                floor.log_in(FLOOR, WRONG)
                assert "Badge or PIN is wrong" in floor.view.foot.refusal
            floor.log_in(FLOOR)
            assert "This account is locked" in floor.view.foot.refusal
            assert not floor.view.header.person_role
            by_manager = ("--as", MANAGER, "--pin-stdin")
            status, said = told(table, "staff", "unlock-code", Staff.floor, *by_manager)
            assert status == Exit.DONE, said
            code = said.split()[-1]
            own = ("staff", "unlock", "--as", FLOOR, "--pin-stdin")
            status, said = told(table, *own, pins=(code,))
            assert status == Exit.DONE, said
            floor.log_in(FLOOR)
            assert floor.view.header.person == "Floor"

            status, said = told(table, "staff", "disable", Staff.floor, *by_manager)
            assert status == Exit.DONE, said
            floor.do("open_table")
            floor.send()
            floor.wait(lambda view: view.foot.refusal)
            assert "This account is disabled" in floor.view.foot.refusal
            assert told_of(table, ev.TableOpened) == []
            floor.do("lock")
            floor.wait(lambda view: not view.header.person_role)
            floor.log_in(FLOOR)
            assert "This account is disabled" in floor.view.foot.refusal
            floor.log_in(SUPERVISOR)
            assert floor.view.header.person == "Supervisor"
            floor.do("open_table")
            floor.send()
            floor.wait(lambda view: view.tiles[0].dealer)
        assert [one.by for one in told_of(table, ev.TableOpened)] == [Staff.supervisor]


def test_twenty_tables_of_which_three_are_in_trouble(tmp_path: Path) -> None:
    """One is held and nobody claims it, one is killed, one loses its shoe: these stand out."""
    house = {**HOUSE, "ring_seconds": "1"}
    held, dead, deaf = "BAC-1", "BAC-2", "BAC-3"
    with ExitStack() as closing:
        own = {
            name: closing.enter_context(
                studio(
                    tmp_path, table=name, house=house, database=f"sqlite:///{tmp_path}/{name}.db"
                )
            )
            for name in (held, dead, deaf)
        }
        others = Process(["-m", "tests.bench.pit_tables", str(tmp_path), "17", "2", "4"])
        closing.callback(others.end)
        for one in own.values():
            one.start()
            Hands(one).play_to("idle")
        wall = closing.enter_context(display(SIZE))
        at = [f"--at={name}={','.join(two)}" for name, two in others.said.items()]
        floor = closing.enter_context(pit(tmp_path, wall, *at))
        names = [f"BAC-{number}" for number in range(1, 21)]
        floor.wait(lambda view: [one.table for one in view.tiles] == names)
        floor.wait(lambda view: all(one.role is None for one in view.tiles), 60)
        assert not floor.view.queue.rows

        own[held].shoe.pull()
        killed = own[dead].service
        assert killed is not None
        killed.end(signal.SIGKILL)
        own[deaf].shoe.unplug()
        floor.wait(lambda view: [one.table for one in view.queue.rows] == [held, dead, deaf], 30)
        loud = {one.table: one.role for one in floor.view.tiles if one.role is not None}
        assert loud == {held: BandRole.STOP, dead: BandRole.OFF, deaf: BandRole.MOVE}
        floor.wait(lambda view: held in view.header.ring and view.queue.rows[0].is_rung)

        floor.do("next_trouble")
        floor.wait(lambda _view: floor.tile(dead).is_selected)
        floor.do("last_trouble")
        floor.wait(lambda view: view.table.held is not None)
        floor.do("claim_hold")
        floor.wait(lambda view: view.table.is_mine and not view.header.ring)
        floor.do("rule_hold")
        floor.send()
        floor.send()
        floor.wait(lambda _view: floor.tile(held).role is None)
        own[dead].start()
        own[deaf].shoe.plug()
        floor.wait(lambda _view: floor.tile(dead).role is not BandRole.OFF, 30)
        assert [one.table for one in floor.view.tiles] == names, "the wall keeps its places"

        floor.do("suspend_all")
        floor.send()
        floor.wait(lambda view: all(one.trouble for one in view.tiles), 30)
        for one in own.values():
            assert Hands(one).snapshot().state["public"]["suspended"] is not None
        assert floor.end() == 0
