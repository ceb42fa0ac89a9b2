# SPDX-License-Identifier: Apache-2.0
"""Held, ruled, and released or reconstructed: what the feed carries, message by message."""

import pytest
from msgspec.structs import replace

from studio.game import events as ev
from studio.game import inputs as inp
from studio.game.cards import Card
from studio.game.coup import Outcome, Side
from studio.game.events import Source
from studio.game.holds import Move, judgement_of, proposals_of
from studio.game.house import House
from studio.game.prompts import prompt_for
from studio.game.snapshot import public_state, staff_state
from studio.game.state import Phase
from tests.game.houses import NAMES
from tests.game.misdeal_stories import audited, codes_of, dealt, go_home, noted, rules
from tests.game.table_audit import public_cards
from tests.game.table_driver import BY, SECOND, WHY, Driven, hand, names_of, ruling_for


def public(table: Driven, since: int = 0) -> list[str]:
    """The public messages after event ``since``, with what they say of cards."""
    lines = []
    for recorded in table.log[since:]:
        event = recorded.event
        if event.PUBLIC is None:
            continue
        words = [str(event.__struct_config__.tag)]
        words += [card.value for card in public_cards(event)]
        words += [event.text] if hasattr(event, "text") else []
        lines.append(" ".join(words))
    return lines


def test_a_wrong_box_shows_nothing_new_and_the_coup_goes_on() -> None:
    table = dealt(rules("venezia"), "2H KS")
    since = len(table.log)
    table.ask("note_card", number=2, at=Side.PLAYER)
    (release, _) = proposals_of(table.state)
    assert release.moves == (Move(2, Card("KS"), Side.PLAYER, release.moves[0].position),)
    assert release.moves[0].position.value == "B1"
    table.rule("release")
    table.card("5C")
    assert public(table, since) == [
        "round_held",
        "round_released nothing-changed",
        "card_dealt 5C",
    ]


def test_a_misread_card_replaces_the_hands_and_what_finishes_the_coup_follows() -> None:
    table = dealt(rules("venezia"), "9H KS TC 7D")
    since = len(table.log)
    table.ask("correct_card", number=1, card=Card("2H"))
    assert codes_of(table) == ["misread"]
    table.rule("reconstruct")
    assert prompt_for(table.state).position == "P3"
    table.card("5C")
    assert public(table, since) == [
        "round_held",
        "round_reconstructed 2H TC KS 7D rebuilt-by-tableau",
        "card_dealt 5C",
    ]
    (noted_,) = [one.event for one in table.log if isinstance(one.event, ev.CardCorrected)]
    assert (noted_.read, noted_.card, noted_.by, noted_.second) == ("9H", "2H", BY, SECOND)
    go_home(table)


def test_a_correction_can_leave_cards_over_that_viewers_saw() -> None:
    table = dealt(rules("venezia"), "2H KS TC 7D 5C")
    since = len(table.log)
    table.ask("correct_card", number=1, card=Card("9H"))
    table.rule("reconstruct")
    assert public(table, since) == [
        "round_held",
        "round_reconstructed 9H TC KS 7D 5C rebuilt-by-tableau",
    ]
    assert (table.state.phase, table.state.outcome) == (Phase.RESULT, Outcome.PLAYER)
    shown = public_state(table.state)
    assert (shown.player_total, shown.banker_total, shown.cards_out) == (9, 7, 5)
    go_home(table)


def test_cards_drawn_in_a_hold_are_hidden_and_follow_one_by_one() -> None:
    table = dealt(rules("venezia"), "2H KS")
    since = len(table.log)
    table.unread()
    table.cards("7D 5C")
    hidden = public(table, since)
    assert hidden == ["round_held"]
    table.ask("enter_card", number=3, card=Card("TC"))
    table.rule("release")
    assert public(table, since)[1:] == [
        "round_released nothing-changed",
        "card_dealt TC",
        "card_dealt 7D",
        "card_dealt 5C",
    ]
    assert [one.source for one in table.log[-4:]] == [Source.MANUAL, Source.SHOE, Source.SHOE,
                                                      Source.MANUAL]  # fmt: skip
    assert isinstance(table.log[-1].event, ev.ResultDeclared)
    go_home(table)


