# SPDX-License-Identifier: Apache-2.0
"""Looks at a feed from outside, step by step, so that it can be said what is wrong with it.

Each step asks one thing: does anything take a TCP connection; does it greet as ZeroMQ does, and by
which mechanism; does it take our key, and has it the key that we expect; which tables does it say
that it serves; do heartbeats come. What is seen is told as it is; ``studio.cli.diagnosis`` judges.
"""

import socket
import time
from contextlib import suppress
from datetime import UTC, datetime
from enum import Enum
from typing import NamedTuple

import msgspec
import zmq
from zmq.utils.monitor import recv_monitor_message

from studio.feed import asks, wire
from studio.feed.endpoint import as_seen_from
from studio.feed.keys import ClientKeys
from studio.feed.messages import Heartbeat
from studio.game.snapshot import PublicState

LISTEN_SECONDS = 3.5
ENOUGH_BEATS = 3

# How every peer of ZMTP 3 begins: a signature, its version and its mechanism, 64 bytes in all.
_SIGNATURE = b"\xff" + bytes(8) + b"\x7f"
_GREETING_BYTES = 64
# As far as the version: then the other one says all of its own, whatever mechanism it has.
_HELLO = _SIGNATURE + b"\x03\x00"
_HUNG_UP = {zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL, zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL}
# Once may be a network's hiccup; libzmq tries again by itself.
_ENOUGH_HUNG_UP = 2


class Link(str, Enum):
    """What becomes of a plain TCP connection to an address.

    ``refused``: nobody listens; ``no_route``: no way there, or no such name; ``vanishes``: no
    answer at all; ``silent``: taken, and not a word; ``other``: what speaks there is no ZeroMQ.
    """

    ZEROMQ = "zeromq"
    REFUSED = "refused"
    NO_ROUTE = "no_route"
    VANISHES = "vanishes"
    SILENT = "silent"
    OTHER = "other"


class Shake(str, Enum):
    """How the hand-shake ended.

    ``no_key``: it wants a key and we gave none; ``no_curve``: it knows no keys at all;
    ``refused``: our key is not let in; ``stranger``: it has not the key that we take for the
    studio's; ``elsewhere``: it is the studio, and this one is another of its sockets; ``silent``:
    it did not end.
    """

    DONE = "done"
    NO_KEY = "no_key"
    NO_CURVE = "no_curve"
    REFUSED = "refused"
    STRANGER = "stranger"
    ELSEWHERE = "elsewhere"
    SILENT = "silent"


class Met(NamedTuple):
    """One socket of the feed: where, how far one gets there, and the system's word for it."""

    endpoint: str
    link: Link
    shake: Shake | None = None
    attempt: int = 0
    said: str = ""


class Beat(NamedTuple):
    """A heartbeat, and when it was heard by this machine's own clock."""

    message: wire.Message
    heard: datetime


class Seen(msgspec.Struct, kw_only=True):
    """What was seen of one table; a step that could not be taken has left None or nothing."""

    table: str | None
    requests: Met
    tables: tuple[asks.ServedTable, ...] | None = None
    round_trip: float | None = None
    state: PublicState | None = None
    events: Met | None = None
    beats: tuple[Beat, ...] = ()
    listened: float = 0.0

    @property
    def served(self) -> asks.ServedTable | None:
        """The table that was asked for, or the only one, if it is served there."""
        found = [one for one in self.tables or () if self.table in (None, one.table)]
        return found[0] if found else None


def look(
    requests: str,
    table: str | None,
    keys: ClientKeys | None,
    *,
    events: str | None = None,
    seconds: float = 3.0,
    listen: float = LISTEN_SECONDS,
) -> Seen:
    """Take every step that can be taken; ``seconds`` for each answer at most."""
    with zmq.Context() as context:
        seen = Seen(table=table, requests=_met(context, zmq.DEALER, requests, keys, seconds))
        if seen.requests.shake is not Shake.DONE:
            return seen
        asking = _Asking(context, requests, keys, seen.requests.attempt, seconds)
        seen.tables, seen.round_trip = asking.tables()
        served = seen.served
        if served is None:
            return seen
        seen.state = asking.state(served.table)
        where = events or as_seen_from(served.pub, requests)
        seen.events = _met(context, zmq.SUB, where, keys, seconds)
        if seen.events.shake is Shake.DONE:
            began = time.monotonic()
            seen.beats = _beats(context, seen.events, served.table, keys, listen)
            seen.listened = time.monotonic() - began
        return seen


# --- the link -----------------------------------------------------------------------------------


def _met(
    context: "zmq.Context[zmq.Socket[bytes]]",
    kind: int,
    endpoint: str,
    keys: ClientKeys | None,
    seconds: float,
) -> Met:
    link, mechanism, said = _linked(endpoint, seconds)
    if link is not Link.ZEROMQ:
        return Met(endpoint, link, said=said)
    if keys is None:
        shake = Shake.DONE if mechanism == "NULL" else Shake.NO_KEY
        return Met(endpoint, link, shake)
    if mechanism != "CURVE":
        return Met(endpoint, link, Shake.NO_CURVE)
    ends = []
    for attempt in range(len(keys.studio.server)):
        ends.append(_shaken(context, kind, endpoint, keys, attempt, seconds))
        if ends[-1] in (Shake.DONE, Shake.REFUSED):
            return Met(endpoint, link, ends[-1], attempt)
    other = zmq.SUB if kind == zmq.DEALER else zmq.DEALER
    if _shaken(context, other, endpoint, keys, 0, seconds) is Shake.DONE:
        return Met(endpoint, link, Shake.ELSEWHERE)
    return Met(endpoint, link, ends[0])


