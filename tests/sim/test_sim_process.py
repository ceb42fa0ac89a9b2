# SPDX-License-Identifier: Apache-2.0
"""The simulated shoe as a process of its own."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from drivers.sim.client import ShoeControl
from drivers.sim.options import Burn, BurnRule, SimOptions, faults_of
from drivers.sim.run import burn_from, options_from

ROOT = Path(__file__).parents[2]
COMMAND = (sys.executable, "-m", "drivers.sim.run")


def test_a_process_says_where_it_is_and_ends_clean_on_a_signal(tmp_path: Path) -> None:
    link = tmp_path / "shoe"
    with subprocess.Popen(
        [*COMMAND, "--pty", str(link), "--tcp", "127.0.0.1:0", "--speed", "0"],
        stdout=subprocess.PIPE,
        cwd=ROOT,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            said = json.loads(process.stdout.readline())
            assert said["pty"] == str(link)
            assert link.is_symlink()
            with ShoeControl(said["control"]) as shoe:
                assert len(shoe.pull(4)) == 4
        finally:
            process.terminate()
        assert process.wait(10) == 0
    assert not link.is_symlink()


def test_a_process_ends_clean_when_told_to_stop(tmp_path: Path) -> None:
    with subprocess.Popen(
        [*COMMAND, "--tcp", "127.0.0.1:0"], stdout=subprocess.PIPE, cwd=ROOT, text=True
    ) as process:
        try:
            assert process.stdout is not None
            said = json.loads(process.stdout.readline())
            assert said["pty"] is None
            with ShoeControl(said["control"]) as shoe:
                shoe.stop()
            assert process.wait(10) == 0
        finally:
            process.kill()


def test_bad_options_are_all_told_at_once_with_status_two() -> None:
    done = subprocess.run(
        [*COMMAND, "--decks", "0", "--script", "9X", "--baud", "1"],
        capture_output=True,
        cwd=ROOT,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert [line.split(":")[0] for line in done.stderr.splitlines()] == [
        "decks",
        "script",
        "cut_card_from_end",
        "baud",
        "pty, tcp",
    ]


def test_a_place_that_cannot_be_had_is_told_with_status_two(tmp_path: Path) -> None:
    done = subprocess.run(
        [*COMMAND, "--pty", str(tmp_path / "missing" / "shoe")],
        capture_output=True,
        cwd=ROOT,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "missing" in done.stderr


def test_arguments_are_options() -> None:
    said = options_from(
        ["--tcp", "127.0.0.1:0", "--script", "9H,TC", "--burn", "first_card:11", "--no-cut-card"]
    )
    assert said.script == ("9H", "TC")
    assert said.burn == Burn(BurnRule.FIRST_CARD, ace=11)
    assert said.cut_card_from_end is None
    assert burn_from("fixed:3") == Burn(BurnRule.FIXED, cards=3)
    assert burn_from("decks") == Burn(BurnRule.DECKS)


@pytest.mark.parametrize(
    "fault",
    [
        {"decks": 0, "cut_card_from_end": None},
        {"script": ("XX",)},
        {"script_only": True, "cut_card_from_end": None},
        {"cut_card_from_end": 417},
        {"cut_card_from_end": -1},
        {"baud": 0},
        {"speed": -1.0},
        {"speed": float("nan")},
        {"repeats": -1},
        {"repeat_spacing_seconds": -0.1},
        {"burn": Burn(BurnRule.FIXED, cards=-1)},
        {"burn": Burn(BurnRule.FIRST_CARD, ace=-1)},
        {"alphabet": "1"},
        {"alphabet": "1\x03"},
        {"auto_card_seconds": -1.0},
        {"control": "0.0.0.0:0"},
        {"pty": None},
    ],
)
def test_every_bad_option_is_told(fault: dict[str, object]) -> None:
    good: dict[str, object] = {"pty": "shoe"}
    assert faults_of(SimOptions(**good)) == ()  # type: ignore[arg-type]
    assert len(faults_of(SimOptions(**good | fault))) == 1  # type: ignore[arg-type]
