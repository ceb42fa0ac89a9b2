# SPDX-License-Identifier: Apache-2.0
"""The record is that of a backup: whatever the table was doing then, people must look at it now.

Near by, the service was stopped and started again on the record that it left.
"""

from studio.game.irregularities import RECORD_RESTORED
from tests.game.table_driver import Driven
from tests.scenarios.rows import Row, Scenario, phase_row
from tests.scenarios.tables import PHASES, Story


def _restored(phase: str) -> Story:
    def story_of(table: Driven) -> Driven:
        table.restored(lost=1)
        return table

    return lambda rule: story_of(PHASES[phase](rule))


def _restarted(phase: str) -> Story:
    def story_of(table: Driven) -> Driven:
        table.restart()
        return table

    return lambda rule: story_of(PHASES[phase](rule))


ROWS: dict[str, Row] = {
    RECORD_RESTORED: phase_row(
        {
            phase: Scenario(
                happens=_restored(phase),
                almost=_restarted(phase),
                codes=("misscan-none", RECORD_RESTORED) if phase == "held" else (RECORD_RESTORED,),
                instead=("misscan-none",) if phase == "held" else (),
            )
            for phase in PHASES
        },
        {},
    )
}
