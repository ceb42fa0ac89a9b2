# SPDX-License-Identifier: Apache-2.0
"""Subscribers that behave badly: ``python -m tests.system.peers KIND EVENTS REQUESTS``.

``stuck`` subscribes and never reads; ``slow`` reads a message now and then; ``greedy`` asks for
everything again and again, on many connections, and reads no answer on half of them. Each says
one line of JSON when it is at it, and goes on until it is killed.
"""

import itertools
import json
import signal
import sys
import threading

import zmq

from studio.feed.asks import AskHistory, AskRound, AskSnapshot, AskTables, encode
from tests.system.rig import TABLE

SMALL_BUFFER = 4096
CONNECTIONS = 20
SLOW_SECONDS = 0.5


def say(**words: object) -> None:
    print(json.dumps(words), flush=True)


def subscribed(context: zmq.Context[zmq.Socket[bytes]], events: str) -> zmq.Socket[bytes]:
    """A SUB socket that takes hardly anything that it is not asked for."""
    socket = context.socket(zmq.SUB)
    socket.rcvhwm = 1
    socket.rcvbuf = SMALL_BUFFER
    socket.subscribe(b"")
    socket.connect(events)
    return socket


def stuck(context: zmq.Context[zmq.Socket[bytes]], events: str, _requests: str) -> None:
    """Subscribe many times and read no more."""
    kept = [subscribed(context, events) for _ in range(3)]
    for socket in kept:
        socket.recv_multipart()
    say(stuck=len(kept))
    signal.pause()


def slow(context: zmq.Context[zmq.Socket[bytes]], events: str, _requests: str) -> None:
    """Read one message, and rest."""
    socket = subscribed(context, events)
    socket.recv_multipart()
    say(slow=True)
    rest = threading.Event()
    while not rest.wait(SLOW_SECONDS):
        socket.recv_multipart()


def greedy(context: zmq.Context[zmq.Socket[bytes]], _events: str, requests: str) -> None:
    """Ask for all there is, bad requests among them, as fast as it goes."""
    sockets = [context.socket(zmq.DEALER) for _ in range(CONNECTIONS)]
    for socket in sockets:
        socket.sndhwm = 100
        socket.connect(requests)
    sockets[0].send(encode(AskSnapshot(id="first", table=TABLE)))
    epoch = json.loads(sockets[0].recv())["epoch"]
    asks = [
        encode(AskHistory(id="h", table=TABLE, epoch=epoch, after=0, limit=5000)),
        encode(AskHistory(id="l", table=TABLE, epoch=epoch, after=0, limit=10**15)),
        encode(AskSnapshot(id="s", table=TABLE)),
        encode(AskRound(id="r", table=TABLE, round="none")),
        encode(AskTables(id="t")),
        b"\xff" * 60_000,
        b"[" * 60_000,
    ]
    say(greedy=CONNECTIONS)
    answered = 0
    for ask in itertools.cycle(asks):
        for number, socket in enumerate(sockets):
            try:
                socket.send(ask, zmq.NOBLOCK)
                while number % 2:
                    socket.recv(zmq.NOBLOCK)
                    answered += 1
            except zmq.Again:
                continue


def main(kind: str, events: str, requests: str) -> None:
    """Behave badly until killed."""
    {"stuck": stuck, "slow": slow, "greedy": greedy}[kind](zmq.Context(), events, requests)


if __name__ == "__main__":
    main(*sys.argv[1:])
