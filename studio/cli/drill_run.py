# SPDX-License-Identifier: Apache-2.0
"""Runs one drill on a floor, step by step, and hands back what was seen of it."""

from typing import NamedTuple, assert_never

import msgspec

from drivers.sim.client import ShoeRefusedError
from drivers.sim.commands import ControlCommand
from studio.cli.drill_floor import Floor, TooLong
from studio.dealer import Pull as DealerPull
from studio.dealer import Tell as DealerTell
from studio.dealer import next_step
from studio.drills import words
from studio.drills.shoes import cards_to_burn
from studio.drills.verdict import (
    A_DIFFERENCE,
    MAKE_THE_DECKS,
    SHUFFLED_IN,
    Account,
    Check,
    Picture,
    checks_of,
)
from studio.drills.words import DEALER, REASON, SECOND, SUPERVISOR, Drill, Step
from studio.feed.staff import RefusalAnswer
from studio.game import inputs as inp
from studio.game.cards import Card
from studio.game.events import Recorded, RoundClosed
from studio.game.house import ShoeMode
from studio.game.inputs import Command
from studio.game.snapshot import StaffState
from studio.verify import verify

_encode = msgspec.json.Encoder().encode
_MOST_STEPS = 60
_MOST_NAMED = 12


class Action(NamedTuple):
    """One line of a pass sheet: who did what, and what the table made of it."""

    who: str
    what: str
    followed: tuple[str, ...]


class Sheet(NamedTuple):
    """A drill that was run."""

    drill: Drill
    shoe: str
    actions: tuple[Action, ...]
    account: Account
    checks: tuple[Check, ...]

    @property
    def is_passed(self) -> bool:
        """Whether all that the oracle asks for was seen."""
        return all(check.is_met for check in self.checks)


class Stuck(Exception):
    """The drill cannot go on; the text says where."""


def run(floor: Floor, drill: Drill) -> Sheet:
    """Run a drill from a fresh shoe to that shoe's end.

    After a sheet that is not passed the floor may be anywhere: take another one.
    """
    return _Run(floor, drill).whole()


def put_in(floor: Floor, drill: Drill) -> None:
    """Load and burn a shoe with the cards of a drill. Raises Stuck, TooLong."""
    _Run(floor, drill).load_own()


def take_out(floor: Floor, drill: Drill) -> None:
    """End the shoe with the cards counted in it. Raises Stuck while the table does not take it."""
    _Run(floor, drill).end_shoe()


def shows(members: dict[str, str | int | bool | None], state: StaffState) -> bool:
    """Whether the staff's picture shows this."""
    return all(_member(state, name) == value for name, value in members.items())


