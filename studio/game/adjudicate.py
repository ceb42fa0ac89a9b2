# SPDX-License-Identifier: Apache-2.0
"""A coup record in, a ruling out: the adjudication contract's words, read and written.

The record's events are given to the table as its shoe and its staff would give them, through the
same decisions; each hold that can be mended is ruled at once by the house's first proposal. The
ruling is read from the table's state, so a ruling given offline is the one the table would have
given. A record that cannot be understood is answered with what is wrong and where.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

import msgspec
from msgspec.structs import replace

from studio.game import inputs as inp
from studio.game.cards import Card, total_of
from studio.game.coup import Outcome, Side
from studio.game.cut_card import last_coup_word
from studio.game.holds import binding, judgement_of, rulings_for
from studio.game.house import Burn, BurnRule, House, ResultEntry
from studio.game.inputs import Input, Origin, Refusal, Reported, Stamp
from studio.game.irregularities import Remedy
from studio.game.judgement import Judgement, Verdict
from studio.game.record_line import BadRecord, check_once, object_of
from studio.game.state import Phase, TableState
from studio.game.table import consider

LONGEST_LINE_BYTES = 1 << 24
_KINDS = ("card", "enter", "bets", "cut_card", "result", "shoe_empty")
_FLAGS = ("face_up", "stuck", "unseen")
_MEMBERS = {"card": ("at", *_FLAGS), "enter": ("for",)}
_RECORD = ("id", "house", "seen", "events")
_BY, _SECOND = "adjudicate", "adjudicate-2"
_AT = datetime(2000, 1, 1, tzinfo=UTC)
_STAMP = Stamp(_AT, "20000101")
_ORIGIN = Origin("record", "record", 1, 0, "", _AT)
_FACTS = inp.TableFacts("RECORD", "test", None, 0, "", "")
_MOST_CARDS = 1000
_MOST_CALLS = 1000
_FIVE_CARDS = 5

_encode = msgspec.json.Encoder().encode


class Given(msgspec.Struct, frozen=True):
    """One event of a record, understood. ``kind`` is its member of the contract."""

    kind: str
    card: Card | None = None
    at: Side | None = None
    face_up: bool = False
    stuck: bool = False
    unseen: bool = False
    number: int = 0
    word: str = ""


class Record(msgspec.Struct, frozen=True):
    """A coup record, understood."""

    id: str | None
    house: str
    seen: dict[str, int]
    events: tuple[Given, ...]


def ruling_of(
    line: bytes, house: Callable[[str], House | None], unnamed: str = "studio"
) -> dict[str, Any]:
    """The ruling on one line, or the error form with ``error``. Never raises.

    ``unnamed`` is the house of a record that names none.
    """
    id_: str | None = None
    try:
        if len(line) > LONGEST_LINE_BYTES:
            raise BadRecord(f"the line has more than {LONGEST_LINE_BYTES} bytes")
        read = object_of(line)
        id_ = read.get("id") if isinstance(read.get("id"), str) else None
        check_once(line, read)
        record = record_of(read, unnamed)
        rules = house(record.house)
        if rules is None:
            raise BadRecord(f"house: {record.house!r} is not known")
        return _ruling(record, judged(record, rules))
    except BadRecord as fault:
        return {"id": id_, "error": str(fault)}


def record_of(read: dict[str, Any], unnamed: str = "studio") -> Record:
    """Understand a record. Raises BadRecord."""
    for name in read:
        if name not in _RECORD:
            raise BadRecord(f"{name}: not a member of a record; these are {', '.join(_RECORD)}")
    id_ = read.get("id")
    if id_ is not None and not isinstance(id_, str):
        raise BadRecord("id: must be a string")
    house = read.get("house", unnamed)
    if not isinstance(house, str):
        raise BadRecord("house: must be the name of a house")
    events = read.get("events")
    if not isinstance(events, list):
        raise BadRecord("events: a list of events is needed")
    given = tuple(_event(one, f"events[{place}]") for place, one in enumerate(events))
    _check_entries(given)
    return Record(id_, house, _seen(read.get("seen", {})), given)


def _seen(read: object) -> dict[str, int]:
    if not isinstance(read, dict):
        raise BadRecord("seen: an object of card and count")
    for name, count in read.items():
        _card(name, "seen")
        if type(count) is not int or count < 0:
            raise BadRecord(f"seen.{name}: a count of cards, 0 or more")
    return read


def _event(read: object, where: str) -> Given:
    if not isinstance(read, dict):
        raise BadRecord(f"{where}: an event is an object")
    # a flag that is false is as if absent
    flags = (*_FLAGS, "cut_card", "shoe_empty")
    said = {name: value for name, value in read.items() if not (value is False and name in flags)}
    kinds = [name for name in _KINDS if name in said]
    if len(kinds) != 1:
        raise BadRecord(f"{where}: an event has exactly one of {', '.join(_KINDS)}")
    kind = kinds[0]
    for name in said:
        if name != kind and name not in _MEMBERS.get(kind, ()):
            raise BadRecord(f"{where}.{name}: not a member of a {kind} event")
    value = said[kind]
    match kind:
        case "card":
            return _card_event(said, where)
        case "enter":
            number = said.get("for")
            if type(number) is not int or number < 1:
                raise BadRecord(f"{where}.for: the number of a card of this coup, from 1")
            return Given(kind, card=_card(value, f"{where}.enter"), number=number)
        case "bets" if value in ("open", "closed"):
            return Given(kind, word=value)
        case "result" if value in ("player", "banker", "tie"):
            return Given(kind, word=value)
        case "cut_card" | "shoe_empty" if value is True:
            return Given(kind)
        case _:
            raise BadRecord(f"{where}.{kind}: {value!r} is not understood")


def _card_event(said: dict[str, Any], where: str) -> Given:
    card = None if said["card"] is None else _card(said["card"], f"{where}.card")
    at = None
    if "at" in said:
        if said["at"] not in ("player", "banker"):
            raise BadRecord(f"{where}.at: player or banker")
        at = Side(said["at"])
    for flag in _FLAGS:
        if said.get(flag, True) is not True:
            raise BadRecord(f"{where}.{flag}: true or false")
    return Given(
        "card", card, at, face_up="face_up" in said, stuck="stuck" in said, unseen="unseen" in said
    )


def _card(code: object, where: str) -> Card:
    if isinstance(code, str) and code in Card.__members__.values():
        return Card(code)
    raise BadRecord(f"{where}: {code!r} is no card; one is rank then suit, as in 9H or TC")


def _check_entries(events: tuple[Given, ...]) -> None:
    calls = sum(one.kind == "result" for one in events)
    if calls > _MOST_CALLS:
        raise BadRecord(f"events: a coup whose result is called {calls} times")
    cards = [one for one in events if one.kind == "card"]
    if len(cards) > _MOST_CARDS:
        raise BadRecord(f"events: a coup of {len(cards)} cards")
    entered = set()
    for place, one in enumerate(events):
        if one.kind != "enter":
            continue
        where = f"events[{place}].for"
        if one.number > len(cards):
            raise BadRecord(f"{where}: card {one.number} was never drawn")
        if cards[one.number - 1].card is not None:
            raise BadRecord(f"{where}: card {one.number} was read")
        if one.number in entered:
            raise BadRecord(f"{where}: card {one.number} is entered twice")
        entered.add(one.number)


# --- through the table -------------------------------------------------------------------------


class Judged(msgspec.Struct, frozen=True):
    """What the table made of a record: its state, and which coup was the last, if it knows."""

    state: TableState
    judgement: Judgement
    last_coup: str | None


def judged(record: Record, house: House) -> Judged:
    """Tell a table of a record. Raises BadRecord if it refuses what the record says."""
    opens = bool(record.events) and record.events[0].kind == "bets"
    are_open = opens and record.events[0].word == "open"
    state = _at_bets(_encode(house), are_open=are_open)
    if record.seen:
        state = replace(state, copies=record.seen, copies_before=record.seen)
    table = _Table(state, house)
    entries = {one.number: one for one in record.events if one.kind == "enter"}
    for given in record.events:
        table.tell(given, entries)
    return Judged(table.state, judgement_of(table.state), table.last_coup)


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

    def __init__(self, state: TableState, house: House | None = None) -> None:
        self.state = state
        self.last_coup: str | None = None
        self._house = house
        self._is_open = state.phase is Phase.BETS_OPEN
        self._entered: set[int] = set()

    def tell(self, given: Given, entries: dict[int, Given]) -> None:
        """One event of the record."""
        match given.kind:
            case "card":
                self._card(given)
                entry = entries.get(len(self.state.coup_cards))
                if entry is not None and id(entry) in self._entered:
                    self._enter(entry)
            case "enter":
                # one that comes before its card waits for it
                self._entered.add(id(given))
                if given.number <= len(self.state.coup_cards):
                    self._enter(given)
            case "bets":
                self._is_open = given.word == "open"
                if not self._is_open and self.state.phase is Phase.BETS_OPEN:
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
        if self.state.phase is Phase.BETS_OPEN:
            self.give(inp.CloseBets(by=_BY))

    def _card(self, given: Given) -> None:
        was_open = self.state.phase is Phase.BETS_OPEN
        if given.card is None:
            self.give(Reported(_ORIGIN, inp.CardUnreadable("not read")))
        else:
            self.give(Reported(_ORIGIN, inp.CardDrawn(given.card)))
        is_early = self._is_open and not was_open
        # only a surplus card needs it said; one that took its place is public
        is_unseen = given.unseen and self.state.phase is Phase.HELD
        is_plain = not (given.face_up or given.stuck or is_unseen or is_early)
        if not is_plain or not self._lies_right(given.at):
            self.give(
                inp.NoteCard(
                    by=_BY, number=len(self.state.coup_cards), at=given.at, early=is_early or None,
                    face_up=given.face_up, stuck=given.stuck, unseen=is_unseen,
                )
            )  # fmt: skip
        self.rule()

    def _lies_right(self, at: Side | None) -> bool:
        """Whether the card just drawn lies where the table put it, as far as anybody said."""
        if at is None:
            return True
        if self.state.phase is Phase.HELD:
            return False
        hands = {Side.PLAYER: self.state.player, Side.BANKER: self.state.banker}
        cards = len(self.state.player) + len(self.state.banker)
        last = Side.PLAYER if cards in (1, 3) or len(self.state.player) == 3 else Side.BANKER
        if cards == _FIVE_CARDS:
            last = Side.PLAYER if len(self.state.player) == 3 else Side.BANKER
        elif cards > _FIVE_CARDS:
            last = Side.BANKER
        return bool(hands[at]) and at is last

    def _enter(self, entry: Given) -> None:
        if entry.card is not None:
            self.give(inp.EnterCard(by=_BY, second=_SECOND, number=entry.number, card=entry.card))
            self.rule()

    def _cut_card(self) -> None:
        if self.last_coup is None and self._house is not None:
            self.last_coup = last_coup_word(self._house, is_under_way=bool(self.state.coup_cards))
        self.give(Reported(_ORIGIN, inp.CutCardDrawn()))

    def give(self, given: Input) -> None:
        considered = consider(self.state, given, _STAMP)
        if isinstance(considered, Refusal):
            raise BadRecord(f"the table refuses this: {considered.text}")
        self.state = considered.state

    def rule(self) -> None:
        """Rule a hold that can be mended, by the house's first proposal."""
        if self.state.hold is None:
            return
        first, answer = rulings_for(self.state)[0]
        if first is Remedy.VOID:
            return
        ruling = inp.RuleHold(
            by=_BY, second=_SECOND, remedy=first.value, reason="by the house's rule",
            bound_to=binding(self.state, first, answer), faces_seen=answer,
        )  # fmt: skip
        self.give(ruling)


@lru_cache(maxsize=64)
def _at_bets(house_json: bytes, *, are_open: bool) -> TableState:
    """A table of this house with bets just opened, or just closed."""
    house = msgspec.json.decode(house_json, type=House)
    table = _Table(TableState())
    rules = replace(
        house, burn=Burn(BurnRule.NONE), close_guard_ms=0, result_entry=ResultEntry.CONFIRM
    )
    table.give(inp.ServiceStarted(_FACTS, rules))
    table.give(Reported(_ORIGIN, inp.LineUp("record", 1)))
    table.give(inp.OpenTable(by=_BY, dealer=_BY))
    table.give(inp.LoadShoe(by=_BY))
    table.give(inp.OpenBets(by=_BY))
    if not are_open:
        table.give(inp.CloseBets(by=_BY))
    return table.state
