# SPDX-License-Identifier: Apache-2.0
"""The pit's window by itself: one log-in for all tables, what it takes as a press and draws."""

import json
import random

import msgspec
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QImage
from PyQt6.QtWidgets import QApplication

from studio.feed.staff import Acceptance, Performed, RefusalAnswer, Roster
from studio.game.inputs import SuspendTable
from tests.ui.looking import faults_of
from tests.ui.pit_rig import ANNA, BRUNO, Floor
from tests.ui.pit_scenes import PEOPLE, pit_scenes, speech
from ui.line import NoReply
from ui.pit.window import PitWindow
from ui.pit_view.model import TileView
from ui.pit_view.whole import pit_of
from ui.view.model import BandRole
from ui.view.seen import LinkState
from ui.widgets.tile import TablePicture


@pytest.fixture
def floor(qtbot):
    made = Floor(qtbot, 4)
    yield made
    made.window.close()
    made.thread.stop()


@pytest.fixture
def open_floor(qtbot):
    """Where nobody logs in."""
    made = Floor(qtbot, 3, "open")
    yield made
    made.window.close()
    made.thread.stop()


def hold(floor: Floor, number: int) -> None:
    """A card too many at that table."""
    table = floor.tables[number]
    table.dealing().cards("9H KS TC 7D 2C")
    floor.show(number)


def commands(floor: Floor) -> list[tuple[str, dict]]:
    told = [(table, json.loads(frame)) for table, frame in floor.asked()]
    return [(table, one["command"] | {"token": one["token"]}) for table, one in told
            if one["ask"] == "command"]  # fmt: skip


@pytest.mark.req("ACC-1")
def test_one_log_in_serves_all_tables_and_its_token_goes_with_each_command(floor):
    floor.enter()
    assert all(one.seen.person.screen_name == "Anna" for one in floor.window.desk.desks)
    for number in (1, 3):
        floor.window.act(f"select:BAC-{number}")
        floor.wait_for(lambda: floor.window.desk.pit.table.sending is None)
        floor.wait_for(lambda: any(k.act == "close_table" and k.is_enabled
                                   for k in floor.window.view.keys))  # fmt: skip
        floor.click("End")
    assert [(table, one["command"], one["token"]) for table, one in commands(floor)] == [
        ("BAC-1", "close_table", "t-anna"), ("BAC-3", "close_table", "t-anna")]  # fmt: skip


def test_a_log_in_that_is_over_at_one_table_is_over_at_all(floor):
    floor.enter()
    floor.wait_for(lambda: any(k.act == "close_table" and k.is_enabled
                               for k in floor.window.view.keys))  # fmt: skip
    floor.click("End")
    floor.answer(0, RefusalAnswer(id="1", code="idle", text=""))
    assert all(one.seen.is_locked for one in floor.window.desk.desks)
    floor.window.draw()
    assert floor.window.view.header.person == "Locked"
    assert floor.window.view.keys[0].act == "log_in"


def test_a_wrong_pin_is_told_also_beside_a_table_that_is_gone(floor):
    floor.links[0].changed.emit(LinkState.GONE)
    floor.click("F5")
    floor.type("100")
    floor.click("Enter")
    floor.type("1")
    floor.click("Enter")
    assert [table for table, _ in floor.asked()] == ["BAC-2"]
    floor.answer(1, RefusalAnswer(id="1", code="wrong", text=""))
    floor.window.draw()
    assert floor.window.view.foot.refusal == "Badge or PIN is wrong."


def test_lock_ends_the_log_in_and_the_wall_goes_on_showing(floor):
    floor.enter()
    floor.asked()
    floor.click("Shift+F5")
    asked = [json.loads(frame) for _, frame in floor.asked()]
    assert [(one["ask"], one["token"]) for one in asked] == [("log_out", "t-anna")]
    hold(floor, 1)
    floor.window.draw()
    assert floor.window.view.tiles[1].role is BandRole.STOP
    floor.window.act("select:BAC-2")
    floor.click("F4")
    assert floor.window.view.panel is None


@pytest.mark.req("ACC-2")
def test_a_window_that_nobody_works_at_locks_by_itself(floor):
    floor.enter()
    floor.window._idle._last -= 299
    floor.window._tick()
    assert not floor.window.desk.pit.is_locked
    floor.window._idle._last -= 2
    floor.window._tick()
    assert floor.window.desk.pit.is_locked


def test_what_one_person_began_is_not_finished_by_another(floor):
    floor.enter()
    floor.wait_for(lambda: any(k.act == "acts" and k.is_enabled for k in floor.window.view.keys))
    floor.click("F4")
    assert floor.window.desk.pit.table.own.panel is not None
    floor.click("Shift+F5")
    floor.click("Escape")
    floor.click("F4")
    floor.enter(BRUNO)
    assert all(one.seen.own.panel is None for one in floor.window.desk.desks)


