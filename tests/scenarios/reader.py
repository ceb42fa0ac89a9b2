# SPDX-License-Identifier: Apache-2.0
"""E. The reader and its line: cards not read, misread, told twice, lost, or told otherwise."""

from collections.abc import Callable
from functools import partial

from studio.game import events as ev
from studio.game import inputs as inp
from studio.game.cards import Card
from studio.game.coup import Outcome
from studio.game.house import House
from studio.game.inputs import CardDrawn, DeviceMode, FaultKind, Target
from tests.game.table_driver import BY, SECOND, Driven
from tests.scenarios.rows import (
    Row,
    Scenario,
    card_row,
    each,
    excess_of,
    houses,
    nowhere,
    pair,
    row,
    signs,
)
from tests.scenarios.tables import (
    BEYOND,
    BURN,
    BY_HAND,
    CARDS,
    COMPLETE,
    GUARDED,
    IN_COUP,
    PHASES,
    POSITIONS,
    WITHOUT_BETS,
    Place,
    Story,
    after,
    asked,
    at,
    bets_open,
    shoe_in,
    told,
)

_UNREAD = inp.CardUnreadable("no read")
_HAND = tuple(one.name for one in BY_HAND)
_SURPLUS = tuple(one.name for one in COMPLETE)

# --- misscan-none, misread -----------------------------------------------------------------------


def _unread(rule: House, place: Place) -> Driven:
    if place.by_hand:
        return asked(at(rule, place), "record_card", card=None)
    return told(at(rule, place), _UNREAD)


_EARLY = {
    "bets open": pair(
        "misscan-none",
        lambda rule: told(bets_open(shoe_in(rule)), _UNREAD),
        lambda rule: told(bets_open(shoe_in(rule)), CardDrawn(Card("2H"))),
        instead=("card-before-close",),
        number=1,
        never_in=houses(
            lambda rule: rule.early_card == "burn",
            "An early card is removed here, so that nobody needs its face.",
        ),
    )
}


def _corrected(rule: House, place: Place, *, is_other: bool) -> Driven:
    """Two people say that the card is another, or what was read."""
    table = after(rule, place)
    card = Card("JD") if is_other else Card(place.due)
    table.give(inp.CorrectCard(by=BY, second=SECOND, number=place.number, card=card))
    return table


# --- double-read ---------------------------------------------------------------------------------


def _repeated(story: Story, *, says_so: bool) -> Story:
    """The last card comes once more: the shoe says that it repeats it, or it is its like."""

    def again(rule: House) -> Driven:
        table = story(rule)
        last = table.state.last_card
        if says_so:
            return told(table, inp.CardRepeated(last))
        return told(table, CardDrawn(last or Card("8S")))

    return again


def _counts_once(table: Driven) -> bool:
    """It was noted, and neither counted nor asked about."""
    last = table.log[-1].event
    return isinstance(last, ev.ShoeNoted) and isinstance(last.report, inp.CardRepeated)


def _repeats(phases: tuple[str, ...], instead: tuple[str, ...] = ()) -> dict[str, Scenario]:
    stories = {
        one: (_repeated(PHASES[one], says_so=True), _repeated(PHASES[one], says_so=False))
        for one in phases
    }
    return signs(_counts_once, stories, instead=instead)


_TWICE = (
    _repeats(("in the guard", *(f"at {one.name}" for one in POSITIONS), "in the burn"))
    | _repeats(("after a natural",), ("excess-after-natural",))
    | _repeats(_SURPLUS[1:], ("excess-after-complete",))
    | _repeats(("before the first round", "settling", "between rounds"), ("next-card-early",))
    | _repeats(("bets open",), ("card-before-close",))
)

# --- what the shoe tells of itself, between any two cards ----------------------------------------


def _says(report: inp.Report) -> Callable[..., Driven]:
    def story(rule: House, place: Place) -> Driven:
        return told(at(rule, place), report)

    return story


def _of_new_reader(rule: House, place: Place) -> Driven:
    table = asked(at(rule, place), "change_reader")
    return told(table, inp.SequenceGap("1", "3"))


def _repeat(rule: House, place: Place, *, is_last: bool) -> Driven:
    table = at(rule, place)
    return told(table, inp.CardRepeated(table.state.last_card if is_last else Card("JD")))


_GAPS = each(
    "frame-lost",
    (*CARDS, *BY_HAND),
    _says(inp.SequenceGap("1", "3")),
    _of_new_reader,
    at_card=False,
)
_MISMATCHES = each(
    "repeat-mismatch", CARDS, partial(_repeat, is_last=False), partial(_repeat, is_last=True),
    at_card=False,
)  # fmt: skip


def _failed(kind: FaultKind) -> inp.Report:
    return inp.FaultReported(kind, 3, latched=True)


