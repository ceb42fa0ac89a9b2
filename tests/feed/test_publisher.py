# SPDX-License-Identifier: Apache-2.0
import socket
from collections.abc import Iterator
from typing import Any

import pytest
import zmq

from studio.feed.endpoint import FeedRefused, loopback
from studio.feed.publisher import Publisher
from tests.feed.fake_studio import ANY_PORT
from tests.waiting import until

TOPIC = b"BAC-1/card_dealt"


@pytest.fixture
def context() -> Iterator[zmq.Context[Any]]:
    with zmq.Context() as context:
        yield context


def _subscribed(
    context: zmq.Context[Any], publisher: Publisher, prefix: bytes = b"BAC-1/", queued: int = 1000
) -> zmq.Socket[bytes]:
    """A subscriber whose subscription is known to have arrived."""
    sub: zmq.Socket[bytes] = context.socket(zmq.SUB)
    sub.linger = 0
    sub.rcvhwm = queued
    sub.rcvtimeo = 10_000
    sub.subscribe(prefix)
    sub.connect(publisher.endpoint)

    def has_arrived() -> bool:
        publisher.send(prefix + b"hello", b"hello")
        return bool(sub.poll(10))

    until(has_arrived)
    return sub


def _next(sub: zmq.Socket[bytes]) -> list[bytes]:
    while True:
        frames = sub.recv_multipart()
        if frames[1] != b"hello":
            return frames


def test_the_endpoint_says_the_port_that_was_found_free() -> None:
    with Publisher(ANY_PORT) as one, Publisher("tcp://localhost:0") as other:
        assert one.endpoint.startswith("tcp://127.0.0.1:")
        assert other.endpoint.startswith("tcp://127.0.0.1:")
        assert not one.endpoint.endswith((":*", ":0"))
        assert one.endpoint != other.endpoint


def test_a_message_is_two_frames_and_reaches_whoever_subscribed(
    context: zmq.Context[Any],
) -> None:
    with Publisher(ANY_PORT) as publisher, _subscribed(context, publisher) as sub:
        publisher.send(b"BAC-10/card_dealt", b"another table")
        publisher.send(TOPIC, b"payload")
        assert _next(sub) == [TOPIC, b"payload"]


@pytest.mark.parametrize(
    "endpoint",
    ["tcp://127.0.0.1:5550", "tcp://127.8.9.1:*", "tcp://[::1]:0", "tcp://localhost:65535"],
)
def test_a_loopback_address_may_be_served(endpoint: str) -> None:
    assert loopback(endpoint) == endpoint.replace("localhost", "127.0.0.1")


@pytest.mark.req("FEED-1")
@pytest.mark.parametrize(
    "endpoint",
    ["tcp://0.0.0.0:5550", "tcp://*:5550", "tcp://192.168.1.7:5550", "tcp://[::]:1",
     "tcp://studio.example:5550", "tcp://eth0:5550", "tcp://127.0.0.1.example:1",
     "tcp://2130706433:1"],
)  # fmt: skip
def test_an_address_beyond_this_machine_is_refused_because_it_needs_keys(endpoint: str) -> None:
    with pytest.raises(FeedRefused, match="needs keys"):
        Publisher(endpoint)


@pytest.mark.parametrize(
    "endpoint",
    ["", "5550", "tcp://127.0.0.1", "tcp://127.0.0.1:", "tcp://127.0.0.1:x", "tcp://:5550",
     "tcp://127.0.0.1:65536", "ipc:///run/feed", "inproc://feed", "tcp://127.0.0.1:-1"],
)  # fmt: skip
def test_what_is_no_address_is_refused_with_an_example(endpoint: str) -> None:
    with pytest.raises(FeedRefused, match=r"expected tcp://127\.0\.0\.1:PORT"):
        Publisher(endpoint)


def test_an_address_in_use_is_told_to_whoever_makes_the_publisher() -> None:
    with (
        Publisher(ANY_PORT) as publisher,
        pytest.raises(zmq.ZMQError, match=f"cannot bind {publisher.endpoint}: Address"),
    ):
        Publisher(publisher.endpoint)


@pytest.mark.req("FEED-5")
def test_a_stuck_subscriber_costs_the_table_and_the_others_nothing(
    context: zmq.Context[Any],
) -> None:
    # The stuck one's queue is full long before the end. The other one's never is, however late
    # its messages are taken from it: the greetings of its subscription lie in it too.
    batches, batch, payload = 60, 1000, b"x" * 500
    with Publisher(ANY_PORT, queued_messages=20 * batch) as publisher:
        port = int(publisher.endpoint.rpartition(":")[2])
        with (
            socket.create_connection(("127.0.0.1", port)),
            _subscribed(context, publisher, queued=1),
            _subscribed(context, publisher, queued=2 * batch) as good,
        ):
            for first in range(0, batches * batch, batch):
                for number in range(first, first + batch):
                    publisher.send(TOPIC, b"%d " % number + payload)
                for number in range(first, first + batch):
                    assert _next(good)[1] == b"%d " % number + payload
            publisher.close(0)


@pytest.mark.req("FEED-8")
def test_a_subscriber_that_does_not_read_loses_messages_and_never_their_order(
    context: zmq.Context[Any],
) -> None:
    with Publisher(ANY_PORT, queued_messages=10) as publisher:
        with _subscribed(context, publisher, queued=10) as slow:
            for number in range(20_000):
                publisher.send(TOPIC, b"%d" % number + b" " * 2000)
            heard = []
            while slow.poll(200 if heard else 10_000):
                heard += [int(text) for text in [slow.recv_multipart()[1]] if text != b"hello"]
            assert 0 < len(heard) < 20_000
            assert heard == sorted(set(heard))
        publisher.close(0)


def test_the_last_word_gets_out_before_the_publisher_is_gone(context: zmq.Context[Any]) -> None:
    publisher = Publisher(ANY_PORT)
    with _subscribed(context, publisher) as sub:
        for _ in range(500):
            publisher.send(TOPIC, b"x" * 1000)
        publisher.send(TOPIC, b"last word")
        publisher.close()
        while _next(sub)[1] != b"last word":
            pass


def test_another_publisher_takes_over_the_address_and_the_subscriber_hears_it(
    context: zmq.Context[Any],
) -> None:
    with Publisher(ANY_PORT) as publisher, _subscribed(context, publisher) as sub:
        publisher.close()
        with Publisher(publisher.endpoint) as successor:
            assert successor.endpoint == publisher.endpoint

            def is_heard() -> bool:
                successor.send(TOPIC, b"again")
                return bool(sub.poll(10)) and sub.recv_multipart()[1] == b"again"

            until(is_heard)
