# SPDX-License-Identifier: Apache-2.0
"""Other settings for a table: what differs, setting by setting, and the files laid ready.

The files of a site are whole texts by their names in it, as ``houses/macau.toml``. New ones are
laid ready in a folder named by the digest of them all; what two people approved is that digest.
They are compared with what is in force at the table, which is kept beside them: tables of one site
share files, and another table may have put a new text in a file's place.
A password in the URL of a database is shown to nobody and goes into no record.
"""

import hashlib
import re
import shutil
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from studio.game.inputs import SettingChange
from studio.settings import Judge, TableSettings, load_table, no_judge, shipped, site_of
from studio.toml import Fault, SettingsFault

Files = dict[str, bytes]
_PARTS = ("*.toml", "houses/*.toml", "tables/*.toml", "wording/*.toml")
_NAME = re.compile(r"([\w-]+|(houses|tables|wording)/[\w.-]+)\.toml")
_PASSWORD = re.compile(r"(://[^:@/\s]+:)[^@/\s]+@")
_SECRET = re.compile(r"password|secret|token|(^|[._])pin$", re.IGNORECASE)
_LONGEST = 300


class Change(msgspec.Struct, frozen=True):
    """What putting files in force comes to: digests before and after, differences, settings."""

    before: str
    after: str
    changes: tuple[SettingChange, ...]
    settings: TableSettings


def files_in(folder: Path) -> Files:
    """The settings in a folder that is laid out as a site."""
    found = (file for part in _PARTS for file in folder.glob(part) if file.is_file())
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in found}


def named_as_in_a_site(file: Path) -> str:
    """The name in a site of one file, by its folder, else by what is in it. Raises ValueError."""
    if file.parent.name in ("houses", "tables", "wording"):
        return f"{file.parent.name}/{file.name}"
    if file.name == "console.toml":
        return file.name
    keys = tomllib.loads(file.read_text(encoding="utf-8")).keys()
    for key, name in (
        ("data_folder", "studio.toml"),
        ("table", f"tables/{file.name}"),
        ("decks", f"houses/{file.name}"),
    ):
        if key in keys:
            return name
    raise ValueError(
        f"{file}: it is not clear which file of the site this is; lay it out as a site, in "
        "houses/, tables/ or wording/, and give that folder"
    )


def change_of(settings: TableSettings, new: Files, judge: Judge = no_judge) -> Change:
    """What it comes to if these files take the place of those of the same name.

    Raises SettingsFault with all that is wrong with the settings as they would be.
    """
    site = site_of(settings.file)
    if site is None or site == shipped():
        right = "make a site with `studio init`"
        raise SettingsFault(
            [Fault(str(settings.file), "", "these are the shipped settings", right)]
        )
    wrong = [name for name in new if _NAME.fullmatch(name) is None]
    if wrong:
        right = "give studio.toml, console.toml, or a file of houses/, tables/ or wording/"
        raise SettingsFault([Fault(name, "", "no file of a site", right) for name in wrong])
    own = f"tables/{settings.file.name}"
    old = InForce(settings).texts()
    changed = {name: text for name, text in new.items() if old.get(name) != text}
    other = next((name for name in changed if name not in _of_table(changed, own)), None)
    if other is not None:
        right = f"it is another table's: say -t {Path(other).stem}"
        raise SettingsFault([Fault(other, "", f"not read by table {settings.table}", right)])
    after = {**old, **changed}
    loaded = _loaded(site, after, settings, judge)
    changes = tuple(
        one
        for name in sorted(changed)
        for one in _differences(name, old.get(name, _shipped(name)), changed[name], own)
    )
    return Change(digest_of(old), digest_of(after), changes, loaded)


def _of_table(files: Files, own: str) -> Files:
    """Without the files of other tables."""
    return {
        name: text for name, text in files.items() if not name.startswith("tables/") or name == own
    }


def digest_of(files: Files) -> str:
    """SHA-256 over names and texts, in order."""
    digest = hashlib.sha256()
    for name in sorted(files):
        digest.update(f"{name}\0{len(files[name])}\0".encode())
        digest.update(files[name])
    return digest.hexdigest()


def _shipped(name: str) -> bytes:
    """The file whose place a site's own takes."""
    file = shipped(name)
    return file.read_bytes() if file.is_file() else b""