def test_a_face_up_card_is_told_as_set_aside_by_a_house_that_removes_it() -> None:
    table = noted(rules("venezia"), "TD 6S 4H", face_up=True)
    table.rule("reconstruct")
    assert public(table)[-2:] == [
        "round_held",
        "round_reconstructed TD 6S 4H rebuilt-by-tableau",
    ]
    table.cards("5H 2C")
    assert (table.state.phase, table.state.outcome) == (Phase.RESULT, Outcome.BANKER)
    kept = noted(rules("macau"), "TD 6S 4H", face_up=True)
    kept.rule("release")
    kept.cards("5H 2C 9D")
    assert kept.state.outcome is Outcome.PLAYER
    for one in (table, kept):
        go_home(one)


@pytest.mark.req("RND-4")
@pytest.mark.parametrize("name", NAMES)
def test_a_card_drawn_while_bets_are_open_is_played_or_burned_and_never_told_before(
    name: str,
) -> None:
    rule = rules(name)
    table = Driven(rule).betting()
    since = len(table.log)
    table.card("9H")
    assert public(table, since) == ["bets_closed", "round_held"]
    assert public_state(table.state).player == ()
    first = prompt_for(table.state).remedies[0]
    table.rule(first)
    if rule.early_card == "play":
        assert first == "release"
        assert public(table, since)[2:] == ["round_released nothing-changed", "card_dealt 9H"]
    else:
        assert first == "reconstruct"
        assert public(table, since)[2:] == ["round_released nothing-changed"]
        assert prompt_for(table.state).position == "P1"
    go_home(table)


@pytest.mark.parametrize("name", NAMES)
def test_where_the_house_voids_for_an_early_card_nothing_else_can_be_ruled(name: str) -> None:
    table = Driven(rules(name, early_card="void")).betting()
    since = len(table.log)
    table.card("9H")
    assert prompt_for(table.state).remedies == ("void",)
    table.rule("void")
    told = ["bets_closed", "round_held", "round_voided round-voided"]
    assert public(table, since) == told
    go_home(table)
    said = dealt(rules(name, early_card="void"), "2H KS")
    said.ask("note_card", early=True)
    assert prompt_for(said.state).remedies == ("void",)
    go_home(said)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("code", ["misscan-none", "foreign-card"])
def test_a_void_from_a_hold_gives_back_the_stakes_and_shows_nothing(code: str, name: str) -> None:
    table = dealt(rules(name), "2H KS")
    since = len(table.log)
    if code == "misscan-none":
        table.unread()
    else:
        table.ask("report_irregularity", code=code)
    table.card("7D")
    table.rule("void")
    assert public(table, since) == ["round_held", "round_voided 2H KS round-voided"]
    go_home(table)


# --- who rules, and on what ----------------------------------------------------------------------


def held(rule: House | None = None) -> Driven:
    """A table held by a surplus card."""
    return dealt(rule or rules("venezia"), "9H KS TC 7D 2C")


@pytest.mark.req("VOID-2")
def test_a_ruling_is_bound_to_the_round_its_cards_and_the_proposal() -> None:
    table = held()
    old = ruling_for(table.state)
    other = ruling_for(table.state, "void")
    mixed = inp.RuleHold(by=BY, **{**old, "bound_to": other["bound_to"]})
    assert table.refused(mixed) == "stale"
    assert table.refused(inp.RuleHold(by=BY, **{**old, "bound_to": ""})) == "stale"
    table.card("3C")
    assert table.refused(inp.RuleHold(by=BY, **old)) == "stale"
    now = ruling_for(table.state)
    table.ask("note_card", number=6, unseen=True)
    assert table.refused(inp.RuleHold(by=BY, **now)) == "stale"
    last = inp.RuleHold(by=BY, **ruling_for(table.state))
    table.give(last)
    assert table.refused(last) == "not_held"
    table.card("4C")
    assert table.refused(last) == "stale"
    go_home(table)


def test_the_same_cards_in_another_round_take_another_ruling() -> None:
    table = held()
    old = inp.RuleHold(by=BY, **ruling_for(table.state))
    go_home(table)
    table.dealing().cards("9H KS TC 7D 2C")
    assert table.refused(old) == "stale"


