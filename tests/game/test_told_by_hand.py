# SPDX-License-Identifier: Apache-2.0
"""Cards that people tell of: judged as a report of the shoe is, bound to their number, by two."""

from random import Random

import pytest
from msgspec.structs import replace

from studio.game import events as ev
from studio.game import inputs as inp
from studio.game.cards import Card, cards_in
from studio.game.events import Source, Trust
from studio.game.house import Burn, BurnRule, ShoeMode
from studio.game.prompts import prompt_for
from studio.game.state import Phase
from tests.game.houses import NAMES
from tests.game.misdeal_stories import audited, codes_of, go_home, rules
from tests.game.table_driver import BY, SECOND, Driven, command_for, house, names_of

LOST = inp.LineLost("pty", "closed", "end of file")
GAP = inp.SequenceGap("3", "5")
FIRST_CARD = Burn(BurnRule.FIRST_CARD)
THREE = Burn(BurnRule.FIXED, 3)


def by_hand(name: str = "studio", /, **changes: object) -> Driven:
    """A table without a line, in manual mode."""
    table = Driven(rules(name, **changes)).ready()
    table.report(LOST)
    table.ask("set_manual_mode")
    return table


def told(table: Driven, code: str | None, **said: object) -> inp.RecordCard:
    """The command that tells of this card as the next of the shoe."""
    card = None if code is None else Card(code)
    command = inp.RecordCard(by=BY, second=SECOND, number=table.state.cards_out + 1, card=card)
    return replace(command, **said)


def tell(table: Driven, code: str | None) -> list[ev.Event]:
    """Two people tell of this card."""
    events = table.give(told(table, code))
    assert not isinstance(table.last, inp.Refusal), table.last
    return events


def complete(table: Driven) -> Driven:
    """A coup dealt by hand, its result not confirmed."""
    table.dealing()
    for code in ("9H", "KS", "TC", "7D"):
        table.ask("deal_card", card=Card(code))
    return table


# --- a whole shoe -----------------------------------------------------------------------------


def follow(table: Driven, deck: list[Card]) -> None:
    """Do what the prompt says, with a deck in the hand and no shoe on the line."""
    prompt = prompt_for(table.state)
    assert not prompt.pull, "no shoe would tell of the card"
    if not prompt.commands:
        table.expire()
        return
    tag = prompt.commands[0]
    match prompt.code:
        case "shoe-line-down":
            table.ask("set_manual_mode")
        case "burn-card-by-hand":
            deck.pop()
            table.ask("record_card", card=None)
        case "deal-card-by-hand" | "burn-first-card-by-hand":
            table.ask(tag, card=deck.pop())
        case _:
            table.give(command_for(tag, table.state))
            assert not isinstance(table.last, inp.Refusal), table.last


@pytest.mark.req("MAN-1", "MAN-5")
@pytest.mark.parametrize("name", NAMES)
def test_a_whole_shoe_is_dealt_by_hand_from_loading_to_the_count_at_its_end(name: str) -> None:
    table = Driven(house(name))
    table.ask("open_table")
    table.ask("load_shoe")
    deck = [card for card in Card for _ in range(table.state.decks)]
    Random(5).shuffle(deck)
    full = list(deck)
    is_reshuffled = table.house.shoe_mode is ShoeMode.CONTINUOUS
    while len(deck) > 20 and table.state.rounds < 90:
        follow(table, deck)
        if is_reshuffled and table.state.cards_out == 0:
            deck = list(full)
    while table.state.phase is not Phase.SETTLING:
        follow(table, deck)
    assert table.state.rounds >= 50
    *_, ended = table.ask("end_shoe", left=len(full) if is_reshuffled else len(deck))
    assert isinstance(ended, ev.ShoeEnded)
    assert ended.seen + ended.burned + ended.left == cards_in(table.house.decks)
    assert "CardHeld" not in table.names()
    assert {one.source for one in table.log if isinstance(one.event, ev.CardDealt)} == {
        Source.MANUAL
    }
    audited(table)


# --- in each phase ----------------------------------------------------------------------------


@pytest.mark.req("MAN-5")
def test_a_burn_is_counted_by_hand_and_the_record_names_both() -> None:
    table = by_hand(burn=FIRST_CARD)
    assert prompt_for(table.state).code == "burn-first-card-by-hand"
    (burned,) = tell(table, "2H")
    assert isinstance(burned, ev.CardBurned)
    assert (burned.burn, burned.by, burned.second) == (3, BY, SECOND)
    assert prompt_for(table.state).code == "burn-card-by-hand"
    assert prompt_for(table.state).words == {"left": "2"}
    tell(table, None)
    assert names_of(tell(table, "KS")) == ["CardBurned", "BurnCompleted"]
    assert table.state.copies == {"2H": 1, "KS": 1}
    assert (table.state.burned, table.state.cards_out) == (3, 3)


