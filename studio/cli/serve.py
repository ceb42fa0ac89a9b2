# SPDX-License-Identifier: Apache-2.0
"""``studio serve``: the table service as a process."""

import sys

import structlog
import typer

from studio.cli.checks import shoe_and_feed_faults
from studio.cli.exits import CommandFailed, Exit, taught
from studio.cli.logs import log_to_standard_error
from studio.cli.output import write_json
from studio.cli.signals import stopping_on_signals
from studio.cli.site import Config, TableName, table_settings
from studio.feed.endpoint import FeedRefused
from studio.service import TableService
from studio.serving import Endpoints
from studio.serving import serve as serve_table
from studio.store.database import StoreFailed

log = structlog.get_logger()

app = typer.Typer(rich_markup_mode="rich", add_completion=False)

_HELP = taught(
    "Run a table: cards come in from the shoe, are judged, stored, and go on air.",
    "Prints one line of JSON with the addresses once it can be reached; logs go to standard "
    "error. SIGTERM or Ctrl-C stops it in order, with status 0; a round under way goes on at the "
    "next start.",
    ("studio serve -c ~/.config/sabot/tables/BAC-1.toml", "the table of these settings"),
    ("studio serve -t BAC-1", "the same by its name"),
)


@app.command(help=_HELP)
def serve(config: Config = None, table: TableName = None) -> None:
    """Serve until stopped."""
    settings = table_settings(config, table, shoe_and_feed_faults)
    log_to_standard_error(settings.studio.log_level.value)
    running: list[TableService] = []

    def started(service: TableService, endpoints: Endpoints) -> None:
        running.append(service)
        addresses = {
            name: getattr(endpoints, name)
            for name in ("public_events", "public_requests", "staff_events", "staff_requests")
        }
        about = {"table": settings.table, "environment": settings.environment.value}
        write_json(about | addresses)

    def wake() -> None:
        for service in running:
            service.wake()

    with stopping_on_signals(wake) as stopping:
        try:
            serve_table(settings, stopping, started=started)
        except StoreFailed as failed:
            raise CommandFailed(f"table {settings.table}: {failed}") from failed
        except FeedRefused as refused:
            raise CommandFailed(f"table {settings.table}: {refused}", Exit.BAD_SETTINGS) from None
        except Exception as failed:
            # the top of the service: what the system refused has a number, all else is a bug
            if getattr(failed, "errno", None) is None:
                log.critical("the table stopped on a bug", exc_info=failed)
            text = f"table {settings.table}: {failed}; `studio doctor` looks for the cause"
            raise CommandFailed(text) from failed
    sys.stdout.flush()
