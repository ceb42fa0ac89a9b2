# SPDX-License-Identifier: Apache-2.0
"""Every command that a dealer may give is given by mistake at a table, and taken back or mended."""

import pytest

from studio.game import events as ev
from studio.game import inputs as inp
from studio.staff.accounts import Role
from studio.staff.permissions import PERMISSIONS, Grant
from tests.game.misdeal_stories import go_home
from tests.game.table_driver import COMMANDS, Driven
from tests.game.undo_stories import STORIES
from tests.undo import UNDO

DEALERS = {tag for tag, row in PERMISSIONS.items() if row.grants[Role.DEALER] is not Grant.NO}


def test_every_command_has_its_undo_or_remedy_and_is_shown_with_it() -> None:
    assert not DEALERS - UNDO.keys(), "say in tests/undo.py what takes it back"
    assert set(UNDO) == set(COMMANDS) == set(STORIES)
    assert all(one.by and set(one.by) <= COMMANDS.keys() for one in UNDO.values())


@pytest.mark.parametrize("tag", STORIES)
def test_a_command_given_by_mistake_is_taken_back_or_mended(
    tag: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[str] = []
    give = Driven.give

    def noted(table: Driven, told: inp.Input) -> list[ev.Event]:
        given.append(str(told.__struct_config__.tag))
        return give(table, told)

    monkeypatch.setattr(Driven, "give", noted)
    table = STORIES[tag]()
    after = given[given.index(tag) + 1 :]
    assert UNDO[tag].by[0] in after or UNDO[tag].by[-1] in after
    assert table.replayed() == table.state
    go_home(table)
