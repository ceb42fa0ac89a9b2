# SPDX-License-Identifier: Apache-2.0
"""What goes wrong in an evening, one function each: it is done, and put right, at one moment."""

import random
from collections.abc import Callable
from typing import NamedTuple, Protocol

import msgspec

from drivers.sim import commands
from drivers.sim.commands import Fault, Unreadable
from drivers.sim.faults import FaultKind
from drivers.sim.protocol import Mode
from studio.cli.drill_floor import Floor
from studio.game import inputs as inp
from studio.game.cards import Card
from studio.game.coup import Outcome, Side

BETS, DEALING, RESULT, AFTER = "bets_open", "dealing", "result", "settling"
BY, SECOND = "s-001", "s-002"
_SMALL_TROUBLE = (
    "exposed-in-deal", "card-on-floor", "card-lost", "card-damaged", "card-returned",
    "ghost-read", "table-cleared-early", "mis-scored",
)  # fmt: skip


class Drawn(msgspec.Struct):
    """A card that left the shoe in a coup; ``is_told``: the table has heard of it."""

    card: str
    is_told: bool = True


class Evening(Protocol):
    """The hands that a trouble happens to."""

    floor: Floor
    chance: random.Random
    drawn: list[Drawn]
    events: list[dict[str, object]]

    def tell(self, command: inp.Command) -> None: ...
    def draw(self, *, is_read: bool = True, **flags: bool | str) -> Drawn: ...
    def note(self, drawn: Drawn, *, is_read: bool = True, **flags: bool | str) -> None: ...
    def say(self, **how: object) -> None: ...
    def until_held(self) -> None: ...
    def settle(self) -> None: ...


class Trouble(NamedTuple):
    """Something that goes wrong in this phase."""

    name: str
    phase: str
    happens: Callable[[Evening], None]

    def is_due(self, phase: str, *, is_now: bool) -> bool:
        """Whether it happens in this phase; while cards are dealt, at its own card."""
        return phase == self.phase and (is_now or phase != DEALING)


TROUBLES: list[Trouble] = []


def _in(phase: str) -> Callable[[Callable[[Evening], None]], Callable[[Evening], None]]:
    def taken(happens: Callable[[Evening], None]) -> Callable[[Evening], None]:
        TROUBLES.append(Trouble(happens.__name__, phase, happens))
        return happens

    return taken


def _another(card: str, evening: Evening) -> str:
    return evening.chance.choice([one.value for one in Card if one.value != card])


def _next_card(evening: Evening) -> bool:
    """Whether the next thing out of the shoe is a card, and not the cut card before it."""
    state = evening.floor.shoe.state()
    return state.cut_card_out or state.left != evening.floor.house.cut_card_from_end


@_in(BETS)
def a_card_before_the_close(evening: Evening) -> None:
    evening.events.insert(0, {"bets": "open"})
    evening.draw()
    evening.events.append({"bets": "closed"})
    evening.settle()


@_in(DEALING)
def a_card_not_read(evening: Evening) -> None:
    how = evening.chance.choice(list(Unreadable)[::2])
    evening.floor.shoe.ask(Fault(kind=FaultKind.UNREADABLE, how=how))
    evening.draw(is_read=False)
    evening.settle()


@_in(DEALING)
def a_card_not_read_and_noticed_late(evening: Evening) -> None:
    evening.floor.shoe.ask(Fault(kind=FaultKind.UNREADABLE, how=Unreadable.CARD))
    evening.draw(is_read=False)
    evening.draw()
    evening.settle()


@_in(DEALING)
def a_card_misread(evening: Evening) -> None:
    wrong = evening.chance.choice(list(Card)).value
    evening.floor.shoe.ask(Fault(kind=FaultKind.MISREAD, card=wrong))
    drawn = evening.draw()
    if drawn.card == wrong:
        return
    right = inp.CorrectCard(by=BY, second=SECOND, number=len(evening.drawn), card=Card(drawn.card))
    evening.tell(right)
    evening.settle()


@_in(DEALING)
def a_report_lost(evening: Evening) -> None:
    if not _next_card(evening):
        return
    evening.floor.shoe.fault(FaultKind.LOST)
    pulled = evening.floor.shoe.pull()[0]
    evening.note(Drawn(pulled.card or "", is_told=False), is_read=False)
    if pulled.result is None:
        evening.draw()
    evening.until_held()
    evening.settle()


