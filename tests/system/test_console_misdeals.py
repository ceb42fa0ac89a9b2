# SPDX-License-Identifier: Apache-2.0
"""Misdeals of the drills, put right at the console by real keys: a dealer and a second person who
log in with badge and PIN, a shoe whose cards are known, and what stands on the record afterwards.
"""

from pathlib import Path

from drivers.sim import commands
from drivers.sim.faults import FaultKind
from studio.drills.words import result_text
from studio.feed.client import Client
from studio.feed.staff import AskLogIn, Opened, read_answer
from studio.game import events as ev
from studio.verify import verify
from tests.staff.people import PIN
from tests.system.rig import TABLE, Studio, studio
from tests.system.screen import Shown, cards_on, console, display
from tests.system.test_log_in import DEALER, SUPERVISOR, hired, record_of

HOUSE = {"betting_seconds": "600", "rule": '"none"'}
DEALS = {
    "a card after a natural": "9C KD JS 3H 7C",
    "a third card in the wrong box": "2H 4D KC AC 5S 9H",
    "a card that was not read": "8C KS QS 5D",
    "a card that was misread": "9S QD JH 4H",
    "a card while bets were open": "6C 9D TD JD 7S",
}
RESULTS = [
    "player: 9C JS / KD 3H",
    "player: 2H KC 5S / 4D AC 9H",
    "player: 8C QS / KS 5D",
    "player: 9S JH / QD 4H",
    "player: 9D JD / TD 7S",
]


def supervisor_on_duty(table: Studio) -> None:
    """Without one the table does not open."""
    with Client(table.endpoints["staff_requests"]) as client:
        ask = AskLogIn(id="l", table=TABLE, from_="pit-1", badge=SUPERVISOR, pin=PIN)
        assert isinstance(read_answer(client.ask(ask)), Opened)


def identify(shown: Shown, kind: str, badge: str) -> None:
    """Badge by a reader, PIN by hand, once the panel asks for them."""
    shown.wait(lambda view: view.panel is not None and view.panel.kind == kind)
    shown.scan(badge)
    shown.wait(lambda view: view.panel is not None and view.panel.fields[1].is_current)
    shown.type(PIN)
    shown.wait(lambda view: view.panel is None)


def second(shown: Shown) -> None:
    identify(shown, "second", SUPERVISOR)


def begin(table: Studio, shown: Shown) -> None:
    """Log in, open the table, put the shoe in."""
    shown.do("log_in")
    identify(shown, "log_in", DEALER)
    for act, after in (("open_table", "load-shoe"), ("load_shoe", "open-bets")):
        shown.do(act)
        second(shown)
        shown.wait(lambda view, after=after: view.band.code == after)


def rule(shown: Shown) -> None:
    """The house's first ruling, its ground, each card moved, and the other person."""
    shown.do("rule_hold")
    shown.wait(lambda view: view.panel is not None and view.panel.choices)
    offered = acts(shown.view)
    shown.do("send")
    shown.wait(lambda view: view.panel is not None and acts(view) != offered)
    shown.do("send")
    shown.wait(lambda view: view.panel is not None and view.panel.kind in ("moves", "second"))
    while (panel := shown.view.panel) is not None and panel.kind == "moves":
        done = moved(shown)
        shown.do("move")
        shown.wait(lambda view, done=done: view.panel is None or view.panel.kind == "second"
                   or moved(shown) > done)  # fmt: skip
    second(shown)
    shown.wait(lambda view: view.held is None)


def acts(view) -> list[str]:
    return [one.act for one in view.panel.choices]


def moved(shown: Shown) -> int:
    held = shown.view.held
    return 0 if held is None else sum(one.is_done for one in held.moves)


def tell(shown: Shown, *choices: str) -> None:
    """Report a problem by the list: each line is looked for and taken by keys."""
    shown.do("problem")
    for choice in choices:
        shown.wait(lambda view, choice=choice: view.panel is not None and (
            f"pick:{choice}" in acts(view) or view.panel.page))  # fmt: skip
        shown.choose(f"pick:{choice}")


def coup(shown: Shown, cards: int) -> None:
    """Bets open and closed, and so many cards pulled."""
    shown.play("bets-open")
    shown.step()
    for number in range(cards):
        shown.wait(lambda view, number=number: cards_on(view) == number)
        shown.step()
    shown.wait(lambda view: cards_on(view) == cards)


def end(table: Studio, shown: Shown) -> None:
    """The round to its end, with a ruling where it is held, and the coup on the shoe."""
    while shown.code != "settle":
        if shown.view.held is not None:
            rule(shown)
        else:
            shown.step()
    if not table.shoe.state().between_coups:
        table.shoe.ask(commands.ForcedEnd())


def test_misdeals_are_put_right_by_keys_and_the_record_has_the_right_results(tmp_path: Path):
    script = ",".join(" ".join(DEALS.values()).split())
    with (
        studio(tmp_path, "--script", script, log_in="required", house=HOUSE) as table,
        display() as screen,
    ):
        hired(tmp_path)
        table.start()
        supervisor_on_duty(table)
        with console(table, screen) as shown:
            begin(table, shown)

            coup(shown, 4)
            table.shoe.pull()
            shown.wait(lambda view: view.held is not None)
            rule(shown)
            end(table, shown)

            coup(shown, 6)
            tell(shown, "note_card", "6", "player")
            shown.wait(lambda view: view.held is not None and view.held.moves)
            rule(shown)
            end(table, shown)

            coup(shown, 2)
            table.shoe.ask(commands.Fault(kind=FaultKind.UNREADABLE, how=commands.Unreadable.CARD))
            table.shoe.pull()
            shown.wait(lambda view: view.band.code == "enter-card")
            shown.do("enter_card")
            shown.wait(lambda view: view.panel is not None and view.panel.has_card_pad)
            shown.type("QS")
            second(shown)
            rule(shown)
            end(table, shown)

            coup(shown, 2)
            table.shoe.ask(commands.Fault(kind=FaultKind.MISREAD, card="2D"))
            shown.step()
            tell(shown, "correct_card", "3")
            shown.wait(lambda view: view.panel is not None and view.panel.has_card_pad)
            shown.type("JH")
            second(shown)
            end(table, shown)

            shown.play("bets-open")
            table.shoe.pull()
            shown.wait(lambda view: view.held is not None)
            rule(shown)
            end(table, shown)
            assert shown.end() == 0
        confirmed = [one.event for one in record_of(table)
                     if isinstance(one.event, ev.ResultConfirmed)]  # fmt: skip
        assert [result_text(one.outcome.value, one.player, one.banker)
                for one in confirmed] == RESULTS  # fmt: skip
        assert verify(table.database, TABLE).findings == ()
