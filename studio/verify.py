# SPDX-License-Identifier: Apache-2.0
"""Checks a record from end to end: numbers, both chains, what was sent, and every result.

Each row is hashed again, its public message is made again from its event, and the events are
folded again; every card must have the position and every result the cards, totals and profits
that tableau and paytable give. The report tables, and the states saved for a start, must say what
the events say. It trusts nothing that is stored but the events themselves, and those only as far
as the chain holds.
"""

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec

from studio.feed.wire import public_payload
from studio.game import events as ev
from studio.game.bets import pairs_of, settle
from studio.game.cards import total_of
from studio.game.events import Recorded
from studio.game.evolve import IllegalTransition, evolve
from studio.game.holds import judgement_of
from studio.game.state import TableState
from studio.game.tableau import is_natural, next_position, outcome_of
from studio.heads import Comparison, HeadsCompared
from studio.saved import saved_state
from studio.store.chain import GENESIS, Row, Undecodable, next_head, recorded_of, row_hash
from studio.store.history import History
from studio.store.retold import Retold

MOST_FINDINGS = 100
_PROGRESS_EVERY = 5_000


class Finding(msgspec.Struct, frozen=True):
    """One thing that is wrong, and where; ``seq`` 0: not with one event."""

    epoch: str
    seq: int
    text: str


class EpochWalked(msgspec.Struct, frozen=True):
    """One epoch: its numbers and the ends of its chains; ``begun`` is its first event, if told."""

    epoch: str
    events: int
    messages: int
    head: str
    hash: str
    begun: ev.EpochBegun | None = None


class VerifyReport(msgspec.Struct, frozen=True):
    """What was walked and what was found; ``head`` and ``hash`` are the ends of the chains."""

    table: str
    epochs: int
    events: int
    messages: int
    rounds: int
    head: str
    hash: str
    findings: tuple[Finding, ...]
    walked: tuple[EpochWalked, ...] = ()
    heads: HeadsCompared | None = None

    @property
    def is_sound(self) -> bool:
        """Whether nothing was found."""
        return not self.findings


class _Ends(NamedTuple):
    """Where the two chains of an epoch stand."""

    seq: int = 0
    public_seq: int = 0
    hash: bytes = GENESIS
    head: bytes = GENESIS


