# SPDX-License-Identifier: Apache-2.0
"""``studio doctor``: everything that is wrong with a table's settings and machine, at once."""

from collections.abc import Sequence
from typing import Annotated

import typer

from studio.cli.checks import findings, shoe_and_feed_faults
from studio.cli.exits import Exit, taught
from studio.cli.finding import Mark, drawn
from studio.cli.output import console, write_json
from studio.cli.site import Config, TableName, named_table
from studio.settings import TableSettings, judged_table
from studio.toml import Fault

app = typer.Typer(rich_markup_mode="rich", add_completion=False)

_HELP = taught(
    "Check settings, the line to the shoe, the record, sockets, clock and disk, and say all that "
    "is wrong at once. It changes nothing, and may be run while the table is served.",
    "Status 0 when there is no fault, 2 for faults of the settings, 1 for faults of the machine.",
    ("studio doctor -c tables/BAC-1.toml", "before a table is opened for the first time"),
    ("studio doctor --json", "a list of findings, for a monitor"),
)


@app.command(help=_HELP)
def doctor(
    config: Config = None,
    table: TableName = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Check everything."""
    settings, faults = judged_table(*named_table(config, table), shoe_and_feed_faults)
    status = examine(settings, faults, as_json=as_json)
    if status:
        raise typer.Exit(status)


def examine(
    settings: TableSettings, faults: Sequence[Fault] = (), *, as_json: bool = False
) -> Exit:
    """Print every finding; BAD_SETTINGS with faults of the settings, FAILED with other faults."""
    found = list(findings(settings, faults))
    if as_json:
        write_json({"table": settings.table, "findings": found})
    else:
        console().print(drawn(found))
    if faults:
        return Exit.BAD_SETTINGS
    return Exit.FAILED if any(one.mark is Mark.FAULT for one in found) else Exit.DONE
