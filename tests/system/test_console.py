# SPDX-License-Identifier: Apache-2.0
"""The dealer's console on a real service and a simulated shoe: by keyboard alone, and through
crashes of either side.
"""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.system.rig import ROOT, TABLE, Hands, Studio, studio
from tests.ui.console_rig import Keys, window
from tests.ui.looking import faults_of
from tests.ui.offscreen import warm
from tests.waiting import until
from ui.link import Link
from ui.view.model import BandRole
from ui.view.seen import LinkState


@pytest.fixture(scope="session", autouse=True)
def application(qapp):
    warm(qapp)
    return qapp


@contextmanager
def console(qtbot, table: Studio) -> Iterator[Keys]:
    """A console at that table; closed as a crash would close it."""
    link = Link(TABLE, table.endpoints["staff_events"], table.endpoints["staff_requests"])
    shown = window(qtbot, link, table.shoe.pull)
    link.start()
    try:
        keys = Keys(qtbot, shown)
        keys.wait_for(lambda: shown.desk.seen.link is LinkState.LIVE)
        yield keys
    finally:
        shown.close()
        link.stop()


_PRESSES = {"bets-open": "Shift+End"}


def step(keys: Keys) -> str:
    """Do what the band says, with one key; the prompt's code."""
    code, desk = keys.code, keys.console.desk
    before = desk.seen.state
    assert before is not None
    if not before.prompt.pull:
        keys.ready()
    keys.click("F11" if before.prompt.pull else _PRESSES.get(code, "Space"))
    keys.wait_for(lambda: desk.seen.state != before and desk.seen.sending is None)
    return code


def play_until(keys: Keys, code: str, cards: int | None = None) -> None:
    """Do what the band says until it says this, with so many cards on the table."""
    for _ in range(60):
        state = keys.console.desk.seen.state
        assert state is not None
        if keys.code == code and cards in (None, len(state.player) + len(state.banker)):
            return
        step(keys)
    raise AssertionError(f"{code} was not reached, but {keys.code}")


def test_rounds_are_dealt_by_keyboard_alone_with_two_presses_each(qtbot, tmp_path):
    # a short betting time, so that nobody needs to close bets
    with studio(tmp_path, house={"betting_seconds": "1"}) as table:
        table.start()
        with console(qtbot, table) as keys:
            play_until(keys, "open-bets")
            for _ in range(2):
                presses = 0
                while True:
                    keys.wait_for(lambda: keys.code not in ("bets-open", "wait-for-guard"))
                    assert faults_of(keys.console) == []
                    state = keys.console.desk.seen.state
                    presses += not state.prompt.pull
                    if step(keys) == "confirm-result":
                        break
                assert presses == 2
            public = Hands(table).snapshot().state["public"]
            assert len(public["results"]) == 2


@pytest.mark.parametrize("cards", [0, 2, 4])
def test_a_console_that_is_killed_in_mid_round_comes_back_to_where_the_table_is(
    qtbot, tmp_path, cards
):
    with studio(tmp_path, house={"betting_seconds": "600"}) as table:
        table.start()
        with console(qtbot, table) as keys:
            if cards == 0:
                play_until(keys, "bets-open")
            else:
                play_until(keys, "deal-card", cards - 1)
                step(keys)
            before = keys.console.view
        with console(qtbot, table) as again:
            after = again.console.view
            assert (after.band.code, after.band.do) == (before.band.code, before.band.do)
            assert after.hands == before.hands
            assert after.roads == before.roads
            play_until(again, "settle")


