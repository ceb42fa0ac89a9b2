# SPDX-License-Identifier: Apache-2.0
"""How a subscriber follows one table: joining, gaps, staleness, epochs, and the chain.

Theory of operation. A ``Follower`` is told what was heard (``receive``), what was answered
(``answer``) and that time passed (``tick``), always with the present time on a steady clock in
seconds; it returns what follows: a request to send, a message accepted, a change of status, an
alarm. Messages are accepted in order and exactly once. What arrives out of order is kept until
the hole before it is filled from history. What to ask follows from the mode alone.

Pure: no sockets, no clock, no threads. Rules: the feed contract, "Requests".
"""

from datetime import datetime, timedelta

import msgspec

from studio.feed import asks, wire
from studio.feed import messages as m
from studio.feed.asks import Answer, Ask, AskHistory, AskRound, AskSnapshot
from studio.feed.chain import ChainKept
from studio.feed.question import ASK_AGAIN_SECONDS, Question
from studio.feed.rounds import OpenRounds, after_message, in_snapshot, revision_of, standing
from studio.feed.updates import (
    Accepted,
    Alarm,
    Asking,
    Bookmark,
    Effect,
    Joined,
    RoundChecked,
    Status,
    StatusChanged,
)
from studio.feed.view import bets_are_open, moved, with_roads
from studio.feed.wire import Message, WireError
from studio.game.snapshot import PublicState

STALE_SECONDS = 3.0
FRUITLESS_SECONDS = 0.5
MOST_KEPT = 20_000
HISTORY_PAGE = 1000


