# SPDX-License-Identifier: Apache-2.0
"""``studio odds``: exact odds of a full shoe."""

from typing import Annotated

import typer
from rich.table import Table

from studio.cli.exits import CommandFailed, Exit, taught
from studio.cli.output import console, write_json
from studio.cli.site import known_site
from studio.game.odds import Odds, edges_of, odds_of
from studio.settings import load_house

app = typer.Typer(rich_markup_mode="rich", add_completion=False)

MOST_DECKS = 100

_HELP = taught(
    "Exact odds of a full shoe, by enumeration of every order of its cards.",
    "Counts are numbers of six-card sequences: nothing is sampled, nothing rounded before the end.",
    ("studio odds", "eight decks, as a table"),
    ("studio odds --decks 6 --json", "the counts, for a program"),
    ("studio odds --house macau", "the house's edge on every bet it offers"),
)


@app.command(help=_HELP)
def odds(
    decks: Annotated[
        int | None,
        typer.Option(
            "--decks", "-d", min=1, max=MOST_DECKS, help="Decks in the shoe; 8 if absent."
        ),
    ] = None,
    house: Annotated[
        str | None,
        typer.Option(help="Price this house's paytable, with its own number of decks."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Print the odds."""
    if house is not None:
        if decks is not None:
            raise CommandFailed(
                "--house has its own number of decks: leave --decks out", Exit.BAD_SETTINGS
            )
        _print_house(house, as_json=as_json)
        return
    counted = odds_of(8 if decks is None else decks)
    if as_json:
        write_json(counted)
    else:
        console().print(_table(counted, 8 if decks is None else decks))


def _print_house(name: str, *, as_json: bool) -> None:
    rules = load_house(name, known_site())
    edges = edges_of(rules)
    if as_json:
        write_json({"house": name, "decks": rules.decks, "edge": edges})
        return
    table = Table(title=f"{rules.title}: {rules.decks} decks", title_justify="left")
    table.add_column("bet")
    table.add_column("house edge", justify="right")
    for bet, edge in edges.items():
        table.add_row(bet, f"{edge:.4%}")
    console().print(table)


def _table(counted: Odds, decks: int) -> Table:
    plural = "deck" if decks == 1 else "decks"
    table = Table(title=f"A full shoe of {decks} {plural}", title_justify="left")
    for name in ("", "orders of six cards", "share", "house edge"):
        table.add_column(name, justify="left" if not name else "right")
    rows = (
        ("Banker wins", counted.banker, f"{counted.edge.banker_5pct:.4%}  at 5 % commission"),
        ("Player wins", counted.player, f"{counted.edge.player:.4%}  at even money    "),
        ("Tie", counted.tie, f"{counted.edge.tie_8to1:.4%}  at 8 to 1        "),
    )
    for name, count, edge in rows:
        table.add_row(name, f"{count:,}", f"{count / counted.total:.4%}", edge)
    table.add_section()
    for cards, count in counted.cards.items():
        table.add_row(f"{cards} cards", f"{count:,}", f"{count / counted.total:.4%}", "")
    table.add_section()
    table.add_row("all", f"{counted.total:,}", f"{1:.4%}", "")
    return table
