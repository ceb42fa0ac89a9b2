# SPDX-License-Identifier: Apache-2.0
"""How far the shoe's stream is trusted, and what each report that moves no card does."""

import pytest

from studio.game import events as ev
from studio.game import inputs as inp
from studio.game.cards import Card
from studio.game.coup import Outcome
from studio.game.events import Trust
from studio.game.house import Burn, BurnRule, ResultEntry
from studio.game.inputs import CardDrawn, LineLost, LineUp, OpenBets, Target, TrustStream
from studio.game.prompts import prompt_for
from studio.game.state import Phase, timer_of
from tests.game.table_driver import BY, WHY, Driven, names_of, plain_house

LOST = LineLost("pty", "closed", "end of file")
GAP = inp.SequenceGap("3", "5")
BAD = inp.FrameRejected("checksum")
MOVES_NOTHING = (
    inp.ShoeStarted(),
    inp.ShoeStandby(),
    inp.ResultReported(Outcome.PLAYER),
    inp.FaultReported(inp.FaultKind.OTHER, 1, latched=False),
    inp.FaultCleared(1),
    inp.LockChanged(locked=True),
    inp.SettingChanged("01", "08"),
    inp.UnknownReport("Z"),
    inp.FrameRejected("noise"),
    inp.CommandAnswered("nak", "02"),
)


def suspect(table: Driven) -> Driven:
    table.report(LOST)
    table.report(LineUp("pty", 2))
    assert table.state.trust is Trust.SUSPECT
    return table


@pytest.mark.parametrize("report", MOVES_NOTHING, ids=lambda report: type(report).__name__)
@pytest.mark.parametrize("is_trusted", [True, False])
def test_a_report_that_moves_nothing_is_kept_as_evidence(
    report: inp.Report, is_trusted: bool
) -> None:
    table = Driven().ready()
    if not is_trusted:
        suspect(table)
    events = table.report(report)
    assert names_of(events) == ["ShoeNoted"]
    (noted,) = events
    assert isinstance(noted, ev.ShoeNoted)
    assert noted.report == report


def test_every_report_leaves_a_trace_with_its_place_in_the_session() -> None:
    reports = (
        *MOVES_NOTHING, LOST, GAP, BAD, LineUp("pty", 2), CardDrawn(Card("9H")),
        inp.CardUnreadable("no read"), inp.CardRepeated(Card("9H")), inp.CutCardDrawn(),
    )  # fmt: skip
    for report in reports:
        for table in (Driven(), Driven().ready(), Driven().betting(), Driven().dealing()):
            before = table.state.ordinal
            table.report(report)
            assert table.state.ordinal == before + 1, report


@pytest.mark.req("COM-6")
@pytest.mark.parametrize("codes", ["", "9H", "9H KS TC 7D"])
def test_a_line_lost_in_mid_round_neither_ends_nor_voids_it(codes: str) -> None:
    table = Driven().dealing()
    table.cards(codes)
    before = table.state.phase
    assert names_of(table.report(LOST)) == ["ShoeNoted", "StreamChanged"]
    assert (table.state.phase, table.state.trust) == (before, Trust.LOST)
    assert names_of(table.report(LOST)) == ["ShoeNoted"]
    assert names_of(table.report(LineUp("pty", 2))) == ["ShoeNoted", "StreamChanged"]
    assert (table.state.phase, table.state.trust) == (before, Trust.SUSPECT)


@pytest.mark.req("COM-6")
def test_a_line_lost_while_bets_are_open_leaves_them_open() -> None:
    table = Driven().betting()
    table.report(LOST)
    armed = timer_of(table.state)
    assert armed is not None
    assert armed.name == "bets"
    table.report(LineUp("pty", 2))
    table.expire()
    assert table.state.phase is Phase.DEALING


def test_a_table_without_a_line_asks_for_no_card_and_opens_no_bets() -> None:
    table = Driven().ready()
    table.report(LOST)
    assert table.refused(OpenBets(by=BY)) == "shoe_line_down"
    assert prompt_for(table.state).code == "shoe-line-down"
    dealing = Driven().dealing()
    dealing.report(LOST)
    assert prompt_for(dealing.state).commands == ("void_round", "set_manual_mode")
    assert not prompt_for(dealing.state).pull


def test_a_line_without_a_shoe_is_trusted_from_the_beginning() -> None:
    table = Driven()
    assert table.state.trust is Trust.LOST
    table.report(LineUp("pty", 1))
    assert table.state.trust is Trust.TRUSTED


def test_a_first_card_of_player_by_the_shoes_own_count_is_a_boundary() -> None:
    table = suspect(Driven().dealing())
    events = table.card("9H", Target.PLAYER, 1)
    assert names_of(events) == ["StreamChanged", "CardDealt"]
    assert table.state.trust is Trust.TRUSTED


