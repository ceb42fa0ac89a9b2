# SPDX-License-Identifier: Apache-2.0
"""What can be asked of the feed, and the answers: one JSON object each way.

Pure. ``read_ask`` is the one place where bytes from outside become a request or an error; the
same rules serve the public and the staff side.
"""

from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from studio.feed.messages import Signature, Time
from studio.feed.wire import VERSION

T = TypeVar("T")

HISTORY_LIMIT = 500
HISTORY_LIMIT_MOST = 5000


class _Ask(msgspec.Struct, frozen=True, kw_only=True, tag_field="ask"):
    v: int = VERSION
    id: str


class AskTables(_Ask, frozen=True, tag="tables"):
    """Which tables this endpoint serves."""


class AskSnapshot(_Ask, frozen=True, tag="snapshot"):
    """How the table stands at one moment."""

    table: str


class AskHistory(_Ask, frozen=True, tag="history"):
    """The messages after seq ``after``."""

    table: str
    epoch: str
    after: Annotated[int, msgspec.Meta(ge=0)]
    limit: Annotated[int, msgspec.Meta(ge=1)] = HISTORY_LIMIT


class AskRound(_Ask, frozen=True, tag="round"):
    """Every result, amendment and void of a round, of any epoch."""

    table: str
    round: str


class AskAcknowledge(_Ask, frozen=True, tag="acknowledge"):
    """The operator whose key this comes with has applied that revision of a round.

    ``epoch`` is that of its message: if it is given, no other message is meant.
    """

    table: str
    round: str
    revision: Annotated[int, msgspec.Meta(ge=1)]
    epoch: str | None = None


Ask = AskTables | AskSnapshot | AskHistory | AskRound | AskAcknowledge


class _Answer(msgspec.Struct, frozen=True, kw_only=True, tag_field="answer"):
    v: int = VERSION
    id: str | None


class ServedTable(msgspec.Struct, frozen=True):
    """One table of an endpoint; ``pub`` is the endpoint of its messages."""

    table: str
    environment: str
    epoch: str
    pub: str


class Tables(_Answer, frozen=True, tag="tables"):
    """The tables served here."""

    tables: tuple[ServedTable, ...]


class Snapshot(_Answer, frozen=True, tag="snapshot"):
    """The table at one moment: after message ``seq``, with the chain at ``head``.

    ``signature``, here and in ``Round``, is as ``studio.feed.proof`` has it; a table without keys
    has none.
    """

    table: str
    epoch: str
    seq: int
    head: str
    state: Any
    signature: Signature | UnsetType = UNSET


class History(_Answer, frozen=True, tag="history"):
    """Messages in order, each a string of exactly the bytes sent; ``more`` if there are others."""

    table: str
    epoch: str
    payloads: tuple[str, ...]
    more: bool


class Round(_Answer, frozen=True, tag="round"):
    """Results, amendments and voids of a round, in order."""

    table: str
    round: str
    payloads: tuple[str, ...]
    signature: Signature | UnsetType = UNSET


class Acknowledged(_Answer, frozen=True, tag="acknowledged"):
    """It is on record that the operator has this revision: since ``at``, when it first said so."""

    table: str
    round: str
    revision: int
    at: Time


class Error(_Answer, frozen=True, tag="error"):
    """A "no": ``code`` for programs, ``text`` for people. ``id`` is null if none could be read.

    Codes: bad_request, version, unknown_table, unknown_round, epoch_changed (with ``epoch``),
    too_old (with ``oldest``, the first seq still kept). An acknowledgement of what cannot be
    acknowledged is a bad_request; its text says why.
    """

    code: str
    text: str
    epoch: str | UnsetType = UNSET
    oldest: int | UnsetType = UNSET


Answer = Tables | Snapshot | History | Round | Acknowledged | Error

encode = msgspec.json.Encoder().encode
_decode_answer = msgspec.json.Decoder(Answer).decode


class _Loose(msgspec.Struct):
    v: Any = None
    id: Any = None


_decode_loose = msgspec.json.Decoder(_Loose).decode


def error_answer(id_: str | None, code: str, text: str) -> Error:
    """An error without further members."""
    return Error(id=id_, code=code, text=text)


def read_ask(request: bytes, decoder: msgspec.json.Decoder[T]) -> T | Error:
    """The request in a frame, or the error to answer it with. Never raises."""
    id_: str | None = None
    try:
        loose = _decode_loose(request)
        id_ = loose.id if isinstance(loose.id, str) else None
        if loose.v is None:
            return error_answer(id_, "bad_request", f'no version: send "v":{VERSION}')
        if type(loose.v) is int and loose.v != VERSION:
            return error_answer(
                id_, "version", f"version {loose.v} is not spoken here; send {VERSION}"
            )
        return decoder.decode(request)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        return error_answer(id_, "bad_request", f"not a request: {error}")


def read_answer(answer: bytes) -> Answer:
    """Read an answer; raises ValueError if it is none."""
    try:
        read = _decode_answer(answer)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(f"not an answer of the feed: {error}") from error
    if read.v != VERSION:
        raise ValueError(f"answer of version {read.v}, expected {VERSION}")
    return read
