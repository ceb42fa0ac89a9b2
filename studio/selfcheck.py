# SPDX-License-Identifier: Apache-2.0
"""Compares the files of the software with the approved manifest: at the start, daily, when asked.

The comparing is a process of its own at a low priority, and a thread waits for it: hashing
takes neither the table's thread nor its interpreter. What was found is an input of the table, as a
report of the shoe is. A check that could not be made is a finding too, or ending it would be the
way around it. Digests come first, for bets, or a person, wait for them; comparing bytecode takes
longer, and comes after them.
"""

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from queue import Empty
from typing import Self

from studio import manifest
from studio.game.events import (
    Recorded,
    SettingsApplied,
    SoftwareApproved,
    SoftwareCheckAsked,
)
from studio.game.inputs import SoftwareCompared, SoftwareFinding
from studio.inbox import Inbox
from studio.manifest import Compared, Finding
from studio.operator_log import log_line
from studio.service import TableService
from studio.settings import TableSettings
from studio.software import Manifests, covered, loaded_files, loaded_sources

# What nobody waits for takes a quarter of a core at most, and of what others leave.
_QUIET = {"nice": 19, "share": 0.25}
_AWAITED = {"nice": 5, "share": 1.0}
# The others are digests only, for somebody waits, and bytecode is compared right after them.
_WITH_BYTECODE = ("daily", "bytecode")
_MOST_TOLD = 50
_TRIES = 2
_WHY = {SoftwareCheckAsked: "asked", SoftwareApproved: "approved", SettingsApplied: "applied"}


class SelfCheck:
    """The checks of one table. ``heard`` is for the table's thread and never waits.

    ``changing`` is held by whoever puts files in place that two people approved.
    """

    def __init__(
        self,
        settings: TableSettings,
        service: TableService,
        changing: threading.Lock,
        *,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._settings = settings
        self._manifests = Manifests(settings)
        self._service = service
        self._changing = changing
        self._monotonic = monotonic
        self._every = settings.studio.software.check_hours * 3600.0
        self._asked: Inbox[str | None] = Inbox()
        self._is_closing = False
        self._good: dict[str, dict[str, str]] = {}
        self._child: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._run, name="self-check")

    def __enter__(self) -> Self:
        """Check now, and go on."""
        self._asked.put("start")
        self._thread.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        """End it, also in the middle of a check."""
        self._is_closing = True
        self._asked.put(None)
        child = self._child
        if child is not None:
            child.kill()
        self._thread.join()

    def heard(self, decided: tuple[Recorded, ...]) -> None:
        """Something was recorded; some of it asks for a check."""
        for recorded in decided:
            why = _WHY.get(type(recorded.event))
            if why is not None:
                self._asked.put(why)

    def _run(self) -> None:
        is_bytecode_due = False
        while (why := self._next(is_bytecode_due=is_bytecode_due)) is not None:
            approved = self._service.shown_state().software.approved
            if approved is not None:
                self._check(approved, why)
                is_bytecode_due = why not in _WITH_BYTECODE
            elif why == "start":
                words = "the files of the software are not checked"
                log_line(words, warns=True, table=self._settings.table, why="none is approved")

    def _next(self, *, is_bytecode_due: bool) -> str | None:
        try:
            return self._asked.get(0.0 if is_bytecode_due else self._every)
        except Empty:
            return "bytecode" if is_bytecode_due else "daily"

    def _check(self, approved: str, why: str) -> None:
        started = self._monotonic()
        compared = self._settled(approved, self._compared(approved, why))
        if compared is None or self._is_closing:
            return
        seconds = round(self._monotonic() - started, 3)
        self._tell(compared, seconds)
        self._service.submit(
            SoftwareCompared(
                why=why,
                approved=approved,
                digest=compared.digest,
                files=compared.files,
                seconds=seconds,
                count=len(compared.findings),
                findings=tuple(map(_told, compared.findings[:_MOST_TOLD])),
            )
        )

    def _tell(self, compared: Compared, seconds: float) -> None:
        table = self._settings.table
        if not compared.findings:
            words = "the software is as approved"
            log_line(words, table=table, files=compared.files, seconds=seconds)
        for one in compared.findings[:_MOST_TOLD]:
            words = "the software is not as approved"
            log_line(words, warns=True, table=table, file=one.path, what=one.what)

    def _settled(self, approved: str, compared: Compared | None) -> Compared | None:
        """What was found once nobody changes files any more; None if another manifest holds now.

        A file may have been written while it was read: each finding is looked at again.
        """
        with self._changing:
            if compared is None or self._service.shown_state().software.approved != approved:
                return None
            stays = tuple(one for one in compared.findings if _is_so(one))
            return compared._replace(findings=stays)

    def _compared(self, approved: str, why: str) -> Compared | None:
        """What a check finds; None when it was ended with the service."""
        file = self._manifests.path_of(approved)
        if self._manifests.read(approved) is None:
            what = "changed" if file.exists() else "missing"
            return Compared("", 0, (Finding(what, str(file), approved),))
        for _ in range(_TRIES):
            if self._is_closing:
                return None
            compared = self._in_a_process(file, why)
            if compared is not None:
                return compared
        return Compared("", 0, (Finding("unchecked", str(file), approved),))

    def _in_a_process(self, file: Path, why: str) -> Compared | None:
        found = self._service.shown_state().software.findings
        # other code that was found stays found until it is looked at again
        has_bytecode = why in _WITH_BYTECODE or any(one.what == "bytecode" for one in found)
        all_of_it = covered(self._settings)
        asked = {
            "manifest": str(file),
            "folders": all_of_it.folders,
            # code from anywhere else, as by PYTHONPATH, is a finding: no manifest has it
            "files": (*all_of_it.files, *loaded_files()),
            "sources": loaded_sources() if has_bytecode else [],
            "cache": sys.pycache_prefix,
            "good": self._good.get(file.stem, {}),
            **(_QUIET if why == "daily" else _AWAITED),
        }
        flags = ("-I", "-S", *(["-O"] * sys.flags.optimize))
        try:
            child = subprocess.Popen(  # noqa: S603
                [sys.executable, *flags, manifest.__file__],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except OSError:
            return None
        with child:
            self._child = child
            if self._is_closing:
                child.kill()
            said, _ = child.communicate(json.dumps(asked).encode())
            self._child = None
        compared = _read(said) if child.returncode == 0 else None
        if compared is not None and has_bytecode:
            self._good = {file.stem: compared.good}
        return compared


def _read(said: bytes) -> Compared | None:
    lines = [json.loads(line) for line in said.splitlines()]
    if not lines or "digest" not in lines[-1]:
        return None
    return Compared(findings=tuple(Finding(**one) for one in lines[:-1]), **lines[-1])


def _is_so(one: Finding) -> bool:
    """Whether a finding still holds."""
    if one.what in ("bytecode", "unchecked"):
        return True
    now = manifest.digest_of(one.path)
    return now != one.expected and (one.expected is not None or now is not None)


def _told(one: Finding) -> SoftwareFinding:
    """A finding for the record, whatever bytes the name has."""
    path = one.path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return SoftwareFinding(one.what, path, one.expected, one.found)
