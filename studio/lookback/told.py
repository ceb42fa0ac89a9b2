# SPDX-License-Identifier: Apache-2.0
"""A step of a replay as values for a program, and in words for people. Pure.

Every object says that it is a replay and of which game, with its times and its final display: a
line of it, taken alone, can never pass for a table that deals (GLI-19 4.14).
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from studio.game.cards import total_of
from studio.game.house import House
from studio.game.snapshot import StaffState, staff_state
from studio.game.state import TableState
from studio.lookback.replay import Step
from studio.lookback.round_record import Entry, RoundRecord
from studio.store.history import RoundLine

# Told beside the words of an event, or too long for a line.
_ELSEWHERE = {"type", "by", "second", "origin", "bets", "paytable", "limits", "facts", "round"}

Names = Mapping[str, str]


class Person(msgspec.Struct, frozen=True):
    """Somebody of the staff; ``name`` is empty where the staff's database does not say."""

    id: str
    name: str


class Game(msgspec.Struct, frozen=True):
    """The game that is replayed: when it was dealt, in UTC, and what was shown at its end.

    Of an event that is of no round, it is the last one that began before it.
    """

    round: str
    opened_at: str
    closed_at: str | None
    status: str
    final: str
    player: str
    banker: str
    revision: int


class ReplayedRevision(msgspec.Struct, frozen=True):
    """A result, an amendment or a void; the last one stands."""

    epoch: str
    seq: int
    at: str
    event: Any
    staff: tuple[Person, ...]


class ReplayHead(msgspec.Struct, frozen=True, kw_only=True):
    """What is replayed, and all revisions of it."""

    replay: bool = True
    table: str
    round: str
    shoe: str | None
    day: str
    game: Game
    revisions: tuple[ReplayedRevision, ...]
    events: int


class ReplayStep(msgspec.Struct, frozen=True, kw_only=True):
    """One event and the table after it; ``state`` is what a console would have drawn.

    ``whole``: it did; else more events followed from the same input, and it drew the last one.
    ``raw``: the bytes of the shoe's report, in hex. ``hash`` is the row's own, in hex.
    """

    replay: bool = True
    table: str
    round: str | None
    game: Game | None
    epoch: str
    seq: int
    public_seq: int | None
    at: str
    type: str
    source: str
    raw: str | None
    staff: tuple[Person, ...]
    event: Any
    hash: str
    whole: bool
    state: StaffState | None


def head_of(record: RoundRecord, names: Names) -> ReplayHead:
    """What comes before the steps."""
    revisions = (
        ReplayedRevision(one.epoch, one.row.seq, one.row.at, event, people_in(one, names))
        for one, event in record.revisions
    )
    line = record.line
    return ReplayHead(
        table=record.table,
        round=line.round,
        shoe=line.shoe,
        day=line.day,
        game=game_of(line),
        revisions=tuple(revisions),
        events=len(record.all),
    )


def told_of(table: str, step: Step, game: Game | None, names: Names) -> ReplayStep:
    """A step as a value."""
    entry, row = step.entry, step.entry.row
    return ReplayStep(
        table=table,
        round=row.round,
        game=game,
        epoch=entry.epoch,
        seq=row.seq,
        public_seq=row.public_seq,
        at=row.at,
        type=row.type,
        source=row.source,
        raw=None if entry.origin is None else entry.origin.raw,
        staff=people_in(entry, names),
        event=entry.recorded.event,
        hash=row.hash.hex(),
        whole=step.is_whole,
        state=drawn(step.state),
    )


def game_of(line: RoundLine) -> Game:
    """The last game's times and its final display."""
    return Game(
        round=line.round,
        opened_at=line.opened_at,
        closed_at=line.closed_at,
        status=line.status,
        final=final_of(line),
        player=line.player or "",
        banker=line.banker or "",
        revision=line.revision,
    )


def final_of(line: RoundLine) -> str:
    """What was shown at the end: ``banker 5-7``, or that it is void or still under way."""
    if line.outcome is None:
        return line.status.replace("_", " ")
    return f"{line.outcome} {line.player_total}-{line.banker_total}"


def drawn(state: TableState) -> StaffState | None:
    """What a console draws; None before the table was told its rules."""
    if state.house is None or state.facts is None:
        return None
    return staff_state(state)


def people_in(entry: Entry, names: Names) -> tuple[Person, ...]:
    """Who had a part in an event."""
    return tuple(Person(one, names.get(one, "")) for one in entry.staff)


def words_of(entry: Entry) -> str:
    """What an event says, in a line: its type and the members that say something."""
    event = entry.recorded.event
    words = [entry.row.type]
    for name in event.__struct_fields__:
        value = getattr(event, name)
        says_nothing = value is False or value in (None, "", (), {})
        if name in _ELSEWHERE or isinstance(value, House) or says_nothing:
            continue
        words.append(f"{name} {_word(msgspec.to_builtins(value))}")
    return " · ".join(words)


def _word(value: Any) -> str:
    if isinstance(value, list | tuple):
        return " ".join(map(_word, value))
    if isinstance(value, dict):
        return " ".join(f"{name} {_word(one)}" for name, one in value.items())
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def hand_words(cards: tuple[Any, ...]) -> str:
    """A hand and its total in a line: ``9H KD = 9``."""
    if not cards:
        return "-"
    return f"{' '.join(card.value for card in cards)} = {total_of(cards)}"
