# SPDX-License-Identifier: Apache-2.0
"""The wheel, installed in an empty environment elsewhere, is all that a machine needs.

Nothing is fetched: the packages that an extra asks for are copied, file by file, from the
environment that runs the tests, and none beside them.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from studio.cli import COMMANDS

ROOT = Path(__file__).parents[2]
BUILT_FROM = ("studio", "drivers", "ui", "config", "pyproject.toml", "README.md")
SHIPPED_SUFFIXES = {
    *(".py", ".toml", ".typed", ".mako", ".otf", ".ttf", ".txt", ".md", ".json", ".jsonl")
}


def run(*command: object, cwd: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run a command with nothing of this checkout in its environment."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=kept | {"COLUMNS": "100", "NO_COLOR": "1"} | environ,
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )


def closure_of(requirements: list[str], extras: set[str]) -> set[str]:
    """Names of the distributions that requirements come down to, here."""
    names: set[str] = set()
    for line in requirements:
        requirement = Requirement(line)
        marks = [{"extra": extra} for extra in extras | {""}]
        if requirement.marker and not any(map(requirement.marker.evaluate, marks)):
            continue
        name = canonicalize_name(requirement.name)
        if name not in names:
            names |= {name} if name != "sabot" else set()
            inner = distribution(name).requires or []
            names |= closure_of(inner, set(requirement.extras))
    return names


def copy_of(name: str, target: Path) -> None:
    """Copy an installed distribution's own files into another site-packages."""
    for file in distribution(name).files or []:
        source = Path(file.locate())
        if ".." not in file.parts and source.exists():
            (target / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target / file)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built from a copy so that nothing is left in the checkout and nothing leaks in."""
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in BUILT_FROM:
        if (ROOT / name).is_dir():
            shutil.copytree(
                ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__")
            )
        else:
            shutil.copy2(ROOT / name, source / name)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet"]
    built = run(*pip, "--no-deps", "--no-build-isolation", "--wheel-dir", out, source, cwd=source)
    assert built.returncode == 0, built.stderr
    (file,) = out.glob("*.whl")
    return file


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """Make an environment with the wheel and what its extras need: returns its bin folder."""
    made: dict[str, Path] = {}

    def make(extras: str) -> Path:
        if extras not in made:
            folder = tmp_path_factory.mktemp("environment")
            assert (
                run(sys.executable, "-m", "venv", "--without-pip", folder, cwd=folder).returncode
                == 0
            )
            (site,) = folder.glob("lib/python*/site-packages")
            for name in closure_of([f"sabot[{extras}]"], set()):
                copy_of(name, site)
            pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
            target = ["--python", folder / "bin" / "python", "install", "--quiet"]
            done = run(*pip, *target, "--no-index", "--no-deps", wheel, cwd=folder)
            assert done.returncode == 0, done.stderr
            made[extras] = folder / "bin"
        return made[extras]

    return make


def test_the_wheel_holds_every_module_and_all_shipped_data(wheel):
    in_tree = {
        str(file.relative_to(ROOT))
        for folder in ("studio", "drivers", "ui", "config")
        for file in (ROOT / folder).rglob("*")
        if file.suffix in SHIPPED_SUFFIXES and "__pycache__" not in file.parts
    }
    wanted = {f"studio/{name}" if name.startswith("config/") else name for name in in_tree}
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert names == wanted


def test_the_wheel_carries_what_the_console_needs_beside_its_modules(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    faces = {f"ui/fonts/Inter-{weight}.otf" for weight in ("Regular", "SemiBold", "ExtraBold")}
    faces.add("ui/fonts/IBMPlexMono-Regular.ttf")
    words = {f"studio/config/wording/{language}.toml" for language in ("en", "it", "fr", "es")}
    assert faces | words | {"studio/config/console.toml"} <= names


def test_the_wheel_carries_all_licences_and_names_its_extras(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if ".dist-info/licenses/" in name]
        (metadata,) = [name for name in archive.namelist() if name.endswith("/METADATA")]
        text = archive.read(metadata).decode()
    texts = {name.rpartition("/licenses/")[2] for name in names}
    of_fonts = {"ui/fonts/OFL.txt", "ui/fonts/OFL-IBMPlexMono.txt"}
    assert texts == {"studio/LICENSE", "drivers/LICENSE", "ui/LICENSE", *of_fonts}
    assert "License-Expression: Apache-2.0 AND GPL-3.0-or-later AND OFL-1.1" in text
    for extra in ("table", "postgres", "console", "all"):
        assert f"Provides-Extra: {extra}" in text


def test_a_subscriber_needs_no_qt_no_serial_line_and_no_sql(installed, tmp_path):
    python = installed("") / "python"
    found = run(python, "-c", "import sqlalchemy", cwd=tmp_path)
    assert "ModuleNotFoundError" in found.stderr
    for module in ("studio.settings", "studio.feed.wire", "studio.feed.follow"):
        done = run(python, "-c", f"import {module}", cwd=tmp_path)
        assert done.returncode == 0, done.stderr


def test_an_installed_table_finds_its_shipped_settings(installed, tmp_path):
    code = (
        "from studio.settings import load_table, names_of, shipped\n"
        "print(load_table('BAC-1').house.name, *names_of('houses'))\n"
        "print(shipped())\n"
    )
    done = run(installed("table,postgres") / "python", "-c", code, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    names, folder = done.stdout.splitlines()
    houses = sorted(file.stem for file in (ROOT / "config" / "houses").glob("*.toml"))
    assert names.split() == ["studio", *houses]
    assert Path(folder).parts[-3:] == ("site-packages", "studio", "config")


def test_every_command_explains_itself_elsewhere(installed, tmp_path):
    studio = installed("all") / "studio"
    top = run(studio, "--help", cwd=tmp_path)
    assert top.returncode == 0, top.stderr
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        # the window's command needs Qt, which a table does without
        names = [name for name in COMMANDS if name != "console"]
        runs = pool.map(lambda name: run(studio, name, "--help", cwd=tmp_path), names)
        told = dict(zip(names, runs, strict=True))
    assert {name: done.stderr for name, done in told.items() if done.returncode != 0} == {}
    assert [name for name, done in told.items() if f"studio {name}" not in done.stdout] == []
    assert [name for name in COMMANDS if name not in top.stdout] == []


def test_an_installed_console_has_its_window_its_fonts_and_its_keys(installed, tmp_path):
    bin_folder = installed("console")
    told = run(bin_folder / "studio", "console", "--help", cwd=tmp_path)
    assert told.returncode == 0, told.stderr
    code = (
        "from PyQt6.QtWidgets import QApplication\n"
        "application = QApplication([])\n"
        "from PyQt6.QtGui import QFontDatabase\n"
        "from ui.keys import load_keys\n"
        "from ui.theme import load_fonts\n"
        "load_fonts()\n"
        "has_both = {'Inter', 'IBM Plex Mono'} <= set(QFontDatabase.families())\n"
        "print(has_both, *load_keys().of('main'))\n"
    )
    done = run(bin_folder / "python", "-c", code, cwd=tmp_path, QT_QPA_PLATFORM="offscreen")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["True", "Space", "Keypad+Plus"]


@pytest.mark.req("SW-5")
def test_the_program_says_its_name_and_version(installed, tmp_path):
    done = run(installed("") / "studio", "--version", cwd=tmp_path)
    assert done.returncode == 0
    assert re.fullmatch(r"sabot 0\.1\.0  sha256:[0-9a-f]{64}\n", done.stdout)


def test_a_subscriber_watches_and_is_told_which_extra_a_table_needs(installed, tmp_path):
    studio = installed("") / "studio"
    for name in ("watch", "odds", "roads"):
        done = run(studio, name, "--help", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    page = run(studio, "contract", "--page", cwd=tmp_path)
    assert page.stdout.startswith("# The feed")
    done = run(studio, "serve", cwd=tmp_path)
    assert done.returncode == 2
    assert "extra `table`" in done.stderr


def test_an_installed_table_deals_and_keeps_its_record_elsewhere(installed, tmp_path):
    studio = installed("table,postgres") / "studio"
    odds = run(studio, "odds", "--decks", "1", "--json", cwd=tmp_path)
    assert json.loads(odds.stdout)["total"] == 52 * 51 * 50 * 49 * 48 * 47
    dealt = run(studio, "demo", "--rounds", "2", "--speed", "0", "--json", cwd=tmp_path)
    assert dealt.returncode == 0, dealt.stderr
    types = [json.loads(line)["type"] for line in dealt.stdout.splitlines()]
    assert types.count("round_closed") == 2


def test_a_record_is_made_by_the_migrations_in_the_wheel(installed, tmp_path):
    studio = installed("table,postgres") / "studio"
    (tmp_path / "studio.toml").write_text(f'data_folder = "{tmp_path}/data"\n')
    (tmp_path / "data").mkdir()
    site = {"STUDIO_CONFIG": str(tmp_path)}
    for command in (("db", "create"), ("db", "upgrade"), ("verify",), ("history",)):
        done = run(studio, *command, "-t", "BAC-1", cwd=tmp_path, **site)
        assert done.returncode == 0, f"{command}: {done.stderr}"
    assert (tmp_path / "data" / "BAC-1.db").exists()


def test_bad_settings_are_all_told_with_status_2(installed, tmp_path):
    studio = installed("table,postgres") / "studio"
    (tmp_path / "tables").mkdir()
    file = tmp_path / "tables" / "BAC-5.toml"
    file.write_text('table = "BAC 5"\nhouse = "atlantis"\n[shoe]\nsimulated = 1\n')
    for command in ("doctor", "serve", "verify"):
        done = run(studio, command, "-c", file, cwd=tmp_path)
        assert done.returncode == 2, done.stderr
        told = done.stdout + done.stderr
        for key in ("table", "house", "database", "shoe.driver", "shoe.endpoint", "shoe.simulated"):
            assert f"{key}:" in told, told
