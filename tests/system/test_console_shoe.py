# SPDX-License-Identifier: Apache-2.0
"""A whole shoe at the console, by real keys on a real X server: from a closed table to the count
of the cards that are left.
"""

from studio.game.events import ShoeEnded
from studio.verify import verify
from tests.system.rig import TABLE, Hands, studio
from tests.system.screen import console, display
from tests.system.test_log_in import record_of

BEHIND_THE_CUT_CARD = "26"
HOUSE = {"decks": "1", "cut_card_from_end": BEHIND_THE_CUT_CARD, "betting_seconds": "600"}
# a ten on top: eleven cards are burned, and few are left before the cut card
SHOE = ("--decks", "1", "--seed", "7", "--script", "TS", "--cut-card-from-end", BEHIND_THE_CUT_CARD)


def test_a_whole_shoe_is_dealt_and_counted_by_keyboard_alone(tmp_path):
    with studio(tmp_path, *SHOE, house=HOUSE) as table, display() as screen:
        table.start()
        with console(table, screen) as shown:
            shown.play("end-shoe")
            shown.do("end_shoe")
            shown.wait(lambda view: view.panel is not None)
            left = table.shoe.state().left
            # a count that cannot be is told, and the shoe stays
            shown.type(str(left + 1))
            shown.wait(lambda view: view.foot.refusal)
            assert shown.code == "end-shoe"
            shown.do("end_shoe")
            shown.wait(lambda view: view.panel is not None)
            shown.key("Escape")
            shown.wait(lambda view: view.panel is None)
            shown.do("end_shoe")
            shown.wait(lambda view: view.panel is not None)
            shown.type(str(left))
            shown.wait(lambda view: view.band.code == "load-shoe")
            rounds = len(Hands(table).snapshot().state["public"]["results"])
            assert shown.end() == 0
        (ended,) = [one.event for one in record_of(table) if isinstance(one.event, ShoeEnded)]
        assert ended.left == left
        assert ended.rounds >= rounds
        assert ended.seen + ended.burned + ended.left == 52
        assert verify(table.database, TABLE).findings == ()