def test_a_service_that_is_killed_and_comes_back_is_told_at_once_and_nothing_is_kept_to_be_sent(
    qtbot, tmp_path
):
    with studio(tmp_path, house={"betting_seconds": "600"}) as table:
        table.start()
        with console(qtbot, table) as keys:
            play_until(keys, "deal-card", 2)
            shown, before = keys.console, keys.console.view
            assert table.service is not None
            table.service.end(signal.SIGKILL)
            keys.wait_for(lambda: shown.desk.seen.link is LinkState.GONE)
            assert shown.view.band.role is BandRole.OFF
            assert shown.view.hands.is_veiled
            assert faults_of(shown) == []
            for name in ("Space", "F11", "F3"):
                keys.click(name)
            table.start()
            keys.wait_for(lambda: shown.desk.seen.link is LinkState.LIVE)
            # the place of the next card is marked again once the line to the shoe is up
            keys.wait_for(lambda: shown.view.hands == before.hands)
            play_until(keys, "settle")


def test_a_service_that_hangs_makes_the_picture_stale(qtbot, tmp_path):
    with studio(tmp_path) as table:
        table.start()
        with console(qtbot, table) as keys:
            shown = keys.console
            assert table.service is not None
            table.service.child.send_signal(signal.SIGSTOP)
            try:
                keys.wait_for(lambda: shown.desk.seen.link is not LinkState.LIVE)
                assert shown.view.band.role is BandRole.OFF
                keys.click("Space")
            finally:
                table.service.child.send_signal(signal.SIGCONT)
            keys.wait_for(lambda: shown.desk.seen.link is LinkState.LIVE)
            assert Hands(table).snapshot().state["public"]["phase"] == "closed"


def test_the_shoes_cable_is_pulled_in_mid_coup_and_put_back(qtbot, tmp_path):
    with studio(tmp_path, house={"betting_seconds": "600"}) as table:
        table.start()
        with console(qtbot, table) as keys:
            play_until(keys, "deal-card", 2)
            shown = keys.console
            table.shoe.unplug()
            keys.wait_for(lambda: shown.view.band.code == "shoe-line-down")
            assert shown.view.band.role is BandRole.STOP
            assert faults_of(shown) == []
            table.shoe.plug()
            keys.wait_for(lambda: shown.view.band.code != "shoe-line-down")
            if keys.code == "held":
                return
            play_until(keys, "settle")


def _console(table: Studio, *options: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "studio.cli", "console", "--window", *options,
         "--config", str(table.folder / "tables" / f"{TABLE}.toml")],
        cwd=ROOT,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        stderr=subprocess.PIPE,
    )  # fmt: skip


def test_the_command_runs_beside_a_table_and_ends_in_order(tmp_path):
    with studio(tmp_path) as table:
        table.start()
        child = _console(table, "--language", "it", "--theme", "light")
        port = int(table.endpoints["staff_requests"].rpartition(":")[2])
        until(lambda: _talks_to(child.pid, port), 30)
        child.send_signal(signal.SIGTERM)
        _, errors = child.communicate(timeout=20)
        assert (child.returncode, errors) == (0, b"")


def _talks_to(pid: int, port: int) -> bool:
    """Whether a process has a connection to a local port that is up."""
    remote = f"{port:04X}"
    for line in Path(f"/proc/{pid}/net/tcp").read_text().splitlines()[1:]:
        fields = line.split()
        if fields[2].endswith(f":{remote}") and fields[3] == "01":
            return True
    return False


def test_no_other_command_loads_qt():
    code = (
        "import sys\n"
        "from studio.cli import run, COMMANDS\n"
        "for name in COMMANDS:\n"
        "    if name not in ('console', 'pit'): run([name, '--help'])\n"
        "sys.stderr.write(str([one for one in sys.modules if one.startswith('PyQt6')]))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True)
    assert done.stderr.decode().endswith("[]")


@pytest.mark.parametrize("name", ["console", "pit"])
def test_without_qt_it_says_which_extra_to_install(name):
    code = f"import sys\nsys.modules['PyQt6'] = None\nfrom studio.cli import main\nmain(['{name}'])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 2
    assert re.search(rf"`studio {name}` needs PyQt6.*extra `console`", done.stderr.decode())


def test_without_a_screen_it_says_so_instead_of_dying(tmp_path):
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    done = subprocess.run(
        [sys.executable, "-m", "studio.cli", "console", "--table", TABLE],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if name not in hidden},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 1
    assert b"no screen here" in done.stderr
