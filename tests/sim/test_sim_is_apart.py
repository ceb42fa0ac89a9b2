# SPDX-License-Identifier: Apache-2.0
"""The simulator shares nothing with the drivers, and its model touches nothing outside."""

import ast
from pathlib import Path

import pytest

import drivers.sim

MODULES = sorted(Path(drivers.sim.__file__).parent.glob("*.py"))
PURE = {
    "commands",
    "condition",
    "device",
    "faults",
    "host_commands",
    "line",
    "options",
    "protocol",
    "sender",
    "shoe",
}
OF_THE_LANGUAGE = {"collections", "collections.abc", "enum", "functools", "operator", "typing"}
FOR_THE_MODEL = OF_THE_LANGUAGE | {"msgspec", "random", "studio.game.cards"}


def imports_of(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_no_module_of_the_simulator_knows_a_driver_or_the_table(path: Path) -> None:
    ours = {name for name in imports_of(path) if name.startswith(("drivers", "studio", "ui"))}
    assert all(name.startswith("drivers.sim") or name == "studio.game.cards" for name in ours)


@pytest.mark.parametrize("name", sorted(PURE))
def test_the_model_reads_no_clock_and_touches_nothing(name: str) -> None:
    path = next(each for each in MODULES if each.stem == name)
    pure_modules = {f"drivers.sim.{each}" for each in PURE} | {"drivers.sim"}
    assert imports_of(path) <= FOR_THE_MODEL | pure_modules
