# SPDX-License-Identifier: Apache-2.0
"""What is done to software and settings by mistake, and taken back."""

from collections.abc import Callable

from msgspec.structs import replace

from tests.game.table_driver import Driven


def checked_software() -> Driven:
    table = Driven().ready().approved()
    table.ask("check_software")
    table.check("/opt/sabot/studio/service.py", why="asked")
    table.ask("check_software")
    table.check(why="asked")
    table.ask("resume_table")
    return table


def approved_software() -> Driven:
    table = Driven().ready().approved()
    table.ask("approve_software", digest="b" * 64)
    table.check("/opt/sabot/studio/service.py", why="approved")
    table.approved("a" * 64)
    table.ask("resume_table")
    return table


def applied_settings() -> Driven:
    table = Driven().ready()
    before = table.state.house
    assert before is not None
    table.ask("apply_settings", house=replace(before, betting_seconds=20))
    table.ask("apply_settings", before="c" * 64, after="b" * 64, house=before)
    assert table.state.house == before
    return table


UPKEEP_STORIES: dict[str, Callable[[], Driven]] = {
    "check_software": checked_software,
    "approve_software": approved_software,
    "apply_settings": applied_settings,
}
