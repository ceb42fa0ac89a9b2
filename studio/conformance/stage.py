# SPDX-License-Identifier: Apache-2.0
"""What a case is told with: a table, its air, a front-end, and what the front-end must say.

Every wait is for a line of the front-end; a case never waits for time alone.
"""

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any, Self

from studio.conformance.air import BEAT_SECONDS, Air
from studio.conformance.child import Child
from studio.conformance.judge import REFUSED, Fault, Judge, View, view_of
from studio.conformance.lent_keys import LentKeys
from studio.conformance.table import Sign, Table
from studio.conformance.transcript import evening
from studio.feed.signing import Signer
from studio.feed.wire import Message
from studio.inbox import Stopping

PATIENCE = 10.0
_START_SECONDS = 30.0
_LOOK_SECONDS = 0.05


class Failed(Exception):
    """The front-end did or said what it must not, or did not say what it must."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.said)
        self.fault = fault


class Stage:
    """One case: nothing has happened at its table, and nobody is on the air yet."""

    def __init__(
        self,
        command: Sequence[str],
        stopping: Stopping,
        patience: float = PATIENCE,
        keys: LentKeys | None = None,
        signer: Signer | None = None,
    ) -> None:
        self.ahead = timedelta(0)
        self.expected_environment = "test"
        self.lines = 0
        self._command, self._patience, self._signer = command, patience, signer
        self._keys, self._stopping = keys, stopping
        sign: Sign | None = None if signer is None else signer.sign
        self.table = Table(evening(), self._now, sign)
        self.air = Air(self.table, keys)
        self._judge = Judge(self.table.name, self.table.states, self.table.sayings)
        self._child: Child | None = None
        self._last: View | None = None
        self._shut: str | None = None
        self.next = 0

    def _now(self) -> datetime:
        return datetime.now(UTC) + self.ahead

    # --- what happens at the table ------------------------------------------------------------

    def at(self, type_: str, round_: int | None = None, nth: int = 1) -> int:
        """Where a message stands in the evening."""
        return self.table.transcript.find(type_, round_, nth)

    def go_to(self, index: int) -> None:
        """Go on with the evening at another message."""
        self.next = index

    def skip(self, through: int | None = None) -> list[Message]:
        """The next message, or all up to and with ``through``, happens, and is not heard."""
        happened = []
        for index in range(self.next, (self.next if through is None else through) + 1):
            happened.append(self.table.play(index))
            self.next = index + 1
        return happened

    def say(self, through: int | None = None) -> None:
        """The next message, or all up to and with ``through``, happens, and is sent."""
        self._shut = None
        for message in self.skip(through):
            self.send(message)

    def say_otherwise(self, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
        """The next message happens in another form, and is sent."""
        self._shut = None
        self.send(self.table.play(self.next, change))
        self.next += 1

    def send(self, message: Message) -> None:
        """Send what happened, now or again."""
        self.air.send(message.payload, message.type)

    @contextmanager
    def held_answers(self) -> Iterator[None]:
        """Answers are worked out, and not given before the end of this."""
        self.air.hold_answers()
        yield
        self._shut = None
        self.air.release_answers()

    def silence(self) -> None:
        """No more heartbeats."""
        self.air.beat = None

    def beating(self) -> None:
        """Heartbeats again."""
        self._shut = None
        self.air.beat = self.table.heartbeat
        self.air.beat_now()

    # --- the front-end ------------------------------------------------------------------------

    def begin(self, through: int | None = None) -> None:
        """The table has come so far when the front-end is started; it follows."""
        self.start(through)
        self.level()

    def start(self, through: int | None = None) -> None:
        """The same, without waiting until it follows."""
        if through is not None:
            self.skip(through)
        self.air.open()
        variables = {
            "SABOT_TABLE": self.table.name,
            "SABOT_ENVIRONMENT": self.expected_environment,
            "SABOT_EVENTS": self.air.events,
            "SABOT_REQUESTS": self.air.requests,
        }
        if self._keys is not None:
            variables |= self._keys.variables()
        if self._signer is not None:
            variables["SABOT_SIGNING_KEY"] = self._signer.public.hex()
        self._child = Child(self._command, variables)

    def level(
        self, unknown: Collection[str] = (), standing: Mapping[str, int] | None = None
    ) -> None:
        """It must come to where the table is, and say whether bets are open as they are.

        ``unknown``: rounds that it must have suspended; ``standing``: revisions that it must have.
        """
        self._shut = None
        told = standing or {}

        def is_level(view: View) -> bool:
            revisions = {key: one.revision for key, one in view.results.items()}
            return (
                view.place == self.table.place
                and view.open == self.table.is_open()
                and set(unknown) <= set(view.unknown)
                and told.items() <= revisions.items()
            )

        wanted = f"message {self.table.seq}, bets {_word(is_open=self.table.is_open())}"
        if unknown:
            wanted += f", unknown {', '.join(unknown)}"
        if told:
            wanted += "".join(f", {key}: revision {one}" for key, one in told.items())
        self._wait(lambda: self._last is not None and is_level(self._last), wanted)

    def shut(self, why: str, after: float = BEAT_SECONDS, *, from_now: bool = False) -> None:
        """It must say that no bets are open, and not take that back until more happens.

        ``after`` so many seconds it must know, and half the patience is for a slow machine;
        ``from_now``: it counts only once the last message has been heard.
        """
        self._wait(
            lambda: (
                self._last is not None
                and not self._last.open
                and (not from_now or self._last.place == self.table.place)
            ),
            f"no bets after {after:g} s: {why}",
            seconds=after + self._patience / 2,
        )
        self._shut = why

    def refused(self) -> None:
        """It must say that it refuses the table, or end; and never have taken a bet."""
        self._shut = "a table of another environment"
        expected = f'"status": "{REFUSED}", or its end'
        self._wait(
            lambda: self._last is not None and self._last.status == REFUSED, expected, may_end=True
        )

    def asked(self) -> None:
        """It must ask something that is held."""
        self._wait(lambda: self.air.asked > 0, "a request")

    def acknowledged(self, round_: str, revision: int) -> None:
        """It must tell the studio that it has this correction."""
        wanted = round_, revision
        expected = f"acknowledge of round {round_}, revision {revision}"
        self._wait(lambda: wanted in self.air.acknowledged, expected)

    def pause(self) -> None:
        """The front-end does not read."""
        if self._child is not None:
            self._child.pause()

    def go_on(self) -> None:
        """It reads again."""
        if self._child is not None:
            self._child.go_on()

    def _wait(
        self,
        is_done: Callable[[], bool],
        expected: str,
        *,
        seconds: float | None = None,
        may_end: bool = False,
    ) -> None:
        """Read lines until something is so; ``seconds`` without getting on are too many."""
        child = self._child
        if child is None:
            raise ValueError("no front-end was started")
        allowed = self._patience if seconds is None else seconds
        began = time.monotonic()
        until = began + (allowed if self.lines else max(allowed, _START_SECONDS))
        while not is_done():
            if self._stopping.is_set():
                raise Failed(Fault(expected, "it was stopped"))
            self.air.tick()
            line = child.line(_LOOK_SECONDS)
            if line is not None:
                if self._hear(line):
                    until = time.monotonic() + allowed
            elif child.has_ended:
                if may_end:
                    return
                raise Failed(Fault(expected, child.last_words()))
            elif time.monotonic() > until:
                raise Failed(Fault(expected, self._said(time.monotonic() - began)))

    def _hear(self, line: bytes) -> bool:
        """Judge a line; gives whether the front-end has got on."""
        view = view_of(line)
        if isinstance(view, Fault):
            raise Failed(view)
        fault = self._judge.fault_of(view)
        if fault is None and self._shut is not None and view.open:
            fault = Fault(f"no bets: {self._shut}", "open")
        if fault is not None:
            raise Failed(fault)
        is_on = self._last is None or self._last.place != view.place
        self._last, self.lines = view, self.lines + 1
        return is_on

    def _said(self, waited: float) -> str:
        view = self._last
        within = f"within {waited:.0f} s"
        if view is None:
            return f"no line {within}"
        parts = [f"message {view.seq}, bets {_word(is_open=view.open)}", view.status]
        if view.unknown:
            parts.append(f"unknown {', '.join(view.unknown)}")
        return f"{', '.join(part for part in parts if part)}, and nothing else {within}"

    def close(self) -> None:
        """End the front-end and close the sockets."""
        self.air.release_answers()
        if self._child is not None:
            self._child.close()
        self.air.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()


def _word(*, is_open: bool) -> str:
    return "open" if is_open else "closed"
