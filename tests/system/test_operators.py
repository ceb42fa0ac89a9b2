# SPDX-License-Identifier: Apache-2.0
"""Corrections that operators acknowledge, at a table that runs as a process."""

import contextlib
import io
import json
import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import zmq

from studio.cli import run
from studio.cli.exits import Exit
from studio.feed.asks import Acknowledged as Answered
from studio.feed.asks import AskAcknowledge, Error, encode, read_answer
from studio.feed.client import Client
from studio.feed.keys import ClientKeys
from studio.feed.updates import Acknowledged, Update
from studio.game.requests import VoidRound
from tests.system.rig import BY, TABLE, Hands, Studio, studio
from tests.system.test_keys import machine, settings_of, told
from tests.system.witness import Watching, is_sound, log_of
from tests.waiting import until


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Studio]:
    with studio(tmp_path, keys=True, operators={"acknowledge_seconds": "1"}) as made:
        made.start()
        yield made


class FrontEnd(Watching):
    """An operator's front-end, which says that it has a correction once it is let."""

    def __init__(self, running: Studio, keys: ClientKeys) -> None:
        self.says = threading.Event()
        self.waiting: tuple[Any, ...] = ()
        self._said: set[Any] = set()
        super().__init__(running.endpoints, keys)

    def _heard(self, updates: list[Update]) -> None:
        super()._heard(updates)
        self.waiting = self._subscriber.corrections(TABLE)
        for one in self.waiting:
            if self.says.is_set() and one not in self._said:
                self._said.add(one)
                self._subscriber.acknowledge(TABLE, one.round, one.revision)

    @property
    def acknowledged(self) -> list[tuple[str, int]]:
        return [(one.round, one.revision) for one in self.others if isinstance(one, Acknowledged)]

    def __enter__(self) -> "FrontEnd":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


class StaffFeed:
    """What the staff's feed says of acknowledgements, as it comes."""

    def __init__(self, running: Studio) -> None:
        assert running.keys is not None
        self._context = zmq.Context()
        self._socket = self._context.socket(zmq.SUB)
        self._socket.linger = 0
        running.keys.secure(self._socket)
        self._socket.subscribe(f"{TABLE}/".encode())
        self._socket.connect(running.endpoints["staff_events"])
        self._socket.poll(20_000)

    def until(self, **outstanding: int) -> None:
        """Wait for the message that says so many of each operator."""
        found: dict[str, int] = {}
        while found != outstanding:
            assert self._socket.poll(20_000), found
            topic, payload = self._socket.recv_multipart()
            if topic == f"{TABLE}/acknowledgements".encode():
                found = _counts(json.loads(payload)["data"])

    def __enter__(self) -> "StaffFeed":
        return self

    def __exit__(self, *exception: object) -> None:
        self._socket.close()
        self._context.term()


def _counts(acknowledgements: Any) -> dict[str, int]:
    return {one["name"]: one["outstanding"] for one in acknowledgements["operators"]}


def outstanding(running: Studio) -> dict[str, int]:
    """How much waits for each operator, by the staff's snapshot."""
    known = json.loads(encode(Hands(running).snapshot().acknowledgements))
    return {} if known is None else _counts(known)


def operators(running: Studio) -> tuple[int, dict[str, Any]]:
    """The status of ``studio operators``, and its lines by name."""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        status = run(["operators", "--json", *settings_of(running)])
    lines = [json.loads(line) for line in printed.getvalue().splitlines()]
    return status, {one["operator"]: one for one in lines}


def void(running: Studio, round_id: str) -> None:
    Hands(running).tell(VoidRound(by=BY, round=round_id, reason="misdeal", second="s-2"))


@pytest.mark.req("FEED-2", "VOID-4")
def test_each_operator_acknowledges_by_its_key_and_what_is_outstanding_is_kept_and_shown(
    running: Studio,
) -> None:
    keys = {name: machine(running, name) for name in ("acme", "best")}
    with ExitStack() as ending:
        staff = ending.enter_context(StaffFeed(running))
        acme = ending.enter_context(FrontEnd(running, keys["acme"]))
        best = ending.enter_context(FrontEnd(running, keys["best"]))
        state = Hands(running).play_to("dealing", cards=2)
        first: str = state["public"]["round"]
        void(running, first)
        staff.until(acme=1, best=1)
        # both know of it, and nobody has said anything
        until(lambda: [one.revision for one in (*acme.waiting, *best.waiting)] == [1, 1])
        until(lambda: operators(running)[0] == Exit.FAILED)
        status, lines = operators(running)
        assert {name: one["connected"] for name, one in lines.items()} == {
            "acme": True,
            "best": True,
        }
        (waiting,) = lines["acme"]["waiting"]
        assert (waiting["round"], waiting["revision"]) == (first, 1)
        assert (waiting["type"], waiting["since"]) == ("round_voided", waiting["at"])
        assert acme.acknowledged == best.acknowledged == []
        acme.says.set()
        staff.until(acme=0, best=1)
        until(lambda: acme.acknowledged == [(first, 1)])
        assert acme.waiting == ()
        status, lines = operators(running)
        assert (status, lines["acme"]["late"], lines["best"]["late"]) == (Exit.FAILED, False, True)

        told("keys", "revoke", "best", *settings_of(running))
        until(lambda: operators(running)[0] == Exit.DONE)
        _, lines = operators(running)
        assert (lines["best"]["key"], lines["best"]["outstanding"]) == ("revoked", 1)
        assert best.acknowledged == []
        log = log_of(running)
        assert "acknowledged" in log
        assert running.service is not None
        running.service.end(signal.SIGKILL)
        running.start()
        until(lambda: outstanding(running) == {"acme": 0, "best": 1}, 20)

        # a result that is voided afterwards is a second revision
        hands = Hands(running)
        hands.deal(2)
        second: str = hands.snapshot().state["public"]["results"][-1]["round"]
        void(running, second)
        until(lambda: acme.acknowledged[1:] == [(second, 2)], 30)
        until(lambda: outstanding(running) == {"acme": 0, "best": 1}, 20)
    with Client(running.endpoints["public_requests"], keys["acme"]) as client:

        def asked(round_id: str, revision: int) -> Any:
            ask = AskAcknowledge(id="e", table=TABLE, round=round_id, revision=revision)
            return read_answer(client.ask(encode(ask)))

        # said again, it is still the first time that counts
        again = asked(first, 1)
        assert isinstance(again, Answered)
        times = [one.at for one in acme.others if isinstance(one, Acknowledged)]
        assert again.at == times[0]
        refused = asked(second, 3)
        assert isinstance(refused, Error)
        assert (refused.code, "the last one is 2" in refused.text) == ("bad_request", True)
    assert running.keys is not None
    with Client(running.endpoints["public_requests"], running.keys) as console:
        refused = read_answer(console.ask(encode(AskAcknowledge(
            id="e", table=TABLE, round=first, revision=1))))  # fmt: skip
    assert isinstance(refused, Error)
    assert "is a console of the studio's own" in refused.text
    assert running.service is not None
    running.service.end()
    status, lines = operators(running)
    assert (status, lines["acme"]["connected"], lines["acme"]["outstanding"]) == (0, None, 0)
    assert lines["acme"]["seen"] is not None
    assert is_sound(running)