@pytest.mark.req("VOID-2")
@pytest.mark.parametrize("asks", ["rule_hold", "reconstruct"])
def test_a_house_may_want_two_people_and_they_must_be_two(asks: str) -> None:
    table = held(rules("venezia", second_person=(asks,)))
    said = inp.RuleHold(by=BY, **ruling_for(table.state))
    assert proposals_of(table.state)[0].needs_second
    assert table.refused(replace(said, second=None)) == "second_missing"
    assert table.refused(replace(said, second=" ")) == "second_missing"
    assert table.refused(replace(said, second=BY)) == "same_person"
    table.give(said)
    (resolved,) = [one.event for one in table.log if isinstance(one.event, ev.IrregularityResolved)]
    assert (resolved.by, resolved.second, resolved.reason) == (BY, SECOND, WHY)


def test_a_void_by_command_wants_two_people_where_the_house_does() -> None:
    table = dealt(rules("venezia", second_person=("void_round",)))
    said = inp.VoidRound(by=BY, round=table.state.round or "", reason=WHY)
    assert table.refused(said) == "second_missing"
    assert table.refused(replace(said, second=BY)) == "same_person"
    table.give(replace(said, second=SECOND))
    assert table.state.phase is Phase.SETTLING


def test_staff_see_what_each_ruling_leads_to_and_the_reads_it_rests_on() -> None:
    table = held()
    told = staff_state(table.state)
    first, void = told.proposals
    assert (first.remedy, void.remedy) == ("reconstruct", "void")
    assert (first.player, first.banker) == (hand("9H TC"), hand("KS 7D"))
    assert (first.player_total, first.banker_total, first.outcome, first.next) == (
        9, 7, Outcome.PLAYER, None,
    )  # fmt: skip
    assert [(one.number, one.card, one.remedy) for one in first.surplus] == [(5, "2C", "burn")]
    assert [one.fact.card for one in told.evidence] == [*hand("9H KS TC 7D 2C")]
    assert all(one.origin is not None and one.origin.raw for one in told.evidence)
    assert first.bound_to != void.bound_to


# --- notes, entries and corrections --------------------------------------------------------------


@pytest.mark.req("MAN-5")
def test_a_card_that_was_not_read_is_entered_once_by_two_people() -> None:
    table = dealt(rules("studio"), "2H KS")
    table.unread()
    said = inp.EnterCard(by=BY, number=3, card=Card("TC"), second=SECOND)
    assert table.refused(replace(said, second=BY)) == "same_person"
    assert table.refused(replace(said, second="")) == "second_missing"
    assert table.refused(replace(said, number=2)) == "was_read"
    assert table.refused(replace(said, number=4)) == "no_such_card"
    assert table.refused(replace(said, number=0)) == "no_such_card"
    table.give(said)
    assert table.refused(said) == "entered_already"
    assert prompt_for(table.state).code == "held"
    table.rule("release")
    assert table.state.player == hand("2H TC")


def test_a_card_is_added_to_a_held_coup_only() -> None:
    table = dealt(rules("studio"), "2H KS")
    said = inp.EnterCard(by=BY, number=3, card=Card("TC"), second=SECOND, missing=True)
    assert table.refused(said) == "not_held"
    assert Driven(rules("studio")).ready().refused(said) == "no_coup"


def test_a_correction_is_of_a_known_card_and_changes_it() -> None:
    table = dealt(rules("studio"), "2H KS")
    said = inp.CorrectCard(by=BY, number=2, card=Card("QS"), second=SECOND)
    assert table.refused(replace(said, card=Card("KS"))) == "unchanged"
    assert table.refused(replace(said, second=BY)) == "same_person"
    assert table.refused(replace(said, number=3)) == "no_such_card"
    table.unread()
    assert table.refused(replace(said, number=3)) == "not_read"
    table.give(said)
    assert table.state.copies["QS"] == 1
    assert not table.state.copies["KS"]


def test_a_card_that_players_were_shown_cannot_be_unseen_any_more() -> None:
    table = held(rules("atlantic-city"))
    table.rule("reconstruct")
    said = inp.NoteCard(by=BY, number=5, unseen=True)
    assert table.refused(said) == "was_shown"
    assert names_of(table.give(replace(said, unseen=False, at=Side.PLAYER))) == ["CardNoted"]


def test_what_is_said_of_a_card_before_the_ruling_holds_no_second_time() -> None:
    table = dealt(rules("studio"), "2H KS")
    table.ask("note_card", number=2, at=Side.PLAYER)
    table.rule("release")
    assert names_of(table.ask("note_card", number=2, at=Side.PLAYER)) == ["CardNoted"]
    assert names_of(table.ask("note_card", number=1, at=Side.PLAYER)) == ["CardNoted"]
    go_home(table)


