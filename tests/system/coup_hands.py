# SPDX-License-Identifier: Apache-2.0
"""Hands that deal a coup record to a live table: the cards at the shoe, the rest by commands.

Every card that leaves the shoe in a record is pulled from the simulated shoe; where it was laid,
that it was stuck, what was entered, the calls and the rulings are told as staff tell them. Each
hold that can be mended is ruled at once, by the house's first proposal.
"""

from collections import Counter
from typing import Any, NamedTuple

from drivers.sim import commands
from drivers.sim.faults import FaultKind
from studio.cli.drill_floor import Floor
from studio.drills.shoes import cards_to_burn
from studio.feed.staff import Acceptance
from studio.game import inputs as inp
from studio.game.cards import Card, cards_in
from studio.game.coup import Outcome, Side
from studio.game.events import Recorded
from studio.game.evolve import evolve
from studio.game.irregularities import Remedy
from studio.game.state import TableState
from studio.game.ways_out import is_count_needed
from tests.adjudication.vectors import Vector

BY, SECOND, REASON = "s-001", "s-002", "test"
# A card whose face nobody ever learns; any will do.
UNKNOWN = "4S"


class Shoe(NamedTuple):
    """Records that are dealt from one shoe, and the cards that come first from it, in order."""

    vectors: tuple[Vector, ...]
    cards: tuple[str, ...]


def cards_of(vector: Vector) -> list[str]:
    """The cards that leave the shoe for a record: those seen before it, then its own."""
    coup = vector.coup
    found = [card for card, copies in coup.get("seen", {}).items() for _ in range(copies)]
    entered = {one["for"]: one["enter"] for one in coup["events"] if "enter" in one}
    drawn = [one["card"] for one in coup["events"] if "card" in one]
    return found + [card or entered.get(number, UNKNOWN) for number, card in enumerate(drawn, 1)]


# After these no other coup is dealt from a shoe.
STOPS = {"insufficient-cards", "duplicate-card"}


def is_last_of_its_shoe(vector: Vector) -> bool:
    """Whether what it leaves behind would touch the coup after it."""
    stays = any(one["remedy"] in ("carry", "free_coup") for one in vector.ruling["surplus"])
    cut = any(one.get("cut_card") for one in vector.coup["events"])
    stops = {one["code"] for one in vector.ruling["irregularities"]} & STOPS
    return stays or cut or bool(stops)


def shoes(vectors: list[Vector], decks: int) -> list[Shoe]:
    """Deal as many records from a shoe as its copies of each card allow."""
    found: list[Shoe] = []
    group: list[Vector] = []
    cards: list[str] = []
    for vector in vectors:
        own = cards_of(vector)
        is_full = max(Counter(cards + own).values(), default=0) > decks
        if group and ("seen" in vector.coup or is_full or is_last_of_its_shoe(group[-1])):
            found.append(Shoe(tuple(group), tuple(cards)))
            group, cards = [], []
        group.append(vector)
        cards += own
    return [*found, Shoe(tuple(group), tuple(cards))]


