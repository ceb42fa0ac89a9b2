# SPDX-License-Identifier: Apache-2.0
"""``make mutants``: all modules, or those named; ``judging:87`` is one line of a module.

Prints how many mutants there are of each module and how many the tests killed, then each survivor.
Survivors that cannot change anything stand in ``survivors.toml`` with the reason. Exit status 1: a
survivor is not listed, or a listed one is no survivor; 2: what was asked makes no sense, or the
tests fail over the modules as they are.
"""

import os
import sys
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import msgspec

from tests.mutation.mutants import Mutant, enums_in, mutants_of
from tests.mutation.running import FAILED, PASSED, ChangedModule, outcomes, start

ROOT = Path(__file__).parents[2]
GAME = ROOT / "studio" / "game"
SURVIVORS = Path(__file__).with_name("survivors.toml")
AT_ONCE = min(2, os.cpu_count() or 1)

# In batches: a test that fails ends the run, so the quickest that may fail come first.
COUPS = ("game/test_judgement.py",)
STORIES = (
    "game/test_misdeals_surplus.py", "game/test_misdeals_held.py", "game/test_misdeals_by_hand.py",
    "game/test_misdeals_late.py", "game/test_misdeals_on_record.py", "game/test_table_hold.py",
    "game/test_misdeals_faces.py", "game/test_misdeals_ghost.py", "game/test_misdeals_aside.py",
    "game/test_taken_back.py", "game/test_burned_from_aside.py",
)  # fmt: skip
TABLE = (
    "game/test_table_guard.py", "game/test_table_burn.py", "game/test_table_round.py",
    "game/test_table_shoe.py", "game/test_table_stream.py", "game/test_table_reader.py",
    "game/test_table_commands.py",
    "game/test_prompts.py", "game/test_snapshot.py", "game/test_golden_shoe.py",
    "game/test_table_irregularities.py",
)  # fmt: skip
SHOES = ("game/test_cut_card_missed.py", "game/test_table_stop.py")
# The tests that judge each module.
TESTS: dict[str, tuple[tuple[str, ...], ...]] = {
    "tableau": (("game/test_tableau.py",),),
    "coup": (COUPS, STORIES, TABLE),
    "judgement": (COUPS, ("adjudication/test_adjudicate.py",), STORIES, TABLE),
    "irregularities": (
        ("game/test_table_irregularities.py", "game/test_numbering.py"),
        STORIES,
        SHOES,
        TABLE[:-1],
    ),
    "holds": (("game/test_holds.py",), STORIES, SHOES, TABLE),
    "judging": (STORIES, SHOES, TABLE),
    "remedies": (STORIES, SHOES, TABLE),
    "cut_card": (SHOES, STORIES, TABLE),
    "amendments": (("game/test_misdeals_late.py",), STORIES, TABLE),
}


class Survivor(msgspec.Struct, frozen=True, order=True):
    """A mutant that no test tells from the module, by the function it is in."""

    module: str
    where: str
    was: str
    now: str


class Accepted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One that cannot be told, and why."""

    module: str
    was: str
    now: str
    why: str
    where: str = ""


class Asked(NamedTuple):
    """A module, and the line asked for; None for all."""

    module: str
    line: int | None


def main(words: list[str]) -> int:
    """Mutate what is asked for, or all; see the module's text."""
    asked = [_asked(word) for word in words or TESTS]
    unknown = [one.module for one in asked if one.module not in TESTS]
    if unknown:
        _say(f"no such module: {', '.join(unknown)}; there are {', '.join(TESTS)}")
        return 2
    enums = enums_in(path.read_text("utf-8") for path in GAME.glob("*.py"))
    survivors: list[tuple[Survivor, int]] = []
    for one in asked:
        found = _survivors(one, enums)
        if found is None:
            return 2
        survivors += found
    accepted = {
        Survivor(one.module, one.where, one.was, one.now): one.why for one in accepted_survivors()
    }
    whole = {one.module for one in asked if one.line is None}
    return compared(survivors, accepted, whole)


def accepted_survivors() -> list[Accepted]:
    """The list of survivors that cannot change anything."""
    listed = msgspec.toml.decode(SURVIVORS.read_bytes(), type=dict[str, list[Accepted]])
    return listed.get("survivor", [])


def _asked(word: str) -> Asked:
    name, _, line = word.partition(":")
    return Asked(name, int(line) if line.isdecimal() else None)


def _survivors(asked: Asked, enums: dict[str, list[str]]) -> list[tuple[Survivor, int]] | None:
    """The survivors of one module with their lines; None when its tests fail over it as it is."""
    name, path = f"studio.game.{asked.module}", GAME / f"{asked.module}.py"
    text = path.read_text("utf-8")
    tests = [[f"tests/{test}" for test in batch] for batch in TESTS[asked.module]]
    begun = time.monotonic()
    ((_, status),) = outcomes([lambda: start(ChangedModule(name, path, text), tests, 300)], 1)
    if status != PASSED:
        _say(f"{asked.module}: the tests fail over the module as it is ({status}): run them first")
        return None
    seconds = 10 + int(4 * (time.monotonic() - begun))
    chosen = [one for one in mutants_of(text, enums) if asked.line in (None, one.line)]

    def job(one: Mutant) -> int:
        return start(ChangedModule(name, path, one.text), tests, seconds)

    ended = dict(outcomes((lambda one=one: job(one) for one in chosen), AT_ONCE))
    counted = Counter(ended.values())
    slow = sum(count for status, count in counted.items() if status < 0)
    _print(
        f"{asked.module:<15} {len(chosen):5} mutants  {len(chosen) - counted[PASSED]:5} killed"
        f" ({slow} of them by time or memory) {counted[PASSED]:5} survived"
        f"  {time.monotonic() - begun:.0f} s"
    )
    return [
        (Survivor(asked.module, one.where, one.was, one.now), one.line)
        for number, one in enumerate(chosen)
        if ended[number] == PASSED
    ]


def compared(
    survivors: list[tuple[Survivor, int]], accepted: dict[Survivor, str], whole: set[str]
) -> int:
    """Print each survivor and what the list says of it; 1 when the two differ."""
    new = [one for one, _ in survivors if one not in accepted]
    for one, line in survivors:
        why = accepted.get(one)
        _print(f"\nstudio/game/{one.module}.py:{line}  {one.where}")
        _print(f"  - {one.was}\n  + {one.now}")
        _print("  NOT LISTED: a test must kill it" if why is None else f"  listed: {why}")
    gone = sorted(
        one for one in accepted if one.module in whole and one not in {one for one, _ in survivors}
    )
    for one in gone:
        _print(f"\nstudio/game/{one.module}.py  {one.where}\n  - {one.was}\n  + {one.now}")
        _print("  LISTED, BUT KILLED OR GONE: take it from the list")
    _print(f"\n{len(survivors)} survived: {len(new)} not listed; {len(gone)} listed but gone")
    return FAILED if new or gone else PASSED


def _print(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")


if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(main(sys.argv[1:]))
