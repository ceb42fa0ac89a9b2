# SPDX-License-Identifier: Apache-2.0
"""``studio adjudicate``: coup records in, rulings out; or one coup, explained to a person."""

import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.table import Table

from studio.cli.exits import CommandFailed, Exit, taught
from studio.cli.output import console
from studio.cli.site import known_site
from studio.game.adjudicate import AtBets, at_bets_of, judged, ruling_of
from studio.game.compact import BadCoup, record_from
from studio.game.explain import Explanation, explained
from studio.game.record_events import record_of
from studio.game.record_line import BadRecord
from studio.settings import load_house, names_of
from studio.toml import SettingsFault

app = typer.Typer(rich_markup_mode="rich", add_completion=False)

_encode = msgspec.json.Encoder().encode

_HELP = taught(
    "Rule on coups by the table of play and the house's rules.",
    "Without an argument, coup records are read as JSON Lines from standard input and one ruling "
    "a line is written; a record that cannot be understood gets its error on its line, the others "
    "are still ruled, and the exit status is 2.",
    "With a coup as argument, the ruling is explained: the boxes as they were laid, the boxes as "
    "they must be, each move, the rows of the tableau, and the source. A card is rank then suit; "
    ">P or >B is the box it was laid in; ^ face up in the shoe, + stuck to the card before, ~ seen "
    "by nobody; ?? a card not read, 3=5D what the third card was; ( ) bets open and closed; CUT "
    "the cut card; P! B! T! the result as called; EMPTY an empty shoe.",
    ('studio adjudicate --house venezia "6D>P 2C>B KC>P 2S>B 5H>P"', "explain one coup"),
    ("studio adjudicate < coups.jsonl > rulings.jsonl", "rule on many"),
)


@app.command(help=_HELP)
def adjudicate(
    coup: Annotated[
        str | None, typer.Argument(help="One coup in short form; quote it.", show_default=False)
    ] = None,
    house: Annotated[
        str,
        typer.Option(help="The house of the coup, and of records that name none."),
    ] = "studio",
) -> None:
    """Rule."""
    houses = _houses(known_site())
    rules = houses(house)
    if rules is None:
        known = ", ".join(names_of("houses", known_site()))
        raise CommandFailed(f"house {house!r} is not known; known are: {known}", Exit.BAD_SETTINGS)
    if coup is None:
        raise typer.Exit(_rule_lines(houses, house))
    _explain(coup, house, rules)


def _houses(site: Path | None) -> Callable[[str], AtBets | None]:
    """The houses by name, each read once; a name of none, or with a path in it, is None."""
    known = frozenset(names_of("houses", site))

    @cache
    def house(name: str) -> AtBets | None:
        if name not in known:
            return None
        try:
            return at_bets_of(load_house(name, site))
        except SettingsFault as fault:
            raise CommandFailed(str(fault), Exit.BAD_SETTINGS) from fault

    return house


def _rule_lines(house: Callable[[str], AtBets | None], unnamed: str) -> int:
    status = 0
    for line in sys.stdin.buffer:
        if not line.strip():
            continue
        ruling = ruling_of(line, house, unnamed)
        if "error" in ruling:
            status = Exit.BAD_SETTINGS
        sys.stdout.buffer.write(_encode(ruling) + b"\n")
    sys.stdout.buffer.flush()
    return status


def _explain(coup: str, name: str, rules: AtBets) -> None:
    try:
        record = record_of(record_from(coup, name))
        found = judged(record, rules)
    except (BadCoup, BadRecord) as fault:
        raise CommandFailed(str(fault), Exit.BAD_SETTINGS) from fault
    _print(explained(record, found, rules.house))


def _print(told: Explanation) -> None:
    out = console()
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for heading in ("", "Punto", "Banco"):
        table.add_column(heading)
    rows = (("As laid", told.as_laid), ("As it must be", told.as_must_be))
    for name, boxes in rows:
        table.add_row(name, " ".join(boxes.player) or "-", " ".join(boxes.banker) or "-")
    out.print(table)
    if told.unknown_box:
        out.print(f"Box not said: {' '.join(told.unknown_box)}")
    parts = (
        ("What happened", told.findings or ("Nothing irregular.",)),
        ("To move", told.moves or ("Nothing.",)),
        ("The tableau", told.tableau or ("It does not speak yet.",)),
        ("Ruling", told.ruling),
    )
    for heading, lines in parts:
        out.print(f"\n[b]{heading}[/b]")
        for line in lines:
            out.print(f"  {line}", markup=False)
