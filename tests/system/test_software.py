# SPDX-License-Identifier: Apache-2.0
"""A real service of a real install in a folder of its own, whose files are changed as it deals."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from studio.feed.staff import Acceptance, RefusalAnswer
from studio.game.inputs import CheckSoftware, CloseRound, OpenBets, ResumeTable
from studio.store.chain import recorded_of
from studio.store.history import History
from tests.system.rig import BY, ROOT, TABLE, Hands, Process, Studio, studio
from tests.test_manifest import put_bytecode
from tests.waiting import until

PARTS = ("studio", "drivers", "ui", "config")
SECOND = "s-002"
SECONDS = 300
CODE = "import sys; sys.path[0] = {!r}; import studio.cli as c; c.main()"


class Installed:
    """A table whose service runs from a copy of this program."""

    def __init__(self, table: Studio, install: Path) -> None:
        self.table = table
        self.install = install
        self.config = table.folder / "tables" / f"{TABLE}.toml"
        self.hands = Hands(table)
        for part in PARTS:
            leave = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / part, install / part, ignore=leave)

    def start(self) -> Process:
        """Start the service of the copy."""
        self.table.service = Process(self._call("serve", "-c", str(self.config)))
        self.table.endpoints = self.table.service.said
        return self.table.service

    def studio(self, *arguments: str, status: int = 0) -> str:
        """Run a command of the copy; what it said."""
        done = subprocess.run(
            [sys.executable, *self._call(*arguments, "-c", str(self.config))],
            cwd=self.table.folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        assert done.returncode == status, (done.stdout, done.stderr)
        return done.stdout.decode("utf-8", "surrogateescape")

    def approve(self, reason: str = "a new version") -> None:
        """Two people approve the files as they are."""
        people = ("--by", BY, "--second", SECOND, "--reason", reason, "--yes")
        where = ("--staff-requests", self.table.endpoints["staff_requests"])
        assert "approved and checked" in self.studio("software", "approve", *people, *where)

    def events(self, type_: str) -> list[Any]:
        """What the record has of these."""
        with History.open(self.table.database, TABLE) as history:
            rows = history.rows(history.epochs()[-1])
            return [recorded_of(row).event for row in rows if row.type == type_]

    def checked(self, why: str, number: int = 1) -> Any:
        """That check of this kind in the record, as soon as there is one."""

        def found() -> Any:
            return [one for one in self.events("software_checked") if one.why == why][number - 1 :]

        return until(found, SECONDS, 0.1)[0]

    def _call(self, *arguments: str) -> list[str]:
        return ["-c", CODE.format(str(self.install)), *arguments]

    @property
    def code(self) -> Path:
        """A file of the program that no running one reads again."""
        return self.install / "studio" / "game" / "odds.py"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Installed]:
    (tmp_path / "site").mkdir()
    with studio(tmp_path / "site") as running:
        yield Installed(running, tmp_path / "install")


@pytest.mark.req("SW-4")
def test_the_manifest_passes_sha256sum_and_a_changed_file_does_not(
    table: Installed, tmp_path: Path
) -> None:
    odd = table.install / "studio" / "a\nb\\c\rd.txt"
    odd.write_text("odd")
    text = table.studio("software", "manifest", "--quiet")
    file = tmp_path / "manifest"
    file.write_text(text, encoding="utf-8", errors="surrogateescape", newline="")
    paths = [line.partition("  ")[2] for line in text.splitlines()]
    library = Path(pytest.__file__).parent / "__init__.py"
    binary = Path(sys.executable).resolve()
    for path in (table.code, library, binary, Path(json.__file__), table.config):
        assert str(path) in paths
    assert any("libsqlite3.so" in path for path in paths)
    data = str(table.table.folder / "data")
    assert not [path for path in paths if "__pycache__" in path or path.startswith(data)]
    check = ["sha256sum", "--check", "--strict", "--quiet", str(file)]
    good = subprocess.run(check, cwd="/", capture_output=True, text=True, check=False)
    assert (good.returncode, good.stdout, good.stderr) == (0, "", "")
    table.code.write_text(table.code.read_text() + "\n")
    bad = subprocess.run(check, cwd="/", capture_output=True, text=True, check=False)
    assert (bad.returncode, bad.stdout) == (1, f"{table.code}: FAILED\n")
    found = table.studio("software", "check", "--manifest", str(file), "--quiet", status=1)
    assert found.splitlines()[0].startswith(f"{table.code}: changed")
    assert "NOT AS APPROVED  1 of" in found


@pytest.mark.req("SW-1", "SW-2", "SW-3", "AUD-4")
def test_a_file_changed_in_play_stops_the_table_after_the_round_until_it_is_back(
    table: Installed,
) -> None:
    table.start()
    table.approve("the first one")
    hands = table.hands
    hands.play_to("dealing", 2)
    kept = table.code.read_text()
    table.code.write_text(kept + "# another\n")
    assert isinstance(hands.tell(CheckSoftware(by=BY)), Acceptance)
    asked = table.checked("asked")
    assert [(one.what, one.path) for one in asked.findings] == [("changed", str(table.code))]
    assert (asked.count, asked.digest != asked.approved) == (1, True)
    state = hands.snapshot().state
    assert (state["phase"], state["public"]["suspended"]) == ("dealing", None)
    hands.play_to("settling")
    refused = hands.tell(OpenBets(by=BY))
    assert isinstance(refused, RefusalAnswer)
    assert (refused.code, str(table.code) in refused.text) == ("software_changed", True)
    assert isinstance(hands.tell(CloseRound(by=BY)), Acceptance)
    state = hands.snapshot().state
    assert (state["phase"], state["public"]["suspended"]) == ("idle", "system")
    assert state["prompt"]["code"] == "software-changed"
    assert state["software"]["findings"][0]["path"] == str(table.code)
    refused = hands.tell(ResumeTable(by=BY))
    assert isinstance(refused, RefusalAnswer)
    table.code.write_text(kept)
    hands.tell(CheckSoftware(by=BY))
    until(lambda: hands.snapshot().state["software"]["count"] == 0, SECONDS, 0.1)
    assert isinstance(hands.tell(ResumeTable(by=BY)), Acceptance)
    hands.play_to("dealing", 1)
    counts = [one.count for one in table.events("software_checked")]
    assert (counts[0], max(counts), counts[-1]) == (0, 1, 0)
    assert str(table.code) in table.table.service.errors()


@pytest.mark.req("SW-1", "SW-2")
def test_a_file_changed_while_nothing_ran_is_found_at_the_start_and_can_be_approved(
    table: Installed,
) -> None:
    assert "set-up: a manifest of" in table.studio("software", "approve", "--quiet")
    table.start()
    assert table.checked("start").count == 0
    table.hands.play_to("idle")
    table.table.service.end()
    added = table.install / "studio" / "added.py"
    added.write_text("print('hello')\n")
    table.code.unlink()
    table.start()
    found = table.checked("start", 2).findings
    assert {(one.what, one.path) for one in found} == {
        ("added", str(added)),
        ("missing", str(table.code)),
    }
    hands = table.hands
    state = hands.snapshot().state
    assert state["public"]["suspended"] == "system"
    assert state["prompt"]["code"] == "software-changed"
    table.approve()
    assert table.events("software_approved")[-1].second == SECOND
    assert "AS APPROVED" in table.studio("software", "check", "--quiet")
    approved = table.events("software_approved")[-1].digest
    assert f"manifest {approved[:12]} is approved" in table.studio("doctor", status=0)
    added.unlink()
    assert isinstance(hands.tell(CheckSoftware(by=BY)), Acceptance)
    assert table.checked("asked").count == 1
    told = [line.split()[:2] for line in table.studio("doctor", status=1).splitlines()]
    assert ["FAULT", "software"] in told
    added.write_text("print('hello')\n")
    hands.tell(CheckSoftware(by=BY))
    assert table.checked("asked", 2).count == 0
    hands.play_to("dealing", 1)


@pytest.mark.req("SW-1", "SW-8")
def test_code_that_comes_from_elsewhere_is_found(
    table: Installed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "set-up: a manifest of" in table.studio("software", "approve", "--quiet")
    elsewhere = tmp_path / "elsewhere" / "sitecustomize.py"
    elsewhere.parent.mkdir()
    elsewhere.write_text("RAN = True\n")
    monkeypatch.setenv("PYTHONPATH", str(elsewhere.parent))
    table.start()
    found = table.checked("start").findings
    assert [(one.what, one.path) for one in found] == [("added", str(elsewhere))]


@pytest.mark.req("SW-1")
def test_bytecode_that_is_not_its_source_is_found(table: Installed) -> None:
    service = table.start()
    until(lambda: "are not checked" in service.errors(), SECONDS, 0.1)
    table.approve()
    assert table.checked("bytecode").count == 0
    source = table.install / "studio" / "game" / "tableau.py"
    (source.parent / "__pycache__").mkdir(exist_ok=True)
    put_bytecode(source, source.read_text() + "\nOTHER = 1\n")
    table.hands.tell(CheckSoftware(by=BY))
    found = table.checked("bytecode", 2).findings
    assert [one.what for one in found] == ["bytecode"]
    assert found[0].path.startswith(str(source.parent / "__pycache__" / "tableau."))
    table.hands.tell(CheckSoftware(by=BY))
    assert table.checked("asked", 2).count == 1


@pytest.mark.req("SW-1", "ACC-11", "AUD-4")
def test_settings_that_two_people_applied_are_as_approved_and_others_are_not(
    table: Installed, tmp_path: Path
) -> None:
    table.start()
    table.approve()
    house = table.table.folder / "houses" / "studio.toml"
    new = tmp_path / "houses" / "studio.toml"
    new.parent.mkdir()
    new.write_text(house.read_text().replace("betting_seconds = 0", "betting_seconds = 0.5"))
    where = ("--staff-requests", table.table.endpoints["staff_requests"], "--yes")
    people = ("--by", BY, "--second", SECOND, "--reason", "longer bets")
    table.studio("config", "apply", str(new), *people, *where)
    assert house.read_text() == new.read_text()
    assert table.checked("applied").count == 0
    assert (
        table.events("software_checked")[-1].approved
        == table.events("settings_applied")[-1].manifest
    )
    house.write_text(new.read_text() + "\n")
    table.hands.tell(CheckSoftware(by=BY))
    assert [one.path for one in table.checked("asked").findings] == [str(house)]


@pytest.mark.req("SW-1")
def test_the_files_are_compared_again_after_so_many_hours(table: Installed) -> None:
    with (table.table.folder / "studio.toml").open("a") as file:
        file.write("[software]\ncheck_hours = 0.0003\n")
    table.studio("software", "approve", "--quiet")
    table.start()
    daily = table.checked("daily")
    assert (daily.count, daily.digest) == (0, daily.approved)
    assert daily.files > 1000
