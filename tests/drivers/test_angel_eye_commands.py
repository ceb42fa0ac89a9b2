# SPDX-License-Identifier: Apache-2.0
"""Commands to the shoe: never by accident, and only those that are known."""

import pytest

from drivers.angel_eye_iiex import AngelEyeSettings, CheckScope
from drivers.angel_eye_iiex_commands import (
    EngineeringModeOff,
    cancel_error_command,
    confirm_game_command,
    lock_command,
    with_other_scope,
)

ON = AngelEyeSettings(engineering=True)


def test_the_published_lock_command_is_built() -> None:
    assert lock_command(ON, locked=True) == bytes.fromhex("024f504c4b303203") + b"1B"


def test_the_other_commands_are_built() -> None:
    assert lock_command(ON, locked=False)[:-2] == b"\x02OPLK01\x03"
    assert cancel_error_command(ON, 7)[:-2] == b"\x02OPEC07\x03"
    assert confirm_game_command(ON)[:-2] == b"\x02OPGP00\x03"


@pytest.mark.req("REC-3")
def test_no_command_is_built_while_the_shoe_is_read_only() -> None:
    off = AngelEyeSettings()
    with pytest.raises(EngineeringModeOff, match="engineering = true"):
        lock_command(off, locked=True)
    with pytest.raises(EngineeringModeOff):
        cancel_error_command(off, 1)
    with pytest.raises(EngineeringModeOff):
        confirm_game_command(off)


@pytest.mark.parametrize("code", [0, 100, -1])
def test_an_error_code_that_does_not_fit_is_refused(code: int) -> None:
    with pytest.raises(ValueError, match="1 to 99"):
        cancel_error_command(ON, code)


def test_the_other_scope_of_the_check_is_that_of_the_other_setting() -> None:
    excluded = AngelEyeSettings(engineering=True, command_check=CheckScope.EXCLUDE_START)
    one, other = lock_command(ON, locked=True), lock_command(excluded, locked=True)
    assert other[-2:] == b"19"
    assert with_other_scope(one) == other
    assert with_other_scope(other) == one