class _Run:
    """One drill under way."""

    def __init__(self, floor: Floor, drill: Drill) -> None:
        self._floor = floor
        self._drill = drill
        self._actions: list[Action] = []
        self._mishaps: list[str] = []
        self._pictures: list[Picture] = []
        self._count = ""
        self._shoe = ""
        self._seen = self._since = self._heard_since = 0
        # how many cards of this shoe were drawn when they were last shuffled in again
        self._back = 0

    def whole(self) -> Sheet:
        recorded: list[Recorded] = []
        heard: list[bytes] = []
        try:
            self.load_own()
            self._begin()
            for step in self._drill.steps:
                self._take(step)
            recorded, heard = self._hear()
            self.end_shoe()
        except (Stuck, TooLong, ShoeRefusedError) as stuck:
            self._mishaps.append(str(stuck))
            recorded, heard = recorded or self._floor.recorded(self._since), heard or self._air()
        account = Account(
            recorded=tuple(recorded),
            heard=tuple(heard),
            stored=self._stored(len(heard)),
            pictures=tuple(self._pictures),
            mishaps=tuple(self._mishaps),
            count=self._count,
            findings=tuple(
                f"{one.seq}: {one.text}"
                for one in verify(self._floor.database, self._floor.table).findings
            ),
        )
        checks = checks_of(self._drill, account)
        return Sheet(self._drill, self._shoe, tuple(self._actions), account, checks)

    # --- before and after ----------------------------------------------------------------------

    def load_own(self) -> None:
        """Put in the drill's own shoe, and burn."""
        drill = self._drill
        first = () if drill.has_own_burn else cards_to_burn(self._floor.house, drill.cards)
        foreign = tuple(len(first) + number for number in drill.foreign)
        self._load((*first, *drill.cards), foreign, has_cut_card=drill.has_cut_card)

    def _load(
        self, cards: tuple[Card, ...], foreign: tuple[int, ...] = (), *, has_cut_card: bool = True
    ) -> None:
        floor = self._floor
        if floor.state().prompt.code == "open-table":
            self._must(inp.OpenTable(by=DEALER, dealer=REASON))
        self._back = 0
        floor.fill([card.value for card in cards], foreign, has_cut_card=has_cut_card)
        self._must(inp.LoadShoe(by=DEALER))
        while floor.state().phase == "burning":
            floor.pull()
        self._shoe = floor.state().public.shoe or ""

    def _begin(self) -> None:
        seq, state = self._floor.desk.snapshot()
        self._seen = self._since = seq
        if state.phase != "idle":
            raise Stuck(f"the table is in phase {state.phase} after the burn")
        self._floor.hear_all(self._floor.public_seq())
        self._heard_since = len(self._floor.heard)

    def _hear(self) -> tuple[list[Recorded], list[bytes]]:
        recorded = self._floor.recorded(self._since)
        self._floor.hear_all(self._floor.public_seq())
        return recorded, self._air()

    def _air(self) -> list[bytes]:
        self._floor.hear()
        return self._floor.heard[self._heard_since :]

    def _stored(self, count: int) -> tuple[bytes, ...]:
        floor = self._floor
        return tuple(floor.stored(floor.joined + self._heard_since)[:count])

    def end_shoe(self) -> None:
        """End the shoe with the cards counted in it; a difference is told, and accepted."""
        is_reshuffled = self._floor.house.shoe_mode is ShoeMode.CONTINUOUS
        # where cards are shuffled in again after each round, nobody counts unless the table asks
        left = None if is_reshuffled else self._left()
        answer = self._floor.tell(inp.EndShoe(by=SUPERVISOR, left=left))
        if isinstance(answer, RefusalAnswer) and answer.code == "count_needed":
            left = self._left()
            answer = self._floor.tell(inp.EndShoe(by=SUPERVISOR, left=left))
        if not isinstance(answer, RefusalAnswer):
            self._count = self._count or (SHUFFLED_IN if is_reshuffled else MAKE_THE_DECKS)
            return
        if answer.code != "count_mismatch":
            raise Stuck(f"end_shoe is refused: {answer.text}")
        self._count = A_DIFFERENCE
        self._must(inp.EndShoe(by=SUPERVISOR, left=left, accept_mismatch=True, reason=REASON))

    def _left(self) -> int:
        """How many cards somebody who opens the shoe finds in it."""
        return self._floor.shoe.state().left + self._back

    # --- the steps -----------------------------------------------------------------------------

    def _take(self, step: Step) -> None:
        who, what = self._do(step)
        recorded = self._floor.recorded(self._seen)
        followed = tuple(_told(one) for one in recorded)
        self._seen = recorded[-1].seq if recorded else self._seen
        is_reshuffled = self._floor.house.shoe_mode is ShoeMode.CONTINUOUS
        if is_reshuffled and any(isinstance(one.event, RoundClosed) for one in recorded):
            self._back = len(self._floor.shoe.state().drawn)
        self._actions.append(Action(who, what, followed))
        self._floor.hear_all(self._floor.public_seq())
        picture = _encode(self._floor.state().public)
        self._pictures.append(Picture(len(self._air()), picture))

    def _do(self, step: Step) -> tuple[str, str]:
        match step:
            case words.Pull():
                return "shoe", self._pull(step)
            case words.AtShoe(what=what, do=do, values=values):
                return "shoe", self._at_shoe(what, {"do": do, **values})
            case words.Tell(command=command, refused=refused):
                return _person(command), self._tell(command, refused)
            case words.RecordCard(card=card):
                number = self._floor.state().cards_out + 1
                told = inp.RecordCard(by=DEALER, second=SECOND, number=number, card=card)
                return "dealer", self._tell(told, None)
            case words.Rule():
                return "supervisor", self._rule(step)
            case words.VoidRound():
                round_id = self._floor.state().public.round or ""
                command = inp.VoidRound(by=SUPERVISOR, second=SECOND, round=round_id, reason=REASON)
                return "supervisor", self._tell(command, None)
            case words.AmendRound():
                return "supervisor", self._amend(step)
            case words.Shows(members=members):
                return "console", self._shows(members)
            case words.PlayOn():
                return "dealer", self._play_on()
            case words.SwapShoe(cards=cards):
                self.end_shoe()
                self._load((*cards_to_burn(self._floor.house, cards), *cards))
                return "dealer", "another shoe is loaded and burned"
            case _:
                assert_never(step)

    def _pull(self, step: words.Pull) -> str:
        before = self._floor.shoe.state().drawn
        if step.heard is None:
            self._floor.pull(step.n)
        else:
            out = self._floor.state().cards_out + step.heard
            self._floor.shoe.pull(step.n)
            self._floor.until(lambda: self._floor.state().cards_out >= out, "the cards heard")
        drawn = self._floor.shoe.state().drawn[len(before) :]
        if len(drawn) > _MOST_NAMED:
            return f"pulled {len(drawn)} cards"
        backs = [" (of another back)" if one.foreign else "" for one in drawn]
        names = [one.card or "nothing" for one in drawn]
        return "pulled " + " ".join(map("".join, zip(names, backs, strict=True)))

    def _at_shoe(self, what: str, values: dict[str, object]) -> str:
        self._floor.ask(msgspec.convert(values, ControlCommand))
        return what

    def _tell(self, command: Command, refused: str | None) -> str:
        answer = self._floor.tell(command)
        tag = str(command.__struct_config__.tag)
        code = answer.code if isinstance(answer, RefusalAnswer) else None
        if code != refused:
            said = "accepted" if code is None else f"refused ({code})"
            raise Stuck(f"{tag} was {said}; due was {refused or 'that it is accepted'}")
        return f"{_detail(command)}, refused: {code}" if code else _detail(command)

    def _must(self, command: Command) -> None:
        self._tell(command, None)

    def _rule(self, step: words.Rule) -> str:
        state = self._floor.state()
        if not state.proposals:
            raise Stuck(f"no ruling is asked for in phase {state.phase}; due was {step.remedy}")
        said = step.faces_seen
        offered = [one for one in state.proposals if said in (None, one.faces_seen)]
        if not offered:
            raise Stuck("the ruling does not ask whether players saw a face; due was that it does")
        first = offered[0]
        if first.remedy.value != step.remedy:
            text = f"the house's first proposal is {first.remedy.value}"
            raise Stuck(f"{text}; due was {step.remedy}")
        ruling = inp.RuleHold(
            by=SUPERVISOR,
            second=SECOND if first.needs_second else None,
            remedy=step.remedy,
            reason=REASON,
            bound_to=first.bound_to,
            faces_seen=first.faces_seen,
        )
        return self._tell(ruling, None)

    def _amend(self, step: words.AmendRound) -> str:
        results = self._floor.state().public.results
        round_id = results[-1 - step.back].round
        command = inp.AmendRound(
            by=SUPERVISOR,
            second=SECOND,
            round=round_id,
            player=step.player,
            banker=step.banker,
            reason=REASON,
        )
        return self._tell(command, None)

    def _shows(self, members: dict[str, str | int | bool | None]) -> str:
        text = ", ".join(f"{name} {value}" for name, value in members.items())

        def is_shown() -> bool:
            return shows(members, self._floor.state())

        try:
            self._floor.until(is_shown, text)
        except TooLong:
            state = self._floor.state()
            seen = ", ".join(f"{name} {_member(state, name)}" for name in members)
            raise Stuck(f"the console shows {seen}; due was {text}") from None
        return f"shows {text}"

    def _play_on(self) -> str:
        """Follow the prompts until nothing is under way."""
        for _ in range(_MOST_STEPS):
            state = self._floor.state()
            if state.phase == "settling":
                self._must(inp.CloseRound(by=DEALER))
                return "follows the prompts to the end of the round"
            step = next_step(state, by=DEALER, name=REASON, is_last=False)
            if state.phase == "idle":
                return "follows the prompts to the end of the coup"
            match step:
                case DealerPull():
                    self._floor.pull()
                case DealerTell(command=command) if state.phase != "held":
                    self._must(command)
                case _:
                    raise Stuck(f"the round does not go on: {state.prompt.code}")
        raise Stuck("the round does not end")


def _member(state: StaffState, name: str) -> object:
    match name:
        case "prompt":
            return state.prompt.code
        case "note":
            return state.prompt.note
        case "public_phase":
            return state.public.phase
        case _:
            value = getattr(state, name)
            return getattr(value, "value", value)


def _person(command: Command) -> str:
    return command.by.removeprefix("drill-")


def _told(one: Recorded) -> str:
    code = getattr(one.event, "code", None)
    tag = str(one.event.__struct_config__.tag)
    return f"{tag} {code}" if code is not None else tag


def _detail(command: Command) -> str:
    """A command in words: its tag and what it says."""
    said = msgspec.to_builtins(command)
    hidden = ("command", "by", "reason", "bound_to", "detail", "round")
    parts = [
        name if value is True else f"{name} {_plain(value)}"
        for name, value in said.items()
        if name not in hidden and value not in (None, False, "")
    ]
    return f"{said['command']}: {', '.join(parts)}" if parts else str(said["command"])


def _plain(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