def _loaded(site: Path, after: Files, settings: TableSettings, judge: Judge) -> TableSettings:
    """The settings as they would be, loaded as the service loads them."""
    with tempfile.TemporaryDirectory() as folder:
        trial = Path(folder)
        for name, text in after.items():
            _write(trial / name, text)
        try:
            return load_table(trial / "tables" / settings.file.name, judge=judge)
        except SettingsFault as fault:
            raise SettingsFault(
                [
                    msgspec.structs.replace(one, file=one.file.replace(folder, str(site)))
                    for one in fault.faults
                ]
            ) from None


def _differences(name: str, old: bytes, new: bytes, own: str) -> list[SettingChange]:
    """Each setting of a file that is another, is new, or is gone; one line if only words differ."""
    before, after = _leaves(old), _leaves(new)
    found = [
        SettingChange(name, key, before.get(key), after.get(key), restart=_waits(name, key, own))
        for key in sorted(before.keys() | after.keys())
        if before.get(key) != after.get(key)
    ]
    shown = [
        msgspec.structs.replace(
            one, before=_shown(one.key, one.before), after=_shown(one.key, one.after)
        )
        for one in found
    ]
    return shown or [SettingChange(name, "(comments)", None, None, restart=False)]


def _waits(name: str, key: str, own: str) -> bool:
    """Whether the service takes a setting only when it is started again.

    Rules are taken at the end of the round; the windows read words and keys when they start.
    """
    if name == own:
        return key != "house"
    return name == "studio.toml"


def _leaves(text: bytes) -> dict[str, str]:
    """Each setting of a file with its value, as JSON. A file that is no TOML has none."""
    try:
        read = tomllib.loads(text.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        return {}
    return dict(_flat("", read))


def _flat(path: str, value: Mapping[str, Any]) -> list[tuple[str, str]]:
    found = []
    for key, one in value.items():
        if isinstance(one, dict):
            found += _flat(f"{path}{key}.", one)
        else:
            found.append((f"{path}{key}", msgspec.json.encode(one).decode()))
    return found


def _shown(key: str, value: str | None) -> str | None:
    """A value as people may see it."""
    if value is None:
        return None
    if _SECRET.search(key):
        return "***"
    told = _PASSWORD.sub(r"\1***@", value)
    return told if len(told) <= _LONGEST else told[: _LONGEST - 1] + "…"


class InForce:
    """The settings that hold at a table: as its service started with, and as applied since."""

    def __init__(self, settings: TableSettings) -> None:
        self._site = site_of(settings.file)
        self._own = f"tables/{settings.file.name}"
        self._folder = settings.studio.data_path / "settings" / settings.table / "in-force"

    def texts(self) -> Files:
        """As they were kept; of a table that was never served, those of the site."""
        return files_in(self._folder) or self._of_site()

    def start(self) -> None:
        """Keep the site's, with which a service starts. Raises ``OSError``."""
        self._keep(self._of_site())

    def add(self, files: Files) -> None:
        """These were put in force. Raises ``OSError``."""
        self._keep({**self.texts(), **files})

    def _of_site(self) -> Files:
        if self._site is None or self._site == shipped():
            return {}
        return _of_table(files_in(self._site), self._own)

    def _keep(self, files: Files) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)
        for name, text in files.items():
            _write(self._folder / name, text)


class Laid:
    """Where files are laid ready for a table, by the digest of the settings that they lead to."""

    def __init__(self, settings: TableSettings) -> None:
        self._folder = settings.studio.data_path / "settings" / settings.table

    def lay(self, after: str, files: Files) -> None:
        """Lay files ready. Raises ``OSError``."""
        folder = self._folder / after
        shutil.rmtree(folder, ignore_errors=True)
        for name, text in files.items():
            _write(folder / name, text)

    def read(self, after: str) -> Files:
        """What was laid ready, or nothing."""
        folder = self._folder / after
        return files_in(folder) if re.fullmatch(r"[0-9a-f]{64}", after) else {}

    def remove(self, after: str) -> None:
        """They are in their places now."""
        shutil.rmtree(self._folder / after, ignore_errors=True)


def _write(file: Path, text: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    file.write_bytes(text)
