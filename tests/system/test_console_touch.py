# SPDX-License-Identifier: Apache-2.0
"""Fingers at the console, another dealer in mid-round, a break, and a console that locks itself.

The fingers are Qt's own touch events, given to the widget in this process: the X server of the
other tests has no touch device and loads no driver for one, its test extension presses keys and
buttons only, and the kernel's way to make one (uinput) is not to be had in a container.
"""

import pytest
from PyQt6.QtCore import QEvent, QPointF, Qt
from PyQt6.QtGui import QEventPoint, QInputDevice, QPointingDevice, QTouchEvent
from PyQt6.QtWidgets import QApplication

from drivers.sim import commands
from drivers.sim.faults import FaultKind
from studio.feed.client import Client
from studio.feed.staff import AskLogIn, Opened, read_answer
from studio.game import events as ev
from studio.verify import verify
from tests.staff.people import BADGES, PIN
from tests.system.rig import TABLE, Studio, studio
from tests.system.test_console import application, console, play_until, step
from tests.system.test_console_log_in import fill_in
from tests.system.test_log_in import DEALER, SUPERVISOR, hired, record_of
from tests.ui.console_rig import Keys
from ui.view.seen import PanelKind
from ui.widgets.touch import Touchable

__all__ = ["application"]

GLASS = QPointingDevice(
    "glass", 7, QInputDevice.DeviceType.TouchScreen, QPointingDevice.PointerType.Finger,
    QInputDevice.Capability.Position, 10, 0,
)  # fmt: skip


def finger(keys: Keys, widget: Touchable, act: str, *, slips: bool = False) -> None:
    """A finger goes down and up on the target of an act, once it is drawn there.

    If it ``slips``, it goes up beside all targets.
    """
    keys.wait_for(lambda: any(one.act == act and one.is_enabled for one in widget.targets))
    if not act.startswith("type:") and act != "erase":
        keys.rest_finger()
    (room,) = [one.room for one in widget.targets if one.act == act and one.is_enabled]
    place = widget.mapToGlobal(QPointF(room.center()))
    for kind, state in (
        (QEvent.Type.TouchBegin, QEventPoint.State.Pressed),
        (QEvent.Type.TouchEnd, QEventPoint.State.Released),
    ):
        if slips and kind is QEvent.Type.TouchEnd:
            place = widget.mapToGlobal(QPointF(-5, -5))
        point = QEventPoint(1, state, place, place)
        event = QTouchEvent(kind, GLASS, Qt.KeyboardModifier.NoModifier, [point])
        QApplication.sendEvent(widget, event)
        assert event.isAccepted()


def test_the_bands_key_a_choice_and_a_card_are_given_by_fingers(qtbot, tmp_path):
    with studio(tmp_path, house={"betting_seconds": "600", "rule": '"none"'}) as table:
        table.start()
        with console(qtbot, table) as keys:
            shown, desk = keys.console, keys.console.desk
            play_until(keys, "open-bets")
            keys.ready()
            finger(keys, shown.band, "open_bets")
            keys.wait_for(lambda: keys.code == "bets-open")
            keys.ready()
            finger(keys, shown.keys, "close_bets")
            keys.wait_for(lambda: keys.code == "deal-card")
            table.shoe.ask(commands.Fault(kind=FaultKind.UNREADABLE, how=commands.Unreadable.CARD))
            card = table.shoe.pull()[0].card
            assert card is not None
            keys.wait_for(lambda: keys.code == "enter-card")
            keys.ready()
            finger(keys, shown.band, "enter_card")
            finger(keys, shown.panel, "type:4", slips=True)
            assert desk.seen.own.panel.text == ""
            for sign in ("type:4", "erase", *(f"type:{one}" for one in card)):
                finger(keys, shown.panel, sign)
            assert desk.seen.own.panel.text == card
            finger(keys, shown.panel, "accept")
            keys.wait_for(lambda: keys.code == "held")
            keys.ready()
            finger(keys, shown.held, f"rule:{desk.seen.state.proposals[0].remedy.value}")
            keys.wait_for(lambda: shown.view.panel is not None and shown.view.panel.choices)
            finger(keys, shown.panel, shown.view.panel.choices[0].act)
            keys.wait_for(lambda: desk.seen.state.hold is None)
            play_until(keys, "settle")
        dealt = [one.event.card.value for one in record_of(table)
                 if isinstance(one.event, ev.CardDealt)]  # fmt: skip
        assert dealt[0] == card
        assert verify(table.database, TABLE).findings == ()


def opened(qtbot, keys: Keys, table: Studio) -> None:
    """The dealer logs in, and the table opens with a supervisor's word; to the bets."""
    with Client(table.endpoints["staff_requests"]) as client:
        ask = AskLogIn(id="l", table=TABLE, from_="pit-1", badge=SUPERVISOR, pin=PIN)
        assert isinstance(read_answer(client.ask(ask)), Opened)
    keys.click("F5")
    fill_in(keys, DEALER, PIN)
    keys.wait_for(lambda: keys.console.desk.seen.person is not None)
    for after in ("load-shoe", "open-bets"):
        keys.ready()
        keys.click("Space")
        fill_in(keys, SUPERVISOR, PIN)
        keys.wait_for(lambda after=after: keys.code == after)


@pytest.mark.req("ACC-2")
def test_a_break_another_dealer_and_an_idle_lock_leave_the_round_alone(qtbot, tmp_path):
    house = {"betting_seconds": "600", "rule": '"none"'}
    site = {"log_in": "required", "house": house, "staff": {"idle_seconds": "12"}}
    with studio(tmp_path, **site) as table:
        hired(tmp_path)
        table.start()
        with console(qtbot, table) as keys:
            shown, desk = keys.console, keys.console.desk
            opened(qtbot, keys, table)
            play_until(keys, "deal-card", 2)
            hands, code = shown.view.hands, keys.code
            # a break: the card, the prompt and the next place stay; no command is taken
            keys.click("F7")
            keys.wait_for(lambda: shown.view.is_locked)
            assert desk.seen.own.panel.kind is PanelKind.REST
            keys.click("Escape")
            assert (keys.code, shown.view.hands) == (code, hands)
            # another dealer comes, and the round goes on under their name
            keys.click("F6")
            assert desk.seen.own.panel.kind is PanelKind.TAKE_OVER
            fill_in(keys, BADGES["other"], PIN)
            keys.wait_for(lambda: desk.seen.state.public.dealer == "Other")
            assert shown.view.hands == hands
            assert shown.view.header.dealer.endswith("Other")
            # nobody touches anything: it locks itself, and cards are no commands
            keys.wait_for(lambda: shown.view.is_locked, 60)
            assert shown.view.hands == hands
            step(keys)
            assert shown.view.is_locked
            assert keys.code == code
            keys.click("F5")
            fill_in(keys, BADGES["other"], PIN)
            keys.wait_for(lambda: not shown.view.is_locked)
            play_until(keys, "settle")
        record = [one.event for one in record_of(table)]
        changed = [one for one in record if isinstance(one, ev.DealerChanged)]
        assert [one.dealer for one in changed] == ["Other"]
        assert sum(isinstance(one, ev.RoundVoided) for one in record) == 0
        assert verify(table.database, TABLE).findings == ()
