# SPDX-License-Identifier: Apache-2.0
"""Finding rounds by what is known of them, newest first, in records of any length.

Each thing that can be asked has an index in the order of the answer. Of several, the rarest one is
walked, and each round on the way is asked for the others by its key; which one is the rarest is
counted first, up to a bound. Left to itself a database may walk the index of what is common.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    FromClause,
    ScalarSelect,
    Select,
    and_,
    func,
    literal,
    or_,
    select,
    union_all,
)

from studio.game.events import BetsOpened
from studio.store.chain import Undecodable, decode_event
from studio.store.models import (
    epochs,
    irregularities,
    journal,
    revisions,
    round_dealers,
    rounds,
)

# Beyond so many rounds one index is as good as another to begin with.
_COUNT_UP_TO = 5_000
_ROUNDS_AT_ONCE = 500

Ask = Callable[[Select[Any] | CompoundSelect[Any]], Sequence[Any]]


class Sought(NamedTuple):
    """What is asked; None and no tables: any. Times are of the round's begin, as the record's text.

    ``begin`` is included, ``end`` is not. ``dealer``: a screen name or a staff id. ``outcome`` may
    be void. ``after``: begin and id of the round after which the list goes on.
    """

    tables: tuple[str, ...] = ()
    round: str | None = None
    begin: str | None = None
    end: str | None = None
    dealer: str | None = None
    outcome: str | None = None
    irregularity: str | None = None
    after: tuple[str, str] | None = None
    limit: int = 50


class FoundRound(NamedTuple):
    """One round with its standing revision, who dealt it, and what went wrong in it.

    ``video_stream`` is the recording that shows it, from ``opened_at`` to ``closed_at``.
    """

    round: str
    table: str
    day: str
    shoe: str | None
    status: str
    opened_at: str
    closed_at: str | None
    revision: int
    outcome: str | None
    player: str | None
    banker: str | None
    player_total: int | None
    banker_total: int | None
    reason: str | None
    dealers: tuple[str, ...]
    irregularities: tuple[str, ...]
    video_stream: str | None = None


class _Way(NamedTuple):
    """One index to walk: where it is, what it is about, and what must be equal on it."""

    source: FromClause
    name: str
    equal: ColumnElement[bool] | None


def dealers(ask: Ask, most: int = 200) -> list[str]:
    """Who is on record as a dealer, names and ids, in order; each is one step in the index."""
    found: list[str] = []
    while len(found) < most:
        beyond = select(func.min(round_dealers.c.who))
        if found:
            beyond = beyond.where(round_dealers.c.who > found[-1])
        (who,) = ask(beyond)[0]
        if who is None:
            break
        found.append(who)
    return found


def search(ask: Ask, sought: Sought) -> list[FoundRound]:
    """The rounds that fit, newest first. ``ask`` runs a statement; all must see one moment."""
    if sought.tables:
        known = {table for (table,) in ask(select(epochs.c.table_id).distinct())}
        if known <= set(sought.tables):
            sought = sought._replace(tables=())
    keys = [number for _, number in ask(_keys(_way(ask, sought), sought))]
    found: list[FoundRound] = []
    for start in range(0, len(keys), _ROUNDS_AT_ONCE):
        found += _lines(ask, keys[start : start + _ROUNDS_AT_ONCE])
    return found


def _way(ask: Ask, sought: Sought) -> _Way:
    ways = list(_ways(sought))
    if len(ways) < 2:
        return ways[0] if ways else _Way(rounds, "", None)
    counted: list[Any] = [_count(way, sought) for way in ways]
    counts = ask(select(*counted))[0]
    return min(zip(counts, ways, strict=True), key=itemgetter(0))[1]


def _ways(sought: Sought) -> Iterator[_Way]:
    if sought.round is not None:
        yield _Way(rounds, "round", rounds.c.round == sought.round)
        return
    if sought.irregularity is not None:
        equal = irregularities.c.code == sought.irregularity
        yield _Way(irregularities, "irregularity", equal)
    if sought.dealer is not None:
        yield _Way(round_dealers, "dealer", round_dealers.c.who == sought.dealer)
    if sought.outcome is not None:
        yield _Way(rounds, "outcome", rounds.c.outcome == sought.outcome)
    if len(sought.tables) == 1:
        yield _Way(rounds, "table", rounds.c.table_id == sought.tables[0])


def _count(way: _Way, sought: Sought) -> ScalarSelect[int]:
    some = select(literal(1).label("one")).select_from(way.source)
    some = some.where(*_on_the_way(way, sought)).limit(_COUNT_UP_TO)
    return select(func.count()).select_from(some.subquery()).scalar_subquery()


def _keys(way: _Way, sought: Sought) -> Select[Any]:
    opened, number = way.source.c.opened_at, way.source.c.round
    found = select(opened, number).where(*_on_the_way(way, sought), *_beside(way, sought))
    if way.source is not rounds:
        # a dealer may have come twice in one round, and the same may have gone wrong twice
        found = found.distinct()
    return found.order_by(opened.desc(), number.desc()).limit(sought.limit)


def _on_the_way(way: _Way, sought: Sought) -> Iterator[ColumnElement[bool]]:
    """What the index itself is asked."""
    opened, number = way.source.c.opened_at, way.source.c.round
    if way.equal is not None:
        yield way.equal
    if sought.begin is not None:
        yield opened >= sought.begin
    if sought.end is not None:
        yield opened < sought.end
    if sought.after is not None:
        last, last_round = sought.after
        yield opened <= last
        yield or_(opened < last, number < last_round)


def _beside(way: _Way, sought: Sought) -> Iterator[ColumnElement[bool]]:
    """What each round on the way is asked."""
    here = way.source
    if sought.tables and way.name != "table":
        at = _no_way(rounds.c.table_id) if here is rounds else here.c.table_id
        yield at.in_(sought.tables)
    if sought.outcome is not None and way.name != "outcome":
        if here is rounds:
            yield _no_way(rounds.c.outcome) == sought.outcome
        else:
            yield _has(rounds, here, rounds.c.outcome == sought.outcome)
    if sought.dealer is not None and way.name != "dealer":
        yield _has(round_dealers, here, round_dealers.c.who == sought.dealer)
    if sought.irregularity is not None and way.name != "irregularity":
        yield _has(irregularities, here, irregularities.c.code == sought.irregularity)


def _no_way(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """A column's value, for which no index is looked for."""
    return column.concat("")


