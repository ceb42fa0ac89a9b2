# SPDX-License-Identifier: Apache-2.0
"""The reader breaks in mid-coup and another one, with the cards that are left, takes its place."""

import signal
from pathlib import Path

from drivers.sim.client import ShoeControl
from drivers.sim.commands import ForcedEnd
from studio.game.inputs import ChangeReader, TrustStream
from tests.system.rig import BY, Hands, Process, Studio, studio
from tests.system.witness import all_heard, cards_on_record, coups_shown, is_sound, log_of

DEALT = "9H,KS"
LEFT = "TC,7D,2C,3D,5S,4H,8H,KD"
RULES = {"rule": '"none"'}


def _another_reader(running: Studio) -> None:
    """Take the broken reader away and plug another one in, at the same port."""
    where = running.simulator.said["pty"]
    running.shoe.close()
    running.simulator.end(signal.SIGKILL)
    options = ("--speed", "0", "--burn", "none", "--no-cut-card", "--script", LEFT, "--script-only")
    running.simulator = Process(["-m", "drivers.sim.run", "--pty", where, *options])
    running.shoe = ShoeControl(running.simulator.said["control"])


def test_a_coup_is_finished_on_another_reader_with_cards_shoe_and_inventory_kept(
    tmp_path: Path,
) -> None:
    with studio(tmp_path, "--script", DEALT, house=RULES) as running:
        running.start()
        hands = Hands(running)
        before = hands.play_to("dealing", cards=2)
        hands.tell(ChangeReader(by=BY, reason="it reads no card"))
        _another_reader(running)
        hands.wait_for(trust="suspect", trust_reason="the line was opened again")
        hands.tell(TrustStream(by=BY, reason="no card was drawn since"))
        after = hands.play_to("result")
        assert after["public"]["shoe"] == before["public"]["shoe"]
        assert after["cards_out"] == 4
        hands.play_to("settling")
        assert hands.snapshot().state["prompt"]["note"] == "shoe-off-step"
        running.shoe.ask(ForcedEnd())
        all_heard(running, hands)
        assert hands.snapshot().state["prompt"]["note"] is None
        hands.deal(2)
        assert [(one.player, one.banker) for one in coups_shown(hands)] == [
            (("9H", "TC"), ("KS", "7D")),
            (("2C", "5S"), ("3D", "4H")),
        ]
        assert cards_on_record(running) == [*DEALT.split(","), *LEFT.split(",")[:6]]
        assert is_sound(running)
        log_of(running)
