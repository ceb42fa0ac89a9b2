# SPDX-License-Identifier: Apache-2.0
"""A relay that loses, delays, repeats, disorders and cuts: the subscriber's table is the table.

What a subscriber may know is judged here by another account of it than its own: from every frame
that it took, whether it can know that bets are open.
"""

import signal
import threading
import time
from contextlib import ExitStack
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from studio.cli.keys import make_studio
from studio.feed.asks import AskSnapshot, Snapshot, encode, read_answer
from studio.feed.client import Client
from studio.feed.follow import STALE_SECONDS
from studio.feed.keys import ServerKeys
from studio.feed.subscriber import Subscriber
from studio.feed.updates import Accepted, Joined
from studio.game.snapshot import PublicState
from tests.system.faulty import FaultyRelay
from tests.system.rig import TABLE, Hands, Studio, studio
from tests.system.witness import is_sound, log_of, stored
from tests.waiting import until

SEEDS = range(16)
ROUNDS = 4
HOUSE = {"betting_seconds": "4", "close_guard_ms": "300"}
# Whoever is asked now may count what came a moment ago as just come.
_MOMENT = timedelta(milliseconds=50)
ENDS_BETS = {"bets_closed", "table_suspended", "round_voided", "result", "round_closed"}


class Knowledge:
    """What can be known of whether bets are open, from the frames taken so far."""

    def __init__(self) -> None:
        self.messages: dict[int, dict[str, Any]] = {}
        self.start: tuple[int, dict[str, Any]] | None = None
        self.highest = 0
        self.beat: tuple[dict[str, Any], float] | None = None
        self.heard_at = float("-inf")

    def message(self, payload: bytes | str, *, is_on_air: bool = True) -> None:
        try:
            read = msgspec.json.decode(payload)
            seq = read["seq"]
        except (msgspec.DecodeError, UnicodeDecodeError):
            # cut off; it told nothing, not even that somebody is there
            return
        now = time.monotonic()
        if is_on_air:
            self.heard_at = now
            self.highest = max(self.highest, seq)
        if read["type"] != "heartbeat":
            self.messages[seq] = read
        elif self.beat is None or read["at"] > self.beat[0]["at"]:
            self.beat = read, now

    def answer(self, frame: bytes) -> None:
        try:
            read = msgspec.json.decode(frame)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return
        if read["answer"] == "snapshot" and self.start is None:
            self.start = read["seq"], read["state"]
        for payload in read.get("payloads", ()):
            self.message(payload, is_on_air=False)

    def why_not_open(self, now: float) -> str:
        """Why nobody who took these frames can know that bets are open; empty if one can."""
        if self.start is None or self.beat is None:
            return "it has not joined"
        if now - self.heard_at >= STALE_SECONDS:
            return "it has heard nothing"
        first, state = self.start
        closes_at = state["closes_at"] if state["phase"] == "bets_open" else None
        suspended = state["suspended"]
        beat, beat_heard = self.beat
        beat_suspended = beat["data"]["suspended"]
        for seq in range(first + 1, max([self.highest, *self.messages]) + 1):
            message = self.messages.get(seq)
            if message is None:
                return f"message {seq} is not known"
            if message["type"] == "bets_opened":
                closes_at = message["data"]["closes_at"]
            elif message["type"] in ENDS_BETS:
                closes_at = None
            if message["type"] == "table_suspended":
                suspended = message["data"]["reason"]
            elif message["type"] == "table_resumed":
                suspended = None
                beat_suspended = beat_suspended if beat["seq"] >= seq else None
        if closes_at is None or suspended is not None or beat_suspended is not None:
            return f"they ended, or are suspended: {suspended}, {beat_suspended}"
        studio_time = datetime.fromisoformat(beat["at"]) + timedelta(seconds=now - beat_heard)
        if studio_time - _MOMENT >= datetime.fromisoformat(closes_at):
            return f"they closed at {closes_at}"
        return ""


