# SPDX-License-Identifier: Apache-2.0
"""Putting a backup back: into a folder of its own, or where it came from.

Order: the manifest and the SHA-256 of each file; each record walked from end to end in a copy, and
compared with the ends that the manifest names; in that copy the new epoch; and only then anything
gets its name. So a record is never in its place without its new epoch, and a restore that is
broken off leaves copies that nothing takes for a record.
"""

import os
import shutil
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from studio.backup import manifest as kept
from studio.backup.manifest import BackupRefused, KeptTable, Manifest
from studio.backup.placing import Placed, in_the_way, keep_aside, place, settle, with_value
from studio.backup.taking import put, shared_urls
from studio.keyed import key_folder
from studio.service import gaming_day
from studio.settings import TableSettings, load_table
from studio.store.copying import Kept, copy_in, holds, in_one_file, occupied
from studio.store.database import StoreFailed, file_of, name_of, parse_url
from studio.store.epochs import Given, begin_epoch
from studio.store.history import History
from studio.store.lock import FileLock
from studio.store.schema import upgrade
from studio.verify import VerifyReport, verify

_MOST_TOLD = 10


class Told(NamedTuple):
    """What a person says: who restores, when, and the last rounds known to have been given.

    ``rounds`` holds number by table and gaming day. ``is_over``: what is in the way is kept aside.
    """

    by: str
    at: datetime
    rounds: Mapping[tuple[str, str], int] = {}
    is_over: bool = False


class Restored(NamedTuple):
    """A table that was put back: where, its new epoch, and the record as it was verified."""

    table: str
    where: str
    epoch: str
    report: VerifyReport


def opened(backup: Path) -> Manifest:
    """The manifest of a backup of which every byte is as it was. Raises BackupRefused."""
    manifest = kept.read(backup)
    faults = kept.faults_of(backup, manifest)
    if not faults:
        return manifest
    lines = [f"{path} {fault}" for path, fault in faults[:_MOST_TOLD]]
    for one in manifest.tables:
        if any(path == one.record for path, _ in faults):
            lines += _located(backup / one.record, one)
    raise BackupRefused("\n".join([f"{backup} is not what was backed up:", *lines]))


def _located(record: Path, one: KeptTable) -> list[str]:
    """Where a record was changed, as far as it can be read."""
    try:
        return _faults(verify(f"sqlite:///{record}", one.table), one)
    except StoreFailed as failed:
        return [str(failed)]


def _faults(report: VerifyReport, one: KeptTable) -> list[str]:
    """What is wrong with a record that should be the one of the manifest."""
    lines = [
        f"table {one.table}, epoch {found.epoch}, event {found.seq}: {found.text}"
        for found in report.findings[:_MOST_TOLD]
    ]
    last = report.walked[-1] if report.walked else None
    ends = None if last is None else (last.epoch, last.events, last.hash, last.messages, last.head)
    if ends != (one.epoch, one.seq, one.hash, one.public_seq, one.head):
        lines.append(f"table {one.table}: the record does not end where the manifest says")
    return lines


def restore_into(
    backup: Path, manifest: Manifest, folder: Path, tables: Sequence[str], told: Told
) -> list[Restored]:
    """Make a site of a backup in ``folder``, empty or not there; it uses nothing outside it."""
    folder = folder.absolute()
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BackupRefused(f"{folder} is not empty: name a folder that is not there")
    part = folder.with_name(f".{folder.name}.{os.getpid()}.part")
    restored = []
    try:
        part.mkdir(mode=0o700)
        place(_of(backup, kept.SETTINGS, part), "")
        place(_of(backup, kept.KEYS, part / "data" / "keys"), "")
        names = [name for name in kept.SHARED.values() if (backup / name).exists()]
        place([Placed(backup / name, part / "data" / name) for name in names], "")
        _stay_inside(part, folder, manifest)
        for one in manifest.tables:
            if one.table not in tables:
                continue
            settings = load_table(part / "tables" / f"{one.settings}.toml")
            record = part / "data" / f"{one.table}.db"
            with _prepared(backup, one, settings, record, told, None) as (made, epoch, report):
                settle(made, record)
            where = str(folder / "data" / record.name)
            restored.append(Restored(one.table, where, epoch, report))
        part.rename(folder)
    except OSError as fault:
        raise BackupRefused(_failed(fault, part)) from fault
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return restored


