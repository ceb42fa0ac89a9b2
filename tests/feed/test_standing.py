# SPDX-License-Identifier: Apache-2.0
"""Questions that stand with a request server until there is something to say."""

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import zmq

from studio.feed import requests
from studio.feed.allowed import Kind
from studio.feed.client import Client, NoAnswer
from studio.feed.guard import STAFF
from studio.feed.requests import Later, RequestServer
from tests.feed.fake_studio import ANY_PORT
from tests.feed.keyed import Studio
from tests.waiting import until

_NEVER_MS = 200


class Counter:
    """Counts, and answers how far it is: at once, or once it is past a number."""

    def __init__(self) -> None:
        self.count = 0
        self.asked = 0
        self.made = 0

    def answer(self, request: bytes, who: str | None) -> bytes | Later:
        self.asked += 1
        if request == b"now":
            return self._make()
        return Later(lambda: self.count > int(request), self._make)

    def _make(self) -> bytes:
        self.made += 1
        return b"%d" % self.count


@pytest.fixture
def counter(monkeypatch: pytest.MonkeyPatch) -> Counter:
    """What is not rung for, and what is not given up, takes an hour."""
    monkeypatch.setattr(requests, "_POLL_MS", 3_600_000)
    monkeypatch.setattr(requests, "LONGEST_WAIT_SECONDS", 3600.0)
    return Counter()


@pytest.fixture
def server(counter: Counter) -> Iterator[RequestServer]:
    made = RequestServer(ANY_PORT, counter.answer)
    yield made
    made.stop()


@pytest.fixture
def peers(server: RequestServer) -> Iterator[list[zmq.Socket[bytes]]]:
    with zmq.Context() as context:
        made = [context.socket(zmq.DEALER) for _ in range(3)]
        for one in made:
            one.linger = 0
            one.connect(server.endpoint)
        yield made
        for one in made:
            one.close()


def received(peer: zmq.Socket[bytes]) -> bytes:
    assert peer.poll(30_000)
    return peer.recv()


def test_a_question_stands_until_there_is_something_to_say_and_others_are_answered(
    counter: Counter, server: RequestServer, peers: list[zmq.Socket[bytes]]
) -> None:
    standing, other, _ = peers
    standing.send(b"0")
    until(lambda: counter.asked == 1)
    other.send(b"now")
    assert received(other) == b"0"
    server.ring()
    assert not standing.poll(_NEVER_MS)
    counter.count = 7
    server.ring()
    assert received(standing) == b"7"
    standing.send(b"3")
    assert received(standing) == b"7"
    assert not server._standing


def test_a_question_stands_no_longer_than_a_few_seconds(
    monkeypatch: pytest.MonkeyPatch, peers: list[zmq.Socket[bytes]], server: RequestServer
) -> None:
    monkeypatch.setattr(requests, "LONGEST_WAIT_SECONDS", 0.05)
    peers[0].send(b"0")
    until(lambda: server._standing)
    until(lambda: server.ring() or peers[0].poll(0))
    assert peers[0].recv() == b"0"


@pytest.mark.req("FEED-5")
def test_a_peer_has_one_question_standing_and_all_together_not_too_many(
    monkeypatch: pytest.MonkeyPatch,
    counter: Counter,
    server: RequestServer,
    peers: list[zmq.Socket[bytes]],
) -> None:
    monkeypatch.setattr(requests, "MOST_STANDING", 2)
    first, second, third = peers
    for number in range(3):
        first.send(b"%d" % number)
    assert [received(first), received(first)] == [b"0", b"0"]
    assert not first.poll(_NEVER_MS)
    second.send(b"0")
    until(lambda: len(server._standing) == 2)
    third.send(b"0")
    assert received(third) == b"0"
    counter.count = 9
    server.ring()
    assert (received(first), received(second)) == (b"9", b"9")


@pytest.mark.req("FEED-5")
def test_nothing_is_left_of_a_peer_that_went_away(
    monkeypatch: pytest.MonkeyPatch, counter: Counter, server: RequestServer
) -> None:
    with Client(server.endpoint) as client:
        with pytest.raises(NoAnswer):
            client.ask(b"0", seconds=0.2)
        assert len(server._standing) == 1
        counter.count = 1
        server.ring()
        until(lambda: not server._standing)
        assert client.ask(b"now") == b"1"
    assert not server._stuck


def test_a_server_that_stops_waits_for_no_question(
    counter: Counter, server: RequestServer, peers: list[zmq.Socket[bytes]]
) -> None:
    peers[0].send(b"0")
    until(lambda: server._standing)
    server.stop()
    server.ring()
    assert not peers[0].poll(_NEVER_MS)
    assert counter.made == 0


def test_a_question_that_fails_while_it_stands_is_logged_and_serving_goes_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fails() -> Any:
        raise LookupError("the record is gone")

    def answer(request: bytes, who: str | None) -> bytes | Later:
        return request if request == b"good" else Later(fails, fails)

    server = RequestServer(ANY_PORT, answer)
    try:
        with Client(server.endpoint) as client:
            with pytest.raises(NoAnswer):
                client.ask(b"bad", seconds=0.2)
            assert client.ask(b"good") == b"good"
    finally:
        server.stop()
    logged = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert {record.message for record in logged} == {"a request could not be answered"}
    caplog.clear()


@pytest.mark.req("FEED-18")
def test_what_was_asked_with_a_key_that_is_revoked_meanwhile_is_not_answered(
    counter: Counter, tmp_path: Path
) -> None:
    keyed = Studio(tmp_path)
    console, other = (keyed.client(name, Kind.CONSOLE) for name in ("desk-1", "desk-2"))
    guard = keyed.guard(STAFF)
    guard.start()
    server = RequestServer(ANY_PORT, counter.answer, guard=guard)
    try:
        with zmq.Context() as context, context.socket(zmq.DEALER) as peer:
            peer.linger = 0
            console.secure(peer)
            peer.connect(server.endpoint)
            peer.send(b"0")
            until(lambda: server._standing)
            keyed.revoke("desk-1")
            until(lambda: "desk-1" not in {one.name for one in guard._rows.values()})
            counter.count = 1
            server.ring()
            until(lambda: not server._standing)
            with Client(server.endpoint, other) as client:
                assert client.ask(b"now") == b"1"
            assert counter.made == 1
    finally:
        server.stop()
        guard.close()
