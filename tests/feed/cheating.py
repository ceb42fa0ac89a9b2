# SPDX-License-Identifier: Apache-2.0
"""A relay that cheats, between a studio that signs and a front-end that knows its key."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta

import zmq

from studio.feed.signing import Signer
from studio.feed.subscriber import Subscriber
from studio.feed.updates import Alarm, Status, Update
from studio.game import events as ev
from tests.feed.examples import TABLE
from tests.feed.fake_studio import ANY_PORT, FakeStudio
from tests.waiting import until

STUDIO, IMPOSTOR = Signer(b"s" * 32), Signer(b"i" * 32)
Frames = list[bytes]
Change = Callable[[Frames], list[Frames]]


class Cheat:
    """A relay of messages, requests and answers: what it does to the last ones can be changed."""

    def __init__(self, pub: str, requests: str) -> None:
        self.change: Change = lambda frames: [frames]
        self.change_answer: Callable[[bytes], bytes] = lambda answer: answer
        self.answers: list[bytes] = []
        self.seen: list[Frames] = []
        self._context = zmq.Context()
        self._sub = self._context.socket(zmq.SUB)
        self._sub.connect(pub)
        self._sub.subscribe(b"")
        self._out = self._context.socket(zmq.PUB)
        self._out.linger = 0
        self.endpoint = _bound(self._out)
        self._asking = self._context.socket(zmq.DEALER)
        self._asking.linger = 0
        self._asking.connect(requests)
        self._asked = self._context.socket(zmq.ROUTER)
        self._asked.linger = 0
        self.requests = _bound(self._asked)
        self._asker = b""
        self._poller = zmq.Poller()
        for one in (self._sub, self._asking, self._asked):
            self._poller.register(one, zmq.POLLIN)
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        while not self._stopping.is_set():
            ready = dict(self._poller.poll(10))
            if self._sub in ready:
                frames = self._sub.recv_multipart()
                self.seen.append(frames)
                for passed in self.change(frames):
                    self._out.send_multipart(passed)
            if self._asked in ready:
                self._asker, request = self._asked.recv_multipart()
                self._asking.send(request)
            if self._asking in ready:
                answer = self._asking.recv()
                self.answers.append(answer)
                self._asked.send_multipart([self._asker, self.change_answer(answer)])

    def close(self) -> None:
        self._stopping.set()
        self._thread.join()
        for one in (self._sub, self._out, self._asking, self._asked):
            one.close(0)
        self._context.term()


def _bound(socket: "zmq.Socket[bytes]") -> str:
    socket.bind(ANY_PORT)
    return socket.getsockopt_string(zmq.LAST_ENDPOINT).rstrip("\0")


class Behind:
    """A studio, a relay, and a front-end behind it that knows the studio's key."""

    def __init__(self, studio: FakeStudio, cheat: Cheat) -> None:
        self.studio = studio
        self.cheat = cheat
        self.now = 0.0
        self.is_fast_by = timedelta()
        self.updates: list[Update] = []
        self.subscriber = Subscriber(
            cheat.endpoint,
            cheat.requests,
            [TABLE],
            "test",
            signing=[STUDIO.public.hex()],
            clock=lambda: self.now,
            wall=self.wall,
        )

    def wall(self) -> datetime:
        """The wall clock of the front-end."""
        return self.studio.happening.at + self.is_fast_by

    def hears(self, condition: Callable[[], object], *, beats: bool = True) -> None:
        def holds() -> object:
            if beats:
                self.studio.beat()
            self.updates += self.subscriber.poll(0)
            return condition()

        until(holds)

    @property
    def status(self) -> Status:
        return self.subscriber.followers[TABLE].status

    @property
    def seq(self) -> int:
        return self.subscriber.followers[TABLE].seq

    def alarms(self) -> set[str]:
        return {one.code for one in self.updates if isinstance(one, Alarm)}

    def goes_live(self) -> None:
        self.hears(lambda: self.status is Status.LIVE and self.subscriber.studio_time(TABLE))


@contextmanager
def behind(
    change: Change | None = None,
    signer: Signer | None = STUDIO,
    *,
    before: Sequence[ev.Event] = (),
    change_answer: Callable[[bytes], bytes] = lambda answer: answer,
) -> Iterator[Behind]:
    """A front-end behind a relay; ``before`` happened before it came."""
    with FakeStudio() as studio:
        studio.happening.sign = None if signer is None else signer.sign
        for event in before:
            studio.happening.add(event)
        cheat = Cheat(studio.pub, studio.requests)
        cheat.change_answer = change_answer
        made = Behind(studio, cheat)
        if change is not None:
            cheat.change = change
        try:
            yield made
        finally:
            made.subscriber.close()
            cheat.close()
