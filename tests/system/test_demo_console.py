# SPDX-License-Identifier: Apache-2.0
"""The demonstration in the dealer's chair: the console's window beside a real table, offscreen."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from select import select

import pytest

from drivers.sim.client import ShoeControl
from studio.cli.demo_console import has_console
from studio.cli.exits import Exit
from studio.drills.misdeals import misdeals_of
from studio.settings import load_house
from tests.cli.run import STUDIO, environment, processes_in, studio
from tests.waiting import until

NAMES = [one.drill.name for one in misdeals_of(load_house("studio"))]

PUT_IN = "Another shoe is put in."
# After these a card may be out that the table never hears of.
UNTOLD = ("The next report is lost", "The cable is put in again.")


class Demonstration:
    """A demonstration at the console that is under way, and what it says."""

    def __init__(self, home: Path, *arguments: str, screen: str | None = None) -> None:
        is_seen = screen is not None
        on = {"QT_QPA_PLATFORM": "xcb" if is_seen else "offscreen", "DISPLAY": screen or ""}
        self.home = home
        self.said = ""
        self.process = subprocess.Popen(
            [*STUDIO, "demo", "--console", *arguments],
            env=environment(home) | on,
            cwd=home,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def hears(self, text: str, times: int = 1, seconds: float = 60) -> None:
        """Read on until it has said this so often."""
        deadline = time.monotonic() + seconds
        while self.said.count(text) < times:
            assert time.monotonic() < deadline, f"{text!r} was not said, but:\n{self.said}"
            self._read(0.1)

    def says(self, texts: list[str]) -> int:
        """How often it has said any of these until now."""
        self._read(0)
        return sum(map(self.said.count, texts))

    def _read(self, seconds: float) -> None:
        if select([self.process.stdout], [], [], seconds)[0]:
            piece = os.read(self.process.stdout.fileno(), 65536)
            assert piece, f"it ended: {self.process.stderr.read().decode()}"
            self.said += piece.decode()

    def window(self) -> tuple[int, list[str]]:
        """The process of the window, and its arguments."""
        return until(self._window, 30)

    def shown(self) -> int:
        """The window's process, once it has its lines to the table and can be closed."""
        number, arguments = self.window()
        wanted = {port_after(f"--{name}", arguments) for name in ("staff-requests", "staff-events")}
        until(lambda: wanted <= ports_reached_by(number), 30)
        until(lambda: catches(number, signal.SIGTERM), 30)
        return number

    def _window(self) -> tuple[int, list[str]] | None:
        for number in processes_in(self.home):
            try:
                line = Path(f"/proc/{number}/cmdline").read_bytes().decode().split("\0")
            except OSError:
                continue
            if "console" in line:
                return number, line[line.index("console") + 1 : -1]
        return None

    def end(self) -> tuple[int, str, str]:
        """Wait for its end; status, all that it said, and its errors."""
        said, errors = self.process.communicate(timeout=40)
        self.said += said.decode()
        return self.process.returncode, self.said, errors.decode()


@contextmanager
def demonstration(
    home: Path, *arguments: str, screen: str | None = None
) -> Iterator[Demonstration]:
    shown = Demonstration(home, *arguments, screen=screen)
    try:
        yield shown
    finally:
        shown.process.terminate()
        shown.process.communicate(timeout=40)
    until(lambda: not processes_in(home) and list(home.iterdir()) == [])


def port_after(option: str, arguments: list[str]) -> int:
    return int(arguments[arguments.index(option) + 1].rpartition(":")[2])


def ports_reached_by(number: int) -> set[int]:
    """The ports that a process has TCP connections to."""
    held = set()
    for entry in Path(f"/proc/{number}/fd").iterdir():
        try:
            held.add(entry.readlink().name)
        except OSError:
            continue
    rows = [line.split() for line in Path(f"/proc/{number}/net/tcp").read_text().splitlines()[1:]]
    established = [row for row in rows if row[3] == "01" and f"socket:[{row[9]}]" in held]
    return {int(row[2].rpartition(":")[2], 16) for row in established}


def catches(number: int, wanted: signal.Signals) -> bool:
    """Whether a process has its own answer to a signal."""
    lines = Path(f"/proc/{number}/status").read_text().splitlines()
    (caught,) = (line.split()[1] for line in lines if line.startswith("SigCgt:"))
    return bool(int(caught, 16) >> (wanted - 1) & 1)


def table_of(arguments: list[str]) -> list[str]:
    """What tells another command of the table and the shoe that the window is at."""
    places = [arguments.index(name) for name in ("-c", "--staff-requests", "--control")]
    return [word for place in places for word in arguments[place : place + 2]]


