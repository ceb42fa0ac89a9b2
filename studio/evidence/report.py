# SPDX-License-Identifier: Apache-2.0
"""An evidence file as a report: its parts, each a table of words. Knows nothing of pages."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from studio.evidence.form import Audience, Evidence, Happened, Stretch
from studio.game.irregularities import IRREGULARITIES
from studio.words import Wording

_EXACT = len("2026-11-29T12:00:00.000")
# Who did it has a column of its own, and the file has what is longer than a line.
_NOT_SHOWN = frozenset({
    *("by", "second", "origin", "bets", "round", "house", "facts", "report", "code", "remedy"),
})  # fmt: skip


class Hand(NamedTuple):
    """Cards in a cell."""

    cards: tuple[str, ...]


Cell = str | Hand


class Part(NamedTuple):
    """One part of the report. ``shares``: how wide each column is beside the others."""

    title: str
    columns: tuple[str, ...]
    shares: tuple[int, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""


def parts_of(evidence: Evidence, words: Wording, digest: str) -> list[Part]:
    """The report's parts, in order. ``digest``: SHA-256 of the evidence file, in hex."""
    of_staff = evidence.made_for is Audience.STUDIO
    said = words.report
    parts = [
        Part(said["round"], (), (1, 3), tuple(_facts(evidence, words))),
        Part(
            said["result"],
            _columns(said, "revision", "time", "outcome", "player", "banker", "total", "reason"),
            (3, 6, 4, 4, 4, 2, 6),
            tuple(_revision(one, words) for one in evidence.revisions),
        ),
        _cards(evidence, said),
        _happened(said["rulings"], evidence.rulings, words, of_staff=of_staff),
        _happened(said["events"], evidence.events, words, of_staff=of_staff),
    ]
    if of_staff:
        parts += [_staff(evidence, said), _cases(evidence, said)]
    parts += [_messages(evidence, said), _proof(evidence, said, digest)]
    return [part for part in parts if part.rows]


def clock(at: str) -> str:
    """A time of the record, to the thousandth of a second."""
    return at[:_EXACT].replace("T", " ")


def _columns(said: dict[str, str], *names: str) -> tuple[str, ...]:
    return tuple(said[name] for name in names)


def _facts(evidence: Evidence, words: Wording) -> Iterable[tuple[Cell, ...]]:
    said, facts, video = words.report, evidence.round, evidence.video
    yield said["round"], facts.round
    yield said["table"], facts.table
    yield said["environment"], facts.environment
    yield said["house"], facts.house
    yield said["day"], facts.day
    yield said["shoe"], facts.shoe or "-"
    yield said["status"], said[facts.status]
    if facts.dealer is not None:
        yield said["dealer"], facts.dealer
    yield said["video"], video.stream or said["none"]
    yield said["begins"], clock(video.begins)
    yield said["ends"], clock(video.ends) if video.ends is not None else said["in_progress"]
    for program in evidence.software:
        yield said["software"], f"{program.version}  {program.digest}"


def _revision(one: dict[str, Any], words: Wording) -> tuple[Cell, ...]:
    outcome, reason = one.get("outcome"), one.get("reason", "")
    totals = (one.get("player_total"), one.get("banker_total"))
    return (
        str(one["revision"]),
        clock(one["at"]),
        words.outcomes[outcome or "void"],
        Hand(tuple(one.get("player", ()))),
        Hand(tuple(one.get("banker", ()))),
        "" if None in totals else f"{totals[0]}-{totals[1]}",
        ", ".join(filter(None, (words.reasons.get(reason, reason), one.get("detail", "")))),
    )


def _cards(evidence: Evidence, said: dict[str, str]) -> Part:
    columns = _columns(said, "time", "position", "card", "event", "source", "by", "raw")
    rows: list[tuple[Cell, ...]] = [
        (
            clock(one.at),
            one.position or "",
            Hand((one.card,)) if one.card is not None else "?",
            spoken(one.type),
            one.source,
            _people(one.by, one.second),
            one.raw or "",
        )
        for one in evidence.cards
    ]
    shown = len(columns) if evidence.made_for is Audience.STUDIO else 5
    shares = (6, 3, 2, 4, 3, 4, 5)
    return Part(said["cards"], columns[:shown], shares[:shown], tuple(one[:shown] for one in rows))


