# SPDX-License-Identifier: Apache-2.0
"""Puts a front-end through cases, a fresh start of it for each, and keeps what came of them."""

import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from enum import Enum
from pathlib import Path

import msgspec

from studio.conformance.cases import Case, Needs
from studio.conformance.child import CAN_PAUSE
from studio.conformance.lent_keys import LentKeys
from studio.conformance.stage import PATIENCE, Failed, Stage
from studio.feed.signing import Signer, new_secret
from studio.inbox import Stopping


class Mark(str, Enum):
    """What came of a case."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_RUN = "not run"


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One row of the pass sheet."""

    case: str
    mark: Mark
    done: str
    expected: str
    said: str
    rule: str


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """How the front-end is run."""

    command: tuple[str, ...]
    patience: float = PATIENCE
    is_keyed: bool = True
    is_signed: bool = True
    at_once: int = 4


def rows(cases: Sequence[Case], setup: Setup, stopping: Stopping) -> Iterator[Row]:
    """The rows, in the order of the cases. Raises CannotStart."""

    def row(case: Case) -> Row:
        with tempfile.TemporaryDirectory(prefix="sabot-conformance-") as folder:
            return _row(case, setup, Path(folder), stopping)

    with ThreadPoolExecutor(setup.at_once) as pool:
        yield from pool.map(row, cases)


def _row(case: Case, setup: Setup, folder: Path, stopping: Stopping) -> Row:
    wanting = _wanting(case, setup)
    if wanting:
        return _told(case, Mark.NOT_RUN, case.expected, wanting)
    keys = LentKeys(folder) if setup.is_keyed else None
    signer = None
    if setup.is_signed:
        signer = Signer(new_secret()) if keys is None else keys.keys.signer
    with Stage(setup.command, stopping, setup.patience, keys, signer) as stage:
        try:
            case.play(stage)
        except Failed as failed:
            return _told(case, Mark.FAILED, *failed.fault)
        said = f"the same, in {stage.lines} {'line' if stage.lines == 1 else 'lines'}"
        return _told(case, Mark.PASSED, case.expected, said)


def _wanting(case: Case, setup: Setup) -> str:
    if case.needs is Needs.SIGNING and not setup.is_signed:
        return "heartbeats are not signed in this run"
    if case.needs is Needs.KEYS and not setup.is_keyed:
        return "without keys the studio cannot tell whose word it is"
    if case.needs is Needs.PAUSE and not CAN_PAUSE:
        return "this system cannot pause a process"
    return ""


def _told(case: Case, mark: Mark, expected: str, said: str) -> Row:
    return Row(
        case=case.name, mark=mark, done=case.done, expected=expected, said=said, rule=case.rule
    )
