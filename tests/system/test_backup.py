# SPDX-License-Identifier: Apache-2.0
"""A backup is taken while the table deals, and put back; operators come through the new epoch."""

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from studio.backup import manifest as kept
from studio.cli.keys import make_studio
from studio.feed.updates import Joined, RoundChecked
from studio.game.events import EpochBegun
from studio.game.inputs import EndShoe, ResumeTable
from studio.keyed import key_folder
from studio.settings import load_table
from studio.store.chain import Row
from studio.store.history import History
from studio.store.staff_schema import create_staff
from studio.verify import verify
from tests.cli.run import STUDIO
from tests.system.disks import small_disk
from tests.system.rig import BY, ROOT, TABLE, Hands, Studio, studio
from tests.system.witness import Watching, is_sound, log_of, stored
from tests.waiting import until

HOUSE = {"rule": '"none"'}
_SMALL_DISK = "96k"
# The program, made to kill itself when it comes to a step of the backup.
_KILLED = """
import os, signal, sys
from studio.backup import manifest, taking
steps = {"copies": (taking, "verify"), "files": (taking, "put"), "list": (manifest, "write")}
module, name = steps[sys.argv.pop(1)]
setattr(module, name, lambda *given, **named: os.kill(os.getpid(), signal.SIGKILL))
from studio.cli import main
sys.exit(main())
"""


def _asked(
    site: Path, *arguments: str, program: tuple[str, ...] = STUDIO
) -> subprocess.CompletedProcess[str]:
    """Run a command on that site."""
    environment = os.environ | {"STUDIO_CONFIG": str(site), "COLUMNS": "200"}
    return subprocess.run(
        [*program, *arguments], cwd=ROOT, env=environment, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


def _rows(database: str) -> list[list[Row]]:
    """Every row of the record, by epoch."""
    with History.open(database, TABLE) as history:
        return [list(history.rows(epoch)) for epoch in history.epochs()]


def _rounds(database: str) -> list[str]:
    with History.open(database, TABLE) as history:
        return [line.round for line in history.rounds(limit=1_000)]


@contextmanager
def _studio(folder: Path) -> Iterator[Studio]:
    """A table that is served, in a studio with keys and staff."""
    folder.mkdir()
    with studio(folder, "--seed", "21", house=HOUSE) as running:
        make_studio(running.key_folder)
        create_staff(f"sqlite:///{running.folder}/data/staff.db")
        running.start()
        yield running


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Studio]:
    """A studio of the test's own."""
    with _studio(tmp_path / "site") as running:
        yield running


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """One in mid-coup, for tests that change nothing in it."""
    with _studio(tmp_path_factory.mktemp("shared") / "site") as running:
        Hands(running).play_to("dealing", cards=2)
        yield running


@contextmanager
def _dealing(running: Studio) -> Iterator[Hands]:
    """The table deals at full speed, in a thread, until the end."""
    hands, stopping, faults = Hands(running), threading.Event(), list[BaseException]()

    def deal() -> None:
        try:
            while not stopping.is_set():
                hands.step()
        except Exception as fault:  # noqa: BLE001
            faults.append(fault)

    thread = threading.Thread(target=deal)
    thread.start()
    try:
        yield hands
    finally:
        stopping.set()
        thread.join()
    assert faults == []


@pytest.mark.req("DUR-15", "FEED-12")
def test_a_backup_of_a_dealing_table_is_one_moment_and_comes_back_as_a_new_epoch(
    table: Studio, tmp_path: Path
) -> None:
    backup = tmp_path / "backup"
    with _dealing(table) as hands:
        until(lambda: len(_rounds(table.database)) >= 3, 30)
        watching = Watching(table.endpoints)
        taken = _asked(table.folder, "backup", str(backup))
        assert taken.returncode == 0, taken.stderr
        at_backup = len(_rounds(table.database))
        until(lambda: len(_rounds(table.database)) >= at_backup + 3, 30)
    try:
        manifest = _is_one_moment(table, backup)
        _is_refused_while_served(table, backup)
        before = _rounds(table.database)
        table.service.end()
        _is_put_back(table, backup, manifest)
        table.start()
        until(lambda: any(isinstance(one, Joined) for one in _since(watching)), 30)
        _people_look_first(table, hands)
        hands.deal(2)
        _operators_come_through(table, watching, before)
    finally:
        watching.close()
    assert is_sound(table)
    log_of(table)


def _is_one_moment(table: Studio, backup: Path) -> kept.Manifest:
    """The backup holds the beginning of the record, as it was; nobody else can read it."""
    manifest = kept.read(backup)
    assert kept.faults_of(backup, manifest) == []
    (one,) = manifest.tables
    (copied,), (rows,) = _rows(f"sqlite:///{backup / one.record}"), _rows(table.database)
    assert copied == rows[: one.seq]
    assert 0 < one.seq < len(rows)
    assert (copied[-1].hash.hex(), len(copied)) == (one.hash, one.seq)
    named = {file.path for file in manifest.files}
    assert named >= {"staff.db", "keys/server.key", "settings/studio.toml",
                     "settings/tables/BAC-1.toml", "settings/houses/studio.toml"}  # fmt: skip
    for path in (backup, *backup.rglob("*")):
        assert path.stat().st_mode & 0o077 == 0, path
    return manifest


def _is_refused_while_served(table: Studio, backup: Path) -> None:
    before = stored(table)
    refused = _asked(table.folder, "restore", str(backup), "--over")
    assert refused.returncode == 1
    assert "a table has one service; end that one first" in refused.stderr
    assert stored(table) == before
    assert table.is_up()


