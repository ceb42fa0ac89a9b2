# SPDX-License-Identifier: Apache-2.0
"""What a round's rows say, in the members of an evidence file that are there to be read."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import msgspec

from studio.evidence.form import CardLine, Happened, Sent, Video
from studio.game import events as ev
from studio.lookback.round_record import Entry, RoundRecord
from studio.store.reports import RoundStatus

CARDS = (
    ev.CardDealt
    | ev.CardKept
    | ev.CardBurned
    | ev.CardHeld
    | ev.CardEntered
    | ev.CardCorrected
    | ev.CardStruck
    | ev.BurnCorrected
    | ev.VoidedCardCorrected
)
# What went wrong, what people said of it, and what they ruled.
RULINGS = (
    ev.IrregularityRaised
    | ev.RoundHeld
    | ev.CardNoted
    | ev.CallNoted
    | ev.ShoeFoundEmpty
    | ev.CardEntered
    | ev.CardCorrected
    | ev.CardStruck
    | ev.VoidedCardCorrected
    | ev.HoldClaimed
    | ev.HoldReleased
    | ev.ManagerRung
    | ev.ReportWithdrawn
    | ev.IrregularityResolved
    | ev.RoundReleased
    | ev.RoundReconstructed
    | ev.RoundVoided
    | ev.ResultAmended
    | ev.ManualModeChanged
    | ev.ShoeStopped
    | ev.HeldCardBurned
)


class Standing(NamedTuple):
    """How the round stands, as far as its rows tell."""

    day: str
    shoe: str | None
    status: str
    revision: int


class Told(NamedTuple):
    """The readable members that follow from the rows alone."""

    video: Video
    revisions: tuple[dict[str, Any], ...]
    cards: tuple[CardLine, ...]
    events: tuple[Happened, ...]
    rulings: tuple[Happened, ...]
    messages: tuple[Sent, ...]


def told(record: RoundRecord) -> Told:
    """Everything of the round that is on record, and what else happened at the table meanwhile."""
    its_own = [one for one in record.all if one.recorded.round in (record.round, None)]
    return Told(
        video=_video(record),
        revisions=tuple(_revision(entry) for entry, _event in record.revisions),
        cards=tuple(_card(one) for one in its_own if isinstance(one.recorded.event, CARDS)),
        events=tuple(map(_happened, record.all)),
        rulings=tuple(_happened(one) for one in its_own if isinstance(one.recorded.event, RULINGS)),
        messages=messages_of(record.all),
    )


def standing_of(record: RoundRecord) -> Standing:
    """How the round stands, from its rows."""
    opened, revisions = record.entries[0], [event for _entry, event in record.revisions]
    status = RoundStatus.COMPLETE if record.is_closed else RoundStatus.IN_PROGRESS
    if revisions and isinstance(revisions[-1], ev.RoundVoided):
        status = RoundStatus.VOID
    day = opened.recorded.event.day if isinstance(opened.recorded.event, ev.BetsOpened) else ""
    revision = revisions[-1].revision if revisions else 0
    return Standing(day, opened.row.shoe, status.value, revision)


def acts_of(entries: Iterable[Entry]) -> dict[str, tuple[str, ...]]:
    """Each staff id with the events that name it, and as what: ``12 bets_opened by``."""
    found: dict[str, list[str]] = {}
    for one in entries:
        for name in ("by", "second", "about", "taken_from"):
            staff = getattr(one.recorded.event, name, None)
            if staff:
                found.setdefault(staff, []).append(f"{one.row.seq} {one.row.type} {name}")
    return {staff: tuple(acts) for staff, acts in found.items()}


def messages_of(entries: Iterable[Entry]) -> tuple[Sent, ...]:
    """The public messages among these events, as they were sent."""
    return tuple(
        Sent(
            epoch=epoch,
            seq=row.public_seq or 0,
            payload=row.payload.decode(),
            head=(row.head or b"").hex(),
        )
        for epoch, row, _recorded in entries
        if row.payload is not None
    )


def _video(record: RoundRecord) -> Video:
    first, last = record.entries[0], record.entries[-1]
    opened = first.recorded.event
    return Video(
        stream=opened.video_stream if isinstance(opened, ev.BetsOpened) else None,
        begins=first.row.at,
        ends=last.row.at if record.is_closed else None,
    )


def _happened(entry: Entry) -> Happened:
    row = entry.row
    data = msgspec.to_builtins(entry.recorded.event)
    return Happened(
        epoch=entry.epoch,
        seq=row.seq,
        at=row.at,
        source=row.source,
        round=row.round,
        type=row.type,
        data={name: value for name, value in data.items() if name != "type"},
    )


def _revision(entry: Entry) -> dict[str, Any]:
    row = entry.row
    place = {"epoch": entry.epoch, "seq": row.public_seq, "at": row.at}
    return {**place, **msgspec.to_builtins(entry.recorded.event)}


def _card(entry: Entry) -> CardLine:
    row, event, origin = entry.row, entry.recorded.event, entry.origin
    card = getattr(event, "card", None)
    position = getattr(event, "position", None)
    return CardLine(
        epoch=entry.epoch,
        seq=row.seq,
        at=row.at,
        type=row.type,
        card=None if card is None else card.value,
        position=None if position is None else position.value,
        source=row.source,
        by=getattr(event, "by", None),
        second=getattr(event, "second", None),
        raw=None if origin is None else origin.raw,
    )
