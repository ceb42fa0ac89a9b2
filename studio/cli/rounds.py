# SPDX-License-Identifier: Apache-2.0
"""``studio rounds``: rounds found by what is known of them, at one table or all of the studio."""

import difflib
from collections import defaultdict
from collections.abc import Callable
from datetime import UTC, datetime, tzinfo
from enum import Enum
from typing import Annotated, NamedTuple
from zoneinfo import ZoneInfo

import typer
from rich.table import Table

from studio.cli.exits import CommandFailed, Exit, taught
from studio.cli.output import console, write_json
from studio.cli.site import Config, site_tables
from studio.game.irregularities import IRREGULARITIES
from studio.lookback.when import NoTime, begin_of, end_of
from studio.settings import TableSettings
from studio.store.chain import time_text
from studio.store.database import StoreFailed
from studio.store.history import History
from studio.store.reports import named
from studio.store.search import FoundRound, Sought

app = typer.Typer(rich_markup_mode="rich", add_completion=False)

_HELP = taught(
    "Find rounds, newest first, by all that is known of them at once. It only reads: the tables "
    "may be running. `studio replay ROUND` then shows one as its table saw it.",
    "Days and times are in the time zone of studio.toml. A dealer is a screen name or a staff id. "
    "An outcome is the one that stands now.",
    ("studio rounds", "the last fifty of the site's table"),
    ("studio rounds --id BAC-1-20261129-0214", "one round"),
    ("studio rounds --from 2026-11-29 --to 2026-11-29", "those of a calendar day"),
    ("studio rounds --from 21:30 --to 22:15 --dealer Anna", "Anna's of this evening"),
    ("studio rounds --all --outcome void", "void ones at every table"),
    ("studio rounds --irregularity exposed-in-deal --json", "one JSON object a round"),
)

_MOST_NAMES = 12


class Outcome(str, Enum):
    """What stands for a round."""

    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"
    VOID = "void"


class _Record(NamedTuple):
    """A database, and the tables of the site that are to be looked for in it."""

    url: str
    tables: tuple[str, ...]


def _a_code(code: str | None) -> str | None:
    if code is None or code in IRREGULARITIES:
        return code
    near = difflib.get_close_matches(code, IRREGULARITIES, n=5, cutoff=0.4)
    known = ", ".join(near or sorted(IRREGULARITIES))
    what = "is one of these meant" if near else "there are"
    raise typer.BadParameter(f'"{code}" is no irregularity; {what}: {known}')


