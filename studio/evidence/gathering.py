# SPDX-License-Identifier: Apache-2.0
"""A round's evidence for the studio, gathered from record, heads, cases and accounts."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from studio.evidence.form import (
    FORM,
    HOW,
    Audience,
    CaseLine,
    Evidence,
    RoundFacts,
    Software,
    StaffLine,
)
from studio.evidence.proof import led_to_heads, places_of, stretch_of
from studio.evidence.telling import acts_of, standing_of, told
from studio.game import events as ev
from studio.heads import Head
from studio.lookback.round_record import RoundRecord
from studio.store.chain import recorded_of
from studio.store.history import History


class Known(NamedTuple):
    """What the accounts say of one of the staff."""

    name: str
    roles: str


class _Before(NamedTuple):
    """What was so when the round began."""

    facts: ev.ServiceRestarted | None
    dealer: str | None
    rules: ev.RulesLoaded | None


def gathered(
    history: History,
    record: RoundRecord,
    heads: Iterable[Head] = (),
    cases: Sequence[CaseLine] | None = None,
    names: Mapping[str, Known] | None = None,
) -> Evidence:
    """Everything of a round. ``heads`` are those kept outside; ``names`` what the accounts say.

    Raises ``StoreFailed`` if the record cannot be read.
    """
    before = _before(history, record)
    readable = told(record)
    led = led_to_heads(places_of(record), heads)
    return Evidence(
        form=FORM,
        made_for=Audience.STUDIO,
        how=HOW[Audience.STUDIO.value],
        round=_facts(record, before),
        video=readable.video,
        software=_software(record, before),
        revisions=readable.revisions,
        cards=readable.cards,
        events=readable.events,
        rulings=readable.rulings,
        messages=readable.messages,
        proof=tuple(stretch_of(history, place) for place in led),
        staff=_staff(record, names or {}),
        cases=None if cases is None else tuple(cases),
        rules=None if before.rules is None else msgspec.to_builtins(before.rules.house),
    )


def _before(history: History, record: RoundRecord) -> _Before:
    epoch, row, _recorded = record.entries[0]

    def last(*types: str) -> ev.Event | None:
        found = history.last_of(types, epoch, row.seq)
        return None if found is None else recorded_of(found).event

    facts, rules = last("service_restarted"), last("rules_loaded")
    dealer = last("table_opened", "dealer_changed")
    return _Before(
        facts if isinstance(facts, ev.ServiceRestarted) else None,
        dealer.dealer if isinstance(dealer, ev.TableOpened | ev.DealerChanged) else None,
        rules if isinstance(rules, ev.RulesLoaded) else None,
    )


def _facts(record: RoundRecord, before: _Before) -> RoundFacts:
    return RoundFacts(
        round=record.round,
        table=record.table,
        environment="" if before.facts is None else before.facts.facts.environment,
        house="" if before.rules is None else before.rules.house.name,
        **standing_of(record)._asdict(),
        dealer=before.dealer,
    )


def _software(record: RoundRecord, before: _Before) -> tuple[Software, ...]:
    meanwhile = (one.recorded.event for one in record.entries)
    started = (before.facts, *meanwhile)
    found = (
        Software(version=one.facts.version, digest=one.facts.digest)
        for one in started
        if isinstance(one, ev.ServiceRestarted)
    )
    return tuple(dict.fromkeys(found))


def _staff(record: RoundRecord, names: Mapping[str, Known]) -> tuple[StaffLine, ...]:
    return tuple(
        StaffLine(
            staff=staff,
            did=did,
            name=names[staff].name if staff in names else None,
            roles=names[staff].roles if staff in names else None,
        )
        for staff, did in acts_of(record.all).items()
    )
