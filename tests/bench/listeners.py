# SPDX-License-Identifier: Apache-2.0
"""Many plain SUB sockets in a process: ``python -m tests.bench.listeners COUNT ENDPOINT [KEYS]``.

Says an empty line when all are connected; then for each card message one line: when the last of
them had it, on the clock that all processes of the machine share. KEYS is a client's key folder.
"""

import sys
import time
from pathlib import Path

import zmq

from studio.feed.keys import ClientKeys

PATIENCE_MS = 30_000


def connected(
    context: "zmq.Context[zmq.Socket[bytes]]", endpoint: str, keys: ClientKeys | None
) -> tuple["zmq.Socket[bytes]", "zmq.Socket[bytes]"]:
    """A socket on its way, and what tells when it is there."""
    socket = context.socket(zmq.SUB)
    socket.subscribe(b"BAC-1/card_dealt")
    socket.rcvtimeo = PATIENCE_MS
    if keys is not None:
        keys.secure(socket)
    monitor = socket.get_monitor_socket(zmq.EVENT_HANDSHAKE_SUCCEEDED)
    monitor.rcvtimeo = PATIENCE_MS
    socket.connect(endpoint)
    return socket, monitor


def main(count: str, endpoint: str, folder: str = "") -> None:
    """Listen until killed."""
    keys = ClientKeys.load(Path(folder)) if folder else None
    context = zmq.Context()
    pairs = [connected(context, endpoint, keys) for _ in range(int(count))]
    for socket, monitor in pairs:
        monitor.recv_multipart()
        socket.disable_monitor()
    print(flush=True)
    sockets = [socket for socket, _ in pairs]
    while True:
        for socket in sockets:
            socket.recv_multipart()
        print(time.perf_counter(), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
