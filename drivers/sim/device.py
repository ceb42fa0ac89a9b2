# SPDX-License-Identifier: Apache-2.0
"""A simulated Angel Eye II-EX as a function of time.

Pure: ``do`` takes what a person does, ``step`` takes the time and what the host sent and returns
the bytes that have left by then; ``wake`` says when it wants to be called next. The cards are
``shoe``'s business, the frames ``protocol``'s, sequence and pace ``sender``'s, key and errors
``condition``'s.
"""

from collections import deque
from typing import assert_never

from drivers.sim import commands, protocol
from drivers.sim.commands import (
    Answer,
    Fault,
    PulledCard,
    ShoeCommand,
    State,
    Unreadable,
)
from drivers.sim.condition import Condition
from drivers.sim.faults import FaultKind
from drivers.sim.host_commands import HostCommands
from drivers.sim.options import SimOptions
from drivers.sim.protocol import Mode, Target, Winner
from drivers.sim.sender import Sender
from drivers.sim.shoe import EmptyShoeError, Pull, Result, Shoe, shuffled
from studio.game.cards import Card

REMEMBERED_SHOES = 8
MOST_CARDS_OF_A_COUP = 6
UNREADABLE, OVERDRAW = 1, 2
IDLE_SECONDS = 0.1


class SimulatedShoe:
    """One device for its whole life: many shoes of cards, one line.

    State: the cards in place, what was pulled, the faults that wait for a card, and its parts.
    """

    def __init__(self, options: SimOptions, now: float) -> None:
        self._options = options
        self._sender = Sender(options)
        self._condition = Condition(self._sender)
        self._host = HostCommands(
            self._sender, self._condition, with_stx=options.command_check_with_stx
        )
        self._number = 0
        self._shoe = self._filled(commands.ChangeShoe(script=options.script))
        self._pulled: list[PulledCard] = []
        self._earlier: deque[tuple[str, ...]] = deque(maxlen=REMEMBERED_SHOES)
        self._last_card: tuple[Target, int, Card | None] | None = None
        self._card_faults: deque[Fault] = deque()
        self._next_auto = now
        self._condition.power_up(now)

    @property
    def wake(self) -> float | None:
        """When ``step`` must be called next, None for "when something happens"."""
        if self._sender.wake is None and self._options.auto:
            return self._next_auto
        return self._sender.wake

    @property
    def is_idle(self) -> bool:
        """Whether every byte has left."""
        return self._sender.wake is None

    def step(self, now: float, received: bytes = b"") -> bytes:
        """Take what the host sent and the time; return the bytes that have left by now."""
        self._host.hear(received, now)
        if self._options.auto and self.is_idle and now >= self._next_auto:
            self._deal_by_itself(now)
        return self._sender.due(now)

    def do(self, command: ShoeCommand, now: float) -> Answer:
        """Carry out what a person did to the shoe. A refusal changes nothing."""
        try:
            return self._done(command, now)
        except EmptyShoeError:
            return Answer(ok=False, error="the shoe is empty: change_shoe first")
        except ValueError as error:
            return Answer(ok=False, error=str(error))

    def state(self, *, reports: bool = False) -> State:
        """The account of the shoe in place, and of the cards of a few shoes before it."""
        shoe = self._shoe
        return State(
            shoe=self._number,
            left=shoe.left,
            coup=shoe.coup,
            burning=shoe.is_burning,
            between_coups=shoe.is_between_coups,
            cut_card_out=shoe.cut_card_out,
            mode=self._condition.mode,
            errors=self._condition.errors,
            seq=self._sender.next_seq,
            bytes_sent=self._sender.bytes_queued,
            idle=self.is_idle,
            drawn=tuple(self._pulled),
            earlier_shoes=tuple(self._earlier),
            reports=tuple(self._sender.sent) if reports else (),
        )

    def _done(self, command: ShoeCommand, now: float) -> Answer:
        send = self._sender.report
        match command:
            case commands.Pull(n):
                return Answer(ok=True, pulled=self._pull_many(n, now))
            case commands.Standby():
                send(protocol.STANDBY, now)
            case commands.CutCard():
                send(protocol.CUT_CARD, now)
            case commands.ForcedEnd():
                self._shoe.force_end()
                send(protocol.result(Winner.FORCED), now)
                send(protocol.STANDBY, now)
            case commands.ChangeShoe():
                self._change_shoe(command, now)
            case commands.Restart():
                self._sender.reset_sequence()
                self._condition.power_up(now)
            case commands.SetMode(mode):
                self._condition.turn_key(mode, now)
            case commands.Clear(code):
                for each in (code,) if code is not None else self._condition.errors:
                    self._condition.clear(each, now)
            case commands.Retransmit(card):
                self._retransmit(card, now)
            case commands.ReportData(data):
                send(bytes.fromhex(data), now)
            case commands.SendBytes(data):
                self._sender.raw(bytes.fromhex(data), now)
            case commands.Fault():
                return self._fault(command, now)
            case commands.GetState(reports):
                return Answer(ok=True, state=self.state(reports=reports))
            case _:
                assert_never(command)
        return Answer(ok=True)

    def _filled(self, filling: commands.ChangeShoe) -> Shoe:
        options = self._options
        first = tuple(Card(code) for code in filling.script)
        self._number += 1
        seed = f"{options.seed}/{self._number}" if filling.seed is None else filling.seed
        is_whole = options.script_only and first
        foreign = self._foreign = frozenset(filling.foreign)
        cards = first if is_whole else shuffled(options.decks, seed, first, foreign)
        return Shoe(
            cards,
            decks=options.decks,
            cut_card_from_end=options.cut_card_from_end if filling.cut_card else None,
            burn=options.burn,
        )

    def _change_shoe(self, filling: commands.ChangeShoe, now: float) -> None:
        shoe = self._filled(filling)
        self._earlier.append(tuple(pulled.card for pulled in self._pulled if pulled.card))
        self._shoe = shoe
        self._pulled = []
        self._condition.power_up(now)

    def _pull_many(self, n: int, now: float) -> tuple[PulledCard, ...]:
        pulled: list[PulledCard] = []
        for _ in range(n):
            try:
                pulled.append(self._pull(now))
            except EmptyShoeError:
                if not pulled:
                    raise
                break
        return tuple(pulled)

    def _pull(self, now: float) -> PulledCard:
        is_ghost = bool(self._card_faults) and self._card_faults[0].kind is FaultKind.GHOST
        pull = self._shoe.pull(in_game=self._condition.mode is Mode.GAME)
        if pull.cut_card:
            self._sender.report(protocol.CUT_CARD, now)
        read = self._report_card(pull, now) if pull.card is not None else None
        if pull.result is not None:
            self._report_result(pull.result, now)
        pulled = PulledCard(
            card=pull.card.value if pull.card is not None else None,
            read=read.value if read is not None else None,
            target=pull.target.word if pull.target is not None else None,
            index=pull.index,
            coup=pull.coup,
            cut_card=pull.cut_card,
            result=pull.result.winner.value if pull.result is not None else None,
            foreign=pull.card is not None and self._shoe.out in self._foreign,
        )
        self._pulled.append(pulled)
        if is_ghost and pull.card is not None and pull.target is not None:
            self._slide_back(pull.card, now)
        return pulled

    def _slide_back(self, card: Card, now: float) -> None:
        """The card goes back into the mouth and comes out again: one card, told as two."""
        again = self._shoe.again(card)
        self._sender.report(self._card_report(again, card), now)
        if again.result is not None:
            self._report_result(again.result, now)

    def _report_card(self, pull: Pull, now: float) -> Card | None:
        read, blind = self._read(pull.card)
        if blind is not Unreadable.ERROR:
            self._sender.report(self._card_report(pull, read), now)
        if blind in (Unreadable.ERROR, Unreadable.BOTH):
            self._condition.fail(UNREADABLE, latched=False, now=now)
        return read

    def _read(self, card: Card | None) -> tuple[Card | None, Unreadable | None]:
        """What the shoe makes of a card, and how it says so when that is nothing."""
        fault = self._card_faults.popleft() if self._card_faults else None
        if fault is None or fault.kind is FaultKind.GHOST:
            return card, None
        if fault.kind is FaultKind.MISREAD and fault.card is not None:
            return Card(fault.card), None
        return None, fault.how

    def _card_report(self, pull: Pull, read: Card | None) -> bytes:
        if pull.target is None:
            return protocol.card_outside(self._condition.mode, self._condition.error_of_mode, read)
        self._last_card = (pull.target, pull.index, read)
        return protocol.card_drawn(pull.target, pull.index, read)

    def _report_result(self, result: Result, now: float) -> None:
        if self._options.results:
            data = protocol.result(
                result.winner, player_pair=result.player_pair, banker_pair=result.banker_pair
            )
            self._sender.report(data, now)
        self._sender.report(protocol.STANDBY, now)

    def _retransmit(self, code: str | None, now: float) -> None:
        if self._last_card is None:
            raise ValueError("no card has been reported yet: pull one first")
        target, index, card = self._last_card
        again = card if code is None else Card(code)
        self._sender.report(protocol.retransmission(target, index, again), now)

    def _fault(self, fault: Fault, now: float) -> Answer:
        match fault.kind:
            case FaultKind.UNREADABLE | FaultKind.MISREAD | FaultKind.GHOST:
                if fault.kind is FaultKind.MISREAD:
                    _refuse_no_card(fault.card)
                self._card_faults.extend([fault] * fault.count)
            case FaultKind.OVERDRAW:
                self._condition.fail(OVERDRAW, latched=True, now=now)
                return Answer(ok=True, pulled=(self._pull(now),))
            case FaultKind.ERROR:
                code = UNREADABLE if fault.code is None else fault.code
                self._condition.fail(code, latched=fault.latched, now=now)
            case FaultKind.REFUSE | FaultKind.NO_REPLY:
                self._host.faults.extend([fault] * fault.count)
            case _:
                if fault.kind is FaultKind.NONE:
                    self._card_faults.clear()
                    self._host.faults.clear()
                self._sender.arm(fault, now)
        return Answer(ok=True)

    def _deal_by_itself(self, now: float) -> None:
        shoe, options = self._shoe, self._options
        if self._condition.mode is not Mode.GAME:
            self._next_auto = now + IDLE_SECONDS
            return
        is_spent = shoe.cut_card_out or shoe.left < MOST_CARDS_OF_A_COUP
        if shoe.is_between_coups and (shoe.left == 0 or (is_spent and not shoe.is_burning)):
            self._change_shoe(commands.ChangeShoe(), now)
            pause = options.auto_rest_seconds
        else:
            pulled = self._pull(now)
            pause = options.auto_rest_seconds if pulled.result else options.auto_card_seconds
        self._next_auto = now + (pause / options.speed if options.speed > 0 else 0.0)


def _refuse_no_card(code: str | None) -> None:
    if code not in set(Card):
        raise ValueError(f'card: {code} is none; give one to be misread as, like "card":"9H"')