def _is_put_back(table: Studio, backup: Path, manifest: kept.Manifest) -> None:
    """Not over what is there; but beside it, when that is asked for."""
    (lost,) = _rows(table.database)
    refused = _asked(table.folder, "restore", str(backup))
    assert refused.returncode == 1
    assert f"{table.folder}/record.db, " in refused.stderr
    assert "there already. --over keeps" in refused.stderr
    assert _rows(table.database) == [lost]
    put = _asked(table.folder, "restore", str(backup), "--over")
    assert put.returncode == 0, put.stderr
    (one,) = manifest.tables
    first, second = _rows(table.database)
    assert first == lost[: one.seq]
    begun = msgspec.json.decode(second[0].event, type=EpochBegun)
    assert (begun.from_seq, begun.from_hash, begun.from_head) == (one.seq, one.hash, one.head)
    (aside,) = table.folder.glob("record.db.before-*Z")
    assert _rows(f"sqlite:///{aside}") == [lost]
    told = _asked(table.folder, "verify", "-c", str(table.folder / "tables" / "BAC-1.toml"))
    assert told.returncode == 0, told.stdout
    assert "SOUND" in told.stdout
    assert re.search(r"epoch 2, \S+: 1 events.*restored from the backup", told.stdout)


def _since(watching: Watching) -> list[object]:
    """What the subscriber was told since it joined the first time."""
    joins = [n for n, one in enumerate(watching.others) if isinstance(one, Joined)]
    return list(watching.others[joins[0] + 1 :])


def _people_look_first(table: Studio, hands: Hands) -> None:
    """The table stands still until people have ruled, and counted the shoe."""
    state = hands.snapshot().state
    assert (state["phase"], state["hold"]["raised"][-1]["code"]) == ("held", "record-restored")
    hands.step()
    until(lambda: hands.snapshot().state["trust"] != "lost", 20)
    if hands.snapshot().state["public"]["suspended"] is not None:
        hands.tell(ResumeTable(by=BY))
    left = table.shoe.state().left
    hands.tell(EndShoe(by=BY, left=left, accept_mismatch=True, reason="restored"))
    assert hands.snapshot().state["phase"] == "no_shoe"


def _operators_come_through(table: Studio, watching: Watching, before: list[str]) -> None:
    """Rounds that were lost are unknown; all of the new epoch is heard; no id came twice."""
    record = stored(table)
    until(lambda: watching.payloads[-1:] == record[-1:], 20)
    (joined,) = [one for one in _since(watching) if isinstance(one, Joined)]
    heard = [one for one in watching.payloads if joined.epoch.encode() in one]
    assert heard == record[joined.seq :]
    rounds = _rounds(table.database)
    assert len(set(rounds)) == len(rounds)
    lost = set(before) - set(rounds)
    new = set(rounds) - set(before)
    assert lost
    assert len(new) >= 2
    checked = {one.round: one.message for one in _since(watching) if isinstance(one, RoundChecked)}
    unknown = {name for name, message in checked.items() if message is None}
    assert unknown == lost & set(checked)
    assert unknown
    for name, message in checked.items():
        if message is not None:
            with History.open(table.database, TABLE) as history:
                assert message.payload in history.round_payloads(name)


@pytest.mark.req("DUR-15")
def test_a_restore_into_an_empty_folder_touches_nothing_else(
    shared: Studio, tmp_path: Path
) -> None:
    backup, drill = tmp_path / "backup", tmp_path / "drill"
    file = shared.folder / "tables" / "BAC-1.toml"
    text = file.read_text()
    file.write_text(f'heads = "{tmp_path}/real.heads"\n{text}')
    assert _asked(shared.folder, "backup", str(backup)).returncode == 0
    file.write_text(text)
    before = _rows(shared.database)
    put = _asked(shared.folder, "restore", str(backup), "--into", str(drill))
    assert put.returncode == 0, put.stderr
    assert _rows(shared.database) == before
    assert shared.is_up()
    report = verify(f"sqlite:///{drill / 'data' / 'BAC-1.db'}", TABLE)
    assert (report.findings, report.epochs) == ((), 2)
    settings = load_table(drill / "tables" / "BAC-1.toml")
    used = (settings.database_url, settings.studio.staff_database_url, settings.raw_log_folder)
    used = (*used, settings.heads)
    assert all(str(drill) in str(one) for one in (*used, key_folder(settings.studio)))
    again = _asked(shared.folder, "restore", str(backup), "--into", str(drill))
    assert again.returncode == 1
    assert "is not empty" in again.stderr


@pytest.mark.req("DUR-15")
def test_a_backup_that_is_killed_at_any_step_is_none(shared: Studio, tmp_path: Path) -> None:
    backup = tmp_path / "backup"
    for number, step in enumerate(("copies", "files", "list"), 1):
        program = (sys.executable, "-c", _KILLED, step)
        killed = _asked(shared.folder, "backup", str(backup), program=program)
        assert killed.returncode == -signal.SIGKILL, (step, killed.stderr)
        assert not backup.exists()
        assert len(list(tmp_path.glob(".backup.*.part"))) == number
    left = next(tmp_path.glob(".backup.*.part"))
    refused = _asked(shared.folder, "restore", str(left), "--into", str(tmp_path / "drill"))
    assert refused.returncode == 1
    assert "is no backup" in refused.stderr
    assert not (tmp_path / "drill").exists()
    assert _asked(shared.folder, "backup", str(backup)).returncode == 0


def test_a_full_disk_leaves_no_backup(shared: Studio, tmp_path: Path) -> None:
    with small_disk(tmp_path / "small", _SMALL_DISK) as disk:
        failed = _asked(shared.folder, "backup", str(disk / "backup"))
        assert failed.returncode == 1
        assert "full" in failed.stderr or "No space left" in failed.stderr
        assert "Traceback" not in failed.stderr
        assert list(disk.iterdir()) == []
    assert shared.is_up()
    assert is_sound(shared)
