# SPDX-License-Identifier: Apache-2.0
"""What a backup holds, file by file, and whether it still does.

A backup is a folder, for its owner alone (0700, files 0600)::

    manifest.json    this list: written last, so that a folder without it is no backup
    records/         one SQLite file a table, of one moment each, whatever database it came from
    staff.db         the staff's accounts, with secrets as hashes only, sessions and log
    operators.db     which operator acknowledged which correction; none where nobody ever did
    settings/        the site's own files: studio.toml, tables, houses, wording
    keys/            the studio's secret keys, and who may connect
"""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import msgspec

from studio.store.copying import Kept

FORMAT = 1
MANIFEST, RECORDS, SETTINGS, KEYS = "manifest.json", "records", "settings", "keys"
# databases that all tables share, each with its name here and in a site that is made of it
SHARED = {Kept.STAFF: "staff.db", Kept.OPERATORS: "operators.db"}
_BLOCK = 1 << 20


class BackupRefused(Exception):
    """A backup that cannot be made or put back; the text says what, where and what to do."""


class KeptFile(msgspec.Struct, frozen=True):
    """A file of the backup, by its path in it."""

    path: str
    size: int
    sha256: str


class KeptTable(msgspec.Struct, frozen=True):
    """Where a table's record ended: its last epoch, both numbers, both ends of the chains.

    ``settings`` is the name of its file in ``settings/tables``, ``record`` its path in the backup.
    """

    table: str
    settings: str
    record: str
    epochs: int
    epoch: str
    seq: int
    hash: str
    public_seq: int
    head: str
    last_at: str


class Manifest(msgspec.Struct, frozen=True):
    """The whole backup; ``site`` is the folder that its settings came from."""

    format: int
    made_at: str
    version: str
    digest: str
    site: str
    tables: tuple[KeptTable, ...]
    files: tuple[KeptFile, ...]


def listed(folder: Path) -> tuple[KeptFile, ...]:
    """Every file of a backup but the manifest."""
    return tuple(_kept(folder, file) for file in _files_in(folder) if file.name != MANIFEST)


def write(folder: Path, manifest: Manifest) -> str:
    """Write the manifest, the last file of a backup; its own SHA-256, to be kept elsewhere."""
    data = msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n"
    target = folder / MANIFEST
    handle = os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    return hashlib.sha256(data).hexdigest()


def read(folder: Path) -> Manifest:
    """The manifest of a backup. Raises BackupRefused."""
    file = folder / MANIFEST
    if not file.is_file():
        raise BackupRefused(
            f"{folder} is no backup: it has no {MANIFEST}, which is written last. If a backup was "
            "broken off, take it again"
        )
    try:
        manifest = msgspec.json.decode(file.read_bytes(), type=Manifest)
    except (msgspec.DecodeError, UnicodeDecodeError) as fault:
        raise BackupRefused(f"{file} is damaged: {fault}; use another backup") from fault
    except OSError as fault:
        raise BackupRefused(f"{file} cannot be read: {fault.strerror}") from fault
    if manifest.format > FORMAT:
        raise BackupRefused(f"{file} is of a newer program ({manifest.version}): use that one")
    for path in (*(one.path for one in manifest.files), *(one.record for one in manifest.tables)):
        parts = PurePosixPath(path).parts
        if not parts or path.startswith("/") or ".." in parts:
            raise BackupRefused(f"{file} names {path!r}, which is outside the backup")
    return manifest


def faults_of(folder: Path, manifest: Manifest) -> list[tuple[str, str]]:
    """Path and fault of whatever is not as the manifest says."""
    known = {one.path: one for one in manifest.files}
    there = {one.path: one for one in listed(folder)}
    faults = [(path, "is missing") for path in known.keys() - there.keys()]
    faults += [(path, "is not in the manifest") for path in there.keys() - known.keys()]
    faults += [
        (path, "is not what was backed up: its SHA-256 is another")
        for path in known.keys() & there.keys()
        if known[path] != there[path]
    ]
    return sorted(faults)


def sha256_of(file: Path) -> str:
    """SHA-256 of a file, in hex."""
    with file.open("rb") as opened:
        digest = hashlib.sha256()
        while block := opened.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _files_in(folder: Path) -> Iterator[Path]:
    return (file for file in sorted(folder.rglob("*")) if file.is_symlink() or not file.is_dir())


def _kept(folder: Path, file: Path) -> KeptFile:
    path = file.relative_to(folder).as_posix()
    if file.is_symlink() or not file.is_file():
        raise BackupRefused(f"{file} is no plain file: a backup has no others")
    return KeptFile(path, file.stat().st_size, sha256_of(file))
