# SPDX-License-Identifier: Apache-2.0
"""What consoles and tools ask of the staff endpoint, and how it is answered.

A request is one JSON object, as on the public side:

``{"v":1,"id":"a","ask":"command","table":"BAC-1","command":{"command":"close_bets","by":"s-1"}}``
is answered by ``"answer":"accepted"`` with the types of the events that followed and the seq of
the last one, or by ``"answer":"refused"`` with ``code`` and ``text``: the table's own "no".
``"ask":"snapshot"`` is answered by ``"answer":"snapshot"`` with the staff state. Anything else is
an error, as on the public side: ``bad_request``, ``version`` or ``unknown_table``.

Pure: what the table says is handed in.
"""

from collections.abc import Callable
from typing import Any, assert_never

import msgspec

from studio.feed import asks
from studio.feed.wire import VERSION
from studio.game.inputs import Command, Refusal


class AskCommand(msgspec.Struct, frozen=True, kw_only=True, tag_field="ask", tag="command"):
    """Do this at the table."""

    v: int = VERSION
    id: str
    table: str
    command: Command


class AskStaffSnapshot(msgspec.Struct, frozen=True, kw_only=True, tag_field="ask", tag="snapshot"):
    """How the table stands, for staff."""

    v: int = VERSION
    id: str
    table: str


StaffAsk = AskCommand | AskStaffSnapshot


class _StaffAnswer(msgspec.Struct, frozen=True, kw_only=True, tag_field="answer"):
    v: int = VERSION
    id: str | None


class Acceptance(_StaffAnswer, frozen=True, tag="accepted"):
    """The command was carried out: ``events`` followed, the last at ``seq`` of the journal."""

    events: tuple[str, ...]
    seq: int


class RefusalAnswer(_StaffAnswer, frozen=True, tag="refused"):
    """The table said no, and why."""

    code: str
    text: str


class StaffSnapshot(_StaffAnswer, frozen=True, tag="snapshot"):
    """The table for staff, after event ``seq`` of ``epoch``."""

    table: str
    epoch: str
    seq: int
    state: Any


class StaffError(_StaffAnswer, frozen=True, tag="error"):
    """The request could not be understood; codes as on the public side."""

    code: str
    text: str


StaffAnswer = Acceptance | RefusalAnswer | StaffSnapshot | StaffError

_decoder: msgspec.json.Decoder[StaffAsk] = msgspec.json.Decoder(StaffAsk)
_decode_answer = msgspec.json.Decoder(StaffAnswer).decode


class StaffView(msgspec.Struct, frozen=True, kw_only=True):
    """The staff side of a table after event ``seq``; ``state`` is anything that encodes to JSON."""

    table: str
    epoch: str
    seq: int
    state: Any


class Done(msgspec.Struct, frozen=True):
    """A command that the table carried out: the types of the events, the seq of the last."""

    events: tuple[str, ...]
    seq: int


def answer(
    request: bytes,
    current: Callable[[], StaffView],
    command: Callable[[Command], Done | Refusal],
) -> bytes:
    """The answer to one staff request; ``command`` hands a command to the table and waits."""
    ask = asks.read_ask(request, _decoder)
    return asks.encode(ask if isinstance(ask, asks.Error) else _answer(ask, current(), command))


def _answer(
    ask: StaffAsk, view: StaffView, command: Callable[[Command], Done | Refusal]
) -> StaffAnswer | asks.Error:
    if ask.table != view.table:
        text = f"table {ask.table!r} is not served here; this is {view.table}"
        return asks.error_answer(ask.id, "unknown_table", text)
    match ask:
        case AskCommand():
            done = command(ask.command)
            if isinstance(done, Refusal):
                return RefusalAnswer(id=ask.id, code=done.code, text=done.text)
            return Acceptance(id=ask.id, events=done.events, seq=done.seq)
        case AskStaffSnapshot():
            return StaffSnapshot(
                id=ask.id, table=view.table, epoch=view.epoch, seq=view.seq, state=view.state
            )
        case _:
            assert_never(ask)


def read_answer(frame: bytes) -> StaffAnswer:
    """Read an answer of the staff endpoint; raises ValueError if it is none."""
    try:
        return _decode_answer(frame)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise ValueError(f"not an answer of the staff endpoint: {error}") from error
