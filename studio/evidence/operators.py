# SPDX-License-Identifier: Apache-2.0
"""What an operator gets of a round's evidence. Pure.

It is made, not blacked out: of the public messages, whose bytes the operator was sent anyway, and
of the few members named here. Whatever else is in the record, another name or another burned card,
the file is the same to the byte.
"""

from collections.abc import Iterator
from typing import Any, get_args

import msgspec

from studio.evidence.form import (
    HOW,
    Audience,
    CardLine,
    Ends,
    Evidence,
    ExportedHead,
    Happened,
    Sent,
    Stretch,
)
from studio.game.events import PublicEvent

# Of events that only staff hear of: what an operator is told in a dispute. An event that is not
# named here is not told at all; of a named one, that it happened and these members.
TOLD: dict[str, tuple[str, ...]] = {
    "service_restarted": (),
    "card_burned": (),
    "card_kept": (),
    "card_held": (),
    "card_noted": (),
    "card_entered": (),
    "card_corrected": (),
    "card_struck": (),
    "guard_ended": (),
    "result_declared": (),
    "call_noted": (),
    "shoe_found_empty": (),
    "shoe_stopped": (),
    "irregularity_raised": ("code",),
    "irregularity_resolved": ("remedy",),
    "report_withdrawn": ("code",),
    "stream_changed": ("trust",),
    "held_card_burned": (),
    "epoch_begun": ("reason",),
}
# These happen at the table, but not to the round: they name people, or cards that nobody saw.
UNTOLD = frozenset({
    "staff_noted",
    "supervisor_called",
    "supervisor_call_ended",
    "hold_claimed",
    "hold_released",
    "manager_rung",
    "shoe_noted",
    "reader_changed",
    "rules_loaded",
    "software_approved",
    "software_check_asked",
    "software_checked",
    "settings_applied",
    "burn_completed",
    "burn_corrected",
    "voided_card_corrected",
    "burn_ordered",
    "surplus_carried",
    "surplus_kept_for_burn",
    "free_coup_due",
    "free_coup_opened",
    "free_coup_cancelled",
    "free_coup_ended",
})  # fmt: skip
# The name that players saw stands in the messages' bytes, and nowhere else.
_PUBLIC: dict[str, tuple[str, ...]] = {
    str(one.__struct_config__.tag): tuple(name for name in one.PUBLIC if name != "dealer")
    for one in get_args(PublicEvent)
}


def for_operator(evidence: Evidence) -> Evidence:
    """The same round, without staff and without any card that players did not see."""
    round_id, sent = evidence.round.round, frozenset(evidence.messages)
    return Evidence(
        form=evidence.form,
        made_for=Audience.OPERATOR,
        how=HOW[Audience.OPERATOR.value],
        round=msgspec.structs.replace(evidence.round, dealer=None),
        video=evidence.video,
        software=evidence.software,
        revisions=tuple(_revisions(evidence.messages, round_id)),
        cards=tuple(_cards(evidence.messages, round_id)),
        events=tuple(_events(evidence.events)),
        rulings=tuple(_events(evidence.rulings)),
        messages=evidence.messages,
        # of a stretch that holds none of these messages an operator hears nothing at all
        proof=tuple(
            one for one in map(_stretch, evidence.proof) if sent.intersection(one.messages)
        ),
    )


def readable_of(evidence: Evidence) -> tuple[tuple[dict[str, Any], ...], tuple[CardLine, ...]]:
    """Revisions and cards as they follow from the messages of an operator's file."""
    round_id, messages = evidence.round.round, evidence.messages
    return tuple(_revisions(messages, round_id)), tuple(_cards(messages, round_id))


def _of_round(
    messages: tuple[Sent, ...], round_id: str, *types: str
) -> Iterator[tuple[Sent, dict[str, Any]]]:
    for sent in messages:
        message: dict[str, Any] = msgspec.json.decode(sent.payload)
        if message["round"] == round_id and message["type"] in types:
            yield sent, message


def _revisions(messages: tuple[Sent, ...], round_id: str) -> Iterator[dict[str, Any]]:
    types = ("result", "result_amended", "round_voided")
    for sent, message in _of_round(messages, round_id, *types):
        place = {"epoch": sent.epoch, "seq": sent.seq, "at": message["at"]}
        yield {**place, "type": message["type"], **message["data"]}


def _cards(messages: tuple[Sent, ...], round_id: str) -> Iterator[CardLine]:
    for sent, message in _of_round(messages, round_id, "card_dealt"):
        yield CardLine(
            epoch=sent.epoch,
            seq=sent.seq,
            at=message["at"],
            type=message["type"],
            card=message["data"]["card"],
            position=message["data"]["position"],
            source=message["source"],
        )


def _events(events: tuple[Happened, ...]) -> Iterator[Happened]:
    for one in events:
        members = _PUBLIC.get(one.type, TOLD.get(one.type))
        if members is not None:
            data = {name: one.data[name] for name in members}
            yield msgspec.structs.replace(one, data=data)


def _stretch(stretch: Stretch) -> Stretch:
    exported = stretch.exported
    return Stretch(
        epoch=stretch.epoch,
        before=Ends(public_seq=stretch.before.public_seq, head=stretch.before.head),
        exported=None
        if exported is None
        else ExportedHead(public_seq=exported.public_seq, head=exported.head, at=exported.at),
        messages=tuple(
            Sent(
                epoch=stretch.epoch,
                seq=row.public_seq or 0,
                payload=row.payload,
                head=row.head or "",
            )
            for row in stretch.rows or ()
            if row.payload is not None
        ),
    )
