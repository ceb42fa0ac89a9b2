# SPDX-License-Identifier: Apache-2.0
"""``studio roads``: the roads of any results."""

from typing import Annotated

import typer
from rich.text import Text

from studio.cli.exits import CommandFailed, Exit, taught
from studio.cli.output import console, write_json
from studio.game.roads import BigRoadMark, Place, Roads, layout, roads_of
from studio.terminal_roads import asked, bead_plate, big_road, derived_road, side_by_side

app = typer.Typer(rich_markup_mode="rich", add_completion=False)

_HELP = taught(
    "Bead plate, big road, big eye boy, small road and cockroach pig of results, oldest first.",
    "P is a win of Player, B of Banker, T a tie; blanks and case do not matter.",
    ("studio roads TBBTPBBBTTPPBP", "drawn, with what each next win would add"),
    ("studio roads --json PBBTP", "for a program; columns and rows count from 0"),
)


@app.command(help=_HELP)
def roads(
    results: Annotated[
        list[str], typer.Argument(metavar="RESULTS", help="Marks like PBBTP, oldest first.")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Print the roads."""
    try:
        made = roads_of("".join(results))
    except ValueError as fault:
        raise CommandFailed(f"{fault}, as in PBBTP", Exit.BAD_SETTINGS) from None
    if as_json:
        write_json(made)
        return
    out = console()
    for block in _blocks(made, out.width):
        out.print(block)


def _blocks(made: Roads, width: int) -> list[Text]:
    """All five roads whole, as far as the width goes: the two big ones, then the derived ones."""
    most = (width - 4) // 2
    bead = min(max(_columns(made.bead), 8), most // 2)
    big = min(max(_columns(made.big_road), 8), most - bead)
    third = (width - 6) // 6
    derived = [
        (title, derived_road(marks, min(max(_columns(layout(marks)), 8), third)))
        for title, marks in (
            ("big eye boy", made.big_eye),
            ("small road", made.small),
            ("cockroach pig", made.cockroach),
        )
    ]
    upper = side_by_side(
        [("bead plate", bead_plate(made, bead)), ("big road", big_road(made, big))]
    )
    return [*upper, Text(), *side_by_side(derived), Text(), asked(made)]


def _columns(marks: tuple[BigRoadMark | Place, ...] | tuple[object, ...]) -> int:
    return 1 + max((mark.col for mark in marks if hasattr(mark, "col")), default=0)
