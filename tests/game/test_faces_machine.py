# SPDX-License-Identifier: Apache-2.0
"""Surplus and stray cards in any order of draws, notes, corrections and answers.

Few cards and few acts, so that hands end early and late, and the same card is surplus, then in a
public hand, then surplus again. The books of ``coup_audit`` say of every carried card whether
players saw it.
"""

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from studio.game import inputs as inp
from studio.game.cards import Card
from studio.game.holds import proposals_of
from studio.game.house import Burn, BurnRule
from studio.game.inputs import CardDrawn
from studio.game.prompts import prompt_for
from studio.game.state import Phase
from tests.game.audited_table import AuditedTable
from tests.game.table_driver import BY, SECOND, Driven, house, ruling_for

_PLAIN = {"close_guard_ms": 0, "burn": Burn(BurnRule.NONE)}
HOUSES = {
    "carry": house("atlantic-city", **_PLAIN),
    "carry-kept": house("macau", excess_card="carry", **_PLAIN),
    "carry-guarded": house("atlantic-city", burn=Burn(BurnRule.NONE), close_guard_ms=1500),
    "free_coup": house(excess_card="free_coup", **_PLAIN),
    "next_burn": house(excess_card="next_burn", **_PLAIN),
}
# the first makes a natural of many hands, the second of few
CARDS = st.sampled_from([Card("9H"), Card("2C"), Card("KD"), Card("3S")])


class FacesMachine(AuditedTable):
    """One table, a shoe of few kinds of cards, and a supervisor who says now this, now that."""

    @initialize(name=st.sampled_from(["carry", "carry", *HOUSES]))
    def begin(self, name: str) -> None:
        self.table = Driven(HOUSES[name]).ready()
        self.check_new()

    @precondition(lambda self: self.table.state.phase in (Phase.IDLE, Phase.SETTLING))
    @rule(drawn=st.lists(CARDS, min_size=4, max_size=7))
    def a_coup_is_dealt(self, drawn: list[Card]) -> None:
        self.give(inp.OpenBets(by=BY))
        self.give(inp.CloseBets(by=BY))
        for card in drawn:
            if self.table.state.phase in (Phase.DEALING, Phase.RESULT, Phase.HELD):
                self.report(CardDrawn(card))

    @rule(card=CARDS)
    def a_card_comes(self, card: Card) -> None:
        self.report(CardDrawn(card))

    @precondition(lambda self: bool(self.table.state.coup))
    @rule(number=st.integers(1, 7), unseen=st.booleans())
    def it_is_said_whether_a_face_was_seen(self, number: int, unseen: bool) -> None:
        self.give(inp.NoteCard(by=BY, number=number, unseen=unseen))

    @precondition(lambda self: bool(self.table.state.coup))
    @rule(number=st.integers(1, 4), card=CARDS)
    def a_card_is_corrected(self, number: int, card: Card) -> None:
        cards = self.table.state.coup_cards
        if number <= len(cards) and cards[number - 1].is_carried:
            return  # counted in this coup then: test_misdeals_faces.py
        self.give(inp.CorrectCard(by=BY, number=number, card=card, second=SECOND))

    @precondition(lambda self: self.table.state.hold is not None)
    @rule(which=st.integers(0, 1))
    def the_hold_is_ruled_on(self, which: int) -> None:
        proposals = proposals_of(self.table.state)
        one = proposals[min(which, len(proposals) - 1)]
        ruling = ruling_for(self.table.state, one.remedy.value, one.faces_seen)
        self.give(inp.RuleHold(by=BY, **ruling))

    @rule(times=st.integers(1, 3))
    def the_dealer_goes_on(self, times: int) -> None:
        for _ in range(times):
            self.follow(prompt_for(self.table.state))


TestFaces = FacesMachine.TestCase
TestFaces.pytestmark = [pytest.mark.timeout(240)]
TestFaces.settings = settings(max_examples=60, stateful_step_count=30)
