# SPDX-License-Identifier: Apache-2.0
"""Any table at any moment has a picture, and no picture shows a card too early or a burned one."""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from hypothesis import settings
from hypothesis.stateful import invariant

from studio.game.cards import Card
from studio.game.inputs import Refusal, Stamp
from studio.game.snapshot import staff_state
from studio.game.state import Phase
from studio.game.table import decide
from studio.staff.accounts import Role
from studio.wording import languages
from tests.game.table_driver import command_for
from tests.game.test_table_machine import TableMachine
from tests.ui.test_view_prompts import check
from tests.ui.view_texts import DEALER, SUPERVISOR, speech, texts_of
from ui.view.acts import more_commands, offered, problem_commands
from ui.view.forms import CORRECT_VOID, command_tag
from ui.view.model import View
from ui.view.panels import PICK, pickables
from ui.view.press import pressed
from ui.view.seen import LinkState, LogInRule, Own, Panel, PanelKind, Person, Seen
from ui.view.steps import Send, Turn
from ui.view.whole import view_of

BOTH = Person("s-009", "Carla", frozenset({Role.DEALER, Role.SUPERVISOR}))
PEOPLE = (None, DEALER, SUPERVISOR, BOTH)
SIGNS = re.compile("[♠♥♦♣]")
NO_CARDS_IN = (Phase.NO_SHOE, Phase.BURNING, Phase.IDLE, Phase.BETS_OPEN)


def cards_in_view(view: View) -> set[Card]:
    """Every card that is drawn, but for the results of rounds before, which are public."""
    return set(_cards([view.hands, view.held, view.panel]))


def _cards(value: Any) -> Iterator[Card]:
    if isinstance(value, Card):
        yield value
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from _cards(getattr(value, name))
    elif isinstance(value, tuple | list):
        for one in value:
            yield from _cards(one)


class PictureMachine(TableMachine):
    """The same table, with a console that looks at it after every step."""

    def seen(self, **changes: Any) -> Seen:
        state = self.table.state
        turn = state.seq
        given: dict[str, Any] = {
            "table": "BAC-1",
            "now": self.table.now + timedelta(milliseconds=900 * (turn % 3)),
            "link": LinkState.LIVE,
            "state": staff_state(state),
            "person": PEOPLE[turn % len(PEOPLE)],
            "log_in": LogInRule.OPEN if turn % 5 == 0 else LogInRule.REQUIRED,
            "is_locked": turn % 7 == 0,
            "supervisors": ("Anna", "Bernardo")[: turn % 3],
        }
        return Seen(**{**given, **changes})

    @invariant()
    def has_a_picture_in_some_language(self) -> None:
        if self.table.state.house is None:
            return
        language = languages()[self.table.state.seq % len(languages())]
        check(self.seen(), language)
        for kind in (PanelKind.WHY, PanelKind.PROBLEM, PanelKind.MORE, PanelKind.ABOUT):
            check(self.seen(own=Own(Panel(kind))), language)

    @invariant()
    def shows_no_card_before_its_time_and_no_burned_one(self) -> None:
        state = self.table.state
        view = view_of(self.seen(), speech())
        shown = cards_in_view(view)
        if state.closes_at is not None or state.guard_until is not None:
            assert not shown
            texts = [text for box, text in texts_of(view) if not box.startswith("held.raw")]
            assert not [text for text in texts if SIGNS.search(text)]
            assert view.held is None or not [read.raw for read in view.held.evidence if read.raw]
        if state.held_from in NO_CARDS_IN:
            assert not shown
        in_coup = {one.card for one in state.coup_cards}
        assert shown <= in_coup | {*state.player, *state.banker}

    @invariant()
    def offers_nothing_that_is_not_the_time(self) -> None:
        """Whatever the lists offer, the table does not answer that it is another step."""
        state = self.table.state
        shown = staff_state(state)
        for tag in (*more_commands(shown), *problem_commands(shown)):
            if tag == "enter_card" and not state.coup_cards:
                continue
            command = command_for(command_tag(tag), state)
            if tag == CORRECT_VOID:
                command = msgspec.structs.replace(command, round=next(iter(state.void_cards)))
            answer = decide(state, command, Stamp(self.table.now, self.table.day))
            if isinstance(answer, Refusal):
                assert answer.code not in ("not_now", "no_coup", "no_round", "already"), (
                    tag,
                    answer,
                )

    @invariant()
    def sends_only_what_the_person_may_give(self) -> None:
        seen = self.seen()
        for one in offered(seen, speech().keys):
            step = pressed(seen, one.act, speech())
            if isinstance(step, Send):
                assert one.is_enabled
                assert not seen.is_locked or seen.log_in is LogInRule.OPEN
            elif isinstance(step, Turn) and step.own.panel is not None:
                inner = msgspec.structs.replace(seen, own=step.own)
                check(inner, "fr")
                for value, _, _ in pickables(step.own.panel, inner, speech()):
                    pressed(inner, PICK + value, speech())


TestPictures = PictureMachine.TestCase
TestPictures.pytestmark = [pytest.mark.timeout(240)]
TestPictures.settings = settings(
    max_examples=40,
    stateful_step_count=40,
    deadline=None,
)