_FAILURES = each(
    "shoe-failure", (*CARDS, *BY_HAND), _says(_failed(FaultKind.OVERDRAW)),
    _says(inp.FaultCleared(3)), at_card=False,
)  # fmt: skip
_KINDS = {
    kind.value: pair(
        "shoe-failure",
        partial(_says(_failed(kind)), place=POSITIONS[2]),
        partial(_says(inp.FaultCleared(3)), place=POSITIONS[2]),
    )
    for kind in FaultKind
}

# --- what it tells of a card ---------------------------------------------------------------------

_TARGETS = {"P": Target.PLAYER, "B": Target.BANKER}


def _hinted(rule: House, place: Place, *, wrong: str = "", reconnected: bool = False) -> Driven:
    """The shoe says of the card where it goes: right, or wrong in its side or in its count."""
    table = at(rule, place)
    if reconnected:
        table.report(inp.LineUp("pty", 2))
    side, index = place.name[0], int(place.name[1])
    laid = {"P": "B", "B": "P"}[side] if wrong == "side" else side
    return told(table, CardDrawn(Card(place.due), _TARGETS[laid], index + (wrong == "index")))


def _hints(code: str, *, reconnected: bool) -> dict[str, Scenario]:
    found: dict[str, Scenario] = {}
    for wrong in ("side", "index"):
        told_wrong = partial(_hinted, wrong=wrong, reconnected=reconnected)
        told_right = partial(_hinted, reconnected=reconnected)
        each_place = each(code, IN_COUP, told_wrong, told_right)
        found |= {f"{name}, other {wrong}": one for name, one in each_place.items()}
    return found


def _moded(rule: House, place: Place, *, mode: DeviceMode | None) -> Driven:
    report = CardDrawn(Card(place.due), in_game=mode is None, mode=mode)
    return told(at(rule, place), report)


def _modes() -> dict[str, Scenario]:
    found: dict[str, Scenario] = {}
    for mode in DeviceMode:
        stories = partial(_moded, mode=mode), partial(_moded, mode=None)
        each_place = each("card-out-of-game", IN_COUP, *stories)
        found |= {f"{name}, {mode.value}": one for name, one in each_place.items()}
    return found


# --- the result that it sees ---------------------------------------------------------------------


def _seen(rule: House, place: Place, *, outcome: Outcome | None) -> Driven:
    """None for the result that the cards give, or for a coup that was ended by hand."""
    table = at(rule, place)
    own = table.state.outcome if outcome is None else outcome
    return told(table, inp.ResultReported(own))


def _results() -> dict[str, Scenario]:
    found: dict[str, Scenario] = {}
    for place in (*POSITIONS[1:], GUARDED[1], WITHOUT_BETS[1], *BEYOND):
        for outcome in Outcome:
            found[f"{place.name}, result {outcome.value}"] = pair(
                "shoe-mismatch",
                partial(_seen, place=place, outcome=outcome),
                partial(_seen, place=place, outcome=None),
                number=place.number - 1,
            )
    return {name: one for name, one in found.items() if name not in _OWN}


# the winners by the cards of those coups: what the shoe sees then is no difference
_OWN = (
    "after a natural, result player",
    "after a natural without bets, result player",
    "after both stand, result banker",
    "after P3, result banker",
    "after B3 of five, result banker",
    "after B3 of six, result banker",
)
_OUTSIDE = "No card of a coup can be among those lost: the count at the shoe's end tells of them."

ROWS: dict[str, Row] = {
    "misscan-none": card_row(
        each(
            "misscan-none",
            (*CARDS, *BY_HAND),
            _unread,
            after,
            instead=excess_of,
        ),
        {BURN: "No coup hangs on it: the prompt asks for the face of the first, which counts."},
        **_EARLY,
    ),
    "misread": card_row(
        each(
            "misread",
            (*CARDS, *BY_HAND),
            partial(_corrected, is_other=True),
            partial(_corrected, is_other=False),
            also=excess_of,
            instead=excess_of,
            at_card=False,
        ),
        {BURN: "No coup hangs on a burned card: it is corrected without a hold."},
    ),
    "double-read": row(_TWICE),
    "frame-lost": card_row(
        _GAPS, {BURN: _OUTSIDE}, **_hints("frame-lost", reconnected=True)
    ),
    "shoe-failure": card_row(
        _FAILURES, {BURN: "No coup is under way: the console shows the fault beside the burn."},
        **_KINDS,
    ),
    "repeat-mismatch": card_row(
        _MISMATCHES,
        {BURN: "No coup is under way: burned cards are counted once each."}
        | nowhere(_HAND, "What the shoe says of cards entered by hand moves nothing."),
    ),
    "card-out-of-game": row(_modes()),
    "shoe-mismatch": row(_hints("shoe-mismatch", reconnected=False), _results()),
}  # fmt: skip
