# SPDX-License-Identifier: Apache-2.0
"""An evening at one table: shoe after shoe, with something wrong in one coup of five.

The hands know what they did and what left the shoe, and nothing else: every hold is put right from
the simulated shoe's own account and ruled by the house's first proposal. What each coup had to
come to is reckoned by the reference adjudicator from that same account.
"""

import random
from typing import Any, NamedTuple

from drivers.sim import commands
from studio.cli.drill_floor import Floor
from studio.feed.staff import Acceptance, RefusalAnswer
from studio.game import inputs as inp
from studio.game.cards import Card
from studio.game.evolve import evolve
from studio.game.snapshot import StaffState
from studio.game.state import TableState
from studio.verify import Finding
from tests.adjudication import reference
from tests.system.troubles import TROUBLES, Drawn, Trouble

BY, SECOND, REASON = "s-001", "s-002", "test"
ONE_IN = 5
_MOST_RULINGS = 5


class End(NamedTuple):
    """What a round had to come to: hands and winner, or None for a void one."""

    round: str
    outcome: str | None
    player: tuple[str, ...]
    banker: tuple[str, ...]


class Hidden(NamedTuple):
    """What a front-end could see at a hold: after so many messages, these hands."""

    messages: int
    hands: tuple[tuple[Card, ...], tuple[Card, ...]]


