# SPDX-License-Identifier: Apache-2.0
"""The rules of a house, as data, and what can be wrong with them.

A house is one file of ``config/houses``; reading files is for the settings, not for this module.
All amounts and odds are decimal strings, never floats. ``sources`` names, for every value that
differs from a plain default, where it was read, or says "confirm with your regulator".
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from enum import Enum
from typing import Any, get_args, get_origin

import msgspec
from msgspec import UNSET

from studio.game.cards import cards_in

# What may be done about each irregularity, by the setting that says so.
REMEDIES = {
    "excess_card": ("burn", "next_burn", "free_coup", "carry"),
    "early_card": ("play", "burn", "void"),
    "face_up_card": ("keep", "burn"),
    "stuck_cards": ("order", "void"),
    "found_late": ("amend", "void"),
}

_DRAGON_CASES = ("natural", "natural_tie", "by_9", "by_8", "by_7", "by_6", "by_5", "by_4")

# Every side bet that a house can offer, and the cases in which it pays.
SIDE_BETS: dict[str, tuple[str, ...]] = {
    "player_pair": ("win",),
    "banker_pair": ("win",),
    "either_pair": ("win",),
    "perfect_pair": ("one", "both"),
    "big": ("win",),
    "small": ("win",),
    "player_natural": ("win",),
    "banker_natural": ("win",),
    "player_dragon": _DRAGON_CASES,
    "banker_dragon": _DRAGON_CASES,
    "super_6": ("win",),
    **{f"tie_{total}": ("win",) for total in range(10)},
}

MOST_DECKS = 12
MOST_CARDS_IN_A_COUP = 6
_HOUR = 3600.0
_YEAR_MINUTES = 365 * 24 * 60.0


class ShoeMode(str, Enum):
    """``shoe``: dealt to the cut card; ``continuous``: reshuffled after every round."""

    SHOE = "shoe"
    CONTINUOUS = "continuous"


class BurnRule(str, Enum):
    """How many cards are burned when a shoe is loaded."""

    NONE = "none"
    FIXED = "fixed"
    DECKS = "decks"
    FIRST_CARD = "first_card"


class LastCoup(str, Enum):
    """What the cut card means; the words of the adjudication contract."""

    CURRENT = "current"
    ONE_MORE = "one_more"
    ALWAYS_ONE_MORE = "always_one_more"


class ResultEntry(str, Enum):
    """How a result becomes final: one key, the winner called, or by itself."""

    CONFIRM = "confirm"
    WINNER = "winner"
    AUTO = "auto"


class Burn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The burn. ``cards`` counts for ``fixed``; ``ace`` (1 or 11) for ``first_card``.

    With ``first_card`` the first card is burned too: it and as many more as it counts.
    """

    rule: BurnRule
    cards: int | None = None
    ace: int = 1


class Limit(msgspec.Struct, frozen=True):
    """One band of stakes a player may choose, decimal strings. It is on the public feed as well."""

    min: str
    max: str


