# SPDX-License-Identifier: Apache-2.0
"""What `make` does about system software that is missing: installs it, or says how."""

import shutil
import subprocess
from pathlib import Path

import pytest

NEED = Path(__file__).parents[2] / ".ci" / "need"


@pytest.fixture
def machine(tmp_path):
    """A machine with hardly any program but those that a test writes; returns how to ask it."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("bash", "env", "cat"):
        (programs / name).symlink_to(shutil.which(name))

    def ask(*needed: str, **scripts: str):
        for name, script in scripts.items():
            file = programs / name.replace("_", "-")
            file.write_text(f"#!/usr/bin/env bash\n{script}\n")
            file.chmod(0o755)
        return subprocess.run(
            [NEED, *needed],
            env={"PATH": str(programs), "LOG": str(tmp_path / "log"), "BIN": str(programs)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=20,
            check=False,
        )

    return ask


# Writes down what it was called with, and then a compiler is there.
INSTALLS = 'echo "$*" >>"$LOG"; ln -sf /bin/true "$BIN/gcc"'


def test_nothing_is_done_or_said_where_all_is_there(machine):
    done = machine("compiler", gcc="exit 0", id="echo 1000")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_what_may_not_be_installed_is_told_with_the_command_to_run(machine):
    done = machine("compiler", id="echo 1000", sudo="exit 1", apt_get='echo x >>"$LOG"')
    assert done.returncode == 1
    assert done.stderr == "Missing here: compiler. Run: sudo apt-get install gcc libc6-dev\n"


def test_root_installs_what_is_missing(machine, tmp_path):
    done = machine("compiler", id="echo 0", apt_get=INSTALLS, ln='exec /bin/ln "$@"')
    assert done.returncode == 0, done.stderr
    logged = (tmp_path / "log").read_text().splitlines()
    assert logged == ["install --yes --quiet --no-install-recommends gcc libc6-dev"]


def test_the_lists_are_fetched_where_an_installation_fails(machine, tmp_path):
    apt_get = 'echo "$1" >>"$LOG"; [ "$(wc -l <"$LOG")" -gt 1 ] && ln -sf /bin/true "$BIN/gcc"'
    apt_get += '; [ "$1" = update ] || [ -e "$BIN/gcc" ]'
    programs = {"ln": 'exec /bin/ln "$@"', "wc": 'exec /usr/bin/wc "$@"'}
    done = machine("compiler", id="echo 0", apt_get=apt_get, **programs)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "log").read_text().split() == ["install", "update", "install"]


def test_an_old_python_is_told_with_the_way_to_name_another(machine):
    done = machine("python", id="echo 1000", sudo="exit 1", python3="exit 1")
    assert done.returncode == 1
    assert "make PYTHON=python3.12" in done.stderr