class Evening:
    """The hands at one floor. ``ends``: what had to come; ``wrong``: what did not agree."""

    def __init__(self, floor: Floor, seed: int) -> None:
        self.floor = floor
        self.chance = random.Random(seed)
        self.ends: list[End] = []
        self.wrong: list[str] = []
        self.hidden: list[Hidden] = []
        self.done: list[str] = []
        self.findings: tuple[Finding, ...] = ()
        self.shoes = self.coups = 0
        self.drawn: list[Drawn] = []
        self.events: list[dict[str, Any]] = []
        self.is_void = False
        self._carried: list[str] = []
        self._due: list[Trouble] = []
        self._table = TableState()
        self.tell(inp.OpenTable(by=BY, dealer="Anna"))

    def deal(self, shoes: int) -> None:
        """Deal so many shoes to their ends, and those stopped before, by the prompts."""
        while self.shoes < shoes:
            state = self.floor.state()
            match state.prompt.code:
                case "load-shoe":
                    self.floor.fill([])
                    self.tell(inp.LoadShoe(by=BY))
                case "burn-first-card" | "burn-cards" | "deal-free-card":
                    self.floor.pull()
                case "open-bets" | "open-bets-last-coup":
                    self._coup()
                case "settle":
                    self.tell(inp.CloseRound(by=BY))
                case "open-free-coup":
                    self.tell(inp.OpenFreeCoup(by=BY))
                case "end-free-coup":
                    self.tell(inp.ConfirmResult(by=BY))
                    self.end_on_shoe()
                case "end-shoe":
                    self._end_shoe()
                case _:
                    raise AssertionError(f"what now? {state.prompt}")
        self.tell(inp.CloseTable(by=BY))

    # --- what faults do with it ----------------------------------------------------------------

    def tell(self, command: inp.Command) -> None:
        """A command that the table must accept."""
        answer = self.floor.tell(command)
        assert isinstance(answer, Acceptance), (command, answer, self.done[-3:])

    def draw(self, *, is_read: bool = True, **flags: bool | str) -> Drawn:
        """A card leaves the shoe, and the table hears of it."""
        before = len(self.floor.shoe.state().drawn)
        self.floor.pull()
        drawn = Drawn(self.floor.shoe.state().drawn[before].card or "")
        self.note(drawn, is_read=is_read, **flags)
        return drawn

    def note(self, drawn: Drawn, *, is_read: bool = True, **flags: bool | str) -> None:
        """Take down what left the shoe."""
        self.drawn.append(drawn)
        self.events.append({"card": drawn.card if is_read else None, **flags})
        if not is_read:
            self.events.append({"enter": drawn.card, "for": len(self.drawn)})

    def say(self, **how: Any) -> None:
        """A person says how the last card lay."""
        self.tell(inp.NoteCard(by=BY, number=len(self.drawn), **how))

    def until_held(self) -> None:
        """Wait until the table knows that something is wrong."""
        self.floor.until(lambda: self.floor.state().phase == "held", "a hold")

    def settle(self) -> None:
        """Put a hold right from the shoe's account, and rule by the first proposal."""
        for _ in range(_MOST_RULINGS):
            state = self.floor.state()
            if state.hold is None:
                return
            self._look(state)
            self._correct()
            first = self.floor.state().proposals[0]
            self.is_void |= first.remedy.value == "void"
            second = SECOND if first.needs_second else None
            ruling = inp.RuleHold(
                by=BY, second=second, remedy=first.remedy, reason=REASON, bound_to=first.bound_to,
                faces_seen=first.faces_seen,
            )  # fmt: skip
            self.tell(ruling)
        raise AssertionError(f"the hold does not end: {self.floor.state().hold}")

    def end_on_shoe(self) -> None:
        """End the coup on the shoe by its button, where the shoe thinks that one is under way."""
        if not self.floor.shoe.state().between_coups:
            self.floor.ask(commands.ForcedEnd())

    # --- one coup ------------------------------------------------------------------------------

    def _coup(self) -> None:
        if self.coups % ONE_IN == ONE_IN - 1:
            self._due.append(self.chance.choice(TROUBLES))
        self.coups += 1
        self.drawn = [Drawn(card) for card in self._carried]
        self.events = [{"card": card, "unseen": True} for card in self._carried]
        self.is_void = False
        self.tell(inp.OpenBets(by=BY))
        round_id = self.floor.state().public.round or ""
        at = self.chance.randint(len(self.drawn), 5)
        while not self.is_void:
            state = self.floor.state()
            is_now = len(self.drawn) >= at or state.phase == "result"
            if self._happens(state.phase, is_now=is_now):
                continue
            if state.phase == "bets_open":
                self.tell(inp.CloseBets(by=BY))
            elif state.phase == "dealing":
                self.draw()
            elif state.phase == "held":
                # nobody did anything: the shoe ran out
                self.settle()
            else:
                break
        self._end(round_id)
        self._happens(self.floor.state().phase, is_now=True)
        self.end_on_shoe()

    def _happens(self, phase: str, *, is_now: bool) -> bool:
        """Something goes wrong, if it is time; what finds no moment waits for the next coup."""
        for trouble in self._due:
            if trouble.is_due(phase, is_now=is_now):
                self._due.remove(trouble)
                self.done.append(trouble.name)
                trouble.happens(self)
                return True
        return False

    def _end(self, round_id: str) -> None:
        """Confirm what the cards came to, if the round is not void, and take down what is due."""
        record = {"id": None, "house": self.floor.house.name, "events": self.events}
        ruling = reference.rule(record)
        self._compare(ruling)
        if self.is_void:
            self.ends.append(End(round_id, None, (), ()))
            self._carried = []
            return
        self.tell(inp.ConfirmResult(by=BY))
        hands = tuple(ruling["player"]), tuple(ruling["banker"])
        self.ends.append(End(round_id, ruling["outcome"], *hands))
        surplus = ruling["surplus"]
        self._carried = [one["card"] for one in surplus if one["remedy"] == "carry"]

    def _compare(self, ruling: dict[str, Any]) -> None:
        """The cards of the coup on record are those that left the shoe, in that order."""
        for one in self.floor.recorded(self._table.seq):
            self._table = evolve(self._table, one)
        told = [card.card and card.card.value for card in self._table.coup_cards]
        due = [one.card for one in self.drawn]
        if told != due:
            self.wrong.append(f"coup {self.coups}: on record {told}, drawn {due}")
        if not self.is_void and ruling.get("verdict") not in ("valid", "reconstructed"):
            self.wrong.append(f"coup {self.coups}: {ruling} of {self.events}")

    def _end_shoe(self) -> None:
        """The cards that left the shoe are those on record, and what is left makes the decks."""
        for one in self.floor.recorded(self._table.seq):
            self._table = evolve(self._table, one)
        account = [one.card for one in self.floor.shoe.state().drawn if one.card is not None]
        copies = {card: copies for card, copies in self._table.copies.items() if copies}
        if copies != {card: account.count(card) for card in set(account)}:
            self.wrong.append(f"shoe {self.shoes}: other cards on record than left it")
        is_stopped = self.floor.state().shoe_stopped is not None
        if is_stopped:
            answer = self.floor.tell(inp.OpenBets(by=BY))
            assert isinstance(answer, RefusalAnswer), "a stopped shoe deals on"
            assert answer.code == "shoe_stopped"
        self.tell(inp.EndShoe(by=BY, left=self.floor.shoe.state().left))
        self._carried = []
        self.shoes += not is_stopped

    # --- one hold ------------------------------------------------------------------------------

    def _look(self, state: StaffState) -> None:
        self.floor.hear_all(self.floor.public_seq())
        hands = state.public.player, state.public.banker
        self.hidden.append(Hidden(len(self.floor.heard), hands))

    def _correct(self) -> None:
        """Two people give every card its value, as the account has it."""
        for number, drawn in enumerate(self.drawn, 1):
            card = Card(drawn.card)
            if not drawn.is_told:
                self._enter(number, card, missing=True)
                drawn.is_told = True
                continue
            evidence = self.floor.state().evidence
            known = evidence[number - 1].fact.card if number <= len(evidence) else card
            if known is None:
                self._enter(number, card, missing=False)
            elif known is not card:
                self.tell(inp.CorrectCard(by=BY, second=SECOND, number=number, card=card))

    def _enter(self, number: int, card: Card, *, missing: bool) -> None:
        self.tell(inp.EnterCard(by=BY, second=SECOND, number=number, card=card, missing=missing))
