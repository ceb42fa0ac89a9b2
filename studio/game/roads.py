# SPDX-License-Identifier: Apache-2.0
"""Roads: the results of a shoe as players read them, and the shoe's statistics.

Marks are letters: ``P``, ``B`` and ``T`` for results, ``r`` and ``b`` in the derived roads.
Columns and rows count from 0, six rows. Nothing here is drawn or coloured: that is for a screen.

No standard binds a tail that turned above the bottom row; here it stays on its row.
"""

from collections.abc import Iterable
from itertools import groupby
from typing import Protocol

import msgspec

from studio.game.coup import Outcome
from studio.game.events import Pairs

ROWS = 6

MARK_OF = {Outcome.PLAYER: "P", Outcome.BANKER: "B", Outcome.TIE: "T"}
_OUTCOME_OF = {mark: outcome for outcome, mark in MARK_OF.items()}

# How many columns back each derived road compares.
BIG_EYE, SMALL, COCKROACH = 1, 2, 3


class Place(msgspec.Struct, frozen=True):
    """A cell of a road."""

    col: int
    row: int


class BeadMark(msgspec.Struct, frozen=True):
    """A result on the bead plate, ties included: ``mark`` is P, B or T."""

    col: int
    row: int
    mark: str


class BigRoadMark(msgspec.Struct, frozen=True):
    """A win on the big road, with the ties that followed it (on the first: also those before)."""

    col: int
    row: int
    mark: str
    ties: int


class NextMarks(msgspec.Struct, frozen=True):
    """The mark that the next result would add to each derived road, or None."""

    big_eye: str | None
    small: str | None
    cockroach: str | None


class Ask(msgspec.Struct, frozen=True):
    """What the derived roads would say if Banker, or Player, won next."""

    banker: NextMarks = msgspec.field(name="B")
    player: NextMarks = msgspec.field(name="P")


class Roads(msgspec.Struct, frozen=True):
    """All roads of a shoe; encoded as JSON it is what ``studio roads --json`` prints.

    ``bead``: every result in order, six to a column. ``big_road``: one entry a win; while there
    are only ties it is empty, and their number is that of the beads. The derived roads are
    strings of ``r`` and ``b``, oldest first: ``layout`` gives the cells to draw them in.
    """

    bead: tuple[BeadMark, ...]
    big_road: tuple[BigRoadMark, ...]
    big_eye: str
    small: str
    cockroach: str
    ask: Ask


class Finished(Protocol):
    """A round as it counts in the statistics; ``outcome`` is None when it was voided."""

    @property
    def outcome(self) -> Outcome | None: ...
    @property
    def pairs(self) -> Pairs: ...
    @property
    def natural(self) -> bool: ...


class Counts(msgspec.Struct, frozen=True):
    """Statistics of a shoe. ``rounds`` are those with a result: player, banker and tie together.

    ``naturals`` counts the rounds in which either hand had one.
    """

    rounds: int
    player: int
    banker: int
    tie: int
    player_pair: int
    banker_pair: int
    naturals: int


def parse_marks(text: str) -> tuple[Outcome, ...]:
    """The outcomes that a string of P, B and T stands for; blanks and case do not matter."""
    marks = "".join(text.split()).upper()
    for number, mark in enumerate(marks, start=1):
        if mark not in _OUTCOME_OF:
            raise ValueError(f'mark {number} is "{mark}": use P, B and T only')
    return tuple(_OUTCOME_OF[mark] for mark in marks)


def roads_of(outcomes: str | Iterable[Outcome]) -> Roads:
    """All roads of these results, oldest first, voided rounds left out.

    Takes outcomes, or a string as ``parse_marks`` reads it (ValueError when it cannot).
    """
    given = parse_marks(outcomes) if isinstance(outcomes, str) else outcomes
    marks = "".join(MARK_OF[outcome] for outcome in given)
    wins = marks.replace("T", "")
    runs = [len(list(run)) for _, run in groupby(wins)]
    return Roads(
        bead=tuple(BeadMark(i // ROWS, i % ROWS, mark) for i, mark in enumerate(marks)),
        big_road=tuple(
            BigRoadMark(place.col, place.row, mark, ties)
            for place, mark, ties in zip(layout(wins), wins, _ties_of(marks), strict=True)
        ),
        big_eye=_derived(runs, BIG_EYE),
        small=_derived(runs, SMALL),
        cockroach=_derived(runs, COCKROACH),
        ask=Ask(banker=_next_marks(runs, wins, "B"), player=_next_marks(runs, wins, "P")),
    )


def layout(marks: str) -> tuple[Place, ...]:
    """Where each mark of a road is drawn, by the rule of the big road.

    A change of mark starts a column: the first one right of the run's own whose top is free. A
    run goes down while the cell below is free, then turns and goes right on that row for ever.
    """
    taken: set[tuple[int, int]] = set()
    places: list[Place] = []
    start = -1
    for _, run in groupby(marks):
        start += 1
        while (start, 0) in taken:
            start += 1
        col, row, turned = start, -1, False
        for _ in run:
            turned = turned or row + 1 == ROWS or (col, row + 1) in taken
            col, row = (col + 1, row) if turned else (col, row + 1)
            taken.add((col, row))
            places.append(Place(col, row))
    return tuple(places)


def counts_of(results: Iterable[Finished]) -> Counts:
    """The statistics of these rounds; voided ones do not count."""
    counted = [result for result in results if result.outcome is not None]
    outcomes = [result.outcome for result in counted]
    return Counts(
        rounds=len(counted),
        player=outcomes.count(Outcome.PLAYER),
        banker=outcomes.count(Outcome.BANKER),
        tie=outcomes.count(Outcome.TIE),
        player_pair=sum(result.pairs.player for result in counted),
        banker_pair=sum(result.pairs.banker for result in counted),
        naturals=sum(result.natural for result in counted),
    )


def _ties_of(marks: str) -> list[int]:
    """The number of ties on each win: those after it, and on the first also those before it."""
    before, *after = marks.replace("P", "B").split("B")
    ties = [len(following) for following in after]
    if ties:
        ties[0] += len(before)
    return ties


def _derived(runs: list[int], back: int) -> str:
    """A derived road of these runs, comparing with the run ``back`` before."""
    marks = (
        _mark(runs, run, depth, back) for run, length in enumerate(runs) for depth in range(length)
    )
    return "".join(mark for mark in marks if mark is not None)


def _mark(runs: list[int], run: int, depth: int, back: int) -> str | None:
    """The mark for one entry of the big road, by the number of its run and its depth in it.

    The top of a run asks whether the two runs before had the same length (red); a deeper entry
    is blue when it is one longer than the run compared with.
    """
    if run < back + (depth == 0):
        return None
    if depth == 0:
        return "r" if runs[run - 1] == runs[run - 1 - back] else "b"
    return "b" if depth == runs[run - back] else "r"


def _next_marks(runs: list[int], wins: str, winner: str) -> NextMarks:
    if wins.endswith(winner):
        run, depth = len(runs) - 1, runs[-1]
    else:
        run, depth = len(runs), 0
    return NextMarks(
        big_eye=_mark(runs, run, depth, BIG_EYE),
        small=_mark(runs, run, depth, SMALL),
        cockroach=_mark(runs, run, depth, COCKROACH),
    )
