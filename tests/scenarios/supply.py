# SPDX-License-Identifier: Apache-2.0
"""D. The shoe's supply: an empty shoe, the cut card, the burn of a new dealer."""

from functools import partial

from studio.game import events as ev
from studio.game import inputs as inp
from studio.game.house import House, LastCoup, ShoeMode
from tests.game.table_driver import Driven
from tests.scenarios.reported import cut_in_time, everywhere
from tests.scenarios.rows import Row, Scenario, Sign, houses, pair, row, signs
from tests.scenarios.tables import (
    COMPLETE,
    PHASES,
    POSITIONS,
    Place,
    Story,
    asked,
    at,
    bets_closed,
    emptied,
    pulled,
    told,
)

# --- insufficient-cards --------------------------------------------------------------------------

_EMPTY = "insufficient-cards"
# the whole coup that each position is of
_WHOLE = {
    "B3 of five": "6H 5S KC QD 2C",
    **dict.fromkeys(("P1", "B1", "P2", "B2", "P3", "B3 of six"), "2H 2S KC QD 9C 4S"),
}


def _dealt_out(rule: House, place: Place, *, is_enough: bool) -> Driven:
    """The shoe has just the cards before this place, or just those of the whole coup."""
    coup = _WHOLE[place.name]
    count = len(coup.split()) if is_enough else place.number - 1
    table = bets_closed(emptied(rule, count, coup))
    table.cards(" ".join(coup.split()[:count]))
    return table


def _found_empty(rule: House, place: Place, *, is_due: bool) -> Driven:
    """A person finds the shoe empty while this card is due, or when none is due any more."""
    table = at(rule, place)
    if not is_due:
        done = len(table.state.coup_cards)
        table.cards(" ".join(_whole_from(place).split()[done:]))
    return asked(table, "note_shoe_empty")


def _whole_from(place: Place) -> str:
    rest = {"P1": "9H KS TC 7D", "B1": "2H KS TC 9D", "P2": "2H KS TC 9D", "B2": "2H KS TC 9D",
            "P3": "2H KS TC 2D 9C 4S", "B3 of five": "6H 5S KC QD 2C"}  # fmt: skip
    return rest.get(place.name, place.cards)


def _empty() -> dict[str, Scenario]:
    found = {
        f"{one.name}, found by a person": pair(
            _EMPTY,
            partial(_found_empty, place=one, is_due=True),
            partial(_found_empty, place=one, is_due=False),
            number=one.number - 1,
        )
        for one in POSITIONS
    }
    counted = {
        f"{one.name}, by the count": pair(
            _EMPTY,
            partial(_dealt_out, place=one, is_enough=False),
            partial(_dealt_out, place=one, is_enough=True),
            number=one.number - 1,
        )
        for one in POSITIONS[1:]
    }
    return found | counted


# --- the cut card --------------------------------------------------------------------------------

_NO_CUT = houses(
    lambda rule: rule.shoe_mode is ShoeMode.CONTINUOUS, "A shoe that is reshuffled has no cut card."
)
_BETWEEN = ("before the first round", "between rounds", "bets open", "in the guard", "at P1")
_WITHIN = (
    *(f"at {one.name}" for one in POSITIONS[1:]),
    *(one.name for one in COMPLETE),
    "settling",
)


def _cut(phase: str, *, again: bool) -> Story:
    """The cut card comes in this phase; near by, it is one that was seen to come out before."""

    def story(rule: House) -> Driven:
        table = PHASES[phase](rule)
        return told(table, *[inp.CutCardDrawn()] * (2 if again else 1))

    return story


def _last_is(words: dict[LastCoup, str]) -> Sign:
    """The cut card was seen now, holds nothing, and says which coup is the last."""

    def seen(table: Driven) -> bool:
        event = table.log[-1].event
        rule = table.state.house
        return (
            isinstance(event, ev.CutCardSeen)
            and table.state.hold is None
            and rule is not None
            and event.last_coup == words[rule.last_coup]
        )

    return seen


