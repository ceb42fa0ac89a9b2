# SPDX-License-Identifier: Apache-2.0
"""For every irregularity in every house: raised when it happens, and every way out of it."""

import pytest

from studio.game import events as ev
from studio.game import inputs as inp
from studio.game.cards import Card
from studio.game.coup import Side
from studio.game.inputs import CardDrawn, DeviceMode
from studio.game.irregularities import IRREGULARITIES, REPORTABLE, SeenBy
from studio.game.prompts import prompt_for
from studio.game.state import Phase
from tests.game.houses import NAMES
from tests.game.misdeal_stories import (
    BEFORE,
    COMPLETE,
    STORIES,
    codes_of,
    dealt,
    go_home,
    noted,
    rules,
    told,
)
from tests.game.table_driver import Driven, amendment, names_of

# Rows that hold nothing: what is done about them is shown by the tests below.
NO_HOLD = {
    "cut-card-mid-round",
    "cut-card-first",
    "burn-on-relief",
    "double-read",
    "result-not-confirmed",
    "start-not-pressed",
    "found-after-next",
}


@pytest.mark.req("VOID-1")
def test_every_row_of_the_catalogue_has_its_stories_or_a_reason() -> None:
    nobody = {code for code, row in IRREGULARITIES.items() if row.seen_by is SeenBy.NOBODY}
    assert set(STORIES) | NO_HOLD | nobody == set(IRREGULARITIES)
    assert not (set(STORIES) & (NO_HOLD | nobody))
    for code, row in IRREGULARITIES.items():
        assert code == row.code
        assert row.what.endswith(".")
        assert row.ids
        assert (row.seen_by is SeenBy.NOBODY) == bool(row.why)


def test_the_catalogue_has_the_names_of_the_trade_and_what_is_no_part_of_the_system() -> None:
    others = {code: row.ids for code, row in IRREGULARITIES.items() if row.ids != (code,)}
    assert others == {
        "third-to-wrong-hand": ("third-to-wrong-hand", "wrong-box-scanned-ok"),
        "initial-order": ("initial-order-PPBB", "initial-order-BPBP"),
        "duplicate-card": ("duplicate",),
    }
    nobody = {code for code, row in IRREGULARITIES.items() if row.seen_by is SeenBy.NOBODY}
    assert nobody == {"player-call-wrong", "late-bet", "link-lost", "demo-with-bets"}


@pytest.mark.parametrize("code", STORIES)
def test_what_a_person_must_note_is_raised_by_a_note_and_the_rest_without(code: str) -> None:
    happens, _ = STORIES[code]
    is_noted = "CardNoted" in happens(rules("studio")).names()
    # what was said may also be taken back
    assert is_noted is (IRREGULARITIES[code].seen_by is SeenBy.NOTE or code == "said-otherwise")


@pytest.mark.req("VOID-1", "REC-7")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("code", STORIES)
def test_it_is_raised_when_it_happens_and_not_when_it_almost_does(code: str, name: str) -> None:
    happens, almost = STORIES[code]
    assert code in codes_of(happens(rules(name)))
    assert code not in codes_of(almost(rules(name)))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("code", STORIES)
def test_every_remedy_that_is_offered_ends_the_hold_and_the_round_goes_home(
    code: str, name: str
) -> None:
    happens, _ = STORIES[code]
    offered = prompt_for(happens(rules(name)).state).remedies
    assert offered
    for remedy in offered:
        table = happens(rules(name))
        table.rule(remedy)
        assert table.state.hold is None
        if remedy == "void":
            assert table.state.phase is Phase.SETTLING
            assert table.state.results[-1].outcome is None
        if not table.state.is_shoe_over:
            go_home(table)


@pytest.mark.parametrize("code", STORIES)
def test_players_learn_of_a_hold_once_and_in_one_word(code: str) -> None:
    table = STORIES[code][0](rules("studio"))
    told_since = [type(one.event).__name__ for one in table.log if one.seq > _ruled_last(table)]
    assert sum(name in {"RoundHeld", "TableSuspended"} for name in told_since) == 1


def _ruled_last(table: Driven) -> int:
    rulings = [one.seq for one in table.log if isinstance(one.event, ev.IrregularityResolved)]
    return max(rulings, default=0)


@pytest.mark.req("REC-7")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("before", BEFORE)
def test_whatever_the_shoe_says_of_the_next_card_holds_the_coup_at_every_position(
    before: str, name: str
) -> None:
    reports: dict[str, inp.Report] = {
        "misscan-none": inp.CardUnreadable("no read"),
        "card-out-of-game": CardDrawn(Card("JC"), in_game=False, mode=DeviceMode.ERROR),
        "shoe-failure": inp.FaultReported(inp.FaultKind.OTHER, 1, latched=True),
        "frame-lost": inp.SequenceGap("1", "3"),
        "repeat-mismatch": inp.CardRepeated(Card("JC")),
    }
    for code, report in reports.items():
        table = told(rules(name), report, before)
        assert codes_of(table) == [code]
        go_home(table)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("codes", [*BEFORE[1:], *COMPLETE])
