# SPDX-License-Identifier: Apache-2.0
"""Verifies the record of a Punto Banco table with Python's standard library alone (3.8 or later).

It was written from the description of the record's form, in README.md beside it, and shares no code
with the program that writes records: a mistake of the one is not repeated by the other.

    python3 -I verify.py                        the bundle that this file lies in
    python3 -I verify.py FOLDER                 another bundle
    python3 -I verify.py BAC-1.db               a copy of a table's SQLite file
    python3 -I verify.py --heads BAC-1.heads    against heads that YOU had kept, not the studio

Exit status: 0 the record is sound; 1 it is not, or it cannot be read; 2 wrong usage.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sqlite3
import sys
from collections import defaultdict, deque
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any, Dict, List

Event = Dict[str, Any]
Hand = List[str]

MOST_FINDINGS = 100
VERSION = 1
ZERO = bytes(32)
ROW = (
    "seq", "version", "type", "at", "source", "shoe", "round", "event", "hash", "public_seq",
    "payload", "head",
)  # fmt: skip
RESULT = ("outcome", "player_total", "banker_total", "natural", "pairs")
ENDS = ("epoch", "seq", "hash", "public_seq", "head")
# What reading an event that somebody made up can raise.
FAULTS = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
NONE = type(None)
KINDS: tuple[Any, ...] = (
    int, int, str, str, str, (str, NONE), (str, NONE), bytes, bytes, (int, NONE), (bytes, NONE),
    (bytes, NONE),
)  # fmt: skip

MEANS = {
    "kind": "something else than the table's own program wrote into this row.",
    "gap": "rows were deleted before this one, or rows were given other numbers.",
    "row": "this row was changed after it was written, or was put in, moved or swapped; or the row "
    "before it was. The first such place is where it was done.",
    "before": "a row was put in: numbers begin with 1.",
    "message": "the messages kept here are not those that players were sent, one after the other.",
    "event": "what happened here is not known any more.",
    "sent": "players were told something else than the record says.",
    "rules": "the record was made up or changed, and its chain written anew over it: no table of "
    "this studio records such a thing.",
    "epoch": "rows at the end of an epoch were cut off, or epochs were put in or taken out.",
    "report": "these tables, which people search, and the journal tell different things. Where no "
    "row of the journal has a fault, the tables were changed by hand: the journal counts.",
    "end": "the newest rows were deleted.",
    "heads": "whoever had all rights on the database wrote the record anew, from a place after the "
    "last head that agrees.",
    "saved": "a service that starts from it may go on from a forged state.",
    "file": "a file of the bundle was changed after the bundle was made.",
}

# What players are sent of an event, in order; the others are for staff.
_RESULT = ("revision outcome player banker player_total banker_total natural pairs bets "
           "amendable_until")  # fmt: skip
PUBLIC = {
    kind: tuple(members.split())
    for kind, members in {
        "table_opened": "environment house decks shoe_mode currency limits paytable dealer stream "
        "picture_delay_ms software",
        "table_closed": "reason", "table_suspended": "reason", "table_resumed": "reason",
        "dealer_changed": "dealer", "shoe_loaded": "decks", "shoe_ended": "rounds burned left",
        "cut_card_seen": "last_coup", "bets_opened": "seconds closes_at", "bets_closed": "",
        "card_dealt": "position card player_total banker_total", "round_held": "reason",
        "round_released": "set_aside text",
        "round_reconstructed": "player banker player_total banker_total set_aside text",
        "result": _RESULT, "result_amended": _RESULT + " supersedes reason",
        "round_voided": "revision reason set_aside text supersedes", "round_closed": "",
        "manual_mode": "on",
    }.items()
}  # fmt: skip

# The tableau: Banker's total and the values of Player's third card on which Banker draws.
DRAWS_ON = {0: "0123456789", 1: "0123456789", 2: "0123456789", 3: "012345679", 4: "234567",
            5: "4567", 6: "67", 7: ""}  # fmt: skip


# --- the game ------------------------------------------------------------------------------------


def points(card: str) -> int:
    """What a card counts: its first letter is its rank, its second one the suit."""
    if len(card) != 2 or card[0] not in "A23456789TJQK" or card[1] not in "SHDC":
        raise ValueError(f"{card} is no card")
    return "TA23456789".index(card[0]) if card[0] not in "JQK" else 0


def total(hand: Hand) -> int:
    """What a hand counts."""
    return sum(points(card) for card in hand) % 10


def due(player: Hand, banker: Hand) -> str | None:
    """Where the next card goes, None if the coup is complete; ValueError: no coup is dealt so."""
    count = len(player) + len(banker)
    if len(player) < 2 or len(banker) < 2:
        if (len(player), len(banker)) != ((count + 1) // 2, count // 2):
            raise ValueError("the tableau deals no such hands")
        return ("P1", "B1", "P2", "B2")[count]
    two, other = total(player[:2]), total(banker[:2])
    is_natural = two > 7 or other > 7
    draws = two < 6 and not is_natural
    if len(player) > 2 + draws or (draws and len(player) == 2 and len(banker) > 2):
        raise ValueError("the tableau deals no such hands")
    if draws and len(player) == 2:
        return "P3"
    answers = str(points(player[2])) in DRAWS_ON[other] if draws else other < 6
    if len(banker) > 2 + (answers and not is_natural):
        raise ValueError("the tableau deals no such hands")
    return "B3" if answers and not is_natural and len(banker) == 2 else None


def plain(amount: Any) -> str:
    """A decimal in its shortest plain form."""
    text = format(Decimal(amount), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def paid(house: Event, player: Hand, banker: Hand) -> dict[str, str]:
    """The profit for each unit staked, by bet, in a complete coup."""
    p, b = total(player), total(banker)
    kinds = [(a[0] == c[0]) + (a == c) for a, c in (player[:2], banker[:2])]
    natural = [len(hand) == 2 and total(hand) > 7 for hand in (player, banker)]
    cards = len(player) + len(banker)

    def dragon(own: int, other: int, has_natural: bool) -> str:
        if has_natural and own >= other:
            return "natural" if own > other else "natural_tie"
        return f"by_{own - other}"

    cases = {
        "player_pair": "win" if kinds[0] else "", "banker_pair": "win" if kinds[1] else "",
        "either_pair": "win" if any(kinds) else "",
        "perfect_pair": ("", "one", "both")[kinds.count(2)],
        "big": "win" if cards > 4 else "", "small": "win" if cards == 4 else "",
        "player_natural": "win" if natural[0] else "",
        "banker_natural": "win" if natural[1] else "",
        "player_dragon": dragon(p, b, natural[0]), "banker_dragon": dragon(b, p, natural[1]),
        "super_6": "win" if b == 6 > p else "",
    }  # fmt: skip
    cases.update((f"tie_{tie}", "win" if p == b == tie else "") for tie in range(10))
    six = house.get("banker_six_pays")
    banker_odds = Decimal(1) - Decimal(house["commission"])
    if six is not None:
        banker_odds = Decimal(six) if b == 6 else Decimal(1)
    profits = {
        "player": "0" if p == b else "1" if p > b else "-1",
        "banker": "0" if p == b else plain(banker_odds) if b > p else "-1",
        "tie": plain(house["tie_odds"]) if p == b else "-1",
    }
    for bet, odds in house.get("side_bets", {}).items():
        if bet in cases:
            profits[bet] = plain(odds[cases[bet]]) if cases[bet] in odds else "-1"
    return profits


def _words(outcome: str, player: int, banker: int) -> str:
    return f"{outcome} with {player} to {banker}"


def result_faults(house: Event | None, event: Event) -> list[str]:
    """What a result says that its own cards do not give."""
    player, banker = event["player"], event["banker"]
    if due(player, banker) is not None:
        return ["the result is of a coup that is not complete by the tableau"]
    p, b = total(player), total(banker)
    outcome = "player" if p > b else "banker" if b > p else "tie"
    pairs = {"player": player[0][0] == player[1][0], "banker": banker[0][0] == banker[1][0]}
    natural = total(player[:2]) > 7 or total(banker[:2]) > 7
    due_now = (outcome, p, b, natural, pairs)
    told = tuple(event[one] for one in RESULT)
    faults = []
    if told != due_now:
        faults.append(f"it says {_words(*told[:3])}, its cards give {_words(*due_now[:3])}")
    if house is not None and event["bets"] != paid(house, player, banker):
        faults.append("the profits are not those of the paytable in force")
    return faults


class Play:
    """The rounds as they follow from the events: who may come next, and with which cards."""

    def __init__(self, house: Event | None = None, begins_late: bool = False) -> None:
        self.house = house
        self.next_house: Event | None = None
        self.round: str | None = None
        self.hands: tuple[Hand, Hand] = ([], [])
        self.kept: list[tuple[str, str]] = []
        self.standing: dict[str, tuple[int, int | None]] = {}
        self.ruled_by: dict[str, Event | None] = {}
        self.is_free, self.rounds, self.begins_late = False, 0, begins_late
        self.has_more_epochs = self.is_lost = False

    def faults(self, row: Event, event: Event) -> list[str]:
        """What cannot be, of this event at this place.

        After a row that could not be read nothing is said until the next round begins: what does
        not follow then is no new fault.
        """
        was_lost, step = self.is_lost, getattr(self, "on_" + row["type"], None)
        try:
            faults: list[str] = [] if step is None else step(event, row) or []
        except FAULTS as fault:
            faults = [f"it cannot be: {fault}"]
            self.lose()
        return [] if was_lost else faults

    def lose(self) -> None:
        """An event is not known: what it changed is not, either."""
        self.is_lost = self.begins_late = True

    def on_rules_loaded(self, event: Event, _row: Event) -> None:
        if self.round is not None or self.is_free:
            self.next_house = event["house"]
        else:
            self.house, self.next_house = event["house"], None

    def on_epoch_begun(self, _event: Event, _row: Event) -> None:
        # revisions that may have been given since, and are lost, are not given again
        self.has_more_epochs = True

    def on_bets_opened(self, event: Event, _row: Event) -> list[str]:
        if event["round"] == self.round:
            return []
        opened = event["round"]
        faults = []
        if self.round is not None:
            faults.append(f"round {opened} opens before round {self.round} was closed")
        if opened in self.standing:
            faults.append(f"round {opened} had a result already")
        self.round, self.hands, self.kept = opened, ([], []), []
        self.is_lost = False
        return faults

    def on_card_kept(self, event: Event, _row: Event) -> None:
        self.kept.append((event["position"], event["card"]))

    def on_irregularity_raised(self, _event: Event, _row: Event) -> None:
        self.kept = []

    def on_card_dealt(self, event: Event, _row: Event) -> list[str]:
        at, card = event["position"], event["card"]
        faults = []
        if self.round is None:
            faults.append("a card is dealt outside of any round")
        if self.kept and self.kept.pop(0) != (at, card):
            faults.append(f"{at} {card} is announced, another card was kept")
        position = due(*self.hands) or "that the coup is complete"
        if position != at:
            faults.append(f"card {card} was given {at}, the tableau says {position}")
        self.hands["PB".index(at[0])].append(card)
        return faults + self._totals(event)

    def _totals(self, event: Event) -> list[str]:
        due_now = [total(hand) if hand else None for hand in self.hands]
        if [event["player_total"], event["banker_total"]] == due_now:
            return []
        return ["the totals are not those of the cards"]

    def on_round_reconstructed(self, event: Event, _row: Event) -> list[str]:
        self.hands = (list(event["player"]), list(event["banker"]))
        due(*self.hands)
        return self._totals(event)

    def on_free_coup_opened(self, _event: Event, _row: Event) -> None:
        self.is_free, self.kept = True, []

    def on_free_coup_cancelled(self, _event: Event, _row: Event) -> None:
        self.is_free, self.kept = False, []
        self._change_house()

    def on_free_coup_ended(self, event: Event, row: Event) -> list[str]:
        self.on_free_coup_cancelled(event, row)
        if event["outcome"] is None:
            return []
        player, banker = event["player"], event["banker"]
        p, b = total(player), total(banker)
        outcome = "player" if p > b else "banker" if b > p else "tie"
        if due(player, banker) is None and outcome == event["outcome"]:
            return []
        return ["the result of the coup without bets is not the one that its cards give"]

    def on_result(self, event: Event, row: Event) -> list[str]:
        faults = result_faults(self.house, event)
        if row["round"] != self.round:
            faults.append("the result is of a round that is not under way")
        elif [event["player"], event["banker"]] != list(self.hands):
            faults.append("the result names other cards than were dealt")
        return faults + self._revised(event, row, row["round"])

    def on_result_amended(self, event: Event, row: Event) -> list[str]:
        house = self.ruled_by.get(event["round"], None if self.begins_late else self.house)
        faults = result_faults(house, event)
        return faults + self._revised(event, row, event["round"])

    def on_round_voided(self, event: Event, row: Event) -> list[str]:
        return self._revised(event, row, event["round"])

    def _revised(self, event: Event, row: Event, number: str) -> list[str]:
        faults: list[str] = []
        last, public_seq = self.standing.get(number, (0, None))
        is_known = number in self.standing or number == self.round
        if not is_known and not self.begins_late:
            faults.append(f"round {number}, which it revises, was never dealt")
        is_next = event["revision"] == last + 1
        if is_known and not is_next and not (self.has_more_epochs and event["revision"] > last):
            revision = event["revision"]
            faults.append(f"revision {revision} of round {number} follows on revision {last}")
        is_told = "supersedes" in event and is_known and not self.has_more_epochs
        if is_told and event["supersedes"] != public_seq:
            told = event["supersedes"]
            text = f"it supersedes message {told}, the standing one of round {number} is"
            faults.append(f"{text} {public_seq}")
        self.standing[number] = (event["revision"], row["public_seq"])
        if number == self.round:
            self.ruled_by.setdefault(number, self.house)
        return faults

    def on_round_closed(self, _event: Event, _row: Event) -> list[str]:
        faults: list[str] = []
        if self.round is None or self.round not in self.standing:
            faults = ["a round is closed that has neither a result nor a void"]
        self.round, self.kept, self.rounds = None, [], self.rounds + 1
        self._change_house()
        return faults

    def _change_house(self) -> None:
        self.house, self.next_house = self.next_house or self.house, None


# --- the tables that people search ---------------------------------------------------------------

COLUMNS = {
    table: columns.split()
    for table, columns in {
        "cards": "table_id epoch seq shoe round fate position card source at",
        "revisions": "round revision table_id epoch seq at type outcome player banker player_total "
        "banker_total natural player_pair banker_pair reason by second",
        "bet_results": "round revision bet profit",
        "shoes": "shoe table_id epoch seq loaded_at decks ended_at rounds burned seen left counted "
        "reason",
        "rounds": "round table_id epoch seq shoe day status opened_at closed_at revision outcome",
        "round_dealers": "who opened_at round epoch seq table_id",
        "irregularities": "code opened_at round epoch seq table_id",
    }.items()
}

LATER = {
    "rounds": ["outcome"],
    "round_dealers": COLUMNS["round_dealers"],
    "irregularities": COLUMNS["irregularities"],
}
FATES = {"card_dealt": "dealt", "card_kept": "kept", "card_burned": "burned", "card_held": "held",
         "card_entered": "entered", "card_corrected": "restated", "card_struck": "struck",
         "burn_corrected": "restated", "voided_card_corrected": "restated"}  # fmt: skip


class Reports:
    """What these tables must say. Rows only ever added are a sum of hashes for each round."""

    def __init__(self, table: str, dealer: str, schema: str) -> None:
        self.table = table
        # a record that was not upgraded lacks what was told of rounds before
        self.tells_of_before = schema >= "0005"
        self.open: str | None = None
        self.opened_at, self.dealer = "", dealer
        self.sums: dict[str, dict[str, int]] = {
            name: defaultdict(int) for name in COLUMNS if name not in ("shoes", "rounds")
        }
        self.rows: dict[str, dict[str, Event]] = {"shoes": {}, "rounds": {}}
        self.ends: dict[str, int] = {}

    def tell(self, epoch: str, row: Event, event: Event) -> None:
        """Take note of an event."""
        kind, at = row["type"], row["at"]
        self.ends[epoch] = row["seq"]
        place = {"table_id": self.table, "epoch": epoch, "seq": row["seq"], "at": at}
        if kind in FATES:
            dealt = event if kind in ("card_dealt", "card_kept") else {}
            self._add("cards", dict(place, shoe=row["shoe"], round=row["round"], fate=FATES[kind],
                                    position=dealt.get("position"), card=event["card"],
                                    source=row["source"]))  # fmt: skip
        elif kind == "bets_opened":
            if event["round"] != self.open:
                self.rows["rounds"][event["round"]] = dict(
                    place, round=event["round"], shoe=row["shoe"], day=event["day"], revision=0,
                    status="in_progress", opened_at=at, closed_at=None)  # fmt: skip
                self.open, self.opened_at = event["round"], at
                self._deals(place, self.dealer, event["by"])
        elif kind in ("table_opened", "dealer_changed"):
            self.dealer = event["dealer"]
            if kind == "dealer_changed" and self.open is not None:
                self._deals(place, self.dealer)
        elif kind == "irregularity_raised" and self.open is not None:
            self._add("irregularities", dict(place, code=event["code"], round=self.open,
                                             opened_at=self.opened_at))  # fmt: skip
        elif kind == "supervisor_called" and event.get("code") and self.tells_of_before:
            # in a span, only what is told of its own rounds
            about = self.rows["rounds"].get(event.get("about") or "")
            if about is not None:
                self._add("irregularities", dict(place, code=event["code"], round=about["round"],
                                                 opened_at=about["opened_at"]))  # fmt: skip
        elif kind in ("result", "result_amended", "round_voided"):
            self._revise(place, row, event)
        elif kind == "round_closed":
            self.open, one = None, self.rows["rounds"].get(row["round"], {})
            one.update(closed_at=at, status="void" if one.get("status") == "void" else "complete")
        elif kind == "shoe_loaded":
            self.rows["shoes"][event["shoe"]] = dict(
                dict.fromkeys(COLUMNS["shoes"]), **place, shoe=event["shoe"], loaded_at=at,
                decks=event["decks"])  # fmt: skip
        elif kind == "shoe_ended":
            told = {name: event[name] for name in COLUMNS["shoes"][7:]}
            self.rows["shoes"].get(row["shoe"], {}).update(told, ended_at=at)

    def _deals(self, place: Event, *names: str) -> None:
        for who in dict.fromkeys(name.strip()[:80] for name in names):
            if who:
                self._add("round_dealers", dict(place, who=who, round=self.open,
                                                opened_at=self.opened_at))  # fmt: skip

    def _add(self, table: str, values: Event) -> None:
        row = tuple(values.get(name) for name in COLUMNS[table])
        self.sums[table][self._where(table, row)] += hash(row)

    def _where(self, table: str, row: tuple[Any, ...]) -> str:
        """The round that a row is of, or its shoe outside of one."""
        columns = COLUMNS[table]
        where = row[columns.index("round")]
        if where is None and "shoe" in columns:
            where = row[columns.index("shoe")]
        return str(where or "")

    def _revise(self, place: Event, row: Event, event: Event) -> None:
        kind = row["type"]
        number = row["round"] if kind == "result" else event["round"]
        one = self.rows["rounds"].get(number, {})
        values = dict(place, round=number, revision=event["revision"], type=kind, by=event["by"])
        if kind != "result":
            values.update(reason=event["reason"], second=event["second"])
        one.update(revision=event["revision"], status="void", outcome="void")
        if kind != "round_voided":
            one["status"] = "in_progress" if one.get("closed_at") is None else "complete"
            one["outcome"] = event["outcome"]
            values.update((name, event[name]) for name in COLUMNS["revisions"][10:13])
            values.update(outcome=event["outcome"], player=" ".join(event["player"]),
                          banker=" ".join(event["banker"]), player_pair=event["pairs"]["player"],
                          banker_pair=event["pairs"]["banker"])  # fmt: skip
            for bet, profit in event["bets"].items():
                self._add("bet_results", {"round": number, "revision": event["revision"],
                                          "bet": bet, "profit": profit})  # fmt: skip
        self._add("revisions", values)

    def differences(self, record: Record, is_span: bool) -> Iterator[tuple[str, int, str, str]]:
        """Epoch, seq, code and text of whatever the tables say otherwise."""
        differing: list[tuple[str, int, str, str]] = []
        beyond: dict[str, int] = {}
        for table, sums in self.sums.items():
            if not record.columns(table):
                continue
            stored: dict[str, int] = defaultdict(int)
            for row in record.report(table):
                stored[self._where(table, row)] += hash(row)
                self._note(beyond, dict(zip(COLUMNS[table], row)))
            differing += self._differing(table, sums, stored)
        for table, rows in () if is_span else self.rows.items():
            columns = record.columns(table)
            kept = [dict(zip(columns, row)) for row in record.report(table)]
            for one in kept:
                self._note(beyond, one)
            differing += self._differing(
                table,
                {key: [one.get(name) for name in columns] for key, one in rows.items()},
                {one[columns[0]]: [one[name] for name in columns] for one in kept},
            )
        for epoch, seq in beyond.items():
            last = self.ends.get(epoch, 0)
            text = f"the journal ends with event {last}, the reports tell of event {seq}"
            yield epoch, last + 1, "end", text
        yield from differing

    def _note(self, beyond: dict[str, int], values: Event) -> None:
        epoch, seq = values.get("epoch"), values.get("seq")
        if isinstance(epoch, str) and isinstance(seq, int) and seq > self.ends.get(epoch, 0):
            beyond[epoch] = max(seq, beyond.get(epoch, 0))

    def _differing(
        self, table: str, told: dict[str, Any], stored: dict[str, Any]
    ) -> Iterator[tuple[str, int, str, str]]:
        known = dict(self.rows["shoes"], **self.rows["rounds"])
        for where in sorted(set(told) | set(stored), key=str):
            if told.get(where) != stored.get(where):
                place = known.get(where, {"epoch": "", "seq": 0})
                text = f"table {table} does not say what the journal says of {where or 'no shoe'}"
                yield place["epoch"], place["seq"], "report", text


# --- what is read --------------------------------------------------------------------------------


class CannotRead(Exception):
    """There is no record to verify; the text says why."""


class Record:
    """The record of one table in an SQLite file, by itself or in a bundle. Never written to."""

    def __init__(self, path: Path, table: str | None) -> None:
        self.folder = path if path.is_dir() else None
        self.bundle: Event = {}
        if self.folder is not None:
            try:
                self.bundle = json.loads((path / "bundle.json").read_text("utf-8"))
            except (OSError, ValueError) as fault:
                raise CannotRead(f"{path} is no bundle: {fault}") from fault
            path = path / "record.db"
        if not path.is_file():
            raise CannotRead(f"{path} is not there")
        # of a copy without its log nothing can be written meanwhile, nor a file made beside it
        is_alone = not Path(f"{path}-wal").exists()
        uri = path.resolve().as_uri() + ("?immutable=1" if is_alone else "?mode=ro")
        self.database = sqlite3.connect(uri, uri=True)
        self.database.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
        self.table = table or self._only_table(path)
        self.schema = "".join(str(one) for (one,) in self._all("SELECT * FROM alembic_version"))

    def _only_table(self, path: Path) -> str:
        tables = [str(one) for (one,) in self._all("SELECT DISTINCT table_id FROM epochs")]
        if len(tables) == 1:
            return tables[0]
        names = ", ".join(tables) or "none"
        raise CannotRead(f"{path} has the records of these tables: {names}; say --table")

    def _all(self, statement: str, *values: object) -> Iterator[tuple[Any, ...]]:
        try:
            yield from self.database.execute(statement, values)
        except sqlite3.DatabaseError as fault:
            raise CannotRead(f"the record cannot be read: {fault}") from fault

    def epochs(self) -> list[str]:
        """The table's epochs, oldest first."""
        of_table = "SELECT epoch FROM epochs WHERE table_id = ? ORDER BY ordinal"
        return [str(epoch) for (epoch,) in self._all(of_table, self.table)]

    def rows(self, epoch: str) -> Iterator[tuple[Any, ...]]:
        """The rows of an epoch, in order, whatever is in them."""
        found = f"SELECT {', '.join(ROW)} FROM journal WHERE table_id = ? AND epoch = ?"
        return self._all(f"{found} ORDER BY seq", self.table, epoch)

    def strays(self) -> Iterator[tuple[Any, ...]]:
        """Epochs of the journal that are not listed as the table's."""
        return self._all(
            "SELECT DISTINCT epoch FROM journal WHERE table_id = ? AND epoch NOT IN "
            "(SELECT epoch FROM epochs WHERE table_id = ?)", self.table, self.table,
        )  # fmt: skip

    def saved(self, epoch: str) -> set[int]:
        """After which events a state was saved for a start. A bundle has none."""
        if self.folder is not None:
            return set()
        found = "SELECT seq FROM checkpoints WHERE table_id = ? AND epoch = ?"
        return {row[0] for row in self._all(found, self.table, epoch)}

    def saved_at(self, epoch: str, seq: int) -> tuple[bytes, bytes, bytes]:
        """Hash, state and digest of one of them, which may be as long as a shoe."""
        found = "SELECT hash, blob, digest FROM checkpoints WHERE table_id = ? AND epoch = ?"
        kept: tuple[bytes, bytes, bytes] = next(
            iter(self._all(f"{found} AND seq = ?", self.table, epoch, seq)), (b"", b"", b"")
        )
        return kept

    def columns(self, table: str) -> list[str]:
        """The columns of such a table; a record that was not upgraded lacks what came later."""
        lacking = LATER if self.schema < "0002" else {}
        return [name for name in COLUMNS[table] if name not in lacking.get(table, ())]

    def report(self, table: str) -> Iterator[tuple[Any, ...]]:
        """The rows of a table that people search."""
        columns = ", ".join(f'"{name}"' for name in self.columns(table))
        mine = "table_id = ?"
        if "table_id" not in COLUMNS[table]:
            mine = "round NOT IN (SELECT round FROM rounds WHERE table_id <> ?)"
        return self._all(f"SELECT {columns} FROM {table} WHERE {mine}", self.table)

    def own_heads(self) -> Path | None:
        """The file of heads that a bundle brings with it, if it has a line of a whole record."""
        file = None if self.folder is None else self.folder / "heads.jsonl"
        return file if file is not None and file.is_file() and file.stat().st_size else None

    def changed_files(self) -> Iterator[str]:
        """Files of the bundle that are not as SHA256SUMS says."""
        if self.folder is None:
            return
        try:
            lines = (self.folder / "SHA256SUMS").read_text("utf-8").splitlines()
        except OSError:
            yield "SHA256SUMS is not there"
            return
        for line in lines:
            digest, _, name = line.partition("  ")
            try:
                found = digest_of(self.folder / name)
            except OSError:
                yield f"{name} is not there"
            else:
                if found != digest:
                    yield f"{name} is not the file of which SHA256SUMS tells"