def test_cards_are_burned_by_hand_in_the_middle_of_a_shoe() -> None:
    table = by_hand()
    table.ask("burn_cards", count=2)
    tell(table, None)
    tell(table, None)
    assert (table.state.phase, table.state.burned) == (Phase.IDLE, 2)
    audited(table)


@pytest.mark.req("MAN-1")
@pytest.mark.parametrize("name", NAMES)
def test_a_surplus_card_told_by_hand_is_the_coups_next_card(name: str) -> None:
    table = complete(by_hand(name))
    events = tell(table, "2C")
    (held,) = [one for one in events if isinstance(one, ev.CardHeld)]
    assert (held.number, held.by, held.second) == (5, BY, SECOND)
    assert codes_of(table) == ["excess-after-natural"]
    assert table.state.coup_cards[-1].is_manual
    tell(table, None)
    assert codes_of(table) == ["excess-after-natural", "misscan-none"]
    assert prompt_for(table.state).code == "enter-card"
    table.ask("enter_card", number=6, card=Card("3C"))
    go_home(table)


@pytest.mark.parametrize("phase", [Phase.SETTLING, Phase.IDLE])
def test_a_card_told_between_two_coups_lies_aside_until_it_is_ruled_on(phase: Phase) -> None:
    table = complete(by_hand())
    table.ask("confirm_result")
    if phase is Phase.IDLE:
        table.ask("close_round")
    assert table.state.phase is phase
    tell(table, "2C")
    assert codes_of(table) == ["next-card-early"]
    tell(table, None)
    assert table.state.hold is not None
    assert table.state.hold.aside == (Card("2C"), None)
    table.rule("burn")
    assert (table.state.phase, table.state.burned) == (phase, 2)
    go_home(table)


@pytest.mark.req("RND-4")
@pytest.mark.parametrize("name", NAMES)
def test_a_card_told_while_bets_are_open_closes_them_and_holds_as_early(name: str) -> None:
    table = by_hand(name).betting()
    events = tell(table, "9H")
    assert isinstance(events[0], ev.BetsClosed)
    assert events[0].by == BY
    assert codes_of(table) == ["card-before-close"]
    assert table.state.shown_player == ()
    go_home(table)


def test_a_card_that_is_due_is_dealt_and_not_told_unless_nobody_knows_it() -> None:
    table = by_hand().dealing()
    assert table.refused(told(table, "9H")) == "use_deal_card"
    tell(table, None)
    assert codes_of(table) == ["misscan-none"]
    table.ask("enter_card", number=1, card=Card("9H"))
    table.rule("reconstruct" if "reconstruct" in prompt_for(table.state).remedies else "release")
    assert table.state.player == (Card("9H"),)
    go_home(table)


def test_a_card_drawn_while_bets_were_open_and_told_after_is_noted_as_early() -> None:
    table = by_hand().dealing()
    table.ask("report_irregularity")
    tell(table, "9H")
    table.ask("note_card", number=1, early=True)
    assert "card-before-close" in codes_of(table)
    go_home(table)


# --- what is refused --------------------------------------------------------------------------


def test_the_same_card_is_not_told_twice_nor_by_one_person() -> None:
    table = by_hand(burn=THREE)
    command = told(table, None)
    assert table.refused(replace(command, second=BY)) == "same_person"
    assert table.refused(replace(command, number=2)) == "stale"
    table.give(command)
    assert table.refused(command) == "stale"
    assert table.state.burned == 1


def test_a_copy_that_cannot_be_is_told_without_its_value() -> None:
    table = by_hand(decks=1, cut_card_from_end=12, burn=THREE)
    tell(table, "9H")
    assert table.refused(told(table, "9H")) == "copy_too_many"
    tell(table, None)


def test_without_manual_mode_the_shoe_tells_of_its_cards() -> None:
    table = Driven(rules("studio"))
    assert table.refused(told(table, None)) == "not_now"
    for move in (table.ready, table.betting, table.expire):
        move()
        assert table.refused(told(table, None)) == "not_manual"
    assert isinstance(table.last, inp.Refusal)
    assert "report the problem" in table.last.text


# --- a card that the shoe missed --------------------------------------------------------------


@pytest.mark.req("REC-7")
def test_a_card_whose_report_was_lost_in_the_burn_is_added() -> None:
    table = Driven(rules("studio", burn=THREE)).ready()
    table.card("2H")
    table.report(GAP)
    table.card("4H")
    assert prompt_for(table.state).note == "compare-cards"
    assert names_of(tell(table, None)) == ["CardBurned", "BurnCompleted"]
    table.ask("trust_stream")
    assert prompt_for(table.state).note == "shoe-off-step"
    assert table.state.cards_out == 3


