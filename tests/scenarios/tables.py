# SPDX-License-Identifier: Apache-2.0
"""A table of a shipped house, brought to every place where something can go wrong.

A ``Place`` is where the next card goes, a phase is what the table is doing. Houses are as shipped:
the shoe is burned by the house's rule, and the guard after the bets is waited for.
"""

import itertools
from collections.abc import Callable
from copy import copy
from functools import partial
from typing import NamedTuple

from msgspec.structs import replace

from studio.game import inputs as inp
from studio.game.cards import Card
from studio.game.house import Burn, BurnRule, House, LastCoup, ShoeMode
from studio.game.state import Phase
from tests.game.houses import NAMES, house
from tests.game.table_driver import WHY, Driven

Story = Callable[[House], Driven]

RULES: dict[str, House] = {name: house(name) for name in NAMES}
BURNED = "AD AH AC AS"
NATURAL = "9H KS TC 7D"
BOTH_STAND = "6H 7S KC QD"


class Place(NamedTuple):
    """Where a card goes: what lies on the table before it, and the card itself."""

    name: str
    before: str
    due: str
    in_guard: bool = False
    is_free: bool = False
    by_hand: bool = False

    @property
    def number(self) -> int:
        """The number of that card in its coup."""
        return len(self.before.split()) + 1

    @property
    def cards(self) -> str:
        """What lies on the table with it."""
        return f"{self.before} {self.due}"


POSITIONS = (
    Place("P1", "", "2H"),
    Place("B1", "2H", "KS"),
    Place("P2", "2H KS", "TC"),
    Place("B2", "2H KS TC", "2D"),
    Place("P3", "2H KS TC 2D", "9C"),
    Place("B3 of five", "6H 5S KC QD", "2C"),
    Place("B3 of six", "2H 2S KC QD 9C", "4S"),
)
GUARDED = (
    Place("P1 in the guard", "", "2H", in_guard=True),
    Place("B1 in the guard", "2H", "KS", in_guard=True),
)
COMPLETE = (
    Place("after a natural", NATURAL, "2C"),
    Place("after both stand", BOTH_STAND, "2C"),
    Place("after P3", "2H 7S KC QD 3S", "2C"),
    Place("after B3 of five", "6H 2S KC QD 7C", "2C"),
    Place("after B3 of six", "2H 2S KC QD 9C 4S", "2C"),
)
WITHOUT_BETS = (
    Place("P1 without bets", "", "2H", is_free=True),
    Place("B3 without bets", "2H 2S KC QD 9C", "4S", is_free=True),
)
BEYOND_WITHOUT_BETS = Place("after a natural without bets", NATURAL, "2C", is_free=True)
BY_HAND = (
    Place("P1 by hand", "", "2H", by_hand=True),
    Place("P3 by hand", "2H KS TC 2D", "9C", by_hand=True),
    Place("after both stand by hand", BOTH_STAND, "2C", by_hand=True),
)
BURN = "burn"
IN_COUP = (*POSITIONS, *GUARDED, *WITHOUT_BETS)
BEYOND = (*COMPLETE, BEYOND_WITHOUT_BETS)
CARDS = (*IN_COUP, *BEYOND)
CARD_NAMES = (*(one.name for one in (*CARDS, *BY_HAND)), BURN)


def shoe_in(rule: House) -> Driven:
    """A table with a shoe that is burned, before its first round."""
    if rule is not RULES[rule.name]:
        return _burned(rule)
    if rule.name not in _SHOE_IN:
        _SHOE_IN[rule.name] = _burned(rule)
    table = copy(_SHOE_IN[rule.name])
    table.log = [*table.log]
    return table


# every story begins with it: told once for each house, and gone on from ever after
_SHOE_IN: dict[str, Driven] = {}


def _burned(rule: House) -> Driven:
    table = Driven(rule).ready()
    fresh = itertools.cycle(BURNED.split())
    while table.state.phase is Phase.BURNING:
        table.card(next(fresh))
    return table


def bets_open(table: Driven) -> Driven:
    """A round with bets open."""
    table.ask("open_bets")
    return table


def bets_closed(table: Driven, *, in_guard: bool = False) -> Driven:
    """A round with bets closed; the guard is over, or not."""
    bets_open(table).expire()
    if not in_guard and table.state.guard_until is not None:
        table.expire()
    return table


def begun(table: Driven, place: Place) -> Driven:
    """The coup in which this place is, before its first card."""
    if place.is_free:
        return asked(table, "open_free_coup")
    if place.by_hand:
        table.ask("set_manual_mode")
    return bets_closed(table, in_guard=place.in_guard)


def deal_out(table: Driven, codes: str) -> Driven:
    """The shoe reports these cards, or two people tell of them."""
    for code in codes.split():
        if not table.state.manual_mode:
            table.card(code)
        elif table.state.phase is Phase.DEALING:
            table.ask("deal_card", card=Card(code))
        else:
            table.ask("record_card", card=Card(code))
    return table


