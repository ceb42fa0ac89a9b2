# SPDX-License-Identifier: Apache-2.0
"""Which software this is: its version, a digest of our own files, and a manifest of all of them."""

import hashlib
import os
import re
import site
import sys
import sysconfig
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from studio.manifest import Covered, name_of
from studio.settings import TableSettings, shipped, site_of

_SUFFIXES = (".py", ".toml", ".mako")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_SET_UP = "set-up"


@cache
def software_version() -> str:
    """The version of the distribution, or ``unknown`` where it was never installed."""
    try:
        return version("sabot")
    except PackageNotFoundError:
        return "unknown"


@cache
def software_digest() -> str:
    """SHA-256, in hex, over names and contents of all program and data files, in a fixed order."""
    root = Path(__file__).parent.parent
    digest = hashlib.sha256()
    named = {
        f"{folder.name}/{file.relative_to(folder).as_posix()}": file
        for folder in (root / "studio", root / "drivers", root / "ui", shipped())
        if folder.is_dir()
        for file in folder.rglob("*")
        if file.suffix in _SUFFIXES
    }
    for name in sorted(named):
        content = named[name].read_bytes()
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def covered(settings: TableSettings) -> Covered:
    """All that a table's service consists of: our code, Python, every library, and its settings."""
    paths = sysconfig.get_paths()
    root = Path(__file__).parent.parent
    folders = [paths["stdlib"], paths["purelib"], paths["platlib"], *site.getsitepackages()]
    if site.ENABLE_USER_SITE:
        folders.append(site.getusersitepackages())
    if sys.prefix != sys.base_prefix:
        folders.append(paths["scripts"])
    folders += [str(root / name) for name in ("studio", "drivers", "ui")] + [str(shipped())]
    there = tuple(dict.fromkeys(one for one in folders if Path(one).is_dir()))
    python = (sys.executable, str(Path(sys.executable).resolve()), f"{sys.prefix}/pyvenv.cfg")
    files = (*python, *map(str, settings_files(settings)))
    return Covered(there, tuple(dict.fromkeys(files)))


def settings_files(settings: TableSettings) -> list[Path]:
    """The files of the site that this table reads; those of other tables are theirs."""
    folder = site_of(settings.file)
    if folder is None or folder == shipped():
        return [settings.file]
    own = [*folder.glob("*.toml"), *folder.glob("houses/*.toml"), *folder.glob("wording/*.toml")]
    return sorted({settings.file, *own})


def loaded_files() -> list[str]:
    """The files of all modules that this process runs, wherever they came from."""
    files = (getattr(one, "__file__", None) for one in tuple(sys.modules.values()))
    there = (file for file in files if isinstance(file, str) and Path(file).is_file())
    return sorted({str(Path(file).absolute()) for file in there})


def loaded_sources() -> list[str]:
    """The sources of what this process runs; Python has their bytecode, or will look for it."""
    return [file for file in loaded_files() if file.endswith(".py")]


def begun_by() -> tuple[str, ...]:
    """The script that this process was started as, where it is a file."""
    file = getattr(sys.modules["__main__"], "__file__", None)
    return () if file is None or not Path(file).is_file() else (str(Path(file).absolute()),)


def shared_objects() -> tuple[str, ...]:
    """The system's libraries that this process has loaded, as the C library and SQLite."""
    found = set()
    for line in Path("/proc/self/maps").read_text(errors="surrogateescape").splitlines():
        parts = line.split(maxsplit=5)
        if len(parts) == 6 and parts[5].startswith("/") and "x" in parts[1]:
            found.add(parts[5])
    return tuple(sorted(path for path in found if os.path.isfile(path)))  # noqa: PTH113


class Manifests:
    """The manifests of a table, kept in a folder by their digest, and that of its set-up."""

    def __init__(self, settings: TableSettings) -> None:
        self._folder = settings.studio.data_path / "software" / settings.table

    def path_of(self, digest: str) -> Path:
        """Where the manifest of this digest is kept, if it is."""
        return self._folder / f"{digest}.sha256"

    def read(self, digest: str) -> bytes | None:
        """The manifest of this digest; None if it is not there, or is not what it was."""
        try:
            text = self.path_of(digest).read_bytes() if _DIGEST.fullmatch(digest) else b""
        except OSError:
            return None
        return text if name_of(text) == digest else None

    def keep(self, text: bytes) -> str:
        """Keep a manifest; its digest. Raises ``OSError``."""
        digest = name_of(text)
        self._write(digest, text)
        return digest

    def keep_for_set_up(self, text: bytes) -> str:
        """Keep the one that the first start of the service takes for approved."""
        digest = self.keep(text)
        self._write(_SET_UP, digest.encode())
        return digest

    def of_set_up(self) -> str | None:
        """The digest of the manifest that was made when the table was set up, if one was."""
        try:
            return (self._folder / f"{_SET_UP}.sha256").read_text().strip()
        except (OSError, ValueError):
            return None

    def _write(self, name: str, text: bytes) -> None:
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o750)
        new = self._folder / f".{name}.new"
        new.write_bytes(text)
        new.replace(self.path_of(name))
