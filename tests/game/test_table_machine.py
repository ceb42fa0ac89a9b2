# SPDX-License-Identifier: Apache-2.0
"""Anything at all is told to a table, in any order: what must hold does hold after every step.

Hypothesis plays dealer, shoe, staff, timer, clock and power switch. The promises that are
checked by reading the record stand in ``table_audit``, those about the state here.
"""

from datetime import timedelta

import msgspec
from hypothesis import Phase as Phases
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from studio.game import inputs as inp
from studio.game.cards import Card
from studio.game.coup import Outcome
from studio.game.events import Recorded
from studio.game.evolve import evolve
from studio.game.inputs import CardDrawn, LineUp, Refusal, Stamp, Target, TimerExpired
from studio.game.prompts import Prompt, prompt_for
from studio.game.snapshot import public_state, staff_state
from studio.game.state import Phase, TableState, timer_of
from studio.game.table import decide
from studio.game.tableau import next_position
from tests.game.table_audit import Audit
from tests.game.table_driver import BY, COMMANDS, FACTS, Driven, command_for
from tests.game.table_inputs import (
    HOUSES,
    OTHER_FACTS,
    cards,
    indexes,
    mostly,
    names,
    other_reports,
    reasons,
    some_cards,
    targets,
)


class TableMachine(RuleBasedStateMachine):
    """One table, a record of all that happened, and its auditor."""

    @initialize(name=names, is_ready=mostly, steps=st.integers(0, 24))
    def begin(self, name: str, is_ready: bool, steps: int) -> None:
        self.audit = Audit()
        self.mirror = TableState()
        self.table = Driven(HOUSES[name])
        if is_ready:
            self.table.ready()
        self._check_new()
        for _ in range(steps if is_ready else 0):
            self._follow(prompt_for(self.table.state))

    # the shoe

    @rule(card=cards, hint=targets, index=indexes, in_game=mostly)
    def a_card_comes(self, card: Card, hint: Target, index: int | None, in_game: bool) -> None:
        mode = None if in_game else inp.DeviceMode.ERROR
        self._report(CardDrawn(card, hint, index, in_game, mode))

    @rule(card=some_cards)
    def a_card_of_few_kinds_comes(self, card: Card) -> None:
        self._report(CardDrawn(card))

    @precondition(lambda self: self.table.state.phase in (Phase.BURNING, Phase.DEALING))
    @rule(drawn=st.lists(cards, min_size=1, max_size=6))
    def cards_come_in_order(self, drawn: list[Card]) -> None:
        for card in drawn:
            state = self.table.state
            if not prompt_for(state).pull:
                return
            target, index = Target.BURN, None
            if state.phase is Phase.DEALING:
                position = next_position(state.player, state.banker)
                assert position is not None
                target, index = Target(position.side.value), int(position.value[1])
            self._report(CardDrawn(card, target, index))

    @rule(report=other_reports, seq=st.sampled_from([None, "0"]))
    def the_shoe_says_something(self, report: inp.Report, seq: str | None) -> None:
        self._report(report, seq)

    @rule()
    def a_card_is_not_read(self) -> None:
        self._report(inp.CardUnreadable("no read"))

    @rule(again=st.booleans())
    def the_last_card_is_repeated(self, again: bool) -> None:
        self._report(inp.CardRepeated(self.table.state.last_card if again else None))

    @rule()
    def the_cut_card_comes(self) -> None:
        self._report(inp.CutCardDrawn())

    @rule(is_up=st.booleans())
    def the_line_changes(self, is_up: bool) -> None:
        lost = inp.LineLost("pty", "closed", "end of file")
        self._report(LineUp("pty", 2) if is_up else lost, None)

    # the staff

    @rule()
    def what_the_prompt_asks_for_is_done(self) -> None:
        self._follow(prompt_for(self.table.state))

    @rule(drawn=st.lists(cards, min_size=1, max_size=12))
    def the_dealer_goes_on(self, drawn: list[Card]) -> None:
        for card in drawn:
            self._follow(prompt_for(self.table.state), card)

    @precondition(lambda self: self.table.state.phase in (Phase.IDLE, Phase.SETTLING))
    @rule(
        drawn=st.lists(cards, min_size=6, max_size=6),
        between=st.none() | st.just(inp.CutCardDrawn()) | other_reports,
        place=st.integers(0, 6),
        outcome=st.none() | st.sampled_from(Outcome),
    )
    def a_round_is_dealt(
        self, drawn: list[Card], between: inp.Report | None, place: int, outcome: Outcome | None
    ) -> None:
        """With one report somewhere in it, and perhaps a winner called at its end."""
        self._give(inp.OpenBets(by=BY))
        self._give(inp.CloseBets(by=BY))
        for number, card in enumerate(drawn):
            if number == place and between is not None:
                self._report(between)
            if self.table.state.phase is Phase.DEALING:
                self._report(CardDrawn(card))
        if self.table.state.guard_until is not None:
            self.table.expire()
            self._check_new()
        if outcome is not None and self.table.state.phase is Phase.RESULT:
            self.a_winner_is_called(outcome)

    @precondition(lambda self: self.table.state.phase is Phase.RESULT)
    @rule(outcome=st.sampled_from(Outcome))
    def a_winner_is_called(self, outcome: Outcome) -> None:
        due = self.table.state.outcome
        self._give(inp.ConfirmResult(by=BY, outcome=outcome))
        if outcome is not due:
            assert self.table.state.phase is not Phase.SETTLING

    @precondition(lambda self: self.table.state.round is not None)
    @rule()
    def the_round_is_voided(self) -> None:
        self._give(command_for("void_round", self.table.state))

    @rule(tag=st.sampled_from(sorted(COMMANDS)))
    def a_command_is_given(self, tag: str) -> None:
        if tag != "rule_hold" or self.table.state.hold is not None:
            self._give(command_for(tag, self.table.state))

    @rule(
        remedy=st.sampled_from(["release", "burn", "void", "carry"]),
        reason=reasons,
        round_=st.sampled_from(["", "BAC-1-20261129-0001"]),
        outcome=st.sampled_from([None, *Outcome]),
        left=st.integers(-1, 60),
        accept=st.booleans(),
        data=st.data(),
    )
    def a_doubtful_command_is_given(
        self,
        remedy: str,
        reason: str,
        round_: str,
        outcome: Outcome | None,
        left: int,
        accept: bool,
        data: st.DataObject,
    ) -> None:
        commands: list[inp.Command] = [
            inp.RuleHold(by=BY, remedy=remedy, reason=reason),
            inp.VoidRound(by=BY, round=round_ or (self.table.state.round or ""), reason=reason),
            inp.ConfirmResult(by=BY, outcome=outcome),
            inp.EndShoe(by=BY, left=left, accept_mismatch=accept, reason=reason),
            inp.TrustStream(by=BY, reason=reason),
            inp.SuspendTable(by=BY, reason=reason or "misdeal"),
        ]
        self._give(data.draw(st.sampled_from(commands)))

    # time and power

    @precondition(lambda self: timer_of(self.table.state) is not None)
    @rule()
    def the_timer_runs_out(self) -> None:
        self.table.expire()
        self._check_new()

    @rule(name=st.sampled_from(["bets", "guard", "settle"]))
    def a_stale_timer_runs_out(self, name: str) -> None:
        self._give(TimerExpired(name, self.table.now - timedelta(days=2)))
        assert self.table.last == ()

    @rule(hours=st.integers(-30, 30), day=st.sampled_from(["20261128", "20261129", "20261130"]))
    def the_clock_is_set(self, hours: int, day: str) -> None:
        self.table.now += timedelta(hours=hours)
        self.table.day = day

    @rule(name=names, is_new=st.booleans())
    def the_service_restarts(self, name: str, is_new: bool) -> None:
        rules = HOUSES[name] if is_new else self.table.house
        self._give(inp.ServiceStarted(OTHER_FACTS if is_new else FACTS, rules))
        assert not self.audit.are_bets_open
        self._report(LineUp("pty", 1), None)

    # what must hold

    def _report(self, report: inp.Report, seq: str | None = "0") -> None:
        before = self.table.state.ordinal
        self.table.report(report, seq)
        self._check_new()
        assert self.table.state.ordinal == before + 1, "a report left no trace"

    def _give(self, given: inp.Input) -> None:
        before = msgspec.json.encode(self.table.state)
        self.table.give(given)
        if isinstance(self.table.last, Refusal):
            assert msgspec.json.encode(self.table.state) == before
            assert self.table.last.code.isidentifier()
        self._check_new()

    def _check_new(self) -> None:
        """Audit what was recorded since, and fold it a second time from its JSON."""
        for recorded in self.table.log[self.audit.seq :]:
            self.audit.see(recorded)
            stored = msgspec.json.decode(self.audit.encoded[-1], type=Recorded)
            assert stored == recorded
            self.mirror = evolve(self.mirror, stored)

    def _follow(self, prompt: Prompt, card: Card | None = None) -> None:
        state = self.table.state
        if prompt.pull:
            self._report(CardDrawn(card or _next_fresh(state)))
        elif prompt.commands:
            self._give(command_for(prompt.commands[0], state))
            assert not isinstance(self.table.last, Refusal), self.table.last
        elif timer_of(state) is not None:
            self.table.expire()
            self._check_new()
        else:
            self._report(LineUp("pty", 3), None)

    @invariant()
    def the_record_leads_to_the_live_state(self) -> None:
        assert self.mirror == self.table.state

    @invariant()
    def every_command_of_the_prompt_is_accepted(self) -> None:
        state = self.table.state
        prompt = prompt_for(state)
        for tag in prompt.commands:
            answer = self._try(command_for(tag, state))
            assert not isinstance(answer, Refusal), (prompt, answer)
            assert answer, (prompt, "nothing follows")
        can_wait = timer_of(state) is not None or prompt.code == "shoe-line-down"
        assert prompt.commands or prompt.pull or can_wait

    @invariant()
    def a_held_table_has_a_way_out(self) -> None:
        state = self.table.state
        assert (state.phase is Phase.HELD) == (state.hold is not None)
        if state.hold is None:
            return
        assert self.audit.aside == len(state.hold.aside)
        for remedy in prompt_for(state).remedies:
            answer = self._try(inp.RuleHold(by=BY, remedy=remedy, reason="seen"))
            assert not isinstance(answer, Refusal)
            after = state
            for recorded in answer:
                after = evolve(after, recorded)
            assert after.hold is None
            assert after.phase is not Phase.HELD

    @invariant()
    def a_card_goes_where_the_prompt_said(self) -> None:
        state = self.table.state
        prompt = prompt_for(state)
        if not prompt.pull or state.phase is not Phase.DEALING:
            return
        answer = self._try(
            inp.Reported(
                inp.Origin("shoe", "s1", 1, 1, "00", self.table.now, "0"),
                CardDrawn(_next_fresh(state)),
            )
        )
        assert not isinstance(answer, Refusal)
        positions = [getattr(recorded.event, "position", None) for recorded in answer]
        assert prompt.position in positions

    @invariant()
    def every_card_is_somewhere(self) -> None:
        state, audit = self.table.state, self.audit
        if state.shoe is None:
            return
        assert state.burned == audit.burned
        assert state.cards_out == audit.dealt + audit.burned + audit.aside

    @invariant()
    def players_see_no_card_that_is_not_public(self) -> None:
        state = self.table.state
        if state.house is None:
            return
        shown = public_state(state)
        assert {"P": [*shown.player], "B": [*shown.banker]} == self.audit.hands
        results = [(one.revision, one.outcome and one.outcome.value) for one in shown.results]
        assert results == list(self.audit.results.values())
        assert [one.round for one in shown.results] == list(self.audit.results)
        assert (shown.phase == "bets_open") == self.audit.are_bets_open
        assert shown.suspended is None or not self.audit.are_bets_open
        armed = timer_of(state)
        assert (armed is not None and armed.name == "bets") == self.audit.are_bets_open
        msgspec.json.encode(staff_state(state))

    def _try(self, given: inp.Input) -> tuple[Recorded, ...] | Refusal:
        return decide(self.table.state, given, Stamp(self.table.now, self.table.day))

    def teardown(self) -> None:
        assert self.table.replayed() == self.table.state
        self._goes_home()

    def _goes_home(self) -> None:
        """Whatever happened: following the prompts, the round ends, the shoe and the table too."""
        for _ in range(30):
            state = self.table.state
            if state.phase is Phase.SETTLING:
                self._give(inp.CloseRound(by=BY))
            elif state.phase in (Phase.BURNING, Phase.IDLE):
                self._give(command_for("end_shoe", state))
            elif state.phase is Phase.NO_SHOE:
                break
            else:
                self._follow(prompt_for(state))
        assert self.table.state.phase is Phase.NO_SHOE, prompt_for(self.table.state)
        self._give(inp.CloseTable(by=BY))
        assert not self.table.state.is_open


def _next_fresh(state: TableState) -> Card:
    """A card of which a copy is left in the shoe."""
    return next(card for card in Card if state.copies.get(card.value, 0) < max(state.decks, 1))


TestTable = TableMachine.TestCase
# no explain phase: on stories this long it takes longer than the test may
TestTable.settings = settings(
    max_examples=200,
    stateful_step_count=60,
    phases=(Phases.explicit, Phases.reuse, Phases.generate, Phases.shrink),
)
