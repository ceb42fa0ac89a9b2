# SPDX-License-Identifier: Apache-2.0
"""Rules of the tree that no tool checks by itself."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
SETUPTOOLS = PROJECT["tool"]["setuptools"]
CONTRACTS = {one["name"]: one for one in PROJECT["tool"]["importlinter"]["contracts"]}
LONGEST_MODULE = 400

SHIPPED = sorted(
    file
    for package in ("studio", "drivers", "ui")
    for file in (ROOT / package).rglob("*.py")
    if "__pycache__" not in file.parts
)
OTHERS = sorted((ROOT / "tests").rglob("*.py"))


def module_of(file: Path) -> str:
    return ".".join(file.relative_to(ROOT).with_suffix("").parts)


def modules_in(folder: str) -> set[str]:
    return {module_of(file) for file in (ROOT / folder).glob("*.py") if file.stem != "__init__"}


def may_use_clocks() -> set[str]:
    """Modules that ruff lets read clocks: those that touch the outside."""
    found = set()
    for pattern, rules in PROJECT["tool"]["ruff"]["lint"]["per-file-ignores"].items():
        if "TID251" in rules:
            head, _, rest = pattern.partition("{")
            names, _, tail = rest.partition("}")
            found |= {head + name + tail for name in names.split(",")}
    return {path.removesuffix(".py").replace("/", ".") for path in found}


def relative(file: Path) -> str:
    return str(file.relative_to(ROOT))


def test_every_package_of_the_tree_is_packaged():
    found = {module_of(file.parent / "x").removesuffix(".x") for file in SHIPPED}
    assert set(SETUPTOOLS["packages"]) == found | {"studio.config"}


def test_every_folder_with_modules_is_a_package():
    assert [relative(file) for file in SHIPPED if not (file.parent / "__init__.py").exists()] == []


def licence_of(file: Path) -> str:
    return "GPL-3.0-or-later" if relative(file).startswith("ui/") else "Apache-2.0"


def test_every_file_names_its_licence_in_its_first_line():
    first = {file: file.read_text().partition("\n")[0] for file in SHIPPED + OTHERS}
    wrong = [
        relative(file)
        for file, line in first.items()
        if line != f"# SPDX-License-Identifier: {licence_of(file)}"
    ]
    assert wrong == []


def test_no_module_is_too_long():
    lengths = {relative(file): file.read_text().count("\n") for file in SHIPPED + OTHERS}
    del lengths["studio/bundle/verify.py"]  # an auditor copies and reads it as one file
    assert {name: lines for name, lines in lengths.items() if lines > LONGEST_MODULE} == {}


@pytest.mark.req("TIME-1")
@pytest.mark.parametrize("folder", ["drivers", "studio/feed"])
def test_a_module_is_pure_by_contract_or_is_one_of_those_that_touch_the_outside(folder):
    pure = set(CONTRACTS["Pure modules touch nothing outside"]["source_modules"])
    outside = may_use_clocks()
    assert modules_in(folder) - pure - outside == set(), "name it in pyproject.toml"
    assert pure & outside == set()


def test_the_simulators_contract_names_every_module_of_the_drivers():
    contract = CONTRACTS["Simulators share no code with the drivers"]
    assert set(contract["forbidden_modules"]) == modules_in("drivers")


def test_only_data_lies_in_the_settings_folder():
    files = [file for file in (ROOT / "config").rglob("*") if file.is_file()]
    assert files
    assert {file.suffix for file in files} == {".toml"}


def test_no_file_of_the_lock_or_the_project_names_a_host_to_fetch_from():
    for name in (".ci/requirements.txt", "pyproject.toml", "Makefile"):
        assert not re.search(r"https?://", (ROOT / name).read_text()), name