def _linked(endpoint: str, seconds: float) -> tuple[Link, str, str]:
    """How a TCP connection fares, and the mechanism that is greeted with."""
    host, _, port = endpoint.removeprefix("tcp://").rpartition(":")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), seconds) as link:
            link.sendall(_HELLO)
            return _greeted(link)
    except TimeoutError:
        return Link.VANISHES, "", ""
    except ConnectionRefusedError as fault:
        return Link.REFUSED, "", fault.strerror or ""
    except ConnectionError as fault:
        return Link.OTHER, "", fault.strerror or ""
    except OSError as fault:
        return Link.NO_ROUTE, "", fault.strerror or str(fault)


def _greeted(link: socket.socket) -> tuple[Link, str, str]:
    heard = b""
    try:
        while len(heard) < _GREETING_BYTES and heard[:1] in (b"", b"\xff"):
            chunk = link.recv(_GREETING_BYTES - len(heard))
            if not chunk:
                break
            heard += chunk
    except TimeoutError:
        # a part of a greeting is a greeting of nobody
        return (Link.OTHER if heard else Link.SILENT), "", ""
    if len(heard) < _GREETING_BYTES or heard[9:10] != _SIGNATURE[9:]:
        return Link.OTHER, "", repr(heard[:20].decode(errors="replace")) if heard else "hung up"
    return Link.ZEROMQ, heard[12:32].rstrip(b"\0").decode(errors="replace"), ""


def _shaken(
    context: "zmq.Context[zmq.Socket[bytes]]",
    kind: int,
    endpoint: str,
    keys: ClientKeys,
    attempt: int,
    seconds: float,
) -> Shake:
    """The end of a hand-shake, by what libzmq tells of it."""
    with _socket(context, kind, endpoint, keys, attempt) as one:
        monitor = one.get_monitor_socket()
        try:
            one.connect(endpoint)
            hung_up, until = 0, time.monotonic() + seconds
            while (left := until - time.monotonic()) > 0 and monitor.poll(int(left * 1000) + 1):
                event = recv_monitor_message(monitor)["event"]
                if event == zmq.EVENT_HANDSHAKE_SUCCEEDED:
                    return Shake.DONE
                if event == zmq.EVENT_HANDSHAKE_FAILED_AUTH:
                    return Shake.REFUSED
                # a studio cannot read what was sealed for another one, and hangs up
                hung_up += event in _HUNG_UP
                if hung_up >= _ENOUGH_HUNG_UP:
                    return Shake.STRANGER
            return Shake.SILENT
        finally:
            one.disable_monitor()
            monitor.close(0)


def _socket(
    context: "zmq.Context[zmq.Socket[bytes]]",
    kind: int,
    endpoint: str,
    keys: ClientKeys | None,
    attempt: int,
) -> "zmq.Socket[bytes]":
    made = context.socket(kind)
    made.linger = 0
    made.ipv6 = "[" in endpoint
    if keys is not None:
        keys.secure(made, attempt)
    return made


# --- what it says -------------------------------------------------------------------------------


class _Asking:
    """Asks a request socket, with a socket of its own for each question."""

    def __init__(
        self,
        context: "zmq.Context[zmq.Socket[bytes]]",
        endpoint: str,
        keys: ClientKeys | None,
        attempt: int,
        seconds: float,
    ) -> None:
        self._about = (context, zmq.DEALER, endpoint, keys, attempt)
        self._endpoint = endpoint
        self._seconds = seconds

    def tables(self) -> tuple[tuple[asks.ServedTable, ...] | None, float | None]:
        """The tables served, and how long a question and its answer take; None without."""
        with _socket(*self._about) as one:
            one.connect(self._endpoint)
            answer, _ = self._ask(one, asks.AskTables(id="1"))
            if not isinstance(answer, asks.Tables):
                return None, None
            # the connection stands now: a second one measures the way alone
            _, took = self._ask(one, asks.AskTables(id="2"))
            return answer.tables, took

    def state(self, table: str) -> PublicState | None:
        """The table's picture, if it can be had and read."""
        with _socket(*self._about) as one:
            one.connect(self._endpoint)
            answer, _ = self._ask(one, asks.AskSnapshot(id="3", table=table))
        if isinstance(answer, asks.Snapshot):
            with suppress(msgspec.ValidationError):
                return msgspec.convert(answer.state, PublicState)
        return None

    def _ask(
        self, one: "zmq.Socket[bytes]", ask: asks.Ask
    ) -> tuple[asks.Answer | None, float | None]:
        began = time.monotonic()
        one.send(asks.encode(ask), zmq.NOBLOCK)
        if not one.poll(int(self._seconds * 1000)):
            return None, None
        try:
            return asks.read_answer(one.recv()), time.monotonic() - began
        except ValueError:
            return None, None


def _beats(
    context: "zmq.Context[zmq.Socket[bytes]]",
    met: Met,
    table: str,
    keys: ClientKeys | None,
    listen: float,
) -> tuple[Beat, ...]:
    found: list[Beat] = []
    with _socket(context, zmq.SUB, met.endpoint, keys, met.attempt) as one:
        one.subscribe(wire.topic_of(table, wire.HEARTBEAT))
        one.connect(met.endpoint)
        until = time.monotonic() + listen
        while len(found) < ENOUGH_BEATS and (left := until - time.monotonic()) > 0:
            if not one.poll(int(left * 1000) + 1):
                continue
            payload = one.recv_multipart()[-1]
            heard = datetime.now(UTC)
            with suppress(wire.WireError):
                message = wire.decode(payload)
                if isinstance(message.data, Heartbeat):
                    found.append(Beat(message, heard))
    return tuple(found)