@_in(DEALING)
def a_report_garbled_once(evening: Evening) -> None:
    evening.floor.shoe.ask(Fault(kind=FaultKind.BAD_CHECK))
    evening.draw()


@_in(DEALING)
def noise(evening: Evening) -> None:
    evening.floor.shoe.ask(Fault(kind=FaultKind.NOISE, size=200))
    evening.draw()


@_in(DEALING)
def a_card_repeated(evening: Evening) -> None:
    if evening.floor.shoe.state().drawn:
        evening.floor.ask(commands.Retransmit())
        # the shoe repeats its last card of a game: one drawn out of a game makes a difference
        evening.settle()


@_in(DEALING)
def another_card_repeated(evening: Evening) -> None:
    last = evening.floor.shoe.state().drawn[-1].card or ""
    evening.floor.ask(commands.Retransmit(_another(last, evening)))
    evening.settle()


@_in(DEALING)
def a_card_face_up(evening: Evening) -> None:
    evening.draw(face_up=True)
    evening.say(face_up=True)
    evening.settle()


@_in(DEALING)
def two_cards_stuck(evening: Evening) -> None:
    evening.draw(stuck=True)
    evening.say(stuck=True)
    evening.settle()


@_in(DEALING)
def a_card_in_the_wrong_box(evening: Evening) -> None:
    position = evening.floor.state().next_position or "P"
    side = Side.BANKER if position.startswith("P") else Side.PLAYER
    evening.draw(at=side.value)
    evening.say(at=side)
    evening.settle()


@_in(DEALING)
def the_result_called_too_soon(evening: Evening) -> None:
    called = evening.chance.choice(list(Outcome))
    evening.events.append({"result": called.value})
    evening.tell(inp.CallResult(by=BY, outcome=called))
    evening.settle()


@_in(DEALING)
def the_shoe_fails(evening: Evening) -> None:
    code = evening.chance.randint(2, 9)
    evening.floor.ask(Fault(kind=FaultKind.ERROR, code=code))
    evening.floor.ask(commands.Clear())
    evening.settle()


@_in(DEALING)
def the_coup_ended_on_the_shoe(evening: Evening) -> None:
    evening.floor.ask(commands.ForcedEnd())
    evening.draw()
    evening.settle()


@_in(DEALING)
def a_card_while_the_shoe_is_locked(evening: Evening) -> None:
    evening.floor.ask(commands.SetMode(Mode.LOCK))
    evening.draw()
    evening.floor.ask(commands.SetMode(Mode.GAME))
    evening.settle()


@_in(DEALING)
def small_trouble(evening: Evening) -> None:
    code = evening.chance.choice(_SMALL_TROUBLE)
    evening.tell(inp.ReportIrregularity(by=BY, code=code, detail=""))
    evening.settle()


@_in(DEALING)
def a_foreign_card(evening: Evening) -> None:
    evening.tell(inp.ReportIrregularity(by=BY, code="foreign-card", detail=""))
    evening.settle()


@_in(DEALING)
def the_shoe_switched_off_and_on(evening: Evening) -> None:
    evening.floor.ask(commands.Restart())


@_in(RESULT)
def a_card_too_many(evening: Evening) -> None:
    unseen = evening.chance.random() < 0.5
    for _ in range(evening.chance.randint(1, 2)):
        if not evening.floor.shoe.state().left:
            return
        side = evening.chance.choice([None, *Side])
        at = {} if side is None else {"at": side.value}
        evening.draw(unseen=unseen, **at)
        evening.say(at=side, unseen=unseen)
    evening.settle()


@_in(RESULT)
def the_wrong_result_called(evening: Evening) -> None:
    right = evening.floor.state().outcome
    called = evening.chance.choice([one for one in Outcome if one is not right])
    evening.events.append({"result": called.value})
    evening.tell(inp.CallResult(by=BY, outcome=called))
    evening.settle()


@_in(AFTER)
def a_card_after_the_result(evening: Evening) -> None:
    if evening.floor.shoe.state().left:
        evening.floor.pull()
        evening.settle()
