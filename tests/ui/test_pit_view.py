# SPDX-License-Identifier: Apache-2.0
"""What the pit shows and what its keys do, without a window: made from tables that were dealt."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from studio.game import inputs as inp
from tests.game.misdeal_stories import STORIES
from tests.game.table_driver import Driven, plain_house
from tests.ui.pit_scenes import (
    BRUNO,
    beside,
    busy,
    calm,
    calm_wall,
    claimed,
    doing,
    held,
    pit_scenes,
    played,
    rung,
    seen_of,
    sent,
    speech,
    wall,
)
from ui.pit_view.acts import main_act
from ui.pit_view.press import pressed, without_secrets
from ui.pit_view.queue import next_in_queue, waiting_in
from ui.pit_view.sheets import to_suspend
from ui.pit_view.sounds import cue_of, heard_in
from ui.pit_view.steps import Nothing
from ui.pit_view.tile import pace_of, tile_of, told_of, trouble_text
from ui.pit_view.trouble import ROLES, troubles_of
from ui.pit_view.whole import pit_of
from ui.view.model import BandRole
from ui.view.seen import LinkState, PanelKind, Seen

SCENES = dict(pit_scenes())


# --- the wall and the queue ----------------------------------------------------------------------


def test_trouble_is_in_the_order_in_which_it_counts_and_the_oldest_comes_first():
    codes = [one.trouble.code for one in waiting_in(busy())]
    assert codes == ["held", "held", "gone", "line", "fault", "called"]
    since = [one.trouble.since for one in waiting_in(busy())[:2]]
    assert since == sorted(since)
    assert codes == sorted(codes, key=list(ROLES).index)


@pytest.mark.req("DUAL-2")
def test_an_open_table_without_a_supervisor_is_trouble_whether_or_not_it_pauses():
    for pauses in (True, False):
        table = Driven(plain_house(pause_without_supervisor=pauses)).ready()
        seen = replace(seen_of(1, table), supervisors=())
        assert [one.code for one in troubles_of(seen)] == ["unattended"]
        assert troubles_of(replace(seen, supervisors=("Anna",))) == ()
    table.ask("close_table")
    assert troubles_of(replace(seen_of(1, table), supervisors=())) == ()
    table = Driven(plain_house(supervisor_on_duty=False)).ready()
    assert troubles_of(replace(seen_of(1, table), supervisors=())) == ()


def test_a_payment_of_the_round_before_is_told_beside_the_table_with_its_round():
    table = Driven(plain_house()).played()
    paid = table.state.round
    table.ask("close_round")
    table.betting()
    table.ask("report_irregularity", code="wrong-paid")
    (told,) = troubles_of(seen_of(1, table))
    assert (told.code, told.since, told.about) == ("paid", table.now, paid)
    assert trouble_text(told, speech()) == f"Paid wrongly, {paid}: look, and amend it"


@pytest.mark.req("SW-1", "SW-2")
def test_a_table_whose_software_was_changed_says_which_file_on_the_wall_and_in_the_queue():
    view = pit_of(SCENES["software-changed"](), speech())
    told = "Software changed: msgspec/_core.cpython-311.so"
    assert (view.tiles[2].trouble, view.tiles[2].role) == (told, BandRole.STOP)
    assert [(one.table, one.text) for one in view.queue.rows] == [("BAC-3", told)]
    assert told in [text for _, text in view.table.lines]
    assert main_act(SCENES["software-changed"]().table) == "check_software"


def test_version_and_digest_stand_there_also_beside_a_table_that_was_never_heard():
    pit = calm_wall(2, t1=Seen(table="BAC-1", now=calm(2).now, link=LinkState.GONE))
    assert pit.table.state is None
    assert pit_of(pit, speech()).foot.software == pit_of(calm_wall(2), speech()).foot.software != ""


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


def test_a_tile_is_other_only_where_what_it_is_told_from_is_other():
    """But for how deep the shoe is: that follows within a second."""
    scenes = SCENES
    tables = [one for name in ("calm-3", "busy-20", "no-picture") for one in scenes[name]().tables]

    def shown(seen):
        made = tile_of(seen, speech(), is_selected=False)
        return replace(made, drawn="", depth=0.0)

    def others(one, other):
        for name in one.__struct_fields__:
            if name not in ("public", "state", "table"):
                yield replace(one, **{name: getattr(other, name)})

    count = 0
    for seen, other in zip(tables, tables[1:] + tables[:1], strict=True):
        made = list(others(seen, other))
        if seen.state is not None and other.state is not None:
            made += [replace(seen, state=one) for one in others(seen.state, other.state)]
            made += [replace(seen, state=replace(seen.state, public=one))
                     for one in others(seen.state.public, other.state.public)]  # fmt: skip
        for one in made:
            if shown(one) != shown(seen):
                count += 1
                assert told_of(one) != told_of(seen)
    assert count > 50
