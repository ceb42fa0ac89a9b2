# SPDX-License-Identifier: Apache-2.0
"""Everything a table can be told: reports of the shoe, commands of the staff, timer, start.

Inputs are values. They carry no clock of their own: the service stamps each with a ``Stamp`` when
it takes it from the inbox.
"""

from datetime import datetime

import msgspec

from studio.game.house import House
from studio.game.reports import (
    CardDrawn,
    CardRepeated,
    CardUnreadable,
    CommandAnswered,
    CutCardDrawn,
    DeviceMode,
    FaultCleared,
    FaultKind,
    FaultReported,
    FrameRejected,
    LineLost,
    LineUp,
    LockChanged,
    Origin,
    Report,
    ResultReported,
    SequenceGap,
    SettingChanged,
    ShoeStandby,
    ShoeStarted,
    Target,
    UnknownReport,
)
from studio.game.requests import (
    AmendRound,
    AnswerCall,
    ApplySettings,
    ApproveSoftware,
    BurnCards,
    CallResult,
    CallSupervisor,
    CancelFreeCoup,
    ChangeDealer,
    ChangeReader,
    ChangeShoe,
    CheckSoftware,
    ClaimHold,
    CloseBets,
    CloseRound,
    CloseTable,
    Command,
    ConfirmResult,
    CorrectBurn,
    CorrectCard,
    DealCard,
    EndShoe,
    EnterCard,
    LoadShoe,
    NoteCard,
    NoteCutCard,
    NoteShoeEmpty,
    OpenBets,
    OpenFreeCoup,
    OpenTable,
    RecordCard,
    ReleaseHold,
    ReportIrregularity,
    ResumeTable,
    RuleHold,
    SetManualMode,
    SettingChange,
    StrikeCard,
    SuspendTable,
    TrustStream,
    VoidRound,
    WithdrawReport,
)

__all__ = [
    "AmendRound",
    "AnswerCall",
    "ApplySettings",
    "ApproveSoftware",
    "BurnCards",
    "CallResult",
    "CallSupervisor",
    "CancelFreeCoup",
    "CardDrawn",
    "CardRepeated",
    "CardUnreadable",
    "ChangeDealer",
    "ChangeReader",
    "ChangeShoe",
    "CheckSoftware",
    "ClaimHold",
    "CloseBets",
    "CloseRound",
    "CloseTable",
    "Command",
    "CommandAnswered",
    "ConfirmResult",
    "CorrectBurn",
    "CorrectCard",
    "CutCardDrawn",
    "DealCard",
    "DeviceMode",
    "EndShoe",
    "EnterCard",
    "FaultCleared",
    "FaultKind",
    "FaultReported",
    "FrameRejected",
    "Input",
    "LineLost",
    "LineUp",
    "LoadShoe",
    "LockChanged",
    "NoteCard",
    "NoteCutCard",
    "NoteShoeEmpty",
    "OpenBets",
    "OpenFreeCoup",
    "OpenTable",
    "Origin",
    "RecordCard",
    "Refusal",
    "ReleaseHold",
    "Report",
    "ReportIrregularity",
    "Reported",
    "ResultReported",
    "ResumeTable",
    "RuleHold",
    "SequenceGap",
    "ServiceStarted",
    "SetManualMode",
    "SettingChange",
    "SettingChanged",
    "ShoeStandby",
    "ShoeStarted",
    "SoftwareCompared",
    "SoftwareFinding",
    "StaffTried",
    "Stamp",
    "StrikeCard",
    "SuspendTable",
    "TableFacts",
    "Target",
    "TimerExpired",
    "TrustStream",
    "UnknownReport",
    "VoidRound",
    "WithdrawReport",
]


class Stamp(msgspec.Struct, frozen=True):
    """When the service took an input: UTC time, and the gaming day (``20261129``) it falls in."""

    at: datetime
    day: str


class Reported(msgspec.Struct, frozen=True, tag_field="input", tag="reported", gc=False):
    """One report of the shoe, with its origin."""

    origin: Origin
    report: Report


class TimerExpired(msgspec.Struct, frozen=True, tag_field="input", tag="timer_expired"):
    """The timer that the state asked for ran out. A stale one is ignored."""

    name: str
    due: datetime


class StaffTried(msgspec.Struct, frozen=True, kw_only=True, tag_field="input", tag="staff_tried"):
    """Somebody tried something with badge, PIN, log-in or approval; it came to ``result``.

    ``act`` and ``result`` are words of the staff's rules, ``done`` for what succeeded. ``by`` is
    the staff id of who tried, None when the badge or log-in is nobody's; ``about`` whom it
    concerned; ``from_where`` the machine or key. Never a name, a badge, a secret or a token.
    """

    act: str
    result: str
    by: str | None
    from_where: str
    about: str | None = None
    detail: str = ""


class TableFacts(msgspec.Struct, frozen=True):
    """What the settings say of a table beside its house; told to it at every start.

    ``stream`` is what viewers are shown; ``video_stream`` what is recorded of the table.
    """

    table: str
    environment: str
    stream: str | None
    picture_delay_ms: int
    version: str
    digest: str
    video_stream: str | None = None


class ServiceStarted(msgspec.Struct, frozen=True, tag_field="input", tag="service_started"):
    """The service came up, for the first time or after a stop, with these facts and rules.

    ``manifest``: the digest of the manifest that was made when the table was set up, if any.
    """

    facts: TableFacts
    house: House
    manifest: str | None = None


class SoftwareFinding(msgspec.Struct, frozen=True):
    """A file that is not as approved: ``changed``, ``missing``, ``added``, ``bytecode``.

    ``expected`` and ``found`` are digests of the file; None where there is none.
    """

    what: str
    path: str
    expected: str | None = None
    found: str | None = None


class SoftwareCompared(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="input", tag="software_compared"
):
    """The files were compared with the manifest ``approved``; ``digest`` is that of them now.

    ``why``: ``start``, ``daily``, ``asked``, ``approved``, ``applied`` or ``bytecode``.
    ``findings`` are the first of ``count``.
    """

    why: str
    approved: str
    digest: str
    files: int
    seconds: float
    count: int = 0
    findings: tuple[SoftwareFinding, ...] = ()


Input = Reported | Command | TimerExpired | StaffTried | ServiceStarted | SoftwareCompared


class Refusal(msgspec.Struct, frozen=True):
    """A "no" with its reason: ``code`` for programs, ``text`` for the person who asked."""

    code: str
    text: str
