# SPDX-License-Identifier: Apache-2.0
"""What only eyes can see: a person names it, whatever the table is doing.

Near by, the same place is looked at and nothing is wrong: nobody names anything, or what could be
taken for it happens and is lawful.
"""

from collections.abc import Callable

from studio.game import inputs as inp
from studio.game.irregularities import WRONG_PAID
from studio.game.state import Phase
from tests.game.table_driver import BY, Driven
from tests.scenarios.rows import Row, Scenario, phase_row, signs
from tests.scenarios.tables import BETWEEN, PHASES, Story, asked, told

Alike = Callable[[Driven], Driven]


def _reported(code: str, phase: str) -> Story:
    return lambda rule: asked(PHASES[phase](rule), "report_irregularity", code=code)


def _near(phase: str, alike: Alike) -> Story:
    return lambda rule: alike(PHASES[phase](rule))


def _nothing(table: Driven) -> Driven:
    return table


def _told_again(table: Driven) -> Driven:
    """A card moved at the exit, and the shoe says that it is the one it told of."""
    return told(table, inp.CardRepeated(table.state.last_card))


def _called_right(table: Driven) -> Driven:
    """Where a result is due, the totals and the winner are called as they are."""
    if table.state.phase is Phase.RESULT:
        table.ask("call_result", outcome=table.state.outcome)
    return table


def _paid_right(table: Driven) -> Driven:
    """Where a result stands, it is paid and the cards are cleared."""
    if table.state.phase is Phase.RESULT:
        table.ask("confirm_result")
    if table.state.phase is Phase.SETTLING:
        table.ask("close_round")
    return table


def _seen_lying(table: Driven) -> Driven:
    """The last card lies where it must, face down until then; somebody says so."""
    if table.state.held_from in (Phase.DEALING, Phase.RESULT) and table.state.coup_cards:
        number = len(table.state.coup_cards)
        table.give(inp.NoteCard(by=BY, number=number, face_up=False, stuck=False))
    return table


def _lost_noise(table: Driven) -> Driven:
    """Noise on the line is nothing that lies on the table."""
    return told(table, inp.FrameRejected("noise"))


def cut_in_time(table: Driven) -> Driven:
    """The cut card shows itself."""
    return told(table, inp.CutCardDrawn())


ALIKE: dict[str, Alike] = {
    "card-returned": _told_again,
    "ghost-read": _told_again,
    "exposed-in-deal": _seen_lying,
    "card-on-floor": _seen_lying,
    "card-lost": _lost_noise,
    "card-damaged": _seen_lying,
    "foreign-card": _nothing,
    "unshuffled-shoe": _nothing,
    "burn-count-wrong": _nothing,
    "table-cleared-early": _paid_right,
    "mis-scored": _called_right,
}
# Where a payment is looked at, and nothing else waits for it: it holds the table.
PAYMENTS = ("in the burn", *BETWEEN)


def everywhere(code: str, alike: Alike) -> dict[str, Scenario]:
    """In every phase; a table that is held already is held for one thing more."""
    return {
        phase: Scenario(
            happens=_reported(code, phase),
            almost=_near(phase, alike),
            codes=("misscan-none", code) if phase == "held" else (code,),
            instead=("misscan-none",) if phase == "held" else (),
        )
        for phase in PHASES
    }


def _is_told(table: Driven) -> bool:
    call = table.state.call
    return call is not None and call.code == WRONG_PAID


def _payments() -> dict[str, Scenario]:
    """Between two coups it holds the table; the pit alone is told of it while one is under way."""
    found = {}
    for phase, scenario in everywhere(WRONG_PAID, _paid_right).items():
        if phase in PAYMENTS:
            found[phase] = scenario
        else:
            stories = {phase: (scenario.happens, _near(phase, _nothing))}
            codes = scenario.instead
            found |= signs(_is_told, stories, codes=codes, instead=codes)
    return found


ROWS: dict[str, Row] = {
    **{code: phase_row(everywhere(code, alike), {}) for code, alike in ALIKE.items()},
    WRONG_PAID: phase_row(_payments(), {}),
}