class _Walk:
    """A record on its way through the checks."""

    def __init__(self, table: str, heads: Path | None) -> None:
        self.table = table
        self.state = TableState()
        self.ends = _Ends()
        self.events = self.messages = self.rounds = 0
        self.findings: list[Finding] = []
        self.is_folding = True
        self.is_unreadable = False
        self.walked: list[EpochWalked] = []
        self.begun: ev.EpochBegun | None = None
        self.retold = Retold(table)
        self.heads = None if heads is None else Comparison(heads, table, self.found)
        self.saved_at: frozenset[int] = frozenset()
        self.saved: Callable[[int], bytes] = lambda _seq: b""

    def found(self, epoch: str, seq: int, text: str) -> None:
        if len(self.findings) < MOST_FINDINGS:
            self.findings.append(Finding(epoch, seq, text))

    def epoch(self, epoch: str, saved_at: Iterable[int], saved: Callable[[int], bytes]) -> None:
        """The next epoch begins; both chains begin anew. There are states that were saved in it."""
        self.ends, self.begun = _Ends(), None
        self.saved_at, self.saved = frozenset(saved_at), saved
        self.walked.append(self._epoch_walked(epoch))

    def epoch_is_over(self, epoch: str) -> None:
        """All that is on record of the epoch was walked."""
        self.walked[-1] = self._epoch_walked(epoch)
        if self.heads is not None:
            self.heads.is_over(epoch)
        if len(self.walked) > 1 and self.begun is None and self.walked[-2].events:
            self.found(epoch, 0, "the epoch does not begin with where the one before it ended")

    def _epoch_walked(self, epoch: str) -> EpochWalked:
        ends = self.ends
        head, hashed = ends.head.hex(), ends.hash.hex()
        return EpochWalked(epoch, ends.seq, ends.public_seq, head, hashed, self.begun)

    def _begin(self, epoch: str, seq: int, event: ev.EpochBegun) -> None:
        """An epoch says where the one before it ended: rows cut off there would be missed."""
        if seq != 1 or len(self.walked) < 2:
            self.found(epoch, seq, "an epoch that is no new one begins here")
            return
        self.begun, last = event, self.walked[-2]
        told = (event.from_epoch, event.from_seq, event.from_hash)
        public = (event.from_public_seq, event.from_head)
        if told + public != (last.epoch, last.events, last.hash, last.messages, last.head):
            self.found(epoch, seq, f"the epoch before did not end at event {last.events} as it is")

    def row(self, epoch: str, row: Row) -> None:
        """Check one row; the walk goes on from what is stored, so that each fault shows once."""
        ends = self.ends
        self.events += 1
        if not _is_of_its_kinds(row):
            # what follows cannot be judged by such a row; its hash, if it has one, goes on
            stored: object = row.seq
            seq = stored if isinstance(stored, int) else ends.seq + 1
            self.found(epoch, seq, "a column holds another kind of value than it was given")
            self.ends = ends._replace(seq=seq)
            hashed: object = row.hash
            if isinstance(hashed, bytes):
                self.ends = self.ends._replace(hash=hashed)
            return
        if row.seq != ends.seq + 1:
            self.found(epoch, row.seq, f"event {ends.seq + 1} is due here: rows are missing")
        elif row_hash(ends.hash, self.table, epoch, row) != row.hash:
            self.found(epoch, row.seq, "the row is not what was written, or one before it is not")
        public_seq, head = ends.public_seq, ends.head
        if row.payload is not None:
            self._message(epoch, row, row.payload)
            public_seq, head = row.public_seq or 0, row.head or b""
        self.ends = _Ends(row.seq, public_seq, row.hash, head)
        if self.heads is not None:
            self.heads.passed(epoch, *self.ends)
        try:
            recorded = recorded_of(row)
        except (Undecodable, ValueError, KeyError) as fault:
            self.found(epoch, row.seq, f"the event cannot be read: {fault}")
            self.is_unreadable = True
            return
        self.retold.tell(recorded, epoch, row.at)
        self._event(epoch, row, recorded)

    def _message(self, epoch: str, row: Row, payload: bytes) -> None:
        self.messages += 1
        if row.public_seq != self.ends.public_seq + 1:
            text = f"public message {self.ends.public_seq + 1} is due here"
            self.found(epoch, row.seq, text)
        elif next_head(self.ends.head, payload) != row.head:
            self.found(epoch, row.seq, "the public head does not follow from the messages sent")

    def _event(self, epoch: str, row: Row, recorded: Recorded) -> None:
        event = recorded.event
        if row.type != event.__struct_config__.tag:
            self.found(epoch, row.seq, f"the row says {row.type}, the event is another")
        made = None
        if event.PUBLIC is not None:
            made = public_payload(self.table, epoch, recorded) if recorded.public_seq else None
        if made != row.payload:
            self.found(epoch, row.seq, "what was sent is not what the event says")
        if isinstance(event, ev.EpochBegun):
            self._begin(epoch, row.seq, event)
        if not self.is_folding:
            return
        try:
            faults = faults_of(self.state, event)
        except ValueError as fault:
            faults = [f"the tableau deals no such coup: {fault}"]
        for text in faults:
            self.found(epoch, row.seq, text)
        if isinstance(event, ev.RoundClosed):
            self.rounds += 1
        try:
            self.state = evolve(self.state, recorded)
        except (IllegalTransition, AssertionError) as fault:
            self.found(
                epoch, row.seq, f"cannot follow here: {fault}; rounds are checked no further"
            )
            self.is_folding = False
            return
        if row.seq in self.saved_at:
            # as long as a shoe is one of them: each is read when it is due
            saved = saved_state(self.saved(row.seq))
            if saved not in (None, self.state):
                text = "the state saved here, with which a service may start, is another"
                self.found(epoch, row.seq, text)


_TEXT: tuple[type, ...] = (str, type(None))
_BYTES: tuple[type, ...] = (bytes, type(None))
_KINDS: tuple[type | tuple[type, ...], ...] = (
    int,
    int,
    str,
    str,
    str,
    _TEXT,
    _TEXT,
    bytes,
    bytes,
    (int, type(None)),
    _BYTES,
    _BYTES,
)


def _is_of_its_kinds(row: tuple[object, ...]) -> bool:
    """Whether a tampering hand left the kinds of the columns as they were."""
    return all(isinstance(one, kind) for one, kind in zip(row, _KINDS, strict=True))


