# SPDX-License-Identifier: Apache-2.0
"""From a card's bytes on the pseudo-terminal to ``card_dealt`` at a subscriber."""

import os
import pty
import subprocess
import sys
import tempfile
import threading
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import zmq

from studio.feed.keys import ClientKeys
from studio.feed.staff import Acceptance
from studio.game.cards import Card
from studio.game.inputs import ConfirmResult, LoadShoe, OpenBets, OpenTable, VoidRound
from studio.store.schema import create
from tests.bench.figures import median, quantile, tell
from tests.system.rig import BY, ROOT, TABLE, Hands, Process, write_site
from tests.waiting import until

PAIRS = 5
CARDS = 300
PAUSE_SECONDS = 0.003


class Terminal:
    """A pseudo-terminal in raw mode, with a shoe's frames going into it."""

    def __init__(self) -> None:
        self._master, self._slave = pty.openpty()
        tty.setraw(self._master)
        tty.setraw(self._slave)
        self.path = os.ttyname(self._slave)
        self._sent = 0

    def card(self, card: Card, position: str = "P1") -> None:
        """Write one card report, for that position."""
        self._sent += 1
        suit = {"D": 1, "C": 2, "S": 3, "H": 4}[card.suit.value]
        rank = "A23456789TJQK".index(card.rank.value) + 1
        seq = b"1234567890"[(self._sent - 1) % 10]
        target = (0x80 if position[0] == "P" else 0x90) | int(position[1])
        body = bytes([seq]) + b"D" + bytes([target, 0x80 | suit << 4 | rank]) + b"\x03"
        check = 0
        for byte in body:
            check ^= byte
        os.write(self._master, b"\x05" + body + b"%02X" % check)

    def close(self) -> None:
        os.close(self._master)
        os.close(self._slave)


class Ear:
    """A subscriber that waits for one card message at a time."""

    pause_seconds = PAUSE_SECONDS

    def __init__(self, endpoint: str, _keys: Path | None = None) -> None:
        self._context = zmq.Context()
        self._socket = self._context.socket(zmq.SUB)
        self._socket.subscribe(b"BAC-1/card_dealt")
        self._socket.connect(endpoint)
        self._socket.rcvtimeo = 5000

    def hear(self) -> float:
        """When it came."""
        self._socket.recv_multipart()
        return time.perf_counter()

    def close(self) -> None:
        self._context.destroy(0)


class Listener(Protocol):
    """Whoever waits for one card message at a time, and says when it came."""

    pause_seconds: float

    def hear(self) -> float: ...
    def close(self) -> None: ...


Listen = Callable[[str, Path | None], Listener]


def _timed(send: Callable[[], None], ear: Listener) -> float:
    threading.Event().wait(ear.pause_seconds)
    began = time.perf_counter()
    send()
    return ear.hear() - began


@contextmanager
def _bare(
    folder: Path, terminal: Terminal, log: str, listen: Listen, keys: Path | None
) -> Iterator[Listener]:
    arguments = [terminal.path, str(folder / "bare.db"), log, str(keys or "")]
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.bench.bare", *arguments],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with child:
        ear = listen(child.stdout.readline().strip().strip('"') if child.stdout else "", keys)
        threading.Event().wait(0.3)
        yield ear
        ear.close()


def bare(
    folder: Path,
    log: str = "plain",
    *,
    listen: Listen = Ear,
    cards: int = CARDS,
    keys: Path | None = None,
) -> list[float]:
    """Latencies of the bare chain, in seconds; with a log as SQLite grows it, stretched, or none.

    ``keys`` is the key folder of a studio, if it wants keys.
    """
    terminal = Terminal()
    with _bare(folder, terminal, log, listen, keys) as ear:
        took = [_timed(lambda: terminal.card(Card("8S")), ear) for _ in range(cards)]
    terminal.close()
    return took[20:]


def table(
    folder: Path, *, listen: Listen = Ear, cards: int = CARDS, keys: Path | None = None
) -> list[float]:
    """Latencies of the table service, in seconds: cards that become public at once.

    ``keys`` is the key folder of this studio, if it wants keys.
    """
    terminal = Terminal()
    house = {"rule": '"none"', "close_guard_ms": "0", "betting_seconds": "0"}
    write_site(folder, f"serial:{terminal.path}", house=house, keys=keys is not None)
    create(f"sqlite:///{folder}/record.db", TABLE)
    service = Process(["-m", "tests.system.launch", str(folder), TABLE])
    try:
        ear = listen(service.said["public_events"], keys)
        took = _deal(Hands(_Running(service, keys)), terminal, ear, cards)
        ear.close()
    finally:
        service.end()
        terminal.close()
    return took[20:]


class _Running:
    """What Hands needs of a studio."""

    table = TABLE

    def __init__(self, service: Process, keys: Path | None) -> None:
        self.keys = None if keys is None else ClientKeys.load(keys)
        self.endpoints = service.said
        self._service = service

    def is_up(self) -> bool:
        return self._service.child.poll() is None


def _deal(hands: Hands, terminal: Terminal, ear: Listener, cards: int) -> list[float]:
    until(lambda: hands.snapshot().state["trust"] == "trusted")
    hands.tell(OpenTable(by=BY, dealer="Anna"))
    hands.tell(LoadShoe(by=BY))
    shoe = list(Card) * 8
    took: list[float] = []
    while len(took) < cards:
        opened = hands.tell(OpenBets(by=BY))
        assert isinstance(opened, Acceptance), opened
        until(lambda: hands.snapshot().state["phase"] == "dealing")
        while (state := hands.snapshot().state)["phase"] == "dealing":
            card = shoe[len(took) * 7 % len(shoe)]
            due = state["next_position"]
            took.append(_timed(lambda card=card, due=due: terminal.card(card, due), ear))
        if state["phase"] == "result":
            hands.tell(ConfirmResult(by=BY))
        else:
            round_id = state["public"]["round"]
            hands.tell(VoidRound(by=BY, round=round_id, reason=state["prompt"]["code"]))
    return took


def latency() -> None:
    """The bare chain and the table in turn, in folders of the same disk.

    The bare chain commits as SQLite does by itself; for comparison, also with a log that was
    stretched before, as the table's is.
    """
    plain, stretched, ours = [], [], []
    for _ in range(PAIRS):
        plain.append(in_folder(lambda folder: bare(folder, "plain")))
        ours.append(in_folder(table))
        stretched.append(in_folder(lambda folder: bare(folder, "stretched")))
    pairs = zip(ours, plain, strict=True)
    ratios = [median(one) / median(other) for one, other in pairs]
    every_bare = [value for run in plain for value in run]
    every_one = [value for run in ours for value in run]
    tell(
        "card bytes to card_dealt at a subscriber",
        ratio_of_p50_median=median(ratios),
        ratios=[round(ratio, 3) for ratio in ratios],
        to_reach=1.75,
        milliseconds_p50=median(every_one) * 1e3,
        milliseconds_p99=quantile(every_one, 0.99) * 1e3,
        floor_milliseconds_p50=median(every_bare) * 1e3,
        floor_milliseconds_p99=quantile(every_bare, 0.99) * 1e3,
        stretched_floor_milliseconds_p50=median([v for run in stretched for v in run]) * 1e3,
        cards=len(every_one),
    )


def in_folder(measure: Callable[[Path], list[float]]) -> list[float]:
    """Measure in a folder on the disk of the project, which a temporary one may not be."""
    with tempfile.TemporaryDirectory(dir=ROOT) as folder:
        return measure(Path(folder))
