# SPDX-License-Identifier: Apache-2.0
"""One recorded event of every public type, and any recorded event at all.

``python -m tests.feed.examples`` writes the golden messages anew; a changed byte in them is a
changed contract.
"""

import types
import typing
from datetime import UTC, datetime, timedelta
from enum import Enum
from pathlib import Path
from typing import Any, ClassVar, Union, get_args, get_origin, get_type_hints

import msgspec
from hypothesis import strategies as st

from studio.feed import wire
from studio.game import events as ev
from studio.game.cards import Card
from studio.game.coup import Outcome, Position
from studio.game.house import Limit

GOLDEN = Path(__file__).parent.parent / "golden" / "messages"
TABLE = "BAC-1"
EPOCH = "0b0d8a9e-6f0e-4d0c-9b1e-2f6b6a6f7c11"
SHOE = "BAC-1-20261129-S03"
ROUND = "BAC-1-20261129-0214"
AT = datetime(2026, 11, 29, 23, 59, 59, 123456, tzinfo=UTC)
WHOLE_SECOND = datetime(2026, 11, 30, 0, 0, 0, tzinfo=UTC)
LATER = AT + timedelta(hours=1)

_PLAYER = (Card("9H"), Card("KS"))
_BANKER = (Card("TC"), Card("7D"))
_BETS = {"player": "1", "banker": "-1", "tie": "-1", "player_pair": "-1"}
_RESULT: dict[str, Any] = {
    "outcome": Outcome.PLAYER,
    "player": _PLAYER,
    "banker": _BANKER,
    "player_total": 9,
    "banker_total": 7,
    "natural": True,
    "pairs": ev.Pairs(player=False, banker=False),
    "bets": _BETS,
    "amendable_until": LATER,
}

PUBLIC_EVENTS: tuple[ev.PublicEvent, ...] = (
    ev.TableOpened(
        environment="test",
        house="studio",
        decks=8,
        shoe_mode="shoe",
        currency="EUR",
        limits=(Limit("5", "500"), Limit("25.50", "5000")),
        paytable={"player": {"win": "1"}, "banker": {"win": "0.95"}, "tie": {"tie": "8"}},
        dealer="Zoë",
        stream=None,
        picture_delay_ms=900,
        software=ev.Software("0.1.0", "sha256:00"),
        by="s-1",
    ),
    ev.TableClosed(reason="staff", by="s-1"),
    ev.TableSuspended(reason="device"),
    ev.TableResumed(reason="device", by="s-1"),
    ev.DealerChanged(dealer="Léa", by="s-1"),
    ev.ShoeLoaded(decks=8, shoe=SHOE, burn=None, by="s-1"),
    ev.ShoeEnded(rounds=80, burned=9, left=14, seen=402, counted=14, reason="", by="s-1"),
    ev.CutCardSeen(last_coup="next"),
    ev.BetsOpened(seconds=15, closes_at=WHOLE_SECOND, round=ROUND, day="20261129", by="s-1"),
    ev.BetsClosed(guard_until=LATER),
    ev.CardDealt(position=Position.P1, card=Card("9H"), player_total=9, banker_total=None),
    ev.RoundHeld(reason="misdeal"),
    ev.RoundReleased(set_aside=(), text="nothing_changed", by="s-2"),
    ev.RoundReconstructed(
        player=_PLAYER,
        banker=_BANKER,
        player_total=9,
        banker_total=7,
        set_aside=(Card("2C"),),
        text="put_back_in_order",
        by="s-2",
    ),
    ev.ResultConfirmed(revision=1, **_RESULT),
    ev.ResultAmended(
        revision=2, supersedes=120, reason="review", round=ROUND, by="s-2", second="s-3", **_RESULT
    ),
    ev.RoundVoided(
        revision=3,
        reason="misdeal",
        set_aside=(Card("2C"), Card("2C")),
        text="void",
        supersedes=121,
        round=ROUND,
        detail="seen on video",
        by="s-2",
    ),
    ev.RoundClosed(),
    ev.ManualModeChanged(on=True, by="s-2"),
)


def recorded_of(event: ev.Event, seq: int = 200, public_seq: int | None = 123) -> ev.Recorded:
    """A place in the record for an example."""
    return ev.Recorded(seq, public_seq, AT, ev.Source.SHOE, SHOE, ROUND, event)


def golden_messages() -> dict[str, bytes]:
    """The payload of every type, heartbeat included, by type."""
    messages = {
        wire.type_of(event): wire.public_payload(TABLE, EPOCH, recorded_of(event))
        for event in PUBLIC_EVENTS
    }
    head = wire.head_after(wire.HEAD_0, messages["table_opened"])
    messages["heartbeat"] = wire.heartbeat_payload(
        TABLE, EPOCH, 123, head, WHOLE_SECOND, "device", SHOE, ROUND
    )
    return messages


_BASE: dict[Any, st.SearchStrategy[Any]] = {
    int: st.integers(-(2**63), 2**63 - 1),
    str: st.text(max_size=12),
    float: st.floats(allow_nan=False, allow_infinity=False),
    bool: st.booleans(),
    type(None): st.none(),
    datetime: st.datetimes(timezones=st.just(UTC)),
}


def any_of(hint: Any) -> st.SearchStrategy[Any]:
    """Any value of a type that events are made of."""
    if hint in _BASE:
        return _BASE[hint]
    origin, args = get_origin(hint), get_args(hint)
    if origin in {Union, types.UnionType}:
        return st.one_of(*map(any_of, args))
    if origin is tuple:
        return st.lists(any_of(args[0]), max_size=3).map(tuple)
    if origin is dict:
        return st.dictionaries(any_of(args[0]), any_of(args[1]), max_size=3)
    if issubclass(hint, Enum):
        return st.sampled_from(hint)
    assert issubclass(hint, msgspec.Struct), hint
    hints = get_type_hints(hint)
    members = {n: h for n, h in hints.items() if get_origin(h) is not ClassVar}
    return st.deferred(lambda: st.builds(hint, **{n: any_of(h) for n, h in members.items()}))


seqs = st.integers(1, 2**53)


def any_recorded(events: Any) -> st.SearchStrategy[ev.Recorded]:
    """Any recorded event of a union of classes."""
    return st.builds(
        ev.Recorded,
        seq=seqs,
        public_seq=seqs,
        at=_BASE[datetime],
        source=st.sampled_from(ev.Source),
        shoe=st.none() | st.text(max_size=8),
        round=st.none() | st.text(max_size=8),
        event=any_of(typing.cast(Any, events)),
    )


if __name__ == "__main__":
    for name, payload in golden_messages().items():
        (GOLDEN / f"{name}.json").write_bytes(payload + b"\n")
