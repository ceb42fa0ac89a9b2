# SPDX-License-Identifier: Apache-2.0
"""What a card shoe can say, in words shared by all families, and where a report came from.

A report is evidence, never a decision: side, index and result that it carries are hints that the
table compares with its own.
"""

from datetime import datetime
from enum import Enum

import msgspec

from studio.game.cards import Card
from studio.game.coup import Outcome


class Target(str, Enum):
    """Where a shoe believes a card goes. A hint: the tableau decides."""

    PLAYER = "player"
    BANKER = "banker"
    BURN = "burn"
    FIRST = "first"
    BURN_COUNT = "burn_count"
    NONE = "none"


class DeviceMode(str, Enum):
    """What a shoe was doing when it reported a card outside a game."""

    LOCK = "lock"
    ERROR = "error"
    SETTING = "setting"


class FaultKind(str, Enum):
    """A fault that a device can report, in words shared by all families."""

    NO_READ = "no_read"
    OVERDRAW = "overdraw"
    BUTTON_MISUSE = "button_misuse"
    REVERSE_EXIT = "reverse_exit"
    REVERSE_MID = "reverse_mid"
    WRONG_SET = "wrong_set"
    DRAW_TIMEOUT = "draw_timeout"
    OTHER = "other"


class Origin(msgspec.Struct, frozen=True, gc=False):
    """Where a report came from: enough to find its bytes again.

    ``session`` is new each time the line is opened, ``ordinal`` counts the reports of a session
    from 1 without holes, ``offset`` is the length of the session's raw log up to and including
    the frame, ``raw`` is the frame in lower-case hex, ``heard_at`` the wall time of its last byte,
    ``seq`` the shoe's own sequence character, if it sends one.
    """

    device: str
    session: str
    ordinal: int
    offset: int
    raw: str
    heard_at: datetime
    seq: str | None = None


class _Report(msgspec.Struct, frozen=True, tag_field="report", gc=False):
    pass


class CardDrawn(_Report, frozen=True, tag="card_drawn"):
    """A card left the shoe and was read. ``in_game`` is false for a card outside a game.

    ``index`` is the shoe's own count for that target (n-th card of that side), if it has one.
    ``mode`` and ``mode_code`` are set for a card outside a game only.
    """

    card: Card
    target: Target = Target.NONE
    index: int | None = None
    in_game: bool = True
    mode: DeviceMode | None = None
    mode_code: int | None = None


class CardUnreadable(_Report, frozen=True, tag="card_unreadable"):
    """A card left the shoe and its face is not known."""

    detail: str
    target: Target = Target.NONE
    index: int | None = None


class CardRepeated(_Report, frozen=True, tag="card_repeated"):
    """The shoe sent a card report again, and says so. Never a new card."""

    card: Card | None
    target: Target = Target.NONE
    index: int | None = None


class CutCardDrawn(_Report, frozen=True, tag="cut_card_drawn"):
    """The cut card came out."""


class ShoeStarted(_Report, frozen=True, tag="shoe_started"):
    """The shoe began to communicate: power-up or reset."""


class ShoeStandby(_Report, frozen=True, tag="shoe_standby"):
    """The shoe is between rounds."""


class ResultReported(_Report, frozen=True, tag="result_reported"):
    """What the shoe believes the result is; ``outcome`` is None when the end was forced."""

    outcome: Outcome | None
    player_pair: bool = False
    banker_pair: bool = False


class FaultReported(_Report, frozen=True, tag="fault_reported"):
    """The shoe reports a fault; ``code`` is the maker's, ``latched`` that it stopped working."""

    kind: FaultKind
    code: int
    latched: bool


class FaultCleared(_Report, frozen=True, tag="fault_cleared"):
    """A fault of the shoe is over."""

    code: int


class LockChanged(_Report, frozen=True, tag="lock_changed"):
    """The key lock of the shoe was turned."""

    locked: bool


class SettingChanged(_Report, frozen=True, tag="setting_changed"):
    """A preset value of the shoe was changed."""

    address: str
    value: str


class SequenceGap(_Report, frozen=True, tag="sequence_gap"):
    """The shoe's own sequence jumped: reports were lost, a card may be among them."""

    expected: str
    got: str


class UnknownReport(_Report, frozen=True, tag="unknown_report"):
    """A frame with a good check and a type that the driver does not know."""

    code: str


class FrameRejected(_Report, frozen=True, tag="frame_rejected"):
    """Bytes that are no valid frame. ``reason``: checksum, no_end, overlong, bad_field, noise."""

    reason: str


class CommandAnswered(_Report, frozen=True, tag="command_answered"):
    """The shoe answered a command of the host: ``ok``, or ``nak`` with the maker's code."""

    answer: str
    code: str | None = None


class LineUp(_Report, frozen=True, tag="line_up"):
    """The line to the shoe is open. It says nothing about the shoe itself."""

    endpoint: str
    attempt: int


class LineLost(_Report, frozen=True, tag="line_lost"):
    """The line to the shoe is gone; ``reason`` is a word, ``detail`` the system's own text."""

    endpoint: str
    reason: str
    detail: str


Report = (
    CardDrawn
    | CardUnreadable
    | CardRepeated
    | CutCardDrawn
    | ShoeStarted
    | ShoeStandby
    | ResultReported
    | FaultReported
    | FaultCleared
    | LockChanged
    | SettingChanged
    | SequenceGap
    | UnknownReport
    | FrameRejected
    | CommandAnswered
    | LineUp
    | LineLost
)
