# SPDX-License-Identifier: Apache-2.0
"""What the tests of faults run in processes of their own: ``python -m tests.store.child``.

It uses the journal as it is. A kill point is the n-th statement that the journal gave to the
driver: the process dies when it has run, point 0 before any.
"""

import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from studio.game.events import GuardEnded
from studio.store.database import StoreFailed
from studio.store.journal import Entry, Journal
from studio.store.schema import create
from tests.store.samples import TABLE, Story
from tests.waiting import until


def say(**words: Any) -> None:
    """One line for the test."""
    print(json.dumps(words), flush=True)


def hold(url: str) -> None:
    """Open the journal and keep it until killed."""
    with Journal.open(url, TABLE):
        say(open=True)
        signal.pause()


def crash(url: str) -> None:
    """Append a shoe and a round again and again, killed one statement later each time.

    Says for each: the numbers before, after the last transaction that was acknowledged and after
    the one under way, and what a restart finds.
    """
    for point in range(1_000):
        before = _opened(url).last_seq
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            _killed_at(url, point, writing)
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as pipe:
            told = [json.loads(line) for line in pipe]
        _, status = os.waitpid(child, 0)
        done = os.waitstatus_to_exitcode(status)
        say(before=before, told=told, status=done, found=_opened(url).last_seq)
        if done == 0:
            return


def _opened(url: str) -> Journal:
    """The journal as a restart finds it; a server takes a moment to see that a client is dead."""

    def attempt() -> Journal | None:
        try:
            return Journal.open(url, TABLE)
        except StoreFailed as failed:
            if "in use" not in str(failed):
                raise
            return None

    journal = until(attempt)
    assert journal is not None
    for _ in journal.read():
        pass
    journal.close()
    return journal


def _killed_at(url: str, point: int, pipe: int) -> None:
    journal = Journal.open(url, TABLE)
    execute = journal._execute
    left = point

    def execute_or_die(*statement: Any) -> Any:
        nonlocal left
        done = execute(*statement) if left else None
        left -= 1
        if left <= 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return done

    def store(entries: list[Entry]) -> None:
        os.write(pipe, json.dumps({"writing": entries[-1].recorded.seq}).encode() + b"\n")
        journal.append(entries)
        os.write(pipe, json.dumps({"stored": journal.last_seq}).encode() + b"\n")

    journal._execute = execute_or_die
    story = Story.of(journal)
    if journal._under_way.round is not None:
        store(story.closed(journal._under_way.round))
    round_id = f"BAC-1-{story.seq}"
    store(story.shoe(round_id))
    store(story.opened(round_id))
    store(story.tell(GuardEnded(), GuardEnded()))
    store(story.closed(round_id))


def fill(folder: str) -> None:
    """Append to a record until the disk is full, on a small disk where one can be mounted.

    Says whether it was one, what was stored, how it failed and what is there when there is space
    again.
    """
    mounted = _mount_small(Path(folder), "size=7m")
    url = f"sqlite:///{folder}/BAC-1.db"
    create(url, TABLE)
    if not mounted:
        resource.setrlimit(resource.RLIMIT_FSIZE, (7 << 20, resource.RLIM_INFINITY))
    journal = Journal.open(url, TABLE)
    text = None
    while text is None:
        entry = Story.of(journal).tell(GuardEnded())[0]
        try:
            journal.append([Entry(_public(entry.recorded), b"x" * 50_000)])
        except StoreFailed as failed:
            text = str(failed)
    stored, head = journal.last_seq, journal.head.hex()
    journal.close()
    if mounted:
        _mount_small(Path(folder), "remount,size=20m")
    else:
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
    with Journal.open(url, TABLE) as again:
        again.append([])
        say(small=mounted, text=text, stored=stored, head=head)
        say(found=again.last_seq, head=again.head.hex(), read=sum(1 for _ in again.read()))


def _public(recorded: Any) -> Any:
    return type(recorded)(
        recorded.seq,
        recorded.seq,
        recorded.at,
        recorded.source,
        recorded.shoe,
        recorded.round,
        recorded.event,
    )


def _mount_small(folder: Path, options: str) -> bool:
    command = ["mount", "-t", "tmpfs", "-o", options, "none", str(folder)]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


if __name__ == "__main__":
    {"hold": hold, "crash": crash, "fill": fill}[sys.argv[1]](sys.argv[2])
