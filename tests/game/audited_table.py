# SPDX-License-Identifier: Apache-2.0
"""What every state machine of a table has: the table, its auditor, and what must always hold.

The promises that are checked by reading the record stand in ``table_audit``, those about the
state here.
"""

from collections import Counter

import msgspec
from hypothesis.stateful import RuleBasedStateMachine, invariant
from msgspec.structs import replace

from studio.game import inputs as inp
from studio.game.coup import Side
from studio.game.events import Recorded
from studio.game.evolve import evolve
from studio.game.holds import Proposal, evidence_of, judgement_of, proposals_of
from studio.game.inputs import CardDrawn, LineUp, Refusal, Stamp
from studio.game.judgement import Verdict
from studio.game.prompts import Prompt, prompt_for
from studio.game.snapshot import public_state, staff_state
from studio.game.state import UNPAID, Phase, TableState, timer_of
from studio.game.table import decide
from tests.game.coup_book import fates_of
from tests.game.table_audit import Audit
from tests.game.table_driver import (
    BY,
    SECOND,
    WHY,
    Driven,
    command_for,
    comparison,
    next_fresh,
    ruling_for,
)

# Each card of a long held coup may have to be entered first.
MOST_STEPS_HOME = 120
_JUDGED = (Phase.DEALING, Phase.RESULT)


