# SPDX-License-Identifier: Apache-2.0
"""A table's state as a checkpoint keeps it, so that a start need not fold a whole record.

Only the program that saved it uses it again: another one may fold the same record to a state with
more in it.
"""

import msgspec

from studio.game.state import TableState
from studio.software import software_digest


class _Saved(msgspec.Struct, frozen=True):
    """A state, and the program that folded it."""

    digest: str
    state: TableState


def to_save(state: TableState) -> bytes:
    """What a checkpoint keeps of a state."""
    return msgspec.json.encode(_Saved(software_digest(), state))


def saved_state(blob: bytes) -> TableState | None:
    """The state that this very program saved; None for another one's, or what cannot be read."""
    try:
        saved = msgspec.json.decode(blob, type=_Saved)
    except msgspec.MsgspecError:
        return None
    return saved.state if saved.digest == software_digest() else None
