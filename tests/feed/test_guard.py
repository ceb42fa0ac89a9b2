# SPDX-License-Identifier: Apache-2.0
"""Keys on real sockets: who gets in, who does not, and who is cut off while others go on."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec
import pytest
import zmq

from studio.feed import asks
from studio.feed.access import What, read_access
from studio.feed.allowed import Kind
from studio.feed.client import Client, NoAnswer
from studio.feed.endpoint import FeedRefused
from studio.feed.guard import STAFF, Guard
from studio.feed.keys import ClientKeys
from studio.feed.publisher import MOST_SUBSCRIPTIONS, Publisher
from studio.feed.requests import RequestServer
from studio.feed.subscriber import Subscriber
from studio.feed.updates import Accepted, Status
from tests.feed.examples import PUBLIC_EVENTS, TABLE
from tests.feed.fake_studio import ANY_PORT, FakeStudio
from tests.feed.keyed import Relay, Studio, with_server
from tests.waiting import until

SECRET_WORD = b"card_dealt"
_NEVER_MS = 300


@pytest.fixture
def keyed(tmp_path: Path) -> Studio:
    return Studio(tmp_path)


@pytest.fixture
def guard(keyed: Studio) -> Iterator[Guard]:
    made = keyed.guard()
    made.start()
    yield made
    made.close()


@pytest.fixture
def table(guard: Guard) -> Iterator[FakeStudio]:
    with FakeStudio(guard=guard) as served:
        yield served


@pytest.fixture
def context() -> Iterator[zmq.Context[Any]]:
    with zmq.Context() as made:
        yield made


def subscribed(
    context: zmq.Context[Any], endpoint: str, keys: ClientKeys | None
) -> zmq.Socket[bytes]:
    """A SUB of this key, for everything there is."""
    made = context.socket(zmq.SUB)
    made.linger = 0
    if keys is not None:
        keys.secure(made)
    made.connect(endpoint)
    made.subscribe(b"")
    return made


def live(table: FakeStudio, *followers: Subscriber) -> None:
    """Wait until these follow the table, which goes on meanwhile."""

    def are_live() -> bool:
        table.beat()
        table.publisher.hear()
        for one in followers:
            one.poll(0.02)
        return all(
            one.followers[TABLE].status is Status.LIVE and one.studio_time(TABLE)
            for one in followers
        )

    until(are_live)


def follow(table: FakeStudio, keys: ClientKeys) -> Subscriber:
    return Subscriber(table.pub, table.requests, [TABLE], "test", keys=keys, signing=())


@pytest.mark.req("FEED-2")
def test_a_key_that_is_let_in_follows_the_table_and_is_known_by_name(
    keyed: Studio, table: FakeStudio
) -> None:
    with follow(table, keyed.client("acme")) as acme:
        live(table, acme)
        table.say(PUBLIC_EVENTS[0])
        heard: list[Any] = []
        until(lambda: heard.extend(acme.poll(0.1)) or any(isinstance(u, Accepted) for u in heard))
    assert keyed.told(What.CONNECTED, "acme")
    assert keyed.told(What.ASKED, "acme")
    until(lambda: keyed.told(What.DISCONNECTED, "acme"))


@pytest.mark.req("FEED-1", "FEED-2", "FEED-16")
@pytest.mark.parametrize("who", ["nobody", "stranger", "revoked", "wrong server"])
def test_whoever_has_no_key_that_is_let_in_gets_no_data(
    who: str, keyed: Studio, table: FakeStudio, context: zmq.Context[Any]
) -> None:
    good = keyed.client("acme")
    keyed.client("former")
    keyed.revoke("former")
    keys = {
        "nobody": None,
        "stranger": keyed.stranger("stranger"),
        "revoked": ClientKeys.load(keyed.machine("former")),
        "wrong server": with_server(keyed.client("fooled"), keyed.public.signing[0]),
    }[who]
    with (
        subscribed(context, table.pub, keys) as out,
        subscribed(context, table.pub, good) as inside,
        Client(table.requests, keys) as asking,
    ):
        if who in ("stranger", "revoked"):
            name = None if who == "stranger" else "former"
            until(lambda: keyed.told(What.REFUSED, name))

        def is_heard() -> bool:
            table.beat()
            return bool(inside.poll(10))

        until(is_heard)
        with pytest.raises(NoAnswer):
            asking.ask(asks.AskTables(id="t"), 0.3)
        assert not out.poll(_NEVER_MS)
    assert table.happening.seq == 0


@pytest.mark.req("FEED-3")
def test_a_socket_is_not_bound_while_nobody_answers_hand_shakes(keyed: Studio) -> None:
    guard = keyed.guard()
    try:
        with pytest.raises(FeedRefused, match="nobody answers hand-shakes"):
            Publisher("tcp://0.0.0.0:*", guard=guard)
        with pytest.raises(FeedRefused, match="nobody answers hand-shakes"):
            RequestServer("tcp://0.0.0.0:*", lambda request, who: request, guard=guard)
    finally:
        guard.close()


@pytest.mark.req("FEED-3")
def test_libzmq_lets_nobody_in_when_the_authenticator_ends(
    keyed: Studio, guard: Guard, context: zmq.Context[Any]
) -> None:
    with Publisher(ANY_PORT, guard=guard) as publisher:
        guard._zap.stop()
        with subscribed(context, publisher.endpoint, keyed.client("acme")) as sub:
            for _ in range(10):
                publisher.send(b"T/x", b"secret")
                assert not sub.poll(30)
        publisher.close(0)


@pytest.mark.req("FEED-1")
def test_the_staffs_sockets_take_no_operator_and_the_public_ones_a_console(
    keyed: Studio, table: FakeStudio
) -> None:
    operator, console = keyed.client("acme"), keyed.client("desk-1", Kind.CONSOLE)
    staff = keyed.guard(STAFF)
    staff.start()
    server = RequestServer(ANY_PORT, lambda request, who: (who or "").encode(), guard=staff)
    try:
        with Client(server.endpoint, operator) as client, pytest.raises(NoAnswer):
            client.ask(b"?", 0.3)
        assert "operator" in keyed.told(What.REFUSED, "acme")[0].why
        with Client(server.endpoint, console) as client:
            assert client.ask(b"?") == b"desk-1"
    finally:
        server.stop()
        staff.close()
    with follow(table, console) as following:
        live(table, following)


@pytest.mark.req("FEED-1")
def test_the_wire_shows_no_plain_text(keyed: Studio, table: FakeStudio) -> None:
    with (
        Relay(table.pub) as pub,
        Relay(table.requests) as requests,
        Subscriber(
            pub.endpoint, requests.endpoint, [TABLE], "test", keys=keyed.client("acme"), signing=()
        ) as acme,
    ):
        live(table, acme)
        table.say(*PUBLIC_EVENTS)
        until(
            lambda: acme.poll(0.1) is not None and acme.followers[TABLE].seq == table.happening.seq
        )
        captured = b"".join([*pub.sent, *pub.received, *requests.sent, *requests.received])
    assert len(captured) > 10_000
    for word in (SECRET_WORD, TABLE.encode(), b'"seq"', b"snapshot", b"heartbeat"):
        assert word not in captured


@pytest.mark.req("FEED-2", "FEED-18")
def test_a_key_revoked_in_mid_round_is_cut_off_and_the_other_misses_nothing(
    keyed: Studio, table: FakeStudio
) -> None:
    with follow(table, keyed.client("acme")) as acme, follow(table, keyed.client("best")) as best:
        live(table, acme, best)
        table.say(*PUBLIC_EVENTS[:3])
        until(lambda: best.poll(0.05) is not None and best.followers[TABLE].seq == 3)
        keyed.revoke("acme")
        until(lambda: keyed.told(What.CUT, "acme"))
        at_cut = acme.poll(0.3) and acme.followers[TABLE].seq
        statuses, asked = [], len(keyed.told(What.ASKED, "best"))
        for event in PUBLIC_EVENTS[3:] * 20:
            table.say(event)
            table.publisher.hear()
            statuses += [u for u in best.poll(0.01) if not isinstance(u, Accepted)]
        until(
            lambda: best.poll(0.05) is not None and best.followers[TABLE].seq == table.happening.seq
        )
        # not by history: what it heard had no hole
        assert statuses == []
        assert len(keyed.told(What.ASKED, "best")) == asked
        assert not keyed.told(What.CUT, "best")
        until(lambda: acme.poll(0.05) is not None and keyed.told(What.REFUSED, "acme"))
        assert acme.followers[TABLE].seq == (at_cut or 3) == 3


def test_a_connection_that_was_silent_ends_with_its_first_word_once_its_key_is_revoked(
    keyed: Studio, table: FakeStudio, context: zmq.Context[Any]
) -> None:
    keys = keyed.client("acme")
    with context.socket(zmq.SUB) as silent, context.socket(zmq.DEALER) as asking:
        for one, endpoint in ((silent, table.pub), (asking, table.requests)):
            one.linger = 0
            keys.secure(one)
            with one.get_monitor_socket(zmq.EVENT_HANDSHAKE_SUCCEEDED) as shaken:
                one.connect(endpoint)
                assert shaken.poll(10_000)
                one.disable_monitor()
        keyed.revoke("acme")
        until(lambda: not table.publisher._guard._rows)  # type: ignore[union-attr]
        silent.subscribe(b"")
        asking.send(msgspec.json.encode(asks.AskTables(id="t")))
        until(lambda: table.publisher.hear() is None and len(keyed.told(What.CUT, "acme")) == 2)
        table.beat()
        assert not silent.poll(_NEVER_MS)
        assert not asking.poll(1)


@pytest.mark.req("FEED-18")
def test_a_key_is_changed_without_a_stop(keyed: Studio, table: FakeStudio) -> None:
    with follow(table, keyed.client("old")) as old:
        live(table, old)
        with follow(table, keyed.client("new", of="old")) as new:
            live(table, old, new)
            keyed.revoke("old", old_only=True)
            until(lambda: keyed.told(What.CUT, "old"))
            table.say(*PUBLIC_EVENTS)
            until(
                lambda: (
                    new.poll(0.05) is not None and new.followers[TABLE].seq == table.happening.seq
                )
            )
            assert old.poll(0.1) is not None
            assert old.followers[TABLE].seq == 0


@pytest.mark.req("FEED-5")
def test_strangers_and_malformed_frames_in_any_number_cost_no_message(
    keyed: Studio, table: FakeStudio, context: zmq.Context[Any]
) -> None:
    port = int(table.pub.rpartition(":")[2])
    noise = (b"", b"\xff" * 100, b"GET / HTTP/1.1\r\n\r\n", _GREETING, _GREETING + b"\x04\xff" * 50)
    with ExitStack() as ending, follow(table, keyed.client("acme")) as acme:
        live(table, acme)
        sent = 0
        for number in range(20):
            stranger = keyed.stranger(f"s-{number}")
            ending.enter_context(subscribed(context, table.pub, stranger))
            for bytes_ in noise:
                raw = ending.enter_context(socket.create_connection(("127.0.0.1", port)))
                raw.sendall(bytes_)
            table.say(*PUBLIC_EVENTS)
            sent += len(PUBLIC_EVENTS)
            acme.poll(0)
        until(lambda: acme.poll(0.05) is not None and acme.followers[TABLE].seq == sent)
        until(lambda: keyed.told(What.REFUSED, None))
    assert sum(one.count for one in keyed.told(What.REFUSED, None)) <= len(keyed.lines)


def test_a_subscriber_that_floods_with_subscriptions_is_cut_off(
    keyed: Studio, table: FakeStudio, context: zmq.Context[Any]
) -> None:
    with subscribed(context, table.pub, keyed.client("acme")) as greedy:
        for number in range(MOST_SUBSCRIPTIONS + 10):
            greedy.subscribe(b"%d" % number)
        until(lambda: table.publisher.hear() is None and keyed.told(What.CUT, "acme"))


@pytest.mark.req("FEED-1")
def test_frames_recorded_on_the_wire_and_played_again_are_not_heard(
    keyed: Studio, table: FakeStudio
) -> None:
    with Relay(table.requests) as relay, Client(relay.endpoint, keyed.client("acme")) as client:
        client.ask(asks.AskTables(id="t"))
        recorded = b"".join(relay.sent)
    asked = len(keyed.told(What.ASKED, "acme"))
    host, port = "127.0.0.1", int(table.requests.rpartition(":")[2])
    with socket.create_connection((host, port)) as again:
        again.settimeout(5)
        again.sendall(recorded)
        answered = b""
        while chunk := again.recv(65536):
            answered += chunk
    # it was hung up on: after the greeting the keys of the moment are others
    assert b"tables" not in answered
    assert len(keyed.told(What.ASKED, "acme")) == asked


def test_who_came_can_be_read_by_day_and_name(keyed: Studio, table: FakeStudio) -> None:
    with Client(table.requests, keyed.client("acme")) as client:
        for _ in range(50):
            client.ask(asks.AskTables(id="t"))
    with Client(table.requests, keyed.client("best")) as client:
        client.ask(asks.AskTables(id="t"))
    until(lambda: keyed.told(What.DISCONNECTED, "best"))
    keyed.log.tidy()
    lines = list(read_access(keyed.log._folder, "acme"))
    assert {one.what for one in lines} >= {What.CONNECTED, What.ASKED, What.DISCONNECTED}
    assert sum(one.count for one in lines if one.what is What.ASKED) == 50
    assert len([one for one in lines if one.what is What.ASKED]) == 2
    assert {one.who for one in read_access(keyed.log._folder)} == {"acme", "best"}


_GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x00" + b"CURVE".ljust(20, b"\0") + b"\x00" + bytes(31)