@pytest.mark.parametrize(
    "target, index", [(Target.NONE, None), (Target.PLAYER, None), (Target.BURN, 1)]
)
def test_any_other_first_card_is_no_boundary(target: Target, index: int | None) -> None:
    table = suspect(Driven().dealing())
    assert names_of(table.card("9H", target, index)) == ["CardDealt"]
    assert table.state.trust is Trust.SUSPECT


@pytest.mark.req("REC-7")
@pytest.mark.parametrize(
    "target, index", [(Target.PLAYER, 1), (Target.BANKER, 2), (Target.PLAYER, 2)]
)
def test_a_card_that_a_doubtful_shoe_counts_elsewhere_holds_the_round(
    target: Target, index: int
) -> None:
    table = Driven().dealing()
    table.card("9H", Target.PLAYER, 1)
    suspect(table)
    table.card("KS", target, index)
    assert table.state.hold is not None
    assert [raised.code for raised in table.state.hold.raised] == ["frame-lost"]
    assert table.state.banker == ()
    table.rule("void")


def test_a_card_that_a_doubtful_shoe_counts_as_the_table_does_is_dealt() -> None:
    table = Driven().dealing()
    table.card("9H", Target.PLAYER, 1)
    suspect(table)
    assert names_of(table.card("KS", Target.BANKER, 1)) == ["CardDealt"]
    assert table.state.trust is Trust.SUSPECT


def test_a_start_and_a_standby_outside_a_round_are_a_boundary() -> None:
    table = suspect(Driven().ready())
    assert names_of(table.report(inp.ShoeStandby())) == ["ShoeNoted"]
    table.report(inp.ShoeStarted())
    assert names_of(table.report(inp.ShoeStandby())) == ["ShoeNoted", "StreamChanged"]
    assert table.state.trust is Trust.TRUSTED


def test_a_start_and_a_standby_in_mid_round_are_none() -> None:
    table = Driven().dealing()
    table.card("9H")
    assert names_of(table.report(inp.ShoeStarted())) == ["ShoeNoted", "StreamChanged"]
    assert table.state.trust is Trust.SUSPECT
    assert names_of(table.report(inp.ShoeStandby())) == ["ShoeNoted"]
    assert table.state.trust is Trust.SUSPECT


def test_a_start_without_a_line_changes_no_trust() -> None:
    table = Driven().dealing()
    table.report(LOST)
    assert names_of(table.report(inp.ShoeStarted())) == ["ShoeNoted"]
    assert table.state.trust is Trust.LOST


@pytest.mark.req("REC-7")
@pytest.mark.parametrize("codes", ["", "9H KS TC 7D"])
def test_a_gap_while_cards_may_be_out_holds_the_round(codes: str) -> None:
    table = Driven().dealing()
    table.cards(codes)
    assert names_of(table.report(GAP)) == [
        "ShoeNoted",
        "StreamChanged",
        "IrregularityRaised",
        "RoundHeld",
    ]
    assert table.state.phase is Phase.HELD
    assert table.state.trust is Trust.SUSPECT


def test_a_gap_between_rounds_makes_the_stream_suspect_only() -> None:
    table = Driven().ready()
    assert names_of(table.report(GAP)) == ["ShoeNoted", "StreamChanged"]
    assert (table.state.phase, table.state.trust) == (Phase.IDLE, Trust.SUSPECT)


@pytest.mark.req("REC-6")
@pytest.mark.parametrize("reason", ["checksum", "no_end", "overlong"])
def test_a_garbled_frame_is_forgiven_by_the_next_report_in_sequence(reason: str) -> None:
    table = Driven().dealing()
    assert names_of(table.report(inp.FrameRejected(reason))) == ["ShoeNoted", "StreamChanged"]
    assert table.state.trust is Trust.SUSPECT
    assert names_of(table.report(BAD)) == ["ShoeNoted"]
    assert names_of(table.card("9H")) == ["StreamChanged", "CardDealt"]
    assert table.state.trust is Trust.TRUSTED


@pytest.mark.req("REC-6")
def test_a_report_that_made_no_sense_is_not_forgiven_because_it_had_its_place() -> None:
    senseless = inp.FrameRejected("bad_field")
    table = Driven().dealing()
    assert names_of(table.report(senseless)) == ["ShoeNoted", "StreamChanged"]
    assert names_of(table.card("9H")) == ["CardDealt"]
    assert table.state.trust is Trust.SUSPECT
    garbled_too = Driven().dealing()
    garbled_too.report(BAD)
    garbled_too.report(senseless)
    garbled_too.card("9H")
    assert garbled_too.state.trust is Trust.SUSPECT
    doubted = suspect(Driven().dealing())
    assert names_of(doubted.report(senseless)) == ["ShoeNoted"]


