# SPDX-License-Identifier: Apache-2.0
"""What the pit shows and what its keys do, without a window: made from tables that were dealt."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from studio.game import inputs as inp
from studio.game.cards import Card
from studio.staff.accounts import Role
from studio.staff.permissions import PERMISSIONS, Grant, grant_of
from studio.wording import languages
from tests.game.misdeal_stories import STORIES
from tests.ui.pit_scenes import (
    ANNA,
    BRUNO,
    PEOPLE,
    busy,
    calm,
    calm_wall,
    claimed,
    doing,
    held,
    owed,
    pit_scenes,
    played,
    rung,
    seen_of,
    speech,
    wall,
)
from ui.pit_view.acts import PIT_ACTS, acts_of, main_act
from ui.pit_view.press import pressed, typed, without_secrets
from ui.pit_view.queue import next_in_queue, waiting_in
from ui.pit_view.seen import Pit
from ui.pit_view.sheets import owed_lines, to_suspend
from ui.pit_view.sounds import cue_of, heard_in
from ui.pit_view.steps import At, Enter, Nothing, Show, StandDown, SuspendAll
from ui.pit_view.tile import pace_of, tile_of
from ui.pit_view.trouble import ROLES, troubles_of
from ui.pit_view.whole import pit_of
from ui.view.acts import label_of, pit_commands
from ui.view.forms import command_tag
from ui.view.model import BandRole
from ui.view.seen import LinkState, LogInRule, PanelKind, Seen
from ui.view.steps import Send, Turn

SCENES = dict(pit_scenes())


def sent(pit: Pit, act: str) -> object:
    """The command that an act sends to the table beside the wall."""
    step = pressed(pit, act, speech())
    assert isinstance(step, At), step
    assert isinstance(step.step, Send), step.step
    return step.step.command


def beside(pit: Pit, seen: Seen) -> Pit:
    """The same wall with that table in the place of the selected one."""
    tables = list(pit.tables)
    tables[pit.selected] = replace(seen, person=pit.person)
    return replace(pit, tables=tuple(tables))


# --- the wall and the queue ----------------------------------------------------------------------


def test_trouble_is_in_the_order_in_which_it_counts_and_the_oldest_comes_first():
    codes = [one.trouble.code for one in waiting_in(busy())]
    assert codes == ["held", "held", "gone", "line", "fault", "called"]
    since = [one.trouble.since for one in waiting_in(busy())[:2]]
    assert since == sorted(since)
    assert codes == sorted(codes, key=list(ROLES).index)


def test_a_table_keeps_its_place_on_the_wall_whatever_happens():
    before, after = pit_of(calm_wall(20), speech()), pit_of(busy(), speech())
    assert [one.table for one in before.tiles] == [one.table for one in after.tiles]
    assert [one.table for one in after.tiles] == [f"BAC-{n}" for n in range(1, 21)]


def test_a_calm_table_is_drawn_the_same_whatever_happens_at_others():
    before, after = pit_of(calm_wall(20), speech()), pit_of(busy(), speech())
    same = [a == b for a, b in zip(before.tiles, after.tiles, strict=True)]
    assert [n for n, one in enumerate(same, 1) if not one] == [3, 8, 9, 11, 14, 17]


def test_a_tile_tells_phase_dealer_round_depth_pace_lines_and_results():
    table = played(4, 12)
    tile = tile_of(seen_of(4, table), speech(), is_selected=False)
    assert (tile.phase, tile.dealer, tile.coup, tile.round) == (
        "SETTLING", "Giulia", "Coup 11", "#0012")  # fmt: skip
    assert tile.drawn == f"{table.state.cards_out}/416"
    assert tile.depth == pytest.approx(table.state.cards_out / 416)
    assert [one.name for one in tile.lamps] == ["SHOE", "FEED"]
    assert tile.outcome in ("player", "banker", "tie")
    assert len(tile.road) + sum(one.ties for one in tile.road) == 12


def test_the_pace_is_that_of_the_rounds_that_were_closed():
    state = seen_of(1, played(1, 6)).state
    assert state is not None
    ends = [state.closed_at[0] + timedelta(seconds=50 * n) for n in range(4)]
    assert pace_of(replace(state, closed_at=tuple(ends)), speech()) == "72/h"
    assert pace_of(replace(state, closed_at=tuple(ends[:1])), speech()) == ""


def test_a_table_whose_service_is_gone_is_trouble_of_its_own_and_cannot_be_told_anything():
    pit = replace(busy(), selected=13)
    tile = pit_of(pit, speech()).tiles[13]
    assert (tile.role, tile.is_veiled, tile.since) == (BandRole.OFF, True, "4:10")
    assert main_act(pit.table) == ""
    assert isinstance(pressed(pit, "suspend_table", speech()), Nothing)
    assert pit.table.table not in {pit.tables[n].table for n in to_suspend(pit)}


def test_no_card_value_is_on_the_wall_or_beside_it_while_bets_can_still_be_placed():
    table = played(4, 8)
    seen = seen_of(4, table)
    assert seen.state is not None
    for name, make in SCENES.items():
        pit = make()
        for one in pit.tables:
            if one.state is None or one.state.public.closes_at is None:
                continue
            view = pit_of(replace(pit, selected=pit.tables.index(one)), speech())
            told = [text for _, text in view.table.lines]
            assert not any(sign in text for text in told for sign in "♠♥♦♣"), name


def test_the_next_in_the_queue_goes_round_and_begins_with_what_waits_longest():
    pit = busy()
    order = [one.place for one in waiting_in(pit)]
    gone_to = []
    for _ in range(len(order) + 1):
        pit = replace(pit, selected=next_in_queue(pit, 1))
        gone_to.append(pit.selected)
    assert gone_to == [*order, order[0]]
    assert next_in_queue(calm_wall(3), 1) == 0


def test_arrows_move_on_the_wall_and_stop_at_its_edge():
    pit = calm_wall(12)
    assert doing(pit, "right", "right", "down").selected == 6
    assert doing(pit, "down", "up").selected == 0
    assert isinstance(pressed(pit, "left", speech(), 4), Nothing)
    assert isinstance(pressed(pit, "up", speech(), 4), Nothing)


# --- what is held --------------------------------------------------------------------------------


def test_what_is_held_is_claimed_by_name_then_ruled():
    pit = beside(calm_wall(4), held(1))
    assert main_act(pit.table) == "claim_hold"
    assert pit_of(pit, speech()).table.claim == "nobody rules yet"
    assert sent(pit, "claim_hold") == inp.ClaimHold(by="s-0002", round=held(1).state.public.round)
    mine = beside(pit, claimed(held(1), "s-0002"))
    assert main_act(mine.table) == "rule_hold"
    assert pit_of(mine, speech()).table.is_mine


def test_what_another_person_claimed_is_taken_over_only_if_that_is_asked_for():
    pit = beside(calm_wall(4), claimed(held(1), "s-0003"))
    assert pit_of(pit, speech()).table.claim == "Bruno rules"
    assert main_act(pit.table) == "take_hold"
    command = sent(pit, "take_hold")
    assert isinstance(command, inp.ClaimHold)
    assert command.take_over


def test_every_read_stands_there_with_its_time_and_its_bytes():
    view = pit_of(beside(calm_wall(4), held(1)), speech()).table
    assert view.held is not None
    assert len(view.held.evidence) == 5
    assert all(one.at and len(one.raw.split()) == 8 for one in view.held.evidence)


@pytest.mark.parametrize("code", STORIES)
def test_what_may_be_ruled_is_the_tables_own_proposals_with_what_follows(code):
    seen = claimed_or_not(code)
    pit = beside(calm_wall(2), seen)
    view = pit_of(pit, speech()).table
    assert seen.state is not None
    assert (view.held is not None) == (seen.state.hold is not None)
    if view.held is not None:
        assert len(view.held.proposals) == len(seen.state.proposals)
        assert all(one.consequence for one in view.held.proposals)


def claimed_or_not(code: str) -> Seen:
    seen = held(1, code)
    is_held = seen.state is not None and seen.state.hold is not None
    return claimed(seen, "s-0002") if is_held else seen


def test_a_ruling_is_bound_to_its_proposal_and_has_the_reason_that_was_chosen_or_typed():
    pit = beside(calm_wall(4), claimed(held(1), "s-0002"))
    first = pit.table.state.proposals[0]
    chosen = sent(doing(pit, "rule_hold", "send"), "pick:video")
    assert isinstance(chosen, inp.RuleHold)
    assert (chosen.bound_to, chosen.reason) == (first.bound_to, "Seen on the video")
    typed_in = doing(pit, "rule_hold", "send", "pick:own", "=wrong box, camera 2")
    own = sent(typed_in, "accept")
    assert isinstance(own, inp.RuleHold)
    assert (own.bound_to, own.reason) == (first.bound_to, "wrong box, camera 2")


def test_a_draft_waits_at_its_table_while_another_one_is_looked_at():
    pit = beside(calm_wall(4), claimed(held(1), "s-0002"))
    begun = doing(pit, "rule_hold", "send", "pick:own", "=half a sen")
    away = doing(begun, "right", "acts")
    assert away.selected == 1
    assert away.table.own.panel.kind is PanelKind.MORE
    back = doing(away, "left")
    assert back.table.own == begun.table.own
    assert sent(doing(back, "=half a sentence"), "accept").reason == "half a sentence"


def test_what_a_second_person_typed_is_in_no_draft():
    pit = doing(calm_wall(3), "amend_round", "send", "=9H 2C KC", "accept", "=KS 7D", "accept")
    asked = doing(pit, "send", "=200", "accept", "=123456")
    panel = without_secrets(asked.table.own).panel
    assert (panel.kind, panel.text, panel.badge) == (PanelKind.SECOND, "", None)


def test_a_hold_that_nobody_claims_rings_the_manager_and_only_where_one_is_logged_in():
    late = rung(held(1, after=30))
    pit = beside(calm_wall(4), late)
    assert pit_of(pit, speech()).header.ring == "MANAGER: NOBODY RULES AT BAC-1"
    assert not heard_in(pit).rings_here
    of_manager = wall(*pit.tables, person=BRUNO)
    assert heard_in(of_manager).rings_here
    assert not heard_in(replace(of_manager, is_locked=True)).rings_here
    taken = beside(of_manager, claimed(late, "s-0003"))
    assert not heard_in(taken).rings_here
    assert pit_of(taken, speech()).header.ring == ""


def test_a_new_hold_and_a_table_that_is_lost_are_heard_once():
    before, after = heard_in(calm_wall(20)), heard_in(busy())
    assert cue_of(before, after) == "held"
    assert cue_of(after, after) == ""
    lost = heard_in(beside(calm_wall(3), replace(calm(1), link=LinkState.GONE)))
    assert cue_of(heard_in(calm_wall(3)), lost) == "lost"


# --- acts with forms -----------------------------------------------------------------------------


def test_a_past_round_is_amended_by_its_cards_and_takes_a_second_person():
    pit = doing(calm_wall(3), "amend_round", "send", "=9h2ckc", "accept", "=KS 10D", "accept")
    step = pressed(pit, "pick:video", speech())
    assert isinstance(step, At)
    assert isinstance(step.step, Turn)
    panel = step.step.own.panel
    assert panel.kind is PanelKind.SECOND
    command = panel.command
    assert isinstance(command, inp.AmendRound)
    assert command.round == pit.table.state.public.results[-1].round
    assert command.player == (Card("9H"), Card("2C"), Card("KC"))
    assert command.banker == (Card("KS"), Card("TD"))


def test_a_past_round_is_void_by_two():
    pit = doing(calm_wall(3), "void_past", "send")
    step = pressed(pit, "pick:staff", speech())
    assert isinstance(step, At)
    panel = step.step.own.panel
    assert panel.command == inp.VoidRound(
        by="s-0002", round=pit.table.state.public.results[-1].round,
        reason="Both saw it happen", second="")  # fmt: skip


@pytest.mark.parametrize("text", ["", "9H", "9H 2C KC 4S", "XX 2C", "9H2"])
def test_what_is_no_hand_is_not_taken_for_one(text):
    pit = doing(calm_wall(3), "amend_round", "send", f"={text}")
    after = doing(pit, "accept")
    assert after.table.own.panel.fault == "bad-hand"


def test_a_round_that_can_be_amended_no_more_is_not_offered():
    late = calm(1)
    pit = beside(calm_wall(2), replace(late, now=late.now + timedelta(days=1)))
    choices = pit_of(doing(pit, "amend_round"), speech()).panel.choices
    assert [one.act for one in choices] == ["pick:other-round"]


def test_a_round_of_an_earlier_shoe_is_named_by_its_number():
    pit = doing(calm_wall(3), "void_past", "pick:other-round", "=bac-1-20261129-0004", "accept")
    step = pressed(pit, "pick:video", speech())
    assert isinstance(step, At)
    assert step.step.own.panel.command.round == "BAC-1-20261129-0004"
    pit = doing(calm_wall(3), "amend_round", "pick:other-round", "=BAC-1-20261129-0004", "accept",
                "=9H 2C KC", "accept", "=KS 7D", "accept", "pick:own", "=seen twice")  # fmt: skip
    step = pressed(pit, "accept", speech())
    command = step.step.own.panel.command
    assert (command.round, command.reason) == ("BAC-1-20261129-0004", "seen twice")
    assert command.player == (Card("9H"), Card("2C"), Card("KC"))


def test_all_tables_are_suspended_by_one_press_that_is_confirmed():
    pit = busy()
    asked = doing(pit, "suspend_all")
    assert pit_of(asked, speech()).panel.title == "Suspend every table?"
    assert isinstance(pressed(asked, "send", speech()), SuspendAll)
    assert len(to_suspend(pit)) == 19
    assert isinstance(pressed(doing(asked, "back"), "send", speech()), Nothing)


def test_which_tables_are_not_suspended_is_told():
    lines = pit_of(SCENES["suspended"](), speech()).panel.lines
    assert lines == ("7 of 8 tables take no bets.", "Still open, or out of reach: BAC-5")


def test_a_table_is_opened_for_a_dealer_who_is_on_duty_there():
    table = played(2, 0)
    closed = seen_of(2, table)
    state = closed.state
    assert state is not None
    closed = replace(closed, state=replace(state, public=replace(state.public, phase="closed")))
    pit = beside(calm_wall(3), closed)
    assert main_act(pit.table) == "open_table"
    dealer = closed.on_duty[0].screen_name
    assert sent(doing(pit, "open_table"), "send") == inp.OpenTable(by="s-0002", dealer=dealer)


def test_operators_who_owe_an_acknowledgement_are_told_the_longest_wait_first():
    pit = calm_wall(4)
    tables = (pit.tables[0], owed(pit.tables[1]), pit.tables[2], owed(pit.tables[3], 3700))
    pit = replace(pit, tables=tables)
    lines = owed_lines(pit, speech())
    assert [line.split(" · ")[1] for line in lines] == ["BAC-4", "BAC-4", "BAC-2", "BAC-2"]
    assert lines[0].endswith("since 61:40")
    assert [one.trouble.code for one in waiting_in(pit)] == ["owed", "owed"]
    in_time = replace(pit, tables=(owed(pit.tables[0], 30),))
    assert waiting_in(in_time) == ()
    assert owed_lines(calm_wall(2), speech()) == ("No operator owes an acknowledgement.",)


def test_somebody_is_taken_off_duty_or_brought_on_as_dealer_of_the_table():
    pit = replace(doing(calm_wall(3), "staff"), people=PEOPLE)
    marco = next(one for one in PEOPLE if one.screen_name == "Marco")
    sara = next(one for one in PEOPLE if one.screen_name == "Sara")
    off = pressed(doing(pit, f"pick:{marco.staff}"), "pick:stand_down", speech())
    assert isinstance(off, StandDown)
    assert off.staff == marco.staff
    on = pressed(doing(replace(pit, selected=1), f"pick:{marco.staff}"), "pick:deals", speech())
    assert isinstance(on, At)
    assert on.step.command == inp.ChangeDealer(by="s-0002", dealer="Marco")
    # who is not logged in anywhere cannot be taken off
    there = pit_of(doing(replace(pit, selected=2), f"pick:{sara.staff}"), speech()).panel
    assert "pick:stand_down" not in {one.act for one in there.choices}


def test_a_log_in_takes_badge_and_pin_and_shows_no_pin():
    pit = wall(calm(1), calm(2), person=None)
    assert acts_of(pit, speech())[0].act == "log_in"
    asked = doing(pit, "log_in", "=100", "accept", "=123456")
    fields = pit_of(asked, speech()).panel.fields
    assert [one.text for one in fields] == ["100", "••••••"]
    step = pressed(asked, "accept", speech())
    assert isinstance(step, Enter)
    assert (step.badge, step.pin) == ("100", "123456")
    assert "123456" not in repr(step) + repr(asked.sheet)


def test_while_nobody_is_logged_in_no_table_can_be_told_anything():
    pit = wall(held(1), calm(2), person=None)
    enabled = {one.act for one in acts_of(pit, speech()) if one.is_enabled}
    assert not enabled & {*PERMISSIONS, "acts", "staff", "suspend_all"}
    assert isinstance(pressed(pit, "rule:void", speech()), Nothing)
    locked = replace(calm_wall(2), is_locked=True)
    tables = tuple(replace(one, is_locked=True) for one in locked.tables)
    enabled = {one.act for one in acts_of(replace(locked, tables=tables), speech())
               if one.is_enabled}  # fmt: skip
    assert not enabled & {*PERMISSIONS, "acts", "staff", "suspend_all"}


def test_where_nobody_logs_in_everything_can_be_done_in_the_pit_but_the_dealers_work():
    pit = wall(replace(held(1), log_in=LogInRule.OPEN), person=None)
    assert main_act(pit.table) == "claim_hold"
    assert not {"open_bets", "load_shoe"} & {one.act for one in acts_of(pit, speech())}


@pytest.mark.parametrize("name", SCENES)
def test_whatever_is_offered_may_be_given_and_has_its_words_in_every_language(name):
    pit = SCENES[name]()
    for seen in pit.tables:
        if seen.state is None or seen.person is None:
            continue
        for act in pit_commands(seen, seen.state):
            row = PERMISSIONS[command_tag(act)]
            assert grant_of(row, {Role.SUPERVISOR}) is not Grant.NO
    for language in languages():
        for one in acts_of(pit, speech(language)):
            assert label_of(one.act, speech(language).words)


def test_no_key_of_the_pit_has_two_acts_at_once():
    for name, make in SCENES.items():
        keys = [key for one in acts_of(make(), speech()) for key in one.keys if one.is_enabled]
        doubled = {key for key in keys if keys.count(key) > 1}
        # the log-in is the main act as long as nobody is logged in
        assert doubled <= {"F5"}, name


def test_every_key_of_the_pit_is_of_an_act_that_there_is():
    assert set(speech().keys.keys) <= {*PIT_ACTS, *PERMISSIONS, "void_past", "take_hold"}


def test_what_is_typed_where_nothing_can_be_typed_does_nothing():
    assert isinstance(typed(calm_wall(2), "100"), Nothing)
    assert isinstance(typed(doing(calm_wall(2), "owed"), "100"), Nothing)
    assert isinstance(typed(doing(wall(calm(1), person=None), "log_in"), "100"), Show)


def test_troubles_of_a_table_are_found_again_when_it_changes():
    seen = calm(1)
    assert troubles_of(seen) == ()
    assert [one.code for one in troubles_of(replace(seen, link=LinkState.STALE))] == ["stale"]
    assert troubles_of(seen) == ()
    assert ANNA.staff == "s-0002"
