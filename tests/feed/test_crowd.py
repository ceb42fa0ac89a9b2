# SPDX-License-Identifier: Apache-2.0
"""Crowds at the door: whoever holds connections without a key takes nothing from those who have."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
import zmq

from studio.feed.access import What
from studio.feed.crowd import Limits
from studio.feed.subscriber import Subscriber
from studio.feed.updates import Status
from tests.feed.examples import PUBLIC_EVENTS, TABLE
from tests.feed.fake_studio import FakeStudio
from tests.feed.keyed import Studio
from tests.waiting import until

LIMITS = Limits(half_open=8, strangers=20, of_an_address=30)


@pytest.fixture
def keyed(tmp_path: Path) -> Studio:
    return Studio(tmp_path)


@pytest.fixture
def table(keyed: Studio) -> Iterator[FakeStudio]:
    guard = keyed.guard(limits=LIMITS)
    guard.start()
    with FakeStudio(guard=guard) as served:
        yield served
    guard.close()


@pytest.fixture
def strangers() -> Iterator[ExitStack]:
    with ExitStack() as ending:
        yield ending


def crowd(
    strangers: ExitStack, endpoint: str, number: int, address: str = "127.0.0.1"
) -> list[socket.socket]:
    """So many connections from an address that say nothing."""
    port = int(endpoint.rpartition(":")[2])
    return [
        strangers.enter_context(
            socket.create_connection(("127.0.0.1", port), 5, source_address=(address, 0))
        )
        for _ in range(number)
    ]


def is_over(one: socket.socket) -> bool:
    one.setblocking(False)  # noqa: FBT003 - the system's own name for it
    with suppress(BlockingIOError):
        try:
            while one.recv(4096):
                pass
        except ConnectionError:
            return True
        return True
    return False


def cuts(keyed: Studio) -> list[str]:
    return [one.why for one in keyed.told(What.CUT, None)]


@pytest.mark.req("FEED-5")
def test_of_one_address_only_so_many_hand_shakes_are_held_open(
    keyed: Studio, table: FakeStudio, strangers: ExitStack
) -> None:
    held = crowd(strangers, table.pub, 40)
    until(lambda: sum(not is_over(one) for one in held) <= LIMITS.half_open)
    assert set(cuts(keyed)) == {"more than 8 hand-shakes at once"}
    # the newest went, long before the time for a hand-shake was over
    assert any(not is_over(one) for one in held[: LIMITS.half_open])


@pytest.mark.req("FEED-5")
def test_of_all_addresses_together_only_so_many_are_held_open(
    keyed: Studio, table: FakeStudio, strangers: ExitStack
) -> None:
    held = [
        one
        for last in range(2, 10)
        for one in crowd(strangers, table.requests, 6, f"127.0.0.{last}")
    ]
    until(lambda: sum(not is_over(one) for one in held) <= LIMITS.strangers)
    assert cuts(keyed)


@pytest.mark.req("FEED-5")
def test_a_crowd_elsewhere_costs_a_front_end_no_message_and_keeps_no_other_one_out(
    keyed: Studio, table: FakeStudio, strangers: ExitStack
) -> None:
    keys = keyed.client("acme"), keyed.client("best")

    def live(one: Subscriber) -> None:
        def is_live() -> bool:
            table.beat()
            table.publisher.hear()
            one.poll(0.02)
            return one.followers[TABLE].status is Status.LIVE

        until(is_live)

    with ExitStack() as ending:
        heard = []
        for number, own in enumerate(keys):
            one = ending.enter_context(
                Subscriber(table.pub, table.requests, [TABLE], "test", keys=own, signing=())
            )
            live(one)
            heard.append(one)
            if number == 0:
                for endpoint in (table.pub, table.requests):
                    crowd(strangers, endpoint, 60, "127.0.0.2")
        table.say(*PUBLIC_EVENTS)
        for one in heard:
            until(
                lambda one=one: (  # type: ignore[misc]
                    one.poll(0.05) is not None and one.followers[TABLE].seq == len(PUBLIC_EVENTS)
                )
            )
    until(lambda: cuts(keyed))
    assert not keyed.told(What.CUT, "acme")
    assert not keyed.told(What.CUT, "best")


def test_front_ends_of_one_address_that_all_come_at_once_all_come_in(
    keyed: Studio, table: FakeStudio
) -> None:
    keys = keyed.client("acme")
    with zmq.Context() as context, ExitStack() as ending:
        subs = []
        for _ in range(LIMITS.of_an_address - 2):
            sub = ending.enter_context(context.socket(zmq.SUB))
            sub.linger = 0
            sub.reconnect_ivl = 20
            keys.secure(sub)
            sub.connect(table.pub)
            sub.subscribe(b"")
            subs.append(sub)
        waiting = set(subs)

        def all_heard() -> bool:
            table.publisher.hear()
            table.beat()
            waiting.difference_update([one for one in waiting if one.poll(1)])
            return not waiting

        until(all_heard, 20)


@pytest.mark.req("FEED-5")
def test_even_with_a_key_an_address_has_only_so_many_connections(
    keyed: Studio, table: FakeStudio
) -> None:
    keys = keyed.client("acme")
    with zmq.Context() as context, ExitStack() as ending:
        for _ in range(LIMITS.of_an_address + 10):
            asking = ending.enter_context(context.socket(zmq.DEALER))
            asking.linger = 0
            keys.secure(asking)
            asking.connect(table.requests)
        until(lambda: "more than 30 connections" in cuts(keyed))
