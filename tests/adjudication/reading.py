# SPDX-License-Identifier: Apache-2.0
"""What a coup record may say, by the contract of adjudication: the reading half of the reference.

It knows nothing of the product. A record either fits, or ``Misfit`` says what does not, and where.
"""

import json
from typing import Any, NamedTuple

RANKS = "A23456789TJQK"
CODES = frozenset(rank + suit for rank in RANKS for suit in "SHDC")
SIDES = ("player", "banker")


class Remedies(NamedTuple):
    """What a house does about each thing."""

    decks: int
    excess: str
    early: str
    face_up: str
    stuck: str
    last_coup: str


HOUSES = {
    "studio": Remedies(8, "burn", "burn", "burn", "order", "one_more"),
    "atlantic-city": Remedies(6, "carry", "play", "burn", "order", "current"),
    "continuous": Remedies(6, "burn", "burn", "burn", "order", "current"),
    "venezia": Remedies(6, "burn", "play", "burn", "order", "current"),
    "france": Remedies(6, "burn", "play", "burn", "order", "current"),
    "macau": Remedies(8, "burn", "play", "keep", "order", "one_more"),
    "spain": Remedies(6, "burn", "play", "burn", "void", "current"),
}

FLAGS = ("face_up", "stuck", "unseen", "cut_card", "shoe_empty")
KINDS = ("card", "enter", "bets", "cut_card", "result", "shoe_empty")
BESIDE = {"card": {"at", "face_up", "stuck", "unseen"}, "enter": {"for"}}


class _Object(dict[str, Any]):
    """An object of JSON that remembers whether a member was given twice."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.is_doubtful = len(self) < len(pairs)


class Misfit(ValueError):
    """The record cannot be understood; the text says what is wrong and where."""


class Understood(NamedTuple):
    """A record that fits. A card that was entered later has the member ``entered``.

    Flags that were false are gone, and so are the ``enter`` events.
    """

    house: Remedies
    seen: dict[str, int]
    events: list[dict[str, Any]]


def json_of(line: bytes) -> Any:
    """The value of one line of strict JSON."""
    try:
        return json.loads(
            line.decode("utf-8"), parse_constant=_no_constant, object_pairs_hook=_Object
        )
    except (ValueError, RecursionError) as fault:
        raise Misfit(f"not JSON: {fault}") from fault


def id_of(record: Any) -> str | None:
    """The record's id, as far as it has one."""
    name = record.get("id") if isinstance(record, dict) else None
    return name if isinstance(name, str) else None


def understood(record: Any) -> Understood:
    """The record as it is to be judged."""
    _check(isinstance(record, dict), "the record is not an object")
    _check(not _has_doubt(record), "a member is given twice")
    for member in record.keys() - {"id", "house", "seen", "events"}:
        raise Misfit(f"there is no member {member!r}")
    _check(isinstance(record.get("id"), str | None), "id: not a string")
    house = record.get("house", "studio")
    _check(isinstance(house, str) and house in HOUSES, f"house: there is no {house!r}")
    seen = record.get("seen", {})
    _check(isinstance(seen, dict), "seen: not an object")
    for code, copies in seen.items():
        _check(code in CODES, f"seen: there is no card {code!r}")
        _check(type(copies) is int and copies >= 0, f"seen.{code}: {copies!r} is no count")
    _check(isinstance(record.get("events"), list), "events: missing, or not a list")
    events = [_event(event, f"events[{n}]") for n, event in enumerate(record["events"])]
    cards = [event for event in events if "card" in event]
    for event in events:
        if "enter" in event:
            _enter(event["enter"], event["for"], cards)
    return Understood(HOUSES[house], seen, [event for event in events if "enter" not in event])


def _enter(code: str, number: int, cards: list[dict[str, Any]]) -> None:
    _check(1 <= number <= len(cards), f"enter: card {number} was never drawn")
    _check(cards[number - 1]["card"] is None, f"enter: card {number} was read")
    _check("entered" not in cards[number - 1], f"enter: card {number} is entered twice")
    cards[number - 1]["entered"] = code


def _event(told: Any, where: str) -> dict[str, Any]:
    _check(isinstance(told, dict), f"{where}: not an object")
    event = {key: value for key, value in told.items() if key not in FLAGS or value is not False}
    kinds = [kind for kind in KINDS if kind in event]
    _check(len(kinds) == 1, f"{where}: not exactly one of {', '.join(KINDS)}")
    kind, value = kinds[0], event[kinds[0]]
    for member in event.keys() - {kind} - BESIDE.get(kind, set()):
        raise Misfit(f"{where}: {member!r} does not belong to {kind!r}")
    for flag in set(FLAGS) & event.keys():
        _check(event[flag] is True, f"{where}.{flag}: neither true nor false")
    if kind in ("card", "enter") and not (kind == "card" and value is None):
        _check(isinstance(value, str) and value in CODES, f"{where}: there is no card {value!r}")
    if "at" in event:
        _check(event["at"] in SIDES, f"{where}.at: not a box")
    if kind == "enter":
        _check(type(event.get("for")) is int, f"{where}.for: not the number of a card")
    if kind == "bets":
        _check(value in ("open", "closed"), f"{where}.bets: neither open nor closed")
    if kind == "result":
        _check(value in (*SIDES, "tie"), f"{where}.result: no result")
    return event


def _has_doubt(value: Any) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return getattr(value, "is_doubtful", False) or any(map(_has_doubt, inner))


def _check(is_right: bool, otherwise: str) -> None:
    if not is_right:
        raise Misfit(otherwise)


def _no_constant(word: str) -> None:
    raise ValueError(f"{word} is no number")
