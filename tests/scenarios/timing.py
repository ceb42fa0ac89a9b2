# SPDX-License-Identifier: Apache-2.0
"""B. Timing: cards before the bets are closed, and between two rounds."""

from functools import partial

from msgspec.structs import replace

from studio.game import inputs as inp
from studio.game.cards import Card
from studio.game.house import House, ShoeMode
from studio.game.state import Phase
from tests.game.table_driver import Driven
from tests.scenarios.rows import (
    Row,
    Scenario,
    card_row,
    codes_of,
    each,
    excess_of,
    houses,
    nowhere,
    pair,
    phase_row,
    row,
    signs,
)
from tests.scenarios.tables import (
    BETWEEN,
    BURN,
    BY_HAND,
    CARDS,
    COMPLETE,
    PHASES,
    POSITIONS,
    Story,
    bets_closed,
    bets_open,
    noted,
    pulled,
    restarted,
    shoe_in,
    told,
)

_EARLY, _NEXT = "card-before-close", "next-card-early"


def _guard(rule: House) -> Driven:
    return bets_closed(shoe_in(rule), in_guard=True)


_WHILE_OPEN = {
    "bets open": pair(
        _EARLY, pulled(lambda rule: bets_open(shoe_in(rule))), pulled(_guard), number=1
    ),
    "bets open, stopped": pair(
        _EARLY,
        pulled(restarted),
        pulled(lambda rule: told(_guard(rule), inp.LineUp("pty", 2))),
        number=1,
    ),
}
_NOTED_EARLY = each(
    _EARLY,
    [*(one for one in CARDS if not one.is_free), *BY_HAND],
    partial(noted, early=True),
    partial(noted, early=False),
    also=excess_of,
    instead=excess_of,
)


def _key_pressed(story: Story, rule: House) -> Driven:
    """What should have been done before the card: up to the close of the next bets."""
    table = story(rule)
    if table.state.phase is Phase.SETTLING:
        table.ask("close_round")
    if table.state.is_shoe_over:
        # what comes next is the first card of another shoe
        table.ask("end_shoe")
        table.ask("load_shoe")
    if not table.state.is_open:
        table.ask("open_table")
    if table.state.suspended is not None:
        table.ask("resume_table")
    return bets_closed(table) if table.state.phase is Phase.IDLE else table


def _lies_aside(table: Driven) -> bool:
    """The card belongs to no coup, and holds the table."""
    hold = table.state.hold
    return hold is not None and hold.aside == (Card("8S"),) and not table.state.player


_STRAY: dict[str, Scenario] = {
    phase: pair(_NEXT, pulled(PHASES[phase]), pulled(partial(_key_pressed, PHASES[phase])))
    for phase in BETWEEN
}
_STRAY["shoe over"] = replace(
    _STRAY["shoe over"],
    sign=lambda table: codes_of(table) == (_NEXT,),
    never_in=houses(
        lambda rule: rule.shoe_mode is ShoeMode.CONTINUOUS,
        "This shoe is over when it is empty: one card more is a copy too many.",
    ),
)
_KEY = {
    phase: (pulled(PHASES[phase]), pulled(partial(_key_pressed, PHASES[phase])))
    for phase in ("before the first round", "between rounds", "suspended", "table closed")
}
_OF_A_COUP = (
    "in the guard",
    *(f"at {one.name}" for one in POSITIONS),
    *(one.name for one in COMPLETE),
    "held",
    "coup without bets",
)

ROWS: dict[str, Row] = {
    _EARLY: card_row(
        _NOTED_EARLY,
        {BURN: "No bets are open while cards are burned."}
        | nowhere((one.name for one in CARDS if one.is_free), "No bets were open to be closed."),
        **_WHILE_OPEN,
    ),
    _NEXT: phase_row(
        _STRAY,
        {"in the burn": "The card is the next one to be burned."}
        | nowhere(("bets open", "bets open, stopped"), "It is a card before the close of bets.")
        | nowhere(_OF_A_COUP, "The card belongs to the coup under way."),
    ),
    "start-not-pressed": row(signs(_lies_aside, _KEY, codes=(_NEXT,))),
}