def test_a_garbled_frame_is_not_forgiven_by_a_gap_or_without_a_sequence() -> None:
    table = Driven().ready()
    table.report(BAD)
    table.report(inp.LockChanged(locked=True), seq=None)
    assert table.state.trust is Trust.SUSPECT
    table.report(GAP)
    table.report(inp.LockChanged(locked=True))
    assert table.state.trust is Trust.SUSPECT


def test_noise_between_frames_is_harmless_and_so_is_a_garbled_frame_without_trust() -> None:
    table = Driven().dealing()
    assert names_of(table.report(inp.FrameRejected("noise"))) == ["ShoeNoted"]
    assert table.state.trust is Trust.TRUSTED
    suspect(table)
    assert names_of(table.report(BAD)) == ["ShoeNoted"]


def test_a_person_may_trust_the_stream_with_a_reason() -> None:
    table = Driven().ready()
    assert table.refused(TrustStream(by=BY, reason=WHY)) == "already_trusted"
    table.report(LOST)
    assert table.refused(TrustStream(by=BY, reason=WHY)) == "shoe_line_down"
    table.report(LineUp("pty", 2))
    assert table.refused(TrustStream(by=BY, reason="")) == "reason_missing"
    (changed,) = table.give(TrustStream(by=BY, reason=WHY))
    assert isinstance(changed, ev.StreamChanged)
    assert (changed.trust, changed.by) == (Trust.TRUSTED, BY)


def test_a_doubtful_stream_leaves_the_result_to_a_person() -> None:
    table = Driven(plain_house(result_entry=ResultEntry.AUTO)).dealing()
    table.card("9H")
    suspect(table)
    table.cards("KS TC 7D")
    assert table.state.phase is Phase.RESULT
    table.ask("confirm_result")


def test_a_repeat_of_the_last_card_is_no_card() -> None:
    table = Driven().dealing()
    table.card("9H")
    assert names_of(table.report(inp.CardRepeated(Card("9H")))) == ["ShoeNoted"]
    assert table.state.cards_out == 1


def test_a_repeat_of_another_card_holds_the_round() -> None:
    for last, again in (("9H", "KS"), ("9H", None)):
        table = Driven().dealing()
        table.card(last)
        table.report(inp.CardRepeated(None if again is None else Card(again)))
        assert table.state.hold is not None
        assert table.state.hold.raised[0].code == "repeat-mismatch"
    table = Driven().dealing()
    table.report(inp.CardRepeated(Card("9H")))
    assert table.state.hold is not None
    assert "is none" in table.state.hold.raised[0].detail


def test_a_repeat_of_a_card_that_was_not_read_agrees_with_it() -> None:
    table = Driven().dealing()
    table.unread()
    assert names_of(table.report(inp.CardRepeated(None))) == ["ShoeNoted"]


def test_repeats_and_faults_outside_a_coup_are_noted() -> None:
    table = Driven().played()
    table.ask("close_round")
    fault = inp.FaultReported(inp.FaultKind.DRAW_TIMEOUT, 5, latched=False)
    for report in (inp.CardRepeated(table.state.last_card), fault):
        assert names_of(table.report(report)) == ["ShoeNoted"]


@pytest.mark.parametrize("when", ["burning", "idle", "betting", "settling"])
def test_a_repeat_that_is_not_of_the_last_card_is_asked_about_outside_a_coup_too(when: str) -> None:
    burn = Burn(BurnRule.FIXED if when == "burning" else BurnRule.NONE, 2)
    table = Driven(plain_house(burn=burn))
    match when:
        case "burning":
            table.report(LineUp("pty", 1), None)
            table.ask("open_table")
            table.ask("load_shoe")
            table.card("3H")
        case "idle":
            table.ready()
        case "betting":
            table.betting()
        case _:
            table.played()
    assert names_of(table.report(inp.CardRepeated(Card("QH")))) == ["ShoeNoted", "StreamChanged"]
    assert (table.state.trust, prompt_for(table.state).note) == (Trust.SUSPECT, "compare-cards")


@pytest.mark.req("COM-3")
def test_a_restart_knows_nothing_of_the_line() -> None:
    table = Driven().dealing()
    table.card("9H")
    assert names_of(table.restart()) == ["ServiceRestarted", "StreamChanged"]
    assert table.state.trust is Trust.LOST
    assert table.state.player == (Card("9H"),)
    assert names_of(table.restart()) == ["ServiceRestarted"]
