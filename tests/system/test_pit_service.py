# SPDX-License-Identifier: Apache-2.0
"""Several tables of one studio, each a process of its own, and one person for all of them."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from studio.cli.exits import Exit
from studio.game import events as ev
from studio.store.chain import recorded_of
from studio.store.history import History
from studio.store.staff_schema import create_staff
from tests.cli.run import STUDIO, environment
from tests.staff.people import BADGES, PIN, Staff
from tests.system.rig import Hands, Studio, studio

TABLES = ("BAC-1", "BAC-2", "BAC-3")
CLOSED = "BAC-3"


@contextmanager
def tables(folder: Path, *names: str) -> Iterator[dict[str, Studio]]:
    """A studio of several tables with one staff; none is served yet."""
    create_staff(f"sqlite:///{folder}/data/staff.db")
    staff = Staff(f"sqlite:///{folder}/data/staff.db")
    staff.clock.at = datetime.now(UTC)
    staff.begin()
    with ExitStack() as closing:
        yield {
            name: closing.enter_context(
                studio(
                    folder, table=name, database=f"sqlite:///{folder}/{name}.db", log_in="required"
                )
            )
            for name in names
        }


def told(folder: Path, *arguments: str, pin: str = PIN) -> tuple[int, str]:
    """Run ``studio`` at the site with a PIN on standard input; status and all that it said."""
    done = subprocess.run(
        [*STUDIO, *arguments],
        env={**environment(folder), "STUDIO_CONFIG": str(folder)},
        input=f"{pin}\n",
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def opened(folder: Path, name: str) -> None:
    by = ("--badge", BADGES["supervisor"], "--pin-stdin", "-t", name)
    status, said = told(folder, "command", "open_table", "--dealer", "Anna", *by)
    assert status == Exit.DONE, said


def events_of(table: Studio) -> list[ev.Event]:
    with History.open(table.database, table.table) as history:
        return [recorded_of(row).event for row in history.rows(history.epochs()[-1])]


@pytest.mark.req("ACC-1")
def test_one_log_in_suspends_every_table_and_a_dead_one_holds_up_none(tmp_path: Path) -> None:
    suspend = ("suspend", "--all", "--reason", "device", "--json", "--pin-stdin", "--badge")
    with tables(tmp_path, *TABLES) as there:
        for name, table in there.items():
            table.start()
            if name != CLOSED:
                opened(tmp_path, name)
        status, said = told(tmp_path, *suspend, BADGES["supervisor"], pin="999111")
        assert (status, "wrong" in said) == (Exit.FAILED, True)
        assert suspensions(there) == {}
        status, said = told(tmp_path, *suspend, BADGES["supervisor"])
        assert (status, answers(said)) == (
            Exit.DONE,
            {"BAC-1": "suspended", "BAC-2": "suspended", CLOSED: "closed"},
        )
        assert suspensions(there) == {
            name: ev.TableSuspended(reason="device", by=Staff.supervisor)
            for name in ("BAC-1", "BAC-2")
        }
        log_ins = [tried_of(table, "log_in", "done") for table in there.values()]
        assert sum(log_ins) == 3, "two opened a table, and one suspended all"
        killed = there["BAC-1"].service
        assert killed is not None
        killed.end()
        status, said = told(tmp_path, *suspend, BADGES["supervisor"])
        assert status == Exit.UNREACHABLE
        assert answers(said) | {"BAC-1": ""} == {
            "BAC-1": "",
            "BAC-2": "suspended already",
            CLOSED: "closed",
        }
        assert Hands(there["BAC-2"]).snapshot().state["public"]["suspended"] == "device"


def answers(said: str) -> dict[str, str]:
    rows: list[dict[str, Any]] = [json.loads(line) for line in said.splitlines()]
    return {one["table"]: one["answer"] for one in rows}


def suspensions(there: dict[str, Studio]) -> dict[str, ev.Event]:
    found = {
        name: [one for one in events_of(table) if isinstance(one, ev.TableSuspended)]
        for name, table in there.items()
    }
    return {name: suspended[-1] for name, suspended in found.items() if suspended}


def tried_of(table: Studio, act: str, result: str) -> int:
    return sum(
        isinstance(one, ev.StaffNoted) and (one.act, one.result) == (act, result)
        for one in events_of(table)
    )
