# SPDX-License-Identifier: Apache-2.0
"""What a coup's record makes of the coup: the adjudication contract, as one pure function.

A ``CoupEvent`` is what happened to a coup, in order: a card left the shoe, the dealer called the
result, the shoe was found empty. ``judge`` walks them once and gives every card its position or its
fate, names every irregularity where it showed, and says what the coup comes to. The live table and
``studio adjudicate`` rule by it; it knows nothing of phases, people or bets.

Rules: the adjudication contract; its tableau: French order of 14 May 2007, art. 55-14. A mistake is
corrected by reconstructing play according to the table of play (Casino di Venezia).
"""

from collections.abc import Mapping
from enum import Enum

import msgspec

from studio.game.cards import Card
from studio.game.coup import Outcome, Position, Side
from studio.game.house import House
from studio.game.tableau import FIRST_FOUR, is_natural, next_position, outcome_of


class Verdict(str, Enum):
    """What a coup comes to."""

    VALID = "valid"
    RECONSTRUCTED = "reconstructed"
    INCOMPLETE = "incomplete"
    HELD = "held"
    VOID = "void"


class CoupCard(msgspec.Struct, frozen=True, gc=False, tag_field="coup", tag="card"):
    """A card that left the shoe during the coup.

    ``card`` is its value as read, or as entered by a person; None while it is not known.
    ``is_read``: the shoe read it. ``early``: drawn while bets were open; ``is_early_said``: a
    person said so. ``at``: the box it was
    laid in, None when not known. ``unseen``: nobody, camera included, saw its face.
    ``is_manual``: a person gave its value. ``is_carried``: it left the shoe, and was counted, in
    the coup before; if it was corrected, it counts in this one. ``is_shown``: it was public in a
    hand, whatever is said of it since.
    """

    card: Card | None
    is_read: bool = True
    early: bool = False
    at: Side | None = None
    face_up: bool = False
    stuck: bool = False
    unseen: bool = False
    is_manual: bool = False
    is_carried: bool = False
    is_early_said: bool = False
    is_shown: bool = False


class ResultCall(msgspec.Struct, frozen=True, gc=False, tag_field="coup", tag="call"):
    """The dealer called the result."""

    outcome: Outcome


class ShoeEmpty(msgspec.Struct, frozen=True, gc=False, tag_field="coup", tag="shoe_empty"):
    """No card is left in the shoe."""


CoupEvent = CoupCard | ResultCall | ShoeEmpty


class Found(msgspec.Struct, frozen=True, gc=False):
    """An irregularity, and the number of the card at which it showed (0: before any)."""

    code: str
    card: int


class SurplusCard(msgspec.Struct, frozen=True, gc=False):
    """A card that takes no position: its number in the coup, its value, and its fate.

    The number is 0 for a card that was drawn outside any coup.
    """

    number: int
    card: Card | None
    remedy: str


class Judgement(msgspec.Struct, frozen=True, gc=False):
    """What a coup comes to.

    ``placed`` gives the number of each card that counts and its position, in the order drawn.
    ``next`` is the position that the tableau asks for, None when the coup is complete.
    """

    verdict: Verdict
    irregularities: tuple[Found, ...]
    player: tuple[Card, ...]
    banker: tuple[Card, ...]
    placed: tuple[tuple[int, Position], ...]
    surplus: tuple[SurplusCard, ...]
    next: Position | None
    outcome: Outcome | None


_MISSED = {Position.P3: "p3-missed", Position.B3: "b3-missed"}
_EXCESS = ""


