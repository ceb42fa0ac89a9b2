# SPDX-License-Identifier: Apache-2.0
"""Drives a table by what it can be told, the way the service does, but on a clock of its own."""

import itertools
import tomllib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, get_args

from msgspec.structs import replace

from studio.game.cards import Card, cards_in
from studio.game.coup import Outcome, Position
from studio.game.events import EpochBegun, Event, Recorded, Source
from studio.game.evolve import evolve
from studio.game.holds import lies_aside, proposals_of, strikeable, withdrawable
from studio.game.house import Burn, BurnRule, House, house_of
from studio.game.inputs import (
    CardDrawn,
    CardUnreadable,
    Command,
    Input,
    LineUp,
    LoadShoe,
    OpenBets,
    OpenTable,
    Origin,
    Refusal,
    Report,
    Reported,
    ServiceStarted,
    SettingChange,
    SoftwareCompared,
    SoftwareFinding,
    Stamp,
    TableFacts,
    Target,
    TimerExpired,
)
from studio.game.prompts import prompt_for
from studio.game.state import Phase, TableState, timer_of
from studio.game.table import decide
from studio.game.ways_out import is_count_needed

HOUSES = Path(__file__).parents[2] / "config" / "houses"
BY = "s-001"
SECOND = "s-002"
WHY = "seen on video"
FACTS = TableFacts("BAC-1", "test", None, 0, "0.1.0", "0" * 64)
COMMANDS: dict[str, Any] = {str(cls.__struct_config__.tag): cls for cls in get_args(Command)}


def house(shipped: str = "studio", /, **changes: Any) -> House:
    """A shipped house, with some values changed."""
    read = house_of(tomllib.loads((HOUSES / f"{shipped}.toml").read_text()))
    return replace(read, **changes)


def plain_house(**changes: Any) -> House:
    """The default house without burn and close guard."""
    return house(**{"close_guard_ms": 0, "burn": Burn(BurnRule.NONE)} | changes)


def command_for(tag: str, state: TableState) -> Command:
    """A command of this kind as a console would send it in this state."""
    made: dict[str, Any] = {}
    match tag:
        case "open_table" | "change_dealer":
            made = {"dealer": "Anna"}
        case "end_shoe" if is_count_needed(state) and state.cards_out <= cards_in(state.decks):
            made = {"left": cards_in(state.decks) - state.cards_out}
        case "change_shoe" if state.cards_out <= cards_in(state.decks):
            made = {"reason": WHY, "left": cards_in(state.decks) - state.cards_out}
        case "end_shoe" | "change_shoe" if state.cards_out > cards_in(state.decks):
            made = {"accept_mismatch": True, "reason": WHY, "left": 0}
        case "confirm_result":
            made = {"outcome": state.outcome}
        case "rule_hold":
            made = ruling_for(state)
        case "void_round":
            made = {"round": state.round or "none", "reason": WHY, "second": SECOND}
        case "trust_stream" | "change_reader":
            made = {"reason": WHY}
        case "note_card":
            made = {"number": max(len(state.coup_cards), 1)}
        case "enter_card" | "correct_card" if state.hold is not None and lies_aside(state):
            is_unread = tag == "enter_card"
            fits = (n for n, c in enumerate(state.hold.aside, 1) if (c is None) is is_unread)
            made = {"number": next(fits, 1), "card": next_fresh(state), "second": SECOND}
        case "enter_card" if all(one.card is not None for one in state.coup_cards):
            number = len(state.coup_cards) + 1
            fresh = next_fresh(state)
            made = {"number": number, "card": fresh, "second": SECOND, "missing": True}
        case "enter_card" | "correct_card":
            unread = (n for n, one in enumerate(state.coup_cards, 1) if one.card is None)
            fresh = next_fresh(state)
            made = {"number": next(unread, 1), "card": fresh, "second": SECOND}
        case "strike_card":
            reads = [] if state.hold is None else [*strikeable(state)]
            made = {"number": reads[-1] if reads else 1, "reason": WHY, "second": SECOND}
        case "correct_burn":
            number = state.burn_indicator or 1
            made = {"number": number, "card": burned_otherwise(state, number), "second": SECOND}
        case "call_result":
            made = {"outcome": state.outcome or Outcome.TIE}
        case "report_irregularity":
            made = {"code": "exposed-in-deal", "detail": WHY}
        case "withdraw_report":
            made = {"code": (*withdrawable(state), "none")[0], "reason": WHY, "second": SECOND}
        case "burn_cards":
            made = {"count": 1, "reason": WHY}
        case "set_manual_mode":
            made = {"on": not state.manual_mode, "second": SECOND}
        case "deal_card":
            position = prompt_for(state).position or "P1"
            card = next_fresh(state)
            made = {"card": card, "position": Position(position), "second": SECOND}
        case "record_card":
            card = None if state.phase is Phase.DEALING else next_fresh(state)
            made = {"number": state.cards_out + 1, "card": card, "second": SECOND}
        case "approve_software":
            made = {"digest": "a" * 64, "reason": WHY, "second": SECOND}
        case "apply_settings":
            change = SettingChange(
                "houses/studio.toml", "betting_seconds", "15", "20", restart=False
            )
            made = {"before": "b" * 64, "after": "c" * 64, "changes": (change,)}
            made |= {"reason": WHY, "second": SECOND}
        case "claim_hold":
            made = {"round": state.round}
        case "amend_round":
            made = amendment(state.results[-1].round if state.results else "none")
    command: Command = COMMANDS[tag](by=BY, **made)
    return command