def faults_of(state: TableState, event: ev.Event) -> list[str]:
    """What a card or a result says that tableau and paytable do not give in this state."""
    match event:
        case ev.CardDealt() if state.kept:
            return _announcing(state.kept[0], event)
        case ev.CardDealt() | ev.CardKept():
            return _placing(state, event)
        case ev.RoundReconstructed():
            judgement = judgement_of(state)
            if (event.player, event.banker) == (judgement.player, judgement.banker):
                return []
            return ["the hands are not those that the coup's cards give"]
        case ev.FreeCoupEnded() if event.outcome is not None:
            if next_position(event.player, event.banker) is not None:
                return ["the coup without bets is not complete by the tableau"]
            is_due = event.outcome is outcome_of(event.player, event.banker)
            return [] if is_due else ["the result is not the one that its cards give"]
        case ev.ResultConfirmed():
            faults = _result(state, event)
            if (event.player, event.banker) != (state.player, state.banker):
                faults.append("the result names other cards than were dealt")
            return faults
        case ev.ResultAmended():
            return _result(state, event)
        case _:
            return []


def _announcing(kept: ev.CardKept, event: ev.CardDealt) -> list[str]:
    """What waited for the end of a guard or of a hold is announced as it was kept."""
    if (event.position, event.card) == (kept.position, kept.card):
        return []
    told, due = (
        f"{event.position.value} {event.card.value}",
        f"{kept.position.value} {kept.card.value}",
    )
    return [f"{told} is announced, {due} was kept"]


def _placing(state: TableState, event: ev.CardDealt | ev.CardKept) -> list[str]:
    due = next_position(state.player, state.banker)
    if event.position is due:
        return []
    return [f"card {event.card.value} was given {event.position.value}, the tableau says {due}"]


def _result(state: TableState, event: ev.ResultConfirmed | ev.ResultAmended) -> list[str]:
    player, banker = event.player, event.banker
    if next_position(player, banker) is not None:
        return ["the result is of a coup that is not complete by the tableau"]
    told = (event.outcome, event.player_total, event.banker_total, event.natural, event.pairs)
    due = (
        outcome_of(player, banker),
        total_of(player),
        total_of(banker),
        is_natural(player, banker),
        pairs_of(player, banker),
    )
    faults = [] if told == due else ["the result is not the one that its cards give"]
    house = state.house
    if isinstance(event, ev.ResultAmended):
        house = state.ruled_by.get(event.round, house)
    if house is not None and event.bets != settle(house, player, banker):
        faults.append("the profits are not those of the paytable")
    return faults


def _walk(walk: _Walk, history: History, epoch: str, progress: Callable[[int], None]) -> None:
    for row in history.rows(epoch, walk.ends.seq):
        walk.row(epoch, row)
        if walk.events % _PROGRESS_EVERY == 0:
            progress(walk.events)


def verify(
    url: str,
    table: str,
    progress: Callable[[int], None] = lambda _events: None,
    heads: Path | None = None,
) -> VerifyReport:
    """Walk the whole record of a table. ``progress`` hears the number of events now and then.

    ``heads`` is a file in which the service kept heads. Raises ``StoreFailed`` if the record
    cannot be opened or read, ``OSError`` if that file cannot.
    """
    walk = _Walk(table, heads)
    with History.open(url, table) as history:
        epochs = history.epochs()
        for epoch in epochs:
            saved_at = history.last_saved(epoch)
            walk.epoch(epoch, saved_at, partial(history.saved, epoch))
            _walk(walk, history, epoch, progress)
            if epoch != epochs[-1]:
                walk.epoch_is_over(epoch)
        with history.still():
            # what was written meanwhile, so that journal and reports are of one moment
            if epochs:
                _walk(walk, history, epochs[-1], progress)
                walk.epoch_is_over(epochs[-1])
            for epoch in epochs:
                for below in history.below(epoch):
                    walk.found(epoch, below, "an event before the first of all was put in")
            for stray in history.strays():
                walk.found(stray, 0, "this epoch is not one of the table's")
            if not walk.is_unreadable:
                for different in walk.retold.differences(history):
                    walk.found(*different)
    progress(walk.events)
    compared = None
    if walk.heads is not None:
        walk.heads.is_over()
        compared = walk.heads.compared()
    return VerifyReport(
        table=table,
        epochs=len(epochs),
        events=walk.events,
        messages=walk.messages,
        rounds=walk.rounds,
        head=walk.ends.head.hex(),
        hash=walk.ends.hash.hex(),
        findings=tuple(walk.findings),
        walked=tuple(walk.walked),
        heads=compared,
    )