def _stay_inside(part: Path, folder: Path, manifest: Manifest) -> None:
    """Every path of the settings is one of the new folder's; ports stay as they are."""
    studio = part / "studio.toml"
    text = studio.read_text(encoding="utf-8") if studio.exists() else ""
    text = with_value(text, "", "data_folder", str(folder / "data"))
    text = with_value(text, "", "key_folder", "keys")
    for what, name in kept.SHARED.items():
        text = with_value(text, what.value, "database", f"sqlite:///{name}")
    studio.write_text(text, encoding="utf-8")
    for one in manifest.tables:
        file = part / "tables" / f"{one.settings}.toml"
        text = with_value(file.read_text(encoding="utf-8"), "", "raw_log", "raw")
        if "heads" in tomllib.loads(text):
            # what is tried on a copy must not be added to what was kept of the real record
            text = with_value(text, "", "heads", f"{one.table}.heads")
        file.write_text(
            with_value(text, "", "database", f"sqlite:///{one.table}.db"), encoding="utf-8"
        )


def restore_in_place(
    backup: Path, manifest: Manifest, site: Path, every: Sequence[TableSettings],
    names: Sequence[str], told: Told, *, records_only: bool = False,
) -> list[Restored]:  # fmt: skip
    """Put a backup where these settings say: the records of the tables ``names``, and the rest.

    Raises ``StoreFailed``, as ``InUse`` while a service of a table runs whose files are touched.
    """
    tables = [one for one in every if one.table in names]
    files = [] if records_only else _shared_files(backup, site, tables[0])
    shared = [] if records_only else _shared_databases(backup, tables[0])
    mark = f"before-{told.at:%Y%m%dT%H%M%SZ}"
    kept_of = {one.table: one for one in manifest.tables}
    with ExitStack() as held:
        _hold(held, tables if records_only else every)
        _refuse_occupied(files, shared, tables, told)
        ready = [
            (one, *held.enter_context(_placed_by(backup, kept_of[one.table], one, told)))
            for one in tables
        ]
        try:
            place(files, mark)
            for source, what, url in shared:
                _put(source, what, "", url, mark)
            for settings, made, _epoch, _report in ready:
                _put(made, Kept.RECORD, settings.table, settings.database_url, mark)
        except OSError as fault:
            raise BackupRefused(_failed(fault, site)) from fault
        return [
            Restored(one.table, name_of(parse_url(one.database_url)), epoch, report)
            for one, _made, epoch, report in ready
        ]


def _shared_files(backup: Path, site: Path, settings: TableSettings) -> list[Placed]:
    """The files that all tables share, and where they go."""
    keys = _of(backup, kept.KEYS, key_folder(settings.studio))
    return [*keys, *_of(backup, kept.SETTINGS, site)]


def _shared_databases(backup: Path, settings: TableSettings) -> list[tuple[Path, Kept, str]]:
    """The databases that all tables share, as far as the backup has them, and where they go."""
    urls = shared_urls(settings.studio)
    found = [(backup / name, what, urls[what]) for what, name in kept.SHARED.items()]
    return [one for one in found if one[0].exists()]


def _hold(held: ExitStack, tables: Sequence[TableSettings]) -> None:
    """Keep the services of these tables from running; refused while one runs."""
    for settings in tables:
        file = file_of(parse_url(settings.database_url))
        if file is not None and file.exists():
            held.callback(FileLock(file, settings.table).release)