def _happened(title: str, events: Sequence[Happened], words: Wording, *, of_staff: bool) -> Part:
    columns = _columns(words.report, "number", "time", "event", "what", "source", "by")
    rows: list[tuple[Cell, ...]] = [
        (
            str(one.seq),
            clock(one.at),
            spoken(one.type),
            "; ".join(_told(one, words)),
            one.source,
            _people(one.data.get("by"), one.data.get("second")),
        )
        for one in events
    ]
    shown = len(columns) if of_staff else 5
    shares = (2, 5, 4, 9, 2, 3)
    return Part(title, columns[:shown], shares[:shown], tuple(one[:shown] for one in rows))


def _people(*named: str | None) -> str:
    return " + ".join(filter(None, named))


def _told(one: Happened, words: Wording) -> Iterable[str]:
    code, remedy = one.data.get("code"), one.data.get("remedy")
    if code in words.irregularities:
        yield f"{code}: {words.irregularities[code].what.rstrip('.')}"
    if remedy in words.remedies:
        yield words.remedies[remedy]
    for name, value in one.data.items():
        is_row = name == "detail" and code in IRREGULARITIES and IRREGULARITIES[code].what == value
        text = _plain(value)
        if name not in _NOT_SHOWN and value not in (None, False) and text and not is_row:
            yield spoken(name) if value is True else f"{spoken(name)} {text}"


def _plain(value: object) -> str:
    if isinstance(value, list | tuple):
        return " ".join(map(_plain, value))
    if isinstance(value, dict):
        return ", ".join(
            f"{spoken(str(name))} {_plain(one)}" for name, one in value.items() if one is not False
        )
    return str(value)


def spoken(name: str) -> str:
    """A name of the record as words."""
    return name.replace("_", " ")


def _staff(evidence: Evidence, said: dict[str, str]) -> Part:
    rows: list[tuple[Cell, ...]] = [
        (one.staff, one.name or "", one.roles or "", ", ".join(map(spoken, one.did)))
        for one in evidence.staff or ()
    ]
    columns = _columns(said, "id", "name", "roles", "did")
    return Part(said["staff"], columns, (2, 3, 3, 9), tuple(rows), said["staff_note"])


def _cases(evidence: Evidence, said: dict[str, str]) -> Part:
    rows: list[tuple[Cell, ...]] = [
        (one.case, clock(one.at), one.act, one.operator, one.reference, one.due, one.text, one.by)
        for one in evidence.cases or ()
    ]
    columns = _columns(said, "case", "time", "act", "operator_id", "reference", "due", "text", "by")
    return Part(said["cases"], columns, (2, 5, 2, 3, 3, 3, 6, 2), tuple(rows))


def _messages(evidence: Evidence, said: dict[str, str]) -> Part:
    kinds = {(one.epoch, one.seq): _type_in(one.payload) for one in evidence.messages}
    rows: list[tuple[Cell, ...]] = [
        (str(one.seq), kinds[one.epoch, one.seq], one.head) for one in evidence.messages
    ]
    columns = _columns(said, "number", "message", "head")
    return Part(said["messages"], columns, (1, 3, 9), tuple(rows), said["messages_note"])


def _type_in(payload: str) -> str:
    """The type as it stands in a message's text; the bytes are not touched."""
    return spoken(payload.partition('"type":"')[2].partition('"')[0])


def _proof(evidence: Evidence, said: dict[str, str], digest: str) -> Part:
    rows: list[tuple[Cell, ...]] = [(said["digest"], digest)]
    for stretch in evidence.proof:
        rows += _stretch(stretch, said)
    return Part(said["proof"], (), (1, 3), tuple(rows), said["proof_note"])


def _stretch(stretch: Stretch, said: dict[str, str]) -> Iterable[tuple[Cell, ...]]:
    before, end = stretch.before, stretch.exported
    yield said["epoch"], stretch.epoch
    first = before.public_seq if before.seq is None else before.seq
    yield said["before"], f"{first}: {before.hash or before.head}"
    rows = stretch.rows if stretch.rows is not None else stretch.messages
    if rows:
        last = rows[-1]
        value = getattr(last, "hash", last.head)
        yield said["last"], f"{last.seq}: {value}"
    if end is None:
        yield said["exported"], said["none_kept"]
    else:
        number = end.public_seq if end.seq is None else end.seq
        yield said["exported"], f"{number}: {end.hash or end.head}  {clock(end.at)}"
