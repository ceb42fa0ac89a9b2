# SPDX-License-Identifier: Apache-2.0
"""Everything a table can be told: reports of the shoe, commands of the staff, timer, start.

Inputs are values. They carry no clock of their own: the service stamps each with a ``Stamp`` when
it takes it from the inbox. A shoe's report is evidence, never a decision: side, index and result
that it carries are hints that the table compares with its own.
"""

from datetime import datetime
from enum import Enum

import msgspec

from studio.game.cards import Card
from studio.game.coup import Outcome
from studio.game.house import House


class Stamp(msgspec.Struct, frozen=True):
    """When the service took an input: UTC time, and the gaming day (``20261129``) it falls in."""

    at: datetime
    day: str


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


class Reported(msgspec.Struct, frozen=True, tag_field="input", tag="reported", gc=False):
    """One report of the shoe, with its origin."""

    origin: Origin
    report: Report


class _Command(msgspec.Struct, frozen=True, tag_field="command", kw_only=True):
    """A request of a person. ``by`` is a staff id, never a name."""

    by: str


class OpenTable(_Command, frozen=True, tag="open_table"):
    """Open the table to players. ``dealer`` is the screen name of the dealer on duty."""

    dealer: str


class CloseTable(_Command, frozen=True, tag="close_table"):
    """Close the table; only between rounds."""

    reason: str = "staff"


class SuspendTable(_Command, frozen=True, tag="suspend_table"):
    """Take no bets until resumed; a round under way is played to its end."""

    reason: str = "staff"


class ResumeTable(_Command, frozen=True, tag="resume_table"):
    """Go on after a suspension."""


class ChangeDealer(_Command, frozen=True, tag="change_dealer"):
    """Another dealer takes over; ``dealer`` is the screen name."""

    dealer: str


class LoadShoe(_Command, frozen=True, tag="load_shoe"):
    """A shuffled shoe is in place; the burn begins."""


class EndShoe(_Command, frozen=True, tag="end_shoe"):
    """Take the shoe out. ``left``: cards counted in it, or None to trust the system's own count.

    ``accept_mismatch`` closes a shoe whose count does not make the decks; it needs a ``reason``.
    """

    left: int | None = None
    accept_mismatch: bool = False
    reason: str = ""


class OpenBets(_Command, frozen=True, tag="open_bets"):
    """Open bets; closes the round before it, if that is settled."""


class CloseBets(_Command, frozen=True, tag="close_bets"):
    """No more bets, before the timer says so."""


class ConfirmResult(_Command, frozen=True, tag="confirm_result"):
    """The result stands. ``outcome`` is the winner as called, where the house asks for it."""

    outcome: Outcome | None = None


class CloseRound(_Command, frozen=True, tag="close_round"):
    """Bets are paid and the cards are cleared."""


class RuleHold(_Command, frozen=True, tag="rule_hold"):
    """Rule on a held round: ``remedy`` is one that the irregularity allows."""

    remedy: str
    reason: str


class VoidRound(_Command, frozen=True, tag="void_round"):
    """Cancel the round under way; stakes are returned. ``round`` must name it."""

    round: str
    reason: str


class TrustStream(_Command, frozen=True, tag="trust_stream"):
    """A person has compared the table with the screen: the shoe's stream can be trusted again."""

    reason: str


Command = (
    OpenTable
    | CloseTable
    | SuspendTable
    | ResumeTable
    | ChangeDealer
    | LoadShoe
    | EndShoe
    | OpenBets
    | CloseBets
    | ConfirmResult
    | CloseRound
    | RuleHold
    | VoidRound
    | TrustStream
)


class TimerExpired(msgspec.Struct, frozen=True, tag_field="input", tag="timer_expired"):
    """The timer that the state asked for ran out. A stale one is ignored."""

    name: str
    due: datetime


class TableFacts(msgspec.Struct, frozen=True):
    """What the settings say of a table beside its house; told to it at every start."""

    table: str
    environment: str
    stream: str | None
    picture_delay_ms: int
    version: str
    digest: str


class ServiceStarted(msgspec.Struct, frozen=True, tag_field="input", tag="service_started"):
    """The service came up, for the first time or after a stop, with these facts and rules."""

    facts: TableFacts
    house: House


Input = Reported | Command | TimerExpired | ServiceStarted


class Refusal(msgspec.Struct, frozen=True):
    """A "no" with its reason: ``code`` for programs, ``text`` for the person who asked."""

    code: str
    text: str
