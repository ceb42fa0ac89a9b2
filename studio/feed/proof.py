# SPDX-License-Identifier: Apache-2.0
"""The studio's signature in an answer, so that it can be believed through any relay.

A snapshot and a round's results cannot be proven by the chain, so that they are signed, over lines
as a heartbeat is (``studio.feed.signing``). Of a snapshot: ``sabot snapshot 1``, the request's
``id``, table, epoch, seq, head, and the SHA-256 of the bytes of ``state`` as they stand in the
answer, in hex. Of a round: ``sabot round 1``, ``id``, table, round, and the SHA-256 of its payloads
with line feeds between. The ``id`` makes a recorded answer worthless to whoever chooses a new one
each time; one with a line feed in it gets no signature. History needs none: its payloads must fit
the head of the next signed heartbeat.

Pure.
"""

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256

import msgspec
from msgspec import UNSET
from msgspec.structs import replace
from nacl.exceptions import BadSignatureError
from nacl.signing import VerifyKey

from studio.feed.asks import Answer, Round, Snapshot
from studio.feed.messages import Signature
from studio.feed.signing import ALGORITHM

Sign = Callable[[bytes], Signature]

_encode = msgspec.json.Encoder().encode


class _Exact(msgspec.Struct):
    state: msgspec.Raw


_exact = msgspec.json.Decoder(_Exact).decode


def signed(answer: Answer, sign: Sign) -> Answer:
    """The answer with the studio's signature, if it is one of those that have it."""
    if answer.id is None or "\n" in answer.id:
        return answer
    match answer:
        case Snapshot():
            state = msgspec.Raw(_encode(answer.state))
            text = _snapshot_text(answer, bytes(state))
            return replace(answer, state=state, signature=sign(text))
        case Round():
            return replace(answer, signature=sign(_round_text(answer)))
        case _:
            return answer


def fault_of(answer: Snapshot | Round, frame: bytes, keys: Sequence[bytes]) -> str | None:
    """Why an answer, which came in this frame, is not the studio's; None if it is.

    ``keys`` are its public keys; of several each is good.
    """
    known: Mapping[str, bytes] = {key.hex(): key for key in keys}
    what = "a snapshot" if isinstance(answer, Snapshot) else "a round's results"
    signature = answer.signature
    if signature is UNSET or not isinstance(signature, Signature):
        return f"{what} without a signature: whoever sent it is not the studio"
    key = known.get(signature.key)
    if key is None or signature.algorithm != ALGORITHM:
        return f"{what} signed with another key, {signature.key[:16]}: not the studio's"
    try:
        if isinstance(answer, Snapshot):
            text = _snapshot_text(answer, bytes(_exact(frame).state))
        else:
            text = _round_text(answer)
        VerifyKey(key).verify(text, bytes.fromhex(signature.value))
    except (BadSignatureError, ValueError):
        return f"{what} with a wrong signature: it was changed on the way, or forged"
    return None


def _snapshot_text(answer: Snapshot, state: bytes) -> bytes:
    about = (answer.table, answer.epoch, str(answer.seq), answer.head)
    return _lines("sabot snapshot 1", answer.id or "", *about, sha256(state).hexdigest())


def _round_text(answer: Round) -> bytes:
    hashed = sha256("\n".join(answer.payloads).encode()).hexdigest()
    return _lines("sabot round 1", answer.id or "", answer.table, answer.round, hashed)


def _lines(*lines: str) -> bytes:
    return "\n".join(lines).encode()