def digest_of(file: Path) -> str:
    """The SHA-256 of a file, in hex."""
    digest = hashlib.sha256()
    with file.open("rb") as opened:
        for chunk in iter(lambda: opened.read(1 << 20), b""):
            digest.update(chunk)
    return digest.hexdigest()


def _once(pairs: list[tuple[str, Any]]) -> Event:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a member stands there twice")
    return members


_read = json.JSONDecoder(object_pairs_hook=_once).decode
_written = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def read_event(data: bytes) -> Event:
    """The members of an event. ValueError or TypeError if it is none, or says one twice."""
    event = _read(data.decode("utf-8"))
    if not isinstance(event, dict):
        raise TypeError("it is no object")
    return event


def encoded(value: object) -> bytes:
    """JSON as the record's program writes it: no space, no escape that is not needed."""
    return _written(value).encode("utf-8", "surrogateescape")


def message_of(table: str, epoch: str, row: Event, event: Event) -> bytes | None:
    """What players must have been sent of an event, None if it is for staff only."""
    if row["type"] not in PUBLIC:
        return None
    data = {name: event[name] for name in PUBLIC[row["type"]]}
    for name in ("closes_at", "amendable_until"):
        if data.get(name) is not None:
            seconds, _, part = data[name].rstrip("Z").partition(".")
            data[name] = f"{seconds}.{part.ljust(6, '0')}Z"
    if "seconds" in data:
        data["seconds"] = float(data["seconds"])
    return encoded({
        "v": 1, "table": table, "epoch": epoch, "seq": row["public_seq"], "shoe": row["shoe"],
        "round": row["round"], "type": row["type"], "at": row["at"], "source": row["source"],
        "data": data,
    })  # fmt: skip