def _has(other: FromClause, here: FromClause, equal: ColumnElement[bool]) -> ColumnElement[bool]:
    """Whether the round has such a row, looked up by its key; never turned into a join."""
    same = and_(other.c.round == here.c.round, other.c.opened_at == here.c.opened_at)
    found = select(literal(1)).select_from(other).where(equal, same).limit(1)
    return found.correlate(here).scalar_subquery().is_not(None)


def _lines(ask: Ask, keys: Sequence[str]) -> Iterator[FoundRound]:
    """The rounds with these ids, in this order."""
    standing = and_(revisions.c.round == rounds.c.round, revisions.c.revision == rounds.c.revision)
    columns = [
        rounds.c.table_id
        if name == "table"
        else (rounds if name in rounds.c else revisions).c[name]
        for name in FoundRound._fields[:-3]
    ]
    began = and_(
        journal.c.table_id == rounds.c.table_id,
        journal.c.epoch == rounds.c.epoch,
        journal.c.seq == rounds.c.seq,
    )
    told = select(*columns, journal.c.version, journal.c.event)
    told = told.outerjoin_from(rounds, revisions, standing).outerjoin(journal, began)
    lines = {line[0]: line for line in ask(told.where(rounds.c.round.in_(keys)))}
    dealt, wrong = _told(ask, keys)
    for key in keys:
        *line, version, event = lines[key]
        video = _video_in(version, event)
        yield FoundRound._make((*line, tuple(dealt[key]), tuple(wrong[key]), video))


def _video_in(version: int | None, event: bytes | None) -> str | None:
    """The recording that the round's first event names, if it is there and can be read."""
    if version is None or event is None:
        return None
    try:
        opened = decode_event(version, event)
    except Undecodable:
        return None
    return opened.video_stream if isinstance(opened, BetsOpened) else None


def _told(ask: Ask, keys: Sequence[str]) -> list[dict[str, dict[str, None]]]:
    """Who dealt each round, and what went wrong in it, each once and in the order of the record."""
    asked = (
        select(literal(kind), source.c.round, column, source.c.seq).where(source.c.round.in_(keys))
        for kind, (source, column) in enumerate(
            ((round_dealers, round_dealers.c.who), (irregularities, irregularities.c.code))
        )
    )
    told: list[dict[str, dict[str, None]]] = [defaultdict(dict), defaultdict(dict)]
    for kind, number, said, _ in sorted(ask(union_all(*asked)), key=itemgetter(3)):
        told[kind][number][said] = None
    return told
