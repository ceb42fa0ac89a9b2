# SPDX-License-Identifier: Apache-2.0
"""A follower beside a happening, without a wire: what is heard and answered is up to the test."""

from studio.feed import asks, wire
from studio.feed.follow import Follower
from studio.feed.updates import Accepted, Alarm, Asking, Bookmark, Effect, Joined, Status
from studio.game import events as ev
from tests.feed.examples import AT, PUBLIC_EVENTS, ROUND, TABLE
from tests.feed.fake_studio import Happening, Record


class Following:
    """Keeps all effects, the requests not answered yet, and a clock of its own."""

    def __init__(
        self, happening: Happening, *, environment: str = "test", bookmark: Bookmark | None = None
    ) -> None:
        self.happening = happening
        self.follower = Follower(TABLE, environment, bookmark)
        self.now = 1000.0
        self.effects: list[Effect] = []
        self.asked: list[asks.Ask] = []
        self._note(self.follower.start(self.now))

    def _note(self, effects: list[Effect]) -> list[Effect]:
        self.effects += effects
        self.asked += [effect.request for effect in effects if isinstance(effect, Asking)]
        return effects

    def hear(self, payload: bytes) -> list[Effect]:
        return self._note(self.follower.receive(wire.decode(payload), self.now))

    def say(self, *events: ev.Event) -> None:
        """Events happen and are heard at once."""
        for event in events:
            self.hear(self.happening.add(event).payload)

    def beat(self, suspended: str | None = None) -> list[Effect]:
        return self.hear(self.happening.heartbeat(suspended))

    def give(self, answer: asks.Answer) -> list[Effect]:
        return self._note(self.follower.answer(answer, self.now))

    def answer_next(self) -> asks.Ask:
        """The studio answers the oldest request; gives the request."""
        ask = self.asked.pop(0)
        self.give(self.happening.answer(asks.encode(ask)))
        return ask

    def answer_all(self) -> list[asks.Ask]:
        answered = []
        while self.asked:
            answered.append(self.answer_next())
        return answered

    def wait(self, seconds: float) -> list[Effect]:
        """Time passes, in small steps."""
        until = self.now + seconds
        effects: list[Effect] = []
        while self.now < until:
            self.now = min(self.now + 0.25, until)
            effects += self._note(self.follower.tick(self.now))
        return effects

    def settle(self) -> None:
        """The network works again, for as long as it takes."""
        for _ in range(20):
            self.beat()
            self.answer_all()
            self.wait(0.5)
            if self.follower.status is Status.LIVE and not self.asked:
                return
        raise AssertionError(f"still {self.follower.status}, {self.asked}")

    def status(self) -> Status:
        return self.follower.status

    @property
    def accepted(self) -> list[wire.Message]:
        return [effect.message for effect in self.effects if isinstance(effect, Accepted)]

    @property
    def joins(self) -> list[Joined]:
        return [effect for effect in self.effects if isinstance(effect, Joined)]

    @property
    def alarms(self) -> list[str]:
        return [effect.code for effect in self.effects if isinstance(effect, Alarm)]


def live(*events: ev.Event) -> Following:
    """A table that these events happened at, joined and live."""
    happening = Happening(Record())
    for event in events:
        happening.add(event)
    following = Following(happening)
    following.settle()
    return following


def bets_open() -> list[ev.Event]:
    """The table is open, and bets are until next year."""
    window = ev.BetsOpened(
        seconds=15, closes_at=AT.replace(year=2027), round=ROUND, day="20261129", by="s-1"
    )
    return [PUBLIC_EVENTS[0], window]
