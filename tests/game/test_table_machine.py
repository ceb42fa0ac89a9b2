# SPDX-License-Identifier: Apache-2.0
"""Anything at all is told to a table, in any order: what must hold does hold after every step.

Hypothesis plays dealer, supervisor, shoe, timer, clock and power switch.
"""

from datetime import timedelta

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from studio.game import inputs as inp
from studio.game.cards import Card
from studio.game.coup import Outcome, Position, Side
from studio.game.holds import proposals_of, withdrawable
from studio.game.inputs import CardDrawn, LineUp, Refusal, Target, TimerExpired
from studio.game.prompts import prompt_for
from studio.game.state import Phase, timer_of
from studio.game.tableau import next_position
from tests.game.audited_table import AuditedTable
from tests.game.machine_words import (
    HOUSES,
    OTHER_FACTS,
    amended_hands,
    cards,
    codes,
    indexes,
    mostly,
    names,
    other_reports,
    rarely,
    reasons,
    seconds,
    sides,
    some_cards,
    targets,
)
from tests.game.table_driver import BY, COMMANDS, FACTS, Driven, command_for, comparison, ruling_for


class TableMachine(AuditedTable):
    """One table and everybody who can tell it something."""

    @initialize(name=names, is_ready=st.sampled_from([True, True, True, False]))
    def begin(self, name: str, is_ready: bool) -> None:
        self.table = Driven(HOUSES[name])
        if is_ready:
            self.table.ready()
        self.check_new()

    # the shoe

    @rule(card=cards, hint=targets, index=indexes, in_game=mostly)
    def a_card_comes(self, card: Card, hint: Target, index: int | None, in_game: bool) -> None:
        mode = None if in_game else inp.DeviceMode.ERROR
        self.report(CardDrawn(card, hint, index, in_game, mode))

    @rule(card=some_cards)
    def a_card_of_few_kinds_comes(self, card: Card) -> None:
        self.report(CardDrawn(card))

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
            self.report(CardDrawn(card, target, index))

    @rule(report=other_reports, seq=st.sampled_from([None, "0"]))
    def the_shoe_says_something(self, report: inp.Report, seq: str | None) -> None:
        self.report(report, seq)

    @rule()
    def a_card_is_not_read(self) -> None:
        self.report(inp.CardUnreadable("no read"))

    @rule(again=st.booleans())
    def the_last_card_is_repeated(self, again: bool) -> None:
        self.report(inp.CardRepeated(self.table.state.last_card if again else None))

    @rule()
    def the_cut_card_comes(self) -> None:
        self.report(inp.CutCardDrawn())

    @rule(is_up=st.booleans())
    def the_line_changes(self, is_up: bool) -> None:
        lost = inp.LineLost("pty", "closed", "end of file")
        self.report(LineUp("pty", 2) if is_up else lost, None)

    # the staff

    @rule()
    def what_the_prompt_asks_for_is_done(self) -> None:
        self.follow(prompt_for(self.table.state))

    @rule(drawn=st.lists(cards, min_size=1, max_size=12))
    def the_dealer_goes_on(self, drawn: list[Card]) -> None:
        for card in drawn:
            self.follow(prompt_for(self.table.state), CardDrawn(card))

    @precondition(lambda self: self.table.state.phase in (Phase.IDLE, Phase.SETTLING))
    @rule(drawn=st.lists(cards, min_size=6, max_size=6))
    def a_round_is_dealt(self, drawn: list[Card]) -> None:
        self.give(inp.OpenBets(by=BY))
        self.give(inp.CloseBets(by=BY))
        for card in drawn:
            if self.table.state.phase is Phase.DEALING:
                self.report(CardDrawn(card))
        if self.table.state.guard_until is not None:
            self.table.expire()
            self.check_new()

    @precondition(lambda self: self.table.state.phase is Phase.RESULT)
    @rule(outcome=st.sampled_from(Outcome))
    def a_winner_is_called(self, outcome: Outcome) -> None:
        due = self.table.state.outcome
        self.give(inp.ConfirmResult(by=BY, outcome=outcome))
        if outcome is not due:
            assert self.table.state.phase is not Phase.SETTLING

    @precondition(lambda self: self.table.state.software.approved is not None)
    @rule(changed=st.sampled_from([(), (), ("studio/service.py",)]))
    def the_files_are_compared(self, changed: tuple[str, ...]) -> None:
        self.give(comparison(self.table.state, *changed))

    @precondition(lambda self: self.table.state.round is not None)
    @rule()
    def the_round_is_voided(self) -> None:
        self.give(command_for("void_round", self.table.state))

    @rule(tag=st.sampled_from(sorted(COMMANDS)))
    def a_command_is_given(self, tag: str) -> None:
        if tag != "rule_hold" or self.table.state.hold is not None:
            self.give(command_for(tag, self.table.state))

    @rule(
        remedy=st.sampled_from(["release", "reconstruct", "burn", "void", "carry"]),
        reason=reasons,
        round_=st.sampled_from(["", "BAC-1-20261129-0001"]),
        outcome=st.sampled_from([None, *Outcome]),
        left=st.integers(-1, 60),
        accept=st.booleans(),
        second=seconds,
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
        second: str,
        data: st.DataObject,
    ) -> None:
        state = self.table.state
        commands: list[inp.Command] = [
            inp.RuleHold(
                by=BY, **{**ruling_for(state, remedy), "reason": reason, "second": second}
            ),
            inp.RuleHold(by=BY, remedy=remedy, reason="seen", bound_to="0" * 64, second=second),
            inp.VoidRound(by=BY, round=round_ or state.round or "", reason=reason, second=second),
            inp.ConfirmResult(by=BY, outcome=outcome),
            inp.EndShoe(by=BY, left=left, accept_mismatch=accept, reason=reason),
            inp.TrustStream(by=BY, reason=reason),
            inp.SuspendTable(by=BY, reason=reason or "misdeal"),
        ]
        self.give(data.draw(st.sampled_from(commands)))

    # what people see, and what they do by hand

    @precondition(lambda self: bool(self.table.state.coup))
    @rule(
        back=st.integers(0, 3),
        at=sides,
        early=st.sampled_from([None, None, None, True, False]),
        face_up=rarely,
        stuck=rarely,
        unseen=rarely,
    )
    def somebody_saw_how_a_card_lay(
        self,
        back: int,
        at: Side | None,
        early: bool | None,
        face_up: bool,
        stuck: bool,
        unseen: bool,
    ) -> None:
        number = len(self.table.state.coup_cards) - back
        self.give(
            inp.NoteCard(by=BY, number=number, at=at, early=early, face_up=face_up, stuck=stuck,
                         unseen=unseen)
        )  # fmt: skip

    @rule(number=st.integers(0, 7), card=some_cards, second=seconds, missing=st.booleans())
    def a_card_is_entered(self, number: int, card: Card, second: str, missing: bool) -> None:
        self.give(inp.EnterCard(by=BY, number=number, card=card, second=second, missing=missing))

    @precondition(lambda self: bool(self.table.state.coup))
    @rule(number=st.integers(1, 6), card=cards, second=seconds)
    def a_card_is_corrected(self, number: int, card: Card, second: str) -> None:
        self.give(inp.CorrectCard(by=BY, number=number, card=card, second=second))

    @precondition(lambda self: self.table.state.hold is not None)
    @rule(number=st.integers(0, 7), reason=reasons, second=seconds)
    def a_read_is_struck(self, number: int, reason: str, second: str) -> None:
        self.give(inp.StrikeCard(by=BY, number=number, reason=reason, second=second))

    @precondition(lambda self: bool(self.table.state.burn_cards))
    @rule(number=st.integers(0, 6), card=cards, second=seconds)
    def a_burned_card_is_corrected(self, number: int, card: Card, second: str) -> None:
        self.give(inp.CorrectBurn(by=BY, number=number, card=card, second=second))

    @precondition(lambda self: bool(self.table.state.void_cards))
    @rule(number=st.integers(1, 6), card=some_cards, second=seconds, data=st.data())
    def a_card_of_a_void_round_is_corrected(
        self, number: int, card: Card, second: str, data: st.DataObject
    ) -> None:
        round_ = data.draw(st.sampled_from(sorted(self.table.state.void_cards)))
        said = inp.CorrectCard(by=BY, number=number, card=card, second=second, round=round_)
        self.give(said)

    @rule(outcome=st.sampled_from(Outcome))
    def the_dealer_calls_a_result(self, outcome: Outcome) -> None:
        self.give(inp.CallResult(by=BY, outcome=outcome))

    @rule(code=codes, detail=reasons)
    def somebody_reports(self, code: str, detail: str) -> None:
        self.give(inp.ReportIrregularity(by=BY, code=code, detail=detail))
        assert not self.audit.are_bets_open or isinstance(self.table.last, Refusal)

    @precondition(lambda self: bool(withdrawable(self.table.state)))
    @rule(data=st.data())
    def a_report_is_taken_back(self, data: st.DataObject) -> None:
        code = data.draw(st.sampled_from(withdrawable(self.table.state)))
        before = len(self.table.log)
        self.give(inp.WithdrawReport(by=BY, code=code, reason="a mistake", second="s-002"))
        assert len(self.table.log) == before + 1

    @rule(code=codes, reason=reasons, second=seconds)
    def a_report_is_to_be_taken_back(self, code: str, reason: str, second: str) -> None:
        can = code in withdrawable(self.table.state)
        self.give(inp.WithdrawReport(by=BY, code=code, reason=reason, second=second))
        assert can or isinstance(self.table.last, Refusal)

    @precondition(lambda self: self.table.state.can_cancel_free_coup)
    @rule()
    def the_coup_without_bets_is_called_off(self) -> None:
        self.give(inp.CancelFreeCoup(by=BY))
        assert self.table.state.phase is Phase.IDLE

    @rule(count=st.integers(-1, 3), reason=reasons)
    def cards_are_to_be_burned(self, count: int, reason: str) -> None:
        self.give(inp.BurnCards(by=BY, count=count, reason=reason))

    @precondition(lambda self: self.table.state.manual_mode)
    @rule(card=cards, position=st.sampled_from([None, *Position]), second=seconds)
    def a_card_is_dealt_by_hand(self, card: Card, position: Position | None, second: str) -> None:
        due = prompt_for(self.table.state).position or "P1"
        at = position or Position(due)
        self.give(inp.DealCard(by=BY, card=card, position=at, second=second))

    @precondition(lambda self: self.table.state.may_record_card)
    @rule(card=st.none() | cards, ahead=st.sampled_from([1, 1, 1, 0, 2]), second=seconds)
    def a_card_is_told_by_hand(self, card: Card | None, ahead: int, second: str) -> None:
        number = self.table.state.cards_out + ahead
        self.give(inp.RecordCard(by=BY, number=number, card=card, second=second))
        if not isinstance(self.table.last, Refusal):
            assert ahead == 1
            assert not self.audit.are_bets_open

    @precondition(lambda self: bool(self.audit.standing))
    @rule(hands=amended_hands, reason=reasons, second=seconds, data=st.data())
    def a_result_is_amended(
        self,
        hands: tuple[tuple[Card, ...], tuple[Card, ...]],
        reason: str,
        second: str,
        data: st.DataObject,
    ) -> None:
        round_ = data.draw(st.sampled_from(sorted(self.audit.standing)))
        player, banker = hands
        self.give(
            inp.AmendRound(
                by=BY, round=round_, player=player, banker=banker, reason=reason, second=second
            )
        )

    @precondition(lambda self: self.table.state.hold is not None)
    @rule(which=st.integers(0, 2))
    def the_hold_is_ruled_on(self, which: int) -> None:
        proposals = proposals_of(self.table.state)
        one = proposals[min(which, len(proposals) - 1)]
        ruling = ruling_for(self.table.state, one.remedy.value, one.faces_seen)
        self.give(inp.RuleHold(by=BY, **ruling))

    @precondition(lambda self: self.table.state.phase is Phase.RESULT)
    @rule(drawn=st.lists(cards, min_size=1, max_size=7), unseen=st.sampled_from([0, 1, 2]))
    def surplus_cards_come(self, drawn: list[Card], unseen: int) -> None:
        for card in drawn:
            self.report(CardDrawn(card))
            number = len(self.table.state.coup_cards)
            if unseen:
                self.give(
                    inp.NoteCard(by=BY, number=number, unseen=unseen == 1 or card is drawn[0])
                )
        self._goes_on_to(Phase.IDLE)

    @precondition(lambda self: self.table.state.phase in (Phase.IDLE, Phase.SETTLING))
    @rule(drawn=st.lists(cards, min_size=1, max_size=2), which=st.integers(0, 1))
    def cards_come_between_rounds(self, drawn: list[Card], which: int) -> None:
        for card in drawn:
            self.report(CardDrawn(card))
        # where people tell of the cards, the shoe's word is only noted
        if self.table.state.hold is not None:
            self.the_hold_is_ruled_on(which)

    @rule(drawn=st.lists(cards, min_size=6, max_size=6))
    def a_whole_round_goes_by(self, drawn: list[Card]) -> None:
        self._goes_on_to(Phase.RESULT, drawn)

    def _goes_on_to(self, phase: Phase, drawn: list[Card] | None = None) -> None:
        """Follow the prompts, with these cards as far as they go."""
        for _ in range(20):
            state = self.table.state
            if state.phase is phase or state.phase is Phase.NO_SHOE:
                return
            if state.phase is Phase.SETTLING:
                self.give(inp.CloseRound(by=BY))
                continue
            card = CardDrawn(drawn.pop()) if drawn and prompt_for(state).pull else None
            self.follow(prompt_for(state), card)

    # time and power

    @precondition(lambda self: timer_of(self.table.state) is not None)
    @rule()
    def the_timer_runs_out(self) -> None:
        self.table.expire()
        self.check_new()

    @rule(name=st.sampled_from(["bets", "guard", "settle"]))
    def a_stale_timer_runs_out(self, name: str) -> None:
        self.give(TimerExpired(name, self.table.now - timedelta(days=2)))
        assert self.table.last == ()

    @rule(hours=st.integers(-30, 30), day=st.sampled_from(["20261128", "20261129", "20261130"]))
    def the_clock_is_set(self, hours: int, day: str) -> None:
        self.table.now += timedelta(hours=hours)
        self.table.day = day

    @rule(name=names, is_new=st.booleans())
    def the_service_restarts(self, name: str, is_new: bool) -> None:
        rules = HOUSES[name] if is_new else self.table.house
        self.give(inp.ServiceStarted(OTHER_FACTS if is_new else FACTS, rules))
        assert not self.audit.are_bets_open
        self.report(LineUp("pty", 1), None)


TestTable = TableMachine.TestCase
TestTable.pytestmark = [pytest.mark.timeout(240)]
TestTable.settings = settings(
    max_examples=150,
    stateful_step_count=60,
)