class Heads:
    """Heads that were kept outside, a line of JSON each, beside a record walked in order."""

    def __init__(self, file: Path, walk: Walk) -> None:
        self.walk, self.lines, self.differing, self.first = walk, 0, 0, 0
        self.last: Event | None = None
        self.agreed = 0
        self.told: list[str] = []
        self.kept = self._read(file)
        self.next = next(self.kept, None)

    def _read(self, file: Path) -> Iterator[tuple[int, Event]]:
        recent: deque[bytes] = deque(maxlen=256)
        try:
            with file.open("rb") as lines:
                for number, line in enumerate(lines, 1):
                    # sent over a line that was lost, it may have come twice
                    if not line.strip() or line in recent:
                        continue
                    recent.append(line)
                    try:
                        head = json.loads(line.decode("utf-8"))
                        is_ours = head["table"] == self.walk.record.table
                        (head["seq"], head["public_seq"], head["at"], head["hash"], head["head"])
                    except (ValueError, KeyError, TypeError):
                        self._differs(number, "", 0, "it cannot be read")
                        continue
                    if is_ours and self.walk.is_within(head["epoch"], head["seq"]):
                        self.lines, self.last = self.lines + 1, head
                        yield number, head
        except OSError as fault:
            raise CannotRead(f"{file}, the heads kept outside: {fault.strerror}") from fault

    def passed(self, epoch: str, seq: int, *ends: object) -> None:
        """The walk has come to this event: public number, hash and head after it."""
        while self.next is not None and self.next[1]["epoch"] == epoch:
            line, head = self.next
            if head["seq"] > seq:
                return
            if head["seq"] < seq:
                self._differs(line, epoch, head["seq"], "the record has no such event")
            elif (head["public_seq"], head["hash"], head["head"]) != ends:
                told = f"event {seq} is not the one that was kept, of {head['at']}"
                self._differs(line, epoch, seq, f"{told}; up to event {self.agreed} all agree")
            elif not self.differing:
                self.agreed = seq
            self.next = next(self.kept, None)

    def is_over(self, epoch: str | None = None) -> None:
        """The walk has come to the end of this epoch, or of the record."""
        while self.next is not None and epoch in (None, self.next[1]["epoch"]):
            line, head = self.next
            self._differs(line, head["epoch"], head["seq"], "the record has no such event")
            self.next = next(self.kept, None)

    def _differs(self, line: int, epoch: str, seq: int, text: str) -> None:
        self.differing += 1
        self.first = self.first or line
        if epoch not in self.told or not epoch:
            self.told.append(epoch)
            self.walk.found("heads", epoch, seq, f"from line {line} of the heads on: {text}")


