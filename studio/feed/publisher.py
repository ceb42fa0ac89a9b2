# SPDX-License-Identifier: Apache-2.0
"""The PUB socket of a feed: whatever a subscriber does, sending costs the table the same.

PUB drops what a subscriber does not take once its queue is full; the subscriber sees the hole in
``seq`` and asks for the missing part. One thread makes, uses and closes a publisher.

With a guard it is an XPUB, which is the same with one thing more: it hears each subscription, and
so whose it is. It must be listened to (``hear``), or those words would pile up.
"""

from contextlib import suppress

import zmq

from studio.feed.endpoint import FeedRefused, address_of, loopback
from studio.feed.guard import Guard

QUEUED_MESSAGES = 10_000
# After a restart all come back within a second; whom the system turns away waits for longer.
WAITING_TO_CONNECT = 4096
LONGEST_SUBSCRIPTION_BYTES = 4096
LINGER_MS = 1000
PEER_CHECK_MS = 5000
PEER_LOST_MS = 15000
# A subscriber has one for each table that it follows; so many are no subscriber's.
MOST_SUBSCRIPTIONS = 200
_HEARD_AT_ONCE = 1000


def bound_endpoint(socket: zmq.Socket[bytes]) -> str:
    """The address a socket was last bound to, with the real port."""
    return socket.getsockopt_string(zmq.LAST_ENDPOINT).rstrip("\0")


class Publisher:
    """Binds a PUB socket. ``endpoint`` is the address bound, with the port that was found free.

    Without a guard it raises FeedRefused for an address other than loopback; zmq.ZMQError when
    the address cannot be bound. ``queued_messages`` bounds what waits for one slow subscriber.
    """

    def __init__(
        self,
        endpoint: str,
        *,
        guard: Guard | None = None,
        queued_messages: int = QUEUED_MESSAGES,
    ) -> None:
        address = loopback(endpoint) if guard is None else address_of(endpoint)
        self._guard = guard
        self._context = zmq.Context() if guard is None else guard.context
        self._socket = self._context.socket(zmq.PUB if guard is None else zmq.XPUB)
        try:
            if guard is not None:
                self._socket.xpub_verbose = True
                guard.secure(self._socket)
            self._socket.ipv6 = "[" in address
            self._socket.backlog = WAITING_TO_CONNECT
            self._socket.sndhwm = queued_messages
            self._socket.maxmsgsize = LONGEST_SUBSCRIPTION_BYTES
            self._socket.heartbeat_ivl = PEER_CHECK_MS
            self._socket.heartbeat_timeout = PEER_LOST_MS
            self._socket.bind(address)
        except FeedRefused:
            self.close(linger_ms=0)
            raise
        except zmq.ZMQError as error:
            self.close(linger_ms=0)
            error.strerror = f"cannot bind {endpoint}: {error.strerror}"
            raise
        self.endpoint = bound_endpoint(self._socket)
        if guard is not None:
            guard.bound(self.endpoint)

    def send(self, topic: bytes, payload: bytes) -> None:
        """Send one message to whoever is subscribed. Never blocks; keeps order."""
        self._socket.send(topic, zmq.NOBLOCK | zmq.SNDMORE)
        self._socket.send(payload, zmq.NOBLOCK)

    def hear(self) -> None:
        """Take note of who subscribed; whose key was revoked meanwhile is cut off. Never blocks."""
        if self._guard is None:
            return
        with suppress(zmq.Again):
            for _ in range(_HEARD_AT_ONCE):
                frame = self._socket.recv(zmq.NOBLOCK, copy=False)
                self._guard.seen(frame, at_most=MOST_SUBSCRIPTIONS)

    def close(self, linger_ms: int = LINGER_MS) -> None:
        """Close; what was sent before, the last word on air above all, has so long to get out."""
        self._socket.close(linger_ms)
        if self._guard is None:
            self._context.term()

    def __enter__(self) -> "Publisher":
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()