def dealt(rule: House, codes: str, *, in_guard: bool = False) -> Driven:
    """These cards are out, one after another, in the first round of a shoe."""
    table = bets_closed(shoe_in(rule), in_guard=in_guard)
    table.cards(codes)
    return table


def at(rule: House, place: Place) -> Driven:
    """Just before this card."""
    return deal_out(begun(shoe_in(rule), place), place.before)


def after(rule: House, place: Place) -> Driven:
    """Just after it."""
    return deal_out(at(rule, place), place.due)


def confirmed(rule: House) -> Driven:
    """A round that has its result, before the cards are cleared."""
    table = dealt(rule, NATURAL)
    table.ask("confirm_result")
    return table


def _closed(rule: House) -> Driven:
    return asked(confirmed(rule), "close_round")


def asked(table: Driven, tag: str, **made: object) -> Driven:
    """The same table after this command."""
    table.ask(tag, **made)
    return table


def told(table: Driven, *reports: inp.Report) -> Driven:
    """The same table after the shoe said this."""
    for report in reports:
        table.report(report)
    return table


def in_burn(rule: House) -> Driven:
    """Within the burn of the shoe, or within one that was ordered where the house has none."""
    table = Driven(rule).ready()
    if table.state.phase is not Phase.BURNING:
        table.ask("burn_cards", count=2)
    table.card("AD")
    return table


def shoe_over(rule: House) -> Driven:
    """The last coup is closed; without a cut card the shoe is dealt to its end."""
    if rule.shoe_mode is ShoeMode.CONTINUOUS:
        return emptied(rule, 0, NATURAL)
    last = replace(rule, last_coup=LastCoup.CURRENT)
    table = shoe_in(last)
    table.report(inp.CutCardDrawn())
    bets_closed(table).cards(NATURAL)
    table.ask("confirm_result")
    return asked(table, "close_round")


def emptied(rule: House, left: int, coup: str, *, behind: int = 1) -> Driven:
    """A shoe of one deck is burned until so many cards are left, those of the coup first.

    ``behind``: how many of them lie behind the cut card, where the house has one.
    """
    cut = None if rule.cut_card_from_end is None else behind
    table = shoe_in(replace(rule, decks=1, cut_card_from_end=cut, burn=Burn(BurnRule.NONE)))
    kept = coup.split()[:left]
    rest = [card.value for card in Card if card.value not in kept][: 52 - left]
    table.ask("burn_cards", count=len(rest))
    table.cards(" ".join(rest))
    return table


def restarted(rule: House) -> Driven:
    """Bets were open when the service stopped: none are taken since."""
    table = bets_open(shoe_in(rule))
    table.restart()
    table.report(inp.LineUp("pty", 2))
    return table


def held(rule: House) -> Driven:
    """A coup that is held already."""
    table = dealt(rule, "2H KS")
    table.unread()
    return table


PHASES: dict[str, Story] = {
    "in the burn": in_burn,
    "before the first round": shoe_in,
    "bets open": lambda rule: bets_open(shoe_in(rule)),
    "bets open, stopped": restarted,
    "in the guard": lambda rule: bets_closed(shoe_in(rule), in_guard=True),
    **{f"at {one.name}": partial(at, place=one) for one in POSITIONS},
    **{one.name: partial(at, place=one) for one in COMPLETE},
    "settling": confirmed,
    "settling a void": lambda rule: asked(dealt(rule, "2H KS"), "void_round"),
    "between rounds": _closed,
    "held": held,
    "coup without bets": lambda rule: asked(shoe_in(rule), "open_free_coup"),
    "suspended": lambda rule: asked(_closed(rule), "suspend_table"),
    "table closed": lambda rule: asked(_closed(rule), "close_table"),
    "shoe over": shoe_over,
}
BETWEEN = ("before the first round", "settling", "settling a void", "between rounds", "suspended",
           "table closed", "shoe over")  # fmt: skip


def copies(rule: House, code: str, count: int) -> Driven:
    """So many copies of this card left the shoe before the round, burned by order."""
    table = shoe_in(rule)
    if count:
        table.ask("burn_cards", count=count, reason=WHY)
        table.cards(" ".join([code] * count))
    return table


def noted(rule: House, place: Place, **said: object) -> Driven:
    """Of the card that was just drawn somebody says how it lay."""
    return asked(after(rule, place), "note_card", number=place.number, **said)


def pulled(story: Story, code: str = "8S") -> Story:
    """One more card is pulled after this story."""

    def told_on(rule: House) -> Driven:
        table = story(rule)
        table.card(code)
        return table

    return told_on


def next_round(table: Driven) -> Driven:
    """The round after this one, ready for its first card."""
    if table.state.phase is Phase.RESULT:
        table.ask("confirm_result")
    if table.state.phase is Phase.SETTLING:
        table.ask("close_round")
    return bets_closed(table)
