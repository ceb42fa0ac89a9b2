# SPDX-License-Identifier: Apache-2.0
"""Staff log in at a table that runs as a process: what people do at the command line."""

import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from studio.cli.exits import Exit
from studio.game import events as ev
from studio.game.events import Recorded
from studio.store.chain import recorded_of
from studio.store.history import History
from studio.store.staff_schema import create_staff
from studio.verify import verify
from tests.cli.run import STUDIO, environment
from tests.staff.people import BADGES, PIN, Staff
from tests.system.rig import TABLE, Studio, studio

DEALER, SUPERVISOR = BADGES["dealer"], BADGES["supervisor"]


def hired(folder: Path) -> Staff:
    """The people of the studio, in its own database."""
    url = f"sqlite:///{folder}/data/staff.db"
    create_staff(url)
    staff = Staff(url)
    staff.clock.at = datetime.now(UTC)
    return staff.begin()


def told(running: Studio, *arguments: str, pins: tuple[str, ...] = (PIN,)) -> tuple[int, str]:
    """Run ``studio`` with PINs on standard input; its status and all that it said."""
    table = ["-c", str(running.folder / "tables" / f"{TABLE}.toml")]
    done = subprocess.run(
        [*STUDIO, *arguments, *table],
        env=environment(running.folder),
        input="".join(f"{pin}\n" for pin in pins),
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def record_of(running: Studio) -> list[Recorded]:
    with History.open(running.database, TABLE) as history:
        return [recorded_of(row) for row in history.rows(history.epochs()[-1])]


@pytest.mark.req("ACC-1", "ACC-7", "DUAL-2")
def test_a_shoe_is_dealt_by_people_who_logged_in(tmp_path: Path) -> None:
    with studio(tmp_path, log_in="required") as running:
        hired(tmp_path)
        service = running.start()
        by = ("command", "open_table", "--dealer", "Zoë", "--pin-stdin", "--badge")
        status, said = told(running, "command", "open_table", "--dealer", "Zoë", "--by", "s-0001")
        assert (status, "--badge" in said) == (Exit.BAD_SETTINGS, True)
        status, said = told(running, *by, DEALER, pins=("999111",))
        assert (status, "wrong" in said) == (Exit.FAILED, True)
        status, said = told(running, *by, DEALER)
        assert (status, "no_supervisor" in said) == (Exit.FAILED, True)
        deal = ("dealer", "--rounds", "2", "--pace", "0", "--quiet", "--pin-stdin")
        control = ("--control", running.simulator.said["control"])
        people = ("--badge", DEALER, "--second-badge", SUPERVISOR)
        status, said = told(running, *deal, *control, *people, pins=(PIN, PIN))
        assert (status, said) == (Exit.DONE, "")
        logged = service.errors()
        record = record_of(running)
    assert verify(running.database, TABLE).is_sound
    events = [one.event for one in record]
    named = {getattr(event, "by", None) for event in events} - {None}
    assert named == {Staff.dealer, Staff.supervisor}
    assert sum(isinstance(event, ev.ResultConfirmed) for event in events) == 2
    loaded = next(at for at, event in enumerate(events) if isinstance(event, ev.ShoeLoaded))
    approved = events[loaded - 1]
    assert isinstance(approved, ev.StaffNoted)
    assert (approved.act, approved.by, approved.about) == (
        "redeem", Staff.supervisor, Staff.dealer,
    )  # fmt: skip
    assert events[loaded].by == Staff.dealer
    last = [event for event in events if isinstance(event, ev.StaffNoted)][-2:]
    assert [(one.act, one.by) for one in last] == [
        ("log_out", Staff.dealer), ("log_out", Staff.supervisor),
    ]  # fmt: skip
    assert PIN not in logged
    assert "999111" not in logged


@pytest.mark.req("MAN-5")
def test_a_supervisor_opens_and_two_people_resume_at_the_command_line(tmp_path: Path) -> None:
    with studio(tmp_path, log_in="required") as running:
        hired(tmp_path)
        running.start()
        opening = ("command", "open_table", "--dealer", "Zoë", "--pin-stdin", "--badge", SUPERVISOR)
        assert told(running, *opening)[0] == Exit.DONE
        dealer = ("--pin-stdin", "--badge", DEALER)
        assert told(running, "command", "suspend_table", *dealer)[0] == Exit.DONE
        status, said = told(running, "command", "resume_table", *dealer)
        assert (status, "needs_second" in said) == (Exit.FAILED, True)
        two = (*dealer, "--second-badge", SUPERVISOR)
        assert told(running, "command", "resume_table", *two, pins=(PIN, PIN))[0] == Exit.DONE
        resumed = next(
            one.event for one in record_of(running) if isinstance(one.event, ev.TableResumed)
        )
        assert resumed.by == Staff.dealer


def test_a_table_without_people_says_so_and_serves_all_the_same(tmp_path: Path) -> None:
    with studio(tmp_path, log_in="required") as running:
        service = running.start()
        where = ("command", "open_table", "--dealer", "Zoë", "--pin-stdin", "--badge", DEALER)
        status, said = told(running, *where)
        assert (status, "database of the staff" in said) == (Exit.FAILED, True)
        assert told(running, "command")[0] == Exit.DONE
        status, said = told(running, "doctor")
        assert (status, "studio staff init" in " ".join(said.split())) == (Exit.FAILED, True)
        assert "nobody can log in" in service.errors()
