# SPDX-License-Identifier: Apache-2.0
"""A coup record in, a ruling out: the adjudication contract's words, read and written.

The record's events are given to the table as its shoe and its staff would give them, through the
same decisions; each hold that can be mended is ruled at once by the house's first proposal. The
ruling is read from the table's state, so a ruling given offline is the one the table would have
given. A record that cannot be understood is answered with what is wrong and where.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import msgspec
from msgspec.structs import replace

from studio.game import inputs as inp
from studio.game.cards import Card, total_of
from studio.game.coup import Outcome, Side
from studio.game.cut_card import last_coup_word
from studio.game.draft import Draft
from studio.game.holds import binding, judgement_of, rulings_for
from studio.game.house import Burn, BurnRule, House, ResultEntry
from studio.game.inputs import Input, Origin, Reported, Stamp
from studio.game.irregularities import Remedy
from studio.game.judgement import Judgement, Verdict
from studio.game.record_events import KNOWN, Given, Record, known_record, record_of
from studio.game.record_line import BadRecord, check_once, object_of, shortened
from studio.game.state import Phase, TableState
from studio.game.table import consider

LONGEST_LINE_BYTES = 1 << 24
_PLAYER, _BANKER = Side
_BETS_OPEN, _VOID = Phase.BETS_OPEN, Remedy.VOID
_BY, _SECOND = "adjudicate", "adjudicate-2"
_AT = datetime(2000, 1, 1, tzinfo=UTC)
_STAMP = Stamp(_AT, "20000101")
_ORIGIN = Origin("record", "record", 1, 0, "", _AT)
_DRAWN = {card: Reported(_ORIGIN, inp.CardDrawn(card)) for card in Card}
_FACTS = inp.TableFacts("RECORD", "test", None, 0, "", "")


class AtBets(msgspec.Struct, frozen=True):
    """A house, and its table where a record begins: with bets just opened, or just closed.

    ``begun``: the table with two cards dealt, by those cards, as it was decided the first time.
    There are 52 x 52 such beginnings, and far more coups.
    """

    house: House
    opened: TableState
    closed: TableState
    begun: dict[tuple[Card, Card], TableState] = msgspec.field(default_factory=dict)


def ruling_of(
    line: bytes, house: Callable[[str], AtBets | None], unnamed: str = "studio"
) -> dict[str, Any]:
    """The ruling on one line, or the error form with ``error``. Never raises.

    ``unnamed`` is the house of a record that names none.
    """
    id_: str | None = None
    try:
        if len(line) > LONGEST_LINE_BYTES:
            raise BadRecord(f"the line has more than {LONGEST_LINE_BYTES} bytes")
        record = known_record(line, unnamed)
        if record is None:
            read = object_of(line)
            id_ = read.get("id") if isinstance(read.get("id"), str) else None
            check_once(line, read)
            record = record_of(read, unnamed)
        id_ = record.id
        rules = house(record.house)
        if rules is None:
            raise BadRecord(f"house: {record.house!r} is not known")
        return _ruling(record, judged(record, rules))
    except BadRecord as fault:
        return {"id": id_, "error": shortened(str(fault))}


# --- through the table -------------------------------------------------------------------------


class Judged(msgspec.Struct, frozen=True):
    """What the table made of a record: its state, and which coup was the last, if it knows."""

    state: TableState
    judgement: Judgement
    last_coup: str | None


def judged(record: Record, at_bets: AtBets) -> Judged:
    """Tell a table of a record. Raises BadRecord if it refuses what the record says."""
    opens = bool(record.events) and record.events[0].word == "open"
    state = at_bets.opened if opens else at_bets.closed
    if record.seen:
        state = replace(state, copies=record.seen, copies_before=record.seen)
    table = _Table(state)
    events, entries, pair = record.events, record.entries, _begins(record)
    if pair is not None:
        begun = at_bets.begun.get(pair)
        if begun is None:
            for given in events[:2]:
                table.tell(given, entries)
            begun = at_bets.begun[pair] = table.state
        table.state, events = begun, events[2:]
    for given in events:
        table.tell(given, entries)
    return Judged(table.state, judgement_of(table.state), table.last_coup)


def _begins(record: Record) -> tuple[Card, Card] | None:
    """The first two cards, where they are all that happened: P1 and B1, where they must be."""
    if record.seen or len(record.events) < 2:
        return None
    first, second = record.events[:2]
    if first.card is None or second.card is None:
        return None
    plain = (KNOWN[first.card, first.at and "player"], KNOWN[second.card, second.at and "banker"])
    return (first.card, second.card) if (first, second) == plain else None


def _ruling(record: Record, found: Judged) -> dict[str, Any]:
    judgement = found.judgement
    player, banker = judgement.player, judgement.banker
    is_open = judgement.verdict is Verdict.INCOMPLETE
    return {
        "id": record.id,
        "verdict": judgement.verdict,
        "irregularities": judgement.irregularities,
        "player": player,
        "banker": banker,
        "player_total": total_of(player),
        "banker_total": total_of(banker),
        "outcome": judgement.outcome,
        "surplus": [{"card": one.card, "remedy": one.remedy} for one in judgement.surplus],
        "next": judgement.next if is_open else None,
        "last_coup": found.last_coup,
    }


class _Table:
    """A table in mid-round, told of a coup event by event."""

    def __init__(self, state: TableState) -> None:
        self.state = state
        self.last_coup: str | None = None
        self._is_open = state.phase is _BETS_OPEN
        self._entered: set[int] = set()

    def tell(self, given: Given, entries: dict[int, Given]) -> None:
        """One event of the record."""
        match given.kind:
            case "card":
                self._card(given)
                if self._entered:
                    entry = entries.get(self.state.cards_drawn)
                    if entry is not None and id(entry) in self._entered:
                        self._enter(entry)
            case "enter":
                # one that comes before its card waits for it
                self._entered.add(id(given))
                if given.number <= self.state.cards_drawn:
                    self._enter(given)
            case "bets":
                self._is_open = given.word == "open"
                if not self._is_open and self.state.phase is _BETS_OPEN:
                    self.give(inp.CloseBets(by=_BY))
            case "cut_card":
                self._cut_card()
            case "result":
                self._deal()
                self.give(inp.CallResult(by=_BY, outcome=Outcome(given.word)))
                self.rule()
            case _:
                self._deal()
                self.give(inp.NoteShoeEmpty(by=_BY))

    def _deal(self) -> None:
        """What is said of a coup is said when no bets can be placed on it any more."""
        if self.state.phase is _BETS_OPEN:
            self.give(inp.CloseBets(by=_BY))

    def _card(self, given: Given) -> None:
        is_early = self._is_open and self.state.phase is not _BETS_OPEN
        in_players = len(self.state.player)
        if given.card is None:
            self.give(Reported(_ORIGIN, inp.CardUnreadable("not read")))
        else:
            self.give(_DRAWN[given.card])
        is_held = self.state.hold is not None
        # only a surplus card needs it said; one that took its place is public
        is_unseen = given.unseen and is_held
        is_right = given.at is None
        if not is_right and not is_held:
            took = _PLAYER if len(self.state.player) > in_players else _BANKER
            is_right = given.at is took
        if given.face_up or given.stuck or is_unseen or is_early or not is_right:
            self.give(
                inp.NoteCard(
                    by=_BY, number=self.state.cards_drawn, at=given.at, early=is_early or None,
                    face_up=given.face_up, stuck=given.stuck, unseen=is_unseen,
                )
            )  # fmt: skip
        if self.state.hold is not None:
            self.rule()

    def _enter(self, entry: Given) -> None:
        if entry.card is not None:
            self.give(inp.EnterCard(by=_BY, second=_SECOND, number=entry.number, card=entry.card))
            self.rule()

    def _cut_card(self) -> None:
        if self.last_coup is None and self.state.house is not None:
            is_under_way = self.state.cards_drawn > 0
            self.last_coup = last_coup_word(self.state.house, is_under_way=is_under_way)
        self.give(Reported(_ORIGIN, inp.CutCardDrawn()))

    def give(self, given: Input) -> None:
        considered = consider(self.state, given, _STAMP)
        if not isinstance(considered, Draft):
            raise BadRecord(f"the table refuses this: {considered.text}")
        self.state = considered.state

    def rule(self) -> None:
        """Rule a hold that can be mended, by the house's first proposal."""
        if self.state.hold is None:
            return
        first, answer = rulings_for(self.state)[0]
        if first is _VOID:
            return
        ruling = inp.RuleHold(
            by=_BY, second=_SECOND, remedy=first, reason="by the house's rule",
            bound_to=binding(self.state, first, answer), faces_seen=answer,
        )  # fmt: skip
        self.give(ruling)


def at_bets_of(house: House) -> AtBets:
    """What records of this house are judged from."""
    table = _Table(TableState())
    rules = replace(
        house, burn=Burn(BurnRule.NONE), close_guard_ms=0, result_entry=ResultEntry.CONFIRM
    )
    table.give(inp.ServiceStarted(_FACTS, rules))
    table.give(Reported(_ORIGIN, inp.LineUp("record", 1)))
    table.give(inp.OpenTable(by=_BY, dealer=_BY))
    table.give(inp.LoadShoe(by=_BY))
    table.give(inp.OpenBets(by=_BY))
    opened = table.state
    table.give(inp.CloseBets(by=_BY))
    return AtBets(house, opened, table.state)
