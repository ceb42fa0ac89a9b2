# SPDX-License-Identifier: Apache-2.0
"""The report tables told again from the journal, and compared with what they say.

Rows that are only ever added (cards, revisions, bets' results) are kept as a sum of hashes for
each round or shoe: a year of play fits in memory, and a difference has a name. The hashes are
Python's own, keyed anew in each process, so that nobody can find rows that give the same sum. What
is brought up to date (shoes, rounds) is kept whole.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from operator import itemgetter
from typing import Any, NamedTuple

from sqlalchemy import Table

from studio.game.events import Recorded
from studio.store.history import History
from studio.store.models import (
    bet_results,
    cards,
    irregularities,
    revisions,
    round_dealers,
    rounds,
    shoes,
)
from studio.store.reports import RoundStatus, UnderWay, changes, under_way_after


class Difference(NamedTuple):
    """What the reports say otherwise, and where: the event a round or shoe began with, or 0."""

    epoch: str
    seq: int
    text: str


class _Added(NamedTuple):
    """A report table whose rows are only ever added."""

    table: Table
    row: Callable[[Mapping[str, Any]], tuple[Any, ...]]
    places: tuple[int, ...]
    event: tuple[int, ...]


def _added(table: Table) -> _Added:
    columns = table.columns.keys()
    places = tuple(columns.index(name) for name in ("round", "shoe") if name in columns)
    event = tuple(columns.index(name) for name in ("epoch", "seq") if name in columns)
    return _Added(table, itemgetter(*columns), places, event)


_ADDED = {
    "card": _added(cards),
    "revision": _added(revisions),
    "bet": _added(bet_results),
    "dealer": _added(round_dealers),
    "irregularity": _added(irregularities),
}
_KEPT = {"shoe": shoes, "round": rounds}
_WORDS = {
    "cards": "cards",
    "revisions": "results",
    "bet_results": "bets' results",
    "round_dealers": "dealers",
    "irregularities": "irregularities",
    "shoes": "counts",
    "rounds": "status",
}


class Retold:
    """What a table's reports must say; ``tell`` it every event of the journal, in order."""

    def __init__(self, table: str) -> None:
        self._table = table
        self._under_way = UnderWay()
        self._sums: dict[str, dict[str, int]] = {name: defaultdict(int) for name in _ADDED}
        self._rows: dict[str, dict[str, dict[str, Any]]] = {"shoe": {}, "round": {}}
        self._ends: dict[str, int] = {}

    def tell(self, recorded: Recorded, epoch: str, at: str) -> None:
        """Take note of what this event adds or brings up to date; ``at`` is its time as stored."""
        self._ends[epoch] = recorded.seq
        for name, values in changes(recorded, self._table, epoch, at, self._under_way):
            added = _ADDED.get(name)
            if added is not None:
                _add(self._sums[name], added, added.row(values))
            elif name == "irregularity_before":
                self._told_of_before(dict(values))
            elif name in _KEPT:
                columns = _KEPT[name].columns.keys()
                self._rows[name][values[name]] = {key: values.get(key) for key in columns}
            else:
                self._update(name, dict(values))
        self._under_way = under_way_after(recorded, at, self._under_way)

    def _told_of_before(self, values: dict[str, Any]) -> None:
        row = self._rows["round"].get(values.pop("this"))
        if row is not None:
            values |= {"round": row["round"], "opened_at": row["opened_at"]}
            added = _ADDED["irregularity"]
            _add(self._sums["irregularity"], added, added.row(values))

    def _update(self, name: str, values: dict[str, Any]) -> None:
        """As the statement of that name does in the database."""
        kind = "shoe" if name == "shoe_end" else "round"
        row = self._rows[kind].get(values.pop("this"))
        if row is None:
            return
        row |= values
        if name == "round_void":
            row["status"] = RoundStatus.VOID.value
        elif name == "round_result":
            is_open = row["closed_at"] is None
            status = RoundStatus.IN_PROGRESS if is_open else RoundStatus.COMPLETE
            row["status"] = status.value
        elif name == "round_end" and row["status"] != RoundStatus.VOID.value:
            row["status"] = RoundStatus.COMPLETE.value

    def differences(self, history: History) -> Iterator[Difference]:
        """Whatever the reports say otherwise; the journal must not grow meanwhile."""
        beyond: dict[str, int] = {}
        differing: list[Difference] = []
        for name, added in _ADDED.items():
            stored: dict[str, int] = defaultdict(int)
            for row in history.report(added.table):
                _add(stored, added, tuple(row))
                if added.event:
                    self._note_beyond(beyond, *(row[column] for column in added.event))
            differing += self._differing(added.table.name, self._sums[name], stored, {})
        for key, table in _KEPT.items():
            columns = table.columns.keys()
            found = (dict(zip(columns, row, strict=True)) for row in history.report(table))
            rows = {row[key]: row for row in found}
            for kept in rows.values():
                self._note_beyond(beyond, kept["epoch"], kept["seq"])
            differing += self._differing(table.name, self._rows[key], rows, rows)
        for epoch, seq in beyond.items():
            last = self._ends.get(epoch, 0)
            text = f"the journal ends with event {last}, but the reports tell of event {seq}"
            yield Difference(epoch, last + 1, f"{text}: the end was cut off")
        yield from differing

    def _note_beyond(self, beyond: dict[str, int], epoch: Any, seq: Any) -> None:
        """Keep the last event of each epoch that a report tells of and the journal does not."""
        if isinstance(epoch, str) and isinstance(seq, int) and seq > self._ends.get(epoch, 0):
            beyond[epoch] = max(seq, beyond.get(epoch, 0))

    def _differing(
        self,
        table: str,
        due: Mapping[str, Any],
        stored: Mapping[str, Any],
        rows: Mapping[str, Mapping[str, Any]],
    ) -> Iterator[Difference]:
        known: Mapping[str, Any] = self._rows["shoe"] | self._rows["round"]
        for where in sorted(due.keys() | stored.keys(), key=str):
            if due.get(where) == stored.get(where):
                continue
            place = known.get(where) or rows.get(where) or {"epoch": "", "seq": 0}
            what = f"{_WORDS[table]} of {where or 'no shoe'}"
            text = f"the reports do not say what the journal says: {what} (table {table})"
            yield Difference(place["epoch"], place["seq"], text)


def _add(sums: dict[str, int], added: _Added, row: tuple[Any, ...]) -> None:
    """Count a row to its round, or to its shoe outside a round."""
    where = next((row[place] for place in added.places if row[place] is not None), "")
    sums[where] += hash(row)