_FIRST = {LastCoup.CURRENT: "this", LastCoup.ONE_MORE: "this", LastCoup.ALWAYS_ONE_MORE: "next"}
_MID = {**_FIRST, LastCoup.ONE_MORE: "next"}


def _cuts(words: dict[LastCoup, str], phases: tuple[str, ...]) -> dict[str, Scenario]:
    stories = {one: (_cut(one, again=False), _cut(one, again=True)) for one in phases}
    return signs(_last_is(words), stories, never_in=_NO_CUT)


# --- cut-card-missed -----------------------------------------------------------------------------

_MISSED = "cut-card-missed"
_BEHIND = 12


def _passed(rule: House, place: Place, *, comes: bool) -> Driven:
    """The cut card is due before this card, and comes or not; the coup is closed."""
    coup = _WHOLE[place.name].split()
    before = place.number - 1
    table = bets_closed(emptied(rule, _BEHIND + before, " ".join(coup), behind=_BEHIND))
    table.cards(" ".join(coup[:before]))
    if comes:
        table.report(inp.CutCardDrawn())
    table.cards(" ".join(coup[before:]))
    table.ask("confirm_result")
    return asked(table, "close_round")


def _burned_past(rule: House, *, is_past: bool) -> Driven:
    return emptied(rule, _BEHIND - is_past, _WHOLE["P1"], behind=_BEHIND)


def _pulled_past(rule: House, *, is_past: bool) -> Driven:
    """A card is pulled between two rounds, the first one from behind the cut card or not."""
    return pulled(lambda rule: emptied(rule, _BEHIND + 1 - is_past, _WHOLE["P1"],
                                       behind=_BEHIND), "2H")(rule)  # fmt: skip


_CUT_MISSED = {
    f"in a coup, due at {one.name}": pair(
        _MISSED,
        partial(_passed, place=one, comes=False),
        partial(_passed, place=one, comes=True),
        never_in=_NO_CUT,
    )
    for one in POSITIONS
} | {
    "in a burn": pair(
        _MISSED,
        partial(_burned_past, is_past=True),
        partial(_burned_past, is_past=False),
        never_in=_NO_CUT,
    ),
    "by a card between rounds": pair(
        _MISSED,
        partial(_pulled_past, is_past=True),
        partial(_pulled_past, is_past=False),
        also=("next-card-early",),
        instead=("next-card-early",),
        never_in=_NO_CUT,
    ),
}

_TOLD_MISSED = everywhere(_MISSED, cut_in_time)
del _TOLD_MISSED["shoe over"]

# --- burn-on-relief ------------------------------------------------------------------------------


def _relieved(phase: str, *, is_ordered: bool) -> Story:
    """Another dealer comes, and a card is drawn: to be burned, or without a word."""

    def story(rule: House) -> Driven:
        table = asked(PHASES[phase](rule), "change_dealer")
        return asked(table, "burn_cards", count=1) if is_ordered else table

    return pulled(story)


def _is_burned(table: Driven) -> bool:
    """The card is burned, and that is all."""
    names = [type(one.event) for one in table.log[-2:]]
    return names == [ev.CardBurned, ev.BurnCompleted] and table.state.hold is None


_RELIEF = {
    phase: (_relieved(phase, is_ordered=True), _relieved(phase, is_ordered=False))
    for phase in ("before the first round", "settling", "settling a void", "between rounds",
                  "suspended")
}  # fmt: skip

ROWS: dict[str, Row] = {
    _EMPTY: row(_empty()),
    "cut-card-first": row(_cuts(_FIRST, _BETWEEN)),
    "cut-card-mid-round": row(_cuts(_MID, _WITHIN)),
    _MISSED: Row(
        scenarios=_TOLD_MISSED | _CUT_MISSED,
        impossible={"shoe over": "The cut card is out by then: nobody can have missed it."},
        places=(*PHASES, *_CUT_MISSED),
    ),
    "burn-on-relief": row(signs(_is_burned, _RELIEF, instead=("next-card-early",))),
}
