# SPDX-License-Identifier: Apache-2.0
"""The table of the kit: what happened at it so far, and what is true after each message.

It plays lines of a transcript in whatever order a case wants them, numbers them, keeps the record
and the chain, and answers as a table's service does. Pure: its clock is handed in.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import msgspec

from studio.conformance.transcript import Transcript, restamped
from studio.feed import wire
from studio.feed.answers import PublicView
from studio.feed.messages import Result, RoundVoided, Signature
from studio.feed.view import applied, bets_are_open
from studio.game.roads import counts_of, roads_of
from studio.game.snapshot import PublicState

Sign = Callable[[bytes], Signature]
Clock = Callable[[], datetime]
Place = tuple[str, int]
Change = Callable[[dict[str, Any]], dict[str, Any]]

RESTORED_EPOCH = "9e0d4b1a-7c35-4f0e-8a61-2b9c5d7e1f04"
BETTING_SECONDS = 3600.0


def _as_it_is(line: dict[str, Any]) -> dict[str, Any]:
    return line


class Said(NamedTuple):
    """What the table said of a round with one revision; ``outcome`` None for a void."""

    outcome: str | None
    bets: dict[str, str]


class Record:
    """The messages on disk: all of them, and those of the epoch in force."""

    def __init__(self) -> None:
        self.payloads_of: dict[str, list[bytes]] = {}
        self._of_rounds: dict[str, list[bytes]] = {}

    def keep(self, message: wire.Message) -> None:
        """Store a message."""
        self.payloads_of.setdefault(message.epoch, []).append(message.payload)
        if message.round is not None and isinstance(message.data, Result | RoundVoided):
            self._of_rounds.setdefault(message.round, []).append(message.payload)

    def payloads(self, epoch: str, after: int, limit: int) -> Sequence[tuple[int, bytes]]:
        """Those of an epoch beyond ``after``, in order, with their numbers."""
        found = self.payloads_of.get(epoch, [])[after : after + limit]
        return [*enumerate(found, after + 1)]

    def round_payloads(self, round_id: str) -> Sequence[bytes]:
        """Results, amendments and voids of a round, of any epoch."""
        return tuple(self._of_rounds.get(round_id, ()))


class Table:
    """A table at which nothing has happened yet."""

    def __init__(self, transcript: Transcript, clock: Clock, sign: Sign | None = None) -> None:
        self.transcript, self._clock, self.sign = transcript, clock, sign
        self.name = transcript.table
        self.epoch, self.seq, self.head = transcript.epoch, 0, wire.HEAD_0
        self.betting_seconds = BETTING_SECONDS
        self.record = Record()
        self.state = _before(transcript)
        self.suspended: str | None = None
        self.states: dict[Place, PublicState] = {(self.epoch, 0): self.state}
        self.sayings: dict[tuple[str, int], Said] = {}
        self.view = self._view()

    @property
    def place(self) -> Place:
        """Epoch and number of the last message."""
        return self.epoch, self.seq

    def play(self, index: int, change: Change = _as_it_is) -> wire.Message:
        """A line of the transcript happens, perhaps in another form, and is stored."""
        line = change(self.transcript.messages[index])
        payload = restamped(line, self.epoch, self.seq + 1, self._clock(), self.betting_seconds)
        message = wire.decode(payload)
        self.record.keep(message)
        self.seq, self.head = message.seq, wire.head_after(self.head, payload)
        if message.round is not None and isinstance(message.data, Result | RoundVoided):
            self.sayings[message.round, message.data.revision] = _said(message.data)
        self._come_to(applied(self.state, message))
        return message

    def _come_to(self, state: PublicState) -> None:
        self.state = self.states[self.place] = state
        self.view = self._view()

    def restore(self, backup: Place) -> None:
        """Come back from a backup made at ``backup``: what came later is lost, also on disk."""
        epoch, seq = backup
        kept = self.record.payloads_of[epoch][:seq]
        self.record = Record()
        for payload in kept:
            self.record.keep(wire.decode(payload))
        self.epoch, self.seq, self.head = RESTORED_EPOCH, 0, wire.HEAD_0
        self._come_to(self.states[backup])

    def is_open(self) -> bool:
        """Whether a bet may be taken now."""
        return bets_are_open(self.state, self.suspended, self._clock())

    def heartbeat(self) -> bytes:
        """What the service sends every second."""
        return self.heartbeat_by(self.sign)

    def heartbeat_by(self, sign: Sign | None) -> bytes:
        """The same, signed by any hand, or by none."""
        state = self.state
        return wire.heartbeat_payload(
            self.name,
            self.epoch,
            self.seq,
            self.head,
            self._clock(),
            self.suspended or state.suspended,
            state.shoe,
            state.round,
            sign,
        )

    def _view(self) -> PublicView:
        """What requests are answered from, swapped as a whole; where it is sent is the air's."""
        return PublicView(
            table=self.name,
            environment=self.state.environment,
            epoch=self.epoch,
            seq=self.seq,
            head=self.head.hex(),
            state=self.state,
            round=self.state.round,
            pub="",
        )


def _said(data: Result | RoundVoided) -> Said:
    if isinstance(data, Result):
        return Said(data.outcome.value, data.bets)
    return Said(None, {})


def _before(transcript: Transcript) -> PublicState:
    """The table before it was opened: its facts are those of ``table_opened``."""
    opened = transcript.messages[transcript.find("table_opened")]["data"]
    empty = {
        "phase": "closed",
        "suspended": None,
        "manual_mode": False,
        "shoe": None,
        "round": None,
        "closes_at": None,
        "player": (),
        "banker": (),
        "player_total": None,
        "banker_total": None,
        "last_coup": None,
        "cards_out": 0,
        "results": (),
        "roads": roads_of(()),
        "counts": counts_of(()),
    }
    return msgspec.convert({**opened, **empty}, PublicState)
