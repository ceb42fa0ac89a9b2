# SPDX-License-Identifier: Apache-2.0
"""The front-end in JavaScript, which was written from the integrators' page alone."""

import json
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from studio.feed.asks import AskSnapshot, Snapshot, encode, read_answer
from studio.feed.client import Client
from studio.feed.keys import ClientKeys, hex_of
from studio.game.requests import VoidRound
from tests.cli.run import STUDIO, environment
from tests.system.rig import BY, TABLE, Hands, Studio, studio
from tests.system.test_keys import machine, sent
from tests.waiting import until

SOURCE = Path(__file__).parents[1] / "front_end_node"
HOUSE = {"rule": '"none"', "betting_seconds": "600"}


@pytest.fixture(scope="module")
def front_end() -> Path:
    """The front-end with its packages, which are kept beside the virtual environment's own."""
    folder = Path(sys.prefix) / SOURCE.name
    folder.mkdir(exist_ok=True)
    lock = (SOURCE / "package-lock.json").read_bytes()
    done = folder / "node_modules" / "installed-from"
    for file in SOURCE.iterdir():
        if file.is_file():
            shutil.copy(file, folder)
    if not done.exists() or done.read_bytes() != lock:
        # the packages bring what is compiled; nothing of theirs is run to install them
        quiet = ("--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
        subprocess.run(["npm", "ci", *quiet], cwd=folder, check=True, stdin=subprocess.DEVNULL)
        done.write_bytes(lock)
    return folder / "front_end.mjs"


class FrontEnd:
    """It runs as a process, with a file for what must outlive it."""

    def __init__(self, module: Path, running: Studio, keys: ClientKeys) -> None:
        told = {
            "SABOT_TABLE": TABLE,
            "SABOT_ENVIRONMENT": "test",
            "SABOT_EVENTS": running.endpoints["public_events"],
            "SABOT_REQUESTS": running.endpoints["public_requests"],
            "SABOT_SERVER_KEY": ",".join(keys.studio.server),
            "SABOT_SIGNING_KEY": ",".join(keys.studio.signing),
            "SABOT_PUBLIC_KEY": hex_of(keys.pair.public),
            "SABOT_SECRET_KEY": hex_of(keys.pair.secret),
            "SABOT_STORE": str(running.folder / "acme.json"),
            "SABOT_PICTURE": "yes",
        }
        self._said = (running.folder / "said").open("w+")
        self.child = subprocess.Popen(
            ["node", str(module)],
            env=os.environ | told,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self._said,
        )
        self.views: list[dict[str, Any]] = []
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self.child.stdout is not None
        for line in self.child.stdout:
            self.views.append(json.loads(line))

    def has(self, **members: Any) -> dict[str, Any]:
        """Wait for a view with these members; that view."""

        def newest() -> dict[str, Any] | None:
            view = self.views[-1] if self.views else {}
            is_so = all(view.get(name) == value for name, value in members.items())
            return view if is_so else None

        found = until(newest, 20)
        assert found is not None
        return found

    def end(self) -> str:
        """Kill it as a power cut does; what it said beside its views."""
        self.child.kill()
        self.child.wait(20)
        self._reader.join(20)
        assert self.child.stdout is not None
        self.child.stdout.close()
        with self._said:
            self._said.seek(0)
            return self._said.read()


def paid_by(payloads: list[bytes]) -> dict[str, Any]:
    """What must have been paid on each round, by what the record says was sent."""
    stands: dict[str, Any] = {}
    for message in map(json.loads, payloads):
        data = message["data"]
        if message["type"] in ("result", "result_amended"):
            paid = {bet: data["bets"][bet] for bet in sorted(data["bets"])}
            stands[message["round"]] = (data["revision"], data["outcome"], paid)
        elif message["type"] == "round_voided":
            stands[message["round"]] = (data["revision"], None, {})
    return stands


def paid_on(view: dict[str, Any]) -> dict[str, Any]:
    """The same, by its view. What came to nothing in the end is a void's nothing."""
    return {
        round_id: (
            one["revision"],
            one["outcome"],
            {bet: one["paid"][bet] for bet in sorted(one["paid"]) if one["outcome"] is not None},
        )
        for round_id, one in view["results"].items()
        if one["outcome"] is not None or set(one["paid"].values()) <= {"0"}
    }


def picture_of(running: Studio, keys: ClientKeys) -> dict[str, Any]:
    """The table's own picture, without what is only drawn from the results."""
    with Client(running.endpoints["public_requests"], keys) as client:
        answer = read_answer(client.ask(AskSnapshot(id="a", table=TABLE)))
    assert isinstance(answer, Snapshot)
    state: dict[str, Any] = json.loads(encode(answer))["state"]
    return {name: value for name, value in state.items() if name not in ("roads", "counts")}


def is_acknowledged(hands: Hands) -> bool:
    known = hands.snapshot().acknowledgements
    return known is not None and [one.outstanding for one in known.operators] == [0]


def sheet_of(front_end: Path, home: Path, *asked: str, **told: str) -> list[dict[str, Any]]:
    """What the conformance kit finds."""
    options = ("--json", "--patience", "20", "--at-once", "6", *asked)
    done = subprocess.run(
        [*STUDIO, "conformance", *options, "--", "node", str(front_end)],
        env=environment(home) | told,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.stderr.count("Traceback") == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.req("FEED-1", "FEED-7", "FEED-9", "FEED-10", "FEED-11", "FEED-12", "FEED-17")
def test_a_front_end_written_from_the_page_alone_passes_every_case(
    front_end: Path, tmp_path: Path
) -> None:
    sheet = sheet_of(front_end, tmp_path)
    assert [row for row in sheet if row["mark"] != "passed"] == []
    assert len(sheet) > 30


@pytest.mark.req("FEED-17")
def test_behind_a_relay_it_pays_what_is_proven(front_end: Path, tmp_path: Path) -> None:
    cases = ("result-dropped", "amended", "new-epoch", "forged-heartbeat", "changed-message")
    sheet = sheet_of(front_end, tmp_path, "--no-keys", *cases, SABOT_RELAY="yes")
    assert [(row["case"], row["mark"]) for row in sheet] == [(case, "passed") for case in cases]


@pytest.mark.req("FEED-1", "FEED-11", "VOID-4")
def test_it_follows_a_table_behind_keys_and_what_it_paid_is_what_the_record_says(
    front_end: Path, tmp_path: Path
) -> None:
    with studio(tmp_path, "--seed", "5", keys=True, house=HOUSE) as running:
        running.start()
        hands = Hands(running, closes_bets=True)
        acme = machine(running, "acme")
        hands.play_to("idle")
        follows = FrontEnd(front_end, running, acme)
        try:
            follows.has(status="live", open=False)
            first = hands.play_to("bets_open")["public"]["round"]
            follows.has(open=True, round=first)
            hands.play_to("dealing")
            follows.has(open=False, round=first)
            hands.deal(2)
            follows.has(seq=len(sent(running)))
        finally:
            assert follows.end() == ""
        # what it misses while it is down, it gets from the record: a void of what it has paid, too
        hands.tell(VoidRound(by=BY, round=first, reason="misdeal", second="s-2"))
        hands.deal(3)
        follows = FrontEnd(front_end, running, acme)
        try:
            follows.has(seq=len(sent(running)), status="live")
            hands.deal(5)
            on_record = sent(running)
            view = follows.has(seq=len(on_record))
            until(lambda: is_acknowledged(hands), 20)
        finally:
            assert follows.end() == ""
        assert paid_on(view) == paid_by(on_record)
        assert view["results"][first]["outcome"] is None
        assert len(view["results"]) == 5
        picture = {name: view["picture"].get(name) for name in picture_of(running, acme)}
        assert picture == picture_of(running, acme)
