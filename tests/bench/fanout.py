# SPDX-License-Identifier: Apache-2.0
"""From a card's bytes to the last of a thousand subscribers, and how long it takes to catch up."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from msgspec import convert
from msgspec.structs import replace

from studio.cli.keys import make_studio
from studio.feed.asks import AskSnapshot, Snapshot, encode, read_answer
from studio.feed.client import Client
from studio.feed.subscriber import Subscriber
from studio.feed.updates import Accepted, Bookmark, Status
from studio.game.snapshot import PublicState
from tests.bench.figures import median, quantile, seconds_of, tell
from tests.bench.latency import bare, in_folder, table
from tests.bench.record import fill
from tests.system.rig import ROOT, TABLE, Studio, studio

SUBSCRIBERS = 1000
PROCESSES = 4
PAIRS = 5
CARDS = 80
# Rounds that come to a hundred thousand public messages.
ROUNDS = 11_500
RUNS = 3


class Listeners:
    """Plain SUB sockets in a few processes; a message has come when the last of them has it."""

    pause_seconds = 0.03

    def __init__(self, endpoint: str, keys: Path | None) -> None:
        arguments = [str(SUBSCRIBERS // PROCESSES), endpoint, str(keys or "")]
        self._children = [
            subprocess.Popen(
                [sys.executable, "-m", "tests.bench.listeners", *arguments],
                cwd=ROOT,
                stdout=subprocess.PIPE,
            )
            for _ in range(PROCESSES)
        ]
        self._lines()

    def _lines(self) -> list[bytes]:
        lines = [child.stdout.readline() for child in self._children if child.stdout is not None]
        assert all(lines), "a listener did not hear a message"
        return lines

    def hear(self) -> float:
        return max(float(line) for line in self._lines())

    def close(self) -> None:
        for child in self._children:
            child.kill()
            child.communicate()


def fanout() -> None:
    """The table and bare pyzmq, which stores nothing, in turn: without keys and behind them."""
    runs: dict[str, list[list[float]]] = {"ours": [], "bare": [], "ours_keys": [], "bare_keys": []}
    for _ in range(PAIRS):
        for behind in ("", "_keys"):
            runs[f"bare{behind}"].append(
                in_folder(lambda folder, k=behind: _run(folder, "bare", k))
            )
            runs[f"ours{behind}"].append(
                in_folder(lambda folder, k=behind: _run(folder, "ours", k))
            )
    every = {name: [value for run in measured for value in run] for name, measured in runs.items()}
    for behind, text in (("", "without keys"), ("_keys", "behind keys")):
        pairs = zip(runs[f"ours{behind}"], runs[f"bare{behind}"], strict=True)
        ratios = [median(one) / median(other) for one, other in pairs]
        tell(
            f"card bytes to card_dealt at the last of {SUBSCRIBERS} subscribers, {text}",
            ratio_of_p50_median=median(ratios),
            ratios=[round(ratio, 3) for ratio in ratios],
            to_reach=1.2,
            milliseconds_p50=median(every[f"ours{behind}"]) * 1e3,
            milliseconds_p99=quantile(every[f"ours{behind}"], 0.99) * 1e3,
            floor_milliseconds_p50=median(every[f"bare{behind}"]) * 1e3,
            floor_milliseconds_p99=quantile(every[f"bare{behind}"], 0.99) * 1e3,
            cards=len(every[f"ours{behind}"]),
        )
    tell(
        "what keys add at the last subscriber",
        milliseconds_p50=(median(every["ours_keys"]) - median(every["ours"])) * 1e3,
        floor_milliseconds_p50=(median(every["bare_keys"]) - median(every["bare"])) * 1e3,
    )


def _run(folder: Path, whose: str, behind: str) -> list[float]:
    keys = None
    if behind:
        keys = folder / "data" / "keys"
        keys.parent.mkdir()
        make_studio(keys)
    if whose == "bare":
        return bare(folder, "none", listen=Listeners, cards=CARDS, keys=keys)
    return table(folder, listen=Listeners, cards=CARDS, keys=keys)


def catching_up() -> None:
    """A subscriber that comes back to a record of a hundred thousand messages from the first."""
    with tempfile.TemporaryDirectory(dir=ROOT) as folder, studio(Path(folder)) as running:
        fill(running.database, ROUNDS)
        running.start()
        start = _first(running)
        own = time.process_time()
        took = [seconds_of(lambda: _caught_up(running, start)) for _ in range(RUNS)]
        own = (time.process_time() - own) / RUNS
        messages = _last(running).seq
    tell(
        "messages caught up by history",
        seconds_p50=median(took),
        seconds=[round(one, 2) for one in took],
        to_reach_seconds=5,
        processor_seconds_of_the_subscriber=own,
        messages=messages,
        per_second=messages / median(took),
    )


def _last(running: Studio) -> Snapshot:
    with Client(running.endpoints["public_requests"]) as client:
        answer = read_answer(client.ask(encode(AskSnapshot(id="s", table=TABLE)), 20))
    assert isinstance(answer, Snapshot)
    return answer


def _first(running: Studio) -> Bookmark:
    """Where somebody stood who was there before anything happened."""
    now = _last(running)
    state = replace(convert(now.state, PublicState), phase="closed", results=(), round=None)
    return Bookmark(now.epoch, 0, bytes(32).hex(), state, {})


def _caught_up(running: Studio, start: Bookmark) -> None:
    feed = running.endpoints["public_events"], running.endpoints["public_requests"]
    heard = 0
    with Subscriber(*feed, [TABLE], "test", bookmarks={TABLE: start}) as subscriber:
        follower = subscriber.followers[TABLE]
        deadline = time.monotonic() + 300
        while follower.status is not Status.LIVE:
            assert time.monotonic() < deadline
            heard += sum(isinstance(update, Accepted) for update in subscriber.poll(1))
        assert heard == follower.seq
        assert follower.is_chain_whole
