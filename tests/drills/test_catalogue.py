# SPDX-License-Identifier: Apache-2.0
"""The drills as data: every row of the catalogue is trained in every house, or has a reason."""

import msgspec
import pytest

from drivers.sim.commands import ControlCommand
from studio.drills import words
from studio.drills.catalogue import drills_of, undrilled
from studio.drills.shoes import cards_to_burn
from studio.drills.words import Drill
from studio.game import events as ev
from studio.game.house import BurnRule, House
from studio.game.irregularities import IRREGULARITIES, SeenBy
from studio.game.reports import Report
from studio.settings import load_house, names_of

HOUSES = [load_house(name) for name in names_of("houses")]
EACH = [pytest.param(h, d, id=f"{h.name}-{d.name}") for h in HOUSES for d in drills_of(h)]
# drills of what only eyes can see in which people really do it
ACTED = ("mis-scored",)
PUBLIC_TYPES = {
    one.__struct_config__.tag for one in ev.PublicEvent.__args__
}  # fmt: skip
PLAIN_ROUND = set(words.public(words.dealt(1) + words.END))
# what is wrong must be there for a command of the drill to be accepted
SEEN_BY_COMMAND = ("burn-misread",)
REPORTS = {one.__struct_config__.tag for one in Report.__args__}


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: house.name)
def test_every_row_of_the_catalogue_has_a_drill_or_a_reason_and_never_both(house: House) -> None:
    trained = {row for drill in drills_of(house) for row in drill.rows}
    missing = undrilled(house)
    assert trained | set(missing) == set(IRREGULARITIES)
    assert trained & set(missing) == set()
    assert all(missing.values())


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: house.name)
def test_every_drill_has_a_name_of_its_own(house: House) -> None:
    names = [drill.name for drill in drills_of(house)]
    assert sorted(set(names)) == sorted(names)


@pytest.mark.parametrize("house, drill", EACH)
def test_a_drill_says_what_it_trains_and_asks_for_what_can_be(house: House, drill: Drill) -> None:
    oracle = drill.oracle
    assert drill.trains.endswith(".")
    assert set(oracle.public) <= PUBLIC_TYPES
    assert set(oracle.raised) <= set(IRREGULARITIES)
    assert set(oracle.after.values()) <= set(oracle.public)
    ends = [one for one in oracle.public if one in ("result", "result_amended", "round_voided")]
    assert len(ends) == len(oracle.results)


@pytest.mark.parametrize("house, drill", EACH)
def test_whatever_a_drill_does_to_the_shoe_is_a_command_of_its_control_line(
    house: House, drill: Drill
) -> None:
    for step in drill.steps:
        if isinstance(step, words.AtShoe):
            msgspec.convert({"do": step.do, **step.values}, ControlCommand)


@pytest.mark.parametrize("house, drill", EACH)
def test_a_secret_card_is_in_the_shoe_once_and_is_not_burned_first(
    house: House, drill: Drill
) -> None:
    if drill.has_own_burn:
        assert not drill.oracle.after
        return
    burned = cards_to_burn(house, drill.cards)
    assert set(burned).isdisjoint(drill.cards)
    if house.burn.rule is BurnRule.FIRST_CARD:
        assert len(burned) == 2
    for code in drill.oracle.after:
        assert [card.value for card in drill.cards].count(code) == 1


@pytest.mark.parametrize("house, drill", EACH)
def test_what_only_eyes_can_see_is_done_or_owned_to_be_only_said(
    house: House, drill: Drill
) -> None:
    is_of_eyes = any(IRREGULARITIES[row].seen_by is SeenBy.REPORT for row in drill.rows)
    is_done = any(isinstance(one, words.AtShoe) for one in drill.steps) or drill.name in ACTED
    is_done |= bool(drill.foreign) or drill.has_own_burn
    if is_of_eyes:
        assert is_done is not bool(words.by_eyes(drill)), drill.name


@pytest.mark.parametrize("house, drill", EACH)
def test_an_oracle_asks_what_the_shoe_told_where_players_hear_a_plain_round(
    house: House, drill: Drill
) -> None:
    oracle = drill.oracle
    assert set(oracle.told) <= REPORTS
    assert all(least > 0 for least in oracle.told.values())
    is_done = any(isinstance(one, words.AtShoe) for one in drill.steps)
    if is_done and not oracle.raised and set(oracle.public) <= PLAIN_ROUND:
        assert oracle.told or drill.name in SEEN_BY_COMMAND
