# SPDX-License-Identifier: Apache-2.0
"""A coup record, understood: its events as the adjudication contract has them, or what is wrong.

Nothing is judged here, and nothing is guessed: a member that is not one of a record's is refused.
"""

from typing import Any

import msgspec

from studio.game.cards import Card
from studio.game.coup import Side
from studio.game.record_line import BadRecord, is_once

_FLAGS = ("face_up", "stuck", "unseen")
# The kinds of events, each with what else it may say.
_KINDS: dict[str, tuple[str, ...]] = {
    "card": ("at", *_FLAGS),
    "enter": ("for",),
    "bets": (),
    "cut_card": (),
    "result": (),
    "shoe_empty": (),
}
_CARDS = {card.value: card for card in Card}
_RECORD = ("id", "house", "seen", "events")
_MOST_CARDS = 1000
_MOST_CALLS = 1000


class Given(msgspec.Struct, frozen=True):
    """One event of a record, understood. ``kind`` is its member of the contract."""

    kind: str
    card: Card | None = None
    at: Side | None = None
    face_up: bool = False
    stuck: bool = False
    unseen: bool = False
    number: int = 0
    word: str = ""


# Nearly every event is a card, and perhaps where it was laid; they are all made here.
KNOWN = {
    (code, at): Given("card", card, None if at is None else Side(at))
    for code, card in _CARDS.items()
    for at in (None, "player", "banker")
}


class Record(msgspec.Struct, frozen=True):
    """A coup record, understood. ``entries``: its ``enter`` events, by the number of the card."""

    id: str | None
    house: str
    seen: dict[str, int]
    events: tuple[Given, ...]
    entries: dict[int, Given]


class _Unread(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """A record as it most often comes, with its events as they were written."""

    events: list[msgspec.Raw]
    id: str | None = None
    house: str | msgspec.UnsetType = msgspec.UNSET


_decode = msgspec.json.Decoder(_Unread).decode
# What an event that was met before came to, as it was written.
_MET: dict[bytes, Given] = {}
_MOST_MET, _LONGEST_MET = 10_000, 100


def known_record(line: bytes, unnamed: str = "studio") -> Record | None:
    """The record, where nothing in it is unusual; None where it is to be read with care.

    There are few ways to write an event and many records: each is understood once.
    """
    if not is_once(line, b'"id"', b'"house"', b'"events"'):
        return None
    try:
        read = _decode(line)
        given = tuple([_MET.get(bytes(one)) or _meet(bytes(one)) for one in read.events])
        is_plain = b'"enter"' not in line and len(given) <= min(_MOST_CARDS, _MOST_CALLS)
        entries = {} if is_plain else _entries_in(given)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, BadRecord):
        return None
    house = unnamed if read.house is msgspec.UNSET else read.house
    return Record(read.id, house, {}, given, entries)


def _meet(written: bytes) -> Given:
    read = msgspec.json.decode(written)
    given = _event(read, "")
    if written.count(b":") != len(read):
        raise BadRecord("a member is given twice")
    # one that is mostly spaces is not worth its room
    if len(_MET) < _MOST_MET and len(written) <= _LONGEST_MET:
        _MET[written] = given
    return given


def record_of(read: dict[str, Any], unnamed: str = "studio") -> Record:
    """Understand a record. Raises BadRecord."""
    for name in read:
        if name not in _RECORD:
            raise BadRecord(f"{name}: not a member of a record; these are {', '.join(_RECORD)}")
    id_ = read.get("id")
    if id_ is not None and not isinstance(id_, str):
        raise BadRecord("id: must be a string")
    house = read.get("house", unnamed)
    if not isinstance(house, str):
        raise BadRecord("house: must be the name of a house")
    events = read.get("events")
    if not isinstance(events, list):
        raise BadRecord("events: a list of events is needed")
    given = tuple([_event(one, f"events[{place}]") for place, one in enumerate(events)])
    entries = _entries_in(given)
    return Record(id_, house, _seen(read.get("seen", {})), given, entries)


