# SPDX-License-Identifier: Apache-2.0
"""Drills as they are run: a real table service, a simulated shoe, and the operator's actions.

All of them are passed by the rules of the shipped studio, and those that houses rule on
differently in every house; and no oracle is met by anything else.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from studio.cli.drill import sheet_lines, sheets
from studio.cli.drill_run import Sheet
from studio.cli.exits import Exit
from studio.drills.catalogue import drills_of
from studio.drills.verdict import checks_of
from studio.drills.words import AtShoe, Drill, Oracle, Tell, by_eyes
from studio.game.cards import Card
from studio.game.inputs import CloseTable
from studio.inbox import Stopping
from studio.settings import load_house, names_of
from tests.cli.run import studio

BY_HOUSE = (
    "excess-after-natural",
    "excess-unseen",
    "free-coup",
    "next-card-early",
    "next-card-unseen",
    "start-not-pressed",
    "double-pull",
    "card-before-close",
    "face-up-in-shoe",
    "said-otherwise",
    "cut-card-mid-round",
    "duplicate-card",
    "foreign-card",
    "unshuffled-shoe",
    "cut-card-missed",
    "found-after-next",
    "wrong-paid-amended",
    "burn-count-wrong",
    "burn-one-too-many",
    "card-returned",
    "ghost-between-rounds",
    # where cards are shuffled in after each round, what was lost is back before it is counted
    "insufficient-cards",
    "frame-lost",
    "frame-lost-unknown",
    "burn-card-lost",
    "shoe-restart",
    "manual-coup",
)
OTHERS = [name for name in names_of("houses") if name != "studio"]


def _drills(house: str, *names: str) -> list[Drill]:
    return [one for one in drills_of(load_house(house)) if not names or one.name in names]


def _run(house: str, drills: list[Drill]) -> list[Sheet]:
    return list(sheets(drills, house, Stopping(), seed=3))


def _unmet(sheet: Sheet) -> list[str]:
    return [f"{one.what}: {one.expected} / {one.seen}" for one in sheet.checks if not one.is_met]


@pytest.fixture(scope="module")
def all_sheets() -> list[Sheet]:
    """Every drill of the shipped studio, run once."""
    return _run("studio", _drills("studio"))


@pytest.mark.req("MAN-6")
def test_every_drill_is_passed_by_the_right_actions(all_sheets: list[Sheet]) -> None:
    assert len(all_sheets) == len(_drills("studio"))
    failed = {one.drill.name: _unmet(one) for one in all_sheets if not one.is_passed}
    assert failed == {}
    # each had a shoe of its own, one after another at one table
    assert len({one.shoe for one in all_sheets}) == len(all_sheets)


@pytest.mark.parametrize("house", OTHERS)
def test_what_houses_rule_differently_is_passed_in_each(house: str) -> None:
    failed = {one.drill.name: _unmet(one) for one in _run(house, _drills(house, *BY_HOUSE))}
    assert {name: unmet for name, unmet in failed.items() if unmet} == {}


def test_each_pass_sheet_names_its_seed_its_oracle_and_what_was_only_said(
    all_sheets: list[Sheet],
) -> None:
    for sheet in all_sheets:
        lines = [one.plain for one in sheet_lines(sheet, "studio", 3)]
        oracle = lines[lines.index("  The oracle: what had to come of it, whatever the seed") :]
        assert any("seed 3;" in line for line in lines), sheet.drill.name
        assert [line.split(": ")[0].split("  ")[-1] for line in oracle[1:-1]] == [
            check.what for check in sheet.checks
        ]
        said = [line for line in lines if line.startswith("  Only said: ")]
        assert said == ([f"  Only said: {by_eyes(sheet.drill)}"] if by_eyes(sheet.drill) else [])


def _otherwise(oracle: Oracle, public_cards: list[Card]) -> Iterator[Oracle]:
    """Oracles that ask for something else, each in one respect."""
    yield replace(oracle, public=oracle.public[:-1])
    yield replace(oracle, public=(*oracle.public, "round_held"))
    yield replace(oracle, raised=(*oracle.raised, "misread"))
    yield replace(oracle, results=(*oracle.results[:-1], "tie: 2C 2D / 2H 2S"))
    yield replace(oracle, fates=(*oracle.fates, "2C burn"))
    yield replace(oracle, counts=not oracle.counts)
    yield replace(oracle, told={**oracle.told, "setting_changed": 1})
    for card in public_cards:
        yield replace(oracle, never=(card,))
        yield replace(oracle, after={card.value: "table_closed"})


def test_no_oracle_is_met_by_something_else(all_sheets: list[Sheet]) -> None:
    for sheet in all_sheets:
        shown = [one for one in sheet.drill.cards if _is_public(sheet, one)]
        for oracle in _otherwise(sheet.drill.oracle, shown):
            altered = replace(sheet.drill, oracle=oracle)
            assert any(not one.is_met for one in checks_of(altered, sheet.account)), sheet.drill


def _is_public(sheet: Sheet, card: Card) -> bool:
    word = f'"{card.value}"'.encode()
    return any(word in payload for payload in sheet.account.heard)


def test_what_was_on_air_and_is_not_on_record_is_found(all_sheets: list[Sheet]) -> None:
    sheet = all_sheets[0]
    for account in (
        replace(sheet.account, stored=sheet.account.stored[1:]),
        replace(sheet.account, findings=("12: the row is not what was written",)),
        replace(sheet.account, mishaps=("the round does not go on",)),
    ):
        assert [one.is_met for one in checks_of(sheet.drill, account)].count(False) == 1


def test_a_drill_with_a_wrong_action_fails_and_the_next_one_has_a_fresh_table() -> None:
    good = _drills("studio", "misread")[0]
    wrong = replace(good, steps=(*good.steps[:-1], Tell(CloseTable(by="drill-dealer"))))
    first, second = _run("studio", [wrong, good])
    assert not first.is_passed
    assert "close_table was refused" in _unmet(first)[0]
    assert second.is_passed
    assert second.shoe == first.shoe


@pytest.mark.parametrize(
    "name",
    ["garbage", "line-break", "flood", "garbled-card", "double-read", "unknown-report"],
)
def test_a_drill_that_players_hear_nothing_of_fails_when_nothing_happens(name: str) -> None:
    good = _drills("studio", name)[0]
    calm = replace(good, steps=tuple(one for one in good.steps if not isinstance(one, AtShoe)))
    unmet = _unmet(_run("studio", [calm])[0])
    assert [one.split(": ")[0] for one in unmet] == ["what the shoe told beside cards"]


def test_the_command_prints_a_pass_sheet(tmp_path: Path) -> None:
    done = studio("drill", "card-before-close", "--house", "france", home=tmp_path)
    assert (done.returncode, done.stderr) == (Exit.DONE, "")
    assert done.stdout.startswith("PASS  card-before-close\n")
    assert "supervisor: rule_hold: remedy release" in done.stdout
    assert "results: banker: QC 6D / 5S 2D" in done.stdout


def test_the_command_prints_json_for_programs(tmp_path: Path) -> None:
    done = studio("drill", "double-pull", "--house", "spain", "--json", home=tmp_path)
    assert (done.returncode, done.stderr) == (Exit.DONE, "")
    sheet = json.loads(done.stdout)
    assert (sheet["drill"], sheet["house"], sheet["passed"]) == ("double-pull", "spain", True)
    assert all(one["met"] for one in sheet["checks"])


@pytest.mark.parametrize(
    "arguments, told",
    [
        ((), "say one of"),
        (("--all", "--list"), "say one of"),
        (("no-such-drill",), "studio drill --list"),
        (("late-bet",), "front-ends"),
        (("misread", "--house", "nowhere"), "venezia"),
    ],
)
def test_what_cannot_be_run_is_said_with_what_can(
    arguments: tuple[str, ...], told: str, tmp_path: Path
) -> None:
    done = studio("drill", *arguments, home=tmp_path)
    assert (done.returncode, done.stdout) == (Exit.BAD_SETTINGS, "")
    assert told in done.stderr


def test_the_list_names_every_drill_and_what_has_none(tmp_path: Path) -> None:
    done = studio("drill", "--list", home=tmp_path)
    assert done.returncode == Exit.DONE
    names = [line.split()[0] for line in done.stdout.splitlines() if line[:1].isalpha()]
    assert set(names) >= {one.name for one in _drills("studio")} | {"late-bet", "link-lost"}
