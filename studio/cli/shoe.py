# SPDX-License-Identifier: Apache-2.0
"""``studio shoe``: listening to a card shoe, and checking it with cards that are known."""

import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.text import Text

from drivers.base import Decoder
from drivers.deckcheck import (
    DeckCheck,
    DeckFault,
    DeckOutcome,
    cards_from,
    check_deck,
    decks_of,
    summary_of,
)
from drivers.endpoint import EndpointFault, SerialEndpoint, UsbEndpoint, parse_endpoint
from drivers.listen import BAUDS, Listening, diagnose, probe_baud
from drivers.registry import SHOES, ShoeSettingsFault, decoder_for
from drivers.transport import LineError, line_to
from studio.cli.exits import CommandFailed, Exit, taught
from studio.cli.output import console
from studio.cli.site import Config, TableName, table_settings
from studio.game.cards import Card

DEFAULT_DRIVER = "angel_eye_iiex"

_ADDRESSES = (
    "Addresses: serial:/dev/ttyUSB0, usb:0403:6001:SERIAL, tcp:10.0.0.7:4001; a serial one may "
    "end in ?baud=9600. Without one it is the shoe of the table's settings. One program only may "
    "read a shoe: stop the table's service first."
)
_HELP = taught(
    "Listen to a card shoe, or check it with cards that are known. Nothing is sent to it.",
    ("studio shoe listen serial:/dev/ttyUSB0", "what the line carries, and what is wrong"),
    ("studio shoe check -t BAC-1 --decks 8", "do all cards come, each as itself?"),
)

app = typer.Typer(rich_markup_mode="rich", add_completion=False, no_args_is_help=True, help=_HELP)

Address = Annotated[
    str | None, typer.Argument(metavar="[ADDRESS]", help="Where the shoe is.", show_default=False)
]
DriverName = Annotated[
    str | None, typer.Option(help=f"The family of shoes; known: {', '.join(sorted(SHOES))}.")
]


@app.command(
    help=taught(
        "Print every frame in hex with its fields, its check and what it says; then name what is "
        "wrong with the line, and what to do.",
        _ADDRESSES,
        ("studio shoe listen serial:/dev/ttyUSB0", "until Ctrl-C, then the diagnosis"),
        ("studio shoe listen -t BAC-1 --seconds 30", "for half a minute"),
        ("studio shoe listen usb:0403:6001 --find-baud", "which of the usual speeds is right?"),
    )
)
def listen(
    address: Address = None,
    config: Config = None,
    table: TableName = None,
    driver: DriverName = None,
    seconds: Annotated[
        float | None, typer.Option(min=0.1, help="Stop after so long; else on Ctrl-C.")
    ] = None,
    find_baud: Annotated[
        bool,
        typer.Option("--find-baud", help="Try the usual speeds while somebody draws cards."),
    ] = False,
) -> None:
    """Listen, then say what is wrong."""
    endpoint, decoder = _shoe(address, config, table, driver)
    if find_baud:
        _find_baud(endpoint, lambda: _shoe(address, config, table, driver)[1])
        return
    out = console()
    listening = Listening(line_to(parse_endpoint(endpoint)), decoder)
    began = time.monotonic()
    with _interruptible():
        for text in listening.lines(seconds):
            out.print(Text(text), soft_wrap=True)
            sys.stdout.flush()
    for text in diagnose(listening.tally, time.monotonic() - began):
        out.print(Text(text), soft_wrap=True)
    tally = listening.tally
    is_heard = bool(tally.frames + tally.repeats)
    if tally.trouble is not None or tally.gaps or not is_heard:
        raise typer.Exit(Exit.FAILED)


