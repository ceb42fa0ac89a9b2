# SPDX-License-Identifier: Apache-2.0
"""Each row of the catalogue is raised at every place where it can happen, and not by its like."""

from collections.abc import Iterator
from itertools import cycle, islice

import pytest

from studio.game import events as ev
from studio.game import inputs as inp
from studio.game.irregularities import IRREGULARITIES, REPORTABLE, SeenBy
from studio.game.state import Phase
from tests.game.misdeal_stories import go_home
from tests.game.table_driver import BY, Driven
from tests.scenarios.catalogue import SCENARIOS
from tests.scenarios.rows import Scenario, codes_of
from tests.scenarios.tables import RULES


def test_the_scenarios_are_those_of_all_rows_in_which_the_system_has_a_part() -> None:
    nobody = {code for code, row in IRREGULARITIES.items() if row.seen_by is SeenBy.NOBODY}
    assert set(SCENARIOS) == set(IRREGULARITIES) - nobody


@pytest.mark.parametrize("code", SCENARIOS)
def test_each_place_has_its_scenario_or_the_reason_why_it_cannot_be(code: str) -> None:
    row = SCENARIOS[code]
    assert sorted((*row.scenarios, *row.impossible)) == sorted(row.places)
    reasons = [*row.impossible.values()]
    reasons += [why for one in row.scenarios.values() for why in one.never_in.values()]
    assert all(why.endswith(".") for why in reasons)
    for one in row.scenarios.values():
        assert set(one.never_in) < set(RULES)


@pytest.mark.req("VOID-1", "REC-7")
@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("code", SCENARIOS)
def test_it_is_raised_wherever_it_can_happen_and_nothing_else_is(code: str, name: str) -> None:
    for place, scenario, is_played_out in _scenarios(code, name):
        table = scenario.happens(RULES[name])
        if name in scenario.never_in:
            assert not _is_raised(table, code, scenario), place
        else:
            assert codes_of(table) == scenario.codes, place
            assert _is_raised(table, code, scenario), place
            assert _shows_at(table, code) in (None, scenario.number), place
        # nobody bets on a table that is held
        assert codes_of(table) == () or table.state.held_from is not Phase.BETS_OPEN, place
        if is_played_out:
            go_home(table)


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("code", SCENARIOS)
def test_at_the_same_place_what_is_almost_so_raises_nothing(code: str, name: str) -> None:
    for place, scenario, is_played_out in _scenarios(code, name):
        table = scenario.almost(RULES[name])
        assert codes_of(table) == scenario.instead, place
        assert not _is_raised(table, code, scenario), place
        if is_played_out:
            go_home(table)
        assert (code in _ever_raised(table)) is (code in scenario.instead), place


@pytest.mark.parametrize("code", REPORTABLE)
def test_nothing_is_reported_of_a_table_without_a_shoe(code: str) -> None:
    table = Driven(RULES["studio"])
    table.ask("open_table")
    said = inp.ReportIrregularity(by=BY, code=code, detail="")
    assert table.refused(said) == "not_now"


def _scenarios(code: str, name: str) -> Iterator[tuple[str, Scenario, bool]]:
    """Every place of the row; the houses take turns in playing the rounds out."""
    turns = islice(cycle(RULES), len(code) % len(RULES), None)
    for place, scenario in SCENARIOS[code].scenarios.items():
        yield place, scenario, next(turns) == name


def _ever_raised(table: Driven) -> list[str]:
    return [one.event.code for one in table.log if isinstance(one.event, ev.IrregularityRaised)]


def _is_raised(table: Driven, code: str, scenario: Scenario) -> bool:
    return code in codes_of(table) if scenario.sign is None else scenario.sign(table)


def _shows_at(table: Driven, code: str) -> int | None:
    hold = table.state.hold
    raised = () if hold is None else hold.raised
    return next((one.number for one in reversed(raised) if one.code == code), None)
