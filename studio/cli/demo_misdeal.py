# SPDX-License-Identifier: Apache-2.0
"""The parts of ``studio demo`` for a person who tries: at the console, or reading in a terminal."""

from collections.abc import Iterator, Sequence
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

from rich.text import Text
from typer.core import TyperCommand

from studio.cli.demo_console import HOUSE, DealersChair, WindowClosed, say
from studio.cli.drill import sheet_lines, sheets
from studio.cli.exits import CommandFailed, Exit
from studio.cli.output import console
from studio.drills.misdeals import Misdeal, misdeals_of
from studio.inbox import Stopping
from studio.settings import load_house
from studio.verify import verify

LIST, ANY = "list", "any"
_LINE_SECONDS = 1.2


class MisdealCommand(TyperCommand):
    """``--misdeal`` may stand without a name: then it is any of them."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Give the option its value where it has none."""
        given = list(args)
        for place, word in enumerate(given):
            if word == "--misdeal" and (place + 1 == len(given) or given[place + 1][:1] == "-"):
                given[place] = f"--misdeal={ANY}"
        return super().parse_args(ctx, given)


def list_misdeals() -> None:
    """Name every misdeal."""
    for line in _listed():
        console().print(Text(line), soft_wrap=True)


def chosen_misdeals(name: str, seed: int) -> Sequence[Misdeal]:
    """The one of that name, or all in the order of the seed. Raises CommandFailed."""
    known = _known()
    if name == ANY:
        return Random(seed).sample(known, len(known))  # noqa: S311 - an order, not a secret
    found = [one for one in known if one.drill.name == name]
    if not found:
        told = "\n".join(f"  {line}" for line in _listed())
        raise CommandFailed(f"studio: no misdeal {name!r}; these are:\n{told}", Exit.BAD_SETTINGS)
    return found


def _known() -> tuple[Misdeal, ...]:
    return misdeals_of(load_house(HOUSE))


def _listed() -> Iterator[str]:
    known = _known()
    width = max(len(one.drill.name) for one in known)
    for one in known:
        yield f"{one.drill.name:{width}}  {one.drill.trains}"


def deal(
    folder: Path,
    stopping: Stopping,
    misdeals: Sequence[Misdeal] | None,
    *,
    seed: int,
    speed: float,
) -> int:
    """Let the person deal at the console until they close it; the exit status."""
    chair: DealersChair | None = None
    try:
        chair = DealersChair(folder, stopping, seed=seed, speed=speed)
        keys = _keys()
        say("You are the dealer", _WELCOME.format_map(keys), style="bold")
        if misdeals is None:
            chair.look_on()
        else:
            chair.misdeal(cycle(misdeals), keys)
    except WindowClosed:
        pass
    except CommandFailed:
        if not stopping.is_set():
            raise
    finally:
        if chair is not None:
            chair.close()
    if stopping.by is not None:
        return 128 + stopping.by
    if chair is not None:
        _prove(chair)
    return Exit.DONE


_WELCOME = (
    "the window says what to do. {main} does it, {pull} pulls the next card, {problem} reports a "
    "problem. Close the window to end."
)


def _keys() -> dict[str, str]:
    # only where there is a console are its keys wanted
    from ui.keys import load_keys  # noqa: PLC0415

    return {act: keys[0] for act, keys in load_keys().keys.items() if keys}


def _prove(chair: DealersChair) -> None:
    report = verify(chair.floor.database, chair.floor.table)
    if not report.is_sound:
        raise CommandFailed(f"the record is not sound: {report.findings[0].text}")
    say("On record", f"{report.events} events, and every result follows from its cards.")


def tell(misdeals: Sequence[Misdeal], stopping: Stopping, *, seed: int, speed: float) -> int:
    """Deal the misdeals in this terminal, each with what was done about it; the exit status."""
    failed = False
    try:
        for sheet in sheets([one.drill for one in misdeals], HOUSE, stopping, seed=seed):
            failed = failed or not sheet.is_passed
            for line in sheet_lines(sheet, HOUSE, seed):
                console().print(line, soft_wrap=True)
                if stopping.wait(_LINE_SECONDS / speed if speed else 0):
                    break
            if stopping.is_set():
                break
    except CommandFailed:
        if not stopping.is_set():
            raise
    if stopping.by is not None:
        return 128 + stopping.by
    return Exit.FAILED if failed else Exit.DONE
