# SPDX-License-Identifier: Apache-2.0
"""A table behind keys on a hostile network: what is on the wire, played again, and in floods."""

import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, suppress

import pytest

from studio.feed.access import What, read_access
from studio.feed.updates import Status, StatusChanged
from tests.feed.keyed import Relay
from tests.system.rig import BY, TABLE, Hands, Process, Studio, studio
from tests.system.test_keys import machine
from tests.system.witness import Watching, is_sound, log_of, recorded, stored
from tests.waiting import until

ENDPOINTS = ("public_events", "public_requests", "staff_events", "staff_requests")


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    with studio(tmp_path_factory.mktemp("hostile"), keys=True) as made:
        made.start()
        yield made


def caught_up(running: Studio, watching: Watching) -> bool:
    record = stored(running)
    return bool(watching.payloads) and watching.payloads == record[-len(watching.payloads) :]


@pytest.mark.req("FEED-1")
def test_on_the_wire_is_no_word_of_a_round_and_played_again_it_does_nothing(
    running: Studio,
) -> None:
    direct = dict(running.endpoints)
    with ExitStack() as ending:
        relays = {name: ending.enter_context(Relay(direct[name])) for name in ENDPOINTS}
        running.endpoints = {name: relay.endpoint for name, relay in relays.items()}
        ending.callback(setattr, running, "endpoints", direct)
        watching = Watching(running.endpoints, machine(running, "acme"))
        ending.callback(watching.close)
        Hands(running).deal(1)
        until(lambda: caught_up(running, watching))
        captured = b"".join(
            chunk for relay in relays.values() for chunk in [*relay.sent, *relay.received]
        )
        spoken = b"".join(relays["staff_requests"].sent)
    types = {one.event.__struct_config__.tag for one in recorded(running)}
    assert {"result", "card_dealt", "bets_opened"} <= types
    assert len(captured) > sum(map(len, watching.payloads))
    words = [TABLE, BY, '"seq"', '"card"', "heartbeat", "snapshot", "prompt", "confirm_result"]
    for word in [*words, *map(str, types)]:
        assert word.encode() not in captured, word
    _play_again(running, direct, spoken)


def _play_again(running: Studio, direct: dict[str, str], spoken: bytes) -> None:
    """All that a console ever said, commands among it, sent once more to the same socket."""
    before = recorded(running)
    port = int(direct["staff_requests"].rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port), 10) as again:
        answered = bytearray()

        def listen() -> None:
            with suppress(ConnectionError):
                while chunk := again.recv(65536):
                    answered.extend(chunk)

        listening = threading.Thread(target=listen)
        listening.start()
        # it may be hung up on before all is said
        with suppress(ConnectionError):
            again.sendall(spoken)
        listening.join(20)
        assert not listening.is_alive(), "the studio hangs up"
    # greeting and WELCOME, and not a byte of an answer: the keys of the moment are others
    assert len(answered) <= 64 + 170
    Hands(running).snapshot()
    assert recorded(running) == before


@pytest.mark.req("FEED-5")
def test_a_flood_of_hand_shakes_and_malformed_frames_costs_no_card_and_keeps_nobody_out(
    running: Studio,
) -> None:
    keys = machine(running, "best")
    hands, access = Hands(running), running.folder / "data" / "access"
    dealt = len(hands.snapshot().state["public"]["results"])
    feed = running.endpoints["public_events"], running.endpoints["public_requests"]
    with ExitStack() as ending:
        watching = Watching(running.endpoints, keys)
        ending.callback(watching.close)
        flood = Process(["-m", "tests.system.peers", "flood", *feed])
        ending.callback(flood.end)
        hands.deal(dealt + 1)
        # who comes in the middle of it comes in
        late = Watching(running.endpoints, keys)
        ending.callback(late.close)
        hands.deal(dealt + 2)
        until(lambda: caught_up(running, watching) and caught_up(running, late), 30)
        assert flood.child.poll() is None
        until(lambda: any("hand-shakes at once" in one.why for one in read_access(access)), 30)
    assert StatusChanged(TABLE, Status.STALE) not in watching.others
    assert not any(one.what is What.CUT for one in read_access(access, "best"))
    assert is_sound(running)
    log_of(running)
