# SPDX-License-Identifier: Apache-2.0
"""What the report tables say of an event: the one place where an event becomes their rows.

The rows go into the transaction of the event. Nothing is erased: a result that is amended keeps
its row, the new one gets the next revision (VOID-6). Only what a shoe or a round *is now* (status,
end, standing revision) is brought up to date.
"""

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from typing import Any, NamedTuple

from sqlalchemy import Insert, Update, bindparam, case, insert, select, update

from studio.game.cards import Card
from studio.game.events import (
    BetsOpened,
    BurnCorrected,
    CardBurned,
    CardCorrected,
    CardDealt,
    CardEntered,
    CardHeld,
    CardKept,
    CardStruck,
    DealerChanged,
    IrregularityRaised,
    Recorded,
    ResultAmended,
    ResultConfirmed,
    RoundClosed,
    RoundVoided,
    ShoeEnded,
    ShoeLoaded,
    SupervisorCalled,
    TableOpened,
    VoidedCardCorrected,
)
from studio.store.models import (
    bet_results,
    cards,
    irregularities,
    revisions,
    round_dealers,
    rounds,
    shoes,
)

VOID_OUTCOME = "void"
_LONGEST_NAME = 80


class UnderWay(NamedTuple):
    """What is so before an event: the round that has begun and is not closed, and who deals."""

    round: str | None = None
    opened_at: str = ""
    dealer: str = ""


class RoundStatus(str, Enum):
    """What a round is now; a void round stays so when it is closed."""

    IN_PROGRESS = "in_progress"
    COMPLETE = "complete"
    VOID = "void"


# A card that is held and placed later has a row of each; so has one whose value a person gives.
CardEvent = (
    CardDealt
    | CardKept
    | CardBurned
    | CardHeld
    | CardEntered
    | CardCorrected
    | CardStruck
    | BurnCorrected
    | VoidedCardCorrected
)
FATES: dict[type[CardEvent], str] = {
    CardDealt: "dealt",
    CardKept: "kept",
    CardBurned: "burned",
    CardHeld: "held",
    CardEntered: "entered",
    CardCorrected: "restated",
    CardStruck: "struck",
    BurnCorrected: "restated",
    VoidedCardCorrected: "restated",
}

_SHOE_END = ("ended_at", "rounds", "burned", "seen", "left", "counted", "reason")
# What is told of a round that is over stands with it, as what was found while it lasted.
_OF_BEFORE = ("table_id", "epoch", "seq", "code")
_told_of_before = insert(irregularities).from_select(
    (*_OF_BEFORE, "round", "opened_at"),
    select(
        *(bindparam(name, type_=irregularities.c[name].type) for name in _OF_BEFORE),
        rounds.c.round,
        rounds.c.opened_at,
    ).where(rounds.c.round == bindparam("this")),
)
_this_round = update(rounds).where(rounds.c.round == bindparam("this"))

# Each with the columns that its parameters fill; "this" is the id of the row to bring up to date.
STATEMENTS: dict[str, tuple[Insert | Update, tuple[str, ...]]] = {
    "card": (insert(cards), tuple(cards.columns.keys())),
    "shoe": (insert(shoes), ("shoe", "table_id", "epoch", "seq", "loaded_at", "decks")),
    "shoe_end": (update(shoes).where(shoes.c.shoe == bindparam("this")), _SHOE_END),
    "round": (insert(rounds), tuple(rounds.columns.keys())),
    "round_end": (
        _this_round.values(
            status=case(
                (rounds.c.status == RoundStatus.VOID.value, RoundStatus.VOID.value),
                else_=RoundStatus.COMPLETE.value,
            )
        ),
        ("closed_at",),
    ),
    "round_void": (
        _this_round.values(status=RoundStatus.VOID.value),
        ("revision", "outcome"),
    ),
    "round_result": (
        _this_round.values(
            status=case(
                (rounds.c.closed_at.is_(None), RoundStatus.IN_PROGRESS.value),
                else_=RoundStatus.COMPLETE.value,
            )
        ),
        ("revision", "outcome"),
    ),
    "dealer": (insert(round_dealers), tuple(round_dealers.columns.keys())),
    "irregularity": (insert(irregularities), tuple(irregularities.columns.keys())),
    "irregularity_before": (_told_of_before, _OF_BEFORE),
    "revision": (insert(revisions), tuple(revisions.columns.keys())),
    "bet": (insert(bet_results), tuple(bet_results.columns.keys())),
}

Change = tuple[str, Mapping[str, Any]]