def test_what_was_begun_at_one_table_is_there_after_a_look_at_another(open_floor):
    floor = open_floor
    floor.wait_for(lambda: any(k.act == "acts" and k.is_enabled for k in floor.window.view.keys))
    floor.click("F4")
    own = floor.window.desk.pit.table.own
    floor.click("Right")
    assert floor.window.view.panel is None
    floor.click("Left")
    assert floor.window.desk.pit.table.own == own


def test_a_held_round_is_claimed_and_ruled_by_keyboard_alone(floor):
    floor.enter()
    hold(floor, 2)
    floor.click("PageDown")
    assert floor.window.desk.pit.selected == 2
    floor.wait_for(lambda: floor.window.brain.view(floor.window.desk.pit).keys[0].is_enabled)
    floor.click("Space")
    ((table, claim),) = commands(floor)
    assert (table, claim["command"], claim["take_over"]) == ("BAC-3", "claim_hold", False)
    floor.tables[2].ask("claim_hold", by="s-0002", round=floor.tables[2].state.round)
    floor.answer(2, Acceptance(id="1", events=("hold_claimed",), seq=floor._seq + 1))
    floor.show(2)
    floor.click("Space")
    floor.click("Space")
    for _ in range(8):
        floor.click("Down")
    floor.click("Space")
    floor.type("seen twice, camera 2")
    floor.click("Enter")
    ((table, ruled),) = commands(floor)
    proposal = floor.tables[2].state.hold
    assert proposal is not None
    assert (table, ruled["command"], ruled["reason"]) == (
        "BAC-3", "rule_hold", "seen twice, camera 2")  # fmt: skip
    assert ruled["bound_to"]


def test_all_tables_are_suspended_at_once_and_one_that_does_not_answer_holds_up_none(floor):
    floor.enter()
    floor.links[1].changed.emit(LinkState.GONE)
    floor.click("F11")
    assert commands(floor) == []
    floor.click("Space")
    assert [(table, one["command"]) for table, one in commands(floor)] == [
        (f"BAC-{n}", "suspend_table") for n in (1, 3, 4)]  # fmt: skip
    for number in (0, 2, 3):
        floor.tables[number].give(SuspendTable(by="s-0002"))
        floor.answer(number, Acceptance(id="1", events=("table_suspended",), seq=floor._seq + 1))
        floor.show(number)
    floor.window.draw()
    assert floor.window.view.panel.lines == (
        "3 of 4 tables take no bets.", "Still open, or out of reach: BAC-2")  # fmt: skip


def test_a_double_press_counts_once_and_arrows_each_time(floor):
    floor.enter()
    floor.tap("F9")
    floor.tap("F9")
    assert floor.window.view.is_light
    floor.tap("Right")
    floor.tap("Right")
    assert floor.window.desk.pit.selected == 2


def test_letters_digits_and_enter_do_nothing_where_no_field_is_open(floor):
    floor.enter()
    before = floor.window.desk.pit
    floor.type("aZ905")
    floor.tap("Enter")
    after = floor.window.desk.pit
    assert (after.selected, after.sheet, after.table.own) == (
        before.selected, before.sheet, before.table.own)  # fmt: skip
    assert commands(floor) == []


def test_a_badge_reader_types_the_badge_with_its_enter(floor):
    floor.click("F5")
    floor.type("00123456")
    floor.tap("Enter")
    assert floor.window.desk.pit.sheet.badge == "00123456"


def test_the_staff_are_looked_up_and_somebody_is_taken_off_duty(floor):
    floor.enter()
    floor.click("F6")
    assert [json.loads(frame)["ask"] for _, frame in floor.asked()] == ["roster"]
    floor.answer(0, Roster(id="1", people=PEOPLE))
    floor.window.draw()
    assert floor.window.view.panel.choices[0].text.startswith("Anna · Supervisor · all tables")
    floor.click("Down")
    floor.click("Space")
    floor.click("Space")
    asked = [json.loads(frame) for _, frame in floor.asked()]
    assert [(one["ask"], one["staff"]) for one in asked] == [("stand_down", "s-0003")]
    floor.answer(0, Performed(id="1"))
    assert [json.loads(frame)["ask"] for _, frame in floor.asked()] == ["roster"]


def test_the_manager_is_rung_again_and_again_until_somebody_claims(floor, monkeypatch):
    heard = []
    monkeypatch.setattr(floor.window._sounds, "play", heard.append)
    floor.enter(BRUNO)
    hold(floor, 1)
    floor.tables[1].expire()
    floor.show(1)
    floor.wait_for(lambda: "ring" in heard)
    assert floor.window.view.header.ring == "MANAGER: NOBODY RULES AT BAC-2"
    floor.wait_for(lambda: heard.count("ring") > 1)
    floor.tables[1].ask("claim_hold", by="s-0003", round=floor.tables[1].state.round)
    floor.show(1)
    floor.wait_for(lambda: not floor.window.view.header.ring)
    floor.wait_for(lambda: not floor.window._ring.isActive())


