# SPDX-License-Identifier: Apache-2.0
"""Which operators have confirmed which corrections, and what is outstanding.

A correction is a ``result_amended`` or a ``round_voided``. Whoever held a key when it was made is
to acknowledge it. A later revision takes the place of the one before: the newest is what waits,
since the time of the first that the operator did not confirm. A key that is revoked afterwards
changes nothing in that, and is told: its operator can confirm no more.

Pure: who holds keys, what is on record and who confirmed it is handed in.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from enum import Enum
from typing import Protocol

import msgspec

from studio.feed import messages as m
from studio.feed.wire import Message

# What waits is told to the last; of an operator who confirms nothing, only so much at once.
MOST_TOLD = 20


class Key(Protocol):
    """A key of an operator, as the studio's list of keys has it."""

    @property
    def name(self) -> str: ...
    @property
    def added(self) -> datetime: ...
    @property
    def revoked(self) -> datetime | None: ...


class Correction(msgspec.Struct, frozen=True):
    """A later revision of a round, and when it was made; ``type`` is that of its message."""

    epoch: str
    round: str
    revision: int
    type: str
    at: datetime


class Confirmed(msgspec.Struct, frozen=True):
    """That an operator has this revision: who, which, of which epoch."""

    operator: str
    epoch: str
    round: str
    revision: int


class Waiting(msgspec.Struct, frozen=True, kw_only=True):
    """A correction that an operator has yet to confirm.

    ``at`` is when it was made, ``since`` when the first of the round was that it did not confirm.
    """

    round: str
    revision: int
    type: str
    at: datetime
    since: datetime


class KeyState(str, Enum):
    """Whether an operator may connect."""

    IN_FORCE = "in_force"
    REVOKED = "revoked"


class Operator(msgspec.Struct, frozen=True, kw_only=True):
    """An operator at a table: its key, whether it is connected, and what waits for its word.

    ``waiting`` holds the oldest of the ``outstanding``, oldest first.
    """

    name: str
    key: KeyState
    revoked: datetime | None
    connected: bool
    outstanding: int
    waiting: tuple[Waiting, ...]


class Acknowledgements(msgspec.Struct, frozen=True, kw_only=True):
    """What staff are told: every operator, and after how many seconds a correction is late."""

    operators: tuple[Operator, ...]
    acknowledge_seconds: int


def correction_of(message: Message) -> Correction | None:
    """The correction that a public message is; None if it is none."""
    data = message.data
    if message.round is None or not isinstance(data, m.ResultAmended | m.RoundVoided):
        return None
    return Correction(message.epoch, message.round, data.revision, message.type, message.at)


class Book:
    """The corrections of a table that somebody has yet to confirm, and who confirmed which."""

    def __init__(self) -> None:
        self._rounds: dict[str, dict[int, Correction]] = defaultdict(dict)
        self._confirmed: set[Confirmed] = set()

    def correct(self, correction: Correction) -> None:
        """A correction is on record; again is no matter."""
        self._rounds[correction.round][correction.revision] = correction

    def confirm(self, confirmed: Confirmed) -> None:
        """An operator confirmed a correction. May be called from another thread."""
        self._confirmed.add(confirmed)

    def operators(
        self, keys: Iterable[Key], connected: Collection[str] = ()
    ) -> tuple[Operator, ...]:
        """Every operator that has a key, or had one and has yet to confirm something, by name.

        Rounds for which nobody's word is missing are forgotten: who was to confirm a correction
        was settled when it was made.
        """
        of_name: dict[str, list[Key]] = defaultdict(list)
        for key in keys:
            of_name[key.name].append(key)
        found = []
        for name, held in sorted(of_name.items()):
            waiting = sorted(self._waiting(name, held), key=lambda one: one.since)
            barred = [key.revoked for key in held if key.revoked is not None]
            is_barred = len(barred) == len(held)
            if is_barred and not waiting:
                continue
            found.append(
                Operator(
                    name=name,
                    key=KeyState.REVOKED if is_barred else KeyState.IN_FORCE,
                    revoked=max(barred) if is_barred else None,
                    connected=name in connected,
                    outstanding=len(waiting),
                    waiting=tuple(waiting),
                )
            )
        still = {one.round for operator in found for one in operator.waiting}
        for round_id in self._rounds.keys() - still:
            del self._rounds[round_id]
        return tuple(found)

    def _waiting(self, operator: str, keys: Sequence[Key]) -> Iterator[Waiting]:
        for corrections in self._rounds.values():
            missing: list[Correction] = []
            for _, one in sorted(corrections.items()):
                if Confirmed(operator, one.epoch, one.round, one.revision) in self._confirmed:
                    missing = []
                elif any(_was_held(key, one.at) for key in keys):
                    missing.append(one)
            if missing:
                last = missing[-1]
                yield Waiting(
                    round=last.round,
                    revision=last.revision,
                    type=last.type,
                    at=last.at,
                    since=missing[0].at,
                )


def told(operators: Iterable[Operator]) -> tuple[Operator, ...]:
    """As it goes on the wire: of each operator only the oldest of what waits."""
    return tuple(msgspec.structs.replace(one, waiting=one.waiting[:MOST_TOLD]) for one in operators)


def overdue(operator: Operator, seconds: int, now: datetime) -> bool:
    """Whether an operator who can confirm has let a correction wait for longer than that."""
    return operator.key is KeyState.IN_FORCE and any(
        (now - one.since).total_seconds() > seconds for one in operator.waiting
    )


def _was_held(key: Key, at: datetime) -> bool:
    return key.added <= at and (key.revoked is None or key.revoked > at)
