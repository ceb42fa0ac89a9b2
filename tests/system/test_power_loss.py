# SPDX-License-Identifier: Apache-2.0
"""Power loss: writes that were not synced are lost, torn or garbled, the record is not.

The shim ``power_loss.c`` stands between the database and the kernel. Its own test is a setting
that is known to be unsafe: with it, events that were acknowledged must get lost.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

_HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shim, compiled."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        pytest.fail("there is no C compiler; run: apt-get install gcc libc6-dev", pytrace=False)
    made = tmp_path_factory.mktemp("shim") / "power_loss.so"
    source = str(_HERE / "power_loss.c")
    command = [compiler, "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o", str(made)]
    subprocess.run([*command, source, "-ldl"], check=True)
    return made


def cuts(shim: Path, folder: Path, seconds: int, *what: str) -> list[dict[str, Any]]:
    """What the child found after each cut; the first line is the run without one."""
    arguments = [str(shim), str(folder), str(seconds), *what]
    done = subprocess.run(
        [sys.executable, "-m", "tests.system.power_child", *arguments],
        env={**os.environ, "LD_PRELOAD": str(shim)},
        cwd=_HERE.parents[1],
        capture_output=True,
        check=False,
        timeout=55,
    )
    assert done.returncode == 0, done.stderr.decode()
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert not lines[0]["went"]
    assert len(lines) > 5
    assert all(line["went"] for line in lines[1:])
    return lines


@pytest.mark.req("DUR-4")
@pytest.mark.req("DUR-2", "DUR-3", "DUR-4", "RND-5")
def test_after_a_loss_of_power_the_record_is_the_one_before_or_after(
    shim: Path, tmp_path: Path
) -> None:
    lines = cuts(shim, tmp_path, 12, "full", "deal")
    assert len(lines) > 20
    wrong = [
        line
        for line in lines
        if line.get("found") not in (line["stored"], line["trying"]) or not line["whole"]
    ]
    assert wrong == []
    assert any(line["twice"] for line in lines)


@pytest.mark.req("DAT-9")
def test_a_record_being_made_is_there_whole_or_not_at_all(shim: Path, tmp_path: Path) -> None:
    lines = cuts(shim, tmp_path, 3, "full", "make")
    assert lines[0]["there"]
    assert [line for line in lines if (line.get("found"), line.get("whole")) != (0, True)] == []


def test_the_shim_shows_that_an_unsafe_setting_loses_what_was_acknowledged(
    shim: Path, tmp_path: Path
) -> None:
    lines = cuts(shim, tmp_path, 3, "normal", "deal")
    assert any(line.get("found", -1) < line["stored"] for line in lines)


@pytest.mark.req("DUR-5")
def test_after_a_sync_that_failed_nothing_more_is_taken_nor_tried_again(
    shim: Path, tmp_path: Path
) -> None:
    lines = cuts(shim, tmp_path, 1, "full", "fail")
    for line in lines:
        assert "the disk reports an error" in line["answers"][0]
        assert set(line["answers"]) == {line["answers"][0]}
        assert line["whole"]
        assert line["found"] >= line["stored"]
