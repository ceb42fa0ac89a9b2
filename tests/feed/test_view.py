# SPDX-License-Identifier: Apache-2.0
from collections.abc import Iterator
from datetime import timedelta
from itertools import cycle

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from studio.feed import wire
from studio.feed.view import applied, bets_are_open
from studio.game import events as ev
from studio.game import inputs as inp
from studio.game.cards import Card
from studio.game.coup import Side
from studio.game.house import Burn, BurnRule
from studio.game.snapshot import PublicState, public_state
from studio.game.state import Phase, timer_of
from tests.feed.examples import AT, EPOCH, PUBLIC_EVENTS, ROUND, TABLE
from tests.feed.fake_studio import Happening, Record, first_state
from tests.game.table_driver import BY, COMMANDS, Driven, command_for, house

_CARDS = [card.value for card in Card][::5]

_COMMANDS: dict[str, inp.Command] = {
    "open": inp.OpenTable(by=BY, dealer="Léa"),
    "close": inp.CloseTable(by=BY),
    "suspend": inp.SuspendTable(by=BY),
    "resume": inp.ResumeTable(by=BY),
    "dealer": inp.ChangeDealer(by=BY, dealer="Zoë"),
    "load": inp.LoadShoe(by=BY),
    "end": inp.EndShoe(by=BY),
    "bets": inp.OpenBets(by=BY),
    "no more bets": inp.CloseBets(by=BY),
    "confirm": inp.ConfirmResult(by=BY),
    "settled": inp.CloseRound(by=BY),
}
_STEP_OF = {
    Phase.NO_SHOE: "load",
    Phase.BURNING: "card",
    Phase.IDLE: "bets",
    Phase.BETS_OPEN: "timer",
    Phase.DEALING: "card",
    Phase.RESULT: "confirm",
    Phase.SETTLING: "settled",
    Phase.HELD: "rule",
}
_BY_EYE = [
    "laid wrong",
    "face up",
    "correct_card",
    "enter_card",
    "call_result",
    "report_irregularity",
]
_AT_TIMES = ["open_free_coup", "burn_cards", "set_manual_mode", "record_card", "amend_round"]
_ODD = [*_COMMANDS, "card", "unread", "cut", "void", "timer", "line", *_BY_EYE, *_AT_TIMES]
_actions = st.lists(st.sampled_from(["step"] * 40 + _ODD), min_size=40, max_size=90)


def _do(table: Driven, action: str, cards: Iterator[str]) -> None:
    if action == "step":
        action = _STEP_OF[table.state.phase]
        if table.state.guard_until is not None and table.state.phase is Phase.RESULT:
            action = "timer"
    match action:
        case "card":
            table.card(next(cards))
        case "unread":
            table.report(inp.CardUnreadable("smeared"))
        case "cut":
            table.report(inp.CutCardDrawn())
        case "line":
            table.report(inp.LineUp("pty", 2))
        case "timer":
            if timer_of(table.state) is not None:
                table.expire()
        case "void":
            if table.state.round is not None:
                table.give(inp.VoidRound(by=BY, round=table.state.round, reason="test"))
        case "rule":
            table.give(command_for("rule_hold", table.state))
        case "laid wrong":
            number = len(table.state.coup_cards)
            side = (Side.PLAYER, Side.BANKER)[table.state.seq % 2]
            table.give(inp.NoteCard(by=BY, number=number, at=side))
        case "face up":
            number = len(table.state.coup_cards)
            table.give(inp.NoteCard(by=BY, number=number, face_up=True))
        case _ if action in COMMANDS:
            table.give(command_for(action, table.state))
        case _:
            table.give(_COMMANDS[action])


def _joined(table: Driven) -> PublicState:
    """A snapshot as it comes over the wire."""
    encoded = msgspec.json.encode(public_state(table.state))
    return msgspec.convert(msgspec.json.decode(encoded), PublicState)


def _comparable(state: PublicState) -> PublicState:
    """Without what the public messages do not say."""
    phase = "between" if state.phase in {"idle", "shuffling"} else state.phase
    return replace(state, phase=phase)


