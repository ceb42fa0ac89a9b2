# SPDX-License-Identifier: Apache-2.0
"""How staff requests are asked and answered; same envelope as the public ones.

=============================================== ================================================
ask                                             answer
=============================================== ================================================
``{"v":1,"id":"a","ask":"staff_snapshot",       ``snapshot``: ``table``, ``epoch``, ``seq`` (of
"table":"BAC-1"}``                              the staff feed), ``state`` (what a console draws)
``{"v":1,"id":"b","ask":"command",              ``accepted``: ``events``, the types of what
"table":"BAC-1","command":{"command":           happened, in order, and ``seq`` of the last; or
"open_bets","by":"s-001"}}``                    ``refused``: ``code`` and ``text``
anything else                                   ``error`` as on the public side
=============================================== ================================================

Pure: what it needs of the table is handed in. A refusal is a value with a reason and changes
nothing; an error says that the request could not be understood.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from studio.feed import asks
from studio.feed.asks import Error
from studio.feed.wire import VERSION, type_of
from studio.game.events import Recorded
from studio.game.inputs import Command, Refusal


class AskStaffSnapshot(msgspec.Struct, frozen=True, tag_field="ask", tag="staff_snapshot"):
    """Ask for the picture of the table that a console draws."""

    v: int
    id: str
    table: str


class AskCommand(msgspec.Struct, frozen=True, tag_field="ask", tag="command"):
    """Ask the table to do something; ``command`` is one of the table's commands."""

    v: int
    id: str
    table: str
    command: Command


StaffAsk = AskStaffSnapshot | AskCommand


class StaffSnapshot(msgspec.Struct, frozen=True, tag_field="answer", tag="snapshot"):
    """The picture of the table after staff message ``seq``."""

    id: str
    table: str
    epoch: str
    seq: int
    state: Any


class Accepted(msgspec.Struct, frozen=True, tag_field="answer", tag="accepted"):
    """The command was carried out: what happened is stored and on air."""

    id: str
    events: tuple[str, ...]
    seq: int


class Refused(msgspec.Struct, frozen=True, tag_field="answer", tag="refused"):
    """The command was not carried out, and nothing changed."""

    id: str
    code: str
    text: str


StaffAnswer = StaffSnapshot | Accepted | Refused | Error


class StaffView(msgspec.Struct, frozen=True):
    """The staff side of a table after staff message ``seq``; ``state`` encodes to JSON."""

    table: str
    epoch: str
    seq: int
    state: Any


_decoder: msgspec.json.Decoder[StaffAsk] = msgspec.json.Decoder(StaffAsk)
_answer_decoder = msgspec.json.Decoder(StaffAnswer)
_encode = msgspec.json.Encoder().encode


def answer_staff(
    request: bytes,
    current: Callable[[], StaffView],
    command: Callable[[Command], tuple[Recorded, ...] | Refusal],
) -> bytes:
    """The answer to one staff request frame, a bad one included."""
    ask = asks.read_ask(request, _decoder)
    if isinstance(ask, Error):
        return _encode(ask)
    view = current()
    if ask.table != view.table:
        text = f"table {ask.table!r} is not served here; this is {view.table}"
        return _encode(asks.error_answer(ask.id, "unknown_table", text))
    if isinstance(ask, AskStaffSnapshot):
        return _encode(StaffSnapshot(ask.id, view.table, view.epoch, view.seq, view.state))
    decided = command(ask.command)
    if isinstance(decided, Refusal):
        return _encode(Refused(ask.id, decided.code, decided.text))
    types = tuple(type_of(recorded.event) for recorded in decided)
    seq = decided[-1].seq if decided else current().seq
    return _encode(Accepted(ask.id, types, seq))


def command_frame(id_: str, table: str, command: Command) -> bytes:
    """The request frame that asks for a command."""
    return _encode(AskCommand(VERSION, id_, table, command))


def snapshot_frame(id_: str, table: str) -> bytes:
    """The request frame that asks for the staff snapshot."""
    return _encode(AskStaffSnapshot(VERSION, id_, table))


def read_staff_answer(answer: bytes) -> StaffAnswer:
    """Read an answer; raises ValueError if it is none."""
    try:
        return _answer_decoder.decode(answer)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise ValueError(f"not an answer of the staff feed: {error}") from error