class Judged(Subscriber):
    """The subscriber; whatever it takes from its sockets is noted before it is asked anything.

    Noted once it was taken: what it heard a moment before it may count as heard then.
    """

    def __init__(self, *feed: Any, **options: Any) -> None:
        self.known = Knowledge()
        self.heard: list[bytes] = []
        self.joined: list[int] = []
        self.times_open = 0
        self.wrongly_open: list[str] = []
        super().__init__(*feed, **options)

    def _take_message(self, frames: list[bytes]) -> None:
        super()._take_message(frames)
        self.known.message(frames[-1])
        self.judge()

    def _take_answer(self, frame: bytes) -> None:
        super()._take_answer(frame)
        self.known.answer(frame)
        self.judge()

    def judge(self) -> None:
        now = time.monotonic()
        if self.bets_are_open(TABLE):
            self.times_open += 1
            why = self.known.why_not_open(now)
            if why:
                self.wrongly_open.append(f"after {self.followers[TABLE].seq}: {why}")

    def listen(self) -> None:
        for update in self.poll(0):
            if isinstance(update, Accepted):
                self.heard.append(update.message.payload)
            elif isinstance(update, Joined):
                self.joined.append(update.seq)
        self.judge()


def _now(running: Studio) -> Snapshot:
    with Client(running.endpoints["public_requests"]) as client:
        answer = read_answer(client.ask(encode(AskSnapshot(id="s", table=TABLE)), 20))
    assert isinstance(answer, Snapshot)
    return answer


class Line:
    """A subscriber behind a faulty relay of its own."""

    def __init__(self, running: Studio, seed: int, signing: str) -> None:
        self.seed = seed
        self.relay = FaultyRelay(running, seed)
        # every other one goes by what the studio signed, as behind a relay it should
        keys = [signing] if seed % 2 else None
        feed = self.relay.events, self.relay.requests
        self.subscriber = Judged(*feed, [TABLE], "test", signing=keys)

    def work(self) -> None:
        self.relay.pump()
        self.subscriber.listen()

    def is_the_table(self, now: Snapshot) -> bool:
        follower = self.subscriber.followers[TABLE]
        told = (follower.view, follower.seq, follower.head.hex())
        return told == (msgspec.convert(now.state, PublicState), now.seq, now.head)

    def close(self) -> None:
        self.subscriber.close()
        self.relay.close()


@pytest.mark.req("FEED-6", "FEED-9", "FEED-10", "FEED-11", "FEED-14", "VOID-6")
def test_behind_a_faulty_relay_the_table_is_the_table_and_open_only_if_that_can_be_known(
    tmp_path: Path,
) -> None:
    with studio(tmp_path, "--seed", "23", house=HOUSE) as running, ExitStack() as ending:
        make_studio(running.key_folder)
        signing = ServerKeys.load(running.key_folder).public_keys[1]
        running.start()
        hands = Hands(running)
        hands.play_to("idle")
        lines = [Line(running, seed, signing) for seed in SEEDS]
        for line in lines:
            ending.callback(line.close)
        stopping = threading.Event()

        def work() -> None:
            while not stopping.wait(0.01):
                for line in lines:
                    line.work()

        working = threading.Thread(target=work)
        working.start()
        try:
            hands.deal(ROUNDS)
            assert running.service is not None
            running.service.end(signal.SIGKILL)
            running.start()
            hands.deal(ROUNDS + 1)
            for line in lines:
                line.relay.heal()
            until(lambda: all(line.is_the_table(_now(running)) for line in lines), 30, 0.2)
        finally:
            stopping.set()
            working.join()
        record = stored(running)
        for line in lines:
            told = line.subscriber
            (joined,) = told.joined
            assert told.heard == record[joined:][: len(told.heard)], line.seed
            assert joined + len(told.heard) >= len(record) - 1, line.seed
            assert told.wrongly_open == [], line.seed
            assert line.relay.faults > 0
        assert sum(line.subscriber.times_open for line in lines) > 0
        assert is_sound(running)
        log_of(running)
