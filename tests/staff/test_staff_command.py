# SPDX-License-Identifier: Apache-2.0
"""``studio staff`` as people and scripts use it."""

import functools
import io
import json
import os
import pty
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from studio.cli import run
from studio.cli.exits import Exit
from studio.settings import SettingsFault, load_studio
from studio.staff.attempts import Act
from studio.staff.door import Door
from studio.staff.permissions import OFFICE, PERMISSIONS
from studio.store.staff_book import StaffBook
from tests.cli.run import STUDIO, environment
from tests.staff.people import FIRST_PIN, PIN, QUICK, Staff
from tests.waiting import until


@pytest.fixture
def site(tmp_path: Path, filled_file: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A site with a small studio's people."""
    (tmp_path / "studio.toml").write_text(f'data_folder = "{tmp_path}"\n')
    shutil.copy(filled_file, tmp_path / "staff.db")
    monkeypatch.setenv("STUDIO_CONFIG", str(tmp_path))
    # the same door, with hashes that take no time
    monkeypatch.setattr("studio.cli.staff_entry.Door", functools.partial(Door, hashing=QUICK))
    return tmp_path


class Told:
    """Runs ``studio staff`` with PINs on standard input; keeps what it says."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
        self._monkeypatch = monkeypatch
        self._capsys = capsys
        self.out = self.err = ""

    def __call__(self, *arguments: str, secrets: tuple[str, ...] = (PIN,)) -> int:
        self._monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{s}\n" for s in secrets)))
        self._capsys.readouterr()
        status = run(["staff", *arguments, "--pin-stdin"])
        self.out, self.err = self._capsys.readouterr()
        return status


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture, site: Path) -> Told:
    return Told(monkeypatch, capsys)


def attempts_in(site: Path) -> list:
    return StaffBook.open(f"sqlite:///{site / 'staff.db'}").attempts()


def typed(home: Path, answers: dict[str, str], *arguments: str) -> tuple[int, str]:
    """Run it at a terminal and answer each question; status, and all that the terminal showed."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*STUDIO, "staff", *arguments],
        env=environment(home),
        cwd=home,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    shown = ""

    def read() -> bool:
        nonlocal shown
        try:
            shown += os.read(ours, 4096).decode()
        except OSError:
            return True
        return False

    try:
        for question, answer in answers.items():
            until(lambda question=question: read() or question in shown)
            os.write(ours, f"{answer}\n".encode())
        until(read)
        return process.wait(20), shown
    finally:
        os.close(ours)
        process.kill()
        process.wait()


INIT = {
    "name of the manager: ": "Mara Zeta",
    "screen name, which colleagues see [Mara]: ": "",
    "badge number: ": "900",
    "PIN or password: ": "correct horse",
    "PIN or password, again: ": "correct horse",
}


@pytest.mark.req("ACC-11", "ACC-4")
def test_the_first_manager_is_made_at_a_terminal_and_no_second_one(tmp_path: Path):
    status, shown = typed(tmp_path, INIT, "init")
    assert (status, "s-0001 is a manager with badge 900" in shown) == (0, True), shown
    assert "correct horse" not in shown
    file = tmp_path / ".local/state/sabot/staff.db"
    assert b"correct horse" not in file.read_bytes()
    again = {
        "name of the manager: ": "Somebody Else",
        "screen name, which colleagues see [Somebody]: ": "Else",
        "badge number: ": "901",
        **{question: INIT[question] for question in list(INIT)[-2:]},
    }
    status, shown = typed(tmp_path, again, "init")
    assert (status, "There is a manager already" in shown) == (1, True), shown


def test_without_a_terminal_there_is_no_first_manager(told: Told, site: Path, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("900\n"))
    assert run(["staff", "init", "--name", "X", "--badge", "9"]) == Exit.BAD_SETTINGS
    assert "terminal" in capsys.readouterr().err


def test_no_option_takes_a_pin(capsys):
    for command in ("add", "reset", "enable", "pin", "list", "unlock", "language"):
        assert run(["staff", command, "--help"]) == 0
        options = set(re.findall(r"--[a-z-]+", capsys.readouterr().out))
        assert not {one for one in options if "pin" in one or "pass" in one} - {"--pin-stdin"}


def test_a_person_is_added_chooses_a_pin_and_is_listed(told: Told, site: Path):
    new = ("add", "--as", "900", "--name", "Anna Rossi", "--role", "dealer", "--badge", "A-77")
    assert told(*new, secrets=(PIN, FIRST_PIN)) == 0, told.err
    assert "s-0006 is added: dealer, badge A-77" in told.out
    assert told("pin", "--as", "A-77", secrets=(FIRST_PIN, "602214")) == 0
    assert told("list", "--as", "900", "--json") == 0
    rows = {row["id"]: row for row in map(json.loads, told.out.splitlines())}
    anna = rows["s-0006"]
    assert (anna["name"], anna["screen_name"], anna["roles"], anna["stands"]) == (
        "Anna Rossi",
        "Anna",
        ["dealer"],
        "active",
    )
    assert "secret" not in anna
    assert "argon2" not in told.out
    assert told("list", "--as", "900") == 0
    assert "Anna Rossi" in told.out
    assert "since" in told.out
    assert anna["created"][:10] in told.out


@pytest.mark.req("ACC-7", "AUD-8")
def test_what_is_refused_is_said_and_kept(told: Told, site: Path):
    assert told("disable", "s-0004", "--as", "500") == Exit.FAILED
    assert "Your role may not do this" in told.err
    assert told("disable", "s-0004", "--as", "900", secrets=("999111",)) == Exit.FAILED
    assert "Badge or PIN is wrong" in told.err
    kept = attempts_in(site)[-3:]
    assert [(one.act, one.by, one.staff, one.result) for one in kept] == [
        (Act.LOG_IN, Staff.supervisor, None, "done"),
        (Act.DISABLE, Staff.supervisor, "s-0004", "not_permitted"),
        (Act.LOG_IN, Staff.manager, None, "wrong"),
    ]


@pytest.mark.req("ACC-9")
def test_somebody_is_disabled_enabled_and_reset(told: Told):
    assert told("disable", "s-0004", "--as", "900") == 0
    assert told("pin", "--as", "100", secrets=(PIN, "602214")) == Exit.FAILED
    assert "disabled" in told.err
    assert told("enable", "s-0004", "--as", "900", secrets=(PIN, FIRST_PIN)) == 0
    reset = ("reset", "s-0004", "--as", "900", "--badge", "177")
    assert told(*reset, secrets=(PIN, "141421")) == 0
    assert told("pin", "--as", "177", secrets=("141421", "602214")) == 0


@pytest.mark.req("DUAL-1")
def test_roles_are_shown_and_set_unless_they_conflict(told: Told):
    assert told("roles", secrets=()) == 0
    assert [tag for tag in PERMISSIONS | OFFICE if f" {tag} " not in told.out] == []
    both = ("roles", "s-0003", "--as", "900", "--role", "dealer", "--role", "supervisor")
    assert told(*both) == Exit.FAILED
    assert "one person could load the shoe, deal, override, void" in told.err
    assert told("roles", "s-0003", "--as", "900", "--role", "auditor") == 0
    assert "s-0003 is now auditor" in told.out


def test_somebody_reads_prompts_in_another_language_from_now_on(told: Told):
    assert told("language", "s-0004", "it", "--as", "900") == 0
    assert "s-0004 has prompts in it, from the next log-in on" in told.out
    assert told("language", "s-0004", "xx", "--as", "900") == Exit.BAD_SETTINGS
    assert "give one of en, es, fr, it, or none" in told.err
    assert told("list", "--as", "900", "--json") == 0
    rows = {row["id"]: row for row in map(json.loads, told.out.splitlines())}
    assert rows["s-0004"]["language"] == "it"
    assert told("language", "s-0004", "none", "--as", "500") == 0
    assert told("language", "s-0004", "it", "--as", "100") == Exit.FAILED


@pytest.mark.req("ACC-5")
def test_a_locked_person_is_released_by_a_code(told: Told):
    for _ in range(3):
        assert told("list", "--as", "500", secrets=("999111",)) == Exit.FAILED
    assert told("list", "--as", "500") == Exit.FAILED
    assert "Locked" in told.err
    assert told("unlock-code", "s-0002", "--as", "900") == 0
    code = told.out.split()[-1]
    assert told("unlock", "--as", "500", secrets=(code,)) == 0
    assert told("list", "--as", "500") == 0


def test_what_is_missing_on_standard_input_is_said(told: Told):
    assert told("list", "--as", "900", secrets=()) == Exit.FAILED
    assert "no line left on standard input" in told.err
    assert told("list", secrets=(PIN,)) == Exit.BAD_SETTINGS
    assert "your badge: say it as an option" in told.err


def test_a_pin_is_not_read_from_a_pipe_unasked(site: Path, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{PIN}\n"))
    assert run(["staff", "list", "--as", "900"]) == Exit.BAD_SETTINGS
    assert "--pin-stdin" in capsys.readouterr().err


def test_without_a_database_it_says_how_to_make_one(told: Told, site: Path):
    (site / "staff.db").unlink()
    assert told("list", "--as", "900") == Exit.FAILED
    assert "studio staff init" in told.err
    assert not (site / "staff.db").exists()


def test_the_database_is_upgraded_when_needed(site: Path, capsys):
    assert run(["staff", "upgrade"]) == 0
    assert "already" in capsys.readouterr().out


@pytest.mark.req("ACC-5", "ACC-6")
def test_settings_give_the_rules_and_where_the_staff_is_kept(tmp_path: Path):
    file = tmp_path / "studio.toml"
    file.write_text(f'data_folder = "{tmp_path}"\n[staff]\nidle_seconds = 120\n')
    studio = load_studio(tmp_path)
    assert studio.staff.idle_seconds == 120
    assert studio.staff.wrong_tries == 3
    assert studio.staff_database_url == f"sqlite:///{tmp_path}/staff.db"
    file.write_text(
        'data_folder = "."\n[staff]\nidle_seconds = 900\nwrong_tries = 5\ndatabase = "x"\n'
    )
    with pytest.raises(SettingsFault) as raised:
        load_studio(tmp_path)
    keys = {fault.key for fault in raised.value.faults}
    assert keys == {"staff.idle_seconds", "staff.wrong_tries", "staff.database"}
