# SPDX-License-Identifier: Apache-2.0
"""Subscribers that behave badly: ``python -m tests.system.peers KIND EVENTS REQUESTS``.

``stuck`` subscribes and never reads; ``slow`` reads a message now and then; ``greedy`` asks for
everything again and again, on many connections, and reads no answer on half of them; ``flood``
comes from another address, holds hundreds of connections open, and sends what is no ZeroMQ, or
what breaks off in the middle of it. Each says one line of JSON when it is at it, and goes on
until it is killed.
"""

import itertools
import json
import signal
import socket as plain
import sys
import threading
from collections import deque
from contextlib import suppress

import zmq

from studio.feed.asks import AskHistory, AskRound, AskSnapshot, AskTables, encode
from tests.system.rig import TABLE

SMALL_BUFFER = 4096
CONNECTIONS = 20
SLOW_SECONDS = 0.5
FLOOD_SECONDS = 0.002
HELD = 600
ELSEWHERE = "127.0.0.2"
_GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x00" + b"CURVE".ljust(20, b"\0") + b"\x00" + bytes(31)
_HELLO = b"\x04\xc8\x05HELLO\x01\x00"
NOISE = (
    b"",
    b"GET / HTTP/1.1\r\n\r\n",
    b"\xff" * 1000,
    _GREETING,
    _GREETING + _HELLO + bytes(72) + b"\x55" * 120,
    _GREETING + b"\x06" + b"\xff" * 8,
    _GREETING + b"\x04\xff" * 50,
)


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


def flood(_context: zmq.Context[zmq.Socket[bytes]], events: str, requests: str) -> None:
    """Open connections without end, and hold so many of them; each says something else wrong."""
    held: deque[plain.socket] = deque()
    addresses = [("127.0.0.1", int(one.rpartition(":")[2])) for one in (events, requests)]
    rest, said = threading.Event(), False
    for noise, address in itertools.cycle(itertools.product(NOISE, addresses)):
        with suppress(OSError):
            held.append(plain.create_connection(address, 5, source_address=(ELSEWHERE, 0)))
            held[-1].sendall(noise)
        if len(held) > HELD:
            held.popleft().close()
            if not said:
                say(flood=HELD)
                said = True
        rest.wait(FLOOD_SECONDS)


def main(kind: str, events: str, requests: str) -> None:
    """Behave badly until killed."""
    {"stuck": stuck, "slow": slow, "greedy": greedy, "flood": flood}[kind](
        zmq.Context(), events, requests
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