@app.command(
    help=taught(
        "Draw cards that are known and compare each with what the shoe reads. The outcome is "
        "printed and kept as a JSON file, to lie with the device's papers.",
        _ADDRESSES,
        ("studio shoe check -t BAC-1 --decks 8", "eight whole decks, in any order"),
        ("studio shoe check --cards deck.txt", "in the order of a file: 9H TC 4S ..."),
        ("studio shoe check --decks 1 --device A1234", "under the device's serial number"),
    )
)
def check(
    address: Address = None,
    config: Config = None,
    table: TableName = None,
    driver: DriverName = None,
    decks: Annotated[int | None, typer.Option(min=1, help="Whole decks, in any order.")] = None,
    cards: Annotated[
        Path | None, typer.Option(help="A file with the cards in their order, as in 9H TC.")
    ] = None,
    device: Annotated[str, typer.Option(help="Serial number of the shoe, for the record.")] = "",
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep the outcome there, as JSON.")
    ] = None,
    idle_seconds: Annotated[
        float, typer.Option("--idle", min=0.1, help="Stop when no card came for so long.")
    ] = 60.0,
) -> None:
    """Compare, print and keep the outcome."""
    expected = _expected(decks, cards)
    endpoint, decoder = _shoe(address, config, table, driver)
    made = DeckCheck(expected, in_order=cards is not None)
    out = console()
    out.print(f"draw {len(expected)} cards; Ctrl-C ends the check early")
    try:
        with _interruptible():
            line = line_to(parse_endpoint(endpoint))
            for text in check_deck(line, decoder, made, idle_seconds=idle_seconds):
                out.print(Text(text), soft_wrap=True)
                sys.stdout.flush()
    except LineError as error:
        raise CommandFailed(f"{endpoint}: {error.detail}") from None
    outcome = made.outcome(device or endpoint, decoder, datetime.now(UTC))
    for text in summary_of(outcome):
        out.print(Text(text), soft_wrap=True)
    file = record or Path(f"deck-check-{outcome.at:%Y%m%dT%H%M%SZ}.json")
    _keep(file, outcome)
    out.print(Text(f"kept in {file}"), soft_wrap=True)
    if not outcome.is_passed:
        raise typer.Exit(Exit.FAILED)


def _expected(decks: int | None, cards: Path | None) -> tuple[Card, ...]:
    """The cards that are known. Raises CommandFailed."""
    if (decks is None) == (cards is None):
        raise CommandFailed(
            "say which cards are drawn: --decks 8, or --cards FILE", Exit.BAD_SETTINGS
        )
    if cards is None:
        return decks_of(decks or 1)
    try:
        return cards_from(cards.read_text(encoding="utf-8"))
    except DeckFault as fault:
        raise CommandFailed(f"{cards}: {fault}", Exit.BAD_SETTINGS) from None
    except (OSError, UnicodeDecodeError) as fault:
        raise CommandFailed(f"{cards}: cannot be read: {fault}", Exit.BAD_SETTINGS) from None


def _keep(file: Path, outcome: DeckOutcome) -> None:
    """Write the outcome; a file that is there is never touched."""
    try:
        with file.open("xb") as kept:
            kept.write(msgspec.json.format(msgspec.json.encode(outcome)) + b"\n")
    except OSError as fault:
        raise CommandFailed(f"the outcome cannot be kept in {file}: {fault.strerror}") from None


def _shoe(
    address: str | None, config: Path | None, table: str | None, driver: str | None
) -> tuple[str, Decoder]:
    """The address and a decoder: as said, or as the table's settings say. Raises CommandFailed."""
    settings: dict[str, Any] = {}
    if address is None:
        shoe = table_settings(config, table).shoe
        address, driver, settings = shoe.endpoint, driver or shoe.driver, shoe.settings
    elif config is not None or table is not None:
        shoe = table_settings(config, table).shoe
        driver, settings = driver or shoe.driver, shoe.settings
    try:
        parse_endpoint(address)
        return address, decoder_for(driver or DEFAULT_DRIVER, settings)
    except (EndpointFault, ShoeSettingsFault) as fault:
        raise CommandFailed(str(fault), Exit.BAD_SETTINGS) from None


def _find_baud(address: str, again: Callable[[], Decoder]) -> None:
    """Try the usual speeds of a serial line and print the one that is right."""
    endpoint = parse_endpoint(address)
    if not isinstance(endpoint, SerialEndpoint | UsbEndpoint):
        raise CommandFailed(
            "behind a device server the speed is set there: see its page for the serial port",
            Exit.BAD_SETTINGS,
        )
    out = console()
    out.print(f"draw cards meanwhile; tried are: {', '.join(map(str, BAUDS))} baud")
    try:
        found = probe_baud(endpoint, again)
    except LineError as error:
        raise CommandFailed(f"{address}: {error.detail}") from None
    if found is None:
        raise CommandFailed("no sound frame at any of them: is the shoe on, were cards drawn?")
    out.print(f"{found} baud is right: write it as in serial:/dev/ttyUSB0?baud={found}")


@contextmanager
def _interruptible() -> Iterator[None]:
    """Ctrl-C or SIGTERM ends what is done here, and nothing more."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    except KeyboardInterrupt:
        sys.stdout.write("\n")
    finally:
        signal.signal(signal.SIGTERM, before)
