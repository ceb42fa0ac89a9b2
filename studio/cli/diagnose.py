# SPDX-License-Identifier: Apache-2.0
"""``studio watch --diagnose``: what is wrong with each table, trouble first, and whom to call."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

from rich.console import Console
from rich.text import Text

from studio.cli.diagnosis import Code, Diagnosis, Expected, Whom, diagnose
from studio.cli.exits import Exit
from studio.cli.finding import drawn
from studio.cli.output import console, write_json
from studio.cli.site import known_site
from studio.cli.watching_many import Target
from studio.contacts import Contacts
from studio.feed.probe import look
from studio.settings import load_studio

_MOST_AT_ONCE = 20


def diagnose_all(targets: Sequence[Target], clock_limit: timedelta, *, as_json: bool) -> Exit:
    """Look at all of them, tell what was found, and give the status to end with."""
    contacts = load_studio(known_site()).contacts
    wanted = [(target, table) for target in targets for table in target.tables or (None,)]
    with ThreadPoolExecutor(min(len(wanted), _MOST_AT_ONCE)) as at_work:
        jobs = [
            at_work.submit(_of, target, table, clock_limit, contacts) for target, table in wanted
        ]
        found = [job.result() for job in jobs]
    found.sort(key=lambda one: (one.code is Code.SOUND, one.is_reached, one.table or ""))
    if as_json:
        for one in found:
            write_json(one)
    else:
        out = console()
        for one in found:
            _print(out, one)
    if not all(one.is_reached for one in found):
        return Exit.UNREACHABLE
    return Exit.DONE if all(one.code is Code.SOUND for one in found) else Exit.FAILED


def _of(target: Target, table: str | None, clock_limit: timedelta, contacts: Contacts) -> Diagnosis:
    keys = target.keys
    expected = Expected(
        key=None if keys is None else keys.name,
        environment=target.environment,
        signing=() if keys is None else keys.studio.signing,
        clock_limit=clock_limit,
    )
    return diagnose(look(target.requests, table, keys, events=target.events), expected, contacts)


def _print(out: Console, one: Diagnosis) -> None:
    word = (
        "nothing is wrong" if one.code is Code.SOUND else one.code.value.replace("_", " ").upper()
    )
    out.print(Text(f"{one.table or 'table'} at {one.requests}: {word}", "bold"), soft_wrap=True)
    out.print(drawn(one.findings))
    for line in _call(one):
        out.print(Text(line), soft_wrap=True)


def _call(one: Diagnosis) -> Iterator[str]:
    if one.call is None:
        return
    if one.call.who is Whom.HERE:
        yield f"Do here: {one.call.tell}."
    else:
        yield f"Call {one.call.contact}: {one.call.tell}."
