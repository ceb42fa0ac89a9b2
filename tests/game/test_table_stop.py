# SPDX-License-Identifier: Apache-2.0
"""A shoe that is not what it should be is stopped: no coup comes from it any more."""

from collections.abc import Callable

import msgspec
import pytest

from studio.game import events as ev
from studio.game import inputs as inp
from studio.game.cards import Card
from studio.game.house import Burn, BurnRule
from studio.game.irregularities import IRREGULARITIES
from studio.game.prompts import prompt_for
from studio.game.snapshot import public_state, staff_state
from studio.game.state import Phase
from studio.wording import languages, load_wording
from studio.words import told
from tests.game.houses import NAMES
from tests.game.misdeal_stories import NATURAL, audited, codes_of, dealt, rules, second_copy
from tests.game.table_driver import BY, Driven, names_of, next_fresh, ruling_for

BAD = ("foreign-card", "unshuffled-shoe")


def stopped(table: Driven, code: str, remedy: str = "void") -> Driven:
    """Somebody names this, and it is ruled on."""
    table.ask("report_irregularity", code=code)
    table.rule(remedy)
    return table


def burning() -> Driven:
    return Driven(rules("studio", burn=Burn(BurnRule.FIXED, 3))).ready()


def free_coup() -> Driven:
    table = Driven(rules("studio")).ready()
    table.ask("open_free_coup")
    table.card("9H")
    return table


def deals_no_more(table: Driven, code: str) -> None:
    """Nothing but the shoe's end is asked for, or taken; another shoe deals."""
    if table.state.phase is Phase.SETTLING:
        assert prompt_for(table.state).commands == ("close_round",)
        assert table.refused(inp.OpenBets(by=BY)) == "shoe_stopped"
        assert table.refused(inp.OpenFreeCoup(by=BY)) == "shoe_stopped"
        table.ask("close_round")
    assert table.state.shoe_stopped == staff_state(table.state).shoe_stopped == code
    prompt = prompt_for(table.state)
    assert (prompt.code, prompt.commands, prompt.pull) == ("end-shoe", ("end_shoe",), False)
    is_idle = table.state.phase is Phase.IDLE
    assert table.refused(inp.OpenBets(by=BY)) == ("shoe_stopped" if is_idle else "not_now")
    assert table.refused(inp.OpenFreeCoup(by=BY)) == ("shoe_stopped" if is_idle else "not_now")
    assert table.refused(inp.BurnCards(by=BY, count=1, reason="x")) == "shoe_stopped"
    table.ask("end_shoe", left=0, accept_mismatch=True, reason="foreign card")
    assert table.state.shoe_stopped is None
    table.ask("load_shoe")
    while table.state.phase is Phase.BURNING:
        table.card(next_fresh(table.state).value)
    table.played()
    audited(table)


@pytest.mark.parametrize("codes", [BAD, BAD[::-1]])
def test_what_was_raised_first_stops_the_shoe(codes: tuple[str, str]) -> None:
    table = dealt(rules("studio"))
    table.ask("report_irregularity", code=codes[0])
    stopped(table, codes[1])
    deals_no_more(table, codes[0])


@pytest.mark.parametrize("code", BAD)
@pytest.mark.parametrize("name", NAMES)
def test_a_foreign_card_or_an_unshuffled_shoe_voids_the_round_and_stops_the_shoe(
    name: str, code: str
) -> None:
    table = stopped(dealt(rules(name)), code)
    (event,) = [one.event for one in table.log if isinstance(one.event, ev.ShoeStopped)]
    assert (event.code, event.by) == (code, BY)
    deals_no_more(table, code)


@pytest.mark.parametrize("name", NAMES)
def test_a_copy_too_many_stops_the_shoe(name: str) -> None:
    table = second_copy(rules(name), 1)
    table.rule("void")
    deals_no_more(table, "duplicate-card")


@pytest.mark.parametrize("name", NAMES)
def test_a_copy_too_many_that_was_a_misread_stops_nothing(name: str) -> None:
    table = second_copy(rules(name), 1)
    table.ask("correct_card", number=2, card=Card("KS"))
    table.rule(prompt_for(table.state).remedies[0])
    assert table.state.shoe_stopped is None
    table.cards("TC 7D")
    table.ask("confirm_result")
    table.betting()
    audited(table)


def test_a_copy_too_many_behind_a_card_that_was_never_read_stops_the_shoe_too() -> None:
    table = dealt(rules("studio", decks=1, cut_card_from_end=12), "9H")
    table.unread()
    table.card("9H")
    assert codes_of(table) == ["misscan-none"]
    table.rule("void")
    deals_no_more(table, "duplicate-card")


@pytest.mark.parametrize(
    "at, remedy",
    [
        (burning, "release"),
        (lambda: Driven(rules("studio")).ready(), "release"),
        (lambda: Driven(rules("studio")).betting(), "void"),
        (lambda: Driven(rules("studio")).dealing(), "void"),
        (lambda: dealt(rules("studio"), NATURAL), "void"),
        (lambda: Driven(rules("studio")).played(), "release"),
        (free_coup, "void"),
    ],
    ids=["burning", "idle", "bets open", "dealing", "result", "settling", "free coup"],
)
@pytest.mark.parametrize("code", BAD)
def test_it_is_stopped_whatever_the_table_was_doing(
    at: Callable[[], Driven], remedy: str, code: str
) -> None:
    deals_no_more(stopped(at(), code, remedy), code)


