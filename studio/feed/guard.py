# SPDX-License-Identifier: Apache-2.0
"""Who may connect to the sockets of a table, and whose connections end when a key is revoked.

Theory of operation. A guard is one side of a table, public or staff: a ZMQ context of its own with
pyzmq's authenticator in it (ZAP), so that a flood at one side is none at the other. Every socket of
the side is made in that context and speaks CURVE only. The authenticator lets in the keys of
``allowed.json`` that may be on this side; User-Id of what comes in is the key. A thread looks at
that file ten times a second, and each hand-shake does. When a key is not in it any more, the
connections on which it was heard end at once; one that was silent so far has got nothing, and ends
with its first word. The same thread turns away those who come in crowds (``studio.feed.crowd``).

Sockets must not be bound without a guard that is at work: libzmq lets any key in when nobody
answers it. ``secure`` refuses, and libzmq is told to refuse as well.
"""

import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import zmq
from zmq.auth.thread import ThreadAuthenticator

from studio.feed.access import Access, AccessLog, What, utc_now
from studio.feed.allowed import FILE, Allowed, Kind, Rows, active, read_allowed
from studio.feed.connections import Connection, Connections
from studio.feed.crowd import Crowd, Limits
from studio.feed.endpoint import FeedRefused
from studio.feed.keys import KeysRefused, Pair, hex_of

PUBLIC, STAFF = "public", "staff"
_MAY_BE_ON = {PUBLIC: frozenset(Kind), STAFF: frozenset({Kind.CONSOLE})}

_LOOK_SECONDS = 0.1
_TIDY_SECONDS = 1.0
# When a thousand come back at once, the last of them waits for some seconds.
_HANDSHAKE_MS = 15_000
# Refusing strangers takes a quarter of a core at most from the table, however many there are.
_REST = 3.0
_CROWD_REST = 50.0
_LONGEST_REST_SECONDS = 0.05


