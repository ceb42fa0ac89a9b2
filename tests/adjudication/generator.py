# SPDX-License-Identifier: Apache-2.0
"""Random coup records in which things go wrong, and lines that are no records.

One generator on any source of chance: a seeded one for volume, Hypothesis' own for properties.
It deals by the reference's tableau, so that it knows what would be right and does otherwise often
enough. Small draws are the plain ones, so that Hypothesis shrinks towards a plain coup.
"""

from collections.abc import Iterator
from random import Random
from typing import Any

from hypothesis import strategies as st

from tests.adjudication.bad import EVENTS, LINES, MEMBERS, line_of
from tests.adjudication.reading import HOUSES, RANKS, SIDES
from tests.adjudication.reference import next_position, outcome, total

Record = dict[str, Any]

NAMES = tuple(HOUSES)
DECK = tuple(rank + suit for rank in RANKS for suit in "SHDC")
MOST_CARDS = 11


def random_record(chance: Random, name: str = "random") -> Record:
    """A record that can be understood."""
    return _Dealing(chance).record(name)


def random_bad_line(chance: Random, name: str = "bad") -> bytes:
    """A line that cannot be understood: a good record with one fault, or no record at all."""
    record = random_record(chance, name)
    events = record["events"]
    which = chance.randrange(5)
    if which == 0:
        _, event = chance.choice(EVENTS)
        events.insert(chance.randrange(len(events) + 1), event)
    elif which == 1:
        _, member, value = chance.choice(MEMBERS)
        record[member] = value
    elif which == 2:
        del record["events"]
    elif which == 3:
        cards = [event["card"] for event in events if "card" in event]
        misfits = [len(cards) + 1, *(n for n, card in enumerate(cards, 1) if card is not None)]
        misfits += [event["for"] for event in events if "enter" in event]
        entry = {"enter": chance.choice(DECK), "for": chance.choice(misfits)}
        events.insert(chance.randrange(len(events) + 1), entry)
    else:
        return chance.choice(LINES)[1]
    return line_of(record)


def volume(seed: int, count: int, bad_percent: int = 5) -> Iterator[bytes]:
    """So many lines from a seed, some of them bad."""
    chance = Random(seed)
    for number in range(count):
        name = f"{seed}-{number}"
        if chance.randrange(100) < bad_percent:
            yield random_bad_line(chance, name)
        else:
            yield line_of(random_record(chance, name))


def records() -> st.SearchStrategy[Record]:
    """Records that can be understood."""
    return st.randoms(use_true_random=False).map(random_record)


def bad_lines() -> st.SearchStrategy[bytes]:
    """Lines that cannot."""
    return st.randoms(use_true_random=False).map(random_bad_line)


class _Dealing:
    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.house = chance.choice(NAMES)
        self.trouble = chance.choice((1, 0, 4))
        self.box_known = chance.choice((100, 80, 0))
        self.pool = DECK if self.is_so(80) else tuple(chance.choice(DECK) for _ in range(4))
        self.standing = chance.choice((*8 * [()], ("P2",), ("P2", "B2")))
        self.player: list[str] = []
        self.banker: list[str] = []
        self.cards: list[str | None] = []
        self.events: list[dict[str, Any]] = []
        self.bets_are_open = False
        self.is_ended = False

    def is_so(self, percent: int) -> bool:
        return self.chance.randrange(100) >= 100 - percent

    def goes_wrong(self, percent: int) -> bool:
        return self.is_so(min(percent * self.trouble, 90))

    def record(self, name: str) -> Record:
        if self.goes_wrong(10):
            self.bets("open")
        for _ in range(MOST_CARDS):
            self.between()
            self.is_ended = next_position(self.player, self.banker) is None
            if not self.is_so(35) if self.is_ended else self.goes_wrong(1):
                break
            self.card()
        if self.is_so(50):
            self.call(85)
        self.between()
        self.enter()
        record: Record = {"id": name, "house": self.house, "events": self.events}
        if self.house == "studio" and self.is_so(50):
            del record["house"]
        if self.is_so(40):
            record["seen"] = self.seen()
        return record

    def between(self) -> None:
        if self.bets_are_open:
            if self.is_so(60):
                self.bets("closed")
        elif self.goes_wrong(2):
            self.bets("open")
        if self.goes_wrong(4):
            self.events.append({"cut_card": True})
        if self.goes_wrong(10 if self.is_ended else 3):
            self.call(40)
        if self.goes_wrong(1):
            self.events.append({"shoe_empty": True})

    def bets(self, word: str) -> None:
        self.bets_are_open = word == "open"
        self.events.append({"bets": word})

    def call(self, right_percent: int) -> None:
        right = outcome(self.player, self.banker)
        wrong = self.chance.choice((*SIDES, "tie"))
        self.events.append({"result": right if self.is_so(right_percent) else wrong})

    def card(self) -> None:
        code = None if self.goes_wrong(4) else self.code()
        event: dict[str, Any] = {"card": code}
        position = next_position(self.player, self.banker) or "P"
        side = "player" if position[0] == "P" else "banker"
        if self.is_ended or self.goes_wrong(25 if position in ("P3", "B3") else 6):
            side = self.chance.choice(SIDES)
        if self.is_so(self.box_known):
            event["at"] = side
        for flag, percent in (("face_up", 4), ("stuck", 4), ("unseen", 4)):
            if self.goes_wrong(percent):
                event[flag] = True
            elif self.is_so(2):
                event[flag] = False
        if self.is_ended and self.is_so(60):
            event["unseen"] = True
        self.events.append(event)
        self.cards.append(code)
        self.place(code or self.chance.choice(DECK), event)

    def code(self) -> str:
        position = next_position(self.player, self.banker)
        if position not in self.standing:
            return self.chance.choice(self.pool)
        hand = self.player if position == "P2" else self.banker
        return self.chance.choice([code for code in DECK if total([*hand, code]) in (6, 7)])

    def place(self, code: str, event: dict[str, Any]) -> None:
        house = HOUSES[self.house]
        is_removed = (self.bets_are_open and house.early == "burn") or (
            event.get("face_up") is True and house.face_up == "burn"
        )
        position = next_position(self.player, self.banker)
        if position is not None and not is_removed:
            (self.player if position[0] == "P" else self.banker).append(code)

    def enter(self) -> None:
        for number, code in enumerate(self.cards, 1):
            if code is None and self.is_so(70):
                entry = {"enter": self.chance.choice(self.pool), "for": number}
                self.events.insert(self.chance.randrange(len(self.events) + 1), entry)

    def seen(self) -> dict[str, int]:
        decks = HOUSES[self.house].decks
        drawn = [code for code in self.cards if code is not None] or list(self.pool)
        some = [self.chance.choice(drawn) for _ in range(self.chance.randrange(3))]
        near = {code: decks - self.chance.choice((2, 1, 0)) for code in some}
        return near | {self.chance.choice(DECK): self.chance.randrange(decks)}
