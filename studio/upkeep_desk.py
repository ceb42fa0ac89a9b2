# SPDX-License-Identifier: Apache-2.0
"""What the service sees to before and after two people approve files or other settings.

A command says what people saw and agreed to; here it is compared with the files themselves. New
settings lie beside their places, on the disk, before the record says that they are in force, and
take them right after, in one step each.
"""

import os
import threading
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from studio.game.events import Recorded
from studio.game.inputs import ApplySettings, ApproveSoftware, Command, Refusal
from studio.manifest import name_of, read_lines, text_of
from studio.operator_log import log_line
from studio.settings import TableSettings, site_of
from studio.settings_change import Files, InForce, Laid, change_of
from studio.software import Manifests
from studio.toml import SettingsFault

_NEW = ".new"

Decision = tuple[Recorded, ...] | Refusal
Give = Callable[[Command], Decision]


class UpkeepDesk:
    """The files behind the commands of one table. ``changing`` is held while files move."""

    def __init__(self, settings: TableSettings, changing: threading.Lock) -> None:
        self._settings = settings
        self._changing = changing
        self._manifests = Manifests(settings)
        self._laid = Laid(settings)

    def given(self, command: Command, approved: str | None, give: Give) -> Decision | None:
        """What the table makes of a command about files, which are in their places afterwards.

        ``approved`` is the digest of the manifest in force, ``give`` tells the table. None: the
        command is about no files, and nothing was done.
        """
        match command:
            case ApproveSoftware():
                refusal = self._unkept(command)
                return give(command) if refusal is None else refusal
            case ApplySettings():
                with self._changing:
                    return self._applied(command, approved, give)
            case _:
                return None

    def _unkept(self, command: ApproveSoftware) -> Refusal | None:
        if self._manifests.read(command.digest) is not None:
            return None
        text = (
            f"No manifest {command.digest[:12]} is kept for this table: run `studio software "
            "approve` on its machine."
        )
        return Refusal("no_manifest", text)

    def _applied(self, command: ApplySettings, approved: str | None, give: Give) -> Decision:
        files = self._laid.read(command.after)
        site = site_of(self._settings.file)
        ready = self._applicable(command, files, approved)
        if isinstance(ready, Refusal) or site is None:
            return ready if isinstance(ready, Refusal) else _not_laid_ready()
        new: list[Path] = []
        try:
            new += (_beside(site / name, text) for name, text in files.items())
            decided = give(ready)
            if not isinstance(decided, Refusal):
                self._put(new)
                self._laid.remove(command.after)
                self._hold(files)
            return decided
        except OSError as fault:
            text = f"{fault.filename}: {fault.strerror}. The service must be able to write there."
            return Refusal("not_writable", text)
        finally:
            for file in new:
                file.unlink(missing_ok=True)

    def _put(self, new: list[Path]) -> None:
        """Have new texts take their places; one that cannot is a finding of the next check."""
        table = self._settings.table
        for file in new:
            place = file.with_name(file.name.removesuffix(_NEW))
            try:
                file.replace(place)
                log_line("settings are in force", table=table, file=str(place))
            except OSError as fault:
                why = str(fault.strerror)
                log_line("settings are not in place", warns=True, file=str(place), why=why)

    def started(self) -> None:
        """The service starts with the settings of the site."""
        self._hold(None)

    def _hold(self, files: Files | None) -> None:
        """Keep what is in force now, to compare other settings with."""
        try:
            kept = InForce(self._settings)
            kept.start() if files is None else kept.add(files)
        except OSError as fault:
            why = f"{fault.filename}: {fault.strerror}"
            log_line("settings in force are not kept", warns=True, why=why)

    def _applicable(
        self, command: ApplySettings, files: Files, approved: str | None
    ) -> ApplySettings | Refusal:
        """The command with its rules and the new manifest, if the files are what it says."""
        if not files:
            return _not_laid_ready()
        try:
            change = change_of(self._settings, files)
        except (SettingsFault, OSError) as fault:
            return Refusal("bad_settings", f"The settings cannot be used: {fault}.")
        told = (command.before, command.after, command.changes)
        if told != (change.before, change.after, change.changes):
            text = "The settings have changed since they were looked at. Look again."
            return Refusal("stale", text)
        manifest = None if approved is None else self._manifest_with(approved, files)
        return replace(command, house=change.settings.house, manifest=manifest)

    def _manifest_with(self, approved: str, files: Files) -> str | None:
        """The approved manifest with these files in it, kept; its digest."""
        site, text = site_of(self._settings.file), self._manifests.read(approved)
        if text is None or site is None:
            return None
        lines = read_lines(text) | {str(site / name): name_of(new) for name, new in files.items()}
        return self._manifests.keep(text_of(lines))


def _not_laid_ready() -> Refusal:
    text = "These settings are not laid ready here: run `studio config apply` again."
    return Refusal("not_laid_ready", text)


def _beside(file: Path, text: bytes) -> Path:
    """The new text of a file beside it, on the disk."""
    file.parent.mkdir(parents=True, exist_ok=True)
    mode = file.stat().st_mode & 0o777 if file.exists() else 0o640
    new = file.with_name(file.name + _NEW)
    with new.open("wb") as opened:
        os.fchmod(opened.fileno(), mode)
        opened.write(text)
        opened.flush()
        os.fsync(opened.fileno())
    return new