def changes(
    recorded: Recorded, table: str, epoch: str, at: str, before: UnderWay
) -> Iterator[Change]:
    """The rows that ``recorded`` adds or brings up to date: keys of ``STATEMENTS``, parameters.

    ``at`` is its time as text; a second window of bets in the round that is under way ``before`` it
    is no new round.
    """
    place = {"table_id": table, "epoch": epoch, "seq": recorded.seq}
    match recorded.event:
        case (
            CardDealt()
            | CardKept()
            | CardBurned()
            | CardHeld()
            | CardEntered()
            | CardCorrected()
            | CardStruck()
            | BurnCorrected()
            | VoidedCardCorrected() as event
        ):
            yield "card", place | _card(recorded, event, at)
        case BetsOpened() as event if event.round != before.round:
            yield "round", place | _round(recorded, event, at)
            for who in dict.fromkeys((named(before.dealer), named(event.by))):
                if who:
                    key = {"who": who, "round": event.round, "opened_at": at}
                    yield "dealer", place | key
        case DealerChanged() as event if before.round is not None and named(event.dealer):
            key = {"round": before.round, "opened_at": before.opened_at}
            yield "dealer", place | key | {"who": named(event.dealer)}
        case IrregularityRaised() as event if before.round is not None:
            key = {"round": before.round, "opened_at": before.opened_at}
            yield "irregularity", place | key | {"code": event.code}
        case SupervisorCalled(code=str(code), about=str(about)):
            yield "irregularity_before", place | {"code": code, "this": about}
        case ResultConfirmed() | ResultAmended() | RoundVoided() as event:
            yield from _revision(recorded, event, at, place)
        case RoundClosed():
            yield "round_end", {"this": recorded.round, "closed_at": at}
        case ShoeLoaded() as event:
            yield "shoe", place | {"shoe": event.shoe, "loaded_at": at, "decks": event.decks}
        case ShoeEnded() as event:
            counts = {name: getattr(event, name) for name in _SHOE_END[1:]}
            yield "shoe_end", counts | {"this": recorded.shoe, "ended_at": at}
        case _:
            return


def under_way_after(recorded: Recorded, at: str, before: UnderWay) -> UnderWay:
    """What is so after an event; ``at`` is its time as text."""
    match recorded.event:
        case BetsOpened() as event if event.round != before.round:
            return UnderWay(event.round, at, before.dealer)
        case RoundClosed():
            return UnderWay(dealer=before.dealer)
        case TableOpened() | DealerChanged() as event:
            return before._replace(dealer=event.dealer)
        case _:
            return before


def named(who: str) -> str:
    """A dealer's name or id as it is stored: without what is beyond the column's length."""
    return who.strip()[:_LONGEST_NAME]


def _card(recorded: Recorded, event: CardEvent, at: str) -> dict[str, Any]:
    return {
        "shoe": recorded.shoe,
        "round": recorded.round,
        "fate": FATES[type(event)],
        "position": event.position.value if isinstance(event, CardDealt | CardKept) else None,
        "card": None if event.card is None else event.card.value,
        "source": recorded.source.value,
        "at": at,
    }


def _round(recorded: Recorded, event: BetsOpened, at: str) -> dict[str, Any]:
    return {
        "round": event.round,
        "shoe": recorded.shoe,
        "day": event.day,
        "status": RoundStatus.IN_PROGRESS.value,
        "opened_at": at,
        "closed_at": None,
        "revision": 0,
        "outcome": None,
    }


def _revision(
    recorded: Recorded,
    event: ResultConfirmed | ResultAmended | RoundVoided,
    at: str,
    place: dict[str, Any],
) -> Iterator[Change]:
    number = recorded.round if isinstance(event, ResultConfirmed) else event.round
    row: dict[str, Any] = dict.fromkeys(revisions.columns.keys())
    row |= place
    row |= {"round": number, "revision": event.revision, "at": at, "by": event.by}
    row["type"] = event.__struct_config__.tag
    if not isinstance(event, ResultConfirmed):
        row |= {"reason": event.reason, "second": event.second}
    if isinstance(event, RoundVoided):
        yield "revision", row
        void = {"revision": event.revision, "outcome": VOID_OUTCOME}
        yield "round_void", {"this": number} | void
        return
    for name in ("player_total", "banker_total", "natural"):
        row[name] = getattr(event, name)
    row |= {"outcome": event.outcome.value}
    row |= {"player": _codes(event.player), "banker": _codes(event.banker)}
    row |= {"player_pair": event.pairs.player, "banker_pair": event.pairs.banker}
    yield "revision", row
    for bet, profit in event.bets.items():
        yield (
            "bet",
            {
                "round": number,
                "revision": event.revision,
                "bet": bet,
                "profit": profit,
            },
        )
    stands = {"revision": event.revision, "outcome": event.outcome.value}
    yield "round_result", {"this": number} | stands


def _codes(hand: Iterable[Card]) -> str:
    return " ".join(card.value for card in hand)
