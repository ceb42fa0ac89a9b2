# SPDX-License-Identifier: Apache-2.0
"""The second person's word: one badge and one PIN, for exactly one command, once (MAN-5).

An approval is bound to the table, the round, the cards as they were shown and the command with
all that it says. It is kept in the memory of the table's service alone: a restart ends it.
"""

import threading
from datetime import datetime
from hashlib import sha256

import msgspec

from studio.game.inputs import Command
from studio.staff.permissions import tag_of
from studio.staff.sessions import hash_of

_MOST_WAITING = 100
_encode = msgspec.json.Encoder(order="deterministic").encode


class Bound(msgspec.Struct, frozen=True):
    """What an approval is for, given by ``asker``; ``proposal`` and ``shown`` are hashes."""

    table: str
    round: str | None
    asker: str
    command: str
    proposal: str
    shown: str


class Approval(msgspec.Struct, frozen=True):
    """Somebody's word for ``bound``, to be redeemed once with ``token`` before ``expires``."""

    token: str
    second: str
    bound: Bound
    expires: datetime

    def __repr__(self) -> str:
        """Without the token, which must be in no log."""
        return f"Approval(by {self.second}, {self.bound.command})"


def fingerprint(value: object) -> str:
    """SHA-256, in hex, of any value of ours: equal for equal values, in every process."""
    return sha256(_encode(value)).hexdigest()


def bound_to(table: str, round_id: str | None, command: Command, shown: object) -> Bound:
    """What an approval of this command is bound to, all of its members included.

    ``shown`` is what the second person looks at: the hold with its cards, proposals and evidence.
    """
    return Bound(
        table, round_id, command.by, tag_of(command), fingerprint(command), fingerprint(shown)
    )


class Approvals:
    """Those that wait to be redeemed. Any thread may use it."""

    def __init__(self) -> None:
        self._waiting: dict[bytes, Approval] = {}
        self._lock = threading.Lock()

    def add(self, approval: Approval) -> None:
        """Keep an approval; the oldest go when too many wait."""
        with self._lock:
            self._waiting[hash_of(approval.token)] = msgspec.structs.replace(approval, token="")
            while len(self._waiting) > _MOST_WAITING:
                del self._waiting[next(iter(self._waiting))]

    def take(self, token: str, bound: Bound, at: datetime) -> tuple[str, Approval | None]:
        """``done`` or the code of a refusal, and the approval if there was one.

        Whatever comes of it, it is spent: a second try finds nothing.
        """
        with self._lock:
            approval = self._waiting.pop(hash_of(token), None)
        if approval is None:
            return "no_approval", None
        if approval.bound != bound:
            return "stale", approval
        if at >= approval.expires:
            return "expired", approval
        return "done", approval