def _seen(read: object) -> dict[str, int]:
    if not isinstance(read, dict):
        raise BadRecord("seen: an object of card and count")
    for name, count in read.items():
        _card(name, "seen")
        if type(count) is not int or count < 0:
            raise BadRecord(f"seen.{name}: a count of cards, 0 or more")
    return read


def _event(read: object, where: str) -> Given:
    if not isinstance(read, dict):
        raise BadRecord(f"{where}: an event is an object")
    card, at = read.get("card"), read.get("at")
    if isinstance(card, str) and (len(read) == 1 or (len(read) == 2 and isinstance(at, str))):
        known = KNOWN.get((card, at))
        if known is not None:
            return known
    said = _without_false(read) if False in read.values() else read
    kinds = _KINDS.keys() & said.keys()
    if len(kinds) != 1:
        raise BadRecord(f"{where}: an event has exactly one of {', '.join(_KINDS)}")
    (kind,) = kinds
    for name in said:
        if name != kind and name not in _KINDS[kind]:
            raise BadRecord(f"{where}.{name}: no member of the event {kind}")
    value = said[kind]
    match kind:
        case "card":
            return _card_event(said, where)
        case "enter":
            number = said.get("for")
            if type(number) is not int or number < 1:
                raise BadRecord(f"{where}.for: the number of a card of this coup, from 1")
            return Given(kind, card=_card(value, f"{where}.enter"), number=number)
        case "bets" if value in ("open", "closed"):
            return Given(kind, word=value)
        case "result" if value in ("player", "banker", "tie"):
            return Given(kind, word=value)
        case "cut_card" | "shoe_empty" if value is True:
            return Given(kind)
        case _:
            raise BadRecord(f"{where}.{kind}: {value!r} is not understood")


def _without_false(read: dict[str, Any]) -> dict[str, Any]:
    """A flag that is false is as if absent."""
    flags = (*_FLAGS, "cut_card", "shoe_empty")
    return {name: value for name, value in read.items() if not (value is False and name in flags)}


def _card_event(said: dict[str, Any], where: str) -> Given:
    card = None if said["card"] is None else _card(said["card"], f"{where}.card")
    if len(said) == 1:
        return Given("card", card)
    at = None
    if "at" in said:
        if said["at"] not in ("player", "banker"):
            raise BadRecord(f"{where}.at: player or banker")
        at = Side(said["at"])
    for flag in _FLAGS:
        if said.get(flag, True) is not True:
            raise BadRecord(f"{where}.{flag}: true or false")
    return Given(
        "card", card, at, face_up="face_up" in said, stuck="stuck" in said, unseen="unseen" in said
    )


def _card(code: object, where: str) -> Card:
    card = _CARDS.get(code) if isinstance(code, str) else None
    if card is None:
        raise BadRecord(f"{where}: {code!r} is no card; one is rank then suit, as in 9H or TC")
    return card


def _entries_in(events: tuple[Given, ...]) -> dict[int, Given]:
    """The values entered, by the number of the card; raises BadRecord where there is none to it."""
    kinds = [one.kind for one in events]
    for kind, what in (("result", "result is called"), ("shoe_empty", "shoe is found empty")):
        if kinds.count(kind) > _MOST_CALLS:
            raise BadRecord(f"events: a coup whose {what} {kinds.count(kind)} times")
    if kinds.count("card") > _MOST_CARDS:
        raise BadRecord(f"events: a coup of {kinds.count('card')} cards")
    entries: dict[int, Given] = {}
    if "enter" not in kinds:
        return entries
    cards = [one for one in events if one.kind == "card"]
    for place, one in enumerate(events):
        if one.kind != "enter":
            continue
        where = f"events[{place}].for"
        if one.number > len(cards):
            raise BadRecord(f"{where}: card {one.number} was never drawn")
        if cards[one.number - 1].card is not None:
            raise BadRecord(f"{where}: card {one.number} was read")
        if one.number in entries:
            raise BadRecord(f"{where}: card {one.number} is entered twice")
        entries[one.number] = one
    return entries
