# SPDX-License-Identifier: Apache-2.0
"""``studio sim``: a simulated card shoe."""

from typing import Annotated

import typer

from drivers.endpoint import EndpointFault, SerialEndpoint, TcpEndpoint, parse_endpoint
from drivers.sim.options import Burn, SimOptions
from drivers.sim.options import BurnRule as SimBurnRule
from drivers.sim.run import burn_from, run
from studio.cli.exits import CommandFailed, Exit, taught
from studio.cli.site import Config, TableName, control_of, table_settings
from studio.settings import TableSettings

app = typer.Typer(rich_markup_mode="rich", add_completion=False)

_HELP = taught(
    "A simulated Angel Eye II-EX: seals its reports, keeps the baud rate, repeats and goes wrong "
    "when told to. It deals nothing by itself: `studio dealer` pulls the cards, or `--auto` does.",
    "With a table's settings it takes the place of that table's shoe, decks, burn and cut card by "
    "the house. Prints one line of JSON with its addresses; SIGTERM or Ctrl-C stops it.",
    ("studio sim -t BAC-1", "the shoe of a table set up with `studio init --simulated`"),
    ("studio sim --pty /tmp/shoe --auto", "on a pseudo-terminal, dealing by itself"),
    ("studio sim --tcp 127.0.0.1:4001 --seed 7", "as behind a serial device server"),
    ("studio sim --tcp 127.0.0.1:0 --script 9H,TC,4S,7D", "with these cards first"),
)


@app.command(help=_HELP)
def sim(
    config: Config = None,
    table: TableName = None,
    pty: Annotated[
        str | None, typer.Option(metavar="PATH", help="Link that names the pseudo-terminal.")
    ] = None,
    tcp: Annotated[
        str | None, typer.Option(metavar="HOST:PORT", help="Listen there; port 0: a free one.")
    ] = None,
    control: Annotated[
        str | None,
        typer.Option(metavar="HOST:PORT", help="Where the hand on the shoe is listened for."),
    ] = None,
    decks: Annotated[int | None, typer.Option(min=1, help="Decks in the shoe.")] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same cards.")] = 0,
    script: Annotated[str, typer.Option(help="Cards that come first: 9H,TC,4S.")] = "",
    cut_card: Annotated[
        int | None, typer.Option("--cut-card-from-end", help="Cards behind the cut card.")
    ] = None,
    burn: Annotated[
        str | None, typer.Option(help="none, decks, fixed:3, first_card or first_card:11.")
    ] = None,
    baud: Annotated[int, typer.Option(help="Speed of the line.")] = SimOptions().baud,
    speed: Annotated[
        float, typer.Option(min=0, help="1 is real time; 0 as fast as the line takes.")
    ] = 1.0,
    repeats: Annotated[
        int, typer.Option(min=0, help="How often each report is sent again.")
    ] = SimOptions().repeats,
    auto: Annotated[bool, typer.Option("--auto", help="Deal coups without a hand.")] = False,
) -> None:
    """Simulate until stopped."""
    base = SimOptions()
    if pty is None and tcp is None:
        base = _of_table(table_settings(config, table))
        pty, tcp = base.pty, base.tcp
    elif config is not None or table is not None:
        raise CommandFailed(
            "say either the table, or where to listen with --pty or --tcp", Exit.BAD_SETTINGS
        )
    try:
        wanted_burn = base.burn if burn is None else burn_from(burn)
    except ValueError:
        raise CommandFailed(
            f'--burn "{burn}": give none, decks, fixed:3, first_card or first_card:11',
            Exit.BAD_SETTINGS,
        ) from None
    options = SimOptions(
        decks=base.decks if decks is None else decks,
        seed=seed,
        script=tuple(script.replace(",", " ").split()),
        cut_card_from_end=base.cut_card_from_end if cut_card is None else cut_card,
        burn=wanted_burn,
        baud=baud,
        speed=speed,
        repeats=repeats,
        pty=pty,
        tcp=tcp,
        control=control or base.control,
        auto=auto,
    )
    status = run(options)
    if status:
        raise typer.Exit(status)


def _of_table(settings: TableSettings) -> SimOptions:
    """The shoe that a table's settings describe: where it is reached, and what its house fills."""
    if not settings.shoe.simulated:
        raise CommandFailed(
            f"table {settings.table} has a real shoe: nothing may take its place. Say --pty or "
            "--tcp to simulate one elsewhere",
            Exit.BAD_SETTINGS,
        )
    pty = tcp = None
    try:
        match parse_endpoint(settings.shoe.endpoint):
            case SerialEndpoint(path):
                pty = path
            case TcpEndpoint(host, port):
                tcp = f"{host}:{port}"
            case _:
                raise CommandFailed("a USB adapter cannot be simulated", Exit.BAD_SETTINGS)
    except EndpointFault as fault:
        raise CommandFailed(f"{settings.file}: shoe.endpoint: {fault}", Exit.BAD_SETTINGS) from None
    house = settings.house
    return SimOptions(
        decks=house.decks,
        cut_card_from_end=house.cut_card_from_end,
        burn=Burn(
            SimBurnRule(house.burn.rule.value), cards=house.burn.cards or 0, ace=house.burn.ace
        ),
        pty=pty,
        tcp=tcp,
        control=control_of(settings),
    )