class CoupHands:
    """Staff and shoe of one floor, and the table's state folded from its record."""

    def __init__(self, floor: Floor) -> None:
        self.floor = floor
        self.state = TableState()
        self.coup: list[Recorded] = []
        self._is_open = False
        self._is_entered: set[int] = set()
        self._drawn = 0
        self.tell(inp.OpenTable(by=BY, dealer="Anna"))

    def load(self, shoe: Shoe) -> None:
        """Put a shoe in and burn."""
        burned = cards_to_burn(self.floor.house, tuple(map(Card, shoe.cards)))
        self.floor.fill([*(card.value for card in burned), *shoe.cards])
        self.tell(inp.LoadShoe(by=BY))
        while self.floor.state().phase == "burning":
            self.floor.pull()

    def end_shoe(self) -> None:
        """Take the shoe out; some records count cards that no shoe holds."""
        left = cards_in(self.state.decks) - self.state.cards_out
        self.tell(inp.EndShoe(by=BY, left=left if is_count_needed(self.state) else None))

    def deal(self, coup: dict[str, Any]) -> TableState:
        """Tell the table of a record; its state before the round is ended."""
        seen = sum(coup.get("seen", {}).values())
        if seen:
            self.tell(inp.BurnCards(by=BY, count=seen, reason=REASON))
            self.floor.pull(seen)
            self.floor.ask(commands.ForcedEnd())
        events = coup["events"]
        self.fold()
        self.coup, self._is_entered, self._drawn = [], set(), 0
        self._is_open = bool(events) and events[0].get("bets") == "open"
        self.tell(inp.OpenBets(by=BY))
        if not self._is_open:
            self.tell(inp.CloseBets(by=BY))
        entries = {one["for"]: one for one in events if "enter" in one}
        for event in events:
            self._event(event, entries)
        self.fold()
        return self.state

    def finish(self, verdict: str) -> None:
        """End the round, by its result or by a void, and the coup on the shoe."""
        state = self.floor.state()
        if verdict in ("valid", "reconstructed"):
            self.tell(inp.ConfirmResult(by=BY))
        elif state.hold is not None:
            self.rule(void=True)
        else:
            round_id = state.public.round or ""
            self.tell(inp.VoidRound(by=BY, round=round_id, reason=REASON))
        self.tell(inp.CloseRound(by=BY))
        if not self.floor.shoe.state().between_coups:
            self.floor.ask(commands.ForcedEnd())
        self.fold()

    def fold(self) -> None:
        """Take what was recorded since."""
        new = self.floor.recorded(self.state.seq)
        for one in new:
            self.state = evolve(self.state, one)
        self.coup += new

    def tell(self, command: inp.Command) -> None:
        """A command that the table must accept."""
        answer = self.floor.tell(command)
        assert isinstance(answer, Acceptance), (command, answer)

    def rule(self, *, void: bool = False) -> None:
        """Rule on a hold by the house's first proposal; a void only where it is asked for."""
        state = self.floor.state()
        if state.hold is None:
            return
        first = state.proposals[0]
        assert not void or first.remedy is Remedy.VOID, state.proposals
        if first.remedy is Remedy.VOID and not void:
            return
        self.tell(
            inp.RuleHold(
                by=BY,
                second=SECOND,
                remedy=first.remedy.value,
                reason=REASON,
                bound_to=first.bound_to,
                faces_seen=first.faces_seen,
            )
        )

    def _event(self, event: dict[str, Any], entries: dict[int, dict[str, Any]]) -> None:
        match event:
            case {"card": card}:
                self._card(event, card)
                entry = entries.get(self._drawn)
                if entry is not None and id(entry) in self._is_entered:
                    self._enter(entry)
            case {"enter": _}:
                # one that comes before its card waits for it
                self._is_entered.add(id(event))
                if event["for"] <= self._drawn:
                    self._enter(event)
            case {"bets": word}:
                self._is_open = word == "open"
                if not self._is_open:
                    self._no_more_bets()
            case {"cut_card": True}:
                self.floor.ask(commands.CutCard())
            case {"result": word}:
                self._no_more_bets()
                self.tell(inp.CallResult(by=BY, outcome=Outcome(word)))
                self.rule()
            case _:
                assert event == {"shoe_empty": True}, event
                self._no_more_bets()
                self.tell(inp.NoteShoeEmpty(by=BY))

    def _no_more_bets(self) -> None:
        """What is said of a coup is said when no bets can be placed on it any more."""
        if self.floor.state().phase == "bets_open":
            self.tell(inp.CloseBets(by=BY))

    def _card(self, event: dict[str, Any], card: str | None) -> None:
        was_open = self.floor.state().phase == "bets_open"
        if card is None:
            blind = commands.Fault(kind=FaultKind.UNREADABLE, how=commands.Unreadable.CARD)
            self.floor.shoe.ask(blind)
        self.floor.pull()
        self._drawn += 1
        flags = {name: event.get(name, False) for name in ("face_up", "stuck", "unseen")}
        # a card that took its place is public, whatever the record says of its face
        flags["unseen"] &= self.floor.state().phase == "held"
        early = self._is_open and not was_open
        if "at" in event or early or any(flags.values()):
            side = Side(event["at"]) if "at" in event else None
            number = self._drawn
            self.tell(inp.NoteCard(by=BY, number=number, at=side, early=early or None, **flags))
        self.rule()

    def _enter(self, entry: dict[str, Any]) -> None:
        card = Card(entry["enter"])
        self.tell(inp.EnterCard(by=BY, second=SECOND, number=entry["for"], card=card))
        self.rule()