class Walk:
    """A record on its way through the checks."""

    def __init__(self, record: Record, heads: Path | None) -> None:
        self.record = record
        self.has_outside_heads = heads is not None
        heads = heads or record.own_heads()
        self.begins: Event | None = record.bundle.get("begins")
        self.findings: list[Event] = []
        self.faults = self.events = self.messages = 0
        self.walked: list[Event] = []
        house = self.begins["house"] if self.begins else None
        self.play = Play(house, begins_late=self.begins is not None)
        dealer = self.begins["dealer"] if self.begins else ""
        self.reports = Reports(record.table, dealer, record.schema)
        self.is_unreadable = False
        self.seq, self.public_seq, self.hash, self.head = 0, 0, ZERO, ZERO
        self.due_ends = {one["epoch"]: one for one in record.bundle.get("ends", ())}
        self.heads = None if heads is None else Heads(heads, self)

    def is_within(self, epoch: str, seq: int) -> bool:
        """Whether a span has this event, if it is one at all."""
        if self.begins is None:
            return True
        end = self.due_ends.get(epoch)
        after = self.begins["seq"] if epoch == self.begins["epoch"] else 0
        return end is not None and after < seq <= end["seq"]

    def found(self, code: str, epoch: str, seq: int, text: str, row: Event | None = None) -> None:
        """Note what is wrong, and where."""
        self.faults += 1
        if len(self.findings) < MOST_FINDINGS:
            place = {"type": row["type"], "round": row["round"]} if row else {}
            self.findings.append(
                dict(place, epoch=epoch, seq=seq, code=code, text=text, means=MEANS[code])
            )

    def all(self) -> None:
        """Walk it from end to end."""
        epochs = self.record.epochs()
        listed = self.record.bundle.get("ends")
        if listed is not None and [one["epoch"] for one in listed] != epochs:
            self.found("epoch", "", 0, "the record has other epochs than bundle.json lists")
        for number, epoch in enumerate(epochs):
            self._epoch(number, epoch)
        if self.heads is not None:
            self.heads.is_over()
            if not self.heads.lines and self.begins is None:
                text = f"the file of heads has no line of table {self.record.table}"
                self.found("heads", "", 0, text)
        for (stray,) in self.record.strays():
            self.found("epoch", str(stray), 0, "this epoch is not one of the table's")
        if not self.is_unreadable:
            is_span = self.begins is not None
            for epoch, seq, code, text in self.reports.differences(self.record, is_span):
                self.found(code, epoch, seq, text)
        for text in self.record.changed_files():
            self.found("file", "", 0, text)

    def _epoch(self, number: int, epoch: str) -> None:
        self.seq, self.public_seq, self.hash, self.head = 0, 0, ZERO, ZERO
        if self.begins is not None and number == 0:
            self.seq, self.public_seq = self.begins["seq"], self.begins["public_seq"]
            self.hash = bytes.fromhex(self.begins["hash"])
            self.head = bytes.fromhex(self.begins["head"])
        saved = self.record.saved(epoch)
        begun = number == 0
        for values in self.record.rows(epoch):
            begun = self._row(epoch, values, saved) or begun
        if not begun:
            text = "the epoch does not begin with where the one before it ended"
            self.found("epoch", epoch, 0, text)
        for seq in saved:
            self.found("saved", epoch, seq, "a state was saved after an event that is not there")
        end = self.due_ends.get(epoch)
        if end is not None and (end["seq"], end["hash"]) != (self.seq, self.hash.hex()):
            text = f"the journal ends with event {self.seq}, bundle.json with event {end['seq']}"
            self.found("end", epoch, self.seq + 1, text)
        if self.heads is not None:
            self.heads.is_over(epoch)
        self.walked.append({
            "epoch": epoch, "events": self.seq, "messages": self.public_seq,
            "head": self.head.hex(), "hash": self.hash.hex(),
        })  # fmt: skip

    def _row(self, epoch: str, values: tuple[Any, ...], saved: set[int]) -> bool:
        """Check a row; the walk goes on from what is stored, so that each fault shows once.

        Gives whether it is the beginning of an epoch that names the end of the one before.
        """
        self.events += 1
        row = dict(zip(ROW, values))
        if not all(isinstance(one, kind) for one, kind in zip(values, KINDS)):
            self.seq = row["seq"] if isinstance(row["seq"], int) else self.seq + 1
            self.found("kind", epoch, self.seq, "a column holds another kind of value")
            self.hash = row["hash"] if isinstance(row["hash"], bytes) else self.hash
            self._lose()
            return False
        if row["seq"] < 1:
            self.found("before", epoch, row["seq"], "a row before the first of all", row)
            return False
        size = None if row["payload"] is None else len(row["payload"])
        header = (self.record.table, epoch, *values[:7], row["public_seq"], len(row["event"]), size)
        made = hashlib.sha256(self.hash + encoded(header) + row["event"] + (row["payload"] or b""))
        if row["seq"] != self.seq + 1:
            self.found("gap", epoch, row["seq"], f"event {self.seq + 1} is due here", row)
            self.play.lose()
        elif made.digest() != row["hash"]:
            text = "its hash is not that of the row and of the one before it"
            self.found("row", epoch, row["seq"], text, row)
        before = {"seq": self.seq, "hash": self.hash, "head": self.head}
        before["public_seq"] = self.public_seq
        self.seq, self.hash = row["seq"], row["hash"]
        if row["payload"] is not None:
            self._message(epoch, row)
        if self.heads is not None:
            ends = (self.public_seq, self.hash.hex(), self.head.hex())
            self.heads.passed(epoch, self.seq, *ends)
        if self.seq in saved:
            saved.remove(self.seq)
            hashed, state, digest = self.record.saved_at(epoch, self.seq)
            if hashed != self.hash or hashlib.sha256(hashed + state).digest() != digest:
                self.found("saved", epoch, self.seq, "the state saved here is another", row)
        return self._event(epoch, row)

    def _message(self, epoch: str, row: Event) -> None:
        self.messages += 1
        if row["public_seq"] != self.public_seq + 1:
            text = f"public message {self.public_seq + 1} is due here"
            self.found("message", epoch, row["seq"], text, row)
        elif hashlib.sha256(self.head + row["payload"]).digest() != row["head"]:
            text = "the public head does not follow from the messages sent"
            self.found("message", epoch, row["seq"], text, row)
        self.public_seq, self.head = row["public_seq"] or 0, row["head"] or b""

    def _event(self, epoch: str, row: Event) -> bool:
        seq = row["seq"]
        try:
            event = read_event(row["event"])
            if row["version"] != VERSION:
                raise ValueError(f"its form {row['version']} is not known here")
            if event.get("type") != row["type"]:
                raise ValueError(f"the row says {row['type']}, the event is another")
            is_sent = message_of(self.record.table, epoch, row, event) == row["payload"]
            self.reports.tell(epoch, row, event)
            is_begun = row["type"] == "epoch_begun" and self._begun(epoch, row, event)
        except FAULTS as fault:
            self.found("event", epoch, seq, f"the event cannot be read: {fault}", row)
            self._lose()
            return False
        if not is_sent:
            self.found("sent", epoch, seq, "what was sent is not what the event says", row)
        for text in self.play.faults(row, event):
            self.found("rules", epoch, seq, text, row)
        return is_begun

    def _lose(self) -> None:
        self.is_unreadable = True
        self.play.lose()

    def _begun(self, epoch: str, row: Event, event: Event) -> bool:
        """An epoch says where the one before it ended: rows cut off there would be missed."""
        if row["seq"] != 1 or not self.walked:
            if self.begins is None or self.walked:
                text = "an epoch that is no new one begins here"
                self.found("epoch", epoch, row["seq"], text, row)
            return True
        last = self.walked[-1]
        told = [event["from_" + name] for name in ENDS]
        if told != [last[name] for name in ("epoch", "events", "hash", "messages", "head")]:
            due_end, end = event["from_seq"], last["events"]
            text = (
                f"the epoch before ended with event {due_end}, it is told, not with {end} as it is"
            )
            self.found("epoch", epoch, row["seq"], text, row)
        return True

    def told(self) -> Event:
        """The report, as one JSON object."""
        last: Event = self.walked[-1] if self.walked else {"head": "", "hash": ""}
        heads = self.heads
        return {
            "table": self.record.table, "is_sound": not self.faults, "epochs": len(self.walked),
            "events": self.events, "messages": self.messages, "rounds": self.play.rounds,
            "has_outside_heads": self.has_outside_heads,
            "head": last["head"], "hash": last["hash"], "faults": self.faults,
            "begins": self.begins and {k: v for k, v in self.begins.items() if k != "house"},
            "findings": self.findings, "walked": self.walked,
            "heads": heads and {"lines": heads.lines, "differing": heads.differing,
                                "first_differing": heads.first, "last": heads.last},
        }  # fmt: skip


