# SPDX-License-Identifier: Apache-2.0
"""Bad settings: every fault listed with file, key, what is wrong and what would be right."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.system.rig import ROOT

RUN = "import sys; from studio.cli import main; sys.exit(main())"
STUDIO = """
log_level = "loud"
time_zone = "Moon/Tranquility"
"""
TABLE = """
table = "BAC 1"
house = "own"
database = "mysql://root:secret@host/db"
picture_delay = 3
[feed]
public_events = "tcp://127.0.0.1:5550"
public_requests = "tcp://127.0.0.1:5550"
staff_events = "tcp://eth0:5552"
[shoe]
driver = "angel_eye_9"
endpoint = "com3"
simulated = "yes"
"""
GOOD_TABLE = """
table = "BAC-1"
house = "studio"
database = "sqlite:///record.db"
[feed]
public_events = "{events}"
public_requests = "tcp://127.0.0.1:*"
staff_events = "tcp://127.0.0.1:*"
staff_requests = "tcp://127.0.0.1:*"
[shoe]
driver = "{driver}"
endpoint = "{endpoint}"
simulated = true
"""


def _serve(site: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", RUN, "serve", "-c", str(site / "tables" / "BAC-1.toml")]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=30, check=False
    )


def _write(site: Path, table: str, studio: str) -> None:
    (site / "tables").mkdir()
    (site / "houses").mkdir()
    (site / "tables" / "BAC-1.toml").write_text(table)
    (site / "studio.toml").write_text(studio)
    house = (ROOT / "config" / "houses" / "studio.toml").read_text()
    spoiled = house.replace('name = "studio"', 'name = "own"')
    spoiled = spoiled.replace("decks = 8", "decks = 0").replace('"one_more"', '"two_more"')
    spoiled = spoiled.replace('time_zone = "UTC"', 'time_zone = "Moon/Tranquility"')
    spoiled = spoiled.replace('either_pair = { win = "5" }', "either_pair = { win = 5 }")
    assert spoiled.count("decks = 0") == spoiled.count('"two_more"') == 1
    (site / "houses" / "own.toml").write_text(spoiled)


def test_every_fault_of_every_file_is_listed_and_nothing_is_started(tmp_path: Path) -> None:
    _write(tmp_path, TABLE, STUDIO)
    done = _serve(tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert "secret" not in done.stderr
    faults = {}
    for line in done.stderr.splitlines():
        place, key, text = line.removeprefix("studio: ").split(": ", 2)
        wrong, _, right = text.partition("; ")
        assert wrong, line
        assert right, line
        faults[Path(place).relative_to(tmp_path).as_posix(), key] = line
    assert set(faults) == {
        ("studio.toml", "data_folder"),
        ("studio.toml", "log_level"),
        ("studio.toml", "time_zone"),
        ("houses/own.toml", "decks"),
        ("houses/own.toml", "last_coup"),
        ("houses/own.toml", "gaming_day.time_zone"),
        ("houses/own.toml", "side_bets.either_pair.win"),
        ("tables/BAC-1.toml", "table"),
        ("tables/BAC-1.toml", "database"),
        ("tables/BAC-1.toml", "picture_delay"),
        ("tables/BAC-1.toml", "feed.public_requests"),
        ("tables/BAC-1.toml", "feed.staff_events"),
        ("tables/BAC-1.toml", "shoe.driver"),
        ("tables/BAC-1.toml", "shoe.endpoint"),
        ("tables/BAC-1.toml", "shoe.simulated"),
    }
    assert not (tmp_path / "record.db").exists()


@pytest.mark.parametrize(
    "changed, words",
    [
        ({"driver": "angel_eye_9"}, ["shoe.driver", "angel_eye_iiex"]),
        ({"endpoint": "com3"}, ["shoe.endpoint", "serial:"]),
        ({"events": "tcp://eth0:5550"}, ["feed.public_events", "IP address"]),
        ({"driver": "no", "endpoint": "no", "events": "tcp://*:1"},
         ["shoe.driver", "shoe.endpoint", "feed.public_events"]),
    ],
)  # fmt: skip
def test_what_only_driver_line_and_feed_can_judge_is_told_in_the_same_form(
    changed: dict[str, str], words: list[str], tmp_path: Path
) -> None:
    good = {
        "driver": "angel_eye_iiex",
        "endpoint": "serial:/dev/null",
        "events": "tcp://127.0.0.1:*",
    }
    _write(tmp_path, GOOD_TABLE.format(**(good | changed)), f'data_folder = "{tmp_path}"\n')
    done = _serve(tmp_path)
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert [word for word in words if word not in done.stderr] == []
    assert "BAC-1.toml" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.req("FEED-1", "FEED-3")
def test_beyond_this_machine_nothing_is_served_without_keys(tmp_path: Path) -> None:
    own = {"driver": "angel_eye_iiex", "endpoint": "serial:/dev/null"}
    text = GOOD_TABLE.format(events="tcp://0.0.0.0:*", **own)
    _write(tmp_path, text, f'data_folder = "{tmp_path}"\n')
    done = _serve(tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "feed.public_events can be reached from beyond this machine" in done.stderr
    assert "studio keys init" in done.stderr
    assert not (tmp_path / "record.db").exists()
