# SPDX-License-Identifier: Apache-2.0
"""The demonstration, whole: four processes, a pseudo-terminal, real sockets, nothing left over."""

import fcntl
import json
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time
from pathlib import Path

import pytest

from studio.cli.exits import Exit
from studio.feed.wire import decode
from tests.cli.run import STUDIO, environment, processes_in, studio
from tests.waiting import until

FAST = ("demo", "--seed", "7", "--speed", "0")
# Long enough never to end by itself while a test looks at it.
LONG = ("demo", "--seed", "7", "--speed", "10", "--rounds", "500", "--json")


def started(home: Path, *arguments: str, **more) -> subprocess.Popen:
    return subprocess.Popen(
        [*STUDIO, *arguments],
        env=environment(home),
        cwd=home,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        **{"stdout": subprocess.PIPE} | more,
    )


def is_clean(home: Path) -> bool:
    return not processes_in(home) and list(home.iterdir()) == []


def children_of(home: Path, word: str) -> list[int]:
    """The processes of a demonstration that run this command."""
    found = []
    for number in processes_in(home):
        try:
            line = Path(f"/proc/{number}/cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if word.encode() in line:
            found.append(number)
    return found


@pytest.mark.req("RND-5", "AUD-5")
def test_the_demo_prints_exactly_the_public_messages(tmp_path):
    done = studio(*FAST, "--rounds", "3", "--json", home=tmp_path)
    assert (done.returncode, done.stderr) == (Exit.DONE, "")
    lines = done.stdout.encode().splitlines()
    messages = [decode(line) for line in lines]
    assert [one.seq for one in messages] == list(range(1, len(messages) + 1))
    assert len({one.epoch for one in messages}) == 1
    types = [one.type for one in messages]
    assert types.count("result") == types.count("round_closed") == 3
    assert (types[0], types[-1]) == ("table_opened", "table_closed")
    assert "heartbeat" not in types
    assert {json.loads(line)["v"] for line in lines} == {1}
    assert messages[0].data.environment == "test"
    until(lambda: is_clean(tmp_path))


def test_the_same_seed_deals_the_same_cards(tmp_path):
    def cards() -> list:
        done = studio(*FAST, "--rounds", "2", "--json", home=tmp_path)
        messages = [decode(line) for line in done.stdout.encode().splitlines()]
        return [one.data.card for one in messages if one.type == "card_dealt"]

    assert cards() == cards()


def test_without_a_terminal_it_prints_lines_for_people(tmp_path):
    done = studio(*FAST, "--rounds", "1", home=tmp_path)
    assert done.returncode == Exit.DONE
    assert "table BAC-1 open" in done.stdout
    assert "card P1" in done.stdout
    assert "both chains are whole" in done.stdout
    assert "\x1b" not in done.stdout
    until(lambda: is_clean(tmp_path))


def read_screen(master: int, seconds: float = 40.0) -> bytes:
    """Everything that is written to a terminal until nobody holds its other end."""
    taken = b""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if select.select([master], [], [], 0.2)[0]:
            try:
                piece = os.read(master, 65536)
            except OSError:
                return taken
            if not piece:
                return taken
            taken += piece
    raise AssertionError("the terminal was never given up")


def test_in_a_terminal_the_table_is_drawn_and_the_terminal_is_given_back(tmp_path):
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    # slow enough for cards to be seen: a screen is drawn some times a second
    slower = ("demo", "--seed", "7", "--speed", "15")
    process = started(tmp_path, *slower, "--rounds", "2", stdout=slave)
    os.close(slave)
    try:
        text = read_screen(master).decode(errors="replace")
    finally:
        os.close(master)
    _, errors = process.communicate(timeout=30)
    assert (process.returncode, errors) == (Exit.DONE, b"")
    for word in ("bead plate", "cockroach", "TABLE CLOSED", "╭─────╮", "of 416 cards dealt"):
        assert word in text
    assert text.count("\x1b[?1049h") == text.count("\x1b[?1049l") == 1, "the other screen"
    assert text.rfind("\x1b[?25h") > text.rfind("\x1b[?25l"), "the cursor"
    until(lambda: is_clean(tmp_path))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_all_of_it(tmp_path, number):
    process = started(tmp_path, *LONG)
    process.stdout.readline()
    process.send_signal(number)
    _, errors = process.communicate(timeout=30)
    assert (process.returncode, errors) == (128 + number, b"")
    until(lambda: is_clean(tmp_path))


def test_a_signal_while_it_is_starting_ends_all_of_it(tmp_path):
    process = started(tmp_path, *LONG)
    until(lambda: children_of(tmp_path, "sim"))
    process.terminate()
    process.communicate(timeout=30)
    assert process.returncode == 128 + signal.SIGTERM
    until(lambda: is_clean(tmp_path))


def test_killing_it_leaves_no_process(tmp_path):
    process = started(tmp_path, *LONG)
    process.stdout.readline()
    process.kill()
    process.communicate(timeout=30)
    until(lambda: not processes_in(tmp_path))


@pytest.mark.parametrize(
    "word, name",
    [("serve", "service"), ("sim", "shoe"), ("dealer", "dealer"), ("watch", "subscriber")],
)
def test_the_death_of_one_process_ends_all_and_is_named(tmp_path, word, name):
    process = started(tmp_path, *LONG)
    process.stdout.readline()
    (number,) = until(lambda: children_of(tmp_path, word))
    os.kill(number, signal.SIGKILL)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == Exit.FAILED
    assert f"the {name} was ended by SIGKILL" in errors.decode()
    until(lambda: is_clean(tmp_path))


def test_it_ends_when_nobody_reads_it(tmp_path):
    process = started(tmp_path, *FAST, "--rounds", "20", "--json")
    process.stdout.readline()
    process.stdout.close()
    process.stdout = None
    _, errors = process.communicate(timeout=30)
    assert (process.returncode, errors) == (Exit.NOBODY_READS, b"")
    until(lambda: is_clean(tmp_path))