@contextmanager
def dealing(home: Path, arguments: list[str]) -> Iterator[subprocess.Popen]:
    """Somebody does at that table what its prompts say."""
    hands = subprocess.Popen(
        [*STUDIO, "dealer", *table_of(arguments), "--pace", "6"],
        env=environment(home),
        cwd=home,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield hands
    finally:
        # at once: it would put in a shoe of its own
        hands.kill()
        hands.wait(30)


def test_the_window_opens_at_a_table_that_waits_for_its_dealer_and_its_end_ends_all(tmp_path):
    with demonstration(tmp_path) as shown:
        shown.hears("You are the dealer")
        number = shown.shown()
        _, arguments = shown.window()
        assert {"--pull", "--window", "--control"} <= set(arguments)
        # nobody deals here but the person
        assert len(processes_in(tmp_path)) == 4
        os.kill(number, signal.SIGTERM)
        status, said, errors = shown.end()
        assert (status, errors) == (Exit.DONE, "")
        assert "every result follows from its cards" in said


def test_a_window_that_crashes_is_named(tmp_path):
    with demonstration(tmp_path) as shown:
        shown.hears("You are the dealer")
        os.kill(shown.window()[0], signal.SIGKILL)
        status, _, errors = shown.end()
        assert status == Exit.FAILED
        assert "the console was ended by SIGKILL" in errors


def test_a_signal_ends_all_of_it(tmp_path):
    with demonstration(tmp_path, "--misdeal", "misread") as shown:
        shown.hears("to do")
        shown.process.send_signal(signal.SIGINT)
        status, _, errors = shown.end()
        assert (status, errors) == (128 + signal.SIGINT, "")


def wait_for_more(shown: Demonstration, signs: list[str], hands: subprocess.Popen) -> None:
    """Wait until it says one of these again, or the hands have given up."""
    said = sum(map(shown.said.count, signs))
    until(lambda: shown.says(signs) > said or hands.poll() is not None, 60)


def deal_on(home: Path, shown: Demonstration, rounds: int) -> None:
    """Do what the prompts say until so many rounds are over.

    An automatic dealer waits for a card that is never told; a person pulls the next.
    """
    arguments = shown.window()[1]
    signs = [PUT_IN, *UNTOLD]
    while shown.said.count(PUT_IN) < rounds:
        with dealing(home, arguments) as hands:
            wait_for_more(shown, signs, hands)
        if shown.said.count(PUT_IN) < rounds:
            with ShoeControl(arguments[arguments.index("--control") + 1]) as shoe:
                shoe.pull()


def test_every_misdeal_happens_is_explained_and_comes_to_an_end(tmp_path):
    with demonstration(tmp_path, "--misdeal", "--speed", "20") as shown:
        for rounds in range(1, len(NAMES) + 1):
            shown.hears("to do: ", rounds)
            deal_on(tmp_path, shown, rounds)
        assert all(shown.said.count(f"{name}: ") == 1 for name in NAMES)
        assert len(NAMES) >= 6


def test_one_misdeal_comes_again_until_the_window_is_closed(tmp_path):
    with demonstration(tmp_path, "--misdeal", "card-before-close", "--speed", "20") as shown:
        shown.hears("to do: ")
        number = shown.shown()
        deal_on(tmp_path, shown, 1)
        shown.hears("card-before-close: ", times=2)
        assert shown.said.count("A card slips out of the shoe.") >= 1
        os.kill(number, signal.SIGTERM)
        status, _, errors = shown.end()
        assert (status, errors) == (Exit.DONE, "")


def test_without_a_screen_a_misdeal_is_dealt_and_explained_in_the_terminal(tmp_path):
    done = studio("demo", "--misdeal", "misread", "--speed", "0", home=tmp_path)
    assert (done.returncode, done.stderr) == (Exit.DONE, "")
    for text in ("PASS  misread", "What happened, and what was done", "correct_card: number 3"):
        assert text in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_misdeals_are_listed_and_an_unknown_one_is_bad_usage_with_the_list(tmp_path):
    listed = studio("demo", "--misdeal", "list", home=tmp_path)
    assert listed.returncode == Exit.DONE
    assert [line.split()[0] for line in listed.stdout.splitlines()] == NAMES
    unknown = studio("demo", "--misdeal", "no-such", home=tmp_path)
    assert (unknown.returncode, unknown.stdout) == (Exit.BAD_SETTINGS, "")
    assert all(name in unknown.stderr for name in ("no-such", *NAMES))


@pytest.mark.parametrize(
    "arguments",
    [("--console", "--json"), ("--console", "--rounds", "3"), ("--misdeal", "misread", "--json")],
    ids=" ".join,
)
def test_what_does_not_go_together_is_bad_usage(tmp_path, arguments):
    done = studio("demo", *arguments, home=tmp_path)
    assert (done.returncode, done.stdout) == (Exit.BAD_SETTINGS, "")


def test_the_console_opens_by_itself_where_there_is_a_screen_and_not_for_programs(monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert not has_console()
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert has_console()


def test_a_screen_is_left_alone_when_programs_or_so_many_rounds_are_asked_for(tmp_path):
    # a screen that is not there: a window would fail
    for arguments in (("--json", "--rounds", "1"), ("--rounds", "1"), ("--no-console",)):
        done = subprocess.run(
            [*STUDIO, "demo", "--speed", "0", *arguments],
            env=environment(tmp_path) | {"DISPLAY": ":no-such"},
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=60,
            check=False,
        )
        assert (done.returncode, done.stderr) == (Exit.DONE, b"")
