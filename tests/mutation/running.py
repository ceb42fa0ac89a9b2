# SPDX-License-Identifier: Apache-2.0
"""Runs tests over a changed module: one forked process each, so that nothing is left behind.

The parent has pytest imported and nothing of the program. A child reads the changed module in the
place of the file, runs the tests until the first that fails, and says by its exit status how they
ended. No file is touched.
"""

import os
import resource
import signal
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType

import hypothesis
import pytest

PASSED, FAILED = 0, 1
BYTES = 2 * 2**30
OPTIONS = [
    "-x", "-q", "--tb=no", "--no-header", "-p", "no:cacheprovider",
    "--hypothesis-profile=mutants", "-Wignore::pytest.PytestAssertRewriteWarning",
]  # fmt: skip


class ChangedModule(MetaPathFinder, Loader):
    """Imports one module from this code instead of from its file."""

    def __init__(self, name: str, path: Path, text: str) -> None:
        self.name, self.path = name, path
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.code: CodeType = compile(text, path, "exec")

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if name != self.name:
            return None
        return spec_from_file_location(name, self.path, loader=self)

    def exec_module(self, module: ModuleType) -> None:
        exec(self.code, module.__dict__)


def start(changed: ChangedModule, tests: Sequence[Sequence[str]], seconds: int) -> int:
    """Begin the tests over this module in a child, batch by batch; return its process id.

    A child that takes longer than so many seconds is ended by the alarm, as is one that takes too
    much memory: both count as failures of the tests.
    """
    loaded = [name for name in sys.modules if name.partition(".")[0] in ("studio", "drivers")]
    if loaded:
        raise RuntimeError(f"imported before the change: {', '.join(loaded)}")
    pid = os.fork()
    if pid:
        return pid
    status = FAILED
    try:
        signal.alarm(seconds)
        resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        os.environ["CI"] = "1"
        os.environ.pop("PYTEST_ADDOPTS", None)
        sys.meta_path.insert(0, changed)
        hypothesis.settings.register_profile(
            "mutants",
            deadline=None,
            derandomize=True,
            database=None,
            phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],
            suppress_health_check=list(hypothesis.HealthCheck),
        )
        for batch in tests:
            status = int(pytest.main([*OPTIONS, *batch]))
            if status != PASSED:
                break
    finally:
        os._exit(status)


def outcomes(jobs: Iterable[Callable[[], int]], at_once: int) -> Iterator[tuple[int, int]]:
    """Start these children, so many at a time; the number and the status of each as it ends.

    A child that a signal ended has that signal's number, negative, for its status.
    """
    running: dict[int, int] = {}
    waiting = enumerate(jobs)
    try:
        while True:
            while len(running) < at_once and (job := next(waiting, None)) is not None:
                running[job[1]()] = job[0]
            if not running:
                return
            pid, status = os.wait()
            if pid in running:
                yield running.pop(pid), os.waitstatus_to_exitcode(status)
    finally:
        for pid in running:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
