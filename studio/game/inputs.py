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
    BurnCards,
    CallResult,
    ChangeDealer,
    CloseBets,
    CloseRound,
    CloseTable,
    Command,
    ConfirmResult,
    CorrectCard,
    DealCard,
    EndShoe,
    EnterCard,
    LoadShoe,
    NoteCard,
    NoteShoeEmpty,
    OpenBets,
    OpenFreeCoup,
    OpenTable,
    ReportIrregularity,
    ResumeTable,
    RuleHold,
    SetManualMode,
    SuspendTable,
    TrustStream,
    VoidRound,
)

__all__ = [
    "AmendRound",
    "BurnCards",
    "CallResult",
    "CardDrawn",
    "CardRepeated",
    "CardUnreadable",
    "ChangeDealer",
    "CloseBets",
    "CloseRound",
    "CloseTable",
    "Command",
    "CommandAnswered",
    "ConfirmResult",
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
    "NoteShoeEmpty",
    "OpenBets",
    "OpenFreeCoup",
    "OpenTable",
    "Origin",
    "Refusal",
    "Report",
    "ReportIrregularity",
    "Reported",
    "ResultReported",
    "ResumeTable",
    "RuleHold",
    "SequenceGap",
    "ServiceStarted",
    "SetManualMode",
    "SettingChanged",
    "ShoeStandby",
    "ShoeStarted",
    "Stamp",
    "SuspendTable",
    "TableFacts",
    "Target",
    "TimerExpired",
    "TrustStream",
    "UnknownReport",
    "VoidRound",
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