def ruling_for(
    state: TableState, remedy: str | None = None, faces_seen: bool | None = None
) -> dict[str, Any]:
    """What a ruling on this hold says; the first proposal for None, and its answer."""
    proposals = proposals_of(state)
    first = remedy or (proposals[0].remedy.value if proposals else "void")
    fitting = (
        one
        for one in proposals
        if one.remedy.value == first and faces_seen in (None, one.faces_seen)
    )
    chosen = next(fitting, None)
    said = {"remedy": first, "reason": WHY, "second": SECOND}
    if chosen is None:
        return {**said, "bound_to": "", "faces_seen": faces_seen}
    return {**said, "bound_to": chosen.bound_to, "faces_seen": chosen.faces_seen}


def amendment(round_: str, player: str = "2H 6S", banker: str = "KS 7D") -> dict[str, Any]:
    """What an amendment of this round says."""
    hands = {"player": hand(player), "banker": hand(banker)}
    return {"round": round_, "reason": WHY, "second": SECOND, **hands}


def comparison(state: TableState, *changed: str, why: str = "daily") -> SoftwareCompared:
    """What a check of the files against the approved manifest says; these differ."""
    approved = state.software.approved or ""
    return SoftwareCompared(
        why=why,
        approved=approved,
        digest="f" * 64 if changed else approved,
        files=12,
        seconds=1.5,
        count=len(changed),
        findings=tuple(SoftwareFinding("changed", path, "d" * 64, "e" * 64) for path in changed),
    )


def hand(codes: str) -> tuple[Card, ...]:
    """These cards."""
    return tuple(Card(code) for code in codes.split())


def next_fresh(state: TableState) -> Card:
    """A card of which a copy is left in the shoe."""
    return next(card for card in Card if state.copies.get(card.value, 0) < max(state.decks, 1))


def burned_otherwise(state: TableState, number: int) -> Card:
    """A card that this burned one may have been instead."""
    known = state.burn_cards[number - 1 : number]
    left = [card for card in Card if state.copies.get(card.value, 0) < max(state.decks, 1)]
    return next(card for card in left if card not in known)


