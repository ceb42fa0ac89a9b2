# SPDX-License-Identifier: Apache-2.0
"""All that can have happened at a table: one frozen class per message type, with its audience.

The tag of a class is its ``type`` in the journal and on the wire. ``PUBLIC`` names the members
that the public feed carries as ``data`` (the feed contract); None means that the event is for
staff only. Members that are not named there are for staff, also on a public event.
"""

from datetime import datetime

import msgspec

from studio.game.event_words import Pairs, Software, Source, Trust
from studio.game.public_events import (
    BetsClosed,
    BetsOpened,
    CardDealt,
    CutCardSeen,
    DealerChanged,
    ManualModeChanged,
    ResultAmended,
    ResultConfirmed,
    RoundClosed,
    RoundHeld,
    RoundReconstructed,
    RoundReleased,
    RoundVoided,
    ShoeEnded,
    ShoeLoaded,
    TableClosed,
    TableOpened,
    TableResumed,
    TableSuspended,
)
from studio.game.software_events import (
    SettingsApplied,
    SoftwareApproved,
    SoftwareCheckAsked,
    SoftwareChecked,
)
from studio.game.staff_events import (
    BurnCompleted,
    BurnCorrected,
    BurnOrdered,
    CallNoted,
    CardBurned,
    CardCorrected,
    CardEntered,
    CardHeld,
    CardKept,
    CardNoted,
    CardStruck,
    EpochBegun,
    FreeCoupCancelled,
    FreeCoupDue,
    FreeCoupEnded,
    FreeCoupOpened,
    GuardEnded,
    HeldCardBurned,
    HoldClaimed,
    HoldReleased,
    IrregularityRaised,
    IrregularityResolved,
    ManagerRung,
    ReaderChanged,
    ReportWithdrawn,
    ResultDeclared,
    RulesLoaded,
    ServiceRestarted,
    ShoeFoundEmpty,
    ShoeNoted,
    ShoeStopped,
    StaffNoted,
    StreamChanged,
    SupervisorCalled,
    SupervisorCallEnded,
    SurplusCarried,
    SurplusKeptForBurn,
    VoidedCardCorrected,
)

__all__ = [
    "EVENT_VERSION",
    "BetsClosed",
    "BetsOpened",
    "BurnCompleted",
    "BurnCorrected",
    "BurnOrdered",
    "CallNoted",
    "CardBurned",
    "CardCorrected",
    "CardDealt",
    "CardEntered",
    "CardHeld",
    "CardKept",
    "CardNoted",
    "CardStruck",
    "CutCardSeen",
    "DealerChanged",
    "EpochBegun",
    "Event",
    "FreeCoupCancelled",
    "FreeCoupDue",
    "FreeCoupEnded",
    "FreeCoupOpened",
    "GuardEnded",
    "HeldCardBurned",
    "HoldClaimed",
    "HoldReleased",
    "IrregularityRaised",
    "IrregularityResolved",
    "ManagerRung",
    "ManualModeChanged",
    "Pairs",
    "PublicEvent",
    "ReaderChanged",
    "Recorded",
    "ReportWithdrawn",
    "ResultAmended",
    "ResultConfirmed",
    "ResultDeclared",
    "RoundClosed",
    "RoundHeld",
    "RoundReconstructed",
    "RoundReleased",
    "RoundVoided",
    "RulesLoaded",
    "ServiceRestarted",
    "SettingsApplied",
    "ShoeEnded",
    "ShoeFoundEmpty",
    "ShoeLoaded",
    "ShoeNoted",
    "ShoeStopped",
    "Software",
    "SoftwareApproved",
    "SoftwareCheckAsked",
    "SoftwareChecked",
    "Source",
    "StaffEvent",
    "StaffNoted",
    "StreamChanged",
    "SupervisorCallEnded",
    "SupervisorCalled",
    "SurplusCarried",
    "SurplusKeptForBurn",
    "TableClosed",
    "TableOpened",
    "TableResumed",
    "TableSuspended",
    "Trust",
    "VoidedCardCorrected",
]

EVENT_VERSION = 1

PublicEvent = (
    TableOpened
    | TableClosed
    | TableSuspended
    | TableResumed
    | DealerChanged
    | ShoeLoaded
    | ShoeEnded
    | CutCardSeen
    | BetsOpened
    | BetsClosed
    | CardDealt
    | RoundHeld
    | RoundReleased
    | RoundReconstructed
    | ResultConfirmed
    | ResultAmended
    | RoundVoided
    | RoundClosed
    | ManualModeChanged
)

StaffEvent = (
    ServiceRestarted
    | RulesLoaded
    | CardBurned
    | BurnCompleted
    | CardKept
    | GuardEnded
    | ResultDeclared
    | CardHeld
    | IrregularityRaised
    | IrregularityResolved
    | HeldCardBurned
    | HoldClaimed
    | HoldReleased
    | ManagerRung
    | StreamChanged
    | ReaderChanged
    | ShoeNoted
    | ShoeStopped
    | CallNoted
    | BurnOrdered
    | BurnCorrected
    | VoidedCardCorrected
    | CardNoted
    | CardEntered
    | CardCorrected
    | CardStruck
    | ShoeFoundEmpty
    | SurplusCarried
    | SurplusKeptForBurn
    | FreeCoupDue
    | FreeCoupOpened
    | FreeCoupEnded
    | SupervisorCalled
    | SupervisorCallEnded
    | FreeCoupCancelled
    | ReportWithdrawn
    | StaffNoted
    | EpochBegun
    | SoftwareApproved
    | SoftwareCheckAsked
    | SoftwareChecked
    | SettingsApplied
)

Event = PublicEvent | StaffEvent


class Recorded(msgspec.Struct, frozen=True, gc=False):
    """An event with its place in the record: what the journal stores and the feeds send.

    ``seq`` counts all events of the table's epoch from 1; ``public_seq`` counts the public ones
    and is None on a staff event. ``shoe`` and ``round`` are the ids it belongs to, or None.
    """

    seq: int
    public_seq: int | None
    at: datetime
    source: Source
    shoe: str | None
    round: str | None
    event: Event
