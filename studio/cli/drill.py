# SPDX-License-Identifier: Apache-2.0
"""``studio drill``: what goes wrong at a table, dealt to a real table service by a simulated shoe.

Each drill has its own shoe, the operator's right actions, and an oracle; the pass sheet says what
happened, what was done, what was expected and what was seen.
"""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from studio.cli.drill_floor import Floor, houses
from studio.cli.drill_run import Sheet, run
from studio.cli.exits import CommandFailed, Exit, taught
from studio.cli.output import console, write_json
from studio.cli.signals import stopping_on_signals
from studio.cli.site import known_site
from studio.drills.catalogue import drills_of, undrilled
from studio.drills.words import Drill, by_eyes
from studio.game.house import House
from studio.inbox import Stopping
from studio.settings import load_house

app = typer.Typer(rich_markup_mode="rich", add_completion=False)

# Each report comes three times, as shoes were seen to send them.
SHOE = ("--repeats", "2")

_HELP = taught(
    "Drills: every irregularity and every fault of the shoe, against a real table service with a "
    "simulated shoe, with the operator's right actions. Prints a pass sheet: what happened, what "
    "was done, what was expected, what was seen.",
    "Everything lives in a temporary folder and on free ports, and is gone when it ends.",
    ("studio drill --list", "what can be trained, and what cannot, and why"),
    ("studio drill face-up-in-shoe", "one drill, by the rules of the house studio"),
    ("studio drill face-up-in-shoe --house macau", "the same card in another house"),
    ("studio drill --all", "all of them"),
    ("studio drill --all --json", "one JSON object for each drill"),
)


@app.command(help=_HELP)
def drill(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="The drill; see --list.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Run every drill.")] = False,
    listed: Annotated[bool, typer.Option("--list", help="List the drills.")] = False,
    house: Annotated[str, typer.Option(metavar="NAME", help="The house's rules.")] = "studio",
    seed: Annotated[
        int, typer.Option(help="The same seed gives the same cards after those of the drill.")
    ] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> None:
    """List or run drills."""
    if sum((name is not None, everything, listed)) != 1:
        raise CommandFailed("say one of: --list, a drill's NAME, or --all", Exit.BAD_SETTINGS)
    rules = _house(house)
    known = drills_of(rules)
    if listed:
        _list(rules, as_json=as_json)
        return
    chosen = known if everything else [one for one in known if one.name == name]
    if not chosen:
        reason = undrilled(rules).get(name or "")
        text = reason or "see `studio drill --list`"
        raise CommandFailed(f"house {house} has no drill {name!r}: {text}", Exit.BAD_SETTINGS)
    failed, count = [], 0
    with stopping_on_signals() as stopping:
        for sheet in sheets(chosen, house, stopping, seed=seed):
            count += 1
            failed += [] if sheet.is_passed else [sheet.drill.name]
            _show(sheet, house, seed, as_json=as_json)
    if everything and not as_json:
        text = f"{count - len(failed)} of {count} drills passed in house {house}"
        console().print(f"{text}; failed: {', '.join(failed)}" if failed else text)
    if failed:
        raise typer.Exit(Exit.FAILED)


def sheets(
    drills: Sequence[Drill], house: str, stopping: Stopping, *, seed: int
) -> Iterator[Sheet]:
    """Run drills one after another; after one that failed, on another floor."""
    with tempfile.TemporaryDirectory(prefix="sabot-drill-") as home, ExitStack() as ending:
        floor: Floor | None = None
        for number, one in enumerate(drills):
            if floor is None:
                folder = Path(home) / str(number)
                folder.mkdir()
                floor = ending.enter_context(
                    Floor(folder, house, stopping, seed=seed, site=known_site(), shoe=SHOE)
                )
            sheet = run(floor, one)
            yield sheet
            if not sheet.is_passed:
                floor.close()
                floor = None


def _house(name: str) -> House:
    site = known_site()
    if name not in houses(site):
        known = ", ".join(houses(site))
        raise CommandFailed(f"no house {name!r}; there are: {known}", Exit.BAD_SETTINGS)
    return load_house(name, site)


def _list(house: House, *, as_json: bool) -> None:
    missing = undrilled(house)
    if as_json:
        for one in drills_of(house):
            write_json({"drill": one.name, "trains": one.trains, "rows": one.rows})
        for code, why in missing.items():
            write_json({"row": code, "no_drill": why})
        return
    out = console()
    known = drills_of(house)
    width = max(len(word) for word in (*missing, *(one.name for one in known)))
    for one in known:
        out.print(Text(f"{one.name:{width}}  {one.trains}"), soft_wrap=True)
    out.print(Text("\nWithout a drill:"))
    for code, why in missing.items():
        out.print(Text(f"{code:{width}}  {why}"), soft_wrap=True)


def _show(sheet: Sheet, house: str, seed: int, *, as_json: bool) -> None:
    if as_json:
        write_json(
            {
                "drill": sheet.drill.name,
                "house": house,
                "seed": seed,
                "shoe": sheet.shoe,
                "trains": sheet.drill.trains,
                "only_said": by_eyes(sheet.drill),
                "rows": sheet.drill.rows,
                "cards": sheet.drill.cards,
                "actions": [one._asdict() for one in sheet.actions],
                "oracle": sheet.drill.oracle,
                "checks": [
                    {"what": one.what, "expected": one.expected, "seen": one.seen,
                     "met": one.is_met}
                    for one in sheet.checks
                ],
                "passed": sheet.is_passed,
            }
        )  # fmt: skip
        return
    out = console()
    for line in sheet_lines(sheet, house, seed):
        out.print(line, soft_wrap=True)


def sheet_lines(sheet: Sheet, house: str, seed: int) -> Iterator[Text]:
    """The pass sheet of a drill."""
    drill, word = sheet.drill, "PASS" if sheet.is_passed else "FAIL"
    style = "bold green" if sheet.is_passed else "bold red"
    yield Text.assemble((word, style), "  ", (drill.name, "bold"))
    yield Text(f"  {drill.trains}")
    dealt = " ".join(card.value for card in drill.cards)
    yield Text(f"  House {house}, shoe {sheet.shoe}, seed {seed}; after the burn: {dealt}")
    if by_eyes(drill):
        yield Text(f"  Only said: {by_eyes(drill)}")
    yield Text("  What happened, and what was done")
    for number, action in enumerate(sheet.actions, 1):
        yield Text(f"  {number:3}. {action.who}: {action.what}")
        if action.followed:
            yield Text(f"       {_counted(action.followed)}", style="dim")
    yield Text("  The oracle: what had to come of it, whatever the seed")
    for check in sheet.checks:
        mark = ("met    ", "green") if check.is_met else ("NOT MET", "red")
        yield Text.assemble("  ", mark, f"  {check.what}: {_counted(check.expected.split(', '))}")
        if not check.is_met:
            yield Text(f"           seen: {check.seen}")
    yield Text("")


def _counted(words: Sequence[str]) -> str:
    """The words in order, equal neighbours counted: ``card_dealt x4``."""
    parts: list[tuple[str, int]] = []
    for word in words:
        last, count = parts[-1] if parts else ("", 0)
        if word == last:
            parts[-1] = (word, count + 1)
        else:
            parts.append((word, 1))
    return ", ".join(word if count == 1 else f"{word} x{count}" for word, count in parts)
