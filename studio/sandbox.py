# SPDX-License-Identifier: Apache-2.0
"""What can be triggered at a sandbox's tables, as it is typed, and how a result is amended there.

Pure: it knows no table that runs.
"""

from collections.abc import Iterator, Sequence
from enum import Enum
from math import isfinite
from typing import NamedTuple

import msgspec

from studio.game.cards import Card
from studio.game.tableau import next_position, outcome_of

LONGEST_SILENCE = 3600.0
_SILENCE_SECONDS = 5.0

Hands = tuple[tuple[Card, ...], tuple[Card, ...]]


class Kind(str, Enum):
    """What is triggered."""

    VOID = "void"
    VOID_RESULT = "void-result"
    AMEND = "amend"
    HOLD = "hold"
    SILENCE = "silence"
    RESTART = "restart"
    NEW_EPOCH = "new-epoch"
    RESTORE = "restore"


class About(NamedTuple):
    """What happens at the table, and what a front-end hears of it."""

    does: str
    heard: str


ABOUT = {
    Kind.VOID: About("a supervisor voids the round under way", "round_voided: stakes are returned"),
    Kind.VOID_RESULT: About(
        "two people void the last round that has a result",
        "round_voided of a later revision, with what it supersedes: what was paid is taken back",
    ),
    Kind.AMEND: About(
        "two people put right the last result, after which another hand wins",
        "result_amended of a later revision: the round is paid anew",
    ),
    Kind.HOLD: About(
        "a card falls in mid-round, and the dealer has it ruled on",
        "round_held, then round_released, round_reconstructed or round_voided",
    ),
    Kind.SILENCE: About(
        f"the service stands still for so many seconds ({_SILENCE_SECONDS:g}), then goes on",
        "nothing, no heartbeat either: stale after three seconds, live again afterwards",
    ),
    Kind.RESTART: About(
        "the service is killed, as by a loss of power, and started again",
        "the same epoch: history brings what was missed, nothing is missing, nothing twice",
    ),
    Kind.NEW_EPOCH: About(
        "the service is stopped, and its record begins a new epoch",
        "another epoch, seq from 1: ask for every open round, then join again",
    ),
    Kind.RESTORE: About(
        "a backup is taken, a round dealt, and the backup put back",
        "another epoch, in which the rounds since are unknown: suspend them, call the studio",
    ),
}


class Trigger(msgspec.Struct, frozen=True):
    """One trigger at one table; ``seconds`` for a silence."""

    kind: Kind
    table: str
    seconds: float = _SILENCE_SECONDS


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What a trigger came to, for a person to read; ``round`` where it was about one."""

    ok: bool
    text: str
    table: str | None = None
    trigger: str | None = None
    round: str | None = None


class NoTrigger(ValueError):
    """What was typed is none; the text says what is wrong with it and what would be right."""


def trigger_of(words: Sequence[str], tables: Sequence[str]) -> Trigger:
    """The trigger that these words mean, in any order; at the first table if they name none.

    Raises NoTrigger.
    """
    kind: Kind | None = None
    table, seconds = tables[0], None
    for word in words:
        if word.lower() in {one.value for one in Kind}:
            kind = Kind(word.lower())
        elif word.upper() in tables:
            table = word.upper()
        elif (number := _number(word)) is not None:
            seconds = number
        else:
            raise NoTrigger(f'"{word}" is neither {_listed(Kind)} nor a table: {", ".join(tables)}')
    if kind is None:
        raise NoTrigger(f"say what to trigger: {_listed(Kind)}")
    if seconds is not None and (kind is not Kind.SILENCE or not 0 < seconds <= LONGEST_SILENCE):
        raise NoTrigger(
            f"seconds are for {Kind.SILENCE.value}, more than 0 and up to {LONGEST_SILENCE:g}"
        )
    return Trigger(kind, table, _SILENCE_SECONDS if seconds is None else seconds)


def _number(word: str) -> float | None:
    try:
        number = float(word)
    except ValueError:
        return None
    return number if isfinite(number) else None


def _listed(kinds: type[Kind]) -> str:
    return ", ".join(one.value for one in kinds)


def corrections(player: tuple[Card, ...], banker: tuple[Card, ...]) -> Iterator[Hands]:
    """The same coup with one card read otherwise, so that another hand wins; last cards first."""
    cards, outcome = (*player, *banker), outcome_of(player, banker)
    for place in reversed(range(len(cards))):
        for card in Card:
            changed = (*cards[:place], card, *cards[place + 1 :])
            hands = changed[: len(player)], changed[len(player) :]
            if _is_complete(hands) and outcome_of(*hands) is not outcome:
                yield hands


def _is_complete(hands: Hands) -> bool:
    try:
        return next_position(*hands) is None
    except ValueError:
        return False