def test_a_call_that_a_correction_made_right_can_be_wrong_a_second_time() -> None:
    table = dealt(rules("studio"), "9H KS TC 7D")
    table.give(inp.ConfirmResult(by=BY, outcome=Outcome.BANKER))
    table.ask("correct_card", number=4, card=Card("9D"))
    table.ask("correct_card", number=1, card=Card("8H"))
    table.rule("reconstruct")
    table.give(inp.ConfirmResult(by=BY, outcome=Outcome.PLAYER))
    assert codes_of(table) == ["wrong-result-announced"]
    audited(table)


def test_the_shoe_is_not_compared_after_a_card_was_removed_until_the_next_coup() -> None:
    table = noted(rules("venezia"), "2H KS", face_up=True)
    table.rule("reconstruct")
    table.report(inp.CardDrawn(Card("TC"), inp.Target.PLAYER, 2))
    table.report(inp.CardDrawn(Card("7D"), inp.Target.BANKER, 2))
    assert table.state.hold is None
    go_home(table)
    table.dealing()
    table.report(inp.CardDrawn(Card("TC"), inp.Target.BANKER, 1))
    assert codes_of(table) == ["shoe-mismatch"]


@pytest.mark.parametrize("codes, seen", [("9H KS TC 7D", "banker"), ("2H KS TC 7D", "banker")])
def test_a_result_that_the_shoe_sees_otherwise_holds_the_round(codes: str, seen: str) -> None:
    table = dealt(rules("venezia"), codes)
    table.report(inp.ResultReported(Outcome(seen)))
    assert codes_of(table) == ["shoe-mismatch"]
    assert table.state.hold is not None
    assert "banker" in table.state.hold.raised[0].detail
    go_home(table)


def test_a_result_that_the_shoe_sees_too_holds_nothing_nor_does_a_forced_end() -> None:
    table = dealt(rules("venezia"), "9H KS TC 7D")
    table.report(inp.ResultReported(Outcome.PLAYER))
    table.report(inp.ResultReported(None))
    assert table.state.hold is None
    table.ask("confirm_result")
    table.report(inp.ResultReported(Outcome.TIE))
    assert codes_of(table) == ["shoe-mismatch"]
    assert table.state.suspended == "misdeal"
    go_home(table)


@pytest.mark.parametrize("name", NAMES)
def test_early_as_a_person_said_is_taken_back_and_as_the_table_saw_it_is_not(name: str) -> None:
    table = dealt(rules(name), "2H KS")
    table.ask("note_card", number=2, early=True)
    assert codes_of(table) == ["card-before-close"]
    table.ask("note_card", number=2, at=Side.BANKER)
    assert table.state.coup_cards[1].early
    (said,) = table.ask("note_card", number=2, early=False)
    assert isinstance(said, ev.CardNoted)
    assert (said.early, said.not_early) == (False, True)
    assert judgement_of(table.state).irregularities == ()
    assert prompt_for(table.state).remedies == ("release", "void")
    table.ask("note_card", number=2, early=True)
    assert [one.code for one in judgement_of(table.state).irregularities] == ["card-before-close"]
    go_home(table)
    seen = Driven(rules(name)).betting()
    seen.card("9H")
    seen.ask("note_card", early=True)
    assert seen.refused(inp.NoteCard(by=BY, number=1, early=False)) == "seen_early"
    go_home(seen)


@pytest.mark.parametrize(
    "first", [{"stuck": True}, {"face_up": True}, {"unseen": True}, {"early": True}], ids=str
)
def test_what_was_said_of_a_card_stays_until_it_is_taken_back(first: dict[str, bool]) -> None:
    table = dealt(rules("studio"), "9H KS TC 7D 2C")
    table.give(inp.NoteCard(by=BY, number=5, **first))
    table.give(inp.NoteCard(by=BY, number=5, at=Side.PLAYER))
    card = table.state.coup_cards[4]
    assert card.at is Side.PLAYER
    assert [getattr(card, name) for name in first] == [True]
    table.give(inp.NoteCard(by=BY, number=5, **dict.fromkeys(first, False)))
    assert [getattr(table.state.coup_cards[4], name) for name in first] == [False]