def test_a_hold_that_is_ended_by_a_void_of_the_round_stops_it_as_well() -> None:
    table = dealt(rules("studio"))
    table.ask("report_irregularity", code="foreign-card")
    table.void()
    deals_no_more(table, "foreign-card")


def test_a_round_that_was_settled_before_stands() -> None:
    table = stopped(Driven(rules("venezia")).played(), "foreign-card", "release")
    table.ask("close_round")
    assert [one.outcome for one in table.state.results] != [None]


def test_a_shoe_is_stopped_once() -> None:
    table = stopped(Driven(rules("studio")).ready(), "foreign-card", "release")
    stopped(table, "unshuffled-shoe", "release")
    assert table.names().count("ShoeStopped") == 1
    assert table.state.shoe_stopped == "foreign-card"


def test_the_shoe_may_be_changed_at_once() -> None:
    table = stopped(dealt(rules("studio")), "foreign-card")
    table.ask("change_shoe")
    assert (table.state.shoe_stopped, table.state.phase) == (None, Phase.IDLE)


def test_after_a_copy_too_many_in_the_burn_no_card_is_asked_for_and_one_that_comes_holds() -> None:
    rule = rules("studio", decks=1, cut_card_from_end=12, burn=Burn(BurnRule.FIXED, 4))
    table = Driven(rule).ready()
    table.cards("2H 2H")
    table.rule("release")
    assert table.state.phase is Phase.BURNING
    prompt = prompt_for(table.state)
    assert (prompt.code, prompt.commands, prompt.pull) == ("end-shoe", ("end_shoe",), False)
    table.card("5C")
    assert codes_of(table) == ["next-card-early"]
    table.rule("burn")
    assert table.state.burned == 3
    deals_no_more(table, "duplicate-card")


@pytest.mark.req("RND-4")
@pytest.mark.parametrize("code", BAD)
def test_players_are_not_told_why(code: str) -> None:
    table = dealt(rules("studio"))
    since = len(table.log)
    stopped(table, code)
    public = [one.event for one in table.log[since:] if one.event.PUBLIC is not None]
    assert names_of(public) == ["RoundHeld", "RoundVoided"]
    table.ask("close_round")
    shown = msgspec.json.encode(public_state(table.state)).decode()
    assert code not in shown
    assert (public_state(table.state).phase, public_state(table.state).suspended) == ("idle", None)


@pytest.mark.parametrize("code", [*BAD, "duplicate-card", "cut-card-missed"])
@pytest.mark.parametrize("language", languages())
def test_the_console_says_why_in_every_language(language: str, code: str) -> None:
    table = stopped(Driven(rules("studio")).ready(), "foreign-card", "release")
    prompt = prompt_for(table.state)
    wording = load_wording(language)
    assert wording.irregularities["foreign-card"].what in told(wording, prompt).note
    assert wording.console.refusals["shoe_stopped"]
    refused = table.refused(inp.OpenBets(by=BY))
    assert refused == "shoe_stopped"
    assert isinstance(table.last, inp.Refusal)
    assert IRREGULARITIES["foreign-card"].what in table.last.text
    other = msgspec.structs.replace(prompt, words={"code": code})
    assert wording.irregularities[code].what in told(wording, other).note


def test_a_ruling_given_for_the_table_before_the_stop_is_stale() -> None:
    table = dealt(rules("studio"))
    table.ask("report_irregularity", code="foreign-card")
    ruling = inp.RuleHold(by=BY, **ruling_for(table.state, "void"))
    table.give(ruling)
    assert table.refused(ruling) == "not_held"


@pytest.mark.parametrize("name", NAMES)
def test_a_shoe_that_people_found_empty_is_stopped_and_counted(name: str) -> None:
    table = dealt(rules(name))
    table.ask("note_shoe_empty")
    table.rule("void")
    table.ask("close_round")
    assert (table.state.shoe_stopped, prompt_for(table.state).code) == (
        "insufficient-cards",
        "end-shoe",
    )
    assert table.refused(inp.OpenBets(by=BY)) == "shoe_stopped"
    assert table.refused(inp.EndShoe(by=BY)) == "count_needed"
    assert table.refused(inp.EndShoe(by=BY, left=0)) == "count_mismatch"
    audited(table)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("remedy", ["release", "void"])
def test_a_shoe_of_which_a_card_is_lost_without_proof_is_changed(name: str, remedy: str) -> None:
    table = dealt(rules(name))
    table.ask("report_irregularity", code="card-lost")
    table.rule(remedy)
    assert table.state.shoe_stopped == ("card-lost" if remedy == "void" else None)
    audited(table)


@pytest.mark.parametrize("remedy", ["release", "void"])
def test_a_card_that_is_lost_in_a_coup_without_bets_stops_the_shoe_if_the_coup_is_given_up(
    remedy: str,
) -> None:
    table = free_coup()
    table.ask("report_irregularity", code="card-lost")
    table.rule(remedy)
    assert table.state.shoe_stopped == ("card-lost" if remedy == "void" else None)
    audited(table)
