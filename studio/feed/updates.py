# SPDX-License-Identifier: Apache-2.0
"""What following a table tells a front-end, and where it stands. Pure."""

from datetime import datetime
from enum import Enum

import msgspec

from studio.feed.asks import Ask
from studio.feed.rounds import OpenRounds
from studio.feed.wire import Message
from studio.game.snapshot import PublicState


class Status(str, Enum):
    """How far the picture of a table can be relied on; bets only while ``live``."""

    JOINING = "joining"
    LIVE = "live"
    CATCHING_UP = "catching_up"
    NEW_EPOCH = "new_epoch"
    STALE = "stale"
    REFUSED = "refused"


class Asking(msgspec.Struct, frozen=True):
    """Send this request."""

    request: Ask


class Joined(msgspec.Struct, frozen=True):
    """The picture was replaced by a snapshot taken after message ``seq`` of ``epoch``."""

    table: str
    epoch: str
    seq: int
    state: PublicState


class Accepted(msgspec.Struct, frozen=True):
    """The next message of the table, in order and exactly once."""

    table: str
    message: Message


class RoundChecked(msgspec.Struct, frozen=True):
    """What stands for a round after a change of epoch; it may be told twice.

    ``message`` is None if the studio does not know the round, or not the revision that was heard
    here before (alarm ``revision_lost``): suspend it and call the studio.
    """

    table: str
    round: str
    message: Message | None


class StatusChanged(msgspec.Struct, frozen=True):
    """The status of the table is another one."""

    table: str
    status: Status


class Acknowledged(msgspec.Struct, frozen=True):
    """The studio has it on record, since ``at``, that this operator has that revision."""

    table: str
    round: str
    revision: int
    at: datetime


class Alarm(msgspec.Struct, frozen=True):
    """A person must know.

    Codes: chain_broken, impostor, too_old, unreadable, environment, ask_refused.
    """

    table: str
    code: str
    text: str


Update = Joined | Accepted | RoundChecked | StatusChanged | Acknowledged | Alarm
Effect = Update | Asking


class WaitingCorrection(msgspec.Struct, frozen=True):
    """An amendment or a void that the front-end has yet to acknowledge.

    ``epoch`` is that of its message; None of one that was found in a snapshot.
    """

    round: str
    revision: int
    epoch: str | None = None


class Bookmark(msgspec.Struct, frozen=True):
    """Where a follower stands: kept by a front-end, it comes back without missing anything."""

    epoch: str
    seq: int
    head: str
    state: PublicState
    rounds: OpenRounds
    corrections: tuple[WaitingCorrection, ...] = ()
