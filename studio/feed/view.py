# SPDX-License-Identifier: Apache-2.0
"""The picture of a table at a subscriber: a snapshot's state, moved on by public messages.

It equals the table's own snapshot but for one thing that no public message says: when the burn
is done. A new shoe stays ``shuffling`` here until its first bets. Pure.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from msgspec.structs import asdict, replace

from studio.feed import messages as m
from studio.feed.wire import Message
from studio.game.coup import Side
from studio.game.events import Pairs
from studio.game.house import ShoeMode
from studio.game.roads import counts_of, roads_of
from studio.game.snapshot import PublicState
from studio.game.state import StandingResult

_Changes = dict[str, Any]


def applied(state: PublicState, message: Message) -> PublicState:
    """The state after one more message; messages come in order, each once."""
    return with_roads(moved(state, message), since=state)


def moved(state: PublicState, message: Message) -> PublicState:
    """As ``applied``, with the roads still to be reckoned: once is enough for many messages."""
    changes = _CHANGES.get(message.type)
    if changes is None or message.data is None:
        return state
    return replace(state, **changes(state, message, message.data))


def with_roads(state: PublicState, *, since: PublicState | None) -> PublicState:
    """The state with roads and counts of its results, if they are others than those before."""
    if since is not None and (state.results, state.shoe_mode) == (since.results, since.shoe_mode):
        return state
    if state.shoe_mode != ShoeMode.SHOE.value:
        return replace(state, roads=None, counts=None)
    outcomes = [one.outcome for one in state.results if one.outcome is not None]
    return replace(state, roads=roads_of(outcomes), counts=counts_of(state.results))


def bets_are_open(state: PublicState, suspended: str | None, now: datetime) -> bool:
    """Whether a bet may be taken at ``now``, on the studio's clock."""
    return (
        state.phase == "bets_open"
        and state.suspended is None
        and suspended is None
        and state.closes_at is not None
        and now < state.closes_at
    )


def _table_opened(s: PublicState, _: Message, data: m.TableOpened) -> _Changes:
    facts = asdict(data)
    if s.phase != "closed":
        return facts
    return facts | {"phase": "idle" if s.results else "shuffling"}


def _table_closed(_s: PublicState, _: Message, _data: m.TableClosed) -> _Changes:
    return {"phase": "closed", "suspended": None}


def _table_suspended(s: PublicState, _: Message, data: m.TableSuspended) -> _Changes:
    phase = "dealing" if s.phase == "bets_open" else s.phase
    return {"suspended": data.reason, "closes_at": None, "phase": phase}


def _table_resumed(_s: PublicState, _: Message, _data: m.TableResumed) -> _Changes:
    return {"suspended": None}


def _dealer_changed(_s: PublicState, _: Message, data: m.DealerChanged) -> _Changes:
    return {"dealer": data.dealer}


def _manual_mode(_s: PublicState, _: Message, data: m.ManualMode) -> _Changes:
    return {"manual_mode": data.on}


def _shoe_loaded(s: PublicState, message: Message, _data: m.ShoeLoaded) -> _Changes:
    return _no_cards_out(s) | {"shoe": message.shoe}


def _shoe_ended(s: PublicState, _: Message, _data: m.ShoeEnded) -> _Changes:
    return _no_cards_out(s) | {"shoe": None}


def _no_cards_out(s: PublicState) -> _Changes:
    phase = "closed" if s.phase == "closed" else "shuffling"
    return {"phase": phase, "cards_out": 0, "last_coup": None, "results": ()}


def _cut_card_seen(_s: PublicState, _: Message, data: m.CutCardSeen) -> _Changes:
    return {"last_coup": data.last_coup}


def _bets_opened(_s: PublicState, message: Message, data: m.BetsOpened) -> _Changes:
    return {"phase": "bets_open", "round": message.round, "closes_at": data.closes_at}


