# SPDX-License-Identifier: Apache-2.0
"""What was heard on air, what is on record, and what the simulated shoe says that it dealt.

Three accounts of the same play. A fault is survived when they agree, or when the table knows that
they do not.
"""

import threading
from typing import Any, NamedTuple

import msgspec
import zmq

from drivers.sim.commands import PulledCard
from studio.feed.keys import ClientKeys
from studio.feed.subscriber import Subscriber
from studio.feed.updates import Accepted, Status, Update
from studio.game import events as ev
from studio.game.events import Recorded
from studio.store.chain import recorded_of
from studio.store.history import History
from studio.verify import verify
from tests.system.rig import TABLE, Hands, Studio
from tests.waiting import until


class Watching:
    """A subscriber in a thread, live when it is made, so that it misses nothing after that."""

    def __init__(self, endpoints: dict[str, str], keys: ClientKeys | None = None) -> None:
        pub, requests = endpoints["public_events"], endpoints["public_requests"]
        self._subscriber = Subscriber(pub, requests, [TABLE], "test", keys=keys)
        self.payloads: list[bytes] = []
        self.others: list[Update] = []
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        try:
            until(lambda: self._subscriber.followers[TABLE].status is Status.LIVE, 20)
        except BaseException:
            self.close()
            raise

    def _run(self) -> None:
        while not self._stopping.is_set():
            self._heard(self._subscriber.poll(0.05))

    def _heard(self, updates: list[Update]) -> None:
        for update in updates:
            if isinstance(update, Accepted):
                self.payloads.append(update.message.payload)
            else:
                self.others.append(update)

    def state(self) -> object:
        """The picture that it has of the table."""
        return self._subscriber.followers[TABLE].view

    def close(self) -> None:
        self._stopping.set()
        self._thread.join()
        self._subscriber.close()


class OnAir:
    """Every byte that the public PUB socket sends, as it comes: no library between.

    ``frames`` grows in a thread; it has heard the service when it is made.
    """

    def __init__(self, endpoints: dict[str, str]) -> None:
        self.frames: list[list[bytes]] = []
        self._context = zmq.Context()
        self._socket = self._context.socket(zmq.SUB)
        self._socket.rcvhwm = 0
        self._socket.reconnect_ivl = 20
        self._socket.subscribe(b"")
        self._socket.connect(endpoints["public_events"])
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        until(lambda: self.frames, 20)

    def _run(self) -> None:
        while not self._stopping.is_set():
            if self._socket.poll(50):
                self.frames.append(self._socket.recv_multipart())
        self._socket.close(0)

    @property
    def messages(self) -> list[bytes]:
        """The payloads heard so far, without the heartbeats."""
        return [body for topic, body in self.frames if not topic.endswith(b"/heartbeat")]

    def types(self) -> list[str]:
        """Their types."""
        return [msgspec.json.decode(body)["type"] for body in self.messages]

    def last_word(self) -> Any:
        """The last thing that was said, decoded."""
        return msgspec.json.decode(self.frames[-1][1])

    def close(self) -> None:
        self._stopping.set()
        self._thread.join()
        self._context.term()


class Coup(NamedTuple):
    """A finished coup: both hands as card codes, and who won."""

    player: tuple[str, ...]
    banker: tuple[str, ...]
    outcome: str


def account(running: Studio) -> list[str]:
    """The cards that left the simulated shoe, in order."""
    return [pulled.card for pulled in running.shoe.state().drawn if pulled.card is not None]


def coups_dealt(pulls: tuple[PulledCard, ...]) -> list[Coup]:
    """The coups that the shoe says were finished, by its own idea of the round."""
    found: list[Coup] = []
    hands: dict[str | None, list[str]] = {}
    for pulled in pulls:
        if pulled.index == 1 and pulled.target == "player":
            hands = {}
        if pulled.card is not None:
            hands.setdefault(pulled.target, []).append(pulled.card)
        if pulled.result is not None:
            hand = tuple(hands.get("player", ())), tuple(hands.get("banker", ()))
            found.append(Coup(*hand, pulled.result))
    return found


def coups_shown(hands: Hands) -> list[Coup]:
    """The standing results of this shoe, without the void ones."""
    results = hands.snapshot().state["public"]["results"]
    return [
        Coup(tuple(one["player"]), tuple(one["banker"]), one["outcome"])
        for one in results
        if one["outcome"] is not None
    ]


def outcomes_on(payloads: list[bytes]) -> list[str | None]:
    """Of every result and void among these messages the outcome, None for a void."""
    read = [msgspec.json.decode(payload) for payload in payloads]
    ends = [one for one in read if one["type"] in ("result", "round_voided")]
    return [one["data"].get("outcome") for one in ends]


def stored(running: Studio) -> list[bytes]:
    """Every public message on record, in order."""
    with History.open(running.database, running.table) as history:
        epoch = history.epochs()[-1]
        found: list[bytes] = []
        while page := history.payloads(epoch, len(found), 5000):
            found += [payload for _, payload in page]
        return found


def recorded(running: Studio, after: int = 0) -> list[Recorded]:
    """Every event on record above that seq, in order."""
    with History.open(running.database, TABLE) as history:
        return [recorded_of(row) for row in history.rows(history.epochs()[-1], after)]


def cards_on_record(running: Studio, after: int = 0) -> list[str]:
    """The cards that the record says were read after that seq, in order, each once."""
    cards: list[str] = []
    kept = 0
    for one in recorded(running, after):
        match one.event:
            case ev.CardDealt() if kept:
                kept -= 1
            case ev.CardDealt(card=card) | ev.CardBurned(card=card) | ev.CardHeld(card=card):
                cards += [] if card is None else [card.value]
            case ev.CardKept(card=card):
                cards.append(card.value)
                kept += 1
            case ev.RoundVoided():
                kept = 0
            case _:
                pass
    return cards


def all_heard(running: Studio, hands: Hands) -> None:
    """Have the shoe report stand-by, and wait until the table has noted it: it has heard all."""
    before = hands.snapshot().seq
    running.shoe.standby()
    raw = running.shoe.state(reports=True).reports[-1].hex

    def is_noted() -> bool:
        events = [one.event for one in recorded(running, before)]
        return any(isinstance(one, ev.ShoeNoted) and one.origin.raw == raw for one in events)

    until(is_noted, 20)


def is_sound(running: Studio) -> bool:
    """Whether `verify` finds nothing; fails with what it found."""
    assert verify(running.database, running.table).findings == ()
    return True


def comes_in_order(part: list[Any], whole: list[Any]) -> bool:
    """Whether all of ``part`` is in ``whole``, in that order, with anything between."""
    rest = iter(whole)
    return all(any(one == other for other in rest) for one in part)


def log_of(running: Studio) -> str:
    """What the service wrote to standard error; fails if an exception is in it."""
    assert running.service is not None
    text = running.service.errors()
    assert "Traceback" not in text, text
    return text