class Driven:
    """A table, everything recorded so far, and a clock that moves a second with each input."""

    def __init__(self, rules: House | None = None) -> None:
        self.state = TableState()
        self.log: list[Recorded] = []
        self.now = datetime(2026, 11, 29, 12, 0, 0, tzinfo=UTC)
        self.day = "20261129"
        self._numbers = itertools.count(1)
        self.last: tuple[Recorded, ...] | Refusal = ()
        self.house = rules or plain_house()
        self.give(ServiceStarted(FACTS, self.house))

    def give(self, given: Input) -> list[Event]:
        """Give one input; return the events that followed. A refusal is in ``last``."""
        self.now += timedelta(seconds=1)
        before = self.state
        self.last = decide(self.state, given, Stamp(self.now, self.day))
        assert self.state is before
        if isinstance(self.last, Refusal):
            return []
        for recorded in self.last:
            self.state = evolve(self.state, recorded)
        self.log.extend(self.last)
        return [recorded.event for recorded in self.last]

    def report(self, report: Report, seq: str | None = "0") -> list[Event]:
        """The shoe reports."""
        number = next(self._numbers)
        return self.give(
            Reported(Origin("shoe", "s1", number, number, "00", self.now, seq), report)
        )

    def card(
        self, code: str, target: Target = Target.NONE, index: int | None = None
    ) -> list[Event]:
        """The shoe reports this card."""
        return self.report(CardDrawn(Card(code), target, index))

    def cards(self, codes: str) -> list[Event]:
        """The shoe reports these cards, one after the other."""
        return [event for code in codes.split() for event in self.card(code)]

    def unread(self) -> list[Event]:
        """The shoe reports a card that it could not read."""
        return self.report(CardUnreadable("no read"))

    def ask(self, tag: str, **made: Any) -> list[Event]:
        """Give a command that must be accepted."""
        command = command_for(tag, self.state)
        events = self.give(replace(command, **made))
        assert not isinstance(self.last, Refusal), self.last
        return events

    def refused(self, command: Command) -> str:
        """Give a command that must be refused; return the refusal's code."""
        before = self.state
        self.give(command)
        assert isinstance(self.last, Refusal), self.last
        assert self.last.text.endswith(".")
        assert self.state is before
        return self.last.code

    def rule(self, remedy: str, faces_seen: bool | None = None) -> list[Event]:
        """Rule on the hold."""
        return self.ask("rule_hold", **ruling_for(self.state, remedy, faces_seen))

    def void(self) -> list[Event]:
        """Void the round under way."""
        assert self.state.round is not None
        return self.ask("void_round")

    def expire(self) -> list[Event]:
        """The armed timer runs out."""
        armed = timer_of(self.state)
        assert armed is not None
        self.now = max(self.now, armed.due)
        return self.give(TimerExpired(armed.name, armed.due))

    def approved(self, digest: str = "a" * 64) -> "Driven":
        """Two people approved the files, and they were checked."""
        self.ask("approve_software", digest=digest)
        self.check()
        return self

    def check(self, *changed: str, why: str = "daily") -> list[Event]:
        """The files are compared with what is approved; these differ."""
        return self.give(comparison(self.state, *changed, why=why))

    def restart(self, rules: House | None = None, facts: TableFacts = FACTS) -> list[Event]:
        """The service stops and comes up again."""
        return self.give(ServiceStarted(facts, rules or self.house))

    def restored(self, lost: int = 3600, rounds_given: int = 0) -> list[Event]:
        """The record is that of a backup, and the service comes up on it."""
        self.now += timedelta(seconds=lost)
        last = self.state
        begun = EpochBegun("restored", "root", "first", last.seq, "", last.public_seq, "",
                           self.day, lost, rounds_given)  # fmt: skip
        recorded = Recorded(1, None, self.now, Source.SYSTEM, None, None, begun)
        self.state = evolve(self.state, recorded)
        self.log.append(recorded)
        return self.restart()

    def ready(self) -> "Driven":
        """Line up, table open, shoe loaded."""
        self.report(LineUp("pty", 1))
        self.give(OpenTable(by=BY, dealer="Anna"))
        self.give(LoadShoe(by=BY))
        return self

    def betting(self) -> "Driven":
        """A round with bets open."""
        if self.state.phase is Phase.NO_SHOE:
            self.ready()
        self.give(OpenBets(by=BY))
        assert not isinstance(self.last, Refusal), self.last
        return self

    def dealing(self) -> "Driven":
        """A round with bets closed, ready for its first card."""
        self.betting().expire()
        return self

    def played(self, codes: str = "9H KS TC 7D") -> "Driven":
        """A round that is confirmed."""
        self.dealing().cards(codes)
        self.ask("confirm_result")
        return self

    def names(self) -> list[str]:
        """The types of all events so far."""
        return [type(recorded.event).__name__ for recorded in self.log]

    def replayed(self) -> TableState:
        """The record, folded from nothing."""
        state = TableState()
        for recorded in self.log:
            state = evolve(state, recorded)
        return state


def names_of(events: list[Event]) -> list[str]:
    """The types of these events."""
    return [type(event).__name__ for event in events]
