# SPDX-License-Identifier: Apache-2.0
"""People at the console where staff log in: badge, PIN, a second person, a lock in mid-round."""

import pytest

from studio.feed.client import Client
from studio.feed.staff import AskLogIn, Opened, read_answer
from tests.staff.people import PIN
from tests.system.rig import TABLE, studio
from tests.system.test_console import application, console, step
from tests.system.test_log_in import DEALER, SUPERVISOR, hired
from tests.ui.console_rig import Keys
from ui.view.seen import PanelKind

__all__ = ["application"]


def fill_in(keys: Keys, badge: str, pin: str) -> None:
    """Badge by a reader, PIN by hand; into the panel that is open."""
    keys.scan(badge)
    assert keys.console.desk.seen.own.panel is not None
    keys.type(pin)
    keys.click("Enter")


@pytest.mark.req("ACC-1", "ACC-2", "DUAL-2")
def test_a_dealer_logs_in_gets_a_second_word_locks_and_goes_on(qtbot, tmp_path):
    with studio(tmp_path, log_in="required", house={"betting_seconds": "600"}) as table:
        hired(tmp_path)
        table.start()
        with Client(table.endpoints["staff_requests"]) as client:
            ask = AskLogIn(id="l", table=TABLE, from_="pit-1", badge=SUPERVISOR, pin=PIN)
            assert isinstance(read_answer(client.ask(ask)), Opened)
        with console(qtbot, table) as keys:
            desk = keys.console.desk
            keys.ready()
            keys.click("Space")
            fill_in(keys, DEALER, "999111")
            keys.wait_for(lambda: desk.seen.refused is not None)
            assert keys.console.view.foot.refusal.startswith("Badge or PIN")
            keys.click("F5")
            fill_in(keys, DEALER, PIN)
            keys.wait_for(lambda: desk.seen.person is not None)
            # opening takes two: the panel asks for the other, and the table opens by both
            keys.ready()
            keys.click("Space")
            assert desk.seen.own.panel.kind is PanelKind.SECOND
            fill_in(keys, SUPERVISOR, PIN)
            keys.wait_for(lambda: keys.code == "load-shoe")
            keys.ready()
            keys.click("Space")
            fill_in(keys, SUPERVISOR, PIN)
            keys.wait_for(lambda: desk.seen.state.prompt.pull)
            while desk.seen.state.prompt.pull:
                step(keys)
            step(keys)
            assert keys.code == "bets-open"
            # locked, the console shows the round and takes no command; then it goes on
            keys.click("Shift+F5")
            keys.wait_for(lambda: keys.console.view.is_locked)
            assert keys.code == "bets-open"
            keys.click("Shift+End")
            assert desk.seen.state.prompt.code == "bets-open"
            keys.click("F5")
            fill_in(keys, DEALER, PIN)
            keys.wait_for(lambda: not keys.console.view.is_locked)
            keys.ready()
            keys.click("Shift+End")
            keys.wait_for(lambda: keys.code == "deal-card")
