# SPDX-License-Identifier: Apache-2.0
"""What mutants are made of a module; that a run tells the dead from the living."""

import subprocess
import sys

import pytest

from tests.mutation.__main__ import GAME, ROOT, TESTS, Survivor, accepted_survivors, compared
from tests.mutation.mutants import enums_in, mutants_of

TEXT = '''"""A docstring stays."""
from enum import Enum

MARKS = """
head | 0 1
     | D S
"""

class Side(Enum):
    PLAYER = "player"
    BANKER = "banker"

def winner(player: int, banker: int, told: list[int] | None = None) -> Side | None:
    """Also this one."""
    if player > banker and not told:
        told.append(player % 10)
        return Side.PLAYER
    return max(player, banker, key=lambda one: one + 1)
'''


def changes(text: str) -> set[str]:
    return {one.now for one in mutants_of(text, enums_in([text]))}


def test_every_kind_of_change_is_made_and_prose_and_annotations_are_left_alone() -> None:
    assert changes(TEXT) == {
        "| S S", "| D D", "PLAYER = 'player~'", "BANKER = 'banker~'",
        "if True:", "if False:", "if (player > banker or not told):", "if player > banker:",
        "if not told:", "if player >= banker and not told:", "if player <= banker and not told:",
        "if player > banker and told:", "if banker > banker and not told:",
        "if player > player and not told:",
        "pass", "told.append((player // 10))", "told.append(player % 11)",
        "told.append(player % 9)", "told.append(banker % 10)", "return Side.BANKER",
        "return None", "return min(player, banker, key=lambda one: one + 1)",
        "return max(banker, banker, key=lambda one: one + 1)",
        "return max(player, player, key=lambda one: one + 1)", "return max(player, banker, )",
        "return max(player, banker, key=lambda one: (one - 1))",
        "return max(player, banker, key=lambda one: one + 2)",
        "return max(player, banker, key=lambda one: one + 0)",
    }  # fmt: skip


@pytest.mark.parametrize("module", TESTS)
def test_every_mutant_of_a_judged_module_can_be_compiled_and_its_tests_are_there(
    module: str,
) -> None:
    text = (GAME / f"{module}.py").read_text("utf-8")
    found = mutants_of(text, enums_in(path.read_text("utf-8") for path in GAME.glob("*.py")))
    for one in found[:: max(len(found) // 40, 1)]:
        compile(one.text, module, "exec", dont_inherit=True)
        assert one.text.count("\n") <= text.count("\n")
    assert all((ROOT / "tests" / test).exists() for batch in TESTS[module] for test in batch)


def test_every_survivor_that_is_listed_is_a_mutant_there_is_and_has_its_reason() -> None:
    enums = enums_in(path.read_text("utf-8") for path in GAME.glob("*.py"))
    there = {
        (module, one.where, one.was, one.now)
        for module in TESTS
        for one in mutants_of((GAME / f"{module}.py").read_text("utf-8"), enums)
    }
    for one in accepted_survivors():
        assert (one.module, one.where, one.was, one.now) in there
        assert len(one.why.split()) > 3


# Run apart, for it forks and must not have imported the program.
RUN = """
import sys
from pathlib import Path
from tests.mutation.running import ChangedModule, outcomes, start

path = Path("studio/game/tableau.py")
text = path.read_text("utf-8")
changed = [
    text.replace("len(player) >= 2 and total_of", "len(player) >= 3 and total_of"),
    text + "# nothing changed",
    text.replace("def is_natural", "while True: pass\\n\\n\\ndef is_natural"),
]
assert len({*changed, text}) == 4
tests = [["tests/game/test_tableau.py", "-k", "natural_ends"]]
jobs = [
    lambda one=one, seconds=seconds: start(
        ChangedModule("studio.game.tableau", path, one), tests, seconds
    )
    for one, seconds in zip(changed, (40, 40, 2), strict=True)
]
print(sorted(outcomes(jobs, 2)))
"""


def test_a_known_change_of_the_tableau_is_noticed_and_one_that_is_none_survives() -> None:
    done = subprocess.run(
        [sys.executable, "-c", RUN], cwd=ROOT, capture_output=True, text=True, timeout=50,
        check=False,
    )  # fmt: skip
    assert done.stdout.strip() == "[(0, 1), (1, 0), (2, -14)]", done.stderr


@pytest.mark.parametrize("words", [["nothing"], ["tableau", "bets:3"]])
def test_a_module_that_is_not_judged_is_told(words: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.mutation", *words], cwd=ROOT, capture_output=True, text=True,
        timeout=50, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "no such module" in done.stderr


def test_the_list_must_hold_exactly_what_survives(capsys: pytest.CaptureFixture[str]) -> None:
    one = Survivor("tableau", "next_position", "if True:", "if False:")
    other = Survivor("judging", "place", "if True:", "if False:")
    assert compared([(one, 7)], {one: "it is never read"}, {"tableau"}) == 0
    assert "tableau.py:7" in capsys.readouterr().out
    assert compared([(one, 7)], {}, {"tableau"}) == 1
    assert "NOT LISTED" in capsys.readouterr().out
    assert compared([], {one: "it is never read"}, {"tableau"}) == 1
    assert "KILLED OR GONE" in capsys.readouterr().out
    assert compared([], {other: "of a module that was not asked for"}, {"tableau"}) == 0
