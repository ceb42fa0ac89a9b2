# SPDX-License-Identifier: Apache-2.0
"""``studio evidence``: all that is on record of one round, in one file for a dispute."""

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from studio.bundle.making import Span
from studio.cli.evidence_bundle import write_bundle
from studio.cli.exits import CommandFailed, Exit, taught
from studio.cli.output import console, write_json
from studio.cli.site import Config, TableName, known_site, table_of, table_settings
from studio.cli.staff_accounts import PinStdin
from studio.cli.staff_entry import entry, kept
from studio.evidence.checking import Checked, NotEvidence, checked, evidence_in
from studio.evidence.form import Audience, CaseLine, Evidence
from studio.evidence.gathering import Known, gathered
from studio.evidence.operators import for_operator
from studio.evidence.proof import heads_in
from studio.heads import Head
from studio.lookback.round_record import round_record
from studio.settings import TableSettings
from studio.staff.accounts import roles_text
from studio.store.chain import time_text
from studio.store.database import StoreFailed
from studio.store.history import History
from studio.store.staff_book import StaffBook
from studio.store.staff_schema import has_staff
from studio.wording import BASE, load_wording

app = typer.Typer(rich_markup_mode="rich", add_completion=False)

_HELP = taught(
    "Write one file for a dispute about a round: events, cards and where they came from, staff, "
    "rulings, the messages as they were sent, program, recording, cases, and the proof that leads "
    "to a head kept outside of the record; and a report to read, as PDF, beside it. It only "
    "reads: the table may be running.",
    "With [b]--for operator[/b] neither file has anything of staff, nor a card that players did "
    "not see. [b]--check[/b] proves such a file without the record.",
    ("studio evidence BAC-1-20261129-0214", "BAC-1-20261129-0214.json and .pdf, here"),
    ("studio evidence BAC-1-20261129-0214 --for operator", "...-operator.json and .pdf"),
    ("studio evidence --check FILE.json --heads BAC-1.heads", "is it what was recorded?"),
    "[b]--bundle[/b] makes a folder for an auditor who trusts nobody: the record of the table, or "
    "some rounds of it, heads, the studio's public keys, and verify.py, which checks it where this "
    "program is not installed.",
    ("studio evidence --bundle /mnt/audit -t BAC-1", "the whole record"),
    ("studio evidence --bundle /mnt/audit --from ROUND --to ROUND", "some rounds"),
    ("python3 -I /mnt/audit/verify.py", "at the auditor's"),
)


@app.command(help=_HELP)
def evidence(
    round_id: Annotated[
        str | None, typer.Argument(metavar="[ROUND]", help="The round's id.", show_default=False)
    ] = None,
    config: Config = None,
    table: TableName = None,
    made_for: Annotated[
        Audience, typer.Option("--for", help="Who gets it: the studio's own, or an operator.")
    ] = Audience.STUDIO,
    out: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where the files are written.")
    ] = Path(),
    over: Annotated[bool, typer.Option("--over", help="Write over files that are there.")] = False,
    heads: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Heads kept outside; else those of the settings."),
    ] = None,
    language: Annotated[
        str, typer.Option(metavar="LANG", help="The language of the report, as in it.")
    ] = BASE,
    as_json: Annotated[
        bool, typer.Option("--json", help="Only the JSON, on standard output.")
    ] = False,
    own: Annotated[
        str | None,
        typer.Option("--as", metavar="BADGE", help="Your badge: names of staff are told as well."),
    ] = None,
    pin_stdin: PinStdin = False,
    check: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Check a file that was written.")
    ] = None,
    bundle: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="A folder for an auditor; a new one.")
    ] = None,
    first: Annotated[
        str | None, typer.Option("--from", metavar="ROUND", help="The first round of the bundle.")
    ] = None,
    last: Annotated[
        str | None, typer.Option("--to", metavar="ROUND", help="The last round of the bundle.")
    ] = None,
) -> None:
    """Write or check evidence."""
    if check is not None:
        _check(check, heads, as_json=as_json)
        return
    if bundle is not None:
        named = table or (None if config else table_of(first or last or ""))
        write_bundle(table_settings(config, named), bundle.expanduser(), Span(first, last), heads)
        return
    if round_id is None:
        raise typer.BadParameter("which round? `studio history` lists them", param_hint="ROUND")
    settings = table_settings(config, table or (None if config else table_of(round_id)))
    names = None if own is None and not pin_stdin else _names(settings, own, pin_stdin=pin_stdin)
    made = _made(settings, round_id, _kept(settings, heads), names)
    if made_for is Audience.OPERATOR:
        made = for_operator(made)
    data = msgspec.json.format(msgspec.json.encode(made), indent=1) + b"\n"
    if as_json:
        sys.stdout.write(data.decode())
        return
    name = round_id if made_for is Audience.STUDIO else f"{round_id}-{made_for.value}"
    files = {out / f"{name}.pdf": _report(made, data, language), out / f"{name}.json": data}
    for file in files:
        if file.exists() and not over:
            raise CommandFailed(f"{file} is there already: say --over, or another --out")
    for file, content in files.items():
        _write(file, content)
        console().print(str(file), soft_wrap=True, markup=False)


