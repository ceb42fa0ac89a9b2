# SPDX-License-Identifier: Apache-2.0
"""Taking a backup, also while the tables deal.

All goes into a folder beside the place where it shall be; each record is verified there, from end
to end; the manifest comes last; and only then is the folder given its name. Broken off anywhere,
there is no backup of that name, and nothing that a restore would take.
"""

import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path

from studio.backup import manifest as kept
from studio.backup.manifest import BackupRefused, KeptTable, Manifest
from studio.keyed import key_folder, operator_database_url
from studio.settings import StudioSettings, TableSettings
from studio.software import software_digest, software_version
from studio.store.chain import time_text
from studio.store.copying import Kept, copy_out, is_kept, sync
from studio.store.database import StoreFailed
from studio.store.history import History
from studio.verify import verify

_MOST_TOLD = 5


def take(
    site: Path, tables: Sequence[TableSettings], target: Path, at: datetime
) -> tuple[Manifest, str]:
    """Back up these tables of a site, and what they share, as the new folder ``target``.

    Gives the manifest and its SHA-256. Raises BackupRefused or ``StoreFailed``; nothing of that
    name is there then.
    """
    target = target.absolute()
    if target.exists():
        raise BackupRefused(f"{target} exists: a backup is never made over another; name a new one")
    for one in tables:
        if one.file != site / "tables" / one.file.name:
            raise BackupRefused(f"{one.file} is not in {site / 'tables'}: move it there first")
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        part.mkdir(mode=0o700)
        try:
            made = _fill(part, site, tables, at)
            for folder in (*_folders_in(part), part):
                sync(folder)
            part.rename(target)
            sync(target.parent)
        finally:
            shutil.rmtree(part, ignore_errors=True)
    except OSError as fault:
        where = fault.filename or part
        raise BackupRefused(f"the backup is not made: {where}: {fault.strerror}") from fault
    return made


def _fill(
    part: Path, site: Path, tables: Sequence[TableSettings], at: datetime
) -> tuple[Manifest, str]:
    (part / kept.RECORDS).mkdir(mode=0o700)
    ends = tuple(_record(part, settings) for settings in tables)
    studio = tables[0].studio
    # after the records: an acknowledgement of a correction that is not in them does no harm
    for what, url in shared_urls(studio).items():
        if is_kept(url, what):
            copy_out(url, what, "", part / kept.SHARED[what])
    _copy_files(site, _settings_of(site, tables), part / kept.SETTINGS)
    _copy_files(key_folder(studio), _keys_of(studio), part / kept.KEYS)
    manifest = Manifest(
        format=kept.FORMAT,
        made_at=time_text(at),
        version=software_version(),
        digest=software_digest(),
        site=str(site),
        tables=ends,
        files=kept.listed(part),
    )
    return manifest, kept.write(part, manifest)


def shared_urls(studio: StudioSettings) -> dict[Kept, str]:
    """Where the databases are that all tables share."""
    return {
        Kept.STAFF: studio.staff_database_url,
        Kept.OPERATORS: operator_database_url(studio),
    }


def _record(part: Path, settings: TableSettings) -> KeptTable:
    """The table's record, copied and walked from end to end."""
    path = f"{kept.RECORDS}/{settings.table}.db"
    copy_out(settings.database_url, Kept.RECORD, settings.table, part / path)
    url = f"sqlite:///{part / path}"
    report = verify(url, settings.table)
    if not report.is_sound:
        found = "; ".join(f"event {one.seq}: {one.text}" for one in report.findings[:_MOST_TOLD])
        raise StoreFailed(
            f"the record of table {settings.table} is not sound, and no backup of it is made: "
            f"{found}. Keep its database as it is, run `studio verify -t {settings.table}`"
        )
    with History.open(url, settings.table) as history:
        last_at = history.last_at()
    last = report.walked[-1]
    return KeptTable(
        table=settings.table,
        settings=settings.file.stem,
        record=path,
        epochs=report.epochs,
        epoch=last.epoch,
        seq=last.events,
        hash=last.hash,
        public_seq=last.messages,
        head=last.head,
        last_at=time_text(last_at),
    )


def _settings_of(site: Path, tables: Iterable[TableSettings]) -> Iterator[Path]:
    """The site's files; a table's file is one of them, whatever it is called."""
    found = {file for pattern in ("*.toml", "*/*.toml") for file in site.glob(pattern)}
    named = {settings.file for settings in tables if settings.file.is_relative_to(site)}
    return iter(sorted(file for file in found | named if file.is_file()))


def _keys_of(studio: StudioSettings) -> Iterator[Path]:
    folder = key_folder(studio)
    return iter(sorted(file for file in folder.rglob("*") if file.is_file()))


def _copy_files(folder: Path, files: Iterable[Path], target: Path) -> None:
    for file in files:
        copied = target / file.relative_to(folder)
        make_folder(copied.parent)
        put(file, copied)


def make_folder(folder: Path) -> None:
    """Make a folder and those above it that are missing, each for its owner alone."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(mode=0o700)


def put(source: Path, target: Path) -> None:
    """Copy a file to a new one, mode 0600, and wait for the disk."""
    handle = os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(handle, "wb") as written, source.open("rb") as read:
        shutil.copyfileobj(read, written)
        written.flush()
        os.fsync(written.fileno())


def _folders_in(part: Path) -> Iterator[Path]:
    return (folder for folder in part.rglob("*") if folder.is_dir())
