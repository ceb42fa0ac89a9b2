# SPDX-License-Identifier: Apache-2.0
"""Every command has the function that decides it."""

from typing import get_args, get_type_hints

import pytest

from studio.game.commands import DECIDED_BY
from studio.game.inputs import Command


def test_every_command_is_decided() -> None:
    assert set(DECIDED_BY) == set(get_args(Command))


@pytest.mark.parametrize("command", DECIDED_BY, ids=lambda cls: cls.__name__)
def test_a_command_is_decided_by_a_function_for_it(command: type[Command]) -> None:
    taken = get_type_hints(DECIDED_BY[command])["command"]
    assert command in (get_args(taken) or (taken,))
