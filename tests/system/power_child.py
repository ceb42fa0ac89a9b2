# SPDX-License-Identifier: Apache-2.0
"""A table that loses its power again and again; run with the shim preloaded.

``python -m tests.system.power_child SHIM FOLDER SECONDS SYNCHRONOUS TASK`` deals two rounds, or
makes a record, once with the power on, to count the operations on the disk. Then, for so many
seconds, with a cut at one of them after the other, in a scattered order, each with its own seed.
Sometimes the restart loses its power too. One JSON line says for each what was stored and what a
restart finds.
"""

import ctypes
import json
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from studio.game.events import RoundClosed
from studio.store import database, journal
from studio.store.database import StoreFailed
from studio.store.history import History
from studio.store.journal import Journal
from studio.store.schema import create
from tests.store.samples import TABLE, Story

CUT = 137
_STRIDE = 7919  # a prime: every operation gets its turn
_LEAST = {"deal": 21, "make": 6, "fail": 6}


class Power:
    """The shim, as this process has it loaded."""

    def __init__(self, shim: str) -> None:
        self._shim = ctypes.CDLL(shim)
        self._shim.power_loss_arm.argtypes = (ctypes.c_char_p, ctypes.c_long, ctypes.c_uint64)
        self._shim.power_loss_fail_sync.argtypes = (ctypes.c_long,)
        self._shim.power_loss_count.restype = ctypes.c_long

    def fail_sync(self, folder: Path, number: int) -> None:
        """Let the n-th sync from now on fail in this process; 0: none, and look away."""
        where = str(folder) if number else "/nowhere"
        self._shim.power_loss_arm(where.encode(), 0, 0)
        self._shim.power_loss_fail_sync(number)

    def lost_in(self, folder: Path, cut: int, seed: int, work: Callable[[int], None]) -> Any:
        """Do ``work(pipe)`` in a process whose power goes at operation ``cut``.

        Gives whether it went, how many operations there were, and the lines written to the pipe.
        """
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            self._shim.power_loss_arm(str(folder).encode(), cut, seed)
            work(writing)
            os.write(writing, b"%d\n" % self._shim.power_loss_count())
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as pipe:
            lines = [int(line) for line in pipe]
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status not in (0, CUT):
            raise SystemExit(f"the child ended with {status}")
        return status == CUT, lines


def deal(url: str, pipe: int) -> None:
    """Two rounds: each append is told before (as a negative number) and when it is stored."""
    with Journal.open(url, TABLE) as opened:
        story = Story.of(opened)
        for entries in told(story):
            os.write(pipe, b"%d\n" % -entries[-1].recorded.seq)
            opened.append(entries)
            os.write(pipe, b"%d\n" % opened.last_seq)
            opened.idle()
        opened.checkpoint(opened.last_seq, b"state")


def told(story: Story) -> list[Any]:
    """The transactions of the story."""
    parts = [story.shoe()]
    for number in (1, 2):
        round_id = f"BAC-1-20261129-000{number}"
        parts.append(story.opened(round_id))
        parts += [[entry] for entry in story.dealt(round_id)]
        parts += [story.result(round_id), story.closed(round_id)]
    return parts


def found(url: str) -> dict[str, Any]:
    """What a restart finds: how many events, and whether they are the story's, in full."""
    expected = [entry for part in told(Story()) for entry in part]
    try:
        with Journal.open(url, TABLE) as opened:
            read = list(opened.read())
            whole = read == [entry.recorded for entry in expected[: len(read)]]
            stands = opened.last_seq
        with History.open(url, TABLE) as history:
            closed = sum(line.closed_at is not None for line in history.rounds())
            payloads = len(history.payloads(history.epochs()[0], 0, 100))
    except StoreFailed as failed:
        return {"refused": str(failed)}
    kept = expected[: len(read)]
    rounds = sum(isinstance(entry.recorded.event, RoundClosed) for entry in kept)
    public = sum(entry.payload is not None for entry in kept)
    reports = (closed, payloads) == (rounds, public)
    return {"found": stands, "whole": whole and stands == len(read) and reports}


def main(shim: str, folder: str, seconds: str, synchronous: str, task: str) -> None:
    """Cut after cut until the time is over, and as many as a test needs however slow it goes."""
    journal._ROWS_PER_CHECKPOINT = 6
    database._LOG_BYTES = 64 * 1024
    if synchronous != "full":
        _trust(synchronous)
    signal.alarm(55)
    power = Power(shim)
    new = Path(folder) / "new.db"
    create(f"sqlite:///{new}", TABLE)
    deadline = time.monotonic() + float(seconds)
    operations = seed = 0
    while time.monotonic() < deadline or seed < _LEAST[task]:
        place = Path(folder) / str(seed)
        place.mkdir()
        if task != "make":
            shutil.copy(new, place / "BAC-1.db")
        cut = 1 + seed * _STRIDE % operations if operations else 0
        line, count = {"deal": once, "make": make, "fail": fail}[task](power, place, cut, seed)
        operations = operations or count
        print(json.dumps(line))
        shutil.rmtree(place)
        seed += 1


def once(power: Power, place: Path, cut: int, seed: int) -> tuple[dict[str, Any], int]:
    """Deal until the cut; gives what a restart finds and, without a cut, the operations."""
    url = f"sqlite:///{place}/BAC-1.db"
    went, lines = power.lost_in(place, cut, seed, lambda pipe: deal(url, pipe))
    count = 0 if went else lines.pop()
    twice = False
    if seed % 3 == 1:
        twice, _ = power.lost_in(place, 1 + seed % 20, seed, lambda _pipe: restart(url))
    stored = max([0, *(line for line in lines if line > 0)])
    trying = max([stored, *(-line for line in lines if line < 0)])
    line = {"cut": cut, "went": went, "twice": twice, "stored": stored, "trying": trying}
    return line | found(url), count


def make(power: Power, place: Path, cut: int, seed: int) -> tuple[dict[str, Any], int]:
    """Make a record until the cut; gives whether there is one, and what is found in it."""
    url = f"sqlite:///{place}/BAC-1.db"
    went, lines = power.lost_in(place, cut, seed, lambda _pipe: create(url, TABLE))
    there = (place / "BAC-1.db").exists()
    if not there:
        create(url, TABLE)
    return {"cut": cut, "went": went, "there": there} | found(url), 0 if went else lines.pop()


def fail(power: Power, place: Path, _cut: int, seed: int) -> tuple[dict[str, Any], int]:
    """Append until a sync of the disk fails, then once more; gives both answers."""
    url = f"sqlite:///{place}/BAC-1.db"
    answers: list[str] = []
    with Journal.open(url, TABLE) as opened:
        power.fail_sync(place, 1 + seed % 15)
        for entries in told(Story()):
            try:
                opened.append(entries)
            except StoreFailed as failed:
                answers.append(str(failed))
        stored = opened.last_seq
        power.fail_sync(place, 0)
    return {"went": seed > 0, "stored": stored, "answers": answers} | found(url), 0


def restart(url: str) -> None:
    """Open the record and close it."""
    Journal.open(url, TABLE).close()


def _trust(synchronous: str) -> None:
    """Go on with a setting that the journal refuses: the shim must then show why."""
    vars(journal)["refuse_unsafe"] = lambda _engine, connection: connection.execute(
        f"PRAGMA synchronous = {synchronous}"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