class GamingDay(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where and at which hour (0 to 23) the gaming day turns."""

    time_zone: str = "UTC"
    turns_at_hour: int = 6


class House(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One jurisdiction's or operator's rules. Durations say their unit in the name."""

    name: str
    title: str
    decks: int
    shoe_mode: ShoeMode = ShoeMode.SHOE
    cut_card_from_end: int | None = None
    last_coup: LastCoup
    burn: Burn
    betting_seconds: float = 15
    close_guard_ms: int = 1500
    settle_seconds: float = 8
    amend_minutes: float = 60
    ring_seconds: float = 20
    result_entry: ResultEntry = ResultEntry.CONFIRM
    excess_card: str
    early_card: str
    face_up_card: str
    stuck_cards: str
    found_late: str
    second_person: tuple[str, ...] = ()
    supervisor_on_duty: bool = True
    pause_without_supervisor: bool = False
    commission: str = "0.05"
    banker_six_pays: str | None = None
    tie_odds: str = "8"
    currency: str = "EUR"
    limits: tuple[Limit, ...]
    side_bets: dict[str, dict[str, str]] = {}
    gaming_day: GamingDay = GamingDay()
    sources: dict[str, str] = {}

    @property
    def cards(self) -> int:
        """How many cards its shoe holds."""
        return cards_in(self.decks)


# Cards that must lie behind the cut card so that the last coup cannot run out of cards: a coup
# takes at most 6, and one under way when the cut card shows has taken at least 1 before it.
CARDS_BEHIND_CUT_CARD = {
    LastCoup.CURRENT: MOST_CARDS_IN_A_COUP,
    LastCoup.ONE_MORE: 2 * MOST_CARDS_IN_A_COUP - 1,
    LastCoup.ALWAYS_ONE_MORE: 2 * MOST_CARDS_IN_A_COUP,
}


def house_of(data: dict[str, object]) -> House:
    """The house that a file's ``data`` describes; msgspec.ValidationError at the first misfit.

    Types and names only: ``faults_of`` judges what the values mean, ``faults_in`` does both.
    """
    return msgspec.convert(data, House)


def faults_in(data: dict[str, object]) -> list[str]:
    """Every fault of a file's ``data``, misfits and meanings: "key: what is wrong; what is right".

    An empty list means that ``house_of`` accepts it and that the rules are sound.
    """
    fields = {field.encode_name: field for field in msgspec.structs.fields(House)}
    faults = dict.fromkeys(data.keys() - fields, "no such setting; remove it or correct its name")
    sound: dict[str, object] = {}
    for key, field in fields.items():
        if key in data:
            fitting = _sound(key, data[key], field.type, faults)
            if fitting is not UNSET:
                sound[key] = fitting
        elif field.required:
            faults[key] = "missing; every house must say it"
    stand_ins = {key: value for key, value in _STAND_INS.items() if key in faults}
    rest = faults_of(house_of(stand_ins | sound))
    return [f"{key}: {fault}" for key, fault in faults.items()] + [
        fault for fault in rest if not faults.keys() & _places(fault.split(":")[0])
    ]


def faults_of(house: House) -> list[str]:
    """What is unsound in a house's rules, each "key: what is wrong; what would be right"."""
    return [
        *_name_faults(house),
        *_shoe_faults(house),
        *_burn_faults(house),
        *_time_faults(house),
        *_remedy_faults(house),
        *_pay_faults(house),
        *_limit_faults(house),
        *_side_bet_faults(house),
    ]


def _sound(key: str, value: Any, kind: Any, faults: dict[str, str]) -> Any:
    """``value`` if it fits, else UNSET and a fault; of a table by name, what fits of it."""
    if get_origin(kind) is dict and isinstance(value, dict):
        inner = get_args(kind)[1]
        held = {name: _sound(f"{key}.{name}", one, inner, faults) for name, one in value.items()}
        return {name: one for name, one in held.items() if one is not UNSET}
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as misfit:
        faults[key] = _in_words(key, str(misfit))
        return UNSET
    if key == "limits" and any(set(one) - set(Limit.__struct_fields__) for one in value):
        faults[key] = "more than min and max in one of them; give these two"
        return UNSET
    return value


def _places(key: str) -> set[str]:
    """A key and the tables that it is in."""
    names = key.split(".")
    return {".".join(names[:depth]) for depth in range(1, len(names) + 1)}


def _in_words(key: str, misfit: str) -> str:
    """What msgspec says of a value, with the place inside it, and what would be right."""
    what, _, place = misfit.partition(" - at `$")
    at = f" at {key}{place.removesuffix('`')}" if place else ""
    if key in _WORDS and "enum" in what:
        return f"{what.lower()}{at}; use one of {', '.join(word.value for word in _WORDS[key])}"
    kinds = _MISFIT.fullmatch(what)
    if kinds is not None and kinds[1] in _KINDS:
        return f"not of the right kind{at}; give {_KINDS[kinds[1]]}"
    return f"not of the right kind{at}; {what[:1].lower()}{what[1:]}"


_MISFIT = re.compile(r"Expected `(\w+)(?: \| null)?`, got `\w+`")
_KINDS = {
    "array": "a list",
    "bool": "true or false",
    "float": "a number",
    "int": "a whole number",
    "object": "a table",
    "str": "a text in quotes",
}


def _name_faults(house: House) -> Iterator[str]:
    letters = house.name.replace("-", "")
    if not (letters.isascii() and letters.isalnum() and letters == letters.lower()):
        yield f'name: "{house.name}" is no name; use lower-case letters, digits and hyphens'
    if not house.title.strip():
        yield "title: empty; say the house's name as people read it"
    for key in house.sources:
        if key.split(".")[0] not in House.__struct_fields__:
            yield f"sources.{key}: there is no such setting; name one that this file gives"


def _shoe_faults(house: House) -> Iterator[str]:
    can_be_shuffled = 1 <= house.decks <= MOST_DECKS
    if not can_be_shuffled:
        yield f"decks: {house.decks} is out of range; use 1 to {MOST_DECKS}"
    cut = house.cut_card_from_end
    if house.shoe_mode is ShoeMode.CONTINUOUS:
        if cut is not None:
            yield f"cut_card_from_end: {cut}, but a continuous shoe has no cut card; remove it"
        return
    needed = CARDS_BEHIND_CUT_CARD[house.last_coup]
    if cut is None:
        yield f"cut_card_from_end: missing; a shoe is dealt to its cut card, use {needed} or more"
    elif cut < needed:
        yield (
            f"cut_card_from_end: {cut} cards cannot always finish the last coup"
            f' with last_coup "{house.last_coup.value}"; use {needed} or more'
        )
    elif can_be_shuffled and cut > house.cards // 2:
        yield (
            f"cut_card_from_end: {cut} is more than half of the shoe's {house.cards} cards;"
            f" use {needed} to {house.cards // 2}"
        )


def _burn_faults(house: House) -> Iterator[str]:
    burn = house.burn
    if burn.rule is BurnRule.FIXED:
        if burn.cards is None or not 1 <= burn.cards <= MOST_DECKS:
            yield f"burn.cards: {burn.cards} with a fixed burn; use 1 to {MOST_DECKS}"
    elif burn.cards is not None:
        yield f'burn.cards: {burn.cards}, but the rule is "{burn.rule.value}"; remove it'
    if burn.ace not in (1, 11):
        yield f"burn.ace: an ace cannot count {burn.ace}; use 1 or 11"


def _time_faults(house: House) -> Iterator[str]:
    spans = (
        ("betting_seconds", house.betting_seconds, _HOUR),
        ("close_guard_ms", house.close_guard_ms, 60_000),
        ("settle_seconds", house.settle_seconds, _HOUR),
        ("amend_minutes", house.amend_minutes, _YEAR_MINUTES),
        ("ring_seconds", house.ring_seconds, _HOUR),
    )
    for key, span, longest in spans:
        if not 0 <= span <= longest:
            yield f"{key}: {span} is out of range; use 0 to {longest:.0f}"
    if not 0 <= house.gaming_day.turns_at_hour <= 23:
        hour = house.gaming_day.turns_at_hour
        yield f"gaming_day.turns_at_hour: {hour} is no hour of the day; use 0 to 23"
    if not house.gaming_day.time_zone.strip():
        yield 'gaming_day.time_zone: empty; use a name such as "Europe/Malta"'


def _remedy_faults(house: House) -> Iterator[str]:
    for key, remedies in REMEDIES.items():
        remedy = getattr(house, key)
        if remedy not in remedies:
            yield f'{key}: "{remedy}" is no remedy here; use one of {", ".join(remedies)}'


def _pay_faults(house: House) -> Iterator[str]:
    if re.fullmatch("[A-Z]{3}", house.currency) is None:
        yield f'currency: "{house.currency}" is no currency code; use three capitals such as "EUR"'
    commission = _decimal(house.commission)
    if commission is None or commission >= 1:
        yield f'commission: "{house.commission}" is no share below 1; use a string such as "0.05"'
    if house.banker_six_pays is not None:
        pays = _decimal(house.banker_six_pays)
        if pays is None or pays > 1:
            yield (
                f'banker_six_pays: "{house.banker_six_pays}" is not from 0 to 1;'
                ' use a string such as "0.5"'
            )
        if commission:
            yield (
                f'commission: "{house.commission}" beside banker_six_pays, which is paid instead'
                ' of a commission; use "0" or remove banker_six_pays'
            )
    if not _decimal(house.tie_odds):
        yield f'tie_odds: "{house.tie_odds}" are no odds above 0; use a string such as "8"'


def _limit_faults(house: House) -> Iterator[str]:
    if not house.limits:
        yield 'limits: none; give at least one, such as { min = "5", max = "300" }'
    for number, limit in enumerate(house.limits, start=1):
        lowest = _decimal(limit.min)
        highest = _decimal(limit.max)
        if not lowest:
            yield f'limits.{number}.min: "{limit.min}" is no amount above 0; use such as "5"'
        if not highest:
            yield f'limits.{number}.max: "{limit.max}" is no amount above 0; use such as "300"'
        if lowest and highest and lowest >= highest:
            yield f"limits.{number}: min {limit.min} is not below max {limit.max}; raise max"


def _side_bet_faults(house: House) -> Iterator[str]:
    for bet, pays in house.side_bets.items():
        cases = SIDE_BETS.get(bet)
        if cases is None:
            yield f"side_bets.{bet}: there is no such bet; use one of {', '.join(SIDE_BETS)}"
            continue
        for case in cases:
            if case not in pays:
                yield f"side_bets.{bet}.{case}: missing; say what this case pays, or 0"
        for case, odds in pays.items():
            if case not in cases:
                yield f"side_bets.{bet}.{case}: no such case; use {', '.join(cases)}"
            elif _decimal(odds) is None:
                yield f'side_bets.{bet}.{case}: "{odds}" are no odds; use a string such as "11"'


def _decimal(text: str) -> Decimal | None:
    """The number that a plain decimal string of 0 or more says, or None."""
    whole, point, part = text.partition(".")
    digits = whole + part
    plain = digits.isascii() and digits.isdigit() and len(digits) <= 12
    if not plain or not whole or (point and not part):
        return None
    return Decimal(text)


_WORDS: dict[str, type[Enum]] = {
    "shoe_mode": ShoeMode,
    "last_coup": LastCoup,
    "result_entry": ResultEntry,
    "burn": BurnRule,
}

# Take the place of missing and misfitting values, so that the rest can be judged all the same.
_STAND_INS: dict[str, object] = {
    "name": "house",
    "title": "House",
    "decks": 8,
    "cut_card_from_end": 2 * MOST_CARDS_IN_A_COUP,
    "last_coup": "current",
    "burn": {"rule": "none"},
    **{key: remedies[0] for key, remedies in REMEDIES.items()},
    "limits": [{"min": "1", "max": "2"}],
}