def _names(settings: TableSettings, own: str | None, *, pin_stdin: bool) -> dict[str, Known]:
    """Who is who, for somebody who may look at the accounts; that they looked is kept."""
    with entry(settings.file, pin_stdin=pin_stdin) as call:
        accounts = kept(call.office.accounts(call.by(own), call.here))
    return {one.id: Known(one.name, roles_text(one.roles)) for one in accounts}


def _cases(settings: TableSettings, round_id: str) -> list[CaseLine] | None:
    """The cases of a round; without the staff's database it goes on, and says so."""
    url = settings.studio.staff_database_url
    try:
        if not has_staff(url):
            return None
        with StaffBook.open(url).reading() as page:
            entries = [one for one in page.case_entries() if one.round == round_id]
    except StoreFailed as failed:
        sys.stderr.write(f"studio: {failed}; cases are left out\n")
        return None
    return [
        CaseLine(
            case=one.case,
            at=time_text(one.at),
            act=one.act.value,
            by=one.by,
            operator=one.operator,
            reference=one.reference,
            due=one.due.isoformat(),
            text=one.text,
        )
        for one in entries
    ]


def _made(
    settings: TableSettings, round_id: str, heads: list[Head], names: dict[str, Known] | None
) -> Evidence:
    """The evidence, proven once before anybody gets it."""
    try:
        with History.open(settings.database_url, settings.table) as history:
            record = round_record(history, round_id)
            if record is None:
                text = f"table {settings.table} has no round {round_id}"
                raise CommandFailed(f"{text}: `studio history` lists them")
            made = gathered(history, record, heads, _cases(settings, round_id), names)
    except StoreFailed as failed:
        raise CommandFailed(str(failed)) from None
    faults = checked(made).faults
    if faults:
        text = f"the record of this round is not whole: {faults[0]}; run `studio verify`"
        raise CommandFailed(text)
    return made


def _kept(settings: TableSettings, named: Path | None) -> list[Head]:
    """The heads kept outside; without those of the settings it goes on, and says so."""
    file = named or settings.heads
    if file is None:
        return []
    try:
        return list(heads_in(file, settings.table))
    except OSError as fault:
        text = f"{file}, the heads kept outside: {(fault.strerror or str(fault)).lower()}"
        if named is not None:
            raise CommandFailed(text) from None
        sys.stderr.write(f"studio: {text}; the proof leads to none of them\n")
        return []


def _report(made: Evidence, data: bytes, language: str) -> bytes:
    """The PDF of a file with this content."""
    try:
        # drawing pages is an extra of its own, which nothing else here needs
        from studio.evidence.pdf import pdf_of  # noqa: PLC0415
    except ModuleNotFoundError as missing:
        text = f"the report needs {missing.name}, which is not installed: install this program's "
        raise CommandFailed(
            f"{text}wheel again with its extra `evidence`, or say --json for the file alone",
            Exit.BAD_SETTINGS,
        ) from missing
    words = load_wording(language, known_site())
    return pdf_of(made, words, sha256(data).hexdigest())


def _write(file: Path, data: bytes) -> None:
    """A file that only its owner reads, whole or not at all."""
    part = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        opened = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(opened, "wb") as written:
            written.write(data)
        part.replace(file)
    except OSError as fault:
        raise CommandFailed(f"{file}: {(fault.strerror or str(fault)).lower()}") from None
    finally:
        with suppress(OSError):
            part.unlink()


def _check(file: Path, heads: Path | None, *, as_json: bool) -> None:
    try:
        made = evidence_in(file.read_bytes())
        kept = None if heads is None else list(heads_in(heads, made.round.table))
    except NotEvidence as fault:
        raise CommandFailed(f"{file} is no evidence: {fault}") from None
    except OSError as fault:
        reason = (fault.strerror or str(fault)).lower()
        raise CommandFailed(f"{fault.filename}: {reason}") from None
    result = checked(made, kept)
    if as_json:
        write_json(result._asdict())
    else:
        for line in _told(file, result, is_compared=kept is not None):
            console().print(line, soft_wrap=True, markup=False)
    if result.faults:
        raise typer.Exit(Exit.FAILED)


def _told(file: Path, result: Checked, *, is_compared: bool) -> Iterator[str]:
    yield from result.faults
    if result.faults:
        yield f"{file}: NOT SOUND"
        return
    led = f"{result.led_to_heads} of {result.stretches} parts of its proof lead to a head"
    hint = (
        "that was kept" if is_compared else "it names; --heads compares with those that were kept"
    )
    yield f"{file}: SOUND; {led} {hint}"