def shown(report: Event) -> Iterator[str]:
    """The report in lines for a person."""
    explained = set()
    for one in report["findings"]:
        place = f"epoch {one['epoch']}, event {one['seq']}" if one["epoch"] else "the record"
        about = ", ".join(str(one[name]) for name in ("type", "round") if one.get(name))
        yield f"{place} ({about}): {one['text']}" if about else f"{place}: {one['text']}"
        if one["code"] not in explained:
            explained.add(one["code"])
            yield f"    That means: {one['means']}"
    if report["faults"] > len(report["findings"]):
        yield f"... and {report['faults'] - len(report['findings'])} more"
    begins, heads = report["begins"], report["heads"]
    if begins:
        yield f"a span: it begins after event {begins['seq']} of epoch {begins['epoch']}"
    if heads:
        yield f"heads kept outside: {heads['lines']:,} lines, {heads['differing']:,} differ"
    yield (
        f"{'SOUND' if report['is_sound'] else 'NOT SOUND'}  table {report['table']}: "
        f"{report['events']:,} events, {report['messages']:,} public messages, "
        f"{report['rounds']:,} rounds, epochs {report['epochs']}"
    )
    yield f"head of the public chain  {report['head']}"
    yield f"hash of the journal       {report['hash']}"
    if report["is_sound"] and not report["has_outside_heads"]:
        yield "Sound in itself. Whether it was written anew as a whole, only a head shows that"
        yield "was kept out of the studio's reach: --heads FILE."


def main() -> int:
    """Run from the command line; gives the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    here = Path(__file__).resolve().parent
    parser.add_argument("path", nargs="?", type=Path, default=here, help="a bundle, or a record")
    parser.add_argument("--heads", type=Path, metavar="FILE", help="heads kept outside")
    parser.add_argument("--table", help="where the file has records of several")
    parser.add_argument("--json", action="store_true", help="the report as one JSON object")
    given = parser.parse_args()
    try:
        record = Record(given.path, given.table)
        walk = Walk(record, given.heads)
        walk.all()
    except CannotRead as fault:
        sys.stderr.write(f"verify: {fault}\n")
        return 1
    report = walk.told()
    lines = [json.dumps(report)] if given.json else shown(report)
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return 0 if report["is_sound"] else 1


if __name__ == "__main__":
    sys.exit(main())