@pytest.mark.req("FEED-9")
@given(
    _actions,
    st.integers(0, 40),
    st.sampled_from(["studio", "continuous", "atlantic-city"]),
    st.sampled_from([0, 1500]),
)
def test_a_view_moved_on_by_messages_is_the_tables_own_snapshot(
    actions: list[str], join_at: int, name: str, guard: int
) -> None:
    table = Driven(house(name, close_guard_ms=guard, burn=Burn(BurnRule.FIXED, cards=1)))
    table.report(inp.LineUp("pty", 1))
    table.give(_COMMANDS["open"])
    view = None
    cards = cycle(_CARDS)
    for number, action in enumerate(actions):
        if number == join_at:
            view = _joined(table)
        told = len(table.log)
        _do(table, action, cards)
        if view is None:
            continue
        for recorded in table.log[told:]:
            if recorded.public_seq is not None:
                view = applied(view, wire.decode(wire.public_payload(TABLE, EPOCH, recorded)))
        assert _comparable(view) == _comparable(public_state(table.state))


def test_a_whole_round_and_a_held_one_are_followed_step_by_step() -> None:
    table = Driven(house(close_guard_ms=0, burn=Burn(BurnRule.NONE))).ready()
    view = _joined(table)
    phases: list[str] = []
    told = len(table.log)
    table.dealing().cards("9H 2C KS 5D")
    table.give(_COMMANDS["confirm"])
    table.give(_COMMANDS["settled"])
    table.dealing().cards("2H 2C KS 5D 7H 9C AS")
    table.rule("reconstruct")
    for recorded in table.log[told:]:
        if recorded.public_seq is not None:
            view = applied(view, wire.decode(wire.public_payload(TABLE, EPOCH, recorded)))
            if phases[-1:] != [view.phase]:
                phases.append(view.phase)
    round_ = ["bets_open", "dealing"]
    assert phases == [*round_, "result", "idle", *round_, "held", "dealing"]
    assert _comparable(view) == _comparable(public_state(table.state))
    assert [one.outcome for one in view.results] == ["player"]


@pytest.mark.req("VOID-6")
def test_the_highest_revision_stands_in_whatever_order_they_arrive() -> None:
    happening = Happening(Record())
    opened = ev.BetsOpened(seconds=1, closes_at=AT, round=ROUND, day="20261129", by=BY)
    events = [opened, *_revisions()]
    for event in events:
        happening.add(event)
    first, one, two, three = [wire.decode(row[2]) for row in happening.record.rows]
    for order in ((one, two, three), (three, one, two), (two, three, one), (three, two, one)):
        state = applied(first_state(), first)
        for message in order:
            state = applied(state, message)
        assert [(r.revision, r.outcome, r.seq) for r in state.results] == [(3, None, 4)]
        assert state.counts is not None
        assert state.counts.rounds == 0


def _revisions() -> list[ev.Event]:
    """The examples of a result, its amendment and its void: revisions 1, 2 and 3."""
    return [e for e in PUBLIC_EVENTS if "revision" in e.PUBLIC]


def test_an_unknown_type_changes_nothing() -> None:
    payload = msgspec.json.decode(Happening(Record()).add(ev.RoundClosed()).payload)
    unknown = wire.decode(msgspec.json.encode(payload | {"type": "card_squeezed"}))
    assert applied(first_state(), unknown) == first_state()


def test_bets_are_open_only_in_the_window_and_while_nothing_suspends_them() -> None:
    state = replace(first_state(), phase="bets_open", closes_at=AT)
    before = AT - timedelta(microseconds=1)
    assert bets_are_open(state, None, before)
    assert not bets_are_open(state, None, AT)
    assert not bets_are_open(state, "device", before)
    assert not bets_are_open(replace(state, suspended="staff"), None, before)
    assert not bets_are_open(replace(state, phase="dealing"), None, before)
    assert not bets_are_open(replace(state, closes_at=None), None, before)
