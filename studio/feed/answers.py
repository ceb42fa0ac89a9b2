# SPDX-License-Identifier: Apache-2.0
"""How public requests are answered, from one immutable view and the stored messages.

Pure: what it needs of the table and of the record is handed in. All members of an answer that
must belong together come from one ``PublicView``, which the table swaps as a whole; the record
holds every message of that view, and perhaps some more, stored and about to be sent.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Protocol, assert_never

import msgspec

from studio.feed import asks, wire
from studio.feed.acknowledgements import Correction, correction_of
from studio.feed.asks import (
    Answer,
    AskAcknowledge,
    AskHistory,
    AskRound,
    AskSnapshot,
    AskTables,
    Error,
)
from studio.feed.proof import Sign, signed

NO_OPERATORS = (
    "this table asks for no keys, so that nobody can tell one operator from another: here nothing "
    "is acknowledged, and nothing waits for it"
)
_LARGEST_SEQ = 2**62
_LONGEST_ROUND_ID = 200

_decoder: msgspec.json.Decoder[asks.Ask] = msgspec.json.Decoder(asks.Ask)


class PublicView(msgspec.Struct, frozen=True, kw_only=True):
    """The public side of a table after message ``seq``.

    ``head`` is the chain there, in hex; ``state`` the snapshot as anything that encodes to JSON;
    ``round`` the round under way; ``pub`` the endpoint on which its messages are sent.
    """

    table: str
    environment: str
    epoch: str
    seq: int
    head: str
    state: Any
    round: str | None
    pub: str


class PublicHistory(Protocol):
    """The stored public messages of a table. Used by the thread that answers."""

    def payloads(self, epoch: str, after: int, limit: int) -> Sequence[tuple[int, bytes]]:
        """Up to ``limit`` messages with a seq above ``after``, in order, with their seq."""
        ...

    def round_payloads(self, round_id: str) -> Sequence[bytes]:
        """Every result, amendment and void of a round, of any epoch, in order."""
        ...


# Takes the asker's word for a correction: gives when it was first given, or says why it is not.
Confirm = Callable[[Correction], datetime | str]


def no_operators(_correction: Correction) -> str:
    """Where nobody has a key."""
    return NO_OPERATORS


def answer(
    request: bytes,
    current: Callable[[], PublicView],
    history: PublicHistory,
    confirm: Confirm = no_operators,
    *,
    sign: Sign | None = None,
) -> bytes:
    """The answer to one request frame, a bad one included.

    Raises only what ``history`` and ``confirm`` raise: what could not be kept is not answered.
    """
    ask = asks.read_ask(request, _decoder)
    if isinstance(ask, Error):
        return asks.encode(ask)
    made = _answer(ask, current(), history, confirm)
    return asks.encode(made if sign is None else signed(made, sign))


def _answer(ask: asks.Ask, view: PublicView, history: PublicHistory, confirm: Confirm) -> Answer:
    if isinstance(ask, AskTables):
        served = asks.ServedTable(view.table, view.environment, view.epoch, view.pub)
        return asks.Tables(id=ask.id, tables=(served,))
    if ask.table != view.table:
        text = f"table {ask.table!r} is not served here; ask for the tables"
        return asks.error_answer(ask.id, "unknown_table", text)
    match ask:
        case AskSnapshot():
            return asks.Snapshot(
                id=ask.id,
                table=view.table,
                epoch=view.epoch,
                seq=view.seq,
                head=view.head,
                state=view.state,
            )
        case AskHistory():
            return _history(ask, view, history)
        case AskRound():
            return _round(ask, view, history)
        case AskAcknowledge():
            return _acknowledge(ask, view, history, confirm)
        case _:
            assert_never(ask)


def _history(ask: AskHistory, view: PublicView, history: PublicHistory) -> Answer:
    if ask.epoch != view.epoch:
        text = "another epoch is in force: ask for each round not settled, then join again"
        return Error(id=ask.id, code="epoch_changed", text=text, epoch=view.epoch)
    limit = min(ask.limit, asks.HISTORY_LIMIT_MOST)
    after = min(ask.after, _LARGEST_SEQ)
    rows = history.payloads(view.epoch, after, limit + 1)
    oldest = rows[0][0] if rows else max(view.seq, after) + 1
    if oldest > after + 1:
        text = f"messages before {oldest} are no longer kept; take a snapshot"
        return Error(id=ask.id, code="too_old", text=text, oldest=oldest)
    return asks.History(
        id=ask.id,
        table=view.table,
        epoch=view.epoch,
        payloads=tuple(payload.decode() for _, payload in rows[:limit]),
        more=len(rows) > limit,
    )


def _round(ask: AskRound, view: PublicView, history: PublicHistory) -> Answer:
    payloads = _payloads(ask.round, history)
    if not payloads and ask.round != view.round:
        return _unknown_round(ask)
    return asks.Round(
        id=ask.id,
        table=view.table,
        round=ask.round,
        payloads=tuple(payload.decode() for payload in payloads),
    )


def _acknowledge(
    ask: AskAcknowledge, view: PublicView, history: PublicHistory, confirm: Confirm
) -> Answer:
    messages = [wire.decode(payload) for payload in _payloads(ask.round, history)]
    if not messages and ask.round != view.round:
        return _unknown_round(ask)
    corrections = [one for one in map(correction_of, messages) if one is not None]
    named = [one for one in corrections if one.revision == ask.revision]
    if not named:
        last = max((one.revision for one in corrections), default=len(messages))
        return asks.error_answer(ask.id, "bad_request", _why_not(ask.revision, last))
    found = next((one for one in named if ask.epoch in (None, one.epoch)), None)
    if found is None:
        text = "this revision is of another epoch than the one named: ask for the round again"
        return Error(id=ask.id, code="epoch_changed", text=text, epoch=named[-1].epoch)
    at = confirm(found)
    if isinstance(at, str):
        return asks.error_answer(ask.id, "bad_request", at)
    return asks.Acknowledged(
        id=ask.id, table=view.table, round=found.round, revision=found.revision, at=at
    )


def _why_not(revision: int, last: int) -> str:
    if revision <= last:
        return f"revision {revision} is the first result, which nobody has to acknowledge"
    return f"there is no revision {revision} of this round; the last one is {last}"


def _payloads(round_id: str, history: PublicHistory) -> Sequence[bytes]:
    return history.round_payloads(round_id) if _may_be_a_round(round_id) else ()


def _unknown_round(ask: AskRound | AskAcknowledge) -> Error:
    text = f"no round {ask.round[:_LONGEST_ROUND_ID]!r} is known here"
    return asks.error_answer(ask.id, "unknown_round", text)


def _may_be_a_round(round_id: str) -> bool:
    """Ids are short and printable; anything else need not trouble the database."""
    return len(round_id) <= _LONGEST_ROUND_ID and round_id.isprintable()