def test_whatever_people_say_of_the_last_card_holds_the_coup_at_every_position(
    codes: str, name: str
) -> None:
    for code, said in {"face-up-in-shoe": {"face_up": True}, "double-pull": {"stuck": True},
                       "card-before-close": {"early": True}}.items():  # fmt: skip
        table = noted(rules(name), codes, **said)
        assert codes_of(table)[0] == code
        go_home(table)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_each_of_the_first_four_cards_can_lie_in_the_wrong_box(number: int, name: str) -> None:
    wrong = Side.BANKER if number % 2 else Side.PLAYER
    table = dealt(rules(name), COMPLETE[0])
    table.ask("note_card", number=number, at=wrong)
    assert codes_of(table) == ["initial-order"]
    assert prompt_for(table.state).remedies == ("release", "void")
    go_home(table)
    assert table.state.results[-1].outcome is not None


@pytest.mark.parametrize("codes", COMPLETE)
@pytest.mark.parametrize("name", NAMES)
def test_up_to_three_cards_too_many_leave_the_result_as_it_was(name: str, codes: str) -> None:
    table = dealt(rules(name), codes)
    due = table.state.outcome
    for surplus in ("3D", "4D", "5D"):
        table.card(surplus)
    assert len(codes_of(table)) == 3
    assert prompt_for(table.state).remedies == ("reconstruct", "void")
    go_home(table)
    results = [one.event for one in table.log if isinstance(one.event, ev.ResultConfirmed)]
    assert [one.outcome for one in results] == [due]
    assert len(results[0].player + results[0].banker) == len(codes.split())


@pytest.mark.parametrize("code", REPORTABLE)
def test_what_is_reported_between_two_rounds_holds_the_table_until_it_is_released(
    code: str,
) -> None:
    table = Driven(rules("studio")).ready()
    table.ask("report_irregularity", code=code)
    assert codes_of(table) == [code]
    assert prompt_for(table.state).remedies == ("release",)
    of_the_shoe = {
        "foreign-card": ["ShoeStopped"],
        "unshuffled-shoe": ["ShoeStopped"],
        "cut-card-missed": ["CutCardSeen"],
    }
    told = ["IrregularityResolved", "TableResumed", *of_the_shoe.get(code, ())]
    assert names_of(table.rule("release")) == told
    assert table.state.phase is Phase.IDLE


@pytest.mark.req("RND-4")
def test_what_is_reported_while_bets_are_open_closes_them_first() -> None:
    table = Driven(rules("studio")).betting()
    events = table.ask("report_irregularity", code="card-on-floor")
    assert names_of(events) == ["BetsClosed", "IrregularityRaised", "RoundHeld"]
    table.rule("release")
    assert table.state.phase is Phase.DEALING


@pytest.mark.parametrize("code", ["foreign-card", "unshuffled-shoe"])
def test_what_is_beyond_mending_leaves_only_a_void(code: str) -> None:
    table = dealt(rules("venezia"))
    table.ask("report_irregularity", code=code)
    assert prompt_for(table.state).remedies == ("void",)


def test_only_what_people_can_see_is_theirs_to_report() -> None:
    table = dealt(rules("studio"))
    for code in ("misscan-none", "face-up-in-shoe", "link-lost", "nothing"):
        asked = inp.ReportIrregularity(by="s-1", code=code, detail="")
        assert table.refused(asked) == "not_reportable"
    nothing = Driven(rules("studio"))
    asked = inp.ReportIrregularity(by="s-1", code="card-lost", detail="")
    assert nothing.refused(asked) == "not_now"


def test_the_cut_card_holds_nothing_wherever_it_comes() -> None:
    for table in (dealt(rules("venezia")), Driven(rules("venezia")).ready()):
        assert names_of(table.report(inp.CutCardDrawn())) == ["CutCardSeen"]
        assert table.state.hold is None


def test_a_card_that_is_reported_twice_counts_once() -> None:
    table = told(rules("studio"), inp.CardRepeated(Card("KS")))
    assert (table.state.cards_out, table.state.hold) == (2, None)


def test_a_result_that_nobody_confirms_waits() -> None:
    table = dealt(rules("studio"), COMPLETE[0])
    assert prompt_for(table.state).code == "confirm-result"


def test_a_card_before_any_key_holds_the_table_until_it_is_burned() -> None:
    table = Driven(rules("studio")).ready()
    table.card("2C")
    assert prompt_for(table.state).remedies == ("burn",)
    table.rule("burn")
    assert (table.state.burned, table.state.phase) == (1, Phase.IDLE)


def test_a_card_is_burned_for_a_new_dealer_and_takes_no_position() -> None:
    table = Driven(rules("studio")).played()
    table.ask("change_dealer")
    assert names_of(table.ask("burn_cards", count=1)) == ["RoundClosed", "BurnOrdered"]
    assert prompt_for(table.state).code == "burn-cards"
    assert names_of(table.card("2C")) == ["CardBurned", "BurnCompleted"]
    go_home(table)


def test_what_is_found_after_the_next_round_began_is_amended() -> None:
    table = Driven(rules("studio")).played()
    first = table.state.round or ""
    table.dealing().cards("2H KS")
    assert names_of(table.ask("amend_round", **amendment(first))) == ["ResultAmended"]
    go_home(table)
