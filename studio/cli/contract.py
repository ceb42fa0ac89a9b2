# SPDX-License-Identifier: Apache-2.0
"""``studio contract``: what a front-end in any language is written against."""

import sys
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated

import typer

from studio.cli.exits import CommandFailed, Exit, taught
from studio.cli.output import console

app = typer.Typer(rich_markup_mode="rich", add_completion=False)

PAGE = "integrators.md"
ASYNCAPI = "asyncapi.json"

_HELP = taught(
    "The public contract of the feed: one page for who writes a betting front-end, the JSON Schema "
    "of every message, request and answer, and the AsyncAPI document of both sockets. Without an "
    "option it lists what there is.",
    ("studio contract --page", "the page: read this first"),
    ("studio contract --schema messages/card_dealt", "the schema of one thing"),
    ("studio contract --asyncapi", "the AsyncAPI document"),
    ("studio contract --out sabot-contract", "everything, as files in that folder"),
)


@app.command(help=_HELP)
def contract(
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Write all of it as files into this folder."),
    ] = None,
    page: Annotated[bool, typer.Option("--page", help="Print the page, in Markdown.")] = False,
    asyncapi: Annotated[
        bool, typer.Option("--asyncapi", help="Print the AsyncAPI document.")
    ] = False,
    schema: Annotated[
        str | None,
        typer.Option("--schema", metavar="NAME", help="Print a schema; the list has the names."),
    ] = None,
) -> None:
    """Print or write the contract."""
    chosen = [out is not None, page, asyncapi, schema is not None]
    if sum(chosen) > 1:
        raise CommandFailed("choose one of --out, --page, --asyncapi, --schema", Exit.BAD_SETTINGS)
    if out is not None:
        _write(out)
    elif page:
        _print(PAGE)
    elif asyncapi:
        _print(ASYNCAPI)
    elif schema is not None:
        _print(_schema(schema))
    else:
        _list()


def _shipped() -> dict[str, Traversable]:
    """Every file of the contract by its name, as it is in the package."""
    package = files("studio.contract")
    found = {PAGE: package / PAGE}
    for one in (package / "files").iterdir():
        if one.is_dir():
            found |= {f"{one.name}/{inner.name}": inner for inner in one.iterdir()}
        else:
            found[one.name] = one
    return dict(sorted(found.items()))


def _schemas() -> dict[str, str]:
    """The file of each schema, by the name that it is asked for."""
    return {
        name.removesuffix(".json"): name
        for name in _shipped()
        if name.endswith(".json") and name != ASYNCAPI
    }


def _schema(name: str) -> str:
    known = _schemas()
    wanted = [key for key in known if name == key or name == key.rpartition("/")[2]]
    if not wanted:
        raise CommandFailed(
            f"--schema {name}: no such schema; `studio contract` lists them", Exit.BAD_SETTINGS
        )
    if len(wanted) > 1:
        raise CommandFailed(f"--schema {name}: which of {', '.join(wanted)}?", Exit.BAD_SETTINGS)
    return known[wanted[0]]


def _print(name: str) -> None:
    sys.stdout.write(_shipped()[name].read_text(encoding="utf-8"))


def _write(folder: Path) -> None:
    shipped = _shipped()
    try:
        for name, file in shipped.items():
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(file.read_bytes())
    except OSError as fault:
        where = fault.filename or folder
        raise CommandFailed(f"{where}: {(fault.strerror or 'not written').lower()}") from None
    console().print(
        f"{len(shipped)} files in {folder}; begin with {PAGE}", markup=False, soft_wrap=True
    )


def _list() -> None:
    lines = [
        "The page for who writes a front-end: studio contract --page",
        "Both sockets in AsyncAPI 3.0:        studio contract --asyncapi",
        "JSON Schemas, each by its name:      studio contract --schema NAME",
        *(f"  {name}" for name in _schemas()),
        "All of it as files:                  studio contract --out DIR",
    ]
    console().print("\n".join(lines), markup=False)