class Guard:
    """Guards one side of a table: ``public`` or ``staff``. Begins with ``start``.

    ``changed`` is told that other keys are let in, ``broken`` that the list cannot be read.
    Raises KeysRefused when the keys are not as they must be.
    """

    def __init__(
        self,
        side: str,
        table: str,
        folder: Path,
        pair: Pair,
        log: AccessLog,
        *,
        changed: Callable[[], None] = lambda: None,
        broken: Callable[[KeysRefused], None] = lambda _fault: None,
        limits: Limits | None = None,
    ) -> None:
        self.side = side
        self.changed = changed
        self._table = table
        self._folder = folder
        self._pair = pair
        self._log = log
        self._broken = broken
        self._connections = Connections()
        self._crowd = Crowd(limits)
        self._looking = threading.Lock()
        self._mark = self._mark_of_file()
        self._rows = self._let_in(read_allowed(folder))
        self._stopping = threading.Event()
        self.context = zmq.Context()
        self._zap = _Authenticator(self.context, self._answer)
        self._zap.configure_curve_callback(side, self._zap)
        self._watching = threading.Thread(target=self._watch, name=f"keys {table} {side}")

    def start(self) -> None:
        """Begin to answer hand-shakes."""
        self._zap.start()
        self._watching.start()

    def close(self) -> None:
        """Stop; the sockets must be closed before. May be called twice."""
        self._stopping.set()
        if self._watching.is_alive():
            self._watching.join()
        self._zap.stop()
        self.context.term()

    def secure(self, socket: "zmq.Socket[bytes]") -> None:
        """Let only allowed keys connect to a socket; before it is bound. Raises FeedRefused."""
        if not self._zap.is_alive():
            raise FeedRefused("nobody answers hand-shakes, so that any key would be let in")
        self._pair.as_server(socket)
        socket.zap_domain = self.side.encode()
        socket.setsockopt(zmq.ZAP_ENFORCE_DOMAIN, 1)
        socket.handshake_ivl = _HANDSHAKE_MS

    def bound(self, endpoint: str) -> None:
        """A socket is bound there: who crowds it is turned away from now on."""
        self._crowd.ports.add(int(endpoint.rpartition(":")[2]))

    def seen(self, frame: zmq.Frame, *, at_most: int | None = None) -> str | None:
        """Whose message this is; None, and its connection ends, if nobody's who is let in.

        ``at_most`` so many frames may come on one connection.
        """
        try:
            public, fd = str(frame.get("User-Id")), int(str(frame.get(zmq.SRCFD)))
        except zmq.ZMQError:
            # the end of a subscription whose connection is gone: it came from nobody
            return None
        found = self._connections.seen(public, fd)
        row = self._rows.get(public)
        if found is None:
            return None if row is None else row.name
        connection, count = found
        if row is None:
            self._cut(lambda one: one == connection, "the key is not allowed any more")
            return None
        if at_most is not None and count > at_most:
            self._cut(lambda one: one == connection, f"more than {at_most} subscriptions")
            return None
        return row.name

    def asked(self, frame: zmq.Frame) -> str | None:
        """As ``seen``, of a request."""
        who = self.seen(frame)
        if who is not None:
            self._tell(What.ASKED, str(frame.get("User-Id")), str(frame.get("Peer-Address")))
        return who

    def lets_in(self, frame: zmq.Frame) -> bool:
        """Whether whoever a message came from is let in still."""
        return str(frame.get("User-Id")) in self._rows

    def connected(self) -> frozenset[str]:
        """The names of those who are connected, as far as a message of theirs was heard."""
        rows = self._rows
        return frozenset(rows[key].name for key in self._connections.keys() & rows.keys())

    # --- hand-shakes, in the authenticator's thread -------------------------------------------

    def _answer(self, public: str, address: str) -> bool:
        began = time.monotonic()
        # libzmq does not come again once it was refused: a key just added must be known now
        self._look()
        if public in self._rows:
            self._tell(What.CONNECTED, public, address)
            return True
        self._tell(What.REFUSED, public, address, self._why_not(public))
        rest = min((time.monotonic() - began) * _REST, _LONGEST_REST_SECONDS)
        self._stopping.wait(rest)
        return False

    def _why_not(self, public: str) -> str:
        row = self._barred.get(public)
        if row is None:
            return "unknown key"
        return "revoked" if row.revoked else f"no {row.kind.value} may be on this side"

    # --- the list of keys, in the guard's own thread ------------------------------------------

    def _watch(self) -> None:
        tidy_at, rest = 0.0, _LOOK_SECONDS
        while not self._stopping.wait(rest):
            self._look()
            began = time.monotonic()
            for turned in self._crowd.look():
                self._tell(What.CUT, "", turned.address, turned.why)
            rest = max(_LOOK_SECONDS, (time.monotonic() - began) * _CROWD_REST)
            if time.monotonic() >= tidy_at:
                tidy_at = time.monotonic() + _TIDY_SECONDS
                for one in self._connections.ended():
                    self._tell(What.DISCONNECTED, one.public, _text_of(one))
                self._log.tidy(utc_now())

    def _look(self) -> None:
        with self._looking:
            mark = self._mark_of_file()
            if mark == self._mark:
                return
            self._mark = mark
            try:
                rows = read_allowed(self._folder)
            except KeysRefused as fault:
                # whoever was let in stays, and nobody else comes in, until it is mended
                self._broken(fault)
                return
            self._rows = self._let_in(rows)
        self._cut(lambda one: one.public not in self._rows, "the key was revoked")
        # whoever subscribed and was not heard yet must be heard before the next message
        self.changed()

    def _let_in(self, rows: Rows) -> Mapping[str, Allowed]:
        self._barred = {one.public: one for one in rows}
        kinds = _MAY_BE_ON[self.side]
        return {one.public: one for one in active(rows) if one.kind in kinds}

    def _cut(self, is_to_go: Callable[[Connection], bool], why: str) -> None:
        for one in self._connections.cut(is_to_go):
            self._tell(What.CUT, one.public, _text_of(one), why)

    def _tell(self, what: What, public: str, address: str, why: str = "") -> None:
        row = self._barred.get(public)
        self._log.note(
            Access(
                at=utc_now(),
                table=self._table,
                side=self.side,
                what=what,
                who=None if row is None else row.name,
                key=public[:16],
                address=address,
                why=why,
            )
        )

    def _mark_of_file(self) -> tuple[int, int] | None:
        try:
            found = (self._folder / FILE).stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_ino


class _Authenticator(ThreadAuthenticator):
    """pyzmq's own, which also says from where a hand-shake comes."""

    def __init__(
        self, context: "zmq.Context[zmq.Socket[bytes]]", answer: Callable[[str, str], bool]
    ) -> None:
        super().__init__(context)
        self._answer = answer
        self._address = ""

    async def handle_zap_message(self, msg: list[bytes]) -> None:
        self._address = msg[3].decode(errors="replace") if len(msg) > 3 else ""
        await super().handle_zap_message(msg)

    def callback(self, _domain: str, key: bytes) -> bool:
        """Whether a client's key, in Z85, is let in."""
        return self._answer(hex_of(key), self._address)

    def curve_user_id(self, client_public_key: bytes) -> str:
        """What messages will say of whose they are: the key, in hex."""
        return client_public_key.hex()


def _text_of(connection: Connection) -> str:
    host, port = connection.peer
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