@pytest.mark.parametrize("is_betting", [False, True])
def test_a_card_that_left_while_the_cable_was_out_is_added(is_betting: bool) -> None:
    table = Driven(rules("studio")).ready()
    if is_betting:
        table.betting()
    table.report(LOST)
    assert table.refused(told(table, "9H")) == "not_manual"
    table.report(inp.LineUp("pty", 2))
    tell(table, "9H")
    assert codes_of(table) == ["card-before-close" if is_betting else "next-card-early"]
    go_home(table)


def test_in_a_coup_of_the_shoe_a_missing_card_is_entered_at_its_place_instead() -> None:
    table = Driven(rules("studio")).dealing()
    table.cards("9H KS")
    table.report(LOST)
    table.report(inp.LineUp("pty", 2))
    assert table.refused(told(table, None)) == "not_manual"


# --- the shoe speaks in manual mode -----------------------------------------------------------


def attended(**changes: object) -> Driven:
    """A table in manual mode whose shoe is on the line."""
    table = Driven(rules("studio", **changes)).ready()
    table.ask("set_manual_mode")
    return table


def test_what_the_shoe_says_of_a_burn_by_hand_is_evidence() -> None:
    table = attended(burn=THREE)
    assert names_of(table.card("2H")) == ["ShoeNoted"]
    tell(table, "2H")
    assert names_of(table.unread()) == ["ShoeNoted"]
    table.ask("report_irregularity", code="burn-count-wrong")
    assert names_of(table.card("3H")) == ["ShoeNoted"]
    assert table.state.cards_out == 1


def test_a_late_word_of_the_shoe_counts_no_card_of_a_held_coup_twice() -> None:
    table = attended().dealing()
    tell(table, None)
    assert table.state.phase is Phase.HELD
    assert names_of(table.card("9H")) == ["ShoeNoted"]
    assert len(table.state.coup_cards) == 1


def test_cards_that_nobody_expects_count_by_the_shoes_word_in_manual_mode_too() -> None:
    table = attended().betting()
    table.card("9H")
    table.card("KS")
    assert codes_of(table) == ["card-before-close"]
    assert len(table.state.coup_cards) == 2
    between = attended()
    between.card("9H")
    assert codes_of(between) == ["next-card-early"]


# --- the note ---------------------------------------------------------------------------------

DOUBTFUL: dict[str, tuple[Phase, inp.Report]] = {
    "gap-burning": (Phase.BURNING, GAP),
    "gap-idle": (Phase.IDLE, GAP),
    "gap-bets-open": (Phase.BETS_OPEN, GAP),
    "gap-settling": (Phase.SETTLING, GAP),
    "reconnect-dealing": (Phase.DEALING, inp.LineUp("pty", 2)),
    "reconnect-result": (Phase.RESULT, inp.LineUp("pty", 2)),
}


def in_phase(phase: Phase) -> Driven:
    table = Driven(rules("studio", burn=THREE)).ready()
    if phase is not Phase.BURNING:
        table.cards("2H 3H 4H")
    if phase is Phase.BETS_OPEN:
        table.betting()
    elif phase is Phase.DEALING:
        table.dealing().cards("9H KS")
    elif phase in (Phase.RESULT, Phase.SETTLING):
        table.dealing().cards("9H KS TC 7D")
    if phase is Phase.SETTLING:
        table.ask("confirm_result")
    assert table.state.phase is phase
    return table


@pytest.mark.req("REC-7")
@pytest.mark.parametrize("name", DOUBTFUL)
def test_a_doubtful_stream_asks_for_a_comparison_until_a_person_trusts_it(name: str) -> None:
    phase, report = DOUBTFUL[name]
    table = in_phase(phase)
    before = prompt_for(table.state)
    assert before.note is None
    table.report(report)
    doubted = prompt_for(table.state)
    assert doubted == replace(
        before, note="compare-cards", commands=(*before.commands, "trust_stream")
    )
    table.ask("trust_stream")
    assert prompt_for(table.state) == before


def test_the_first_card_of_a_coup_ends_the_doubt_and_its_note() -> None:
    table = in_phase(Phase.BETS_OPEN)
    table.report(GAP)
    table.expire()
    assert prompt_for(table.state).note == "compare-cards"
    table.report(inp.CardDrawn(Card("9H"), inp.Target.PLAYER, 1))
    assert (table.state.trust, prompt_for(table.state).note) == (Trust.TRUSTED, None)


def test_a_hold_and_manual_mode_need_no_such_note() -> None:
    held = in_phase(Phase.DEALING)
    held.report(GAP)
    assert (held.state.phase, prompt_for(held.state).note) == (Phase.HELD, None)
    manual = in_phase(Phase.BETS_OPEN)
    manual.report(GAP)
    manual.ask("set_manual_mode")
    assert prompt_for(manual.state).note is None