def test_at_a_supervisors_window_it_is_seen_and_not_heard(floor, monkeypatch):
    heard = []
    monkeypatch.setattr(floor.window._sounds, "play", heard.append)
    floor.enter(ANNA)
    hold(floor, 1)
    floor.tables[1].expire()
    floor.show(1)
    floor.wait_for(lambda: floor.window.view.header.ring)
    assert "ring" not in heard
    assert "held" in heard


def test_only_the_strips_of_a_table_that_changed_are_painted(floor, monkeypatch):
    floor.window.draw()
    floor.window.grab()
    painted = []
    event = TablePicture.paintEvent

    def paint(tile, given):
        exposed = given.region()
        strips = tile._placed_strips().items()
        painted.extend((tile.view.table, n) for n, one in strips if exposed.intersects(one.whole))
        event(tile, given)

    monkeypatch.setattr(TablePicture, "paintEvent", paint)
    floor.tables[2].betting()
    floor.show(2)
    floor.wait_for(lambda: painted)
    assert {table for table, _ in painted} == {"BAC-3"}
    strips = {strip for _, strip in painted}
    assert "phase" in strips
    assert not strips & {"name", "dealer", "road", "score", "lamps"}


def test_a_wall_painted_strip_by_strip_looks_as_if_all_were_painted_at_once(floor, qtbot):
    chance = random.Random(7)
    tiles = floor.window.tiles
    scenes = dict(pit_scenes())
    made = [one for name in ("busy-20", "calm-12") for one in pit_of(
        scenes[name](), speech()).tiles]  # fmt: skip
    fields = [one for one in TileView.__struct_fields__ if one != "table"]
    qtbot.waitExposed(floor.window)
    for _ in range(12):
        for tile in tiles * 3:
            other = chance.choice(made)
            changes = {name: getattr(other, name) for name in chance.sample(fields, 3)}
            tile.show_view(msgspec.structs.replace(tile.view, **changes))
            QApplication.processEvents()
        whole = floor.window.screen().grabWindow(floor.window.winId()).toImage()
        for tile in tiles:
            fresh = TablePicture(tile.view)
            qtbot.addWidget(fresh)
            fresh.resize(tile.size())
            fresh.dress(tile.theme, tile.unit)
            kind = QImage.Format.Format_RGB32
            painted = whole.copy(tile.geometry()).convertToFormat(kind)
            assert painted == fresh.grab().toImage().convertToFormat(kind), tile.view


def test_pictures_that_come_together_are_told_of_once_until_they_are_taken(floor):
    desk, told = floor.window.desk, []
    before = desk.pit.tables
    desk.came.connect(lambda: told.append(1))
    for number in (1, 2, 3):
        floor.tables[number].ask("close_table")
        floor.show(number)
    assert len(told) == 1
    phases = [one.state.public.phase for one in desk.pit.tables]
    assert phases == [before[0].state.public.phase, "closed", "closed", "closed"]
    floor.show(0)
    assert len(told) == 2


def test_a_touch_on_a_tile_or_in_the_queue_shows_its_table(floor, qtbot):
    hold(floor, 3)
    floor.window.draw()
    floor.window.grab()
    qtbot.mouseClick(floor.window.tiles[1], Qt.MouseButton.LeftButton)
    assert floor.window.desk.pit.selected == 1
    floor.window.grab()
    room = floor.window.queue.targets[0].room.center().toPoint()
    qtbot.mouseClick(floor.window.queue, Qt.MouseButton.LeftButton, pos=room)
    assert floor.window.desk.pit.selected == 3


def test_a_command_without_an_answer_is_told_and_the_window_works_on(floor):
    floor.enter()
    floor.wait_for(lambda: any(k.act == "close_table" and k.is_enabled
                               for k in floor.window.view.keys))  # fmt: skip
    floor.click("End")
    floor.answer(0, NoReply(was_sent=True))
    floor.window.draw()
    assert floor.window.view.foot.refusal.startswith("BAC-1: The table did not answer.")
    floor.click("Right")
    assert floor.window.desk.pit.selected == 1


def test_language_theme_and_sound_change_by_one_key(floor):
    window: PitWindow = floor.window
    titles = set()
    for _ in range(4):
        floor.click("F8")
        titles.add(window.view.queue.title)
        assert faults_of(window) == []
    assert len(titles) == 4
    floor.click("F10")
    assert not window.desk.pit.has_sound