class Follower:
    """Follows one table of ``environment``; begins with ``start``. ``nonce``: see Question."""

    def __init__(
        self,
        table: str,
        environment: str,
        bookmark: Bookmark | None = None,
        nonce: str = "",
    ) -> None:
        self.table = table
        self.environment = environment
        self.epoch: str | None = None
        self.view: PublicState | None = None
        self._shown: PublicState | None = None
        self.rounds: OpenRounds = {}
        self._mode = Status.JOINING
        self._is_stale = False
        self._is_proven = False
        self._told: Status | None = None
        self._chain = ChainKept(0, wire.HEAD_0)
        self._kept: dict[tuple[str, int], Message] = {}
        self._behind = 0
        self._is_history_due = False
        self._left_epochs: set[str] = set()
        self._other_epochs: set[str] = set()
        self._to_check: list[str] = []
        self._must_rejoin = False
        self._beat: tuple[Message, m.Heartbeat, float] | None = None
        self._heard = 0.0
        self._question = Question(table, nonce)
        self._alarms: dict[str, str] = {}
        self._out: list[Effect] = []
        if bookmark is not None:
            self._resume(bookmark)

    def _resume(self, bookmark: Bookmark) -> None:
        self.epoch, self.rounds = bookmark.epoch, bookmark.rounds
        self.view = self._shown = bookmark.state
        self._chain = ChainKept(bookmark.seq, bytes.fromhex(bookmark.head))
        self._mode, self._is_history_due = Status.CATCHING_UP, True
        self._expects(bookmark.state.environment)

    # --- what a front-end asks ----------------------------------------------------------------

    @property
    def status(self) -> Status:
        """The status in force."""
        if self._is_stale and self._mode is not Status.REFUSED:
            return Status.STALE
        return self._mode

    @property
    def seq(self) -> int:
        """The last message accepted or covered by the snapshot."""
        return self._chain.seq

    @property
    def head(self) -> bytes:
        """The chain there."""
        return self._chain.head

    @property
    def is_chain_whole(self) -> bool:
        """Whether all that was heard is what the studio says that it sent."""
        return "chain_broken" not in self._alarms

    @property
    def agreed(self) -> int:
        """Up to which message what was heard is, by its head, what the studio says it sent."""
        return self._chain.agreed

    @property
    def suspended(self) -> str | None:
        """Why no bets are taken, by the messages or by the last heartbeat; None if they may be."""
        if self.view is not None and self.view.suspended is not None:
            return self.view.suspended
        return None if self._beat is None else self._beat[1].suspended

    def bookmark(self) -> Bookmark | None:
        """Where it stands, or None before it has joined."""
        if self.epoch is None or self.view is None:
            return None
        return Bookmark(self.epoch, self.seq, self.head.hex(), self.view, self.rounds)

    def studio_time(self, now: float) -> datetime | None:
        """The studio's time at ``now``, counted on from the last heartbeat; None before one."""
        if self._beat is None:
            return None
        message, _, heard = self._beat
        return message.at + timedelta(seconds=now - heard)

    def bets_are_open(self, now: float) -> bool:
        """Whether a bet may be taken now."""
        time = self.studio_time(now)
        return (
            self.status is Status.LIVE
            and self.is_chain_whole
            and now - self._heard < STALE_SECONDS
            and time is not None
            and self.view is not None
            and bets_are_open(self.view, self.suspended, time)
        )

    # --- what it is told ----------------------------------------------------------------------

    def start(self, now: float) -> list[Effect]:
        """Begin; the subscription must stand already, so that nothing falls between."""
        self._heard = now
        return self._follow_up(now)

    def receive(self, message: Message, now: float) -> list[Effect]:
        """A message or heartbeat was heard."""
        if message.table != self.table or self._mode is Status.REFUSED:
            return []
        if message.epoch in self._left_epochs:
            # an old recording, or a service that should not run: no sign of life of this table
            return []
        self._heard = now
        if self.epoch is not None and message.epoch != self.epoch:
            self._hear_other_epoch(message)
        elif isinstance(message.data, m.Heartbeat):
            self._hear_heartbeat(message, message.data, now)
        else:
            self._hear_message(message)
        return self._follow_up(now)

    def answer(self, answer: Answer, now: float) -> list[Effect]:
        """A request was answered; an answer to anything but the last request is ignored."""
        asked = self._question.answered(answer)
        if asked is None:
            return []
        match answer:
            case asks.Snapshot():
                self._join(answer, now)
            case asks.History():
                self._catch_up(answer, now)
            case asks.Round() if isinstance(asked, AskRound):
                self._check_round(asked.round, answer)
            case asks.Error():
                self._hear_error(asked, answer, now)
            case _:
                self._question.rest(now + FRUITLESS_SECONDS)
        return self._follow_up(now)

    def tick(self, now: float) -> list[Effect]:
        """Time passed; call it a few times a second."""
        if now - self._heard >= STALE_SECONDS:
            self._is_stale, self._is_proven = True, False
        return self._follow_up(now)

    # --- messages -----------------------------------------------------------------------------

    def _hear_other_epoch(self, message: Message) -> None:
        self._other_epochs.add(message.epoch)
        self._keep(message)
        if self._mode is not Status.NEW_EPOCH:
            self._mode, self._to_check = Status.NEW_EPOCH, list(self.rounds)

    def _hear_heartbeat(self, message: Message, beat: m.Heartbeat, now: float) -> None:
        if self._beat is None or message.at >= self._beat[0].at:
            self._beat = (message, beat, now)
        if self.epoch is None:
            return
        self._behind = max(self._behind, message.seq)
        if message.seq >= self.seq:
            self._is_proven = True
        if not self._chain.agrees(message.seq, beat.head):
            self._break_chain(f"the studio's chain at message {message.seq} is another one")

    def _hear_message(self, message: Message) -> None:
        if self.epoch is None:
            self._keep(message)
            return
        self._behind = max(self._behind, message.seq)
        if message.seq <= self.seq:
            if not self._chain.holds(message.seq, message.payload):
                self._break_chain(f"message {message.seq} came twice, with different bytes")
            return
        if message.seq == self.seq + 1:
            self._is_proven = True
        self._keep(message)
        self._accept_kept()

    def _keep(self, message: Message) -> None:
        if not isinstance(message.data, m.Heartbeat) and len(self._kept) < MOST_KEPT:
            self._kept.setdefault((message.epoch, message.seq), message)

    def _accept_kept(self) -> None:
        epoch = self.epoch or ""
        while self._mode is not Status.REFUSED and (epoch, self.seq + 1) in self._kept:
            self._accept(self._kept.pop((epoch, self.seq + 1)))

    def _accept(self, message: Message) -> None:
        if isinstance(message.data, m.TableOpened) and not self._expects(message.data.environment):
            return
        if isinstance(message.data, m.TableResumed) and self._beat is not None:
            heartbeat, beat, heard = self._beat
            if heartbeat.seq < message.seq:
                self._beat = (heartbeat, msgspec.structs.replace(beat, suspended=None), heard)
        self.view = None if self.view is None else moved(self.view, message)
        self.rounds = after_message(self.rounds, message)
        self._out.append(Accepted(self.table, message))
        if not self._chain.extend(message.payload):
            self._break_chain(f"the studio's chain at message {message.seq} is another one")

    # --- answers ------------------------------------------------------------------------------

    def _join(self, answer: asks.Snapshot, now: float) -> None:
        if answer.epoch == self.epoch and not self._must_rejoin:
            # what was heard came from an epoch long over: the numbering goes on
            self._left_epochs |= self._other_epochs
            self._mode, self._behind = Status.LIVE, max(self._behind, answer.seq)
            return
        try:
            state = msgspec.convert(answer.state, PublicState)
            head = bytes.fromhex(answer.head)
        except (msgspec.ValidationError, ValueError) as error:
            self._alarm("unreadable", f"the snapshot cannot be read: {error}")
            self._question.rest(now + ASK_AGAIN_SECONDS)
            return
        if not self._expects(state.environment):
            return
        if self.epoch is not None:
            self._left_epochs.add(self.epoch)
        self._left_epochs.discard(answer.epoch)
        self._other_epochs.clear()
        self._alarms.pop("chain_broken", None)
        self.epoch, self._must_rejoin = answer.epoch, False
        self.view = self._shown = state
        self._chain = ChainKept(answer.seq, head)
        self._is_history_due = False
        # asked before the snapshot, and once more: one may have been amended in between
        self._to_check = list(self.rounds)
        at = None if self._beat is None else self._beat[0].at
        self.rounds = {**in_snapshot(state, at), **self.rounds}
        if self._beat is not None and self._beat[0].epoch != self.epoch:
            self._beat = None
        self._kept = {
            key: message
            for key, message in self._kept.items()
            if key[0] == self.epoch and key[1] > answer.seq
        }
        self._mode = Status.LIVE
        told = answer.seq if self._beat is None else self._beat[0].seq
        self._behind = max([answer.seq, told, *(seq for _, seq in self._kept)])
        self._out.append(Joined(self.table, self.epoch, self.seq, state))
        self._accept_kept()

    def _catch_up(self, answer: asks.History, now: float) -> None:
        before = self.seq
        for payload in answer.payloads:
            try:
                message = wire.decode(payload.encode())
            except WireError as error:
                self._alarm("unreadable", f"after message {self.seq}: {error}")
                break
            if message.epoch == self.epoch and message.seq > self.seq:
                self._keep_or_accept(message)
        self._accept_kept()
        self._is_history_due = answer.more
        if self.seq == before:
            self._question.rest(now + FRUITLESS_SECONDS)

    def _keep_or_accept(self, message: Message) -> None:
        """History in order needs no room among what is kept."""
        if message.seq == self.seq + 1:
            self._kept.pop((message.epoch, message.seq), None)
            self._accept(message)
        else:
            self._keep(message)

    def _check_round(self, round_id: str, answer: asks.Round) -> None:
        self._to_check = [one for one in self._to_check if one != round_id]
        try:
            best = standing([wire.decode(payload.encode()) for payload in answer.payloads])
        except WireError as error:
            self._alarm("unreadable", f"round {round_id}: {error}")
            return
        if best is None:
            return
        known = self.rounds.get(round_id)
        if known is not None and revision_of(best) < known.revision:
            self._alarm(
                "revision_lost", f"round {round_id}: revision {known.revision} is not known"
            )
            self._out.append(RoundChecked(self.table, round_id, None))
            return
        self.rounds = after_message(self.rounds, best)
        self._out.append(RoundChecked(self.table, round_id, best))

    def _hear_error(self, asked: Ask, error: asks.Error, now: float) -> None:
        if error.code == "unknown_round" and isinstance(asked, AskRound):
            self._to_check = [one for one in self._to_check if one != asked.round]
            self.rounds = {key: one for key, one in self.rounds.items() if key != asked.round}
            self._out.append(RoundChecked(self.table, asked.round, None))
        elif error.code in {"epoch_changed", "too_old"} and isinstance(asked, AskHistory):
            if error.code == "too_old":
                self._alarm("too_old", f"messages after {self.seq} are lost here: {error.text}")
                self._must_rejoin = True
            self._mode, self._to_check = Status.NEW_EPOCH, list(self.rounds)
        else:
            self._alarm("ask_refused", f"{error.code}: {error.text}")
            self._question.rest(now + ASK_AGAIN_SECONDS)

    # --- what follows -------------------------------------------------------------------------

    def _follow_up(self, now: float) -> list[Effect]:
        if self._mode in {Status.LIVE, Status.CATCHING_UP}:
            is_behind = self._is_history_due or self._behind > self.seq
            self._mode = Status.CATCHING_UP if is_behind else Status.LIVE
        if self._mode is Status.LIVE and self._is_proven:
            self._is_stale = False
        if self.view is not None:
            self.view = self._shown = with_roads(self.view, since=self._shown)
        due = self._question.due(self._wanted(), now)
        if due is not None:
            self._out.append(Asking(due))
        if self.status is not self._told:
            self._told = self.status
            self._out.append(StatusChanged(self.table, self._told))
        effects, self._out = self._out, []
        return effects

    def _wanted(self) -> Ask | None:
        id_ = self._question.id
        match self._mode:
            case Status.JOINING:
                return AskSnapshot(id=id_, table=self.table)
            case Status.CATCHING_UP if self.epoch is not None:
                after, limit = self.seq, HISTORY_PAGE
                return AskHistory(
                    id=id_, table=self.table, epoch=self.epoch, after=after, limit=limit
                )
            case Status.NEW_EPOCH | Status.LIVE if self._to_check:
                return AskRound(id=id_, table=self.table, round=self._to_check[0])
            case Status.NEW_EPOCH:
                return AskSnapshot(id=id_, table=self.table)
            case _:
                return None

    def _expects(self, environment: str) -> bool:
        if environment == self.environment:
            return True
        self._mode = Status.REFUSED
        self._alarm("environment", f"this is {environment!r}, expected {self.environment!r}")
        return False

    def _break_chain(self, text: str) -> None:
        if "chain_broken" not in self._alarms:
            self._alarm("chain_broken", text)

    def _alarm(self, code: str, text: str) -> None:
        if self._alarms.get(code) != text:
            self._alarms[code] = text
            self._out.append(Alarm(self.table, code, text))
