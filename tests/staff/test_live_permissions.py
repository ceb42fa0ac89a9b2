# SPDX-License-Identifier: Apache-2.0
"""Every command, tried by every role, in every phase, at a running table with its real staff."""

import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from studio.feed import staff as wire
from studio.game.events import Source
from studio.game.inputs import Command, Refusal, Stamp
from studio.game.state import Phase, TableState
from studio.game.table import decide
from studio.staff.accounts import Role
from studio.staff.permissions import PERMISSIONS, Grant
from tests.game.table_driver import COMMANDS, Driven, command_for
from tests.game.test_transitions import in_tables
from tests.staff.live_table import LiveTable, live_table, record_of
from tests.staff.people import BADGES, Staff

# Badge and id of one of each role; the auditor is hired here.
PEOPLE = {
    Role.DEALER: (BADGES["dealer"], Staff.dealer),
    Role.SUPERVISOR: (BADGES["supervisor"], Staff.supervisor),
    Role.MANAGER: (BADGES["manager"], Staff.manager),
    Role.AUDITOR: ("700", "s-0006"),
}
NO, PAIR = "not_permitted", "needs_second"


@pytest.fixture(scope="module")
def phases(tmp_path_factory: pytest.TempPathFactory) -> dict[Phase, tuple[Driven, Path]]:
    """A driven table in every phase, and the record of it."""
    folder = tmp_path_factory.mktemp("phases")
    return {
        table.state.phase: (table, record_of(folder / f"{table.state.phase.value}.db", table))
        for table in in_tables()
    }


def granted(role: Role, tag: str, phase: Phase) -> Grant:
    """What the table of permissions says; a void of a confirmed round takes two always."""
    grant = PERMISSIONS[tag].grants[role]
    is_late = tag == "void_round" and phase is Phase.SETTLING
    return Grant.PAIR if grant is Grant.ALONE and is_late else grant


def outcome(table: Driven, command: Command) -> Refusal | list[str]:
    """What the table itself makes of a command, by its types or its refusal."""
    decided = decide(table.state, command, Stamp(table.now, table.day))
    if isinstance(decided, Refusal):
        return decided
    return [type(one.event).__struct_config__.tag for one in decided]


class Tries:
    """Tries commands at live tables that stand alike, a new one after each that moved it."""

    def __init__(self, table: Driven, file: Path, staff: Staff, role: Role, folder: Path) -> None:
        self._table = table
        self._file = file
        self._staff = staff
        self._role = role
        self._badge, self._id = PEOPLE[role]
        self._folder = folder

    def all(self) -> None:
        """Every command there is."""
        left = list(COMMANDS)
        while left:
            copy = shutil.copy(self._file, self._folder / "record.db")
            with live_table(Path(copy), self._staff, self._table.now) as live:
                token = live.token_of(self._badge)
                while left and live.state == replace(self._table.state, seq=live.state.seq):
                    self._one(live, left.pop(0), token)

    def _one(self, live: LiveTable, tag: str, token: str) -> None:
        before: TableState = live.state
        grant = granted(self._role, tag, before.phase)
        # by and second are other people's: whatever a console says, they are not believed
        command = command_for(tag, before)
        answer = live.tell(command, token)
        if grant is not Grant.ALONE:
            assert isinstance(answer, wire.RefusalAnswer), (tag, answer)
            assert answer.code == (NO if grant is Grant.NO else PAIR), (tag, answer)
            assert live.state == replace(before, seq=live.state.seq), "only tries are noted"
        second = None
        if grant is Grant.PAIR:
            approval = live.approval_of(replace(command, by=self._id), "floor")
            answer = live.tell(command, token, approval)
            second = Staff.floor
        if grant is not Grant.NO:
            self._compared(live, tag, answer, signed(command, self._id, second))
        for recorded in live.record(before.seq):
            named = {getattr(recorded.event, name, None) for name in ("by", "second", "about")}
            assert named <= {self._id, Staff.floor, None}, recorded

    def _compared(
        self, live: LiveTable, tag: str, answer: wire.StaffAnswer, command: Command
    ) -> None:
        """The live table must say what the table itself decides."""
        expected = outcome(self._table, command)
        if isinstance(expected, Refusal):
            assert isinstance(answer, wire.RefusalAnswer), (tag, answer)
            assert (answer.code, answer.text) == (expected.code, expected.text)
            return
        assert isinstance(answer, wire.Acceptance), (tag, answer)
        assert list(answer.events) == expected
        last = live.record(answer.seq - 1)[0]
        assert last.source in (Source.MANUAL, Source.SYSTEM)


def signed(command: Command, by: str, second: str | None) -> Command:
    """The command as the record must have it."""
    if hasattr(command, "second"):
        return replace(command, by=by, second=second)
    return replace(command, by=by)


@pytest.mark.req("ACC-1", "MAN-4", "MAN-5", "DUAL-1", "VOID-2")
@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("phase", Phase)
def test_every_command_is_for_those_who_may_and_for_nobody_else(
    phase: Phase,
    role: Role,
    phases: dict[Phase, tuple[Driven, Path]],
    staff: Staff,
    tmp_path: Path,
) -> None:
    table, file = phases[phase]
    assert staff.hire("auditor", Role.AUDITOR, badge="700") == PEOPLE[Role.AUDITOR][1]
    Tries(table, file, staff, role, tmp_path).all()
