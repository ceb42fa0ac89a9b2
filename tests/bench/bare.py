# SPDX-License-Identifier: Apache-2.0
"""The bare chain as a process: read bytes, one synchronous commit, one PUB send, no logic.

``python -m tests.bench.bare TERMINAL DATABASE plain|stretched|none [KEYS]`` prints its PUB endpoint
and runs until its standard input is closed. With ``none`` nothing is committed; KEYS is the key
folder of a studio, whose key it takes.
"""

import os
import select
import sqlite3
import sys
import termios
import tty
from pathlib import Path

import zmq

from studio.feed.keys import ServerKeys


def main(terminal: str, database: str, log: str, keys: str = "") -> None:
    descriptor = os.open(terminal, os.O_RDWR | os.O_NOCTTY)
    tty.setraw(descriptor, termios.TCSANOW)
    connection = None if log == "none" else _record(database, log)
    context = zmq.Context()
    socket = context.socket(zmq.PUB)
    if keys:
        ServerKeys.load(Path(keys)).pair.as_server(socket)
    socket.bind("tcp://127.0.0.1:*")
    print(f'"{socket.getsockopt_string(zmq.LAST_ENDPOINT)}"', flush=True)
    seq = 0
    while True:
        readable, _, _ = select.select([descriptor, sys.stdin], [], [])
        if sys.stdin in readable:
            break
        payload = os.read(descriptor, 64) * 40
        seq += 1
        if connection is not None:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("INSERT INTO record VALUES (?, ?)", (seq, payload))
            connection.execute("COMMIT")
        socket.send_multipart([b"BAC-1/card_dealt", payload])
    context.destroy(0)


def _record(database: str, log: str) -> sqlite3.Connection:
    connection = sqlite3.connect(database, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("CREATE TABLE record (seq INTEGER PRIMARY KEY, payload BLOB)")
    if log == "stretched":
        # a log that need not grow any more, as the table's own: a commit costs the least it can
        connection.execute("PRAGMA cache_size=10")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO record VALUES (0, zeroblob(4000000))")
        connection.execute("ROLLBACK")
    return connection


if __name__ == "__main__":
    main(*sys.argv[1:])
