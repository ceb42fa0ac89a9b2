# SPDX-License-Identifier: Apache-2.0
"""A studio for tests: the real publisher and request server over a list instead of a database."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

import msgspec
import zmq

from studio.feed import answers, asks, proof, wire
from studio.feed.client import Client
from studio.feed.guard import Guard
from studio.feed.messages import Signature
from studio.feed.publisher import Publisher
from studio.feed.requests import RequestServer
from studio.feed.view import applied
from studio.game import events as ev
from studio.game.roads import counts_of, roads_of
from studio.game.snapshot import PublicState
from tests.feed.examples import AT, EPOCH, PUBLIC_EVENTS, ROUND, SHOE, TABLE

ANY_PORT = "tcp://127.0.0.1:*"
_OF_A_RESULT = {"result", "result_amended", "round_voided"}


class Record:
    """The stored public messages of a table, as a list."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, int, bytes]] = []
        self.first_kept = 1

    def payloads(self, epoch: str, after: int, limit: int) -> Sequence[tuple[int, bytes]]:
        kept = max(after, self.first_kept - 1)
        rows = [(seq, load) for known, seq, load in self.rows if known == epoch and seq > kept]
        return rows[:limit]

    def round_payloads(self, round_id: str) -> Sequence[bytes]:
        messages = [wire.decode(payload) for _, _, payload in self.rows]
        return [m.payload for m in messages if m.round == round_id and m.type in _OF_A_RESULT]

    def last(self, epoch: str) -> tuple[int, bytes]:
        """The last seq of an epoch and the head there."""
        seq, head = 0, wire.HEAD_0
        for known, number, payload in self.rows:
            if known == epoch:
                seq, head = number, wire.head_after(head, payload)
        return seq, head


def first_state(environment: str = "test") -> PublicState:
    """The public picture of a table before anything happened."""
    opened = PUBLIC_EVENTS[0]
    assert isinstance(opened, ev.TableOpened)
    facts = {name: getattr(opened, name) for name in opened.PUBLIC}
    return PublicState(
        **(facts | {"environment": environment}),
        phase="closed",
        suspended=None,
        manual_mode=False,
        shoe=None,
        round=None,
        closes_at=None,
        player=(),
        banker=(),
        player_total=None,
        banker_total=None,
        last_coup=None,
        cards_out=0,
        results=(),
        roads=roads_of(()),
        counts=counts_of(()),
    )


class Happening:
    """Numbers public events of one epoch, keeps the picture, and records the payloads."""

    def __init__(
        self, record: Record, epoch: str = EPOCH, environment: str = "test", table: str = TABLE
    ) -> None:
        self.record, self.epoch, self.table = record, epoch, table
        self.seq, self.head = record.last(epoch)
        self.state = first_state(environment)
        self.at = AT
        self.sign: Callable[[bytes], Signature] | None = None
        # what a studio of another day makes of a message or an answer
        self.as_sent: Callable[[bytes], bytes] = bytes
        self.confirm: answers.Confirm = answers.no_operators

    def add(self, event: ev.Event, round_id: str | None = ROUND) -> wire.Message:
        self.at += timedelta(milliseconds=1)
        recorded = ev.Recorded(
            self.seq + 1, self.seq + 1, self.at, ev.Source.SHOE, SHOE, round_id, event
        )
        payload = self.as_sent(wire.public_payload(self.table, self.epoch, recorded))
        self.seq, self.head = self.seq + 1, wire.head_after(self.head, payload)
        self.record.rows.append((self.epoch, self.seq, payload))
        message = wire.decode(payload)
        self.state = applied(self.state, message)
        return message

    def heartbeat(self, suspended: str | None = None) -> bytes:
        self.at += timedelta(milliseconds=1)
        beat = wire.heartbeat_payload(
            self.table, self.epoch, self.seq, self.head, self.at, suspended, SHOE, ROUND, self.sign
        )
        return self.as_sent(beat)

    def view(self, pub: str = "") -> answers.PublicView:
        return answers.PublicView(
            table=self.table,
            environment=self.state.environment,
            epoch=self.epoch,
            seq=self.seq,
            head=self.head.hex(),
            state=self.state,
            round=self.state.round,
            pub=pub,
        )

    def answer(self, request: bytes) -> asks.Answer:
        """The answer that the studio gives now."""
        return asks.read_answer(self.answered(request, self.view))

    def answered(self, request: bytes, view: Callable[[], answers.PublicView]) -> bytes:
        """The bytes of an answer, signed as they are sent."""
        frame = self.as_sent(answers.answer(request, view, self.record, self.confirm))
        answer = asks.read_answer(frame)
        if self.sign is None or not isinstance(answer, asks.Snapshot | asks.Round):
            return frame
        signature = proof.signed(answer, self.sign).signature  # type: ignore[union-attr]
        return msgspec.json.encode({**msgspec.json.decode(frame), "signature": signature})


class FakeStudio:
    """Records and sends public events of one table, and answers requests."""

    def __init__(
        self,
        happening: Happening | None = None,
        pub: str = ANY_PORT,
        requests: str = ANY_PORT,
        *,
        queued_messages: int = 10_000,
        guard: Guard | None = None,
    ) -> None:
        self.happening = Happening(Record()) if happening is None else happening
        self.publisher = Publisher(pub, guard=guard, queued_messages=queued_messages)
        self.pub = self.publisher.endpoint
        try:
            self.server = RequestServer(requests, self._answer, guard=guard)
        except zmq.ZMQError:
            self.publisher.close(0)
            raise
        self.requests = self.server.endpoint

    def say(self, *events: ev.Event, round_id: str | None = ROUND) -> None:
        for event in events:
            message = self.happening.add(event, round_id)
            self.publisher.send(wire.topic_of(message.table, message.type), message.payload)

    def beat(self, suspended: str | None = None) -> None:
        topic = wire.topic_of(self.happening.table, wire.HEARTBEAT)
        self.publisher.send(topic, self.happening.heartbeat(suspended))

    def _answer(self, request: bytes, who: str | None) -> bytes:
        return self.happening.answered(request, self._view)

    def _view(self) -> answers.PublicView:
        return self.happening.view(self.pub)

    def close(self) -> None:
        self.publisher.close(0)
        self.server.stop()

    def __enter__(self) -> "FakeStudio":
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()


def ask(endpoint: str, **request: Any) -> dict[str, Any]:
    """Ask as an outside program does, and give the answer's members."""
    with Client(endpoint) as client:
        answer: dict[str, Any] = msgspec.json.decode(client.ask(msgspec.json.encode(request)))
        return answer