def _refuse_occupied(
    files: Sequence[Placed], shared: Sequence[tuple[Path, Kept, str]],
    tables: Sequence[TableSettings], told: Told,
) -> None:  # fmt: skip
    """Nothing is written over: a file can be kept aside, if that is asked for."""
    wanted = [(one.database_url, Kept.RECORD, one.table) for one in tables]
    wanted += [(url, what, "") for _source, what, url in shared]
    there = [str(path) for path in in_the_way(files)]
    for url, what, table in wanted:
        if not holds(url, what, table):
            continue
        parsed = parse_url(url)
        if file_of(parsed) is None:
            raise BackupRefused(occupied(parsed, what, table))
        there.append(name_of(parsed))
    if there and not told.is_over:
        more = f" and {len(there) - _MOST_TOLD} more" if len(there) > _MOST_TOLD else ""
        raise BackupRefused(
            f"{', '.join(there[:_MOST_TOLD])}{more}: there already. --over keeps these beside, "
            "renamed; --into FOLDER makes a site apart from this one"
        )


@contextmanager
def _placed_by(
    backup: Path, one: KeptTable, settings: TableSettings, told: Told
) -> Iterator[tuple[Path, str, VerifyReport]]:
    """The record with its new epoch, on the disk where it belongs."""
    file = file_of(parse_url(settings.database_url))
    if file is not None:
        file.parent.mkdir(mode=0o750, parents=True, exist_ok=True)
        with _prepared(backup, one, settings, file, told, settings.database_url) as made:
            yield made
        return
    with tempfile.TemporaryDirectory(prefix="restore-") as folder:
        record = Path(folder) / f"{one.table}.db"
        with _prepared(backup, one, settings, record, told, None) as made:
            yield made


@contextmanager
def _prepared(
    backup: Path, one: KeptTable, settings: TableSettings, beside: Path, told: Told,
    replaced: str | None,
) -> Iterator[tuple[Path, str, VerifyReport]]:  # fmt: skip
    """A copy beside its place, verified and with its new epoch; gone afterwards, if not used."""
    made = beside.with_name(f".{beside.name}.{os.getpid()}.part")
    url = f"sqlite:///{made}"
    try:
        put(backup / one.record, made)
        upgrade(url)
        faults = _faults(verify(url, one.table), one)
        if faults:
            raise BackupRefused("\n".join([f"{backup} is not sound:", *faults]))
        day = gaming_day(told.at, settings.house.gaming_day)
        _refuse_later(told, one.table, day)
        rounds = max(told.rounds.get((one.table, day), 0), _last_number(replaced, one.table, day))
        taken = kept.read(backup).made_at
        epoch = begin_epoch(
            url, one.table, at=told.at, day=day, by=told.by, given=Given(rounds=rounds),
            reason=f"restored from the backup of {taken}",
        )  # fmt: skip
        in_one_file(made)
        yield made, epoch, verify(url, one.table)
    except OSError as fault:
        raise BackupRefused(_failed(fault, made)) from fault
    finally:
        for left in ("", "-wal", "-shm", ".lock"):
            made.with_name(made.name + left).unlink(missing_ok=True)


def _refuse_later(told: Told, table: str, day: str) -> None:
    for other, known in told.rounds:
        if other == table and known > day:
            raise BackupRefused(
                f"table {table}: a round of {known} was given, and by this machine's clock the "
                f"gaming day is {day}: set the clock, or correct the id"
            )


def _last_number(replaced: str | None, table: str, day: str) -> int:
    """The last round of the day on the record that is replaced, if that can be read at all."""
    if replaced is None:
        return 0
    with suppress(StoreFailed, ValueError, IndexError), History.open(replaced, table) as history:
        return int(history.rounds(limit=1, day=day)[0].round.rsplit("-", 1)[1])
    return 0


def _put(source: Path, what: Kept, table: str, url: str, mark: str) -> None:
    """Put a database in its place: a file beside the old one, or the rows into a server's."""
    file = file_of(parse_url(url))
    if file is None:
        copy_in(source, what, table, url)
        return
    keep_aside(file, mark)
    if what is Kept.RECORD:
        settle(source, file)
    else:
        put(source, file)


def _of(backup: Path, part: str, target: Path) -> list[Placed]:
    folder = backup / part
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    return [Placed(file, target / file.relative_to(folder)) for file in files]


def _failed(fault: OSError, where: Path) -> str:
    return f"the restore is not finished: {fault.filename or where}: {fault.strerror}"
