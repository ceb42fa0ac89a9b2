# SPDX-License-Identifier: Apache-2.0
"""What a row of scenarios is: for each place one story that raises it, and one that does not."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial

import msgspec

from studio.game.house import House
from tests.game.table_driver import Driven
from tests.scenarios.tables import CARD_NAMES, PHASES, RULES, Place, Story

Sign = Callable[[Driven], bool]


def codes_of(table: Driven) -> tuple[str, ...]:
    """What holds the table, in the order in which it was raised."""
    return () if table.state.hold is None else tuple(one.code for one in table.state.hold.raised)


class Scenario(msgspec.Struct, frozen=True, kw_only=True):
    """``happens`` raises the row, ``almost`` is the same place and hardly anything else.

    ``codes``: all that holds the table in the first, the row alone unless others are named;
    ``instead``: all that does in the second. ``number``: the card at which it must show, if it
    shows at a card. ``sign``: how a row shows that holds nothing. ``never_in``: the houses where
    the same story cannot raise it, and why.
    """

    happens: Story
    almost: Story
    codes: tuple[str, ...]
    instead: tuple[str, ...] = ()
    number: int | None = None
    sign: Sign | None = None
    never_in: dict[str, str] = {}


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """All scenarios of one row, by place; and the places where it cannot happen, and why."""

    scenarios: dict[str, Scenario]
    impossible: dict[str, str] = {}
    places: tuple[str, ...]


def pair(
    code: str,
    happens: Story,
    almost: Story,
    *,
    number: int | None = None,
    also: tuple[str, ...] = (),
    instead: tuple[str, ...] = (),
    never_in: dict[str, str] | None = None,
) -> Scenario:
    """One scenario; ``also``: what is raised before it."""
    return Scenario(happens=happens, almost=almost, codes=(*also, code), instead=instead,
                    number=number, never_in=never_in or {})  # fmt: skip


def row(scenarios: dict[str, Scenario], *others: dict[str, Scenario]) -> Row:
    """A row with places of its own."""
    merged = {name: one for each in (scenarios, *others) for name, one in each.items()}
    return Row(scenarios=merged, places=tuple(merged))


def card_row(scenarios: dict[str, Scenario], impossible: dict[str, str], **more: Scenario) -> Row:
    """A row that a card can raise: every card of a coup, beyond it and of the burn is asked for."""
    return Row(scenarios={**scenarios, **more}, impossible=impossible, places=(*CARD_NAMES, *more))


def phase_row(scenarios: dict[str, Scenario], impossible: dict[str, str]) -> Row:
    """A row that can be raised whatever the table is doing."""
    return Row(scenarios=scenarios, impossible=impossible, places=tuple(PHASES))


def each(
    code: str,
    places: Iterable[Place],
    happens: Callable[..., Driven],
    almost: Callable[..., Driven],
    *,
    also: Callable[[Place], tuple[str, ...]] = lambda _: (),
    instead: Callable[[Place], tuple[str, ...]] = lambda _: (),
    at_card: bool = True,
    never_in: dict[str, str] | None = None,
) -> dict[str, Scenario]:
    """The same pair of stories at each of these places; ``also``: what is raised before it."""
    return {
        one.name: pair(
            code,
            partial(happens, place=one),
            partial(almost, place=one),
            also=also(one),
            instead=instead(one),
            number=one.number if at_card else None,
            never_in=never_in,
        )
        for one in places
    }


def signs(
    sign: Sign, stories: Mapping[str, tuple[Story, Story]], *,
    codes: tuple[str, ...] = (), instead: tuple[str, ...] = (),
    never_in: dict[str, str] | None = None,
) -> dict[str, Scenario]:  # fmt: skip
    """By place: the stories of a row that holds nothing, and how it shows."""
    return {
        name: Scenario(happens=happens, almost=almost, codes=codes, instead=instead,
                       sign=sign, never_in=never_in or {})
        for name, (happens, almost) in stories.items()
    }  # fmt: skip


def nowhere(names: Iterable[str], why: str) -> dict[str, str]:
    """These places are impossible, for one reason."""
    return dict.fromkeys(names, why)


def excess_of(place: Place) -> tuple[str, ...]:
    """What a card at this place is too many by, if it is."""
    if place.name.startswith("after a natural"):
        return ("excess-after-natural",)
    return ("excess-after-complete",) if place.name.startswith("after") else ()


def houses(test: Callable[[House], bool], why: str) -> dict[str, str]:
    """The shipped houses that are so, with one reason."""
    return {name: why for name, rule in RULES.items() if test(rule)}