@app.command(help=_HELP)
def rounds(
    config: Config = None,
    tables: Annotated[
        list[str] | None,
        typer.Option("--table", "-t", metavar="NAME", help="A table; may be given again."),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Every table of the site.")] = False,
    round_id: Annotated[
        str | None, typer.Option("--id", metavar="ROUND", help="This very round.")
    ] = None,
    begin: Annotated[
        str | None, typer.Option("--from", metavar="TIME", help="Opened then or later.")
    ] = None,
    end: Annotated[
        str | None,
        typer.Option("--to", metavar="TIME", help="Opened before; of a day, until its end."),
    ] = None,
    dealer: Annotated[
        str | None, typer.Option(metavar="WHO", help="Dealt by: a screen name or staff id.")
    ] = None,
    outcome: Annotated[Outcome | None, typer.Option(help="What stands for it.")] = None,
    irregularity: Annotated[
        str | None,
        typer.Option(metavar="CODE", help="What went wrong in it.", callback=_a_code),
    ] = None,
    limit: Annotated[
        int, typer.Option("--limit", "-n", min=1, max=100_000, help="At most so many.")
    ] = 50,
    after: Annotated[
        str | None, typer.Option(metavar="ROUND", help="Go on after this one, the list's last.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a round.")] = False,
) -> None:
    """Find them and print them."""
    found_in = site_tables(config, tables or [], every=every)
    zone = ZoneInfo(found_in[0].studio.time_zone)
    sought = Sought(
        round=round_id,
        begin=_moment(begin, "--from", begin_of, zone),
        end=_moment(end, "--to", end_of, zone),
        dealer=None if dealer is None else named(dealer),
        outcome=None if outcome is None else outcome.value,
        irregularity=irregularity,
        limit=limit + 1,
    )
    if sought.begin is not None and sought.end is not None and sought.begin >= sought.end:
        raise typer.BadParameter("--to is not after --from: no round can be between them")
    records = _records(found_in)
    failed: list[str] = []
    if after is not None:
        sought = sought._replace(after=_place(records, after, failed))
    found = _found(records, sought, failed)
    _print(found[:limit], zone, as_json=as_json)
    if len(found) > limit and not as_json:
        console().print(f"more: --after {found[limit - 1].round}", style="dim")
    if not found and not failed:
        _say_none(records, sought, as_json=as_json)
    if failed:
        raise CommandFailed("\n".join(failed) if len(failed) > 1 else failed[0])


def _moment(
    text: str | None, option: str, read: Callable[[str, tzinfo, datetime], datetime], zone: tzinfo
) -> str | None:
    if text is None:
        return None
    try:
        return time_text(read(text, zone, datetime.now(UTC)))
    except NoTime as fault:
        raise typer.BadParameter(f"{option}: {fault}") from None


def _records(tables: list[TableSettings]) -> list[_Record]:
    shared: dict[str, list[str]] = defaultdict(list)
    for one in tables:
        shared[one.database_url].append(one.table)
    return [_Record(url, tuple(names)) for url, names in shared.items()]


def _found(records: list[_Record], sought: Sought, failed: list[str]) -> list[FoundRound]:
    """Those of all records, newest first; a record that cannot be read is told of in ``failed``."""
    found: list[FoundRound] = []
    for record in records:
        try:
            with History.open(record.url, record.tables[0]) as history:
                found += history.search(sought._replace(tables=record.tables))
        except StoreFailed as fault:
            failed.append(str(fault))
    return sorted(found, key=_order, reverse=True)[: sought.limit]


def _order(one: FoundRound) -> tuple[str, str]:
    return one.opened_at, one.round


def _place(records: list[_Record], after: str, failed: list[str]) -> tuple[str, str]:
    """Where the list goes on. Raises CommandFailed."""
    found = _found(records, Sought(round=after), failed)
    if not found:
        text = f"--after: no round {after} there; give the last id of the list before"
        raise CommandFailed("\n".join([*failed, text]), Exit.BAD_SETTINGS)
    return _order(found[0])


def _say_none(records: list[_Record], sought: Sought, *, as_json: bool) -> None:
    """Say that nothing fits and, where it helps, what there is."""
    names = ", ".join(name for record in records for name in record.tables)
    if sought.round is not None:
        raise CommandFailed(
            f"no round {sought.round} that fits at {names}: an id is as in BAC-1-20261129-0214; "
            "--all looks at every table of the site"
        )
    if as_json:
        return
    text = f"no round that fits at {names}"
    if sought.dealer is not None:
        dealers = _dealers(records)
        if sought.dealer not in dealers:
            shown = ", ".join(dealers[:_MOST_NAMES]) or "nobody"
            more = " ..." if len(dealers) > _MOST_NAMES else ""
            text += f"; nobody called {sought.dealer} ever dealt there, on record: {shown}{more}"
    console().print(text, soft_wrap=True)


def _dealers(records: list[_Record]) -> list[str]:
    found: set[str] = set()
    for record in records:
        with History.open(record.url, record.tables[0]) as history:
            found.update(history.dealers())
    return sorted(found)


def _print(found: list[FoundRound], zone: ZoneInfo, *, as_json: bool) -> None:
    if as_json:
        for one in found:
            write_json(one._asdict())
    elif found:
        console().print(_drawn(found, zone))
        console().print(f"times in {zone.key}", style="dim")


def _drawn(found: list[FoundRound], zone: ZoneInfo) -> Table:
    table = Table(box=None, padding=(0, 1, 0, 0))
    for name in ("round", "opened", "dealer", "result", "player", "banker", "rev"):
        table.add_column(name, no_wrap=name != "dealer")
    table.add_column("irregularities", min_width=15, overflow="fold")
    for one in found:
        at = datetime.fromisoformat(one.opened_at).astimezone(zone)
        table.add_row(
            one.round,
            f"{at:%Y-%m-%d %H:%M:%S}",
            " ".join(one.dealers),
            result_of(one),
            one.player or "",
            one.banker or "",
            str(one.revision) if one.revision > 1 else "",
            ", ".join(one.irregularities),
        )
    return table


def result_of(one: FoundRound) -> str:
    """What stands for a round, in a word or two."""
    if one.player_total is None:
        return one.outcome or one.status.replace("_", " ")
    return f"{one.outcome} {one.player_total}-{one.banker_total}"