class _Walk(msgspec.Struct, gc=False):
    """One coup, as far as it was walked. ``copies`` is None where none can be one too many."""

    house: House
    copies: dict[str, int] | None
    player: list[Card] = []
    banker: list[Card] = []
    placed: list[tuple[int, Position]] = []
    found: list[Found] = []
    # number, value, remedy; "" stands for the house's remedy for excess, and whether unseen
    surplus: list[tuple[int, Card | None, str, bool]] = []
    next: Position | None = Position.P1
    drawn: int = 0
    has_order_fault: bool = False
    is_held: bool = False
    is_void: bool = False

    def card(self, given: CoupCard) -> None:
        """A card left the shoe."""
        self.drawn += 1
        card = given.card
        if card is None or not given.is_read or given.early or given.face_up or given.stuck:
            card = self._taken_in(given)
            if card is None:
                return
        elif self.copies is not None:
            self._count(given, card, self.copies)
        position = self.next
        if position is None:
            self._find(self._excess(given))
            is_unseen = given.unseen and not given.is_shown
            self.surplus.append((self.drawn, card, _EXCESS, is_unseen))
            return
        if given.at is not None and given.at is not position.side:
            self._misplaced(position)
        (self.player if position.is_player else self.banker).append(card)
        self.placed.append((self.drawn, position))
        out = len(self.placed)
        self.next = FIRST_FOUR[out] if out < 4 else next_position(self.player, self.banker)

    def _taken_in(self, given: CoupCard) -> Card | None:
        """A card that left the shoe otherwise than it should; None if it takes no position."""
        card, house = given.card, self.house
        is_removed = (given.early and house.early_card == "burn") or (
            given.face_up and house.face_up_card == "burn"
        )
        if not given.is_read and not is_removed:
            self._find("misscan-none")
            if card is None:
                self.is_held = True
                return None
        if card is not None and self.copies is not None:
            self._count(given, card, self.copies)
        if given.early:
            self._find("card-before-close")
            self.is_void |= house.early_card == "void"
        if given.face_up:
            self._find("face-up-in-shoe")
        if is_removed:
            self.surplus.append((self.drawn, card, "burn", False))
            return None
        if given.stuck:
            self._find("double-pull")
            self.is_void |= house.stuck_cards == "void"
        return card

    def _count(self, given: CoupCard, card: Card, counted: dict[str, int]) -> None:
        if given.is_manual or not given.is_carried:
            copies = counted[card] = counted.get(card, 0) + 1
            if copies > self.house.decks:
                self._find("duplicate-card")
                self.is_void = True

    def _misplaced(self, position: Position) -> None:
        if position is Position.P3:
            self._find("p3-skipped-b-drawn")
        elif position is Position.B3:
            stood = len(self.player) == 2
            self._find("p3-when-stand-b-draws" if stood else "third-to-wrong-hand")
        elif not self.has_order_fault:
            self.has_order_fault = True
            self._find("initial-order")

    def _excess(self, given: CoupCard) -> str:
        if is_natural(self.player, self.banker):
            return "excess-after-natural"
        is_first = all(remedy != _EXCESS for _, _, remedy, _ in self.surplus)
        if is_first and len(self.banker) == 2:
            if given.at is Side.PLAYER and len(self.player) == 2:
                return "p3-when-stand-b-stands"
            if given.at is Side.BANKER:
                return "b3-when-stand"
        return "excess-after-complete"

    def call(self, outcome: Outcome) -> None:
        """The result was called."""
        if self.next is not None:
            self._find(_MISSED.get(self.next, "initial-short"))
        elif outcome is not outcome_of(self.player, self.banker):
            self._find("wrong-result-announced")

    def empty(self) -> None:
        """The shoe is empty."""
        if self.next is not None:
            self._find("insufficient-cards")
            self.is_void = True

    def _find(self, code: str) -> None:
        self.found.append(Found(code, self.drawn))

    def judgement(self) -> Judgement:
        """What it comes to."""
        excess = self.house.excess_card
        if excess == "carry" and not all(
            unseen for _, _, remedy, unseen in self.surplus if remedy == _EXCESS
        ):
            # a card that players have seen must not enter a coup with bets
            excess = "free_coup"
        outcome = None
        if self.is_void:
            verdict = Verdict.VOID
        elif self.is_held:
            verdict = Verdict.HELD
        elif self.next is not None:
            verdict = Verdict.INCOMPLETE
        else:
            verdict = Verdict.RECONSTRUCTED if self.found else Verdict.VALID
            outcome = outcome_of(self.player, self.banker)
        return Judgement(
            verdict,
            tuple(self.found),
            tuple(self.player),
            tuple(self.banker),
            tuple(self.placed),
            tuple([SurplusCard(at, card, fate or excess) for at, card, fate, _ in self.surplus]),
            self.next,
            outcome,
        )


def judge(house: House, copies: Mapping[str, int], events: tuple[CoupEvent, ...]) -> Judgement:
    """What this coup comes to in this house.

    ``copies``: how many of each card left the shoe before the coup, by card code. After a card
    that nobody knows nothing more is judged.
    """
    # no card can be a copy too many where there are fewer cards than that
    is_scarce = max(copies.values(), default=0) + len(events) > house.decks
    walk = _Walk(house, dict(copies) if is_scarce else None)
    for event in events:
        if type(event) is CoupCard:
            walk.card(event)
        elif type(event) is ResultCall:
            walk.call(event.outcome)
        else:
            walk.empty()
        if walk.is_held:
            break
    return walk.judgement()
