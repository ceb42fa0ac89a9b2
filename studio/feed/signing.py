# SPDX-License-Identifier: Apache-2.0
"""The studio's signature in a heartbeat: how it is made, and how a subscriber judges it.

Signed (Ed25519) are seven lines of UTF-8, with line feeds between: ``sabot heartbeat 1``, table,
epoch, seq as a decimal number, head in hex, the heartbeat's ``at`` as it stands in the payload,
and ``suspended`` or an empty line. The time is among them so that a relay cannot hold messages back
and keep the table looking alive, the suspension so that it cannot be taken away. ``head`` covers
every message before it, byte for byte.

Pure: it knows neither sockets nor clocks.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec
from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey

from studio.feed.messages import Signature

ALGORITHM = "ed25519"
KEY_BYTES = 32
# Between the studio's clock and that of a front-end; an older heartbeat is a recording.
MOST_APART = timedelta(seconds=60)
_FRESH_SECONDS = 3.0


def signed_text(
    table: str, epoch: str, seq: int, head: str, at: str, suspended: str | None
) -> bytes:
    """What is signed of a heartbeat."""
    lines = ("sabot heartbeat 1", table, epoch, str(seq), head, at, suspended or "")
    return "\n".join(lines).encode()


class Signer:
    """The table's own hand: a secret key of 32 bytes."""

    def __init__(self, secret: bytes) -> None:
        self._key = SigningKey(secret)
        self.public = bytes(self._key.verify_key)

    def sign(self, text: bytes) -> Signature:
        """The signature of ``signed_text``."""
        value = self._key.sign(text).signature
        return Signature(algorithm=ALGORITHM, key=self.public.hex(), value=value.hex())


def new_secret() -> bytes:
    """A secret key for a ``Signer``, from the system's source of chance."""
    return bytes(SigningKey.generate())


class Genuine:
    """What is known to come from the studio, by its signatures alone; one for each table.

    ``keys`` are the studio's public keys; of several, as while one takes another's place, each is
    good. A heartbeat is believed once: what is not later than the last one is a replay.
    """

    def __init__(self, keys: Sequence[bytes]) -> None:
        self._keys = {key.hex(): VerifyKey(key) for key in keys}
        self._at: datetime | None = None
        self._heard = float("-inf")
        self._doubted: datetime | None = None
        self.epoch = ""
        self.seq = 0

    def fault_of(
        self,
        signature: Signature | None,
        text: bytes,
        about: tuple[str, int, datetime],
        wall: datetime,
        now: float,
    ) -> str | None:
        """Why a heartbeat about (epoch, seq, at) is not to be believed; None if it is.

        An empty reason: one that was believed before, which is no cause for an alarm.
        """
        epoch, seq, at = about
        if signature is None:
            return "a heartbeat without a signature: whoever sent it is not the studio"
        key = self._keys.get(signature.key)
        if key is None or signature.algorithm != ALGORITHM:
            return f"a heartbeat signed with another key, {signature.key[:16]}: not the studio's"
        try:
            key.verify(text, bytes.fromhex(signature.value))
        except (BadSignatureError, ValueError):
            return "a heartbeat with a wrong signature: it was changed on the way, or forged"
        if abs(wall - at) > MOST_APART:
            return (
                f"a heartbeat of {at:%Y-%m-%d %H:%M:%S} UTC, and it is {wall:%Y-%m-%d %H:%M:%S} "
                "here: it is a recording, or the clock of this machine or of the studio is wrong"
            )
        if self._at is not None and at <= self._at:
            return ""
        self._at, self._heard = at, now
        self.epoch, self.seq = epoch, seq
        return None

    def believes(self, at: datetime, now: float) -> bool:
        """Whether to go by a message of that time: only while the studio itself was heard lately.

        One that is not believed may be true all the same, and may have ended the bets.
        """
        if now - self._heard < _FRESH_SECONDS:
            return True
        self._doubted = at if self._doubted is None else max(at, self._doubted)
        return False

    def is_fresh(self, now: float) -> bool:
        """Whether the studio itself was heard lately, and of all that was not believed by then."""
        is_past_doubt = self._doubted is None or (
            self._at is not None and self._at >= self._doubted
        )
        return is_past_doubt and now - self._heard < _FRESH_SECONDS


def is_key(text: str) -> bool:
    """Whether a text is a public key of 32 bytes in hex."""
    return len(text) == 2 * KEY_BYTES and text.isascii() and _bytes_of(text) is not None


def _bytes_of(text: str) -> bytes | None:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return None


def heartbeat_text(payload: bytes) -> bytes:
    """``signed_text`` of a heartbeat as it was received. Raises ValueError for what is none."""
    try:
        read = _read(payload)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ValueError(f"not a heartbeat: {error}") from error
    return signed_text(
        read.table, read.epoch, read.seq, read.data.head, read.at, read.data.suspended
    )


class _Data(msgspec.Struct):
    head: str
    suspended: str | None


class _Beat(msgspec.Struct):
    table: str
    epoch: str
    seq: int
    at: str
    data: _Data


_read = msgspec.json.Decoder(_Beat).decode
