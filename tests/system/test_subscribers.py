# SPDX-License-Identifier: Apache-2.0
"""Stuck, slow and greedy subscribers: nothing changes for the table or for the others."""

import signal
from pathlib import Path

import pytest

from studio.feed.asks import AskSnapshot, Snapshot, read_answer
from studio.feed.client import Client
from tests.system.rig import TABLE, Hands, Process, Studio, studio
from tests.system.witness import (
    OnAir,
    Watching,
    coups_dealt,
    coups_shown,
    is_sound,
    log_of,
    stored,
)
from tests.waiting import until

ROUNDS = 12
HOUSE = {"rule": '"none"'}
PEERS = ("stuck", "stuck", "slow", "greedy")


def _is_served(running: Studio) -> bool:
    """Whether a request is answered, with all that is on record."""
    record = stored(running)
    with Client(running.endpoints["public_requests"]) as client:
        answer = read_answer(client.ask(AskSnapshot(id="a", table=TABLE), 20))
    assert isinstance(answer, Snapshot)
    return answer.seq == len(record)


@pytest.mark.req("DUR-10")
def test_stuck_slow_and_greedy_subscribers_change_nothing_for_table_and_others(
    tmp_path: Path,
) -> None:
    with studio(tmp_path, "--seed", "17", house=HOUSE) as running:
        running.start()
        hands = Hands(running)
        hands.play_to("idle")
        watching, air = Watching(running.endpoints), OnAir(running.endpoints)
        feed = running.endpoints["public_events"], running.endpoints["public_requests"]
        peers = [Process(["-m", "tests.system.peers", kind, *feed]) for kind in PEERS]
        # a machine that hangs: its system takes bytes for a while, the program none at all
        peers[0].child.send_signal(signal.SIGSTOP)
        try:
            until(watching.state, 20)
            hands.deal(ROUNDS)
            assert coups_shown(hands) == coups_dealt(running.shoe.state().drawn)
            record = stored(running)
            until(lambda: [watching.payloads[-1:], air.messages[-1:]] == [record[-1:]] * 2, 20)
            assert watching.payloads == record[-len(watching.payloads) :]
            assert air.messages == record[-len(air.messages) :]
            assert air.types().count("result") == ROUNDS
            assert _is_served(running)
            assert [peer.child.poll() for peer in peers] == [None] * len(PEERS)
        finally:
            for peer in peers:
                peer.end(signal.SIGKILL)
            watching.close()
            air.close()
        assert _is_served(running)
        assert is_sound(running)
        log_of(running)
