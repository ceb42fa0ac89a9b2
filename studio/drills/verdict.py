# SPDX-License-Identifier: Apache-2.0
"""Whether a drill was passed: its oracle against what was heard on air and what is on record."""

from collections import Counter
from collections.abc import Iterator

import msgspec

from studio.drills.words import Drill, Oracle, result_text
from studio.game import events as ev
from studio.game.events import Recorded

NONE = "none"
WHATEVER = "whatever it is"
MAKE_THE_DECKS = "make the decks"
A_DIFFERENCE = "differ, and a person said why"
SHUFFLED_IN = "are shuffled in again after each round"


class Picture(msgspec.Struct, frozen=True):
    """The public state as JSON, after so many messages of the drill."""

    messages: int
    state: bytes


class Account(msgspec.Struct, frozen=True, kw_only=True):
    """What was seen of a drill.

    ``recorded``: every event of the table from the drill's first step on. ``heard``: every public
    message on air in that time, ``stored``: every one on record. ``pictures``: what a front-end
    could have asked for meanwhile. ``mishaps``: what did not go as the steps say. ``count``:
    whether the cards made the decks at the end of each shoe. ``findings``: of the record's check.
    """

    recorded: tuple[Recorded, ...]
    heard: tuple[bytes, ...]
    stored: tuple[bytes, ...]
    pictures: tuple[Picture, ...]
    mishaps: tuple[str, ...]
    count: str
    findings: tuple[str, ...]


class Check(msgspec.Struct, frozen=True):
    """One thing that the oracle asks for."""

    what: str
    expected: str
    seen: str

    @property
    def is_met(self) -> bool:
        """Whether what was seen is what was expected."""
        return self.expected == self.seen


def checks_of(drill: Drill, account: Account) -> tuple[Check, ...]:
    """Everything that the drill's oracle asks for, beside what was seen of it."""
    oracle = drill.oracle
    hidden = [f"{card.value} always" for card in oracle.never]
    hidden += [f"{code} until {since}" for code, since in oracle.after.items()]
    kept = _list(tuple(hidden), "no card of this drill")
    told = _list(tuple(f"{kind} at least {n}" for kind, n in oracle.told.items()), WHATEVER)
    return (
        Check(
            "the operator's actions", "as in the drill", _list(account.mishaps, "as in the drill")
        ),
        Check("what the shoe told beside cards", told, _list(_untold(drill, account), told)),
        Check("what held the table", _list(oracle.raised), _list(_raised(account))),
        Check("public messages", _list(oracle.public), _list(_types(account))),
        Check("results", _list(oracle.results, sep="; "), _list(_results(account), sep="; ")),
        Check("cards without a position", _list(oracle.fates), _list(_fates(account))),
        Check("kept from the public feed", kept, _list(_leaks(drill, account), kept)),
        Check(
            "on air and on record",
            "the same bytes",
            "the same bytes" if account.heard == account.stored else "other bytes",
        ),
        Check(
            "cards seen, burned and left",
            _count_due(oracle, account),
            account.count,
        ),
        Check("the record verified", "sound", _list(account.findings, "sound")),
    )


def _count_due(oracle: Oracle, account: Account) -> str:
    if account.count == SHUFFLED_IN:
        return SHUFFLED_IN
    return MAKE_THE_DECKS if oracle.counts else A_DIFFERENCE


def _list(words: tuple[str, ...], empty: str = NONE, sep: str = ", ") -> str:
    return sep.join(words) or empty


def _untold(drill: Drill, account: Account) -> tuple[str, ...]:
    """What the shoe was to report more often than is on record, with how often it did."""
    events = (one.event for one in account.recorded)
    told = Counter(
        str(event.report.__struct_config__.tag)
        for event in events
        if isinstance(event, ev.ShoeNoted)
    )
    wanted = drill.oracle.told.items()
    return tuple(f"{kind} {told[kind]}" for kind, least in wanted if told[kind] < least)


def _raised(account: Account) -> tuple[str, ...]:
    events = (one.event for one in account.recorded)
    return tuple(event.code for event in events if isinstance(event, ev.IrregularityRaised))


def _types(account: Account) -> tuple[str, ...]:
    return tuple(_type_of(payload) for payload in account.heard)


class _Typed(msgspec.Struct):
    type: str


_decode = msgspec.json.Decoder(_Typed).decode


def _type_of(payload: bytes) -> str:
    return _decode(payload).type


def _results(account: Account) -> tuple[str, ...]:
    found = []
    for one in account.recorded:
        match one.event:
            case ev.ResultConfirmed(outcome=outcome, player=player, banker=banker):
                found.append(result_text(outcome.value, player, banker))
            case ev.ResultAmended(outcome=outcome, player=player, banker=banker):
                found.append("amended " + result_text(outcome.value, player, banker))
            case ev.RoundVoided():
                found.append("void")
            case _:
                pass
    return tuple(found)


def _fates(account: Account) -> tuple[str, ...]:
    found: list[str] = []
    for one in account.recorded:
        match one.event:
            case ev.HeldCardBurned(cards=cards, unread=unread):
                found += [f"{card.value} burn" for card in cards] + ["unread burn"] * unread
            case ev.SurplusCarried(cards=cards):
                found += [f"{card.value} carry" for card in cards]
            case ev.SurplusKeptForBurn(cards=cards):
                found += [f"{card.value} next_burn" for card in cards]
            case ev.FreeCoupDue(cards=cards):
                found += [f"{card.value} free_coup" for card in cards]
            case _:
                pass
    return tuple(found)


def _leaks(drill: Drill, account: Account) -> tuple[str, ...]:
    """The secret cards that could be read on the public side, and where."""
    oracle, types = drill.oracle, _types(account)
    first = {type_: types.index(type_) for type_ in types[::-1]}
    found = []
    for card in oracle.never:
        found += [f"{card.value} in {where}" for _, where in _places(account, card.value)]
    for code, since in oracle.after.items():
        allowed = first.get(since, len(types))
        found += [f"{code} in {where}" for at, where in _places(account, code) if at < allowed]
    return tuple(found)


def _places(account: Account, code: str) -> Iterator[tuple[int, str]]:
    """Where a card is named: with the number of the message that the place comes with, or after."""
    word = f'"{code}"'.encode()
    for at, payload in enumerate(account.heard):
        if word in payload:
            yield at, f"{_type_of(payload)} (message {at + 1})"
    for picture in account.pictures:
        if word in picture.state:
            yield picture.messages - 1, f"the picture after message {picture.messages}"