def _bets_closed(_s: PublicState, _: Message, _data: m.BetsClosed) -> _Changes:
    return {"phase": "dealing", "closes_at": None}


def _card_dealt(s: PublicState, _: Message, data: m.CardDealt) -> _Changes:
    side = data.position.side
    hand = s.player if side is Side.PLAYER else s.banker
    return {
        side.value: (*hand, data.card),
        "player_total": data.player_total,
        "banker_total": data.banker_total,
        "cards_out": s.cards_out + 1,
    }


def _round_held(_s: PublicState, _: Message, _data: m.RoundHeld) -> _Changes:
    return {"phase": "held"}


def _round_released(_s: PublicState, _: Message, _data: m.RoundReleased) -> _Changes:
    return {"phase": "dealing"}


def _round_reconstructed(s: PublicState, _: Message, data: m.RoundReconstructed) -> _Changes:
    more = len(data.player) + len(data.banker) - len(s.player) - len(s.banker)
    return {
        "cards_out": s.cards_out + max(more, 0),
        "phase": "dealing",
        "player": data.player,
        "banker": data.banker,
        "player_total": data.player_total,
        "banker_total": data.banker_total,
    }


def _result_stands(
    s: PublicState, message: Message, data: m.Result | m.ResultAmended | m.RoundVoided
) -> _Changes:
    changes: _Changes = {}
    if message.round == s.round:
        changes = {"closes_at": None}
        if not isinstance(data, m.ResultAmended):
            changes["phase"] = "result"
    old = next((one for one in s.results if one.round == message.round), None)
    if message.round is None or (old is not None and old.revision >= data.revision):
        return changes
    standing = _standing(message.round, message.seq, data)
    if old is not None:
        return changes | {"results": tuple(standing if r is old else r for r in s.results)}
    if message.round == s.round:
        return changes | {"results": (*s.results, standing)}
    return changes


def _standing(round_id: str, seq: int, data: m.Result | m.RoundVoided) -> StandingResult:
    if isinstance(data, m.RoundVoided):
        return StandingResult(
            round=round_id,
            seq=seq,
            revision=data.revision,
            outcome=None,
            player=(),
            banker=(),
            player_total=None,
            banker_total=None,
            natural=False,
            pairs=Pairs(player=False, banker=False),
            bets={},
            amendable_until=None,
        )
    return StandingResult(
        round=round_id,
        seq=seq,
        revision=data.revision,
        outcome=data.outcome,
        player=data.player,
        banker=data.banker,
        player_total=data.player_total,
        banker_total=data.banker_total,
        natural=data.natural,
        pairs=data.pairs,
        bets=data.bets,
        amendable_until=data.amendable_until,
    )


def _round_closed(s: PublicState, _: Message, _data: m.RoundClosed) -> _Changes:
    is_reshuffled = s.shoe_mode != ShoeMode.SHOE.value
    return {
        "phase": "idle",
        "round": None,
        "player": (),
        "banker": (),
        "player_total": None,
        "banker_total": None,
        "last_coup": None if s.last_coup is None else "this",
        "cards_out": 0 if is_reshuffled else s.cards_out,
    }


_CHANGES: dict[str, Callable[[PublicState, Message, Any], _Changes]] = {
    "table_opened": _table_opened,
    "table_closed": _table_closed,
    "table_suspended": _table_suspended,
    "table_resumed": _table_resumed,
    "dealer_changed": _dealer_changed,
    "manual_mode": _manual_mode,
    "shoe_loaded": _shoe_loaded,
    "shoe_ended": _shoe_ended,
    "cut_card_seen": _cut_card_seen,
    "bets_opened": _bets_opened,
    "bets_closed": _bets_closed,
    "card_dealt": _card_dealt,
    "round_held": _round_held,
    "round_released": _round_released,
    "round_reconstructed": _round_reconstructed,
    "result": _result_stands,
    "result_amended": _result_stands,
    "round_voided": _result_stands,
    "round_closed": _round_closed,
}
