# SPDX-License-Identifier: Apache-2.0
"""A second adjudicator, written from the text of the contract alone, to be compared with ours.

It knows nothing of the product: no table, no module of the game. The third-card rules are
arithmetic here, the houses' remedies are literals. One line of JSON in, one ruling out.
"""

from collections import Counter
from typing import Any

from tests.adjudication.reading import (
    RANKS,
    Misfit,
    Remedies,
    Understood,
    id_of,
    json_of,
    understood,
)

NATURAL, ON_TWO = 8, 2


def rule_line(line: bytes) -> dict[str, Any] | None:
    """The answer to one line of input; None where the line is blank."""
    if not line.strip():
        return None
    try:
        return rule(json_of(line))
    except Misfit as misfit:
        return {"id": None, "error": str(misfit)}


def rule(record: Any) -> dict[str, Any]:
    """The ruling on a record, or its error form."""
    try:
        return {"id": id_of(record), **judged(understood(record))}
    except Misfit as misfit:
        return {"id": id_of(record), "error": str(misfit)}


def total(hand: list[str]) -> int:
    """The total of a hand."""
    return sum(_points(code) for code in hand) % 10


def next_position(player: list[str], banker: list[str]) -> str | None:
    """Where the next card goes; None when the coup is complete."""
    dealt = len(player) + len(banker)
    if dealt < 2 * ON_TWO:
        return ("P1", "B1", "P2", "B2")[dealt]
    if is_natural(player, banker) or len(banker) > ON_TWO:
        return None
    if len(player) == ON_TWO:
        if total(player) <= 5:
            return "P3"
        return "B3" if total(banker) <= 5 else None
    # Banker's third card in one sum: half of Player's third card, 8 and 9 counted as -2 and -1,
    # cut towards nought, and three more; Banker stands above that.
    third = _points(player[ON_TWO])
    half = int((third if third < NATURAL else third - 10) / 2)
    return "B3" if total(banker) <= 3 + half else None


def is_natural(player: list[str], banker: list[str]) -> bool:
    """Whether either hand has 8 or 9 with its first two cards, both having two."""
    first = (player[:ON_TWO], banker[:ON_TWO])
    return all(len(hand) == ON_TWO for hand in first) and max(map(total, first)) >= NATURAL


def outcome(player: list[str], banker: list[str]) -> str:
    """Who has more."""
    if total(player) == total(banker):
        return "tie"
    return "player" if total(player) > total(banker) else "banker"


# --- judging --------------------------------------------------------------------------------------


def judged(record: Understood) -> dict[str, Any]:
    """The ruling on a record that was understood, without its id."""
    coup = _Coup(record.house, record.seen)
    for event in record.events:
        if "cut_card" in event:
            coup.cut_card()
        elif "card" in event:
            coup.card(event)
        elif coup.is_held:
            continue
        elif "bets" in event:
            coup.bets_are_open = event["bets"] == "open"
        elif "result" in event:
            coup.call(event["result"])
        elif "shoe_empty" in event and coup.next() is not None:
            coup.report("insufficient-cards", is_void=True)
    return coup.ruling()


class _Coup:
    def __init__(self, house: Remedies, seen: dict[str, int]) -> None:
        self.house = house
        self.copies = Counter(seen)
        self.player: list[str] = []
        self.banker: list[str] = []
        self.irregularities: list[dict[str, Any]] = []
        self.surplus: list[dict[str, Any]] = []
        self.excess: list[tuple[dict[str, Any], bool]] = []
        self.left_the_shoe = 0
        self.bets_are_open = self.is_held = self.is_void = False
        self.last_coup: str | None = None

    def next(self) -> str | None:
        return next_position(self.player, self.banker)

    def report(self, code: str, *, is_void: bool = False) -> None:
        self.irregularities.append({"code": code, "card": self.left_the_shoe})
        self.is_void |= is_void

    def cut_card(self) -> None:
        if self.last_coup is None:
            under_way = self.left_the_shoe > 0
            one_more_is = "next" if under_way else "this"
            words = {"current": "this", "one_more": one_more_is, "always_one_more": "next"}
            self.last_coup = words[self.house.last_coup]

    def card(self, event: dict[str, Any]) -> None:
        self.left_the_shoe += 1
        if self.is_held:
            return
        code = event["card"] or event.get("entered")
        early, face_up = self.bets_are_open, "face_up" in event
        removed = (early and self.house.early == "burn") or (
            face_up and self.house.face_up == "burn"
        )
        if event["card"] is None and not removed:
            self.report("misscan-none")
            if code is None:
                self.is_held = True
                return
        if code is not None:
            self.copies[code] += 1
            if self.copies[code] > self.house.decks:
                self.report("duplicate-card", is_void=True)
        if early:
            self.report("card-before-close", is_void=self.house.early == "void")
        if face_up:
            self.report("face-up-in-shoe")
        if removed:
            self.surplus.append({"card": code, "remedy": "burn"})
            return
        if "stuck" in event:
            self.report("double-pull", is_void=self.house.stuck == "void")
        self.place(str(code), event.get("at"), is_unseen="unseen" in event)

    def place(self, code: str, at: str | None, *, is_unseen: bool) -> None:
        position = self.next()
        if position is None:
            self.report(self.excess_code(at))
            self.surplus.append({"card": code, "remedy": self.house.excess})
            self.excess.append((self.surplus[-1], is_unseen))
            return
        side = "player" if position[0] == "P" else "banker"
        if at is not None and at != side:
            if position in ("P1", "B1", "P2", "B2"):
                if all(one["code"] != "initial-order" for one in self.irregularities):
                    self.report("initial-order")
            elif position == "P3":
                self.report("p3-skipped-b-drawn")
            elif len(self.player) == ON_TWO:
                self.report("p3-when-stand-b-draws")
            else:
                self.report("third-to-wrong-hand")
        (self.player if side == "player" else self.banker).append(code)

    def excess_code(self, at: str | None) -> str:
        if is_natural(self.player, self.banker):
            return "excess-after-natural"
        if not self.excess and len(self.banker) == ON_TWO:
            if at == "player" and len(self.player) == ON_TWO:
                return "p3-when-stand-b-stands"
            if at == "banker":
                return "b3-when-stand"
        return "excess-after-complete"

    def call(self, called: str) -> None:
        position = self.next()
        if position is not None:
            missed = {"P3": "p3-missed", "B3": "b3-missed"}
            self.report(missed.get(position, "initial-short"))
        elif called != outcome(self.player, self.banker):
            self.report("wrong-result-announced")

    def ruling(self) -> dict[str, Any]:
        if self.house.excess == "carry" and not all(unseen for _, unseen in self.excess):
            for card, _ in self.excess:
                card["remedy"] = "free_coup"
        position = self.next()
        if self.is_void:
            verdict = "void"
        elif self.is_held:
            verdict = "held"
        elif position is not None:
            verdict = "incomplete"
        else:
            verdict = "reconstructed" if self.irregularities else "valid"
        ended = verdict in ("valid", "reconstructed")
        return {
            "verdict": verdict,
            "irregularities": self.irregularities,
            "player": self.player,
            "banker": self.banker,
            "player_total": total(self.player),
            "banker_total": total(self.banker),
            "outcome": outcome(self.player, self.banker) if ended else None,
            "surplus": self.surplus,
            "next": position if verdict == "incomplete" else None,
            "last_coup": self.last_coup,
        }


def _points(code: str) -> int:
    place = RANKS.index(code[0]) + 1
    return place if place < 10 else 0
