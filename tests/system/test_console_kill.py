# SPDX-License-Identifier: Apache-2.0
"""The console's process killed (SIGKILL) in every phase of a table: another one shows the same."""

import signal

from msgspec.structs import replace

from studio.verify import verify
from tests.system.rig import TABLE, Hands, Studio, studio
from tests.system.screen import Shown, display
from tests.system.test_log_in import record_of
from ui.view.model import View

PHASES = (
    "no_shoe", "burning", "idle", "bets_open", "dealing", "result", "settling", "held",
)  # fmt: skip


def timeless(view: View) -> View:
    """The picture without what goes on by itself: clocks, and keys that wait for a moment."""
    return replace(
        view,
        header=replace(view.header, clock=""),
        band=replace(view.band, clock="", part=None, since=""),
        held=None if view.held is None else replace(view.held, since=""),
        keys=tuple(replace(key, is_enabled=True) for key in view.keys),
    )


def reached(shown: Shown, table: Studio, phase: str) -> None:
    """Do what the screen asks for until the table is in that phase."""

    def now() -> str:
        return str(Hands(table).snapshot().state["phase"])

    for _ in range(40):
        if phase == "held" and now() == "result":
            table.shoe.pull()
            shown.wait(lambda view: view.held is not None)
        if now() == phase:
            return
        shown.step()
    raise AssertionError(f"{phase} was not reached, but {now()}")


def test_a_console_that_is_killed_in_any_phase_comes_back_to_the_same_picture(tmp_path):
    house = {"betting_seconds": "600", "settle_seconds": "600"}
    with studio(tmp_path, "--seed", "11", house=house) as table, display() as screen:
        table.start()
        shown = Shown(table, screen)
        try:
            for phase in PHASES:
                reached(shown, table, phase)
                before, record = timeless(shown.view), record_of(table)
                assert shown.end(signal.SIGKILL) == -signal.SIGKILL
                shown = Shown(table, screen)
                shown.wait(lambda view, before=before: timeless(view) == before)
                assert record_of(table) == record
            assert shown.code == "held"
            assert shown.end() == 0
        finally:
            if shown.child.poll() is None:
                shown.end(signal.SIGKILL)
        assert verify(table.database, TABLE).findings == ()