class AuditedTable(RuleBasedStateMachine):
    """One table, a record of all that happened, and its auditor."""

    def __init__(self) -> None:
        super().__init__()
        self.table = Driven.__new__(Driven)
        self.audit = Audit()
        self.mirror = TableState()
        self.ruled: list[inp.RuleHold] = []

    def report(self, report: inp.Report, seq: str | None = "0") -> None:
        """The shoe reports; it leaves a trace whatever it says."""
        before = self.table.state.ordinal
        self.table.report(report, seq)
        self.check_new()
        assert self.table.state.ordinal == before + 1, "a report left no trace"

    def give(self, given: inp.Input) -> None:
        """Give an input; one that is refused changes nothing."""
        before = msgspec.json.encode(self.table.state)
        self.table.give(given)
        if isinstance(self.table.last, Refusal):
            assert msgspec.json.encode(self.table.state) == before
            assert self.table.last.code.isidentifier()
        elif isinstance(given, inp.RuleHold):
            self.ruled.append(given)
            if given.faces_seen:
                self._said_seen()
        self.check_new()

    def _said_seen(self) -> None:
        """What lies aside was seen, as the person who ruled said: the books say so too."""
        for card in self.audit.cards.aside:
            card["was_seen"] = True

    def check_new(self) -> None:
        """Audit what was recorded since, and fold it a second time from its JSON."""
        for recorded in self.table.log[self.audit.seq :]:
            self.audit.see(recorded)
            stored = msgspec.json.decode(self.audit.encoded[-1], type=Recorded)
            assert stored == recorded
            self.mirror = evolve(self.mirror, stored)

    def follow(self, prompt: Prompt, card: inp.Report | None = None) -> None:
        """Do what the prompt asks for."""
        state = self.table.state
        if prompt.pull:
            self.report(card or CardDrawn(next_fresh(state)))
        elif prompt.commands:
            self.give(command_for(prompt.commands[0], state))
            assert not isinstance(self.table.last, Refusal), self.table.last
            if prompt.code.startswith("software-"):
                self.give(comparison(self.table.state))
        elif timer_of(state) is not None:
            self.table.expire()
            self.check_new()
        else:
            self.report(LineUp("pty", 3), None)

    def tried(self, given: inp.Input) -> TableState:
        """The state that an input would lead to; it must be accepted."""
        answer = decide(self.table.state, given, Stamp(self.table.now, self.table.day))
        assert not isinstance(answer, Refusal), (prompt_for(self.table.state), given, answer)
        after = self.table.state
        for recorded in answer:
            after = evolve(after, recorded)
        return after

    @invariant()
    def the_record_leads_to_the_live_state(self) -> None:
        assert self.mirror == self.table.state

    @invariant()
    def every_command_of_the_prompt_is_accepted(self) -> None:
        state = self.table.state
        prompt = prompt_for(state)
        for tag in prompt.commands:
            self.tried(command_for(tag, state))
        can_wait = timer_of(state) is not None or prompt.code == "shoe-line-down"
        assert prompt.commands or prompt.pull or can_wait

    @invariant()
    def a_held_table_has_a_way_out(self) -> None:
        state = self.table.state
        assert (state.phase is Phase.HELD) == (state.hold is not None)
        if state.hold is None:
            return
        assert len(self.audit.cards.aside) == len(state.hold.aside)
        proposals = proposals_of(state)
        assert proposals
        remedies = dict.fromkeys(one.remedy.value for one in proposals)
        assert (*remedies,) == prompt_for(state).remedies
        self._asks_whether_faces_were_seen(proposals)
        for proposal in proposals:
            if state.guard_until is not None and proposal.remedy.value != "void":
                continue
            ruling = ruling_for(state, proposal.remedy.value, proposal.faces_seen)
            assert ruling["bound_to"] == proposal.bound_to
            after = self.tried(inp.RuleHold(by=BY, **ruling))
            assert after.hold is None
            assert after.phase is not Phase.HELD
            if proposal.outcome is not None and proposal.remedy.value != "void":
                assert (after.player, after.banker) == (proposal.player, proposal.banker)
                assert after.outcome is proposal.outcome

    def _asks_whether_faces_were_seen(self, proposals: tuple[Proposal, ...]) -> None:
        """The answer decides, is bound to its own proposal, and cannot be left out."""
        by_answer = {one.faces_seen: one for one in proposals if one.faces_seen is not None}
        if not by_answer:
            return
        seen, unseen = by_answer[True], by_answer[False]
        assert proposals[0] is seen, "the safe answer comes first"
        fates = {one.card: one.remedy for one in seen.surplus}
        assert "carry" not in fates.values()
        assert "carry" in {one.remedy for one in unseen.surplus}
        for one, other in ((seen, unseen), (unseen, seen)):
            stale = inp.RuleHold(by=BY, second=SECOND, remedy=one.remedy.value, reason=WHY,
                                 bound_to=other.bound_to, faces_seen=one.faces_seen)  # fmt: skip
            assert self.refusal(stale) == "stale"
            unsaid = replace(stale, bound_to=one.bound_to, faces_seen=None)
            assert self.refusal(unsaid) == "faces_not_said"

    def refusal(self, given: inp.Input) -> str | None:
        """The code of the refusal of an input; None if it would be accepted."""
        answer = decide(self.table.state, given, Stamp(self.table.now, self.table.day))
        return answer.code if isinstance(answer, Refusal) else None

    @invariant()
    def an_old_ruling_is_never_taken_again(self) -> None:
        stamp = Stamp(self.table.now, self.table.day)
        for old in self.ruled[-3:]:
            assert isinstance(decide(self.table.state, old, stamp), Refusal)

    @invariant()
    def the_hands_are_those_of_the_judged_coup_whenever_it_is_not_held(self) -> None:
        state = self.table.state
        if state.phase not in _JUDGED:
            return
        judgement = judgement_of(state)
        assert (state.player, state.banker) == (judgement.player, judgement.banker)
        assert judgement.verdict not in (Verdict.HELD, Verdict.VOID)
        assert (judgement.next is None) == (state.phase is Phase.RESULT)
        assert state.outcome is judgement.outcome
        hidden = [kept.position.side for kept in state.kept]
        assert len(state.shown_player) + hidden.count(Side.PLAYER) == len(state.player)
        assert len(state.shown_banker) + hidden.count(Side.BANKER) == len(state.banker)

    @invariant()
    def the_reference_says_the_same_of_the_coup(self) -> None:
        state = self.table.state
        if state.held_from not in UNPAID or not state.coup:
            return
        ruling, judgement = self.audit.cards.ruling(), judgement_of(state)
        assert ruling["verdict"] == judgement.verdict.value
        assert (ruling["player"], ruling["banker"]) == ([*judgement.player], [*judgement.banker])
        codes = [(one["code"], one["card"]) for one in ruling["irregularities"]]
        assert codes == [(one.code, one.card) for one in judgement.irregularities]
        fates = [(one.remedy, one.card and one.card.value) for one in judgement.surplus]
        due = [(fate, card) for fate, cards in fates_of(ruling).items() for card in cards]
        assert Counter(fates) == Counter(due)
        assert len(evidence_of(state)) == len(self.audit.cards.book.cards)

    @invariant()
    def a_card_goes_where_the_prompt_said(self) -> None:
        state = self.table.state
        prompt = prompt_for(state)
        if not prompt.pull or state.phase is not Phase.DEALING:
            return
        origin = inp.Origin("shoe", "s1", 1, 1, "00", self.table.now, "0")
        after = self.tried(inp.Reported(origin, CardDrawn(next_fresh(state))))
        before = {"P": len(state.player), "B": len(state.banker)}
        now = {"P": len(after.player), "B": len(after.banker)}
        assert prompt.position is not None
        before[prompt.position[0]] += 1
        assert now == before

    @invariant()
    def every_card_is_somewhere(self) -> None:
        state, cards = self.table.state, self.audit.cards
        if state.shoe is None:
            return
        assert (state.burned, state.cards_out) == (cards.burned, cards.cards_out)
        assert {code: n for code, n in state.copies.items() if n} == +cards.out
        assert [*state.carried] == [one["card"] for one in cards.carried]
        assert [*(state.free_coup_cards or ())] == [one["card"] for one in cards.due]

    @invariant()
    def players_see_no_card_that_is_not_public(self) -> None:
        state = self.table.state
        if state.house is None:
            return
        shown, audit = public_state(state), self.audit
        assert {"P": [*shown.player], "B": [*shown.banker]} == audit.cards.hands
        results = {
            one.round: (one.revision, one.outcome and one.outcome.value) for one in shown.results
        }
        assert list(results.items()) == list(audit.results.items())
        assert (shown.phase == "bets_open") == audit.are_bets_open
        assert shown.suspended is None or not audit.are_bets_open
        msgspec.json.encode(staff_state(state))

    def teardown(self) -> None:
        if not self.table.__dict__:
            return
        assert self.table.replayed() == self.table.state
        self._goes_home()

    def _goes_home(self) -> None:
        """Whatever happened: following the prompts, the round ends, the shoe and the table too."""
        for _ in range(MOST_STEPS_HOME):
            state = self.table.state
            if state.phase is Phase.SETTLING:
                self.give(inp.CloseRound(by=BY))
            elif state.phase in (Phase.BURNING, Phase.IDLE):
                self.give(command_for("end_shoe", state))
            elif state.phase is Phase.NO_SHOE:
                break
            else:
                self.follow(prompt_for(state))
        assert self.table.state.phase is Phase.NO_SHOE, prompt_for(self.table.state)
        self.give(inp.CloseTable(by=BY))
        assert not self.table.state.is_open
